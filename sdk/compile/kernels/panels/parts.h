// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels/parts.h: what the loops of panels.h and the sizes of their tiles share. */
#ifndef BUDDY_SDK_COMPILE_PANELS_PARTS_H
#define BUDDY_SDK_COMPILE_PANELS_PARTS_H

#include "sdk/compile/kernels/panels/panels.h"

/* A product with so much of B that tiles fetch the next panel ahead: in groups of rounds, which
 * want two registers more. Measured with AVX-512 only: 128 x 768 x 768 at 166 GFLOP/s, round by
 * round at 155. */
bool bd_panels_is_grouped(const bd_panels *p);
/* Rows of a tile, of any number of rows at the most. */
int64_t bd_panels_rows_of_tile(const bd_panels *p);
/* As many lines as a tile has room for, if it has room for several. */
int64_t bd_panels_lines_of_tile(const bd_panels *p);

/* How many rounds of so many tiles share one row of the next panel, as a power of two; -1: there are too few. */
enum { BD_LAST_SHIFT = 4 };
int bd_panels_shift_of(int64_t tiles);

#endif
