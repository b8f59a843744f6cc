// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/pooling.c: maxima and means over windows of the last 1, 2 or 3 dims.
 *
 * A window is a linalg.generic over (leading dims, result's spatial dims, window's dims), with an
 * empty tensor of the window's dims as the operand that gives the window loops their bounds. Where
 * windows differ in size (adaptive pooling into parts that do not divide the input), the generic
 * runs over the largest and leaves out what is beyond each. */

#include <stdbool.h>
#include "plugins/linalg/affine.h"
#include "plugins/linalg/rows.h"

#define MAX_SPATIAL 3

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

typedef struct pool {
  uint32_t n_lead, n_spatial;
  int64_t kernel[MAX_SPATIAL], stride[MAX_SPATIAL], padding[MAX_SPATIAL], dilation[MAX_SPATIAL];
  int64_t reach[MAX_SPATIAL];      /* of the kernel: how much of it meets the input anywhere */
  int64_t high[MAX_SPATIAL];       /* padding after the input, more than in front with ceil_mode */
  const buddy_tensor_type *type;   /* of the input */
  const buddy_tensor_type *padded; /* with padding, of the dtype computed in */
  const buddy_tensor_type *result; /* likewise */
  int counts_padding, has_ceil;
  double divisor; /* 0: the window's size */
} pool;

/* ---- Reading the arguments ---- */

/* The last window may begin inside of the input and end after it. */
static int64_t high_padding(buddy_call *call, const pool *p, uint32_t d) {
  const int64_t size = p->type->dims[p->n_lead + d], n_windows = p->result->dims[p->n_lead + d];
  const int64_t last =
      be_dim(call, BUDDY_DIM_MUL, be_dim(call, BUDDY_DIM_SUB, n_windows, 1), p->stride[d]);
  const int64_t end = be_dim(call, BUDDY_DIM_ADD, last, p->dilation[d] * (p->reach[d] - 1) + 1);
  const int64_t missing =
      be_dim(call, BUDDY_DIM_SUB, end, be_dim(call, BUDDY_DIM_ADD, size, p->padding[d]));
  return be_dim(call, BUDDY_DIM_MAX, missing, 0);
}

/* A single window need not go beyond the input: kernels of thousands that stand for `all` exist. */
static int64_t reach_of(const pool *p, uint32_t d) {
  const int64_t size = p->type->dims[p->n_lead + d], n_windows = p->result->dims[p->n_lead + d];
  if (n_windows != 1 || BUDDY_IS_SYMBOLIC(size) || p->dilation[d] < 1) return p->kernel[d];
  const int64_t last = p->padding[d] + size - 1, reach = last / p->dilation[d] + 1;
  return size == 0 || reach > p->kernel[d] ? p->kernel[d] : reach;
}

static buddy_code read_dims(buddy_call *call, uint32_t n_spatial, pool *p) {
  p->type = be_arg_type(call, 0);
  p->n_spatial = n_spatial;
  p->result = be_with_dtype(call, be_result_type(call, 0), la_opmath(p->type->dtype));
  if (!p->result) return BUDDY_OUT_OF_MEMORY;
  if (p->type->rank < n_spatial || p->type->rank + n_spatial > BE_MAX_RANK) {
    return be_decline(call, "pooling a tensor of rank %u", p->type->rank);
  }
  p->n_lead = p->type->rank - n_spatial;
  return BUDDY_OK;
}

/* self, kernel_size, stride, padding; `dilation` 0: the row has none. */
static buddy_code read_pool(buddy_call *call, uint32_t n_spatial, size_t dilation, size_t ceil_mode,
                            pool *p) {
  const buddy_code code = read_dims(call, n_spatial, p);
  if (code != BUDDY_OK) return code;
  p->has_ceil = be_bool(call, ceil_mode);
  for (uint32_t d = 0; d < n_spatial; ++d) {
    p->kernel[d] = be_int_at(call, 1, d, 1);
    p->stride[d] = be_int_at(call, 2, d, p->kernel[d]);
    p->padding[d] = be_int_at(call, 3, d, 0);
    p->dilation[d] = dilation != 0 ? be_int_at(call, dilation, d, 1) : 1;
    p->reach[d] = reach_of(p, d);
    p->high[d] = p->has_ceil ? high_padding(call, p, d) : p->padding[d];
  }
  return BUDDY_OK;
}

