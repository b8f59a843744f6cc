// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/scatter.c: writes to positions that index tensors name.
 *
 * Which positions are written is known only when the program runs, and several writes may meet in
 * one, so these are loops (scf.for) over the elements written, in PyTorch's order: the last one
 * stays where no reduction is asked for. */
#include <stdbool.h>
#include <string.h>

#include "plugins/linalg/indexing.h"
#include "plugins/linalg/rows.h"
#include "plugins/linalg/spread.h"

static const MlirValue no_value = {NULL};

/* ---- One write ---- */

static const la_names *names_of(la_combine combine) {
  static const la_names *const names[] = {[LA_SUM] = &la_add,     [LA_PRODUCT] = &la_mul,
                                          [LA_MAXIMUM] = &la_max, [LA_MINIMUM] = &la_min,
                                          [LA_MEAN] = NULL,       [LA_NAMED] = NULL};
  return names[combine];
}

/* Sums and products of many short floats are kept in f32 and rounded once, as in PyTorch's kernels of the usual
 * layouts: the type that is written to. */
static const buddy_tensor_type *kept_type(buddy_call *call, la_combine combine,
                                          const buddy_tensor_type *to) {
  const bool is_sum = combine == LA_SUM || combine == LA_PRODUCT || combine == LA_MEAN;
  return is_sum && be_is_float(to->dtype) ? be_with_dtype(call, to, la_opmath(to->dtype)) : to;
}

/* self, to be written to */
static MlirValue kept_self(buddy_call *call, const buddy_tensor_type *kept) {
  return la_cast(call, be_tensor(call, 0), be_result_type(call, 0), kept->dtype);
}

static buddy_code give_kept(buddy_call *call, const buddy_tensor_type *kept, MlirValue value) {
  return be_result(call, 0, la_cast(call, value, kept, be_result_type(call, 0)->dtype));
}

/* What is there, combined with `value`, both of `dtype`. */
static MlirValue combined(const be_body *body, la_combine combine, buddy_dtype dtype,
                          MlirValue into, const MlirValue *at, uint32_t rank, MlirValue value) {
  if (combine == LA_REPLACE) return la_write(body, value, into, at, rank);
  const buddy_dtype wide = la_opmath(dtype);
  const MlirValue old = be_in_cast(body, la_element(body, into, dtype, at, rank), dtype, wide);
  const MlirValue both =
      la_apply(body, names_of(combine), wide, old, be_in_cast(body, value, dtype, wide));
  return la_write(body, be_in_cast(body, both, wide, dtype), into, at, rank);
}

/* The value that changes nothing. */
static MlirValue neutral(const be_body *body, la_combine combine, buddy_dtype dtype) {
  if (combine == LA_MAXIMUM) return la_lowest(body, dtype);
  if (combine == LA_MINIMUM) return la_highest(body, dtype);
  return be_in_scalar_int(body, dtype, combine == LA_PRODUCT);
}

/* A number or 0-d or whole tensor argument as an element of `dtype` at a position. */
typedef struct operand {
  MlirValue tensor; /* null: a number */
  const buddy_tensor_type *type;
  size_t arg;
} operand;

static operand operand_of(buddy_call *call, size_t arg) {
  const buddy_tensor_type *type = be_arg_type(call, arg);
  return (operand){type ? be_tensor(call, arg) : no_value, type, arg};
}

static MlirValue element_of(const be_body *body, const operand *x, const MlirValue *at,
                            buddy_dtype dtype) {
  if (!x->type) {
    const la_scalars s = {body, dtype, NULL};
    return la_number(&s, x->arg, 0);
  }
  const MlirValue element = la_element(body, x->tensor, x->type->dtype, at, x->type->rank);
  return be_in_cast(body, element, x->type->dtype, dtype);
}

/* ---- scatter, at each position of the index tensor; index_add and its kin, by whole slices ---- */

typedef struct scattering {
  const la_scatter *row;
  const buddy_tensor_type *to, *index_type; /* as it was given */
  la_repeated index;
  operand source;
  uint32_t axis;
  la_combine combine;
  bool clears; /* write the neutral value instead */
} scattering;

