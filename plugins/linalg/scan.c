// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/scan.c: cumulative sums, products and extremes: loops that carry what has been
 * gathered so far: a scalar along the last axis; along others a line of them, one for each run, so that
 * memory is gone through in its own order, and by vectors.
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
  buddy_dtype wide;        /* of the accumulator */
  const MlirValue *ends;   /* of all axes */
  size_t n;                /* results, and scalars that are gathered for each run */
  buddy_dtype gathered[2]; /* their dtypes */
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

/* What is gathered, before the first element: one scalar, or an extreme and its place. */
static void begin_run(const be_body *body, const scanning *s, MlirValue *gathered) {
  if (s->row->has_index) {
    gathered[0] = s->row->combine == LA_MAXIMUM ? la_lowest(body, s->from->dtype)
                                                : la_highest(body, s->from->dtype);
    gathered[1] = be_in_scalar_int(body, BUDDY_I64, 0);
  } else {
    gathered[0] = s->row->is_log ? la_lowest(body, s->wide)
                                 : be_in_scalar_int(body, s->wide, s->row->combine == LA_PRODUCT);
  }
}

/* One run along the axis. carried: the result tensors, one or two */
static void run_along(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  scanning s = *(const scanning *)user;
  s.at = at;
  MlirValue inner[4] = {carried[0]};
  if (s.row->has_index) inner[1] = carried[1];
  begin_run(body, &s, inner + s.n);
  const la_nest nest = {1, &s.length, 2 * s.n, s.row->has_index ? keep_extreme : add_up, &s};
  la_run_nest(body, &nest, inner);
  carried[0] = inner[0];
  if (s.row->has_index) carried[1] = inner[1];
}

/* ---- Lines of runs: those that differ in the axes behind the scanned one alone ---- */

/* at: of the axes behind. carried: results, and lines of what is gathered */
static void begin_line(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const scanning *s = user;
  MlirValue gathered[2];
  begin_run(body, s, gathered);
  for (size_t i = 0; i < s->n; ++i)
    carried[s->n + i] =
        la_write(body, gathered[i], carried[s->n + i], at, s->from->rank - s->axis - 1);
}

/* at: of the axis, and of those behind */
static void step_line(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  scanning s = *(const scanning *)user;
  const uint32_t rank = s.from->rank, n_behind = rank - s.axis - 1;
  MlirValue all[BE_MAX_RANK], inner[4] = {{NULL}};
  for (uint32_t d = 0; d < rank; ++d) all[d] = d < s.axis ? s.at[d] : at[d - s.axis];
  s.at = all;
  for (size_t i = 0; i < s.n; ++i) {
    inner[i] = carried[i];
    inner[s.n + i] = la_element(body, carried[s.n + i], s.gathered[i], at + 1, n_behind);
  }
  (s.row->has_index ? keep_extreme : add_up)(body, at, inner, &s);
  for (size_t i = 0; i < s.n; ++i) {
    carried[i] = inner[i];
    carried[s.n + i] = la_write(body, inner[s.n + i], carried[s.n + i], at + 1, n_behind);
  }
}

static void run_lines(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  scanning s = *(const scanning *)user;
  s.at = at;
  const uint32_t n_behind = s.from->rank - s.axis - 1;
  const la_nest first = {n_behind, s.ends + s.axis + 1, 2 * s.n, begin_line, &s},
                rest = {n_behind + 1, s.ends + s.axis, 2 * s.n, step_line, &s};
  la_run_nest(body, &first, carried);
  la_run_nest(body, &rest, carried);
}

/* The last axis is long enough for vectors, and not the one that is scanned. */
static bool has_lines(const buddy_tensor_type *type, uint32_t axis) {
  enum { LINE = 8 };
  const int64_t n = type->dims[type->rank - 1];
  return axis + 1 < type->rank && (BUDDY_IS_SYMBOLIC(n) || n >= LINE);
}

/* carried: the results */
static void scan_lines(buddy_call *call, scanning *s, MlirValue *carried) {
  const be_body block = la_block(call);
  for (size_t i = 0; i < s->n; ++i) {
    const buddy_tensor_type *line =
        be_type(call, s->gathered[i], s->from->rank - s->axis - 1, s->from->dims + s->axis + 1);
    carried[s->n + i] = line ? be_empty(call, line) : (MlirValue){NULL};
  }
  const la_nest nest = {s->axis, s->ends, 2 * s->n, run_lines, s};
  la_run_apart(&block, &nest, carried);
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

/* One f16 after the other is slow to convert: LLVM (22) loads it beside what a register held before,
 * which is what has been gathered, so that a step waits for the conversion of its element, too. */
static bool is_widened_first(const la_scan *row, const buddy_tensor_type *from,
                             const buddy_tensor_type *to, uint32_t axis) {
  return !row->has_index && !has_lines(from, axis) && from->dtype == to->dtype &&
         to->dtype == BUDDY_F16;
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
  const buddy_dtype wide = accumulator_of(to->dtype);
  const bool is_widened = is_widened_first(row, from, to, axis);
  if (is_widened) from = to = be_with_dtype(call, to, wide);
  if (!from) return BUDDY_OUT_OF_MEMORY;
  MlirValue ends[BE_MAX_RANK];
  const uint32_t n = la_ends(call, from, ends);
  scanning s = {.row = row,
                .from = from,
                .to = to,
                .value = la_tensor_as(call, 0, from->dtype),
                .length = ends[axis],
                .axis = axis,
                .wide = wide,
                .ends = ends,
                .n = row->has_index ? 2 : 1};
  s.gathered[0] = row->has_index ? from->dtype : s.wide;
  s.gathered[1] = BUDDY_I64;
  MlirValue carried[4] = {be_empty(call, to)};
  if (row->has_index) carried[1] = be_empty(call, be_result_type(call, 1));
  if (has_lines(from, axis)) {
    scan_lines(call, &s, carried);
  } else {
    ends[axis] = be_index(call, 1); /* its own loop is inside of the others */
    const be_body block = la_block(call);
    const la_nest nest = {n, ends, s.n, run_along, &s};
    la_run_apart(&block, &nest, carried);
  }
  if (is_widened) carried[0] = la_cast(call, carried[0], to, be_result_type(call, 0)->dtype);
  const buddy_code code = be_result(call, 0, carried[0]);
  return code == BUDDY_OK && row->has_index ? be_result(call, 1, carried[1]) : code;
}
