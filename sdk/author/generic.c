// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/generic.c: linalg.generic, and elementwise loops on it. */
#include "mlir-c/AffineExpr.h"

#include <stdbool.h>
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/author/author.h"

static const MlirValue no_value = {NULL};
static const MlirAttribute no_attribute = {NULL};

be_map be_map_identity(uint32_t rank) {
  be_map map = {{0}};
  for (uint32_t d = 0; d < rank && d < BE_MAX_RANK; ++d) map.loops[d] = (int8_t)d;
  return map;
}

be_map be_map_broadcast(const buddy_tensor_type *from, const buddy_tensor_type *to) {
  be_map map = {{0}};
  if (!from || !to || from->rank > to->rank || to->rank > BE_MAX_RANK) return map;
  const uint32_t shift = to->rank - from->rank;
  for (uint32_t d = 0; d < from->rank; ++d) {
    const bool is_spread = from->dims[d] == 1 && to->dims[d + shift] != 1;
    map.loops[d] = is_spread ? BE_BROADCAST : (int8_t)(d + shift);
  }
  return map;
}

/* ---- The attributes -------------------------------------------------------------------------- */

static MlirAttribute map_attr(buddy_call *call, uint32_t n_loops, const be_map *map,
                              uint32_t rank) {
  const MlirContext context = buddy_mlir_context(call);
  MlirAffineExpr exprs[BE_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    const int8_t loop = map->loops[d];
    if (loop != BE_BROADCAST && (loop < 0 || (uint32_t)loop >= n_loops)) {
      be_fail(call, BUDDY_INVALID_ARGUMENT, "a map names loop %d of %u", loop, n_loops);
      return no_attribute;
    }
    exprs[d] = loop == BE_BROADCAST ? mlirAffineConstantExprGet(context, 0)
                                    : mlirAffineDimExprGet(context, loop);
  }
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, n_loops, 0, rank, exprs));
}

static MlirAttribute maps_attr(buddy_call *call, const be_generic *spec) {
  MlirAttribute *maps = be_scratch(call, spec->n_inputs + 1, sizeof(MlirAttribute));
  if (!maps) return no_attribute;
  for (size_t i = 0; i <= spec->n_inputs; ++i) {
    const bool is_input = i < spec->n_inputs;
    const buddy_tensor_type *type = is_input ? spec->input_types[i] : spec->output_type;
    maps[i] = map_attr(call, spec->n_loops, is_input ? &spec->input_maps[i] : &spec->output_map,
                       type->rank);
    if (!maps[i].ptr) return no_attribute;
  }
  return mlirArrayAttrGet(buddy_mlir_context(call), (intptr_t)spec->n_inputs + 1, maps);
}

static MlirAttribute iterators_attr(buddy_call *call, const be_generic *spec) {
  MlirAttribute iterators[BE_MAX_RANK];
  for (uint32_t l = 0; l < spec->n_loops; ++l) {
    iterators[l] =
        be_attr(call, (spec->reductions >> l & 1u) != 0 ? "#linalg.iterator_type<reduction>"
                                                        : "#linalg.iterator_type<parallel>");
    if (!iterators[l].ptr) return no_attribute;
  }
  return mlirArrayAttrGet(buddy_mlir_context(call), (intptr_t)spec->n_loops, iterators);
}

/* ---- The body -------------------------------------------------------------------------------- */

/* One scalar argument per operand; the body's value is yielded. False if it gave none. */
static int fill_block(buddy_call *call, const be_generic *spec, MlirBlock block) {
  const size_t n = spec->n_inputs + 1;
  const MlirLocation location = buddy_mlir_location(call);
  MlirValue *scalars = be_scratch(call, n, sizeof(MlirValue));
  if (!scalars) return 0;
  for (size_t i = 0; i < n; ++i) {
    const buddy_tensor_type *type = i < spec->n_inputs ? spec->input_types[i] : spec->output_type;
    const MlirType element = buddy_mlir_element_type(call, type->dtype);
    if (!element.ptr) return 0;
    scalars[i] = mlirBlockAddArgument(block, element, location);
  }
  const be_body body = {call, block};
  const MlirValue value = spec->body(&body, scalars, spec->user);
  const be_op_spec yield = {.name = "linalg.yield", .operands = &value, .n_operands = 1};
  return be_in_build(&body, &yield).ptr != NULL;
}

