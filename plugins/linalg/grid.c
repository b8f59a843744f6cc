// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/grid.c: grid_sampler: each element of the result is interpolated between the
 * input's elements around a point that the grid gives, in coordinates from -1 to 1.
 *
 * The steps are PyTorch's: a coordinate is scaled to the input's, brought inside (border: clipped;
 * reflection: mirrored, then clipped; zeros: left as it is), and elements that lie outside count as
 * 0. The cubic form brings the integer coordinates of its taps inside instead. */

#include <stdbool.h>
#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"

#define MAX_SPATIAL 3

enum { BILINEAR = 0, NEAREST = 1, CUBIC = 2 };
enum { ZEROS = 0, BORDER = 1, REFLECTION = 2 };

static const MlirType same = {NULL};

typedef struct grid {
  const buddy_tensor_type *from, *points, *to;
  MlirValue input, grid;
  buddy_dtype wide;
  uint32_t n; /* spatial dims */
  int64_t interpolation, padding;
  int aligns;
} grid;

static MlirValue op(const be_body *body, const char *name, MlirValue a, MlirValue b) {
  return BE_IN(body, name, same, a, b);
}
static MlirValue number(const be_body *body, const grid *g, double x) {
  return be_in_scalar(body, g->wide, x);
}

/* The size of spatial dim d as a float. */
static MlirValue size_of(const be_body *body, const grid *g, uint32_t d) {
  const MlirValue size = be_in_index(body, g->from->dims[2 + d]);
  return be_in_cast(body, la_as_i64(body, size), BUDDY_I64, g->wide);
}

/* ---- Coordinates ---- */

/* min(max(x, 0), size - 1); NaN becomes 0. */
static MlirValue clipped(const be_body *body, const grid *g, MlirValue x, MlirValue size) {
  const MlirValue last = op(body, "arith.subf", size, number(body, g, 1));
  return op(body, "arith.minnumf", op(body, "arith.maxnumf", x, number(body, g, 0)), last);
}

/* Mirrored at both ends: of twice the span, what is left of the distance, or what it lacks. With one
 * rounding, as a remainder has. */
static MlirValue reflected(const be_body *body, const grid *g, MlirValue x, MlirValue size) {
  const MlirValue zero = number(body, g, 0), low = number(body, g, g->aligns ? 0 : -0.5);
  const MlirValue span = g->aligns ? op(body, "arith.subf", size, number(body, g, 1)) : size;
  const MlirValue twice = op(body, "arith.addf", span, span);
  const MlirValue distance = BE_IN(body, "math.absf", same, op(body, "arith.subf", x, low));
  const MlirValue turns = BE_IN(body, "math.floor", same, op(body, "arith.divf", distance, twice));
  const MlirValue rest =
      BE_IN(body, "math.fma", same, BE_IN(body, "arith.negf", same, turns), twice, distance);
  const MlirValue inside = op(body, "arith.minimumf", rest, op(body, "arith.subf", twice, rest));
  const MlirValue is_empty = be_in_compare(body, "eq", span, zero, g->wide);
  return be_in_select(body, is_empty, zero, op(body, "arith.addf", inside, low));
}

static MlirValue brought_inside(const be_body *body, const grid *g, MlirValue x, uint32_t d) {
  const MlirValue size = size_of(body, g, d);
  if (g->padding == REFLECTION) x = reflected(body, g, x, size);
  return g->padding == ZEROS ? x : clipped(body, g, x, size);
}

/* The grid's coordinate of spatial dim d, scaled: its last dim lists them from the last one on. */
static MlirValue coordinate(const be_body *body, const grid *g, uint32_t d) {
  MlirValue at[2 + MAX_SPATIAL];
  at[0] = be_in_loop(body, 0);
  for (uint32_t k = 0; k < g->n; ++k) at[1 + k] = be_in_loop(body, 2 + k);
  at[1 + g->n] = be_in_index(body, g->n - 1 - d);
  const MlirValue element = la_element(body, g->grid, g->points->dtype, at, g->n + 2);
  const MlirValue x = be_in_cast(body, element, g->points->dtype, g->wide);
  const MlirValue one = number(body, g, 1), size = size_of(body, g, d);
  const MlirValue shifted = op(body, "arith.addf", x, one);
  if (g->aligns) {
    return op(body, "arith.mulf", op(body, "arith.divf", shifted, number(body, g, 2)),
              op(body, "arith.subf", size, one));
  }
  const MlirValue scaled = op(body, "arith.subf", op(body, "arith.mulf", shifted, size), one);
  return op(body, "arith.divf", scaled, number(body, g, 2));
}

/* ---- Elements ---- */

