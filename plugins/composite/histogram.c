// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/histogram.c: how many elements, or points of several coordinates, fall into
 * each of the bins between edges that are given, or evenly spaced. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugins/composite/rows.h"

/* The least and the largest element, each moved by `margin` if they are one. */
static void data_range(buddy_call *call, value x, double margin, value *lo, value *hi) {
  static const int64_t all[] = {0};
  value low = BE_NODE(call, "aten.amin.default", NULL, be_t("self", x), be_is("dim", all, 1));
  value high = BE_NODE(call, "aten.amax.default", NULL, be_t("self", x), be_is("dim", all, 1));
  value size = cp_binary(call, "aten.maximum.default", cp_unary(call, "aten.abs.default", low),
                         cp_unary(call, "aten.abs.default", high));
  low = cp_checked(call, low, size ? cp_number(call, "aten.lt.Tensor", size, INFINITY) : NULL,
                   "the range of a histogram is not finite");
  value are_equal = low && high ? cp_binary(call, "aten.eq.Tensor", low, high) : NULL;
  *lo = cp_where(call, are_equal, cp_add_number(call, low, -margin), low);
  *hi = cp_where(call, are_equal, cp_add_number(call, high, margin), high);
}

/* What falls into each of the bins: of each element its weight (null: 1) if `inside`. */
static value filled_bins(buddy_call *call, int64_t bins, buddy_dtype dtype, value bin, value inside,
                         value weight) {
  value none = cp_scalar(call, dtype, 0), one = cp_scalar(call, dtype, 1);
  value amount = cp_where(call, inside, weight ? weight : one, none);
  if (!amount || !bin) return NULL;
  const buddy_tensor_type *type = cp_type(call, bin);
  value empty = cp_full(call, be_type(call, dtype, 1, &bins), 0);
  return empty ? BE_NODE(call, "aten.scatter_add.default", cp_type(call, empty),
                         be_t("self", empty), be_i("dim", 0), be_t("index", bin),
                         be_t("src", cp_expand(call, amount, type->rank, type->dims)))
               : NULL;
}

static value clamped(buddy_call *call, value index, int64_t n) {
  if (!index) return NULL;
  return BE_NODE(call, "aten.clamp.default", NULL, be_t("self", index), be_i("min", 0),
                 be_i("max", n - 1));
}

static value between(buddy_call *call, value x, value lo, value hi) {
  return cp_binary(call, "aten.logical_and.default", cp_binary(call, "aten.ge.Tensor", x, lo),
                   cp_binary(call, "aten.le.Tensor", x, hi));
}

/* histc: self, bins, min, max. Places of floats of 16 bits are computed in f32: of roundings between the steps some
 * would move an element into another bin. */
buddy_code cp_op_histc(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_dtype dtype = be_result_type(call, 0)->dtype;
  if (!be_is_float(dtype)) return be_decline(call, "a histogram of integers");
  value x = cp_flat(call, cp_computed(call, 0)), lo, hi;
  const int64_t bins = be_int(call, 1, 100);
  const double low = be_float(call, 2, 0), high = be_float(call, 3, 0);
  if (!x) return cp_finish(call, NULL);
  const buddy_dtype wide = cp_type(call, x)->dtype;
  if (low == high && (low != 0 || be_n_elements(call, cp_type(call, x)) == 0)) {
    lo = cp_scalar(call, wide, low - 1);
    hi = cp_scalar(call, wide, high + 1);
  } else if (low == high) {
    data_range(call, x, 1, &lo, &hi);
  } else {
    lo = cp_scalar(call, wide, low);
    hi = cp_scalar(call, wide, high);
  }
  value inside = between(call, x, lo, hi);
  value scaled =
      cp_div(call, cp_mul_number(call, cp_sub(call, x, lo), (double)bins), cp_sub(call, hi, lo));
  /* What is outside is not cast: it may be NaN. */
  value place = cp_where(call, inside, scaled, cp_scalar(call, wide, 0));
  value bin = place ? clamped(call, cp_cast(call, place, BUDDY_I64), bins) : NULL;
  return cp_finish(call, filled_bins(call, bins, dtype, bin, inside, NULL));
}

/* ---- Bins between edges ---- */

const cp_histogram cp_histogram_flat = {.is_flat = true, .gives_counts = true, .gives_edges = true},
                   cp_histogram_points = {.gives_counts = true, .gives_edges = true},
                   cp_histogram_counts = {.gives_counts = true},
                   cp_histogram_edges = {.gives_edges = true};

/* Points of n coordinates, [m, n]: what is known of each coordinate. */
typedef struct points {
  value x;
  buddy_dtype dtype;
  uint32_t n;
  int64_t bins[BE_MAX_RANK];
  value edges[BE_MAX_RANK];
} points;

/* How many bins coordinate d has: the argument is a number, a number for each coordinate, or their
 * edges. */
static int64_t bins_of(buddy_call *call, const buddy_arg *bins, uint32_t d) {
  switch (bins->kind) {
    case BUDDY_ARG_INTS:
      return d < bins->n ? bins->as.ints[d] : 0;
    case BUDDY_ARG_TENSORS:
      return d < bins->n ? cp_type(call, bins->as.tensors[d])->dims[0] - 1 : 0;
    case BUDDY_ARG_TENSOR:
      return cp_type(call, bins->as.tensor)->dims[0] - 1;
    default:
      return be_int(call, 1, 100);
  }
}

