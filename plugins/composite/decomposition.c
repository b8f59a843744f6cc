// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/decomposition.c: what follows from singular values, eigenvalues, solutions and
 * inverses, which a registry with a linear algebra library gives. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* The last two dims swapped, and conjugated. */
static value adjoint(buddy_call *call, value a) {
  if (!a) return NULL;
  const uint32_t rank = cp_type(call, a)->rank;
  return cp_conjugate(call, cp_swap(call, a, rank - 2, rank - 1));
}

/* a with a dim of size 1 more: at the end, or before the last one. */
static value widened(buddy_call *call, value a, int at_end) {
  if (!a) return NULL;
  const buddy_tensor_type *type = cp_type(call, a);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[type->rank] = 1;
  if (!at_end) {
    dims[type->rank] = dims[type->rank - 1];
    dims[type->rank - 1] = 1;
  }
  return cp_view(call, a, type->rank + 1, dims);
}

/* The type of a's dims with the last two replaced (rank of the result: a's, or one less with n
 * 0). */
static const buddy_tensor_type *with_last(buddy_call *call, value a, buddy_dtype dtype, int64_t m,
                                          int64_t n, bool is_vector) {
  const buddy_tensor_type *type = cp_type(call, a);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[type->rank - 2] = m;
  if (!is_vector) dims[type->rank - 1] = n;
  return be_type(call, dtype, type->rank - (is_vector ? 1 : 0), dims);
}

/* U, S and V^H of the smaller size. */
static int reduced_svd(buddy_call *call, value a, value *out) {
  const buddy_tensor_type *type = cp_type(call, a);
  const int64_t m = type->dims[type->rank - 2], n = type->dims[type->rank - 1];
  const int64_t k = be_dim(call, BUDDY_DIM_MIN, m, n);
  const buddy_tensor_type *u = with_last(call, a, type->dtype, m, k, 0),
                          *s = with_last(call, a, cp_real_of(type->dtype), k, 0, 1),
                          *vh = with_last(call, a, type->dtype, k, n, 0);
  if (!u || !s || !vh) return 0;
  const buddy_tensor_type types[] = {*u, *s, *vh};
  const buddy_named_arg args[] = {be_t("A", a), be_b("full_matrices", 0)};
  return be_host->node(call, "aten.linalg_svd.default", args, 2, types, 3, out) == BUDDY_OK;
}

static value singular_values(buddy_call *call, value a) {
  const buddy_tensor_type *type = cp_type(call, a);
  const int64_t k =
      be_dim(call, BUDDY_DIM_MIN, type->dims[type->rank - 2], type->dims[type->rank - 1]);
  return BE_NODE(call, "aten.linalg_svdvals.default",
                 with_last(call, a, cp_real_of(type->dtype), k, 0, 1), be_t("A", a));
}

static value largest(buddy_call *call, value s) {
  return s ? cp_amax(call, s, UINT64_C(1) << (cp_type(call, s)->rank - 1), 1) : NULL;
}

/* ---- svd ------------------------------------------------------------------------------------- */

/* svd: self, some, compute_uv; V in place of V^H, and zeros if they are not computed */
buddy_code cp_op_svd(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0), parts[3];
  if (!a) return cp_finish(call, NULL);
  const bool has_vectors = be_bool(call, 2), is_full = !be_bool(call, 1);
  const buddy_tensor_type *u = be_result_type(call, 0), *s = be_result_type(call, 1),
                          *v = be_result_type(call, 2);
  buddy_code code;
  if (!has_vectors) {
    code = be_replace(call, 0, cp_full(call, u, 0));
    if (code == BUDDY_OK) code = be_replace(call, 1, singular_values(call, a));
    return code == BUDDY_OK ? be_replace(call, 2, cp_full(call, v, 0)) : code;
  }
  const int64_t rows = v->dims[v->rank - 1], columns = v->dims[v->rank - 2];
  const buddy_tensor_type *vh = with_last(call, a, v->dtype, rows, columns, 0);
  if (!vh) return cp_finish(call, NULL);
  const buddy_tensor_type types[] = {*u, *s, *vh};
  const buddy_named_arg args[] = {be_t("A", a), be_b("full_matrices", is_full)};
  code = be_host->node(call, "aten.linalg_svd.default", args, 2, types, 3, parts);
  if (code == BUDDY_OK) code = be_replace(call, 0, parts[0]);
  if (code == BUDDY_OK) code = be_replace(call, 1, parts[1]);
  return code == BUDDY_OK ? be_replace(call, 2, adjoint(call, parts[2])) : code;
}

