// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/bytes.c: appending to bytes that grow in memory. */
#include "core/base/bytes.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/memory.h"

buddy_code bd_bytes_append(bd_bytes *bytes, const void *data, size_t size) {
  size_t needed;
  if (bytes->code || size == 0) return bytes->code;
  void *grown = bd_size_add(bytes->size, size, &needed)
                    ? bd_array_grow(bytes->data, &bytes->capacity, needed, 1)
                    : NULL;
  if (!grown) return bytes->code = BUDDY_OUT_OF_MEMORY;
  bytes->data = grown;
  memcpy(bytes->data + bytes->size, data, size);
  bytes->size = needed;
  return BUDDY_OK;
}

static buddy_code write_to(void *user, const char *data, size_t size) {
  return bd_bytes_append(user, data, size);
}

buddy_writer bd_bytes_writer(bd_bytes *bytes) { return (buddy_writer){write_to, bytes}; }

void bd_bytes_deinit(bd_bytes *bytes) {
  bd_free(bytes->data);
  *bytes = (bd_bytes){NULL, 0, 0, BUDDY_OK};
}
