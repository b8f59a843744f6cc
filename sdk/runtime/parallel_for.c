// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/parallel_for.c: shares of a loop, and threads that take pieces of them. */
#include "sdk/runtime/parallel_for.h"

#include <fenv.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core/base/assert.h"
#include "sdk/runtime/thread_pool.h"
#include "sdk/runtime/profile.h"
#include "sdk/runtime/runtime.h"
#include "sdk/runtime/threads.h"
#include "sdk/runtime/waiting.h"

/* Pieces of a share; looks before the caller sleeps. */
enum { PIECES = 8, LOOKS = 2000 };

#define ASLEEP (UINT32_C(1) << 31)

typedef struct failure {
  int64_t at; /* the first unit of the piece */
  buddy_code code;
  int64_t assertion;
} failure;

/* Of one thread. */
typedef struct share {
  _Alignas(64) _Atomic int64_t next;
  int64_t end;
  failure failure; /* the first that this thread met; code: BUDDY_OK if none */
} share;

typedef struct loop {
  bd_units units;
  void *context;
  int64_t piece;
  int n; /* threads */
  bd_run *lead;
  fenv_t rounding; /* of the caller, and what else numbers depend on */
  _Alignas(
      64) _Atomic uint32_t left; /* helpers that are not done; ASLEEP: the caller sleeps on it */
  share shares[BD_MAX_THREADS];
} loop;

/* ---- One thread ------------------------------------------------------------------------------ */

static void do_piece(loop *l, failure *first_failure, bd_run *run, int64_t first, int64_t last) {
  jmp_buf failed;
  run->exit = &failed;
  if (_setjmp(failed) == 0) {
    l->units(l->context, first, last);
  } else if (first_failure->code == BUDDY_OK || first < first_failure->at) {
    *first_failure = (failure){first, run->code, run->assertion};
  }
}

static void do_share(loop *l, int place, int of, bd_run *run) {
  share *s = &l->shares[of];
  for (;;) {
    const int64_t first = atomic_fetch_add_explicit(&s->next, l->piece, memory_order_relaxed);
    if (first >= s->end) return;
    const int64_t rest = s->end - first;
    BD_ASSERT(first >= 0 && rest > 0);
    do_piece(l, &l->shares[place].failure, run, first, first + (rest < l->piece ? rest : l->piece));
  }
}

static void work(loop *l, int place, bd_run *run) {
  for (int i = 0; i < l->n; ++i) do_share(l, place, (place + i) % l->n, run);
}

/* A helper without memory for a run leaves its share to the others. The last access to the loop is
 * the one that tells that this helper is done. */
static void help(void *user, int place) {
  loop *l = user;
  bd_run run;
  fesetenv(&l->rounding);
  if (bd_run_join(&run, l->lead, place) == BUDDY_OK) {
    const uint64_t begin = bd_profile_now(l->lead->profile);
    work(l, place, &run);
    bd_profile_help(l->lead->profile, place, begin);
    bd_run_leave(&run);
  }
  if (atomic_fetch_sub_explicit(&l->left, 1, memory_order_acq_rel) == (ASLEEP | 1))
    bd_wake_one(&l->left);
}

/* ---- The caller ------------------------------------------------------------------------------ */

/* A helper that no processor has had time for is not waited for: the others have done its share. */
static void wait_for_helpers(loop *l, bd_worker **workers) {
  uint32_t left = 0;
  for (int i = 1; i < l->n; ++i) {
    if (bd_worker_take_back(workers[i - 1])) atomic_fetch_sub(&l->left, 1);
  }
  for (int i = 0; i < LOOKS; ++i) {
    left = atomic_load_explicit(&l->left, memory_order_acquire);
    if (left == 0) return;
    bd_pause();
  }
  left = atomic_fetch_or(&l->left, ASLEEP) | ASLEEP;
  while (left != ASLEEP) {
    bd_sleep_on(&l->left, left);
    left = atomic_load_explicit(&l->left, memory_order_acquire);
  }
}

/* How many threads the loop is worth. */
static int threads_for(const bd_run *run, int64_t n_units, int64_t cost) {
  if (!run || run->is_spread || n_units < 2) return 1;
  int64_t n = run->n_threads, total;
  if (n > n_units) n = n_units;
  if (!__builtin_mul_overflow(n_units, cost, &total) && n > total / BD_LEAST_COST)
    n = total / BD_LEAST_COST;
  return n < 1 ? 1 : (int)n;
}

static void begin(loop *l, bd_run *run, int64_t n_units) {
  BD_ASSERT(l->n > 1 && l->n <= BD_MAX_THREADS && l->n <= n_units);
  l->lead = run;
  l->piece = n_units / l->n / PIECES;
  if (l->piece < 1) l->piece = 1;
  fegetenv(&l->rounding);
  atomic_init(&l->left, (uint32_t)l->n - 1);
  for (int i = 0; i < l->n; ++i) {
    atomic_init(&l->shares[i].next, n_units * i / l->n);
    l->shares[i].end = n_units * (i + 1) / l->n;
    l->shares[i].failure.code = BUDDY_OK;
  }
}

static failure find_failure(const loop *l) {
  failure first = {0, BUDDY_OK, -1};
  for (int i = 0; i < l->n; ++i) {
    const failure *f = &l->shares[i].failure;
    if (f->code != BUDDY_OK && (first.code == BUDDY_OK || f->at < first.at)) first = *f;
  }
  return first;
}

void buddy_runtime_spread(bd_units units, void *context, int64_t n_units, int64_t cost) {
  bd_worker *workers[BD_MAX_THREADS];
  bd_run *run = bd_run_current();
  if (run) bd_run_check_deadline(run);
  int n = threads_for(run, n_units, cost);
  if (n > 1) n = 1 + bd_thread_pool_take(workers, n - 1);
  if (n == 1) {
    if (n_units > 0) units(context, 0, n_units);
    return;
  }
  loop l;
  l.units = units;
  l.context = context;
  l.n = n;
  begin(&l, run, n_units);
  jmp_buf *exit = run->exit;
  run->is_spread = true;
  for (int i = 1; i < n; ++i) bd_worker_start(workers[i - 1], help, &l, i);
  work(&l, 0, run);
  wait_for_helpers(&l, workers);
  BD_ASSERT(run->is_spread && bd_run_current() == run);
  bd_thread_pool_give_back(workers, n - 1);
  run->is_spread = false;
  run->exit = exit;
  const failure failed = find_failure(&l);
  if (failed.code != BUDDY_OK) bd_run_fail(failed.code, failed.assertion);
}

const buddy_crew *bd_crew_services(void) {
  static const buddy_crew crew = {sizeof(crew), 0, buddy_runtime_spread};
  return &crew;
}
