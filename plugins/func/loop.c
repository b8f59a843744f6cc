// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/func/loop.c: map and scan: a subgraph is called once per slice along the leading dim,
 * inside scf.for.
 *
 * scan's function takes (carried…, slices…, additional…) and gives (carried…, slices of the
 * results…). map is a scan that carries nothing. The loop's values are the carried ones, then the
 * tensors into which slices of results are put. */
#include "mlir-c/BuiltinAttributes.h"

#include <stdbool.h>
#include "mlir-c/BuiltinTypes.h"
#include "plugins/func/rows.h"

typedef struct scan {
  buddy_call *call;
  fn_callee step;
  const MlirValue *carried, *sliced, *additional;
  size_t n_carried, n_sliced, n_additional, n_stacked;
  const buddy_arg *sliced_arg;
  MlirType *types; /* of the loop's values */
} scan;

/* Slice i of a type: without its leading dim. */
static const buddy_tensor_type *slice_type(buddy_call *call, const buddy_tensor_type *type) {
  if (type && type->rank > 0) return be_type(call, type->dtype, type->rank - 1, type->dims + 1);
  be_decline(call, "a tensor without dims cannot be taken apart");
  return NULL;
}

typedef struct slice_attributes {
  be_attribute list[5];
} slice_attributes;

/* One slice at a dynamic index of the leading dim: sizes [1, dims…], the symbolic ones as
 * operands. */
static slice_attributes slice_attrs(buddy_call *call, const buddy_tensor_type *type,
                                    int32_t n_tensors, int32_t n_dynamic_sizes) {
  const int64_t dynamic = mlirShapedTypeGetDynamicSize();
  int64_t *offsets = fn_scratch(call, type->rank, sizeof(int64_t));
  int64_t *sizes = fn_scratch(call, type->rank, sizeof(int64_t));
  int64_t *strides = fn_scratch(call, type->rank, sizeof(int64_t));
  if (!offsets || !sizes || !strides) return (slice_attributes){{{NULL, {NULL}}}};
  for (uint32_t d = 0; d < type->rank; ++d) {
    offsets[d] = d == 0 ? mlirShapedTypeGetDynamicStrideOrOffset() : 0;
    sizes[d] = d == 0 ? 1 : BUDDY_IS_SYMBOLIC(type->dims[d]) ? dynamic : type->dims[d];
    strides[d] = 1;
  }
  const int32_t with_target[5] = {1, 1, 1, n_dynamic_sizes, 0},
                without[4] = {1, 1, n_dynamic_sizes, 0};
  const MlirContext context = buddy_mlir_context(call);
  const MlirAttribute segments = n_tensors == 2 ? mlirDenseI32ArrayGet(context, 5, with_target)
                                                : mlirDenseI32ArrayGet(context, 4, without);
  return (slice_attributes){{{"static_offsets", be_attr_i64s(call, offsets, type->rank)},
                             {"static_sizes", be_attr_i64s(call, sizes, type->rank)},
                             {"static_strides", be_attr_i64s(call, strides, type->rank)},
                             {"operandSegmentSizes", segments},
                             {NULL, {NULL}}}};
}

static bool is_empty(const buddy_tensor_type *type) {
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (type->dims[d] == 0) return true;
  }
  return false;
}

/* tensor.extract_slice (part null) or tensor.insert_slice at the loop's index; MLIR wants a slice to
 * begin inside of its tensor, even one of no elements. */
static MlirValue slice(const be_body *body, MlirValue part, MlirValue whole,
                       const buddy_tensor_type *type, MlirValue index) {
  buddy_call *call = body->call;
  const buddy_tensor_type *reduced = slice_type(call, type);
  MlirValue *operands =
      reduced ? fn_scratch(call, (size_t)type->rank + 3, sizeof(MlirValue)) : NULL;
  if (!operands) return (MlirValue){NULL};
  if (is_empty(reduced)) return part.ptr ? whole : be_empty(call, reduced);
  size_t n = 0;
  if (part.ptr) operands[n++] = part;
  operands[n++] = whole;
  operands[n++] = index;
  const int32_t n_tensors = part.ptr ? 2 : 1;
  int32_t n_sizes = 0;
  for (uint32_t d = 1; d < type->rank; ++d) {
    if (!BUDDY_IS_SYMBOLIC(type->dims[d])) continue;
    operands[n++] = be_index(call, type->dims[d]);
    ++n_sizes;
  }
  const slice_attributes attributes = slice_attrs(call, type, n_tensors, n_sizes);
  const MlirType result =
      part.ptr ? mlirValueGetType(whole) : buddy_mlir_tensor_type(call, reduced);
  return be_in(body, part.ptr ? "tensor.insert_slice" : "tensor.extract_slice", result, operands, n,
               attributes.list);
}

