// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/options.c: copying a caller's options, whatever version it was built with. */
#include "core/base/options.h"

#include <string.h>

#include "core/base/try.h"

void bd_versioned_copy(void *to, size_t to_size, const void *from, size_t from_size) {
  const size_t common = to_size < from_size ? to_size : from_size;
  memcpy(to, from, common);
  memset((char *)to + common, 0, to_size - common);
}

static buddy_code check(const char *given, size_t given_size, size_t size, const char *name,
                        buddy_diags *diags) {
  /* Fields are of 8 bytes, or stand in pairs: sizes of whole structs are multiples. */
  if (given_size < sizeof(size_t) || given_size % sizeof(size_t) || given_size > BD_MAX_OPTIONS) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, name,
                           "set struct_size to its sizeof",
                           "struct_size is %zu, which no version has%s", given_size,
                           given_size ? "" : ": it was not set");
  }
  for (size_t i = size; i < given_size; ++i) {
    if (!given[i]) continue;
    return buddy_diags_add(
        diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, name,
        "run the program with the buddy that it was compiled for, or a newer one",
        "the caller is of a newer buddy, and sets an option at byte %zu, which "
        "this one does not know",
        i);
  }
  return BUDDY_OK;
}

buddy_code bd_options_read(void *out, size_t size, const void *given, const char *name,
                           buddy_diags *diags) {
  if (!given) return BUDDY_OK;
  size_t given_size;
  memcpy(&given_size, given, sizeof given_size);
  BD_TRY(check(given, given_size, size, name, diags));
  memcpy(out, given, given_size < size ? given_size : size);
  memcpy(out, &size, sizeof size);
  return BUDDY_OK;
}
