// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/rows.c: a row becomes a call of its kernel. Inputs go over as memrefs with their
 * strides; outputs are allocated here, filled by the kernel, and become tensors. What the kernel
 * returns is checked while the program runs, by cf.assert. */
#include "rows.h"

#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "kernels.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const MlirValue no_value = {NULL};

/* ---- Matching -------------------------------------------------------------------------------- */

static const buddy_tensor_type *number_type(buddy_call *call, const lp_row *row) {
  return be_arg_type(call, (size_t)(row->inputs[0] - '0'));
}

static buddy_dtype element_dtype(char kind, buddy_dtype dtype) {
  const int is_wide = dtype == BUDDY_F64 || dtype == BUDDY_C128;
  switch (kind) {
    case 'i':
      return BUDDY_I32;
    case 'r':
      return is_wide ? BUDDY_F64 : BUDDY_F32;
    case 'c':
      return is_wide ? BUDDY_C128 : BUDDY_C64;
    default:
      return dtype;
  }
}

/* Kernels are handed bytes: what they take them for is checked here. */
static buddy_code check_inputs(buddy_call *call, const lp_row *row) {
  const char *elements = lp_elements_of(row->kernel);
  const buddy_dtype dtype = number_type(call, row)->dtype;
  if (!elements) return be_decline(call, "there is no kernel \"%s\"", row->kernel);
  if (dtype == BUDDY_I32) return be_decline(call, "a matrix of integers");
  for (size_t i = 0; row->inputs[i] != 0; ++i) {
    const buddy_dtype is = be_arg_type(call, (size_t)(row->inputs[i] - '0'))->dtype;
    if (elements[i] == 0 || is != element_dtype(elements[i], dtype))
      return be_decline(call, "argument %c has another dtype than the kernel reads",
                        row->inputs[i]);
  }
  return BUDDY_OK;
}

buddy_code lp_match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const lp_row *row = self->user;
  for (const char *at = row->inputs; *at != 0; ++at) {
    const buddy_tensor_type *type = be_arg_type(call, (size_t)(*at - '0'));
    if (!type) return be_decline(call, "argument %c is no tensor", *at);
    if (type->rank < 1 || type->rank > BE_MAX_RANK)
      return be_decline(call, "a tensor of rank %u", type->rank);
  }
  if (number_type(call, row)->rank < 2) return be_decline(call, "the first tensor is no matrix");
  if (row->pivot_arg != 0 && !be_bool(call, row->pivot_arg - 1u))
    return be_decline(call, "without pivoting");
  return check_inputs(call, row);
}

/* ---- Tensors and memrefs --------------------------------------------------------------------- */

static int64_t shown(int64_t dim) {
  return BUDDY_IS_SYMBOLIC(dim) ? mlirShapedTypeGetDynamicSize() : dim;
}

static MlirValue convert(buddy_call *call, const char *name, MlirValue value, MlirType to,
                         const be_attribute *attributes) {
  const be_op_spec spec = {.name = name,
                           .operands = &value,
                           .n_operands = 1,
                           .types = &to,
                           .n_types = 1,
                           .attributes = attributes};
  const MlirOperation op = be_build(call, &spec);
  return mlirOperationIsNull(op) ? no_value : mlirOperationGetResult(op, 0);
}

static MlirValue unranked(buddy_call *call, MlirValue memref, buddy_dtype dtype) {
  const MlirType element = buddy_mlir_element_type(call, dtype);
  return !element.ptr ? no_value
                      : convert(call, "memref.cast", memref,
                                mlirUnrankedMemRefTypeGet(element, mlirAttributeGetNull()), NULL);
}

