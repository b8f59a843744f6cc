// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/contraction.c: matrix products of every shape.
 *
 * All of them become linalg.matmul or linalg.batch_matmul, the ops that schedules and vendors know:
 * leading dims are collapsed, vectors become matrices with a dim of 1, and a weight that is used
 * transposed stays where it is, since the op's maps read it that way. f16, bf16 and 8-bit floats
 * are accumulated in f32. */
#include "plugins/linalg/affine.h"

#include <stdbool.h>
#include "plugins/linalg/rows.h"

#include "mlir-c/BuiltinAttributes.h"

static const MlirValue no_value = {NULL};

/* A tensor and what is known of it. */
typedef struct operand {
  MlirValue value;
  const buddy_tensor_type *type;
} operand;

/* 8-bit floats are multiplied as f32, which holds each of them: LLVM has no arithmetic on them. */
static operand argument(buddy_call *call, size_t i) {
  const buddy_tensor_type *type = be_arg_type(call, i);
  if (!be_is_float(type->dtype) || be_bytes(type->dtype) > 1) {
    return (operand){be_tensor(call, i), type};
  }
  return (operand){la_tensor_as(call, i, BUDDY_F32), be_with_dtype(call, type, BUDDY_F32)};
}

static operand reshaped(buddy_call *call, operand x, uint32_t rank, const int64_t *dims) {
  const buddy_tensor_type *type = be_type(call, x.type->dtype, rank, dims);
  return (operand){be_reshape(call, x.value, x.type, type), type};
}

/* ---- The two ops ---- */

/* (m, n, k), or (b, m, n, k): a, b and the result; b may be stored as [n, k]. */
static MlirAttribute transposed_maps(buddy_call *call) {
  MlirAffineExpr d[3];
  la_loops(call, d, 0, 3);
  const MlirAttribute maps[3] = {
      mlirAffineMapAttrGet(la_map(call, 3, (MlirAffineExpr[]){d[0], d[2]}, 2)),
      mlirAffineMapAttrGet(la_map(call, 3, (MlirAffineExpr[]){d[1], d[2]}, 2)),
      mlirAffineMapAttrGet(la_map(call, 3, (MlirAffineExpr[]){d[0], d[1]}, 2))};
  return mlirArrayAttrGet(buddy_mlir_context(call), 3, maps);
}

static MlirValue zeros(buddy_call *call, const buddy_tensor_type *type) {
  return type ? be_filled(call, type, be_scalar_int(call, type->dtype, 0)) : no_value;
}

static MlirValue one_product(buddy_call *call, MlirValue a, MlirValue b, bool is_transposed,
                             MlirValue init, const buddy_tensor_type *type) {
  const int32_t segments[2] = {2, 1};
  const MlirAttribute sizes = mlirDenseI32ArrayGet(buddy_mlir_context(call), 2, segments);
  const be_attribute plain[] = {{"operandSegmentSizes", sizes}, {NULL, {NULL}}};
  if (!is_transposed) {
    return BE_OP_ATTRS(call, type->rank == 3 ? "linalg.batch_matmul" : "linalg.matmul", type, plain,
                       a, b, init);
  }
  const be_attribute with_maps[] = {
      {"operandSegmentSizes", sizes}, {"indexing_maps", transposed_maps(call)}, {NULL, {NULL}}};
  return BE_OP_ATTRS(call, "linalg.matmul", type, with_maps, a, b, init);
}

static MlirValue negated_element(const be_body *body, const MlirValue *elements, void *user) {
  (void)user;
  return BE_IN(body, "arith.negf", (MlirType){NULL}, elements[0]);
}

/* Four products of the parts, for which there are kernels: re = ar br - ai bi, im = ar bi + ai br. */
static MlirValue complex_product(buddy_call *call, operand a, operand b, bool is_transposed,
                                 MlirValue init, const buddy_tensor_type *type) {
  const buddy_tensor_type *part = be_with_dtype(call, type, la_part_dtype(type->dtype)),
                          *left = be_with_dtype(call, a.type, la_part_dtype(a.type->dtype));
  MlirValue x[2], y[2], sums[2];
  if (!part || !left) return no_value;
  for (int i = 0; i < 2; ++i) {
    x[i] = la_part(call, a.value, a.type, i);
    y[i] = la_part(call, b.value, b.type, i);
    sums[i] = init.ptr ? la_part(call, init, type, i) : zeros(call, part);
  }
  const MlirValue minus = be_elementwise(call, left, &x[1], &left, 1, negated_element, NULL);
  sums[0] = one_product(call, x[0], y[0], is_transposed, sums[0], part);
  sums[0] = one_product(call, minus, y[1], is_transposed, sums[0], part);
  sums[1] = one_product(call, x[0], y[1], is_transposed, sums[1], part);
  sums[1] = one_product(call, x[1], y[0], is_transposed, sums[1], part);
  return la_of_parts(call, sums[0], sums[1], type);
}

