// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/pointwise.c: what formulas on scalars are made of, and casts of whole tensors. */
#include "plugins/linalg/pointwise.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugins/linalg/nest.h"
#include "plugins/linalg/slices.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

const la_names la_add = {"arith.addf", "arith.addi", "arith.addi", "arith.ori", "complex.add"};
const la_names la_sub = {"arith.subf", "arith.subi", "arith.subi", "arith.xori", "complex.sub"};
const la_names la_mul = {"arith.mulf", "arith.muli", "arith.muli", "arith.andi", "complex.mul"};
const la_names la_max = {"arith.maximumf", "arith.maxsi", "arith.maxui", "arith.ori", NULL};
const la_names la_min = {"arith.minimumf", "arith.minsi", "arith.minui", "arith.andi", NULL};
const la_names la_and = {NULL, "arith.andi", "arith.andi", "arith.andi", NULL};
const la_names la_or = {NULL, "arith.ori", "arith.ori", "arith.ori", NULL};
const la_names la_xor = {NULL, "arith.xori", "arith.xori", "arith.xori", NULL};

void *la_scratch(buddy_call *call, size_t n, size_t size) {
  size_t n_bytes;
  void *memory = NULL;
  if (!__builtin_mul_overflow(n, size, &n_bytes)) {
    memory = be_host->scratch(call, n_bytes > 0 ? n_bytes : 1);
  }
  if (!memory) {
    static const char why[] = "out of memory";
    be_host->fail(call, BUDDY_OUT_OF_MEMORY, (buddy_sv){why, sizeof(why) - 1});
  }
  return memory;
}

void la_ignore(buddy_call *call, size_t first, size_t n) {
  for (size_t i = first; i < first + n; ++i) be_arg(call, i);
}

buddy_dtype la_opmath(buddy_dtype dtype) {
  return be_is_float(dtype) && dtype != BUDDY_F64 ? BUDDY_F32 : dtype;
}

const char *la_name_for(const la_names *names, buddy_dtype dtype) {
  if (be_is_float(dtype)) return names->on_float;
  if (be_is_complex(dtype)) return names->on_complex;
  if (dtype == BUDDY_BOOL) return names->on_bool;
  return be_is_unsigned(dtype) ? names->on_unsigned : names->on_signed;
}

/* ---- Formulas' vocabulary ---- */

MlirValue la_apply(const be_body *body, const la_names *names, buddy_dtype dtype, MlirValue a,
                   MlirValue b) {
  const char *name = la_name_for(names, dtype);
  if (name) return BE_IN(body, name, same, a, b);
  be_decline(body->call, "there is no such op on this element type");
  return no_value;
}

static int64_t int_max(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_I8:
      return INT8_MAX;
    case BUDDY_U8:
      return UINT8_MAX;
    case BUDDY_I16:
      return INT16_MAX;
    case BUDDY_U16:
      return UINT16_MAX;
    case BUDDY_I32:
      return INT32_MAX;
    case BUDDY_U32:
      return UINT32_MAX;
    case BUDDY_U64:
      return -1; /* all bits */
    case BUDDY_BOOL:
      return 1;
    default:
      return INT64_MAX;
  }
}

static int64_t int_min(buddy_dtype dtype) {
  return be_is_unsigned(dtype) ? 0 : -int_max(dtype) - 1;
}

MlirValue la_lowest(const be_body *body, buddy_dtype dtype) {
  if (be_is_float(dtype)) return be_in_scalar(body, dtype, -INFINITY);
  return be_in_scalar_int(body, dtype, int_min(dtype));
}

MlirValue la_highest(const be_body *body, buddy_dtype dtype) {
  if (be_is_float(dtype)) return be_in_scalar(body, dtype, INFINITY);
  return be_in_scalar_int(body, dtype, int_max(dtype));
}

MlirValue la_above_indices(const be_body *body, buddy_dtype dtype) {
  return be_in_scalar_int(body, dtype, dtype == BUDDY_I32 ? INT32_MAX - 1 : INT64_MAX - 1);
}

MlirValue la_constant(const la_scalars *s, double value) {
  return be_in_scalar(s->body, s->dtype, value);
}

/* An expression over shape symbols; it is computed once, outside of the loop. */
static MlirValue symbolic_number(const be_body *body, int64_t dim, buddy_dtype dtype) {
  const MlirValue integer = la_as_i64(body, be_index(body->call, dim));
  return be_in_cast(body, integer, BUDDY_I64, dtype);
}

