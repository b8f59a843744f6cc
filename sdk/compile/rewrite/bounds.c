// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/bounds.c: checks of tosa's indices.
 *
 * The least and the largest index, by tosa's own reductions over the [N, W] index tensor, are
 * compared with 0 and with K, dim 1 of the [N, K, C] values. */
#include "sdk/compile/rewrite/bounds.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct site {
  MlirOperation op;
  MlirContext context;
  MlirLocation location;
  buddy_code code;
} site;

static MlirValue insert(site *s, const char *name, const MlirValue *operands, size_t n,
                        MlirType type, const char *attribute_name, MlirAttribute attribute) {
  const MlirOperation op =
      bd_op_create(name, s->location, operands, n, &type, 1, attribute_name, attribute);
  if (!op.ptr) {
    s->code = BUDDY_OUT_OF_MEMORY;
    return (MlirValue){NULL};
  }
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(s->op), s->op, op);
  return mlirOperationGetResult(op, 0);
}

static MlirValue constant(site *s, MlirType type, int64_t number) {
  return insert(s, "arith.constant", NULL, 0, type, "value", mlirIntegerAttrGet(type, number));
}

/* Both axes of the index tensor by `reduction`, as a number. */
static MlirValue extreme(site *s, const char *reduction, MlirValue indices) {
  const MlirType from = mlirValueGetType(indices);
  const MlirType element = mlirShapedTypeGetElementType(from);
  const MlirType axis_type = mlirIntegerTypeGet(s->context, 32);
  const MlirType index = mlirIndexTypeGet(s->context);
  for (int axis = 1; axis >= 0 && s->code == BUDDY_OK; --axis) {
    const int64_t sizes[] = {axis == 0 ? 1 : mlirShapedTypeGetDimSize(from, 0), 1};
    indices = insert(s, reduction, &indices, 1,
                     mlirRankedTensorTypeGet(2, sizes, element, mlirAttributeGetNull()), "axis",
                     mlirIntegerAttrGet(axis_type, axis));
  }
  if (s->code != BUDDY_OK) return indices;
  const MlirValue zero = constant(s, index, 0);
  if (s->code != BUDDY_OK) return zero;
  return insert(s, "tensor.extract", (const MlirValue[]){indices, zero, zero}, 3, element, NULL,
                mlirAttributeGetNull());
}

static MlirValue compare(site *s, int64_t predicate, MlirValue a, MlirValue b) {
  return insert(s, "arith.cmpi", (const MlirValue[]){a, b}, 2, mlirIntegerTypeGet(s->context, 1),
                "predicate", mlirIntegerAttrGet(mlirIntegerTypeGet(s->context, 64), predicate));
}

static buddy_code check(MlirOperation op, void *user) {
  (void)user;
  enum { SLT = 2, SGE = 5 }; /* of arith.cmpi */
  site s = {op, mlirOperationGetContext(op), mlirOperationGetLocation(op), BUDDY_OK};
  const MlirValue indices = mlirOperationGetOperand(op, 1);
  const MlirType values = mlirValueGetType(mlirOperationGetOperand(op, 0));
  const MlirType type = mlirValueGetType(indices);
  if (!mlirShapedTypeHasStaticShape(values) || !mlirShapedTypeHasStaticShape(type)) {
    return BUDDY_UNSUPPORTED; /* the tosa registry takes static shapes alone */
  }
  const bool has_indices =
      mlirShapedTypeGetDimSize(type, 0) > 0 && mlirShapedTypeGetDimSize(type, 1) > 0;
  if (!has_indices || mlirShapedTypeGetDimSize(values, 2) == 0) return BUDDY_OK;
  const int64_t size = mlirShapedTypeGetDimSize(values, 1);
  const MlirType element = mlirShapedTypeGetElementType(type);
  const MlirValue least = extreme(&s, "tosa.reduce_min", indices);
  const MlirValue most = s.code == BUDDY_OK ? extreme(&s, "tosa.reduce_max", indices) : least;
  if (s.code != BUDDY_OK) return s.code;
  const MlirValue zero = constant(&s, element, 0), end = constant(&s, element, size);
  if (s.code != BUDDY_OK) return s.code;
  const MlirValue both[] = {compare(&s, SGE, least, zero), compare(&s, SLT, most, end)};
  if (s.code != BUDDY_OK) return s.code;
  const MlirValue is_ok = insert(&s, "arith.andi", both, 2, mlirIntegerTypeGet(s.context, 1), NULL,
                                 mlirAttributeGetNull());
  char message[96];
  snprintf(message, sizeof(message), "an index is out of range for a dim of size %" PRId64, size);
  const MlirOperation assertion =
      bd_op_create("cf.assert", s.location, &is_ok, 1, NULL, 0, "msg",
                   mlirStringAttrGet(s.context, mlirStringRefCreateFromCString(message)));
  if (!assertion.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, assertion);
  return BUDDY_OK;
}

buddy_code bd_bounds_check(MlirOperation root) {
  BD_TRY(bd_ops_each(root, "tosa.gather", check, NULL));
  return bd_ops_each(root, "tosa.scatter", check, NULL);
}
