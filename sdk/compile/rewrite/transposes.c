// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/transposes.c: transposes folded into products.
 *
 * An operand is read at a list of loops, one for each of its axes. Going from the operand back to
 * what it was made from, a transpose permutes that list, an axis of size 1 that was added takes its
 * loop out of it, and one that was taken away is in it without a loop: the product reads a view
 * without it. The right operand may also be of a narrower type and widened for the product,
 * as weights in bytes and caches of 16 bits are, and be reshaped after that: the product does that
 * itself, with each element on its way, and what is reshaped is the narrower operand. */
#include "sdk/compile/rewrite/transposes.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

#define MAX_AXES 16

/* A tensor, and the loop that walks along each of its axes; NO_LOOP: none, the axis has size 1. */
enum { NO_LOOP = -1 };
typedef struct reading {
  MlirValue value;
  intptr_t n;
  intptr_t loops[MAX_AXES];
} reading;

static int read_map(MlirAffineMap map, MlirValue value, reading *out) {
  out->value = value;
  out->n = mlirAffineMapGetNumResults(map);
  if (out->n > MAX_AXES || !mlirTypeIsARankedTensor(mlirValueGetType(value))) return 0;
  for (intptr_t i = 0; i < out->n; ++i) {
    const MlirAffineExpr e = mlirAffineMapGetResult(map, i);
    if (!mlirAffineExprIsADim(e)) return 0;
    out->loops[i] = mlirAffineDimExprGetPosition(e);
  }
  return 1;
}

static int skip_transpose(MlirOperation op, reading *r) {
  const MlirAttribute permutation = bd_op_attribute(op, "permutation");
  reading from = {.value = mlirOperationGetOperand(op, 0), .n = r->n};
  if (!permutation.ptr || mlirDenseArrayGetNumElements(permutation) != r->n) return 0;
  for (intptr_t i = 0; i < r->n; ++i) {
    from.loops[mlirDenseI64ArrayGetElement(permutation, i)] = r->loops[i];
  }
  *r = from;
  return 1;
}

/* ---- A transpose after which axes become one ------------------------------------------------- */

/* Axes of a tensor that become one, and which loop walks along it. */
typedef struct axis_group {
  intptr_t first, n, loop;
} axis_group;

/* The groups of a collapse_shape as they lie before the transpose, in that order; 0 if the
 * transpose takes one apart. */
static intptr_t groups_before(MlirOperation collapse, MlirOperation transpose, const reading *r,
                              axis_group *groups) {
  const MlirAttribute all = bd_op_attribute(collapse, "reassociation"),
                      order = bd_op_attribute(transpose, "permutation");
  intptr_t n = 0, at = 0;
  if (!all.ptr || !order.ptr || mlirArrayAttrGetNumElements(all) != r->n) return 0;
  for (; n < r->n; ++n) {
    const intptr_t size = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(all, n));
    axis_group g = {(intptr_t)mlirDenseI64ArrayGetElement(order, at), size, r->loops[n]};
    for (intptr_t i = 0; i < size; ++i) {
      if (mlirDenseI64ArrayGetElement(order, at++) != g.first + i) return 0;
    }
    intptr_t place = n;
    for (; place > 0 && groups[place - 1].first > g.first; --place)
      groups[place] = groups[place - 1];
    groups[place] = g;
  }
  return n;
}

