// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/apart.c: loops whose iterations are apart become parallel ones:
 *
 *   %list = memref.alloc()
 *   scf.for %i = %c0 to %n step %c1 {             scf.parallel (%i) = (%c0) to (%n) step (%c1) {
 *     … memref.store %a, %list[%k]           →      %list = memref.alloc()
 *     … memref.store %b, %result[%i, %j]            …
 *   } {buddy.apart}                               } */
#include "sdk/compile/rewrite/apart.h"

#include <stdbool.h>

#include "buddy/runtime.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"
#include "sdk/compile/rewrite/rows.h"
#include "sdk/compile/structured.h"

enum { MAX_BUFFERS = 16 };

typedef struct buffer {
  MlirValue value;
  bool is_written, is_own; /* is_own: used in the loop alone */
  uint32_t axes;           /* bit d: all accesses have that loop's index on axis d, see `loop` */
} buffer;

typedef struct loops {
  MlirOperation outermost;
  MlirValue index[BD_MAX_LOOPS], upper[BD_MAX_LOOPS];
  MlirBlock body; /* of the innermost */
  int n;
  buffer buffers[MAX_BUFFERS];
  int n_buffers, loop; /* the loop whose index is looked for */
  bool are_apart;
} loops;

/* ---- Loops ----------------------------------------------------------------------------------- */

static bool is_apart(MlirOperation op) {
  return bd_op_is(op, "scf.for") && bd_op_attribute(op, BUDDY_LOOP_APART).ptr &&
         mlirOperationGetNumResults(op) == 0 &&
         bd_integer_of(mlirOperationGetOperand(op, 0)) == 0 &&
         bd_integer_of(mlirOperationGetOperand(op, 2)) == 1;
}

/* The loop, and those inside that are all that the one around them does. */
static void read_loops(loops *l, MlirOperation op) {
  *l = (loops){.outermost = op};
  while (is_apart(op) && l->n < BD_MAX_LOOPS) {
    const MlirValue upper = mlirOperationGetOperand(op, 1);
    if (l->n > 0 && bd_is_inside(upper, l->outermost)) return;
    l->body = bd_body_of(op);
    l->upper[l->n] = upper;
    l->index[l->n++] = mlirBlockGetArgument(l->body, 0);
    op = mlirBlockGetFirstOperation(l->body);
    const MlirOperation next = mlirOperationGetNextInBlock(op);
    if (!next.ptr || !mlirOperationEqual(next, mlirBlockGetTerminator(l->body))) return;
  }
}

/* ---- What they do ---------------------------------------------------------------------------- */

static bool is_used_inside_alone(MlirValue value, MlirOperation loop) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    if (!bd_op_ancestor_in(bd_body_of(loop), mlirOpOperandGetOwner(use)).ptr) return false;
  }
  return true;
}

static buffer *find(loops *l, MlirValue value) {
  for (int i = 0; i < l->n_buffers; ++i) {
    if (mlirValueEqual(l->buffers[i].value, value)) return &l->buffers[i];
  }
  if (l->n_buffers == MAX_BUFFERS) return NULL;
  buffer *b = &l->buffers[l->n_buffers++];
  *b = (buffer){
      .value = value,
      .axes = UINT32_MAX,
      .is_own = bd_is_made_by(value, "memref.alloc") && is_used_inside_alone(value, l->outermost)};
  return b;
}

/* Axes on which an access has the loop's index. */
static uint32_t axes_of(MlirOperation access, intptr_t first, MlirValue index) {
  uint32_t axes = 0;
  for (intptr_t i = first; i < mlirOperationGetNumOperands(access) && i - first < 32; ++i) {
    if (mlirValueEqual(mlirOperationGetOperand(access, i), index))
      axes |= UINT32_C(1) << (i - first);
  }
  return axes;
}

/* Notes what is accessed; anything else but arithmetic and loops may do what is not seen here. */
static MlirWalkResult look(MlirOperation op, void *user) {
  loops *l = user;
  static const char *const plain[] = {"scf.for", "scf.if", "scf.yield", "memref.dim", NULL};
  const bool loads = bd_op_is(op, "memref.load"), stores = bd_op_is(op, "memref.store");
  buffer *b = NULL;
  if (loads || stores) {
    const intptr_t at = stores ? 1 : 0;
    b = find(l, mlirOperationGetOperand(op, at));
    if (b) {
      b->is_written |= stores;
      b->axes &= axes_of(op, at + 1, l->index[l->loop]);
    }
  }
  l->are_apart = b || bd_op_starts_with(op, "arith.") || bd_op_starts_with(op, "math.") ||
                 bd_op_is_any(op, plain);
  return l->are_apart ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

/* Whether another buffer may be the same memory. */
static bool may_meet(const loops *l, const buffer *written) {
  const MlirValue base = bd_base_of(written->value);
  if (!bd_is_made_by(base, "memref.alloc")) return true;
  for (int i = 0; i < l->n_buffers; ++i) {
    const MlirValue other = bd_base_of(l->buffers[i].value);
    if (&l->buffers[i] != written && (bd_base_is_any(other) || mlirValueEqual(other, base)))
      return true;
  }
  return false;
}

/* What is written is the iteration's own, or at the index of each loop. */
static bool are_apart(loops *l) {
  for (l->loop = 0; l->loop < l->n; ++l->loop) {
    for (int i = 0; i < l->n_buffers; ++i) l->buffers[i].axes = UINT32_MAX;
    mlirOperationWalk(l->outermost, look, l, MlirWalkPreOrder);
    if (!l->are_apart) return false;
    for (int i = 0; i < l->n_buffers; ++i) {
      const buffer *b = &l->buffers[i];
      if (b->is_written && !b->is_own && (b->axes == 0 || may_meet(l, b))) return false;
    }
  }
  return true;
}

/* ---- One loop in their place ----------------------------------------------------------------- */

static buddy_code spread(MlirOperation op, void *user) {
  loops l;
  (void)user;
  read_loops(&l, op);
  if (l.n == 0 || !are_apart(&l)) return BUDDY_OK;
  const MlirBlock body = bd_build_parallel(bd_builder_before(op), l.upper, l.n);
  for (int i = 0; i < l.n_buffers; ++i) {
    if (!l.buffers[i].is_own) continue;
    const MlirOperation alloc = bd_maker_of(l.buffers[i].value);
    mlirOperationRemoveFromParent(alloc);
    mlirBlockAppendOwnedOperation(body, alloc);
  }
  bd_block_move(l.body, mlirBlockGetTerminator(l.body), body, (MlirOperation){NULL});
  const MlirLocation location = mlirOperationGetLocation(op);
  (void)bd_build_op(bd_builder_at_end(body, location), "scf.reduce", NULL, 0, NULL, 0, NULL, 0);
  for (int i = 0; i < l.n; ++i)
    mlirValueReplaceAllUsesOfWith(l.index[i], mlirBlockGetArgument(body, i));
  bd_op_set_attribute(bd_block_parent(body), BD_ROWS, mlirUnitAttrGet(mlirOperationGetContext(op)));
  bd_op_erase(op);
  return BUDDY_OK;
}

buddy_code bd_apart_spread(MlirOperation root) {
  return bd_ops_each_outermost(root, "scf.for", spread, NULL);
}
