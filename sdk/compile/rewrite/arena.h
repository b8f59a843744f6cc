/* sdk/compile/rewrite/arena.h: the memory of intermediate results, planned. */
#ifndef BUDDY_SDK_COMPILE_ARENA_H
#define BUDDY_SDK_COMPILE_ARENA_H

#include "sdk/compile/ir.h"

/* Buffers of known sizes that are allocated and freed (memref.dealloc, see lifetime.h) in the
 * entry's own block, or in the body of an scf.for there, become places of one buffer, the arena,
 * which the entry allocates once; places whose lifetimes do not meet share bytes. Each place begins
 * at a multiple of 64 bytes. Buffers of symbolic sizes, those that leave the function, and those of
 * other nested blocks stay as they are.
 * entry: a func.func on buffers. To be called when nothing more asks which buffers are fresh. */
buddy_code bd_arena_plan(MlirOperation entry);

#endif