/* The type of a tensor whose axes become one by groups; the attribute that says so. */
static MlirType collapsed_type(MlirType type, const axis_group *groups, intptr_t n,
                               MlirAttribute *out_reassociation) {
  const MlirType index = mlirIntegerTypeGet(mlirTypeGetContext(type), 64);
  MlirAttribute lists[MAX_AXES], axes[MAX_AXES];
  int64_t sizes[MAX_AXES];
  for (intptr_t g = 0; g < n; ++g) {
    sizes[g] = 1;
    for (intptr_t i = 0; i < groups[g].n; ++i) {
      const intptr_t axis = groups[g].first + i;
      axes[i] = mlirIntegerAttrGet(index, axis);
      if (mlirShapedTypeIsDynamicDim(type, axis)) sizes[g] = mlirShapedTypeGetDynamicSize();
      if (sizes[g] >= 0) sizes[g] *= mlirShapedTypeGetDimSize(type, axis);
    }
    lists[g] = mlirArrayAttrGet(mlirTypeGetContext(type), groups[g].n, axes);
  }
  *out_reassociation = mlirArrayAttrGet(mlirTypeGetContext(type), n, lists);
  return mlirRankedTensorTypeGet(n, sizes, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

/* A transpose, and after it a collapse_shape that leaves its groups of axes whole: the same the
 * other way round, of which the transpose is skipped. */
static int skip_collapsed_transpose(MlirOperation collapse, reading *r) {
  const MlirOperation transpose = bd_maker_of(mlirOperationGetOperand(collapse, 0));
  axis_group groups[MAX_AXES];
  MlirAttribute reassociation;
  if (!transpose.ptr || !bd_op_is(transpose, "linalg.transpose")) return 0;
  const intptr_t n = groups_before(collapse, transpose, r, groups);
  if (n == 0) return 0;
  const MlirValue source = mlirOperationGetOperand(transpose, 0);
  const MlirType type = collapsed_type(mlirValueGetType(source), groups, n, &reassociation);
  const MlirValue made = bd_build(bd_builder_before(collapse), "tensor.collapse_shape", &source, 1,
                                  type, "reassociation", reassociation);
  if (!made.ptr) return 0;
  r->value = made;
  for (intptr_t i = 0; i < n; ++i) r->loops[i] = groups[i].loop;
  return 1;
}

/* ---- Axes of size 1, other types ------------------------------------------------------------- */

/* The axis of a group that is not of size 1; the last one if all are; -1 if there are several. */
static intptr_t only_axis(MlirAttribute group, MlirType type) {
  intptr_t found = -1, last = -1;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i) {
    last = (intptr_t)mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, i));
    if (mlirShapedTypeGetDimSize(type, last) == 1) continue;
    if (found >= 0) return -1;
    found = last;
  }
  return found >= 0 ? found : last;
}

/* `result` is what the product is read at by its output: loops that are taken out have to be walked
 * there. */
static int skip_expansion(MlirOperation op, const reading *result, reading *r) {
  const MlirAttribute groups = bd_op_attribute(op, "reassociation");
  const MlirType type = mlirValueGetType(r->value);
  reading from = {.value = mlirOperationGetOperand(op, 0), .n = 0};
  bool is_kept[MAX_AXES] = {0};
  if (!groups.ptr || mlirArrayAttrGetNumElements(groups) > MAX_AXES) return 0;
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    const intptr_t axis = only_axis(mlirArrayAttrGetElement(groups, g), type);
    if (axis < 0) return 0;
    is_kept[axis] = 1;
    from.loops[from.n++] = r->loops[axis];
  }
  for (intptr_t i = 0; i < r->n; ++i) {
    bool is_walked = is_kept[i] || r->loops[i] == NO_LOOP;
    for (intptr_t k = 0; k < result->n; ++k) is_walked |= result->loops[k] == r->loops[i];
    if (!is_walked) return 0;
  }
  *r = from;
  return 1;
}

/* Axes of size 1 that are taken away were in the source. */
static int skip_collapse(MlirOperation op, reading *r) {
  const MlirAttribute groups = bd_op_attribute(op, "reassociation");
  const MlirValue source = mlirOperationGetOperand(op, 0);
  const MlirType type = mlirValueGetType(source);
  reading from = {.value = source, .n = mlirShapedTypeGetRank(type)};
  if (!groups.ptr || from.n > MAX_AXES || mlirArrayAttrGetNumElements(groups) != r->n) return 0;
  for (intptr_t i = 0; i < from.n; ++i) from.loops[i] = NO_LOOP;
  for (intptr_t g = 0; g < r->n; ++g) {
    const intptr_t axis = only_axis(mlirArrayAttrGetElement(groups, g), type);
    if (axis < 0) return 0;
    from.loops[axis] = r->loops[g];
  }
  *r = from;
  return 1;
}

