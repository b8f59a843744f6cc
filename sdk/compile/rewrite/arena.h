// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/arena.h: the memory of intermediate results, planned. */
#ifndef BUDDY_SDK_COMPILE_ARENA_H
#define BUDDY_SDK_COMPILE_ARENA_H

#include <stdbool.h>

#include "sdk/compile/ir.h"

/* Calls and copies are steps, numbered in the order of the code. */
static inline bool bd_op_is_step(MlirOperation op) {
  return bd_op_is(op, "func.call") || bd_op_is(op, "memref.copy");
}

/* Where a buffer lies in the arena, and from which step to which. */
typedef struct bd_arena_place {
  MlirOperation alloc;
  int64_t start, n_bytes; /* with what aligns the next */
  size_t first, last;
} bd_arena_place;
typedef buddy_code bd_arena_listener(const bd_arena_place *place, void *user);

/* Buffers of known sizes that are allocated and freed (memref.dealloc, see lifetime.h) in the
 * entry's own block, or in the body of an scf.for there, become places of one buffer, the arena,
 * which the entry allocates once; places whose lifetimes do not meet share bytes. Each place begins
 * at a multiple of 64 bytes. Buffers of symbolic sizes, those that leave the function, and those of
 * other nested blocks stay as they are.
 * entry: a func.func on buffers. To be called when nothing more asks which buffers are fresh.
 * listener: is told of all places before they are made; null: nobody is. */
buddy_code bd_arena_plan(MlirOperation entry, bd_arena_listener *listener, void *user);

#endif
