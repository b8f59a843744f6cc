// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/resample.c: interpolation to another size: nearest neighbours, linear over 1, 2
 * and 3 dims, cubic over 2; one dim after the other, each a loop over what the one before it made.
 *
 * The source coordinate of a result's position is computed as PyTorch's kernels do it, in f32 (f64
 * for f64), so that the same neighbours and weights come out. */

#include <stdbool.h>
#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"

#define MAX_SPATIAL 3

static const MlirType same = {NULL};

#define VEC(n, exact) {.n_spatial = (n), .is_exact = (exact), .scale_arg = 2, .has_scale_list = 1}
#define PLAIN(n, exact) {.n_spatial = (n), .is_exact = (exact), .scale_arg = 2}
const la_resample la_nearest_1d_vec = VEC(1, 0), la_nearest_2d_vec = VEC(2, 0),
                  la_nearest_3d_vec = VEC(3, 0), la_nearest_1d = PLAIN(1, 0),
                  la_nearest_2d = PLAIN(2, 0), la_nearest_3d = PLAIN(3, 0),
                  la_nearest_exact_1d_vec = VEC(1, 1), la_nearest_exact_2d_vec = VEC(2, 1),
                  la_nearest_exact_3d_vec = VEC(3, 1), la_nearest_exact_1d = PLAIN(1, 1),
                  la_nearest_exact_2d = PLAIN(2, 1), la_nearest_exact_3d = PLAIN(3, 1);
#define CUBIC(has_list) \
  {.n_spatial = 2, .is_cubic = 1, .align_arg = 2, .scale_arg = 3, .has_scale_list = (has_list)}
#define LINEAR_VEC(n) {.n_spatial = (n), .align_arg = 2, .scale_arg = 3, .has_scale_list = 1}
#define LINEAR(n) {.n_spatial = (n), .align_arg = 2, .scale_arg = 3}
const la_resample la_linear_1d_vec = LINEAR_VEC(1), la_linear_2d_vec = LINEAR_VEC(2),
                  la_linear_3d_vec = LINEAR_VEC(3), la_linear_1d = LINEAR(1),
                  la_linear_2d = LINEAR(2), la_linear_3d = LINEAR(3), la_cubic_2d_vec = CUBIC(true),
                  la_cubic_2d = CUBIC(false);

typedef struct resampling {
  const la_resample *row;
  MlirValue value;
  const buddy_tensor_type *from, *to;
  uint32_t n_lead;
  int aligns;
  buddy_dtype wide;          /* of coordinates and weights */
  double scale[MAX_SPATIAL]; /* the factor that was asked for; 0: none */
} resampling;

static buddy_code read_resampling(buddy_call *call, const la_resample *row, resampling *r) {
  *r = (resampling){.row = row,
                    .value = be_tensor(call, 0),
                    .from = be_arg_type(call, 0),
                    .to = be_result_type(call, 0)};
  la_ignore(call, 1, be_host->n_args(call) - 1);
  if (r->from->rank != row->n_spatial + 2u)
    return be_decline(call, "an input of rank %u", r->from->rank);
  r->n_lead = 2;
  r->wide = r->from->dtype == BUDDY_F64 && row->align_arg != 0 ? BUDDY_F64 : BUDDY_F32;
  r->aligns = row->align_arg != 0 && be_bool(call, row->align_arg);
  for (uint32_t d = 0; d < row->n_spatial; ++d) {
    const buddy_arg *list = be_arg(call, row->scale_arg);
    const bool has_list = row->has_scale_list && list->kind == BUDDY_ARG_FLOATS && d < list->n;
    if (has_list) r->scale[d] = list->as.floats[d];
    if (!row->has_scale_list) r->scale[d] = be_float(call, row->scale_arg + d, 0);
  }
  return BUDDY_OK;
}

/* ---- Coordinates ---- */

static MlirValue as_float(const be_body *body, MlirValue index, buddy_dtype dtype) {
  return be_in_cast(body, la_as_i64(body, index), BUDDY_I64, dtype);
}

