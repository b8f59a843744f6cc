// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/registry/plugins/lender.c: a registry whose functions are in a library beside it; with
 * LIBRARY that library, which lacks one of them. */
#include "buddy/extensions.h"

#ifdef LIBRARY
static int32_t told;
BUDDY_EXPORT int32_t lender_answer(void);
BUDDY_EXPORT void buddy_threads_lender(int32_t n);
BUDDY_EXPORT void buddy_crew_lender(const buddy_crew *crew);
BUDDY_EXPORT void buddy_run_lender(const buddy_run *run);
int32_t lender_answer(void) { return 42 + told; }
void buddy_threads_lender(int32_t n) { told = n; }
void buddy_crew_lender(const buddy_crew *crew) { told = crew ? 100 : 0; }
void buddy_run_lender(const buddy_run *run) { told = run ? 1000 : 0; }
#else
#include <string.h>

static int32_t own_answer(void) { return 7; }
static buddy_code emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self, (void)call;
  return BUDDY_DECLINED;
}
static const void *extension(void *state, const char *id) {
  static const buddy_runtime_symbol symbols[] = {{"lender_answer", 0},
                                                 {"lender_missing", 0},
                                                 {"lender_own", (void (*)(void))own_answer},
                                                 {BUDDY_THREADS_FUNCTION "lender", 0},
                                                 {BUDDY_CREW_FUNCTION "lender", 0},
                                                 {BUDDY_RUN_FUNCTION "lender", 0}};
  static const buddy_runtime runtime = {sizeof runtime, sizeof symbols / sizeof *symbols, symbols};
  static const buddy_ahead ahead = {.struct_size = sizeof ahead, .file = "liblender.so"};
  (void)state;
  if (!strcmp(id, BUDDY_RUNTIME_ID)) return &runtime;
  return strcmp(id, BUDDY_AHEAD_ID) ? 0 : &ahead;
}
static const buddy_op ops[] = {{.name = "test.lend.default", .args = "self", .emit = emit}};
BUDDY_REGISTRY(lender, "1.0.0", "buddy tests", "MIT", 0, ops, .extension = extension);
#endif
