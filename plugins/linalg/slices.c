// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/slices.c: tensor.extract_slice, tensor.insert_slice, tensor.pad, and
 * linalg.generic that reads one element by a computed position. */
#include "plugins/linalg/slices.h"

#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

/* ---- Boxes ---- */

la_box la_whole(buddy_call *call, const buddy_tensor_type *type) {
  la_box box = {.rank = 0};
  if (!type || type->rank > BE_MAX_RANK) {
    be_decline(call, "tensors of more than %d dims are not handled here", BE_MAX_RANK);
    return box;
  }
  box.rank = type->rank;
  for (uint32_t d = 0; d < type->rank; ++d) {
    box.sizes[d] = type->dims[d];
    box.strides[d] = 1;
  }
  return box;
}

/* The static part of a list, and the operands for its symbolic elements; `first`: in place of the
 * first element, if it is not null. */
static MlirAttribute split_list(buddy_call *call, const int64_t *list, uint32_t rank,
                                MlirValue first, MlirValue *operands, size_t *n) {
  int64_t numbers[BE_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    const bool is_first = d == 0 && first.ptr;
    const bool is_known = !is_first && !BUDDY_IS_SYMBOLIC(list[d]);
    numbers[d] = is_known ? list[d] : mlirShapedTypeGetDynamicSize();
    if (!is_known) operands[(*n)++] = is_first ? first : be_index(call, list[d]);
  }
  return be_attr_i64s(call, numbers, rank);
}

/* The type of what is in the box. */
static const buddy_tensor_type *part_type(buddy_call *call, const la_box *box, buddy_dtype dtype) {
  int64_t dims[BE_MAX_RANK];
  uint32_t rank = 0;
  for (uint32_t d = 0; d < box->rank; ++d) {
    if (!(box->dropped >> d & 1)) dims[rank++] = box->sizes[d];
  }
  return be_type(call, dtype, rank, dims);
}

/* The value under another type of its sizes: numbers for symbols, or symbols for numbers. */
static MlirValue known_as(buddy_call *call, MlirValue value, const buddy_tensor_type *type) {
  if (!value.ptr || !type) return no_value;
  const MlirType wanted = buddy_mlir_tensor_type(call, type);
  if (!wanted.ptr || mlirTypeEqual(mlirValueGetType(value), wanted)) return value;
  return be_op(call, "tensor.cast", type, &value, 1, NULL);
}

/* The run ends with an error unless the source is as large as the part that it is to be: no cast
 * checks that. */
static void check_source(buddy_call *call, MlirValue source, const buddy_tensor_type *part) {
  const be_body block = {call, buddy_mlir_block(call)};
  const MlirType index = mlirIndexTypeGet(buddy_mlir_context(call));
  if (!source.ptr || !part) return;
  const MlirType given = mlirValueGetType(source);
  if ((int64_t)part->rank != mlirShapedTypeGetRank(given)) return;
  for (uint32_t d = 0; d < part->rank; ++d) {
    if (mlirShapedTypeIsDynamicDim(given, d) == (BUDDY_IS_SYMBOLIC(part->dims[d]) != 0)) continue;
    const MlirValue size = BE_IN(&block, "tensor.dim", index, source, be_in_index(&block, d));
    be_assert(call, be_in_compare(&block, "eq", size, be_index(call, part->dims[d]), BUDDY_I64),
              "a tensor is not of the size of the place that it is put into");
  }
}

/* Appends the box to n tensors and builds the op. */
static MlirValue box_op(const be_body *where, const char *name, const MlirValue *tensors,
                        size_t n_tensors, const la_box *box, MlirType to) {
  buddy_call *call = where->call;
  if (!to.ptr) return no_value;
  MlirValue operands[2 + 3 * BE_MAX_RANK];
  size_t n = 0;
  for (; n < n_tensors; ++n) operands[n] = tensors[n];
  const MlirAttribute offsets = split_list(call, box->offsets, box->rank, box->at, operands, &n);
  const size_t after_offsets = n;
  const MlirAttribute sizes = split_list(call, box->sizes, box->rank, no_value, operands, &n);
  const size_t after_sizes = n;
  const MlirAttribute strides = split_list(call, box->strides, box->rank, no_value, operands, &n);
  const int32_t lengths[3] = {(int32_t)(after_offsets - n_tensors),
                              (int32_t)(after_sizes - after_offsets), (int32_t)(n - after_sizes)};
  const int32_t segments[5] = {1, 1, lengths[0], lengths[1], lengths[2]};
  const size_t skipped = 2 - n_tensors;
  const be_attribute attributes[] = {
      {"static_offsets", offsets},
      {"static_sizes", sizes},
      {"static_strides", strides},
      {"operandSegmentSizes",
       mlirDenseI32ArrayGet(buddy_mlir_context(call), (intptr_t)(5 - skipped), segments + skipped)},
      {NULL, {NULL}}};
  return be_in(where, name, to, operands, n, attributes);
}

