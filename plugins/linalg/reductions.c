// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/reductions.c: sum, product, extremes, truth, mean, variance, norms. */
#include <math.h>
#include <stdbool.h>

#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

/* ---- Elements and finishes ---- */

static MlirValue size_of(const la_scalars *s) {
  return be_is_float(s->dtype) ? BE_IN(s->body, "math.absf", same, s->at[0]) : s->at[0];
}
static MlirValue squared(const la_scalars *s) {
  return la_apply(s->body, &la_mul, s->dtype, s->at[0], s->at[0]);
}
static MlirValue is_nonzero(const la_scalars *s) {
  const MlirValue is = be_in_compare(s->body, "ne", s->at[0], la_constant(s, 0), s->dtype);
  return be_in_cast(s->body, is, BUDDY_BOOL, s->dtype);
}
static MlirValue squared_deviation(const la_scalars *s) {
  const MlirValue off = la_apply(s->body, &la_sub, s->dtype, s->at[0], s->at[1]);
  return la_apply(s->body, &la_mul, s->dtype, off, off);
}

static MlirValue unless_nan(const la_scalars *s) {
  if (!be_is_float(s->dtype)) return s->at[0];
  const MlirValue is_nan = be_in_compare(s->body, "ne", s->at[0], s->at[0], s->dtype);
  return be_in_select(s->body, is_nan, la_constant(s, 0), s->at[0]);
}

static MlirValue square_root(const la_scalars *s, const void *user) {
  (void)user;
  return BE_IN(s->body, "math.sqrt", same, s->at[0]);
}

/* ---- Rows of one reduction ---- */

#define ROW(name, start_, domain_, combine_, element_, finish_)                            \
  const la_reduce_row la_##name##_all = {start_, domain_, combine_, element_, finish_, 0}; \
  const la_reduce_row la_##name##_dim = {start_, domain_, combine_, element_, finish_, 1}
ROW(sum, LA_FROM_ZERO, LA_RESULT, &la_add, NULL, NULL);
ROW(nansum, LA_FROM_ZERO, LA_RESULT, &la_add, unless_nan, NULL);
ROW(prod, LA_FROM_ONE, LA_RESULT, &la_mul, NULL, NULL);
ROW(mean, LA_FROM_ZERO, LA_RESULT, &la_add, NULL, la_divided_by_count);
ROW(amax, LA_FROM_LOWEST, LA_RESULT, &la_max, NULL, NULL);
ROW(amin, LA_FROM_HIGHEST, LA_RESULT, &la_min, NULL, NULL);
ROW(any, LA_FROM_ZERO, LA_BOOL, &la_or, NULL, NULL);
ROW(every, LA_FROM_ONE, LA_BOOL, &la_and, NULL, NULL);

buddy_code la_emit_reduce(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_reduce_row *row = self->user;
  const buddy_tensor_type *type = be_arg_type(call, 0), *to = be_result_type(call, 0);
  la_ignore(call, 1, be_host->n_args(call) - 1); /* keepdim and dtype: the result's type has them */
  uint64_t axes = row->axes_arg != 0 ? be_axes(call, row->axes_arg, type->rank)
                                     : (UINT64_C(1) << type->rank) - 1;
  const buddy_arg *dims = be_arg(call, row->axes_arg);
  if (row->domain == LA_BOOL && dims->kind == BUDDY_ARG_INTS && dims->n == 0) {
    axes = 0; /* any and all of an empty list of dims, unlike the others, reduce nothing */
  }
  const buddy_dtype dtype = row->domain == LA_BOOL ? BUDDY_BOOL : la_opmath(to->dtype);
  const la_reduction r = {.value = be_tensor(call, 0),
                          .type = type,
                          .axes = axes,
                          .dtype = dtype,
                          .start = row->start,
                          .combine = row->combine,
                          .element = row->element};
  const int64_t count = la_count(call, type, axes);
  const buddy_tensor_type *kept = la_kept(call, type, axes, dtype);
  return be_result(call, 0, la_finished(call, la_reduce(call, &r), kept, to, row->finish, &count));
}

