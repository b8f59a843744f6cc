// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/scalars.c: ops on scalars inside the body of a region. */
#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/author/author.h"

static const MlirValue no_value = {NULL};
static const MlirType same_type = {NULL};

MlirOperation be_in_build(const be_body *body, const be_op_spec *spec) {
  const MlirOperation op = be_create(body->call, spec);
  if (op.ptr) mlirBlockAppendOwnedOperation(body->block, op);
  return op;
}

MlirValue be_in(const be_body *body, const char *name, MlirType type, const MlirValue *operands,
                size_t n_operands, const be_attribute *attributes) {
  if (!type.ptr && n_operands > 0 && operands[0].ptr) type = mlirValueGetType(operands[0]);
  const be_op_spec spec = {.name = name,
                           .operands = operands,
                           .n_operands = n_operands,
                           .types = &type,
                           .n_types = 1,
                           .attributes = attributes};
  const MlirOperation op = be_in_build(body, &spec);
  return op.ptr ? mlirOperationGetResult(op, 0) : no_value;
}

/* ---- Constants ------------------------------------------------------------------------------- */

static MlirValue constant(const be_body *body, MlirType type, MlirAttribute value) {
  return be_in(body, "arith.constant", type, NULL, 0, BE_ATTRIBUTES({"value", value}));
}

static MlirValue complex_constant(const be_body *body, MlirType type, double value) {
  const MlirContext context = buddy_mlir_context(body->call);
  const MlirType part = mlirComplexTypeGetElementType(type);
  const MlirAttribute parts[2] = {mlirFloatAttrDoubleGet(context, part, value),
                                  mlirFloatAttrDoubleGet(context, part, 0)};
  return be_in(body, "complex.constant", type, NULL, 0,
               BE_ATTRIBUTES({"value", mlirArrayAttrGet(context, 2, parts)}));
}

MlirValue be_in_scalar(const be_body *body, buddy_dtype dtype, double value) {
  const MlirType type = buddy_mlir_element_type(body->call, dtype);
  if (!type.ptr) return no_value;
  if (be_is_complex(dtype)) return complex_constant(body, type, value);
  if (be_is_float(dtype)) {
    return constant(body, type,
                    mlirFloatAttrDoubleGet(buddy_mlir_context(body->call), type, value));
  }
  if (dtype == BUDDY_BOOL) return be_in_scalar_int(body, dtype, value != 0);
  const int fits = value > -9223372036854775808.0 && value < 9223372036854775808.0;
  return be_in_scalar_int(body, dtype, fits ? (int64_t)value : INT64_MIN);
}

MlirValue be_in_scalar_int(const be_body *body, buddy_dtype dtype, int64_t value) {
  if (be_is_float(dtype) || be_is_complex(dtype)) return be_in_scalar(body, dtype, (double)value);
  const MlirType type = buddy_mlir_element_type(body->call, dtype);
  if (!type.ptr) return no_value;
  return constant(body, type, mlirIntegerAttrGet(type, dtype == BUDDY_BOOL ? value != 0 : value));
}

MlirValue be_in_index(const be_body *body, int64_t value) {
  if (BUDDY_IS_SYMBOLIC(value)) return buddy_mlir_dim(body->call, value);
  const MlirType type = mlirIndexTypeGet(buddy_mlir_context(body->call));
  return constant(body, type, mlirIntegerAttrGet(type, value));
}

MlirValue be_in_loop(const be_body *body, uint32_t loop) {
  return be_in(body, "linalg.index", mlirIndexTypeGet(buddy_mlir_context(body->call)), NULL, 0,
               BE_ATTRIBUTES({"dim", be_attr_i64(body->call, loop)}));
}

/* ---- Comparison ------------------------------------------------------------------------------ */

/* Numbers of the predicates in arith.cmpi (signed, unsigned) and arith.cmpf. */
static const struct predicate {
  const char *name;
  int8_t is_signed, is_unsigned, is_float;
} predicates[] = {
    {"eq", 0, 0, 1}, {"ne", 1, 1, 13}, {"lt", 2, 6, 4},
    {"le", 3, 7, 5}, {"gt", 4, 8, 2},  {"ge", 5, 9, 3},
};

static const struct predicate *find_predicate(const char *name) {
  for (size_t i = 0; i < sizeof(predicates) / sizeof(predicates[0]); ++i) {
    if (strcmp(predicates[i].name, name) == 0) return &predicates[i];
  }
  return NULL;
}

MlirValue be_in_compare(const be_body *body, const char *predicate, MlirValue a, MlirValue b,
                        buddy_dtype dtype) {
  const struct predicate *p = find_predicate(predicate);
  const MlirType i1 = mlirIntegerTypeGet(buddy_mlir_context(body->call), 1);
  if (!p || (be_is_complex(dtype) && p->is_signed > 1)) {
    be_fail(body->call, BUDDY_INVALID_ARGUMENT, "there is no comparison \"%s\" of this type",
            predicate);
    return no_value;
  }
  if (be_is_complex(dtype))
    return BE_IN(body, p->is_signed == 0 ? "complex.eq" : "complex.neq", i1, a, b);
  const MlirValue operands[2] = {a, b};
  const bool is_float = be_is_float(dtype);
  const int number = is_float ? p->is_float : be_is_unsigned(dtype) ? p->is_unsigned : p->is_signed;
  return be_in(body, is_float ? "arith.cmpf" : "arith.cmpi", i1, operands, 2,
               BE_ATTRIBUTES({"predicate", be_attr_i64(body->call, number)}));
}

/* Where both are zero the sign of x alone counts, which 1 / x has, too. */
MlirValue be_in_atan2(const be_body *body, MlirValue y, MlirValue x, buddy_dtype dtype) {
  const MlirValue zero = be_in_scalar(body, dtype, 0), one = be_in_scalar(body, dtype, 1);
  const MlirValue y_size = BE_IN(body, "math.absf", same_type, y),
                  x_size = BE_IN(body, "math.absf", same_type, x);
  const MlirValue size = BE_IN(body, "arith.addf", same_type, y_size, x_size);
  const MlirValue is_zero = be_in_compare(body, "eq", size, zero, dtype);
  const MlirValue inverse = BE_IN(body, "arith.divf", same_type, one, x);
  return BE_IN(body, "math.atan2", same_type, y, be_in_select(body, is_zero, inverse, x));
}

MlirValue be_in_select(const be_body *body, MlirValue condition, MlirValue if_true,
                       MlirValue if_false) {
  const MlirType type = if_true.ptr ? mlirValueGetType(if_true) : same_type;
  return BE_IN(body, "arith.select", type, condition, if_true, if_false);
}
