// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/window.c: distances of all pairs, and windows whose elements are gathered or added up
 * by position. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

enum { MAX_SPATIAL = 3 };

static int64_t add(buddy_call *call, int64_t a, int64_t b) {
  return be_dim(call, BUDDY_DIM_ADD, a, b);
}
static int64_t mul(buddy_call *call, int64_t a, int64_t b) {
  return be_dim(call, BUDDY_DIM_MUL, a, b);
}
static value times_dim(buddy_call *call, value a, int64_t b) {
  return cp_dim(call, "aten.mul.Tensor", a, b);
}

/* ---- Distances ------------------------------------------------------------------------------- */
/* The p-norm of the differences, along the last dim. */
static value norm_of(buddy_call *call, value difference, double p) {
  value size = cp_unary(call, "aten.abs.default", difference);
  const buddy_tensor_type *type = cp_type(call, size);
  if (!type) return NULL;
  const uint64_t axis = 1ull << (type->rank - 1);
  if (type->dims[type->rank - 1] == 0 || p == 1) return cp_sum(call, size, axis, 0);
  if (p == 2)
    return cp_unary(call, "aten.sqrt.default",
                    cp_sum(call, cp_mul(call, difference, difference), axis, 0));
  if (isinf(p)) { /* the largest of none of them is 0, too */
    value zero = type->dims[type->rank - 1] < 0 ? cp_scalar(call, type->dtype, 0) : NULL;
    value largest = cp_amax(call, size, axis, 0);
    return zero ? cp_binary(call, "aten.maximum.default", largest, zero) : largest;
  }
  if (p == 0) {
    value differs = cp_cast(call, cp_number(call, "aten.ne.Tensor", size, 0), type->dtype);
    return cp_sum(call, differs, axis, 0);
  }
  value powers =
      BE_NODE(call, "aten.pow.Tensor_Scalar", type, be_t("self", size), be_f("exponent", p));
  value sum = cp_sum(call, powers, axis, 0);
  return sum ? BE_NODE(call, "aten.pow.Tensor_Scalar", cp_type(call, sum), be_t("self", sum),
                       be_f("exponent", 1 / p))
             : NULL;
}

/* The rows of one along the next to last dim, those of the other along the last: [*, P, M], [*, R, M] */
static value distances(buddy_call *call, value a, value b, double p) {
  value both[2] = {a, b};
  for (uint32_t i = 0; i < 2; ++i) {
    const buddy_tensor_type *type = cp_type(call, both[i]);
    int64_t dims[BE_MAX_RANK];
    if (!type) return NULL;
    const uint32_t lead = type->rank - 2;
    memcpy(dims, type->dims, lead * sizeof(*dims));
    dims[lead] = i == 0 ? type->dims[lead] : 1;
    dims[lead + 1] = i == 0 ? 1 : type->dims[lead];
    dims[lead + 2] = type->dims[lead + 1];
    both[i] = cp_view(call, both[i], type->rank + 1, dims);
  }
  return norm_of(call, cp_sub(call, both[0], both[1]), p);
}

/* cdist, _cdist_forward: x1 [*, P, M], x2 [*, R, M], p, compute_mode (how, not what) */
buddy_code cp_op_cdist(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  for (size_t i = 0; i < 2; ++i) {
    const uint32_t rank = be_arg_type(call, i)->rank;
    if (rank + 1 > BE_MAX_RANK) return be_decline(call, "rank %u", rank);
  }
  return cp_finish(
      call, distances(call, cp_computed(call, 0), cp_computed(call, 1), be_float(call, 2, 2)));
}

/* pdist, _pdist_forward: the distances of row i and row j > i. Of all pairs, tiles of which read few rows,
 * these are taken. */