/* a · b on top of `init`, which is [m, n] or [b, m, n] in the accumulator's dtype; null: of zeros. */
static MlirValue multiply(buddy_call *call, operand a, operand b, bool is_transposed,
                          MlirValue init, const buddy_tensor_type *type) {
  if (!type) return no_value;
  if (be_is_complex(type->dtype)) return complex_product(call, a, b, is_transposed, init, type);
  if (!init.ptr) init = zeros(call, type);
  return one_product(call, a.value, b.value, is_transposed, init, type);
}

/* The product of two matrices, or of two batches of them, summed up in `dtype`. */
static operand product_in(buddy_call *call, operand a, operand b, buddy_dtype dtype) {
  const uint32_t rank = a.type->rank;
  int64_t dims[3] = {a.type->dims[0], a.type->dims[1], b.type->dims[rank - 1]};
  if (rank == 2) {
    dims[0] = a.type->dims[0];
    dims[1] = b.type->dims[1];
  }
  const buddy_tensor_type *type = be_type(call, dtype, rank, dims);
  return (operand){multiply(call, a, b, 0, no_value, type), type};
}

/* The same in the accumulator's dtype. */
static operand product(buddy_call *call, operand a, operand b) {
  return product_in(call, a, b, la_opmath(a.type->dtype));
}

static buddy_code finish(buddy_call *call, operand x) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (!x.type) return be_result(call, 0, no_value);
  const MlirValue value = la_cast(call, x.value, x.type, to->dtype);
  return be_result(call, 0, be_reshape(call, value, be_with_dtype(call, x.type, to->dtype), to));
}

/* ---- mm, bmm, matmul, dot, mv ---- */

/* mm and bmm: self, mat2 */
buddy_code la_emit_mm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return finish(call, product(call, argument(call, 0), argument(call, 1)));
}

/* _int_mm: self, mat2: products of bytes, in 32 bits */
buddy_code la_emit_int_mm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return finish(call, product_in(call, argument(call, 0), argument(call, 1), BUDDY_I32));
}

/* A vector as a matrix of one row (the left operand) or one column (the right one). */
static operand as_matrix(buddy_call *call, operand x, bool is_left) {
  if (x.type->rank != 1) return x;
  const int64_t dims[2] = {is_left ? 1 : x.type->dims[0], is_left ? x.type->dims[0] : 1};
  return reshaped(call, x, 2, dims);
}

static int64_t dims_product(buddy_call *call, const int64_t *dims, uint32_t n) {
  int64_t all = 1;
  for (uint32_t d = 0; d < n; ++d) all = be_dim(call, BUDDY_DIM_MUL, all, dims[d]);
  return all;
}

/* [batch..., m, n] with the batch dims broadcast to `batch` and collapsed to one. */
static operand as_batch(buddy_call *call, operand x, const int64_t *batch, uint32_t n_batch) {
  int64_t dims[BE_MAX_RANK];
  const uint32_t rank = x.type->rank;
  for (uint32_t d = 0; d < n_batch; ++d) dims[d] = batch[d];
  dims[n_batch] = x.type->dims[rank - 2];
  dims[n_batch + 1] = x.type->dims[rank - 1];
  const buddy_tensor_type *full = be_type(call, x.type->dtype, n_batch + 2, dims);
  const operand spread = {be_broadcast(call, x.value, x.type, full), full};
  const int64_t flat[3] = {dims_product(call, batch, n_batch), dims[n_batch], dims[n_batch + 1]};
  return full ? reshaped(call, spread, 3, flat) : x;
}

/* The batch dims of the two operands, broadcast together from the right. */
static uint32_t common_batch(const buddy_tensor_type *a, const buddy_tensor_type *b, int64_t *out) {
  const uint32_t na = a->rank - 2, nb = b->rank - 2, n = na > nb ? na : nb;
  for (uint32_t d = 0; d < n; ++d) {
    const int64_t left = d + na >= n ? a->dims[d + na - n] : 1;
    const int64_t right = d + nb >= n ? b->dims[d + nb - n] : 1;
    out[d] = left == 1 ? right : left;
  }
  return n;
}

static operand matmul(buddy_call *call, operand a, operand b) {
  a = as_matrix(call, a, 1);
  b = as_matrix(call, b, 0);
  if (!a.type || !b.type) return (operand){no_value, NULL};
  if (b.type->rank == 2) {
    const int64_t rows = dims_product(call, a.type->dims, a.type->rank - 1);
    return product(call, reshaped(call, a, 2, (int64_t[]){rows, a.type->dims[a.type->rank - 1]}),
                   b);
  }
  int64_t batch[BE_MAX_RANK];
  const uint32_t n = common_batch(a.type, b.type, batch);
  return product(call, as_batch(call, a, batch, n), as_batch(call, b, batch, n));
}

