// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/intern.c: a hash table whose elements carry the string after them. */
#include "core/base/intern.h"

#include <stddef.h>
#include <string.h>

#include "core/base/assert.h"
#include "core/base/hash.h"

struct bd_interned {
  UT_hash_handle hh;
  char string[];
};

const char *bd_intern(bd_interner *interner, const char *data, size_t size) {
  struct bd_interned *found;
  HASH_FIND(hh, interner->strings, data, size, found);
  BD_ASSERT(!found || !found->string[size]);
  if (found) return found->string;
  size_t bytes;
  if (!bd_size_add(offsetof(struct bd_interned, string) + 1, size, &bytes)) return NULL;
  struct bd_interned *added = bd_arena_alloc(interner->arena, bytes);
  if (!added) return NULL;
  if (size) memcpy(added->string, data, size);
  added->string[size] = 0;
  bool hash_is_full = false;
  HASH_ADD_KEYPTR(hh, interner->strings, added->string, size, added);
  return hash_is_full ? NULL : added->string;
}

void bd_interner_deinit(bd_interner *interner) { HASH_CLEAR(hh, interner->strings); }
