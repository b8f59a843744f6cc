// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/vendor/rows.h: what the files of the vendor registry's table share. */
#ifndef BUDDY_PLUGINS_VENDOR_ROWS_H
#define BUDDY_PLUGINS_VENDOR_ROWS_H

#include "buddy/kit.h"

typedef buddy_code vd_callback(void *state, const buddy_op *self, buddy_call *call);

/* Where the activation's name and its two numbers are among the row's arguments, one after the
 * other, and the addend; VD_NONE: the op has none. */
enum { VD_NONE = 255 };
typedef struct vd_tail {
  uint8_t addend, activation;
} vd_tail;
#define VD_NO_TAIL {VD_NONE, VD_NONE}

/* Where a matrix product's operands are among the row's arguments. */
typedef struct vd_product {
  uint8_t a, b, bias;      /* bias: VD_NONE if the op has none */
  uint8_t is_transposed;   /* b is [N, K] */
  uint8_t scales;          /* of beta, alpha: both must be 1; VD_NONE if the op has none */
  uint8_t says_transposed; /* of a bool that says whether b is [N, K]; VD_NONE */
  vd_tail tail;
} vd_product;
/* Where a convolution's numbers are; VD_NONE: the op has none. Input, weight and bias are 0, 1
 * and 2. */
typedef struct vd_window {
  uint8_t stride, padding, dilation, transposed, groups, scale;
  vd_tail tail;
} vd_window;

vd_callback vd_match, vd_match_product, vd_emit_product, vd_emit_convolution;

/* The number of an activation in kernels.h, by the name that ops of this registry give it; -1. */
int vd_activation_number(const char *name);

/* fusion.c: vendor.convolution and vendor.product in place of a product and what follows it. */
extern const buddy_transforms vd_transforms;

#endif
