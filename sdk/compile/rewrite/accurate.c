// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/accurate.c: calls of functions in place of what upstream makes of them. */
#include "sdk/compile/rewrite/accurate.h"

#include <stdbool.h>
#include <stdio.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"
#include "sdk/compile/code/inlined.h"

static const char *const names[] = {"expm1", "log1p"};

/* "expm1f" for floats and what is narrower, "expm1" for doubles; 0 for other types. */
static int choose(MlirOperation op, char name[32], MlirType *out_compute) {
  const MlirContext context = mlirOperationGetContext(op);
  const MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirTypeIsAFloat(type)) return 0;
  const unsigned width = mlirFloatTypeGetWidth(type);
  if (width > 64) return 0;
  *out_compute = width == 64 ? mlirF64TypeGet(context) : mlirF32TypeGet(context);
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    char full[16];
    snprintf(full, sizeof(full), "math.%s", names[i]);
    if (!bd_op_is(op, full)) continue;
    snprintf(name, 32, "%s%s", names[i], width == 64 ? "" : "f");
    return 1;
  }
  return 0;
}

/* The same for erf and tanh of vectors of floats, of which inlined.h says what becomes. */
static bool choose_for_vectors(MlirOperation op, char name[32], MlirType *out_compute) {
  const bool is_erf = bd_op_is(op, "math.erf");
  *out_compute = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!(is_erf || bd_op_is(op, "math.tanh")) || !mlirTypeIsAVector(*out_compute) ||
      !mlirTypeIsAF32(mlirShapedTypeGetElementType(*out_compute)) ||
      mlirShapedTypeGetRank(*out_compute) != 1 || !mlirShapedTypeHasStaticShape(*out_compute))
    return false;
  snprintf(name, 32, "%s%lld", is_erf ? BD_ERF_OF_VECTORS : BD_TANH_OF_VECTORS,
           (long long)mlirShapedTypeGetDimSize(*out_compute, 0));
  return true;
}

/* func.func private @name(type) -> type, once. */
static buddy_code declare(MlirModule module, const char *name, MlirType type) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (bd_string_is(bd_symbol_of(op), name)) return BUDDY_OK;
  }
  bd_text text = {.data = NULL};
  bd_text_format(&text, "func.func private @%s(", name);
  bd_text_type(&text, type);
  bd_text_format(&text, ") -> ");
  bd_text_type(&text, type);
  const buddy_code code = bd_functions_append(module, &text);
  bd_text_deinit(&text);
  return code;
}

static buddy_code replace(MlirModule module, MlirOperation op, bool has_fused) {
  char name[32];
  MlirType compute;
  if (!choose(op, name, &compute) && !(has_fused && choose_for_vectors(op, name, &compute)))
    return BUDDY_OK;
  const MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  const bool is_narrow = !mlirTypeEqual(type, compute);
  const bd_builder b = bd_builder_before(op);
  const MlirAttribute callee =
      mlirFlatSymbolRefAttrGet(mlirModuleGetContext(module), mlirStringRefCreateFromCString(name));
  BD_TRY(declare(module, name, compute));
  MlirValue value = mlirOperationGetOperand(op, 0);
  if (is_narrow) value = bd_build_one(b, "arith.extf", value, compute);
  value = bd_build(b, "func.call", &value, 1, compute, "callee", callee);
  if (is_narrow) value = bd_build_one(b, "arith.truncf", value, type);
  return bd_op_replace(op, value);
}

buddy_code bd_functions_call(MlirModule module, bool has_fused) {
  bd_ops ops = {NULL, 0, 0};
  buddy_code code = bd_ops_collect(&ops, mlirModuleGetOperation(module), "math.");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; ++i)
    code = replace(module, ops.items[i], has_fused);
  bd_ops_deinit(&ops);
  return code;
}
