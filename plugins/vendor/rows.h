/* plugins/vendor/rows.h: the emitters of the vendor registry. */
#ifndef BUDDY_PLUGINS_VENDOR_ROWS_H
#define BUDDY_PLUGINS_VENDOR_ROWS_H

#include "buddy/kit.h"

typedef buddy_code vd_callback(void *state, const buddy_op *self, buddy_call *call);

/* Where a matrix product's operands are among the row's arguments. */
typedef struct vd_product {
  uint8_t a, b, bias;    /* bias: VD_NONE if the op has none */
  uint8_t is_transposed; /* b is [N, K] */
  uint8_t scales;        /* of beta, alpha: both must be 1; VD_NONE if the op has none */
} vd_product;
/* Where a convolution's numbers are; VD_NONE: the op has none. Input, weight and bias are 0, 1
 * and 2. */
typedef struct vd_window {
  uint8_t stride, padding, dilation, transposed, groups;
} vd_window;
enum { VD_NONE = 255 };

vd_callback vd_match, vd_match_product, vd_emit_product, vd_emit_convolution;

#endif
