// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/dist/link.c: a transport that stands for a network: this is rank 0 of LINK_RANKS, the others send
 * what they are sent, and an exchange takes as long as a link would. Each rank has one, both ways at once:
 * LINK_LATENCY seconds for each message, and a second for LINK_BANDWIDTH bytes. With LINK_LOG, a file, an
 * exchange takes no time, and its seconds are a line of it. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "buddy/extensions.h"

enum {
  HEAD = 5
}; /* numbers before each message; the last is how many bytes come (plugins/dist/call.c) */

static double number(const char *name, double otherwise) {
  const char *text = getenv(name);
  return text ? atof(text) : otherwise;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The last part without giving the processor away, so that it is exact. */
static void wait_until(double end) {
  const double left = end - now() - 0.0002;
  const struct timespec t = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
  if (left > 0) nanosleep(&t, NULL);
  while (now() < end) continue;
}

static buddy_code connect_link(double seconds, void **out_state, char *why, size_t why_size) {
  (void)seconds, (void)why, (void)why_size;
  *out_state = NULL;
  return BUDDY_OK;
}

static int32_t rank_of(void *state) { return (void)state, 0; }
static int32_t size_of(void *state) { return (void)state, (int32_t)number("LINK_RANKS", 2); }

/* A message is a head and its bytes: two of the list. */
static double cost(const buddy_message *messages, size_t n) {
  double bytes = 0;
  for (size_t i = 0; i < n; ++i) bytes += (double)messages[i].n_bytes;
  return (double)(n / 2) * number("LINK_LATENCY", 0) + bytes / number("LINK_BANDWIDTH", 1e30);
}

static buddy_code exchange(void *state, const buddy_message *sends, size_t n_sends,
                           const buddy_message *receives, size_t n_receives, double seconds,
                           char *why, size_t why_size) {
  const double begin = now(), out = cost(sends, n_sends), in = cost(receives, n_receives);
  (void)state, (void)seconds, (void)why, (void)why_size;
  for (size_t i = 0; i < n_receives && n_sends > 0; ++i) {
    const buddy_message *from = &sends[i % n_sends];
    const uint64_t n = from->n_bytes < receives[i].n_bytes ? from->n_bytes : receives[i].n_bytes;
    if (n > 0) memcpy(receives[i].bytes, from->bytes, n);
    if (i % 2 == 0) ((int64_t *)receives[i].bytes)[HEAD - 1] = (int64_t)receives[i + 1].n_bytes;
  }
  const char *name = getenv("LINK_LOG");
  FILE *log = name ? fopen(name, "a") : NULL;
  if (log) fprintf(log, "%.9e\n", out > in ? out : in);
  if (log) fclose(log);
  if (!name) wait_until(begin + (out > in ? out : in));
  return BUDDY_OK;
}

static void give_up(void *state, const char *why) { (void)state, (void)why; }

BUDDY_EXPORT const buddy_collective *buddy_collective_query(uint32_t host_abi);
const buddy_collective *buddy_collective_query(uint32_t host_abi) {
  static const buddy_collective table = {sizeof(table), 0,       "link",   connect_link,
                                         rank_of,       size_of, exchange, give_up};
  return host_abi >> 16 == BUDDY_ABI_MAJOR ? &table : NULL;
}
