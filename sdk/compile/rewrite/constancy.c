// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/constancy.c: values that are the same in every run.
 *
 * Questions go backwards, from a value to what it is made of, and end after so many operations:
 * values that share operands would otherwise be asked about over and over. */
#include "sdk/compile/rewrite/constancy.h"

#include "buddy/registry.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/calls.h"
#include "sdk/compile/structured.h"

#define MARK "buddy.once"

enum { MAX_QUESTIONS = 512, MAX_CALLS = 8 };

typedef struct asking {
  const bd_prepacking *prepacking; /* null: nothing outside of the operation is steady */
  int n_left, n_calls;
} asking;

/* ---- Marks ----------------------------------------------------------------------------------- */

void bd_steady_mark(MlirOperation op) {
  bd_op_set_attribute(op, MARK, mlirUnitAttrGet(mlirOperationGetContext(op)));
}

bool bd_steady_is_marked(MlirOperation op) { return bd_op_attribute(op, MARK).ptr; }

static MlirWalkResult unmark(MlirOperation op, void *user) {
  (void)user;
  if (bd_steady_is_marked(op))
    mlirOperationRemoveDiscardableAttributeByName(op, mlirStringRefCreateFromCString(MARK));
  return MlirWalkResultAdvance;
}

void bd_steady_unmark_all(MlirOperation root) {
  mlirOperationWalk(root, unmark, NULL, MlirWalkPreOrder);
}

/* ---- Operations ------------------------------------------------------------------------------ */

/* True if the results are made of the operands and nothing else. */
static bool is_function(MlirOperation op) {
  static const char *const prefixes[] = {"arith.",       "math.",      "complex.",   "index.",
                                         "affine.apply", "affine.min", "affine.max", NULL};
  static const char *const names[] = {"memref.load", "memref.dim", NULL};
  size_t i = 0;
  while (prefixes[i] && !bd_op_starts_with(op, prefixes[i])) ++i;
  return mlirOperationGetNumRegions(op) == 0 &&
         (prefixes[i] || bd_op_is_view(op) || bd_op_is_any(op, names));
}

/* The same of what may stand in the region of an operation, where arguments of blocks are made of
 * what was looked at, too. */
static bool is_function_inside(MlirOperation op) {
  static const char *const names[] = {"scf.if",       "scf.for",       "scf.while",
                                      "scf.yield",    "scf.condition", "linalg.index",
                                      "linalg.yield", "func.return",   NULL};
  return bd_op_is_any(op, names) || is_function(op);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static bool is_steady(asking *a, MlirValue value);

static bool are_operands_steady(asking *a, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!is_steady(a, mlirOperationGetOperand(op, i))) return false;
  }
  return true;
}

static bool is_steady_input(const bd_prepacking *prepacking, MlirValue argument) {
  const intptr_t i = mlirBlockArgumentGetArgNumber(argument);
  return mlirBlockEqual(mlirBlockArgumentGetOwner(argument), prepacking->entry) &&
         (size_t)i < prepacking->n_arguments && prepacking->is_constant[i];
}

static bool is_steady(asking *a, MlirValue value) {
  if (!a->prepacking || a->n_left-- <= 0) return false;
  if (mlirValueIsABlockArgument(value)) return is_steady_input(a->prepacking, value);
  const MlirOperation maker = mlirOpResultGetOwner(value);
  if (bd_op_is(maker, "memref.get_global")) return !a->prepacking->has_variables;
  return bd_steady_is_marked(maker) || (is_function(maker) && are_operands_steady(a, maker));
}

bool bd_is_steady(const bd_prepacking *prepacking, MlirValue value) {
  asking a = {prepacking->entry.ptr ? prepacking : NULL, MAX_QUESTIONS, MAX_CALLS};
  return is_steady(&a, value);
}

/* ---- Regions --------------------------------------------------------------------------------- */

static bool are_regions_steady(asking *a, MlirOperation op, MlirOperation whole);

/* What the call names, in the module that it is in; some other operation if it is not there. */
static MlirOperation function_of(MlirOperation call) {
  const MlirAttribute callee = bd_op_attribute(call, "callee");
  MlirOperation top = call;
  while (mlirOperationGetParentOperation(top).ptr) top = mlirOperationGetParentOperation(top);
  if (!callee.ptr || !bd_op_is(top, "builtin.module")) return top;
  const MlirStringRef wanted = mlirFlatSymbolRefAttrGetValue(callee);
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(top));
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (mlirStringRefEqual(bd_symbol_of(op), wanted)) return op;
  }
  return top;
}

static bool has_memory(MlirOperation call) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i) {
    const MlirType type = mlirValueGetType(mlirOperationGetOperand(call, i));
    if (mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type)) return true;
  }
  return false;
}

/* True if the call gives numbers made of numbers: by a function of the module that is such, or one
 * of a registry that reads no other memory than it says. */
