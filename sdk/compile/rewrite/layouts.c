// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/layouts.c: choosing NHWC, or NDHWC, for images between convolutions.
 *
 * A candidate is an allocation whose every user copes with strides. Candidates that one operation
 * goes over together are put into one set; sets change that convolutions read or write, or calls
 * that say they are such (BUDDY_CALL_PIXELS), more elements of than lie at its borders: where an
 * operation goes over an image of the set and one that keeps its layout, it reads or writes one of
 * them against its order. */
#include "sdk/compile/rewrite/layouts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/kernels/convolution.h"
#include "sdk/compile/kernels/convolution_read.h"
#include "sdk/compile/rewrite/calls.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

/* The axes of an image, MOST at the most: from PLACES on d, h and w, or h and w. */
enum { N, C, PLACES, MOST = 5 };

typedef struct candidate {
  UT_hash_handle hh;
  const void *key; /* of the buffer, a value */
  MlirOperation alloc;
  size_t set; /* another of its set; itself: the one that stands for it */
  bool is_refused;
  double gain; /* of the set: elements that convolutions go over, less those at its borders */
} candidate;

typedef struct choice {
  const bd_prepacking *prepacking;
  candidate *items, *by_key;
  size_t n;
} choice;

/* ---- Candidates ------------------------------------------------------------------------------ */

static intptr_t rank_of(MlirValue buffer) {
  return mlirShapedTypeGetRank(mlirValueGetType(buffer));
}

static bool is_image(MlirType type) {
  const intptr_t rank = mlirTypeIsAMemRef(type) ? mlirShapedTypeGetRank(type) : 0;
  if (rank <= PLACES + 1 || rank > MOST || !bd_memref_is_dense(type) ||
      mlirShapedTypeIsDynamicDim(type, C))
    return false;
  const MlirType element = mlirShapedTypeGetElementType(type);
  for (intptr_t i = 0; i < rank; ++i) {
    if (mlirShapedTypeGetDimSize(type, i) == 0) return false;
  }
  return mlirTypeIsAF32(element) || mlirTypeIsAF64(element) || mlirTypeIsABF16(element) ||
         mlirTypeIsAInteger(element);
}

/* In groups, its images are views in which these are an axis. */
static bool is_grouped(MlirOperation op) { return bd_op_is(op, "linalg.conv_2d_ngchw_gfchw"); }

static bool is_plain(MlirOperation op) {
  static const char *const names[] = {"linalg.conv_2d_nchw_fchw", "linalg.conv_3d_ncdhw_fcdhw",
                                      "linalg.depthwise_conv_2d_nchw_chw", NULL};
  return bd_op_is_any(op, names) || is_grouped(op);
}

static bool is_convolution(const choice *c, MlirOperation op) {
  return is_plain(op) && bd_convolution_takes_nhwc(op, c->prepacking);
}

/* Operations that are indifferent to strides, or want them. */
static int copes(const choice *c, MlirOperation op) {
  static const char *const names[] = {"linalg.fill",      "linalg.transpose", "linalg.copy",
                                      "linalg.broadcast", "memref.copy",      NULL};
  if (bd_op_is_any(op, names) || bd_op_starts_with(op, "linalg.pooling_nchw_")) return 1;
  if (bd_op_is(op, "linalg.generic")) return !mlirLinalgIsAContractionOp(op);
  return is_convolution(c, op);
}

/* The loop in whose body the image is read at places that it computes, if each channel of its result is made of that
 * channel; null for what is no such read. */