buddy_code cp_op_pdist(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type) return cp_finish(call, NULL);
  const int64_t n = type->dims[0], count = be_result_type(call, 0)->dims[0], all = mul(call, n, n);
  const int64_t pairs[2] = {2, count};
  value at = BE_NODE(call, "aten.triu_indices.default", be_type(call, BUDDY_I64, 2, pairs),
                     be_i("row", n), be_i("col", n), be_i("offset", 1), be_d("dtype", BUDDY_I64));
  value row = cp_view(call, cp_slice(call, at, 0, 0, 1, 1), 1, &count),
        column = cp_view(call, cp_slice(call, at, 0, 1, 1, 1), 1, &count);
  value index = cp_add(call, times_dim(call, row, n), column);
  value flat = cp_view(call, distances(call, x, x, be_float(call, 1, 2)), 1, &all);
  return cp_finish(call, cp_rows(call, flat, index));
}

/* ---- Elements put back ----------------------------------------------------------------------- */
/* max_unpool: self, indices, and sizes that the result has; user: the number of pooled dims */
buddy_code cp_op_max_unpool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const uint32_t n = (uint32_t)(uintptr_t)self->user;
  const buddy_tensor_type *to = be_result_type(call, 0), *from = be_arg_type(call, 0);
  value x = be_arg_value(call, 0), indices = be_arg_value(call, 1);
  int64_t rows = 1, reads = 1, writes = 1;
  for (uint32_t d = 0; d < to->rank; ++d) {
    if (d + n < to->rank) {
      rows = mul(call, rows, to->dims[d]);
    } else {
      reads = mul(call, reads, from->dims[d]);
      writes = mul(call, writes, to->dims[d]);
    }
  }
  const int64_t flat[2] = {rows, reads}, whole[2] = {rows, writes};
  const buddy_tensor_type *type = be_type(call, to->dtype, 2, whole);
  value zeros = cp_full(call, type, 0), at = cp_view(call, indices, 2, flat),
        source = cp_view(call, x, 2, flat);
  if (!zeros || !at || !source) return cp_finish(call, NULL);
  value result = BE_NODE(call, "aten.scatter.src", type, be_t("self", zeros), be_i("dim", 1),
                         be_t("index", at), be_t("src", source));
  return cp_finish_shaped(call, 0, result);
}

/* Where element k of window o lies in a padded dim, as [kernel, windows]. */
static value window_positions(buddy_call *call, int64_t kernel, int64_t dilation, int64_t windows,
                              int64_t stride) {
  const int64_t column[2] = {kernel, 1};
  value k = cp_mul_number(call, cp_iota(call, kernel, BUDDY_I64), (double)dilation);
  value o = cp_mul_number(call, cp_iota(call, windows, BUDDY_I64), (double)stride);
  return cp_add(call, cp_view(call, k, 2, column), o);
}

/* col2im: self [*, C k, L], output_size, kernel_size, dilation, padding, stride */
buddy_code cp_op_col2im(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  int64_t padded[2], padding[2], counts[2], kernel[2], rows = 1;
  value at[2];
  for (uint32_t d = 0; d < 2; ++d) {
    kernel[d] = be_int_at(call, 2, d, 1);
    const int64_t dilation = be_int_at(call, 3, d, 1), stride = be_int_at(call, 5, d, 1);
    padding[d] = be_int_at(call, 4, d, 0);
    padded[d] = add(call, to->dims[to->rank - 2 + d], 2 * padding[d]);
    const int64_t room = add(call, padded[d], -(dilation * (kernel[d] - 1) + 1));
    counts[d] = add(call, be_dim(call, BUDDY_DIM_FLOORDIV, room, stride), 1);
    at[d] = window_positions(call, kernel[d], dilation, counts[d], stride);
  }
  for (uint32_t d = 0; d + 2 < to->rank; ++d) rows = mul(call, rows, to->dims[d]);
  /* over (row of the kernel, column of the kernel, row, column) */
  const int64_t first[4] = {kernel[0], 1, counts[0], 1}, second[4] = {1, kernel[1], 1, counts[1]};
  value lines = times_dim(call, cp_view(call, at[0], 4, first), padded[1]);
  value index = cp_add(call, lines, cp_view(call, at[1], 4, second));
  const int64_t n = mul(call, kernel[0] * kernel[1], mul(call, counts[0], counts[1]));
  const int64_t flat[2] = {rows, n}, whole[2] = {rows, mul(call, padded[0], padded[1])};
  const int64_t image[3] = {rows, padded[0], padded[1]};
  const buddy_tensor_type *type = be_type(call, to->dtype, 2, whole);
  value zeros = cp_full(call, type, 0), source = cp_view(call, be_arg_value(call, 0), 2, flat);
  index = cp_view(call, index, 1, &n);
  if (!zeros || !source || !index) return cp_finish(call, NULL);
  value sums = BE_NODE(call, "aten.index_add.default", type, be_t("self", zeros), be_i("dim", 1),
                       be_t("index", index), be_t("source", source));
  sums = cp_view(call, sums, 3, image);
  for (uint32_t d = 0; d < 2; ++d)
    sums = cp_slice(call, sums, 1 + d, padding[d], to->dims[to->rank - 2 + d], 1);
  return cp_finish_shaped(call, 0, sums);
}

