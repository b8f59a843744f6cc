// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/function.c: one func.func: built op by op in one block, closed by a return, typed last.
 *
 * The function's type is set when the body is complete: packed parameters decide about its
 * arguments, and what the rows gave about its results. */
#include "sdk/lower/lowering.h"

#include <stdbool.h>
#include <stdio.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

void bd_function_deinit(bd_function *function) {
  bd_values_clear(function);
  bd_dims_clear(function);
  bd_free(function->sources);
  bd_free(function->is_pending);
  bd_free(function->transaction.results);
  if (function->transaction.block.ptr) mlirBlockDestroy(function->transaction.block);
  *function = (bd_function){.graph = NULL};
}

/* ---- Outputs --------------------------------------------------------------------------------- */

/* A number among the outputs of a subgraph, as the 0-d tensor that the graph holds numbers as. */
static MlirValue number_output(bd_function *function, const buddy_arg *arg) {
  bd_lowering *lowering = function->lowering;
  const buddy_dtype dtype = arg->kind == BUDDY_ARG_INT    ? BUDDY_I64
                            : arg->kind == BUDDY_ARG_BOOL ? BUDDY_BOOL
                                                          : BUDDY_F64;
  const buddy_tensor_type tensor = {dtype, 0, NULL};
  const MlirType element = bd_element_type(lowering, dtype),
                 type = bd_tensor_type(lowering, &tensor);
  MlirValue scalar;
  if (arg->kind == BUDDY_ARG_INT) {
    const MlirValue index = bd_dims_get(function, arg->as.i);
    if (!index.ptr) return index;
    scalar = bd_function_op(function, "arith.index_cast", element, &index, 1, NULL, 0);
  } else {
    const MlirAttribute value = dtype == BUDDY_F64
                                    ? mlirFloatAttrDoubleGet(lowering->context, element, arg->as.f)
                                    : mlirIntegerAttrGet(element, arg->as.i);
    const MlirNamedAttribute attribute = bd_named(lowering->context, "value", value);
    scalar = bd_function_op(function, "arith.constant", element, NULL, 0, &attribute, 1);
  }
  return bd_function_op(function, "tensor.from_elements", type, &scalar, 1, NULL, 0);
}

static bool is_number(const buddy_arg *arg) {
  return arg->kind == BUDDY_ARG_INT || arg->kind == BUDDY_ARG_FLOAT || arg->kind == BUDDY_ARG_BOOL;
}

/* Does the output become a result of the function? Numbers of the program itself are told by its
 * signature, unless they depend on sizes: these may come from inputs, but also from what is
 * computed on the way. */
static bool is_result(const bd_function *function, const buddy_arg *arg) {
  if (arg->kind == BUDDY_ARG_TENSOR) return true;
  if (arg->kind == BUDDY_ARG_INT && BUDDY_IS_SYMBOLIC(arg->as.i)) return true;
  return buddy_graph_parent(function->graph) && is_number(arg);
}

static buddy_code fail_output(const bd_function *function, size_t i, const char *what) {
  char where[64];
  snprintf(where, sizeof(where), "output %zu", i);
  return buddy_diags_add(function->lowering->diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, where, NULL,
                         "%s", what);
}

/* The values to return. */
static buddy_code collect_results(bd_function *function, MlirValue *values, size_t *out_n) {
  const buddy_graph *graph = function->graph;
  *out_n = 0;
  for (size_t i = 0; i < buddy_graph_n_outputs(graph); ++i) {
    const buddy_arg *arg = buddy_graph_output(graph, i);
    if (!is_result(function, arg)) continue;
    const bool is_tensor = arg->kind == BUDDY_ARG_TENSOR;
    const MlirValue value =
        is_tensor ? bd_values_find(function, arg->as.tensor) : number_output(function, arg);
    if (!value.ptr) {
      return fail_output(function, i,
                         is_tensor ? "the value of this output was not emitted"
                                   : "no size in the program tells the number of this output");
    }
    values[(*out_n)++] = value;
  }
  return BUDDY_OK;
}

static buddy_code add_return(bd_function *function, const MlirValue *values, size_t n) {
  MlirOperationState state = mlirOperationStateGet(
      bd_ref("func.return"), mlirLocationUnknownGet(function->lowering->context));
  mlirOperationStateAddOperands(&state, (intptr_t)n, values);
  return bd_function_append(function, &state).ptr ? BUDDY_OK : BUDDY_INTERNAL;
}

