// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/units.c: axes of one element are joined with their neighbours. */
#include "sdk/compile/rewrite/units.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/structured.h"

/* ---- Which loops ----------------------------------------------------------------------------- */

static bool is_expanded(MlirValue result) {
  MlirOpOperand use = mlirValueGetFirstUse(result);
  while (!mlirOpOperandIsNull(use) && !bd_op_is(mlirOpOperandGetOwner(use), "tensor.expand_shape"))
    use = mlirOpOperandGetNextUse(use);
  return !mlirOpOperandIsNull(use);
}

static bool is_beside_reshape(MlirOperation loop) {
  bool is = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    is |= is_expanded(mlirOperationGetResult(loop, i));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(loop); ++i)
    is |= bd_is_made_by(mlirOperationGetOperand(loop, i), "tensor.collapse_shape");
  return is;
}

/* ---- An operand ------------------------------------------------------------------------------ */

/* The axes of an operand that are kept, and which axes each of them is joined with. */
typedef struct kept {
  intptr_t n;
  int64_t sizes[BD_MAX_RANK];
  MlirAffineExpr map[BD_MAX_RANK];
  MlirAttribute groups[BD_MAX_RANK];
} kept;

/* Axes of one element before the first that is kept are joined with that, others with the one before
 * them. */
static kept choose(MlirType type, MlirAffineMap map) {
  const MlirContext context = mlirAffineMapGetContext(map);
  const MlirType i64 = mlirIntegerTypeGet(context, 64);
  const intptr_t rank = mlirAffineMapGetNumResults(map);
  MlirAttribute axes[BD_MAX_RANK];
  kept k = {.n = 0};
  intptr_t begin = 0;
  for (intptr_t d = 0; d < rank; ++d) {
    const MlirAffineExpr at = mlirAffineMapGetResult(map, d);
    axes[d] = mlirIntegerAttrGet(i64, d);
    if (mlirAffineExprIsAConstant(at) && mlirShapedTypeGetDimSize(type, d) == 1) continue;
    if (k.n > 0) {
      k.groups[k.n - 1] = mlirArrayAttrGet(context, d - begin, axes + begin);
      begin = d;
    }
    k.map[k.n] = at;
    k.sizes[k.n++] = mlirShapedTypeGetDimSize(type, d);
  }
  if (k.n > 0) k.groups[k.n - 1] = mlirArrayAttrGet(context, rank - begin, axes + begin);
  return k;
}

static void set_map(MlirOperation loop, intptr_t i, MlirAffineMap map) {
  const MlirAttribute maps = bd_op_attribute(loop, "indexing_maps");
  const intptr_t n = mlirArrayAttrGetNumElements(maps);
  MlirAttribute changed[BD_MAX_OPERANDS];
  for (intptr_t k = 0; k < n; ++k) changed[k] = mlirArrayAttrGetElement(maps, k);
  changed[i] = mlirAffineMapAttrGet(map);
  bd_op_set_attribute(loop, "indexing_maps",
                      mlirArrayAttrGet(mlirOperationGetContext(loop), n, changed));
}

static buddy_code drop(MlirOperation loop, intptr_t i) {
  const MlirContext context = mlirOperationGetContext(loop);
  const MlirValue operand = mlirOperationGetOperand(loop, i);
  const MlirType type = mlirValueGetType(operand);
  const MlirAffineMap map = bd_map_of(loop, i);
  const intptr_t rank = mlirAffineMapGetNumResults(map);
  if (!mlirTypeIsARankedTensor(type) || rank > BD_MAX_RANK) return BUDDY_OK;
  kept k = choose(type, map);
  if (k.n == rank) return BUDDY_OK;
  const MlirType joined = mlirRankedTensorTypeGet(k.n, k.sizes, mlirShapedTypeGetElementType(type),
                                                  mlirAttributeGetNull());
  const MlirValue value =
      bd_build(bd_builder_before(loop), "tensor.collapse_shape", &operand, 1, joined,
               "reassociation", mlirArrayAttrGet(context, k.n, k.groups));
  if (!value.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirOperationSetOperand(loop, i, value);
  set_map(loop, i, mlirAffineMapGet(context, mlirAffineMapGetNumDims(map), 0, k.n, k.map));
  return BUDDY_OK;
}

static buddy_code drop_all(MlirOperation loop, void *user) {
  (void)user;
  const intptr_t n = mlirOperationGetNumOperands(loop);
  if (n > BD_MAX_OPERANDS || !is_beside_reshape(loop)) return BUDDY_OK;
  for (intptr_t i = 0; i < n - mlirOperationGetNumResults(loop); ++i) BD_TRY(drop(loop, i));
  return BUDDY_OK;
}

buddy_code bd_units_drop(MlirOperation root) {
  return bd_ops_each(root, "linalg.generic", drop_all, NULL);
}
