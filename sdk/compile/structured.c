// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/structured.c: linalg operations, read into plain arrays. */
#include "sdk/compile/structured.h"

#include <stdbool.h>
#include <string.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/runtime/strided.h"

/* Row-major strides; false where a size is 0, of which MLIR has an opinion of its own. */
static bool read_dense(MlirType type, int64_t *strides) {
  int64_t stride = 1;
  for (intptr_t i = mlirShapedTypeGetRank(type) - 1; i >= 0; --i) {
    const int64_t size = mlirShapedTypeGetDimSize(type, i);
    strides[i] = stride;
    if (size == 0 ||
        (size > 0 && stride != INT64_MIN && __builtin_mul_overflow(stride, size, &stride)))
      return false;
    if (size < 0) stride = INT64_MIN;
  }
  return true;
}

bool bd_memref_layout(MlirType type, int64_t *strides, int64_t *offset) {
  *offset = 0;
  /* MLIR goes through affine expressions, which takes a hundred times as long. */
  return (bd_memref_is_dense(type) && read_dense(type, strides)) ||
         mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, offset));
}

int bd_memref_strides(MlirType type, int64_t *strides) {
  int64_t offset;
  return mlirShapedTypeGetRank(type) <= BD_MAX_RANK && bd_memref_layout(type, strides, &offset);
}

int bd_memref_is_dense(MlirType type) {
  const MlirAttribute layout = mlirMemRefTypeGetLayout(type);
  if (mlirAttributeIsAStridedLayout(layout) && mlirShapedTypeGetRank(type) > 1) return 0;
  return mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

int bd_type_is_bare(MlirType type) {
  if (!mlirTypeIsAMemRef(type)) return !mlirTypeIsAUnrankedMemRef(type);
  return mlirShapedTypeHasStaticShape(type) && bd_memref_is_dense(type);
}

int64_t bd_count_elements(MlirType type) {
  int64_t n = 1;
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i) n *= mlirShapedTypeGetDimSize(type, i);
  return n;
}

size_t bd_type_bytes(MlirType element) {
  if (mlirTypeIsAIndex(element)) return 8;
  if (mlirTypeIsAInteger(element)) {
    const unsigned bits = mlirIntegerTypeGetWidth(element);
    return bits == 1 ? 1 : bits % 8 == 0 ? bits / 8 : 0;
  }
  if (mlirTypeIsAFloat(element)) return mlirFloatTypeGetWidth(element) / 8;
  if (!mlirTypeIsAComplex(element)) return 0;
  return 2 * bd_type_bytes(mlirComplexTypeGetElementType(element));
}

/* Fills axis[] and strides[] from the map, and sizes of loops that the operand's type tells. */
static void read_map(bd_structured *s, bd_operand *operand, MlirAffineMap map) {
  int64_t strides[BD_MAX_RANK];
  const bool has_strides = operand->rank >= 0 && bd_memref_strides(operand->type, strides);
  for (int i = 0; i < BD_MAX_LOOPS; ++i) operand->axis[i] = -1;
  operand->is_plain = operand->rank < 0 || mlirAffineMapGetNumResults(map) == operand->rank;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map) && operand->rank >= 0; ++r) {
    const MlirAffineExpr expression = mlirAffineMapGetResult(map, r);
    if (!mlirAffineExprIsADim(expression)) {
      operand->is_plain = false;
      continue;
    }
    const intptr_t loop = mlirAffineDimExprGetPosition(expression);
    if (operand->axis[loop] >= 0) operand->is_plain = false; /* a diagonal */
    operand->axis[loop] = (int)r;
    operand->strides[loop] = has_strides ? strides[r] : INT64_MIN;
    if (!mlirShapedTypeIsDynamicDim(operand->type, r))
      s->sizes[loop] = mlirShapedTypeGetDimSize(operand->type, r);
  }
}

