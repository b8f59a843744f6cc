// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/reduce.c: reductions. TOSA reduces one axis at a time and keeps it as 1; a reshape
 * drops it. */
#include <string.h>

#include "plugins/tosa/rows.h"

static MlirValue reduce_axis(buddy_call *call, const char *name, MlirValue value, uint32_t axis,
                             const buddy_tensor_type *to) {
  const be_attribute attributes[] = {{"axis", be_attr_i32(call, (int32_t)axis)}, {NULL, {NULL}}};
  return BE_OP_ATTRS(call, name, to, attributes, value);
}

/* dim: the argument with a number, a list or None; 0: there is none. The result type says whether
 * dims are kept. */
static MlirValue reduced(buddy_call *call, const char *op, size_t dim) {
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  for (size_t i = 1; i < be_host->n_args(call); ++i) (void)be_arg(call, i);
  uint64_t axes = (1ull << from->rank) - 1;
  if (dim > 0 && from->rank > 0) axes = be_axes(call, dim, from->rank);
  if (be_same_dims(from, to)) axes = 0; /* only dims of 1, or none: any of an empty list of dims */
  MlirValue value = ts_convert(call, be_tensor(call, 0), from, to->dtype);
  int64_t dims[TS_MAX_RANK] = {0};
  memcpy(dims, from->dims, from->rank * sizeof(*dims));
  const buddy_tensor_type *type = be_with_dtype(call, from, to->dtype);
  for (uint32_t axis = 0; axis < from->rank; ++axis) {
    if (!(axes >> axis & 1u)) continue;
    dims[axis] = 1;
    type = be_type(call, to->dtype, from->rank, dims);
    value = reduce_axis(call, op, value, axis, type);
  }
  return ts_reshape(call, value, type, to);
}

/* self, dim, keepdim */
buddy_code ts_emit_reduce(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return be_result(call, 0, reduced(call, self->user, be_host->n_args(call) > 1));
}

/* ---- mean: self, dim, keepdim, dtype; or self, dtype; user: the number of the argument dim ---- */
static int64_t count_of(buddy_call *call) {
  return be_n_elements(call, be_arg_type(call, 0)) / be_n_elements(call, be_result_type(call, 0));
}

/* A sum times 1 / count rounds twice, unless the count is a power of two. */
buddy_code ts_match_mean(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_code code = ts_match(state, self, call);
  if (code != BUDDY_OK) return code;
  const int64_t n = count_of(call);
  if ((n & (n - 1)) != 0)
    return be_decline(call, "TOSA has no division of floats, and 1 / %lld is not exact",
                      (long long)n);
  return BUDDY_OK;
}

buddy_code ts_emit_mean(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue sum = reduced(call, "tosa.reduce_sum", (size_t)(uintptr_t)self->user);
  const int64_t n = count_of(call);
  if (n == 1) return be_result(call, 0, sum);
  const MlirValue inverse = ts_number(call, to->dtype, to->rank, 1.0 / (double)n);
  return be_result(call, 0, ts_multiply(call, to, sum, inverse));
}
