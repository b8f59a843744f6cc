// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/masks.c: positions of true elements: nonzero, masked_select, masks among indices.
 *
 * How many there are is known when the program runs, and becomes a dim of the result. */
#include "mlir-c/BuiltinAttributes.h"

#include <stdbool.h>
#include "mlir-c/BuiltinTypes.h"
#include "plugins/linalg/counted.h"
#include "plugins/linalg/indexing.h"
#include "plugins/linalg/rows.h"
#include "plugins/linalg/spread.h"

static const MlirValue no_value = {NULL};

/* ---- The positions of true elements ---- */

typedef struct truths {
  MlirValue mask, element;
  MlirValue source; /* masked_select: where elements come from; null: positions are written */
  const buddy_tensor_type *type, *source_type;
  const MlirValue *at;
} truths;

/* carried: the list, and how many are in it */
static void note_truth(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const truths *t = user;
  (void)at;
  if (t->source.ptr) {
    const MlirValue element =
        la_element(body, t->source, t->source_type->dtype, t->at, t->type->rank);
    carried[0] = la_write(body, element, carried[0], &carried[1], 1);
  } else {
    for (uint32_t d = 0; d < t->type->rank; ++d) {
      const MlirValue position[2] = {carried[1], be_in_index(body, d)};
      carried[0] = la_write(body, la_as_i64(body, t->at[d]), carried[0], position, 2);
    }
  }
  carried[1] = la_index_add(body, carried[1], be_in_index(body, 1));
}

static void visit(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  truths t = *(const truths *)user;
  t.at = at;
  const MlirValue element = la_element(body, t.mask, t.type->dtype, at, t.type->rank);
  la_when(body, be_in_cast(body, element, t.type->dtype, BUDDY_BOOL), 2, carried, note_truth, &t);
}

/* How many elements of a mask are true: an index. */
static MlirValue count_truths(buddy_call *call, MlirValue mask, const buddy_tensor_type *type) {
  const buddy_tensor_type *bools = be_with_dtype(call, type, BUDDY_BOOL);
  const la_reduction r = {.value = la_cast(call, mask, type, BUDDY_BOOL),
                          .type = bools,
                          .axes = (UINT64_C(1) << type->rank) - 1,
                          .dtype = BUDDY_I64,
                          .combine = &la_add};
  const be_body block = la_block(call);
  const MlirValue count = BE_IN(&block, "tensor.extract", buddy_mlir_element_type(call, BUDDY_I64),
                                la_reduce(call, &r));
  return la_as_index(&block, count);
}

/* tensor.empty whose first dim is `count`, whatever the type says of it. */
static MlirValue empty_list(buddy_call *call, MlirValue count, buddy_dtype dtype, uint32_t rank,
                            int64_t width) {
  const int64_t dims[2] = {mlirShapedTypeGetDynamicSize(), width};
  const MlirType element = buddy_mlir_element_type(call, dtype);
  if (!element.ptr) return no_value;
  const MlirType type = mlirRankedTensorTypeGet(rank, dims, element, mlirAttributeGetNull());
  const be_op_spec spec = {
      .name = "tensor.empty", .operands = &count, .n_operands = 1, .types = &type, .n_types = 1};
  const MlirOperation op = be_build(call, &spec);
  return op.ptr ? mlirOperationGetResult(op, 0) : no_value;
}

static MlirValue list_truths(buddy_call *call, truths *t, MlirValue list) {
  MlirValue ends[BE_MAX_RANK];
  const be_body block = la_block(call);
  MlirValue carried[2] = {list, be_index(call, 0)};
  const la_nest nest = {la_ends(call, t->type, ends), ends, 2, visit, t};
  la_run_nest(&block, &nest, carried);
  return carried[0];
}

MlirValue la_positions(buddy_call *call, MlirValue mask, const buddy_tensor_type *type,
                       MlirValue *out_count) {
  truths t = {.mask = mask, .type = type};
  *out_count = count_truths(call, mask, type);
  return list_truths(call, &t, empty_list(call, *out_count, BUDDY_I64, 2, type->rank));
}

/* nonzero: self */
buddy_code la_emit_nonzero(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  MlirValue count;
  if (type->rank > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK);
  return be_result(call, 0, la_positions(call, be_tensor(call, 0), type, &count));
}