static MlirValue as_index(const be_body *body, MlirValue value) {
  const MlirType i64 = buddy_mlir_element_type(body->call, BUDDY_I64);
  return la_as_index(body, BE_IN(body, "arith.fptosi", i64, value));
}

/* Source steps per step of the result. */
static MlirValue step_of(const be_body *body, const resampling *r, uint32_t d) {
  const MlirValue one = be_in_index(body, 1);
  const MlirValue from = be_in_index(body, r->from->dims[r->n_lead + d]);
  const MlirValue to = be_in_index(body, r->to->dims[r->n_lead + d]);
  if (r->aligns) {
    const MlirValue steps = BE_IN(body, "arith.maxsi", same, la_index_sub(body, to, one), one);
    const MlirValue is_one = be_in_compare(body, "eq", to, one, BUDDY_I64);
    const MlirValue ratio =
        BE_IN(body, "arith.divf", same, as_float(body, la_index_sub(body, from, one), r->wide),
              as_float(body, steps, r->wide));
    return be_in_select(body, is_one, be_in_scalar(body, r->wide, 0), ratio);
  }
  if (r->scale[d] > 0) {
    const double step = 1.0 / r->scale[d];
    return be_in_scalar(body, r->wide, r->wide == BUDDY_F32 ? (double)(float)step : step);
  }
  return BE_IN(body, "arith.divf", same, as_float(body, from, r->wide),
               as_float(body, to, r->wide));
}

/* Where a position of the result lies in the source. (i + 0.5) step - 0.5 with one rounding, as in
 * PyTorch's kernels: with two, a place just before an element is the element. */
static MlirValue source_of(const be_body *body, const resampling *r, uint32_t axis,
                           MlirValue step) {
  const MlirValue i = as_float(body, be_in_loop(body, axis), r->wide);
  if (r->aligns) return BE_IN(body, "arith.mulf", same, i, step);
  const MlirValue centre = BE_IN(body, "arith.addf", same, i, be_in_scalar(body, r->wide, 0.5));
  return BE_IN(body, "math.fma", same, centre, step, be_in_scalar(body, r->wide, -0.5));
}

static MlirValue keeps_size(const be_body *body, const resampling *r, uint32_t d) {
  const uint32_t axis = r->n_lead + d;
  return be_in_compare(body, "eq", be_in_index(body, r->to->dims[axis]),
                       be_in_index(body, r->from->dims[axis]), BUDDY_I64);
}

static MlirValue last_of(const be_body *body, const resampling *r, uint32_t axis) {
  return la_index_sub(body, be_in_index(body, r->from->dims[axis]), be_in_index(body, 1));
}

/* ---- Dim by dim ---- */

/* The interpolation along one dim of what those before it made. */
typedef struct pass {
  const resampling *r;
  MlirValue value;
  buddy_dtype from, to; /* of its elements, and of those that are made */
  uint32_t d;
} pass;

static bool shrinks(const resampling *r, uint32_t d) {
  const int64_t from = r->from->dims[r->n_lead + d], to = r->to->dims[r->n_lead + d];
  return !BUDDY_IS_SYMBOLIC(from) && !BUDDY_IS_SYMBOLIC(to) && to < from;
}

/* The dims in their order: those that shrink from the outermost on, then the others from the
 * innermost on. So a row whose columns are looked up, one by one, is one of few, and all that
 * follows goes by whole rows. */
static void order_of(const resampling *r, uint32_t *out) {
  uint32_t n = 0;
  for (uint32_t d = 0; d < r->row->n_spatial; ++d) {
    if (shrinks(r, d)) out[n++] = d;
  }
  for (uint32_t d = r->row->n_spatial; d-- > 0;) {
    if (!shrinks(r, d)) out[n++] = d;
  }
}

/* ---- Nearest ---- */

/* PyTorch's kernel for images of at most so many rows and columns together takes a size that stays
 * or doubles for what it is, whatever the scale. */
#define MOST_OF_SMALL_IMAGE 128