/* matmul, dot, vdot, mv: self, other of any rank from 1 up */
buddy_code la_emit_matmul(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const operand a = argument(call, 0), b = argument(call, 1);
  if (a.type->rank > BE_MAX_RANK - 2 || b.type->rank > BE_MAX_RANK - 2 || a.type->rank == 0 ||
      b.type->rank == 0) {
    return be_decline(call, "matmul of tensors of these ranks");
  }
  return finish(call, matmul(call, a, b));
}

/* ---- linear ---- */

/* What the product is added to: the bias, broadcast; null: nothing. */
static MlirValue broadcast_bias(buddy_call *call, size_t i, const buddy_tensor_type *type) {
  const buddy_tensor_type *bias = be_arg_type(call, i);
  if (!bias || !type) return no_value;
  const MlirValue value = la_tensor_as(call, i, type->dtype);
  return be_broadcast(call, value, be_with_dtype(call, bias, type->dtype), type);
}

/* input [..., k], weight [n, k] or [k], bias [n] */
buddy_code la_emit_linear(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  operand x = argument(call, 0), weight = argument(call, 1);
  if (x.type->rank == 0 || weight.type->rank == 0 || weight.type->rank > 2) {
    return be_decline(call, "linear of tensors of these ranks");
  }
  const int64_t k = x.type->dims[x.type->rank - 1];
  x = reshaped(call, x, 2, (int64_t[]){dims_product(call, x.type->dims, x.type->rank - 1), k});
  if (weight.type->rank == 1) weight = reshaped(call, weight, 2, (int64_t[]){1, k});
  if (!x.type || !weight.type) return be_result(call, 0, no_value);
  const int64_t dims[2] = {x.type->dims[0], weight.type->dims[0]};
  const buddy_tensor_type *type = be_type(call, la_opmath(x.type->dtype), 2, dims);
  return finish(call,
                (operand){multiply(call, x, weight, 1, broadcast_bias(call, 2, type), type), type});
}

/* ---- beta * self + alpha * (a · b) ---- */

static bool is_one(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind == BUDDY_ARG_FLOAT) return arg->as.f == 1;
  return arg->kind == BUDDY_ARG_NONE || (arg->kind == BUDDY_ARG_INT && arg->as.i == 1);
}

static bool is_zero(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  return (arg->kind == BUDDY_ARG_FLOAT && arg->as.f == 0) ||
         (arg->kind == BUDDY_ARG_INT && arg->as.i == 0);
}

/* self, of the accumulator's dtype in elements[0]; the product in elements[1]. beta 0 leaves self
 * out, NaN included. */
typedef struct scaling {
  buddy_dtype dtype;
  bool has_self;
} scaling;

static MlirValue combine(const be_body *body, const MlirValue *elements, void *user) {
  const scaling *f = user;
  const la_scalars s = {body, f->dtype, elements};
  const MlirValue ab =
      la_apply(body, &la_mul, f->dtype, la_number(&s, 4, 1), elements[f->has_self ? 1 : 0]);
  if (!f->has_self) return ab;
  return la_apply(body, &la_add, f->dtype,
                  la_apply(body, &la_mul, f->dtype, la_number(&s, 3, 1), elements[0]), ab);
}

static buddy_code scaled_sum(buddy_call *call, operand ab) {
  const buddy_tensor_type *self_type = be_arg_type(call, 0);
  if (!ab.type || !self_type) return be_result(call, 0, no_value);
  scaling f = {ab.type->dtype, !is_zero(call, 3)};
  const buddy_tensor_type *types[2] = {be_with_dtype(call, self_type, f.dtype), ab.type};
  const MlirValue inputs[2] = {la_tensor_as(call, 0, f.dtype), ab.value};
  const size_t first = f.has_self ? 0 : 1;
  const MlirValue sum =
      be_elementwise(call, ab.type, inputs + first, types + first, 2 - first, combine, &f);
  return finish(call, (operand){sum, ab.type});
}

/* addmm, baddbmm, addmv: self, mat1, mat2, beta, alpha */
buddy_code la_emit_addmm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  operand a = argument(call, 1), b = as_matrix(call, argument(call, 2), 0);
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (!b.type) return be_result(call, 0, no_value);
  const bool is_vector = to->rank == 1;
  if (!is_one(call, 3) || !is_one(call, 4) || is_vector) {
    operand ab = product(call, a, b);
    if (is_vector && ab.type) ab = reshaped(call, ab, 1, ab.type->dims);
    return scaled_sum(call, ab);
  }
  const buddy_tensor_type *type = be_with_dtype(call, to, la_opmath(to->dtype));
  return finish(call,
                (operand){multiply(call, a, b, 0, broadcast_bias(call, 0, type), type), type});
}
