// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Operations at a place of the IR. */
#include "sdk/compile/builder.h"

#include <string.h>

#include "core/base/assert.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/structured.h"
#include "sdk/runtime/strided.h"

bd_builder bd_builder_before(MlirOperation op) {
  return (bd_builder){mlirOperationGetContext(op), mlirOperationGetLocation(op),
                      mlirOperationGetBlock(op), op};
}

bd_builder bd_builder_for(MlirOperation before, MlirLocation location) {
  bd_builder b = bd_builder_before(before);
  b.location = location;
  return b;
}

bd_builder bd_builder_at_end(MlirBlock block, MlirLocation location) {
  return (bd_builder){mlirLocationGetContext(location), location, block, {NULL}};
}

MlirNamedAttribute bd_named(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)),
                               value);
}

MlirBlock bd_block_create(MlirLocation location, const MlirType *types, intptr_t n) {
  const MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (intptr_t i = 0; i < n; ++i) mlirBlockAddArgument(block, types[i], location);
  return block;
}

MlirOperation bd_builder_put(bd_builder b, MlirOperation op) {
  if (op.ptr) mlirBlockInsertOwnedOperationBefore(b.block, b.before, op);
  return op;
}

MlirOperation bd_build_op(bd_builder b, const char *name, const MlirValue *operands, size_t n,
                          const MlirType *types, size_t n_types,
                          const MlirNamedAttribute *attributes, size_t n_attributes) {
  return bd_build_around(b, name, operands, n, types, n_types, attributes, n_attributes, NULL, 0);
}

MlirOperation bd_build_around(bd_builder b, const char *name, const MlirValue *operands, size_t n,
                              const MlirType *types, size_t n_types,
                              const MlirNamedAttribute *attributes, size_t n_attributes,
                              const MlirBlock *bodies, size_t n_bodies) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(name), b.location);
  mlirOperationStateAddOperands(&state, (intptr_t)n, operands);
  mlirOperationStateAddResults(&state, (intptr_t)n_types, types);
  mlirOperationStateAddAttributes(&state, (intptr_t)n_attributes, attributes);
  for (size_t i = 0; i < n_bodies; ++i) {
    MlirRegion region = mlirRegionCreate();
    if (bodies[i].ptr) mlirRegionAppendOwnedBlock(region, bodies[i]);
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  return bd_builder_put(b, mlirOperationCreate(&state));
}

MlirBlock bd_build_for(bd_builder b, MlirValue from, MlirValue to, MlirValue step,
                       const MlirValue *carried, intptr_t n) {
  MlirValue operands[3 + BD_MAX_OPERANDS] = {from, to, step};
  MlirType types[1 + BD_MAX_OPERANDS] = {mlirValueGetType(from)};
  for (intptr_t i = 0; i < n; ++i) {
    operands[3 + i] = carried[i];
    types[1 + i] = mlirValueGetType(carried[i]);
  }
  const MlirBlock body = bd_block_create(b.location, types, 1 + n);
  (void)bd_build_around(b, "scf.for", operands, (size_t)(3 + n), types + 1, (size_t)n, NULL, 0,
                        &body, 1);
  return body;
}

MlirBlock bd_build_parallel(bd_builder b, const MlirValue *upper, intptr_t n) {
  if (n == 0) return b.block;
  const MlirValue zero = bd_build_index(b, 0), one = bd_build_index(b, 1);
  const int32_t segments[] = {(int32_t)n, (int32_t)n, (int32_t)n, 0};
  const MlirNamedAttribute sizes =
      bd_named(b.context, "operandSegmentSizes", mlirDenseI32ArrayGet(b.context, 4, segments));
  MlirValue operands[3 * BD_MAX_LOOPS];
  MlirType types[BD_MAX_LOOPS];
  for (intptr_t i = 0; i < n; ++i) {
    operands[i] = zero;
    operands[n + i] = upper[i];
    operands[2 * n + i] = one;
    types[i] = mlirIndexTypeGet(b.context);
  }
  const MlirBlock body = bd_block_create(b.location, types, n);
  (void)bd_build_around(b, "scf.parallel", operands, (size_t)(3 * n), NULL, 0, &sizes, 1, &body, 1);
  return body;
}

