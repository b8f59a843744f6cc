// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/schedule.c: applying the sequences of a transform script. */
#include "sdk/compile/schedule.h"

#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/Transform/Interpreter.h"
#include "sdk/compile/ir.h"
#include "sdk/lower/context.h"

static const char *const stages[] = {"tensors", "buffers", "loops"};
enum { N_STAGES = sizeof(stages) / sizeof(stages[0]) };

static const char todo[] =
    "a schedule is `module attributes {transform.with_named_sequence} { … }` with sequences "
    "@tensors, @buffers and @loops, or some of them, each of one argument, the module";

static bool is_sequence(MlirOperation op) { return bd_op_is(op, "transform.named_sequence"); }

/* The script's sequence of this name, or null. */
static MlirOperation find(MlirModule script, const char *name) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(script));
  while (!mlirOperationIsNull(op) && !(is_sequence(op) && bd_string_is(bd_symbol_of(op), name)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static bool has_stage(MlirStringRef name) {
  for (size_t i = 0; i < N_STAGES; ++i)
    if (bd_string_is(name, stages[i])) return true;
  return false;
}

/* Sequences that others include have names of their own, and must be private. */
static buddy_code check_sequence(MlirOperation sequence, buddy_diags *diags) {
  const MlirStringRef name = bd_symbol_of(sequence);
  char where[256];
  if (bd_op_is_private(sequence)) return BUDDY_OK;
  bd_location_describe(mlirOperationGetLocation(sequence), where, sizeof(where));
  if (!has_stage(name))
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where, todo,
                           "no stage of compiling is called '%.*s'; a sequence that others include "
                           "is private",
                           (int)name.length, name.data);
  const MlirBlock body = bd_body_of(sequence);
  if (mlirBlockIsNull(body) || mlirBlockGetNumArguments(body) != 1)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where, todo,
                           "sequence '%.*s' does not take one argument, the module",
                           (int)name.length, name.data);
  return BUDDY_OK;
}

static buddy_code check(MlirModule script, buddy_diags *diags) {
  buddy_code code = BUDDY_OK;
  size_t n = 0;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(script));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_sequence(op)) continue;
    const buddy_code found = check_sequence(op, diags);
    if (found != BUDDY_OK) code = found;
    ++n;
  }
  if (n > 0) return code;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "schedule", todo,
                         "it has no named sequence");
}

buddy_code bd_schedule_create(MlirContext context, const char *text, buddy_diags *diags,
                              bd_schedule *out_schedule) {
  *out_schedule = (bd_schedule){{NULL}};
  if (!text) return BUDDY_OK;
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, context, diags, BUDDY_INVALID_ARGUMENT, "in the schedule");
  const MlirOperation parsed = mlirOperationCreateParse(
      context, mlirStringRefCreateFromCString(text), mlirStringRefCreateFromCString("schedule"));
  bd_mlir_diags_end(&scope);
  if (mlirOperationIsNull(parsed)) return BUDDY_INVALID_ARGUMENT;
  const MlirModule script = mlirModuleFromOperation(parsed);
  if (mlirModuleIsNull(script)) {
    mlirOperationDestroy(parsed);
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "schedule", todo,
                           "it is not a module");
  }
  out_schedule->script = script;
  return check(script, diags);
}

void bd_schedule_deinit(bd_schedule *schedule) {
  if (!mlirModuleIsNull(schedule->script)) mlirModuleDestroy(schedule->script);
  *schedule = (bd_schedule){{NULL}};
}

buddy_code bd_schedule_apply(const bd_schedule *schedule, const char *stage, MlirModule module,
                             buddy_diags *diags) {
  if (mlirModuleIsNull(schedule->script)) return BUDDY_OK;
  const MlirOperation sequence = find(schedule->script, stage);
  if (mlirOperationIsNull(sequence)) return BUDDY_OK;
  const MlirOperation payload = mlirModuleGetOperation(module);
  const MlirTransformOptions options = mlirTransformOptionsCreate();
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, mlirModuleGetContext(module), diags, BUDDY_INVALID_ARGUMENT,
                      "by the schedule");
  const MlirLogicalResult applied = mlirTransformApplyNamedSequence(
      payload, sequence, mlirModuleGetOperation(schedule->script), options);
  const bool is_right = mlirLogicalResultIsSuccess(applied) && mlirOperationVerify(payload);
  bd_mlir_diags_end(&scope);
  mlirTransformOptionsDestroy(options);
  if (is_right) return BUDDY_OK;
  if (scope.n_errors == 0)
    buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "schedule", NULL,
                    "sequence '%s' failed without a word", stage);
  return BUDDY_INVALID_ARGUMENT;
}