/* True if the body is one conversion that a product makes of a narrower operand: a signed integer
 * or a float. */
static bool is_widening_body(MlirOperation op) {
  const MlirBlock body = bd_body_of(op);
  const MlirOperation first = mlirBlockGetFirstOperation(body);
  const MlirOperation last = mlirBlockGetTerminator(body);
  if (!bd_op_is(first, "arith.sitofp") && !bd_op_is(first, "arith.extf")) return false;
  return mlirOperationEqual(mlirOperationGetNextInBlock(first), last) &&
         mlirValueEqual(mlirOperationGetOperand(first, 0), mlirBlockGetArgument(body, 0)) &&
         mlirValueEqual(mlirOperationGetOperand(last, 0), mlirOperationGetResult(first, 0));
}

static bool is_widened_in_products(MlirType type) {
  const MlirType element = mlirShapedTypeGetElementType(type);
  return mlirTypeIsABF16(element) || mlirTypeIsAF16(element) ||
         (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 8);
}

static int skip_widening(MlirOperation op, reading *r) {
  const MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  reading in, out, from;
  if (!maps.ptr || mlirOperationGetNumOperands(op) != 2) return 0;
  const MlirValue source = mlirOperationGetOperand(op, 0);
  if (!read_map(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 0)), source, &in) ||
      !read_map(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 1)), r->value, &out))
    return 0;
  if (in.n != r->n || out.n != r->n || !is_widened_in_products(mlirValueGetType(source)) ||
      !mlirTypeIsAF32(mlirShapedTypeGetElementType(mlirValueGetType(r->value))) ||
      !is_widening_body(op))
    return 0;
  from = in;
  for (intptr_t i = 0; i < r->n; ++i) {
    intptr_t axis = 0; /* of the result, where the operation walks along this axis of its source */
    while (axis < r->n && out.loops[axis] != in.loops[i]) ++axis;
    if (axis == r->n) return 0;
    from.loops[i] = r->loops[axis];
  }
  *r = from;
  return 1;
}

/* ---- Reshapes of what is widened -------------------------------------------------------------- */

static bool is_reshape(MlirOperation op) {
  return bd_op_is(op, "tensor.collapse_shape") || bd_op_is(op, "tensor.expand_shape") ||
         bd_op_is(op, "tensor.reshape");
}

/* Inserts the same reshape of `source` before it. */
static MlirValue reshape_too(MlirOperation reshape, MlirValue source) {
  const MlirOperation made = mlirOperationClone(reshape);
  const MlirType type = mlirValueGetType(mlirOperationGetResult(reshape, 0));
  int64_t sizes[MAX_AXES];
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
  mlirOperationSetOperand(made, 0, source);
  mlirValueSetType(mlirOperationGetResult(made, 0),
                   mlirRankedTensorTypeGet(mlirShapedTypeGetRank(type), sizes,
                                           mlirShapedTypeGetElementType(mlirValueGetType(source)),
                                           mlirRankedTensorTypeGetEncoding(type)));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(reshape), reshape, made);
  return mlirOperationGetResult(made, 0);
}

/* The same value as it was before it was widened; null if it was not. */
static MlirValue before_widening(MlirValue value) {
  const MlirValue none = {NULL};
  const MlirOperation op = bd_maker_of(value);
  if (!op.ptr || mlirShapedTypeGetRank(mlirValueGetType(value)) > MAX_AXES) return none;
  if (is_reshape(op)) {
    const MlirValue source = before_widening(mlirOperationGetOperand(op, 0));
    return source.ptr ? reshape_too(op, source) : none;
  }
  reading r = {.value = value, .n = mlirShapedTypeGetRank(mlirValueGetType(value))};
  for (intptr_t i = 0; i < r.n; ++i) r.loops[i] = i;
  if (!bd_op_is(op, "linalg.generic") || !skip_widening(op, &r)) return none;
  for (intptr_t i = 0; i < r.n; ++i) {
    if (r.loops[i] != i) return none;
  }
  return r.value;
}

