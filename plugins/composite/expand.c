// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/expand.c: the simple ops that expansions are made of. */
#include "plugins/composite/expand.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const buddy_tensor_type *cp_type(buddy_call *call, value a) {
  return a ? be_value_type(call, a) : NULL;
}

/* ---- Elementwise ----------------------------------------------------------------------------- */
value cp_unary(buddy_call *call, const char *op, value a) {
  return a ? BE_NODE(call, op, NULL, be_t("self", a)) : NULL;
}

/* bool, integer, float, complex */
static int category(buddy_dtype dtype) {
  if (be_is_complex(dtype)) return 3;
  if (be_is_float(dtype)) return 2;
  return dtype == BUDDY_BOOL ? 0 : 1;
}

buddy_dtype cp_promote(buddy_dtype a, buddy_dtype b) {
  if ((a == BUDDY_C64 && b == BUDDY_F64) || (a == BUDDY_F64 && b == BUDDY_C64)) return BUDDY_C128;
  if (category(a) != category(b)) return category(a) > category(b) ? a : b;
  /* Within a category, the dtypes are numbered by size, but for these two pairs. */
  const buddy_dtype low = a < b ? a : b, high = a < b ? b : a;
  if (low == BUDDY_U8 && high == BUDDY_I8) return BUDDY_I16;
  if (low == BUDDY_F16 && high == BUDDY_BF16) return BUDDY_F32;
  return high;
}

/* The dtype that PyTorch computes a and b in. A 0-d tensor counts for its category alone. */
static buddy_dtype promoted(const buddy_tensor_type *a, const buddy_tensor_type *b) {
  if ((a->rank == 0) != (b->rank == 0)) {
    const buddy_tensor_type *number = a->rank == 0 ? a : b, *tensor = a->rank == 0 ? b : a;
    if (category(number->dtype) <= category(tensor->dtype)) return tensor->dtype;
  }
  return cp_promote(a->dtype, b->dtype);
}

value cp_binary(buddy_call *call, const char *op, value a, value b) {
  if (!a || !b) return NULL;
  const buddy_dtype dtype = promoted(cp_type(call, a), cp_type(call, b));
  a = cp_cast(call, a, dtype);
  b = cp_cast(call, b, dtype);
  return a && b ? BE_NODE(call, op, NULL, be_t("self", a), be_t("other", b)) : NULL;
}

value cp_number(buddy_call *call, const char *op, value a, double b) {
  if (!a) return NULL;
  /* Next to a fraction, whole numbers become PyTorch's default float type. */
  const buddy_dtype dtype = cp_type(call, a)->dtype;
  const bool has_fractions = be_is_float(dtype) || be_is_complex(dtype);
  const bool is_whole = isfinite(b) && b == trunc(b);
  if (!has_fractions && !is_whole) a = cp_cast(call, a, BUDDY_F32);
  if (has_fractions || !is_whole)
    return a ? BE_NODE(call, op, NULL, be_t("self", a), be_f("other", b)) : NULL;
  return BE_NODE(call, op, NULL, be_t("self", a), be_i("other", (int64_t)b));
}

value cp_dim(buddy_call *call, const char *op, value a, int64_t b) {
  return a ? BE_NODE(call, op, NULL, be_t("self", a), be_i("other", b)) : NULL;
}

buddy_dtype cp_real_of(buddy_dtype dtype) {
  return dtype == BUDDY_C128  ? BUDDY_F64
         : dtype == BUDDY_C64 ? BUDDY_F32
         : dtype == BUDDY_C32 ? BUDDY_F16
                              : dtype;
}

value cp_conjugate(buddy_call *call, value a) {
  const bool is_complex = a && be_is_complex(cp_type(call, a)->dtype);
  return is_complex ? cp_unary(call, "aten.conj_physical.default", a) : a;
}

bool cp_is_known(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  return arg->kind != BUDDY_ARG_TENSOR &&
         !(arg->kind == BUDDY_ARG_INT && BUDDY_IS_SYMBOLIC(arg->as.i));
}

value cp_by(buddy_call *call, const char *op, value a, size_t i) {
  if (!a) return NULL;
  value number = be_arg_value(call, i);
  if (number) return cp_binary(call, op, a, cp_cast(call, number, cp_type(call, a)->dtype));
  if (!cp_is_known(call, i))
    return BE_NODE(call, op, NULL, be_t("self", a), be_pass(call, "other", i));
  return cp_number(call, op, a, be_float(call, i, 0));
}

