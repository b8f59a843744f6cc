/* sdk/compile/rewrite/fills.c: see fills.h. */
#include "sdk/compile/rewrite/fills.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/structured.h"

enum { RANK = 4 };

/* The same part with as many axes as the function wants. */
static bd_geometry with_all_axes(const bd_geometry *part) {
  bd_geometry out = *part;
  const int64_t missing = RANK - part->rank;
  out.rank = RANK;
  for (int64_t i = 0; i < RANK; i++) {
    out.sizes[i] = i < missing ? 1 : part->sizes[i - missing];
    out.strides[i] = i < missing ? part->strides[0] : part->strides[i - missing];
  }
  return out;
}

/* The part as the function takes it: sizes, strides and offset are not part of its type. */
static MlirValue cast_part(MlirOperation op, const bd_geometry *part) {
  const int64_t unknown = mlirShapedTypeGetDynamicSize();
  const int64_t any = mlirShapedTypeGetDynamicStrideOrOffset();
  const int64_t sizes[RANK] = {unknown, unknown, unknown, unknown};
  const int64_t strides[RANK] = {any, any, any, 1};
  const MlirValue view = bd_geometry_insert(op, part);
  if (view.ptr == NULL) return view;
  const MlirType type =
      mlirMemRefTypeGet(mlirShapedTypeGetElementType(mlirValueGetType(view)), RANK, sizes,
                        mlirStridedLayoutAttrGet(mlirOperationGetContext(op), any, RANK, strides),
                        mlirMemRefTypeGetMemorySpace(mlirValueGetType(view)));
  const MlirOperation cast = bd_op_create("memref.cast", mlirOperationGetLocation(op), &view, 1,
                                          &type, 1, NULL, (MlirAttribute){NULL});
  if (cast.ptr == NULL) return (MlirValue){NULL};
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, cast);
  return mlirOperationGetResult(cast, 0);
}

static buddy_code replace(MlirOperation op, void *user) {
  bd_kernels *kernels = user;
  bd_geometry part;
  char name[64];
  const MlirValue value = mlirOperationGetOperand(op, 0), to = mlirOperationGetOperand(op, 1);
  if (!bd_geometry_read(to, &part) || bd_type_is_bare(mlirValueGetType(to)) || part.rank < 1 ||
      part.rank > RANK || part.strides[part.rank - 1] != 1)
    return BUDDY_OK;
  const MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(to));
  if (!mlirTypeEqual(mlirValueGetType(value), element)) return BUDDY_OK;
  buddy_code code = bd_kernels_fill(kernels, element, name);
  if (code != BUDDY_OK) return code == BUDDY_UNSUPPORTED ? BUDDY_OK : code;
  part = with_all_axes(&part);
  const MlirValue operands[] = {value, cast_part(op, &part)};
  if (operands[1].ptr == NULL) return BUDDY_OUT_OF_MEMORY;
  code = bd_call_insert(op, name, operands, 2);
  if (code == BUDDY_OK) bd_op_erase(op);
  return code;
}

buddy_code bd_fills_replace(MlirOperation root, bd_kernels *kernels) {
  return bd_ops_each_outermost(root, "linalg.fill", replace, kernels);
}
