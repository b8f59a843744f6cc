// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/pooling.c: pools that TOSA's own cannot be: over three dims, with gaps, with padding
 * that is counted or fills a window, with windows of several sizes. One dim after the other, the
 * elements of all windows are taken by a constant and lie beside each other; then they are reduced.
 * The largest is exact; an average is a sum times 1 / count. For orders without others. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "plugins/tosa/rows.h"

const ts_pool ts_largest_1 = {.n = 1, .is_max = true}, ts_largest_2 = {.n = 2, .is_max = true},
              ts_largest_3 = {.n = 3, .is_max = true}, ts_average_1 = {.n = 1},
              ts_average_2 = {.n = 2}, ts_average_3 = {.n = 3},
              ts_adaptive_1 = {.n = 1, .is_adaptive = true},
              ts_adaptive_2 = {.n = 2, .is_adaptive = true},
              ts_adaptive_3 = {.n = 3, .is_adaptive = true};

/* The windows along one dim. */
typedef struct line {
  int64_t in, out, kernel, stride, pad, dilation;
  bool is_adaptive; /* window o is what o and o + 1 of `out` parts of the input enclose */
} line;

static int64_t first_of(const line *l, int64_t o) {
  return l->is_adaptive ? o * l->in / l->out : o * l->stride - l->pad;
}
static int64_t end_of(const line *l, int64_t o) {
  return l->is_adaptive ? ((o + 1) * l->in + l->out - 1) / l->out : l->in;
}

/* Where element k of window o lies; -1: outside. */
static int64_t place_of(const line *l, int64_t o, int64_t k) {
  const int64_t at = first_of(l, o) + k * l->dilation;
  return at < 0 || at >= end_of(l, o) ? -1 : at;
}

static line line_of(buddy_call *call, const ts_pool *pool, uint32_t d) {
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  line l = {.in = from->dims[from->rank - pool->n + d],
            .out = to->dims[to->rank - pool->n + d],
            .dilation = 1,
            .is_adaptive = pool->is_adaptive};
  for (int64_t o = 0; pool->is_adaptive && o < l.out; ++o) {
    const int64_t size = end_of(&l, o) - first_of(&l, o);
    if (size > l.kernel) l.kernel = size;
  }
  if (pool->is_adaptive) return l;
  l.kernel = be_int_at(call, 1, d, 1);
  l.stride = be_int_at(call, 2, d, l.kernel); /* an empty stride is the kernel's size */
  l.pad = be_int_at(call, 3, d, 0);
  if (pool->is_max) l.dilation = be_int_at(call, 4, d, 1);
  return l;
}

/* One element more after, for the places outside. */
static MlirValue filled_behind(buddy_call *call, MlirValue x, const buddy_tensor_type **type,
                               uint32_t dim, double filler) {
  int64_t dims[TS_MAX_RANK];
  const buddy_tensor_type *from = *type;
  memcpy(dims, from->dims, from->rank * sizeof(*dims));
  dims[dim] = 1;
  const MlirValue filling = ts_filled(call, be_type(call, from->dtype, from->rank, dims),
                                      ts_number(call, from->dtype, from->rank, filler));
  dims[dim] = from->dims[dim] + 1;
  *type = be_type(call, from->dtype, from->rank, dims);
  const be_attribute axis[] = {{"axis", be_attr_i32(call, (int32_t)dim)}, {NULL, {NULL}}};
  return BE_OP_ATTRS(call, "tosa.concat", *type, axis, x, filling);
}

/* [.., out * kernel, ..] is [.., out, kernel, ..], whose second is reduced. */
static MlirValue reduced(buddy_call *call, const line *l, uint32_t dim, const char *op, MlirValue x,
                         const buddy_tensor_type **type) {
  int64_t dims[TS_MAX_RANK];
  const buddy_tensor_type *from = *type;
  memcpy(dims, from->dims, dim * sizeof(*dims));
  memcpy(dims + dim + 2, from->dims + dim + 1, (from->rank - dim - 1) * sizeof(*dims));
  dims[dim] = l->out;
  dims[dim + 1] = l->kernel;
  const buddy_tensor_type *apart = be_type(call, from->dtype, from->rank + 1, dims);
  dims[dim + 1] = 1;
  const buddy_tensor_type *kept = be_type(call, from->dtype, from->rank + 1, dims);
  memmove(dims + dim + 1, dims + dim + 2, (from->rank - dim - 1) * sizeof(*dims));
  *type = be_type(call, from->dtype, from->rank, dims);
  if (!*type || !apart || !kept) return x;
  const be_attribute axis[] = {{"axis", be_attr_i32(call, (int32_t)dim + 1)}, {NULL, {NULL}}};
  x = ts_reshape(call, x, from, apart);
  return ts_reshape(call, BE_OP_ATTRS(call, op, kept, axis, x), kept, *type);
}

