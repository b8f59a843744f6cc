// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/params.c: what the function takes: user inputs, and parameters in one of three forms.
 *
 *   args      every input of the graph is an argument, in the graph's order
 *   resource  parameters whose bytes are known are constants over those bytes
 *   pack      parameters are slices of one 1-d argument per dtype; these come first, by first
 * appearance
 *
 * A buffer that the program writes to is state of the caller: it stays an argument in every form.
 * So does a parameter with a symbolic size. */
#include "sdk/lower/lowering.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct pack {
  MlirValue argument;
  int64_t n_elements; /* of all; then: the offset of the next slice */
} pack;

typedef struct inputs {
  bd_function *function;
  bd_signature *signature;
  const char **mutated; /* names of the buffers written to, sorted */
  size_t n_mutated;
  pack packs[BD_N_DTYPES]; /* by dtype */
} inputs;

static buddy_diags *diags_of(const inputs *in) { return in->function->lowering->diags; }

/* ---- Which form ------------------------------------------------------------------------------ */

static int compare_names(const void *a, const void *b) {
  const char *const *x = a;
  const char *const *y = b;
  return strcmp(*x, *y);
}

static buddy_code find_mutated(inputs *in) {
  const buddy_graph *graph = in->function->graph;
  const size_t n = buddy_graph_n_outputs(graph);
  in->mutated = bd_calloc(n, sizeof(char *));
  if (!in->mutated) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) {
    const char *target = buddy_graph_output_target(graph, i);
    const bool is_buffer = buddy_graph_output_kind(graph, i) == BUDDY_OUTPUT_BUFFER_MUTATION;
    if (is_buffer && target) in->mutated[in->n_mutated++] = target;
  }
  if (in->n_mutated > 0) qsort(in->mutated, in->n_mutated, sizeof(char *), compare_names);
  return BUDDY_OK;
}

static bool is_mutated(const inputs *in, size_t i) {
  const char *target = buddy_graph_input_target(in->function->graph, i);
  if (in->n_mutated == 0 || !target) return false;
  return bsearch(&target, in->mutated, in->n_mutated, sizeof(char *), compare_names) != NULL;
}

static bool is_static(const buddy_tensor_type *type) {
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (BUDDY_IS_SYMBOLIC(type->dims[d])) return false;
  }
  return true;
}

static buddy_params form_of(const inputs *in, size_t i) {
  const buddy_graph *graph = in->function->graph;
  const buddy_params wanted = in->function->lowering->params;
  if (wanted == BUDDY_PARAMS_ARGS || buddy_graph_input_kind(graph, i) == BUDDY_INPUT_USER)
    return BUDDY_PARAMS_ARGS;
  if (!is_static(buddy_value_type(buddy_graph_input(graph, i))) || is_mutated(in, i))
    return BUDDY_PARAMS_ARGS;
  if (wanted == BUDDY_PARAMS_PACK) return wanted;
  const buddy_data *data = buddy_graph_input_data(graph, i);
  return data && data->bytes ? wanted : BUDDY_PARAMS_ARGS;
}

static buddy_code fail(const inputs *in, size_t i, buddy_code code, const char *what) {
  return buddy_diags_add(diags_of(in), BUDDY_ERROR, code,
                         buddy_value_name(buddy_graph_input(in->function->graph, i)), NULL, "%s",
                         what);
}

/* The number of elements of a static type; a negative size or an overflow gives false. */
static int count_elements(const buddy_tensor_type *type, int64_t *out_n) {
  *out_n = 1;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (type->dims[d] < 0 || __builtin_mul_overflow(*out_n, type->dims[d], out_n)) return 0;
  }
  return 1;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static buddy_code describe(inputs *in, size_t i) {
  const buddy_graph *graph = in->function->graph;
  const buddy_value *value = buddy_graph_input(graph, i);
  const buddy_tensor_type *type = buddy_value_type(value);
  if (!in->signature) return BUDDY_OK; /* a subgraph */
  bd_size *sizes = bd_calloc(type->rank, sizeof(bd_size));
  if (!sizes) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = BUDDY_OK;
  for (uint32_t d = 0; d < type->rank && code == BUDDY_OK; ++d) {
    code = bd_signature_size(in->signature, graph, type->dims[d], &sizes[d]);
  }
  const char *target = buddy_graph_input_target(graph, i);
  const buddy_port port = {.name = buddy_value_name(value),
                           .target = target ? target : "",
                           .kind = (int)buddy_graph_input_kind(graph, i),
                           .dtype = type->dtype,
                           .rank = type->rank,
                           .dims = type->dims};
  if (code == BUDDY_OK && buddy_value_n_uses(value) == 0 && !is_mutated(in, i))
    code = bd_signature_add_unread(in->signature, in->signature->n_inputs);
  if (code == BUDDY_OK) code = bd_signature_add_input(in->signature, &port, sizes);
  bd_free(sizes);
  return code;
}

