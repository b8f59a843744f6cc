// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd/parts.h: the three transforms of winograd.h, as functions that serve
 * many shapes: sizes and strides are arguments. Each text calls its function by values of the
 * kernel that are named here. */
#ifndef BUDDY_SDK_COMPILE_WINOGRAD_PARTS_H
#define BUDDY_SDK_COMPILE_WINOGRAD_PARTS_H

#include <stdbool.h>

#include "sdk/compile/kernels/shaped.h"

enum { BD_POINTS = 16, BD_SQUARE = 2 /* places of its side */ };

typedef struct bd_winograd {
  const bd_shaped *image;
  bd_panels packed;   /* what is kept: all points of a panel are its lines */
  bd_panels product;  /* the same lines as one panel for each point, by rows of V */
  int64_t high, wide; /* squares of an image, down and across */
  int64_t squares;    /* of all images */
  bool has_any; /* the run knows these three, as %high, %wide and %squares; here are usual ones */
  int64_t
      rows; /* squares of a tile; the last may have fewer. Of any number, at the most: tiles have
                         %height of them, that or `low` */
  int64_t low;
  int64_t chunk;  /* squares of M */
  int64_t block;  /* of V */
  bool is_shared; /* V is of all squares; threads share the panels */
} bd_winograd;

/* Of the panels %j_first to before %j_last, %b_base. */
void bd_winograd_write_filters(bd_text *text, const bd_winograd *w, bd_kernels *kernels);
/* Of any sizes, %IMAGE_last_y and %IMAGE_last_x, of "in" and "out", are an image's last places. */

/* Of the squares %FIRST to before %END, %in_base from %in_at on to V, %a_base, which begins with square
 * %ORIGIN. */
void bd_winograd_write_in(bd_text *text, const bd_winograd *w, const char *first, const char *end,
                          const char *origin, bd_kernels *kernels);
/* Of the squares %first to before %last, which M, %c_base, begins with, and the columns of panel
 * %panel, to %out_base; with %row_base and the extras %extra_K_base. */
void bd_winograd_write_out(bd_text *text, const bd_winograd *w, bd_kernels *kernels);

#endif
