// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/direct.c: writing results to where a copy would have taken them.
 *
 * For a copy from all of the allocation A into (part of) the allocation T:
 *
 *   before the copy, T has only been filled, which can be done before A is written to;
 *   after it, neither is written to any more;
 *   users of A cope with strides.
 *
 * Copies are taken from the last to the first, so that of several after each other the last target
 * is what is written to. Of a frame, only what is not overwritten is filled. */
#include "sdk/compile/rewrite/direct.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/structured.h"

/* A copy, and what is known of it. */
typedef struct copying {
  MlirOperation op;
  MlirValue from, to;           /* as the operation sees them */
  MlirOperation source, target; /* their allocations */
  bd_geometry there;            /* what `from` becomes: part of the target */
  bd_box box;                   /* the same */
  MlirOperation fill;           /* of all the target, before; null: there is none */
  bool has_early_users; /* of other parts, before the source: no fill can move behind them */
} copying;

static MlirOperation alloc_of(MlirValue value) {
  const MlirValue base = bd_base_of(value);
  const MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(base)) return none;
  const MlirOperation op = mlirOpResultGetOwner(base);
  return bd_op_is(op, "memref.alloc") ? op : none;
}

static MlirValue buffer_of(MlirOperation alloc) { return mlirOperationGetResult(alloc, 0); }

static bool is_in_block(const copying *c, MlirOperation op) {
  return mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(c->op));
}

static bool is_view(MlirOperation op) {
  return bd_op_is(op, "memref.reinterpret_cast") || bd_op_is(op, "memref.subview");
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* The axis along which neighbours lie side by side; -1 if there is none. */
static int64_t innermost_of(const bd_geometry *g) {
  for (int64_t i = g->rank - 1; i >= 0; --i) {
    if (g->strides[i] == 1 && g->sizes[i] > 1) return i;
  }
  return -1;
}

/* Fills in `there`; false if what is innermost would change. */
static int find_place(copying *c) {
  bd_geometry from, to;
  if (!bd_geometry_read(c->from, &from) || !bd_geometry_read(c->to, &to) || from.rank != to.rank)
    return 0;
  const MlirAttribute permutation = bd_op_attribute(c->op, "permutation");
  c->there = from;
  c->there.base = to.base;
  c->there.offset = to.offset;
  for (int64_t i = 0; i < from.rank; ++i) {
    const int64_t axis =
        !permutation.ptr ? i : mlirDenseI64ArrayGetElement(permutation, (intptr_t)i);
    c->there.strides[axis] = to.strides[i];
  }
  const int64_t innermost = innermost_of(&from);
  return innermost >= 0 && c->there.strides[innermost] == 1;
}

/* ---- Users ----------------------------------------------------------------------------------- */

/* True if the operation, linalg's or a copy, writes to the operand. */
static int writes_to(MlirOperation op, intptr_t operand) {
  bd_structured s;
  if (bd_op_is(op, "memref.copy") || !bd_structured_read(op, &s))
    return operand == mlirOperationGetNumOperands(op) - 1;
  return operand >= s.n_inputs;
}

static bool is_simple(const copying *c, MlirOperation op) {
  return is_in_block(c, op) && (bd_op_starts_with(op, "linalg.") || bd_op_is(op, "memref.copy"));
}

/* Whether a user of the source may see it where it will be: kernels of products want dense
 * matrices, those of convolutions the channels innermost. */
static int copes(const copying *c, MlirOperation op) {
  static const char *const names[] = {"linalg.conv_2d_nchw_fchw",
                                      "linalg.depthwise_conv_2d_nchw_chw", NULL};
  if (bd_op_is_any(op, names)) return c->there.strides[1] == 1;
  return !bd_op_starts_with(op, "linalg.conv_") && !bd_op_starts_with(op, "linalg.depthwise_") &&
         !mlirLinalgIsAContractionOp(op);
}

/* Users of the source: none writes to it after the copy. */
static int source_is_settled(const copying *c) {
  if (!bd_is_seen_alone(c->from, buffer_of(c->source))) return 0;
  MlirOpOperand use = mlirValueGetFirstUse(c->from);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (!is_simple(c, user) || !copes(c, user)) return 0;
    if (writes_to(user, (intptr_t)mlirOpOperandGetOperandNumber(use)) &&
        mlirOperationIsBeforeInBlock(c->op, user))
      return 0;
  }
  return 1;
}