/* ---- Maxima of gathered windows -------------------------------------------------------------- */
typedef struct windows {
  uint32_t n;                  /* pooled dims */
  int64_t kernel[MAX_SPATIAL]; /* elements that are looked at: as many as the largest window has */
  value at[MAX_SPATIAL];       /* [rows or 1, windows, kernel]: positions along each pooled dim */
} windows;

/* The largest of each window, and where in the flat pooled dims it lies: of equal elements the first,
 * and of several NaN the last. */
static buddy_code largest(buddy_call *call, const windows *w) {
  const buddy_tensor_type *to = be_result_type(call, 0), *from = be_arg_type(call, 0);
  const uint32_t lead = to->rank - w->n;
  int64_t rows = 1, n_windows = 1, size = 1, n_elements = 1;
  for (uint32_t d = 0; d < lead; ++d) rows = mul(call, rows, to->dims[d]);
  value index = NULL;
  for (uint32_t d = 0; d < w->n; ++d) {
    int64_t dims[1 + 2 * MAX_SPATIAL];
    for (uint32_t i = 0; i < 1 + 2 * w->n; ++i) dims[i] = 1;
    if (!w->at[d]) return cp_finish(call, NULL);
    dims[0] = cp_type(call, w->at[d])->dims[0];
    dims[1 + d] = to->dims[lead + d];
    dims[1 + w->n + d] = w->kernel[d];
    value part = cp_view(call, w->at[d], 1 + 2 * w->n, dims);
    index = index ? cp_add(call, times_dim(call, index, from->dims[lead + d]), part) : part;
    n_windows = mul(call, n_windows, to->dims[lead + d]);
    n_elements = mul(call, n_elements, w->kernel[d]);
    size = mul(call, size, from->dims[lead + d]);
  }
  if (!index) return cp_finish(call, NULL);
  const int64_t own_rows = cp_type(call, index)->dims[0], count = mul(call, n_windows, n_elements);
  const int64_t own[2] = {own_rows, count}, flat[2] = {rows, size}, all[2] = {rows, count};
  const int64_t apart[3] = {rows, n_windows, n_elements}, kept[2] = {rows, n_windows};
  index = cp_expand(call, cp_view(call, index, 2, own), 2, all);
  value x = cp_view(call, be_arg_value(call, 0), 2, flat);
  if (!index || !x) return cp_finish(call, NULL);
  value seen = BE_NODE(call, "aten.gather.default", be_type(call, from->dtype, 2, all),
                       be_t("self", x), be_i("dim", 1), be_t("index", index));
  seen = cp_view(call, seen, 3, apart);
  if (!seen) return cp_finish(call, NULL);
  const buddy_tensor_type types[2] = {*be_type(call, from->dtype, 2, kept),
                                      *be_type(call, BUDDY_I64, 2, kept)};
  const buddy_value *results[2] = {NULL, NULL};
  const buddy_named_arg args[] = {be_t("self", seen), be_i("dim", 2), be_b("keepdim", 0)};
  buddy_code code = be_host->node(call, "aten.max.dim", args, 3, types, 2, results);
  if (code != BUDDY_OK) return code;
  code = cp_finish_shaped(call, 0, results[0]);
  if (code != BUDDY_OK || be_host->n_results(call) < 2) return code;
  const int64_t column[3] = {rows, n_windows, 1};
  value where = cp_view(call, results[1], 3, column);
  index = cp_view(call, index, 3, apart);
  if (!where || !index) return cp_finish(call, NULL);
  value positions = BE_NODE(call, "aten.gather.default", be_type(call, BUDDY_I64, 3, column),
                            be_t("self", index), be_i("dim", 2), be_t("index", where));
  if (be_is_float(from->dtype)) {
    value of_nan = cp_where_number(call, cp_unary(call, "aten.isnan.default", seen), index, -1);
    positions =
        cp_binary(call, "aten.maximum.default", positions, cp_amax(call, of_nan, 1ull << 2, 1));
  }
  return cp_finish_shaped(call, 1, positions);
}