/* ---- Ranks and pseudo-inverses --------------------------------------------------------------- */

/* A tolerance argument: a number, or a tensor of the batch dims; null if it is None. */
static value tolerance(buddy_call *call, size_t i, buddy_dtype dtype) {
  if (be_is_none(call, i)) return NULL;
  value t = be_arg_value(call, i);
  if (!t) return cp_scalar(call, dtype, be_float(call, i, 0));
  t = cp_cast(call, t, dtype);
  return t && cp_type(call, t)->rank > 0 ? widened(call, t, 1) : t;
}

/* max(atol, rtol times the largest value); rtol's default, where there is no atol, is the larger
 * size times the unit of the last place. */
static value threshold(buddy_call *call, value a, value s, value atol, value rtol) {
  const buddy_tensor_type *type = cp_type(call, a);
  const buddy_dtype dtype = cp_real_of(type->dtype);
  const double epsilon = dtype == BUDDY_F64 ? DBL_EPSILON : FLT_EPSILON;
  if (!rtol && !atol) {
    const int64_t size =
        be_dim(call, BUDDY_DIM_MAX, type->dims[type->rank - 2], type->dims[type->rank - 1]);
    value unit = cp_scalar(call, dtype, epsilon);
    rtol = cp_dim(call, "aten.mul.Tensor", unit, size);
  }
  value relative = rtol ? cp_mul(call, rtol, largest(call, s)) : cp_scalar(call, dtype, 0);
  return atol ? cp_binary(call, "aten.maximum.default", atol, relative) : relative;
}

/* Overloads name their tolerances differently: atol and rtol, one that is relative (rcond), or one
 * that is absolute (tol). */
enum { BOTH = 0, RELATIVE = 1, ABSOLUTE = 2, NEVER_HERMITIAN = 4 };

typedef struct tolerances {
  value atol, rtol;
  bool is_hermitian;
} tolerances;

static tolerances read_tolerances(buddy_call *call, intptr_t form, buddy_dtype dtype) {
  tolerances t = {0};
  const intptr_t kind = form & 3;
  if (kind == BOTH) {
    t.atol = tolerance(call, 1, dtype);
    t.rtol = tolerance(call, 2, dtype);
  } else if (kind == RELATIVE) {
    t.rtol = tolerance(call, 1, dtype);
  } else {
    t.atol = tolerance(call, 1, dtype);
  }
  t.is_hermitian = !(form & NEVER_HERMITIAN) && be_bool(call, kind == BOTH ? 3 : 2);
  return t;
}

/* linalg_matrix_rank: self, tolerances, hermitian: how many singular values count */
buddy_code cp_op_matrix_rank(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  value a = be_arg_value(call, 0);
  if (!a) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, a);
  const buddy_dtype dtype = cp_real_of(type->dtype);
  const tolerances t = read_tolerances(call, (intptr_t)self->user, dtype);
  value s = singular_values(call, a);
  if (t.is_hermitian) {
    s = cp_unary(
        call, "aten.abs.default",
        BE_NODE(call, "aten.linalg_eigvalsh.default",
                with_last(call, a, dtype, type->dims[type->rank - 1], 0, 1), be_t("self", a)));
  }
  if (!s) return cp_finish(call, NULL);
  value counts = cp_binary(call, "aten.gt.Tensor", s, threshold(call, a, s, t.atol, t.rtol));
  return cp_finish(call, counts ? cp_sum(call, cp_cast(call, counts, BUDDY_I64),
                                         UINT64_C(1) << (cp_type(call, s)->rank - 1), 0)
                                : NULL);
}

/* 1 / s where s counts, else 0 */
static value inverted(buddy_call *call, value s, value sizes, value limit) {
  value counts = cp_binary(call, "aten.gt.Tensor", sizes, limit);
  return cp_where_number(call, counts, cp_unary(call, "aten.reciprocal.default", s), 0);
}

