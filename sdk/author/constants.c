// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/constants.c: arguments as IR values, and constants.
 *
 * A small tensor constant is one arith.constant. A large one, or one with symbolic dims, is a fill
 * of an empty tensor: a splat attribute of a million elements would become a global of that size in
 * the object file. */
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/author/author.h"

#define MAX_CONSTANT_ELEMENTS 1024

static const MlirValue no_value = {NULL};
static const MlirAttribute no_attribute = {NULL};

/* ---- Element attributes ---------------------------------------------------------------------- */

/* A number of any of the three kinds that a dtype may need. */
typedef struct number {
  int64_t i;
  double re, im;
} number;

static number number_of_float(double value) {
  const int fits = value > -9223372036854775808.0 && value < 9223372036854775808.0;
  return (number){fits ? (int64_t)value : INT64_MIN, value, 0};
}

static number number_of_int(int64_t value) { return (number){value, (double)value, 0}; }

/* Complex is told by its real and imaginary element; the attribute of a scalar is an array of
 * two. */
static MlirAttribute element_attr(buddy_call *call, buddy_dtype dtype, const number *value) {
  const MlirContext context = buddy_mlir_context(call);
  const MlirType type = buddy_mlir_element_type(call, dtype);
  if (!type.ptr) return no_attribute;
  if (be_is_float(dtype)) return mlirFloatAttrDoubleGet(context, type, value->re);
  if (be_is_complex(dtype)) {
    const MlirType part = mlirComplexTypeGetElementType(type);
    const MlirAttribute parts[2] = {mlirFloatAttrDoubleGet(context, part, value->re),
                                    mlirFloatAttrDoubleGet(context, part, value->im)};
    return mlirArrayAttrGet(context, 2, parts);
  }
  if (dtype == BUDDY_BOOL) return mlirIntegerAttrGet(type, value->i != 0 || value->re != 0);
  return mlirIntegerAttrGet(type, value->i);
}

static MlirAttribute complex_splat(buddy_call *call, MlirType type, buddy_dtype dtype,
                                   const number *value) {
  if (dtype == BUDDY_C64) {
    const float parts[2] = {(float)value->re, (float)value->im};
    return mlirDenseElementsAttrRawBufferGet(type, sizeof(parts), parts);
  }
  if (dtype == BUDDY_C128) {
    const double parts[2] = {value->re, value->im};
    return mlirDenseElementsAttrRawBufferGet(type, sizeof(parts), parts);
  }
  be_decline(call, "constants of complex half precision are not supported");
  return no_attribute;
}

static MlirValue constant(buddy_call *call, const char *name, MlirType type, MlirAttribute value) {
  const be_op_spec spec = {
      .name = name, .types = &type, .n_types = 1, .attributes = BE_ATTRIBUTES({"value", value})};
  const MlirOperation op = be_build(call, &spec);
  return op.ptr ? mlirOperationGetResult(op, 0) : no_value;
}

/* ---- Scalars --------------------------------------------------------------------------------- */

static MlirValue scalar(buddy_call *call, buddy_dtype dtype, const number *value) {
  return constant(call, be_is_complex(dtype) ? "complex.constant" : "arith.constant",
                  buddy_mlir_element_type(call, dtype), element_attr(call, dtype, value));
}

MlirValue be_scalar(buddy_call *call, buddy_dtype dtype, double value) {
  const number n = number_of_float(value);
  return scalar(call, dtype, &n);
}

MlirValue be_scalar_int(buddy_call *call, buddy_dtype dtype, int64_t value) {
  const number n = number_of_int(value);
  return scalar(call, dtype, &n);
}

MlirValue be_index(buddy_call *call, int64_t value) {
  if (BUDDY_IS_SYMBOLIC(value)) return buddy_mlir_dim(call, value);
  const MlirType type = mlirIndexTypeGet(buddy_mlir_context(call));
  return constant(call, "arith.constant", type, mlirIntegerAttrGet(type, value));
}

/* ---- Tensors --------------------------------------------------------------------------------- */

/* The number of elements if all dims are numbers, and it is at most the limit; else -1. */
static int64_t small_size(const buddy_tensor_type *type) {
  int64_t n = 1;
  for (uint32_t d = 0; d < type->rank; ++d) {
    const int64_t dim = type->dims[d];
    if (dim == 0) return be_is_static(type) ? 0 : -1;
    if (BUDDY_IS_SYMBOLIC(dim) || dim > MAX_CONSTANT_ELEMENTS) return -1;
    n *= dim;
    if (n > MAX_CONSTANT_ELEMENTS) return -1;
  }
  return n;
}