/* As many elements as the largest window of adaptive pooling has. */
static int64_t largest_window(buddy_call *call, int64_t in, int64_t out) {
  int64_t largest = 0;
  if (BUDDY_IS_SYMBOLIC(in) || BUDDY_IS_SYMBOLIC(out)) {
    /* none has more; a smaller one repeats its last element */
    const int64_t n = be_dim(call, BUDDY_DIM_MAX, out, 1); /* a run may have no windows */
    const int64_t rounded = add(call, in, add(call, n, -1));
    return add(call, be_dim(call, BUDDY_DIM_FLOORDIV, rounded, n), 1);
  }
  for (int64_t o = 0; o < out; ++o) {
    const int64_t n = ((o + 1) * in + out - 1) / out - o * in / out;
    if (n > largest) largest = n;
  }
  return largest;
}

/* adaptive_max_pool: self, output_size: window o is from floor(o in / out) to
 * ceil((o + 1) in / out); user: the number of pooled dims */
buddy_code cp_op_adaptive_max_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  windows w = {.n = (uint32_t)(uintptr_t)self->user};
  const buddy_tensor_type *to = be_result_type(call, 0), *from = be_arg_type(call, 0);
  for (uint32_t d = 0; d < w.n; ++d) {
    const int64_t in = from->dims[from->rank - w.n + d], out = to->dims[to->rank - w.n + d];
    w.kernel[d] = largest_window(call, in, out);
    if (w.kernel[d] == 0) return be_decline(call, "an empty window");
    const int64_t dims[3] = {1, out, w.kernel[d]}, column[3] = {1, out, 1};
    value o = cp_view(call, cp_iota(call, out, BUDDY_I64), 3, column);
    value scaled = cp_dim(call, "aten.mul.Tensor", o, in);
    value end = cp_dim(call, "aten.add.Tensor", scaled, add(call, add(call, in, out), -1));
    value begin = cp_dim(call, "aten.floor_divide.default", scaled, out);
    end = cp_dim(call, "aten.floor_divide.default", end, out);
    value at = cp_add(call, begin, cp_iota(call, w.kernel[d], BUDDY_I64));
    /* what a smaller window lacks is its last element once more */
    w.at[d] = cp_view(
        call, cp_binary(call, "aten.minimum.default", at, cp_add_number(call, end, -1)), 3, dims);
  }
  return largest(call, &w);
}

/* Elements of window o are o * stride - pad + k * dilation. One in the padding is replaced by the
 * next that is not, which the window has as well. */
