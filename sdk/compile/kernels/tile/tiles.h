// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/tiles.h: all tiles of one panel, as a function that serves many shapes.
 *
 * What is unrolled is in the function's text: rows and vectors of a tile, what its sums begin and
 * end with, whether a row of A is in parts and B in place. Sizes and strides are arguments, so that
 * the functions of most convolutions and products of a model are the same ones (kernels.h), which
 * are compiled once. One call is for thousands of products: what an argument costs does not
 * show. */
#ifndef BUDDY_SDK_COMPILE_TILES_H
#define BUDDY_SDK_COMPILE_TILES_H

#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/kernels/tile/tile.h"

/* Which tiles: from row %FIRST to %END of the lines from %Y_FIRST to %Y_END. */
typedef struct bd_tiles {
  bd_tile tile;
  const char *first, *end, *y_first, *y_end;
  const char
      *rest; /* of AMX, a value: rows of the last register of rows; null: as those of the tile */
  const char *tag; /* leads the names that the call needs */
} bd_tiles;

/* %b_base and %b_at, where %panels begin, once for all calls after it; where the rest begins is told by the names of
 * panels/panels.h. */
void bd_tiles_write_panels(bd_text *text, const bd_panels *p);
/* The call for panel %j, from %k0 to %k1; the function is added to the kernels. */
void bd_tiles_write(bd_text *text, const bd_tiles *tiles, bd_kernels *kernels);

#endif