/* How many operands are read, and how many written. */
static MlirNamedAttribute kinds_of(MlirContext context, intptr_t n, intptr_t n_results) {
  const int32_t segments[] = {(int32_t)(n - n_results), (int32_t)n_results};
  return bd_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments));
}

/* What tells the operands of a loop from one another: two attributes. */
static void name_operands(MlirContext context, const MlirAffineMap *maps, intptr_t n,
                          intptr_t n_results, MlirNamedAttribute out[2]) {
  MlirAttribute all[BD_MAX_OPERANDS];
  for (intptr_t i = 0; i < n; ++i) all[i] = mlirAffineMapAttrGet(maps[i]);
  out[0] = bd_named(context, "indexing_maps", mlirArrayAttrGet(context, n, all));
  out[1] = kinds_of(context, n, n_results);
}

MlirOperation bd_build_reductions(bd_builder b, const bool *are_reduced, intptr_t n_loops,
                                  const MlirValue *operands, const MlirAffineMap *maps, intptr_t n,
                                  intptr_t n_results, MlirBlock body) {
  MlirAttribute iterators[BD_MAX_RANK];
  MlirNamedAttribute attributes[3];
  MlirType types[BD_MAX_OPERANDS];
  for (intptr_t i = 0; i < n_results; ++i) types[i] = mlirValueGetType(operands[n - n_results + i]);
  for (intptr_t i = 0; i < n_loops; ++i)
    iterators[i] = mlirAttributeParseGet(
        b.context, mlirStringRefCreateFromCString(are_reduced && are_reduced[i]
                                                      ? "#linalg.iterator_type<reduction>"
                                                      : "#linalg.iterator_type<parallel>"));
  name_operands(b.context, maps, n, n_results, attributes);
  attributes[2] =
      bd_named(b.context, "iterator_types", mlirArrayAttrGet(b.context, n_loops, iterators));
  return bd_build_around(b, "linalg.generic", operands, (size_t)n, types,
                         mlirTypeIsATensor(types[0]) ? (size_t)n_results : 0, attributes, 3, &body,
                         1);
}

MlirOperation bd_build_loops(bd_builder b, intptr_t n_loops, const MlirValue *operands,
                             const MlirAffineMap *maps, intptr_t n, MlirBlock body) {
  return bd_build_reductions(b, NULL, n_loops, operands, maps, n, 1, body);
}

MlirValue bd_build_gathering(bd_builder b, MlirValue from, MlirAffineMap map, MlirValue to) {
  if (!from.ptr || !to.ptr) return (MlirValue){NULL};
  const intptr_t rank = (intptr_t)mlirShapedTypeGetRank(mlirValueGetType(to));
  const MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(to));
  const MlirAffineMap maps[] = {map, mlirAffineMapMultiDimIdentityGet(b.context, rank)};
  const MlirBlock body = bd_block_create(b.location, (MlirType[]){element, element}, 2);
  const MlirValue read = mlirBlockGetArgument(body, 0);
  (void)bd_build_op(bd_builder_at_end(body, b.location), "linalg.yield", &read, 1, NULL, 0, NULL,
                    0);
  const MlirOperation op = bd_build_loops(b, rank, (MlirValue[]){from, to}, maps, 2, body);
  return op.ptr ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
}

