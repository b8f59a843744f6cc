// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/assert.h: what holds of this code's own structures, and would be a defect of ours if it did
 * not. Never for what callers, files or plugins say: that is a code and a diagnostic.
 *
 * Live in debug builds, under AddressSanitizer and ThreadSanitizer, with the CMake option
 * BUDDY_PARANOID, and for clang's analyzer, which takes them for true; elsewhere conditions are compiled,
 * but not evaluated. */
#ifndef BUDDY_CORE_BASE_ASSERT_H
#define BUDDY_CORE_BASE_ASSERT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(BUDDY_PARANOID) || !defined(NDEBUG) || defined(__SANITIZE_ADDRESS__) || \
    defined(__SANITIZE_THREAD__) || defined(__clang_analyzer__)
#define BD_HAS_ASSERTS 1
#else
#define BD_HAS_ASSERTS 0
#endif

/* One line on stderr, and the end of the process, where a debugger or a core file shows the state. */
__attribute__((noreturn)) static inline void bd_assert_failed(const char *condition,
                                                              const char *file, int line) {
  fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  abort();
}

#define BD_ASSERT(condition)                                                              \
  do {                                                                                    \
    if (BD_HAS_ASSERTS && !(condition)) bd_assert_failed(#condition, __FILE__, __LINE__); \
  } while (0)

#endif
