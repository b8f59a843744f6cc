// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/bench/bandwidth/main.c: how fast memory can be read: the bound of a token of generation.
 *
 *     build/bin/bandwidth [FILE]
 *     build/bin/bandwidth FILE BYTES THREADS
 *
 * Reads 1 GiB, again and again, as 1 or 2 threads, each of them 1 to 8 streams, with and without
 * prefetching; from pages of 4 KiB, from large pages, and from a mapped file of so many bytes, if
 * one is given. Prints GB/s, the best of several rounds: on a machine under load that is still what
 * memory can do, where a mean is not.
 *
 * The second form reads BYTES of the file, mapped, from its beginning on, once for each line on standard input, as so
 * many threads, in the way that was fastest when it tried them all, and prints milliseconds: for
 * who measures in turns with something else (steps.py). Of a file with less than BYTES all is read, as often
 * as it takes: in proportion. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2, STREAMS = 8, LANES = 8, STEP = 2, AHEAD = 1024, ROUNDS = 4 };
#define N_BYTES ((size_t)1 << 30)
#define HUGE_PAGE ((size_t)2 << 20)

/* Half a line of 64 bytes: Zen 4 reads a stream faster by these than by whole ones. */
typedef uint32_t vector __attribute__((vector_size(LANES * sizeof(uint32_t))));

typedef struct job {
  const vector *from;
  size_t n; /* vectors */
  int streams, is_ahead;
  uint32_t sum;
} job;

/* Each stream is read in steps of so many vectors, the streams in turn. */
static void *sum_up(void *user) {
  job *j = user;
  vector sums[STREAMS * STEP] = {{0}};
  const size_t of_stream = j->n / (size_t)j->streams;
  for (size_t i = 0; i + STEP <= of_stream; i += STEP) {
    for (int s = 0; s < j->streams; ++s) {
      const vector *at = j->from + (size_t)s * of_stream + i;
      for (int k = 0; k < STEP; ++k) {
        if (j->is_ahead) __builtin_prefetch((const char *)(at + k) + AHEAD);
        sums[s * STEP + k] += at[k];
      }
    }
  }
  for (int s = 1; s < STREAMS * STEP; ++s) sums[0] += sums[s];
  j->sum = sums[0][0];
  return NULL;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How it is read. */
typedef struct way {
  int threads, streams, is_ahead;
} way;

/* All ways of so many threads: 1, 2, 4 and 8 streams, each plain and ahead. */
enum { N_WAYS = 8 };
static way way_of(int i, int threads) { return (way){threads, 1 << (i / 2), i % 2}; }

/* Seconds of one reading of n bytes; below 0: no thread could be started. */
static double read_once(const char *bytes, size_t n, way w) {
  job jobs[THREADS];
  pthread_t helpers[THREADS];
  const size_t share = n / (size_t)w.threads;
  int started = 1;
  const double start = now();
  for (int t = 0; t < w.threads; ++t)
    jobs[t] = (job){(const vector *)(const void *)(bytes + (size_t)t * share),
                    share / sizeof(vector), w.streams, w.is_ahead, 0};
  while (started < w.threads &&
         pthread_create(&helpers[started], NULL, sum_up, &jobs[started]) == 0)
    ++started;
  sum_up(&jobs[0]);
  for (int t = 1; t < started; ++t) pthread_join(helpers[t], NULL);
  return started == w.threads ? now() - start : -1;
}

static double read_best(const char *bytes, size_t n, way w) {
  double best = 1e9;
  for (int round = 0; round < ROUNDS; ++round) {
    const double seconds = read_once(bytes, n, w);
    if (seconds > 0 && seconds < best) best = seconds;
  }
  return best;
}

static void measure(const char *what, const char *bytes) {
  for (int threads = 1; threads <= THREADS; ++threads) {
    printf("%-14s%2d thread%s", what, threads, threads > 1 ? "s" : " ");
    for (int i = 0; i < N_WAYS; ++i)
      printf("%7.1f", (double)N_BYTES / read_best(bytes, N_BYTES, way_of(i, threads)) / 1e9);
    printf("\n");
  }
}

static void measure_own(const char *what, int advice) {
  char *space =
      mmap(NULL, N_BYTES + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (space == MAP_FAILED) return;
  char *bytes = space + (HUGE_PAGE - (uintptr_t)space % HUGE_PAGE) % HUGE_PAGE;
  (void)madvise(bytes, N_BYTES, advice);
  memset(bytes, 1, N_BYTES);
  measure(what, bytes);
  munmap(space, N_BYTES + HUGE_PAGE);
}

/* NULL, and a message: it cannot be. */
static const char *map(const char *path, size_t n) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const off_t size = file < 0 ? -1 : lseek(file, 0, SEEK_END);
  char *bytes =
      size < (off_t)n ? MAP_FAILED : mmap(NULL, n, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
  if (file >= 0) close(file);
  if (bytes != MAP_FAILED) return bytes;
  fprintf(stderr, "%s: cannot be mapped, or has less than %zu bytes\n", path, n);
  return NULL;
}

static int read_in_turns(const char *path, size_t n, int threads) {
  struct stat of_file;
  if (n == 0 || threads < 1 || threads > THREADS) {
    fprintf(stderr, "BYTES: more than 0; THREADS: 1 to %d\n", THREADS);
    return 1;
  }
  const size_t size = stat(path, &of_file) == 0 ? (size_t)of_file.st_size : 0;
  const size_t once = size > 0 && size < n ? size : n;
  const char *bytes = map(path, once);
  if (!bytes) return 1;
  way best = way_of(0, threads);
  double least = 1e9;
  for (int i = 0; i < N_WAYS; ++i) {
    const double seconds = read_best(bytes, once, way_of(i, threads));
    if (seconds < least) best = way_of(i, threads);
    least = seconds < least ? seconds : least;
  }
  for (int c = getchar(); c != EOF; c = getchar()) {
    if (c != '\n') continue;
    const double seconds = read_once(bytes, once, best);
    printf("%.4f\n", 1e3 * seconds * (double)n / (double)once);
    fflush(stdout);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 4) return read_in_turns(argv[1], strtoull(argv[2], NULL, 10), atoi(argv[3]));
  printf("%-23s%14s%14s%14s%14s\n%-23s", "GB/s", "1 stream", "2 streams", "4 streams", "8 streams",
         "");
  for (int i = 0; i < N_WAYS; i += 2) printf("%7s%7s", "plain", "ahead");
  printf("\n");
  measure_own("4 KiB pages", MADV_NOHUGEPAGE);
  measure_own("large pages", MADV_HUGEPAGE);
  if (argc < 2) return 0;
  const char *bytes = map(argv[1], N_BYTES);
  if (bytes) measure("mapped file", bytes);
  return bytes ? 0 : 1;
}