/* The input in the dtype computed in, with `edge` around it. */
static MlirValue padded_input(buddy_call *call, pool *p, MlirValue edge) {
  const uint32_t rank = p->type->rank;
  const buddy_tensor_type *from = be_with_dtype(call, p->type, p->result->dtype);
  int64_t low[BE_MAX_RANK] = {0}, high[BE_MAX_RANK] = {0}, dims[BE_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) dims[d] = p->type->dims[d];
  for (uint32_t d = 0; d < p->n_spatial; ++d) {
    const uint32_t axis = p->n_lead + d;
    low[axis] = p->padding[d];
    high[axis] = p->high[d];
    dims[axis] =
        be_dim(call, BUDDY_DIM_ADD, dims[axis], be_dim(call, BUDDY_DIM_ADD, low[axis], high[axis]));
  }
  p->padded = be_type(call, p->result->dtype, rank, dims);
  return la_padded(call, la_tensor_as(call, 0, p->result->dtype), from, low, high, edge, p->padded);
}

/* ---- Windows ---- */

/* Over the padded input (elements[0]); elements[1] is the window's, without a value; `more` is of
 * the result's dims. */
static MlirValue over_windows(buddy_call *call, const pool *p, MlirValue input, MlirValue more,
                              MlirValue init, const buddy_tensor_type *to, be_body_fn body) {
  const uint32_t rank = p->type->rank, s = p->n_spatial, n_loops = rank + s;
  const buddy_tensor_type *window = be_type(call, p->result->dtype, s, p->reach);
  if (!window || !p->padded || !to) return no_value;
  MlirAffineExpr in[BE_MAX_RANK], kernel[BE_MAX_RANK], out[BE_MAX_RANK];
  la_loops(call, in, 0, p->n_lead);
  la_loops(call, kernel, rank, s);
  la_loops(call, out, 0, rank);
  for (uint32_t d = 0; d < s; ++d) {
    in[p->n_lead + d] = la_walk(call, p->n_lead + d, p->stride[d], rank + d, p->dilation[d]);
  }
  pool copy = *p;
  const la_affine spec = {
      .n_loops = n_loops,
      .reductions = ((1u << s) - 1) << rank,
      .n_inputs = more.ptr ? 3 : 2,
      .inputs = {input, be_empty(call, window), more},
      .input_dtypes = {p->padded->dtype, window->dtype, p->result->dtype},
      .input_maps = {la_map(call, n_loops, in, rank), la_map(call, n_loops, kernel, s),
                     la_map(call, n_loops, out, rank)},
      .init = init,
      .output_type = to,
      .output_map = la_map(call, n_loops, out, rank),
      .body = body,
      .user = &copy};
  return la_affine_generic(call, &spec);
}

static MlirValue largest(const be_body *body, const MlirValue *elements, void *user) {
  const pool *p = user;
  return la_apply(body, &la_max, p->result->dtype, elements[2], elements[0]);
}

static MlirValue summed(const be_body *body, const MlirValue *elements, void *user) {
  const pool *p = user;
  return la_apply(body, &la_add, p->result->dtype, elements[2], elements[0]);
}

/* ---- Maxima ---- */

/* The position in the unpadded input of window element `kernel` of the result's element. */
static MlirValue position_of(const be_body *body, const pool *p, uint32_t d, MlirValue in_window) {
  const MlirValue begin =
      la_index_mul(body, be_in_loop(body, p->n_lead + d), be_in_index(body, p->stride[d]));
  const MlirValue at =
      la_index_add(body, begin, la_index_mul(body, in_window, be_in_index(body, p->dilation[d])));
  return la_index_sub(body, at, be_in_index(body, p->padding[d]));
}

/* The flat position of the maximum, padding left out: of equal elements the first, and of several NaN
 * the last. A NaN's position is negated (-1 - position), so that the lowest of both is wanted. */
