// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/context.h: MLIR contexts, and MLIR's own diagnostics turned into buddy's. */
#ifndef BUDDY_SDK_LOWER_CONTEXT_H
#define BUDDY_SDK_LOWER_CONTEXT_H

#include "buddy/base.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

/* A context in which every dialect that ships with LLVM can be named; a dialect is loaded when it
 * is first met by the parser or asked for. One thread works in a context, so MLIR's own threads are
 * off. mlirContextDestroy frees it. */
buddy_code bd_context_create(MlirContext *out_context);

/* Collects what MLIR reports between begin and end. A null list counts only. */
typedef struct bd_mlir_diags {
  MlirContext context;
  MlirDiagnosticHandlerID handler;
  buddy_diags *diags;
  buddy_code code;    /* given to errors */
  const char *prefix; /* leads each message: "while lowering to LLVM"; "" for none; lent */
  size_t n_errors;
} bd_mlir_diags;
void bd_mlir_diags_begin(bd_mlir_diags *scope, MlirContext context, buddy_diags *diags,
                         buddy_code code, const char *prefix);
void bd_mlir_diags_end(bd_mlir_diags *scope);

/* A location as people write it, "add_3 (model.py:41)", into `text` of `size` bytes, always
 * terminated; "" for an unknown one. */
void bd_location_describe(MlirLocation location, char *text, size_t size);

#endif
