// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panel_epilogue.c: finding the loop that follows a product; panel_epilogue_text.c
 * writes it. */
#include "sdk/compile/kernels/panel_epilogue.h"

#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/structured.h"

/* ---- Who reads the result ---- */

/* What alone reads the buffer, or a view of it with the same elements in the same order, *out_view. */
static MlirOperation find_reader(MlirOperation op, const bd_beginning *begin, MlirValue result,
                                 MlirValue *out_view) {
  MlirOperation reader = {NULL};
  *out_view = result;
  if (bd_is_made_by(result, "memref.alloc")) reader = bd_only_reader(result, op, begin->op);
  while (reader.ptr && bd_op_is_reshape(reader)) {
    *out_view = mlirOperationGetResult(reader, 0);
    reader = bd_only_reader(*out_view, op, begin->op);
  }
  return reader;
}

/* ---- Its operands ---- */

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

/* Of loops that have such axes; another is none that follows. */
static bool read_extra(const bd_structured *s, int operand, const bd_finder *f, bd_epilogue *e) {
  bd_extra *out = &e->extras[e->n];
  int of[BD_MAX_LOOPS];
  return bd_axes_assign(s, f->sizes, of) && bd_extra_read_axes(s, operand, of, NULL, out) &&
         !mlirValueEqual(out->buffer, bd_base_of(e->output));
}

/* ---- Its body ---- */

static bool is_arithmetic(MlirOperation op, MlirType element) {
  (void)element;
  return bd_op_starts_with(op, "arith.") || bd_op_starts_with(op, "math.");
}

bd_epilogue bd_panel_epilogue_find(MlirOperation op, const bd_beginning *begin,
                                   const int64_t sizes[BD_N_OF]) {
  const bd_epilogue none = {.op = {NULL}};
  const bd_finder f = {.takes = is_arithmetic, .read_extra = read_extra, .sizes = sizes};
  const MlirValue result = mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
  MlirValue view;
  bd_structured s;
  bd_geometry g;
  int of[BD_MAX_LOOPS];
  const MlirOperation reader = find_reader(op, begin, result, &view);
  const bd_epilogue found = bd_epilogue_read(op, reader, view, begin, &f);
  return found.op.ptr && bd_structured_read(reader, &s) && bd_axes_assign(&s, sizes, of) &&
                 bd_memref_is_dense(mlirValueGetType(found.output)) &&
                 bd_geometry_read(found.output, &g) && g.offset == 0
             ? found
             : none;
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
