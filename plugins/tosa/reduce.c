/* plugins/tosa/reduce.c: reductions. TOSA reduces one axis at a time and keeps it as 1; a reshape
 * drops it. */
#include <string.h>

#include "plugins/tosa/rows.h"

static MlirValue reduce_axis(buddy_call *call, const char *name, MlirValue value, uint32_t axis,
                             const buddy_tensor_type *to) {
  const be_attribute attributes[] = {{"axis", be_attr_i32(call, (int32_t)axis)}, {NULL, {NULL}}};
  return BE_OP_ATTRS(call, name, to, attributes, value);
}

/* self, dim (number, list or None), keepdim: the result type says whether dims are kept */
buddy_code ts_emit_reduce(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  for (size_t i = 1; i < be_host->n_args(call); ++i) (void)be_arg(call, i);
  uint64_t axes = (1ull << from->rank) - 1;
  if (be_host->n_args(call) > 1 && from->rank > 0) axes = be_axes(call, 1, from->rank);
  if (be_same_dims(from, to)) axes = 0; /* only dims of 1, or none: any of an empty list of dims */
  MlirValue value = ts_convert(call, be_tensor(call, 0), from, to->dtype);
  int64_t dims[TS_MAX_RANK] = {0};
  memcpy(dims, from->dims, from->rank * sizeof(*dims));
  const buddy_tensor_type *type = be_with_dtype(call, from, to->dtype);
  for (uint32_t axis = 0; axis < from->rank; ++axis) {
    if (!(axes >> axis & 1u)) continue;
    dims[axis] = 1;
    type = be_type(call, to->dtype, from->rank, dims);
    value = reduce_axis(call, self->user, value, axis, type);
  }
  return be_result(call, 0, ts_reshape(call, value, type, to));
}
