// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/hash.c: hash_tensor: the exclusive or of the elements' bits, each as f64 or
 * i64. */
#include "plugins/linalg/rows.h"

static MlirValue bits_of(const be_body *body, const MlirValue *elements, void *user) {
  const buddy_tensor_type *type = user;
  if (!be_is_float(type->dtype)) return be_in_cast(body, elements[0], type->dtype, BUDDY_I64);
  return BE_IN(body, "arith.bitcast", buddy_mlir_element_type(body->call, BUDDY_I64),
               be_in_cast(body, elements[0], type->dtype, BUDDY_F64));
}

/* self, dim, keepdim, mode */
buddy_code la_emit_hash(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  buddy_tensor_type type = *be_arg_type(call, 0);
  const MlirValue value = be_tensor(call, 0);
  const buddy_tensor_type *from = &type, *bits = be_with_dtype(call, &type, BUDDY_I64);
  la_ignore(call, 2, 1); /* keepdim: the result's type has it */
  if (be_int(call, 3, 0) != 0)
    return be_decline(call, "mode %lld: only 0 is defined", (long long)be_int(call, 3, 0));
  const la_reduction r = {.value = be_elementwise(call, bits, &value, &from, 1, bits_of, &type),
                          .type = bits,
                          .axes = be_axes(call, 1, type.rank),
                          .dtype = BUDDY_I64,
                          .start = LA_FROM_ZERO,
                          .combine = &la_xor};
  const buddy_tensor_type *kept = la_kept(call, bits, r.axes, BUDDY_I64);
  return be_result(
      call, 0, la_finished(call, la_reduce(call, &r), kept, be_result_type(call, 0), NULL, NULL));
}