MlirValue bd_build_linalg(bd_builder b, const char *name, const MlirValue *operands, size_t n,
                          const MlirNamedAttribute *attributes, size_t n_attributes) {
  const bool has_kinds = strcmp(name, "linalg.broadcast") != 0;
  MlirNamedAttribute all[BD_MOST_NAMED + 1] = {kinds_of(b.context, (intptr_t)n, 1)};
  for (size_t i = 0; i < n; ++i) {
    if (!operands[i].ptr) return operands[i];
  }
  BD_ASSERT(n_attributes <= BD_MOST_NAMED);
  for (size_t i = 0; i < n_attributes; ++i) all[has_kinds + i] = attributes[i];
  const MlirType type = mlirValueGetType(operands[n - 1]);
  const MlirOperation op = bd_build_around(b, name, operands, n, &type, 1, all,
                                           has_kinds + n_attributes, &(MlirBlock){NULL}, 1);
  if (!op.ptr) return (MlirValue){NULL};
  mlirLinalgFillBuiltinNamedOpRegion(op);
  return mlirOperationGetResult(op, 0);
}

void bd_loops_change(MlirOperation loops, MlirAffineMap change, const int *order) {
  const MlirContext context = mlirOperationGetContext(loops);
  const MlirAttribute iterators = bd_op_attribute(loops, "iterator_types");
  const intptr_t n_loops = mlirAffineMapGetNumDims(change), n = mlirOperationGetNumOperands(loops);
  MlirAttribute kept[BD_MAX_LOOPS], maps[BD_MAX_OPERANDS];
  for (intptr_t i = 0; i < n_loops; ++i) kept[i] = mlirArrayAttrGetElement(iterators, order[i]);
  for (intptr_t i = 0; i < n; ++i) {
    const MlirAffineMap map = bd_map_of(loops, i);
    const intptr_t n_places = mlirAffineMapGetNumResults(map);
    MlirAffineExpr places[BD_MAX_RANK];
    for (intptr_t r = 0; r < n_places; ++r)
      places[r] = mlirAffineExprCompose(mlirAffineMapGetResult(map, r), change);
    maps[i] = mlirAffineMapAttrGet(mlirAffineMapGet(context, n_loops, 0, n_places, places));
  }
  bd_op_set_attribute(loops, "iterator_types", mlirArrayAttrGet(context, n_loops, kept));
  bd_op_set_attribute(loops, "indexing_maps", mlirArrayAttrGet(context, n, maps));
}

void bd_loops_set_operands(MlirOperation loops, const MlirValue *operands,
                           const MlirAffineMap *maps, intptr_t n) {
  MlirNamedAttribute attributes[2];
  mlirOperationSetOperands(loops, n, operands);
  name_operands(mlirOperationGetContext(loops), maps, n, 1, attributes);
  for (int i = 0; i < 2; ++i)
    mlirOperationSetAttributeByName(loops, mlirIdentifierStr(attributes[i].name),
                                    attributes[i].attribute);
}

MlirValue bd_build(bd_builder b, const char *name, const MlirValue *operands, size_t n,
                   MlirType type, const char *attribute_name, MlirAttribute attribute) {
  for (size_t i = 0; i < n; ++i) {
    if (!operands[i].ptr) return (MlirValue){NULL};
  }
  MlirNamedAttribute named;
  if (attribute_name) named = bd_named(b.context, attribute_name, attribute);
  const MlirOperation op =
      bd_build_op(b, name, operands, n, &type, 1, &named, attribute_name ? 1 : 0);
  return op.ptr ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
}

MlirValue bd_build_one(bd_builder b, const char *name, MlirValue operand, MlirType type) {
  return bd_build(b, name, &operand, 1, type, NULL, mlirAttributeGetNull());
}

MlirValue bd_build_pair(bd_builder b, const char *name, MlirValue first, MlirValue second) {
  if (!first.ptr) return first;
  return bd_build(b, name, (MlirValue[]){first, second}, 2, mlirValueGetType(first), NULL,
                  mlirAttributeGetNull());
}

