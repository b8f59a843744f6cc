// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/collapse.c: neighbouring loops become one. */
#include "sdk/compile/rewrite/collapse.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/runtime/strided.h"
#include "sdk/compile/builder.h"

/* ---- Which ---- */

/* Axes `axis` and the next lie in memory as one would. */
static bool lies_without_gap(MlirType type, int axis) {
  int64_t strides[BD_MAX_RANK];
  if (bd_memref_is_dense(type)) return true;
  if (!bd_memref_strides(type, strides)) return false;
  const int64_t step = strides[axis + 1], n = mlirShapedTypeGetDimSize(type, axis + 1);
  return step > 0 && n > 0 && n <= INT64_MAX / step && strides[axis] == step * n;
}

static bool is_one_walk(const bd_structured *s, int operand, int loop) {
  const bd_operand *walked = &s->operands[operand];
  const MlirAffineMap map = bd_structured_map(s, operand);
  const int axis = bd_axis_along(map, loop), next = bd_axis_along(map, loop + 1);
  if (mlirAffineMapGetNumResults(map) > BD_MAX_RANK) return false;
  if (axis < 0 || next < 0) return axis == BD_AXIS_NONE && next == BD_AXIS_NONE;
  return next == axis + 1 && lies_without_gap(walked->type, axis);
}

/* Neighbours in memory. */
static bool is_line(const bd_structured *s, int loop) {
  bool is_line = loop == s->n_loops - 1;
  for (int i = 0; i < s->n_operands; ++i)
    is_line |= s->operands[i].axis[loop] >= 0 && s->operands[i].strides[loop] == 1;
  return is_line;
}

/* Of whole vectors, and enough for their beginning and end not to matter: each line begins where vectors do. */
static bool is_good_line(const bd_structured *s, int loop) {
  enum { LINE = 64 };
  if (!is_line(s, loop)) return s->sizes[loop] != 1;
  return s->sizes[loop] >= LINE && s->sizes[loop] % LINE == 0;
}

/* The first of two loops that can become one; -1: there are none. reductions: of these alone. */
static int find_pair(const bd_structured *s, bool reductions) {
  for (int loop = 0; loop + 1 < s->n_loops; ++loop) {
    bool is_pair = s->is_parallel[loop] == s->is_parallel[loop + 1] &&
                   (!s->is_parallel[loop] || (!reductions && !is_good_line(s, loop + 1)));
    for (int i = 0; i < s->n_operands && is_pair; ++i) is_pair = is_one_walk(s, i, loop);
    if (is_pair) return loop;
  }
  return -1;
}

/* ---- The operands ---- */

static MlirType collapsed_type(MlirType type, int axis) {
  const MlirContext context = mlirTypeGetContext(type);
  const intptr_t rank = mlirShapedTypeGetRank(type) - 1;
  int64_t sizes[BD_MAX_RANK], strides[BD_MAX_RANK] = {0}, offset = 0;
  const bool is_dense = bd_memref_is_dense(type);
  if (!is_dense) (void)bd_memref_layout(type, strides, &offset);
  for (intptr_t i = 0; i < rank; ++i) {
    sizes[i] = mlirShapedTypeGetDimSize(type, i < axis ? i : i + 1);
    if (i >= axis) strides[i] = strides[i + 1];
  }
  const int64_t n = mlirShapedTypeGetDimSize(type, axis), dynamic = mlirShapedTypeGetDynamicSize();
  sizes[axis] = n == dynamic || sizes[axis] == dynamic ? dynamic : n * sizes[axis];
  const MlirAttribute layout =
      is_dense ? mlirAttributeGetNull() : mlirStridedLayoutAttrGet(context, offset, rank, strides);
  return mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, sizes, layout,
                           mlirMemRefTypeGetMemorySpace(type));
}

/* [[0], …, [axis, axis + 1], …] */
static MlirAttribute reassociation(MlirContext context, intptr_t rank, int axis) {
  const MlirType i64 = mlirIntegerTypeGet(context, 64);
  MlirAttribute groups[BD_MAX_RANK];
  for (intptr_t i = 0; i < rank; ++i) {
    const MlirAttribute axes[] = {mlirIntegerAttrGet(i64, i < axis + 1 ? i : i + 1),
                                  mlirIntegerAttrGet(i64, i + 1)};
    groups[i] = mlirArrayAttrGet(context, i == axis ? 2 : 1, axes);
  }
  return mlirArrayAttrGet(context, rank, groups);
}

