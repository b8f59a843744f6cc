// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/convolution_read.h: what a named convolution of linalg is, whatever the order
 * of its axes. */
#ifndef BUDDY_SDK_COMPILE_CONVOLUTION_READ_H
#define BUDDY_SDK_COMPILE_CONVOLUTION_READ_H

#include <stdbool.h>

#include "sdk/compile/ir.h"

enum { BD_CONVOLUTION_INPUT, BD_CONVOLUTION_FILTER, BD_CONVOLUTION_OUTPUT };

typedef struct bd_convolution_form {
  const char *op;
  const char *axes[3];
  bool is_nchw; /* the form of convolution.mlir: NCHW or NHWC */
} bd_convolution_form;

typedef struct bd_convolution {
  MlirOperation op;
  const bd_convolution_form *form;
  MlirType types[3];
  int64_t strides[2], dilations[2];       /* along h and w */
  int64_t planes_stride, planes_dilation; /* along d */
} bd_convolution;

/* False if it is none of these on buffers, or has too few channels for products to pay. */
int bd_convolution_read(MlirOperation op, bd_convolution *out);
/* The axis of that letter of operand 0 to 2, or -1. */
int bd_convolution_axis(const bd_convolution *c, int operand, char letter);
/* Its size: 1 if there is no such axis, -1 if it is not known. */
int64_t bd_convolution_size(const bd_convolution *c, int operand, char letter);
/* Each channel is a group, with a filter of its own. */
bool bd_convolution_is_depthwise(const bd_convolution *c);

/* How many axes memref.expand_shape makes of axis i of what it is of. */
intptr_t bd_parts_of_axis(MlirOperation expand, intptr_t i);
/* Whether memref.expand_shape makes n, groups, channels of each, h, w of n, channels, h, w (or n,
 * channels, w), and not of other axes that lie after one another the same way. */
bool bd_expands_to_groups(MlirOperation expand);
/* The image that the operand is: of groups, which are an axis of their own, the one in n, c, h, w
 * (or n, c, w) that it is a view of; and where the axis of that letter is along that image, or
 * another that is read or written in its place. */
MlirValue bd_convolution_image(const bd_convolution *c, int operand);
int bd_convolution_axis_of(const bd_convolution *c, int operand, MlirValue image, char letter);

/* The text of the kernel for any sizes, over one or two axes, which calls that function of the library
 * (convolution.mlir). */
void bd_convolution_write(bd_text *text, const bd_convolution *c, const char *function);

#endif