/* The input's element at whole coordinates, 0 outside. */
static MlirValue element_at(const be_body *body, const grid *g, const MlirValue *coordinates) {
  const MlirType i64 = buddy_mlir_element_type(body->call, BUDDY_I64);
  const MlirValue zero = number(body, g, 0);
  MlirValue at[2 + MAX_SPATIAL] = {be_in_loop(body, 0), be_in_loop(body, 1)};
  MlirValue is_inside = be_in_scalar_int(body, BUDDY_BOOL, 1);
  for (uint32_t d = 0; d < g->n; ++d) {
    const MlirValue x = coordinates[d], size = size_of(body, g, d);
    is_inside = op(body, "arith.andi", is_inside, be_in_compare(body, "ge", x, zero, g->wide));
    is_inside = op(body, "arith.andi", is_inside, be_in_compare(body, "lt", x, size, g->wide));
    /* clipped first: a number beyond i64 has no integer */
    const MlirValue safe = clipped(body, g, x, size);
    at[2 + d] = la_as_index(body, BE_IN(body, "arith.fptosi", i64, safe));
  }
  const MlirValue element = la_element(body, g->input, g->from->dtype, at, g->n + 2);
  return be_in_select(body, is_inside, be_in_cast(body, element, g->from->dtype, g->wide), zero);
}

static MlirValue nearest(const be_body *body, const grid *g) {
  MlirValue at[MAX_SPATIAL];
  for (uint32_t d = 0; d < g->n; ++d) {
    const MlirValue x = brought_inside(body, g, coordinate(body, g, d), d);
    at[d] = BE_IN(body, "math.roundeven", same, x);
  }
  return element_at(body, g, at);
}

/* The sum over the 2^n corners of the cell. */
static MlirValue linear(const be_body *body, const grid *g) {
  MlirValue first[MAX_SPATIAL], rest[MAX_SPATIAL], sum = number(body, g, 0);
  const MlirValue one = number(body, g, 1);
  for (uint32_t d = 0; d < g->n; ++d) {
    const MlirValue x = brought_inside(body, g, coordinate(body, g, d), d);
    first[d] = BE_IN(body, "math.floor", same, x);
    rest[d] = op(body, "arith.subf", x, first[d]);
  }
  for (uint32_t corner = 0; corner < 1u << g->n; ++corner) {
    MlirValue at[MAX_SPATIAL], weight = one;
    for (uint32_t d = 0; d < g->n; ++d) {
      const bool is_next = corner >> d & 1;
      at[d] = is_next ? op(body, "arith.addf", first[d], one) : first[d];
      weight =
          op(body, "arith.mulf", weight, is_next ? rest[d] : op(body, "arith.subf", one, rest[d]));
    }
    /* outside, where a coordinate may be infinite, nothing is added: not 0 times a NaN */
    const MlirValue element = element_at(body, g, at), zero = number(body, g, 0);
    const MlirValue part = op(body, "arith.mulf", element, weight);
    const MlirValue is_zero = be_in_compare(body, "eq", element, zero, g->wide);
    sum = op(body, "arith.addf", sum, be_in_select(body, is_zero, zero, part));
  }
  if (g->n != 2) return sum;
  /* In images, a coordinate that is no number gives none, as PyTorch's vectors have it. */
  const MlirValue both = op(body, "arith.addf", rest[0], rest[1]);
  return op(body, "arith.addf", sum, op(body, "arith.mulf", both, number(body, g, 0)));
}

/* Cubic convolution with a = -0.75 over 4 x 4 taps, rows first. */
static MlirValue cubic(const be_body *body, const grid *g) {
  MlirValue first[2], weights[2][4], sum = number(body, g, 0);
  for (uint32_t d = 0; d < 2; ++d) {
    const MlirValue x = coordinate(body, g, d);
    first[d] = BE_IN(body, "math.floor", same, x);
    la_cubic_weights(body, g->wide, op(body, "arith.subf", x, first[d]), weights[d]);
  }
  for (int i = 0; i < 4; ++i) {
    MlirValue row = number(body, g, 0), at[2];
    at[0] = brought_inside(body, g, op(body, "arith.addf", first[0], number(body, g, i - 1)), 0);
    for (int k = 0; k < 4; ++k) {
      at[1] = brought_inside(body, g, op(body, "arith.addf", first[1], number(body, g, k - 1)), 1);
      row = op(body, "arith.addf", row,
               op(body, "arith.mulf", element_at(body, g, at), weights[1][k]));
    }
    sum = op(body, "arith.addf", sum, op(body, "arith.mulf", row, weights[0][i]));
  }
  return sum;
}

static MlirValue sampled(const be_body *body, const MlirValue *elements, void *user) {
  const grid *g = user;
  (void)elements;
  const MlirValue value = g->interpolation == NEAREST ? nearest(body, g)
                          : g->interpolation == CUBIC ? cubic(body, g)
                                                      : linear(body, g);
  return be_in_cast(body, value, g->wide, g->to->dtype);
}

/* input, grid, interpolation_mode, padding_mode, align_corners */
buddy_code la_emit_grid_sampler(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  grid g = {.from = be_arg_type(call, 0),
            .points = be_arg_type(call, 1),
            .to = be_result_type(call, 0),
            .input = be_tensor(call, 0),
            .grid = be_tensor(call, 1),
            .interpolation = be_int(call, 2, 0),
            .padding = be_int(call, 3, 0),
            .aligns = be_bool(call, 4)};
  if (g.from->rank < 4 || g.from->rank > 5)
    return be_decline(call, "an input of rank %u", g.from->rank);
  g.n = g.from->rank - 2;
  if (g.interpolation == CUBIC && g.n != 2)
    return be_decline(call, "cubic interpolation over %u dims", g.n);
  g.wide = la_opmath(g.from->dtype);
  return be_result(call, 0, be_elementwise(call, g.to, NULL, NULL, 0, sampled, &g));
}
