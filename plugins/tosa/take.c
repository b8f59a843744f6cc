// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/take.c: ops that take elements from places that the sizes tell: padding with what is
 * there, rolling, slices with gaps, resampling to the nearest. Each dim is a tosa.gather by a
 * constant, one dim after the other. */
#include <math.h>
#include <stdbool.h>

#include "plugins/tosa/rows.h"

/* Place i of the result along a dim is this place of the source. */
typedef int64_t (*place_fn)(const void *user, int64_t i, int64_t size);

static MlirValue take(buddy_call *call, MlirValue value, const buddy_tensor_type **type,
                      uint32_t dim, int64_t n, place_fn place, const void *user) {
  const buddy_tensor_type *from = *type;
  int64_t *places = be_scratch(call, (size_t)n, sizeof(*places));
  bool is_same = from && n == from->dims[dim];
  for (int64_t i = 0; places && i < n; ++i) {
    places[i] = place(user, i, from->dims[dim]);
    is_same &= places[i] == i;
  }
  return is_same || !places ? value : ts_take(call, value, type, dim, places, n);
}

/* ---- Padding: self, padding (from the last dim, before and after) ------------------------- */
static int64_t reflected(const void *front, int64_t i, int64_t size) {
  const int64_t at = i - *(const int64_t *)front, far = at < 0 ? -at : at;
  return far < size ? far : 2 * (size - 1) - far;
}
static int64_t replicated(const void *front, int64_t i, int64_t size) {
  const int64_t at = i - *(const int64_t *)front;
  return at < 0 ? 0 : at < size ? at : size - 1;
}
static int64_t circular(const void *front, int64_t i, int64_t size) {
  return ((i - *(const int64_t *)front) % size + size) % size;
}

/* user: "reflect", "replicate", "circular" */
buddy_code ts_emit_pad_with_own(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const char kind = ((const char *)self->user)[2];
  const place_fn place = kind == 'f' ? reflected : kind == 'p' ? replicated : circular;
  const buddy_arg *pad = be_arg(call, 1);
  const buddy_tensor_type *to = be_result_type(call, 0), *type = be_arg_type(call, 0);
  MlirValue value = be_tensor(call, 0);
  for (size_t k = 0; k + 1 < pad->n; k += 2) {
    const uint32_t dim = to->rank - 1 - (uint32_t)(k / 2);
    value = take(call, value, &type, dim, to->dims[dim], place, &pad->as.ints[k]);
  }
  return be_result(call, 0, value);
}

/* ---- roll: self, shifts, dims; without dims as if the tensor were flat ----------------------- */
buddy_code ts_emit_roll(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0), *type = to;
  const buddy_arg *dims = be_arg(call, 2), *shifts = be_arg(call, 1);
  const int64_t n = be_n_elements(call, to);
  const bool is_flat = dims->kind != BUDDY_ARG_INTS || dims->n == 0;
  if (is_flat) type = be_type(call, to->dtype, 1, &n);
  MlirValue value = ts_reshape(call, be_tensor(call, 0), to, type);
  for (size_t k = 0; type && k < (is_flat ? 1 : dims->n) && k < shifts->n; ++k) {
    const int64_t dim = is_flat ? 0 : dims->as.ints[k] + (dims->as.ints[k] < 0 ? to->rank : 0);
    if (type->rank == 0) break;
    value = take(call, value, &type, (uint32_t)dim, type->dims[dim], circular, &shifts->as.ints[k]);
  }
  return be_result(call, 0, ts_reshape(call, value, type, to));
}

/* ---- slice.Tensor: self, dim, start, end, step ----------------------------------------------- */
typedef struct gaps {
  int64_t start, step;
} gaps;
static int64_t with_gaps(const void *user, int64_t i, int64_t size) {
  (void)size;
  return ((const gaps *)user)->start + i * ((const gaps *)user)->step;
}

buddy_code ts_emit_slice_with_gaps(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  (void)be_arg(call, 3); /* the result type says where it ends */
  const buddy_tensor_type *to = be_result_type(call, 0), *type = be_arg_type(call, 0);
  const uint32_t dim = (uint32_t)be_axis(call, 1, type->rank, 0);
  gaps g = {be_int(call, 2, 0), be_int(call, 4, 1)};
  if (g.start < 0) g.start += type->dims[dim];
  if (g.start < 0) g.start = 0;
  return be_result(call, 0,
                   take(call, be_tensor(call, 0), &type, dim, to->dims[dim], with_gaps, &g));
}

/* ---- Resampling to the nearest: self, output_size, then scales: one argument a dim, or a list  */
const ts_nearest ts_nearest_1 = {1, 0, 0}, ts_nearest_2 = {2, 0, 0}, ts_nearest_3 = {3, 0, 0},
                 ts_nearest_list_1 = {1, 1, 0}, ts_nearest_list_2 = {2, 1, 0},
                 ts_nearest_list_3 = {3, 1, 0}, ts_exact_1 = {1, 0, 1}, ts_exact_2 = {2, 0, 1},
                 ts_exact_3 = {3, 0, 1}, ts_exact_list_1 = {1, 1, 1}, ts_exact_list_2 = {2, 1, 1},
                 ts_exact_list_3 = {3, 1, 1};

typedef struct nearest {
  float step, half; /* PyTorch computes these in 32 bits */
} nearest;
static int64_t nearest_to(const void *user, int64_t i, int64_t size) {
  const nearest *r = user;
  const int64_t at = (int64_t)floorf(((float)i + r->half) * r->step);
  return at < size ? at : size - 1;
}

static double scale_of(buddy_call *call, const ts_nearest *row, uint32_t d) {
  if (!row->has_list) return be_float(call, 2 + d, 0);
  const buddy_arg *list = be_arg(call, 2);
  return list->kind == BUDDY_ARG_FLOATS && d < list->n ? list->as.floats[d] : 0;
}

buddy_code ts_emit_nearest(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const ts_nearest *row = self->user;
  const buddy_tensor_type *to = be_result_type(call, 0), *type = be_arg_type(call, 0);
  if (type->rank != row->n + 2) return be_decline(call, "an input of rank %u", type->rank);
  (void)be_arg(call, 1); /* the result type has it */
  MlirValue value = be_tensor(call, 0);
  for (uint32_t d = 0; d < row->n; ++d) {
    const int64_t in = be_arg_type(call, 0)->dims[2 + d], out = to->dims[2 + d];
    const double scale = scale_of(call, row, d);
    nearest r = {scale > 0 ? (float)(1.0 / scale) : (float)in / (float)out,
                 row->is_exact ? 0.5f : 0.0f};
    /* PyTorch's kernel takes each pixel twice where a size doubles, whatever the scale */
    if (!row->is_exact && row->n == 2 && out == 2 * in) r.step = 0.5f;
    value = take(call, value, &type, 2 + d, out, nearest_to, &r);
  }
  return be_result(call, 0, value);
}
