// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Plans by problem, least recently used out first, and the spare workspaces. One lock guards all of
 * it; none is made or run under it. */
#include <pthread.h>
#include <stdlib.h>

/* Running out of memory while adding leaves the plan out of the table instead of ending the
 * process. */
#define HASH_NONFATAL_OOM 1
#include "plugins/vendor/plan.h"

enum {
  /* A network has some tens of distinct problems; dynamic shapes make more. */
  MAX_PLANS = 256,
  /* Calls that run at once each take one workspace; those beyond are freed after use. */
  MAX_WORKSPACES = 8,
};

typedef struct workspace {
  char *data;
  size_t capacity;
} workspace;

static struct {
  pthread_mutex_t lock;
  dnnl_engine_t engine;
  bd_plan
      *plans; /* uthash keeps the order of insertion, and a plan that is used is inserted anew */
  workspace spare[MAX_WORKSPACES];
  int n_spare;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

dnnl_engine_t bd_plan_cache_engine(void) {
  (void)pthread_mutex_lock(&state.lock);
  /* Without AMX, whose bf16 convolutions have defects in 2.6, the same in every run: a transposed
   * one has 0 in place of the bias where no element of the input adds to an output (BUDDY_TEST_SEED
   * 3920665539, 2652714665, 2157142979 of the random windows), and one with more padding than its
   * window is wide crashes. The machine is not to blame (sdk/compile/kernels/tile/amx.h). Refused
   * where the process has used the library already: then its own choice holds. */
  if (!state.engine) (void)dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx512_core_bf16);
  if (!state.engine && dnnl_engine_create(&state.engine, dnnl_cpu, 0) != dnnl_success) {
    state.engine = NULL;
  }
  dnnl_engine_t engine = state.engine;
  (void)pthread_mutex_unlock(&state.lock);
  return engine;
}

static void keep(bd_plan *plan) {
  HASH_ADD(hh, state.plans, key, sizeof(plan->key), plan);
  plan->is_kept = plan->hh.tbl != NULL;
}

static void forget(bd_plan *plan) {
  HASH_DELETE(hh, state.plans, plan);
  plan->is_kept = false;
}

bd_plan *bd_plan_cache_find(const bd_plan_key *key) {
  bd_plan *plan = NULL;
  (void)pthread_mutex_lock(&state.lock);
  HASH_FIND(hh, state.plans, key, sizeof(*key), plan);
  if (plan) {
    ++plan->n_users;
    const bool is_newest = !plan->hh.next;
    if (!is_newest) {
      forget(plan);
      keep(plan);
    }
  }
  (void)pthread_mutex_unlock(&state.lock);
  return plan;
}

void bd_plan_cache_add(bd_plan *plan) {
  bd_plan *unwanted = NULL;
  (void)pthread_mutex_lock(&state.lock);
  plan->n_users = 1;
  keep(plan);
  if (HASH_COUNT(state.plans) > MAX_PLANS) {
    bd_plan *oldest = state.plans;
    forget(oldest);
    if (oldest->n_users == 0) unwanted = oldest;
  }
  (void)pthread_mutex_unlock(&state.lock);
  bd_plan_destroy(unwanted);
}

void bd_plan_cache_release(bd_plan *plan) {
  (void)pthread_mutex_lock(&state.lock);
  const bool is_last = --plan->n_users == 0 && !plan->is_kept;
  (void)pthread_mutex_unlock(&state.lock);
  if (is_last) bd_plan_destroy(plan);
}

char *bd_plan_cache_take_workspace(size_t size, size_t *out_capacity) {
  workspace taken = {NULL, 0};
  (void)pthread_mutex_lock(&state.lock);
  if (state.n_spare > 0) taken = state.spare[--state.n_spare];
  (void)pthread_mutex_unlock(&state.lock);
  if (!taken.data || taken.capacity < size) {
    /* One that is too small is replaced, so that after a run of the model all are as large as its
     * largest call. */
    free(taken.data);
    taken.capacity = size > 0 ? (size + 63) / 64 * 64 : 64;
    taken.data = aligned_alloc(64, taken.capacity);
  }
  *out_capacity = taken.capacity;
  return taken.data;
}

void bd_plan_cache_give_workspace(char *data, size_t capacity) {
  (void)pthread_mutex_lock(&state.lock);
  if (state.n_spare < MAX_WORKSPACES) {
    state.spare[state.n_spare++] = (workspace){data, capacity};
    data = NULL;
  }
  (void)pthread_mutex_unlock(&state.lock);
  free(data);
}

void bd_plan_cache_clear(void) {
  (void)pthread_mutex_lock(&state.lock);
  while (state.plans) {
    bd_plan *plan = state.plans;
    forget(plan);
    bd_plan_destroy(plan);
  }
  while (state.n_spare > 0) free(state.spare[--state.n_spare].data);
  if (state.engine) (void)dnnl_engine_destroy(state.engine);
  state.engine = NULL;
  (void)pthread_mutex_unlock(&state.lock);
  bd_formats_clear();
}