/* What is written over stays one value: of two, LLVM has to compare the places in the run, and where they are one it
 * takes the loop without vectors. */
static buddy_code collapse_operand(const bd_structured *s, int i, int axis) {
  const MlirContext context = mlirOperationGetContext(s->op);
  const bd_operand *operand = &s->operands[i];
  for (int k = 0; k < i; ++k) {
    if (!mlirValueEqual(s->operands[k].value, operand->value) ||
        !mlirAffineMapEqual(bd_structured_map(s, k), bd_structured_map(s, i)))
      continue;
    mlirOperationSetOperand(s->op, i, mlirOperationGetOperand(s->op, k));
    return BUDDY_OK;
  }
  const MlirType type = collapsed_type(operand->type, axis);
  const MlirValue view =
      bd_build(bd_builder_before(s->op), "memref.collapse_shape", &operand->value, 1, type,
               "reassociation", reassociation(context, operand->rank - 1, axis));
  if (!view.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirOperationSetOperand(s->op, i, view);
  return BUDDY_OK;
}

/* ---- The loops ---- */

/* A map of one loop fewer: `loop` stands for the next as well, whose axis is gone. */
static MlirAttribute collapsed_map(const bd_structured *s, int operand, int loop) {
  const MlirContext context = mlirOperationGetContext(s->op);
  const MlirAffineMap map = bd_structured_map(s, operand);
  MlirAffineExpr dims[BD_MAX_LOOPS], places[BD_MAX_RANK];
  for (int i = 0; i < s->n_loops; ++i)
    dims[i] = mlirAffineDimExprGet(context, i <= loop ? i : i - 1);
  const MlirAffineMap change = mlirAffineMapGet(context, s->n_loops - 1, 0, s->n_loops, dims);
  const int gone = bd_axis_along(map, loop + 1);
  intptr_t n = 0;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    if (r != gone) places[n++] = mlirAffineExprCompose(mlirAffineMapGetResult(map, r), change);
  }
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, s->n_loops - 1, 0, n, places));
}

static buddy_code collapse_pair(const bd_structured *s, int loop) {
  const MlirContext context = mlirOperationGetContext(s->op);
  const MlirAttribute iterators = bd_op_attribute(s->op, "iterator_types");
  MlirAttribute maps[BD_MAX_OPERANDS], kept[BD_MAX_LOOPS];
  for (int i = 0; i < s->n_operands; ++i) {
    const int axis = bd_axis_along(bd_structured_map(s, i), loop);
    maps[i] = collapsed_map(s, i, loop);
    if (axis >= 0) BD_TRY(collapse_operand(s, i, axis));
  }
  for (int i = 0; i < s->n_loops - 1; ++i)
    kept[i] = mlirArrayAttrGetElement(iterators, i <= loop ? i : i + 1);
  bd_op_set_attribute(s->op, "iterator_types", mlirArrayAttrGet(context, s->n_loops - 1, kept));
  bd_op_set_attribute(s->op, "indexing_maps", mlirArrayAttrGet(context, s->n_operands, maps));
  return BUDDY_OK;
}

static buddy_code collapse(bd_structured *s, bool reductions) {
  int loop = find_pair(s, reductions);
  if (loop < 0 || bd_ops_exist(s->op, "linalg.index")) return BUDDY_OK;
  for (; loop >= 0; loop = find_pair(s, reductions)) {
    BD_TRY(collapse_pair(s, loop));
    (void)bd_structured_read(s->op, s); /* it was one, and is */
  }
  return BUDDY_OK;
}

buddy_code bd_loops_collapse(bd_structured *s) { return collapse(s, false); }

static buddy_code collapse_reductions(MlirOperation op, void *user) {
  bd_structured s;
  (void)user;
  return bd_op_is(op, "linalg.generic") && bd_structured_read(op, &s) ? collapse(&s, true)
                                                                      : BUDDY_OK;
}

buddy_code bd_reductions_collapse(MlirOperation root) {
  return bd_ops_each(root, "linalg.generic", collapse_reductions, NULL);
}