/* MLIR wants a box to begin inside of its tensor, even one of no elements. One that does not has none,
 * whatever its size is called: it lies within. */
static bool begins_behind(const la_box *box, MlirValue tensor) {
  const MlirType type = tensor.ptr ? mlirValueGetType(tensor) : (MlirType){NULL};
  for (uint32_t d = box->at.ptr ? 1 : 0; type.ptr && d < box->rank; ++d) {
    if (!BUDDY_IS_SYMBOLIC(box->offsets[d]) && !mlirShapedTypeIsDynamicDim(type, d) &&
        box->offsets[d] >= mlirShapedTypeGetDimSize(type, d))
      return true;
  }
  return false;
}

int la_is_empty(const buddy_tensor_type *type) {
  for (uint32_t d = 0; type && d < type->rank; ++d) {
    if (type->dims[d] == 0) return 1;
  }
  return 0;
}

MlirValue la_extract(buddy_call *call, MlirValue value, const la_box *box,
                     const buddy_tensor_type *to) {
  const be_body block = {call, buddy_mlir_block(call)};
  if (la_is_empty(to) || begins_behind(box, value)) return be_empty(call, to);
  return to ? known_as(call, la_extract_in(&block, value, box, to->dtype), to) : no_value;
}

MlirValue la_extract_in(const be_body *where, MlirValue value, const la_box *box,
                        buddy_dtype dtype) {
  const buddy_tensor_type *part = part_type(where->call, box, dtype);
  if (!value.ptr || !part) return no_value;
  return box_op(where, "tensor.extract_slice", &value, 1, box,
                buddy_mlir_tensor_type(where->call, part));
}

MlirValue la_insert(buddy_call *call, MlirValue source, MlirValue into, const la_box *box,
                    const buddy_tensor_type *to) {
  for (uint32_t d = 0; d < box->rank; ++d) {
    if (box->sizes[d] == 0) return into;
  }
  const buddy_tensor_type *part = to ? part_type(call, box, to->dtype) : NULL;
  check_source(call, source, part);
  const be_body block = {call, buddy_mlir_block(call)};
  into = known_as(call, into, to);
  if (begins_behind(box, into)) return into;
  return la_insert_in(&block, known_as(call, source, part), into, box);
}

MlirValue la_insert_in(const be_body *where, MlirValue source, MlirValue into, const la_box *box) {
  const MlirValue tensors[2] = {source, into};
  if (!source.ptr || !into.ptr) return no_value;
  return box_op(where, "tensor.insert_slice", tensors, 2, box, mlirValueGetType(into));
}

/* ---- Bounds ---- */

/* What is wanted must be what it is when it is brought inside; nothing is asked where it always is. */
static void check_inside(buddy_call *call, int64_t wanted, int64_t inside, const char *message) {
  const be_body block = {call, buddy_mlir_block(call)};
  if (wanted == inside) return;
  be_assert(call,
            be_in_compare(&block, "eq", be_index(call, wanted), be_index(call, inside), BUDDY_I64),
            message);
}

void la_check_part(buddy_call *call, const la_box *box, int64_t axis, int64_t size) {
  static const char message[] = "a part lies outside of its tensor";
  const int64_t offset = box->offsets[axis], n = box->sizes[axis];
  const int64_t has_any = be_dim(call, BUDDY_DIM_MIN, n, 1);
  const int64_t steps = be_dim(call, BUDDY_DIM_SUB, n, has_any);
  const int64_t last =
      be_dim(call, BUDDY_DIM_ADD, offset, be_dim(call, BUDDY_DIM_MUL, steps, box->strides[axis]));
  const int64_t end = be_dim(call, BUDDY_DIM_ADD, last, has_any);
  check_inside(call, end, be_dim(call, BUDDY_DIM_MIN, end, size), message);
  check_inside(call, offset, be_dim(call, BUDDY_DIM_MAX, offset, 0), message);
}

