// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/clock.h: a clock that nobody sets, for durations and deadlines. */
#ifndef BUDDY_CORE_BASE_CLOCK_H
#define BUDDY_CORE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline double bd_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static inline int64_t bd_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static inline uint64_t bd_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#endif
