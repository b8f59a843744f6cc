// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/statistics.c: order statistics, covariances, and integrals and
 * derivatives of sampled functions. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* ---- Words ----------------------------------------------------------------------------------- */

static value is_nan(buddy_call *call, value a) {
  return a ? cp_binary(call, "aten.ne.Tensor", a, a) : NULL;
}

/* The tensor's dims with dim `dim` of another size. */
static const buddy_tensor_type *resized(buddy_call *call, value a, uint32_t dim, int64_t size,
                                        buddy_dtype dtype) {
  const buddy_tensor_type *type = cp_type(call, a);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[dim] = size;
  return be_type(call, dtype, type->rank, dims);
}

static value cat2(buddy_call *call, value a, value b, uint32_t dim) {
  if (!a || !b) return NULL;
  const int64_t size =
      be_dim(call, BUDDY_DIM_ADD, cp_type(call, a)->dims[dim], cp_type(call, b)->dims[dim]);
  const value parts[] = {a, b};
  return BE_NODE(call, "aten.cat.default", resized(call, a, dim, size, cp_type(call, a)->dtype),
                 be_ts("tensors", parts, 2), be_i("dim", dim));
}

/* ---- Order statistics ------------------------------------------------------------------------ */

/* quantile, nanquantile: self, q, dim, keepdim, interpolation; user is set for the second */
buddy_code cp_op_quantile(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = be_arg_value(call, 0), q = be_arg_value(call, 1);
  const char *mode = be_arg(call, 4)->as.string;
  if (x && (be_is_none(call, 2) || cp_type(call, x)->rank == 0)) x = cp_flat(call, x);
  if (!x || to->rank + 1 > BE_MAX_RANK) return be_decline(call, "rank %u", to->rank);
  const uint32_t rank = cp_type(call, x)->rank;
  const uint32_t dim = be_is_none(call, 2) ? 0 : (uint32_t)be_axis(call, 2, rank, 0);
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  const int64_t n = cp_type(call, x)->dims[dim];
  if (!q) q = cp_scalar(call, dtype, be_float(call, 1, 0));
  const int64_t n_q = q && cp_type(call, q)->rank > 0 ? cp_type(call, q)->dims[0] : 1;
  int64_t dims[BE_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) dims[d] = d == dim ? n_q : 1;
  q = cp_view(call, q, rank, dims);
  value sorted[2];
  if (!cp_sort(call, x, dim, 0, sorted)) return cp_finish(call, NULL);
  const int64_t last = be_dim(call, BUDDY_DIM_SUB, n, 1);
  const uint64_t axis = UINT64_C(1) << dim;
  value nan = is_nan(call, x), rank_of;
  if (self->user) {
    value number = cp_cast(call, cp_unary(call, "aten.logical_not.default", nan), dtype);
    value top = cp_add_number(call, cp_sum(call, number, axis, 1), -1);
    rank_of =
        cp_mul(call, q, cp_binary(call, "aten.maximum.default", top, cp_scalar(call, dtype, 0)));
  } else {
    value any =
        nan ? BE_NODE(call, "aten.amax.default", NULL, be_t("self", cp_cast(call, nan, dtype)),
                      be_is("dim", (const int64_t[]){dim}, 1), be_b("keepdim", 1))
            : NULL;
    value is_any = any ? cp_number(call, "aten.gt.Tensor", any, 0) : NULL;
    value to_last = cp_dim(call, "aten.mul.Tensor", cp_scalar(call, dtype, 1), last);
    rank_of = cp_where(call, is_any, to_last, cp_dim(call, "aten.mul.Tensor", q, last));
  }
  if (!rank_of) return cp_finish(call, NULL);
  if (strcmp(mode, "lower") == 0) rank_of = cp_unary(call, "aten.floor.default", rank_of);
  if (strcmp(mode, "higher") == 0) rank_of = cp_unary(call, "aten.ceil.default", rank_of);
  if (strcmp(mode, "nearest") == 0) rank_of = cp_unary(call, "aten.round.default", rank_of);
  const buddy_tensor_type *index_type = resized(call, x, dim, n_q, BUDDY_I64);
  value below = cp_expand(call, cp_cast(call, rank_of, BUDDY_I64), rank, index_type->dims);
  value result = cp_gather(call, sorted[0], dim, below);
  const bool is_midpoint = strcmp(mode, "midpoint") == 0;
  if (is_midpoint || strcmp(mode, "linear") == 0) {
    value above = cp_cast(call, cp_unary(call, "aten.ceil.default", rank_of), BUDDY_I64);
    value upper = cp_gather(call, sorted[0], dim, cp_expand(call, above, rank, index_type->dims));
    value weight = is_midpoint
                       ? cp_scalar(call, dtype, 0.5)
                       : cp_sub(call, rank_of, cp_unary(call, "aten.floor.default", rank_of));
    result = result && upper && weight
                 ? BE_NODE(call, "aten.lerp.Tensor", cp_type(call, result), be_t("self", result),
                           be_t("end", upper),
                           be_t("weight", cp_expand(call, weight, rank, index_type->dims)))
                 : NULL;
  }
  int64_t perm[BE_MAX_RANK] = {dim};
  for (uint32_t d = 0, k = 1; d < rank; ++d) {
    if (d != dim) perm[k++] = d;
  }
  return cp_finish_shaped(call, 0, cp_permute(call, result, perm));
}

