// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panel_epilogue.c: finding the loop that follows a product; panel_epilogue_text.c
 * writes it. */
#include "sdk/compile/kernels/panel_epilogue.h"

#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/structured.h"

/* ---- Who reads the result ---- */

/* The generic that alone reads the buffer, or a view of it with the same elements in the same
 * order, *out_view. */
static MlirOperation find_reader(MlirOperation op, const bd_beginning *begin, MlirValue result,
                                 MlirValue *out_view) {
  const MlirOperation none = {NULL};
  if (!bd_is_made_by(result, "memref.alloc")) return none;
  *out_view = result;
  MlirOperation reader = bd_only_reader(result, op, begin->op);
  while (reader.ptr && bd_op_is_reshape(reader)) {
    *out_view = mlirOperationGetResult(reader, 0);
    reader = bd_only_reader(*out_view, op, begin->op);
  }
  return reader.ptr && bd_op_is(reader, "linalg.generic") ? reader : none;
}

/* ---- Its operands ---- */

/* The operand is gone through from the first element to the last. */
static bool is_walked(const bd_structured *s, int operand) {
  return bd_is_element_by_element(s, operand) && bd_memref_is_dense(s->operands[operand].type);
}

int bd_axes_assign(const bd_structured *s, const int64_t sizes[BD_N_OF], int of[BD_MAX_LOOPS]) {
  int axis = BD_OF_COLUMN;
  int64_t left = sizes[axis];
  for (int loop = s->n_loops - 1; loop >= 0; --loop) {
    while (left == 1 && axis > 0 && s->sizes[loop] != 1) left = sizes[--axis];
    if (s->sizes[loop] <= 0 || left % s->sizes[loop] != 0) return 0;
    of[loop] = axis;
    left /= s->sizes[loop];
  }
  while (left == 1 && axis > 0) left = sizes[--axis];
  return left == 1;
}

/* Loops along one axis are one, if their strides follow from that of the innermost; those of the
 * batches may be two. */
static int merge(const bd_structured *s, const int of[BD_MAX_LOOPS], bd_extra *out) {
  int64_t next[BD_N_OF] = {-1, -1, -1}, places = 1; /* places: of the batches' loops so far */
  int64_t strides[BD_MAX_LOOPS];
  memcpy(strides, out->strides, sizeof(strides));
  for (int axis = 0; axis < BD_N_OF; ++axis) out->strides[axis] = 0;
  for (int loop = s->n_loops - 1; loop >= 0; --loop) {
    const int axis = of[loop];
    if (s->sizes[loop] == 1) continue;
    if (next[axis] < 0) {
      out->strides[axis] = strides[loop];
    } else if (next[axis] != strides[loop]) {
      if (axis != BD_OF_BATCH || out->inner > 0) return 0;
      out->inner = places;
      out->outer_stride = strides[loop];
    }
    next[axis] = strides[loop] * s->sizes[loop];
    if (axis == BD_OF_BATCH) places *= s->sizes[loop];
  }
  return 1;
}

int bd_extra_read_axes(const bd_structured *s, int operand, const int of[BD_MAX_LOOPS],
                       bd_extents *x, bd_extra *out) {
  *out = (bd_extra){.argument = operand};
  return s->operands[operand].rank >= 0 && bd_extra_read_strides(s, operand, x, out) &&
         merge(s, of, out);
}

static int read_extra(const bd_structured *s, int operand, const int of[BD_MAX_LOOPS],
                      const bd_epilogue *e, bd_extra *out) {
  return bd_extra_read_axes(s, operand, of, NULL, out) &&
         !mlirValueEqual(out->buffer, bd_base_of(e->output));
}

static int read_operands(const bd_structured *s, MlirValue view, const int64_t sizes[BD_N_OF],
                         bd_epilogue *out) {
  int of[BD_MAX_LOOPS];
  const int last = s->n_operands - 1;
  out->product = -1;
  out->output = s->operands[last].value;
  if (!is_walked(s, last) || !bd_axes_assign(s, sizes, of)) return 0;
  for (int i = 0; i < last; ++i) {
    if (mlirValueEqual(s->operands[i].value, view)) {
      if (out->product >= 0 || !is_walked(s, i)) return 0;
      out->product = i;
    } else {
      if (out->n == BD_MAX_EXTRAS || !read_extra(s, i, of, out, &out->extras[out->n])) return 0;
      ++out->n;
    }
  }
  return out->product >= 0;
}

/* ---- Its body ---- */

static bool is_arithmetic(MlirOperation op, MlirType element) {
  (void)element;
  return bd_op_starts_with(op, "arith.") || bd_op_starts_with(op, "math.");
}

bd_epilogue bd_panel_epilogue_find(MlirOperation op, const bd_beginning *begin,
                                   const int64_t sizes[BD_N_OF]) {
  const bd_epilogue none = {.op = {NULL}};
  MlirValue view;
  bd_structured s;
  bd_epilogue found = {.op = {NULL}};
  if (begin->begin == BD_BEGIN_OLD) return none;
  const MlirValue result = mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
  found.op = find_reader(op, begin, result, &view);
  if (!found.op.ptr || !bd_structured_read(found.op, &s) || !bd_structured_is_parallel(&s) ||
      !bd_body_is_plain(found.op, is_arithmetic, (MlirType){NULL}) ||
      !read_operands(&s, view, sizes, &found))
    return none;
  const MlirValue base = bd_base_of(found.output);
  bd_geometry g;
  if (!bd_geometry_read(found.output, &g) || g.offset != 0 || !mlirValueIsAOpResult(base) ||
      !bd_op_is(mlirOpResultGetOwner(base), "memref.alloc") ||
      !bd_epilogue_can_be_done(&found, op, begin))
    return none;
  return found;
}

MlirType bd_panel_epilogue_element(const bd_epilogue *e) {
  return mlirShapedTypeGetElementType(mlirValueGetType(e->output));
}

MlirType bd_panel_epilogue_type(const bd_epilogue *e, MlirType of_product) {
  int64_t sizes[BD_MAX_RANK];
  const intptr_t rank = mlirShapedTypeGetRank(of_product);
  for (intptr_t i = 0; i < rank; ++i) sizes[i] = mlirShapedTypeGetDimSize(of_product, i);
  return mlirMemRefTypeContiguousGet(bd_panel_epilogue_element(e), rank, sizes,
                                     mlirMemRefTypeGetMemorySpace(of_product));
}

MlirValue bd_panel_epilogue_output(const bd_epilogue *e, MlirType of_product) {
  const MlirType type = bd_panel_epilogue_type(e, of_product);
  int64_t strides[BD_MAX_RANK];
  bd_geometry g = {.base = bd_base_of(e->output), .rank = mlirShapedTypeGetRank(type)};
  bd_memref_strides(type, strides);
  for (int64_t i = 0; i < g.rank; ++i) {
    g.sizes[i] = mlirShapedTypeGetDimSize(type, (intptr_t)i);
    g.strides[i] = strides[i];
  }
  return bd_geometry_insert_as(e->op, &g, type);
}