static MlirValue nearest_step(const be_body *body, const resampling *r, uint32_t d) {
  const MlirValue step = step_of(body, r, d);
  if (r->row->is_exact || r->row->n_spatial != 2 || r->scale[d] <= 0) return step;
  const MlirValue from = be_in_index(body, r->from->dims[r->n_lead + d]);
  const MlirValue to = be_in_index(body, r->to->dims[r->n_lead + d]);
  const MlirValue other = be_in_index(body, r->to->dims[r->n_lead + 1 - d]);
  const MlirValue most = be_in_index(body, MOST_OF_SMALL_IMAGE);
  const MlirValue is_small =
      be_in_compare(body, "le", la_index_add(body, to, other), most, BUDDY_I64);
  const MlirValue stays = keeps_size(body, r, d);
  const MlirValue doubles =
      be_in_compare(body, "eq", to, la_index_add(body, from, from), BUDDY_I64);
  const MlirValue whole =
      be_in_select(body, stays, be_in_scalar(body, r->wide, 1), be_in_scalar(body, r->wide, 0.5));
  const MlirValue is_whole =
      BE_IN(body, "arith.andi", same, is_small, BE_IN(body, "arith.ori", same, stays, doubles));
  return be_in_select(body, is_whole, whole, step);
}

static void nearest(const be_body *body, MlirValue *out, void *user) {
  const pass *p = user;
  const resampling *r = p->r;
  for (uint32_t d = 0; d < r->from->rank; ++d) out[d] = be_in_loop(body, d);
  const uint32_t axis = r->n_lead + p->d;
  MlirValue at = as_float(body, out[axis], r->wide);
  if (r->row->is_exact) at = BE_IN(body, "arith.addf", same, at, be_in_scalar(body, r->wide, 0.5));
  at = BE_IN(body, "math.floor", same,
             BE_IN(body, "arith.mulf", same, at, nearest_step(body, r, p->d)));
  out[axis] = BE_IN(body, "arith.minsi", same, as_index(body, at), last_of(body, r, axis));
}

/* ---- Linear ---- */

/* The elements along one dim that an element of the result is made of, and their weights. */
enum { MOST_TAPS = 4 };
typedef struct taps {
  size_t n;
  MlirValue at[MOST_TAPS], weight[MOST_TAPS];
} taps;

/* The two neighbours. Where the size stays, the element is its own neighbour, whatever the scale. */
static taps linear_taps(const be_body *body, const resampling *r, uint32_t d) {
  const uint32_t axis = r->n_lead + d;
  const MlirValue zero = be_in_scalar(body, r->wide, 0), one = be_in_scalar(body, r->wide, 1);
  const MlirValue stays = keeps_size(body, r, d);
  const MlirValue step = be_in_select(body, stays, one, step_of(body, r, d));
  const MlirValue at = BE_IN(body, "arith.maximumf", same, source_of(body, r, axis, step), zero);
  const MlirValue last = last_of(body, r, axis);
  const MlirValue first = BE_IN(body, "arith.minsi", same, as_index(body, at), last);
  const MlirValue after =
      BE_IN(body, "arith.minsi", same, la_index_add(body, first, be_in_index(body, 1)), last);
  const MlirValue next = be_in_select(body, stays, first, after);
  const MlirValue rest = BE_IN(body, "arith.subf", same, at, as_float(body, first, r->wide));
  const MlirValue weight =
      BE_IN(body, "arith.minimumf", same, BE_IN(body, "arith.maximumf", same, rest, zero), one);
  return (taps){2, {first, next}, {BE_IN(body, "arith.subf", same, one, weight), weight}};
}

/* ---- Cubic ---- */

