// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/func/call.c: calls of subgraphs, and regions around them. */
#include "mlir-c/BuiltinAttributes.h"

#include <stdbool.h>
#include "mlir-c/BuiltinTypes.h"
#include "plugins/func/rows.h"

static const MlirValue no_value = {NULL};

void *fn_scratch(buddy_call *call, size_t n, size_t size) {
  size_t n_bytes;
  if (__builtin_mul_overflow(n, size, &n_bytes)) return NULL;
  return be_host->scratch(call, n_bytes > 0 ? n_bytes : 1);
}

fn_callee fn_subgraph(buddy_call *call, size_t i) {
  fn_callee callee = {.symbol = {NULL}};
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind != BUDDY_ARG_GRAPH) {
    be_decline(call, "argument %zu is not a subgraph", i);
    return callee;
  }
  callee.symbol = buddy_mlir_lower_subgraph(call, arg->as.graph, &callee.type);
  if (!callee.symbol.ptr) return callee;
  callee.n_inputs = (size_t)mlirFunctionTypeGetNumInputs(callee.type);
  callee.n_results = (size_t)mlirFunctionTypeGetNumResults(callee.type);
  return callee;
}

MlirValue fn_cast(const be_body *body, MlirValue value, MlirType type) {
  if (!value.ptr || !type.ptr) return no_value;
  if (mlirTypeEqual(mlirValueGetType(value), type)) return value;
  return BE_IN(body, "tensor.cast", type, value);
}

int fn_call(const be_body *body, const fn_callee *callee, const MlirValue *operands,
            size_t n_operands, MlirValue *results) {
  if (!callee->symbol.ptr) return 0;
  if (callee->n_inputs != n_operands) {
    be_decline(body->call, "the subgraph takes %zu inputs and is given %zu", callee->n_inputs,
               n_operands);
    return 0;
  }
  MlirValue *inputs = fn_scratch(body->call, n_operands, sizeof(MlirValue));
  MlirType *types = fn_scratch(body->call, callee->n_results, sizeof(MlirType));
  if (!inputs || !types) return 0;
  for (size_t i = 0; i < n_operands; ++i) {
    inputs[i] = fn_cast(body, operands[i], mlirFunctionTypeGetInput(callee->type, (intptr_t)i));
  }
  for (size_t i = 0; i < callee->n_results; ++i) {
    types[i] = mlirFunctionTypeGetResult(callee->type, (intptr_t)i);
  }
  const be_attribute attributes[] = {{"callee", callee->symbol}, {NULL, {NULL}}};
  const be_op_spec spec = {.name = "func.call",
                           .operands = inputs,
                           .n_operands = n_operands,
                           .types = types,
                           .n_types = callee->n_results,
                           .attributes = attributes};
  const MlirOperation op = be_in_build(body, &spec);
  for (size_t i = 0; i < callee->n_results; ++i) {
    results[i] = op.ptr ? mlirOperationGetResult(op, (intptr_t)i) : no_value;
  }
  return op.ptr != NULL;
}

int fn_end(const be_body *body, const char *name, const MlirValue *operands, size_t n_operands) {
  const be_op_spec spec = {.name = name, .operands = operands, .n_operands = n_operands};
  return be_in_build(body, &spec).ptr != NULL;
}

MlirRegion fn_region(buddy_call *call, const MlirType *types, size_t n_types, be_body *out_body) {
  const MlirRegion region = mlirRegionCreate();
  const MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (size_t i = 0; i < n_types; ++i)
    mlirBlockAddArgument(block, types[i], buddy_mlir_location(call));
  mlirRegionAppendOwnedBlock(region, block);
  *out_body = (be_body){call, block};
  return region;
}

MlirOperation fn_build(buddy_call *call, const be_op_spec *spec, MlirRegion *regions,
                       size_t n_regions) {
  bool is_complete = true;
  for (size_t i = 0; i < n_regions; ++i) is_complete &= regions[i].ptr != NULL;
  if (!is_complete) {
    for (size_t i = 0; i < n_regions; ++i) {
      if (regions[i].ptr) mlirRegionDestroy(regions[i]);
    }
    return (MlirOperation){NULL};
  }
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(spec->name), buddy_mlir_location(call));
  mlirOperationStateAddOperands(&state, (intptr_t)spec->n_operands, spec->operands);
  mlirOperationStateAddResults(&state, (intptr_t)spec->n_types, spec->types);
  mlirOperationStateAddOwnedRegions(&state, (intptr_t)n_regions, regions);
  return buddy_mlir_append(call, &state);
}

MlirValue *fn_tensors(buddy_call *call, size_t i, size_t *out_n) {
  const buddy_arg *arg = be_arg(call, i);
  *out_n = 0;
  if (arg->kind != BUDDY_ARG_TENSORS && !(arg->kind == BUDDY_ARG_INTS && arg->n == 0) &&
      arg->kind != BUDDY_ARG_NONE) {
    be_decline(call, "argument %zu is not a list of tensors", i);
    return NULL;
  }
  const size_t n = arg->kind == BUDDY_ARG_TENSORS ? arg->n : 0;
  MlirValue *values = fn_scratch(call, n, sizeof(MlirValue));
  if (!values) return NULL;
  for (size_t k = 0; k < n; ++k) {
    if (!arg->as.tensors[k]) {
      be_decline(call, "element %zu of argument %zu is None", k, i);
      return NULL;
    }
    values[k] = buddy_mlir_value(call, arg->as.tensors[k]);
  }
  *out_n = n;
  return values;
}
