// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/passes.h: pass pipelines given as text. */
#ifndef BUDDY_SDK_COMPILE_PASSES_H
#define BUDDY_SDK_COMPILE_PASSES_H

#include "buddy/base.h"
#include "mlir-c/IR.h"

/* The pipelines that are built into the library, from sdk/compile/pipelines/. Static. */
extern const char
    bd_pipeline_tensors[];              /* any dialect on tensors → linalg, arith, tensor and scf */
extern const char bd_pipeline_fusion[]; /* elementwise linalg operations are merged */
extern const char bd_pipeline_buffers[];  /* tensors → buffers */
extern const char bd_pipeline_loops[];    /* named linalg operations → linalg.generic */
extern const char bd_pipeline_parallel[]; /* linalg on buffers → parallel loops */
extern const char bd_pipeline_linalg[];   /* linalg on buffers → loops */
extern const char bd_pipeline_complex[];  /* complex → arith, math and calls */
extern const char bd_pipeline_llvm[];     /* buffers, and the rest, → the llvm dialect */
extern const char bd_pipeline_machine[];  /* LLVM's own passes, for its IR */
extern const char bd_pipeline_cold[];     /* likewise, for functions that are cold: code/parts.h */

/* A pipeline without comments, indentation and line breaks, as MLIR and LLVM want it. Owned by the
 * caller; null: no memory. */
char *bd_passes_strip(const char *text);

/* Runs a pipeline over a module. `text` is MLIR's pass pipeline syntax; lines that start with # are
 * comments, and line breaks and indentation mean nothing. stage: what messages say was being done:
 * "while lowering to buffers". */
buddy_code bd_passes_run(MlirModule module, const char *text, const char *stage,
                         buddy_diags *diags);

/* Likewise over each operation of the module's body, a function for instance, below which there is
 * an operation whose name starts with one of the prefixes, and over no other: a pass costs a walk
 * through all that it is given, even if it finds nothing. prefixes: ended by null. `text` is
 * anchored at any(...); its passes look at nothing outside of the operation. */
buddy_code bd_passes_run_where(MlirModule module, const char *const *prefixes, const char *text,
                               const char *stage, buddy_diags *diags);

#endif
