// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/complex.c: complex numbers and their parts. */
#include <math.h>
#include <string.h>

#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

buddy_dtype la_part_dtype(buddy_dtype dtype) {
  if (dtype == BUDDY_C32) return BUDDY_F16;
  return dtype == BUDDY_C64 ? BUDDY_F32 : dtype == BUDDY_C128 ? BUDDY_F64 : dtype;
}

static MlirValue part(const be_body *body, const char *name, MlirValue value, buddy_dtype dtype) {
  return BE_IN(body, name, buddy_mlir_element_type(body->call, la_part_dtype(dtype)), value);
}

static MlirValue made(const be_body *body, MlirValue re, MlirValue im, buddy_dtype dtype) {
  return BE_IN(body, "complex.create", buddy_mlir_element_type(body->call, dtype), re, im);
}

/* ---- Element by element ---- */

typedef struct types {
  buddy_dtype from, to;
  const char *op;
} types;

static MlirValue one_part(const be_body *body, const MlirValue *elements, void *user) {
  const types *t = user;
  return part(body, t->op, elements[0], t->from);
}

static MlirValue op(const be_body *body, const char *name, MlirValue a, MlirValue b) {
  return BE_IN(body, name, same, a, b);
}

/* hi * sqrt(1 + (lo / hi)^2), where hi is the larger part in size; not complex.abs, whose lowering
 * is a call of cabsf with another calling convention than C's. */
static MlirValue length(const be_body *body, const MlirValue *elements, void *user) {
  const types *t = user;
  const buddy_dtype dtype = t->to;
  const MlirValue re = part(body, "complex.re", elements[0], t->from);
  const MlirValue im = part(body, "complex.im", elements[0], t->from);
  const MlirValue a = BE_IN(body, "math.absf", same, re), b = BE_IN(body, "math.absf", same, im);
  const MlirValue hi = op(body, "arith.maximumf", a, b), lo = op(body, "arith.minimumf", a, b);
  const MlirValue ratio = op(body, "arith.divf", lo, hi);
  const MlirValue squares =
      op(body, "arith.addf", be_in_scalar(body, dtype, 1), op(body, "arith.mulf", ratio, ratio));
  const MlirValue size = op(body, "arith.mulf", hi, BE_IN(body, "math.sqrt", same, squares));
  const MlirValue edge = be_in_scalar(body, dtype, INFINITY), zero = be_in_scalar(body, dtype, 0);
  const MlirValue finite = be_in_select(body, be_in_compare(body, "eq", hi, zero, dtype), hi, size);
  const MlirValue is_infinite = op(body, "arith.ori", be_in_compare(body, "eq", a, edge, dtype),
                                   be_in_compare(body, "eq", b, edge, dtype));
  return be_in_select(body, is_infinite, edge, finite);
}

/* (a + bi) / (c + di) as PyTorch computes it: the smaller part of the divisor is a multiple of the
 * larger one. Upstream's complex.div makes infinities of what is NaN here. */
MlirValue la_complex_quotient(const be_body *body, buddy_dtype dtype, MlirValue over,
                              MlirValue under) {
  const buddy_dtype real = la_part_dtype(dtype);
  const MlirValue a = part(body, "complex.re", over, dtype),
                  b = part(body, "complex.im", over, dtype),
                  c = part(body, "complex.re", under, dtype),
                  d = part(body, "complex.im", under, dtype);
  const MlirValue c_size = BE_IN(body, "math.absf", same, c),
                  d_size = BE_IN(body, "math.absf", same, d), zero = be_in_scalar(body, real, 0);
  const MlirValue is_c = be_in_compare(body, "ge", c_size, d_size, real);
  const MlirValue hi = be_in_select(body, is_c, c, d), lo = be_in_select(body, is_c, d, c);
  const MlirValue first = be_in_select(body, is_c, a, b), second = be_in_select(body, is_c, b, a);
  const MlirValue ratio = op(body, "arith.divf", lo, hi);
  const MlirValue scale = op(body, "arith.divf", be_in_scalar(body, real, 1),
                             op(body, "arith.addf", hi, op(body, "arith.mulf", lo, ratio)));
  const MlirValue sum = op(body, "arith.addf", first, op(body, "arith.mulf", second, ratio));
  const MlirValue b_less = op(body, "arith.subf", b, op(body, "arith.mulf", a, ratio)),
                  less_a = op(body, "arith.subf", op(body, "arith.mulf", b, ratio), a);
  const MlirValue re = op(body, "arith.mulf", sum, scale),
                  im = op(body, "arith.mulf", be_in_select(body, is_c, b_less, less_a), scale);
  const MlirValue is_zero = op(body, "arith.andi", be_in_compare(body, "eq", c, zero, real),
                               be_in_compare(body, "eq", d, zero, real));
  return made(body, be_in_select(body, is_zero, op(body, "arith.divf", a, c_size), re),
              be_in_select(body, is_zero, op(body, "arith.divf", b, d_size), im), dtype);
}

static MlirValue angle(const be_body *body, const MlirValue *elements, void *user) {
  const types *t = user;
  const MlirValue y = part(body, "complex.im", elements[0], t->from),
                  x = part(body, "complex.re", elements[0], t->from);
  return be_in_atan2(body, y, x, la_part_dtype(t->from));
}

