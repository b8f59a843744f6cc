// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/creation.c: tensors out of numbers. */
#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"

/* ---- One value everywhere ---- */

const la_filled la_full_at_1 = {.value_arg = 1}, la_full_at_2 = {.value_arg = 2},
                la_all_zeros = {.value = 0}, la_all_ones = {.value = 1};

/* full, zeros, ones, their _like and new_ forms, scalar_tensor. What `empty` holds is nobody's
 * promise: zeros. */
buddy_code la_emit_full(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_filled *row = self->user;
  const buddy_tensor_type *to = be_result_type(call, 0);
  la_ignore(call, 0, be_host->n_args(call));
  if (row->value_arg == 0) return be_result(call, 0, be_splat_int(call, to, row->value));
  return la_fill_with(call, row->value_arg - 1u, to);
}

buddy_code la_fill_with(buddy_call *call, size_t arg, const buddy_tensor_type *to) {
  const buddy_arg *value = be_arg(call, arg);
  const be_body block = la_block(call);
  const la_scalars s = {&block, to->dtype, NULL};
  if (value->kind == BUDDY_ARG_FLOAT) return be_result(call, 0, be_splat(call, to, value->as.f));
  if (value->kind == BUDDY_ARG_BOOL) return be_result(call, 0, be_splat_int(call, to, value->as.i));
  return be_result(call, 0, be_filled(call, to, la_number(&s, arg, 0)));
}

/* ---- Ranges ---- */

const la_range la_range_end = {0}, la_range_start = {.start_arg = 1},
               la_range_step = {.start_arg = 1, .step_arg = 3};

typedef struct range {
  const la_range *row;
  buddy_dtype wide, to;
} range;

/* The position in the result, as a number. */
static MlirValue step_number(const be_body *body, buddy_dtype dtype) {
  return be_in_cast(body, la_as_i64(body, be_in_loop(body, 0)), BUDDY_I64, dtype);
}

static MlirValue start_and_steps(const be_body *body, const MlirValue *elements, void *user) {
  const range *r = user;
  const la_scalars s = {body, r->wide, elements};
  MlirValue value = step_number(body, r->wide);
  if (r->row->step_arg != 0)
    value = la_apply(body, &la_mul, r->wide, value, la_number(&s, r->row->step_arg - 1u, 1));
  if (r->row->start_arg != 0)
    value = la_apply(body, &la_add, r->wide, la_number(&s, r->row->start_arg - 1u, 0), value);
  return be_in_cast(body, value, r->wide, r->to);
}

/* arange: [start,] end[, step], then what its result's type tells. Numbers are i64, or f64 until
 * the end. */
buddy_code la_emit_arange(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  la_ignore(call, 0, be_host->n_args(call));
  range r = {self->user, be_is_float(to->dtype) ? BUDDY_F64 : BUDDY_I64, to->dtype};
  return be_result(call, 0, be_elementwise(call, to, NULL, NULL, 0, start_and_steps, &r));
}

typedef struct line {
  buddy_dtype wide, to;
  int64_t n;
} line;

/* Counted from the nearer end, so that both ends are exact. */
static MlirValue on_line(const be_body *body, const MlirValue *elements, void *user) {
  const line *l = user;
  (void)elements;
  const la_scalars s = {body, l->wide, NULL};
  const MlirValue start = la_number(&s, 0, 0), end = la_number(&s, 1, 0),
                  k = step_number(body, l->wide);
  const MlirValue n = be_in_scalar_int(body, l->wide, l->n > 1 ? l->n - 1 : 1);
  const MlirValue step = la_divide(body, l->wide, la_apply(body, &la_sub, l->wide, end, start), n);
  const MlirValue from_start =
      la_apply(body, &la_add, l->wide, start, la_apply(body, &la_mul, l->wide, step, k));
  const MlirValue left = la_apply(body, &la_sub, l->wide, n, k);
  const MlirValue from_end =
      la_apply(body, &la_sub, l->wide, end, la_apply(body, &la_mul, l->wide, step, left));
  const MlirValue half = be_in_scalar_int(body, l->wide, l->n / 2);
  const MlirValue is_first_half = be_in_compare(body, "lt", k, half, l->wide);
  const MlirValue value =
      l->n == 1 ? start : be_in_select(body, is_first_half, from_start, from_end);
  return be_in_cast(body, value, l->wide, l->to);
}

/* linspace: start, end, steps */
buddy_code la_emit_linspace(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  la_ignore(call, 0, be_host->n_args(call));
  if (BUDDY_IS_SYMBOLIC(to->dims[0]))
    return be_decline(call, "the number of steps is not known before the program runs");
  line l = {.wide = be_is_float(to->dtype) ? la_opmath(to->dtype) : BUDDY_F64,
            .to = to->dtype,
            .n = to->dims[0]};
  return be_result(call, 0, be_elementwise(call, to, NULL, NULL, 0, on_line, &l));
}

/* ---- Ones on the diagonal ---- */

static MlirValue is_diagonal(const be_body *body, const MlirValue *elements, void *user) {
  const buddy_dtype *dtype = user;
  (void)elements;
  const MlirValue is =
      be_in_compare(body, "eq", be_in_loop(body, 0), be_in_loop(body, 1), BUDDY_I64);
  return be_in_cast(body, is, BUDDY_BOOL, *dtype);
}

buddy_code la_emit_eye(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  la_ignore(call, 0, be_host->n_args(call));
  buddy_dtype dtype = to->dtype;
  return be_result(call, 0, be_elementwise(call, to, NULL, NULL, 0, is_diagonal, &dtype));
}