/* What becomes of a user of the target that sees that part of it: before the copy it may fill all
 * of it, after it, it may read. What lies apart is no matter. */
static bool is_harmless(copying *c, MlirOperation user, int writes, const bd_box *part,
                        bool is_whole) {
  if (bd_boxes_are_apart(part, &c->box)) {
    c->has_early_users |= mlirOperationIsBeforeInBlock(user, c->source);
    return true;
  }
  if (!mlirOperationIsBeforeInBlock(user, c->op)) return !writes;
  if (!bd_op_is(user, "linalg.fill") || !is_whole || c->fill.ptr) return false;
  c->fill = user;
  return true;
}

/* Users of the target, and of the view of it that `value` is: of the part that `of` is, whose axes
 * `value` may have in another form. */
static int target_is_settled(copying *c, MlirValue value, MlirValue of) {
  bd_geometry g;
  bd_box part;
  if (!bd_geometry_read(of, &g) || !bd_box_read(&g, &part)) return 0;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, c->op)) continue;
    if (is_view(user) || bd_op_is_reshape(user)) {
      const MlirValue view = mlirOperationGetResult(user, 0);
      if (!is_in_block(c, user) || !target_is_settled(c, view, is_view(user) ? view : of)) return 0;
      continue;
    }
    const int writes = writes_to(user, (intptr_t)mlirOpOperandGetOperandNumber(use));
    if (!is_simple(c, user) || !is_harmless(c, user, writes, &part, bd_box_is_whole(&part, &g)))
      return 0;
  }
  return 1;
}

/* A number can be had wherever it is wanted. */
static int fills_with_number(MlirOperation fill) {
  const MlirValue value = mlirOperationGetOperand(fill, 0);
  return bd_is_made_by(value, "arith.constant");
}

static int read_copying(MlirOperation op, copying *c) {
  bd_geometry from;
  bd_box all;
  *c = (copying){
      .op = op, .from = mlirOperationGetOperand(op, 0), .to = mlirOperationGetOperand(op, 1)};
  c->source = alloc_of(c->from);
  c->target = alloc_of(c->to);
  if (!c->source.ptr || !c->target.ptr || mlirOperationEqual(c->source, c->target) ||
      !is_in_block(c, c->source) || !is_in_block(c, c->target) || !find_place(c))
    return 0;
  if (!bd_geometry_read(c->from, &from) || !bd_box_read(&from, &all) ||
      !bd_box_is_whole(&all, &from) || !bd_box_read(&c->there, &c->box))
    return 0;
  return source_is_settled(c) && target_is_settled(c, buffer_of(c->target), buffer_of(c->target)) &&
         (!c->fill.ptr || (fills_with_number(c->fill) && !c->has_early_users));
}

/* ---- Changing -------------------------------------------------------------------------------- */

static void hoist(MlirOperation op, MlirOperation place) {
  if (mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(place)) &&
      mlirOperationIsBeforeInBlock(place, op))
    mlirOperationMoveBefore(op, place);
}

/* Fills a part of the target where the source is allocated. */
static buddy_code fill_part(const copying *c, const bd_box *part) {
  const bd_geometry view = bd_box_view(buffer_of(c->target), part);
  for (int64_t i = 0; i < part->rank; ++i) {
    if (part->n[i] == 0) return BUDDY_OK;
  }
  const MlirOperation copy = mlirOperationClone(c->fill);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(c->source), c->source, copy);
  const MlirValue value = bd_geometry_insert(copy, &view);
  if (!value.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirOperationSetOperand(copy, 1, value);
  return BUDDY_OK;
}

