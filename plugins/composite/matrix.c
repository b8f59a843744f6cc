// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/matrix.c: norms, products and powers of matrices, in terms of products, sums
 * and, where there is no other way, of decompositions. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* ---- Norms ----------------------------------------------------------------------------------- */

static value vector_norm(buddy_call *call, value x, double ord, const int64_t *dims, size_t n) {
  if (!x) return NULL;
  const buddy_tensor_type *type = cp_type(call, x);
  int64_t kept[BE_MAX_RANK];
  memcpy(kept, type->dims, type->rank * sizeof(*kept));
  for (size_t i = 0; i < n; ++i) kept[dims[i]] = 1;
  return BE_NODE(call, "aten.linalg_vector_norm.default",
                 be_type(call, cp_real_of(type->dtype), type->rank, kept), be_t("self", x),
                 be_f("ord", ord), be_is("dim", dims, n), be_b("keepdim", 1));
}

static value least(buddy_call *call, value a, uint32_t dim) {
  value lowest = cp_amax(call, cp_unary(call, "aten.neg.default", a), UINT64_C(1) << dim, 1);
  return cp_unary(call, "aten.neg.default", lowest);
}

/* The singular values of the matrices over two dims, the largest first, in the place of the second
 * one; the first is 1. */
static value singular_values(buddy_call *call, value x, uint32_t row, uint32_t column) {
  const buddy_tensor_type *type = cp_type(call, x);
  int64_t perm[BE_MAX_RANK], dims[BE_MAX_RANK];
  uint32_t n = 0;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (d != row && d != column) perm[n++] = d;
  }
  perm[n] = row;
  perm[n + 1] = column;
  for (uint32_t k = 0; k < n; ++k) dims[k] = type->dims[perm[k]];
  dims[n] = be_dim(call, BUDDY_DIM_MIN, type->dims[row], type->dims[column]);
  value matrices = cp_permute(call, x, perm);
  value s = matrices
                ? BE_NODE(call, "aten.linalg_svdvals.default",
                          be_type(call, cp_real_of(type->dtype), n + 1, dims), be_t("A", matrices))
                : NULL;
  /* back: [batch, k] to the rank of x, 1 at the row */
  int64_t spread[BE_MAX_RANK], back[BE_MAX_RANK];
  memcpy(spread, dims, (n + 1) * sizeof(*spread));
  spread[n + 1] = 1;
  for (uint32_t k = 0; k < n; ++k) back[perm[k]] = k;
  back[column] = n;
  back[row] = n + 1;
  return cp_permute(call, cp_view(call, s, type->rank, spread), back);
}

/* The largest along a dim, which is 0 where there is none: norms are not negative. */
static value largest(buddy_call *call, value a, uint32_t dim) {
  if (!a) return NULL;
  const buddy_tensor_type *type = cp_type(call, a);
  value none = cp_full(call, be_type(call, type->dtype, 0, NULL), 0);
  return cp_binary(call, "aten.maximum.default", cp_amax(call, a, UINT64_C(1) << dim, 1), none);
}

/* ord: 2 and -2 by singular values, 1 and inf by sums; NaN: the sum of singular values */
static value matrix_norm(buddy_call *call, value x, double ord, uint32_t row, uint32_t column) {
  if (!x) return NULL;
  if (fabs(ord) == 2 || isnan(ord)) {
    value s = singular_values(call, x, row, column);
    if (isnan(ord)) return cp_sum(call, s, UINT64_C(1) << column, 1);
    return ord > 0 ? largest(call, s, column) : s ? least(call, s, column) : NULL;
  }
  const uint32_t summed = fabs(ord) == 1 ? row : column, other = fabs(ord) == 1 ? column : row;
  value sums = cp_sum(call, cp_unary(call, "aten.abs.default", x), UINT64_C(1) << summed, 1);
  return ord > 0 ? largest(call, sums, other) : sums ? least(call, sums, other) : NULL;
}

/* The order that a name stands for; NaN: nuclear. */
static int named_order(const buddy_arg *arg, double *ord) {
  *ord = 2;
  if (arg->kind != BUDDY_ARG_STRING || strcmp(arg->as.string, "fro") == 0) return 1;
  *ord = NAN;
  return strcmp(arg->as.string, "nuc") == 0;
}