/* where.default, nonzero_numpy: the same, one result a dim; a number is a vector of one. */
buddy_code la_emit_nonzero_columns(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *type = from;
  const int64_t one = 1;
  MlirValue count;
  if (from->rank == 0) type = be_type(call, from->dtype, 1, &one);
  if (!type || type->rank > BE_MAX_RANK || type->rank != be_host->n_results(call)) {
    return be_decline(call, "positions in a tensor of rank %u", from->rank);
  }
  const MlirValue mask = be_reshape(call, be_tensor(call, 0), from, type);
  const MlirValue list = la_positions(call, mask, type, &count);
  for (uint32_t d = 0; d < type->rank; ++d) {
    const buddy_code code = be_result(call, d, la_column(call, list, count, d));
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}

/* Two sizes broadcast together. Where the run tells both, either may be 1, and the other 0. */
static int64_t common_size(buddy_call *call, int64_t a, int64_t b) {
  if (a == b || b == 1) return a;
  if (a == 1 || !BUDDY_IS_SYMBOLIC(b)) return b;
  if (!BUDDY_IS_SYMBOLIC(a)) return a;
  const int64_t least = be_dim(call, BUDDY_DIM_MIN, a, b);
  return be_dim(call, BUDDY_DIM_MUL, be_dim(call, BUDDY_DIM_MAX, a, b),
                be_dim(call, BUDDY_DIM_MIN, least, 1));
}

/* masked_select: self, mask, broadcast together */
buddy_code la_emit_masked_select(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *source = be_arg_type(call, 0), *mask = be_arg_type(call, 1);
  const buddy_tensor_type *longer = source->rank >= mask->rank ? source : mask;
  const buddy_tensor_type *other = longer == source ? mask : source;
  int64_t dims[BE_MAX_RANK];
  if (longer->rank > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK);
  for (uint32_t d = 0; d < longer->rank; ++d) {
    const uint32_t front = longer->rank - other->rank;
    dims[d] =
        d < front ? longer->dims[d] : common_size(call, longer->dims[d], other->dims[d - front]);
  }
  const buddy_tensor_type *all = be_type(call, mask->dtype, longer->rank, dims);
  const buddy_tensor_type *elements = be_with_dtype(call, all, source->dtype);
  truths t = {.mask = la_spread(call, be_tensor(call, 1), mask, all),
              .source = la_spread(call, be_tensor(call, 0), source, elements),
              .type = all,
              .source_type = elements};
  if (!all || !elements || !t.source.ptr) return be_result(call, 0, no_value);
  const MlirValue count = count_truths(call, t.mask, all);
  return be_result(call, 0, list_truths(call, &t, empty_list(call, count, source->dtype, 1, 0)));
}

/* ---- Masks among indices ---- */

MlirValue la_column(buddy_call *call, MlirValue list, MlirValue count, uint32_t column) {
  const int64_t dynamic = mlirShapedTypeGetDynamicSize();
  const MlirContext context = buddy_mlir_context(call);
  const MlirType type = mlirRankedTensorTypeGet(
      1, &dynamic, buddy_mlir_element_type(call, BUDDY_I64), mlirAttributeGetNull());
  const be_attribute attributes[] = {
      {"static_offsets", be_attr_i64s(call, (int64_t[]){0, column}, 2)},
      {"static_sizes", be_attr_i64s(call, (int64_t[]){dynamic, 1}, 2)},
      {"static_strides", be_attr_i64s(call, (int64_t[]){1, 1}, 2)},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, (int32_t[]){1, 0, 1, 0})},
      {NULL, {NULL}}};
  const be_op_spec spec = {.name = "tensor.extract_slice",
                           .operands = (const MlirValue[]){list, count},
                           .n_operands = 2,
                           .types = &type,
                           .n_types = 1,
                           .attributes = attributes};
  const MlirOperation op = be_build(call, &spec);
  return op.ptr ? mlirOperationGetResult(op, 0) : no_value;
}

/* A column of positions that broadcasts to others' length, as they meet in the run. */
typedef struct stretch {
  MlirValue column, count;
  const buddy_tensor_type *type;
} stretch;