/* Where the element at a position of the loops is written. The index is read in the innermost loop
 * that it depends on: once for all elements of a slice. */
static void scatter_position(const be_body *body, const scattering *s, const MlirValue *at,
                             MlirValue *target) {
  const uint32_t rank = s->to->rank, n_loops = s->row->by_slices ? rank : s->index_type->rank;
  for (uint32_t d = 0; d < rank && d < n_loops; ++d) target[d] = at[d];
  if (rank == 0) return;
  int innermost = -1;
  for (uint32_t d = 0; d < s->index.type->rank; ++d) {
    if (s->index.loops[d] > innermost) innermost = s->index.loops[d];
  }
  const be_body where = innermost >= 0 ? la_loop_body(body, at[innermost]) : *body;
  MlirValue place[BE_MAX_RANK];
  for (uint32_t d = 0; d < s->index.type->rank; ++d)
    place[d] = s->index.loops[d] >= 0 ? at[s->index.loops[d]] : be_in_index(&where, 0);
  const buddy_dtype dtype = s->index.type->dtype;
  const MlirValue index = la_element(&where, s->index.value, dtype, place, s->index.type->rank);
  const MlirValue size = be_in_index(&where, s->to->dims[s->axis]);
  target[s->axis] = la_index_of(&where, index, dtype, size, s->row->wraps);
}

static MlirValue scattered_value(const be_body *body, const scattering *s, const MlirValue *at) {
  const buddy_dtype dtype = s->to->dtype, wide = la_opmath(dtype);
  if (s->clears) return neutral(body, s->combine, dtype);
  const MlirValue value = element_of(body, &s->source, at, dtype);
  if (s->row->alpha_arg == 0) return value;
  const la_scalars scalars = {body, wide, NULL};
  const MlirValue scaled = la_apply(body, &la_mul, wide, la_number(&scalars, s->row->alpha_arg, 1),
                                    be_in_cast(body, value, dtype, wide));
  return be_in_cast(body, scaled, wide, dtype);
}

static void scatter_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const scattering *s = user;
  MlirValue target[BE_MAX_RANK];
  scatter_position(body, s, at, target);
  carried[0] = combined(body, s->clears ? LA_REPLACE : s->combine, s->to->dtype, carried[0], target,
                        s->to->rank, scattered_value(body, s, at));
}

const la_scatter la_scatter_plain = {.combine = LA_REPLACE}, la_scatter_sum = {.combine = LA_SUM},
                 la_scatter_named = {.reduce_arg = 4, .combine = LA_NAMED},
                 la_scatter_reduce = {.reduce_arg = 4, .include_self_arg = 5, .combine = LA_NAMED};
const la_scatter la_index_adds = {.by_slices = true, .alpha_arg = 4, .combine = LA_SUM},
                 la_index_copies = {.by_slices = true, .combine = LA_REPLACE},
                 la_index_fills = {.by_slices = true, .wraps = true, .combine = LA_REPLACE},
                 la_index_reduces = {.by_slices = true,
                                     .reduce_arg = 4,
                                     .include_self_arg = 5,
                                     .combine = LA_NAMED};

static la_combine named_combine(const buddy_arg *arg) {
  static const struct {
    const char *name;
    la_combine combine;
  } names[] = {{"sum", LA_SUM},          {"add", LA_SUM},      {"prod", LA_PRODUCT},
               {"multiply", LA_PRODUCT}, {"amax", LA_MAXIMUM}, {"amin", LA_MINIMUM},
               {"mean", LA_MEAN},        {"", LA_REPLACE}};
  for (size_t i = 0; arg->kind == BUDDY_ARG_STRING && i < sizeof(names) / sizeof(names[0]); ++i) {
    if (strcmp(arg->as.string, names[i].name) == 0) return names[i].combine;
  }
  return arg->kind == BUDDY_ARG_NONE ? LA_REPLACE : LA_NAMED;
}

/* ---- The mean: sums and counts, then one by the other ---- */

