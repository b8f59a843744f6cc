// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/threads.c: OpenBLAS has a pool of threads of its own, as large as the machine, whoever else computes
 * there. A call that is shared waits, yielding, for threads that have no processor, once for each column of a matrix:
 * Cholesky's factor of 300 rows took 320 ms on two busy processors, and takes 0.2 ms on one thread. Alone on 16
 * processors it gains little by threads below 500 rows, and by two of them at any size. So it has one, but for large
 * matrices in runs that have several; and its number is afterwards what it was, for whoever else calls it. */
#include "threads.h"

#include <pthread.h>

/* The rest of LAPACKs have no threads, or take the number from the run's environment. */
__attribute__((weak)) int openblas_get_num_threads(void);
__attribute__((weak)) void openblas_set_num_threads(int n);

enum { LEAST_ROWS = 512, LEAST_THREADS = 4, MOST_THREADS = 8 };

static _Thread_local int32_t n_allowed = 1;

static struct {
  pthread_mutex_t lock;
  int n_calls, before; /* kernels that run; the number of threads when the first one began */
} library = {.lock = PTHREAD_MUTEX_INITIALIZER};

void lp_threads_set(int32_t n) { n_allowed = n; }

/* A process may be forked while another thread is here, which its child does not have. */
static void hold(void) { pthread_mutex_lock(&library.lock); }
static void let_go(void) { pthread_mutex_unlock(&library.lock); }
static void begin_anew(void) {
  library.n_calls = 0;
  let_go();
}
__attribute__((constructor)) static void mind_fork(void) {
  (void)pthread_atfork(hold, let_go, begin_anew);
}

static int threads_for(const lp_view *operands, size_t n) {
  int is_large = 0;
  for (size_t i = 0; i < n; ++i) {
    const lp_view *v = &operands[i];
    is_large |=
        v->rank >= 2 && v->sizes[v->rank - 2] >= LEAST_ROWS && v->sizes[v->rank - 1] >= LEAST_ROWS;
  }
  if (!is_large || n_allowed < LEAST_THREADS) return 1;
  return n_allowed < MOST_THREADS ? n_allowed : MOST_THREADS;
}

/* The number is the process's: calls at the same time have the smaller one. */
void lp_threads_begin(const lp_view *operands, size_t n) {
  if (!openblas_get_num_threads || !openblas_set_num_threads) return;
  const int wanted = threads_for(operands, n);
  hold();
  const int now = openblas_get_num_threads();
  if (library.n_calls++ == 0) library.before = now;
  if (wanted < now) openblas_set_num_threads(wanted);
  let_go();
}

void lp_threads_end(void) {
  if (!openblas_get_num_threads || !openblas_set_num_threads) return;
  hold();
  if (--library.n_calls == 0 && openblas_get_num_threads() < library.before)
    openblas_set_num_threads(library.before);
  let_go();
}