/* The type that follows from the block's arguments and the returned values. */
static buddy_code set_type(bd_function *function, const MlirValue *results, size_t n_results) {
  const MlirContext context = function->lowering->context;
  const size_t n_inputs = (size_t)mlirBlockGetNumArguments(function->block);
  MlirType *types = bd_calloc(n_inputs + n_results, sizeof(MlirType));
  if (!types) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n_inputs; ++i) {
    types[i] = mlirValueGetType(mlirBlockGetArgument(function->block, (intptr_t)i));
  }
  for (size_t i = 0; i < n_results; ++i) types[n_inputs + i] = mlirValueGetType(results[i]);
  const MlirType type = mlirFunctionTypeGet(context, (intptr_t)n_inputs, types, (intptr_t)n_results,
                                            types + n_inputs);
  bd_free(types);
  mlirOperationSetInherentAttributeByName(function->op, bd_ref("function_type"),
                                          mlirTypeAttrGet(type));
  return BUDDY_OK;
}

static buddy_code finish(bd_function *function) {
  size_t n;
  MlirValue *values = bd_calloc(buddy_graph_n_outputs(function->graph), sizeof(MlirValue));
  if (!values) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = collect_results(function, values, &n);
  if (code == BUDDY_OK) code = add_return(function, values, n);
  if (code == BUDDY_OK) code = set_type(function, values, n);
  bd_free(values);
  return code;
}

buddy_code bd_function_emit(bd_function *function) {
  bd_lowering *lowering = function->lowering;
  BD_TRY(bd_plan_emit(lowering->plan, function->graph, &bd_mlir_emitter, function,
                      lowering->fallback_on_error, lowering->diags));
  return finish(function);
}

/* ---- What callers are told about the outputs ------------------------------------------------- */

static bd_source source_of(const buddy_arg *arg) {
  switch (arg->kind) {
    case BUDDY_ARG_TENSOR:
      return BD_SOURCE_RESULT;
    case BUDDY_ARG_INT:
      return BD_SOURCE_INT;
    case BUDDY_ARG_FLOAT:
      return BD_SOURCE_FLOAT;
    case BUDDY_ARG_BOOL:
      return BD_SOURCE_BOOL;
    default:
      return BD_SOURCE_NONE;
  }
}

static buddy_code describe_output(const bd_function *function, size_t i, size_t *n_results,
                                  bd_signature *signature) {
  static const buddy_dtype dtypes[] = {
      [BD_SOURCE_INT] = BUDDY_I64, [BD_SOURCE_FLOAT] = BUDDY_F64, [BD_SOURCE_BOOL] = BUDDY_BOOL};
  const buddy_graph *graph = function->graph;
  const buddy_arg *arg = buddy_graph_output(graph, i);
  const char *target = buddy_graph_output_target(graph, i);
  char name[32];
  bd_size *sizes = NULL;
  buddy_code code = BUDDY_OK;
  snprintf(name, sizeof(name), "output%zu", i);
  bd_output output = {.source = source_of(arg)};
  output.port = (buddy_port){
      .name = name, .target = target ? target : "", .kind = (int)buddy_graph_output_kind(graph, i)};
  if (output.source == BD_SOURCE_INT && is_result(function, arg)) {
    output.source = BD_SOURCE_RESULT;
    output.port.dtype = BUDDY_I64;
    output.result = (*n_results)++;
  } else if (output.source == BD_SOURCE_RESULT) {
    const buddy_tensor_type *type = buddy_value_type(arg->as.tensor);
    output.port.name = buddy_value_name(arg->as.tensor);
    output.port.dtype = type->dtype;
    output.port.rank = type->rank;
    output.port.dims = type->dims; /* symbolic ones are negative: the copy says -1 */
    output.result = (*n_results)++;
    sizes = bd_calloc(type->rank, sizeof(bd_size));
    if (!sizes) return BUDDY_OUT_OF_MEMORY;
    for (uint32_t d = 0; d < type->rank && code == BUDDY_OK; ++d)
      code = bd_signature_size(signature, graph, type->dims[d], &sizes[d]);
    output.sizes = sizes;
  } else if (output.source != BD_SOURCE_NONE) {
    output.port.dtype = dtypes[output.source];
  }
  if (output.source == BD_SOURCE_FLOAT) output.number = arg->as.f;
  if (code == BUDDY_OK && (output.source == BD_SOURCE_INT || output.source == BD_SOURCE_BOOL))
    code = bd_signature_size(signature, graph, arg->as.i, &output.value);
  if (code == BUDDY_OK) code = bd_signature_add_output(signature, &output);
  bd_free(sizes);
  return code;
}

buddy_code bd_function_describe_outputs(const bd_function *function, bd_signature *signature) {
  size_t n_results = 0;
  for (size_t i = 0; i < buddy_graph_n_outputs(function->graph); ++i) {
    BD_TRY(describe_output(function, i, &n_results, signature));
  }
  return BUDDY_OK;
}
