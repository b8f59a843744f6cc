// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/base.c: codes and dtypes as words, from the X-macros of registry.h. */
#include "buddy/base.h"

#include <stdbool.h>
#include <string.h>

const char *buddy_version(void) { return BUDDY_VERSION_TEXT; }

const char *buddy_code_name(buddy_code code) {
  static const char *const names[] = {
#define BUDDY_X(name, value, when) [value] = #name,
      BUDDY_CODES(BUDDY_X)
#undef BUDDY_X
  };
  return code >= 0 && (size_t)code < sizeof names / sizeof *names ? names[code] : "?";
}

static const struct {
  const char *text;
  size_t size;
} dtypes[] = {
#define BUDDY_X(name, number, text, bytes) [number] = {text, bytes},
    BUDDY_DTYPES(BUDDY_X)
#undef BUDDY_X
};
#define N_DTYPES ((buddy_dtype)(sizeof dtypes / sizeof *dtypes))

static bool is_dtype(buddy_dtype dtype) { return dtype > 0 && dtype < N_DTYPES; }

const char *buddy_dtype_name(buddy_dtype dtype) {
  return is_dtype(dtype) ? dtypes[dtype].text : "?";
}

size_t buddy_dtype_size(buddy_dtype dtype) { return is_dtype(dtype) ? dtypes[dtype].size : 0; }

buddy_dtype buddy_dtype_find(buddy_sv name) {
  for (buddy_dtype dtype = 1; dtype < N_DTYPES; ++dtype) {
    const char *text = dtypes[dtype].text;
    if (strlen(text) == name.size && !memcmp(text, name.data, name.size)) return dtype;
  }
  return BUDDY_DTYPE_NONE;
}