static buddy_code add_argument(inputs *in, size_t i) {
  const buddy_value *value = buddy_graph_input(in->function->graph, i);
  const MlirType type = bd_tensor_type(in->function->lowering, buddy_value_type(value));
  if (!type.ptr)
    return fail(in, i, BUDDY_UNSUPPORTED, "this input has a type that MLIR tensors cannot have");
  BD_TRY(bd_values_set(in->function, value, bd_function_add_argument(in->function, type)));
  return describe(in, i);
}

/* ---- Packs ----------------------------------------------------------------------------------- */

static buddy_code add_pack(inputs *in, buddy_dtype dtype) {
  bd_lowering *lowering = in->function->lowering;
  const buddy_tensor_type type = {dtype, 1, &in->packs[dtype].n_elements};
  const MlirType ir_type = bd_tensor_type(lowering, &type);
  if (!ir_type.ptr) return BUDDY_UNSUPPORTED;
  in->packs[dtype].argument = bd_function_add_argument(in->function, ir_type);
  char name[64];
  snprintf(name, sizeof(name), "parameters_%s", buddy_dtype_name(dtype));
  const buddy_port port = {.name = name,
                           .target = "",
                           .kind = BUDDY_INPUT_PARAMETER,
                           .dtype = dtype,
                           .rank = 1,
                           .dims = type.dims};
  const buddy_code code =
      in->signature ? bd_signature_add_input(in->signature, &port, NULL) : BUDDY_OK;
  in->packs[dtype].n_elements = 0; /* the offset of the first slice */
  return code;
}

/* Sizes first: an argument needs its type. */
static buddy_code add_packs(inputs *in) {
  const buddy_graph *graph = in->function->graph;
  buddy_dtype order[BD_N_DTYPES];
  bool is_met[BD_N_DTYPES] = {0};
  size_t n = 0;
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i) {
    if (form_of(in, i) != BUDDY_PARAMS_PACK) continue;
    const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(graph, i));
    int64_t n_elements;
    if (!bd_element_type(in->function->lowering, type->dtype).ptr ||
        !count_elements(type, &n_elements) ||
        __builtin_add_overflow(in->packs[type->dtype].n_elements, n_elements,
                               &in->packs[type->dtype].n_elements)) {
      return fail(in, i, BUDDY_LIMIT,
                  "this parameter cannot be packed: its type or its size is out of range");
    }
    if (!is_met[type->dtype]) order[n++] = type->dtype;
    is_met[type->dtype] = 1;
  }
  for (size_t i = 0; i < n; ++i) BD_TRY(add_pack(in, order[i]));
  return BUDDY_OK;
}

static MlirValue slice(bd_function *function, MlirValue from, MlirType type, int64_t offset,
                       int64_t n) {
  const MlirContext context = function->lowering->context;
  static const int64_t one = 1;
  static const int32_t segments[4] = {1, 0, 0, 0};
  const MlirNamedAttribute attributes[] = {
      bd_named(context, "static_offsets", mlirDenseI64ArrayGet(context, 1, &offset)),
      bd_named(context, "static_sizes", mlirDenseI64ArrayGet(context, 1, &n)),
      bd_named(context, "static_strides", mlirDenseI64ArrayGet(context, 1, &one)),
      bd_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments))};
  return bd_function_op(function, "tensor.extract_slice", type, &from, 1, attributes, 4);
}