static MlirOperation loop_by_channel(MlirOperation read) {
  const MlirOperation loop = mlirOperationGetParentOperation(read);
  if (!bd_op_is(read, "memref.load") || !bd_op_is(loop, "linalg.generic"))
    return (MlirOperation){NULL};
  const intptr_t last = mlirOperationGetNumOperands(loop) - 1;
  const MlirAffineMap map = bd_map_of(loop, last);
  const intptr_t rank = mlirOperationGetNumOperands(read) - 1;
  if (rank <= C || mlirAffineMapGetNumResults(map) != rank) return (MlirOperation){NULL};
  const MlirOperation index = bd_maker_of(mlirOperationGetOperand(read, 1 + C));
  const MlirAffineExpr channel = mlirAffineMapGetResult(map, C);
  if (!bd_op_is(index, "linalg.index") || !mlirAffineExprIsADim(channel))
    return (MlirOperation){NULL};
  const int64_t at = mlirIntegerAttrGetValueInt(bd_op_attribute(index, "dim"));
  return at == mlirAffineDimExprGetPosition(channel) ? loop : (MlirOperation){NULL};
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

/* True of views with more axes, of one place each, as a mean that keeps the axes it is over has, or of channels in groups. */
static int units_cope(const choice *c, MlirOperation expand) {
  const MlirValue units = mlirOperationGetResult(expand, 0);
  const MlirType type = mlirValueGetType(units);
  if (mlirShapedTypeGetRank(type) > BD_MAX_RANK) return 0;
  const intptr_t rank = rank_of(mlirOperationGetOperand(expand, 0));
  for (intptr_t i = 0, d = 0; i < rank; ++i) {
    int n = 0;
    for (const intptr_t end = d + bd_parts_of_axis(expand, i); d < end; ++d)
      n += mlirShapedTypeGetDimSize(type, d) != 1;
    if (n > 1 && i != C) return 0;
  }
  MlirOpOperand use = mlirValueGetFirstUse(units);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (!bd_op_is(user, "linalg.generic") || !copes(c, user)) return 0;
  }
  return 1;
}

static void read_numbers(MlirOperation op, const char *name, int64_t out[MOST]) {
  const MlirAttribute numbers = bd_op_attribute(op, name);
  for (int i = 0; i < mlirDenseArrayGetNumElements(numbers) && i < MOST; ++i)
    out[i] = mlirDenseI64ArrayGetElement(numbers, i);
}

/* Which sample it begins with is known in the run alone. */
static bool is_of_some_sample(MlirOperation subview) {
  int64_t at[MOST] = {0};
  read_numbers(subview, "static_offsets", at);
  return mlirShapedTypeIsDynamicSize(at[N]);
}

static bool is_static(MlirValue buffer) {
  return mlirShapedTypeHasStaticShape(mlirValueGetType(buffer));
}

/* A part whose place is known, but for the sample; its size may be known in the run alone, if that of the whole is. */
static bool is_part(MlirOperation subview) {
  const MlirValue part = mlirOperationGetResult(subview, 0),
                  whole = mlirOperationGetOperand(subview, 0);
  const intptr_t rank = rank_of(part);
  int64_t sizes[MOST];
  if (rank != rank_of(whole)) return false;
  read_numbers(subview, "static_sizes", sizes);
  int n = 1 + is_of_some_sample(subview);
  for (intptr_t i = 0; i < rank && !is_static(whole); ++i)
    n += mlirShapedTypeIsDynamicSize(sizes[i]);
  return mlirOperationGetNumOperands(subview) == n;
}

static int every_user_copes(const choice *c, MlirValue value, bool is_view) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (copes(c, user) || loop_by_channel(user).ptr) continue;
    if (bd_op_is(user, "memref.cast")) {
      if (!is_static(value) || !cast_copes(mlirOperationGetResult(user, 0))) return 0;
      continue;
    }
    if (!is_view && bd_op_is(user, "memref.expand_shape") &&
        (groups_cope(c, user) || units_cope(c, user)))
      continue;
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
    if (!is_image(mlirValueGetType(buffer)) || !every_user_copes(c, buffer, 0)) continue;
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

/* The two images that a read wants one way: where one cannot change, the other stays. False: it is none of such. */
static bool read_ends(const choice *c, MlirOperation read, candidate *ends[2]) {
  const MlirOperation loop = loop_by_channel(read);
  if (!loop.ptr) return false;
  ends[0] = candidate_of(c, mlirOperationGetOperand(read, 0));
  ends[1] = candidate_of(c, mlirOperationGetOperand(loop, mlirOperationGetNumOperands(loop) - 1));
  return true;
}

static void join(choice *c, const candidate *one, const candidate *other) {
  if (!one || !other) return;
  c->items[root_of(c, (size_t)(other - c->items))].set = root_of(c, (size_t)(one - c->items));
}

