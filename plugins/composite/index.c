// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/index.c: reads and writes by position in terms of gather, scatter and
 * index_put; products of sets; small elementwise ops that are a formula of others. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* ---- Positions ------------------------------------------------------------------------------- */

/* self, indices, max_norm, norm_type: the rows that the indices name, scaled down to the norm */
buddy_code cp_op_embedding_renorm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value table = cp_computed(call, 0), index = cp_flat(call, be_arg_value(call, 1));
  const buddy_tensor_type *type = cp_type(call, table);
  const double largest = be_float(call, 2, 1);
  if (!type || !index) return cp_finish(call, NULL);
  const int64_t column[2] = {type->dims[0], 1}, dim = 1;
  value norm =
      BE_NODE(call, "aten.linalg_vector_norm.default", be_type(call, type->dtype, 2, column),
              be_t("self", table), be_f("ord", be_float(call, 3, 2)), be_is("dim", &dim, 1),
              be_b("keepdim", 1));
  value none = cp_full(call, be_type(call, type->dtype, 1, column), 0);
  if (!norm || !none) return cp_finish(call, NULL);
  value named = BE_NODE(call, "aten.scatter.value", cp_type(call, none), be_t("self", none),
                        be_i("dim", 0), be_t("index", index), be_i("value", 1));
  value is_named = cp_number(call, "aten.ne.Tensor", cp_view(call, named, 2, column), 0);
  value is_long = cp_number(call, "aten.gt.Tensor", norm, largest);
  value scale = cp_binary(call, "aten.div.Tensor", cp_scalar(call, type->dtype, largest),
                          cp_add_number(call, norm, 1e-7));
  value is_cut = cp_binary(call, "aten.logical_and.default", is_named, is_long);
  return cp_finish(call, cp_where(call, is_cut, cp_mul(call, table, scale), table));
}

/* put: self, index, source, accumulate: index_put into self as if flat */
buddy_code cp_op_put(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_flat(call, be_arg_value(call, 0)), index = cp_flat(call, be_arg_value(call, 1)),
        source = cp_flat(call, be_arg_value(call, 2));
  if (!x || !index || !source) return cp_finish(call, NULL);
  value result =
      BE_NODE(call, "aten.index_put.default", cp_type(call, x), be_t("self", x),
              be_ts("indices", &index, 1), be_t("values", source), be_pass(call, "accumulate", 3));
  return cp_finish_shaped(call, 0, result);
}

/* repeat_interleave.self_Tensor: self, repeats, dim, output_size */
buddy_code cp_op_repeat_interleave_by(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = be_arg_value(call, 0), repeats = be_arg_value(call, 1);
  if (x && be_is_none(call, 2)) x = cp_flat(call, x);
  if (!x || !repeats || to->rank == 0) return cp_finish(call, NULL);
  const uint32_t dim = be_is_none(call, 2) ? 0 : (uint32_t)be_axis(call, 2, to->rank, 0);
  const int64_t n = cp_type(call, x)->dims[dim];
  if (cp_type(call, repeats)->rank == 0 || cp_type(call, repeats)->dims[0] == 1)
    repeats = cp_expand(call, cp_view(call, repeats, 1, (const int64_t[]){1}), 1, &n);
  if (!repeats) return cp_finish(call, NULL);
  const bool has_size = !be_is_none(call, 3);
  const buddy_tensor_type *list = be_type(call, cp_type(call, repeats)->dtype, 1, &to->dims[dim]);
  value at = has_size
                 ? BE_NODE(call, "aten.repeat_interleave.Tensor", list, be_t("repeats", repeats),
                           be_pass(call, "output_size", 3))
                 : BE_NODE(call, "aten.repeat_interleave.Tensor", list, be_t("repeats", repeats));
  return be_replace(call, 0,
                    at ? BE_NODE(call, "aten.index_select.default", to, be_t("self", x),
                                 be_i("dim", dim), be_t("index", at))
                       : NULL);
}

