// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/product.c: products of matrices. TOSA has one op for them, [B, M, K] by [B, K, N]. */
#include <string.h>

#include "plugins/tosa/rows.h"

/* The product, of the result's dtype; what is of 16 bits accumulates in f32. */
static MlirValue product(buddy_call *call, const buddy_tensor_type *to, MlirValue a, MlirValue b) {
  const buddy_tensor_type *sums = be_with_dtype(call, to, BUDDY_F32);
  if (!to || !sums) return (MlirValue){NULL};
  const MlirValue zero = ts_number(call, to->dtype, 1, 0);
  return ts_cast(call, BE_OP(call, "tosa.matmul", sums, a, b, zero, zero), sums, to->dtype);
}

/* With a batch. */
static const buddy_tensor_type *batched(buddy_call *call, const buddy_tensor_type *type) {
  int64_t dims[3] = {1, 1, 1};
  memcpy(dims + (3 - type->rank), type->dims, type->rank * sizeof(*dims));
  return be_type(call, type->dtype, 3, dims);
}

/* mm [M, K] x [K, N] and bmm [B, M, K] x [B, K, N] */
buddy_code ts_emit_matmul(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0), *type = batched(call, to);
  const MlirValue a = ts_operand(call, 0, 3, to->dtype), b = ts_operand(call, 1, 3, to->dtype);
  return be_result(call, 0, ts_reshape(call, product(call, type, a, b), type, to));
}

/* ---- With a summand: addmm and baddbmm: self, mat1, mat2, beta, alpha ------------------------- */
buddy_code ts_match_addmm(void *state, const buddy_op *self, buddy_call *call) {
  if (be_float(call, 3, 1) != 1 || be_float(call, 4, 1) != 1)
    return be_decline(call, "beta or alpha is not 1");
  return ts_match(state, self, call);
}

/* product + summand, whose zeros TOSA's folders would take for nothing */
static buddy_code add(buddy_call *call, const buddy_tensor_type *type, MlirValue value,
                      MlirValue summand) {
  if (ts_is_zero(summand))
    return be_decline(call, "the summand is 0: TOSA's folders would keep -0.0");
  return be_result(call, 0,
                   ts_reshape(call, BE_OP(call, "tosa.add", type, value, summand), type,
                              be_result_type(call, 0)));
}

buddy_code ts_emit_addmm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0), *type = batched(call, to);
  (void)be_arg(call, 3), (void)be_arg(call, 4);
  const MlirValue a = ts_operand(call, 1, 3, to->dtype), b = ts_operand(call, 2, 3, to->dtype);
  return add(call, type, product(call, type, a, b), ts_operand(call, 0, 3, to->dtype));
}

/* ---- linear: input [..., K], weight [N, K], bias [N] ------------------------------------------ */
buddy_code ts_match_linear(void *state, const buddy_op *self, buddy_call *call) {
  if (be_arg_type(call, 0)->rank == 0 || be_arg_type(call, 1)->rank != 2)
    return be_decline(call, "the input is no matrix, or the weight is none");
  return ts_match(state, self, call);
}

buddy_code ts_emit_linear(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  static const int32_t exchange[2] = {1, 0};
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0),
                          *weight = be_arg_type(call, 1), *turned = NULL;
  const int64_t n = weight->dims[0], k = weight->dims[1], m = be_n_elements(call, to) / n;
  const buddy_tensor_type *rows = be_type(call, to->dtype, 3, (const int64_t[]){1, m, k}),
                          *columns = be_type(call, to->dtype, 3, (const int64_t[]){1, k, n}),
                          *type = be_type(call, to->dtype, 3, (const int64_t[]){1, m, n});
  const MlirValue x = ts_reshape(call, be_tensor(call, 0), from, rows);
  const MlirValue w = ts_transpose(call, be_tensor(call, 1), weight, exchange, &turned);
  const MlirValue value = product(call, type, x, ts_reshape(call, w, turned, columns));
  if (be_is_none(call, 2)) return be_result(call, 0, ts_reshape(call, value, type, to));
  return add(call, type, value, ts_operand(call, 2, 3, to->dtype));
}
