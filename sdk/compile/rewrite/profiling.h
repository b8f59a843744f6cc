// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/profiling.h: code that measures itself. */
#ifndef BUDDY_SDK_COMPILE_PROFILING_H
#define BUDDY_SDK_COMPILE_PROFILING_H

#include <stdbool.h>

#include "sdk/compile/ir.h"
#include "sdk/compile/rewrite/arena.h"
#include "sdk/runtime/profile.h"

/* For bd_arena_plan: tells a profile. */
buddy_code bd_profiling_add_place(const bd_arena_place *place, void *profile);

/* Puts a mark after every step of public functions, the entry's first, and one at the head of each;
 * what they stand for is told by their locations. To be called when all that takes time is a step. */
buddy_code bd_profiling_insert(MlirModule module, MlirOperation entry, bd_profile *profile);

#endif
