// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/iterations.c: memory that an iteration of a loop leaves behind.
 *
 *   %scope = call @buddy_runtime_scope_begin()
 *   scf.while (%a = …) {…} do {
 *     …
 *     call @buddy_runtime_scope_hold(%scope, address of %next)
 *     call @buddy_runtime_scope_free(%scope)
 *     scf.yield %next
 *   }
 *
 * Nothing else leads from one iteration to the next but what it yields: what was allocated before the loop
 * is not of the scope, and buffers hold no buffers. */
#include "sdk/compile/rewrite/iterations.h"

#include <stdlib.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/runtime/runtime.h"
#include "sdk/compile/builder.h"

static bool is_freed(MlirOperation alloc) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(alloc, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    if (bd_op_is(mlirOpOperandGetOwner(use), "memref.dealloc")) return true;
  }
  return false;
}

static bool gives_buffer(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    if (mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetResult(op, i)))) return true;
  }
  return false;
}

static bool is_loop(MlirOperation op) {
  return bd_op_is(op, "scf.while") || bd_op_is(op, "scf.for");
}

static bool is_among(const bd_ops *ops, MlirOperation op) {
  for (size_t i = 0; i < ops->n; ++i) {
    if (mlirOperationEqual(ops->items[i], op)) return true;
  }
  return false;
}

/* The loops that `op` is in, once each; outside one that is there already all are. */
static buddy_code add_loops_around(MlirOperation op, void *user) {
  bd_ops *loops = user;
  const bool leaves_it =
      bd_op_is(op, "func.call") ? gives_buffer(op) : bd_op_is(op, "memref.alloc") && !is_freed(op);
  if (!leaves_it) return BUDDY_OK;
  for (op = mlirOperationGetParentOperation(op); op.ptr; op = mlirOperationGetParentOperation(op)) {
    if (!is_loop(op)) continue;
    if (is_among(loops, op)) break;
    BD_TRY(bd_ops_add(loops, op));
  }
  return BUDDY_OK;
}

static buddy_code hold(MlirOperation yield, MlirValue scope, MlirValue buffer) {
  const bd_builder b = bd_builder_before(yield);
  const MlirValue place = bd_build_one(b, "memref.extract_aligned_pointer_as_index", buffer,
                                       mlirIndexTypeGet(b.context));
  const MlirValue address =
      bd_build_one(b, "arith.index_cast", place, mlirIntegerTypeGet(b.context, 64));
  const MlirValue operands[] = {scope, address};
  return address.ptr ? bd_build_call(bd_builder_before(yield), BD_RUNTIME_SCOPE_HOLD, operands, 2)
                     : BUDDY_OUT_OF_MEMORY;
}

static buddy_code free_in(MlirOperation loop) {
  const MlirContext context = mlirOperationGetContext(loop);
  const MlirValue scope = bd_build(
      bd_builder_before(loop), "func.call", NULL, 0, mlirIntegerTypeGet(context, 64), "callee",
      mlirFlatSymbolRefAttrGet(context, mlirStringRefCreateFromCString(BD_RUNTIME_SCOPE_BEGIN)));
  if (!scope.ptr) return BUDDY_OUT_OF_MEMORY;
  const intptr_t n_regions = mlirOperationGetNumRegions(loop);
  const MlirOperation yield =
      mlirBlockGetTerminator(mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, n_regions - 1)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    const MlirValue next = mlirOperationGetOperand(yield, i);
    if (mlirTypeIsAMemRef(mlirValueGetType(next))) BD_TRY(hold(yield, scope, next));
  }
  return bd_build_call(bd_builder_before(yield), BD_RUNTIME_SCOPE_FREE, &scope, 1);
}

static buddy_code declare(MlirOperation root) {
  bd_text text;
  bd_text_init(&text);
  bd_text_format(&text, "func.func private @" BD_RUNTIME_SCOPE_BEGIN
                        "() -> i64\n"
                        "func.func private @" BD_RUNTIME_SCOPE_HOLD
                        "(i64, i64)\n"
                        "func.func private @" BD_RUNTIME_SCOPE_FREE "(i64)\n");
  const buddy_code code = bd_functions_append(mlirModuleFromOperation(root), &text);
  bd_text_deinit(&text);
  return code;
}

buddy_code bd_iterations_free(MlirOperation root) {
  bd_ops loops = {NULL, 0, 0};
  buddy_code code = bd_ops_each(root, "memref.alloc", add_loops_around, &loops);
  if (code == BUDDY_OK) code = bd_ops_each(root, "func.call", add_loops_around, &loops);
  for (size_t i = 0; i < loops.n && code == BUDDY_OK; ++i) code = free_in(loops.items[i]);
  if (code == BUDDY_OK && loops.n > 0) code = declare(root);
  bd_ops_deinit(&loops);
  return code;
}
