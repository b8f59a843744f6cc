/* sdk/compile/kernels/shaped.h: convolutions over two axes whose sizes and filter are known: loops
 * written for one shape.
 *
 * The places of an output line are the rows of a product (panels.h), and a line of the window is a
 * segment of what they are made of, if the channels lie innermost: an input in planes is turned
 * first, and a result in planes is turned back. The filter is packed in the first run and kept. A
 * window of one place from planes to planes is a product as it is: filter · image, which is packed
 * a panel at a time. */
#ifndef BUDDY_SDK_COMPILE_SHAPED_H
#define BUDDY_SDK_COMPILE_SHAPED_H

#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/filter.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/kernels/panels.h"

/* How an image lies in a dense buffer of that type: where it begins, and its strides. */
typedef struct bd_pixels {
  MlirType type;
  int64_t offset, n, c, h, w;
} bd_pixels;

typedef struct bd_shaped {
  const char *element; /* "f32" or "f64" */
  bd_pixels input, output;
  bd_filter filter;
  int64_t n;
  int64_t in[2], out[2], step[2], spread[2]; /* along h and w; spread: dilation */
  bd_begin begin;
  bd_epilogue epilogue;            /* output is then where it writes to */
  bd_pixels extras[BD_MAX_EXTRAS]; /* how its extras lie */
} bd_shaped;

/* True if the loops below can be written. */
int bd_shaped_fits(const bd_shaped *image);
/* True if the filter is kept: the kernel takes a slot. */
int bd_shaped_is_kept(const bd_shaped *image);
/* True if input or output are turned. */
int bd_shaped_turns(const bd_shaped *image);

/* The kernel of input, filter, output, then the row if the output begins with one, the epilogue's
 * extras, and the slot.
 * transpose, pack: the library functions of that element type, wanted where an image is turned, and
 * where the filter is kept. */
void bd_shaped_write(bd_text *text, const bd_shaped *image, const char *transpose, const char *pack,
                     bd_kernels *kernels);

#endif