MlirValue la_number_of(const be_body *body, size_t i, buddy_dtype dtype) {
  const buddy_arg *arg = be_arg(body->call, i);
  const buddy_tensor_type *computed = be_arg_type(body->call, i);
  if (computed && computed->rank == 0) {
    const be_body outside = la_block(body->call);
    const MlirValue value =
        la_element(&outside, be_tensor(body->call, i), computed->dtype, NULL, 0);
    return be_in_cast(body, value, computed->dtype, dtype);
  }
  if (arg->kind == BUDDY_ARG_FLOAT) return be_in_scalar(body, dtype, arg->as.f);
  if (arg->kind == BUDDY_ARG_COMPLEX && be_is_complex(dtype)) {
    const buddy_dtype part = dtype == BUDDY_C64 ? BUDDY_F32 : BUDDY_F64;
    return BE_IN(body, "complex.create", buddy_mlir_element_type(body->call, dtype),
                 be_in_scalar(body, part, arg->as.floats[0]),
                 be_in_scalar(body, part, arg->as.floats[1]));
  }
  if (arg->kind != BUDDY_ARG_INT && arg->kind != BUDDY_ARG_BOOL) {
    be_decline(body->call, "an operand is neither a tensor nor a number");
    return no_value;
  }
  if (arg->kind == BUDDY_ARG_INT && BUDDY_IS_SYMBOLIC(arg->as.i))
    return symbolic_number(body, arg->as.i, dtype);
  return be_in_scalar_int(body, dtype, arg->as.i);
}

MlirValue la_number(const la_scalars *s, size_t i, double if_none) {
  const buddy_arg *arg = be_arg(s->body->call, i);
  if (arg->kind == BUDDY_ARG_NONE) return la_constant(s, if_none);
  return la_number_of(s->body, i, s->dtype);
}

/* 1 where dividing by b would trap, else b. */
static MlirValue safe_divisor(const be_body *body, buddy_dtype dtype, MlirValue b,
                              MlirValue *out_is_minus_one) {
  const MlirValue one = be_in_scalar_int(body, dtype, 1);
  const MlirValue is_zero = be_in_compare(body, "eq", b, be_in_scalar_int(body, dtype, 0), dtype);
  *out_is_minus_one = no_value;
  if (be_is_unsigned(dtype)) return be_in_select(body, is_zero, one, b);
  *out_is_minus_one = be_in_compare(body, "eq", b, be_in_scalar_int(body, dtype, -1), dtype);
  const MlirValue traps = BE_IN(body, "arith.ori", same, is_zero, *out_is_minus_one);
  return be_in_select(body, traps, one, b);
}

MlirValue la_divide(const be_body *body, buddy_dtype dtype, MlirValue a, MlirValue b) {
  if (be_is_complex(dtype)) return la_complex_quotient(body, dtype, a, b);
  if (be_is_float(dtype)) return BE_IN(body, "arith.divf", same, a, b);
  MlirValue is_minus_one;
  const MlirValue divisor = safe_divisor(body, dtype, b, &is_minus_one);
  if (be_is_unsigned(dtype)) return BE_IN(body, "arith.divui", same, a, divisor);
  const MlirValue quotient = BE_IN(body, "arith.divsi", same, a, divisor);
  const MlirValue negated = BE_IN(body, "arith.subi", same, be_in_scalar_int(body, dtype, 0), a);
  return be_in_select(body, is_minus_one, negated, quotient);
}

MlirValue la_modulo(const be_body *body, buddy_dtype dtype, MlirValue a, MlirValue b) {
  if (be_is_float(dtype)) return BE_IN(body, "arith.remf", same, a, b);
  MlirValue is_minus_one;
  const MlirValue divisor = safe_divisor(body, dtype, b, &is_minus_one);
  return BE_IN(body, be_is_unsigned(dtype) ? "arith.remui" : "arith.remsi", same, a, divisor);
}

/* ---- Casts of whole tensors ---- */

typedef struct conversion {
  buddy_dtype from, to;
} conversion;

static MlirValue convert(const be_body *body, const MlirValue *elements, void *user) {
  const conversion *c = user;
  return be_in_cast(body, elements[0], c->from, c->to);
}

MlirValue la_first(const be_body *body, const MlirValue *elements, void *user) {
  (void)body, (void)user;
  return elements[0];
}

MlirValue la_cast(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                  buddy_dtype to) {
  if (!from || from->dtype == to) return value;
  conversion c = {from->dtype, to};
  return be_elementwise(call, be_with_dtype(call, from, to), &value, &from, 1, convert, &c);
}

MlirValue la_tensor_as(buddy_call *call, size_t i, buddy_dtype dtype) {
  return la_cast(call, be_tensor(call, i), be_arg_type(call, i), dtype);
}
