// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/shaped.h: convolutions over one to three axes whose filter and channels are known:
 * loops written for one shape, or for a number of images, lines and places that only a run knows
 * (extents.h).
 *
 * The places of an output line are the rows of a product (panels/panels.h), and a line of the window is a
 * segment of what they are made of, if the channels lie innermost: an input in planes is turned
 * first, and a result in NCHW is transposed back. The filter is packed in the first run and kept. A
 * window of one place from planes to planes is a product as it is: filter · image, which is packed
 * a panel at a time.
 *
 * Groups are slices of the panels (panels/panels.h), of as many groups each as fill whole vectors with
 * filters: those share the channels of all of them, multiplied by 0 where these are not theirs.
 * Where groups are as small as one channel, as depthwise, lanes of vectors are theirs.
 * Over three axes the planes of the output are products one after the other, the lines of a plane
 * of the window are pieces, and its planes segments.
 *
 * Windows of 3×3 may be done in fewer multiplications: see winograd/winograd.h.
 *
 * Bytes are counted in words of four channels, bf16 in words of two (tile/dot_packing.h): where there are
 * no whole words, the input has to be in planes, and what it is turned into has room for them, with
 * zeros. Depthwise, bytes become words of which they are the first element, the others are 0. */
#ifndef BUDDY_SDK_COMPILE_SHAPED_H
#define BUDDY_SDK_COMPILE_SHAPED_H

#include <stdbool.h>

#include "sdk/compile/extents.h"
#include "sdk/compile/kernels/around.h"
#include "sdk/compile/kernels/filter.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/kernels/panels/panels.h"

/* How an image lies in a dense buffer: where it begins, and its strides. */
typedef struct bd_image_layout {
  MlirValue buffer;
  int64_t offset, n, c, d, h, w;
} bd_image_layout;

typedef struct bd_shaped {
  bd_extents extents;          /* what the sizes and distances of images may be made of */
  const bd_element *element;   /* f32 or f64; that of words, whose output has their sums */
  const bd_machine *machine;   /* that code is for */
  const bd_dot_packing *words; /* null: single elements */
  bool is_winograd;            /* see winograd/winograd.h */
  bd_image_layout input, output;
  bd_filter filter;
  int64_t groups; /* filter.channels are those of one, filter.filters of all */
  int64_t n;
  int64_t in[2], out[2], step[2], spread[2];                 /* along h and w; spread: dilation */
  int64_t planes_in, planes_out, planes_step, planes_spread; /* the same along d */
  int64_t planes_window;               /* filter.window[0] has the lines of all these planes */
  int64_t planes_before, planes_after; /* of planes_in, the first and the last, which hold zeros */
  bd_around around;                    /* output is where what follows writes to */
} bd_shaped;

/* True if the loops below can be written. */
int bd_shaped_fits(const bd_shaped *image);
/* True if the filter is prepacked: the kernel takes a slot. */
int bd_shaped_is_prepacked(const bd_shaped *image);
/* True if input or output are turned. */
int bd_shaped_transposes(const bd_shaped *image);

/* The kernel of input, filter, output, then the row if the output begins with one, or the affine
 * map's operands, the epilogue's extras, the slot, and what sizes are made of (bd_extents_insert).
 * transpose: the library functions that turn an input and an output, wanted where an image is
 * turned; pack: the one for the filter, where that is kept. */
void bd_shaped_write(bd_text *text, const bd_shaped *image, const char *const transpose[2],
                     const char *pack, bd_kernels *kernels);

#endif
