// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/arena.c: intermediate results as places of one block.
 *
 * The block is gone through once, with the bodies of loops in it, in the order in which it runs: an
 * allocation takes the smallest free place that is large enough, a deallocation gives it back. That
 * is linear but for a logarithm; for six models of the benchmarks the arena came out 0 to 36 %
 * larger than the most that is alive at a time, by a few MB at most. */
#include "sdk/compile/rewrite/arena.h"

#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/try.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/holes.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

#define ALIGNMENT 64

/* A buffer of the arena. */
typedef struct place {
  UT_hash_handle hh;
  const void *key; /* the allocation */
  MlirOperation alloc, dealloc;
  int64_t start, bytes;
  size_t first, last; /* steps, as profiling.h numbers them */
} place;

typedef struct plan {
  place *places, *by_alloc;
  size_t n, step; /* steps until now, if somebody asks for them */
  bool counts_steps;
  bd_holes holes;
} plan;

/* ---- Which buffers --------------------------------------------------------------------------- */

/* Null if the buffer is not freed in the block of its allocation. */
static MlirOperation dealloc_of(MlirOperation alloc) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(alloc, 0));
  for (; use.ptr; use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (bd_op_is(user, "memref.dealloc") &&
        mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(alloc)))
      return user;
  }
  return (MlirOperation){NULL};
}

/* Bytes that the buffer takes in the arena; 0: it cannot lie there. Of a multiple of the alignment
 * there is one more: buffers of whole pages would all begin at the same place of a page, which
 * processors take for the same memory when one is read while another is written. */
static int64_t room_of(MlirType type) {
  int64_t bytes = (int64_t)bd_type_bytes(mlirShapedTypeGetElementType(type));
  if (bytes == 0 || !bd_type_is_bare(type) || mlirMemRefTypeGetMemorySpace(type).ptr ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type))) /* what memref.view gives */
    return 0;
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    if (__builtin_mul_overflow(bytes, mlirShapedTypeGetDimSize(type, i), &bytes)) return 0;
  }
  if (bytes > INT64_MAX - 2 * ALIGNMENT) return 0;
  return (bytes / ALIGNMENT + 1) * ALIGNMENT;
}

/* ---- Places ---------------------------------------------------------------------------------- */

static buddy_code place_buffer(plan *p, MlirOperation alloc) {
  bool hash_is_full = false;
  place *at = &p->places[p->n];
  *at = (place){.key = alloc.ptr, .alloc = alloc, .dealloc = dealloc_of(alloc), .first = p->step};
  at->bytes = room_of(mlirValueGetType(mlirOperationGetResult(alloc, 0)));
  if (!at->dealloc.ptr || at->bytes == 0) return BUDDY_OK;
  const buddy_code code = bd_holes_take(&p->holes, at->bytes, &at->start);
  if (code != BUDDY_OK) return code == BUDDY_UNSUPPORTED ? BUDDY_OK : code; /* stays as it is */
  HASH_ADD_PTR(p->by_alloc, key, at);
  ++p->n;
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static buddy_code end_buffer(plan *p, MlirOperation dealloc) {
  const void *key = bd_maker_of(mlirOperationGetOperand(dealloc, 0)).ptr;
  place *at = NULL;
  HASH_FIND_PTR(p->by_alloc, &key, at);
  if (at) at->last = p->step > at->first ? p->step - 1 : at->first;
  return !at ? BUDDY_OK : bd_holes_give(&p->holes, at->start, at->bytes);
}

static MlirWalkResult count_step(MlirOperation op, void *user) {
  *(size_t *)user += bd_op_is_step(op);
  return MlirWalkResultAdvance;
}

static buddy_code find_places(plan *p, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (bd_op_is(op, "memref.alloc"))
      BD_TRY(place_buffer(p, op));
    else if (bd_op_is(op, "memref.dealloc"))
      BD_TRY(end_buffer(p, op));
    else if (bd_op_is(op, "scf.for")) /* its rounds follow each other: each has the same places */
      BD_TRY(find_places(p, bd_body_of(op)));
    else if (p->counts_steps)
      mlirOperationWalk(op, count_step, &p->step, MlirWalkPreOrder);
  }
  return BUDDY_OK;
}

/* ---- The arena ------------------------------------------------------------------------------- */

/* Null: memory is out. */
static MlirValue allocate(MlirBlock block, int64_t bytes) {
  const bd_builder b = bd_builder_before(mlirBlockGetFirstOperation(block));
  const MlirType byte = mlirIntegerTypeGet(b.context, 8),
                 type = mlirMemRefTypeContiguousGet(byte, 1, &bytes, mlirAttributeGetNull());
  const MlirNamedAttribute attributes[] = {
      bd_named(b.context, "alignment",
               mlirIntegerAttrGet(mlirIntegerTypeGet(b.context, 64), ALIGNMENT)),
      bd_named(b.context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(b.context, 2, (const int32_t[]){0, 0}))};
  const MlirOperation alloc = bd_build_op(b, "memref.alloc", NULL, 0, &type, 1, attributes, 2);
  return alloc.ptr ? mlirOperationGetResult(alloc, 0) : (MlirValue){NULL};
}

/* memref.view %arena[start] in place of the allocation. */
static buddy_code view(const place *at, MlirValue arena) {
  const bd_builder b = bd_builder_before(at->alloc);
  const MlirValue whole = mlirOperationGetResult(at->alloc, 0);
  const MlirValue operands[] = {arena, bd_build_index(b, at->start)};
  const MlirValue part = bd_build(b, "memref.view", operands, 2, mlirValueGetType(whole), NULL,
                                  mlirAttributeGetNull());
  if (!part.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirValueReplaceAllUsesOfWith(whole, part);
  bd_op_erase(at->dealloc);
  bd_op_erase(at->alloc);
  return BUDDY_OK;
}

static buddy_code use_arena(const plan *p, MlirBlock block) {
  if (p->n == 0) return BUDDY_OK;
  const MlirValue arena = allocate(block, p->holes.end);
  if (!arena.ptr) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < p->n; ++i) BD_TRY(view(&p->places[i], arena));
  return BUDDY_OK;
}

static buddy_code tell_places(const plan *p, bd_arena_listener *listener, void *user) {
  for (size_t i = 0; i < p->n; ++i) {
    const place *at = &p->places[i];
    const bd_arena_place told = {at->alloc, at->start, at->bytes, at->first, at->last};
    BD_TRY(listener(&told, user));
  }
  return BUDDY_OK;
}

buddy_code bd_arena_plan(MlirOperation entry, bd_arena_listener *listener, void *user) {
  const MlirBlock block = bd_body_of(entry);
  plan p = {.places = NULL, .counts_steps = listener != NULL};
  bd_ops allocs = {NULL, 0, 0};
  buddy_code code = bd_ops_collect(&allocs, entry, "memref.alloc");
  p.places = bd_calloc(allocs.n + 1, sizeof(place));
  if (code == BUDDY_OK && !p.places) code = BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK) code = find_places(&p, block);
  if (code == BUDDY_OK && listener) code = tell_places(&p, listener, user);
  if (code == BUDDY_OK) code = use_arena(&p, block);
  bd_ops_deinit(&allocs);
  HASH_CLEAR(hh, p.by_alloc);
  bd_holes_deinit(&p.holes);
  free(p.places);
  return code;
}
