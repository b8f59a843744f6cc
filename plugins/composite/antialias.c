// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/antialias.c: interpolation that averages over what a result's element covers.
 * It is linear in each dim, so a product with a matrix [in, out] along each: column i has the
 * filter's values around the centre (i + 0.5) scale, over their sum. */
#include <stdbool.h>
#include <stdint.h>

#include "plugins/composite/rows.h"

static value between(buddy_call *call, value x, value low, value high) {
  return cp_binary(call, "aten.logical_and.default", cp_binary(call, "aten.ge.Tensor", x, low),
                   cp_binary(call, "aten.lt.Tensor", x, high));
}

/* c0 + x (c1 + x (c2 + x c3)) */
static value polynomial(buddy_call *call, value x, const double *c) {
  value sum = cp_add_number(call, cp_mul_number(call, x, c[3]), c[2]);
  sum = cp_add_number(call, cp_mul(call, sum, x), c[1]);
  return cp_add_number(call, cp_mul(call, sum, x), c[0]);
}

/* Of |x|: a triangle, or cubic convolution with a = -0.5. */
static value filtered(buddy_call *call, value x, bool is_cubic) {
  static const double near[4] = {1, 0, -2.5, 1.5}, far[4] = {2, -4, 2.5, -0.5},
                      line[4] = {1, -1, 0, 0};
  x = cp_unary(call, "aten.abs.default", x);
  if (!x) return NULL;
  value is_near = cp_number(call, "aten.lt.Tensor", x, 1);
  if (!is_cubic) return cp_where_number(call, is_near, polynomial(call, x, line), 0);
  value outside =
      cp_where_number(call, cp_number(call, "aten.lt.Tensor", x, 2), polynomial(call, x, far), 0);
  return cp_where(call, is_near, polynomial(call, x, near), outside);
}

static value truncated(buddy_call *call, value x) {
  return cp_cast(call, cp_cast(call, x, BUDDY_I64), BUDDY_F64);
}

/* How many elements of the input one of the result stands for; factor: 0 if the op has none. */
static value scale_of(buddy_call *call, int64_t in, int64_t out, double factor, int aligns) {
  if (aligns) { /* the ends lie on one another; a single element on the first */
    const int64_t gaps = be_dim(call, BUDDY_DIM_SUB, out, 1);
    const int64_t has_gaps = be_dim(call, BUDDY_DIM_MIN, gaps, 1);
    in = be_dim(call, BUDDY_DIM_MUL, be_dim(call, BUDDY_DIM_SUB, in, 1), has_gaps);
    out = be_dim(call, BUDDY_DIM_MAX, gaps, 1);
  } else if (factor > 0) {
    return cp_full(call, be_type(call, BUDDY_F64, 0, NULL), 1 / factor);
  }
  return cp_div(call, cp_counted(call, in, BUDDY_F64), cp_counted(call, out, BUDDY_F64));
}

value cp_antialias_matrix(buddy_call *call, int64_t in, int64_t out, double factor, int aligns,
                          cp_filter filter) {
  const bool is_cubic = filter == CP_CUBIC;
  value scale = scale_of(call, in, out, factor, aligns);
  if (!scale) return NULL;
  value stretch = BE_NODE(call, "aten.clamp.default", NULL, be_t("self", scale), be_f("min", 1));
  value support = cp_mul_number(call, stretch, is_cubic ? 2 : 1);
  const int64_t column[2] = {in, 1};
  value i = cp_iota(call, out, BUDDY_F64);
  value j = cp_view(call, cp_iota(call, in, BUDDY_F64), 2, column);
  value centre = cp_mul(call, cp_add_number(call, i, 0.5), scale);
  value nearest = cp_add_number(call, centre, 0.5);
  value low = truncated(call, cp_sub(call, nearest, support));
  value high = truncated(call, cp_add(call, nearest, support));
  value distance = cp_add_number(call, cp_sub(call, j, centre), 0.5);
  value w = filtered(call, cp_div(call, distance, stretch), is_cubic);
  w = cp_where_number(call, between(call, j, low, high), w, 0);
  return cp_div(call, w, cp_sum(call, w, 1u, 1));
}

/* Ones where a result stands for the element of its own number, in a size that stays: then the
 * factor does not count. */
static value unless_same(buddy_call *call, int64_t in, int64_t out, value matrix) {
  const int64_t column[2] = {in, 1};
  value i = cp_view(call, cp_iota(call, in, BUDDY_F64), 2, column);
  value is_own = cp_binary(call, "aten.eq.Tensor", cp_iota(call, out, BUDDY_F64), i);
  value is_same = cp_binary(call, "aten.eq.Tensor", cp_counted(call, in, BUDDY_F64),
                            cp_counted(call, out, BUDDY_F64));
  return cp_where(call, is_same, cp_cast(call, is_own, BUDDY_F64), matrix);
}

/* self, output_size, align_corners, scales_h, scales_w; vec: input, output_size, align_corners,
 * scale_factors. user: 1 for the cubic filter */
buddy_code cp_op_upsample_aa(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const cp_filter filter = self->user ? CP_CUBIC : CP_TRIANGLE;
  const int aligns = be_bool(call, 2);
  const buddy_arg *factors = be_arg(call, 3);
  value x = cp_computed(call, 0);
  if (from->rank != 4) return be_decline(call, "an input of rank %u", from->rank);
  for (uint32_t d = 2; d < 4; ++d) {
    const int64_t in = from->dims[d], out = to->dims[d];
    if (in == out) continue;
    double factor = 0;
    if (factors->kind == BUDDY_ARG_FLOATS && factors->n == 2) factor = factors->as.floats[d - 2];
    if (be_host->n_args(call) == 5) factor = be_float(call, d + 1, 0);
    value matrix = cp_antialias_matrix(call, in, out, factor, aligns, filter);
    if (in < 0 || out < 0) matrix = unless_same(call, in, out, matrix);
    matrix = x ? cp_cast(call, matrix, cp_type(call, x)->dtype) : NULL;
    x = cp_apply_along(call, x, d, matrix);
  }
  return cp_finish(call, x);
}
