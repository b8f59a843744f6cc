// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd/text.h: what the texts of parts.h share: vectors, squares
 * and their places, the function and its call. */
#ifndef BUDDY_SDK_COMPILE_WINOGRAD_TEXT_H
#define BUDDY_SDK_COMPILE_WINOGRAD_TEXT_H

#include <stdbool.h>

#include "sdk/compile/kernels/arguments.h"
#include "sdk/compile/kernels/winograd/parts.h"

enum { BD_SIDE = 4 /* points, or places of the input, along an axis */ };

/* A function that is being written. */
typedef struct bd_part {
  const bd_winograd *w;
  bd_vectors vectors;
  bd_arguments all;
  const char *hint;
  void (*write)(bd_text *text, const struct bd_part *part); /* its body */
} bd_part;

void bd_part_init(bd_part *p, const bd_winograd *w, const char *hint,
                  void (*write)(bd_text *text, const bd_part *part));

/* "NAME_I_J"; along the second axis, I and J change places. */
bd_phrase bd_part_name(const char *name, int i, int j, int axis);
/* A transform along an axis, of values by number: 0 to 3 are %FROM_I_J, from BD_TO on %TO_I_J, of which those after the
 * fourth are on the way, and BD_HALF is %half. */
enum { BD_TO = BD_SIDE, BD_ON_THE_WAY = 2 * BD_SIDE, BD_HALF = 3 * BD_SIDE };
typedef struct bd_part_step {
  char op; /* 0: it is a */
  int to, a, b;
} bd_part_step;
/* With `others` places along the other axis. */
void bd_part_write_steps(bd_text *text, const bd_part_step *steps, int n, const char *from,
                         const char *to, int axis, int others);

/* %image, %plane if images have several, %y and %x: the square %square's, and its first places %y_0 and %x_0. */
void bd_part_write_square(bd_text *text, const bd_part *p);
/* %y_I and %x_I for the places after the first, n with it; the last that is there for those that
 * are not. */
void bd_part_write_places(bd_text *text, int n);
/* %NAME_line_I and %NAME_place_I: where these begin in the image NAME, of which a square's plane is so many planes further
 * than the one before. */
void bd_part_write_offsets(bd_text *text, const bd_part *p, const char *name, int64_t step, int n);
/* The arguments that these need beside an image's: the numbers of squares and places, and %NAME_plane
 * and the number of planes where there are several. */
void bd_part_add_squares(bd_arguments *all, const bd_winograd *w, const char *name,
                         const int64_t sizes[2], int64_t of_plane);

/* The call, whose constants' names `tag` leads; the function is added to the kernels. */
void bd_part_write_call(bd_text *text, const bd_part *p, const char *tag, bd_kernels *kernels);

#endif
