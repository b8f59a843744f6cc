// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/tosa_forms.c: convolutions and products of TOSA as linalg's.
 *
 *   %x = tosa.transpose %i                     %i: n, c, h, w; or %i is a tosa.slice of it that takes
 *   %y = tosa.conv2d %x, %w, %b, %0, %0        rows off its end, which linalg leaves where they are
 *
 * becomes
 *
 *   %p = tosa.pad %i
 *   %s = linalg.conv_2d_nchw_fchw %p, (tosa.transpose %w) outs(linalg.broadcast %b)
 *   %y = tosa.transpose %s
 *
 * and a depthwise one of several filters a channel one of one, over each channel as often (a linalg.generic that
 * reads channel c / filters); a tosa.matmul of 1 x M x K by 1 x K x N becomes a linalg.matmul between tosa.reshapes. */
#include "sdk/compile/rewrite/tosa_forms.h"

#include <stdbool.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"

enum { N, C, H, W, RANK };
static const int32_t to_nhwc[RANK] = {0, 2, 3, 1}, to_nchw[RANK] = {0, 3, 1, 2},
                     to_filters[RANK] = {2, 3, 0, 1}; /* of a depthwise h, w, c, 1 */

/* ---- Operations before the one that is replaced ------------------------------------------ */
static MlirType like(MlirType type, intptr_t rank, const int64_t *sizes) {
  return mlirRankedTensorTypeGet(rank, sizes, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

static MlirValue turned(bd_builder b, MlirValue value, const int32_t *order) {
  int64_t sizes[RANK];
  if (!value.ptr) return value;
  const MlirType type = mlirValueGetType(value);
  for (int i = 0; i < RANK; ++i) sizes[i] = mlirShapedTypeGetDimSize(type, order[i]);
  return bd_build(b, "tosa.transpose", &value, 1, like(type, RANK, sizes), "perms",
                  mlirDenseI32ArrayGet(b.context, RANK, order));
}

/* ---- What is looked for ----------------------------------------------------------------------- */
/* The image over n, c, h, w that a tosa.transpose makes this of; null if there is none. */
static MlirValue nchw_before(MlirValue value) {
  const MlirValue none = {NULL};
  if (!bd_is_made_by(value, "tosa.transpose")) return none;
  const MlirOperation transpose = mlirOpResultGetOwner(value);
  const MlirAttribute order = bd_op_attribute(transpose, "perms");
  if (!order.ptr || mlirDenseArrayGetNumElements(order) != RANK) return none;
  for (int i = 0; i < RANK; ++i) {
    if (mlirDenseI32ArrayGetElement(order, i) != to_nhwc[i]) return none;
  }
  return mlirOperationGetOperand(transpose, 0);
}

static int begins_at_zero(MlirOperation slice) {
  const MlirOperation shape = bd_maker_of(mlirOperationGetOperand(slice, 1));
  if (!shape.ptr || !bd_op_is(shape, "tosa.const_shape")) return 0;
  const MlirAttribute starts = bd_op_attribute(shape, "values");
  if (!starts.ptr || mlirElementsAttrGetNumElements(starts) != RANK) return 0;
  for (int i = 0; i < RANK; ++i) {
    if (mlirDenseElementsAttrGetIndexValue(starts, i) != 0) return 0;
  }
  return 1;
}

/* Without a slice that takes rows off which no window reaches: where nothing is put after them. */
static MlirValue whole(MlirValue image, const int64_t pad[4]) {
  if (!bd_is_made_by(image, "tosa.slice")) return image;
  const MlirOperation slice = mlirOpResultGetOwner(image);
  const MlirValue source = mlirOperationGetOperand(slice, 0);
  const MlirType from = mlirValueGetType(source), to = mlirValueGetType(image);
  if (!begins_at_zero(slice)) return image;
  for (int i = 0; i < RANK; ++i) {
    const bool is_cut = mlirShapedTypeGetDimSize(from, i) != mlirShapedTypeGetDimSize(to, i);
    if (is_cut && (i < H || pad[2 * (i - H) + 1] != 0)) return image;
  }
  return source;
}

/* f32, of known sizes: what has kernels over n, c, h, w. */
static bool is_plain(MlirType type) {
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirTypeIsAF32(mlirShapedTypeGetElementType(type));
}

/* Whether it is the constant 0.0, or -0.0, in every element. */
static bool is_zero(MlirValue value) {
  if (!bd_is_made_by(value, "tosa.const")) return false;
  const MlirAttribute values = bd_op_attribute(mlirOpResultGetOwner(value), "values");
  if (!values.ptr || !mlirAttributeIsADenseElements(values) ||
      !mlirDenseElementsAttrIsSplat(values))
    return false;
  const MlirAttribute number = mlirDenseElementsAttrGetSplatValue(values);
  return mlirAttributeIsAFloat(number) && mlirFloatAttrGetValueDouble(number) == 0;
}

/* ---- Around the window ------------------------------------------------------------------------ */
static MlirValue shape_of(bd_builder b, const int64_t *numbers, intptr_t n, const char *type) {
  const int64_t count = n;
  const MlirType index =
      mlirRankedTensorTypeGet(1, &count, mlirIndexTypeGet(b.context), mlirAttributeGetNull());
  return bd_build(b, "tosa.const_shape", NULL, 0,
                  mlirTypeParseGet(b.context, mlirStringRefCreateFromCString(type)), "values",
                  mlirDenseElementsAttrInt64Get(index, n, numbers));
}

/* pad: before and after, of h, then of w. */
static MlirValue padded(bd_builder b, MlirValue image, const int64_t pad[4]) {
  if (pad[0] == 0 && pad[1] == 0 && pad[2] == 0 && pad[3] == 0) return image;
  const MlirType type = mlirValueGetType(image);
  const int64_t all[2 * RANK] = {0, 0, 0, 0, pad[0], pad[1], pad[2], pad[3]}, one = 1;
  int64_t sizes[RANK];
  for (int i = 0; i < RANK; ++i)
    sizes[i] = mlirShapedTypeGetDimSize(type, i) + all[2 * i] + all[2 * i + 1];
  const MlirType scalar = like(type, 1, &one);
  const MlirAttribute value =
      mlirFloatAttrDoubleGet(b.context, mlirShapedTypeGetElementType(type), 0);
  const MlirValue operands[] = {image, shape_of(b, all, 2 * RANK, "!tosa.shape<8>"),
                                bd_build(b, "tosa.const", NULL, 0, scalar, "values",
                                         mlirDenseElementsAttrSplatGet(scalar, value))};
  return bd_build(b, "tosa.pad", operands, 3, like(type, RANK, sizes), NULL, (MlirAttribute){NULL});
}

static MlirValue zeros(bd_builder b, MlirType type) {
  const MlirValue empty = bd_build(b, "tensor.empty", NULL, 0, type, NULL, (MlirAttribute){NULL});
  const MlirValue scalar = bd_build_float(b, mlirShapedTypeGetElementType(type), 0);
  return bd_build_linalg(b, "linalg.fill", (const MlirValue[]){scalar, empty}, 2, NULL, 0);
}

/* The bias along c, or zeros. */
static MlirValue first_sums(bd_builder b, MlirValue bias, MlirType type) {
  static const int64_t others[] = {N, H, W};
  if (is_zero(bias)) return zeros(b, type);
  const MlirValue empty = bd_build(b, "tensor.empty", NULL, 0, type, NULL, (MlirAttribute){NULL});
  const MlirNamedAttribute dimensions =
      bd_named(b.context, "dimensions", mlirDenseI64ArrayGet(b.context, 3, others));
  return bd_build_linalg(b, "linalg.broadcast", (const MlirValue[]){bias, empty}, 2, &dimensions,
                         1);
}

/* ---- Convolutions ----------------------------------------------------------------------------- */
/* The type of the result over n, c, h, w. */
static MlirType nchw_of(MlirType nhwc) {
  int64_t sizes[RANK];
  for (int i = 0; i < RANK; ++i) sizes[i] = mlirShapedTypeGetDimSize(nhwc, to_nchw[i]);
  return like(nhwc, RANK, sizes);
}

static MlirAttribute pair(bd_builder b, const int64_t *numbers) {
  const int64_t two = 2;
  const MlirType type =
      mlirRankedTensorTypeGet(1, &two, mlirIntegerTypeGet(b.context, 64), mlirAttributeGetNull());
  return mlirDenseElementsAttrInt64Get(type, 2, numbers);
}

/* Each channel n times, one after the other. */
static MlirValue repeated(bd_builder b, MlirValue image, int64_t n) {
  int64_t sizes[RANK];
  MlirAffineExpr places[RANK];
  if (n == 1) return image;
  const MlirType type = mlirValueGetType(image);
  for (int i = 0; i < RANK; ++i) {
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
    places[i] = mlirAffineDimExprGet(b.context, i);
  }
  sizes[C] *= n;
  places[C] = mlirAffineFloorDivExprGet(places[C], mlirAffineConstantExprGet(b.context, n));
  const MlirValue empty =
      bd_build(b, "tensor.empty", NULL, 0, like(type, RANK, sizes), NULL, (MlirAttribute){NULL});
  return bd_build_gathering(b, image, mlirAffineMapGet(b.context, RANK, 0, RANK, places), empty);
}

/* Of a depthwise convolution. */
static int64_t filters_per_channel(MlirOperation op) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetOperand(op, 1)), 3);
}