/* n - k, at least none. */
static int64_t less(buddy_call *call, int64_t n, int64_t k) {
  return be_dim(call, BUDDY_DIM_MAX, be_dim(call, BUDDY_DIM_SUB, n, k), 0);
}

/* tril_indices, triu_indices: row, col, offset: the positions, row by row, of those that are (user:
 * 0) not above the diagonal, or (1) not below it. Rows and columns that have none are left out first:
 * of the others at least every second element is one. */
buddy_code cp_op_triangle_indices(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  int64_t rows = be_size(call, 0, 0), columns = be_size(call, 1, 0);
  const int64_t offset = be_int(call, 2, 0);
  int64_t row = 0, column = 0; /* the first of each */
  if (self->user) {
    rows = be_dim(call, BUDDY_DIM_MIN, rows, less(call, columns, offset));
    column = offset > 0 ? offset : 0;
    columns = less(call, columns, column);
  } else {
    columns = be_dim(call, BUDDY_DIM_MIN, columns, less(call, rows, -offset));
    row = offset < 0 ? -offset : 0;
    rows = less(call, rows, row);
  }
  const int64_t dims[2] = {rows, columns}, row_dims[2] = {rows, 1};
  const buddy_tensor_type *grid = be_type(call, BUDDY_I64, 2, dims);
  value gap = cp_sub(call, cp_iota(call, columns, BUDDY_I64),
                     cp_view(call, cp_iota(call, rows, BUDDY_I64), 2, row_dims));
  value is_in = cp_number(call, self->user ? "aten.ge.Tensor" : "aten.le.Tensor", gap,
                          (double)(offset + row - column));
  if (!is_in || !grid) return cp_finish(call, NULL);
  const int64_t list[2] = {to->dims[1], 2};
  value positions = BE_NODE(call, "aten.nonzero_static.default", be_type(call, BUDDY_I64, 2, list),
                            be_t("self", is_in), be_i("size", to->dims[1]));
  positions = cp_swap(call, positions, 0, 1);
  if (row == column) return cp_finish(call, positions); /* one of them is 0 */
  const int64_t step = column - row, pair[2] = {2, 1};
  value first =
      BE_NODE(call, "aten.arange.start_step", be_type(call, BUDDY_I64, 1, pair), be_i("start", row),
              be_i("end", row + 2 * step), be_i("step", step), be_d("dtype", BUDDY_I64));
  return cp_finish(call, cp_add(call, positions, cp_view(call, first, 2, pair)));
}

/* diagflat: self, offset */
buddy_code cp_op_diagflat(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_flat(call, be_arg_value(call, 0));
  return be_replace(call, 0,
                    x ? BE_NODE(call, "aten.diag_embed.default", be_result_type(call, 0),
                                be_t("self", x), be_pass(call, "offset", 1))
                      : NULL);
}

/* block_diag: tensors: each in rows and columns of its own, padded by zeros on both sides */
buddy_code cp_op_block_diag(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *tensors = be_arg(call, 0);
  const buddy_tensor_type *to = be_result_type(call, 0);
  value *parts = be_host->scratch(call, (tensors->n + 1) * sizeof(value));
  if (!parts) return BUDDY_OUT_OF_MEMORY;
  int64_t left = 0;
  for (size_t i = 0; i < tensors->n; ++i) {
    value x = tensors->as.tensors[i];
    const buddy_tensor_type *type = cp_type(call, x);
    const int64_t dims[2] = {type->rank == 2 ? type->dims[0] : 1,
                             type->rank == 0 ? 1 : type->dims[type->rank - 1]};
    const int64_t padded[2] = {dims[0], to->dims[1]};
    const int64_t right =
        be_dim(call, BUDDY_DIM_SUB, be_dim(call, BUDDY_DIM_SUB, to->dims[1], left), dims[1]);
    x = cp_cast(call, cp_view(call, x, 2, dims), to->dtype);
    parts[i] = x ? BE_NODE(call, "aten.constant_pad_nd.default",
                           be_type(call, to->dtype, 2, padded), be_t("self", x),
                           be_is("pad", (const int64_t[]){left, right}, 2), be_i("value", 0))
                 : NULL;
    if (!parts[i]) return cp_finish(call, NULL);
    left = be_dim(call, BUDDY_DIM_ADD, left, dims[1]);
  }
  return be_replace(
      call, 0,
      BE_NODE(call, "aten.cat.default", to, be_ts("tensors", parts, tensors->n), be_i("dim", 0)));
}

