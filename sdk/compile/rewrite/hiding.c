// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/hiding.c: marks that keep operations out of linalg's fusion.
 *
 * A hidden operation is called buddy.hidden, of a dialect that does not exist; it has the operands,
 * results, attributes and the body, if any, of the one that it stands for, and that one's name as one more
 * attribute. */
#include "sdk/compile/rewrite/hiding.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

#define HIDDEN "buddy.hidden"
#define NAME "buddy.name"

/* The same operation under another name, in its place. Takes the body along. */
static buddy_code rename_op(MlirOperation op, MlirStringRef name,
                            const MlirNamedAttribute *attributes, intptr_t n) {
  const intptr_t n_operands = mlirOperationGetNumOperands(op),
                 n_results = mlirOperationGetNumResults(op);
  MlirValue *operands = bd_calloc((size_t)n_operands + 1, sizeof(MlirValue));
  MlirType *results = bd_calloc((size_t)n_results + 1, sizeof(MlirType));
  if (!operands || !results) {
    free(operands);
    free(results);
    return BUDDY_OUT_OF_MEMORY;
  }
  for (intptr_t i = 0; i < n_operands; ++i) operands[i] = mlirOperationGetOperand(op, i);
  for (intptr_t i = 0; i < n_results; ++i)
    results[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  MlirRegion region = {NULL};
  if (mlirOperationGetNumRegions(op) > 0) {
    region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(op, 0));
  }
  MlirOperationState state = mlirOperationStateGet(name, mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, n_operands, operands);
  mlirOperationStateAddResults(&state, n_results, results);
  mlirOperationStateAddAttributes(&state, n, attributes);
  if (region.ptr) mlirOperationStateAddOwnedRegions(&state, 1, &region);
  const MlirOperation renamed = mlirOperationCreate(&state);
  free(operands);
  free(results);
  if (!renamed.ptr) return BUDDY_INTERNAL;
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, renamed);
  for (intptr_t i = 0; i < n_results; ++i) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetResult(renamed, i));
  }
  bd_op_erase(op);
  return BUDDY_OK;
}

static bool is_product(MlirOperation op) {
  if (mlirOperationGetNumRegions(op) != 1 || mlirOperationGetNumResults(op) == 0) return false;
  return mlirLinalgIsAContractionOp(op) || mlirLinalgIsAConvolutionOp(op);
}

enum { MOST_STEPS = 8 };

/* Whether all elements are known when it is compiled. */
static bool is_of_constants(MlirValue value, int n_steps) {
  if (mlirTypeIsAIndex(mlirValueGetType(value))) return true; /* a size */
  if (n_steps == 0 || !mlirValueIsAOpResult(value)) return false;
  const MlirOperation op = mlirOpResultGetOwner(value);
  if (bd_op_is(op, "arith.constant") || bd_op_is(op, "tensor.empty")) return true;
  if (!bd_op_is(op, "linalg.fill") && !bd_op_is(op, "linalg.generic") &&
      !bd_op_starts_with(op, "tensor."))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!is_of_constants(mlirOperationGetOperand(op, i), n_steps - 1)) return false;
  }
  return true;
}

static bool has_maps(MlirOperation op) {
  const MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  return bd_op_is(op, "linalg.generic") && maps.ptr &&
         mlirArrayAttrGetNumElements(maps) == mlirOperationGetNumOperands(op);
}

/* Whether it may have nothing to reduce, and folding a constant into it may make its body forget what
 * the result was: upstream (LLVM 22, RemoveOutsDependency) then leaves out the initial value, which is
 * the result of nothing. */
static bool is_of_nothing(MlirOperation op) {
  const intptr_t n = mlirOperationGetNumOperands(op);
  bool may_be_empty = false, has_constant = false;
  if (!has_maps(op)) return false;
  const MlirAffineMap out = bd_map_of(op, n - 1);
  if (mlirAffineMapGetNumResults(out) >= mlirAffineMapGetNumDims(out)) return false;
  for (intptr_t i = 0; i < n - mlirOperationGetNumResults(op); ++i) {
    const MlirValue input = mlirOperationGetOperand(op, i);
    const MlirType type = mlirValueGetType(input);
    if (!mlirTypeIsATensor(type)) continue;
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
      may_be_empty |= mlirShapedTypeIsDynamicDim(type, d) || mlirShapedTypeGetDimSize(type, d) == 0;
    has_constant |= is_of_constants(input, MOST_STEPS);
  }
  return may_be_empty && has_constant;
}

