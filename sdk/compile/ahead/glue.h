// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/glue.h: the C functions of a model that is compiled ahead of time, and the
 * header that declares them. What the one writes the other says. */
#ifndef BUDDY_SDK_COMPILE_GLUE_H
#define BUDDY_SDK_COMPILE_GLUE_H

#include "core/base/text.h"
#include "llvm-c/Types.h"
#include "sdk/compile/ahead/suppliers.h"

/* NAME_load(weights, why, why_size), NAME_run(model, symbols…, inputs…, outputs…, why, why_size),
 * NAME_set_threads(model, n_threads) and NAME_destroy(model), which call the runtime. */
buddy_code bd_glue_write(LLVMModuleRef module, const char *name, LLVMValueRef artifact,
                         const bd_signature *signature, const uint32_t *passing);

/* What the header tells besides the signature. */
typedef struct bd_header_facts {
  const char *name;
  const char *file;    /* of the header */
  const char *program; /* in the archive; null: its only one */
  const char *weights; /* file name of the weights */
  const char *source;  /* file name of the archive */
  const char *target;  /* "x86_64-pc-linux-gnu, znver4" */
  const char *linking; /* how a program links the file */
  bd_placement placement;
  uint64_t n_weights; /* bytes */
  const bd_suppliers *suppliers;
} bd_header_facts;
buddy_code bd_header_write(const bd_header_facts *facts, const bd_signature *signature,
                           const uint32_t *passing, const buddy_writer *writer);

#endif
