// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/complex.c: functions of complex numbers: each part of the result is a call on the
 * parts of the operands, in f64. */
#include <stdbool.h>
#include <stdio.h>

#include "plugins/math/rows.h"

static const MlirValue no_value = {NULL};

static buddy_dtype part_of(buddy_dtype dtype) {
  return dtype == BUDDY_C32 ? BUDDY_F16 : dtype == BUDDY_C64 ? BUDDY_F32 : BUDDY_F64;
}

typedef struct parts_call {
  const char *name;
  size_t n_operands;
  buddy_dtype dtypes[MA_MAX_OPERANDS]; /* of tensor operands; NONE: a number */
  buddy_dtype to;
} parts_call;

/* The parts of a number argument. */
static int number_parts(const be_body *body, size_t i, MlirValue *out) {
  const buddy_arg *arg = be_arg(body->call, i);
  const bool is_complex = arg->kind == BUDDY_ARG_COMPLEX;
  if (!is_complex && arg->kind != BUDDY_ARG_INT && arg->kind != BUDDY_ARG_FLOAT) return 0;
  if (arg->kind == BUDDY_ARG_INT && BUDDY_IS_SYMBOLIC(arg->as.i)) return 0;
  out[0] =
      be_in_scalar(body, BUDDY_F64, is_complex ? arg->as.floats[0] : be_float(body->call, i, 0));
  out[1] = be_in_scalar(body, BUDDY_F64, is_complex ? arg->as.floats[1] : 0);
  return 1;
}

static void element_parts(const be_body *body, MlirValue element, buddy_dtype dtype,
                          MlirValue *out) {
  if (!be_is_complex(dtype)) {
    out[0] = be_in_cast(body, element, dtype, BUDDY_F64);
    out[1] = be_in_scalar(body, BUDDY_F64, 0);
    return;
  }
  static const char *const names[] = {"complex.re", "complex.im"};
  const buddy_dtype part = part_of(dtype);
  for (size_t i = 0; i < 2; ++i) {
    const MlirValue value =
        BE_IN(body, names[i], buddy_mlir_element_type(body->call, part), element);
    out[i] = be_in_cast(body, value, part, BUDDY_F64);
  }
}

static MlirValue call_on_parts(const be_body *body, const MlirValue *elements, void *user) {
  const parts_call *c = user;
  MlirValue at[2 * MA_MAX_OPERANDS], parts[2];
  size_t next = 0;
  for (size_t i = 0; i < c->n_operands; ++i) {
    if (c->dtypes[i] != BUDDY_DTYPE_NONE) {
      element_parts(body, elements[next++], c->dtypes[i], at + 2 * i);
    } else if (!number_parts(body, i, at + 2 * i)) {
      be_decline(body->call, "an operand is neither a tensor nor a number");
      return no_value;
    }
  }
  const MlirType f64 = buddy_mlir_element_type(body->call, BUDDY_F64);
  for (size_t i = 0; i < 2; ++i) {
    char name[32];
    snprintf(name, sizeof(name), "%s_%s", c->name, i == 0 ? "re" : "im");
    parts[i] = be_in_cast(body, ma_call(body, name, at, 2 * c->n_operands, f64), BUDDY_F64,
                          part_of(c->to));
  }
  return BE_IN(body, "complex.create", buddy_mlir_element_type(body->call, c->to), parts[0],
               parts[1]);
}

buddy_code ma_emit_complex(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0), *types[MA_MAX_OPERANDS];
  MlirValue inputs[MA_MAX_OPERANDS];
  parts_call c = {.name = self->user, .n_operands = be_host->n_args(call), .to = to->dtype};
  size_t n = 0;
  for (size_t i = 0; i < c.n_operands && i < MA_MAX_OPERANDS; ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (!type) continue;
    c.dtypes[i] = type->dtype;
    types[n] = type;
    inputs[n++] = be_tensor(call, i);
  }
  return be_result(call, 0, be_elementwise(call, to, inputs, types, n, call_on_parts, &c));
}
