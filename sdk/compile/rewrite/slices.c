// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/slices.c: slices made to keep their rank, and copied for convolutions. */
#include "sdk/compile/rewrite/slices.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/ir.h"
#include "sdk/compile/builder.h"

enum { MAX_RANK = 64, MAX_OPERANDS = 2 + 3 * MAX_RANK, MAX_ATTRIBUTES = 16 };

/* A slice, its part's type, and the type of that part with all dims. */
typedef struct slice {
  MlirOperation op;
  MlirContext context;
  bool is_insert;
  MlirAttribute sizes; /* static_sizes: one number per dim of the whole tensor */
  int64_t rank;
  MlirType part, full;
} slice;

static int64_t size_at(const slice *s, int64_t dim) {
  return mlirDenseI64ArrayGetElement(s->sizes, (intptr_t)dim);
}

/* For each dim of the whole, whether the part has it: the part's sizes are those of the whole, in
 * order, without some ones. False if they are not. */
static bool match(const slice *s, bool *is_kept) {
  const int64_t n = mlirShapedTypeGetRank(s->part);
  int64_t next = 0;
  for (int64_t d = 0; d < s->rank; ++d) {
    is_kept[d] = next < n && mlirShapedTypeGetDimSize(s->part, (intptr_t)next) == size_at(s, d);
    if (is_kept[d])
      ++next;
    else if (size_at(s, d) != 1)
      return false;
  }
  return next == n;
}

/* True if a dim of size 1 is dropped and another is kept. */
static bool is_ambiguous(const slice *s, const bool *is_kept) {
  bool drops = false, keeps = false;
  for (int64_t d = 0; d < s->rank; ++d) {
    drops |= !is_kept[d];
    keeps |= is_kept[d] && size_at(s, d) == 1;
  }
  return drops && keeps;
}

/* Dims of the whole by dims of the part: dropped ones go with the next that is kept, those at the
 * end with the last. */
static MlirAttribute reassociation(const slice *s, const bool *is_kept) {
  const MlirType i64 = mlirIntegerTypeGet(s->context, 64);
  const int64_t n = mlirShapedTypeGetRank(s->part);
  MlirAttribute groups[MAX_RANK], members[MAX_RANK];
  int64_t d = 0;
  for (int64_t g = 0; g < n; ++g) {
    intptr_t n_members = 0;
    bool has_prepacked = false;
    while (d < s->rank && (!has_prepacked || g == n - 1)) {
      has_prepacked |= is_kept[d];
      members[n_members++] = mlirIntegerAttrGet(i64, d++);
    }
    groups[g] = mlirArrayAttrGet(s->context, n_members, members);
  }
  return mlirArrayAttrGet(s->context, (intptr_t)n, groups);
}

/* Before the slice; null when memory is out. */
static MlirOperation insert(const slice *s, const char *name, const MlirValue *operands, intptr_t n,
                            MlirType type, const MlirNamedAttribute *attributes,
                            intptr_t n_attributes) {
  return bd_build_op(bd_builder_before(s->op), name, operands, (size_t)n, &type, 1, attributes,
                     (size_t)n_attributes);
}

/* The slice again, of a part of all dims: the same operands but for an insertion's `part`. */
static MlirOperation again(const slice *s, MlirValue part) {
  MlirValue operands[MAX_OPERANDS];
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  const intptr_t n = mlirOperationGetNumOperands(s->op);
  const intptr_t n_attributes = mlirOperationGetNumAttributes(s->op);
  for (intptr_t i = 0; i < n; ++i) operands[i] = mlirOperationGetOperand(s->op, i);
  for (intptr_t i = 0; i < n_attributes; ++i) attributes[i] = mlirOperationGetAttribute(s->op, i);
  if (s->is_insert) operands[0] = part;
  const MlirType type = s->is_insert ? mlirValueGetType(mlirOperationGetResult(s->op, 0)) : s->full;
  return insert(s, s->is_insert ? "tensor.insert_slice" : "tensor.extract_slice", operands, n, type,
                attributes, n_attributes);
}

