// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/dist/echo.c: a transport without other processes: this is rank 0 of two, and the other one
 * always sends what it is sent. Each exchange is a line of the file ECHO_LOG: how many bytes went out.
 * The exchange of number ECHO_FAILS fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/extensions.h"

static int n_exchanges;

static void note(const char *what, unsigned long long n) {
  const char *name = getenv("ECHO_LOG");
  FILE *log = name ? fopen(name, "a") : NULL;
  if (!log) return;
  fprintf(log, "%s %llu\n", what, n);
  fclose(log);
}

static buddy_code connect_echo(double seconds, void **out_state, char *why, size_t why_size) {
  (void)seconds;
  *out_state = &n_exchanges;
  if (!getenv("ECHO_REFUSES")) return BUDDY_OK;
  snprintf(why, why_size, "rank 1 is not at home");
  return BUDDY_IO;
}

static int32_t rank_of(void *state) { return (void)state, 0; }
static int32_t size_of(void *state) { return (void)state, 2; }

static buddy_code exchange(void *state, const buddy_message *sends, size_t n_sends,
                           const buddy_message *receives, size_t n_receives, double seconds,
                           char *why, size_t why_size) {
  const char *fails = getenv("ECHO_FAILS");
  unsigned long long n_bytes = 0;
  (void)state;
  ++n_exchanges;
  for (size_t i = 0; i < n_sends; ++i) n_bytes += sends[i].n_bytes;
  note("exchange", n_bytes);
  if (n_sends != n_receives || (fails && atoi(fails) == n_exchanges)) {
    snprintf(why, why_size, "rank 1 did not answer within %g s", seconds);
    return BUDDY_IO;
  }
  for (size_t i = 0; i < n_sends; ++i) {
    if (sends[i].n_bytes != receives[i].n_bytes) abort();
    if (sends[i].n_bytes > 0) memcpy(receives[i].bytes, sends[i].bytes, sends[i].n_bytes);
  }
  return BUDDY_OK;
}

static void give_up(void *state, const char *why) {
  (void)state;
  note(why, 0);
}

BUDDY_EXPORT const buddy_collective *buddy_collective_query(uint32_t host_abi);
const buddy_collective *buddy_collective_query(uint32_t host_abi) {
  static const buddy_collective table = {sizeof(table), 0,       "echo",   connect_echo,
                                         rank_of,       size_of, exchange, give_up};
  return host_abi >> 16 == BUDDY_ABI_MAJOR ? &table : NULL;
}