void la_check_most(buddy_call *call, int64_t n, int64_t most, const char *message) {
  check_inside(call, n, be_dim(call, BUDDY_DIM_MIN, n, most), message);
}

void la_check_index(buddy_call *call, int64_t index, int64_t size) {
  if (!BUDDY_IS_SYMBOLIC(index)) return;
  const int64_t last = be_dim(call, BUDDY_DIM_SUB, size, 1);
  const int64_t nearest = be_dim(call, BUDDY_DIM_MAX, be_dim(call, BUDDY_DIM_MIN, index, last), 0);
  check_inside(call, index, nearest, "an index is out of range");
}

/* ---- Padding ---- */

/* tensor.pad's region: gives the scalar for every position. */
static MlirRegion pad_region(buddy_call *call, uint32_t rank, MlirValue scalar) {
  const MlirLocation location = buddy_mlir_location(call);
  const MlirType index = mlirIndexTypeGet(buddy_mlir_context(call));
  const MlirRegion region = mlirRegionCreate();
  const MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  for (uint32_t d = 0; d < rank; ++d) mlirBlockAddArgument(block, index, location);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("tensor.yield"), location);
  mlirOperationStateAddOperands(&state, 1, &scalar);
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&state));
  return region;
}

static MlirValue pad(buddy_call *call, MlirValue value, const int64_t *low, const int64_t *high,
                     MlirValue scalar, const buddy_tensor_type *to) {
  MlirValue operands[1 + 2 * BE_MAX_RANK] = {value};
  size_t n = 1;
  const MlirAttribute static_low = split_list(call, low, to->rank, no_value, operands, &n);
  const size_t n_low = n - 1;
  const MlirAttribute static_high = split_list(call, high, to->rank, no_value, operands, &n);
  const int32_t segments[3] = {1, (int32_t)n_low, (int32_t)(n - 1 - n_low)};
  const be_attribute attributes[] = {
      {"static_low", static_low},
      {"static_high", static_high},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(buddy_mlir_context(call), 3, segments)},
      {NULL, {NULL}}};
  const MlirType type = buddy_mlir_tensor_type(call, to);
  if (!scalar.ptr || !value.ptr) return no_value;
  const be_op_spec spec = {.name = "tensor.pad",
                           .operands = operands,
                           .n_operands = n,
                           .types = &type,
                           .n_types = 1,
                           .attributes = attributes,
                           .region = pad_region(call, to->rank, scalar)};
  const MlirOperation op = be_build(call, &spec);
  return op.ptr ? mlirOperationGetResult(op, 0) : no_value;
}

MlirValue la_padded(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                    const int64_t *low, const int64_t *high, MlirValue scalar,
                    const buddy_tensor_type *to) {
  la_box box = la_whole(call, from);
  if (box.rank != from->rank || !to) return no_value;
  int64_t more_low[BE_MAX_RANK] = {0}, more_high[BE_MAX_RANK] = {0};
  int cuts = 0, grows = 0;
  for (uint32_t d = 0; d < from->rank; ++d) {
    box.offsets[d] = la_negative_part(call, low[d]);
    const int64_t cut =
        be_dim(call, BUDDY_DIM_ADD, box.offsets[d], la_negative_part(call, high[d]));
    box.sizes[d] = be_dim(call, BUDDY_DIM_SUB, from->dims[d], cut);
    more_low[d] = la_positive_part(call, low[d]);
    more_high[d] = la_positive_part(call, high[d]);
    cuts |= cut != 0;
    grows |= more_low[d] != 0 || more_high[d] != 0;
  }
  const buddy_tensor_type *part = be_type(call, from->dtype, from->rank, box.sizes);
  if (grows && la_is_empty(part)) return be_filled(call, to, scalar);
  if (cuts) value = la_extract(call, value, &box, part);
  return grows ? pad(call, value, more_low, more_high, scalar, to) : value;
}