/* f, h, w, c to f, c, h, w; depthwise h, w, c, m to c * m, h, w. */
static MlirValue filter_of(bd_builder b, MlirValue filter, bool is_depthwise) {
  const MlirValue nchw = turned(b, filter, is_depthwise ? to_filters : to_nchw);
  if (!is_depthwise || !nchw.ptr) return nchw;
  const MlirType type = mlirValueGetType(nchw);
  const int64_t n = mlirShapedTypeGetDimSize(type, 0) * mlirShapedTypeGetDimSize(type, 1);
  const int64_t sizes[] = {n, mlirShapedTypeGetDimSize(type, H), mlirShapedTypeGetDimSize(type, W)};
  const MlirValue operands[] = {nchw, shape_of(b, sizes, 3, "!tosa.shape<3>")};
  return bd_build(b, "tosa.reshape", operands, 2, like(type, 3, sizes), NULL,
                  (MlirAttribute){NULL});
}

static bool can_convolve(MlirOperation op, MlirType to, bool is_depthwise) {
  if (mlirOperationGetNumOperands(op) != 5 || !is_plain(to)) return false;
  for (intptr_t i = 0; i < 3; ++i) {
    if (!is_plain(mlirValueGetType(mlirOperationGetOperand(op, i)))) return false;
  }
  const MlirValue bias = mlirOperationGetOperand(op, 2);
  if (is_depthwise && filters_per_channel(op) == 0) return false;
  return is_zero(bias) ||
         mlirShapedTypeGetDimSize(mlirValueGetType(bias), 0) == mlirShapedTypeGetDimSize(to, 3);
}