typedef struct averaging {
  buddy_dtype dtype;
  int64_t own; /* 1 if the element that was there counts */
} averaging;

/* elements: the sum, the count of what was added, the element that was there */
static MlirValue average(const be_body *body, const MlirValue *elements, void *user) {
  const averaging *a = user;
  const MlirValue none = be_in_scalar_int(body, BUDDY_I64, 0);
  const MlirValue is_untouched = be_in_compare(body, "eq", elements[1], none, BUDDY_I64);
  const MlirValue count = BE_IN(body, "arith.addi", (MlirType){NULL}, elements[1],
                                be_in_scalar_int(body, BUDDY_I64, a->own));
  const buddy_dtype wide = la_opmath(a->dtype);
  const MlirValue sum = be_in_cast(body, elements[0], a->dtype, wide),
                  divisor = be_in_cast(body, count, BUDDY_I64, wide);
  MlirValue mean = la_divide(body, wide, sum, divisor);
  if (!be_is_float(wide) && !be_is_unsigned(wide) && !be_is_complex(wide)) {
    /* of integers: rounded down */
    const MlirValue rest = la_modulo(body, wide, sum, divisor);
    const MlirValue is_below =
        be_in_compare(body, "lt", rest, be_in_scalar_int(body, wide, 0), wide);
    const MlirValue lower =
        BE_IN(body, "arith.subi", (MlirType){NULL}, mean, be_in_scalar_int(body, wide, 1));
    mean = be_in_select(body, is_below, lower, mean);
  }
  return be_in_select(body, is_untouched, elements[2], be_in_cast(body, mean, wide, a->dtype));
}

/* carried: the counts */
static void count_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  scattering s = *(const scattering *)user;
  MlirValue target[BE_MAX_RANK];
  scatter_position(body, &s, at, target);
  carried[0] = combined(body, LA_SUM, BUDDY_I64, carried[0], target, s.to->rank,
                        be_in_scalar_int(body, BUDDY_I64, 1));
}

static buddy_code scatter_mean(buddy_call *call, scattering *s, const la_nest *writing,
                               MlirValue sum, bool includes_self) {
  const buddy_tensor_type *count_type = be_with_dtype(call, s->to, BUDDY_I64);
  if (!count_type) return be_result(call, 0, no_value);
  MlirValue count = be_filled(call, count_type, be_scalar_int(call, BUDDY_I64, 0));
  const be_body block = la_block(call);
  la_nest counting = *writing;
  counting.step = count_one;
  la_run_nest(&block, writing, &sum);
  la_run_nest(&block, &counting, &count);
  const MlirValue inputs[3] = {sum, count, kept_self(call, s->to)};
  const buddy_tensor_type *types[3] = {s->to, count_type, s->to};
  averaging a = {s->to->dtype, includes_self};
  return give_kept(call, s->to, be_elementwise(call, s->to, inputs, types, 3, average, &a));
}

/* ---- What is checked, and the loops ---- */

static void check_places(buddy_call *call, const scattering *s) {
  int64_t n = 1; /* elements to each index that is read */
  for (uint32_t d = 0; d < s->index_type->rank; ++d) {
    bool is_read = false;
    for (uint32_t k = 0; k < s->index.type->rank; ++k) is_read |= s->index.loops[k] == (int)d;
    if (!is_read) n = be_dim(call, BUDDY_DIM_MUL, n, s->index_type->dims[d]);
  }
  la_check_fits(call, s->index_type, s->to, s->axis);
  if (s->source.type && s->source.type->rank > 0)
    la_check_fits(call, s->index_type, s->source.type, -1);
  la_check_indices(call, s->index.value, s->index.type, s->to->dims[s->axis], 0, n);
}

/* index_add of a matrix without elements looks at no index, index_copy and index_fill where their slices
 * have none; index_reduce at all. */