/* The argument in the type that its norm is computed in. */
static value normed(buddy_call *call) {
  value x = be_arg_value(call, 0);
  if (!x) return NULL;
  const buddy_dtype to = cp_compute_dtype(be_result_type(call, 0)->dtype);
  if (!be_is_complex(cp_type(call, x)->dtype)) return cp_cast(call, x, to);
  return cp_cast(call, x, to == BUDDY_F64 ? BUDDY_C128 : BUDDY_C64);
}

/* linalg_matrix_norm: self, ord, dim, keepdim, dtype; user: ord is a name */
buddy_code cp_op_matrix_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  value x = normed(call);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank;
  int64_t dims[2] = {be_int_at(call, 2, 0, -2), be_int_at(call, 2, 1, -1)};
  for (int i = 0; i < 2; ++i) dims[i] += dims[i] < 0 ? rank : 0;
  double ord = self->user ? 2 : be_float(call, 1, 2);
  if (self->user && !named_order(be_arg(call, 1), &ord)) return be_decline(call, "an unknown norm");
  if (self->user && !isnan(ord)) return cp_finish_shaped(call, 0, vector_norm(call, x, 2, dims, 2));
  if (fabs(ord) != 1 && fabs(ord) != 2 && !isinf(ord) && !isnan(ord))
    return be_decline(call, "a matrix norm of order %g", ord);
  return cp_finish_shaped(call, 0, matrix_norm(call, x, ord, (uint32_t)dims[0], (uint32_t)dims[1]));
}

/* linalg_norm, norm: self, ord, dim, keepdim, dtype: of vectors or of matrices, as the dims say */
buddy_code cp_op_any_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  value x = normed(call);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank;
  const buddy_arg *list = be_arg(call, 2);
  int64_t dims[BE_MAX_RANK];
  size_t n = 0;
  if (list->kind == BUDDY_ARG_INT) dims[n++] = list->as.i;
  for (; list->kind == BUDDY_ARG_INTS && n < list->n && n < BE_MAX_RANK; ++n)
    dims[n] = list->as.ints[n];
  const bool has_dims = n > 0;
  for (; !has_dims && n < rank; ++n) dims[n] = (int64_t)n;
  for (size_t i = 0; i < n; ++i) dims[i] += dims[i] < 0 ? rank : 0;
  const bool is_name = self->user != NULL, has_order = !be_is_none(call, 1);
  double ord = is_name ? 2 : be_float(call, 1, 2);
  if (is_name && !named_order(be_arg(call, 1), &ord)) return be_decline(call, "an unknown norm");
  const bool is_frobenius = is_name && !isnan(ord);
  if (has_order && !is_frobenius && n == 2 && (has_dims || rank == 2)) {
    if (fabs(ord) != 1 && fabs(ord) != 2 && !isinf(ord) && !isnan(ord))
      return be_decline(call, "a matrix norm of order %g", ord);
    return cp_finish_shaped(call, 0,
                            matrix_norm(call, x, ord, (uint32_t)dims[0], (uint32_t)dims[1]));
  }
  return cp_finish_shaped(call, 0, vector_norm(call, x, ord, dims, n));
}

/* frobenius_norm.dim, nuclear_norm[.dim]: self, dim, keepdim; user: the order's name */
buddy_code cp_op_named_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  value x = normed(call);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank;
  const buddy_arg *list = be_arg(call, 1);
  const bool has_dims = list->kind == BUDDY_ARG_INTS && list->n > 0;
  int64_t dims[BE_MAX_RANK];
  size_t n = has_dims ? list->n : rank;
  if (n > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK);
  for (size_t i = 0; i < n; ++i) {
    dims[i] = has_dims ? list->as.ints[i] : (int64_t)i;
    dims[i] += dims[i] < 0 ? rank : 0;
  }
  if (strcmp(self->user, "fro") == 0)
    return cp_finish_shaped(call, 0, vector_norm(call, x, 2, dims, n));
  if (n != 2) return be_decline(call, "a nuclear norm over %zu dims", n);
  return cp_finish_shaped(call, 0, matrix_norm(call, x, NAN, (uint32_t)dims[0], (uint32_t)dims[1]));
}

/* The norm over all dims but one (dim -1: none is left), which keeps it. */
static value norm_except(buddy_call *call, value v, double ord, int64_t dim) {
  const uint32_t rank = cp_type(call, v)->rank;
  int64_t dims[BE_MAX_RANK];
  size_t n = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    if ((int64_t)d != dim) dims[n++] = d;
  }
  return vector_norm(call, v, ord, dims, n);
}

