/* sdk/runtime/told.h: functions of registries that share the work of their calls among threads:
 * they are told how many a run has (BUDDY_THREADS_FUNCTION), and given those of the run
 * (BUDDY_CREW_FUNCTION). */
#ifndef BUDDY_SDK_RUNTIME_TOLD_H
#define BUDDY_SDK_RUNTIME_TOLD_H

#include <stdint.h>

#include "buddy/registry.h"

/* From now on these two are told, too, for the life of the process, as the code of registries stays
 * loaded. Null, and those that are known, change nothing. False: there are too many. [thread-safe]
 */
int bd_told_add(void (*set_threads)(int32_t n), void (*set_crew)(const buddy_crew *crew));
/* Tells all of them that what the calling thread runs from now on has n threads, which its loops
 * (spread.h) and these functions share. [thread-safe] */
void bd_told_threads(int32_t n);

#endif
