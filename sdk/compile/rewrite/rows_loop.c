// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/rows_loop.c: a group of rows becomes a loop:
 *
 *   scf.parallel (%r) = (%c0) to (%n) step (%c1) {
 *     %x = memref.subview %a[%r, 0] [1, 1000] [1, 1]
 *     linalg.generic … ins(%x) …
 *     linalg.generic …
 *   }
 *
 * Axes of rows stay, with one place each: which axes a subview has dropped cannot always be told
 * from its type. Views of buffers are made anew within, so that the loop needs the buffers alone. */
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/rows.h"
#include "sdk/compile/rewrite/rows_parts.h"
#include "sdk/runtime/strided.h"
#include "sdk/compile/builder.h"

typedef struct writing {
  const bd_row_group *group;
  MlirContext context;
  MlirLocation location;
  MlirBlock body;
  MlirValue rows[BD_ROW_LOOPS]; /* indices */
} writing;

static MlirValue size_of(bd_builder b, MlirValue buffer, int axis) {
  const MlirType type = mlirValueGetType(buffer);
  return mlirShapedTypeIsDynamicDim(type, axis)
             ? bd_build_dim(b, "memref.dim", buffer, axis)
             : bd_build_index(b, mlirShapedTypeGetDimSize(type, axis));
}

bool bd_row_is_fill(const bd_row_member *m) {
  for (int i = 0; i < m->s.n_inputs; ++i) {
    if (m->s.operands[i].rank >= 0) return false;
  }
  return true;
}

/* Which of the group's rows the loop is; -1: none. */
static int row_of_loop(const bd_row_group *group, const bd_row_member *m, int loop) {
  for (int j = 0; j < group->n_rows; ++j) {
    if (m->rows[j] == loop) return j;
  }
  return -1;
}

int bd_row_inner_loops(const bd_row_group *group, const bd_row_member *m, int loops[BD_MAX_LOOPS]) {
  int n = 0;
  for (int loop = 0; loop < m->s.n_loops; ++loop) {
    if (row_of_loop(group, m, loop) < 0) loops[n++] = loop;
  }
  return n;
}

/* ---- Operands ---- */

/* The view, made of the same buffer once more. */
static MlirValue bring(const writing *w, MlirValue value) {
  const MlirOperation op = bd_maker_of(value);
  if (mlirOperationIsNull(op) || !bd_op_is_reshape(op)) return value;
  const MlirValue source = bring(w, mlirOperationGetOperand(op, 0));
  const MlirOperation copy = mlirOperationClone(op);
  mlirOperationSetOperand(copy, 0, source);
  mlirBlockAppendOwnedOperation(w->body, copy);
  return mlirOperationGetResult(copy, 0);
}

/* The row of the operand; `row_of`: by axis, the row's index or null. */
static MlirValue subview(const writing *w, MlirValue buffer, const MlirValue *row_of) {
  const bd_builder b = bd_builder_at_end(w->body, w->location);
  enum { DYNAMIC_PARTS = 2 * BD_MAX_LOOPS };
  MlirValue operands[1 + DYNAMIC_PARTS] = {buffer};
  int64_t offsets[BD_MAX_LOOPS], sizes[BD_MAX_LOOPS], steps[BD_MAX_LOOPS], strides[BD_MAX_RANK];
  const MlirType type = mlirValueGetType(buffer);
  const int64_t dynamic = mlirShapedTypeGetDynamicSize();
  const intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  intptr_t n = 1;
  for (intptr_t i = 0; i < rank; ++i) {
    offsets[i] = mlirValueIsNull(row_of[i]) ? 0 : dynamic;
    steps[i] = 1;
    if (offsets[i] == dynamic) operands[n++] = row_of[i];
  }
  for (intptr_t i = 0; i < rank; ++i) {
    sizes[i] = offsets[i] == dynamic ? 1 : mlirShapedTypeGetDimSize(type, i);
    if (sizes[i] == dynamic) operands[n++] = size_of(b, buffer, (int)i);
  }
  bd_memref_strides(type, strides);
  const MlirAttribute layout =
      mlirStridedLayoutAttrGet(w->context, mlirShapedTypeGetDynamicStrideOrOffset(), rank, strides);
  const MlirType view = mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, sizes, layout,
                                          mlirMemRefTypeGetMemorySpace(type));
  return bd_build_slice(b, "memref.subview", operands, (size_t)n, view,
                        &(bd_slice){rank, rank, offsets, sizes, steps});
}

