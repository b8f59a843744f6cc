/* sdk/runtime/told.h: functions of registries with threads of their own (BUDDY_THREADS_FUNCTION),
 * which are told how many a run has. */
#ifndef BUDDY_SDK_RUNTIME_TOLD_H
#define BUDDY_SDK_RUNTIME_TOLD_H

#include <stdint.h>

/* From now on this one is told, too, for the life of the process, as the code of registries stays
 * loaded. Null, and one that is known, change nothing. False: there are too many. [thread-safe] */
int bd_told_add(void (*set_threads)(int32_t n));
/* Tells all of them that what the calling thread runs from now on has n threads. [thread-safe] */
void bd_told_threads(int32_t n);

#endif