enum { MOST_USES = 64 };

/* Whether loops that fusion may bring it into ask for each element more than once. So it is taken to
 * be where more uses than are left would have to be looked at. */
static bool is_asked_again(MlirValue value, int *n_left) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (--*n_left <= 0) return true;
    if (has_maps(user)) {
      const MlirAffineMap map = bd_map_of(user, mlirOpOperandGetOperandNumber(use));
      if (mlirAffineMapGetNumResults(map) < mlirAffineMapGetNumDims(map)) return true;
    } else if (!bd_op_starts_with(user, "tensor.")) {
      continue;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(user); ++i)
      if (is_asked_again(mlirOperationGetResult(user, i), n_left)) return true;
  }
  return false;
}

/* Whether it computes each element from what its result began with, and fusion may have it computed
 * again: upstream (LLVM 22, fuseElementwiseOps) makes the result one of the loops' results, and each
 * round then begins with what the one before has left. */
static bool is_from_its_result(MlirOperation op) {
  int n_left = MOST_USES;
  if (!has_maps(op)) return false;
  const MlirBlock body = bd_body_of(op);
  const intptr_t n = mlirOperationGetNumResults(op), first = mlirOperationGetNumOperands(op) - n;
  for (intptr_t i = 0; i < n; ++i) {
    const MlirAffineMap map = bd_map_of(op, first + i);
    if (mlirAffineMapGetNumResults(map) < mlirAffineMapGetNumDims(map)) return false; /* sums up */
    if (bd_is_used(mlirBlockGetArgument(body, first + i)) &&
        is_asked_again(mlirOperationGetResult(op, i), &n_left))
      return true;
  }
  return false;
}

/* Something that takes more than a few instructions. */
static bool is_dear(MlirOperation op) {
  static const char *const names[] = {
      "math.cos",  "math.sin",  "math.tan",  "math.exp",   "math.exp2", "math.expm1", "math.log",
      "math.log2", "math.tanh", "math.powf", "math.log1p", "math.erf",  NULL};
  return bd_op_is_any(op, names);
}

/* Whether fusion would make it, with loops before it, of something dear. */
static bool is_of_dear(MlirOperation op, int n_steps) {
  if (n_steps == 0 || !has_maps(op)) return false;
  MlirOperation step = mlirBlockGetFirstOperation(bd_body_of(op));
  for (; step.ptr; step = mlirOperationGetNextInBlock(step)) {
    if (is_dear(step)) return true;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirValueIsAOpResult(operand) && is_of_dear(mlirOpResultGetOwner(operand), n_steps - 1))
      return true;
  }
  return false;
}

/* Whether a loop asks for each element often, and not in rounds of its innermost loop alone, out of
 * which what does not change is taken. */
static bool is_repeated_by(MlirOperation user, intptr_t operand, MlirType of) {
  enum { MIN_REPEATS = 8 };
  const MlirType result = mlirValueGetType(mlirOperationGetResult(user, 0));
  const MlirAffineMap map = bd_map_of(user, operand);
  const intptr_t n_loops = mlirAffineMapGetNumDims(map);
  bool is_outer_missing = false;
  for (intptr_t d = 0; d + 1 < n_loops; ++d)
    is_outer_missing |= bd_axis_along(map, d) == BD_AXIS_NONE;
  if (!is_outer_missing || bd_axis_along(map, n_loops - 1) == BD_AXIS_NONE ||
      !mlirTypeIsATensor(result))
    return false;
  if (!mlirShapedTypeHasStaticShape(result) || !mlirShapedTypeHasStaticShape(of)) return true;
  return bd_count_elements(result) / MIN_REPEATS >= bd_count_elements(of);
}