/* Integers are never NaN. */
static buddy_code as_median(buddy_call *call, value x, bool has_dim) {
  if (!has_dim) return cp_finish(call, BE_NODE(call, "aten.median.default", NULL, be_t("self", x)));
  const buddy_named_arg args[] = {be_t("self", x), be_i("dim", be_int(call, 1, 0)),
                                  be_b("keepdim", be_int(call, 2, 0) != 0)};
  const buddy_tensor_type types[] = {*be_result_type(call, 0), *be_result_type(call, 1)};
  value results[2];
  buddy_code code = be_host->node(call, "aten.median.dim", args, 3, types, 2, results);
  for (size_t i = 0; i < 2 && code == BUDDY_OK; ++i) code = be_replace(call, i, results[i]);
  return code == BUDDY_OK ? code : cp_finish(call, NULL);
}

/* nanmedian: self[, dim, keepdim]: the lower middle of what is not NaN; of nothing it is NaN, which
 * one after the last makes so */
buddy_code cp_op_nanmedian(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const bool has_dim = self->user != NULL;
  value x = be_arg_value(call, 0);
  if (x && !be_is_float(cp_type(call, x)->dtype)) return as_median(call, x, has_dim);
  if (x && (!has_dim || cp_type(call, x)->rank == 0)) x = cp_flat(call, x);
  if (x && !has_dim) {
    const int64_t one = 1;
    x = cat2(call, x, cp_full(call, be_type(call, cp_type(call, x)->dtype, 1, &one), (double)NAN),
             0);
  }
  if (!x) return cp_finish(call, NULL);
  const uint32_t dim = has_dim ? (uint32_t)be_axis(call, 1, cp_type(call, x)->rank, 0) : 0;
  value sorted[2];
  if (!cp_sort(call, x, dim, 0, sorted)) return cp_finish(call, NULL);
  value number = cp_cast(call, cp_binary(call, "aten.eq.Tensor", x, x), BUDDY_I64);
  value count = cp_sum(call, number, UINT64_C(1) << dim, 1);
  value middle = cp_number(call, "aten.floor_divide.default", cp_add_number(call, count, -1), 2);
  middle = cp_binary(call, "aten.maximum.default", middle, cp_scalar(call, BUDDY_I64, 0));
  for (size_t i = 0; i < (has_dim ? 2u : 1u); ++i) {
    value result = cp_gather(call, sorted[i], dim, middle);
    const buddy_code code = cp_finish_shaped(call, i, result);
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}

/* mode: self, dim, keepdim: the least of the most frequent, and where the last of its kind is.
 * Among the sorted, an element's distance from the first of its kind counts it. */
buddy_code cp_op_mode(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = be_arg_value(call, 0);
  if (x && cp_type(call, x)->rank == 0) x = cp_flat(call, x);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank, dim = (uint32_t)be_axis(call, 1, rank, 0);
  const int64_t n = cp_type(call, x)->dims[dim];
  const int64_t fewer = be_dim(call, BUDDY_DIM_SUB, n, 1);
  value sorted[2];
  if (!cp_sort(call, x, dim, 0, sorted)) return cp_finish(call, NULL);
  value differs = cp_binary(call, "aten.ne.Tensor", cp_slice(call, sorted[0], dim, 1, fewer, 1),
                            cp_slice(call, sorted[0], dim, 0, fewer, 1));
  value first = cp_full(call, resized(call, x, dim, 1, BUDDY_BOOL), 1);
  value is_first = cat2(call, first, differs, dim);
  int64_t dims[BE_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) dims[d] = d == dim ? n : 1;
  value at = cp_view(call, cp_iota(call, n, BUDDY_I64), rank, dims);
  value marked = cp_where(call, is_first, at, cp_scalar(call, BUDDY_I64, 0));
  value start[2];
  const buddy_tensor_type *full = be_with_dtype(call, cp_type(call, x), BUDDY_I64);
  if (!marked || !full) return cp_finish(call, NULL);
  const buddy_named_arg args[] = {be_t("self", marked), be_i("dim", dim)};
  const buddy_tensor_type types[] = {*full, *full};
  if (be_host->node(call, "aten.cummax.default", args, 2, types, 2, start) != BUDDY_OK)
    return cp_finish(call, NULL);
  value age = cp_sub(call, at, start[0]);
  value best = age ? BE_NODE(call, "aten.argmax.default", resized(call, x, dim, 1, BUDDY_I64),
                             be_t("self", age), be_i("dim", dim), be_b("keepdim", 1))
                   : NULL;
  for (size_t i = 0; i < 2; ++i) {
    value result = cp_gather(call, sorted[i], dim, best);
    const buddy_code code = cp_finish_shaped(call, i, result);
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}

/* nanmean: self, dim, keepdim, dtype */
buddy_code cp_op_nanmean(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = be_arg_value(call, 0);
  if (!x) return cp_finish(call, NULL);
  x = cp_cast(call, x, cp_compute_dtype(to->dtype));
  const uint64_t axes = be_axes(call, 1, cp_type(call, x)->rank);
  value nan = is_nan(call, x);
  value sum =
      cp_sum(call, cp_where(call, nan, cp_scalar(call, cp_type(call, x)->dtype, 0), x), axes, 1);
  value count = cp_sum(
      call, cp_cast(call, cp_unary(call, "aten.logical_not.default", nan), cp_type(call, x)->dtype),
      axes, 1);
  return cp_finish_shaped(call, 0, cp_div(call, sum, count));
}

/* ---- Covariance ------------------------------------------------------------------------------ */

/* Of the rows of x [m, n]: [m, m] */
static value covariance(buddy_call *call, value x, double correction, value frequencies,
                        value importances) {
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  const int64_t n = cp_type(call, x)->dims[1];
  value weights = frequencies ? cp_cast(call, frequencies, dtype) : NULL;
  if (importances) {
    importances = cp_cast(call, importances, dtype);
    weights = weights ? cp_mul(call, weights, importances) : importances;
  }
  value total = weights ? cp_sum(call, weights, 1, 0)
                        : cp_dim(call, "aten.mul.Tensor", cp_scalar(call, dtype, 1), n);
  value sum = cp_sum(call, weights ? cp_mul(call, x, weights) : x, 2, 1);
  value centred = cp_sub(call, x, cp_div(call, sum, total));
  value norm = total;
  if (correction != 0 && importances) {
    value squares = cp_sum(call, cp_mul(call, weights, importances), 1, 0);
    norm = cp_sub(call, total, cp_mul_number(call, cp_div(call, squares, total), correction));
  } else if (correction != 0) {
    norm = cp_add_number(call, total, -correction);
  }
  if (norm && !be_is_complex(dtype))
    norm = cp_binary(call, "aten.maximum.default", norm, cp_scalar(call, dtype, 0));
  value scaled = weights ? cp_mul(call, centred, weights) : centred;
  return cp_div(call, cp_matmul(call, scaled, cp_conjugate(call, cp_swap(call, centred, 0, 1))),
                norm);
}

/* self as rows, in a type that has fractions */
static value observations(buddy_call *call, buddy_dtype result) {
  value x = be_arg_value(call, 0);
  if (!x) return NULL;
  const buddy_tensor_type *type = cp_type(call, x);
  x = cp_cast(call, x, cp_compute_dtype(result));
  if (type->rank == 2) return x;
  const int64_t dims[2] = {1, type->rank == 1 ? type->dims[0] : 1};
  return cp_view(call, x, 2, dims);
}

/* cov: self, correction, fweights, aweights */
buddy_code cp_op_cov(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = observations(call, to->dtype);
  if (!x) return cp_finish(call, NULL);
  value c = covariance(call, x, be_float(call, 1, 1), be_arg_value(call, 2), be_arg_value(call, 3));
  return cp_finish_shaped(call, 0, c);
}

/* corrcoef: self */
buddy_code cp_op_corrcoef(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = observations(call, to->dtype);
  if (!x) return cp_finish(call, NULL);
  if (be_is_complex(cp_type(call, x)->dtype)) return be_decline(call, "complex numbers");
  value c = covariance(call, x, 1, NULL, NULL);
  if (!c) return cp_finish(call, NULL);
  if (to->rank == 0) {
    c = cp_view(call, c, 0, NULL);
    return cp_finish(call, cp_div(call, c, c));
  }
  const int64_t n = cp_type(call, c)->dims[0], column[] = {n, 1};
  value spread =
      cp_unary(call, "aten.sqrt.default",
               BE_NODE(call, "aten.diagonal.default", be_type(call, cp_type(call, c)->dtype, 1, &n),
                       be_t("self", c), be_i("offset", 0), be_i("dim1", 0), be_i("dim2", 1)));
  c = cp_div(call, cp_div(call, c, cp_view(call, spread, 2, column)), spread);
  return cp_finish(call, c ? BE_NODE(call, "aten.clamp.default", NULL, be_t("self", c),
                                     be_f("min", -1), be_f("max", 1))
                           : NULL);
}

/* ---- Sampled functions ----------------------------------------------------------------------- */

enum { BY_POINTS = 1, CUMULATIVE = 2 };

/* One element along a dim. */
static value at(buddy_call *call, value a, uint32_t dim, int64_t index) {
  const int64_t n = cp_type(call, a)->dims[dim];
  const int64_t place = index < 0 ? be_dim(call, BUDDY_DIM_ADD, n, index) : index;
  return cp_slice(call, a, dim, place, 1, 1);
}

/* The element at one end of a dim, summed away; of a dim without elements 0. */
static value end_of(buddy_call *call, value a, uint32_t dim, bool is_last) {
  const int64_t n = cp_type(call, a)->dims[dim], one = be_dim(call, BUDDY_DIM_MIN, n, 1);
  const int64_t place = is_last ? be_dim(call, BUDDY_DIM_SUB, n, one) : 0;
  return cp_sum(call, cp_slice(call, a, dim, place, one, 1), UINT64_C(1) << dim, 0);
}

/* At a constant distance PyTorch takes half of the ends from the sum of all, which makes NaN of a NaN that
 * is alone. Whole numbers are summed in 64 bits, but the two ends wrap in their dtype where they are
 * added. */
static value area_of_all(buddy_call *call, value y, uint32_t dim, buddy_dtype dtype) {
  const buddy_dtype own = cp_type(call, y)->dtype;
  const bool is_whole = !be_is_float(own) && !be_is_complex(own);
  value ends = cp_add(call, end_of(call, y, dim, 0), end_of(call, y, dim, 1));
  if (is_whole) ends = cp_cast(call, cp_cast(call, ends, own), BUDDY_I64);
  value all = cp_sum(call, cp_cast(call, y, is_whole ? BUDDY_I64 : dtype), UINT64_C(1) << dim, 0);
  return cp_sub(call, cp_cast(call, all, dtype),
                cp_mul_number(call, cp_cast(call, ends, dtype), 0.5));
}

/* trapezoid, cumulative_trapezoid: y, x or dx, dim; user: bits of the above */
buddy_code cp_op_trapezoid(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const intptr_t form = (intptr_t)self->user;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value y = be_arg_value(call, 0);
  if (!y || cp_type(call, y)->rank == 0) return be_decline(call, "a 0-d tensor");
  const uint32_t rank = cp_type(call, y)->rank, dim = (uint32_t)be_axis(call, 2, rank, 0);
  if (cp_type(call, y)->dims[dim] == 0) return cp_finish(call, cp_full(call, to, 0));
  y = cp_cast(call, y, cp_compute_dtype(cp_type(call, y)->dtype)); /* integers wrap, as PyTorch's */
  const buddy_dtype dtype = cp_compute_dtype(to->dtype);
  if (y && form == 0)
    return cp_finish(call, cp_by(call, "aten.mul.Tensor", area_of_all(call, y, dim, dtype), 1));
  value sums = cp_add(call, cp_neighbours(call, y, dim, 1), cp_neighbours(call, y, dim, 0));
  if (form & BY_POINTS) {
    sums = cp_cast(call, sums, be_arg_type(call, 0)->dtype); /* rounded before the points count */
    value x = cp_computed(call, 1);
    if (!x) return cp_finish(call, NULL);
    if (cp_type(call, x)->rank == 0) return be_decline(call, "points that are one number");
    if (cp_type(call, x)->rank == 1) {
      value gaps = cp_sub(call, cp_neighbours(call, x, 0, 1), cp_neighbours(call, x, 0, 0));
      int64_t dims[BE_MAX_RANK];
      for (uint32_t d = 0; d < rank; ++d) dims[d] = 1;
      dims[dim] = gaps ? cp_type(call, gaps)->dims[0] : 1;
      sums = cp_mul(call, cp_view(call, gaps, rank, dims), sums);
    } else {
      if (cp_type(call, x)->rank != rank) return be_decline(call, "points of another rank");
      sums = cp_mul(
          call, cp_sub(call, cp_neighbours(call, x, dim, 1), cp_neighbours(call, x, dim, 0)), sums);
    }
  }
  if (sums && !be_is_float(cp_type(call, sums)->dtype) &&
      !be_is_complex(cp_type(call, sums)->dtype))
    sums = cp_cast(call, sums, form & BY_POINTS ? BUDDY_I64 : dtype);
  value area = form & CUMULATIVE ? (sums ? BE_NODE(call, "aten.cumsum.default", cp_type(call, sums),
                                                   be_t("self", sums), be_i("dim", dim))
                                         : NULL)
                                 : cp_sum(call, sums, UINT64_C(1) << dim, 0);
  area = cp_mul_number(call, cp_cast(call, area, dtype), 0.5);
  return cp_finish(call, form & BY_POINTS ? area : cp_by(call, "aten.mul.Tensor", area, 1));
}

/* a x + b y + c z, where a, b and c broadcast */
static value blend(buddy_call *call, const value *factors, const value *points) {
  value sum = cp_mul(call, factors[0], points[0]);
  for (size_t i = 1; i < 3; ++i) sum = cp_add(call, sum, cp_mul(call, factors[i], points[i]));
  return sum;
}

/* The derivative at the middle (0), first (-1) or last (1) of three points at distances d1 and d2,
 * of the parabola through them. */
static value slope(buddy_call *call, int place, value d1, value d2, const value *points) {
  value both = cp_add(call, d1, d2);
  value left = cp_mul(call, d1, both), middle = cp_mul(call, d1, d2),
        right = cp_mul(call, d2, both);
  value factors[3];
  if (place == 0) {
    factors[0] = cp_unary(call, "aten.neg.default", cp_div(call, d2, left));
    factors[1] = cp_div(call, cp_sub(call, d2, d1), middle);
    factors[2] = cp_div(call, d1, right);
  } else if (place < 0) {
    factors[0] = cp_unary(call, "aten.neg.default", cp_div(call, cp_add(call, both, d1), left));
    factors[1] = cp_div(call, both, middle);
    factors[2] = cp_unary(call, "aten.neg.default", cp_div(call, d1, right));
  } else {
    factors[0] = cp_div(call, d2, left);
    factors[1] = cp_unary(call, "aten.neg.default", cp_div(call, both, middle));
    factors[2] = cp_div(call, cp_add(call, both, d2), right);
  }
  return blend(call, factors, points);
}

/* The derivative along a dim; the distances of neighbours are `gaps`, [n - 1] or one number. */
static value derivative(buddy_call *call, value x, uint32_t dim, value gaps, int64_t edge_order) {
  const buddy_tensor_type *type = cp_type(call, x);
  const int64_t n = type->dims[dim], inner = be_dim(call, BUDDY_DIM_SUB, n, 2);
  int64_t dims[BE_MAX_RANK];
  for (uint32_t d = 0; d < type->rank; ++d) dims[d] = 1;
  if (!gaps) return NULL;
  const bool is_even = cp_type(call, gaps)->rank == 0;
  dims[dim] = is_even ? 1 : cp_type(call, gaps)->dims[0];
  gaps = cp_view(call, gaps, type->rank, dims);
  if (!gaps) return NULL;
  value d1 = is_even ? gaps : cp_slice(call, gaps, dim, 0, inner, 1),
        d2 = is_even ? gaps : cp_slice(call, gaps, dim, 1, inner, 1);
  const value points[3] = {cp_slice(call, x, dim, 0, inner, 1), cp_slice(call, x, dim, 1, inner, 1),
                           cp_slice(call, x, dim, 2, inner, 1)};
  value middle =
      is_even ? cp_div(call, cp_sub(call, points[2], points[0]), cp_mul_number(call, gaps, 2))
              : slope(call, 0, d1, d2, points);
  value first_gap = is_even ? gaps : at(call, gaps, dim, 0),
        last_gap = is_even ? gaps : at(call, gaps, dim, -1);
  value first, last;
  if (edge_order == 1) {
    first = cp_div(call, cp_sub(call, at(call, x, dim, 1), at(call, x, dim, 0)), first_gap);
    last = cp_div(call, cp_sub(call, at(call, x, dim, -1), at(call, x, dim, -2)), last_gap);
  } else {
    value second_gap = is_even ? gaps : at(call, gaps, dim, 1),
          before_last_gap = is_even ? gaps : at(call, gaps, dim, -2);
    const value begin[3] = {at(call, x, dim, 0), at(call, x, dim, 1), at(call, x, dim, 2)};
    const value end[3] = {at(call, x, dim, -3), at(call, x, dim, -2), at(call, x, dim, -1)};
    first = slope(call, -1, first_gap, second_gap, begin);
    last = slope(call, 1, before_last_gap, last_gap, end);
  }
  return cat2(call, cat2(call, first, middle, dim), last, dim);
}

/* gradient: self, dim[, spacing], edge_order; spacing is None, a number, or a list of numbers or of
 * coordinate tensors, one a dim; dim None, a number or a list */
buddy_code cp_op_gradient(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const bool has_spacing = !self->user;
  const buddy_arg *dims = be_arg(call, 1), *spacing = has_spacing ? be_arg(call, 2) : NULL;
  const int64_t edge_order = be_int(call, has_spacing ? 3 : 2, 1);
  value x = be_arg_value(call, 0);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank;
  for (size_t i = 0; i < be_host->n_results(call); ++i) {
    const buddy_tensor_type *to = be_result_type(call, i);
    int64_t dim = dims->kind == BUDDY_ARG_INT    ? dims->as.i
                  : dims->kind == BUDDY_ARG_INTS ? dims->as.ints[i]
                                                 : (int64_t)i;
    if (dim < 0) dim += rank;
    value a = cp_cast(call, x, cp_compute_dtype(to->dtype));
    double gap = 1;
    value gaps = NULL;
    if (spacing && spacing->kind == BUDDY_ARG_FLOATS) gap = spacing->as.floats[i];
    if (spacing && spacing->kind == BUDDY_ARG_INTS) gap = (double)be_int_at(call, 2, i, 1);
    if (spacing && (spacing->kind == BUDDY_ARG_INT || spacing->kind == BUDDY_ARG_FLOAT))
      gap = be_float(call, 2, 1);
    if (spacing && spacing->kind == BUDDY_ARG_TENSORS) {
      value points = spacing->as.tensors[i];
      gaps = cp_sub(call, cp_neighbours(call, points, 0, 1), cp_neighbours(call, points, 0, 0));
    } else {
      gaps = cp_scalar(call, cp_type(call, a)->dtype, gap);
    }
    value d = derivative(call, a, (uint32_t)dim, gaps, edge_order);
    if (d) d = cp_cast(call, d, to->dtype);
    const buddy_code code = be_replace(call, i, d);
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}

/* ---- Distances ------------------------------------------------------------------------------- */

static value vector_norm(buddy_call *call, value x, size_t p, const int64_t *dims, size_t n,
                         const buddy_tensor_type *type) {
  return x && type ? BE_NODE(call, "aten.linalg_vector_norm.default", type, be_t("self", x),
                             be_pass(call, "ord", p), be_is("dim", dims, n), be_b("keepdim", 1))
                   : NULL;
}

/* renorm: self, p, dim, maxnorm: slices along dim whose norm is larger are brought to it */
buddy_code cp_op_renorm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0);
  if (!x) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, x);
  value wide = cp_cast(call, x, cp_compute_dtype(type->dtype));
  /* norms are real */
  const buddy_dtype measure = be_is_complex(type->dtype)
                                  ? (type->dtype == BUDDY_C128 ? BUDDY_F64 : BUDDY_F32)
                                  : cp_compute_dtype(type->dtype);
  const uint32_t dim = (uint32_t)be_axis(call, 2, type->rank, 0);
  int64_t kept[BE_MAX_RANK], others[BE_MAX_RANK];
  size_t n = 0;
  for (uint32_t d = 0; d < type->rank; ++d) {
    kept[d] = d == dim ? type->dims[d] : 1;
    if (d != dim) others[n++] = d;
  }
  value norm = vector_norm(call, wide, 1, others, n, be_type(call, measure, type->rank, kept));
  value more = cp_add_number(call, norm, 1e-7);
  value factor = cp_by(call, "aten.mul.Tensor", cp_unary(call, "aten.reciprocal.default", more), 3);
  factor = cp_where_number(call, cp_by(call, "aten.gt.Tensor", norm, 3), factor, 1);
  return cp_finish(call, cp_mul(call, wide, factor));
}

/* dist: self, other, p: the norm of the difference, over all elements */
buddy_code cp_op_dist(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value gap = cp_sub(call, be_arg_value(call, 0), be_arg_value(call, 1));
  return be_replace(call, 0,
                    gap ? BE_NODE(call, "aten.linalg_vector_norm.default", to,
                                  be_t("self", cp_flat(call, gap)), be_pass(call, "ord", 2))
                        : NULL);
}
