// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/zeros.c: zeros of padded buffers. Whatever writes anything else to the buffer
 * does so through a view that is a box of it: outside of all boxes there are zeros, or what nobody
 * has written. */
#include "sdk/compile/rewrite/zeros.h"

#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/structured.h"

/* Along one axis of the buffer: other than zeros may be from `first` to before `end`. */
typedef struct filled {
  int64_t axis, size, first, end;
} filled;

static bool fills_with_zeros(MlirOperation op, intptr_t operand) {
  double number;
  if (!bd_op_is(op, "linalg.fill") || operand != 1) return false;
  const MlirValue value = mlirOperationGetOperand(op, 0);
  return bd_integer_of(value) == 0 || (bd_read_float(value, &number) && number == 0);
}

static bool only_reads(MlirOperation op, intptr_t operand) {
  bd_structured s;
  if (bd_op_is(op, "memref.copy") || bd_op_is(op, "memref.load")) return operand == 0;
  if (bd_op_is(op, "memref.dim") || bd_op_is(op, "memref.dealloc")) return true;
  return bd_structured_read(op, &s) && operand < s.n_inputs;
}

static void add_writer(MlirValue view, filled *f) {
  bd_geometry g;
  bd_box box;
  const bool is_known = bd_geometry_read(view, &g) && bd_box_read(&g, &box);
  const int64_t first = is_known ? box.first[f->axis] : 0,
                end = is_known ? first + box.n[f->axis] : f->size;
  if (first < f->first) f->first = first;
  if (end > f->end) f->end = end;
}

static void add_users(MlirValue value, filled *f) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    const intptr_t operand = mlirOpOperandGetOperandNumber(use);
    if (bd_op_is_view(user))
      add_users(mlirOperationGetResult(user, 0), f);
    else if (!fills_with_zeros(user, operand) && !only_reads(user, operand))
      add_writer(value, f);
  }
}

/* The axis of the buffer that one of the view is, whole; -1 if there is none. */
static int64_t axis_of_buffer(const bd_geometry *view, int64_t axis) {
  const MlirType type = mlirValueGetType(view->base);
  int64_t strides[BD_MAX_RANK];
  bd_box box;
  if (!bd_box_read(view, &box) || !bd_memref_strides(type, strides)) return -1;
  for (int64_t i = 0; i < box.rank; ++i) {
    const int64_t size = mlirShapedTypeGetDimSize(type, (intptr_t)i);
    if (strides[i] == view->strides[axis] && size == view->sizes[axis] && box.first[i] == 0 &&
        box.n[i] == size)
      return i;
  }
  return -1;
}

void bd_zeros_find(MlirValue value, int64_t axis, int64_t *out_before, int64_t *out_after) {
  bd_geometry g;
  filled f;
  *out_before = *out_after = 0;
  if (!bd_geometry_read(value, &g) || !bd_is_made_by(g.base, "memref.alloc")) return;
  f.axis = axis_of_buffer(&g, axis);
  if (f.axis < 0) return;
  f.size = f.first = g.sizes[axis];
  f.end = 0;
  add_users(g.base, &f);
  if (f.first >= f.end) return; /* nothing is written: all is as good as any */
  *out_before = f.first;
  *out_after = f.size - f.end;
}