/* linalg_pinv, pinverse: self, tolerances, hermitian: V S^-1 U^H */
buddy_code cp_op_pinv(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  value a = be_arg_value(call, 0), parts[3] = {NULL, NULL, NULL};
  if (!a) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, a);
  const buddy_dtype dtype = cp_real_of(type->dtype);
  const tolerances t = read_tolerances(call, (intptr_t)self->user, dtype);
  if (t.is_hermitian) {
    const buddy_tensor_type *w = with_last(call, a, dtype, type->dims[type->rank - 1], 0, 1);
    if (!w) return cp_finish(call, NULL);
    const buddy_tensor_type types[] = {*w, *type};
    const buddy_named_arg args[] = {be_t("self", a)};
    if (be_host->node(call, "aten.linalg_eigh.default", args, 1, types, 2, parts) != BUDDY_OK)
      return cp_finish(call, NULL);
    value sizes = cp_unary(call, "aten.abs.default", parts[0]);
    value inverse = inverted(call, parts[0], sizes, threshold(call, a, sizes, t.atol, t.rtol));
    value scaled = cp_mul(call, parts[1],
                          inverse ? cp_cast(call, widened(call, inverse, 0), type->dtype) : NULL);
    return cp_finish(call, cp_matmul(call, scaled, adjoint(call, parts[1])));
  }
  if (!reduced_svd(call, a, parts)) return cp_finish(call, NULL);
  value inverse = inverted(call, parts[1], parts[1], threshold(call, a, parts[1], t.atol, t.rtol));
  value scaled =
      cp_mul(call, inverse ? cp_cast(call, widened(call, inverse, 1), type->dtype) : NULL,
             adjoint(call, parts[0]));
  return cp_finish(call, cp_matmul(call, adjoint(call, parts[2]), scaled));
}

/* ---- Condition numbers ----------------------------------------------------------------------- */

static value norm_by(buddy_call *call, value a) {
  const buddy_arg *p = be_arg(call, 1);
  const buddy_tensor_type *type = cp_type(call, a);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  const buddy_tensor_type *to = be_type(call, cp_real_of(type->dtype), type->rank - 2, dims);
  if (p->kind == BUDDY_ARG_STRING)
    return BE_NODE(call, "aten.linalg_matrix_norm.str_ord", to, be_t("self", a),
                   be_s("ord", p->as.string));
  return BE_NODE(call, "aten.linalg_matrix_norm.default", to, be_t("self", a),
                 be_f("ord", be_float(call, 1, 2)));
}

/* linalg_cond: self, p: the norm times that of the inverse; infinite for singular matrices */
buddy_code cp_op_cond(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0);
  const buddy_arg *p = be_arg(call, 1);
  if (!a) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, a);
  const double order =
      p->kind == BUDDY_ARG_STRING || p->kind == BUDDY_ARG_NONE ? 2 : be_float(call, 1, 2);
  if (p->kind != BUDDY_ARG_STRING && fabs(order) == 2) {
    value s = singular_values(call, a);
    if (!s) return cp_finish(call, NULL);
    const uint32_t last = cp_type(call, s)->rank - 1;
    const int64_t k = cp_type(call, s)->dims[last], has_any = be_dim(call, BUDDY_DIM_MIN, k, 1);
    value high = cp_slice(call, s, last, 0, has_any, 1),
          low = cp_slice(call, s, last, be_dim(call, BUDDY_DIM_SUB, k, has_any), has_any, 1);
    value ratio = order > 0 ? cp_div(call, high, low) : cp_div(call, low, high);
    return cp_finish(call,
                     ratio ? cp_sum(call, ratio, UINT64_C(1) << last, 0) : NULL); /* 0 of nothing */
  }
  value parts[2];
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  const buddy_tensor_type *info = be_type(call, BUDDY_I32, type->rank - 2, dims);
  if (!info) return cp_finish(call, NULL);
  const buddy_tensor_type types[] = {*type, *info};
  const buddy_named_arg args[] = {be_t("A", a)};
  if (be_host->node(call, "aten.linalg_inv_ex.default", args, 1, types, 2, parts) != BUDDY_OK)
    return cp_finish(call, NULL);
  value product = cp_mul(call, norm_by(call, a), norm_by(call, parts[0]));
  value is_sound = cp_number(call, "aten.eq.Tensor", parts[1], 0);
  return cp_finish(call, cp_where_number(call, is_sound, product, INFINITY));
}

