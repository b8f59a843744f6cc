// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/dist/ranks.c: the processes of one program, as this one sees them.
 *
 * All models of the process share them. A run that makes a collective has them to itself until it
 * ends, so that the exchanges of two runs do not mix; the ranks must begin such runs in the same
 * order. After a failure nobody knows what the others have done: from then on every collective of the
 * process fails with the first reason. */
#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/dist/rows.h"

#define SECONDS 300.0 /* unless dist.limit says otherwise */
enum { MAX_WHY = 1024, KEPT = 1 << 26 /* bytes that stay from run to run */ };

static struct {
  pthread_mutex_t lock; /* of all below, held from the first collective of a run to its end */
  const buddy_collective *transport;
  void *state;
  int is_connected, rank, size;
  bool is_broken;
  char why[MAX_WHY]; /* it is */
  void *scratch;
  size_t n_scratch;
} ranks = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local const buddy_run *current; /* of this thread's run */
static _Thread_local int n_entered; /* runs of this thread that have the lock: the inner ones too */

void ds_set_run(const buddy_run *run) { current = run; }

int64_t ds_fail(buddy_code code, const char *format, ...) {
  char why[MAX_WHY];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof(why), format, args);
  va_end(args);
  return current ? current->fail(code, why) : -1;
}

/* Nothing more is exchanged; the others are told. */
static int64_t break_off(buddy_code code, const char *why) {
  if (ranks.is_broken) return ds_fail(code, "%s", why);
  ranks.is_broken = true;
  snprintf(ranks.why, sizeof(ranks.why), "%s", why);
  if (ranks.is_connected) ranks.transport->give_up(ranks.state, why);
  return ds_fail(code, "%s", why);
}

/* ---- Meeting --------------------------------------------------------------------------------- */
static double limit(void) {
  const char *text = current->setting("dist.limit");
  const double seconds = text ? strtod(text, NULL) : 0;
  return seconds > 0 && seconds < 1e9 ? seconds : SECONDS;
}

/* The transport of those who said nothing: what started the process left its variables. */
static const char *guess(void) {
  static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK",
                                          "SLURM_STEP_NUM_TASKS"};
  for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); ++i) {
    if (getenv(variables[i])) return "mpi";
  }
  return NULL;
}

static int64_t load(const char *name) {
  char file[4096];
  buddy_collective_query_fn query;
  for (const char *at = name; *at && !strchr(name, '/'); ++at) {
    if (!islower((unsigned char)*at) && !isdigit((unsigned char)*at) && *at != '_')
      return ds_fail(BUDDY_INVALID_ARGUMENT,
                     "the transport is neither a name of [a-z0-9_] nor a path with a slash");
  }
  snprintf(file, sizeof(file), strchr(name, '/') ? "%s" : "libbuddy_%s.so", name);
  void *address = current->library(file, BUDDY_COLLECTIVE_QUERY, (const void *)&ranks);
  if (!address) return -1;
  memcpy(&query, &address, sizeof(address));
  ranks.transport = query(BUDDY_ABI_VERSION);
  if (ranks.transport && BUDDY_HAS(ranks.transport, buddy_collective, give_up)) return 0;
  ranks.transport = NULL;
  return ds_fail(BUDDY_INCOMPATIBLE, "%s has no " BUDDY_COLLECTIVE_ID " for this buddy", file);
}

static int64_t connect_ranks(void) {
  char why[MAX_WHY] = "";
  const char *name = current->setting("dist.transport");
  if (!name) name = guess();
  if (!name)
    return ds_fail(BUDDY_INVALID_ARGUMENT,
                   "the program is one of several that work together, and was started alone: start "
                   "it by `mpirun -n N`, by `buddy run --ranks N`, or set the transport to `self`");
  ranks.size = 1;
  if (strcmp(name, "self") == 0) return 0;
  if (!ranks.transport && load(name) != 0) return -1;
  const buddy_code code = ranks.transport->connect(limit(), &ranks.state, why, sizeof(why));
  if (code != BUDDY_OK) return break_off(code, why);
  ranks.rank = ranks.transport->rank(ranks.state);
  ranks.size = ranks.transport->size(ranks.state);
  if (ranks.size <= DS_MAX_RANKS) return 0;
  return break_off(BUDDY_LIMIT, "there are more than 4096 ranks");
}

/* ---- A run ----------------------------------------------------------------------------------- */
static void leave(void *user, buddy_code code) {
  char why[MAX_WHY];
  (void)user;
  if (code != BUDDY_OK && ranks.is_connected && ranks.transport && !ranks.is_broken) {
    const char *reason = BUDDY_HAS(current, buddy_run, reason) ? current->reason() : NULL;
    snprintf(why, sizeof(why), "rank %d has failed in its run%s%s", ranks.rank, reason ? ": " : "",
             reason ? reason : "");
    ranks.is_broken = true;
    snprintf(ranks.why, sizeof(ranks.why), "an earlier run of this process has failed");
    ranks.transport->give_up(ranks.state, why);
  }
  if (ranks.n_scratch > KEPT) {
    free(ranks.scratch);
    ranks.scratch = NULL;
    ranks.n_scratch = 0;
  }
  --n_entered;
  pthread_mutex_unlock(&ranks.lock);
}