static bool is_parallel_iterator(MlirAttribute iterator) {
  char name[64]; /* #linalg.iterator_type<parallel> */
  bd_text text;
  bd_text_init_fixed(&text, name, sizeof name);
  mlirAttributePrint(iterator, bd_text_piece, &text);
  return strstr(name, "parallel");
}

/* Most are like the one before: printing one costs as much as the rest of reading an operation. */
static int read_iterators(MlirOperation op, bd_structured *s) {
  const MlirAttribute iterators = bd_op_attribute(op, "iterator_types");
  if (!iterators.ptr || mlirArrayAttrGetNumElements(iterators) != s->n_loops) return 0;
  MlirAttribute last = {NULL};
  for (int i = 0; i < s->n_loops; ++i) {
    const MlirAttribute iterator = mlirArrayAttrGetElement(iterators, i);
    s->is_parallel[i] =
        mlirAttributeEqual(iterator, last) ? s->is_parallel[i - 1] : is_parallel_iterator(iterator);
    last = iterator;
  }
  return 1;
}

int bd_structured_read(MlirOperation op, bd_structured *out) {
  memset(out, 0, sizeof(*out));
  if (!bd_op_starts_with(op, "linalg.") || mlirOperationGetNumResults(op) != 0) return 0;
  const intptr_t n = mlirOperationGetNumOperands(op);
  const MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (!maps.ptr || n == 0 || n > BD_MAX_OPERANDS || mlirArrayAttrGetNumElements(maps) != n)
    return 0;
  out->op = op;
  out->n_operands = (int)n;
  out->n_inputs = (int)n - 1; /* refined below for operations with several outputs */
  const intptr_t n_loops =
      mlirAffineMapGetNumDims(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 0)));
  if (n_loops > BD_MAX_LOOPS) return 0;
  out->n_loops = (int)n_loops;
  for (int i = 0; i < BD_MAX_LOOPS; ++i) out->sizes[i] = -1;
  for (int i = 0; i < out->n_operands; ++i) {
    bd_operand *operand = &out->operands[i];
    operand->value = mlirOperationGetOperand(op, i);
    operand->type = mlirValueGetType(operand->value);
    operand->rank = mlirTypeIsAMemRef(operand->type) ? mlirShapedTypeGetRank(operand->type) : -1;
    if (mlirTypeIsATensor(operand->type)) return 0;
    read_map(out, operand, mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i)));
  }
  const MlirAttribute segments = bd_op_attribute(op, "operandSegmentSizes");
  if (segments.ptr && mlirAttributeIsADenseI32Array(segments) &&
      mlirDenseArrayGetNumElements(segments) == 2) {
    out->n_inputs = mlirDenseI32ArrayGetElement(segments, 0);
  }
  (void)read_iterators(op, out);
  return 1;
}

MlirAffineMap bd_map_of(MlirOperation op, intptr_t operand) {
  return mlirAffineMapAttrGetValue(
      mlirArrayAttrGetElement(mlirLinalgGetIndexingMapsAttribute(op), operand));
}

MlirAffineMap bd_structured_map(const bd_structured *s, int operand) {
  return bd_map_of(s->op, operand);
}

int bd_axis_along(MlirAffineMap map, intptr_t loop) {
  int axis = BD_AXIS_NONE;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    const MlirAffineExpr place = mlirAffineMapGetResult(map, r);
    if (!mlirAffineExprIsFunctionOfDim(place, loop)) continue;
    if (axis != BD_AXIS_NONE || !mlirAffineExprIsADim(place)) return BD_AXIS_TANGLED;
    axis = (int)r;
  }
  return axis;
}

int bd_structured_is_parallel(const bd_structured *s) {
  for (int i = 0; i < s->n_loops; ++i) {
    if (!s->is_parallel[i]) return 0;
  }
  return s->n_loops > 0 && s->n_inputs == s->n_operands - 1;
}

bool bd_is_of_body(MlirValue value, MlirBlock body) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), body);
  return bd_is_made_by(value, "arith.constant") ||
         mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(value)), body);
}