static MlirValue input(buddy_call *call, size_t arg) {
  const buddy_tensor_type *type = be_arg_type(call, arg);
  int64_t dims[BE_MAX_RANK] = {0}, strides[BE_MAX_RANK] = {0};
  const int64_t any = mlirShapedTypeGetDynamicStrideOrOffset();
  for (uint32_t d = 0; d < type->rank; ++d) dims[d] = shown(type->dims[d]), strides[d] = any;
  const MlirContext context = buddy_mlir_context(call);
  const MlirAttribute layout =
      mlirStridedLayoutAttrGet(context, any, (intptr_t)type->rank, strides);
  const MlirType memref =
      mlirMemRefTypeGet(buddy_mlir_element_type(call, type->dtype), (intptr_t)type->rank, dims,
                        layout, mlirAttributeGetNull());
  const be_attribute read_only[] = {{"read_only", mlirUnitAttrGet(context)}, {NULL, {NULL}}};
  return unranked(call,
                  convert(call, "bufferization.to_buffer", be_tensor(call, arg), memref, read_only),
                  type->dtype);
}

static MlirValue allocate(buddy_call *call, const buddy_tensor_type *type) {
  int64_t dims[BE_MAX_RANK] = {0};
  MlirValue sizes[BE_MAX_RANK];
  size_t n = 0;
  for (uint32_t d = 0; d < type->rank; ++d) {
    dims[d] = shown(type->dims[d]);
    if (BUDDY_IS_SYMBOLIC(type->dims[d])) sizes[n++] = be_index(call, type->dims[d]);
  }
  const MlirType memref =
      mlirMemRefTypeContiguousGet(buddy_mlir_element_type(call, type->dtype), (intptr_t)type->rank,
                                  dims, mlirAttributeGetNull());
  const int32_t segments[] = {(int32_t)n, 0}; /* sizes, symbols of the layout */
  const be_attribute attributes[] = {
      {"operandSegmentSizes", mlirDenseI32ArrayGet(buddy_mlir_context(call), 2, segments)},
      {"alignment", be_attr_i64(call, 64)},
      {NULL, {NULL}}};
  const be_op_spec spec = {.name = "memref.alloc",
                           .operands = sizes,
                           .n_operands = n,
                           .types = &memref,
                           .n_types = 1,
                           .attributes = attributes};
  const MlirOperation op = be_build(call, &spec);
  return mlirOperationIsNull(op) ? no_value : mlirOperationGetResult(op, 0);
}

/* ---- The call -------------------------------------------------------------------------------- */

static const char *suffix_of(buddy_dtype dtype) {
  return dtype == BUDDY_F32   ? "f32"
         : dtype == BUDDY_F64 ? "f64"
         : dtype == BUDDY_C64 ? "c64"
                              : "c128";
}

/* What the arguments ask for. A string counts where its letter says something: QR's "complete" and
 * "r", and "U", the upper triangle. */
static int64_t options_of(buddy_call *call, const lp_row *row) {
  int64_t options = 0;
  for (int k = 0; row->options && row->options[k] != 0; ++k) {
    if (row->options[k] == '-') continue;
    const buddy_arg *arg = be_arg(call, (size_t)(row->options[k] - '0'));
    if (arg->kind == BUDDY_ARG_STRING) {
      if (strcmp(arg->as.string, "r") == 0) options |= LP_R_ONLY;
      if (strcmp(arg->as.string, "complete") == 0 || arg->as.string[0] == 'U' ||
          arg->as.string[0] == 'u')
        options |= LP_OPTION(k);
    } else if (arg->kind == BUDDY_ARG_BOOL && arg->as.i != 0) {
      options |= LP_OPTION(k);
    }
  }
  return options ^ row->changed;
}

static void check(buddy_call *call, MlirValue returned, const char *predicate, int64_t number,
                  const char *message) {
  const be_body block = {call, buddy_mlir_block(call)};
  const MlirValue holds =
      be_in_compare(&block, predicate, returned, be_scalar_int(call, BUDDY_I64, number), BUDDY_I64);
  be_assert(call, holds, message);
}