/* ---- Sets ------------------------------------------------------------------------------------ */

/* cartesian_prod: tensors: column i repeats tensor i over the others' dims */
buddy_code cp_op_cartesian_prod(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *tensors = be_arg(call, 0);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const size_t n = tensors->n;
  if (n == 1) return be_replace(call, 0, tensors->as.tensors[0]);
  if (n > BE_MAX_RANK) return be_decline(call, "more than %d tensors", BE_MAX_RANK);
  int64_t grid[BE_MAX_RANK];
  value columns[BE_MAX_RANK];
  for (size_t i = 0; i < n; ++i) grid[i] = cp_type(call, tensors->as.tensors[i])->dims[0];
  const int64_t column[2] = {to->dims[0], 1};
  for (size_t i = 0; i < n; ++i) {
    int64_t dims[BE_MAX_RANK];
    for (size_t d = 0; d < n; ++d) dims[d] = d == i ? grid[d] : 1;
    value axis = cp_view(call, tensors->as.tensors[i], (uint32_t)n, dims);
    columns[i] = cp_view(call, cp_expand(call, axis, (uint32_t)n, grid), 2, column);
    if (!columns[i]) return cp_finish(call, NULL);
  }
  return be_replace(
      call, 0, BE_NODE(call, "aten.cat.default", to, be_ts("tensors", columns, n), be_i("dim", 1)));
}

/* combinations: self, r, with_replacement: the positions in a grid of r dims whose coordinates
 * ascend */
buddy_code cp_op_combinations(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = be_arg_value(call, 0);
  const int64_t r = be_int(call, 1, 2);
  const int repeats = be_bool(call, 2);
  if (!x || r < 1 || r > BE_MAX_RANK || to->rank != 2)
    return be_decline(call, "combinations of %lld", (long long)r);
  const int64_t n = cp_type(call, x)->dims[0];
  int64_t grid[BE_MAX_RANK];
  for (int64_t d = 0; d < r; ++d) grid[d] = n;
  value is_in = NULL, before = NULL;
  for (int64_t i = 0; i < r; ++i) {
    int64_t dims[BE_MAX_RANK];
    for (int64_t d = 0; d < r; ++d) dims[d] = d == i ? n : 1;
    value at = cp_view(call, cp_iota(call, n, BUDDY_I64), (uint32_t)r, dims);
    if (before) {
      value ascends = cp_binary(call, repeats ? "aten.ge.Tensor" : "aten.gt.Tensor", at, before);
      is_in = is_in ? cp_binary(call, "aten.logical_and.default", is_in, ascends) : ascends;
    }
    before = at;
  }
  if (!is_in) is_in = cp_full(call, be_type(call, BUDDY_BOOL, 1, &n), 1);
  is_in = cp_expand(call, is_in, (uint32_t)r, grid);
  const buddy_tensor_type *list = be_type(call, BUDDY_I64, 2, to->dims);
  if (!is_in || !list) return cp_finish(call, NULL);
  /* How many there are only the program knows, or n says. */
  value positions = BUDDY_IS_SYMBOLIC(to->dims[0])
                        ? BE_NODE(call, "aten.nonzero.default", list, be_t("self", is_in))
                        : BE_NODE(call, "aten.nonzero_static.default", list, be_t("self", is_in),
                                  be_i("size", to->dims[0]));
  return be_replace(
      call, 0,
      positions ? BE_NODE(call, "aten.take.default", to, be_t("self", x), be_t("index", positions))
                : NULL);
}

