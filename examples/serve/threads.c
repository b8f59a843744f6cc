// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/serve/threads.c: one model, many threads, bounded memory: the pattern of a server.
 *
 *   threads MODEL.pt2 [WORKERS [REQUESTS]]
 *
 * 1. The model is loaded once, and all workers run it at the same time: a run locks nothing, has its own
 *    intermediate memory, which the next run uses again, and shares weights and threads with all others.
 * 2. The line of waiting requests has a length. Whoever brings one more waits: a server that takes all
 *    that comes runs out of memory, one that has a length tells its clients to come back.
 * 3. What a worker needs is made once: results go where the last ones were.
 *
 * Prints how many requests a second, and what memory grew by after the first tenth of them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "buddy/compile.h"

enum { MAX_PORTS = 16, MAX_WORKERS = 64, LINE = 32, USUAL_SIZE = 4 };

typedef struct server {
  buddy_model *model;
  size_t n_inputs, n_outputs;
  buddy_tensor inputs[MAX_PORTS];   /* of every request here, so that all have one answer */
  buddy_tensor expected[MAX_PORTS]; /* that answer */
  pthread_mutex_t lock;
  pthread_cond_t has_work, has_room;
  int n_waiting, is_closed; /* under the lock; a real server's line holds the requests */
  atomic_int n_wrong;
} server;

static void die(const char *what, const buddy_diags *diags) {
  const buddy_diag *diag = NULL;
  for (size_t i = 0; i < buddy_diags_count(diags) && !diag; ++i) {
    const buddy_diag *one = buddy_diags_get(diags, i);
    if (one->severity == BUDDY_ERROR) diag = one; /* a note tells who took the model's nodes */
  }
  fprintf(stderr, "%s: %s%s%s\n", what, diag ? diag->where : "", diag ? ": " : "",
          diag ? diag->what : "");
  exit(1);
}

/* ---- The line ---- */
static void bring(server *s) {
  pthread_mutex_lock(&s->lock);
  while (s->n_waiting == LINE) pthread_cond_wait(&s->has_room, &s->lock);
  ++s->n_waiting;
  pthread_cond_signal(&s->has_work);
  pthread_mutex_unlock(&s->lock);
}

static void close_line(server *s) {
  pthread_mutex_lock(&s->lock);
  s->is_closed = 1;
  pthread_cond_broadcast(&s->has_work);
  pthread_mutex_unlock(&s->lock);
}

/* 0: no request will come. */
static int take(server *s) {
  pthread_mutex_lock(&s->lock);
  while (s->n_waiting == 0 && !s->is_closed) pthread_cond_wait(&s->has_work, &s->lock);
  const int has_one = s->n_waiting > 0;
  s->n_waiting -= has_one;
  pthread_cond_signal(&s->has_room);
  pthread_mutex_unlock(&s->lock);
  return has_one;
}

/* ---- A worker ---- */
static int is_equal(const buddy_tensor *a, const buddy_tensor *b) {
  const size_t n = (size_t)buddy_tensor_n_elements(a) * buddy_dtype_size(a->dtype);
  return buddy_tensor_n_elements(a) == buddy_tensor_n_elements(b) &&
         memcmp(a->bytes, b->bytes, n) == 0;
}

static void *work(void *argument) {
  server *s = argument;
  buddy_tensor outputs[MAX_PORTS] = {0}; /* filled by the first run, written over by the others */
  buddy_diags *diags = NULL;             /* one a thread */
  if (buddy_diags_create(&diags) != BUDDY_OK) die("no memory", NULL);
  while (take(s)) {
    buddy_code code =
        buddy_model_run(s->model, s->inputs, s->n_inputs, outputs, s->n_outputs, diags);
    for (size_t i = 0; i < s->n_outputs && code == BUDDY_OK; ++i) {
      if (!is_equal(&outputs[i], &s->expected[i])) ++s->n_wrong;
    }
    if (code != BUDDY_OK) { /* the answer of this request; the worker goes on */
      ++s->n_wrong;
      buddy_diags_clear(diags);
    }
  }
  for (size_t i = 0; i < s->n_outputs; ++i) buddy_tensor_release(&outputs[i]);
  buddy_diags_destroy(diags);
  return NULL;
}

/* ---- The server ---- */
static void prepare(server *s, buddy_diags *diags) {
  s->n_inputs = buddy_model_n_inputs(s->model);
  s->n_outputs = buddy_model_n_outputs(s->model);
  if (s->n_inputs > MAX_PORTS || s->n_outputs > MAX_PORTS) die("too many inputs or outputs", NULL);
  for (size_t i = 0; i < s->n_inputs; ++i) {
    const buddy_port *port = buddy_model_input(s->model, i);
    int64_t sizes[64] = {0};
    for (uint32_t d = 0; d < port->rank && d < 64; ++d)
      sizes[d] = port->dims[d] < 0 ? USUAL_SIZE : port->dims[d];
    if (buddy_tensor_create(port->dtype, port->rank, sizes, &s->inputs[i]) != BUDDY_OK)
      die(port->name, NULL);
    buddy_tensor_fill_random(&s->inputs[i], i);
  }
  if (buddy_model_run(s->model, s->inputs, s->n_inputs, s->expected, s->n_outputs, diags) !=
      BUDDY_OK)
    die("the first run", diags);
}

static long peak_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  static server s = {.lock = PTHREAD_MUTEX_INITIALIZER,
                     .has_work = PTHREAD_COND_INITIALIZER,
                     .has_room = PTHREAD_COND_INITIALIZER};
  const int n_workers = argc > 2 ? atoi(argv[2]) : 4, n_requests = argc > 3 ? atoi(argv[3]) : 1000;
  pthread_t workers[MAX_WORKERS];
  buddy_diags *diags = NULL;
  if (argc < 2 || n_workers < 1 || n_workers > MAX_WORKERS || n_requests < 10) {
    fprintf(stderr, "usage: %s MODEL.pt2 [WORKERS [REQUESTS]]\n", argv[0]);
    return 2;
  }
  /* Many requests at the same time: each run has one thread, and waits for no other. */
  const buddy_model_options options = {
      .struct_size = sizeof options, .use_cache = 1, .n_threads = 1};
  if (buddy_diags_create(&diags) != BUDDY_OK) die("no memory", NULL);
  if (buddy_model_load(argv[1], &options, diags, &s.model) != BUDDY_OK) die(argv[1], diags);
  prepare(&s, diags);
  for (int i = 0; i < n_workers; ++i) pthread_create(&workers[i], NULL, work, &s);
  long before = 0;
  const double begin = seconds();
  for (int i = 0; i < n_requests; ++i) {
    if (i == n_requests / 10) before = peak_memory();
    bring(&s);
  }
  close_line(&s);
  for (int i = 0; i < n_workers; ++i) pthread_join(workers[i], NULL);
  printf("%d requests on %d threads: %.0f a second, %d wrong; memory grew by %ld KiB\n", n_requests,
         n_workers, n_requests / (seconds() - begin), s.n_wrong, peak_memory() - before);
  for (size_t i = 0; i < s.n_inputs; ++i) buddy_tensor_release(&s.inputs[i]);
  for (size_t i = 0; i < s.n_outputs; ++i) buddy_tensor_release(&s.expected[i]);
  buddy_model_destroy(s.model);
  buddy_diags_destroy(diags);
  return s.n_wrong != 0;
}
