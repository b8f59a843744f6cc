// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/channel_tiles.h: the tiles of depthwise convolutions whose images' channels
 * lie innermost, as functions that serve many shapes.
 *
 * A tile is some neighbours on a line of the output by one vector of channels: its sums stay in
 * registers while the window is gone through. What is unrolled is in the function's text: places of
 * a tile, what its sums begin and end with.
 *
 * Bytes are multiplied as words of which they are the first element, the others are 0 (dot_packing.h): a
 * line after those of the window says what takes back that they are multiplied without signs.
 * Sizes, the window's too, and strides are arguments, so that the depthwise convolutions of a model
 * share a few functions (kernels.h). */
#ifndef BUDDY_SDK_COMPILE_CHANNEL_TILES_H
#define BUDDY_SDK_COMPILE_CHANNEL_TILES_H

#include "sdk/compile/kernels/around.h"
#include "sdk/compile/kernels/filter.h"
#include "sdk/compile/kernels/kernels.h"

typedef struct bd_channels {
  bd_extents extents;          /* what sizes and distances of the images may be made of */
  const bd_element *element;   /* of the sums, and of all else where there are no words */
  const bd_dot_packing *words; /* of whose elements the input and the filter are; null: none */
  int lanes;
  bd_geometry images[2]; /* input and output, as n, c, h, w */
  int64_t step[2], spread[2];
  bd_filter filter;
  bd_panels panels;
  bd_around around; /* the output is where what follows writes to */
} bd_channels;

/* Which tiles: of `places` from %X_FIRST to before %X_END, of the panels %j_first to before %j_end,
 * each with so many channels that are there. */
typedef struct bd_channel_tiles {
  const bd_channels *d;
  int64_t places;
  const char *x_first, *x_end;
  int64_t j_first, j_end, valid;
  const char *tag; /* leads the names that the call needs */
} bd_channel_tiles;

/* Where the buffers begin, once for all calls after it: of input %x0, output %x2, %panels.
 * Those of the row and the epilogue are there (around.h). */
void bd_channel_tiles_write_bases(bd_text *text, const bd_channels *d);
/* The call for the output's lines from %unit_first to before %unit_last, counted through all
 * images; the function is added to the kernels. */
void bd_channel_tiles_write(bd_text *text, const bd_channel_tiles *tiles, bd_kernels *kernels);

#endif