/* vander: x, N, increasing; linalg_vander: x, N (user: always increasing) */
buddy_code cp_op_vander(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = be_arg_value(call, 0);
  const bool is_increasing = self->user || be_bool(call, 2);
  const int64_t n = to->dims[to->rank - 1];
  if (!x || to->rank > BE_MAX_RANK) return cp_finish(call, NULL);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, to->dims, to->rank * sizeof(*dims));
  dims[to->rank - 1] = 1;
  const buddy_tensor_type *wide = be_with_dtype(call, to, to->dtype);
  value column = cp_view(call, cp_cast(call, x, to->dtype), to->rank, dims);
  /* The first power is 1, each other one the one before times x. */
  value at = cp_expand(call, column, to->rank, to->dims);
  value position = cp_iota(call, n, BUDDY_I64);
  value is_one = position ? cp_number(call, "aten.eq.Tensor", position, 0) : NULL;
  value factors = cp_where(call, is_one, cp_scalar(call, to->dtype, 1), at);
  value powers = factors && wide ? BE_NODE(call, "aten.cumprod.default", wide,
                                           be_t("self", factors), be_i("dim", to->rank - 1))
                                 : NULL;
  if (is_increasing || !powers) return cp_finish(call, powers);
  return cp_finish(call, BE_NODE(call, "aten.flip.default", to, be_t("self", powers),
                                 be_is("dims", (const int64_t[]){to->rank - 1}, 1)));
}

/* ---- Formulas -------------------------------------------------------------------------------- */

/* sum_to_size: self, size: sums over what the size has not, and where it has 1 */
buddy_code cp_op_sum_to_size(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = be_arg_value(call, 0);
  if (!x) return cp_finish(call, NULL);
  const buddy_tensor_type *from = cp_type(call, x);
  const uint32_t front = from->rank - to->rank;
  uint64_t axes = 0;
  for (uint32_t d = 0; d < from->rank; ++d) {
    const bool is_summed = d < front || (to->dims[d - front] == 1 && from->dims[d] != 1);
    if (is_summed) axes |= UINT64_C(1) << d;
  }
  value sum = axes ? cp_sum(call, x, axes, 1) : x;
  return cp_finish_shaped(call, 0, sum);
}

/* isclose: self, other, rtol, atol, equal_nan: |a - b| <= atol + rtol |b|, in finite numbers */
buddy_code cp_op_isclose(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0), b = be_arg_value(call, 1);
  const int equal_nan = be_bool(call, 4);
  value is_close = cp_binary(call, "aten.eq.Tensor", a, b);
  if (!a || !b || !is_close) return cp_finish(call, NULL);
  const buddy_dtype dtype = cp_type(call, a)->dtype;
  if (equal_nan && (be_is_float(dtype) || be_is_complex(dtype))) {
    value both =
        cp_binary(call, "aten.logical_and.default", cp_binary(call, "aten.ne.Tensor", a, a),
                  cp_binary(call, "aten.ne.Tensor", b, b));
    is_close = cp_binary(call, "aten.logical_or.default", is_close, both);
  }
  if (cp_is_number(call, 2, 0) && cp_is_number(call, 3, 0)) return cp_finish(call, is_close);
  if (!be_is_float(dtype) && !be_is_complex(dtype)) {
    a = cp_cast(call, a, BUDDY_F32);
    b = cp_cast(call, b, BUDDY_F32);
  }
  value gap = cp_unary(call, "aten.abs.default", cp_sub(call, a, b));
  value size = cp_unary(call, "aten.abs.default", b);
  value bound = cp_by(call, "aten.add.Tensor", cp_by(call, "aten.mul.Tensor", size, 2), 3);
  value is_near = cp_binary(call, "aten.le.Tensor", gap, bound);
  value is_finite = gap ? cp_unary(call, "aten.isfinite.default", gap) : NULL;
  value counts = cp_binary(call, "aten.logical_and.default", is_near, is_finite);
  return cp_finish(call, cp_binary(call, "aten.logical_or.default", is_close, counts));
}

