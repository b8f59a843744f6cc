// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/backward_grid.c: gradients of grid_sampler. A point of the grid reads some taps
 * along each axis, each with a weight; an element of the result is the sum over all choices of one tap
 * an axis of the input there times the product of their weights. So what the input has of it goes to
 * where the taps lie, times that product, and what a coordinate has is the same sum with the slope of
 * one weight in its place. All that is of points is [N, P], with the points in one row. */
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

#define MAX_SPATIAL 3
#define MAX_TAPS 4

enum { GRADIENT, INPUT, GRID, INTERPOLATION, PADDING, ALIGNS, WANTED };
enum { BILINEAR = 0, NEAREST = 1, CUBIC = 2 };
enum { ZEROS = 0, BORDER = 1, REFLECTION = 2 };

typedef struct tap {
  value index, inside; /* inside: a bool; the index is 0 where it is false */
  value weight, slope;
} tap;

typedef struct axis {
  int64_t size;
  uint32_t n_taps;
  tap taps[MAX_TAPS];
  value factor; /* of the coordinate's slope in the grid's */
} axis;

typedef struct sampling {
  int64_t interpolation, padding;
  int aligns;
  uint32_t n; /* spatial dims */
  int64_t batch, channels, places, points;
  buddy_dtype dtype;
  axis axes[MAX_SPATIAL];
} sampling;

static value number(buddy_call *call, const sampling *s, double x) {
  return cp_scalar(call, s->dtype, x);
}
static value less(buddy_call *call, value a, value b) {
  return cp_binary(call, "aten.lt.Tensor", a, b);
}
static value both(buddy_call *call, value a, value b) {
  return cp_binary(call, "aten.logical_and.default", a, b);
}

/* ---- Coordinates ---- */

/* Mirrored at both ends; *sign: of its slope. */
static value reflected(buddy_call *call, const sampling *s, value x, value last, value *sign) {
  value low = number(call, s, s->aligns ? 0 : -0.5);
  value span = s->aligns ? last : cp_add_number(call, last, 1);
  value from = cp_sub(call, x, low), distance = cp_unary(call, "aten.abs.default", from);
  value twice = cp_mul_number(call, span, 2);
  value turns = cp_unary(call, "aten.floor.default", cp_div(call, distance, twice));
  value rest = cp_sub(call, distance, cp_mul(call, turns, twice));
  value back = cp_sub(call, twice, rest);
  *sign = cp_where(call, less(call, rest, span), cp_unary(call, "aten.sign.default", from),
                   cp_unary(call, "aten.neg.default", cp_unary(call, "aten.sign.default", from)));
  value inside = cp_add(call, cp_binary(call, "aten.minimum.default", rest, back), low);
  return cp_where_number(call, cp_number(call, "aten.ne.Tensor", span, 0), inside, 0);
}

/* As the padding has it, and what that does to its slope. */
static value brought_inside(buddy_call *call, const sampling *s, value x, value last,
                            value *slope) {
  *slope = NULL;
  if (s->padding == ZEROS) return x;
  if (s->padding == REFLECTION) x = reflected(call, s, x, last, slope);
  value zero = number(call, s, 0);
  value is_between = both(call, less(call, zero, x), less(call, x, last));
  value passes = cp_cast(call, is_between, s->dtype);
  *slope = *slope ? cp_where_number(call, is_between, *slope, 0) : passes;
  x = cp_binary(call, "aten.fmax.default", x, zero);
  return cp_binary(call, "aten.fmin.default", x, last);
}

/* ---- Taps ---- */

static void add_tap(buddy_call *call, axis *a, value at, value last, value weight, value slope) {
  tap *t = &a->taps[a->n_taps++];
  value is_low = cp_number(call, "aten.ge.Tensor", at, 0);
  t->inside = both(call, is_low, cp_binary(call, "aten.le.Tensor", at, last));
  t->index = cp_cast(call, cp_where_number(call, t->inside, at, 0), BUDDY_I64);
  t->weight = weight, t->slope = slope;
}

/* a x^3 + b x^2 + c x + d */
static value polynomial(buddy_call *call, value x, double a, double b, double c, double d) {
  value result = cp_add_number(call, cp_mul_number(call, x, a), b);
  result = cp_add_number(call, cp_mul(call, result, x), c);
  return cp_add_number(call, cp_mul(call, result, x), d);
}