static void check_slices(buddy_call *call, const scattering *s) {
  const int64_t size = s->to->rank > 0 ? s->to->dims[s->axis] : 1;
  int64_t n = s->combine == LA_SUM && s->to->rank > 1 ? size : 1;
  for (uint32_t d = 0; d < s->to->rank; ++d) {
    if (d != s->axis) n = be_dim(call, BUDDY_DIM_MUL, n, s->to->dims[d]);
  }
  if (s->row->reduce_arg > 0) n = 1;
  la_check_indices(call, s->index.value, s->index.type, size, s->row->wraps, n);
}

/* A 0-d tensor is written to as one of one element. */
static uint32_t slice_ends(buddy_call *call, const scattering *s, MlirValue *ends) {
  const uint32_t rank = la_ends(call, s->to, ends);
  int64_t n = s->index_type->rank == 0 ? 1 : s->index_type->dims[0];
  if (rank > 0) /* none is used where there is nothing along the axis */
    n = be_dim(call, BUDDY_DIM_MIN, n, be_dim(call, BUDDY_DIM_MUL, n, s->to->dims[s->axis]));
  ends[s->axis] = be_index(call, n);
  return rank > 0 ? rank : 1;
}

/* self, dim, index, src or value[, alpha or reduce[, include_self]] */
buddy_code la_emit_scatter(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_scatter *row = self->user;
  const buddy_tensor_type *to = be_result_type(call, 0);
  scattering s = {.row = row,
                  .to = to,
                  .index_type = be_arg_type(call, 2),
                  .source = operand_of(call, 3),
                  .axis = (uint32_t)be_axis(call, 1, to->rank, 0),
                  .combine = row->combine};
  s.index = row->by_slices ? (la_repeated){be_tensor(call, 2), s.index_type, {(int8_t)s.axis}}
                           : la_find_repeated(call, be_tensor(call, 2), s.index_type);
  if (to->rank > BE_MAX_RANK || s.index_type->rank > BE_MAX_RANK)
    return be_decline(call, "more than %d dims", BE_MAX_RANK);
  if (s.combine == LA_NAMED) s.combine = named_combine(be_arg(call, row->reduce_arg));
  if (s.combine == LA_NAMED)
    return be_decline(call, "the reduction \"%s\"", be_arg(call, row->reduce_arg)->as.string);
  if (be_is_complex(to->dtype) && (s.combine == LA_MAXIMUM || s.combine == LA_MINIMUM))
    return be_decline(call, "an extreme of complex numbers");
  const bool includes_self = row->include_self_arg == 0 || be_bool(call, row->include_self_arg);
  /* An index of nothing may be of any rank: no place follows from it. */
  if (!row->by_slices && la_is_empty(s.index_type)) return be_result(call, 0, be_tensor(call, 0));
  if (row->by_slices) {
    check_slices(call, &s);
  } else if (to->rank > 0) {
    check_places(call, &s);
  }
  s.to = kept_type(call, s.combine, to);
  if (!s.to) return be_result(call, 0, no_value);
  const bool is_mean = s.combine == LA_MEAN;
  if (is_mean) s.combine = LA_SUM;
  MlirValue ends[BE_MAX_RANK], carried = kept_self(call, s.to);
  const uint32_t n =
      row->by_slices ? slice_ends(call, &s, ends) : la_ends(call, s.index_type, ends);
  const be_body block = la_block(call);
  const la_nest nest = {n, ends, 1, scatter_one, &s};
  if (!includes_self && s.combine != LA_REPLACE) {
    s.clears = true;
    la_run_nest(&block, &nest, &carried);
    s.clears = false;
  }
  if (is_mean) return scatter_mean(call, &s, &nest, carried, includes_self);
  la_run_nest(&block, &nest, &carried);
  return give_kept(call, s.to, carried);
}

/* ---- index_put ---- */

/* A mask by which the value is chosen: the value does not depend on which of the true elements it
 * is. */
