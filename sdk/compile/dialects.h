// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/dialects.h: what is left of many dialects becomes the llvm dialect. */
#ifndef BUDDY_SDK_COMPILE_DIALECTS_H
#define BUDDY_SDK_COMPILE_DIALECTS_H

#include "buddy/base.h"
#include "mlir-c/IR.h"

/* Lowers loops, buffers, vectors and numbers, function by function: each is given only to the
 * passes that have something to do in it. */
buddy_code bd_dialects_lower(MlirModule module, buddy_diags *diags);

#endif
