/* plugins/linalg/bounds.c: indices that a program computes are checked while it runs.
 *
 * One reduction over the index tensor and a cf.assert in front of the loops that read or write by
 * it: inside of them an index out of range is only brought to an end (la_index_of), so that no
 * memory beyond the tensor is touched, and the loops stay free of branches. */
#include <inttypes.h>
#include <stdio.h>

#include "plugins/linalg/reduce.h"
#include "plugins/linalg/slices.h"

typedef struct bounds {
  buddy_dtype dtype;
  int64_t size; /* a dim */
  int wraps;
} bounds;

static MlirValue is_within(const be_body *body, const MlirValue *elements, void *user) {
  const bounds *b = user;
  const MlirType i64 = buddy_mlir_element_type(body->call, BUDDY_I64);
  const MlirValue zero = be_in_scalar_int(body, BUDDY_I64, 0);
  const MlirValue size = BE_IN(body, "arith.index_cast", i64, la_index_dim(body, b->size));
  const MlirValue index = be_in_cast(body, elements[0], b->dtype, BUDDY_I64);
  const MlirValue low = b->wraps ? BE_IN(body, "arith.subi", i64, zero, size) : zero;
  return BE_IN(body, "arith.andi", buddy_mlir_element_type(body->call, BUDDY_BOOL),
               be_in_compare(body, "ge", index, low, BUDDY_I64),
               be_in_compare(body, "lt", index, size, BUDDY_I64));
}

void la_check_indices(buddy_call *call, MlirValue indices, const buddy_tensor_type *type,
                      int64_t size, int wraps) {
  const be_body block = {call, buddy_mlir_block(call)};
  const buddy_tensor_type *bools = be_with_dtype(call, type, BUDDY_BOOL);
  bounds b = {type->dtype, size, wraps};
  if (la_is_empty(type) || bools == NULL) return;
  MlirValue within = be_elementwise(call, bools, &indices, &type, 1, is_within, &b);
  if (type->rank > 0) {
    const la_reduction all = {.value = within,
                              .type = bools,
                              .axes = (UINT64_C(1) << type->rank) - 1,
                              .dtype = BUDDY_BOOL,
                              .start = LA_FROM_ONE,
                              .combine = &la_and};
    within = la_reduce(call, &all);
  }
  const MlirValue is_ok =
      BE_IN(&block, "tensor.extract", buddy_mlir_element_type(call, BUDDY_BOOL), within);
  char message[96] = "an index is out of range";
  if (!BUDDY_IS_SYMBOLIC(size)) {
    snprintf(message, sizeof(message), "an index is out of range for a dim of size %" PRId64, size);
  }
  be_assert(call, is_ok, message);
}