/* isreal: self */
buddy_code cp_op_isreal(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0), *from = be_arg_type(call, 0);
  if (!be_is_complex(from->dtype)) return be_replace(call, 0, cp_full(call, to, 1));
  value part = BE_NODE(call, "aten.imag.default",
                       be_with_dtype(call, from, from->dtype == BUDDY_C128 ? BUDDY_F64 : BUDDY_F32),
                       be_t("self", be_arg_value(call, 0)));
  return cp_finish(call, part ? cp_number(call, "aten.eq.Tensor", part, 0) : NULL);
}

/* isin with a number in place of one of the tensors: elements, test_elements, assume_unique,
 * invert; user: which of the two it is */
buddy_code cp_op_isin_number(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const size_t number = (size_t)(intptr_t)self->user, tensor = 1 - number;
  const buddy_tensor_type *type = be_arg_type(call, tensor), *to = be_result_type(call, 0);
  const buddy_dtype dtype =
      be_arg(call, number)->kind == BUDDY_ARG_FLOAT && !be_is_float(type->dtype) ? BUDDY_F32
                                                                                 : type->dtype;
  value x = cp_cast(call, be_arg_value(call, tensor), dtype);
  value n =
      x ? BE_NODE(call, "aten.full.default", be_type(call, dtype, 0, NULL), be_is("size", NULL, 0),
                  be_pass(call, "fill_value", number), be_d("dtype", dtype))
        : NULL;
  return be_replace(
      call, 0,
      n ? BE_NODE(call, "aten.isin.Tensor_Tensor", to, be_t("elements", number == 0 ? n : x),
                  be_t("test_elements", number == 0 ? x : n), be_pass(call, "assume_unique", 2),
                  be_pass(call, "invert", 3))
        : NULL);
}

/* float_power: self, exponent, in f64 or c128; user: which of the two is a number, plus 1 */
buddy_code cp_op_float_power(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  static const char *const ops[] = {"aten.pow.Tensor_Tensor", "aten.pow.Scalar",
                                    "aten.pow.Tensor_Scalar"};
  const size_t number = (size_t)(intptr_t)self->user;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value a = number == 1 ? NULL : cp_cast(call, be_arg_value(call, 0), to->dtype),
        b = number == 2 ? NULL : cp_cast(call, be_arg_value(call, 1), to->dtype);
  if ((number != 1 && !a) || (number != 2 && !b)) return cp_finish(call, NULL);
  return be_replace(
      call, 0,
      BE_NODE(call, ops[number], to, number == 1 ? be_pass(call, "self", 0) : be_t("self", a),
              number == 2 ? be_pass(call, "exponent", 1) : be_t("exponent", b)));
}

/* ldexp: self 2^other */
buddy_code cp_op_ldexp(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = be_arg_value(call, 0), n = be_arg_value(call, 1);
  if (!x || !n) return cp_finish(call, NULL);
  /* PyTorch's power of two: in the default float type for integers. */
  const buddy_dtype of = cp_type(call, n)->dtype;
  const buddy_dtype power = be_is_float(of) || be_is_complex(of) ? of : BUDDY_F32;
  value scale = BE_NODE(call, "aten.pow.Scalar", be_with_dtype(call, cp_type(call, n), power),
                        be_f("self", 2), be_t("exponent", cp_cast(call, n, power)));
  const buddy_dtype wide = cp_compute_dtype(to->dtype);
  return cp_finish(call,
                   cp_mul(call, cp_cast(call, x, wide), scale ? cp_cast(call, scale, wide) : NULL));
}

/* mvlgamma: self, p: the sum of lgamma(x - j / 2) for j below p, and p (p - 1) / 4 log(pi) */
buddy_code cp_op_mvlgamma(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0), sum = NULL;
  const int64_t p = be_int(call, 1, 1);
  if (!x || p < 1 || p > 64) return be_decline(call, "p is %lld", (long long)p);
  for (int64_t j = 0; j < p; ++j) {
    value term =
        cp_unary(call, "aten.lgamma.default", j == 0 ? x : cp_add_number(call, x, -(double)j / 2));
    sum = sum ? cp_add(call, sum, term) : term;
  }
  const double constant = (double)(p * (p - 1)) / 4 * 1.14472988584940017414;
  return cp_finish(call, p == 1 ? sum : cp_add_number(call, sum, constant));
}

