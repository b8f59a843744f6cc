// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/threads.h: how many threads a program may run on. */
#ifndef BUDDY_SDK_RUNTIME_THREADS_H
#define BUDDY_SDK_RUNTIME_THREADS_H

#define BD_MAX_THREADS 256

/* CPUs that this process may run on; at least 1, at most BD_MAX_THREADS. */
int bd_threads_of_process(void);
/* What BUDDY_THREADS says, else the first number of OMP_NUM_THREADS, else bd_threads_of_process.
 * A text that is no number from 1 on counts as not there. */
int bd_threads_default(void);
/* The text of BUDDY_THREADS that counts so; null: it is a number, or there is none. */
const char *bd_threads_unread(void);

#endif
