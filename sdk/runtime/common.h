// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/common.h: large pieces of memory that several programs have once: what they keep
 * (prepacked.h) is found to be equal by its bytes, when it is there. */
#ifndef BUDDY_SDK_RUNTIME_COMMON_H
#define BUDDY_SDK_RUNTIME_COMMON_H

#include <stddef.h>
#include <stdint.h>

#define BD_COMMON_LEAST ((size_t)64 << 10) /* bytes from which on it is worth a look */

/* Counted; a new one is its maker's. [any-thread] */
typedef struct bd_common bd_common;
bd_common *bd_common_create(void);
bd_common *bd_common_retain(bd_common *common);
void bd_common_release(bd_common *common);
/* block: of bd_pages_allocate, with a head that is not compared and n_bytes behind it, which nobody
 * changes any more. Takes it over, and gives it back; or gives an equal one that was there, and the
 * caller still has his own. Null: memory is out, and the block is still the caller's. */
void *bd_common_find(bd_common *common, void *block, size_t n_head, size_t n_bytes);

/* The same for equal bytes, mostly another for others. */
uint64_t bd_content_hash(const void *bytes, size_t n);

#endif
