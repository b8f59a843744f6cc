// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/emit.c: a function on whole tensors.
 *
 * One op on operands of the result's own dims is that op on tensors, which the compile pipeline
 * turns into loops; what broadcasts, takes a number or needs several ops is one linalg.generic. f16
 * and bf16 are computed in f32. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "plugins/math/rows.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

static buddy_dtype wide_of(buddy_dtype dtype) { return dtype == BUDDY_F64 ? BUDDY_F64 : BUDDY_F32; }

/* The dtype to compute in: the result's, or that of the first tensor where the result is a truth
 * value. */
static buddy_dtype domain_of(buddy_call *call, const ma_function *f) {
  if (f->called || f->is_wide) return BUDDY_F64;
  const buddy_tensor_type *type = be_result_type(call, 0);
  for (size_t i = 0; f->gives_bool && i < f->n_operands; ++i) {
    if (be_arg_type(call, i)) return wide_of(be_arg_type(call, i)->dtype);
  }
  return wide_of(type->dtype);
}

/* ---- Calls ---- */

MlirValue ma_call(const be_body *body, const char *name, const MlirValue *operands,
                  size_t n_operands, MlirType type) {
  char symbol[64];
  MlirType types[MA_MAX_CALL_OPERANDS];
  snprintf(symbol, sizeof(symbol), "buddy_math_%s", name);
  for (size_t i = 0; i < n_operands; ++i) {
    if (!operands[i].ptr) return no_value;
    types[i] = mlirValueGetType(operands[i]);
  }
  if (!type.ptr) return no_value;
  const MlirType function =
      mlirFunctionTypeGet(buddy_mlir_context(body->call), (intptr_t)n_operands, types, 1, &type);
  /* It reads no memory: the same numbers give the same number. */
  const MlirAttribute none = mlirIntegerAttrGet(buddy_mlir_element_type(body->call, BUDDY_I64), 0);
  const be_attribute attributes[] = {
      {"callee", buddy_mlir_declare_function(body->call, symbol, function)},
      {BUDDY_CALL_INPUTS, none},
      {NULL, {NULL}}};
  return attributes[0].value.ptr ? be_in(body, "func.call", type, operands, n_operands, attributes)
                                 : no_value;
}

/* ---- On scalars ---- */

typedef struct job {
  const ma_function *f;
  buddy_dtype domain, result;
  buddy_dtype dtypes[MA_MAX_OPERANDS]; /* of tensor operands; NONE: a number */
} job;

static MlirValue compute(const be_body *body, const MlirValue *elements, void *user) {
  const job *j = user;
  MlirValue at[MA_MAX_OPERANDS];
  size_t next = 0;
  for (size_t i = 0; i < j->f->n_operands; ++i) {
    const bool is_tensor = j->dtypes[i] != BUDDY_DTYPE_NONE;
    at[i] = is_tensor ? be_in_cast(body, elements[next++], j->dtypes[i], j->domain)
                      : be_in_scalar(body, j->domain, be_float(body->call, i, 0));
  }
  const ma_scalars s = {body, j->domain, at};
  const MlirType i1 = buddy_mlir_element_type(body->call, BUDDY_BOOL);
  const MlirType f64 = buddy_mlir_element_type(body->call, BUDDY_F64);
  const MlirValue value = j->f->formula  ? j->f->formula(&s)
                          : j->f->called ? ma_call(body, j->f->called, at, j->f->n_operands, f64)
                                         : be_in(body, j->f->op, j->f->gives_bool ? i1 : same, at,
                                                 j->f->n_operands, NULL);
  return be_in_cast(body, value, j->f->gives_bool ? BUDDY_BOOL : j->domain, j->result);
}

static MlirValue on_scalars(buddy_call *call, const ma_function *f) {
  const buddy_tensor_type *to = be_result_type(call, 0), *types[MA_MAX_OPERANDS];
  MlirValue inputs[MA_MAX_OPERANDS];
  job j = {.f = f, .domain = domain_of(call, f), .result = to->dtype};
  size_t n = 0;
  for (size_t i = 0; i < f->n_operands; ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (!type) continue;
    j.dtypes[i] = type->dtype;
    types[n] = type;
    inputs[n++] = be_tensor(call, i);
  }
  return be_elementwise(call, to, inputs, types, n, compute, &j);
}

/* ---- On tensors ---- */

/* Is every operand a float tensor of the result's dims? */
static bool is_uniform(buddy_call *call, const ma_function *f) {
  for (size_t i = 0; i < f->n_operands; ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (!type || !be_is_float(type->dtype) || !be_same_dims(type, be_result_type(call, 0)))
      return false;
  }
  return f->op != NULL;
}