MlirValue bd_build_compare(bd_builder b, const char *name, int64_t predicate, MlirValue first,
                           MlirValue second) {
  return bd_build(b, name, (MlirValue[]){first, second}, 2, mlirIntegerTypeGet(b.context, 1),
                  "predicate", mlirIntegerAttrGet(mlirIntegerTypeGet(b.context, 64), predicate));
}

MlirValue bd_build_select(bd_builder b, MlirValue condition, MlirValue yes, MlirValue no) {
  if (!yes.ptr) return yes;
  return bd_build(b, "arith.select", (MlirValue[]){condition, yes, no}, 3, mlirValueGetType(yes),
                  NULL, mlirAttributeGetNull());
}

MlirValue bd_build_constant(bd_builder b, MlirType type, MlirAttribute value) {
  return bd_build(b, "arith.constant", NULL, 0, type, "value", value);
}

MlirValue bd_build_integer(bd_builder b, MlirType type, int64_t number) {
  return bd_build_constant(b, type, mlirIntegerAttrGet(type, number));
}

MlirValue bd_build_float(bd_builder b, MlirType type, double number) {
  return bd_build_constant(b, type, mlirFloatAttrDoubleGet(b.context, type, number));
}

MlirValue bd_build_index(bd_builder b, int64_t number) {
  return bd_build_integer(b, mlirIndexTypeGet(b.context), number);
}

MlirValue bd_build_i64(bd_builder b, int64_t number) {
  return bd_build_integer(b, mlirIntegerTypeGet(b.context, 64), number);
}

MlirValue bd_build_bytes_on(bd_builder b, MlirValue pointer, int32_t bytes) {
  const MlirNamedAttribute attributes[] = {
      bd_named(b.context, "rawConstantIndices", mlirDenseI32ArrayGet(b.context, 1, &bytes)),
      bd_named(b.context, "elem_type", mlirTypeAttrGet(mlirIntegerTypeGet(b.context, 8)))};
  const MlirType type = mlirValueGetType(pointer);
  const MlirOperation op =
      bd_build_op(b, "llvm.getelementptr", &pointer, 1, &type, 1, attributes, 2);
  return op.ptr ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
}

MlirValue bd_build_alloc(bd_builder b, MlirType type, const MlirValue *sizes, size_t n) {
  const int32_t segments[] = {(int32_t)n, 0};
  return bd_build(b, "memref.alloc", sizes, n, type, "operandSegmentSizes",
                  mlirDenseI32ArrayGet(b.context, 2, segments));
}

static int32_t count_dynamic(const int64_t *numbers, intptr_t n) {
  int32_t n_dynamic = 0;
  for (intptr_t i = 0; i < n; ++i) n_dynamic += mlirShapedTypeIsDynamicSize(numbers[i]);
  return n_dynamic;
}

MlirValue bd_build_slice(bd_builder b, const char *name, const MlirValue *operands, size_t n,
                         MlirType type, const bd_slice *slice) {
  const int32_t segments[] = {1, 1, count_dynamic(slice->offsets, slice->n_offsets),
                              count_dynamic(slice->sizes, slice->rank),
                              count_dynamic(slice->strides, slice->rank)};
  const bool has_two = (int32_t)n - segments[2] - segments[3] - segments[4] > 1;
  const MlirNamedAttribute attributes[] = {
      bd_named(b.context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(b.context, 4 + has_two, segments + !has_two)),
      bd_named(b.context, "static_offsets",
               mlirDenseI64ArrayGet(b.context, slice->n_offsets, slice->offsets)),
      bd_named(b.context, "static_sizes",
               mlirDenseI64ArrayGet(b.context, slice->rank, slice->sizes)),
      bd_named(b.context, "static_strides",
               mlirDenseI64ArrayGet(b.context, slice->rank, slice->strides))};
  for (size_t i = 0; i < n; ++i) {
    if (!operands[i].ptr) return operands[i];
  }
  const MlirOperation op = bd_build_op(b, name, operands, n, &type, 1, attributes, 4);
  return op.ptr ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
}

