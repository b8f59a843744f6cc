// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/lifetime.c: inserting the frees of buffers.
 *
 * MLIR's own deallocation pass frees everything at the end of the block and compares all buffers
 * with one another; on a model with a thousand intermediate results that is a thousand times too
 * much memory and a million comparisons.
 *
 * Here the uses of each allocation are followed through the operations that make views of it, until
 * none is left. What is found is either an operation in the block of the allocation, or nested in
 * one: the last of those is where the buffer ends. The buffer is left alone if it flows into the
 * block's own terminator, or into an operation that might hide its address. Every use is visited
 * once, so the cost is the number of uses; ops are compared by numbers given beforehand. */
#include "sdk/compile/rewrite/lifetime.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"

/* The place of each operation in its block. */
typedef struct place {
  UT_hash_handle hh;
  const void *op;
  size_t number;
} place;

/* A value that was seen while the allocation of that round was followed. */
typedef struct sighting {
  UT_hash_handle hh;
  const void *value;
  size_t round;
} sighting;

typedef struct analysis {
  place *places, *storage;
  sighting *seen;
  size_t round;
  MlirValue *values; /* the allocation at hand and its views: a work list */
  size_t n_values, capacity;
} analysis;

static buddy_code number_places(analysis *a, const bd_ops *ops) {
  bool hash_is_full = false;
  a->storage = bd_calloc(ops->n + 1, sizeof(place));
  if (!a->storage) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < ops->n; ++i) { /* walking order is the order within each block */
    place *item = &a->storage[i];
    item->op = ops->items[i].ptr;
    item->number = i;
    HASH_ADD_PTR(a->places, op, item);
    if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
  }
  return BUDDY_OK;
}

static size_t number_of(const analysis *a, MlirOperation op) {
  place *item = NULL;
  HASH_FIND_PTR(a->places, &op.ptr, item);
  return !item ? 0 : item->number;
}

/* True if the value is new in this round. */
static buddy_code see(analysis *a, MlirValue value, bool *out_is_new) {
  bool hash_is_full = false;
  sighting *item = NULL;
  HASH_FIND_PTR(a->seen, &value.ptr, item);
  *out_is_new = !item || item->round != a->round;
  if (!item) {
    item = bd_calloc(1, sizeof(sighting));
    if (!item) return BUDDY_OUT_OF_MEMORY;
    item->value = value.ptr;
    HASH_ADD_PTR(a->seen, value, item);
    if (hash_is_full) {
      free(item);
      return BUDDY_OUT_OF_MEMORY;
    }
  }
  item->round = a->round;
  return BUDDY_OK;
}

static buddy_code add_value(analysis *a, MlirValue value) {
  bool is_new;
  const buddy_code code = see(a, value, &is_new);
  if (code != BUDDY_OK || !is_new) return code;
  MlirValue *values = bd_array_grow(a->values, &a->capacity, a->n_values + 1, sizeof(MlirValue));
  if (!values) return BUDDY_OUT_OF_MEMORY;
  a->values = values;
  a->values[a->n_values++] = value;
  return BUDDY_OK;
}

static bool is_buffer(MlirType type) {
  return mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type);
}

/* Operations whose uses of a buffer end with them, or whose results are views of it. All others may
 * keep its address. */
static bool is_understood(MlirOperation op) {
  static const char *const prefixes[] = {"memref.",      "linalg.", "func.call",  "scf.",
                                         "arith.select", "vector.", "func.return"};
  if (bd_op_is(op, "memref.extract_aligned_pointer_as_index") || bd_op_is(op, "memref.dealloc"))
    return false;
  for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); ++i) {
    if (bd_op_starts_with(op, prefixes[i])) return true;
  }
  return false;
}

static buddy_code add_results(analysis *a, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    const MlirValue result = mlirOperationGetResult(op, i);
    if (is_buffer(mlirValueGetType(result))) BD_TRY(add_value(a, result));
  }
  return BUDDY_OK;
}

/* What flows into a loop may come out of it and go round in it. */
static buddy_code add_arguments(analysis *a, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; block.ptr; block = mlirBlockGetNextInRegion(block)) {
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
        const MlirValue argument = mlirBlockGetArgument(block, i);
        if (is_buffer(mlirValueGetType(argument))) BD_TRY(add_value(a, argument));
      }
    }
  }
  return BUDDY_OK;
}

static bool is_terminator(MlirOperation op) {
  return bd_op_is(op, "scf.yield") || bd_op_is(op, "scf.condition") || bd_op_is(op, "func.return");
}

/* One use: extends the work list and moves the end. *escapes: the buffer outlives its block. */
static buddy_code follow(analysis *a, MlirOperation op, MlirBlock block, MlirOperation *last,
                         int *escapes) {
  const MlirOperation here = bd_op_ancestor_in(block, op);
  if (!here.ptr || !is_understood(op) || (is_terminator(op) && mlirOperationEqual(here, op))) {
    *escapes = 1;
    return BUDDY_OK;
  }
  if (number_of(a, here) > number_of(a, *last)) *last = here;
  if (is_terminator(op)) op = mlirOperationGetParentOperation(op);
  const buddy_code code = add_results(a, op);
  return code == BUDDY_OK && bd_op_starts_with(op, "scf.") ? add_arguments(a, op) : code;
}

static buddy_code insert_dealloc(MlirOperation alloc, MlirOperation last) {
  const MlirValue buffer = mlirOperationGetResult(alloc, 0);
  bd_builder b = bd_builder_before(last);
  b.before = mlirOperationGetNextInBlock(last);
  const MlirOperation op = bd_build_op(b, "memref.dealloc", &buffer, 1, NULL, 0, NULL, 0);
  return op.ptr ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static buddy_code end_one(analysis *a, MlirOperation alloc) {
  const MlirBlock block = mlirOperationGetBlock(alloc);
  if (mlirBlockGetNextInRegion(mlirRegionGetFirstBlock(mlirBlockGetParentRegion(block))).ptr)
    return BUDDY_OK;
  MlirOperation last = alloc;
  int escapes = 0;
  a->n_values = 0;
  ++a->round;
  buddy_code code = add_value(a, mlirOperationGetResult(alloc, 0));
  for (size_t i = 0; i < a->n_values && !escapes && code == BUDDY_OK; ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(a->values[i]);
    for (; use.ptr && !escapes && code == BUDDY_OK; use = mlirOpOperandGetNextUse(use)) {
      code = follow(a, mlirOpOperandGetOwner(use), block, &last, &escapes);
    }
  }
  return code == BUDDY_OK && !escapes ? insert_dealloc(alloc, last) : code;
}

buddy_code bd_lifetimes_end(MlirOperation root) {
  bd_ops all = {NULL, 0, 0}, allocs = {NULL, 0, 0};
  analysis a = {.places = NULL};
  buddy_code code = bd_ops_collect(&all, root, "");
  if (code == BUDDY_OK) code = bd_ops_collect(&allocs, root, "memref.alloc");
  if (code == BUDDY_OK) code = number_places(&a, &all);
  for (size_t i = 0; i < allocs.n && code == BUDDY_OK; ++i) {
    if (bd_op_is(allocs.items[i], "memref.alloc")) code = end_one(&a, allocs.items[i]);
  }
  HASH_CLEAR(hh, a.places);
  sighting *all_seen = a.seen, *item, *next;
  HASH_CLEAR(hh, a.seen);
  HASH_ITER(hh, all_seen, item, next) free(item);
  free(a.storage);
  free(a.values);
  bd_ops_deinit(&all);
  bd_ops_deinit(&allocs);
  return code;
}
