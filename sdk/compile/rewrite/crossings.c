// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/crossings.c: operands of a loop copied so that neighbours lie along one axis.
 *
 * A loop that one operand walks along by steps of one is that operand's lane. What is transposed is a buffer whose axes
 * lie in memory as those of another operand, seen by a view with the axes that the loops know: nothing but the operand
 * of the operation changes. */
#include "sdk/compile/rewrite/crossings.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/try.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/copies.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

enum { NO_LANE = -1 };

typedef struct crossing {
  bd_structured s;
  int result; /* which operand that is */
  bool is_across
      [BD_MAX_OPERANDS]; /* the input has a lane, and walks along the result's by other steps */
  int n_across, n_along; /* how many inputs are; how many of all axes have the result's lane */
} crossing;

static int lane_of(const bd_operand *o, const bd_structured *s) {
  int lane = NO_LANE;
  for (int i = 0; i < s->n_loops && o->rank >= 0 && o->is_plain; ++i) {
    if (o->axis[i] >= 0 && o->strides[i] == 1 && s->sizes[i] != 1) lane = i;
  }
  return lane;
}

/* The body has nothing to do with what the result was before. */
static bool is_result_new(const crossing *c) {
  const MlirBlock body = bd_body_of(c->s.op);
  return !bd_is_used(mlirBlockGetArgument(body, c->result));
}

static bool read_crossing(MlirOperation op, crossing *c) {
  *c = (crossing){.n_across = 0};
  bd_structured *s = &c->s;
  bd_transposition copy;
  if (!bd_op_is(mlirOperationGetParentOperation(op), "func.func") ||
      bd_transposition_read(op, &copy) || !bd_structured_read(op, s) ||
      !bd_structured_is_parallel(s))
    return false;
  c->result = s->n_operands - 1;
  const bd_operand *result = &s->operands[c->result];
  const int lane = lane_of(result, s);
  if (lane == NO_LANE || result->rank != s->n_loops || result->rank > BD_MAX_RANK ||
      !is_result_new(c))
    return false;
  for (int i = 0; i < s->n_inputs; ++i) {
    const bd_operand *o = &s->operands[i];
    const int own = lane_of(o, s);
    c->is_across[i] = own != NO_LANE && own != lane && o->axis[lane] >= 0 && o->rank <= BD_MAX_RANK;
    c->n_across += c->is_across[i];
    c->n_along += own == lane && o->rank == s->n_loops;
  }
  return c->n_across > 0;
}

/* ---- Orders ---- */

/* The loops as the operand's axes lie in memory, outermost first, without those that it does not walk along. False
 * where that is not known. */
static bool order_loops(const bd_structured *s, int operand, int out[BD_MAX_LOOPS], int *out_n) {
  const bd_operand *o = &s->operands[operand];
  const bool is_dense = bd_memref_is_dense(o->type);
  int n = 0;
  for (int i = 0; i < s->n_loops; ++i) {
    if (o->axis[i] < 0) continue;
    if (!is_dense && o->strides[i] == INT64_MIN) return false;
    int k = n++;
    for (; k > 0; --k) {
      const int before = out[k - 1];
      const bool is_right =
          is_dense ? o->axis[before] < o->axis[i] : o->strides[before] >= o->strides[i];
      if (is_right) break;
      out[k] = before;
    }
    out[k] = i;
  }
  *out_n = n;
  return true;
}

/* By axis of the buffer: the axis of `operand`, so that the buffer lies as `reference` does. */
static bool order_axes(const crossing *c, int operand, int reference, int64_t out[BD_MAX_RANK]) {
  const bd_operand *o = &c->s.operands[operand];
  int loops[BD_MAX_LOOPS], n, n_axes = 0;
  if (!order_loops(&c->s, reference, loops, &n)) return false;
  for (int k = 0; k < n; ++k) {
    if (o->axis[loops[k]] >= 0) out[n_axes++] = o->axis[loops[k]];
  }
  return n_axes == o->rank;
}

/* All inputs that are across lie in the same order; which of them tells it. */
static int reference_of(const crossing *c) {
  int first[BD_MAX_LOOPS], n_first = 0, reference = -1;
  for (int i = 0; i < c->s.n_inputs; ++i) {
    int loops[BD_MAX_LOOPS], n;
    if (!c->is_across[i]) continue;
    if (!order_loops(&c->s, i, loops, &n) || n != c->s.n_loops) return -1;
    if (reference >= 0 && memcmp(loops, first, (size_t)n_first * sizeof(int)) != 0) return -1;
    memcpy(first, loops, sizeof(loops));
    n_first = n;
    reference = i;
  }
  return reference;
}

/* ---- Buffers ---- */

/* The axes that a buffer of that type has if axis i of it is axis order[i] of the type; and the type of the view that
 * has them in the type's order. */