static bool is_walked(const reading *result, intptr_t loop) {
  for (intptr_t i = 0; i < result->n; ++i) {
    if (result->loops[i] == loop) return true;
  }
  return false;
}

/* Whether there are many numbers in the left operand, and each is used for many columns. */
static bool has_columns(const reading *result, const reading *left, const reading *right) {
  enum { MANY = 32, FEW_NUMBERS = 4096 };
  const MlirType type = mlirValueGetType(right->value), of_left = mlirValueGetType(left->value);
  int64_t n = 1;
  if (mlirShapedTypeHasStaticShape(of_left) && bd_count_elements(of_left) < FEW_NUMBERS)
    return false;
  for (intptr_t i = 0; i < right->n && n < MANY; ++i) {
    if (is_walked(left, right->loops[i]) || !is_walked(result, right->loops[i])) continue;
    n = mlirShapedTypeIsDynamicDim(type, i) ? MANY : n * mlirShapedTypeGetDimSize(type, i);
  }
  return n >= MANY;
}

/* Kernels read rows of the left operand that are summed up from end to end: where there are many columns, a copy that has
 * such is small beside the product. */
static bool takes_rows_apart(const reading *result, const reading *now, const reading *then,
                             const reading *right) {
  return right && now->n > 0 && then->n > 0 && !is_walked(result, now->loops[now->n - 1]) &&
         is_walked(result, then->loops[then->n - 1]) && has_columns(result, now, right);
}

/* Goes back as far as there is a transpose, or for the right operand a widening, to be had; true if
 * there was one. right: beside the left operand; null: r is it. */
static int skip_all(const reading *result, reading *r, const reading *right) {
  const bool is_right = !right;
  reading best = *r, here = *r;
  bool has_any = false;
  while (mlirValueIsAOpResult(here.value)) {
    const MlirOperation op = mlirOpResultGetOwner(here.value);
    const MlirValue narrow =
        is_right && is_reshape(op) ? before_widening(here.value) : (MlirValue){NULL};
    if (narrow.ptr) {
      here.value = narrow;
      best = here;
      has_any = true;
    } else if (bd_op_is(op, "linalg.transpose")) {
      if (!skip_transpose(op, &here) || takes_rows_apart(result, r, &here, right)) break;
      best = here;
      has_any = true;
    } else if (bd_op_is(op, "tensor.collapse_shape")) {
      if (!skip_collapsed_transpose(op, &here) || takes_rows_apart(result, r, &here, right)) break;
      best = here;
      has_any = true;
    } else if (is_right && bd_op_is(op, "linalg.generic")) {
      if (!skip_widening(op, &here)) break;
      best = here;
      has_any = true;
    } else if (bd_op_is(op, "tensor.collapse_shape")) {
      if (!skip_collapse(op, &here)) break;
    } else if (!bd_op_is(op, "tensor.expand_shape") || !skip_expansion(op, result, &here)) {
      break;
    }
  }
  *r = best;
  return has_any;
}

static MlirAttribute map_of(MlirContext context, intptr_t n_loops, const reading *r) {
  MlirAffineExpr results[MAX_AXES];
  for (intptr_t i = 0; i < r->n; ++i) results[i] = mlirAffineDimExprGet(context, r->loops[i]);
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, n_loops, 0, r->n, results));
}

/* Which axes of the source each axis of the view is: one with a loop, and those without after it;
 * before the first they belong to that. */
static MlirAttribute groups_of(MlirContext context, const reading *r) {
  MlirAttribute groups[MAX_AXES], axes[MAX_AXES];
  const MlirType i64 = mlirIntegerTypeGet(context, 64);
  intptr_t n = 0, n_axes = 0;
  bool has_loop = false;
  for (intptr_t i = 0; i < r->n; ++i) {
    if (r->loops[i] != NO_LOOP && has_loop) {
      groups[n++] = mlirArrayAttrGet(context, n_axes, axes);
      n_axes = 0;
    }
    has_loop |= r->loops[i] != NO_LOOP;
    axes[n_axes++] = mlirIntegerAttrGet(i64, i);
  }
  groups[n++] = mlirArrayAttrGet(context, n_axes, axes);
  return mlirArrayAttrGet(context, n, groups);
}