/* The candidates that one operation goes over together, axis by axis: not by other axes than their own. */
static void connect(choice *c, MlirOperation op) {
  candidate *first = NULL, *ends[2];
  if (bd_op_is(op, "linalg.transpose") || is_plain(op)) return;
  if (read_ends(c, op, ends)) join(c, ends[0], ends[1]);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue image = mlirOperationGetOperand(op, i);
    candidate *item = candidate_of(c, image);
    if (!item || rank_of(image) != rank_of(bd_base_of(image))) continue;
    if (!first) first = item;
    join(c, first, item);
  }
}

static int refuse_halves(choice *c, const bd_ops *ops) {
  bool has_changed = false;
  candidate *ends[2];
  for (size_t i = 0; i < ops->n; ++i) {
    for (int k = 0; k < 2 && read_ends(c, ops->items[i], ends); ++k) {
      const candidate *other = ends[1 - k];
      if (!ends[k] || ends[k]->is_refused || (other && !other->is_refused)) continue;
      ends[k]->is_refused = has_changed = true;
    }
  }
  return has_changed;
}

/* Elements, as far as sizes are known. */
static double count(MlirValue image) {
  double n = 1;
  for (intptr_t i = 0; i < rank_of(image); ++i) {
    const int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(image), i);
    if (!mlirShapedTypeIsDynamicSize(size)) n *= (double)size;
  }
  return n;
}

static void weigh(choice *c, MlirValue image, double gain) {
  const candidate *item = candidate_of(c, image);
  if (item && !item->is_refused) c->items[root_of(c, (size_t)(item - c->items))].gain += gain;
}

static void choose_for_calls(choice *c, const bd_ops *calls) {
  for (size_t i = 0; i < calls->n; ++i) {
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(calls->items[i]); ++k) {
      const MlirValue image = mlirOperationGetOperand(calls->items[i], k);
      if (bd_call_takes_nhwc(calls->items[i], k)) weigh(c, image, count(image));
    }
  }
}

static bool changes(const choice *c, MlirValue image) {
  const candidate *item = candidate_of(c, image);
  return item && !item->is_refused;
}

/* What it goes over against an order, if it goes over images of both. */
static void weigh_border(choice *c, MlirOperation op) {
  MlirValue inside = {NULL};
  double beyond = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !inside.ptr; ++i) {
    const MlirValue image = mlirOperationGetOperand(op, i);
    if (changes(c, image)) inside = image;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && inside.ptr; ++i) {
    const MlirValue image = mlirOperationGetOperand(op, i);
    const bool is_other = mlirTypeIsAMemRef(mlirValueGetType(image)) && !changes(c, image);
    if (is_other && rank_of(image) == rank_of(inside)) beyond = fmax(beyond, count(image));
  }
  if (inside.ptr) weigh(c, inside, -fmin(beyond, count(inside)));
}

static void choose(choice *c, const bd_ops *ops, const bd_ops *calls) {
  while (refuse_halves(c, ops)) continue;
  for (size_t i = 0; i < ops->n; ++i) connect(c, ops->items[i]);
  choose_for_calls(c, calls);
  for (size_t i = 0; i < ops->n; ++i) {
    const MlirOperation op = ops->items[i];
    const bool copies = bd_op_is(op, "linalg.copy") || bd_op_is(op, "memref.copy");
    if (copies || bd_op_is(op, "linalg.generic")) weigh_border(c, op);
    if (!is_convolution(c, op)) continue;
    int64_t gains[] = {1, 0, 1};
    bd_convolution_gains_of_nhwc(op, c->prepacking, gains);
    for (intptr_t k = 0; k < 3; k += 2) {
      const MlirValue image = mlirOperationGetOperand(op, k);
      weigh(c, image, (double)gains[k] * count(image));
    }
  }
}

/* ---- Changing -------------------------------------------------------------------------------- */

/* A stride, of which the run alone may know the one that it is so many of. */
static int64_t times(int64_t n, int64_t stride) {
  return mlirShapedTypeIsDynamicStrideOrOffset(stride) ? stride : n * stride;
}