/* logdet: self: NaN for negative determinants; of complex numbers, the principal logarithm */
buddy_code cp_op_logdet(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0), parts[2];
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (!a) return cp_finish(call, NULL);
  const buddy_tensor_type types[] = {
      *to, {.dtype = cp_real_of(to->dtype), .rank = to->rank, .dims = to->dims}};
  const buddy_named_arg args[] = {be_t("A", a)};
  if (be_host->node(call, "aten.linalg_slogdet.default", args, 1, types, 2, parts) != BUDDY_OK)
    return cp_finish(call, NULL);
  if (be_is_complex(to->dtype))
    return cp_finish(call, cp_add(call, cp_unary(call, "aten.log.default", parts[0]), parts[1]));
  value is_negative = cp_number(call, "aten.lt.Tensor", parts[0], 0);
  return cp_finish(call, cp_where(call, is_negative, cp_scalar(call, to->dtype, NAN), parts[1]));
}

/* ---- Tensors as matrices --------------------------------------------------------------------- */

static int64_t product_of(buddy_call *call, const int64_t *dims, uint32_t first, uint32_t last) {
  int64_t product = 1;
  for (uint32_t d = first; d < last; ++d) product = be_dim(call, BUDDY_DIM_MUL, product, dims[d]);
  return product;
}

/* linalg_tensorinv: self, ind: the first ind dims are the rows */
buddy_code cp_op_tensorinv(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0);
  if (!a) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, a);
  const uint32_t ind = (uint32_t)be_int(call, 1, 2);
  if (ind == 0 || ind >= type->rank) return be_decline(call, "ind is %u", ind);
  const int64_t dims[2] = {product_of(call, type->dims, 0, ind),
                           product_of(call, type->dims, ind, type->rank)};
  value matrix = cp_view(call, a, 2, dims);
  value inverse =
      matrix ? BE_NODE(call, "aten.linalg_inv.default", cp_type(call, matrix), be_t("A", matrix))
             : NULL;
  return cp_finish_shaped(call, 0, inverse);
}

/* linalg_tensorsolve: self, other, dims, which are moved to the end first */
buddy_code cp_op_tensorsolve(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0), b = be_arg_value(call, 1);
  const buddy_arg *list = be_arg(call, 2);
  if (!a || !b) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, a)->rank;
  int64_t perm[BE_MAX_RANK];
  uint32_t n = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    bool is_moved = false;
    for (size_t i = 0; list->kind == BUDDY_ARG_INTS && i < list->n; ++i)
      is_moved |= (list->as.ints[i] + (list->as.ints[i] < 0 ? rank : 0)) == (int64_t)d;
    if (!is_moved) perm[n++] = d;
  }
  for (size_t i = 0; n < rank && i < list->n; ++i)
    perm[n++] = list->as.ints[i] + (list->as.ints[i] < 0 ? rank : 0);
  a = cp_permute(call, a, perm);
  if (!a) return cp_finish(call, NULL);
  const int64_t size = be_n_elements(call, cp_type(call, b)), dims[2] = {size, size};
  value matrix = cp_view(call, a, 2, dims), vector = cp_view(call, b, 1, &size);
  value x = matrix && vector ? BE_NODE(call, "aten.linalg_solve.default", cp_type(call, vector),
                                       be_t("A", matrix), be_t("B", vector))
                             : NULL;
  return cp_finish_shaped(call, 0, x);
}

/* _linalg_check_errors: info, api_name, is_matrix: no error number is set */
buddy_code cp_op_check_errors(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value info = be_arg_value(call, 0);
  const char *api = be_arg(call, 1)->as.string;
  if (!info) return be_decline(call, "it checks no tensor");
  const buddy_tensor_type *flag = be_type(call, BUDDY_BOOL, 0, NULL);
  value is_sound = cp_number(call, "aten.eq.Tensor", info, 0);
  value all =
      is_sound && flag ? BE_NODE(call, "aten.all.default", flag, be_t("self", is_sound)) : NULL;
  static const char text[] = "%s: a matrix is singular, or not what the function is for";
  const size_t room = strlen(api) + sizeof(text);
  char *message = be_host->scratch(call, room);
  if (!all || !message) return be_decline(call, "its condition cannot be told");
  snprintf(message, room, text, api);
  const buddy_named_arg args[] = {be_t("self", all), be_s("assert_msg", message)};
  value none[1]; /* it has no results */
  return be_host->node(call, "aten._assert_async.msg", args, 2, flag, 0, none);
}