static MlirValue join(buddy_call *call, const line *l, uint32_t dim, bool is_max, MlirValue x,
                      const buddy_tensor_type **type) {
  int64_t *places = be_scratch(call, (size_t)(l->out * l->kernel), sizeof(*places));
  bool has_outside = false;
  for (int64_t i = 0; places && i < l->out * l->kernel; ++i) {
    places[i] = place_of(l, i / l->kernel, i % l->kernel);
    has_outside |= places[i] < 0;
    if (places[i] < 0) places[i] = l->in;
  }
  if (!places) return x;
  if (has_outside) x = filled_behind(call, x, type, dim, is_max ? -INFINITY : 0);
  if (!*type) return x;
  x = ts_take(call, x, type, dim, places, l->out * l->kernel);
  return *type ? reduced(call, l, dim, is_max ? "tosa.reduce_max" : "tosa.reduce_sum", x, type) : x;
}

/* ---- Averages -------------------------------------------------------------------------------- */
static int64_t count_of(const line *l, int64_t o, int counts_padding) {
  if (counts_padding) { /* which ends with the padding after */
    const int64_t end = first_of(l, o) + l->kernel;
    return (end < l->in + l->pad ? end : l->in + l->pad) - first_of(l, o);
  }
  int64_t n = 0;
  for (int64_t k = 0; k < l->kernel; ++k) n += place_of(l, o, k) >= 0;
  return n;
}

/* x times 1 / count of each window along the dim. */
static MlirValue averaged(buddy_call *call, const line *l, uint32_t dim, int counts_padding,
                          MlirValue x, const buddy_tensor_type *type) {
  int64_t dims[TS_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  dims[dim] = l->out;
  const buddy_tensor_type *along = be_type(call, type->dtype, type->rank, dims);
  float *weights = be_scratch(call, (size_t)l->out, sizeof(*weights));
  if (!along || !weights) return x;
  for (int64_t o = 0; o < l->out; ++o)
    weights[o] = (float)(1.0 / (double)count_of(l, o, counts_padding));
  const MlirAttribute values =
      mlirDenseElementsAttrFloatGet(buddy_mlir_tensor_type(call, along), (intptr_t)l->out, weights);
  return ts_multiply(call, type, x, ts_constant(call, along, values));
}

/* ---- Rows ------------------------------------------------------------------------------------ */
buddy_code ts_match_any_pool(void *state, const buddy_op *self, buddy_call *call) {
  const ts_pool *pool = self->user;
  const buddy_tensor_type *from = be_arg_type(call, 0);
  if (from->rank == TS_MAX_RANK) return be_decline(call, "rank %u and the windows'", from->rank);
  if (from->rank < pool->n) return be_decline(call, "fewer dims than the window");
  return ts_match(state, self, call);
}

/* max_pool: self, kernel_size, stride, padding, dilation, ceil_mode
 * avg_pool: self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
 * adaptive_avg_pool: self, output_size */
buddy_code ts_emit_any_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const ts_pool *pool = self->user;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  for (size_t i = 1; i < be_host->n_args(call); ++i) (void)be_arg(call, i);
  const bool is_plain = !pool->is_max && !pool->is_adaptive;
  const bool has_divisor = is_plain && be_host->n_args(call) > 6 && !be_is_none(call, 6);
  MlirValue x = be_tensor(call, 0);
  for (uint32_t d = 0; d < pool->n && type; ++d) {
    const line l = line_of(call, pool, d);
    const uint32_t dim = type->rank - pool->n + d;
    x = join(call, &l, dim, pool->is_max, x, &type);
    if (!pool->is_max && !has_divisor && type)
      x = averaged(call, &l, dim, is_plain && be_bool(call, 5), x, type);
  }
  if (has_divisor && type)
    x = ts_multiply(call, type, x,
                    ts_number(call, type->dtype, type->rank, 1 / be_float(call, 6, 1)));
  return be_result(call, 0, x);
}