static MlirValue place_of_largest(const be_body *body, const MlirValue *elements, void *user) {
  const pool *p = user;
  const buddy_dtype dtype = p->result->dtype;
  MlirValue matches = be_in_compare(body, "eq", elements[0], elements[2], dtype), is_nan = no_value;
  if (be_is_float(dtype)) {
    is_nan = be_in_compare(body, "ne", elements[0], elements[0], dtype);
    matches = BE_IN(body, "arith.ori", same, matches, is_nan);
  }
  MlirValue flat = be_in_index(body, 0);
  for (uint32_t d = 0; d < p->n_spatial; ++d) {
    const MlirValue at = position_of(body, p, d, be_in_loop(body, p->type->rank + d));
    const MlirValue size = be_in_index(body, p->type->dims[p->n_lead + d]);
    const MlirValue is_inside =
        be_in_compare(body, "lt", at, size, BUDDY_U64); /* unsigned: not negative either */
    matches = BE_IN(body, "arith.andi", same, matches, is_inside);
    flat = la_index_add(body, la_index_mul(body, flat, size), at);
  }
  MlirValue index = la_as_i64(body, flat);
  if (is_nan.ptr) {
    const MlirValue ones = be_in_scalar_int(body, BUDDY_I64, -1);
    index = be_in_select(body, is_nan, BE_IN(body, "arith.xori", same, index, ones), index);
  }
  const MlirValue candidate = be_in_select(body, matches, index, la_above_indices(body, BUDDY_I64));
  return BE_IN(body, "arith.minsi", same, elements[3], candidate);
}

/* What place_of_largest has negated. */
static MlirValue place(const be_body *body, const MlirValue *elements, void *user) {
  (void)user;
  const MlirValue sign =
      BE_IN(body, "arith.shrsi", same, elements[0], be_in_scalar_int(body, BUDDY_I64, 63));
  return BE_IN(body, "arith.xori", same, elements[0], sign);
}

static buddy_code max_results(buddy_call *call, pool *p, MlirValue input, bool has_indices) {
  const be_body block = {call, buddy_mlir_block(call)};
  const MlirValue init = be_filled(call, p->result, la_lowest(&block, p->result->dtype));
  const MlirValue value = over_windows(call, p, input, no_value, init, p->result, largest);
  const buddy_code code = be_result(call, 0, la_cast(call, value, p->result, p->type->dtype));
  if (code != BUDDY_OK || !has_indices) return code;
  const buddy_tensor_type *to = be_result_type(call, 1);
  const MlirValue none = be_filled(call, to, la_above_indices(&block, BUDDY_I64));
  MlirValue places = over_windows(call, p, input, value, none, to, place_of_largest);
  if (be_is_float(p->result->dtype))
    places = be_elementwise(call, to, &places, &to, 1, place, NULL);
  return be_result(call, 1, places);
}

/* self, kernel_size, stride, padding, dilation, ceil_mode; indices as a second result if there is
 * one */
buddy_code la_emit_max_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_pooling *row = self->user;
  pool p = {0};
  const buddy_code code = read_pool(call, row->n_spatial, 4, 5, &p);
  if (code != BUDDY_OK) return code;
  const be_body block = {call, buddy_mlir_block(call)};
  const MlirValue input = padded_input(call, &p, la_lowest(&block, p.result->dtype));
  return max_results(call, &p, input, be_host->n_results(call) == 2);
}

/* ---- Means ---- */

/* How many elements the window of this position has along dim d: those inside the input, or inside
 * its padding. */
static MlirValue count_along(const be_body *body, const pool *p, uint32_t d) {
  const MlirValue zero = be_in_index(body, 0),
                  size = be_in_index(body, p->type->dims[p->n_lead + d]);
  const MlirValue begin = position_of(body, p, d, zero);
  const MlirValue end = la_index_add(body, begin, be_in_index(body, p->kernel[d]));
  const MlirValue edge =
      p->counts_padding ? la_index_add(body, size, be_in_index(body, p->padding[d])) : size;
  const MlirValue last = BE_IN(body, "arith.minsi", same, end, edge);
  const MlirValue first = p->counts_padding ? begin : BE_IN(body, "arith.maxsi", same, begin, zero);
  return la_index_sub(body, last, first);
}

static bool has_whole_windows(const pool *p) {
  if (p->has_ceil) return false;
  for (uint32_t d = 0; d < p->n_spatial; ++d) {
    if (p->padding[d] != 0 && !p->counts_padding) return false;
  }
  return true;
}

static MlirValue divisor_of(const be_body *body, const pool *p) {
  const buddy_dtype dtype = p->result->dtype;
  if (p->divisor != 0) return be_in_scalar(body, dtype, p->divisor);
  int64_t whole = 1;
  for (uint32_t d = 0; d < p->n_spatial; ++d) whole *= p->kernel[d];
  if (has_whole_windows(p)) return be_in_scalar_int(body, dtype, whole);
  MlirValue count = be_in_index(body, 1);
  for (uint32_t d = 0; d < p->n_spatial; ++d)
    count = la_index_mul(body, count, count_along(body, p, d));
  const MlirValue integer = la_as_i64(body, count);
  return be_in_cast(body, integer, BUDDY_I64, dtype);
}