int64_t ds_enter(void) {
  if (!current || !BUDDY_HAS(current, buddy_run, library)) return -1;
  if (n_entered == 0) {
    pthread_mutex_lock(&ranks.lock);
    n_entered = 1;
    const buddy_code code = current->at_end(leave, NULL);
    if (code != BUDDY_OK) {
      n_entered = 0;
      pthread_mutex_unlock(&ranks.lock);
      return ds_fail(code, "the run tells no more functions of its end");
    }
  }
  if (ranks.is_broken)
    return ds_fail(BUDDY_IO, "the ranks are no longer in step, since %s", ranks.why);
  if (ranks.is_connected) return 0;
  if (connect_ranks() != 0) return -1;
  ranks.is_connected = true;
  return 0;
}

void *ds_scratch(size_t n_bytes) {
  if (n_bytes <= ranks.n_scratch) return ranks.scratch;
  free(ranks.scratch);
  ranks.n_scratch = (n_bytes + 63) & ~(size_t)63;
  ranks.scratch = aligned_alloc(64, ranks.n_scratch);
  if (ranks.scratch) return ranks.scratch;
  ranks.n_scratch = 0;
  ds_fail(BUDDY_OUT_OF_MEMORY, "memory ran out for what other ranks send");
  return NULL;
}

/* ---- Groups ---------------------------------------------------------------------------------- */
static void add_rank(ds_group *group, int32_t rank) {
  if (rank == ranks.rank) group->own = group->n;
  group->ranks[group->n++] = rank;
}

/* "NAME=RANK,RANK;NAME=…": where the ranks of the name begin. */
static const char *find_listed(const char *text, const char *name) {
  const size_t n = strlen(name);
  while (text) {
    if (strncmp(text, name, n) == 0 && text[n] == '=') return text + n + 1;
    text = strchr(text, ';');
    if (text) ++text;
  }
  return NULL;
}

/* 0: it is not what a list of ranks looks like, or has one twice, or not all of them exist. */
static int read_ranks(const char *text, ds_group *group) {
  while (group->n < DS_MAX_RANKS) {
    char *end;
    const long rank = strtol(text, &end, 10);
    if (end == text || rank < 0 || rank >= ranks.size) return 0;
    for (size_t i = 0; i < group->n; ++i) {
      if (group->ranks[i] == rank) return 0;
    }
    add_rank(group, (int32_t)rank);
    if (*end == '\0' || *end == ';') return 1;
    if (*end != ',') return 0;
    text = end + 1;
  }
  return 0;
}

int64_t ds_group_find(const char *name, ds_group *out_group) {
  const char *listed = find_listed(current->setting("dist.groups"), name);
  out_group->n = 0;
  out_group->own = DS_MAX_RANKS;
  if (listed) {
    if (!read_ranks(listed, out_group))
      return ds_fail(BUDDY_INVALID_ARGUMENT,
                     "group '%s' is no list of ranks from 0 to %d, like %s=0,1", name,
                     ranks.size - 1, name);
    if (out_group->own < DS_MAX_RANKS) return 0;
    return ds_fail(BUDDY_INVALID_ARGUMENT, "rank %d is not in group '%s'", ranks.rank, name);
  }
  char *dot = NULL; /* "0/4.1", as buddy_graph_shard says it */
  const long n_ranks = strncmp(name, "0/", 2) == 0 ? strtol(name + 2, &dot, 10) : 0;
  const bool is_cut = dot && *dot == '.';
  const long own = is_cut ? strtol(dot + 1, NULL, 10) : 0;
  if (is_cut && (n_ranks != ranks.size || own != ranks.rank))
    return ds_fail(BUDDY_INVALID_ARGUMENT,
                   "the program was cut for rank %ld of %ld, and this is rank %d of %d: give "
                   "--tensor-parallel the number of ranks",
                   own, n_ranks, ranks.rank, ranks.size);
  if (!is_cut && strcmp(name, "0") != 0)
    return ds_fail(BUDDY_INVALID_ARGUMENT,
                   "which ranks are in group '%s' is not in the archive: say so, like "
                   "--group %s=0,1",
                   name, name);
  for (int32_t rank = 0; rank < ranks.size; ++rank) add_rank(out_group, rank);
  return 0;
}

int64_t ds_exchange(const ds_group *group, buddy_message *sends, size_t n_sends,
                    buddy_message *receives, size_t n_receives) {
  char why[MAX_WHY] = "";
  if (n_sends + n_receives == 0) return 0;
  for (size_t i = 0; i < n_sends; ++i) sends[i].rank = group->ranks[sends[i].rank];
  for (size_t i = 0; i < n_receives; ++i) receives[i].rank = group->ranks[receives[i].rank];
  const buddy_code code = ranks.transport->exchange(ranks.state, sends, n_sends, receives,
                                                    n_receives, limit(), why, sizeof(why));
  return code == BUDDY_OK ? 0 : break_off(code, why);
}
