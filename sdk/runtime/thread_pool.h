// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/thread_pool.h: the threads of the process that help runs with their loops.
 *
 * There is one pool for all programs, so that runs that go on at the same time share the
 * processors. Workers are made when they are first wanted and never more of them than the largest
 * wish; they sleep while nobody has them, and end when the last user of the pool leaves.
 * After a fork, the child has none and makes its own. */
#ifndef BUDDY_SDK_RUNTIME_THREAD_POOL_H
#define BUDDY_SDK_RUNTIME_THREAD_POOL_H

#include <stdbool.h>

typedef struct bd_worker bd_worker;
typedef void (*bd_task)(void *user, int place);

/* Whoever takes workers is a user of the pool. The last one to leave waits for all workers to end.
 * [any-thread] */
void bd_thread_pool_enter(void);
void bd_thread_pool_leave(void);

/* Takes workers that nobody else has: n of them or fewer, and returns how many. [any-thread] */
int bd_thread_pool_take(bd_worker **out_workers, int n);
/* Gives them back; their tasks must be done, or at least have nothing left to touch. */
void bd_thread_pool_give_back(bd_worker **workers, int n);

/* The worker calls task(user, place), soon. */
void bd_worker_start(bd_worker *worker, bd_task task, void *user, int place);
/* True if it has not begun, and never will: by whoever started it. */
bool bd_worker_take_back(bd_worker *worker);

#endif