/* ---- Reading by position ---- */

MlirValue la_element(const be_body *body, MlirValue tensor, buddy_dtype dtype,
                     const MlirValue *position, uint32_t rank) {
  MlirValue operands[1 + BE_MAX_RANK] = {tensor};
  for (uint32_t d = 0; d < rank; ++d) operands[1 + d] = position[d];
  return be_in(body, "tensor.extract", buddy_mlir_element_type(body->call, dtype), operands,
               1 + rank, NULL);
}

typedef struct rearrangement {
  MlirValue value;
  buddy_dtype dtype;
  uint32_t rank;
  la_position *position;
  void *user;
} rearrangement;

static MlirValue read_element(const be_body *body, const MlirValue *elements, void *user) {
  const rearrangement *r = user;
  MlirValue position[BE_MAX_RANK];
  (void)elements;
  r->position(body, position, r->user);
  return la_element(body, r->value, r->dtype, position, r->rank);
}

MlirValue la_rearranged(buddy_call *call, MlirValue value, const buddy_tensor_type *to,
                        uint32_t from_rank, la_position *position, void *user) {
  if (!to || to->rank > BE_MAX_RANK || from_rank > BE_MAX_RANK) {
    be_decline(call, "tensors of more than %d dims are not handled here", BE_MAX_RANK);
    return no_value;
  }
  rearrangement r = {value, to->dtype, from_rank, position, user};
  return be_elementwise(call, to, NULL, NULL, 0, read_element, &r);
}

/* ---- Index arithmetic ---- */

int64_t la_positive_part(buddy_call *call, int64_t n) { return be_dim(call, BUDDY_DIM_MAX, n, 0); }
int64_t la_negative_part(buddy_call *call, int64_t n) {
  return la_positive_part(call, be_dim(call, BUDDY_DIM_SUB, 0, n));
}

MlirValue la_as_i64(const be_body *body, MlirValue index) {
  return BE_IN(body, "arith.index_cast", buddy_mlir_element_type(body->call, BUDDY_I64), index);
}
MlirValue la_as_index(const be_body *body, MlirValue integer) {
  return BE_IN(body, "arith.index_cast", mlirIndexTypeGet(buddy_mlir_context(body->call)), integer);
}
MlirValue la_index_add(const be_body *body, MlirValue a, MlirValue b) {
  return BE_IN(body, "arith.addi", same, a, b);
}
MlirValue la_index_sub(const be_body *body, MlirValue a, MlirValue b) {
  return BE_IN(body, "arith.subi", same, a, b);
}
MlirValue la_index_mul(const be_body *body, MlirValue a, MlirValue b) {
  return BE_IN(body, "arith.muli", same, a, b);
}
MlirValue la_index_mod(const be_body *body, MlirValue a, MlirValue b) {
  return BE_IN(body, "arith.remui", same, a, b);
}
MlirValue la_index_div(const be_body *body, MlirValue a, MlirValue b) {
  return BE_IN(body, "arith.divui", same, a, b);
}

MlirValue la_index_around(const be_body *body, MlirValue index, MlirValue size) {
  const MlirValue is_behind = be_in_compare(body, "ge", index, size, BUDDY_I64);
  return be_in_select(body, is_behind, la_index_sub(body, index, size), index);
}

MlirValue la_index_of(const be_body *body, MlirValue element, buddy_dtype dtype, MlirValue size,
                      int wraps) {
  const MlirType index_type = mlirIndexTypeGet(buddy_mlir_context(body->call));
  const MlirValue zero = be_in_index(body, 0);
  const char *cast = be_is_unsigned(dtype) ? "arith.index_castui" : "arith.index_cast";
  MlirValue index = BE_IN(body, cast, index_type, element);
  if (wraps) {
    const MlirValue is_negative = be_in_compare(body, "lt", index, zero, BUDDY_I64);
    index = be_in_select(body, is_negative, la_index_add(body, index, size), index);
  }
  const MlirValue last = la_index_sub(body, size, be_in_index(body, 1));
  return BE_IN(body, "arith.maxsi", same, BE_IN(body, "arith.minsi", same, index, last), zero);
}
