// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/kit/rogue.c: a registry that a host cannot defend itself against, for `buddy plugin check`:
 * it does one thing that no plugin may do, chosen by -DROGUE_<way>; without any it is good. */
#define _GNU_SOURCE
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "buddy/kit.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

#ifdef ROGUE_CONSTRUCTOR_EXITS
__attribute__((constructor)) static void on_load(void) { _exit(7); }
#endif
#ifdef ROGUE_CONSTRUCTOR_CRASHES
__attribute__((constructor)) static void on_load(void) { raise(SIGSEGV); }
#endif
#ifdef ROGUE_CONSTRUCTOR_HANGS
__attribute__((constructor)) static void on_load(void) {
  for (;;) pause();
}
#endif

#if defined(ROGUE_MATCH_JUMPS) || defined(ROGUE_EMIT_JUMPS)
static jmp_buf place; /* in a frame of open(), which the host has long left */
#endif

static buddy_code match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self, (void)call;
#if defined(ROGUE_MATCH_CRASHES)
  *(volatile int *)0 = 1; /* NOLINT: the point */
#elif defined(ROGUE_MATCH_JUMPS)
  longjmp(place, 1);
#elif defined(ROGUE_MATCH_HANGS)
  for (;;) pause();
#elif defined(ROGUE_MATCH_SILENT)
  return BUDDY_DECLINED;
#elif defined(ROGUE_MATCH_FAILS)
  return be_fail(call, BUDDY_UNSUPPORTED, "no such thing here");
#elif defined(ROGUE_MATCH_CHANGES)
  static int n;
  if (n++ % 2) return be_decline(call, "not this time");
#elif defined(ROGUE_PRINTS)
  puts("hello from the plugin");
  fflush(stdout);
#elif defined(ROGUE_LEAKS)
  static void *volatile lost;
  lost = malloc(100);
  if (!lost) return BUDDY_OUT_OF_MEMORY;
#elif defined(ROGUE_CHANGES_FOLDER)
  if (chdir("/")) return BUDDY_INTERNAL;
#elif defined(ROGUE_CHANGES_SIGNALS)
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigprocmask(SIG_BLOCK, &set, NULL);
#elif defined(ROGUE_FLUSHES_TO_ZERO)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  return BUDDY_OK;
}

static buddy_code emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_result_type(call, 0);
#if defined(ROGUE_EMIT_EXITS)
  exit(0);
#elif defined(ROGUE_EMIT_JUMPS)
  longjmp(place, 1);
#elif defined(ROGUE_EMIT_ABORTS)
  abort();
#elif defined(ROGUE_WRONG_NUMBERS)
  return bk_result(call, 0,
                   BK_OP(call, "arith.addf", type, bk_tensor(call, 0), bk_tensor(call, 0)));
#elif defined(ROGUE_EMIT_CHANGES)
  static _Atomic int n;
  return bk_result(call, 0,
                   BK_OP(call, "arith.maximumf", type, bk_tensor(call, 0),
                         bk_splat(call, type, (double)n++ * 1e-30)));
#elif defined(ROGUE_THREADS)
  /* Which one another thread sees is chance. */
  static const buddy_tensor_type *volatile shared;
  static buddy_call *volatile whose;
  shared = type;
  whose = call;
  usleep(200);
  if (whose != call) return BUDDY_INTERNAL;
  type = shared;
#elif defined(ROGUE_TRUSTS_MEMORY)
  char *text = be_host->scratch(call, 16);
  text[0] = 0;
#endif
  return bk_result(
      call, 0, BK_OP(call, "arith.maximumf", type, bk_tensor(call, 0), bk_splat(call, type, 0)));
}

static buddy_code open_registry(const buddy_host *host, void **out_state, char *why,
                                size_t why_size) {
#if defined(ROGUE_CHANGES_LOCALE)
  setlocale(LC_ALL, "C.UTF-8");
#elif defined(ROGUE_MATCH_JUMPS) || defined(ROGUE_EMIT_JUMPS)
  if (setjmp(place)) return BUDDY_INTERNAL;
#elif defined(ROGUE_CHANGES_ENVIRONMENT)
  setenv("BUDDY_REGISTRIES", "mine", 1);
#elif defined(ROGUE_CATCHES_SIGNALS)
  signal(SIGSEGV, SIG_IGN);
#elif defined(ROGUE_LEAVES_FILES)
  if (dup(0) < 0) return BUDDY_IO;
#endif
#ifdef ROGUE_NEEDS_OPEN
  static char own[] = "state";
  const buddy_code code = be_open(host, out_state, why, why_size);
  *out_state = own;
  return code;
#else
  return be_open(host, out_state, why, why_size);
#endif
}

#ifdef ROGUE_CLOSE_CRASHES
static void close_registry(void *state) {
  (void)state;
  abort();
}
#define CLOSE .close = close_registry,
#else
#define CLOSE
#endif

#ifdef ROGUE_NEEDS_OPEN
/* Promises what it does not keep: its functions come from open()'s state. */
static void nothing(void) {}
static const void *extension(void *state, const char *id) {
  static const buddy_runtime_symbol symbols[] = {{"_mlir_ciface_rogue_nothing", nothing}};
  static const buddy_runtime runtime = {sizeof runtime, 1, symbols};
  static const buddy_ahead ahead = {sizeof ahead, 0, NULL};
  if (strcmp(id, BUDDY_RUNTIME_ID) == 0) return *(char *)state == 's' ? &runtime : NULL;
  return strcmp(id, BUDDY_AHEAD_ID) == 0 ? &ahead : NULL;
}
#define EXTENSION .extension = extension,
#else
#define EXTENSION
#endif

static const buddy_op ops[] = {{.name = "aten.relu.default",
                                .args = "self",
                                .in_dtypes = BUDDY_FLOATS,
                                .out_dtypes = BUDDY_FLOATS,
                                .match = match,
                                .emit = emit}};
static const char *const dialects[] = {"arith", "linalg", "tensor", NULL};

#define REGISTRY(name)                                                            \
  BUDDY_REGISTRY(name, "1.0.0", "kit tests", "MIT", 0, ops, .dialects = dialects, \
                 CLOSE EXTENSION.open = open_registry)
REGISTRY(NAME);