/* norm_except_dim: v, pow, dim */
buddy_code cp_op_norm_except_dim(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value v = be_arg_value(call, 0);
  if (!v) return cp_finish(call, NULL);
  v = cp_cast(call, v, cp_compute_dtype(cp_type(call, v)->dtype));
  return cp_finish_shaped(call, 0, norm_except(call, v, be_float(call, 1, 2), be_int(call, 2, 0)));
}

/* _weight_norm[_interface]: v, g, dim: v g / |v|; the second also gives the norms */
buddy_code cp_op_weight_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value v = be_arg_value(call, 0), g = be_arg_value(call, 1);
  if (!v || !g) return cp_finish(call, NULL);
  const buddy_dtype dtype = cp_compute_dtype(cp_type(call, v)->dtype);
  value wide = cp_cast(call, v, dtype);
  int64_t dim = be_int(call, 2, 0);
  /* The interface counts -1 as the last dim, the other as none. */
  if (dim < 0 && be_host->n_results(call) > 1) dim += cp_type(call, v)->rank;
  value norm = norm_except(call, wide, 2, dim);
  const buddy_code code =
      cp_finish(call, cp_mul(call, wide, cp_div(call, cp_cast(call, g, dtype), norm)));
  if (code != BUDDY_OK || be_host->n_results(call) < 2) return code;
  return cp_finish_shaped(call, 1, norm);
}

/* _weight_norm_interface_backward: grad_w, saved_v, saved_g, saved_norms, dim */
buddy_code cp_op_weight_norm_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value gradient = cp_computed(call, 0), v = cp_computed(call, 1);
  value g = cp_computed(call, 2), norm = cp_computed(call, 3);
  const buddy_tensor_type *type = cp_type(call, v);
  if (!type || !gradient || !g || !norm) return cp_finish(call, NULL);
  const uint64_t others =
      cp_all_axes(type->rank) & ~(UINT64_C(1) << be_axis(call, 4, type->rank, 0));
  value along = cp_div(call, cp_sum(call, cp_mul(call, gradient, v), others, 1), norm);
  value across = cp_sub(call, gradient, cp_mul(call, v, cp_div(call, along, norm)));
  const buddy_code code = cp_finish(call, cp_mul(call, cp_div(call, g, norm), across));
  return code == BUDDY_OK ? cp_finish_shaped(call, 1, along) : code;
}

/* ---- Products -------------------------------------------------------------------------------- */

static value rolled(buddy_call *call, value a, int64_t by, int64_t dim) {
  return a ? BE_NODE(call, "aten.roll.default", cp_type(call, a), be_t("self", a),
                     be_is("shifts", &by, 1), be_is("dims", &dim, 1))
           : NULL;
}

/* cross, linalg_cross: self, other, dim (None: the first of size 3) */
buddy_code cp_op_cross(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0), b = be_arg_value(call, 1);
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (!a || !b) return cp_finish(call, NULL);
  int64_t dim = be_axis(call, 2, to->rank, -1);
  for (uint32_t d = 0; dim < 0 && d < to->rank; ++d) {
    if (to->dims[d] == 3) dim = d;
  }
  if (dim < 0) return be_decline(call, "no dim is of size 3");
  a = cp_expand(call, cp_cast(call, a, to->dtype), to->rank, to->dims);
  b = cp_expand(call, cp_cast(call, b, to->dtype), to->rank, to->dims);
  value one = cp_mul(call, rolled(call, a, -1, dim), rolled(call, b, 1, dim));
  value other = cp_mul(call, rolled(call, a, 1, dim), rolled(call, b, -1, dim));
  return cp_finish(call, cp_sub(call, one, other));
}

/* linalg_vecdot: x, y, dim: the sum of conj(x) y */
buddy_code cp_op_vecdot(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = be_arg_value(call, 0), y = be_arg_value(call, 1);
  if (!x || !y) return cp_finish(call, NULL);
  const buddy_dtype dtype = cp_compute_dtype(to->dtype);
  x = cp_cast(call, x, dtype);
  y = cp_cast(call, y, dtype);
  value product = cp_mul(call, cp_conjugate(call, x), y);
  if (!product) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, product)->rank;
  return cp_finish(call, cp_sum(call, product, UINT64_C(1) << be_axis(call, 2, rank, rank - 1), 0));
}

static value matrix_product(buddy_call *call, value a, value b) {
  if (!a || !b) return NULL;
  const int64_t dims[2] = {cp_type(call, a)->dims[0], cp_type(call, b)->dims[1]};
  return BE_NODE(call, "aten.mm.default", be_type(call, cp_type(call, a)->dtype, 2, dims),
                 be_t("self", a), be_t("mat2", b));
}