static bool is_call_of_function(asking *a, MlirOperation call) {
  if (!bd_op_is(call, "func.call") || has_memory(call) || a->n_calls-- <= 0) return false;
  if (bd_call_has_effects(call)) return false;
  if (bd_op_attribute(call, BUDDY_CALL_INPUTS).ptr) return true;
  const MlirOperation function = function_of(call);
  if (!bd_op_is(function, "func.func") || !bd_body_of(function).ptr) return false;
  asking inside = {NULL, 0, a->n_calls};
  return are_regions_steady(&inside, function, function);
}

static bool is_op_steady(asking *a, MlirOperation op, MlirOperation whole) {
  if (!is_function_inside(op) && !bd_op_is(op, "memref.get_global") && !is_call_of_function(a, op))
    return false;
  if (bd_op_is(op, "memref.get_global") && (!a->prepacking || a->prepacking->has_variables))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue operand = mlirOperationGetOperand(op, i);
    if (!bd_is_inside(operand, whole) && !is_steady(a, operand)) return false;
  }
  return are_regions_steady(a, op, whole);
}

static bool are_regions_steady(asking *a, MlirOperation op, MlirOperation whole) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; block.ptr; block = mlirBlockGetNextInRegion(block)) {
      MlirOperation inner = mlirBlockGetFirstOperation(block);
      for (; inner.ptr; inner = mlirOperationGetNextInBlock(inner)) {
        if (!is_op_steady(a, inner, whole)) return false;
      }
    }
  }
  return true;
}

bool bd_op_is_steady(const bd_prepacking *prepacking, MlirOperation op, intptr_t n_written) {
  const intptr_t n = mlirOperationGetNumOperands(op) - n_written;
  for (intptr_t i = 0; i < n; ++i) {
    if (!bd_is_steady(prepacking, mlirOperationGetOperand(op, i))) return false;
  }
  asking a = {prepacking->entry.ptr ? prepacking : NULL, MAX_QUESTIONS, MAX_CALLS};
  return are_regions_steady(&a, op, op);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* True for operations that only read that operand, and make no other name of it. */
static bool only_reads(MlirOperation op, intptr_t operand) {
  static const char *const names[] = {"memref.load", "memref.dim",           "memref.copy",
                                      "vector.load", "vector.transfer_read", "affine.load",
                                      NULL};
  bd_structured s;
  if (bd_op_is_any(op, names)) return operand == 0;
  if (bd_op_starts_with(op, "linalg.")) return bd_structured_read(op, &s) && operand < s.n_inputs;
  return bd_call_reads(op, operand);
}

static bool is_only_read(MlirValue buffer, bool is_of_entry, int *n_left);

/* What the operation's results call the operand, in the block that it ends or after it. */
static bool are_names_only_read(MlirOperation op, intptr_t operand, MlirValue buffer,
                                bool is_of_entry, int *n_left) {
  const MlirOperation parent = mlirOperationGetParentOperation(op);
  if (bd_op_is_view(op) || bd_op_is(op, "arith.select"))
    return is_only_read(mlirOperationGetResult(op, 0), is_of_entry, n_left);
  if (bd_op_is(op, "scf.yield") && bd_op_is(parent, "scf.if"))
    return is_only_read(mlirOperationGetResult(parent, operand), is_of_entry, n_left);
  if (bd_op_is(op, "scf.yield") && bd_op_is(parent, "scf.for")) {
    const MlirBlock body = bd_body_of(parent);
    const MlirValue next = mlirBlockGetArgument(body, operand + 1);
    return is_only_read(mlirOperationGetResult(parent, operand), is_of_entry, n_left) &&
           (mlirValueEqual(next, buffer) || is_only_read(next, is_of_entry, n_left));
  }
  if (!bd_op_is(op, "scf.for") || operand < 3) return false;
  const MlirBlock body = bd_body_of(op);
  return is_only_read(mlirBlockGetArgument(body, operand - 2), is_of_entry, n_left) &&
         is_only_read(mlirOperationGetResult(op, operand - 3), is_of_entry, n_left);
}

/* A function of the module says by its body what it does to an argument. */
static bool does_callee_read(MlirOperation call, intptr_t operand, int *n_left) {
  const MlirOperation function = bd_op_is(call, "func.call") ? function_of(call) : call;
  if (!bd_op_is(function, "func.func")) return false;
  const MlirBlock body = bd_body_of(function);
  return body.ptr && is_only_read(mlirBlockGetArgument(body, operand), false, n_left);
}

static bool is_only_read(MlirValue buffer, bool is_of_entry, int *n_left) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    const intptr_t operand = mlirOpOperandGetOperandNumber(use);
    if ((*n_left)-- <= 0) return false;
    if (only_reads(user, operand) || does_callee_read(user, operand, n_left)) continue;
    if (is_of_entry && bd_op_is(user, "func.return")) continue; /* the caller gets a copy */
    if (!are_names_only_read(user, operand, buffer, is_of_entry, n_left)) return false;
  }
  return true;
}

bool bd_is_only_read(MlirValue buffer) {
  enum { MAX_USES = 100000 };
  int n_left = MAX_USES;
  return is_only_read(buffer, true, &n_left);
}
