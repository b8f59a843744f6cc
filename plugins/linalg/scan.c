// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/scan.c: cumulative sums, products and extremes: loops that carry what has been
 * gathered so far.
 *
 * Sums and products are carried in PyTorch's accumulator types: f64 for f32, f32 for the narrower
 * floats. */
#include "plugins/linalg/nest.h"

#include <stdbool.h>
#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};

const la_scan la_cumsum = {.combine = LA_SUM}, la_cumprod = {.combine = LA_PRODUCT},
              la_logcumsumexp = {.is_log = true},
              la_cummax = {.combine = LA_MAXIMUM, .has_index = true},
              la_cummin = {.combine = LA_MINIMUM, .has_index = true};

typedef struct scanning {
  const la_scan *row;
  const buddy_tensor_type *from, *to;
  MlirValue value, length;
  const MlirValue *at; /* of the loops around */
  uint32_t axis;
  buddy_dtype wide; /* of the accumulator */
} scanning;

static void position_at(const scanning *s, MlirValue step, MlirValue *out) {
  for (uint32_t d = 0; d < s->from->rank; ++d) out[d] = d == s->axis ? step : s->at[d];
}

/* log(exp(a) + exp(b)), without overflow; two equal infinities are that infinity. */
static MlirValue log_add_exp(const be_body *body, buddy_dtype dtype, MlirValue a, MlirValue b) {
  const MlirValue hi = la_apply(body, &la_max, dtype, a, b);
  const MlirValue lo = la_apply(body, &la_min, dtype, a, b);
  const MlirValue gap = BE_IN(body, "math.exp", same, BE_IN(body, "arith.subf", same, lo, hi));
  const MlirValue sum = BE_IN(body, "arith.addf", same, BE_IN(body, "math.log1p", same, gap), hi);
  const MlirValue size = BE_IN(body, "math.absf", same, lo);
  const MlirValue infinite = be_in_compare(body, "eq", size, la_highest(body, dtype), dtype);
  const MlirValue equal = be_in_compare(body, "eq", lo, hi, dtype);
  return be_in_select(body, BE_IN(body, "arith.andi", same, infinite, equal), hi, sum);
}

/* carried: the result, the accumulator */
static void add_up(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const scanning *s = user;
  MlirValue place[BE_MAX_RANK];
  position_at(s, at[0], place);
  /* The element is brought to the result's dtype first: cumsum has a dtype argument. */
  MlirValue element = la_element(body, s->value, s->from->dtype, place, s->from->rank);
  element = be_in_cast(body, be_in_cast(body, element, s->from->dtype, s->to->dtype), s->to->dtype,
                       s->wide);
  const la_names *names = s->row->combine == LA_SUM ? &la_add : &la_mul;
  carried[1] = s->row->is_log ? log_add_exp(body, s->wide, carried[1], element)
                              : la_apply(body, names, s->wide, carried[1], element);
  carried[0] = la_write(body, be_in_cast(body, carried[1], s->wide, s->to->dtype), carried[0],
                        place, s->to->rank);
}

/* carried: values, indices, the extreme so far, and where it was. The last of equal ones counts,
 * and NaN stays. */
static void keep_extreme(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const scanning *s = user;
  const buddy_dtype dtype = s->from->dtype;
  MlirValue place[BE_MAX_RANK];
  position_at(s, at[0], place);
  const MlirValue element = la_element(body, s->value, dtype, place, s->from->rank);
  const char *predicate = s->row->combine == LA_MAXIMUM ? "ge" : "le";
  MlirValue is_new = be_in_compare(body, predicate, element, carried[2], dtype);
  if (be_is_float(dtype)) {
    const MlirValue is_nan = be_in_compare(body, "ne", element, element, dtype);
    is_new = BE_IN(body, "arith.ori", same, is_new, is_nan);
  }
  carried[2] = be_in_select(body, is_new, element, carried[2]);
  carried[3] = be_in_select(body, is_new, la_as_i64(body, at[0]), carried[3]);
  carried[0] = la_write(body, carried[2], carried[0], place, s->to->rank);
  carried[1] = la_write(body, carried[3], carried[1], place, s->to->rank);
}

/* One run along the axis. carried: the result tensors, one or two */
static void run_along(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  scanning s = *(const scanning *)user;
  s.at = at;
  MlirValue inner[4] = {carried[0]};
  if (s.row->has_index) {
    inner[1] = carried[1];
    inner[2] = s.row->combine == LA_MAXIMUM ? la_lowest(body, s.from->dtype)
                                            : la_highest(body, s.from->dtype);
    inner[3] = be_in_scalar_int(body, BUDDY_I64, 0);
  } else {
    inner[1] = s.row->is_log ? la_lowest(body, s.wide)
                             : be_in_scalar_int(body, s.wide, s.row->combine == LA_PRODUCT);
  }
  const la_nest nest = {1, &s.length, s.row->has_index ? 4 : 2,
                        s.row->has_index ? keep_extreme : add_up, &s};
  la_run_nest(body, &nest, inner);
  carried[0] = inner[0];
  if (s.row->has_index) carried[1] = inner[1];
}

static buddy_dtype accumulator_of(buddy_dtype dtype) {
  if (dtype == BUDDY_F32) return BUDDY_F64;
  return be_is_float(dtype) ? la_opmath(dtype) : dtype;
}

static buddy_code scan_of_scalar(buddy_call *call, bool has_index) {
  const buddy_code code = be_result(call, 0, la_tensor_as(call, 0, be_result_type(call, 0)->dtype));
  if (code != BUDDY_OK || !has_index) return code;
  return be_result(call, 1, be_splat_int(call, be_result_type(call, 1), 0));
}

/* self, dim[, dtype] */
buddy_code la_emit_scan(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_scan *row = self->user;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  la_ignore(call, 1, be_host->n_args(call) - 1);
  if (from->rank == 0) return scan_of_scalar(call, row->has_index);
  if (from->rank > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK);
  const uint32_t axis = (uint32_t)be_axis(call, 1, from->rank, 0);
  MlirValue ends[BE_MAX_RANK];
  const uint32_t n = la_ends(call, from, ends);
  scanning s = {row,        from, to,   be_tensor(call, 0),
                ends[axis], NULL, axis, accumulator_of(to->dtype)};
  ends[axis] = be_index(call, 1); /* its own loop is inside of the others */
  MlirValue carried[2] = {be_empty(call, to)};
  if (row->has_index) carried[1] = be_empty(call, be_result_type(call, 1));
  const be_body block = la_block(call);
  const la_nest nest = {n, ends, row->has_index ? 2 : 1, run_along, &s};
  la_run_nest(&block, &nest, carried);
  const buddy_code code = be_result(call, 0, carried[0]);
  return code == BUDDY_OK && row->has_index ? be_result(call, 1, carried[1]) : code;
}