/* ---- Norms ---- */

static MlirValue powered(const la_scalars *s) {
  const MlirValue size = BE_IN(s->body, "math.absf", same, s->at[0]);
  return BE_IN(s->body, "math.powf", same, size, la_number(s, 1, 2));
}

static MlirValue rooted(const la_scalars *s, const void *user) {
  const double *order = user;
  return BE_IN(s->body, "math.powf", same, s->at[0], la_constant(s, 1 / *order));
}

/* The (order)-norm as a reduction and its last step. */
static la_finish *norm_of(double order, la_reduction *r) {
  r->start = LA_FROM_ZERO;
  r->combine = &la_add;
  if (isinf(order)) {
    r->start = order > 0 ? LA_FROM_ZERO : LA_FROM_HIGHEST;
    r->combine = order > 0 ? &la_max : &la_min;
  }
  r->element = isinf(order) || order == 1 ? size_of
               : order == 0               ? is_nonzero
               : order == 2               ? squared
                                          : powered;
  return order == 2 ? square_root : r->element == powered ? rooted : NULL;
}

/* self, order, [dim, keepdim, dtype]; user: non-null if the axes are an argument. */
buddy_code la_emit_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *type = be_arg_type(call, 0), *to = be_result_type(call, 0);
  la_ignore(call, 1, be_host->n_args(call) - 1);
  if (be_is_complex(type->dtype) || !be_is_float(to->dtype)) {
    return be_decline(call, "a norm of other than floats");
  }
  double order = be_float(call, 1, 2);
  const uint64_t axes = self->user ? be_axes(call, 2, type->rank) : (UINT64_C(1) << type->rank) - 1;
  /* That of one number is its size, and no root of a power, however large or small it is. */
  const int64_t count = la_count(call, type, axes);
  if (BUDDY_IS_SYMBOLIC(count) && order != 0 && order != 1 && !isinf(order))
    return be_decline(call, "whether a norm is one of a single number is known only in a run");
  if (count == 1 && order != 0) order = 1;
  la_reduction r = {
      .value = be_tensor(call, 0), .type = type, .axes = axes, .dtype = la_opmath(to->dtype)};
  la_finish *finish = norm_of(order, &r);
  const buddy_tensor_type *kept = la_kept(call, type, axes, r.dtype);
  return be_result(call, 0, la_finished(call, la_reduce(call, &r), kept, to, finish, &order));
}

/* ---- Variance ---- */

/* Which arguments mean what, and what is wanted of it. */
const la_variance la_var_all = {.unbiased_arg = 1}, la_var_dim = {.axes_arg = 1, .unbiased_arg = 2},
                  la_var_correction = {.axes_arg = 1, .correction_arg = 2},
                  la_std_all = {.unbiased_arg = 1, .root = 1},
                  la_std_dim = {.axes_arg = 1, .unbiased_arg = 2, .root = 1},
                  la_std_correction = {.axes_arg = 1, .correction_arg = 2, .root = 1},
                  la_var_mean_all = {.unbiased_arg = 1, .mean = 1},
                  la_var_mean_dim = {.axes_arg = 1, .unbiased_arg = 2, .mean = 1},
                  la_var_mean_correction = {.axes_arg = 1, .correction_arg = 2, .mean = 1},
                  la_std_mean_all = {.unbiased_arg = 1, .root = 1, .mean = 1},
                  la_std_mean_dim = {.axes_arg = 1, .unbiased_arg = 2, .root = 1, .mean = 1},
                  la_std_mean_correction = {
                      .axes_arg = 1, .correction_arg = 2, .root = 1, .mean = 1};

typedef struct spread {
  int64_t count;
  double correction;
  int root;
} spread;