static MlirValue stretched(const be_body *body, const MlirValue *elements, void *user) {
  const stretch *s = user;
  (void)elements;
  const MlirValue zero = be_in_index(body, 0), one = be_in_index(body, 1);
  const MlirValue is_one = be_in_compare(body, "eq", s->count, one, BUDDY_I64);
  const MlirValue at = be_in_select(body, is_one, zero, be_in_loop(body, 0));
  return la_element(body, s->column, BUDDY_I64, &at, 1);
}

static MlirValue stretch_column(buddy_call *call, stretch *s, MlirValue length) {
  const be_generic spec = {.n_loops = 1,
                           .init = la_counted_empty(call, s->type, 0, length),
                           .output_type = s->type,
                           .output_map = be_map_identity(1),
                           .body = stretched,
                           .user = s};
  return be_linalg_generic(call, &spec);
}

/* The last dim of the index tensors that are no masks, broadcast together; 1 if there is none. */
static int64_t width_beside(const la_indices *indices) {
  for (size_t i = 0; i < indices->n; ++i) {
    const buddy_tensor_type *type = indices->items[i].type;
    if (!indices->items[i].is_mask && type->rank > 0 && type->dims[type->rank - 1] != 1)
      return type->dims[type->rank - 1];
  }
  return 1;
}

/* The length that counts and width broadcast to: what is not 1. An error of the run if two differ
 * that are not. */
static MlirValue common_length(buddy_call *call, const MlirValue *counts, size_t n, int64_t width,
                               bool spreads) {
  const be_body block = la_block(call);
  const MlirValue one = be_index(call, 1);
  const MlirType i1 = buddy_mlir_element_type(call, BUDDY_BOOL);
  MlirValue length = be_index(call, width);
  for (size_t i = 0; i < n; ++i) {
    const MlirValue is_spread = be_in_compare(&block, "eq", length, one, BUDDY_I64);
    length = be_in_select(&block, is_spread, counts[i], length);
  }
  for (size_t i = 0; i < n; ++i) {
    const MlirValue is_one = be_in_compare(&block, "eq", counts[i], one, BUDDY_I64);
    const MlirValue is_same = be_in_compare(&block, "eq", counts[i], length, BUDDY_I64);
    be_assert(call, BE_IN(&block, "arith.ori", i1, is_one, is_same),
              "a mask has another number of true elements than the indices beside it");
  }
  if (BUDDY_IS_SYMBOLIC(width) &&
      !spreads) /* the loops are as long as it: one index is not spread then */
    be_assert(call, be_in_compare(&block, "eq", be_index(call, width), length, BUDDY_I64),
              "one index beside a mask is not spread, as their number is symbolic");
  return length;
}

void la_expand_masks(buddy_call *call, la_indices *indices, bool spreads) {
  MlirValue lists[BE_MAX_RANK], counts[BE_MAX_RANK], length;
  size_t n_masks = 0;
  for (size_t i = 0; i < indices->n; ++i) {
    const la_index *item = &indices->items[i];
    if (!item->is_mask) continue;
    lists[n_masks] = la_positions(call, item->value, item->type, &counts[n_masks]);
    ++n_masks;
  }
  const int64_t width = width_beside(indices);
  const bool is_alone = n_masks == 1 && width == 1;
  length = is_alone ? counts[0] : common_length(call, counts, n_masks, width, spreads);
  const bool is_told = width == 1 || (spreads && BUDDY_IS_SYMBOLIC(width));
  if (is_told) indices->count = length;
  const int64_t size = is_told ? LA_COUNTED : width;
  const buddy_tensor_type *type = be_type(call, BUDDY_I64, 1, &size);
  la_index items[BE_MAX_RANK];
  size_t n = 0, mask = 0;
  for (size_t i = 0; i < indices->n; ++i) {
    const la_index *item = &indices->items[i];
    for (uint32_t d = 0; item->is_mask && d < item->type->rank; ++d) {
      stretch s = {la_column(call, lists[mask], counts[mask], d), counts[mask], type};
      const MlirValue column = is_alone ? s.column : stretch_column(call, &s, length);
      items[n++] = (la_index){column, type, item->axis + d, 0};
    }
    mask += item->is_mask ? 1 : 0;
    if (!item->is_mask) items[n++] = *item;
  }
  for (size_t i = 0; i < n; ++i) indices->items[i] = items[i];
  indices->n = n;
}
