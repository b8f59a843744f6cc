// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/bench/bandwidth/main.c: how fast memory can be read: the bound of a token of generation.
 *
 *     build/bin/bandwidth [FILE]
 *
 * Reads 1 GiB, again and again, as 1 or 2 threads, each of them 1 to 8 streams, with and without
 * prefetching; from pages of 4 KiB, from large pages, and from a mapped file of so many bytes, if
 * one is given. Prints GB/s, the best of several rounds: on a machine under load that is still what
 * memory can do, where a mean is not. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2, STREAMS = 8, LANES = 16, STEP = 2, AHEAD = 1024, ROUNDS = 4 };
#define N_BYTES ((size_t)1 << 30)
#define HUGE_PAGE ((size_t)2 << 20)

/* GCC and Clang make as wide loads of it as the processor has. */
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

/* Seconds of one reading of all bytes; below 0: no thread could be started. */
static double read_once(const char *bytes, int threads, int streams, int is_ahead) {
  job jobs[THREADS];
  pthread_t helpers[THREADS];
  const size_t share = N_BYTES / (size_t)threads;
  int started = 1;
  const double start = now();
  for (int t = 0; t < threads; ++t)
    jobs[t] = (job){(const vector *)(const void *)(bytes + (size_t)t * share),
                    share / sizeof(vector), streams, is_ahead, 0};
  while (started < threads && pthread_create(&helpers[started], NULL, sum_up, &jobs[started]) == 0)
    ++started;
  sum_up(&jobs[0]);
  for (int t = 1; t < started; ++t) pthread_join(helpers[t], NULL);
  return started == threads ? now() - start : -1;
}

static void measure(const char *what, const char *bytes) {
  for (int threads = 1; threads <= THREADS; ++threads) {
    printf("%-14s%2d thread%s", what, threads, threads > 1 ? "s" : " ");
    for (int streams = 1; streams <= STREAMS; streams *= 2) {
      for (int is_ahead = 0; is_ahead < 2; ++is_ahead) {
        double best = 1e9;
        for (int round = 0; round < ROUNDS; ++round) {
          const double seconds = read_once(bytes, threads, streams, is_ahead);
          if (seconds > 0 && seconds < best) best = seconds;
        }
        printf("%7.1f", (double)N_BYTES / best / 1e9);
      }
    }
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

static int measure_file(const char *path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const off_t size = file < 0 ? -1 : lseek(file, 0, SEEK_END);
  char *bytes = size < (off_t)N_BYTES
                    ? MAP_FAILED
                    : mmap(NULL, N_BYTES, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
  if (file >= 0) close(file);
  if (bytes == MAP_FAILED) {
    fprintf(stderr, "%s: cannot be mapped, or has less than %zu bytes\n", path, N_BYTES);
    return 1;
  }
  measure("mapped file", bytes);
  munmap(bytes, N_BYTES);
  return 0;
}

int main(int argc, char **argv) {
  printf("%-23s%14s%14s%14s%14s\n%-23s", "GB/s", "1 stream", "2 streams", "4 streams", "8 streams",
         "");
  for (int streams = 1; streams <= STREAMS; streams *= 2) printf("%7s%7s", "plain", "ahead");
  printf("\n");
  measure_own("4 KiB pages", MADV_NOHUGEPAGE);
  measure_own("large pages", MADV_HUGEPAGE);
  return argc > 1 ? measure_file(argv[1]) : 0;
}