/* sum / max(0, count - correction), and its root for the standard deviation */
static MlirValue spread_of(const la_scalars *s, const void *user) {
  const spread *v = user;
  const MlirValue count = la_count_scalar(s, v->count), zero = la_constant(s, 0);
  const MlirValue less = la_apply(s->body, &la_sub, s->dtype, count, la_constant(s, v->correction));
  MlirValue divisor = la_apply(s->body, &la_max, s->dtype, less, zero);
  if (v->correction < 0) { /* nothing has no variance */
    const MlirValue is_none = be_in_compare(s->body, "eq", count, zero, s->dtype);
    divisor = be_in_select(s->body, is_none, zero, divisor);
  }
  const MlirValue variance = la_divide(s->body, s->dtype, s->at[0], divisor);
  return v->root ? BE_IN(s->body, "math.sqrt", same, variance) : variance;
}

static double correction_of(buddy_call *call, const la_variance *row) {
  if (row->correction_arg != 0) return be_float(call, row->correction_arg, 1);
  return be_is_none(call, row->unbiased_arg) || be_bool(call, row->unbiased_arg) ? 1 : 0;
}

buddy_code la_emit_variance(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_variance *row = self->user;
  const buddy_tensor_type *type = be_arg_type(call, 0), *to = be_result_type(call, 0);
  la_ignore(call, 1, be_host->n_args(call) - 1);
  const uint64_t axes = row->axes_arg != 0 ? be_axes(call, row->axes_arg, type->rank)
                                           : (UINT64_C(1) << type->rank) - 1;
  /* Far from zero, what deviates is beyond the digits that a mean in f32 has left. */
  const buddy_dtype dtype = to->dtype == BUDDY_F32 ? BUDDY_F64 : la_opmath(to->dtype);
  const spread v = {la_count(call, type, axes), correction_of(call, row), row->root};
  const buddy_tensor_type *kept = la_kept(call, type, axes, dtype);
  la_reduction r = {
      .value = be_tensor(call, 0), .type = type, .axes = axes, .dtype = dtype, .combine = &la_add};
  const MlirValue mean =
      la_finished(call, la_reduce(call, &r), kept, kept, la_divided_by_count, &v.count);
  r.centre = mean;
  r.element = squared_deviation;
  const buddy_code code =
      be_result(call, 0, la_finished(call, la_reduce(call, &r), kept, to, spread_of, &v));
  if (code != BUDDY_OK || !row->mean) return code;
  return be_result(call, 1, la_finished(call, mean, kept, be_result_type(call, 1), NULL, NULL));
}

/* ---- Where the extreme is ---- */

typedef struct search {
  buddy_dtype dtype, at; /* of elements, and of the indices that are compared */
  uint32_t axis;
} search;

/* Vectors hold twice as many indices of 32 bits, and these all that is in memory of known sizes. */
static buddy_dtype index_dtype(const buddy_tensor_type *type, uint32_t axis) {
  const int64_t n = type->dims[axis];
  return BUDDY_IS_SYMBOLIC(n) || n >= INT32_MAX ? BUDDY_I64 : BUDDY_I32;
}

/* The lowest index whose element is the extreme; NaN is the extreme wherever there is one. */
static MlirValue first_match(const be_body *body, const MlirValue *elements, void *user) {
  const search *f = user;
  const buddy_dtype wide = la_opmath(f->dtype);
  const MlirValue element = be_in_cast(body, elements[0], f->dtype, wide);
  MlirValue matches = be_in_compare(body, "eq", element, elements[1], wide);
  if (be_is_float(wide)) {
    const MlirValue is_nan = be_in_compare(body, "ne", element, element, wide);
    matches = BE_IN(body, "arith.ori", same, matches, is_nan);
  }
  const MlirValue index =
      be_in_cast(body, la_as_i64(body, be_in_loop(body, f->axis)), BUDDY_I64, f->at);
  const MlirValue candidate = be_in_select(body, matches, index, la_above_indices(body, f->at));
  return BE_IN(body, "arith.minsi", same, elements[2], candidate);
}

