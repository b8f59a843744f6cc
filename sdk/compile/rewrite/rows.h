// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/rows.h: operations that follow one another go through memory together. */
#ifndef BUDDY_SDK_COMPILE_ROWS_H
#define BUDDY_SDK_COMPILE_ROWS_H

#include "sdk/compile/ir.h"
#include "sdk/compile/kernels/machine.h"

/* On the scf.parallel that rows became: it is outlined as a whole. */
#define BD_ROWS "buddy.rows"

/* linalg.generic operations on buffers that follow one another, each of which needs of the others'
 * results only what lies in its own row, become one loop over rows with all of them in it: what one
 * writes is in the cache when the next one reads it. So softmax and the normalisations read and write
 * memory once, in static and in symbolic sizes. Within a row they become fewer loops (rows_merge.c),
 * and divide less (rows_quotient.c). */
buddy_code bd_rows_share(MlirOperation root, const bd_machine *machine);

#endif
