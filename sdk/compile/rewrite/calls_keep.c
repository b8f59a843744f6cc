// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/calls_keep.c: calls of registries' functions that keep what they make of constants.
 *
 *   call @product(%a, %w, %out, %zero, %zero)      %keeper = call @buddy.keeper_0()
 *     {buddy.keeps = 2}                            call @product(%a, %w, %out, %slot, %keeper)
 *
 * The function asks the keeper for memory when it runs, and so can say then how much it needs. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/calls.h"
#include "sdk/compile/rewrite/constancy.h"
#include "sdk/runtime/prepacked.h"
#include "sdk/compile/builder.h"

static bool may_keep(MlirOperation call, const bd_prepacking *prepacking) {
  const uint64_t set = bd_call_kept(call);
  const intptr_t n = mlirOperationGetNumOperands(call) - 2;
  if (set == 0 || n < 0 || (n < 64 && set >> n != 0)) return false;
  for (intptr_t i = 0; i < 2; ++i) {
    const MlirType type = mlirValueGetType(mlirOperationGetOperand(call, n + i));
    if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 64) return false;
  }
  for (intptr_t i = 0; i < n; ++i) {
    if (i < 64 && (set >> i & 1) != 0 &&
        !(bd_call_reads(call, i) && bd_is_steady(prepacking, mlirOperationGetOperand(call, i))))
      return false;
  }
  return true;
}

static MlirValue insert_keeper(MlirOperation before, bd_kernels *kernels) {
  static const char body[] = "() -> i64 {\n  %keeper = func.call @" BD_RUNTIME_KEEPER
                             "() : () -> i64\n"
                             "  return %keeper : i64\n}\n";
  const MlirContext context = mlirOperationGetContext(before);
  const MlirType type = mlirIntegerTypeGet(context, 64);
  const MlirValue none = {NULL};
  const char *name;
  bd_text text = {.data = NULL};
  bd_text_append(&text, body, sizeof(body) - 1);
  if (bd_kernels_add(kernels, "keeper", &text, &name) != BUDDY_OK) return none;
  return bd_build(bd_builder_before(before), "func.call", NULL, 0, type, "callee",
                  mlirFlatSymbolRefAttrGet(context, mlirStringRefCreateFromCString(name)));
}

buddy_code bd_calls_keep(MlirOperation root, bd_kernels *kernels, bd_prepacking *prepacking) {
  bd_ops ops = {NULL, 0, 0};
  if (!prepacking->entry.ptr) return BUDDY_OK;
  buddy_code code = bd_ops_collect(&ops, root, "func.call");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; ++i) {
    const MlirOperation call = ops.items[i];
    if (!may_keep(call, prepacking)) continue;
    const int64_t slot = bd_prepacking_slot(prepacking);
    if (slot < 0) break;
    const MlirValue number = bd_build_i64(bd_builder_before(call), slot),
                    keeper = insert_keeper(call, kernels);
    const intptr_t n = mlirOperationGetNumOperands(call);
    if (!number.ptr || !keeper.ptr) code = BUDDY_OUT_OF_MEMORY;
    if (code != BUDDY_OK) break;
    mlirOperationSetOperand(call, n - 2, number);
    mlirOperationSetOperand(call, n - 1, keeper);
  }
  bd_ops_deinit(&ops);
  return code;
}
