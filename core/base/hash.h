/* core/base/hash.h: uthash as this project uses it: on bd_malloc, and surviving when memory is out.
 * Include this, never <uthash.h>.
 *
 * After a failed add the element is not in the table. uthash tells so through a hook, which sets
 * the variable `bool hash_is_full` that every function with a HASH_ADD declares (false) and reads
 * afterwards. */
#ifndef BUDDY_CORE_BASE_HASH_H
#define BUDDY_CORE_BASE_HASH_H

#include "core/base/memory.h"

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

/* Shorter chains than uthash's own 10: elements lie far apart, so each step along a chain is a
 * cache miss. */
#undef HASH_BKT_CAPACITY_THRESH
#define HASH_BKT_CAPACITY_THRESH 6U

#endif