/* [[0, 1, 2]] for a rank of 3, [] for 0. */
static MlirAttribute one_group(MlirContext context, uint32_t rank) {
  MlirAttribute dims[BD_MAX_RANK];
  const MlirType i64 = mlirIntegerTypeGet(context, 64);
  for (uint32_t d = 0; d < rank; ++d) dims[d] = mlirIntegerAttrGet(i64, d);
  const MlirAttribute group = mlirArrayAttrGet(context, (intptr_t)rank, dims);
  return mlirArrayAttrGet(context, rank > 0, &group);
}

static buddy_code add_slice(inputs *in, size_t i) {
  bd_function *function = in->function;
  const MlirContext context = function->lowering->context;
  const buddy_value *value = buddy_graph_input(function->graph, i);
  const buddy_tensor_type *type = buddy_value_type(value);
  pack *from = &in->packs[type->dtype];
  const int64_t offset = from->n_elements;
  int64_t n;
  if (!count_elements(type, &n)) return BUDDY_LIMIT;
  from->n_elements += n;
  if (buddy_value_n_uses(value) == 0) return BUDDY_OK;
  const buddy_tensor_type flat = {type->dtype, 1, &n};
  const MlirType ir_type = bd_tensor_type(function->lowering, type);
  if (!ir_type.ptr)
    return fail(in, i, BUDDY_UNSUPPORTED, "this input has a type that MLIR tensors cannot have");
  MlirValue part =
      slice(function, from->argument, bd_tensor_type(function->lowering, &flat), offset, n);
  if (type->rank != 1) {
    const MlirNamedAttribute attributes[] = {
        bd_named(context, "reassociation", one_group(context, type->rank)),
        bd_named(context, "static_output_shape",
                 mlirDenseI64ArrayGet(context, (intptr_t)type->rank, type->dims))};
    const bool is_scalar = type->rank == 0;
    part = bd_function_op(function, is_scalar ? "tensor.collapse_shape" : "tensor.expand_shape",
                          ir_type, &part, 1, attributes, is_scalar ? 1 : 2);
  }
  return bd_values_set(function, value, part);
}

/* ---- Resources ------------------------------------------------------------------------------- */

static bool is_contiguous(const buddy_tensor_type *type, const int64_t *strides) {
  int64_t expected = 1;
  for (uint32_t d = type->rank; d > 0 && strides; --d) {
    if (type->dims[d - 1] != 1 && strides[d - 1] != expected) return false;
    expected *= type->dims[d - 1];
  }
  return true;
}

/* Does every element lie inside the storage? Strides may be negative or zero. */
static bool is_inside(const buddy_tensor_type *type, const buddy_data *data, size_t size) {
  int64_t low = data->offset, high = data->offset, contiguous = 1;
  for (uint32_t d = type->rank; d > 0; --d) {
    const int64_t stride = data->strides ? data->strides[d - 1] : contiguous;
    int64_t reach;
    if (__builtin_mul_overflow(type->dims[d - 1] - 1, stride, &reach)) return false;
    if (__builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high))
      return false;
    if (__builtin_mul_overflow(contiguous, type->dims[d - 1], &contiguous)) return false;
  }
  return low >= 0 && (uint64_t)high < data->n_bytes / size;
}

/* Element by element, counting up the indices from the last. */
static void gather(const buddy_tensor_type *type, const buddy_data *data, size_t size, int64_t n,
                   char *to) {
  int64_t index[BD_MAX_RANK] = {0};
  const char *from = (const char *)data->bytes;
  int64_t offset = data->offset;
  for (int64_t k = 0; k < n; ++k) {
    memcpy(to + (size_t)k * size, from + (size_t)offset * size, size);
    for (uint32_t d = type->rank; d > 0; --d) {
      offset += data->strides[d - 1];
      if (++index[d - 1] < type->dims[d - 1]) break;
      offset -= data->strides[d - 1] * type->dims[d - 1];
      index[d - 1] = 0;
    }
  }
}

static void free_copy(void *user, const void *data, size_t size, size_t alignment) {
  (void)data, (void)size, (void)alignment;
  bd_free(user);
}

static size_t alignment_of(const void *bytes) {
  const uintptr_t address = (uintptr_t)bytes | 64u;
  return (size_t)(address & (~address + 1));
}