value cp_checked(buddy_call *call, value a, value condition, const char *message) {
  if (!a || !condition) return NULL;
  if (cp_type(call, condition)->rank > 0) {
    condition = BE_NODE(call, "aten.all.default", be_type(call, BUDDY_BOOL, 0, NULL),
                        be_t("self", condition));
  }
  return condition
             ? BE_NODE(call, "aten._functional_assert_async.msg", cp_type(call, a),
                       be_t("self", condition), be_s("assert_msg", message), be_t("dep_token", a))
             : NULL;
}

value cp_within(buddy_call *call, value a, double low, double high) {
  return cp_binary(call, "aten.logical_and.default", cp_number(call, "aten.ge.Tensor", a, low),
                   cp_number(call, "aten.le.Tensor", a, high));
}

value cp_where(buddy_call *call, value condition, value if_true, value if_false) {
  if (!condition || !if_true || !if_false) return NULL;
  return BE_NODE(call, "aten.where.self", NULL, be_t("condition", condition), be_t("self", if_true),
                 be_t("other", if_false));
}

value cp_where_number(buddy_call *call, value condition, value if_true, double if_false) {
  if (!condition || !if_true) return NULL;
  const buddy_tensor_type *scalar = be_type(call, cp_type(call, if_true)->dtype, 0, NULL);
  return cp_where(call, condition, if_true, cp_full(call, scalar, if_false));
}

value cp_cast(buddy_call *call, value a, buddy_dtype dtype) {
  if (!a || cp_type(call, a)->dtype == dtype) return a;
  return BE_NODE(call, "aten._to_copy.default", be_with_dtype(call, cp_type(call, a), dtype),
                 be_t("self", a), be_d("dtype", dtype));
}

buddy_dtype cp_compute_dtype(buddy_dtype dtype) {
  return dtype == BUDDY_F16 || dtype == BUDDY_BF16 ? BUDDY_F32 : dtype;
}

