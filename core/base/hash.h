// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/hash.h: uthash as this project uses it: on bd_malloc, and surviving when memory is out.
 * Include this, never <uthash.h>.
 *
 * After a failed add the element is not in the table. uthash tells so through a hook, which sets
 * the variable `bool hash_is_full` that every function with a HASH_ADD declares (false) and reads
 * afterwards. */
#ifndef BUDDY_CORE_BASE_HASH_H
#define BUDDY_CORE_BASE_HASH_H

#include <string.h>

#include "core/base/assert.h"
#include "core/base/memory.h"

/* Eight bytes a step, where uthash's own hash takes one: names of ops are hashed for every node. */
static inline uint32_t bd_hash(const void *data, size_t size) {
  const unsigned char *at = (const unsigned char *)data; /* C++ tests include this, too */
  const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15);
  uint64_t hash = size * odd, word;
  for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
    memcpy(&word, at, sizeof word);
    hash = (hash ^ word) * odd;
    hash ^= hash >> 32;
  }
  for (word = 0; size > 0; --size) word = word << 8 | at[size - 1];
  hash = (hash ^ word) * odd;
  return (uint32_t)(hash ^ hash >> 32);
}

#define HASH_FUNCTION(data, size, hash) ((hash) = bd_hash(data, size))
#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) bd_malloc(size)
#define uthash_free(memory, size) bd_free(memory)
#define uthash_nonfatal_oom(element) \
  do {                               \
    (void)(element);                 \
    hash_is_full = true;             \
  } while (0)
/* uthash's hash arithmetic relies on unsigned wrap-around and on signed shifts; its warnings are
 * not ours. */
#if defined(__clang__)
#pragma clang system_header
#elif defined(__GNUC__)
#pragma GCC system_header
#endif
#include <uthash.h>

/* What is deleted stands in the table, which is not empty then. */
#undef HASH_DELETE
#define HASH_DELETE(handle, table, element)            \
  do {                                                 \
    BD_ASSERT(table);                                  \
    HASH_DELETE_HH(handle, table, &(element)->handle); \
  } while (0)

/* Shorter chains than uthash's own 10: elements lie far apart, so each step along a chain is a
 * cache miss. */
#undef HASH_BKT_CAPACITY_THRESH
#define HASH_BKT_CAPACITY_THRESH 6U

#endif
