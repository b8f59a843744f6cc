// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/threads.c: the number of threads, by affinity and settings. */
#include "sdk/runtime/threads.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static int limit(long n) { return n < BD_MAX_THREADS ? (int)n : BD_MAX_THREADS; }

int bd_threads_of_process(void) {
  cpu_set_t cpus;
  /* On machines with more CPUs than the set has room for, the call fails. */
  if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0) return BD_MAX_THREADS;
  const int n = CPU_COUNT(&cpus);
  return n < 1 ? 1 : limit(n);
}

/* 0: the variable says nothing. OpenMP's may hold a list, one number for each level of nesting. */
static int read_variable(const char *name) {
  const char *text = getenv(name);
  char *end = NULL;
  if (!text) return 0;
  const long n = strtol(text, &end, 10);
  if (end == text || n < 1 || (*end != '\0' && *end != ',')) return 0;
  return limit(n);
}

int bd_threads_default(void) {
  int n = read_variable("BUDDY_THREADS");
  if (n == 0) n = read_variable("OMP_NUM_THREADS");
  return n != 0 ? n : bd_threads_of_process();
}

const char *bd_threads_unread(void) {
  const char *text = getenv("BUDDY_THREADS");
  return text && *text != '\0' && strcmp(text, "0") != 0 && read_variable("BUDDY_THREADS") == 0
             ? text
             : NULL;
}