static MlirValue on_tensors(buddy_call *call, const ma_function *f) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  const buddy_tensor_type *wide = be_with_dtype(call, to, domain_of(call, f));
  MlirValue operands[MA_MAX_OPERANDS];
  if (!wide) return no_value;
  for (size_t i = 0; i < f->n_operands; ++i) {
    operands[i] = be_tensor(call, i);
    if (be_arg_type(call, i)->dtype != wide->dtype)
      operands[i] = BE_OP(call, "arith.extf", wide, operands[i]);
  }
  const MlirValue value =
      be_op(call, f->op, f->gives_bool ? to : wide, operands, f->n_operands, NULL);
  if (f->gives_bool || wide->dtype == to->dtype) return value;
  return BE_OP(call, "arith.truncf", to, value);
}

static MlirValue on_integers(buddy_call *call, const ma_function *f) {
  if (f->on_integers == MA_ITSELF) return be_tensor(call, 0);
  return be_splat_int(call, be_result_type(call, 0), f->on_integers == MA_TRUE);
}

buddy_code ma_emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const ma_function *f = self->user;
  const buddy_tensor_type *first = be_arg_type(call, 0);
  if (f->on_integers != MA_CONVERTED && first && !be_is_float(first->dtype))
    return be_result(call, 0, on_integers(call, f));
  return be_result(call, 0, is_uniform(call, f) ? on_tensors(call, f) : on_scalars(call, f));
}

/* abs is defined on integers too; the lowest one stays itself. */
buddy_code ma_emit_abs(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  const MlirValue value = be_tensor(call, 0);
  if (be_is_unsigned(type->dtype)) return be_result(call, 0, value);
  return be_result(call, 0,
                   BE_OP(call, be_is_float(type->dtype) ? "math.absf" : "math.absi", type, value));
}

/* ---- Functions of integers ---- */

typedef struct wide_call {
  const char *name;
  buddy_dtype dtypes[2], to;
} wide_call;

/* How far up narrower numbers are moved, so that the lowest one is the lowest here, too, and what
 * leaves their range wraps: gcd and lcm of multiples are multiples. PyTorch computes lcm of less
 * than 32 bits in C's int, and wraps the size of it. */
static int bits_above(const wide_call *w) {
  if (w->to == BUDDY_I32) return 32;
  if (strcmp(w->name, "gcd") != 0) return 0;
  return w->to == BUDDY_I8 ? 56 : w->to == BUDDY_I16 ? 48 : 0;
}

static MlirValue call_wide(const be_body *body, const MlirValue *elements, void *user) {
  const wide_call *w = user;
  const MlirValue above = be_in_scalar_int(body, BUDDY_I64, bits_above(w));
  MlirValue at[2];
  for (size_t i = 0; i < 2; ++i) {
    at[i] = be_in_cast(body, elements[i], w->dtypes[i], BUDDY_I64);
    at[i] = BE_IN(body, "arith.shli", (MlirType){NULL}, at[i], above);
  }
  const MlirValue value =
      ma_call(body, w->name, at, 2, buddy_mlir_element_type(body->call, BUDDY_I64));
  return be_in_cast(body, BE_IN(body, "arith.shrsi", (MlirType){NULL}, value, above), BUDDY_I64,
                    w->to);
}

buddy_code ma_emit_integers(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0), *types[2];
  MlirValue inputs[2];
  wide_call w = {.name = self->user, .to = to->dtype};
  for (size_t i = 0; i < 2; ++i) {
    types[i] = be_arg_type(call, i);
    if (!types[i]) return be_decline(call, "an operand is no tensor");
    w.dtypes[i] = types[i]->dtype;
    inputs[i] = be_tensor(call, i);
  }
  return be_result(call, 0, be_elementwise(call, to, inputs, types, 2, call_wide, &w));
}

/* ---- frexp: two results ---- */

static MlirValue mantissa_of(const be_body *body, const MlirValue *elements, void *user) {
  const buddy_dtype dtype = *(const buddy_dtype *)user;
  const MlirValue wide = be_in_cast(body, elements[0], dtype, BUDDY_F64);
  const MlirType f64 = buddy_mlir_element_type(body->call, BUDDY_F64);
  return be_in_cast(body, ma_call(body, "frexp_mantissa", &wide, 1, f64), BUDDY_F64, dtype);
}

static MlirValue exponent_of(const be_body *body, const MlirValue *elements, void *user) {
  const buddy_dtype dtype = *(const buddy_dtype *)user;
  const MlirValue wide = be_in_cast(body, elements[0], dtype, BUDDY_F64);
  const MlirType i64 = buddy_mlir_element_type(body->call, BUDDY_I64);
  return be_in_cast(body, ma_call(body, "frexp_exponent", &wide, 1, i64), BUDDY_I64, BUDDY_I32);
}

buddy_code ma_emit_frexp(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  const MlirValue input = be_tensor(call, 0);
  buddy_dtype dtype = type->dtype;
  static const be_body_fn bodies[] = {mantissa_of, exponent_of};
  for (size_t i = 0; i < 2; ++i) {
    const MlirValue value =
        be_elementwise(call, be_result_type(call, i), &input, &type, 1, bodies[i], &dtype);
    const buddy_code code = be_result(call, i, value);
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}
