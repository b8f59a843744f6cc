// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/told.h: functions of registries that share the work of their calls among threads:
 * they are told how many a run has (BUDDY_THREADS_FUNCTION), and given those of the run
 * (BUDDY_CREW_FUNCTION), and what the run may be asked (BUDDY_RUN_FUNCTION). */
#ifndef BUDDY_SDK_RUNTIME_TOLD_H
#define BUDDY_SDK_RUNTIME_TOLD_H

#include <stdint.h>

#include "buddy/registry.h"

/* Null: the registry has no such function. */
typedef struct bd_listener {
  void (*set_threads)(int32_t n);
  void (*set_crew)(const buddy_crew *crew);
  void (*set_run)(const buddy_run *run);
  const buddy_run *run; /* what set_run is given: bd_run_services(), in services.h */
} bd_listener;

/* From now on these are told, too, for the life of the process, as the code of registries stays
 * loaded. Null, and those that are known, change nothing. False: there are too many. [any-thread]
 */
int bd_told_add(const bd_listener *listener);
/* Tells all of them that what the calling thread runs from now on has n threads, which its loops
 * (spread.h) and these functions share. [any-thread] */
void bd_told_threads(int32_t n);

#endif