static MlirValue index_of(buddy_call *call, const la_reduction *r, MlirValue extreme,
                          uint32_t axis) {
  const buddy_dtype at = index_dtype(r->type, axis);
  const buddy_tensor_type *kept = la_kept(call, r->type, r->axes, at);
  const buddy_tensor_type *types[2] = {r->type, la_kept(call, r->type, r->axes, r->dtype)};
  const MlirValue inputs[2] = {r->value, extreme};
  const be_map maps[2] = {be_map_identity(r->type->rank), la_kept_map(r->type->rank, r->axes)};
  search f = {r->type->dtype, at, axis};
  const be_body block = {call, buddy_mlir_block(call)};
  if (!kept || !types[1]) return no_value;
  const be_generic spec = {.n_loops = r->type->rank,
                           .reductions = (uint32_t)r->axes,
                           .n_inputs = 2,
                           .inputs = inputs,
                           .input_types = types,
                           .input_maps = maps,
                           .init = be_filled(call, kept, la_above_indices(&block, at)),
                           .output_type = kept,
                           .output_map = maps[1],
                           .body = first_match,
                           .user = &f};
  return be_linalg_generic(call, &spec);
}

static la_reduction extreme_of(const la_extreme *row, MlirValue value,
                               const buddy_tensor_type *type, uint32_t axis) {
  return (la_reduction){.value = value,
                        .type = type,
                        .axes = type->rank == 0 ? 0 : UINT64_C(1) << axis,
                        .dtype = la_opmath(type->dtype),
                        .start = row->is_min ? LA_FROM_HIGHEST : LA_FROM_LOWEST,
                        .combine = row->is_min ? &la_min : &la_max};
}

/* One element, at position 0, is its own extreme. */
static buddy_code extreme_of_scalar(buddy_call *call, bool has_value) {
  size_t i = 0;
  if (has_value) {
    const buddy_code code = be_result(call, i++, be_tensor(call, 0));
    if (code != BUDDY_OK) return code;
  }
  return be_result(call, i, be_splat_int(call, be_result_type(call, i), 0));
}

/* argmax, argmin: self, dim (None: of all elements in a row), keepdim; max.dim, min.dim: value and
 * index. */
buddy_code la_emit_extreme(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_extreme *row = self->user;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  la_ignore(call, 1, be_host->n_args(call) - 1);
  if (type->rank == 0) return extreme_of_scalar(call, row->has_value);
  MlirValue value = be_tensor(call, 0);
  const int64_t axis = be_axis(call, 1, type->rank, -1);
  if (axis < 0) {
    const int64_t n = be_n_elements(call, type);
    const buddy_tensor_type *flat = be_type(call, type->dtype, 1, &n);
    value = be_reshape(call, value, type, flat);
    type = flat;
  }
  if (!type) return be_result(call, 0, no_value);
  const uint32_t along = axis < 0 ? 0 : (uint32_t)axis;
  const la_reduction r = extreme_of(row, value, type, along);
  const MlirValue extreme = la_reduce(call, &r);
  const MlirValue index = index_of(call, &r, extreme, along);
  const buddy_tensor_type *kept = la_kept(call, type, r.axes, r.dtype);
  size_t i = 0;
  if (row->has_value) {
    const buddy_code code =
        be_result(call, i, la_finished(call, extreme, kept, be_result_type(call, i), NULL, NULL));
    if (code != BUDDY_OK) return code;
    ++i;
  }
  const buddy_tensor_type *indices = la_kept(call, type, r.axes, index_dtype(type, along));
  return be_result(call, i, la_finished(call, index, indices, be_result_type(call, i), NULL, NULL));
}

const la_extreme la_max_at = {.has_value = true}, la_min_at = {.is_min = true, .has_value = true},
                 la_argmax = {0}, la_argmin = {.is_min = true};
