// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/callbacks.h: what registries are called back with before a run, as their functions share the work
 * of a call among threads: how many threads it has (BUDDY_THREADS_FUNCTION), the threads themselves
 * (BUDDY_CREW_FUNCTION), and what the run may be asked (BUDDY_RUN_FUNCTION). */
#ifndef BUDDY_SDK_RUNTIME_CALLBACKS_H
#define BUDDY_SDK_RUNTIME_CALLBACKS_H

#include <stdint.h>

#include "buddy/registry.h"

/* Null: the registry has no such function. */
typedef struct bd_callbacks {
  void (*set_threads)(int32_t n);
  void (*set_crew)(const buddy_crew *crew);
  void (*set_run)(const buddy_run *run);
  const buddy_run *run;   /* what set_run is given: bd_run_services(), in services.h */
  const buddy_crew *crew; /* what set_crew is given: bd_crew_services(), in parallel_for.h */
} bd_callbacks;

/* From now on these are called, too, for the life of the process, as the code of registries stays
 * loaded. Null, and those that are known, change nothing. False: there are too many.
 * [any-thread] */
int bd_callbacks_add(const bd_callbacks *callbacks);
/* Calls all of them: what the calling thread runs from now on has n threads, which its loops
 * and these functions share. [any-thread] */
void bd_callbacks_set_threads(int32_t n);

#endif
