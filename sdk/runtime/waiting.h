// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/waiting.h: waiting for a word to change: for a moment by looking, then asleep. */
#ifndef BUDDY_SDK_RUNTIME_WAITING_H
#define BUDDY_SDK_RUNTIME_WAITING_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* One look at a word in a loop, at leisure. */
static inline void bd_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield" ::: "memory");
#else
  atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* Sleeps if the word still is `value`; may wake without a cause. */
static inline void bd_sleep_on(_Atomic uint32_t *word, uint32_t value) {
  (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static inline void bd_wake_one(_Atomic uint32_t *word) {
  (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#endif