/* Reads a view that has none but the axes with loops. */
static buddy_code drop_axes(MlirOperation before, reading *r) {
  const MlirContext context = mlirOperationGetContext(before);
  const MlirType from = mlirValueGetType(r->value);
  int64_t sizes[MAX_AXES];
  reading view = {.n = 0};
  for (intptr_t i = 0; i < r->n; ++i) {
    if (r->loops[i] == NO_LOOP) continue;
    sizes[view.n] = mlirShapedTypeGetDimSize(from, i);
    view.loops[view.n++] = r->loops[i];
  }
  if (view.n == r->n) return BUDDY_OK;
  const MlirType type = mlirRankedTensorTypeGet(view.n, sizes, mlirShapedTypeGetElementType(from),
                                                mlirRankedTensorTypeGetEncoding(from));
  view.value = bd_build(bd_builder_before(before), "tensor.collapse_shape", &r->value, 1, type,
                        "reassociation", groups_of(context, r));
  if (!view.value.ptr) return BUDDY_OUT_OF_MEMORY;
  *r = view;
  return BUDDY_OK;
}

/* A linalg.contract of what is read, in place of the operation. */
static buddy_code replace(MlirOperation op, intptr_t n_loops, reading *readings) {
  const MlirContext context = mlirOperationGetContext(op);
  MlirAttribute maps[3];
  MlirValue operands[3];
  for (int i = 0; i < 3; ++i) {
    BD_TRY(drop_axes(op, &readings[i]));
    maps[i] = map_of(context, n_loops, &readings[i]);
    operands[i] = readings[i].value;
  }
  const MlirNamedAttribute of_all =
      bd_named(context, "indexing_maps", mlirArrayAttrGet(context, 3, maps));
  const MlirValue contract =
      bd_build_linalg(bd_builder_before(op), "linalg.contract", operands, 3, &of_all, 1);
  return bd_op_replace(op, contract);
}

/* Of floats, or of bytes whose products are summed up in 32 bits, signed as linalg takes them. */
static bool is_known(MlirOperation op) {
  static const unsigned widths[] = {8, 8, 32};
  int n_floats = 0, n_bytes = 0;
  for (intptr_t i = 0; i < 3; ++i) {
    const MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!mlirTypeIsAShaped(type)) return false;
    const MlirType element = mlirShapedTypeGetElementType(type);
    n_floats += mlirTypeIsAFloat(element);
    n_bytes += mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == widths[i];
  }
  return n_floats == 3 || (n_bytes == 3 && !bd_op_attribute(op, "cast").ptr);
}

static buddy_code fold(MlirOperation op, void *user) {
  (void)user;
  reading readings[3];
  if (bd_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) != 1) return BUDDY_OK;
  if (mlirOperationGetNumOperands(op) != 3 || !mlirLinalgIsAContractionOp(op)) return BUDDY_OK;
  const MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (!is_known(op) || !maps.ptr) return BUDDY_OK;
  intptr_t n_loops = 0;
  for (intptr_t i = 0; i < 3; ++i) {
    const MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    if (!read_map(map, mlirOperationGetOperand(op, i), &readings[i])) return BUDDY_OK;
    n_loops = mlirAffineMapGetNumDims(map);
  }
  const int left = skip_all(&readings[2], &readings[0], &readings[1]);
  const int right = skip_all(&readings[2], &readings[1], NULL);
  return left || right ? replace(op, n_loops, readings) : BUDDY_OK;
}

buddy_code bd_transposes_fold(MlirOperation root) {
  return bd_ops_each_outermost(root, "linalg.", fold, NULL);
}