/* The region with its one block; null if the body failed. */
static MlirRegion make_body(buddy_call *call, const be_generic *spec) {
  const MlirRegion region = mlirRegionCreate();
  const MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  if (fill_block(call, spec, block)) return region;
  mlirRegionDestroy(region);
  return (MlirRegion){NULL};
}

/* Ranks and handles, before anything is built. */
static bool is_sound(buddy_call *call, const be_generic *spec) {
  bool is_null = !spec->init.ptr || !spec->output_type;
  uint32_t rank = is_null ? 0 : spec->output_type->rank;
  for (size_t i = 0; i < spec->n_inputs; ++i) {
    is_null |= !spec->inputs[i].ptr || !spec->input_types[i];
    if (!is_null && spec->input_types[i]->rank > rank) rank = spec->input_types[i]->rank;
  }
  if (is_null) {
    be_fail(call, BUDDY_INVALID_ARGUMENT, "an operand of linalg.generic is null");
  } else if (rank > BE_MAX_RANK || spec->n_loops > BE_MAX_RANK) {
    be_decline(call, "a tensor of rank %u is beyond what loops here handle (%d)", rank,
               BE_MAX_RANK);
    is_null = true;
  }
  return !is_null;
}

/* where null: at the end of the call's own block. */
static MlirValue build_generic(buddy_call *call, const be_body *where, const be_generic *spec) {
  if (!is_sound(call, spec)) return no_value;
  const MlirType type = buddy_mlir_tensor_type(call, spec->output_type);
  const MlirAttribute maps = maps_attr(call, spec);
  const MlirAttribute iterators = iterators_attr(call, spec);
  MlirValue *operands = be_scratch(call, spec->n_inputs + 1, sizeof(MlirValue));
  if (!operands) return no_value;
  for (size_t i = 0; i < spec->n_inputs; ++i) operands[i] = spec->inputs[i];
  operands[spec->n_inputs] = spec->init;
  const MlirRegion region = make_body(call, spec);
  if (!region.ptr) return no_value;
  const int32_t segments[2] = {(int32_t)spec->n_inputs, 1};
  const be_op_spec op_spec = {
      .name = "linalg.generic",
      .operands = operands,
      .n_operands = spec->n_inputs + 1,
      .types = &type,
      .n_types = 1,
      .attributes = BE_ATTRIBUTES(
          {"indexing_maps", maps}, {"iterator_types", iterators},
          {"operandSegmentSizes", mlirDenseI32ArrayGet(buddy_mlir_context(call), 2, segments)}),
      .region = region};
  const MlirOperation op = where ? be_in_build(where, &op_spec) : be_build(call, &op_spec);
  return op.ptr ? mlirOperationGetResult(op, 0) : no_value;
}

MlirValue be_linalg_generic(buddy_call *call, const be_generic *spec) {
  return build_generic(call, NULL, spec);
}

MlirValue be_in_generic(const be_body *where, const be_generic *spec) {
  return build_generic(where->call, where, spec);
}

MlirValue be_elementwise(buddy_call *call, const buddy_tensor_type *to, const MlirValue *inputs,
                         const buddy_tensor_type *const *input_types, size_t n_inputs,
                         be_body_fn body, void *user) {
  be_map *maps = be_scratch(call, n_inputs, sizeof(be_map));
  if (!to || !maps) return no_value;
  for (size_t i = 0; i < n_inputs; ++i) maps[i] = be_map_broadcast(input_types[i], to);
  const be_generic spec = {.n_loops = to->rank,
                           .n_inputs = n_inputs,
                           .inputs = inputs,
                           .input_types = input_types,
                           .input_maps = maps,
                           .init = be_empty(call, to),
                           .output_type = to,
                           .output_map = be_map_identity(to->rank),
                           .body = body,
                           .user = user};
  return be_linalg_generic(call, &spec);
}
