// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/antialias.c: interpolation that averages over what a result's element covers.
 * It is linear in each dim: element i is the sum of those in a window around the centre
 * (i + 0.5) scale, by the filter's values there over their sum. What lies outside is not read: an
 * infinity there is no part of the sum. Its gradient is a product with the matrix [in, out]. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

/* x + 0.5 without its fraction, as PyTorch converts it. */
static value nearest(buddy_call *call, value x) {
  x = cp_add_number(call, cp_cast(call, x, BUDDY_F64), 0.5);
  return cp_cast(call, cp_cast(call, x, BUDDY_I64), BUDDY_F64);
}

/* The sizes and the factor of one dim. */
typedef struct axis {
  int64_t in, out;
  double factor; /* 0: the op has none */
  int aligns;
  bool is_cubic;
  buddy_dtype dtype; /* in which PyTorch rounds where windows are */
} axis;

/* How many elements of the input one of the result stands for. */
static value scale_of(buddy_call *call, const axis *at) {
  int64_t in = at->in, out = at->out;
  if (at->aligns) { /* the ends lie on one another; a single element on the first */
    const int64_t gaps = be_dim(call, BUDDY_DIM_SUB, out, 1);
    const int64_t has_gaps = be_dim(call, BUDDY_DIM_MIN, gaps, 1);
    in = be_dim(call, BUDDY_DIM_MUL, be_dim(call, BUDDY_DIM_SUB, in, 1), has_gaps);
    out = be_dim(call, BUDDY_DIM_MAX, gaps, 1);
  } else if (at->factor > 0) {
    return cp_scalar(call, at->dtype, 1 / at->factor);
  }
  return cp_div(call, cp_counted(call, in, at->dtype), cp_counted(call, out, at->dtype));
}

typedef struct window {
  value centre, by; /* dtype[out], dtype[]: by what distances from the centre are multiplied */
  value low, high;  /* f64[out]: its elements are low, …, high - 1 */
} window;

static window window_of(buddy_call *call, const axis *at) {
  value scale = scale_of(call, at);
  if (!scale) return (window){NULL};
  value stretch = BE_NODE(call, "aten.clamp.default", NULL, be_t("self", scale), be_f("min", 1));
  value support = cp_mul_number(call, stretch, at->is_cubic ? 2 : 1);
  value i = cp_add_number(call, cp_iota(call, at->out, at->dtype), 0.5);
  value centre = cp_mul(call, i, scale);
  return (window){.centre = centre,
                  .by = cp_unary(call, "aten.reciprocal.default", stretch),
                  .low = nearest(call, cp_sub(call, centre, support)),
                  .high = nearest(call, cp_add(call, centre, support))};
}

/* By what the elements j of the input count: dtype[n, out], whose columns have all of a window. Rounded
 * as PyTorch rounds: at a window's end it is a number, or 0. */
static value weights_at(buddy_call *call, const axis *at, const window *w, value j,
                        value is_inside) {
  value distance = cp_sub(call, cp_cast(call, j, at->dtype), w->centre);
  distance = cp_add_number(call, cp_cast(call, distance, BUDDY_F64), 0.5);
  distance = cp_mul(call, distance, cp_cast(call, w->by, BUDDY_F64));
  value x = filtered(call, cp_cast(call, distance, at->dtype), at->is_cubic);
  x = cp_where_number(call, is_inside, x, 0);
  return cp_div(call, x, cp_sum(call, x, 1u, 1));
}

/* 0, …, n - 1 as f64[n, 1]. */
static value column_of(buddy_call *call, int64_t n) {
  const int64_t dims[2] = {n, 1};
  return cp_view(call, cp_iota(call, n, BUDDY_F64), 2, dims);
}

value cp_antialias_matrix(buddy_call *call, int64_t in, int64_t out, double factor, int aligns,
                          cp_filter filter, buddy_dtype dtype) {
  const axis at = {in, out, factor, aligns, filter == CP_CUBIC, dtype};
  const window w = window_of(call, &at);
  value j = column_of(call, in);
  return weights_at(call, &at, &w, j, between(call, j, w.low, w.high));
}

