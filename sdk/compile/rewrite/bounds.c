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
#include "sdk/compile/builder.h"

/* Both axes of the index tensor by `reduction`, as a number. */
static MlirValue extreme(bd_builder b, const char *reduction, MlirValue indices) {
  const MlirType from = mlirValueGetType(indices);
  const MlirType element = mlirShapedTypeGetElementType(from);
  const MlirType axis_type = mlirIntegerTypeGet(b.context, 32);
  for (int axis = 1; axis >= 0; --axis) {
    const int64_t sizes[] = {axis == 0 ? 1 : mlirShapedTypeGetDimSize(from, 0), 1};
    indices = bd_build(b, reduction, &indices, 1,
                       mlirRankedTensorTypeGet(2, sizes, element, mlirAttributeGetNull()), "axis",
                       mlirIntegerAttrGet(axis_type, axis));
  }
  const MlirValue zero = bd_build_index(b, 0);
  return bd_build(b, "tensor.extract", (const MlirValue[]){indices, zero, zero}, 3, element, NULL,
                  mlirAttributeGetNull());
}

static buddy_code check(MlirOperation op, void *user) {
  (void)user;
  enum { SLT = 2, SGE = 5 }; /* of arith.cmpi */
  const bd_builder b = bd_builder_before(op);
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
  const MlirValue least = extreme(b, "tosa.reduce_min", indices);
  const MlirValue most = extreme(b, "tosa.reduce_max", indices);
  const MlirValue zero = bd_build_integer(b, element, 0), end = bd_build_integer(b, element, size);
  const MlirValue is_positive = bd_build_compare(b, "arith.cmpi", SGE, least, zero);
  const MlirValue is_below = bd_build_compare(b, "arith.cmpi", SLT, most, end);
  char message[96];
  snprintf(message, sizeof(message), "an index is out of range for a dim of size %" PRId64, size);
  return bd_build_assert(b, bd_build_pair(b, "arith.andi", is_positive, is_below), message);
}

buddy_code bd_bounds_check(MlirOperation root) {
  BD_TRY(bd_ops_each(root, "tosa.gather", check, NULL));
  return bd_ops_each(root, "tosa.scatter", check, NULL);
}
