// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/filter.h: the filter of a convolution, and its panels. */
#ifndef BUDDY_SDK_COMPILE_FILTER_H
#define BUDDY_SDK_COMPILE_FILTER_H

#include "sdk/compile/kernels/panels/panels.h"

typedef struct bd_filter {
  MlirValue buffer;          /* a dense memref of known sizes */
  int64_t offset;            /* where it begins there */
  int64_t filters, channels; /* out, in */
  /* Filters of a group, and channels that these have, which are some of `channels`: those of the
   * next group the next ones, and so in turn. 0: all of them. */
  int64_t filters_of_group, channels_of_group;
  int64_t window[2];                           /* along h and w */
  int64_t of_filter, of_channel, of_window[2]; /* strides */
} bd_filter;

/* %panels[j][line, place, channel][lane] of %xOPERAND by the library function of that name
 * (filter.mlir, and of bytes bytes.mlir). */
void bd_filter_write_packing(bd_text *text, const bd_filter *filter, int operand,
                             const bd_panels *p, const char *pack);

#endif
