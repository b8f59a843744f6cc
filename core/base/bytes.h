// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/bytes.h: bytes in memory that grow, for what would otherwise be a file. */
#ifndef BUDDY_CORE_BASE_BYTES_H
#define BUDDY_CORE_BASE_BYTES_H

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A zeroed one is empty. The first failure is kept in `code`; later appends do nothing. */
typedef struct bd_bytes {
  char *data;
  size_t size, capacity;
  buddy_code code;
} bd_bytes;

BUDDY_EXPORT buddy_code bd_bytes_append(bd_bytes *bytes, const void *data, size_t size);
BUDDY_EXPORT buddy_writer bd_bytes_writer(bd_bytes *bytes);
BUDDY_EXPORT void bd_bytes_deinit(bd_bytes *bytes);

#ifdef __cplusplus
}
#endif
#endif
