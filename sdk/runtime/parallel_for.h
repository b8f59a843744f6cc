// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/parallel_for.h: loops of compiled code whose rounds do not depend on one another are shared
 * by several threads.
 *
 * The rounds of a loop are numbered: its units. Each thread has a share of them, one after the
 * other, which it takes piece by piece; who is done helps with the shares of the others. A unit
 * does the same whoever takes it, so that results do not depend on the number of threads.
 *
 * A helping thread has a run of its own for as long as the loop goes, with memory of its own. If
 * units fail, the others are done nevertheless, and the failure of the first of them ends the
 * run. */
#ifndef BUDDY_SDK_RUNTIME_PARALLEL_FOR_H
#define BUDDY_SDK_RUNTIME_PARALLEL_FOR_H

#include <stdint.h>

#include "buddy/registry.h"

/* Does the units from `first` to before `last`. */
typedef void (*bd_units)(void *context, int64_t first, int64_t last);

/* void (bd_units units, void *context, int64 n_units, int64 cost): all units; cost: of one, about
 * as many as a loop does simple operations on elements. */
#define BD_RUNTIME_PARALLEL_FOR "buddy_runtime_spread"
/* What a thread must get for waking it to pay. */
#define BD_LEAST_COST (INT64_C(32) * 1024)
/* On a thread that runs no compiled code all of them stay. */
void buddy_runtime_spread(bd_units units, void *context, int64_t n_units, int64_t cost);
/* For the listeners of callbacks.h: loops of registries' functions over the same threads; static. */
const buddy_crew *bd_crew_services(void);

#endif