/* The part that is inserted, with all dims: its sizes are the slice's. */
static MlirOperation expand(const slice *s, MlirAttribute groups) {
  enum { FIRST_OFFSET = 2 }; /* operands: the part, the whole, offsets, sizes, strides */
  MlirValue operands[1 + MAX_RANK];
  intptr_t n = 1, next = FIRST_OFFSET;
  const MlirAttribute offsets = bd_op_attribute(s->op, "static_offsets");
  operands[0] = mlirOperationGetOperand(s->op, 0);
  for (int64_t d = 0; d < s->rank; ++d)
    next += mlirShapedTypeIsDynamicSize(mlirDenseI64ArrayGetElement(offsets, (intptr_t)d));
  for (int64_t d = 0; d < s->rank; ++d) {
    if (mlirShapedTypeIsDynamicSize(size_at(s, d)))
      operands[n++] = mlirOperationGetOperand(s->op, next++);
  }
  const MlirNamedAttribute attributes[] = {bd_named(s->context, "reassociation", groups),
                                           bd_named(s->context, "static_output_shape", s->sizes)};
  return insert(s, "tensor.expand_shape", operands, n, s->full, attributes, 2);
}

static buddy_code rewrite(const slice *s, MlirAttribute groups) {
  MlirOperation first, last;
  if (s->is_insert) {
    first = expand(s, groups);
    if (mlirOperationIsNull(first)) return BUDDY_OUT_OF_MEMORY;
    last = again(s, mlirOperationGetResult(first, 0));
  } else {
    first = again(s, (MlirValue){NULL});
    if (mlirOperationIsNull(first)) return BUDDY_OUT_OF_MEMORY;
    const MlirValue whole = mlirOperationGetResult(first, 0);
    const MlirNamedAttribute attribute = bd_named(s->context, "reassociation", groups);
    last = insert(s, "tensor.collapse_shape", &whole, 1, s->part, &attribute, 1);
  }
  if (mlirOperationIsNull(last)) return BUDDY_OUT_OF_MEMORY;
  return bd_op_replace(s->op, mlirOperationGetResult(last, 0));
}

static buddy_code keep_rank(MlirOperation op, void *user) {
  (void)user;
  slice s = {.op = op,
             .context = mlirOperationGetContext(op),
             .is_insert = bd_op_is(op, "tensor.insert_slice"),
             .sizes = bd_op_attribute(op, "static_sizes")};
  s.part = mlirValueGetType(s.is_insert ? mlirOperationGetOperand(op, 0)
                                        : mlirOperationGetResult(op, 0));
  s.rank = mlirDenseArrayGetNumElements(s.sizes);
  bool is_kept[MAX_RANK];
  int64_t sizes[MAX_RANK];
  if (s.rank > MAX_RANK || mlirOperationGetNumAttributes(op) > MAX_ATTRIBUTES ||
      mlirShapedTypeGetRank(s.part) == s.rank || !match(&s, is_kept) || !is_ambiguous(&s, is_kept))
    return BUDDY_OK;
  for (int64_t d = 0; d < s.rank; ++d) sizes[d] = size_at(&s, d);
  s.full = mlirRankedTensorTypeGet((intptr_t)s.rank, sizes, mlirShapedTypeGetElementType(s.part),
                                   mlirRankedTensorTypeGetEncoding(s.part));
  return rewrite(&s, reassociation(&s, is_kept));
}

buddy_code bd_slices_keep_rank(MlirOperation root) {
  BD_TRY(bd_ops_each(root, "tensor.extract_slice", keep_rank, NULL));
  return bd_ops_each(root, "tensor.insert_slice", keep_rank, NULL);
}

static buddy_code copy_image(MlirOperation op, void *user) {
  (void)user;
  const MlirValue image = mlirOperationGetOperand(op, 0);
  if (!bd_is_made_by(image, "tensor.extract_slice")) return BUDDY_OK;
  const MlirValue copy = bd_build_copy(bd_builder_before(op), image);
  if (!copy.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirOperationSetOperand(op, 0, copy);
  return BUDDY_OK;
}

buddy_code bd_slices_copy_images(MlirOperation root) {
  return bd_ops_each(root, "linalg.conv_", copy_image, NULL);
}