typedef struct division {
  const pool *p;
  buddy_dtype to;
} division;

/* Means of integers are cut towards zero, as PyTorch's are. */
static MlirValue divided(const be_body *body, const MlirValue *elements, void *user) {
  const division *f = user;
  const buddy_dtype dtype = f->p->result->dtype;
  const MlirValue mean = la_divide(body, dtype, elements[0], divisor_of(body, f->p));
  return be_in_cast(body, mean, dtype, f->to);
}

static buddy_code mean_result(buddy_call *call, pool *p) {
  const MlirValue zero = be_scalar_int(call, p->result->dtype, 0);
  const MlirValue input = padded_input(call, p, zero);
  const MlirValue sums =
      over_windows(call, p, input, no_value, be_filled(call, p->result, zero), p->result, summed);
  const buddy_tensor_type *to = be_result_type(call, 0);
  division f = {p, to->dtype};
  return be_result(call, 0, be_elementwise(call, to, &sums, &p->result, 1, divided, &f));
}

/* self, kernel_size, stride, padding, ceil_mode, count_include_pad[, divisor_override] */
buddy_code la_emit_avg_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_pooling *row = self->user;
  pool p = {0};
  const buddy_code code = read_pool(call, row->n_spatial, 0, 4, &p);
  if (code != BUDDY_OK) return code;
  p.counts_padding = be_bool(call, 5);
  p.divisor = row->has_divisor ? be_float(call, 6, 0) : 0;
  return mean_result(call, &p);
}

/* ---- Adaptive pooling: window o of n begins at floor(o * size / n) and ends at ceil((o + 1) *
 * size / n) ---- */

/* Equal windows, side by side. */
static bool has_equal_windows(pool *p) {
  for (uint32_t d = 0; d < p->n_spatial; ++d) {
    const int64_t size = p->type->dims[p->n_lead + d], n = p->result->dims[p->n_lead + d];
    if (BUDDY_IS_SYMBOLIC(n) || BUDDY_IS_SYMBOLIC(size) || n == 0 || size % n != 0) return false;
    p->kernel[d] = p->reach[d] = p->stride[d] = size / n;
    p->dilation[d] = 1;
  }
  return true;
}

static MlirValue window_begin(const be_body *body, const pool *p, uint32_t d, MlirValue o) {
  const MlirValue n = be_in_index(body, p->result->dims[p->n_lead + d]);
  return la_index_div(body, la_index_mul(body, o, be_in_index(body, p->type->dims[p->n_lead + d])),
                      n);
}

/* ceil(o * size / n) */
static MlirValue window_end(const be_body *body, const pool *p, uint32_t d, MlirValue o) {
  const MlirValue n = be_in_index(body, p->result->dims[p->n_lead + d]);
  const MlirValue scaled = la_index_mul(body, o, be_in_index(body, p->type->dims[p->n_lead + d]));
  return la_index_div(body, la_index_add(body, scaled, la_index_sub(body, n, be_in_index(body, 1))),
                      n);
}

/* Windows along one axis: those of several are sums of sums, with far fewer terms. */
typedef struct uneven {
  const pool *p;
  uint32_t d;
  MlirValue input; /* of the dtype computed in */
} uneven;

/* elements: the window's, without a value, and the accumulator. */
static MlirValue uneven_step(const be_body *body, const MlirValue *elements, void *user) {
  const uneven *u = user;
  const pool *p = u->p;
  const uint32_t rank = p->type->rank, axis = p->n_lead + u->d;
  const buddy_dtype dtype = p->result->dtype;
  const MlirValue one = be_in_index(body, 1);
  MlirValue at[BE_MAX_RANK];
  for (uint32_t i = 0; i < rank; ++i) at[i] = be_in_loop(body, i);
  const MlirValue position =
      la_index_add(body, window_begin(body, p, u->d, at[axis]), be_in_loop(body, rank));
  const MlirValue end = window_end(body, p, u->d, la_index_add(body, at[axis], one));
  at[axis] = BE_IN(body, "arith.minsi", same, position, la_index_sub(body, end, one));
  const MlirValue element = la_element(body, u->input, dtype, at, rank);
  const MlirValue more = la_apply(body, &la_add, dtype, elements[1], element);
  return be_in_select(body, be_in_compare(body, "lt", position, end, BUDDY_I64), more, elements[1]);
}