static MlirValue choose_masked(const be_body *body, const MlirValue *elements, void *user) {
  const buddy_dtype *dtypes =
      user; /* of self, of the mask, of the values; whether they are added */
  const buddy_dtype wide = la_opmath(dtypes[0]);
  MlirValue value = be_in_cast(body, elements[2], dtypes[2], dtypes[0]);
  if (dtypes[3]) {
    const MlirValue old = be_in_cast(body, elements[0], dtypes[0], wide);
    value = be_in_cast(body,
                       la_apply(body, &la_add, wide, old, be_in_cast(body, value, dtypes[0], wide)),
                       wide, dtypes[0]);
  }
  return be_in_select(body, be_in_cast(body, elements[1], dtypes[1], BUDDY_BOOL), value,
                      elements[0]);
}

/* self[mask] = values, where the values broadcast over the true elements: a linalg.generic over
 * self. */
static buddy_code put_masked(buddy_call *call, const la_indices *indices, int adds) {
  const la_index *mask = &indices->items[0];
  const buddy_tensor_type *to = be_result_type(call, 0), *values = be_arg_type(call, 2);
  const MlirValue inputs[3] = {be_tensor(call, 0), mask->value, be_tensor(call, 2)};
  const buddy_tensor_type *types[3] = {to, mask->type, values};
  be_map maps[3] = {be_map_identity(to->rank), be_map_identity(mask->type->rank), {{0}}};
  for (uint32_t d = 0; d < mask->type->rank; ++d) maps[1].loops[d] = (int8_t)(mask->axis + d);
  for (uint32_t d = 0; d < values->rank; ++d) {
    const uint32_t from_right = values->rank - d;
    maps[2].loops[d] = values->dims[d] == 1 ? BE_BROADCAST : (int8_t)(to->rank - from_right);
  }
  buddy_dtype dtypes[4] = {to->dtype, mask->type->dtype, values->dtype, adds};
  const be_generic spec = {.n_loops = to->rank,
                           .n_inputs = 3,
                           .inputs = inputs,
                           .input_types = types,
                           .input_maps = maps,
                           .init = be_empty(call, to),
                           .output_type = to,
                           .output_map = be_map_identity(to->rank),
                           .body = choose_masked,
                           .user = dtypes};
  return be_result(call, 0, be_linalg_generic(call, &spec));
}

/* Do the values have one element, or ones, where the true elements are? Only dims after the mask
 * may be longer, and none where the mask has no dims: PyTorch takes one number then. */
static bool is_masked_fill(const la_indices *indices, const buddy_tensor_type *values, bool adds) {
  const la_index *mask = &indices->items[0];
  if (indices->n != 1 || !mask->is_mask || (adds && mask->type->rank == 0)) return false;
  const uint32_t behind =
      mask->type->rank == 0 ? 0 : indices->source->rank - mask->axis - mask->type->rank;
  for (uint32_t d = 0; d < values->rank; ++d) {
    if (values->rank - d > behind && values->dims[d] != 1) return false;
  }
  return true;
}

typedef struct putting {
  const la_indices *indices;
  const buddy_tensor_type *to;
  operand values;
  uint32_t rank; /* of what is written */
  la_combine combine;
  MlirValue ends[BE_MAX_RANK]; /* of the loops, and the dims that they are of: */
  int64_t dims[BE_MAX_RANK];   /* LA_COUNTED: a number that the run tells */
} putting;

static void put_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const putting *p = user;
  const uint32_t end = p->indices->first_loop + p->indices->index_rank;
  const be_body slice = end > 0 ? la_loop_body(body, at[end - 1]) : *body;
  MlirValue elements[BE_MAX_RANK], target[BE_MAX_RANK], place[BE_MAX_RANK];
  for (size_t i = 0; i < p->indices->n; ++i) {
    const la_index *item = &p->indices->items[i];
    const uint32_t first = end - item->type->rank;
    la_spread_position(&slice, item->type, at + first, p->dims + first, place);
    elements[i] = la_element(&slice, item->value, item->type->dtype, place, item->type->rank);
  }
  la_indexed_position(&slice, p->indices, at, elements, target);
  if (p->values.type) {
    const uint32_t first = p->rank - p->values.type->rank;
    la_spread_position(body, p->values.type, at + first, p->dims + first, place);
  }
  const MlirValue value = element_of(body, &p->values, place, p->to->dtype);
  carried[0] = combined(body, p->combine, p->to->dtype, carried[0], target, p->to->rank, value);
}

