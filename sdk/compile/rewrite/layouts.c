// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/layouts.c: choosing NHWC for images between convolutions.
 *
 * A candidate is an allocation whose every user copes with strides. Candidates that one operation
 * goes over together are put into one set; sets with a convolution among their users change, or a
 * call that says it is one (BUDDY_CALL_PIXELS). */
#include "sdk/compile/rewrite/layouts.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/kernels/convolution.h"
#include "sdk/compile/kernels/convolution_read.h"
#include "sdk/compile/kernels/depthwise.h"
#include "sdk/compile/rewrite/calls.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

enum { N, C, H, W, RANK };

typedef struct candidate {
  UT_hash_handle hh;
  const void *key; /* of the buffer, a value */
  MlirOperation alloc;
  size_t set; /* another of its set; itself: the one that stands for it */
  bool is_refused, is_wanted;
} candidate;

typedef struct choice {
  const bd_prepacking *prepacking;
  candidate *items, *by_key;
  size_t n;
} choice;

/* ---- Candidates ------------------------------------------------------------------------------ */

static bool is_nchw(MlirType type) {
  if (!mlirTypeIsAMemRef(type) || mlirShapedTypeGetRank(type) != RANK || !bd_type_is_bare(type))
    return false;
  const MlirType element = mlirShapedTypeGetElementType(type);
  for (intptr_t i = 0; i < RANK; ++i) {
    if (mlirShapedTypeGetDimSize(type, i) == 0) return false;
  }
  return mlirTypeIsAF32(element) || mlirTypeIsAF64(element) || mlirTypeIsAInteger(element);
}

static bool is_depthwise(MlirOperation op) {
  return bd_op_is(op, "linalg.depthwise_conv_2d_nchw_chw");
}

/* In groups, its images are views in which these are an axis. */
static bool is_grouped(MlirOperation op) { return bd_op_is(op, "linalg.conv_2d_ngchw_gfchw"); }

static bool is_plain(MlirOperation op) {
  return bd_op_is(op, "linalg.conv_2d_nchw_fchw") || is_grouped(op);
}

static bool is_convolution(const choice *c, MlirOperation op) {
  return (is_plain(op) && bd_convolution_takes_nhwc(op, c->prepacking)) ||
         (is_depthwise(op) && bd_depthwise_takes_nhwc(op, c->prepacking));
}

/* Operations that are indifferent to strides, or want them. */
static int copes(const choice *c, MlirOperation op) {
  static const char *const names[] = {"linalg.fill", "linalg.transpose", "linalg.copy",
                                      "linalg.broadcast", "memref.copy"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    if (bd_op_is(op, names[i])) return 1;
  }
  if (bd_op_starts_with(op, "linalg.pooling_nchw_")) return 1;
  if (bd_op_is(op, "linalg.generic")) return !mlirLinalgIsAContractionOp(op);
  return is_convolution(c, op);
}

/* True if all that the cast is for is calls that want it so. */
static int cast_copes(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    const bool is_cast = bd_op_is(user, "memref.cast");
    if (is_cast ? !cast_copes(mlirOperationGetResult(user, 0))
                : !bd_call_takes_nhwc(user, mlirOpOperandGetOperandNumber(use)))
      return 0;
  }
  return 1;
}

/* True of n, c, h, w in groups of c for convolutions in such. */
static int groups_cope(const choice *c, MlirOperation expand) {
  const MlirValue groups = mlirOperationGetResult(expand, 0);
  if (!bd_expands_to_groups(expand)) return 0;
  MlirOpOperand use = mlirValueGetFirstUse(groups);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (!is_grouped(user) || !is_convolution(c, user)) return 0;
  }
  return 1;
}

static void read_numbers(MlirOperation op, const char *name, int64_t out[RANK]) {
  const MlirAttribute numbers = bd_op_attribute(op, name);
  for (int i = 0; i < RANK; ++i) out[i] = mlirDenseI64ArrayGetElement(numbers, i);
}

/* Which sample it begins with is known in the run alone. */
static bool is_of_some_sample(MlirOperation subview) {
  int64_t at[RANK];
  read_numbers(subview, "static_offsets", at);
  return mlirShapedTypeIsDynamicSize(at[N]);
}

/* A part whose place is known, but for the sample. */
static bool is_part(MlirOperation subview) {
  return mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(subview, 0))) == RANK &&
         mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(subview, 0))) == RANK &&
         mlirOperationGetNumOperands(subview) == 1 + is_of_some_sample(subview);
}

static int every_user_copes(const choice *c, MlirValue value, bool is_view) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (copes(c, user)) continue;
    if (bd_op_is(user, "memref.cast")) {
      if (!cast_copes(mlirOperationGetResult(user, 0))) return 0;
      continue;
    }
    if (!is_view && bd_op_is(user, "memref.expand_shape") && groups_cope(c, user)) continue;
    if (is_view || !bd_op_is(user, "memref.subview") || !is_part(user) ||
        !every_user_copes(c, mlirOperationGetResult(user, 0), 1))
      return 0;
  }
  return 1;
}