static MlirValue over_uneven_axis(buddy_call *call, uneven *u, const buddy_tensor_type *to) {
  const uint32_t rank = to->rank, axis = u->p->n_lead + u->d;
  const int64_t n = be_dim(call, BUDDY_DIM_MAX, to->dims[axis], 1); /* or none */
  const int64_t whole = be_dim(call, BUDDY_DIM_FLOORDIV, u->p->type->dims[axis], n);
  const int64_t longest =
      be_dim(call, BUDDY_DIM_ADD, whole, 2); /* a window may touch one element more at each end */
  const buddy_tensor_type *window = be_type(call, to->dtype, 1, &longest);
  MlirAffineExpr kernel[BE_MAX_RANK], out[BE_MAX_RANK];
  if (!window) return no_value;
  la_loops(call, kernel, rank, 1);
  la_loops(call, out, 0, rank);
  const la_affine spec = {.n_loops = rank + 1,
                          .reductions = 1u << rank,
                          .n_inputs = 1,
                          .inputs = {be_empty(call, window)},
                          .input_dtypes = {to->dtype},
                          .input_maps = {la_map(call, rank + 1, kernel, 1)},
                          .init = be_filled(call, to, be_scalar_int(call, to->dtype, 0)),
                          .output_type = to,
                          .output_map = la_map(call, rank + 1, out, rank),
                          .body = uneven_step,
                          .user = u};
  return la_affine_generic(call, &spec);
}

/* The axes in order: what is summed first lies in lines. */
static MlirValue over_uneven_windows(buddy_call *call, const pool *p) {
  uneven u = {p, 0, la_tensor_as(call, 0, p->result->dtype)};
  int64_t dims[BE_MAX_RANK];
  for (uint32_t i = 0; i < p->type->rank; ++i) dims[i] = p->type->dims[i];
  for (; u.d < p->n_spatial && u.input.ptr; ++u.d) {
    dims[p->n_lead + u.d] = p->result->dims[p->n_lead + u.d];
    const buddy_tensor_type *to = be_type(call, p->result->dtype, p->type->rank, dims);
    u.input = to ? over_uneven_axis(call, &u, to) : no_value;
  }
  return u.input;
}

static MlirValue uneven_mean(const be_body *body, const MlirValue *elements, void *user) {
  const division *f = user;
  const buddy_dtype dtype = f->p->result->dtype;
  MlirValue count = be_in_index(body, 1);
  for (uint32_t d = 0; d < f->p->n_spatial; ++d) {
    const MlirValue o = be_in_loop(body, f->p->n_lead + d);
    const MlirValue end = window_end(body, f->p, d, la_index_add(body, o, be_in_index(body, 1)));
    count = la_index_mul(body, count, la_index_sub(body, end, window_begin(body, f->p, d, o)));
  }
  const MlirValue integer = la_as_i64(body, count);
  const MlirValue divisor = be_in_cast(body, integer, BUDDY_I64, dtype);
  return be_in_cast(body, la_divide(body, dtype, elements[0], divisor), dtype, f->to);
}

/* One window over everything: an ordinary reduction, which also fuses. */
static buddy_code global_mean(buddy_call *call, const pool *p) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  const uint64_t axes = ((UINT64_C(1) << p->n_spatial) - 1) << p->n_lead;
  const la_reduction r = {.value = be_tensor(call, 0),
                          .type = p->type,
                          .axes = axes,
                          .dtype = p->result->dtype,
                          .combine = &la_add};
  const int64_t count = la_count(call, p->type, axes);
  const buddy_tensor_type *kept = la_kept(call, p->type, axes, p->result->dtype);
  return be_result(call, 0,
                   la_finished(call, la_reduce(call, &r), kept, to, la_divided_by_count, &count));
}

static bool is_global(const pool *p) {
  for (uint32_t d = 0; d < p->n_spatial; ++d) {
    if (p->result->dims[p->n_lead + d] != 1) return false;
  }
  return true;
}

/* self, output_size */
buddy_code la_emit_adaptive_avg_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_pooling *row = self->user;
  pool p = {0};
  const buddy_code code = read_dims(call, row->n_spatial, &p);
  if (code != BUDDY_OK) return code;
  la_ignore(call, 1, 1); /* the result's dims have it */
  if (is_global(&p)) return global_mean(call, &p);
  if (has_equal_windows(&p)) return mean_result(call, &p);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue sums = over_uneven_windows(call, &p);
  division f = {&p, to->dtype};
  return be_result(call, 0, be_elementwise(call, to, &sums, &p.result, 1, uneven_mean, &f));
}