/* The dims of `type` that are (or are not) in the list, in its order (or in theirs). */
static uint32_t pick(const buddy_tensor_type *type, const int64_t *list, size_t n, int in_list,
                     int64_t *out) {
  uint32_t count = 0;
  for (size_t i = 0; in_list && i < n; ++i) out[count++] = list[i];
  for (uint32_t d = 0; !in_list && d < type->rank; ++d) {
    bool is_listed = false;
    for (size_t i = 0; i < n; ++i) is_listed |= list[i] == (int64_t)d;
    if (!is_listed) out[count++] = d;
  }
  return count;
}

/* a as a matrix: the listed dims are its columns, or its rows, as one. */
static value as_matrix(buddy_call *call, value a, const int64_t *list, size_t n, bool are_columns) {
  const buddy_tensor_type *type = cp_type(call, a);
  int64_t perm[BE_MAX_RANK], dims[2] = {1, 1};
  uint32_t first = pick(type, list, n, !are_columns, perm);
  pick(type, list, n, are_columns, perm + first);
  for (uint32_t k = 0; k < type->rank; ++k) {
    int64_t *dim = &dims[k < first ? 0 : 1];
    *dim = be_dim(call, BUDDY_DIM_MUL, *dim, type->dims[perm[k]]);
  }
  return cp_view(call, cp_permute(call, a, perm), 2, dims);
}

static buddy_code contracted(buddy_call *call, const int64_t *left, const int64_t *right,
                             size_t n) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  value a = cp_cast(call, be_arg_value(call, 0), to->dtype),
        b = cp_cast(call, be_arg_value(call, 1), to->dtype);
  if (!a || !b) return cp_finish(call, NULL);
  /* A contracted dim of size 1 stands for the other's: it is summed first. */
  uint64_t sums[2] = {0, 0};
  for (size_t i = 0; i < n; ++i) {
    const int64_t l = cp_type(call, a)->dims[left[i]], r = cp_type(call, b)->dims[right[i]];
    if (l == 1 && r != 1) sums[1] |= UINT64_C(1) << right[i];
    if (r == 1 && l != 1) sums[0] |= UINT64_C(1) << left[i];
  }
  a = cp_sum(call, a, sums[0], 1);
  b = cp_sum(call, b, sums[1], 1);
  if (!a || !b) return cp_finish(call, NULL);
  return cp_finish_shaped(
      call, 0,
      matrix_product(call, as_matrix(call, a, left, n, 1), as_matrix(call, b, right, n, 0)));
}

/* tensordot: self, other, dims_self, dims_other */
buddy_code cp_op_tensordot(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *lists[2] = {be_arg(call, 2), be_arg(call, 3)};
  int64_t dims[2][BE_MAX_RANK];
  const size_t n = lists[0]->kind == BUDDY_ARG_INTS ? lists[0]->n : 0;
  if (n > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK);
  if (n != (lists[1]->kind == BUDDY_ARG_INTS ? lists[1]->n : 0))
    return be_decline(call, "one tensor has more dims to contract than the other");
  for (size_t k = 0; k < 2; ++k) {
    const uint32_t rank = be_arg_type(call, k)->rank;
    for (size_t i = 0; i < n; ++i) {
      dims[k][i] = lists[k]->as.ints[i];
      dims[k][i] += dims[k][i] < 0 ? rank : 0;
    }
  }
  return contracted(call, dims[0], dims[1], n);
}

/* inner: self, other: over the last dim of both; a number is a factor */
buddy_code cp_op_inner(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *a = be_arg_type(call, 0), *b = be_arg_type(call, 1);
  if (a->rank == 0 || b->rank == 0)
    return cp_finish(call, cp_mul(call, be_arg_value(call, 0), be_arg_value(call, 1)));
  const int64_t left = a->rank - 1, right = b->rank - 1;
  return contracted(call, &left, &right, 1);
}

/* kron: self, other: dims a0 b0, a1 b1, … */
buddy_code cp_op_kron(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value parts[2];
  if (2 * to->rank > BE_MAX_RANK) return be_decline(call, "rank %u", to->rank);
  for (size_t k = 0; k < 2; ++k) {
    const buddy_tensor_type *type = be_arg_type(call, k);
    int64_t dims[BE_MAX_RANK];
    for (uint32_t d = 0; d < to->rank; ++d) {
      const uint32_t front = to->rank - type->rank;
      dims[2 * d + k] = d < front ? 1 : type->dims[d - front];
      dims[2 * d + 1 - k] = 1;
    }
    parts[k] = cp_view(call, be_arg_value(call, k), 2 * to->rank, dims);
  }
  return cp_finish_shaped(call, 0, cp_mul(call, parts[0], parts[1]));
}