static value pool_positions(buddy_call *call, int64_t in, int64_t out, uint32_t d) {
  const int64_t kernel = be_int_at(call, 1, d, 1), stride = be_int_at(call, 2, d, kernel);
  const int64_t pad = be_int_at(call, 3, d, 0), dilation = be_int_at(call, 4, d, 1);
  const int64_t column[2] = {out, 1};
  value o = cp_mul_number(call, cp_iota(call, out, BUDDY_I64), (double)stride);
  value start = cp_view(call, cp_add_number(call, o, (double)-pad), 2, column);
  /* the first and the last k that lie inside */
  value first =
      cp_dim(call, "aten.floor_divide.default",
             cp_add_number(call, cp_unary(call, "aten.neg.default", start), (double)(dilation - 1)),
             dilation);
  value room = cp_add_number(call, cp_unary(call, "aten.neg.default", start), (double)(in - 1));
  value last = cp_dim(call, "aten.floor_divide.default", room, dilation);
  value k = cp_binary(call, "aten.maximum.default", cp_iota(call, kernel, BUDDY_I64), first);
  k = cp_binary(call, "aten.minimum.default", k, last);
  return cp_add(call, start, cp_mul_number(call, k, (double)dilation));
}

/* max_pool_with_indices: self, kernel_size, stride, padding, dilation, ceil_mode (the result's size
 * has it); user: the number of pooled dims */
buddy_code cp_op_max_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  static const char *const pools[] = {[1] = "aten.max_pool1d.default",
                                      [2] = "aten.max_pool2d.default",
                                      [3] = "aten.max_pool3d.default"};
  windows w = {.n = (uint32_t)(uintptr_t)self->user};
  const buddy_tensor_type *to = be_result_type(call, 0), *from = be_arg_type(call, 0);
  for (uint32_t d = 0; d < w.n; ++d) {
    const int64_t in = from->dims[from->rank - w.n + d], out = to->dims[to->rank - w.n + d];
    if (BUDDY_IS_SYMBOLIC(in) || BUDDY_IS_SYMBOLIC(out))
      return be_decline(call, "a pooled size is symbolic");
    w.kernel[d] = be_int_at(call, 1, d, 1);
    const int64_t dims[3] = {1, out, w.kernel[d]};
    w.at[d] = cp_view(call, pool_positions(call, in, out, d), 3, dims);
  }
  const buddy_code code = largest(call, &w);
  if (code != BUDDY_OK) return code;
  return be_replace(call, 0,
                    BE_NODE(call, pools[w.n], to, be_t("self", be_arg_value(call, 0)),
                            be_pass(call, "kernel_size", 1), be_pass(call, "stride", 2),
                            be_pass(call, "padding", 3), be_pass(call, "dilation", 4),
                            be_pass(call, "ceil_mode", 5)));
}

/* fractional_max_pool: self, kernel_size, output_size, random_samples [N, C, n]: window o < out - 1
 * begins at int((o + s) a) - int(s a), a = (in - k) / (out - 1); the last ends with the input.
 * user: the number of pooled dims */