/* self, output_size; the indices of the maxima, its second result, only for equal windows */
buddy_code la_emit_adaptive_max_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_pooling *row = self->user;
  pool p = {0};
  const buddy_code code = read_dims(call, row->n_spatial, &p);
  if (code != BUDDY_OK) return code;
  la_ignore(call, 1, 1);
  if (!has_equal_windows(&p)) return be_decline(call, "maxima over windows of different sizes");
  const be_body block = {call, buddy_mlir_block(call)};
  const MlirValue input = padded_input(call, &p, la_lowest(&block, p.result->dtype));
  return max_results(call, &p, input, be_host->n_results(call) == 2);
}

/* ---- Windows as columns ---- */

/* How many windows there are along dim d: (size + 2 * padding - dilation * (kernel - 1) - 1) /
 * stride + 1 */
static int64_t count_windows(buddy_call *call, const pool *p, uint32_t d) {
  const int64_t reach = p->dilation[d] * (p->kernel[d] - 1) + 1;
  const int64_t room =
      be_dim(call, BUDDY_DIM_ADD, p->type->dims[p->n_lead + d], 2 * p->padding[d] - reach);
  return be_dim(call, BUDDY_DIM_ADD, be_dim(call, BUDDY_DIM_FLOORDIV, room, p->stride[d]), 1);
}

/* Loops: leading dims, window's dims, result's dims: what the result has, collapsed. */
static buddy_code columns_of(buddy_call *call, pool *p) {
  const uint32_t n = p->n_lead + 4;
  int64_t dims[BE_MAX_RANK];
  MlirAffineExpr in[BE_MAX_RANK], out[BE_MAX_RANK];
  for (uint32_t d = 0; d < p->n_lead; ++d) dims[d] = p->type->dims[d];
  la_loops(call, in, 0, p->n_lead);
  la_loops(call, out, 0, n);
  for (uint32_t d = 0; d < 2; ++d) {
    dims[p->n_lead + d] = p->kernel[d];
    dims[p->n_lead + 2 + d] = count_windows(call, p, d);
    in[p->n_lead + d] =
        la_walk(call, p->n_lead + 2 + d, p->stride[d], p->n_lead + d, p->dilation[d]);
  }
  const MlirValue input = padded_input(call, p, be_scalar_int(call, p->result->dtype, 0));
  const buddy_tensor_type *to = be_type(call, p->result->dtype, n, dims);
  if (!to || !p->padded) return be_result(call, 0, no_value);
  const la_affine spec = {.n_loops = n,
                          .n_inputs = 1,
                          .inputs = {input},
                          .input_dtypes = {p->result->dtype},
                          .input_maps = {la_map(call, n, in, p->type->rank)},
                          .init = be_empty(call, to),
                          .output_type = to,
                          .output_map = la_map(call, n, out, n),
                          .body = la_first};
  return be_result(call, 0, be_reshape(call, la_affine_generic(call, &spec), to, p->result));
}

/* im2col: self, kernel_size, dilation, padding, stride */
buddy_code la_emit_im2col(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  pool p = {.type = be_arg_type(call, 0), .result = be_result_type(call, 0), .n_spatial = 2};
  if (p.type->rank < 3 || p.type->rank > 4)
    return be_decline(call, "an input of rank %u", p.type->rank);
  p.n_lead = p.type->rank - 2;
  for (uint32_t d = 0; d < 2; ++d) {
    p.kernel[d] = be_int_at(call, 1, d, 1);
    p.dilation[d] = be_int_at(call, 2, d, 1);
    p.padding[d] = p.high[d] = be_int_at(call, 3, d, 0);
    p.stride[d] = be_int_at(call, 4, d, 1);
  }
  return columns_of(call, &p);
}

const la_pooling la_pool_1d = {.n_spatial = 1}, la_pool_2d = {.n_spatial = 2},
                 la_pool_3d = {.n_spatial = 3}, la_avg_pool_1d = {.n_spatial = 1},
                 la_avg_pool_2d = {.n_spatial = 2, .has_divisor = true},
                 la_avg_pool_3d = {.n_spatial = 3, .has_divisor = true};