static void narrow_operand(const writing *w, const bd_row_member *m, int operand) {
  if (m->s.operands[operand].rank < 0) return;
  const bd_row_walk *walk = &m->walks[operand];
  MlirValue row_of[BD_MAX_LOOPS] = {{NULL}};
  bool is_in_rows = false;
  for (int j = 0; j < w->group->n_rows; ++j) {
    const int axis = walk->axis[m->rows[j]];
    if (axis < 0) continue;
    row_of[axis] = w->rows[j];
    is_in_rows = true;
  }
  MlirValue value = bring(w, m->s.operands[operand].value);
  if (is_in_rows) value = subview(w, value, row_of);
  mlirOperationSetOperand(m->s.op, operand, value);
}

/* ---- Loops ---- */

/* The operation has the loops that are left; places along rows are 0. out_order: by loop, its new
 * number. */
static void narrow_loops(const writing *w, const bd_row_member *m, int *out_order) {
  MlirAffineExpr places[BD_MAX_LOOPS];
  int left[BD_MAX_LOOPS], n = 0;
  for (int i = 0; i < m->s.n_loops; ++i) {
    const bool is_row = row_of_loop(w->group, m, i) >= 0;
    out_order[i] = n;
    places[i] =
        is_row ? mlirAffineConstantExprGet(w->context, 0) : mlirAffineDimExprGet(w->context, n);
    if (!is_row) left[n++] = i;
  }
  bd_loops_change(m->s.op, mlirAffineMapGet(w->context, n, 0, m->s.n_loops, places), left);
}

/* linalg.index in the body counts loops too. */
static buddy_code renumber_indices(const writing *w, const bd_row_member *m, const int *order) {
  bd_ops indices = {NULL, 0, 0};
  const buddy_code code = bd_ops_collect(&indices, m->s.op, "linalg.index");
  for (size_t i = 0; i < indices.n && code == BUDDY_OK; ++i) {
    const MlirAttribute dim = bd_op_attribute(indices.items[i], "dim");
    const int loop = (int)mlirIntegerAttrGetValueInt(dim), row = row_of_loop(w->group, m, loop);
    if (row < 0) {
      bd_op_set_attribute(indices.items[i], "dim",
                          mlirIntegerAttrGet(mlirAttributeGetType(dim), order[loop]));
      continue;
    }
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(indices.items[i], 0), w->rows[row]);
    bd_op_erase(indices.items[i]);
  }
  bd_ops_deinit(&indices);
  return code;
}

static buddy_code move_in(const writing *w, const bd_row_member *m) {
  int order[BD_MAX_LOOPS];
  for (int i = 0; i < m->s.n_operands; ++i) narrow_operand(w, m, i);
  narrow_loops(w, m, order);
  const buddy_code code = renumber_indices(w, m, order);
  mlirOperationRemoveFromParent(m->s.op);
  mlirBlockAppendOwnedOperation(w->body, m->s.op);
  return code;
}

/* How many rows there are of a kind: any operand that is walked along them tells. */
static MlirValue count_rows(const writing *w, bd_builder b, int row) {
  const bd_row_member *m = w->group->members[w->group->n_members - 1];
  int i = 0;
  while (m->s.operands[i].rank < 0 || m->walks[i].axis[m->rows[row]] < 0) ++i;
  return size_of(b, m->s.operands[i].value, m->walks[i].axis[m->rows[row]]);
}

static void insert_loop(writing *w, bd_builder b) {
  const int n = w->group->n_rows;
  MlirValue counts[BD_ROW_LOOPS];
  for (int j = 0; j < n; ++j) counts[j] = count_rows(w, b, j);
  w->body = bd_build_parallel(b, counts, n);
  for (int j = 0; j < n; ++j) w->rows[j] = mlirBlockGetArgument(w->body, j);
  bd_op_set_attribute(bd_block_parent(w->body), BD_ROWS, mlirUnitAttrGet(w->context));
}

buddy_code bd_rows_write(const bd_row_group *group) {
  const MlirOperation last = group->members[group->n_members - 1]->s.op;
  bd_builder behind = bd_builder_before(last);
  behind.before = mlirOperationGetNextInBlock(last);
  writing w = {.group = group, .context = behind.context, .location = behind.location};
  insert_loop(&w, behind);
  buddy_code code = BUDDY_OK;
  for (int i = 0; i < group->n_members && code == BUDDY_OK; ++i)
    code = move_in(&w, group->members[i]);
  (void)bd_build_op(bd_builder_at_end(w.body, w.location), "scf.reduce", NULL, 0, NULL, 0, NULL, 0);
  return code;
}