void la_cubic_weights(const be_body *body, buddy_dtype dtype, MlirValue t, MlirValue *out) {
  static const double near[4] = {1.25, -2.25, 0, 1}, far[4] = {-0.75, 3.75, -6, 3};
  const MlirValue one = be_in_scalar(body, dtype, 1);
  const MlirValue rest = BE_IN(body, "arith.subf", same, one, t);
  const MlirValue distances[4] = {BE_IN(body, "arith.addf", same, t, one), t, rest,
                                  BE_IN(body, "arith.addf", same, rest, one)};
  for (size_t i = 0; i < 4; ++i) {
    const double *coefficients = i == 1 || i == 2 ? near : far;
    out[i] = be_in_scalar(body, dtype, coefficients[0]);
    for (size_t k = 1; k < 4; ++k) {
      const MlirValue c = be_in_scalar(body, dtype, coefficients[k]);
      /* the second of them with one rounding, as PyTorch's kernels are compiled */
      out[i] = k == 2 ? BE_IN(body, "math.fma", same, out[i], distances[i], c)
                      : BE_IN(body, "arith.addf", same,
                              BE_IN(body, "arith.mulf", same, out[i], distances[i]), c);
    }
  }
}

static taps cubic_taps(const be_body *body, const resampling *r, uint32_t d) {
  const uint32_t axis = r->n_lead + d;
  const MlirValue at = source_of(body, r, axis, step_of(body, r, d));
  const MlirValue whole = BE_IN(body, "math.floor", same, at);
  taps out = {.n = 4};
  la_cubic_weights(body, r->wide, BE_IN(body, "arith.subf", same, at, whole), out.weight);
  for (int64_t i = 0; i < 4; ++i) {
    const MlirValue tap = la_index_add(body, as_index(body, whole), be_in_index(body, i - 1));
    const MlirValue low = BE_IN(body, "arith.maxsi", same, tap, be_in_index(body, 0));
    out.at[i] = BE_IN(body, "arith.minsi", same, low, last_of(body, r, axis));
  }
  return out;
}

/* ---- Linear and cubic ---- */

static MlirValue interpolated(const be_body *body, const MlirValue *elements, void *user) {
  const pass *p = user;
  const resampling *r = p->r;
  const taps along = (r->row->is_cubic ? cubic_taps : linear_taps)(body, r, p->d);
  MlirValue at[BE_MAX_RANK], sum = {NULL};
  (void)elements;
  for (uint32_t d = 0; d < r->from->rank; ++d) at[d] = be_in_loop(body, d);
  for (size_t i = 0; i < along.n; ++i) {
    at[r->n_lead + p->d] = along.at[i];
    const MlirValue element =
        be_in_cast(body, la_element(body, p->value, p->from, at, r->from->rank), p->from, r->wide);
    const MlirValue part = BE_IN(body, "arith.mulf", same, element, along.weight[i]);
    sum = i == 0 ? part : BE_IN(body, "arith.addf", same, sum, part);
  }
  return be_in_cast(body, sum, r->wide, p->to);
}

/* self, output_size, and of linear and cubic ones align_corners; scales */
buddy_code la_emit_resample(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  resampling r;
  uint32_t order[MAX_SPATIAL] = {0};
  int64_t dims[BE_MAX_RANK];
  const buddy_code code = read_resampling(call, self->user, &r);
  if (code != BUDDY_OK) return code;
  order_of(&r, order);
  for (uint32_t d = 0; d < r.from->rank; ++d) dims[d] = r.from->dims[d];
  pass p = {.r = &r, .value = r.value, .from = r.from->dtype};
  for (uint32_t i = 0; i < r.row->n_spatial; ++i) {
    const bool is_last = i + 1 == r.row->n_spatial;
    p.d = order[i];
    p.to = is_last || r.row->align_arg == 0 ? r.to->dtype : r.wide;
    dims[r.n_lead + p.d] = r.to->dims[r.n_lead + p.d];
    const buddy_tensor_type type = {p.to, r.from->rank, dims};
    p.value = r.row->align_arg == 0 ? la_rearranged(call, p.value, &type, type.rank, nearest, &p)
                                    : be_elementwise(call, &type, NULL, NULL, 0, interpolated, &p);
    p.from = p.to;
  }
  return be_result(call, 0, p.value);
}