/* A view whose place or size the run alone knows stays one of what takes the place of the image. */
static void change_type(MlirOperation op, const bd_geometry *whole) {
  const MlirType base = mlirValueGetType(whole->base);
  int64_t by[MOST] = {0}, sizes[MOST] = {0};
  read_numbers(op, "static_sizes", sizes);
  read_numbers(op, "static_strides", by);
  for (int i = 0; i < whole->rank; ++i) by[i] = times(by[i], whole->strides[i]);
  mlirValueSetType(mlirOperationGetResult(op, 0),
                   mlirMemRefTypeGet(mlirShapedTypeGetElementType(base), whole->rank, sizes,
                                     mlirStridedLayoutAttrGet(
                                         mlirOperationGetContext(op),
                                         mlirShapedTypeGetDynamicStrideOrOffset(), whole->rank, by),
                                     mlirMemRefTypeGetMemorySpace(base)));
}

/* The part of the image that the subview is, in the new buffer. */
static buddy_code change_subview(MlirOperation op, const bd_geometry *whole) {
  int64_t at[MOST] = {0}, by[MOST] = {0};
  bd_geometry part = *whole;
  read_numbers(op, "static_offsets", at);
  read_numbers(op, "static_sizes", part.sizes);
  read_numbers(op, "static_strides", by);
  for (int i = 0; i < whole->rank; ++i) {
    part.offset += at[i] * whole->strides[i];
    part.strides[i] = by[i] * whole->strides[i];
  }
  return bd_op_replace(op, bd_geometry_insert(op, &part));
}

/* The image with more axes stays a view of what takes the place of the image, of another layout. */
static void change_expansion(MlirOperation op, const bd_geometry *whole) {
  const MlirValue view = mlirOperationGetResult(op, 0);
  const MlirType type = mlirValueGetType(view);
  const intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t sizes[BD_MAX_RANK], strides[BD_MAX_RANK];
  for (intptr_t i = 0, first = 0; i < whole->rank; ++i) {
    const intptr_t end = first + bd_parts_of_axis(op, i);
    int64_t stride = whole->strides[i];
    for (intptr_t d = end - 1; d >= first; --d) {
      sizes[d] = mlirShapedTypeGetDimSize(type, d);
      strides[d] = stride;
      stride = mlirShapedTypeIsDynamicSize(sizes[d]) ? mlirShapedTypeGetDynamicStrideOrOffset()
                                                     : times(sizes[d], stride);
    }
    first = end;
  }
  mlirValueSetType(view, mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, sizes,
                                           mlirStridedLayoutAttrGet(mlirOperationGetContext(op),
                                                                    whole->offset, rank, strides),
                                           mlirMemRefTypeGetMemorySpace(type)));
}

