// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/grouped.c: products of the rows of one matrix, group by group, with one matrix a
 * group: the experts of a mixture.
 *
 * A loop over the groups; offsets say where each group's rows end. A step multiplies a slice of the
 * rows, of a size known when the program runs, into the same slice of the result. f16 and bf16 are
 * accumulated in f32. */
#include "mlir-c/BuiltinAttributes.h"

#include <stdbool.h>
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"
#include "plugins/linalg/slices.h"

static const MlirValue no_value = {NULL};

typedef struct grouping {
  MlirValue rows, matrices, ends;
  const buddy_tensor_type *rows_type, *matrices_type, *ends_type, *sum_type;
} grouping;

/* A slice of `rank` dims; offsets and sizes with a null value are the numbers beside them. */
typedef struct slice {
  uint32_t rank;
  MlirValue offset, size; /* of dim 0; null: offsets[0], sizes[0] */
  int64_t sizes[3];
} slice;

/* tensor.extract_slice (into is null) or tensor.insert_slice. */
static MlirValue sliced(const be_body *body, MlirValue value, MlirValue into, const slice *s,
                        MlirType type) {
  const int64_t dynamic = mlirShapedTypeGetDynamicSize();
  int64_t offsets[3] = {dynamic, 0, 0}, sizes[3], strides[3] = {1, 1, 1};
  for (uint32_t d = 0; d < s->rank; ++d) sizes[d] = s->sizes[d];
  if (s->size.ptr) sizes[0] = dynamic;
  const bool is_insert = into.ptr != NULL, has_size = s->size.ptr != NULL;
  const MlirContext context = buddy_mlir_context(body->call);
  const int32_t extract[] = {1, 1, has_size, 0}, insert[] = {1, 1, 1, has_size, 0};
  const be_attribute attributes[] = {
      {"static_offsets", be_attr_i64s(body->call, offsets, s->rank)},
      {"static_sizes", be_attr_i64s(body->call, sizes, s->rank)},
      {"static_strides", be_attr_i64s(body->call, strides, s->rank)},
      {"operandSegmentSizes", is_insert ? mlirDenseI32ArrayGet(context, 5, insert)
                                        : mlirDenseI32ArrayGet(context, 4, extract)},
      {NULL, {NULL}}};
  MlirValue operands[4];
  size_t n = 0;
  operands[n++] = value;
  if (is_insert) operands[n++] = into;
  operands[n++] = s->offset;
  if (has_size) operands[n++] = s->size;
  return be_in(body, is_insert ? "tensor.insert_slice" : "tensor.extract_slice", type, operands, n,
               attributes);
}

static MlirType matrix_of(const be_body *body, int64_t rows, int64_t columns, buddy_dtype dtype) {
  const int64_t dims[] = {rows, columns};
  return mlirRankedTensorTypeGet(2, dims, buddy_mlir_element_type(body->call, dtype),
                                 mlirAttributeGetNull());
}

/* carried: the sums, and where the group begins */
static void multiply_group(const be_body *body, const MlirValue *at, MlirValue *carried,
                           void *user) {
  const grouping *g = user;
  const int64_t dynamic = mlirShapedTypeGetDynamicSize();
  const int64_t k = g->matrices_type->dims[1], n = g->matrices_type->dims[2];
  const MlirType index = mlirIndexTypeGet(buddy_mlir_context(body->call));
  const MlirType block = matrix_of(body, dynamic, n, g->sum_type->dtype);
  const MlirValue element = la_element(body, g->ends, g->ends_type->dtype, at, 1);
  const MlirValue last = be_in_index(body, g->rows_type->dims[0]);
  MlirValue end = la_as_index(body, element);
  end = BE_IN(body, "arith.minsi", index, BE_IN(body, "arith.maxsi", index, end, carried[1]), last);
  const MlirValue size = la_index_sub(body, end, carried[1]);
  const slice rows = {2, carried[1], size, {dynamic, k, 0}};
  const slice matrix = {3, at[0], no_value, {1, k, n}};
  const slice sums = {2, carried[1], size, {dynamic, n, 0}};
  const MlirValue operands[] = {
      sliced(body, g->rows, no_value, &rows, matrix_of(body, dynamic, k, g->rows_type->dtype)),
      sliced(body, g->matrices, no_value, &matrix, matrix_of(body, k, n, g->matrices_type->dtype)),
      sliced(body, carried[0], no_value, &sums, block)};
  const be_attribute attributes[] = {
      {"operandSegmentSizes",
       mlirDenseI32ArrayGet(buddy_mlir_context(body->call), 2, (int32_t[]){2, 1})},
      {NULL, {NULL}}};
  const be_op_spec spec = {.name = "linalg.matmul",
                           .operands = operands,
                           .n_operands = 3,
                           .types = &block,
                           .n_types = 1,
                           .attributes = attributes,
                           .region = mlirRegionCreate()};
  const MlirOperation product = be_in_build(body, &spec);
  if (!product.ptr) {
    carried[0] = carried[1] = no_value;
    return;
  }
  mlirLinalgFillBuiltinNamedOpRegion(product);
  carried[0] = sliced(body, mlirOperationGetResult(product, 0), carried[0], &sums,
                      mlirValueGetType(carried[0]));
  carried[1] = end;
}

/* rows [s, k], matrices [g, k, n], ends [g]; arguments `ends` and, if not 0, `dtype` by number */
static buddy_code multiply_groups(buddy_call *call, size_t ends) {
  grouping g = {.rows = be_tensor(call, 0),
                .matrices = be_tensor(call, 1),
                .rows_type = be_arg_type(call, 0),
                .matrices_type = be_arg_type(call, 1)};
  if (be_is_none(call, ends)) return be_decline(call, "a product of groups without offsets");
  g.ends = be_tensor(call, ends);
  g.ends_type = be_arg_type(call, ends);
  if (g.rows_type->rank != 2 || g.matrices_type->rank != 3 || g.ends_type->rank != 1) {
    return be_decline(call, "a product of groups of rank %u and %u", g.rows_type->rank,
                      g.matrices_type->rank);
  }
  for (uint32_t d = 1; d < 3; ++d) {
    if (BUDDY_IS_SYMBOLIC(g.matrices_type->dims[d])) {
      return be_decline(call, "groups of matrices of symbolic sizes");
    }
  }
  const buddy_tensor_type *to = be_result_type(call, 0);
  g.sum_type = be_with_dtype(call, to, la_opmath(g.rows_type->dtype));
  if (!g.sum_type) return BUDDY_OUT_OF_MEMORY;
  const be_body block = la_block(call);
  const MlirValue zero = be_scalar_int(call, g.sum_type->dtype, 0);
  MlirValue carried[] = {be_filled(call, g.sum_type, zero), be_in_index(&block, 0)};
  const MlirValue count = be_index(call, g.matrices_type->dims[0]);
  const la_nest nest = {1, &count, 2, multiply_group, &g};
  la_run_nest(&block, &nest, carried);
  return be_result(call, 0, la_cast(call, carried[0], g.sum_type, to->dtype));
}

/* _grouped_mm: self, mat2, offs, out_dtype */
buddy_code la_emit_grouped_mm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  if (!be_is_none(call, 3)) (void)be_arg(call, 3); /* the result's type has it */
  return multiply_groups(call, 2);
}

/* transformers::grouped_mm_fallback: input, weight, offs */
buddy_code la_emit_grouped_mm_fallback(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return multiply_groups(call, 2);
}