static buddy_code find_candidates(choice *c, const bd_ops *allocs) {
  bool hash_is_full = false;
  c->items = bd_calloc(allocs->n + 1, sizeof(candidate));
  if (!c->items) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < allocs->n; ++i) {
    const MlirOperation op = allocs->items[i];
    if (!bd_op_is(op, "memref.alloc")) continue;
    const MlirValue buffer = mlirOperationGetResult(op, 0);
    if (!is_nchw(mlirValueGetType(buffer)) || !every_user_copes(c, buffer, 0)) continue;
    candidate *item = &c->items[c->n];
    *item = (candidate){.key = buffer.ptr, .alloc = op, .set = c->n};
    HASH_ADD_PTR(c->by_key, key, item);
    if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
    ++c->n;
  }
  return BUDDY_OK;
}

static candidate *candidate_of(const choice *c, MlirValue value) {
  const MlirValue base = bd_base_of(value);
  candidate *item = NULL;
  HASH_FIND_PTR(c->by_key, &base.ptr, item);
  return item;
}

/* ---- Sets ------------------------------------------------------------------------------------ */

static size_t root_of(choice *c, size_t i) {
  while (c->items[i].set != i) i = c->items[i].set = c->items[c->items[i].set].set;
  return i;
}

/* The candidates that one operation goes over together, axis by axis. */
static void connect(choice *c, MlirOperation op) {
  candidate *first = NULL;
  if (bd_op_is(op, "linalg.transpose") || is_plain(op)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    candidate *item = candidate_of(c, mlirOperationGetOperand(op, i));
    if (!item) continue;
    if (!first) first = item;
    c->items[root_of(c, (size_t)(item - c->items))].set = root_of(c, (size_t)(first - c->items));
  }
}

/* A depthwise kernel wants both images one way: where one cannot change, the other stays. */
static int refuse_halves(choice *c, const bd_ops *ops) {
  bool has_changed = false;
  for (size_t i = 0; i < ops->n; ++i) {
    if (!is_depthwise(ops->items[i])) continue;
    candidate *ends[] = {candidate_of(c, mlirOperationGetOperand(ops->items[i], 0)),
                         candidate_of(c, mlirOperationGetOperand(ops->items[i], 2))};
    for (int k = 0; k < 2; ++k) {
      const candidate *other = ends[1 - k];
      if (!ends[k] || ends[k]->is_refused || (other && !other->is_refused)) continue;
      ends[k]->is_refused = has_changed = true;
    }
  }
  return has_changed;
}

static void want(choice *c, MlirValue image) {
  const candidate *item = candidate_of(c, image);
  if (item && !item->is_refused) c->items[root_of(c, (size_t)(item - c->items))].is_wanted = true;
}

static void choose_for_calls(choice *c, const bd_ops *calls) {
  for (size_t i = 0; i < calls->n; ++i) {
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(calls->items[i]); ++k) {
      if (bd_call_takes_nhwc(calls->items[i], k))
        want(c, mlirOperationGetOperand(calls->items[i], k));
    }
  }
}

static void choose(choice *c, const bd_ops *ops, const bd_ops *calls) {
  while (refuse_halves(c, ops)) continue;
  for (size_t i = 0; i < ops->n; ++i) connect(c, ops->items[i]);
  choose_for_calls(c, calls);
  for (size_t i = 0; i < ops->n; ++i) {
    if (!is_convolution(c, ops->items[i])) continue;
    for (intptr_t k = 0; k < 3; k += 2) {
      if (is_depthwise(ops->items[i]) || bd_convolution_wants_nhwc(ops->items[i], (int)k))
        want(c, mlirOperationGetOperand(ops->items[i], k));
    }
  }
}

/* ---- Changing -------------------------------------------------------------------------------- */

/* A view of some samples stays one of what takes the place of the image. */
static void change_samples(MlirOperation op, const bd_geometry *whole) {
  const MlirType base = mlirValueGetType(whole->base);
  int64_t by[RANK], sizes[RANK];
  read_numbers(op, "static_sizes", sizes);
  read_numbers(op, "static_strides", by);
  for (int i = 0; i < RANK; ++i) by[i] *= whole->strides[i];
  mlirValueSetType(mlirOperationGetResult(op, 0),
                   mlirMemRefTypeGet(
                       mlirShapedTypeGetElementType(base), RANK, sizes,
                       mlirStridedLayoutAttrGet(mlirOperationGetContext(op),
                                                mlirShapedTypeGetDynamicStrideOrOffset(), RANK, by),
                       mlirMemRefTypeGetMemorySpace(base)));
}

