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
  if (BUDDY_IS_SYMBOLIC(value)) return be_dim_value(body->call, value);
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

MlirValue be_in_select(const be_body *body, MlirValue condition, MlirValue if_true,
                       MlirValue if_false) {
  const MlirType type = if_true.ptr ? mlirValueGetType(if_true) : same_type;
  return BE_IN(body, "arith.select", type, condition, if_true, if_false);
}

/* ---- Conversion ----
 * The number must come out as eager PyTorch gives it on x86-64, also where C leaves it open:
 *   float → i64        cvttsd2si: out of range gives the lowest number
 *   float → i32        likewise in 32 bits
 *   float → 8, 16 bit  through i32, then wrapping
 *   float → u32        through i64, then wrapping
 *   float → u64        below 2^63 through i64; else less 2^63 through i64, then the top bit flipped
 *   f64, int → f16, bf16, f8   through f32, rounding twice */

static int bits_of(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_BOOL:
      return 1;
    case BUDDY_U8:
    case BUDDY_I8:
      return 8;
    case BUDDY_I16:
    case BUDDY_U16:
    case BUDDY_F16:
    case BUDDY_BF16:
      return 16;
    case BUDDY_I32:
    case BUDDY_U32:
    case BUDDY_F32:
      return 32;
    case BUDDY_I64:
    case BUDDY_U64:
    case BUDDY_F64:
      return 64;
    default:
      return be_is_float(dtype) ? 8 : 0;
  }
}

static MlirValue cast_op(const be_body *body, const char *name, MlirValue value, buddy_dtype to) {
  return BE_IN(body, name, buddy_mlir_element_type(body->call, to), value);
}

static MlirValue is_nonzero(const be_body *body, MlirValue value, buddy_dtype from) {
  if (be_is_f8(from)) {
    value = be_f8_to_f32(body, value, from);
    from = BUDDY_F32;
  }
  return be_in_compare(body, "ne", value, be_in_scalar_int(body, from, 0), from);
}

/* Always through f32. */
static MlirValue float_to_float(const be_body *body, MlirValue value, buddy_dtype from,
                                buddy_dtype to) {
  if (from == to) return value;
  if (be_is_f8(from)) {
    value = be_f8_to_f32(body, value, from);
  } else if (from != BUDDY_F32) {
    value = cast_op(body, from == BUDDY_F64 ? "arith.truncf" : "arith.extf", value, BUDDY_F32);
  }
  if (to == BUDDY_F32) return value;
  if (be_is_f8(to)) return be_f32_to_f8(body, value, to);
  return cast_op(body, to == BUDDY_F64 ? "arith.extf" : "arith.truncf", value, to);
}

static MlirValue float_to_u64(const be_body *body, MlirValue value, buddy_dtype from) {
  const MlirValue half = be_in_scalar(body, from, 9223372036854775808.0);
  const MlirValue top_bit = be_in_scalar_int(body, BUDDY_U64, INT64_MIN);
  const MlirValue low = cast_op(body, "arith.fptosi", value, BUDDY_U64);
  const MlirValue less = BE_IN(body, "arith.subf", same_type, value, half);
  const MlirValue high = cast_op(body, "arith.fptosi", less, BUDDY_U64);
  const MlirValue is_low = be_in_compare(body, "lt", value, half, from);
  return be_in_select(body, is_low, low, BE_IN(body, "arith.xori", same_type, high, top_bit));
}

static MlirValue float_to_int(const be_body *body, MlirValue value, buddy_dtype from,
                              buddy_dtype to) {
  if (bits_of(from) < 32) {
    value = float_to_float(body, value, from, BUDDY_F32);
    from = BUDDY_F32;
  }
  if (to == BUDDY_U64) return float_to_u64(body, value, from);
  const buddy_dtype through = to == BUDDY_U32 || to == BUDDY_I64 ? BUDDY_I64 : BUDDY_I32;
  value = cast_op(body, "arith.fptosi", value, through);
  return bits_of(through) == bits_of(to) ? value : cast_op(body, "arith.trunci", value, to);
}

static MlirValue int_to_float(const be_body *body, MlirValue value, buddy_dtype from,
                              buddy_dtype to) {
  const char *name = be_is_unsigned(from) ? "arith.uitofp" : "arith.sitofp";
  if (bits_of(to) >= 32) return cast_op(body, name, value, to);
  return float_to_float(body, cast_op(body, name, value, BUDDY_F32), BUDDY_F32, to);
}

static MlirValue int_to_int(const be_body *body, MlirValue value, buddy_dtype from,
                            buddy_dtype to) {
  if (bits_of(from) == bits_of(to)) return value;
  if (bits_of(from) > bits_of(to)) return cast_op(body, "arith.trunci", value, to);
  return cast_op(body, be_is_unsigned(from) ? "arith.extui" : "arith.extsi", value, to);
}

static buddy_dtype part_of(buddy_dtype dtype) {
  return dtype == BUDDY_C32 ? BUDDY_F16 : dtype == BUDDY_C64 ? BUDDY_F32 : BUDDY_F64;
}

static MlirValue complex_to(const be_body *body, MlirValue value, buddy_dtype from,
                            buddy_dtype to) {
  const buddy_dtype part = part_of(from);
  const MlirType part_type = buddy_mlir_element_type(body->call, part);
  const MlirValue re = BE_IN(body, "complex.re", part_type, value);
  if (!be_is_complex(to) && to != BUDDY_BOOL) return be_in_cast(body, re, part, to);
  const MlirValue im = BE_IN(body, "complex.im", part_type, value);
  if (to == BUDDY_BOOL) {
    return BE_IN(body, "arith.ori", same_type, is_nonzero(body, re, part),
                 is_nonzero(body, im, part));
  }
  return BE_IN(body, "complex.create", buddy_mlir_element_type(body->call, to),
               float_to_float(body, re, part, part_of(to)),
               float_to_float(body, im, part, part_of(to)));
}

static MlirValue real_to_complex(const be_body *body, MlirValue value, buddy_dtype from,
                                 buddy_dtype to) {
  const buddy_dtype part = part_of(to);
  return BE_IN(body, "complex.create", buddy_mlir_element_type(body->call, to),
               be_in_cast(body, value, from, part), be_in_scalar(body, part, 0));
}

MlirValue be_in_cast(const be_body *body, MlirValue value, buddy_dtype from, buddy_dtype to) {
  if (from == to) return value;
  if (be_is_complex(from)) return complex_to(body, value, from, to);
  if (be_is_complex(to)) return real_to_complex(body, value, from, to);
  if (to == BUDDY_BOOL) return is_nonzero(body, value, from);
  if (be_is_float(from)) {
    return be_is_float(to) ? float_to_float(body, value, from, to)
                           : float_to_int(body, value, from, to);
  }
  return be_is_float(to) ? int_to_float(body, value, from, to) : int_to_int(body, value, from, to);
}
