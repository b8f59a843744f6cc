// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/stress.c: the plugin on several threads, over and over, and when memory runs
 * out. */
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/cli/check/check.h"

enum {
  MAX_GRAPHS = 12,
  N_THREADS = 4,
  N_ROUNDS = 3,
  N_WARM = 3,
  N_STRETCHES = 4,
  N_TRIES = 8,
  MLIR_BYTES = 4096,
  N_FAILURES = 48
};

static size_t n_graphs(const json_t *graphs) {
  const size_t n = json_array_size(graphs);
  return n < MAX_GRAPHS ? n : MAX_GRAPHS;
}

/* Spread over all of them. */
static const char *graph_at(const json_t *graphs, size_t i) {
  return json_string_value(json_array_get(graphs, i * json_array_size(graphs) / n_graphs(graphs)));
}

/* ---- Threads --------------------------------------------------------------------------------- */
typedef struct job {
  const bd_subject *subject;
  const json_t *graphs;
  char **texts; /* of one thread alone, to compare with */
  size_t n_different, n_failed;
} job;

static void *work(void *user) {
  job *j = user;
  for (int round = 0; round < N_ROUNDS; ++round) {
    for (size_t i = 0; i < n_graphs(j->graphs); ++i) {
      bd_road road;
      const buddy_code code =
          bd_road_lower(j->subject->registries, graph_at(j->graphs, i), NULL, &road);
      j->n_failed += code != BUDDY_OK;
      j->n_different += road.text && j->texts[i] && strcmp(road.text, j->texts[i]) != 0;
      bd_road_free(&road);
    }
  }
  return NULL;
}

void bd_check_threads(const bd_check *check, void *user, FILE *out) {
  bd_subject subject;
  char *texts[MAX_GRAPHS] = {NULL};
  job jobs[N_THREADS];
  pthread_t threads[N_THREADS];
  size_t n = 0, n_different = 0, n_failed = 0;
  if (bd_subject_open(check, 0, &subject, out) != BUDDY_OK) return;
  for (size_t i = 0; i < n_graphs(user); ++i) {
    bd_road road;
    if (bd_road_lower(subject.registries, graph_at(user, i), NULL, &road) == BUDDY_OK) {
      texts[i] = road.text;
      road.text = NULL;
    }
    bd_road_free(&road);
  }
  bd_tell_step(out, "%d threads lower %zu graphs at once", N_THREADS, n_graphs(user));
  for (; n < N_THREADS; ++n) {
    jobs[n] = (job){.subject = &subject, .graphs = user, .texts = texts};
    if (pthread_create(&threads[n], NULL, work, &jobs[n])) break;
  }
  for (size_t i = 0; i < n; ++i) {
    pthread_join(threads[i], NULL);
    n_different += jobs[i].n_different;
    n_failed += jobs[i].n_failed;
  }
  if (n_different > 0)
    bd_tell_finding(out, "error", "threads", NULL,
                    "rows run on several threads at once: keep nothing in variables, or set "
                    "BUDDY_REGISTRY_SERIAL",
                    "emits something else on %zu of %zu tries when several threads ask",
                    n_different, n * N_ROUNDS * n_graphs(user));
  if (n_failed > 0)
    bd_tell_finding(out, "error", "threads", NULL, NULL,
                    "fails on %zu of %zu tries when several threads ask", n_failed,
                    n * N_ROUNDS * n_graphs(user));
  for (size_t i = 0; i < MAX_GRAPHS; ++i) free(texts[i]);
  bd_subject_close(&subject);
}

/* ---- Leaks ----------------------------------------------------------------------------------- */
static size_t allocated(void) { return mallinfo2().uordblks + mallinfo2().hblkhd; }

static void repeat(const buddy_registries *registries, const char *graph, int lowers, int n) {
  for (int i = 0; i < n; ++i) {
    bd_road road = {0};
    const buddy_sv text = {graph, strlen(graph)};
    if (lowers) {
      bd_road_lower(registries, graph, NULL, &road);
    } else if (buddy_graph_parse(buddy_registries_opset(registries), text, NULL, &road.graph) ==
               BUDDY_OK) {
      buddy_plan_create(registries, road.graph, NULL, &road.plan);
    }
    bd_road_free(&road);
  }
}

/* Bytes that stay behind after each try: the least of several stretches, for what leaks does so in
 * each of them. */
static size_t growth(const buddy_registries *registries, const char *graph, int lowers) {
  size_t least = SIZE_MAX;
  repeat(registries, graph, lowers, N_WARM);
  for (int i = 0; i < N_STRETCHES && least > 0; ++i) {
    const size_t before = allocated();
    repeat(registries, graph, lowers, N_TRIES);
    const size_t after = allocated(), grown = after > before ? (after - before) / N_TRIES : 0;
    if (grown < least) least = grown;
  }
  return least;
}

/* Asking leaves nothing behind, to the byte. Emitting goes through MLIR, which keeps a few hundred
 * bytes of each context, more or less by chance: there only larger leaks are seen. */
static void check_leaks(const bd_subject *subject, const char *graph, FILE *out) {
  const char *node = strstr(graph, "  %r"), *end = node ? strchr(node, '\n') : NULL;
  bd_tell_step(out, "planning one graph again and again");
  size_t bytes = growth(subject->registries, graph, 0);
  const char *what = "planned";
  if (bytes < 16) {
    bd_tell_step(out, "lowering one graph again and again");
    bytes = growth(subject->registries, graph, 1);
    what = "lowered";
    if (bytes < MLIR_BYTES) return;
  }
  bd_tell_finding(out, "warning", "leaks", NULL,
                  "memory of a callback is host->scratch; memory of open() goes in close()",
                  "%zu bytes stay behind each time that this is %s:%.*s", bytes, what,
                  end ? (int)(end - node) : 0, node ? node + 1 : "");
}

void bd_check_leaks(const bd_check *check, void *user, FILE *out) {
  bd_subject subject;
  if (bd_subject_open(check, 0, &subject, out) != BUDDY_OK) return;
  for (size_t i = 0; i < n_graphs(user); ++i) check_leaks(&subject, graph_at(user, i), out);
  bd_subject_close(&subject);
}

/* ---- No memory ------------------------------------------------------------------------------- */
void bd_check_memory(const bd_check *check, void *user, FILE *out) {
  bd_subject subject;
  if (bd_subject_open(check, 0, &subject, out) != BUDDY_OK) return;
  for (size_t i = 0; i < n_graphs(user) && i < 4; ++i) {
    for (int n = 0; n < N_FAILURES; ++n) {
      bd_road road = {0};
      const char *graph = graph_at(user, i);
      const buddy_sv text = {graph, strlen(graph)};
      if (buddy_graph_parse(subject.opset, text, NULL, &road.graph) != BUDDY_OK) break;
      bd_tell_step(out, "the host has no memory for allocation %d of a graph", n);
      bd_memory_fail_after(n);
      buddy_code code = buddy_plan_create(subject.registries, road.graph, NULL, &road.plan);
      if (code == BUDDY_OK) buddy_lower(road.plan, NULL, NULL, &road.module);
      const bool has_failed = bd_memory_fail_after(-1);
      bd_road_free(&road);
      if (!has_failed) break;
    }
  }
  bd_subject_close(&subject);
}
