// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/pages.h: memory that is dear to get page by page. */
#ifndef BUDDY_SDK_RUNTIME_PAGES_H
#define BUDDY_SDK_RUNTIME_PAGES_H

#include <stddef.h>

/* 64-byte aligned memory; null: there is none. Of what is large, the system is asked for large pages, as far as they
 * fill: a first run would else enter the kernel for every 4 KiB that it writes. What is freed serves the next of its size
 * without the system. n_bytes: a multiple of 64. */
void *bd_pages_allocate(size_t n_bytes);
void bd_pages_free(void *bytes);

#endif
