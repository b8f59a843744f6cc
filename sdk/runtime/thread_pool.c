// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/thread_pool.c: workers, and how they sleep and are woken.
 *
 * An order is a number that goes up: a worker waits until its own has changed, and then takes the
 * task, unless it was taken back meanwhile. Loops follow one another within microseconds, so it
 * looks for a while before it sleeps, unless there are more threads than processors. */
#include "sdk/runtime/thread_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>

#include "core/base/assert.h"
#include "sdk/runtime/threads.h"
#include "sdk/runtime/waiting.h"

#define BEGINNING (-1)
#define LOOKS 2000 /* some 100 microseconds */

struct bd_worker {
  bd_worker *next; /* while idle */
  pthread_t thread;
  bd_task task; /* null: to end */
  void *user;
  int place;
  _Atomic bool is_offered; /* the task; whoever makes it false has it */
  _Alignas(64) _Atomic uint32_t order;
  _Atomic uint32_t is_asleep;
};

static struct {
  _Atomic pid_t process; /* whose pool it is; BEGINNING: a thread sets it up */
  pthread_mutex_t lock;
  bd_worker *idle;
  int n_workers, n_users;
  _Atomic int looks;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- A worker -------------------------------------------------------------------------------- */

/* Both sides write their own word and then read the other's, in an order that all threads see:
 * either the worker finds the order, or whoever gives it finds the worker asleep. */
static uint32_t wait_for_order(bd_worker *w, uint32_t seen) {
  const int looks = atomic_load_explicit(&pool.looks, memory_order_relaxed);
  uint32_t order = seen;
  for (int i = 0; i < looks && order == seen; ++i) {
    bd_pause();
    order = atomic_load_explicit(&w->order, memory_order_acquire);
  }
  if (order != seen) return order;
  atomic_store(&w->is_asleep, 1);
  while ((order = atomic_load(&w->order)) == seen) bd_sleep_on(&w->order, seen);
  atomic_store_explicit(&w->is_asleep, 0, memory_order_relaxed);
  return order;
}

static void *live(void *user) {
  bd_worker *w = user;
  for (uint32_t seen = 0;;) {
    seen = wait_for_order(w, seen);
    if (!atomic_exchange_explicit(&w->is_offered, false, memory_order_acquire)) continue;
    if (!w->task) return NULL;
    w->task(w->user, w->place);
  }
}

void bd_worker_start(bd_worker *w, bd_task task, void *user, int place) {
  w->task = task;
  w->user = user;
  w->place = place;
  atomic_store_explicit(&w->is_offered, true, memory_order_release);
  atomic_fetch_add(&w->order, 1);
  if (atomic_load(&w->is_asleep)) bd_wake_one(&w->order);
}

bool bd_worker_take_back(bd_worker *w) {
  return atomic_exchange_explicit(&w->is_offered, false, memory_order_acquire);
}

/* Signals are for the program's own threads. Null: the system has no thread for us. */
static bd_worker *create_worker(void) {
  sigset_t all, before;
  bd_worker *w = aligned_alloc(_Alignof(bd_worker), sizeof(bd_worker));
  if (!w) return NULL;
  *w = (bd_worker){.next = NULL};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failed = pthread_create(&w->thread, NULL, live, w);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!failed) return w;
  free(w);
  return NULL;
}

/* ---- The pool -------------------------------------------------------------------------------- */

/* The child of a fork has the forking thread alone, and the lock as it happened to be: it begins
 * anew, and forgets the workers. pthread_atfork would tell of forks, but its handlers cannot live
 * in a library that is linked without the compiler's start files and unloaded again. */
static void notice_fork(void) {
  const pid_t own = getpid();
  pid_t known = atomic_load_explicit(&pool.process, memory_order_acquire);
  while (known != own) {
    if (known != BEGINNING && atomic_compare_exchange_strong(&pool.process, &known, BEGINNING)) {
      pthread_mutex_init(&pool.lock, NULL);
      pool.idle = NULL;
      pool.n_workers = 0;
      atomic_store_explicit(&pool.process, own, memory_order_release);
      return;
    }
    bd_pause();
    known = atomic_load_explicit(&pool.process, memory_order_acquire);
  }
}

static void lock_pool(void) {
  notice_fork();
  pthread_mutex_lock(&pool.lock);
}

void bd_thread_pool_enter(void) {
  lock_pool();
  ++pool.n_users;
  pthread_mutex_unlock(&pool.lock);
}

void bd_thread_pool_leave(void) {
  bd_worker *ending = NULL;
  lock_pool();
  BD_ASSERT(pool.n_users > 0);
  if (--pool.n_users == 0) {
    ending = pool.idle;
    pool.idle = NULL;
    pool.n_workers = 0;
  }
  pthread_mutex_unlock(&pool.lock);
  while (ending) {
    bd_worker *w = ending;
    ending = w->next;
    bd_worker_start(w, NULL, NULL, 0);
    pthread_join(w->thread, NULL);
    free(w);
  }
}

int bd_thread_pool_take(bd_worker **out_workers, int n) {
  int taken = 0;
  lock_pool();
  while (taken < n && pool.idle) {
    out_workers[taken++] = pool.idle;
    pool.idle = pool.idle->next;
  }
  while (taken < n && pool.n_workers < n) {
    bd_worker *w = create_worker();
    if (!w) break;
    ++pool.n_workers;
    out_workers[taken++] = w;
    atomic_store_explicit(&pool.looks, pool.n_workers < bd_threads_of_process() ? LOOKS : 0,
                          memory_order_relaxed);
  }
  pthread_mutex_unlock(&pool.lock);
  return taken;
}

/* The first to be taken is the first again the next time, and finds in its cache what it left
 * there. */
void bd_thread_pool_give_back(bd_worker **workers, int n) {
  lock_pool();
  BD_ASSERT(n <= pool.n_workers);
  while (n-- > 0) {
    BD_ASSERT(workers[n] != pool.idle); /* given back twice */
    workers[n]->next = pool.idle;
    pool.idle = workers[n];
  }
  pthread_mutex_unlock(&pool.lock);
}
