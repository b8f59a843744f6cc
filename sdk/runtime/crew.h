// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/crew.h: the threads of the process that help runs with their loops.
 *
 * There is one crew for all programs, so that runs that go on at the same time share the
 * processors. Workers are made when they are first wanted and never more of them than the largest
 * wish; they sleep when nobody hires them, and end when the last program that may hire them goes.
 * After a fork, the child has none and makes its own. */
#ifndef BUDDY_SDK_RUNTIME_CREW_H
#define BUDDY_SDK_RUNTIME_CREW_H

typedef struct bd_worker bd_worker;
typedef void (*bd_duty)(void *user, int place);

/* Whoever hires is a user of the crew. The last one to leave waits for all workers to end.
 * [any-thread] */
void bd_crew_enter(void);
void bd_crew_leave(void);

/* Takes workers that nobody else has: n of them or fewer, and returns how many. [any-thread] */
int bd_crew_hire(bd_worker **out_workers, int n);
/* Gives them back; their duties must be done, or at least have nothing left to touch. */
void bd_crew_dismiss(bd_worker **workers, int n);

/* The worker calls duty(user, place), soon. */
void bd_worker_start(bd_worker *worker, bd_duty duty, void *user, int place);

#endif