value cp_computed(buddy_call *call, size_t i) {
  const buddy_arg_kind kind = be_arg(call, i)->kind;
  if (kind == BUDDY_ARG_INT || kind == BUDDY_ARG_FLOAT || kind == BUDDY_ARG_BOOL ||
      kind == BUDDY_ARG_COMPLEX) {
    const buddy_dtype dtype = cp_compute_dtype(be_result_type(call, 0)->dtype);
    return BE_NODE(call, "aten.full.default", be_type(call, dtype, 0, NULL), be_is("size", NULL, 0),
                   be_pass(call, "fill_value", i), be_d("dtype", dtype));
  }
  value a = be_arg_value(call, i);
  return a ? cp_cast(call, a, cp_compute_dtype(cp_type(call, a)->dtype)) : NULL;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */
value cp_view(buddy_call *call, value a, uint32_t rank, const int64_t *dims) {
  if (!a) return NULL;
  const buddy_tensor_type *type = be_type(call, cp_type(call, a)->dtype, rank, dims);
  if (!type || be_same_dims(type, cp_type(call, a))) return type ? a : NULL;
  return BE_NODE(call, "aten.view.default", type, be_t("self", a), be_is("size", dims, rank));
}

value cp_permute(buddy_call *call, value a, const int64_t *perm) {
  if (!a) return NULL;
  const buddy_tensor_type *from = cp_type(call, a);
  int64_t dims[BE_MAX_RANK];
  bool is_identity = true;
  for (uint32_t d = 0; d < from->rank && d < BE_MAX_RANK; ++d) {
    dims[d] = from->dims[perm[d]];
    is_identity &= perm[d] == (int64_t)d;
  }
  if (is_identity) return a;
  return BE_NODE(call, "aten.permute.default", be_type(call, from->dtype, from->rank, dims),
                 be_t("self", a), be_is("dims", perm, from->rank));
}

value cp_swap(buddy_call *call, value a, uint32_t dim0, uint32_t dim1) {
  if (!a) return NULL;
  int64_t perm[BE_MAX_RANK];
  for (uint32_t d = 0; d < cp_type(call, a)->rank && d < BE_MAX_RANK; ++d) perm[d] = d;
  perm[dim0] = dim1;
  perm[dim1] = dim0;
  return cp_permute(call, a, perm);
}

value cp_expand(buddy_call *call, value a, uint32_t rank, const int64_t *dims) {
  if (!a) return NULL;
  const buddy_tensor_type *type = be_type(call, cp_type(call, a)->dtype, rank, dims);
  if (!type || be_same_dims(type, cp_type(call, a))) return type ? a : NULL;
  return BE_NODE(call, "aten.expand.default", type, be_t("self", a), be_is("size", dims, rank));
}

value cp_flat(buddy_call *call, value a) {
  const int64_t n = a ? be_n_elements(call, cp_type(call, a)) : 0;
  return cp_view(call, a, 1, &n);
}

value cp_slice(buddy_call *call, value a, uint32_t dim, int64_t start, int64_t size, int64_t step) {
  if (!a) return NULL;
  const buddy_tensor_type *from = cp_type(call, a);
  if (start == 0 && step == 1 && size == from->dims[dim]) return a;
  int64_t dims[BE_MAX_RANK];
  if (from->rank > 0) memcpy(dims, from->dims, from->rank * sizeof(*dims));
  dims[dim] = size;
  const int64_t end = be_dim(call, BUDDY_DIM_ADD, start, be_dim(call, BUDDY_DIM_MUL, size, step));
  return BE_NODE(call, "aten.slice.Tensor", be_type(call, from->dtype, from->rank, dims),
                 be_t("self", a), be_i("dim", dim), be_i("start", start), be_i("end", end),
                 be_i("step", step));
}

value cp_neighbours(buddy_call *call, value a, uint32_t dim, bool is_next) {
  if (!a) return NULL;
  const int64_t n = cp_type(call, a)->dims[dim],
                fewer = be_dim(call, BUDDY_DIM_MAX, be_dim(call, BUDDY_DIM_SUB, n, 1), 0);
  return cp_slice(call, a, dim, is_next ? be_dim(call, BUDDY_DIM_SUB, n, fewer) : 0, fewer, 1);
}

/* ---- Reductions ------------------------------------------------------------------------------ */
static size_t list_axes(uint64_t axes, uint32_t rank, int64_t *out_axes) {
  size_t n = 0;
  for (uint32_t d = 0; d < rank && d < BE_MAX_RANK; ++d) {
    if (axes >> d & 1u) out_axes[n++] = d;
  }
  return n;
}

static value reduce(buddy_call *call, const char *op, value a, uint64_t axes, int keepdim) {
  if (!a) return NULL;
  int64_t list[BE_MAX_RANK];
  const size_t n = list_axes(axes, cp_type(call, a)->rank, list);
  if (n == 0) return a;
  return BE_NODE(call, op, NULL, be_t("self", a), be_is("dim", list, n), be_b("keepdim", keepdim));
}

value cp_sum(buddy_call *call, value a, uint64_t axes, int keepdim) {
  return reduce(call, "aten.sum.dim_IntList", a, axes, keepdim);
}

value cp_amax(buddy_call *call, value a, uint64_t axes, int keepdim) {
  return reduce(call, "aten.amax.default", a, axes, keepdim);
}

uint64_t cp_last_axes(uint32_t rank, size_t n) {
  uint64_t axes = 0;
  for (size_t k = 0; k < n && k < rank; ++k) axes |= 1ull << (rank - 1 - k);
  return axes;
}

int64_t cp_count(buddy_call *call, value a, uint64_t axes) {
  int64_t count = 1;
  const buddy_tensor_type *type = cp_type(call, a);
  for (uint32_t d = 0; type && d < type->rank; ++d) {
    if (axes >> d & 1u) count = be_dim(call, BUDDY_DIM_MUL, count, type->dims[d]);
  }
  return count;
}

value cp_mean(buddy_call *call, value a, uint64_t axes, int keepdim) {
  value sum = cp_sum(call, a, axes, keepdim);
  return cp_dim(call, "aten.div.Tensor", sum, cp_count(call, a, axes));
}

/* ---- Order and lookup ------------------------------------------------------------------------ */
int cp_sort(buddy_call *call, value a, uint32_t dim, bool is_descending, value *out) {
  out[0] = out[1] = NULL;
  if (!a) return 0;
  const buddy_tensor_type *type = cp_type(call, a), *index = be_with_dtype(call, type, BUDDY_I64);
  const buddy_named_arg args[] = {be_t("self", a), be_b("stable", 1), be_i("dim", dim),
                                  be_b("descending", is_descending)};
  if (!index) return 0;
  const buddy_tensor_type types[] = {*type, *index};
  return be_host->node(call, "aten.sort.stable", args, 4, types, 2, out) == BUDDY_OK;
}

value cp_gather(buddy_call *call, value a, uint32_t dim, value index) {
  if (!a || !index) return NULL;
  return BE_NODE(call, "aten.gather.default",
                 be_with_dtype(call, cp_type(call, index), cp_type(call, a)->dtype),
                 be_t("self", a), be_i("dim", dim), be_t("index", index));
}

value cp_rows(buddy_call *call, value a, value index) {
  const buddy_tensor_type *type = cp_type(call, a), *at = cp_type(call, index);
  int64_t dims[BE_MAX_RANK];
  if (!type || !at) return NULL;
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[0] = at->dims[0];
  return BE_NODE(call, "aten.index_select.default", be_type(call, type->dtype, type->rank, dims),
                 be_t("self", a), be_i("dim", 0), be_t("index", index));
}

/* ---- Creation -------------------------------------------------------------------------------- */
value cp_full(buddy_call *call, const buddy_tensor_type *type, double number) {
  if (!type) return NULL;
  const buddy_named_arg fill = be_is_float(type->dtype) || be_is_complex(type->dtype)
                                   ? be_f("fill_value", number)
                               : type->dtype == BUDDY_BOOL ? be_b("fill_value", number != 0)
                                                           : be_i("fill_value", (int64_t)number);
  return BE_NODE(call, "aten.full.default", type, be_is("size", type->dims, type->rank), fill,
                 be_d("dtype", type->dtype));
}

value cp_counted(buddy_call *call, int64_t n, buddy_dtype dtype) {
  return BE_NODE(call, "aten.full.default", be_type(call, dtype, 0, NULL), be_is("size", NULL, 0),
                 be_i("fill_value", n), be_d("dtype", dtype));
}

value cp_scalar(buddy_call *call, buddy_dtype dtype, double number) {
  return cp_full(call, be_type(call, dtype, 0, NULL), number);
}

value cp_iota(buddy_call *call, int64_t n, buddy_dtype dtype) {
  return BE_NODE(call, "aten.arange.start_step", be_type(call, dtype, 1, &n), be_i("start", 0),
                 be_i("end", n), be_i("step", 1), be_d("dtype", dtype));
}

/* ---- Products -------------------------------------------------------------------------------- */
/* The batch dims of a, as one. */
static int64_t batch_of(buddy_call *call, const buddy_tensor_type *type) {
  int64_t batch = 1;
  for (uint32_t d = 0; d + 2 < type->rank; ++d)
    batch = be_dim(call, BUDDY_DIM_MUL, batch, type->dims[d]);
  return batch;
}

static value as_batch(buddy_call *call, value a) {
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type) return NULL;
  const int64_t dims[3] = {batch_of(call, type), type->dims[type->rank - 2],
                           type->dims[type->rank - 1]};
  return cp_view(call, a, 3, dims);
}

