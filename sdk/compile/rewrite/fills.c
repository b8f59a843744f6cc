// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/fills.c: fills of one number become functions. */
#include "sdk/compile/rewrite/fills.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

enum { RANK = 4, N_ARGUMENTS = 2 + 2 * RANK, MAX_NUMBERS = 256 };

/* ---- What is filled, as it was allocated ----------------------------------------------------- */

static buddy_code undo_reshapes(MlirOperation op, void *user) {
  (void)user;
  mlirOperationSetOperand(op, 1, bd_without_reshapes(mlirOperationGetOperand(op, 1)));
  return BUDDY_OK;
}

buddy_code bd_fills_undo_reshapes(MlirOperation root) {
  return bd_ops_each(root, "linalg.fill", undo_reshapes, NULL);
}

/* ---- By the library -------------------------------------------------------------------------- */

/* The same part with its axes in the order in which they lie in memory. */
static bd_geometry in_order(const bd_geometry *part) {
  int64_t order[BD_MAX_RANK];
  for (int64_t i = 0; i < part->rank; ++i) {
    int64_t k = i;
    for (; k > 0 && part->sizes[order[k - 1]] > 1 &&
           (part->sizes[i] == 1 || part->strides[i] > part->strides[order[k - 1]]);
         --k)
      order[k] = order[k - 1];
    order[k] = i;
  }
  return bd_geometry_permuted(part, order);
}

/* The same part, whose axes are in order, with those that lie end to end as one: a line is as long as it can be. */
static bd_geometry joined(const bd_geometry *part) {
  bd_geometry out = *part;
  out.rank = 0;
  for (int64_t i = 0; i < part->rank; ++i) {
    const int64_t size = part->sizes[i], stride = part->strides[i], last = out.rank - 1;
    if (size == 1) continue;
    if (out.rank > 0 && out.strides[last] == size * stride) {
      out.sizes[last] *= size;
      out.strides[last] = stride;
    } else {
      out.sizes[out.rank] = size;
      out.strides[out.rank++] = stride;
    }
  }
  if (out.rank == 0) out.sizes[0] = out.strides[0] = out.rank = 1;
  return out;
}

/* The same part with as many axes as the function wants. */
static bd_geometry with_all_axes(const bd_geometry *part) {
  bd_geometry out = *part;
  const int64_t missing = RANK - part->rank;
  out.rank = RANK;
  for (int64_t i = 0; i < RANK; ++i) {
    out.sizes[i] = i < missing ? 1 : part->sizes[i - missing];
    out.strides[i] = i < missing ? part->strides[0] : part->strides[i - missing];
  }
  return out;
}

/* What is filled, one after the other. The numbers of a block's calls stand at its beginning: the
 * frames of a model have few that differ. */
typedef struct filling {
  bd_kernels *kernels;
  MlirBlock block; /* that the numbers are of */
  MlirValue numbers[MAX_NUMBERS];
  int64_t values[MAX_NUMBERS];
  int n;
} filling;

static MlirValue insert_number(MlirOperation op, int64_t value) {
  bd_builder b = bd_builder_before(op);
  b.before = mlirBlockGetFirstOperation(b.block);
  return bd_build_index(b, value);
}

/* Null: memory is out. */
static MlirValue number_for(filling *f, MlirOperation op, int64_t value) {
  const MlirBlock block = mlirOperationGetBlock(op);
  if (!mlirBlockEqual(f->block, block) || f->n == MAX_NUMBERS) f->n = 0;
  f->block = block;
  for (int i = 0; i < f->n; ++i) {
    if (f->values[i] == value) return f->numbers[i];
  }
  f->values[f->n] = value;
  f->numbers[f->n] = insert_number(op, value);
  return !f->numbers[f->n].ptr ? f->numbers[f->n] : f->numbers[f->n++];
}

/* The function's arguments; see fill.mlir. */
static buddy_code write_arguments(filling *f, MlirOperation op, const bd_geometry *part,
                                  MlirValue out[N_ARGUMENTS]) {
  const bd_geometry base = {.base = part->base, .rank = 0};
  const MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(part->base));
  int64_t numbers[2 * RANK] = {part->offset};
  for (int i = 0; i < RANK; ++i) {
    numbers[1 + i] = part->sizes[i];
    if (i < RANK - 1) numbers[1 + RANK + i] = part->strides[i];
  }
  out[0] = mlirOperationGetOperand(op, 0);
  out[1] = bd_geometry_insert_as(
      op, &base, mlirMemRefTypeContiguousGet(element, 0, NULL, (MlirAttribute){NULL}));
  for (int i = 0; i < 2 * RANK; ++i) out[2 + i] = number_for(f, op, numbers[i]);
  for (int i = 0; i < N_ARGUMENTS; ++i) {
    if (!out[i].ptr) return BUDDY_OUT_OF_MEMORY;
  }
  return BUDDY_OK;
}

static buddy_code replace(MlirOperation op, void *user) {
  filling *f = user;
  bd_geometry part;
  const char *name;
  MlirValue arguments[N_ARGUMENTS];
  const MlirValue value = mlirOperationGetOperand(op, 0), to = mlirOperationGetOperand(op, 1);
  if (!bd_geometry_read(to, &part) || bd_type_is_bare(mlirValueGetType(to)) || part.rank < 1)
    return BUDDY_OK;
  part = in_order(&part);
  part = joined(&part);
  if (part.rank > RANK || part.strides[part.rank - 1] != 1) return BUDDY_OK;
  const MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(to));
  if (!mlirTypeEqual(mlirValueGetType(value), element) ||
      mlirMemRefTypeGetMemorySpace(mlirValueGetType(to)).ptr)
    return BUDDY_OK;
  buddy_code code = bd_kernels_want_of(f->kernels, BD_LIBRARY_FILL, bd_element_for(element), &name);
  if (code != BUDDY_OK) return code == BUDDY_UNSUPPORTED ? BUDDY_OK : code;
  part = with_all_axes(&part);
  code = write_arguments(f, op, &part, arguments);
  if (code == BUDDY_OK) code = bd_build_call(bd_builder_before(op), name, arguments, N_ARGUMENTS);
  if (code == BUDDY_OK) bd_op_erase(op);
  return code;
}

buddy_code bd_fills_replace(MlirOperation root, bd_kernels *kernels) {
  filling f = {.kernels = kernels};
  return bd_ops_each_outermost(root, "linalg.fill", replace, &f);
}