static MlirValue splat(buddy_call *call, const buddy_tensor_type *type, const number *value) {
  const MlirType ir_type = buddy_mlir_tensor_type(call, type);
  if (!ir_type.ptr) return no_value;
  const int64_t n = small_size(type);
  if (n == 0) return be_empty(call, type);
  if (n < 0) return be_filled(call, type, scalar(call, type->dtype, value));
  if (be_is_complex(type->dtype)) {
    return constant(call, "arith.constant", ir_type,
                    complex_splat(call, ir_type, type->dtype, value));
  }
  const MlirAttribute element = element_attr(call, type->dtype, value);
  if (!element.ptr) return no_value;
  return constant(call, "arith.constant", ir_type, mlirDenseElementsAttrSplatGet(ir_type, element));
}

MlirValue be_splat(buddy_call *call, const buddy_tensor_type *type, double value) {
  const number n = number_of_float(value);
  return splat(call, type, &n);
}

MlirValue be_splat_int(buddy_call *call, const buddy_tensor_type *type, int64_t value) {
  const number n = number_of_int(value);
  return splat(call, type, &n);
}

MlirAttribute be_attr_dense_ints(buddy_call *call, buddy_dtype dtype, const int64_t *values,
                                 size_t n) {
  const int64_t dim = (int64_t)n;
  const MlirType type = be_ranked(call, dtype, 1, &dim);
  if (!type.ptr) return no_attribute;
  if (dtype == BUDDY_I64 || dtype == BUDDY_U64)
    return mlirDenseElementsAttrInt64Get(type, (intptr_t)n, values);
  if (be_is_float(dtype) || be_is_complex(dtype)) {
    be_fail(call, BUDDY_INVALID_ARGUMENT, "integer elements of a type that is no integer");
    return no_attribute;
  }
  MlirAttribute *elements = be_scratch(call, n, sizeof(MlirAttribute));
  if (!elements) return no_attribute;
  for (size_t i = 0; i < n; ++i) {
    const number value = number_of_int(values[i]);
    elements[i] = element_attr(call, dtype, &value);
  }
  return mlirDenseElementsAttrGet(type, (intptr_t)n, elements);
}

MlirValue be_ints(buddy_call *call, buddy_dtype dtype, const int64_t *values, size_t n) {
  const int64_t dim = (int64_t)n;
  const MlirType type = be_ranked(call, dtype, 1, &dim);
  return constant(call, "arith.constant", type, be_attr_dense_ints(call, dtype, values, n));
}

/* ---- Arguments ------------------------------------------------------------------------------- */

MlirValue be_tensor(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind == BUDDY_ARG_TENSOR) return buddy_mlir_value(call, arg->as.tensor);
  be_decline(call, "argument %zu is not a tensor", i);
  return no_value;
}

typedef struct conversion {
  buddy_dtype from, to;
} conversion;

static MlirValue convert_body(const be_body *body, const MlirValue *scalars, void *user) {
  const conversion *c = user;
  return be_in_cast(body, scalars[0], c->from, c->to);
}

static MlirValue tensor_as(buddy_call *call, const buddy_value *tensor, buddy_dtype dtype) {
  const MlirValue value = buddy_mlir_value(call, tensor);
  const buddy_tensor_type *type = be_value_type(call, tensor);
  if (!type || type->dtype == dtype) return value;
  conversion c = {type->dtype, dtype};
  return be_elementwise(call, be_with_dtype(call, type, dtype), &value, &type, 1, convert_body, &c);
}

/* An expression over shape symbols as a 0-d tensor. */
static MlirValue dim_as_tensor(buddy_call *call, int64_t dim, const buddy_tensor_type *type) {
  const MlirType i64 = mlirIntegerTypeGet(buddy_mlir_context(call), 64);
  const MlirValue index = buddy_mlir_dim(call, dim);
  const be_body body = {call, buddy_mlir_block(call)};
  const MlirValue integer = BE_IN(&body, "arith.index_cast", i64, index);
  return BE_OP(call, "tensor.from_elements", type,
               be_in_cast(&body, integer, BUDDY_I64, type->dtype));
}

MlirValue be_operand(buddy_call *call, size_t i, buddy_dtype dtype) {
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind == BUDDY_ARG_TENSOR) return tensor_as(call, arg->as.tensor, dtype);
  const buddy_tensor_type *type = be_type(call, dtype, 0, NULL);
  if (!type) return no_value;
  if (arg->kind == BUDDY_ARG_FLOAT) return be_splat(call, type, arg->as.f);
  if (arg->kind == BUDDY_ARG_BOOL) return be_splat_int(call, type, arg->as.i);
  if (arg->kind == BUDDY_ARG_COMPLEX) {
    const number value = {number_of_float(arg->as.floats[0]).i, arg->as.floats[0],
                          arg->as.floats[1]};
    return splat(call, type, &value);
  }
  if (arg->kind != BUDDY_ARG_INT) {
    be_decline(call, "argument %zu is neither a tensor nor a number", i);
    return no_value;
  }
  return BUDDY_IS_SYMBOLIC(arg->as.i) ? dim_as_tensor(call, arg->as.i, type)
                                      : be_splat_int(call, type, arg->as.i);
}
