// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/beginning.h: what a buffer holds when an operation begins to add to it. */
#ifndef BUDDY_SDK_COMPILE_BEGINNING_H
#define BUDDY_SDK_COMPILE_BEGINNING_H

#include "sdk/compile/ir.h"
#include "sdk/compile/kernels/panels/panels.h"

typedef struct bd_beginning {
  bd_begin begin;
  MlirOperation op; /* what writes it, and nothing else; null for BD_BEGIN_OLD */
  MlirValue row;    /* BD_BEGIN_ROW: what is repeated; a dense buffer of rank 1 */
} bd_beginning;

/* Looks at the operation that was the last to read or write the target before `op`. axis: the one
 * of `target` that a row would lie along; -1: rows are not looked for. */
bd_beginning bd_beginning_find(MlirOperation op, MlirValue target, int axis);

/* The last linalg.fill of the buffer before `op` in its block; null if there is none. */
MlirOperation bd_fill_before(MlirOperation op, MlirValue buffer);
/* What wrote to memory last before `op`; null if that is not told by the block alone. */
MlirOperation bd_writer_before(MlirOperation op);
/* True for the constant 0 of any integer type, or 0.0 of any floating-point type. */
int bd_value_is_zero(MlirValue value);

#endif
