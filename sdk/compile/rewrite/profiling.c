// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/profiling.c: inserting the marks of steps. */
#include "sdk/compile/rewrite/profiling.h"

#include <stdbool.h>
#include <stdio.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/origins.h"
#include "sdk/compile/rewrite/work.h"
#include "sdk/compile/builder.h"

static buddy_code insert_mark(MlirOperation before, const bd_profile *profile, int64_t step) {
  const MlirValue operands[] = {
      bd_build_i64(bd_builder_before(before), (int64_t)(uintptr_t)profile),
      bd_build_i64(bd_builder_before(before), step)};
  if (!operands[0].ptr || !operands[1].ptr) return BUDDY_OUT_OF_MEMORY;
  return bd_build_call(bd_builder_before(before), BD_RUNTIME_MARK, operands, 2);
}

/* Of a shaped type; 0 where a size is known in the run alone. */
static uint64_t bytes_of(MlirType type) {
  if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasStaticShape(type)) return 0;
  MlirType element = mlirShapedTypeGetElementType(type);
  uint64_t bits = mlirTypeIsAComplex(element) ? 2 : 1;
  if (bits == 2) element = mlirComplexTypeGetElementType(element);
  bits *= mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element)
          : mlirTypeIsAFloat(element) ? mlirFloatTypeGetWidth(element)
                                      : 64;
  uint64_t n = bits < 8 ? 1 : bits / 8;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    n *= (uint64_t)mlirShapedTypeGetDimSize(type, i);
  return n;
}

static uint64_t bytes_given(MlirOperation op) {
  uint64_t sum = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    sum += bytes_of(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return sum;
}

static buddy_code measure(MlirOperation op, void *user) {
  bd_profile *profile = user;
  char kernel[BD_ORIGIN_SIZE] = "copy";
  bd_origin_text o;
  if (!bd_op_is_step(op)) return BUDDY_OK;
  bd_origin_read(mlirOperationGetLocation(op), &o);
  if (bd_op_is(op, "func.call")) {
    const MlirStringRef callee = mlirFlatSymbolRefAttrGetValue(bd_op_attribute(op, "callee"));
    snprintf(kernel, sizeof(kernel), "%.*s", (int)(callee.length % sizeof(kernel)), callee.data);
  }
  const buddy_step step = {
      .nodes = o.nodes,
      .module = o.module,
      .where = o.where,
      .kernel = kernel,
      .n_bytes = bytes_given(op),
      .n_flops = bd_op_is(op, "func.call") ? bd_work_read(mlirOperationGetLocation(op)) : 0};
  BD_TRY(bd_profile_add(profile, &step));
  return insert_mark(mlirOperationGetNextInBlock(op), profile, (int64_t)profile->n - 1);
}

buddy_code bd_profiling_add_place(const bd_arena_place *place, void *profile) {
  bd_origin_text o;
  bd_origin_read(mlirOperationGetLocation(place->alloc), &o);
  return bd_profile_add_place(profile, &(buddy_place){.nodes = o.nodes,
                                                      .module = o.module,
                                                      .where = o.where,
                                                      .start = (uint64_t)place->start,
                                                      .n_bytes = (uint64_t)place->n_bytes,
                                                      .first = place->first,
                                                      .last = place->last});
}

static buddy_code measure_function(MlirOperation function, bd_profile *profile) {
  BD_TRY(bd_ops_each(function, "", measure, profile));
  return insert_mark(mlirBlockGetFirstOperation(bd_body_of(function)), profile, -1);
}

/* func.func private @mark(i64, i64) */
static buddy_code declare_mark(MlirModule module) {
  bd_text text;
  bd_text_init(&text);
  bd_text_format(&text, "func.func private @%s(i64, i64)", BD_RUNTIME_MARK);
  const buddy_code code = bd_functions_append(module, &text);
  bd_text_deinit(&text);
  return code;
}

buddy_code bd_profiling_insert(MlirModule module, MlirOperation entry, bd_profile *profile) {
  BD_TRY(declare_mark(module));
  BD_TRY(measure_function(entry, profile));
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (bd_op_is(op, "func.func") && !bd_op_is_private(op) && bd_body_of(op).ptr &&
        !mlirOperationEqual(op, entry))
      BD_TRY(measure_function(op, profile));
  }
  return BUDDY_OK;
}