/* The part of the image that the subview is, in the new buffer. */
static buddy_code change_subview(MlirOperation op, const bd_geometry *whole) {
  int64_t at[RANK], by[RANK];
  bd_geometry part = *whole;
  read_numbers(op, "static_offsets", at);
  read_numbers(op, "static_sizes", part.sizes);
  read_numbers(op, "static_strides", by);
  for (int i = 0; i < RANK; ++i) {
    part.offset += at[i] * whole->strides[i];
    part.strides[i] = by[i] * whole->strides[i];
  }
  const MlirValue view = bd_geometry_insert(op, &part);
  if (!view.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), view);
  bd_op_erase(op);
  return BUDDY_OK;
}

/* The image in groups stays a view of what takes the place of the image, of another layout. */
static void change_groups(MlirOperation op, const bd_geometry *whole) {
  const MlirValue groups = mlirOperationGetResult(op, 0);
  const MlirType type = mlirValueGetType(groups);
  int64_t sizes[RANK + 1], strides[RANK + 1];
  for (int i = 0; i < RANK + 1; ++i) {
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
    strides[i] = whole->strides[i < 2 ? i : i - 1];
  }
  strides[1] *= sizes[2];
  mlirValueSetType(
      groups, mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), RANK + 1, sizes,
                                mlirStridedLayoutAttrGet(mlirOperationGetContext(op), whole->offset,
                                                         RANK + 1, strides),
                                mlirMemRefTypeGetMemorySpace(type)));
}

static buddy_code change_views(MlirValue old, const bd_geometry *whole) {
  MlirOpOperand use = mlirValueGetFirstUse(old);
  while (!mlirOpOperandIsNull(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    use = mlirOpOperandGetNextUse(use);
    if (bd_op_is(user, "memref.subview") && is_of_some_sample(user))
      change_samples(user, whole);
    else if (bd_op_is(user, "memref.subview"))
      BD_TRY(change_subview(user, whole));
    if (bd_op_is(user, "memref.expand_shape")) change_groups(user, whole);
  }
  return BUDDY_OK;
}

static MlirOperation alloc_like(MlirOperation alloc, MlirType type) {
  static const int32_t segments[] = {0, 0};
  const bd_builder b = bd_builder_before(alloc);
  const MlirNamedAttribute sizes =
      bd_named(b.context, "operandSegmentSizes", mlirDenseI32ArrayGet(b.context, 2, segments));
  return bd_build_op(b, "memref.alloc", NULL, 0, &type, 1, &sizes, 1);
}

static buddy_code change(MlirOperation alloc) {
  static const int order[RANK] = {N, H, W, C};
  static const int64_t back[RANK] = {0, 3, 1, 2};
  const MlirValue old = mlirOperationGetResult(alloc, 0);
  const MlirType type = mlirValueGetType(old);
  int64_t sizes[RANK];
  for (int i = 0; i < RANK; ++i) sizes[i] = mlirShapedTypeGetDimSize(type, order[i]);
  const MlirOperation renewed =
      alloc_like(alloc, mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), RANK, sizes,
                                                    mlirMemRefTypeGetMemorySpace(type)));
  bd_geometry nhwc;
  if (!renewed.ptr) return BUDDY_OUT_OF_MEMORY;
  if (!bd_geometry_read(mlirOperationGetResult(renewed, 0), &nhwc)) return BUDDY_INTERNAL;
  const bd_geometry nchw = bd_geometry_permuted(&nhwc, back);
  BD_TRY(change_views(old, &nchw));
  const MlirValue view = bd_geometry_insert(alloc, &nchw);
  if (!view.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirValueReplaceAllUsesOfWith(old, view);
  bd_op_erase(alloc);
  return BUDDY_OK;
}

buddy_code bd_layouts_choose(MlirOperation root, const bd_prepacking *prepacking) {
  choice c = {.prepacking = prepacking};
  bd_ops allocs = {NULL, 0, 0}, ops = {NULL, 0, 0}, calls = {NULL, 0, 0};
  buddy_code code = bd_ops_collect(&allocs, root, "memref.alloc");
  if (code == BUDDY_OK) code = find_candidates(&c, &allocs);
  if (code == BUDDY_OK && c.n > 0) code = bd_ops_collect(&ops, root, "linalg.");
  if (code == BUDDY_OK && c.n > 0) code = bd_ops_collect(&ops, root, "memref.copy");
  if (code == BUDDY_OK && c.n > 0) code = bd_ops_collect(&calls, root, "func.call");
  if (code == BUDDY_OK) choose(&c, &ops, &calls);
  for (size_t i = 0; i < c.n && code == BUDDY_OK; ++i) {
    if (!c.items[i].is_refused && c.items[root_of(&c, i)].is_wanted)
      code = change(c.items[i].alloc);
  }
  HASH_CLEAR(hh, c.by_key);
  free(c.items);
  bd_ops_deinit(&allocs);
  bd_ops_deinit(&ops);
  bd_ops_deinit(&calls);
  return code;
}