/* The ends of the loops: index dims broadcast together, and the dims of self that have no index. */
static void find_ends(buddy_call *call, putting *p) {
  const la_indices *indices = p->indices;
  p->rank = indices->source->rank - (uint32_t)indices->n + indices->index_rank;
  for (uint32_t d = 0; d < indices->source->rank; ++d) {
    if (indices->loop_of[d] >= 0) p->dims[indices->loop_of[d]] = indices->source->dims[d];
  }
  for (uint32_t k = 0; k < indices->index_rank; ++k) {
    int64_t size = 1;
    for (size_t i = 0; i < indices->n; ++i) {
      const buddy_tensor_type *type = indices->items[i].type;
      const uint32_t front = indices->index_rank - type->rank;
      if (k >= front && type->dims[k - front] != 1) size = type->dims[k - front];
    }
    p->dims[indices->first_loop + k] = size;
  }
  const uint32_t last = indices->first_loop + indices->index_rank - 1;
  if (indices->count.ptr) p->dims[last] = LA_COUNTED;
  for (uint32_t d = 0; d < p->rank; ++d) {
    const bool is_count = indices->count.ptr && d == last;
    p->ends[d] = is_count ? indices->count : be_index(call, p->dims[d]);
  }
}

static void check_put(buddy_call *call, const putting *p) {
  const la_indices *indices = p->indices;
  for (size_t i = 0; i < indices->n; ++i) {
    const buddy_tensor_type *type = indices->items[i].type;
    const uint32_t first = indices->first_loop + indices->index_rank - type->rank;
    la_check_spread(call, type, p->ends + first, p->dims + first,
                    "the indices do not broadcast together");
  }
  const buddy_tensor_type *values = p->values.type;
  if (!values) return;
  const uint32_t first = p->rank - values->rank;
  la_check_spread(call, values, p->ends + first, p->dims + first,
                  "the values do not broadcast to as many elements as the indices name");
}

/* index_put: self, indices, values, accumulate */
buddy_code la_emit_index_put(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  la_indices indices;
  const int adds = be_bool(call, 3);
  buddy_code code = la_read_indices(call, 1, to, &indices);
  if (code != BUDDY_OK) return code;
  const operand values = operand_of(call, 2);
  if (values.type && is_masked_fill(&indices, values.type, adds))
    return put_masked(call, &indices, adds);
  code = la_resolve_indices(call, &indices, true);
  if (code != BUDDY_OK) return code;
  putting p = {.indices = &indices, .values = values, .combine = adds ? LA_SUM : LA_REPLACE};
  p.to = kept_type(call, p.combine, to);
  if (!p.to) return be_result(call, 0, no_value);
  MlirValue carried = kept_self(call, p.to);
  find_ends(call, &p);
  if (values.type && values.type->rank > p.rank)
    return be_decline(call, "values of more dims than the indices name");
  check_put(call, &p);
  const be_body block = la_block(call);
  const la_nest nest = {p.rank, p.ends, 1, put_one, &p};
  la_run_nest(&block, &nest, &carried);
  return give_kept(call, p.to, carried);
}

/* ---- masked_scatter: the true elements take those of the source, in order ---- */

typedef struct masking {
  const buddy_tensor_type *to, *mask_type;
  MlirValue mask, source; /* the mask has self's dims, the source is flat */
  int64_t n_source;
  const MlirValue *at;
} masking;

static void take_next(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const masking *m = user;
  (void)at;
  const MlirValue value = la_element(body, m->source, m->to->dtype, &carried[1], 1);
  carried[0] = la_write(body, value, carried[0], m->at, m->to->rank);
  carried[1] = la_index_add(body, carried[1], be_in_index(body, 1));
}

static MlirValue is_masked(const be_body *body, const masking *m, const MlirValue *at) {
  const MlirValue element = la_element(body, m->mask, m->mask_type->dtype, at, m->to->rank);
  return be_in_cast(body, element, m->mask_type->dtype, BUDDY_BOOL);
}

