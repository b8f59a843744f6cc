/* sdk/compile/program.h: what stands behind buddy_program. */
#ifndef BUDDY_SDK_COMPILE_PROGRAM_H
#define BUDDY_SDK_COMPILE_PROGRAM_H

#include "buddy/compile.h"
#include "sdk/compile/constants.h"
#include "sdk/compile/jit.h"
#include "sdk/compile/runtime.h"
#include "sdk/lower/signature.h"

/* A check that compiled code makes while it runs. */
typedef struct bd_assertion {
  char *message; /* owned */
  char *where;   /* owned */
} bd_assertion;

typedef struct bd_assertions {
  bd_assertion *items;
  size_t n;
} bd_assertions;
void bd_assertions_deinit(bd_assertions *assertions);

struct buddy_program {
  bd_signature *signature;
  bd_jit *jit;
  bd_assertions assertions; /* by the number that the code passes to BD_RUNTIME_FAIL */
  bd_constants constants;   /* that the code reads */
  bd_pool *pool;            /* memory of runs */
  uint32_t *result_ranks;   /* of the function's results */
  size_t n_results;
};

/* Compares the inputs with the signature and reports all that is wrong with them. out_symbols: one
 * per symbol of the signature, INT64_MIN for those that no input tells. */
buddy_code bd_inputs_check(const bd_signature *signature, const buddy_tensor *inputs,
                           size_t n_inputs, buddy_diags *diags, int64_t *out_symbols);

#endif
