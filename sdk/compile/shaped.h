/* sdk/compile/shaped.h: convolutions over two axes whose sizes and filter are known: loops written
 * for one shape.
 *
 * The places of an output line are the rows of a product (panels.h), and a line of the window is a
 * segment of what they are made of, if the channels lie innermost: an image in planes is turned
 * first, and the result is turned back. The filter is packed in the first run and kept. A window of
 * one place over planes is a product as it is: filter · image, which is packed a panel at a time.
 */
#ifndef BUDDY_SDK_COMPILE_SHAPED_H
#define BUDDY_SDK_COMPILE_SHAPED_H

#include "sdk/compile/kernels.h"
#include "sdk/compile/panels.h"

typedef struct bd_shaped {
  const char *element; /* "f32" or "f64" */
  MlirType types[3];   /* dense memrefs of known sizes: input, filter, output */
  int has_planes;      /* NCHW, else NHWC; output likewise */
  int64_t n, channels, filters;
  int64_t in[2], window[2], out[2], step[2], spread[2]; /* along h and w; spread: dilation */
  int64_t of_filter, of_channel, of_window[2];          /* the filter's strides */
  bd_begin begin;
} bd_shaped;

/* True if the loops below can be written. */
int bd_shaped_fits(const bd_shaped *image);
/* True if the filter is kept: the kernel takes a slot. */
int bd_shaped_is_kept(const bd_shaped *image);

/* The kernel of input, filter, output, then the row if the output begins with one, and the slot.
 * transpose: the library function of that element type. */
void bd_shaped_write(bd_text *text, const bd_shaped *image, const char *transpose);

#endif
