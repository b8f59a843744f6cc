// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/spread.c: broadcasting of sizes that only the run tells, and values that repeat
 * others; see spread.h. */
#include "plugins/linalg/spread.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
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

/* ---- Values that repeat others ---- */

static bool is_named(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString(name));
}

/* Does the linalg.generic give the element of its one input as it is, in order? */
static bool is_repetition(MlirOperation op) {
  if (mlirOperationGetNumOperands(op) != 2 || mlirOperationGetNumResults(op) != 1) return false;
  const MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  const MlirOperation first = mlirBlockGetFirstOperation(block);
  return is_named(first, "linalg.yield") &&
         mlirValueEqual(mlirOperationGetOperand(first, 0), mlirBlockGetArgument(block, 0));
}

static MlirAffineMap map_of(MlirOperation generic, intptr_t i) {
  const MlirAttribute maps =
      mlirOperationGetAttributeByName(generic, mlirStringRefCreateFromCString("indexing_maps"));
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
}

/* By the dims of the input: the dim of the result that reads it. False: it is read otherwise. */
static bool read_generic(MlirOperation op, intptr_t rank, int8_t *loops) {
  const MlirAffineMap map = map_of(op, 0);
  if (!is_repetition(op) || mlirAffineMapGetNumResults(map) != rank ||
      !mlirAffineMapIsIdentity(map_of(op, 1)))
    return false;
  for (intptr_t d = 0; d < rank; ++d) {
    const MlirAffineExpr at = mlirAffineMapGetResult(map, d);
    const bool is_dim = mlirAffineExprIsADim(at);
    if (!is_dim && (!mlirAffineExprIsAConstant(at) || mlirAffineConstantExprGetValue(at) != 0))
      return false;
    loops[d] = is_dim ? (int8_t)mlirAffineDimExprGetPosition(at) : BE_BROADCAST;
  }
  return true;
}

/* Of known sizes: dims of one element are tiled, and no others. */
static bool read_tile(MlirOperation op, intptr_t rank, int8_t *loops) {
  const MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0)),
                 to = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirShapedTypeHasStaticShape(from) || !mlirShapedTypeHasStaticShape(to)) return false;
  for (intptr_t d = 0; d < rank; ++d) {
    const int64_t n = mlirShapedTypeGetDimSize(from, d);
    if (n != 1 && n != mlirShapedTypeGetDimSize(to, d)) return false;
    loops[d] = n == 1 ? BE_BROADCAST : (int8_t)d;
  }
  return true;
}

la_repeated la_find_repeated(buddy_call *call, MlirValue value, const buddy_tensor_type *type) {
  la_repeated out = {.value = value, .type = type}, inner = out;
  for (uint32_t d = 0; d < type->rank && d < BE_MAX_RANK; ++d) out.loops[d] = (int8_t)d;
  if (!value.ptr || !mlirValueIsAOpResult(value)) return out;
  const MlirOperation op = mlirOpResultGetOwner(value);
  const bool is_tile = is_named(op, "tosa.tile");
  if (!is_tile && !is_named(op, "linalg.generic")) return out;
  inner.value = mlirOperationGetOperand(op, 0);
  const MlirType from = mlirValueGetType(inner.value);
  if (!mlirTypeIsARankedTensor(from) || mlirShapedTypeGetRank(from) > BE_MAX_RANK) return out;
  const intptr_t rank = mlirShapedTypeGetRank(from);
  if (!(is_tile ? read_tile : read_generic)(op, rank, inner.loops)) return out;
  int64_t dims[BE_MAX_RANK];
  for (intptr_t d = 0; d < rank; ++d)
    dims[d] = inner.loops[d] == BE_BROADCAST ? 1 : type->dims[inner.loops[d]];
  inner.type = be_type(call, type->dtype, (uint32_t)rank, dims);
  return inner.type ? inner : out;
}