/* Calls the kernel; its status, or null. */
static MlirValue call_kernel(buddy_call *call, const lp_row *row, buddy_dtype dtype,
                             MlirValue *operands, size_t n) {
  char name[64];
  MlirType types[LP_MAX_OPERANDS + 1];
  snprintf(name, sizeof(name), "buddy_lapack_%s_%s", row->kernel, suffix_of(dtype));
  operands[n++] = be_scalar_int(call, BUDDY_I64, options_of(call, row));
  for (size_t i = 0; i < n; ++i) {
    if (!operands[i].ptr) return no_value;
    types[i] = mlirValueGetType(operands[i]);
  }
  const MlirType i64 = buddy_mlir_element_type(call, BUDDY_I64);
  const MlirType function =
      mlirFunctionTypeGet(buddy_mlir_context(call), (intptr_t)n, types, 1, &i64);
  const be_attribute callee[] = {{"callee", buddy_mlir_declare_function(call, name, function)},
                                 {NULL, {NULL}}};
  if (!callee[0].value.ptr) return no_value;
  const be_op_spec spec = {.name = "func.call",
                           .operands = operands,
                           .n_operands = n,
                           .types = &i64,
                           .n_types = 1,
                           .attributes = callee};
  const MlirOperation op = be_build(call, &spec);
  return mlirOperationIsNull(op) ? no_value : mlirOperationGetResult(op, 0);
}

buddy_code lp_emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const lp_row *row = self->user;
  const buddy_dtype dtype = number_type(call, row)->dtype;
  const char *elements = lp_elements_of(row->kernel);
  const size_t n_inputs = strlen(row->inputs), n_outputs = strlen(row->outputs);
  MlirValue operands[LP_MAX_OPERANDS + 1], buffers[LP_MAX_OPERANDS];
  if (!elements || n_inputs + n_outputs != strlen(elements))
    return be_decline(call, "there is no kernel \"%s\"", row->kernel);
  for (size_t i = 0; i < be_host->n_args(call); ++i) (void)be_arg(call, i);
  for (size_t i = 0; i < n_inputs; ++i) operands[i] = input(call, (size_t)(row->inputs[i] - '0'));
  for (size_t i = 0; i < n_outputs; ++i) {
    const int is_wanted = row->outputs[i] != '-';
    const buddy_dtype element = element_dtype(elements[n_inputs + i], dtype);
    const buddy_tensor_type *type = is_wanted
                                        ? be_result_type(call, (size_t)(row->outputs[i] - '0'))
                                        : be_type(call, element, 0, NULL);
    if (!type || type->dtype != element || type->rank > BE_MAX_RANK)
      return be_decline(call, "result %c has not the type that the kernel writes", row->outputs[i]);
    buffers[i] = allocate(call, type);
    operands[n_inputs + i] = unranked(call, buffers[i], element);
  }
  const MlirValue status = call_kernel(call, row, dtype, operands, n_inputs + n_outputs);
  if (memchr(elements, 'i', n_inputs))
    check(call, status, "ne", LP_NO_PIVOT, "a pivot is no row of the matrix");
  check(call, status, "ge", 0, "a linear algebra kernel has no memory");
  if (row->error && (row->check_arg == 0 || be_bool(call, row->check_arg - 1u)))
    check(call, status, "eq", 0, row->error);
  /* Nobody else knows the buffers, so later ops may write into them. */
  const MlirAttribute unit = mlirUnitAttrGet(buddy_mlir_context(call));
  const be_attribute owned[] = {{"restrict", unit}, {"writable", unit}, {NULL, {NULL}}};
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < n_outputs && code == BUDDY_OK; ++i) {
    if (row->outputs[i] == '-') continue;
    const size_t k = (size_t)(row->outputs[i] - '0');
    const MlirType type = buddy_mlir_tensor_type(call, be_result_type(call, k));
    code = be_result(call, k, convert(call, "bufferization.to_tensor", buffers[i], type, owned));
  }
  if (code != BUDDY_OK || row->copied_arg == 0) return code;
  const size_t last = be_host->n_results(call) - 1, copied = row->copied_arg - 1u;
  return be_result(call, last,
                   be_broadcast(call, be_tensor(call, copied), be_arg_type(call, copied),
                                be_result_type(call, last)));
}