buddy_code cp_op_fractional_max_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  windows w = {.n = (uint32_t)(uintptr_t)self->user};
  const buddy_tensor_type *to = be_result_type(call, 0), *from = be_arg_type(call, 0);
  value samples = be_arg_value(call, 3);
  const buddy_tensor_type *type = cp_type(call, samples);
  if (!type || type->rank != 3) return be_decline(call, "samples that are not [N, C, dims]");
  /* samples of more images than there are: those of the first ones count */
  const int64_t n_images = from->rank > w.n + 1 ? from->dims[0] : 1;
  if (type->dims[0] != n_images) {
    samples = cp_slice(call, samples, 0, 0, n_images, 1);
    type = cp_type(call, samples);
    if (!type) return cp_finish(call, NULL);
  }
  const int64_t rows = mul(call, type->dims[0], type->dims[1]), per_row[2] = {rows, type->dims[2]};
  samples = cp_view(call, samples, 2, per_row);
  for (uint32_t d = 0; d < w.n; ++d) {
    const int64_t in = from->dims[from->rank - w.n + d], out = to->dims[to->rank - w.n + d];
    if (BUDDY_IS_SYMBOLIC(in) || BUDDY_IS_SYMBOLIC(out))
      return be_decline(call, "a pooled size is symbolic");
    w.kernel[d] = be_int_at(call, 1, d, 1);
    const int64_t last = in - w.kernel[d], dims[3] = {rows, out, 1}, row_dims[2] = {rows, out};
    /* two dims are sampled in the other order */
    const int64_t which = w.n == 2 ? 1 - (int64_t)d : d;
    value s = cp_slice(call, samples, 1, which, 1, 1);
    value begin = NULL;
    if (out > 1) {
      double alpha = (double)last / (double)(out - 1);
      if (type->dtype == BUDDY_F32) alpha = (double)((float)last / (float)(out - 1));
      value o = cp_iota(call, out, type->dtype);
      value high = cp_mul_number(call, cp_add(call, s, o), alpha);
      value low = cp_mul_number(call, s, alpha);
      begin = cp_sub(call, cp_cast(call, high, BUDDY_I64), cp_cast(call, low, BUDDY_I64));
      value is_last =
          cp_number(call, "aten.eq.Tensor", cp_iota(call, out, BUDDY_I64), (double)(out - 1));
      begin = cp_where(call, is_last,
                       cp_full(call, be_type(call, BUDDY_I64, 0, NULL), (double)last), begin);
    } else {
      begin = cp_full(call, be_type(call, BUDDY_I64, 2, row_dims), (double)last);
    }
    w.at[d] = cp_add(call, cp_view(call, begin, 3, dims), cp_iota(call, w.kernel[d], BUDDY_I64));
  }
  return largest(call, &w);
}

/* ---- Grids ----------------------------------------------------------------------------------- */
/* The centres of n cells from -1 to 1, or with `aligns` n points with both ends; f64. */
static value line(buddy_call *call, int64_t n, int aligns) {
  value i = cp_iota(call, n, BUDDY_F64);
  if (n == 1) return cp_mul_number(call, i, 0);
  if (aligns) {
    value steps = cp_mul_number(call, i, 2);
    return cp_add_number(call, cp_dim(call, "aten.div.Tensor", steps, add(call, n, -1)), -1);
  }
  value odd = cp_add_number(call, cp_mul_number(call, i, 2), 1);
  return cp_add_number(call, cp_dim(call, "aten.div.Tensor", odd, n), -1);
}

/* affine_grid_generator: theta [N, n, n + 1], size, align_corners: theta (x, y[, z], 1) at each
 * point */
buddy_code cp_op_affine_grid(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const uint32_t n = to->rank - 2;
  if (n < 2 || n > 3) return be_decline(call, "a grid over %u dims", n);
  value theta = cp_cast(call, be_arg_value(call, 0), BUDDY_F64), sum = NULL;
  for (uint32_t k = 0; k <= n; ++k) { /* coordinate k runs along the k-th dim from the last */
    int64_t column[2 + MAX_SPATIAL], dims[2 + MAX_SPATIAL];
    for (uint32_t d = 0; d < to->rank; ++d) column[d] = dims[d] = 1;
    column[0] = to->dims[0];
    column[to->rank - 1] = n;
    value factor = cp_view(call, cp_slice(call, theta, 2, k, 1, 1), to->rank, column);
    if (k < n) {
      const uint32_t d = n - k;
      dims[d] = to->dims[d];
      factor = cp_mul(call, factor,
                      cp_view(call, line(call, to->dims[d], be_bool(call, 2)), to->rank, dims));
    }
    sum = sum ? cp_add(call, sum, factor) : factor;
  }
  return cp_finish(call, cp_expand(call, sum, to->rank, to->dims));
}