/* self, a, b, beta, alpha: beta self + alpha product; self does not count if beta is 0 */
static buddy_code added(buddy_call *call, value product) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  return cp_finish(call, cp_expand(call, cp_added(call, product), to->rank, to->dims));
}

buddy_code cp_op_addbmm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  /* Of no matrices PyTorch takes any dtypes. */
  const buddy_dtype dtype = be_result_type(call, 0)->dtype;
  value product = cp_matmul(call, cp_cast(call, be_arg_value(call, 1), dtype),
                            cp_cast(call, be_arg_value(call, 2), dtype));
  const buddy_tensor_type *type = cp_type(call, product);
  if (!type) return cp_finish(call, NULL);
  /* a sum of integers is i64 */
  return added(call, cp_cast(call, cp_sum(call, product, 1, 0), type->dtype));
}

buddy_code cp_op_addr(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *rows = be_arg_type(call, 1);
  const int64_t column[2] = {rows->dims[0], 1};
  return added(
      call, cp_mul(call, cp_view(call, be_arg_value(call, 1), 2, column), be_arg_value(call, 2)));
}

/* _int_mm: self, mat2: products of bytes, added up in 32 bits */
buddy_code cp_op_int_mm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return cp_finish(call, matrix_product(call, cp_cast(call, be_arg_value(call, 0), BUDDY_I32),
                                        cp_cast(call, be_arg_value(call, 1), BUDDY_I32)));
}

/* trace: self */
buddy_code cp_op_trace(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0);
  if (!x) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, x);
  const int64_t n = be_dim(call, BUDDY_DIM_MIN, type->dims[0], type->dims[1]);
  value diagonal =
      BE_NODE(call, "aten.diagonal.default", be_type(call, type->dtype, 1, &n), be_t("self", x));
  const buddy_dtype wide = cp_compute_dtype(be_result_type(call, 0)->dtype);
  return cp_finish(call, diagonal ? cp_sum(call, cp_cast(call, diagonal, wide), 1, 0) : NULL);
}

/* linalg_diagonal: A, offset, dim1, dim2 */
buddy_code cp_op_linalg_diagonal(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const uint32_t rank = be_arg_type(call, 0)->rank;
  return be_replace(call, 0,
                    BE_NODE(call, "aten.diagonal.default", be_result_type(call, 0),
                            be_t("self", be_arg_value(call, 0)), be_pass(call, "offset", 1),
                            be_i("dim1", be_axis(call, 2, rank, rank - 2)),
                            be_i("dim2", be_axis(call, 3, rank, rank - 1))));
}

/* mH, adjoint, matrix_H: the last two dims swapped, and conjugated */
buddy_code cp_op_adjoint(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank;
  return be_replace(call, 0,
                    cp_conjugate(call, rank < 2 ? x : cp_swap(call, x, rank - 2, rank - 1)));
}

/* ---- Chains and powers ----------------------------------------------------------------------- */

enum { MAX_CHAIN = 32 };

/* The product of matrices i … j, split where the fewest multiplications are. */
static value chain(buddy_call *call, const value *parts, uint8_t split[MAX_CHAIN][MAX_CHAIN],
                   size_t i, size_t j) {
  if (i == j) return parts[i];
  const size_t k = split[i][j];
  return matrix_product(call, chain(call, parts, split, i, k), chain(call, parts, split, k + 1, j));
}

static double size_at(buddy_call *call, value part, int dim) {
  const int64_t size = cp_type(call, part)->dims[dim];
  return BUDDY_IS_SYMBOLIC(size) ? 256 : (double)size;
}

/* linalg_multi_dot, chain_matmul: tensors; the first and the last may be vectors. Of splits that cost the same
 * PyTorch takes the first, but of three matrices the product of the first two. */