/* The loop's body: block arguments are the index, the carried values, the tensors being filled. */
static int fill_body(const scan *s, const be_body *body) {
  const size_t n_inputs = s->n_carried + s->n_sliced + s->n_additional,
               n = s->n_carried + s->n_stacked;
  const MlirValue index = mlirBlockGetArgument(body->block, 0);
  MlirValue *inputs = fn_scratch(s->call, n_inputs, sizeof(MlirValue));
  MlirValue *results = fn_scratch(s->call, n, sizeof(MlirValue));
  if (!inputs || !results) return 0;
  size_t k = 0;
  for (size_t i = 0; i < s->n_carried; ++i)
    inputs[k++] = mlirBlockGetArgument(body->block, (intptr_t)i + 1);
  for (size_t i = 0; i < s->n_sliced; ++i) {
    const buddy_tensor_type *type = be_value_type(s->call, s->sliced_arg->as.tensors[i]);
    inputs[k++] = slice(body, (MlirValue){NULL}, s->sliced[i], type, index);
  }
  for (size_t i = 0; i < s->n_additional; ++i) inputs[k++] = s->additional[i];
  if (!fn_call(body, &s->step, inputs, n_inputs, results)) return 0;
  for (size_t i = 0; i < n; ++i) {
    if (i < s->n_carried) {
      results[i] = fn_cast(body, results[i], s->types[i]);
      continue;
    }
    const buddy_tensor_type *whole = be_result_type(s->call, i), *part = slice_type(s->call, whole);
    const MlirValue filled = mlirBlockGetArgument(body->block, (intptr_t)i + 1);
    results[i] = fn_cast(body, results[i], buddy_mlir_tensor_type(s->call, part));
    if (results[i].ptr) results[i] = slice(body, results[i], filled, whole, index);
  }
  return fn_end(body, "scf.yield", results, n);
}

static MlirRegion make_body(const scan *s) {
  const size_t n = s->n_carried + s->n_stacked;
  be_body body;
  MlirType *types = fn_scratch(s->call, n + 1, sizeof(MlirType));
  if (!types) return (MlirRegion){NULL};
  types[0] = mlirIndexTypeGet(buddy_mlir_context(s->call));
  for (size_t i = 0; i < n; ++i) types[i + 1] = s->types[i];
  const MlirRegion region = fn_region(s->call, types, n + 1, &body);
  if (fill_body(s, &body)) return region;
  mlirRegionDestroy(region);
  return (MlirRegion){NULL};
}

/* Bounds, step, initial values. */
static MlirValue *make_operands(const scan *s, int64_t n_slices) {
  const size_t n = s->n_carried + s->n_stacked;
  const be_body body = {s->call, buddy_mlir_block(s->call)};
  MlirValue *operands = fn_scratch(s->call, n + 3, sizeof(MlirValue));
  if (!operands) return NULL;
  operands[0] = be_index(s->call, 0);
  operands[1] = be_index(s->call, n_slices);
  operands[2] = be_index(s->call, 1);
  for (size_t i = 0; i < n; ++i) {
    const bool is_carried = i < s->n_carried;
    s->types[i] = is_carried ? mlirFunctionTypeGetInput(s->step.type, (intptr_t)i)
                             : buddy_mlir_tensor_type(s->call, be_result_type(s->call, i));
    operands[i + 3] = is_carried ? fn_cast(&body, s->carried[i], s->types[i])
                                 : be_empty(s->call, be_result_type(s->call, i));
  }
  return operands;
}

static buddy_code emit(scan *s) {
  buddy_call *call = s->call;
  const size_t n = be_host->n_results(call);
  s->types = fn_scratch(call, n, sizeof(MlirType));
  if (!s->step.symbol.ptr || !s->types || !s->sliced || !s->additional) {
    return be_result(call, 0, (MlirValue){NULL});
  }
  if (s->n_sliced == 0 || s->step.n_results != n || n < s->n_carried) {
    return be_decline(call, "the function that is mapped does not give what the loop returns");
  }
  s->n_stacked = n - s->n_carried;
  const buddy_tensor_type *first = be_value_type(call, s->sliced_arg->as.tensors[0]);
  if (!slice_type(call, first)) return be_result(call, 0, (MlirValue){NULL});
  const MlirValue *operands = make_operands(s, first->dims[0]);
  if (!operands) return be_result(call, 0, (MlirValue){NULL});
  MlirRegion region = make_body(s);
  const be_op_spec spec = {.name = "scf.for",
                           .operands = operands,
                           .n_operands = n + 3,
                           .types = s->types,
                           .n_types = n};
  const MlirOperation op = fn_build(call, &spec, &region, 1);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < n && code == BUDDY_OK; ++i) {
    code = be_result(call, i, op.ptr ? mlirOperationGetResult(op, (intptr_t)i) : (MlirValue){NULL});
  }
  return code;
}

buddy_code fn_emit_map(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  scan s = {.call = call, .step = fn_subgraph(call, 0), .sliced_arg = be_arg(call, 1)};
  s.sliced = fn_tensors(call, 1, &s.n_sliced);
  s.additional = fn_tensors(call, 2, &s.n_additional);
  return emit(&s);
}

buddy_code fn_emit_scan(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  scan s = {.call = call, .step = fn_subgraph(call, 0), .sliced_arg = be_arg(call, 2)};
  s.carried = fn_tensors(call, 1, &s.n_carried);
  s.sliced = fn_tensors(call, 2, &s.n_sliced);
  s.additional = fn_tensors(call, 3, &s.n_additional);
  return s.carried ? emit(&s) : be_result(call, 0, (MlirValue){NULL});
}
