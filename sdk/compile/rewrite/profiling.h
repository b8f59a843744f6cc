/* sdk/compile/rewrite/profiling.h: code that measures itself. */
#ifndef BUDDY_SDK_COMPILE_PROFILING_H
#define BUDDY_SDK_COMPILE_PROFILING_H

#include "sdk/compile/ir.h"
#include "sdk/runtime/profile.h"

/* Puts a mark behind every call and copy of public functions, and one at the head of each; what
 * they stand for is told by their locations. To be called when all that takes time is a call. */
buddy_code bd_profiling_insert(MlirModule module, bd_profile *profile);

#endif