static MlirValue conjugated(const be_body *body, const MlirValue *elements, void *user) {
  const types *t = user;
  const MlirValue im = part(body, "complex.im", elements[0], t->from);
  return made(body, part(body, "complex.re", elements[0], t->from),
              BE_IN(body, "arith.negf", same, im), t->to);
}

static MlirValue combined(const be_body *body, const MlirValue *elements, void *user) {
  const types *t = user;
  return made(body, elements[0], elements[1], t->to);
}

/* length and angle */
static MlirValue from_polar(const be_body *body, const MlirValue *elements, void *user) {
  const types *t = user;
  const MlirValue re =
      BE_IN(body, "arith.mulf", same, elements[0], BE_IN(body, "math.cos", same, elements[1]));
  const MlirValue im =
      BE_IN(body, "arith.mulf", same, elements[0], BE_IN(body, "math.sin", same, elements[1]));
  return made(body, re, im, t->to);
}

const la_complex_row la_real = {"complex.re", one_part}, la_imag = {"complex.im", one_part},
                     la_complex_abs = {NULL, length}, la_angle = {NULL, angle},
                     la_conj = {NULL, conjugated}, la_complex = {NULL, combined},
                     la_polar = {NULL, from_polar};

MlirValue la_part(buddy_call *call, MlirValue value, const buddy_tensor_type *type,
                  bool is_imaginary) {
  types t = {type->dtype, type->dtype, is_imaginary ? "complex.im" : "complex.re"};
  const buddy_tensor_type *to = be_with_dtype(call, type, la_part_dtype(type->dtype));
  return be_elementwise(call, to, &value, &type, 1, one_part, &t);
}

MlirValue la_of_parts(buddy_call *call, MlirValue re, MlirValue im, const buddy_tensor_type *type) {
  if (!type) return no_value;
  types t = {type->dtype, type->dtype, NULL};
  const buddy_tensor_type *part = be_with_dtype(call, type, la_part_dtype(type->dtype));
  const MlirValue inputs[2] = {re, im};
  const buddy_tensor_type *both[2] = {part, part};
  return be_elementwise(call, type, inputs, both, 2, combined, &t);
}

/* One or two tensors; a real one is its own real part and its own conjugate. */
buddy_code la_emit_complex(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_complex_row *row = self->user;
  const buddy_tensor_type *to = be_result_type(call, 0), *operands[2] = {NULL, NULL};
  MlirValue inputs[2] = {no_value, no_value};
  const size_t n = be_host->n_args(call) < 2 ? be_host->n_args(call) : 2;
  for (size_t i = 0; i < n; ++i) {
    operands[i] = be_arg_type(call, i);
    inputs[i] = be_tensor(call, i);
  }
  if (!operands[0]) return be_decline(call, "argument 0 is not a tensor");
  if (n == 1 && !be_is_complex(operands[0]->dtype)) return be_result(call, 0, inputs[0]);
  types t = {operands[0]->dtype, to->dtype, row->op};
  return be_result(call, 0, be_elementwise(call, to, inputs, operands, n, row->body, &t));
}

/* ---- A last dim of two, the parts ---- */

typedef struct view {
  MlirValue value;
  const buddy_tensor_type *from;
  uint32_t rank; /* of the complex tensor */
  buddy_dtype to;
} view;

/* Of each number the one part, then the other. */
static MlirValue as_parts(const be_body *body, const MlirValue *elements, void *user) {
  const view *v = user;
  const MlirValue number = elements[0];
  const MlirValue is_real =
      be_in_compare(body, "eq", be_in_loop(body, v->rank), be_in_index(body, 0), BUDDY_I64);
  return be_in_select(body, is_real, part(body, "complex.re", number, v->from->dtype),
                      part(body, "complex.im", number, v->from->dtype));
}

static MlirValue of_parts(const be_body *body, const MlirValue *elements, void *user) {
  const view *v = user;
  MlirValue at[BE_MAX_RANK], parts[2];
  (void)elements;
  for (uint32_t d = 0; d < v->rank; ++d) at[d] = be_in_loop(body, d);
  for (int i = 0; i < 2; ++i) {
    at[v->rank] = be_in_index(body, i);
    parts[i] = la_element(body, v->value, v->from->dtype, at, v->rank + 1);
  }
  return made(body, parts[0], parts[1], v->to);
}

/* view_as_real and view_as_complex: self */
buddy_code la_emit_complex_view(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const int to_real = be_is_complex(from->dtype);
  view v = {be_tensor(call, 0), from, to_real ? from->rank : to->rank, to->dtype};
  if (v.rank + 1 > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK - 1);
  if (!to_real) return be_result(call, 0, be_elementwise(call, to, NULL, NULL, 0, of_parts, &v));
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, from->dims, v.rank * sizeof(*dims));
  dims[v.rank] = 1;
  const buddy_tensor_type *one = be_type(call, from->dtype, v.rank + 1, dims);
  const MlirValue numbers = be_reshape(call, v.value, from, one);
  return be_result(call, 0, be_elementwise(call, to, &numbers, &one, 1, as_parts, &v));
}
