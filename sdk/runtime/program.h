// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/program.h: what stands behind buddy_program. */
#ifndef BUDDY_SDK_COMPILE_PROGRAM_H
#define BUDDY_SDK_COMPILE_PROGRAM_H

#include "buddy/compile.h"
#include "sdk/runtime/profile.h"
#include "sdk/runtime/runtime.h"
#include "sdk/runtime/signature.h"

/* A check that compiled code makes while it runs. */
typedef struct bd_assertion {
  char *message; /* owned */
  char *where;   /* owned */
} bd_assertion;

typedef struct bd_assertions {
  bd_assertion *items;
  size_t n;
} bd_assertions;

/* Bytes of constants outside of the code. */
typedef struct bd_constants {
  void **items;
  size_t n;
} bd_constants;

/* Of its products and convolutions, those that are plain loops although they are slow so. */
typedef struct bd_plain {
  size_t n_convolutions, n_products;
} bd_plain;

/* Compiled code: takes and writes rows of descriptors, see program.c. [any-thread] */
typedef void (*bd_entry)(const uint64_t *inputs, uint64_t *results);

struct buddy_program {
  bd_signature *signature;
  bd_entry entry;
  bd_assertions assertions; /* by the number that the code passes to BD_RUNTIME_FAIL */
  uint32_t *result_ranks;   /* of the function's results */
  size_t n_results;
  bd_run_pool *pool;   /* memory of runs, owned */
  bd_profile *profile; /* owned; null unless the code measures itself */
  /* Frees everything but the pool; null: it all belongs to somebody else. */
  void (*release)(buddy_program *program);
  struct bd_jit *jit;          /* of a program that was compiled in this process, else null */
  bd_constants constants;      /* that its code reads */
  bd_plain plain;              /* if it was compiled in this process */
  const bd_size_guard *guards; /* the signature's */
  size_t n_guards;
  bd_batch_note rows;       /* the signature's */
  const bd_growth *growths; /* the signature's */
  size_t n_growths;
  const uint64_t *unread; /* the signature's */
  size_t n_unread;
};

/* buddy_program_run, for whoever owns the tensors of buffers. in_place: for each output the number of
 * the input that it replaces, or SIZE_MAX; null: none replaces any. An output that the code has written
 * over that very input is a view of it, which owns its sizes alone. */
buddy_code bd_program_run_in_place(const buddy_program *program, const buddy_tensor *inputs,
                                   size_t n_inputs, buddy_tensor *outputs, size_t n_outputs,
                                   const size_t *in_place, buddy_diags *diags);

/* Copies a result into the tensor that the caller gave for it, if this is of the same type. */
buddy_code bd_output_fill(const buddy_port *port, const buddy_tensor *view, buddy_tensor *output,
                          buddy_diags *diags);

/* Compares the inputs with the signature and reports all that is wrong with them. out_symbols: one
 * per symbol of the signature, INT64_MIN for those that no input tells. */
buddy_code bd_inputs_check(const bd_signature *signature, const buddy_tensor *inputs,
                           size_t n_inputs, buddy_diags *diags, int64_t *out_symbols);
/* The symbols that the inputs of the user tell, where `tensors` has them (a rank that is not the port's: not
 * there): others stay what they are. */
void bd_inputs_bind(const bd_signature *signature, const buddy_tensor *tensors, int64_t *symbols);
/* The growth of that input; null: it does not grow. */
const bd_growth *bd_program_growth(const buddy_program *program, size_t input);
/* Reports every guard that these values of the symbols break. */
buddy_code bd_guards_check(const buddy_program *program, const buddy_tensor *inputs,
                           const int64_t *symbols, buddy_diags *diags);

#endif