/* What lies around the box: below and above it along each axis, the axes before cut to the box. */
static buddy_code fill_frame(const copying *c) {
  const MlirType type = mlirValueGetType(buffer_of(c->target));
  bd_box part = {.rank = c->box.rank};
  for (int64_t i = 0; i < part.rank; ++i) {
    part.first[i] = 0;
    part.n[i] = mlirShapedTypeGetDimSize(type, (intptr_t)i);
  }
  for (int64_t i = 0; i < part.rank; ++i) {
    const int64_t end = c->box.first[i] + c->box.n[i], size = part.n[i];
    part.n[i] = c->box.first[i];
    BD_TRY(fill_part(c, &part));
    part.first[i] = end;
    part.n[i] = size - end;
    BD_TRY(fill_part(c, &part));
    part.first[i] = c->box.first[i];
    part.n[i] = c->box.n[i];
  }
  return BUDDY_OK;
}

static buddy_code avoid(const copying *c) {
  buddy_code code = BUDDY_OK;
  hoist(c->target, c->source);
  if (c->fill.ptr) {
    hoist(mlirOpResultGetOwner(mlirOperationGetOperand(c->fill, 0)), c->source);
    code = fill_frame(c);
    bd_op_erase(c->fill);
  }
  if (code != BUDDY_OK) return code;
  const MlirValue view = bd_geometry_insert(c->source, &c->there);
  if (!view.ptr) return BUDDY_OUT_OF_MEMORY;
  bd_op_erase(c->op);
  mlirValueReplaceAllUsesOfWith(c->from, view);
  for (MlirOperation old = mlirOpResultGetOwner(c->from); !mlirOperationEqual(old, c->source);) {
    const MlirOperation gone = old;
    old = mlirOpResultGetOwner(mlirOperationGetOperand(gone, 0));
    bd_op_erase(gone);
  }
  bd_op_erase(c->source);
  return BUDDY_OK;
}

/* ---- Sizes that a run knows ------------------------------------------------------------------ */

/* Images of any size, channels innermost: all of A is copied into a part of T that begins at a known place. T is filled,
 * A is copied there, then T is read, and that is all that is done with it. */
typedef struct framing {
  copying c;
  MlirOperation part; /* memref.subview of `whole`, which T is seen through, or T itself */
  MlirValue whole;
  bd_ops needs; /* what is to be there before A, in any order */
} framing;

static bool has_channels_inside(MlirValue image) {
  int64_t strides[BD_MAX_RANK];
  const MlirType type = mlirValueGetType(image);
  return mlirShapedTypeGetRank(type) == 4 && bd_memref_strides(type, strides) && strides[1] == 1;
}

/* T as it is, or the one view of it. */
static bool is_all_of(MlirValue whole, MlirOperation alloc) {
  const MlirValue buffer = buffer_of(alloc);
  return mlirValueEqual(whole, buffer) ||
         (bd_is_made_by(whole, "memref.reinterpret_cast") && bd_only_user(buffer).ptr);
}

static bool begins_at_known_place(MlirOperation subview) {
  const MlirAttribute offsets = bd_op_attribute(subview, "static_offsets");
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(offsets); ++i) {
    if (mlirShapedTypeIsDynamicSize(mlirDenseI64ArrayGetElement(offsets, i))) return false;
  }
  return true;
}

/* T is filled before the copy, and read after it. */
static bool is_frame(framing *f) {
  MlirOpOperand use = mlirValueGetFirstUse(f->whole);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    const int writes = writes_to(user, (intptr_t)mlirOpOperandGetOperandNumber(use));
    if (mlirOperationEqual(user, f->part)) continue;
    if (!is_simple(&f->c, user)) return false;
    if (!writes && mlirOperationIsBeforeInBlock(f->c.op, user)) continue;
    if (f->c.fill.ptr || !bd_op_is(user, "linalg.fill") ||
        !mlirOperationIsBeforeInBlock(user, f->c.op))
      return false;
    f->c.fill = user;
  }
  return f->c.fill.ptr && fills_with_number(f->c.fill);
}

/* What depends on sizes alone can be wherever these are. */
static bool can_be_moved(const framing *f, MlirOperation op) {
  static const char *const names[] = {"memref.alloc",   "memref.dim",  "memref.reinterpret_cast",
                                      "memref.subview", "linalg.fill", NULL};
  return (bd_op_starts_with(op, "arith.") || bd_op_is_any(op, names)) && is_in_block(&f->c, op);
}

static bool is_needed(const framing *f, MlirOperation op) {
  size_t i = 0;
  while (i < f->needs.n && !mlirOperationEqual(f->needs.items[i], op)) ++i;
  return i < f->needs.n;
}