/* bins + 1 edges between the ends that the range names, or else those of the data. */
static value spaced_edges(buddy_call *call, const points *p, value column, uint32_t d) {
  const buddy_arg *range = be_arg(call, 4);
  value lo = NULL, hi = NULL;
  if (range->kind == BUDDY_ARG_FLOATS && range->n == 2 * p->n) {
    const double low = range->as.floats[2 * d], high = range->as.floats[2 * d + 1];
    lo = cp_scalar(call, p->dtype, low == high ? low - 0.5 : low);
    hi = cp_scalar(call, p->dtype, low == high ? high + 0.5 : high);
  } else if (be_n_elements(call, cp_type(call, column)) == 0) {
    lo = cp_scalar(call, p->dtype, 0);
    hi = cp_scalar(call, p->dtype, 1);
  } else {
    data_range(call, column, 0.5, &lo, &hi);
  }
  if (!lo || !hi) return NULL;
  const int64_t n = p->bins[d] + 1;
  return BE_NODE(call, "aten.linspace.Tensor_Tensor", be_type(call, p->dtype, 1, &n),
                 be_t("start", lo), be_t("end", hi), be_i("steps", n), be_d("dtype", p->dtype));
}

static value column_of(buddy_call *call, const points *p, uint32_t d) {
  return cp_flat(call, cp_slice(call, p->x, 1, d, 1, 1));
}

/* Where each point's coordinate d falls; *inside: whether it does. */
static value bin_of(buddy_call *call, const points *p, uint32_t d, value *inside) {
  value column = column_of(call, p, d), edges = p->edges[d];
  if (!column || !edges) return NULL;
  value lo = cp_slice(call, edges, 0, 0, 1, 1), hi = cp_slice(call, edges, 0, p->bins[d], 1, 1);
  *inside = between(call, column, lo, hi);
  value found =
      BE_NODE(call, "aten.bucketize.Tensor", be_with_dtype(call, cp_type(call, column), BUDDY_I64),
              be_t("self", column), be_t("boundaries", edges), be_b("right", 1));
  return clamped(call, cp_add_number(call, found, -1), p->bins[d]);
}

/* The sum of the weights (null: 1 each) of the points in each bin, dims [bins…]. */
static value counts_of(buddy_call *call, const points *p, value weight) {
  int64_t total = 1;
  value place = NULL, inside = NULL;
  for (uint32_t d = 0; d < p->n; ++d) {
    value is_here = NULL, bin = bin_of(call, p, d, &is_here);
    if (__builtin_mul_overflow(total, p->bins[d], &total)) return NULL;
    place = d == 0 ? bin : cp_add(call, cp_mul_number(call, place, (double)p->bins[d]), bin);
    inside = d == 0 ? is_here : cp_binary(call, "aten.logical_and.default", inside, is_here);
  }
  return cp_view(call, filled_bins(call, total, p->dtype, place, inside, weight), p->n, p->bins);
}

/* Counts as a density: over their sum, and over the size of each bin. */
static value density_of(buddy_call *call, const points *p, value counts) {
  counts = cp_div(call, counts, cp_sum(call, counts, (UINT64_C(1) << p->n) - 1, 0));
  for (uint32_t d = 0; d < p->n; ++d) {
    const int64_t n = p->bins[d];
    value widths = cp_sub(call, cp_slice(call, p->edges[d], 0, 1, n, 1),
                          cp_slice(call, p->edges[d], 0, 0, n, 1));
    int64_t dims[BE_MAX_RANK];
    for (uint32_t k = 0; k < p->n; ++k) dims[k] = k == d ? n : 1;
    counts = cp_div(call, counts, cp_view(call, widths, p->n, dims));
  }
  return counts;
}

/* The points, and their edges; 0 after a failure. */
static int read_points(buddy_call *call, const cp_histogram *row, points *p) {
  value x = be_arg_value(call, 0);
  const buddy_tensor_type *type = x ? cp_type(call, x) : NULL;
  if (!type || (!row->is_flat && type->rank == 0)) return 0;
  const int64_t last = row->is_flat ? 1 : type->dims[type->rank - 1];
  if (BUDDY_IS_SYMBOLIC(last) || last < 1 || last > BE_MAX_RANK) return 0;
  p->n = (uint32_t)last;
  p->dtype = type->dtype;
  const int64_t dims[2] = {be_n_elements(call, type) == 0
                               ? 0
                               : be_dim(call, BUDDY_DIM_FLOORDIV, be_n_elements(call, type), last),
                           last};
  p->x = cp_view(call, x, 2, dims);
  const buddy_arg *bins = be_arg(call, 1);
  for (uint32_t d = 0; d < p->n; ++d) {
    p->bins[d] = bins_of(call, bins, d);
    if (BUDDY_IS_SYMBOLIC(p->bins[d]) || p->bins[d] < 1) return 0;
    p->edges[d] = bins->kind == BUDDY_ARG_TENSORS ? bins->as.tensors[d]
                  : bins->kind == BUDDY_ARG_TENSOR
                      ? bins->as.tensor
                      : spaced_edges(call, p, column_of(call, p, d), d);
    if (!p->edges[d]) return 0;
  }
  return 1;
}

/* self (of any dims, or points along the last one), bins, weight, density, range */
buddy_code cp_op_histogram(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const cp_histogram *row = self->user;
  cp_read_all(call);
  points p = {0};
  if (!read_points(call, row, &p))
    return be_decline(call, "a symbolic number of bins or coordinates, or more than %d of these",
                      BE_MAX_RANK);
  size_t i = 0;
  if (row->gives_counts) {
    value weight = be_arg_value(call, 2);
    value counts = counts_of(call, &p, weight ? cp_flat(call, weight) : NULL);
    if (be_bool(call, 3)) counts = density_of(call, &p, counts);
    const buddy_code code = cp_finish(call, counts);
    if (code != BUDDY_OK) return code;
    i = 1;
  }
  if (!row->gives_edges) return BUDDY_OK;
  for (uint32_t d = 0; d < p.n; ++d) {
    const buddy_code code = be_replace(call, i + d, p.edges[d]);
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}