static buddy_code convolve(MlirOperation op, bool is_depthwise) {
  const MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t pad[4], stride[2], dilation[2];
  const bd_builder b = bd_builder_before(op);
  const MlirValue nchw = nchw_before(mlirOperationGetOperand(op, 0));
  if (!nchw.ptr || !can_convolve(op, to, is_depthwise) || !bd_op_read_numbers(op, "pad", 4, pad) ||
      !bd_op_read_numbers(op, "stride", 2, stride) ||
      !bd_op_read_numbers(op, "dilation", 2, dilation))
    return BUDDY_OK;
  const MlirNamedAttribute steps[] = {bd_named(b.context, "strides", pair(b, stride)),
                                      bd_named(b.context, "dilations", pair(b, dilation))};
  const MlirValue image = repeated(b, whole(nchw, pad), is_depthwise ? filters_per_channel(op) : 1);
  const MlirValue operands[] = {padded(b, image, pad),
                                filter_of(b, mlirOperationGetOperand(op, 1), is_depthwise),
                                first_sums(b, mlirOperationGetOperand(op, 2), nchw_of(to))};
  const MlirValue result = bd_build_linalg(
      b, is_depthwise ? "linalg.depthwise_conv_2d_nchw_chw" : "linalg.conv_2d_nchw_fchw", operands,
      3, steps, 2);
  return bd_op_replace(op, turned(b, result, to_nhwc));
}

/* ---- Products --------------------------------------------------------------------------------- */
/* Without its batch of 1. */
static MlirType matrix_of(MlirType type) {
  const int64_t sizes[] = {mlirShapedTypeGetDimSize(type, 1), mlirShapedTypeGetDimSize(type, 2)};
  return like(type, 2, sizes);
}

static MlirValue matrix(bd_builder b, MlirValue value) {
  const MlirType type = matrix_of(mlirValueGetType(value));
  const int64_t sizes[] = {mlirShapedTypeGetDimSize(type, 0), mlirShapedTypeGetDimSize(type, 1)};
  const MlirValue operands[] = {value, shape_of(b, sizes, 2, "!tosa.shape<2>")};
  return bd_build(b, "tosa.reshape", operands, 2, type, NULL, (MlirAttribute){NULL});
}

static buddy_code multiply(MlirOperation op) {
  const MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  const bd_builder b = bd_builder_before(op);
  for (intptr_t i = 0; i < 2; ++i) {
    if (!is_plain(mlirValueGetType(mlirOperationGetOperand(op, i)))) return BUDDY_OK;
  }
  if (!is_plain(to) || mlirShapedTypeGetDimSize(to, 0) != 1) return BUDDY_OK;
  const MlirValue factors[] = {matrix(b, mlirOperationGetOperand(op, 0)),
                               matrix(b, mlirOperationGetOperand(op, 1)), zeros(b, matrix_of(to))};
  const MlirValue product = bd_build_linalg(b, "linalg.matmul", factors, 3, NULL, 0);
  const int64_t sizes[] = {1, mlirShapedTypeGetDimSize(to, 1), mlirShapedTypeGetDimSize(to, 2)};
  const MlirValue operands[] = {product, shape_of(b, sizes, 3, "!tosa.shape<3>")};
  return bd_op_replace(op,
                       bd_build(b, "tosa.reshape", operands, 2, to, NULL, (MlirAttribute){NULL}));
}

static buddy_code visit(MlirOperation op, void *user) {
  (void)user;
  if (bd_op_is(op, "tosa.matmul")) return multiply(op);
  if (bd_op_is(op, "tosa.conv2d")) return convolve(op, 0);
  return bd_op_is(op, "tosa.depthwise_conv2d") ? convolve(op, 1) : BUDDY_OK;
}

buddy_code bd_tosa_forms_undo(MlirOperation root) {
  return bd_ops_each(root, "tosa.", visit, NULL);
}