/* The part, the fill, and what they are made of that is not before A yet, each once. */
static buddy_code collect_needs(framing *f, bool *out_can) {
  BD_TRY(bd_ops_add(&f->needs, f->part));
  BD_TRY(bd_ops_add(&f->needs, f->c.fill));
  for (size_t n = 0; n < f->needs.n; ++n) {
    const MlirOperation op = f->needs.items[n];
    *out_can = can_be_moved(f, op);
    if (!*out_can) return BUDDY_OK;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      const MlirOperation maker = bd_maker_of(mlirOperationGetOperand(op, i));
      if (maker.ptr && is_in_block(&f->c, maker) &&
          mlirOperationIsBeforeInBlock(f->c.source, maker) && !is_needed(f, maker))
        BD_TRY(bd_ops_add(&f->needs, maker));
    }
  }
  return BUDDY_OK;
}

static bool read_framing(MlirOperation op, framing *f) {
  const MlirValue from = mlirOperationGetOperand(op, 0), to = mlirOperationGetOperand(op, 1);
  *f = (framing){.c = {.op = op, .from = from, .to = to}, .part = bd_maker_of(to)};
  copying *c = &f->c;
  if (!bd_op_is(op, "memref.copy") || mlirShapedTypeHasStaticShape(mlirValueGetType(from)) ||
      !f->part.ptr || !bd_op_is(f->part, "memref.subview") || !bd_only_user(to).ptr)
    return false;
  f->whole = mlirOperationGetOperand(f->part, 0);
  c->source = alloc_of(from);
  c->target = alloc_of(f->whole);
  if (!c->source.ptr || !c->target.ptr || mlirOperationEqual(c->source, c->target) ||
      !is_in_block(c, c->source) || !is_in_block(c, c->target) || !is_all_of(from, c->source) ||
      !is_all_of(f->whole, c->target) || !has_channels_inside(from) || !has_channels_inside(to) ||
      !begins_at_known_place(f->part))
    return false;
  c->there.strides[1] = 1;
  return source_is_settled(c) && is_frame(f);
}

/* In the order in which they are, and each before A. */
static void move_needs(const framing *f) {
  MlirOperation at = mlirOperationGetNextInBlock(f->c.source);
  while (!mlirOperationEqual(at, f->c.op)) {
    const MlirOperation next = mlirOperationGetNextInBlock(at);
    if (is_needed(f, at)) mlirOperationMoveBefore(at, f->c.source);
    at = next;
  }
}

static buddy_code avoid_framing(framing *f) {
  bool can = true;
  const buddy_code code = collect_needs(f, &can);
  if (code == BUDDY_OK && can) {
    const MlirOperation cast = bd_maker_of(f->c.from);
    move_needs(f);
    bd_op_erase(f->c.op);
    mlirValueReplaceAllUsesOfWith(f->c.from, f->c.to);
    if (!mlirOperationEqual(cast, f->c.source)) bd_op_erase(cast);
    bd_op_erase(f->c.source);
  }
  bd_ops_deinit(&f->needs);
  return code;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static bool is_copy(MlirOperation op) {
  return bd_op_is(op, "memref.copy") || bd_op_is(op, "linalg.transpose");
}

/* All copies, in order: others of the operations may be gone before their turn comes. */
static buddy_code collect_copies(bd_ops *ops, MlirOperation root) {
  const buddy_code code = bd_ops_collect(ops, root, "");
  size_t n = 0;
  for (size_t i = 0; i < ops->n; ++i) {
    if (is_copy(ops->items[i])) ops->items[n++] = ops->items[i];
  }
  ops->n = n;
  return code;
}

buddy_code bd_copies_avoid(MlirOperation root) {
  bd_ops ops = {NULL, 0, 0};
  buddy_code code = collect_copies(&ops, root);
  for (size_t i = ops.n; i > 0 && code == BUDDY_OK; --i) {
    copying c;
    framing f;
    if (read_copying(ops.items[i - 1], &c))
      code = avoid(&c);
    else if (read_framing(ops.items[i - 1], &f))
      code = avoid_framing(&f);
  }
  bd_ops_deinit(&ops);
  return code;
}
