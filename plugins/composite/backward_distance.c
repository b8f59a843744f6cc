// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/backward_distance.c: gradients of distances. That of |d|_p in one element of d is
 * sign(d) (|d| / distance)^(p - 1), and 0 where the distance is. */
#include <math.h>
#include <string.h>

#include "plugins/composite/rows.h"

static value power(buddy_call *call, value a, double exponent) {
  return a ? BE_NODE(call, "aten.pow.Tensor_Scalar", cp_type(call, a), be_t("self", a),
                     be_f("exponent", exponent))
           : NULL;
}

/* The value with a dim of one element more, before all dims from `at` on. */
static value widened(buddy_call *call, value a, uint32_t at) {
  const buddy_tensor_type *type = cp_type(call, a);
  int64_t dims[BE_MAX_RANK];
  if (!type) return NULL;
  for (uint32_t d = 0; d < type->rank; ++d) dims[d + (d >= at)] = type->dims[d];
  dims[at] = 1;
  return cp_view(call, a, type->rank + 1, dims);
}

/* What the distances' gradient is multiplied with per element; `by` is the gradient, where the
 * distance is not 0. */
static value slope(buddy_call *call, value difference, value distance, value by, double p) {
  value sign = cp_unary(call, "aten.sign.default", difference);
  value size = cp_unary(call, "aten.abs.default", difference);
  if (p == 1) return cp_mul(call, sign, by);
  if (isinf(p)) {
    value is_largest = cp_binary(call, "aten.eq.Tensor", size, distance);
    return cp_where_number(call, is_largest, cp_mul(call, sign, by), 0);
  }
  if (p == 2) return cp_mul(call, difference, cp_div(call, by, distance));
  value part = p > 2 ? cp_mul(call, difference, power(call, size, p - 2))
                     : cp_mul(call, sign, power(call, size, p - 1));
  if (p < 1)
    part = cp_where_number(call, cp_number(call, "aten.ne.Tensor", difference, 0), part, 0);
  return cp_div(call, cp_mul(call, part, by), power(call, distance, p - 1));
}

/* Of the rows of a, whose distances to the rows of b are there: [*, P, M] from [*, P, R]. */
static value of_rows(buddy_call *call, value gradient, value a, value b, value distance, double p) {
  const buddy_tensor_type *of_a = cp_type(call, a), *of_b = cp_type(call, b),
                          *pairs = cp_type(call, distance);
  if (!of_a || !of_b || !pairs) return NULL;
  value difference =
      cp_sub(call, widened(call, a, of_a->rank - 1), widened(call, b, of_b->rank - 2));
  value far = widened(call, distance, pairs->rank), by = widened(call, gradient, pairs->rank);
  value part = slope(call, difference, far, by, p);
  if (p != 1) part = cp_where_number(call, cp_number(call, "aten.ne.Tensor", far, 0), part, 0);
  const buddy_tensor_type *type = cp_type(call, part);
  return type ? cp_sum(call, part, UINT64_C(1) << (type->rank - 2), 0) : NULL;
}

/* _cdist_backward: grad [*, P, R], x1 [*, P, M], x2 [*, R, M], p, cdist: that of x1 */
buddy_code cp_op_cdist_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const double p = be_float(call, 3, 2);
  if (to->rank + 1 > BE_MAX_RANK) return be_decline(call, "rank %u", to->rank);
  if (p == 0) return cp_finish(call, cp_full(call, to, 0));
  value gradient = of_rows(call, cp_computed(call, 0), cp_computed(call, 1), cp_computed(call, 2),
                           cp_computed(call, 4), p);
  return cp_finish(call, cp_expand(call, gradient, to->rank, to->dims));
}

/* A square of what is there of the pairs of row i and row j > i, and 0 of each row with itself. */
static value squared(buddy_call *call, value pairs, value upper, value lower, int64_t n) {
  const buddy_tensor_type *type = cp_type(call, pairs);
  const int64_t all = be_dim(call, BUDDY_DIM_MUL, n, n), square[2] = {n, n};
  if (!type || !upper || !lower) return NULL;
  value flat = cp_full(call, be_type(call, type->dtype, 1, &all), 0);
  const value places[2] = {upper, lower};
  for (size_t i = 0; flat && i < 2; ++i)
    flat = BE_NODE(call, "aten.scatter.src", cp_type(call, flat), be_t("self", flat),
                   be_i("dim", 0), be_t("index", places[i]), be_t("src", pairs));
  return cp_view(call, flat, 2, square);
}

/* _pdist_backward: grad, self [N, M], p, pdist: as of the distances of all rows to all, where each
 * pair is there twice */
buddy_code cp_op_pdist_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = cp_computed(call, 1);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const int64_t n = to->dims[0], count = be_arg_type(call, 0)->dims[0], pairs[2] = {2, count};
  const double p = be_float(call, 2, 2);
  if (p == 0) return cp_finish(call, cp_full(call, to, 0));
  value at = BE_NODE(call, "aten.triu_indices.default", be_type(call, BUDDY_I64, 2, pairs),
                     be_i("row", n), be_i("col", n), be_i("offset", 1), be_d("dtype", BUDDY_I64));
  value row = cp_view(call, cp_slice(call, at, 0, 0, 1, 1), 1, &count),
        column = cp_view(call, cp_slice(call, at, 0, 1, 1, 1), 1, &count);
  value upper = cp_add(call, cp_dim(call, "aten.mul.Tensor", row, n), column),
        lower = cp_add(call, cp_dim(call, "aten.mul.Tensor", column, n), row);
  value gradient = squared(call, cp_computed(call, 0), upper, lower, n),
        distance = squared(call, cp_computed(call, 3), upper, lower, n);
  return cp_finish(call, of_rows(call, gradient, x, x, distance, p));
}