MlirValue bd_build_offset(bd_builder b, MlirValue view) {
  enum { BASE, OFFSET, BEFORE_SIZES }; /* then the strides */
  const MlirType type = mlirValueGetType(view), index = mlirIndexTypeGet(b.context);
  const intptr_t rank = mlirShapedTypeGetRank(type);
  MlirType types[BEFORE_SIZES + 2 * BD_MAX_RANK];
  types[BASE] = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 0, NULL,
                                            mlirMemRefTypeGetMemorySpace(type));
  for (intptr_t i = OFFSET; i < BEFORE_SIZES + 2 * rank; ++i) types[i] = index;
  const MlirOperation op = bd_build_op(b, "memref.extract_strided_metadata", &view, 1, types,
                                       (size_t)(BEFORE_SIZES + 2 * rank), NULL, 0);
  return op.ptr ? mlirOperationGetResult(op, OFFSET) : (MlirValue){NULL};
}

MlirValue bd_build_dim(bd_builder b, const char *name, MlirValue of, int64_t axis) {
  const MlirValue operands[] = {of, bd_build_index(b, axis)};
  return bd_build(b, name, operands, 2, mlirIndexTypeGet(b.context), NULL, mlirAttributeGetNull());
}

MlirOperation bd_build_function(bd_builder b, const char *name, MlirBlock body,
                                MlirAttribute attributes) {
  const intptr_t n = mlirBlockGetNumArguments(body);
  MlirType types[BD_MOST_ARGUMENTS];
  bool is_bare = true;
  BD_ASSERT(n <= BD_MOST_ARGUMENTS);
  for (intptr_t i = 0; i < n; ++i) {
    types[i] = mlirValueGetType(mlirBlockGetArgument(body, i));
    is_bare &= bd_type_is_bare(types[i]);
  }
  const MlirNamedAttribute all[] = {
      bd_named(b.context, "sym_name",
               mlirStringAttrGet(b.context, mlirStringRefCreateFromCString(name))),
      bd_named(b.context, "sym_visibility",
               mlirStringAttrGet(b.context, mlirStringRefCreateFromCString("private"))),
      bd_named(b.context, "function_type",
               mlirTypeAttrGet(mlirFunctionTypeGet(b.context, n, types, 0, NULL))),
      bd_named(b.context, "arg_attrs", attributes),
      bd_named(b.context, "llvm.bareptr", mlirUnitAttrGet(b.context)),
  };
  return bd_build_around(b, "func.func", NULL, 0, NULL, 0, all, is_bare ? 5 : 4, &body, 1);
}

buddy_code bd_build_call(bd_builder b, const char *symbol, const MlirValue *operands, size_t n) {
  const MlirNamedAttribute callee =
      bd_named(b.context, "callee",
               mlirFlatSymbolRefAttrGet(b.context, mlirStringRefCreateFromCString(symbol)));
  const MlirOperation call = bd_build_op(b, "func.call", operands, n, NULL, 0, &callee, 1);
  return call.ptr ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

buddy_code bd_build_assert(bd_builder b, MlirValue condition, const char *message) {
  const MlirNamedAttribute text = bd_named(
      b.context, "msg", mlirStringAttrGet(b.context, mlirStringRefCreateFromCString(message)));
  if (!condition.ptr || !bd_build_op(b, "cf.assert", &condition, 1, NULL, 0, &text, 1).ptr)
    return BUDDY_OUT_OF_MEMORY;
  return BUDDY_OK;
}

MlirValue bd_build_copy(bd_builder b, MlirValue tensor) {
  static const int32_t of_copy[] = {0, 1, 0}; /* sizes, what is copied, a hint of the size */
  if (!tensor.ptr) return tensor;
  return bd_build(b, "bufferization.alloc_tensor", &tensor, 1, mlirValueGetType(tensor),
                  "operandSegmentSizes", mlirDenseI32ArrayGet(b.context, 3, of_copy));
}
