// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/reshapes.c: expanding shapes that upstream's lowering cannot take. */
#include "sdk/compile/rewrite/reshapes.h"

#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/ir.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

enum { MAX_RANK = 64 };

/* A size or a stride: a number, or a value of type index. */
typedef struct amount {
  int64_t number; /* the dynamic mark if there is a value */
  MlirValue value;
} amount;

typedef struct expansion {
  MlirOperation op;
  bd_builder builder; /* before the op */
  MlirValue source;
  MlirType from, to;
  int64_t rank;
  amount sizes[MAX_RANK], strides[MAX_RANK];
} expansion;

static bool is_dynamic(int64_t number) { return number == mlirShapedTypeGetDynamicSize(); }

/* ---- Arithmetic ---- */
static MlirValue as_value(const expansion *e, amount a) {
  return is_dynamic(a.number) ? a.value : bd_build_index(e->builder, a.number);
}

static amount multiply(const expansion *e, amount a, amount b) {
  if (!is_dynamic(a.number) && !is_dynamic(b.number)) return (amount){a.number * b.number, {NULL}};
  const MlirValue first = as_value(e, a), second = as_value(e, b);
  return (amount){mlirShapedTypeGetDynamicSize(),
                  bd_build_pair(e->builder, "arith.muli", first, second)};
}

/* ---- Reading the op ---- */
/* The sizes that the op states; 1 if a group of them has more than one that is no number. */
static int read_sizes(expansion *e, MlirAttribute groups) {
  const MlirAttribute shape = bd_op_attribute(e->op, "static_output_shape");
  intptr_t next = 1; /* operand 0 is the source */
  bool is_ambiguous = false;
  for (int64_t d = 0; d < e->rank; ++d) {
    e->sizes[d].number = mlirDenseI64ArrayGetElement(shape, (intptr_t)d);
    if (is_dynamic(e->sizes[d].number)) e->sizes[d].value = mlirOperationGetOperand(e->op, next++);
  }
  int64_t d = 0;
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    int n = 0;
    for (intptr_t k = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g)); k > 0; --k) {
      n += is_dynamic(e->sizes[d++].number);
    }
    is_ambiguous |= n > 1;
  }
  return is_ambiguous;
}

/* ---- Writing it anew ---- */
/* memref<T>, offset, sizes and strides of the source. */
static MlirOperation read_metadata(const expansion *e) {
  MlirType types[2 + 2 * MAX_RANK];
  const int64_t rank = mlirShapedTypeGetRank(e->from);
  const MlirType index = mlirIndexTypeGet(e->builder.context);
  types[0] = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(e->from), 0, NULL,
                                         mlirMemRefTypeGetMemorySpace(e->from));
  for (int64_t i = 0; i < 1 + 2 * rank; ++i) types[1 + i] = index;
  return bd_build_op(e->builder, "memref.extract_strided_metadata", &e->source, 1, types,
                     (size_t)(2 + 2 * rank), NULL, 0);
}

/* A group's last dim has the stride of the source's dim; each one before it, that times the size
 * after it. Where the result's type states a number, the number it is. */
static void find_strides(expansion *e, MlirAttribute groups, MlirOperation metadata,
                         const int64_t *stated) {
  const int64_t source_rank = mlirShapedTypeGetRank(e->from);
  int64_t last = e->rank;
  for (intptr_t g = (intptr_t)source_rank - 1; g >= 0; --g) {
    amount stride = {mlirShapedTypeGetDynamicSize(),
                     mlirOperationGetResult(metadata, (intptr_t)(2 + source_rank) + g)};
    for (intptr_t k = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g)); k > 0; --k) {
      --last;
      if (stated[last] != mlirShapedTypeGetDynamicStrideOrOffset())
        stride = (amount){stated[last], {NULL}};
      e->strides[last] = stride;
      if (k > 1) stride = multiply(e, stride, e->sizes[last]);
    }
  }
}

static size_t list_amounts(const amount *amounts, int64_t n, int64_t *out_numbers,
                           MlirValue *out_values) {
  size_t n_values = 0;
  for (int64_t d = 0; d < n; ++d) {
    out_numbers[d] = amounts[d].number;
    if (is_dynamic(amounts[d].number)) out_values[n_values++] = amounts[d].value;
  }
  return n_values;
}

static buddy_code cast(const expansion *e, MlirOperation metadata, int64_t offset) {
  MlirValue operands[2 + 2 * MAX_RANK];
  int64_t sizes[MAX_RANK], strides[MAX_RANK];
  size_t n = 0;
  operands[n++] = mlirOperationGetResult(metadata, 0);
  if (is_dynamic(offset)) operands[n++] = mlirOperationGetResult(metadata, 1);
  n += list_amounts(e->sizes, e->rank, sizes, operands + n);
  n += list_amounts(e->strides, e->rank, strides, operands + n);
  const bd_slice all = {1, (intptr_t)e->rank, &offset, sizes, strides};
  const MlirValue view =
      bd_build_slice(e->builder, "memref.reinterpret_cast", operands, n, e->to, &all);
  return bd_op_replace(e->op, view);
}

static buddy_code spell_out(MlirOperation op, void *user) {
  (void)user;
  expansion e = {
      .op = op, .builder = bd_builder_before(op), .source = mlirOperationGetOperand(op, 0)};
  e.from = mlirValueGetType(e.source);
  e.to = mlirValueGetType(mlirOperationGetResult(op, 0));
  e.rank = mlirShapedTypeGetRank(e.to);
  const MlirAttribute groups = bd_op_attribute(op, "reassociation");
  if (e.rank > MAX_RANK || !read_sizes(&e, groups)) return BUDDY_OK;
  int64_t stated[MAX_RANK], offset = 0;
  if (!bd_memref_layout(e.to, stated, &offset)) return BUDDY_OK;
  const MlirOperation metadata = read_metadata(&e);
  if (mlirOperationIsNull(metadata)) return BUDDY_OUT_OF_MEMORY;
  find_strides(&e, groups, metadata, stated);
  return cast(&e, metadata, offset);
}

buddy_code bd_reshapes_spell_out(MlirOperation root) {
  return bd_ops_each(root, "memref.expand_shape", spell_out, NULL);
}
