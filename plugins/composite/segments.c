// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/segments.c: reductions over consecutive pieces of a dim, whose lengths or ends
 * a tensor tells. Each element is told its segment, and scattered into it; what belongs to none
 * goes to one before the first or after the last, which are left out again. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

enum { DATA, REDUCE, LENGTHS, OFFSETS, AXIS, INITIAL, UNSAFE };

typedef struct reduction {
  const char *name, *scattered; /* as scatter_reduce calls it */
  double start;
} reduction;

static const reduction *find_reduction(buddy_call *call) {
  static const reduction all[] = {{"sum", "sum", 0},
                                  {"mean", "sum", 0},
                                  {"prod", "prod", 1},
                                  {"max", "amax", -INFINITY},
                                  {"min", "amin", INFINITY}};
  const buddy_arg *name = be_arg(call, REDUCE);
  for (size_t i = 0; i < sizeof(all) / sizeof(*all); ++i) {
    if (name->kind == BUDDY_ARG_STRING && !strcmp(all[i].name, name->as.string)) return &all[i];
  }
  return NULL;
}

typedef struct segments {
  uint32_t axis;
  int64_t n, n_before; /* segments of the result; 1 where there is room before the first */
  value ends, lengths; /* [batch…, n_before + n], [batch…, n] */
} segments;

/* The dims before the axis are those of the data, under whichever symbols. */
static int read_segments(buddy_call *call, const buddy_tensor_type *data, uint32_t axis,
                         segments *out) {
  const bool has_lengths = !be_is_none(call, LENGTHS);
  value told = cp_cast(call, be_arg_value(call, has_lengths ? LENGTHS : OFFSETS), BUDDY_I64);
  const buddy_tensor_type *type = cp_type(call, told);
  if (!type || type->rank != axis + 1) return 0;
  const int64_t n = type->dims[axis];
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, data->dims, axis * sizeof(*dims));
  dims[axis] = n;
  told = cp_view(call, told, axis + 1, dims);
  if (!(type = cp_type(call, told))) return 0;
  *out = (segments){.axis = axis, .n = n, .ends = told, .lengths = told};
  if (has_lengths) {
    if (!be_bool(call, UNSAFE)) {
      value all = cp_sum(call, told, UINT64_C(1) << axis, 0);
      value is_all = cp_dim(call, "aten.eq.Tensor", all, data->dims[axis]);
      told = cp_checked(call, told, cp_number(call, "aten.ge.Tensor", told, 0),
                        "a length of segment_reduce is negative");
      told = cp_checked(call, told, is_all,
                        "the lengths of segment_reduce do not come to the size of the axis");
      if (!told) return 0;
      out->lengths = told;
    }
    out->ends = BE_NODE(call, "aten.cumsum.default", type, be_t("self", told), be_i("dim", axis));
    return out->ends != NULL;
  }
  out->n = be_dim(call, BUDDY_DIM_SUB, n, 1);
  out->n_before = 1;
  out->lengths = cp_sub(call, cp_slice(call, told, axis, 1, out->n, 1),
                        cp_slice(call, told, axis, 0, out->n, 1));
  return out->lengths != NULL;
}

/* Along the axis of data: dims after it are 1. */
static value beside(buddy_call *call, value a, uint32_t rank) {
  int64_t dims[BE_MAX_RANK];
  const buddy_tensor_type *type = cp_type(call, a);
  for (uint32_t d = 0; type && d < rank; ++d) dims[d] = d < type->rank ? type->dims[d] : 1;
  return cp_view(call, a, rank, dims);
}

/* Which segment each element along the axis is in. */
static value segment_of_each(buddy_call *call, const segments *s, const buddy_tensor_type *data) {
  const buddy_tensor_type *type = be_type(call, BUDDY_I64, s->axis + 1, data->dims);
  value position = cp_iota(call, data->dims[s->axis], BUDDY_I64);
  if (!type) return NULL;
  position = cp_expand(call, position, type->rank, type->dims);
  return position
             ? BE_NODE(call, "aten.searchsorted.Tensor", type, be_t("sorted_sequence", s->ends),
                       be_t("self", position), be_b("right", 1))
             : NULL;
}

/* An empty segment has no mean, but for an initial value, which is not divided. */
static value mean_of(buddy_call *call, const segments *s, value sum) {
  const buddy_tensor_type *type = cp_type(call, sum);
  value lengths = beside(call, s->lengths, type ? type->rank : 0);
  value is_empty = cp_number(call, "aten.eq.Tensor", lengths, 0);
  if (!type || !lengths) return NULL;
  value mean = cp_div(call, sum, cp_cast(call, lengths, type->dtype));
  value nothing = cp_full(call, be_type(call, type->dtype, 0, NULL), be_float(call, INITIAL, NAN));
  return cp_where(call, is_empty, nothing, mean);
}

/* data, reduce, lengths, offsets, axis, initial */
buddy_code cp_op_segment_reduce(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value data = cp_computed(call, DATA);
  const buddy_tensor_type *type = cp_type(call, data);
  const reduction *r = find_reduction(call);
  segments s;
  if (!r || type->rank == 0 || type->rank > BE_MAX_RANK)
    return be_decline(call, "no reduction of this name, or a tensor of rank %u", type->rank);
  const uint32_t axis = (uint32_t)be_axis(call, AXIS, type->rank, 0);
  if (!read_segments(call, type, axis, &s))
    return be_decline(call, "lengths or offsets whose dims are not those up to the axis");
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[axis] = be_dim(call, BUDDY_DIM_ADD, s.n, 1 + s.n_before);
  value index = beside(call, segment_of_each(call, &s, type), type->rank);
  index = cp_expand(call, index, type->rank, type->dims);
  const buddy_tensor_type *roomy = be_type(call, type->dtype, type->rank, dims);
  value base = cp_full(call, roomy, be_float(call, INITIAL, r->start));
  if (!index || !base) return cp_finish(call, NULL);
  value result = BE_NODE(call, "aten.scatter_reduce.two", roomy, be_t("self", base),
                         be_i("dim", axis), be_t("index", index), be_t("src", data),
                         be_s("reduce", r->scattered), be_b("include_self", 1));
  result = cp_slice(call, result, axis, s.n_before, s.n, 1);
  return cp_finish(call, strcmp(r->name, "mean") == 0 ? mean_of(call, &s, result) : result);
}
