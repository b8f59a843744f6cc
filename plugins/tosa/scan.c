// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/scan.c: running sums, and where extremes are. */
#include <stdbool.h>
#include <string.h>

#include "plugins/tosa/rows.h"

/* ---- cumsum and cumprod: self, dim, dtype -----------------------------------------------------
 * Each element takes that of 1, 2, 4, … places before it, so that log2(n) steps are enough. What
 * lies before the first is the neutral element. */
static MlirValue moved(buddy_call *call, MlirValue x, const buddy_tensor_type *type, uint32_t dim,
                       int64_t by, double neutral) {
  static const int64_t start[TS_MAX_RANK] = {0};
  int64_t front[TS_MAX_RANK], kept[TS_MAX_RANK];
  memcpy(front, type->dims, type->rank * sizeof(*front));
  memcpy(kept, type->dims, type->rank * sizeof(*kept));
  front[dim] = by;
  kept[dim] = type->dims[dim] - by;
  const MlirValue filling = ts_filled(call, be_type(call, type->dtype, type->rank, front),
                                      ts_number(call, type->dtype, type->rank, neutral));
  const MlirValue rest = ts_slice(call, x, start, be_type(call, type->dtype, type->rank, kept));
  const be_attribute attributes[] = {{"axis", be_attr_i32(call, (int32_t)dim)}, {NULL, {NULL}}};
  return BE_OP_ATTRS(call, "tosa.concat", type, attributes, filling, rest);
}

buddy_code ts_emit_scan(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const bool is_sum = strcmp(self->user, "tosa.add") == 0;
  (void)be_arg(call, 2);
  MlirValue x = ts_convert(call, be_tensor(call, 0), be_arg_type(call, 0), to->dtype);
  if (to->rank == 0) return be_result(call, 0, x);
  const uint32_t dim = (uint32_t)be_axis(call, 1, to->rank, 0);
  for (int64_t by = 1; by < to->dims[dim]; by *= 2) {
    const MlirValue before = moved(call, x, to, dim, by, is_sum ? 0 : 1);
    x = is_sum ? BE_OP(call, "tosa.add", to, x, before) : ts_multiply(call, to, x, before);
  }
  return be_result(call, 0, x);
}

/* ---- argmax, argmin: self, dim, keepdim; max.dim, min.dim: values, too ----------------------- */
/* The largest of these is where the smallest of x is: TOSA has no argmin. */
static MlirValue turned(buddy_call *call, MlirValue x, const buddy_tensor_type *type) {
  if (!type) return x;
  const MlirValue zero = ts_number(call, type->dtype, 1, 0);
  if (be_is_float(type->dtype)) return BE_OP(call, "tosa.negate", type, x, zero, zero);
  return BE_OP(call, "tosa.bitwise_not", type, x);
}

static MlirValue place_of(buddy_call *call, MlirValue x, const buddy_tensor_type *type,
                          uint32_t dim, const buddy_tensor_type *to) {
  int64_t dims[TS_MAX_RANK];
  uint32_t n = 0;
  for (uint32_t d = 0; type && d < type->rank; ++d) {
    if (d != dim) dims[n++] = type->dims[d];
  }
  const buddy_tensor_type *places = be_type(call, BUDDY_I64, n, dims);
  const be_attribute attributes[] = {{"axis", be_attr_i32(call, (int32_t)dim)}, {NULL, {NULL}}};
  return ts_reshape(call, BE_OP_ATTRS(call, "tosa.argmax", places, attributes, x), places, to);
}

static MlirValue extreme(buddy_call *call, const char *op, uint32_t dim) {
  const buddy_tensor_type *from = be_arg_type(call, 0);
  int64_t dims[TS_MAX_RANK];
  memcpy(dims, from->dims, from->rank * sizeof(*dims));
  dims[dim] = 1;
  const buddy_tensor_type *kept = be_type(call, from->dtype, from->rank, dims);
  const be_attribute attributes[] = {{"axis", be_attr_i32(call, (int32_t)dim)}, {NULL, {NULL}}};
  return ts_reshape(call, BE_OP_ATTRS(call, op, kept, attributes, be_tensor(call, 0)), kept,
                    be_result_type(call, 0));
}

/* user: "max" or "min"; a row of two results gives the values first */
buddy_code ts_emit_extreme(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const bool is_min = strcmp(self->user, "min") == 0;
  const size_t last = be_host->n_results(call) - 1;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  for (size_t i = 1; i < be_host->n_args(call); ++i) (void)be_arg(call, i);
  if (type->rank == 0) return be_decline(call, "a tensor without dims");
  MlirValue x = be_tensor(call, 0);
  uint32_t dim = 0;
  if (be_is_none(call, 1)) {
    const int64_t n = be_n_elements(call, type);
    const buddy_tensor_type *flat = be_type(call, type->dtype, 1, &n);
    x = ts_reshape(call, x, type, flat);
    type = flat;
  } else {
    dim = (uint32_t)be_axis(call, 1, type->rank, 0);
  }
  const char *op = is_min ? "tosa.reduce_min" : "tosa.reduce_max";
  const buddy_code code = last == 0 ? BUDDY_OK : be_result(call, 0, extreme(call, op, dim));
  if (code != BUDDY_OK) return code;
  if (is_min) x = turned(call, x, type);
  return be_result(call, last, place_of(call, x, type, dim, be_result_type(call, last)));
}