/* No window has more elements. */
static int64_t most_of(buddy_call *call, const axis *at) {
  const int64_t reach = at->is_cubic ? 4 : 2, gap = at->aligns ? 1 : 0;
  if (!at->aligns && at->factor > 0)
    return (int64_t)(ceil((double)reach * fmax(1 / at->factor, 1))) + 1;
  const int64_t in = be_dim(call, BUDDY_DIM_SUB, at->in, gap),
                out = be_dim(call, BUDDY_DIM_MAX, be_dim(call, BUDDY_DIM_SUB, at->out, gap), 1);
  const int64_t all = be_dim(
      call, BUDDY_DIM_ADD, be_dim(call, BUDDY_DIM_MUL, be_dim(call, BUDDY_DIM_MAX, in, out), reach),
      be_dim(call, BUDDY_DIM_SUB, out, 1));
  return be_dim(call, BUDDY_DIM_ADD, be_dim(call, BUDDY_DIM_FLOORDIV, all, out), 1);
}

/* Dim d of x, interpolated. Where its size may stay, it does, whatever the factor. */
static value interpolated(buddy_call *call, value x, uint32_t d, const axis *at) {
  const window w = window_of(call, at);
  const int64_t n = be_dim(call, BUDDY_DIM_MIN, most_of(call, at), at->in);
  value k = column_of(call, n);
  value first = BE_NODE(call, "aten.clamp.default", NULL, be_t("self", w.low), be_f("min", 0));
  value j = cp_add(call, first, k);
  value end = cp_binary(call, "aten.minimum.default", w.high, cp_counted(call, at->in, BUDDY_F64));
  value is_inside = cp_binary(call, "aten.lt.Tensor", j, end);
  value by = weights_at(call, at, &w, j, is_inside);
  if (at->in < 0 || at->out < 0) {
    value is_same = cp_binary(call, "aten.eq.Tensor", cp_counted(call, at->in, BUDDY_F64),
                              cp_counted(call, at->out, BUDDY_F64));
    value is_first = cp_number(call, "aten.eq.Scalar", k, 0);
    j = cp_where(call, is_same, cp_iota(call, at->out, BUDDY_F64), j);
    is_inside = cp_where(call, is_same, is_first, is_inside);
    by = cp_where_number(call, cp_unary(call, "aten.logical_not.default", is_same), by, 1);
  }
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type || !j || !by || !is_inside) return NULL;
  value last = cp_counted(call, be_dim(call, BUDDY_DIM_SUB, at->in, 1), BUDDY_F64);
  value places = cp_cast(call, cp_binary(call, "aten.minimum.default", j, last), BUDDY_I64);
  int64_t dims[BE_MAX_RANK], parts[BE_MAX_RANK + 1], beside[BE_MAX_RANK + 1];
  const uint32_t rank = type->rank;
  memcpy(dims, type->dims, rank * sizeof *dims);
  dims[d] = be_dim(call, BUDDY_DIM_MUL, n, at->out);
  for (uint32_t i = 0; i <= rank; ++i) {
    parts[i] = i == d ? n : i == d + 1 ? at->out : dims[i < d ? i : i - 1];
    beside[i] = i == d || i == d + 1 ? parts[i] : 1;
  }
  places = cp_flat(call, cp_expand(call, places, 2, (const int64_t[]){n, at->out}));
  x = places ? BE_NODE(call, "aten.index_select.default", be_type(call, type->dtype, rank, dims),
                       be_t("self", x), be_i("dim", d), be_t("index", places))
             : NULL;
  x = cp_view(call, x, rank + 1, parts);
  by = cp_view(call, cp_cast(call, by, type->dtype), rank + 1, beside);
  is_inside = cp_view(call, is_inside, rank + 1, beside);
  return cp_sum(call, cp_where_number(call, is_inside, cp_mul(call, x, by), 0), 1u << d, 0);
}

/* self, output_size, align_corners, scales_h, scales_w; vec: input, output_size, align_corners,
 * scale_factors. user: 1 for the cubic filter */
buddy_code cp_op_upsample_aa(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const buddy_arg *factors = be_arg(call, 3);
  value x = cp_computed(call, 0);
  if (from->rank != 4) return be_decline(call, "an input of rank %u", from->rank);
  for (uint32_t d = 4; d-- > 2;) {
    axis at = {.in = from->dims[d],
               .out = to->dims[d],
               .aligns = be_bool(call, 2),
               .is_cubic = self->user != NULL,
               .dtype = cp_compute_dtype(to->dtype)};
    if (at.in == at.out) continue;
    if (factors->kind == BUDDY_ARG_FLOATS && factors->n == 2) at.factor = factors->as.floats[d - 2];
    if (be_host->n_args(call) == 5) at.factor = be_float(call, d + 1, 0);
    x = interpolated(call, x, d, &at);
  }
  return cp_finish(call, x);
}