static buddy_code change_views(MlirValue old, const bd_geometry *whole) {
  MlirOpOperand use = mlirValueGetFirstUse(old);
  while (!mlirOpOperandIsNull(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    use = mlirOpOperandGetNextUse(use);
    if (bd_op_is(user, "memref.expand_shape"))
      change_expansion(user, whole);
    else if (!bd_op_is(user, "memref.subview"))
      continue;
    else if (is_of_some_sample(user) || !is_static(whole->base))
      change_type(user, whole);
    else
      BD_TRY(change_subview(user, whole)); /* is no more */
  }
  return BUDDY_OK;
}

/* Its sizes that only the run knows; those of n and of the places come in the same order either way. */
static size_t sizes_of(MlirOperation alloc, MlirValue out[MOST]) {
  const size_t n = (size_t)mlirOperationGetNumOperands(alloc);
  for (size_t i = 0; i < n; ++i) out[i] = mlirOperationGetOperand(alloc, (intptr_t)i);
  return n;
}

static MlirValue alloc_like(MlirOperation alloc, MlirType type) {
  MlirValue sizes[MOST];
  const size_t n = sizes_of(alloc, sizes);
  return bd_build_alloc(bd_builder_before(alloc), type, sizes, n);
}

/* memref.reinterpret_cast of an image with channels innermost whose sizes the run knows, as n, c and the places. */
static MlirValue insert_any_view(MlirOperation alloc, MlirValue nhwc, bd_geometry *out) {
  const bd_builder b = bd_builder_before(alloc);
  const MlirType old = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  const int64_t any = mlirShapedTypeGetDynamicStrideOrOffset();
  const int rank = (int)mlirShapedTypeGetRank(old);
  MlirValue operands[1 + 2 * MOST] = {nhwc}, sizes[MOST], strides[MOST] = {{NULL}}, next = {NULL};
  size_t n = 1 + sizes_of(alloc, operands + 1), used = 0;
  *out = (bd_geometry){.base = nhwc, .rank = rank};
  for (int i = 0; i < rank; ++i) out->sizes[i] = mlirShapedTypeGetDimSize(old, i);
  for (int i = 0; i < rank; ++i) {
    const bool is_any = mlirShapedTypeIsDynamicDim(old, i);
    sizes[i] = is_any ? operands[1 + used++] : (MlirValue){NULL};
  }
  out->strides[C] = 1;
  int64_t known = out->sizes[C];
  for (int k = rank - 1; k >= C; --k) { /* beyond the channels */
    const int i = k == C ? N : k;
    out->strides[i] = next.ptr ? any : known;
    strides[i] = next;
    if (!sizes[i].ptr && !next.ptr) {
      known *= out->sizes[i];
      continue;
    }
    next = bd_build_pair(b, "arith.muli", next.ptr ? next : bd_build_index(b, known),
                         sizes[i].ptr ? sizes[i] : bd_build_index(b, out->sizes[i]));
  }
  for (int i = 0; i < rank; ++i) {
    if (i != C && out->strides[i] == any) operands[n++] = strides[i];
  }
  const MlirType type =
      mlirMemRefTypeGet(mlirShapedTypeGetElementType(old), rank, out->sizes,
                        mlirStridedLayoutAttrGet(b.context, out->offset, rank, out->strides),
                        mlirMemRefTypeGetMemorySpace(old));
  const bd_slice all = {1, rank, &out->offset, out->sizes, out->strides};
  return bd_build_slice(b, "memref.reinterpret_cast", operands, n, type, &all);
}

static buddy_code change(MlirOperation alloc) {
  const MlirValue old = mlirOperationGetResult(alloc, 0);
  const MlirType type = mlirValueGetType(old);
  const int rank = (int)mlirShapedTypeGetRank(type);
  int64_t sizes[MOST], back[MOST]; /* where axis i of the old image lies in the new */
  for (int i = 0; i < rank; ++i) {
    back[i] = i == N ? N : i == C ? rank - 1 : i - 1;
    sizes[back[i]] = mlirShapedTypeGetDimSize(type, i);
  }
  const MlirValue buffer =
      alloc_like(alloc, mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank, sizes,
                                                    mlirMemRefTypeGetMemorySpace(type)));
  bd_geometry nhwc, nchw;
  MlirValue view = {NULL};
  if (!buffer.ptr) return BUDDY_OUT_OF_MEMORY;
  if (bd_geometry_read(buffer, &nhwc))
    nchw = bd_geometry_permuted(&nhwc, back);
  else
    view = insert_any_view(alloc, buffer, &nchw);
  BD_TRY(change_views(old, &nchw));
  if (!view.ptr) view = bd_geometry_insert(alloc, &nchw);
  return bd_op_replace(alloc, view);
}

buddy_code bd_layouts_choose(MlirOperation root, const bd_prepacking *prepacking) {
  choice c = {.prepacking = prepacking};
  bd_ops allocs = {NULL, 0, 0}, ops = {NULL, 0, 0}, calls = {NULL, 0, 0};
  buddy_code code = bd_ops_collect(&allocs, root, "memref.alloc");
  if (code == BUDDY_OK) code = find_candidates(&c, &allocs);
  if (code == BUDDY_OK && c.n > 0) code = bd_ops_collect(&ops, root, "linalg.");
  if (code == BUDDY_OK && c.n > 0) code = bd_ops_collect(&ops, root, "memref.copy");
  if (code == BUDDY_OK && c.n > 0) code = bd_ops_collect(&ops, root, "memref.load");
  if (code == BUDDY_OK && c.n > 0) code = bd_ops_collect(&calls, root, "func.call");
  if (code == BUDDY_OK) choose(&c, &ops, &calls);
  for (size_t i = 0; i < c.n && code == BUDDY_OK; ++i) {
    if (!c.items[i].is_refused && c.items[root_of(&c, i)].gain > 0) code = change(c.items[i].alloc);
  }
  HASH_CLEAR(hh, c.by_key);
  free(c.items);
  bd_ops_deinit(&allocs);
  bd_ops_deinit(&ops);
  bd_ops_deinit(&calls);
  return code;
}