/* carried: how many are true */
static void count_masked(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const MlirValue more = la_index_add(body, carried[0], be_in_index(body, 1));
  carried[0] = be_in_select(body, is_masked(body, user, at), more, carried[0]);
}

static void check_source(buddy_call *call, masking *m, const MlirValue *ends, uint32_t rank) {
  const be_body block = la_block(call);
  MlirValue count = be_index(call, 0);
  const la_nest nest = {rank, ends, 1, count_masked, m};
  la_run_nest(&block, &nest, &count);
  be_assert(call, be_in_compare(&block, "le", count, be_index(call, m->n_source), BUDDY_I64),
            "the source has fewer elements than the mask has true ones");
}

static void visit(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  masking m = *(const masking *)user;
  m.at = at;
  const MlirValue is_true = is_masked(body, &m, at);
  const MlirValue is_left =
      be_in_compare(body, "lt", carried[1], be_in_index(body, m.n_source), BUDDY_I64);
  la_when(body, BE_IN(body, "arith.andi", (MlirType){NULL}, is_true, is_left), 2, carried,
          take_next, &m);
}

/* self, mask, source */
buddy_code la_emit_masked_scatter(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0), *mask = be_arg_type(call, 1),
                          *source = be_arg_type(call, 2);
  if (to->rank > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK);
  const buddy_tensor_type *mask_type = be_with_dtype(call, to, mask->dtype);
  const int64_t n = be_n_elements(call, source);
  const buddy_tensor_type *flat = be_type(call, to->dtype, 1, &n);
  const MlirValue self_value = la_spread(call, be_tensor(call, 0), be_arg_type(call, 0), to);
  masking m = {.to = to,
               .mask_type = mask_type,
               .mask = la_spread(call, be_tensor(call, 1), mask, mask_type),
               .source = be_reshape(call, la_tensor_as(call, 2, to->dtype),
                                    be_with_dtype(call, source, to->dtype), flat),
               .n_source = n};
  MlirValue ends[BE_MAX_RANK], carried[2] = {self_value, be_index(call, 0)};
  const be_body block = la_block(call);
  const la_nest nest = {la_ends(call, to, ends), ends, 2, visit, &m};
  check_source(call, &m, ends, nest.n_loops);
  la_run_nest(&block, &nest, carried);
  return be_result(call, 0, carried[0]);
}

/* ---- diagonal_scatter ---- */

typedef struct diagonal {
  const buddy_tensor_type *to;
  operand source;
  int64_t offset, down, right;
} diagonal;

static void write_diagonal(const be_body *body, const MlirValue *at, MlirValue *carried,
                           void *user) {
  const diagonal *g = user;
  MlirValue target[BE_MAX_RANK];
  uint32_t loop = 0;
  for (int64_t d = 0; d < (int64_t)g->to->rank; ++d) {
    if (d != g->down && d != g->right) target[d] = at[loop++];
  }
  target[g->down] =
      la_index_add(body, at[loop], be_in_index(body, la_negative_part(body->call, g->offset)));
  target[g->right] =
      la_index_add(body, at[loop], be_in_index(body, la_positive_part(body->call, g->offset)));
  carried[0] = la_write(body, element_of(body, &g->source, at, g->to->dtype), carried[0], target,
                        g->to->rank);
}

/* self, src, offset, dim1, dim2 */
buddy_code la_emit_diagonal_scatter(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  diagonal g = {to, operand_of(call, 1), be_size(call, 2, 0), be_axis(call, 3, to->rank, 0),
                be_axis(call, 4, to->rank, 1)};
  if (to->rank > BE_MAX_RANK || !g.source.type)
    return be_decline(call, "a source that is no tensor");
  MlirValue ends[BE_MAX_RANK], carried = be_tensor(call, 0);
  const be_body block = la_block(call);
  const la_nest nest = {la_ends(call, g.source.type, ends), ends, 1, write_diagonal, &g};
  la_run_nest(&block, &nest, &carried);
  return be_result(call, 0, carried);
}