static MlirType buffer_type(MlirType type, const int64_t *order, MlirType *out_view) {
  const intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  const MlirType element = mlirShapedTypeGetElementType(type);
  int64_t sizes[BD_MAX_RANK], strides[BD_MAX_RANK], of_view[BD_MAX_RANK], of_type[BD_MAX_RANK];
  for (intptr_t i = 0; i < rank; ++i) sizes[i] = mlirShapedTypeGetDimSize(type, order[i]);
  const MlirType buffer =
      mlirMemRefTypeContiguousGet(element, rank, sizes, mlirMemRefTypeGetMemorySpace(type));
  bd_memref_strides(buffer, strides);
  for (intptr_t i = 0; i < rank; ++i) {
    of_view[order[i]] =
        strides[i] == INT64_MIN ? mlirShapedTypeGetDynamicStrideOrOffset() : strides[i];
    of_type[i] = mlirShapedTypeGetDimSize(type, i);
  }
  *out_view = mlirMemRefTypeGet(
      element, rank, of_type, mlirStridedLayoutAttrGet(mlirTypeGetContext(type), 0, rank, of_view),
      mlirMemRefTypeGetMemorySpace(type));
  return buffer;
}

/* A new buffer of the size of `like`, with its axes in that order in memory, as a view of the axes of `like`; null when
 * memory is out. */
static MlirValue allocate(MlirOperation before, MlirValue like, const int64_t *order) {
  const bd_builder b = bd_builder_before(before);
  const intptr_t rank = (intptr_t)mlirShapedTypeGetRank(mlirValueGetType(like));
  MlirType view;
  const MlirType type = buffer_type(mlirValueGetType(like), order, &view);
  MlirValue sizes[BD_MAX_RANK];
  unsigned back[BD_MAX_RANK];
  size_t n = 0;
  for (intptr_t i = 0; i < rank; ++i) {
    back[order[i]] = (unsigned)i;
    if (!mlirShapedTypeIsDynamicDim(type, i)) continue;
    sizes[n++] = bd_build_dim(b, "memref.dim", like, order[i]);
  }
  const MlirValue buffer = bd_build_alloc(b, type, sizes, n);
  return bd_build(b, "memref.transpose", &buffer, 1, view, "permutation",
                  mlirAffineMapAttrGet(mlirAffineMapPermutationGet(b.context, rank, back)));
}

/* True if a copy between `like` and such a buffer has a kernel. */
static bool is_worthwhile(MlirValue like, const int64_t *order) {
  bd_transposition t = {.from = mlirValueGetType(like)};
  buffer_type(t.from, order, &t.to);
  for (int i = 0; i < BD_MAX_RANK; ++i) t.order[i] = i;
  return bd_transposition_fits(&t);
}

static buddy_code copy(MlirOperation at, bool is_before, MlirValue from, MlirValue to) {
  bd_builder b = bd_builder_before(at);
  if (!is_before) b.before = mlirOperationGetNextInBlock(at);
  const MlirOperation op =
      bd_build_op(b, "memref.copy", (const MlirValue[]){from, to}, 2, NULL, 0, NULL, 0);
  return op.ptr ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

/* ---- Operations ---- */

static buddy_code separate_result(const crossing *c, int reference, bool *out_done) {
  const MlirOperation op = c->s.op;
  const MlirValue result = c->s.operands[c->result].value;
  int64_t order[BD_MAX_RANK];
  *out_done = order_axes(c, c->result, reference, order) && is_worthwhile(result, order);
  if (!*out_done) return BUDDY_OK;
  const MlirValue buffer = allocate(op, result, order);
  if (!buffer.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirOperationSetOperand(op, c->result, buffer);
  return copy(op, false, buffer, result);
}

static buddy_code separate_input(const crossing *c, int input) {
  const MlirOperation op = c->s.op;
  const MlirValue value = c->s.operands[input].value;
  int64_t order[BD_MAX_RANK];
  if (!order_axes(c, input, c->result, order) || !is_worthwhile(value, order)) return BUDDY_OK;
  const MlirValue buffer = allocate(op, value, order);
  if (!buffer.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirOperationSetOperand(op, input, buffer);
  return copy(op, true, value, buffer);
}

static buddy_code separate(MlirOperation op, void *user) {
  (void)user;
  crossing c;
  bool is_done = false;
  if (!read_crossing(op, &c)) return BUDDY_OK;
  const int reference = c.n_along == 0 ? reference_of(&c) : -1;
  if (reference >= 0) BD_TRY(separate_result(&c, reference, &is_done));
  for (int i = 0; i < c.s.n_inputs && !is_done; ++i) {
    if (c.is_across[i]) BD_TRY(separate_input(&c, i));
  }
  return BUDDY_OK;
}

buddy_code bd_crossings_separate(MlirOperation root) {
  return bd_ops_each(root, "linalg.generic", separate, NULL);
}