/* The attribute over bytes that are lent, or over a copy that it frees. */
static MlirAttribute resource(bd_lowering *lowering, MlirType type, const char *key,
                              const void *bytes, size_t n_bytes, void *copy) {
  void *data =
      copy ? copy : (void *)(uintptr_t)bytes; /* not mutable, says the next argument but one */
  const MlirAttribute attribute = mlirUnmanagedDenseResourceElementsAttrGet(
      type, bd_ref(key), data, n_bytes, alignment_of(data), false, copy ? free_copy : NULL, copy);
  if (bd_module_add_blob(lowering->target, key, data, n_bytes) != BUDDY_OK)
    return (MlirAttribute){NULL};
  return attribute;
}

static MlirValue add_constant(bd_function *function, MlirType type, MlirAttribute value) {
  const MlirNamedAttribute attribute = bd_named(function->lowering->context, "value", value);
  return bd_function_op(function, "arith.constant", type, NULL, 0, &attribute, 1);
}

static buddy_code add_resource(inputs *in, size_t i) {
  bd_function *function = in->function;
  const buddy_value *value = buddy_graph_input(function->graph, i);
  const buddy_tensor_type *type = buddy_value_type(value);
  const buddy_data *data = buddy_graph_input_data(function->graph, i);
  const size_t size = buddy_dtype_size(type->dtype);
  const MlirType ir_type = bd_tensor_type(function->lowering, type);
  int64_t n;
  if (buddy_value_n_uses(value) == 0) return BUDDY_OK;
  if (!ir_type.ptr)
    return fail(in, i, BUDDY_UNSUPPORTED, "this input has a type that MLIR tensors cannot have");
  if (!count_elements(type, &n))
    return fail(in, i, BUDDY_LIMIT, "this parameter has too many elements");
  if (n == 0)
    return bd_values_set(function, value,
                         bd_function_op(function, "tensor.empty", ir_type, NULL, 0, NULL, 0));
  if (!is_inside(type, data, size))
    return fail(in, i, BUDDY_CORRUPT, "this parameter reaches beyond its bytes");
  const size_t n_bytes = (size_t)n * size; /* no more than the storage, or than a copy can have */
  const char *bytes = (const char *)data->bytes + (size_t)data->offset * size;
  void *copy = NULL;
  if (!is_contiguous(type, data->strides)) {
    copy = n <= (int64_t)(INT64_MAX / 16) ? bd_malloc(n_bytes) : NULL;
    if (!copy) return BUDDY_OUT_OF_MEMORY;
    gather(type, data, size, n, copy);
  }
  const MlirAttribute attribute =
      resource(function->lowering, ir_type, buddy_value_name(value), bytes, n_bytes, copy);
  if (!attribute.ptr) return BUDDY_OUT_OF_MEMORY;
  return bd_values_set(function, value, add_constant(function, ir_type, attribute));
}

/* ---- All ------------------------------------------------------------------------------------- */

static buddy_code add_input(inputs *in, size_t i, bool is_argument) {
  const buddy_params form = form_of(in, i);
  if (is_argument != (form == BUDDY_PARAMS_ARGS)) return BUDDY_OK;
  if (form == BUDDY_PARAMS_ARGS) return add_argument(in, i);
  return form == BUDDY_PARAMS_PACK ? add_slice(in, i) : add_resource(in, i);
}

buddy_code bd_function_add_inputs(bd_function *function, bd_signature *signature) {
  inputs in = {.function = function, .signature = signature};
  const size_t n = buddy_graph_n_inputs(function->graph);
  buddy_code code = find_mutated(&in);
  if (code == BUDDY_OK) code = add_packs(&in);
  for (size_t i = 0; i < n && code == BUDDY_OK; ++i) code = add_input(&in, i, 1);
  for (size_t i = 0; i < n && code == BUDDY_OK; ++i) code = add_input(&in, i, 0);
  for (size_t i = 0; i < n && code == BUDDY_OK; ++i) {
    code = bd_dims_learn(function, buddy_graph_input(function->graph, i));
  }
  for (size_t i = 0; i < n && code == BUDDY_OK; ++i) {
    code = bd_dims_assert_told(function, buddy_graph_input(function->graph, i),
                               bd_function_location(function));
  }
  bd_free(in.mutated);
  return code;
}
