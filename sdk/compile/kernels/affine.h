// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/affine.h: multiplications and additions that follow a convolution, one number
 * for each of its channels, done with its filter in place of its result.
 *
 * An epilogue (epilogue.h) often begins by taking the sum x to a·x + b, where a and b are made of
 * constants alone: normalisation with known statistics, a bias, a change of units. Then the filters
 * are multiplied by a once they are packed, in the first run, and b is what the sums begin with:
 *
 *   epilogue of the sum x              packed:       filter · a
 *     y = (x - mean) · scale + shift   sums begin:   (row - mean) · scale + shift
 *     max(y, 0)                        epilogue:     max(sum, 0)
 *
 * Numbers come out as they would but for the order of roundings. */
#ifndef BUDDY_SDK_COMPILE_AFFINE_H
#define BUDDY_SDK_COMPILE_AFFINE_H

#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/kernels/panels/panels.h"

enum { BD_MAX_STEPS = 16 };

typedef struct bd_affine {
  bd_epilogue map;                   /* what the steps read besides x; op null: nothing is done */
  MlirOperation steps[BD_MAX_STEPS]; /* of the epilogue's body: each takes the one before further */
  int n, has_scale;
  MlirValue row; /* a buffer of rank 1: what the sums began with before; null: 0 */
} bd_affine;

/* Takes the map out of an epilogue that was found: what is left of it goes over other sums, which
 * begin with a row, and its op is null if nothing is left. begin: as found for the result. */
bd_affine bd_affine_take(bd_epilogue *epilogue, const bd_beginning *begin,
                         const bd_prepacking *prepacking);

/* Rows that it keeps after the panels (panels/panels.h). */
int bd_affine_prepacked_rows(const bd_affine *a);

/* Fills the kept rows and multiplies the panels, which are packed; n: columns. */
void bd_affine_write(bd_text *text, const bd_affine *a, const bd_panels *p, bd_kernels *kernels);

#endif