static bool is_asked_often(MlirValue value, MlirType of, int *n_left) {
  bool is_often = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && --*n_left > 0;
       use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (has_maps(user))
      is_often |= is_repeated_by(user, mlirOpOperandGetOperandNumber(use), of);
    else if (bd_op_is(user, "tensor.expand_shape") || bd_op_is(user, "tensor.collapse_shape"))
      is_often |= is_asked_often(mlirOperationGetResult(user, 0), of, n_left);
  }
  return is_often;
}

/* Whether fusion would have it computed again and again where it is dear: positions' sines in each
 * head, a window in each frame. */
static bool is_dear_again(MlirOperation op) {
  int n_left = MOST_USES;
  if (!has_maps(op) || mlirOperationGetNumResults(op) != 1) return false;
  const MlirValue result = mlirOperationGetResult(op, 0);
  return is_asked_often(result, mlirValueGetType(result), &n_left) && is_of_dear(op, MOST_STEPS);
}

static buddy_code hide(MlirOperation op) {
  const MlirContext context = mlirOperationGetContext(op);
  const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const intptr_t n = mlirOperationGetNumAttributes(op);
  MlirNamedAttribute *attributes = bd_calloc((size_t)n + 1, sizeof(MlirNamedAttribute));
  if (!attributes) return BUDDY_OUT_OF_MEMORY;
  for (intptr_t i = 0; i < n; ++i) attributes[i] = mlirOperationGetAttribute(op, i);
  attributes[n] = bd_named(context, NAME, mlirStringAttrGet(context, name));
  const buddy_code code = rename_op(op, mlirStringRefCreateFromCString(HIDDEN), attributes, n + 1);
  free(attributes);
  return code;
}

static buddy_code restore(MlirOperation op, void *user) {
  (void)user;
  const MlirStringRef name = mlirStringAttrGetValue(bd_op_attribute(op, NAME));
  const intptr_t n = mlirOperationGetNumAttributes(op);
  MlirNamedAttribute *attributes = bd_calloc((size_t)n + 1, sizeof(MlirNamedAttribute));
  if (!attributes) return BUDDY_OUT_OF_MEMORY;
  intptr_t kept = 0;
  for (intptr_t i = 0; i < n; ++i) {
    attributes[kept] = mlirOperationGetAttribute(op, i);
    if (!bd_string_is(mlirIdentifierStr(attributes[kept].name), NAME)) ++kept;
  }
  const buddy_code code = rename_op(op, name, attributes, kept);
  free(attributes);
  return code;
}

/* With the reshapes by which a convolution sees its images in groups: what comes before or after
 * would be done in groups too, and its layout not be chosen (layouts.h). */
static buddy_code hide_groups(MlirOperation op) {
  const MlirValue images[] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 2)};
  const MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  if (!mlirOpOperandIsNull(use) && bd_op_is(mlirOpOperandGetOwner(use), "tensor.collapse_shape"))
    BD_TRY(hide(mlirOpOperandGetOwner(use)));
  for (int i = 0; i < 2; ++i) {
    if (bd_is_made_by(images[i], "tensor.expand_shape"))
      BD_TRY(hide(mlirOpResultGetOwner(images[i])));
  }
  return BUDDY_OK;
}

buddy_code bd_products_hide(MlirOperation root) {
  bd_ops ops = {NULL, 0, 0};
  mlirContextSetAllowUnregisteredDialects(mlirOperationGetContext(root), true);
  buddy_code code = bd_ops_collect_outermost(&ops, root, "linalg.");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; ++i) {
    const MlirOperation op = ops.items[i];
    if (!is_product(op) && !is_of_nothing(op) && !is_from_its_result(op) && !is_dear_again(op))
      continue;
    if (bd_op_is(op, "linalg.conv_2d_ngchw_gfchw")) code = hide_groups(op);
    if (code == BUDDY_OK) code = hide(op);
  }
  bd_ops_deinit(&ops);
  return code;
}

buddy_code bd_products_restore(MlirOperation root) {
  const buddy_code code = bd_ops_each(root, HIDDEN, restore, NULL);
  mlirContextSetAllowUnregisteredDialects(mlirOperationGetContext(root), false);
  return code;
}
