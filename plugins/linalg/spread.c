// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/spread.c: broadcasting of sizes that only the run tells; see spread.h. */
#include "plugins/linalg/spread.h"

#include "plugins/linalg/slices.h"

/* The element of a tensor that broadcasts to the loops from the right. What is symbolic and no loop's
 * own dim may be 1 in a run. */
void la_spread_position(const be_body *body, const buddy_tensor_type *type, const MlirValue *loops,
                        const int64_t *dims, MlirValue *out) {
  for (uint32_t d = 0; d < type->rank; ++d) {
    const int64_t dim = type->dims[d];
    out[d] = dim == 1 ? be_in_index(body, 0) : loops[d];
    if (!BUDDY_IS_SYMBOLIC(dim) || dim == dims[d]) continue;
    const MlirValue is_one =
        be_in_compare(body, "eq", be_in_index(body, dim), be_in_index(body, 1), BUDDY_I64);
    out[d] = be_in_select(body, is_one, be_in_index(body, 0), out[d]);
  }
}

/* Ends the run where a tensor does not broadcast to the loops. */
void la_check_spread(buddy_call *call, const buddy_tensor_type *type, const MlirValue *ends,
                     const int64_t *dims, const char *problem) {
  const be_body block = la_block(call);
  for (uint32_t d = 0; d < type->rank; ++d) {
    const int64_t dim = type->dims[d];
    if (dim == 1 || dim == dims[d]) continue;
    const MlirValue size = be_index(call, dim);
    MlirValue fits = be_in_compare(&block, "eq", size, ends[d], BUDDY_I64);
    if (BUDDY_IS_SYMBOLIC(dim))
      fits = BE_IN(&block, "arith.ori", (MlirType){NULL}, fits,
                   be_in_compare(&block, "eq", size, be_index(call, 1), BUDDY_I64));
    be_assert(call, fits, problem);
  }
}

/* Is there a dim that may be 1 in a run where the other type has another? */
static bool may_spread(const buddy_tensor_type *from, const buddy_tensor_type *to) {
  if (from->rank > to->rank || to->rank > BE_MAX_RANK) return false;
  for (uint32_t d = 0; d < from->rank; ++d) {
    if (BUDDY_IS_SYMBOLIC(from->dims[d]) && from->dims[d] != to->dims[to->rank - from->rank + d])
      return true;
  }
  return false;
}

typedef struct spreading {
  MlirValue value;
  const buddy_tensor_type *from, *to;
} spreading;

static MlirValue spread_element(const be_body *body, const MlirValue *elements, void *user) {
  const spreading *s = user;
  const uint32_t first = s->to->rank - s->from->rank;
  MlirValue loops[BE_MAX_RANK], place[BE_MAX_RANK];
  (void)elements;
  for (uint32_t d = 0; d < s->from->rank; ++d) loops[d] = be_in_loop(body, first + d);
  la_spread_position(body, s->from, loops, s->to->dims + first, place);
  return la_element(body, s->value, s->from->dtype, place, s->from->rank);
}

MlirValue la_spread(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                    const buddy_tensor_type *to) {
  if (!from || !to || !value.ptr || !may_spread(from, to))
    return be_broadcast(call, value, from, to);
  const uint32_t first = to->rank - from->rank;
  MlirValue ends[BE_MAX_RANK];
  la_ends(call, to, ends);
  la_check_spread(call, from, ends + first, to->dims + first, "sizes do not broadcast");
  spreading s = {value, from, be_with_dtype(call, to, from->dtype)};
  if (!s.to) return (MlirValue){NULL};
  const be_generic spec = {.n_loops = to->rank,
                           .init = be_empty(call, s.to),
                           .output_type = s.to,
                           .output_map = be_map_identity(to->rank),
                           .body = spread_element,
                           .user = &s};
  return be_linalg_generic(call, &spec);
}
