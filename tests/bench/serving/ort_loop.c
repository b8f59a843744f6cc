// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/bench/serving/ort_loop.c: ONNX Runtime in a loop, without a server: what throughput.py holds servers against.
 *
 *   ort_loop LIBRARY MODEL.onnx INPUT.bin OUTPUT.bin OUTPUT_FLOATS THREADS RUNS DIM…
 *
 * INPUT.bin has the floats of one input `x` of these dims. THREADS threads share a session, each run is on one thread, and RUNS runs are
 * made in all, after one for each thread that is not counted. Writes the first floats of output `y`, prints seconds. PyPI's package has the
 * library without its header: what is used of its table of functions, which only grows, is named by its places. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
  API_VERSION = 16,
  ERROR_MESSAGE = 2,
  CREATE_ENV = 3,
  CREATE_SESSION = 7,
  RUN = 9,
  CREATE_OPTIONS = 10,
  SET_INTRA_OP_THREADS = 24,
  CREATE_TENSOR = 49,
  TENSOR_DATA = 51,
  CREATE_CPU_MEMORY_INFO = 69,
  RELEASE_VALUE = 96,
  WARNING = 2,
  FLOAT = 1,
  MAX_THREADS = 64
};

typedef void (*function)(void);
static const function *api;
#define CALL(place, result, types, ...) (((result(*) types)api[place])(__VA_ARGS__))
#define CHECK(place, types, ...) check(CALL(place, void *, types, __VA_ARGS__))

static void *session, *input;
static float *first;
static long n_floats;
static atomic_long left;
static pthread_barrier_t ready;

static void check(void *status) {
  if (!status) return;
  fprintf(stderr, "%s\n", CALL(ERROR_MESSAGE, const char *, (const void *), status));
  exit(1);
}

static void run(int is_first) {
  static const char *const x[] = {"x"}, *const y[] = {"y"};
  void *output = NULL, *data = NULL;
  CHECK(RUN,
        (void *, void *, const char *const *, void *const *, size_t, const char *const *, size_t,
         void **),
        session, NULL, x, &input, 1, y, 1, &output);
  CHECK(TENSOR_DATA, (void *, void **), output, &data);
  for (long i = 0; is_first && i < n_floats; ++i) first[i] = ((const float *)data)[i];
  CALL(RELEASE_VALUE, void, (void *), output);
}

static void *work(void *is_first) {
  run(is_first != NULL);
  pthread_barrier_wait(&ready);
  while (atomic_fetch_sub(&left, 1) > 0) run(0);
  return NULL;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void open_session(const char *library, const char *model) {
  void *env = NULL, *options = NULL, *loaded = dlopen(library, RTLD_NOW);
  if (!loaded) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  const struct {
    const function *(*get)(uint32_t);
  } *base = ((const void *(*)(void))dlsym(loaded, "OrtGetApiBase"))();
  api = base->get(API_VERSION);
  CHECK(CREATE_ENV, (int, const char *, void **), WARNING, "loop", &env);
  CHECK(CREATE_OPTIONS, (void **), &options);
  CHECK(SET_INTRA_OP_THREADS, (void *, int), options, 1);
  CHECK(CREATE_SESSION, (void *, const char *, void *, void **), env, model, options, &session);
}

static void read_input(const char *path, int n_dims, char **dims) {
  int64_t shape[8];
  size_t n = 1;
  void *info = NULL;
  for (int i = 0; i < n_dims && i < 8; ++i) n *= (size_t)(shape[i] = atoll(dims[i]));
  float *floats = malloc(n * sizeof(float));
  FILE *file = fopen(path, "rb");
  if (!floats || !file || fread(floats, sizeof(float), n, file) != n) {
    fprintf(stderr, "%s cannot be read\n", path);
    exit(1);
  }
  fclose(file);
  CHECK(CREATE_CPU_MEMORY_INFO, (int, int, void **), 1, 0, &info);
  CHECK(CREATE_TENSOR, (void *, void *, size_t, const int64_t *, size_t, int, void **), info,
        floats, n * sizeof(float), shape, (size_t)n_dims, FLOAT, &input);
}

int main(int argc, char **argv) {
  pthread_t threads[MAX_THREADS];
  if (argc < 9) return 2;
  n_floats = atol(argv[5]);
  first = malloc((size_t)n_floats * sizeof(float));
  const int n_threads = atoi(argv[6]) < MAX_THREADS ? atoi(argv[6]) : MAX_THREADS;
  atomic_init(&left, atol(argv[7]));
  open_session(argv[1], argv[2]);
  read_input(argv[3], argc - 8, argv + 8);
  pthread_barrier_init(&ready, NULL, (unsigned)n_threads + 1);
  for (int i = 0; i < n_threads; ++i) pthread_create(&threads[i], NULL, work, i == 0 ? argv : NULL);
  pthread_barrier_wait(&ready);
  const double start = now();
  for (int i = 0; i < n_threads; ++i) pthread_join(threads[i], NULL);
  printf("%.6f\n", now() - start);
  FILE *file = fopen(argv[4], "wb");
  return !file || fwrite(first, sizeof(float), (size_t)n_floats, file) != (size_t)n_floats ||
         fclose(file) != 0;
}