/* The cubic kernel at a distance of 0 to 1 and of 1 to 2, and its slopes there. */
static void add_cubic_taps(buddy_call *call, const sampling *s, axis *a, value floor, value part,
                           value last) {
  const double k = -0.75;
  for (int i = 0; i < MAX_TAPS; ++i) {
    const bool is_behind = i >= 2, is_far = i == 0 || i == 3;
    value distance = is_behind
                         ? cp_add_number(call, cp_unary(call, "aten.neg.default", part), i - 1)
                         : cp_add_number(call, part, 1 - i);
    value weight = is_far ? polynomial(call, distance, k, -5 * k, 8 * k, -4 * k)
                          : polynomial(call, distance, k + 2, -(k + 3), 0, 1);
    value slope = is_far ? polynomial(call, distance, 0, 3 * k, -10 * k, 8 * k)
                         : polynomial(call, distance, 0, 3 * (k + 2), -2 * (k + 3), 0);
    if (is_behind) slope = cp_unary(call, "aten.neg.default", slope);
    value ignored;
    value at = brought_inside(call, s, cp_add_number(call, floor, i - 1), last, &ignored);
    add_tap(call, a, cp_unary(call, "aten.trunc.default", at), last, weight, slope);
  }
}

/* Of grid coordinates from -1 to 1. */
static void read_axis(buddy_call *call, const sampling *s, axis *a, value x) {
  value last = cp_counted(call, be_dim(call, BUDDY_DIM_SUB, a->size, 1), s->dtype), passes = NULL;
  value half = cp_mul_number(call, s->aligns ? last : cp_add_number(call, last, 1), 0.5);
  value at = cp_mul(call, cp_add_number(call, x, 1), half);
  if (!s->aligns) at = cp_add_number(call, at, -0.5);
  a->factor = half;
  if (s->interpolation != CUBIC) at = brought_inside(call, s, at, last, &passes);
  if (passes) a->factor = cp_mul(call, passes, half);
  if (s->interpolation == NEAREST) {
    add_tap(call, a, cp_unary(call, "aten.round.default", at), last, number(call, s, 1),
            number(call, s, 0));
    return;
  }
  value floor = cp_unary(call, "aten.floor.default", at), part = cp_sub(call, at, floor);
  if (s->interpolation == CUBIC) {
    add_cubic_taps(call, s, a, floor, part, last);
    return;
  }
  value rest = cp_add_number(call, cp_unary(call, "aten.neg.default", part), 1);
  add_tap(call, a, floor, last, rest, number(call, s, -1));
  add_tap(call, a, cp_add_number(call, floor, 1), last, part, number(call, s, 1));
}

/* ---- All choices of taps ---- */

typedef struct choice {
  value places; /* i64[N, C, P] */
  value inside;
  const tap *taps[MAX_SPATIAL];
} choice;

static value among_channels(buddy_call *call, const sampling *s, value a) {
  const int64_t one[3] = {s->batch, 1, s->points}, all[3] = {s->batch, s->channels, s->points};
  return cp_expand(call, cp_view(call, a, 3, one), 3, all);
}

static void choose(buddy_call *call, const sampling *s, uint32_t which, choice *c) {
  value place = NULL;
  c->inside = NULL;
  for (uint32_t d = 0; d < s->n; ++d) {
    const axis *a = &s->axes[d];
    const tap *t = c->taps[d] = &a->taps[which % a->n_taps];
    which /= a->n_taps;
    place =
        d == 0 ? t->index : cp_add(call, cp_dim(call, "aten.mul.Tensor", place, a->size), t->index);
    c->inside = d == 0 ? t->inside : both(call, c->inside, t->inside);
  }
  c->places = among_channels(call, s, place);
}

/* The product of the weights, with that of an axis replaced by its slope; no axis: s->n. 0 outside. */
static value product(buddy_call *call, const sampling *s, const choice *c, uint32_t of) {
  value result = NULL;
  for (uint32_t d = 0; d < s->n; ++d) {
    value factor = d == of ? c->taps[d]->slope : c->taps[d]->weight;
    result = result ? cp_mul(call, result, factor) : factor;
  }
  return cp_where_number(call, c->inside, result, 0);
}