/* angle of real numbers: pi below zero; NaN stays */
buddy_code cp_op_real_angle(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = be_arg_value(call, 0);
  x = x ? cp_cast(call, x, to->dtype) : NULL;
  value below = cp_number(call, "aten.lt.Tensor", x, 0);
  value angle = cp_where(call, below, cp_scalar(call, to->dtype, 3.14159265358979323846),
                         cp_scalar(call, to->dtype, 0));
  return cp_finish(call, cp_where(call, cp_binary(call, "aten.ne.Tensor", x, x), x, angle));
}

/* sgn of complex numbers: x / |x|, and 0 of 0 */
buddy_code cp_op_complex_sgn(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_result_type(call, 0);
  value x = be_arg_value(call, 0);
  value size = x ? cp_cast(call, cp_unary(call, "aten.abs.default", x), type->dtype) : NULL;
  value is_zero = cp_number(call, "aten.eq.Tensor", x, 0);
  return cp_finish(call,
                   cp_where(call, is_zero, cp_scalar(call, type->dtype, 0), cp_div(call, x, size)));
}

/* msort: self: along the first dim */
buddy_code cp_op_msort(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value sorted[2];
  value x = be_arg_value(call, 0);
  if (x && cp_type(call, x)->rank == 0) return be_replace(call, 0, x);
  return be_replace(call, 0, cp_sort(call, x, 0, 0, sorted) ? sorted[0] : NULL);
}

/* An end of logspace, which whole numbers cut to whole numbers first. */
static buddy_named_arg exponent(buddy_call *call, const char *name, size_t i, bool is_whole) {
  value end = be_arg_value(call, i);
  if (!is_whole) return be_pass(call, name, i);
  if (!end) return be_f(name, trunc(be_float(call, i, 0)));
  return be_t(name, cp_cast(call, end, BUDDY_I64));
}

/* logspace: start, end, steps, base, …: base^linspace; user: which of linspace's overloads */
buddy_code cp_op_logspace(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const bool is_whole = !be_is_float(to->dtype) && !be_is_complex(to->dtype);
  const bool is_wide = is_whole || to->dtype == BUDDY_F64 || to->dtype == BUDDY_C128;
  const buddy_dtype wide = is_wide ? BUDDY_F64 : BUDDY_F32;
  const buddy_tensor_type *type = be_type(call, wide, 1, to->dims);
  value exponents = type ? BE_NODE(call, self->user, type, exponent(call, "start", 0, is_whole),
                                   exponent(call, "end", 1, is_whole), be_pass(call, "steps", 2),
                                   be_d("dtype", wide))
                         : NULL;
  return cp_finish(
      call, exponents ? BE_NODE(call, "aten.pow.Scalar", type, be_f("self", be_float(call, 3, 10)),
                                be_t("exponent", exponents))
                      : NULL);
}

/* searchsorted: sorted_sequence, self, sorter, …: of the sequence as the sorter orders it */
buddy_code cp_op_searchsorted(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  value sequence = be_arg_value(call, 0), sorter = be_arg_value(call, 2);
  if (!sequence || !sorter) return be_decline(call, "without a sorter it is simple");
  const buddy_tensor_type *type = cp_type(call, sequence);
  value sorted = cp_gather(call, sequence, type->rank - 1, sorter);
  return be_replace(
      call, 0,
      sorted ? BE_NODE(call, self->user, be_result_type(call, 0), be_t("sorted_sequence", sorted),
                       be_pass(call, "self", 1), be_pass(call, "out_int32", 3),
                       be_pass(call, "right", 4), be_pass(call, "side", 5))
             : NULL);
}