value cp_matmul(buddy_call *call, value a, value b) {
  if (!a || !b) return NULL;
  const buddy_tensor_type *left = cp_type(call, a), *right = cp_type(call, b);
  const uint32_t rank = left->rank;
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, left->dims, rank * sizeof(*dims));
  dims[rank - 1] = right->dims[rank - 1];
  if (rank == 2) {
    return BE_NODE(call, "aten.mm.default", be_type(call, left->dtype, 2, dims), be_t("self", a),
                   be_t("mat2", b));
  }
  value left3 = as_batch(call, a), right3 = as_batch(call, b);
  if (!left3 || !right3) return NULL;
  const int64_t product[3] = {cp_type(call, left3)->dims[0], dims[rank - 2], dims[rank - 1]};
  value result = BE_NODE(call, "aten.bmm.default", be_type(call, left->dtype, 3, product),
                         be_t("self", left3), be_t("mat2", right3));
  return cp_view(call, result, rank, dims);
}

/* ---- Ending ---------------------------------------------------------------------------------- */
buddy_code cp_finish(buddy_call *call, value a) {
  return be_replace(call, 0, cp_cast(call, a, be_result_type(call, 0)->dtype));
}

buddy_code cp_finish_shaped(buddy_call *call, size_t i, value a) {
  const buddy_tensor_type *to = be_result_type(call, i);
  return be_replace(call, i, cp_cast(call, cp_view(call, a, to->rank, to->dims), to->dtype));
}

void cp_read_all(buddy_call *call) {
  const size_t n = be_host->n_args(call);
  for (size_t i = 0; i < n; ++i) (void)be_arg(call, i);
}