static value of_input(buddy_call *call, const sampling *s, const choice *c, value gradient,
                      value so_far) {
  value weights = product(call, s, c, s->n);
  const int64_t one[3] = {s->batch, 1, s->points}, row[2] = {s->batch, s->points};
  if (!weights || !so_far) return NULL;
  weights = cp_view(call, cp_expand(call, weights, 2, row), 3, one);
  return BE_NODE(call, "aten.scatter_add.default", cp_type(call, so_far), be_t("self", so_far),
                 be_i("dim", 2), be_t("index", c->places),
                 be_t("src", cp_mul(call, gradient, weights)));
}

static value side_by_side(buddy_call *call, const sampling *s, value *parts) {
  const int64_t column[3] = {s->batch, s->points, 1}, row[2] = {s->batch, s->points},
                all[3] = {s->batch, s->points, s->n};
  value list[MAX_SPATIAL];
  for (uint32_t d = 0; d < s->n; ++d) {
    value part = cp_mul(call, parts[d], s->axes[d].factor);
    list[s->n - 1 - d] = cp_view(call, cp_expand(call, part, 2, row), 3, column);
    if (!list[s->n - 1 - d]) return NULL;
  }
  return BE_NODE(call, "aten.cat.default", be_type(call, s->dtype, 3, all),
                 be_ts("tensors", list, s->n), be_i("dim", 2));
}

/* ---- The row ---- */

static void read_sampling(buddy_call *call, sampling *s, value grid) {
  const buddy_tensor_type *input = be_arg_type(call, INPUT), *points = be_arg_type(call, GRID);
  s->batch = input->dims[0], s->channels = input->dims[1], s->places = s->points = 1;
  s->dtype = cp_type(call, grid)->dtype;
  for (uint32_t d = 0; d < s->n; ++d) {
    s->places = be_dim(call, BUDDY_DIM_MUL, s->places, input->dims[2 + d]);
    s->points = be_dim(call, BUDDY_DIM_MUL, s->points, points->dims[1 + d]);
  }
  const int64_t flat[3] = {s->batch, s->points, s->n}, row[2] = {s->batch, s->points};
  grid = cp_view(call, grid, 3, flat);
  for (uint32_t d = 0; d < s->n; ++d) {
    s->axes[d] = (axis){.size = input->dims[2 + d]};
    value x = cp_slice(call, grid, 2, (int64_t)(s->n - 1 - d), 1, 1);
    read_axis(call, s, &s->axes[d], cp_view(call, x, 2, row));
  }
}

/* grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask. user: the
 * number of spatial dims */
buddy_code cp_op_grid_sampler_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  sampling s = {.interpolation = be_int(call, INTERPOLATION, 0),
                .padding = be_int(call, PADDING, 0),
                .aligns = be_bool(call, ALIGNS),
                .n = (uint32_t)(uintptr_t)self->user};
  value gradient = cp_computed(call, GRADIENT), input = cp_computed(call, INPUT),
        grid = cp_computed(call, GRID), parts[MAX_SPATIAL] = {NULL};
  const buddy_arg *wanted = be_arg(call, WANTED);
  if (!gradient || !input || !grid) return cp_finish(call, NULL);
  read_sampling(call, &s, grid);
  const int64_t from[3] = {s.batch, s.channels, s.points}, to[3] = {s.batch, s.channels, s.places};
  gradient = cp_view(call, gradient, 3, from), input = cp_view(call, input, 3, to);
  const bool has_input = wanted->n > 0 && wanted->as.ints[0];
  value sum = has_input ? cp_full(call, be_type(call, s.dtype, 3, to), 0) : NULL;
  uint32_t n_choices = 1;
  for (uint32_t d = 0; d < s.n; ++d) n_choices *= s.axes[d].n_taps;
  for (uint32_t i = 0; i < n_choices && gradient && input; ++i) {
    choice c;
    choose(call, &s, i, &c);
    if (has_input) sum = of_input(call, &s, &c, gradient, sum);
    value read = cp_sum(call, cp_mul(call, cp_gather(call, input, 2, c.places), gradient), 2, 0);
    for (uint32_t d = 0; d < s.n; ++d) {
      value part = cp_mul(call, read, product(call, &s, &c, d));
      parts[d] = i == 0 ? part : cp_add(call, parts[d], part);
    }
  }
  buddy_code code = has_input ? cp_finish_shaped(call, 0, sum) : BUDDY_OK;
  return code == BUDDY_OK ? cp_finish_shaped(call, 1, side_by_side(call, &s, parts)) : code;
}
