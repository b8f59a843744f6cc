// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/float8.c: what PyTorch computes on 8-bit floats, in f32, which holds each of
 * them. */
#include "plugins/composite/rows.h"

#include <stdbool.h>

/* isnan, isinf, isfinite: self */
buddy_code cp_op_in_f32(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return cp_finish(call,
                   cp_unary(call, self->name, cp_cast(call, be_arg_value(call, 0), BUDDY_F32)));
}

/* abs: self. PyTorch turns round what is below zero, and leaves the signs of -0 and NaN. */
buddy_code cp_op_abs_of_float8(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_cast(call, be_arg_value(call, 0), BUDDY_F32);
  value turned = cp_unary(call, "aten.neg.default", x);
  return cp_finish(call, cp_where(call, cp_number(call, "aten.lt.Tensor", x, 0), turned, x));
}

/* The argument, a scale of the whole product, without dims. */
static value scale(buddy_call *call, size_t i) {
  return cp_view(call, be_arg_value(call, i), 0, NULL);
}

static bool is_one_element(const buddy_tensor_type *type) {
  int is = type != NULL;
  for (uint32_t d = 0; is && d < type->rank; ++d) is = type->dims[d] == 1;
  return is;
}

/* _scaled_mm_v2, _scaled_grouped_mm, _scaled_grouped_mm_v2 */
buddy_code cp_op_scaled_by_blocks(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return be_decline(call, "%s, which PyTorch has not on CPU: multiply what is dequantized",
                    self->name);
}

/* _scaled_mm: self, mat2, scale_a, scale_b, bias, out_dtype, use_fast_accum */
buddy_code cp_op_scaled_mm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  if (!is_one_element(be_arg_type(call, 2)) || !is_one_element(be_arg_type(call, 3))) {
    return be_decline(call,
                      "_scaled_mm with scales of rows or blocks, which PyTorch has not on CPU: "
                      "multiply what is dequantized");
  }
  cp_read_all(call); /* out_dtype is the result's, and any way to add up fast is as good */
  value product = cp_matmul(call, cp_cast(call, be_arg_value(call, 0), BUDDY_F32),
                            cp_cast(call, be_arg_value(call, 1), BUDDY_F32));
  product = cp_mul(call, cp_mul(call, product, scale(call, 2)), scale(call, 3));
  value bias = be_arg_value(call, 4);
  return cp_finish(call, bias ? cp_add(call, product, cp_cast(call, bias, BUDDY_F32)) : product);
}