buddy_code cp_op_multi_dot(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *tensors = be_arg(call, 0);
  const size_t n = tensors->n;
  value parts[MAX_CHAIN];
  double cost[MAX_CHAIN][MAX_CHAIN] = {{0}};
  uint8_t split[MAX_CHAIN][MAX_CHAIN] = {{0}};
  if (n < 1 || n > MAX_CHAIN) return be_decline(call, "a chain of %zu matrices", n);
  for (size_t i = 0; i < n; ++i) {
    parts[i] = tensors->as.tensors[i];
    const buddy_tensor_type *type = cp_type(call, parts[i]);
    if (type->rank == 2) continue;
    const int64_t dims[2] = {i == 0 ? 1 : type->dims[0], i == 0 ? type->dims[0] : 1};
    parts[i] = cp_view(call, parts[i], 2, dims);
    if (!parts[i]) return cp_finish(call, NULL);
  }
  for (size_t length = 2; length <= n; ++length) {
    for (size_t i = 0; i + length <= n; ++i) {
      const size_t j = i + length - 1;
      cost[i][j] = INFINITY;
      for (size_t k = i; k < j; ++k) {
        const double here =
            cost[i][k] + cost[k + 1][j] +
            size_at(call, parts[i], 0) * size_at(call, parts[k], 1) * size_at(call, parts[j], 1);
        if (here < cost[i][j] || (n == 3 && here == cost[i][j]))
          cost[i][j] = here, split[i][j] = (uint8_t)k;
      }
    }
  }
  return cp_finish_shaped(call, 0, chain(call, parts, split, 0, n - 1));
}

static value identity_like(buddy_call *call, value a) {
  const buddy_tensor_type *type = cp_type(call, a);
  const int64_t dims[2] = {type->dims[type->rank - 1], type->dims[type->rank - 1]};
  value eye = BE_NODE(call, "aten.eye.default", be_type(call, type->dtype, 2, dims),
                      be_i("n", dims[0]), be_d("dtype", type->dtype));
  return cp_expand(call, eye, type->rank, type->dims);
}

/* linalg_matrix_power, matrix_power: self, n: by squaring; of the inverse for negative ones */
buddy_code cp_op_matrix_power(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0), product = NULL;
  int64_t n = be_int(call, 1, 1);
  if (!x || n < -1024 || n > 1024) return be_decline(call, "the power %lld", (long long)n);
  if (n == 0) return cp_finish(call, identity_like(call, x));
  if (n < 0) {
    x = BE_NODE(call, "aten.linalg_inv.default", cp_type(call, x), be_t("A", x));
    n = -n;
  }
  for (; n > 0 && x; n >>= 1) {
    if (n & 1) product = product ? cp_matmul(call, product, x) : x;
    if (n > 1) x = cp_matmul(call, x, x);
  }
  return cp_finish(call, product);
}

/* bilinear: input1, input2, weight, bias */
buddy_code cp_op_bilinear(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const value tensors[] = {be_arg_value(call, 0), be_arg_value(call, 2), be_arg_value(call, 1)};
  value bias = be_arg_value(call, 3);
  if (!tensors[0] || !tensors[1] || !tensors[2]) return cp_finish(call, NULL);
  value product = BE_NODE(call, "aten.einsum.default", to, be_s("equation", "...i,oij,...j->...o"),
                          be_ts("tensors", tensors, 3));
  return cp_finish(call, be_is_none(call, 3) ? product : cp_add(call, product, bias));
}

/* _trilinear: i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim: the sum over sumdim of the
 * product, each tensor with the dims that its list adds */
buddy_code cp_op_trilinear(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_dtype dtype = cp_compute_dtype(be_result_type(call, 0)->dtype);
  value product = NULL;
  uint32_t rank = 0;
  for (size_t k = 0; k < 3; ++k) {
    value x = be_arg_value(call, k);
    const buddy_arg *list = be_arg(call, 3 + k);
    const size_t n = list->kind == BUDDY_ARG_INTS ? list->n : 0;
    if (!x) return cp_finish(call, NULL);
    const buddy_tensor_type *type = cp_type(call, x);
    rank = type->rank + (uint32_t)n;
    if (rank > BE_MAX_RANK) return be_decline(call, "rank %u is above %d", rank, BE_MAX_RANK);
    int64_t dims[BE_MAX_RANK];
    for (uint32_t d = 0, own = 0; d < rank; ++d) {
      bool is_added = false;
      for (size_t i = 0; i < n; ++i) is_added |= list->as.ints[i] == (int64_t)d;
      dims[d] = is_added || own >= type->rank ? 1 : type->dims[own++];
    }
    x = cp_view(call, cp_cast(call, x, dtype), rank, dims);
    product = product ? cp_mul(call, product, x) : x;
  }
  return cp_finish_shaped(call, 0, cp_sum(call, product, be_axes(call, 6, rank), 1));
}
