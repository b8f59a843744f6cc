// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/sums.h: sums of floats that stay accurate however long they are. */
#ifndef BUDDY_SDK_COMPILE_SUMS_H
#define BUDDY_SDK_COMPILE_SUMS_H

#include "sdk/compile/ir.h"
#include "sdk/compile/kernels/machine.h"

/* Tells that the operation of a linalg operation's body adds one more term to a sum, and how many
 * loops are around it. */
void bd_sums_mark(MlirOperation add, int n_loops);

/* On the loops that linalg operations became: a sum of many terms is made of blocks. A block begins
 * at zero, and is added to the blocks before it together with what rounding took from these; so
 * the error does not grow with the number of terms. Sums in f16 and bf16, and their blocks, are
 * added in f32. The order of the terms depends on the sizes alone, and on whether LLVM will make
 * vectors of loops (has_vectors). */
buddy_code bd_sums_keep_accurate(MlirOperation root, const bd_machine *machine, bool has_vectors);

#endif
