// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/common.c: equal blocks, found by their bytes. A model has some hundred large blocks:
 * a list of them, with their hashes, is looked through when one more comes. */
#include "sdk/runtime/common.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/memory.h"
#include "sdk/runtime/pages.h"

typedef struct piece {
  void *block;
  size_t n_head, n_bytes;
  uint64_t hash;
} piece;

struct bd_common {
  pthread_mutex_t lock;
  size_t n_owners;
  piece *pieces;
  size_t n, capacity;
};

bd_common *bd_common_create(void) {
  bd_common *common = bd_calloc(1, sizeof(bd_common));
  if (!common) return NULL;
  common->n_owners = 1;
  if (pthread_mutex_init(&common->lock, NULL) == 0) return common;
  bd_free(common);
  return NULL;
}

bd_common *bd_common_retain(bd_common *common) {
  __atomic_add_fetch(&common->n_owners, 1, __ATOMIC_RELAXED);
  return common;
}

void bd_common_release(bd_common *common) {
  if (!common || __atomic_sub_fetch(&common->n_owners, 1, __ATOMIC_ACQ_REL) > 0) return;
  for (size_t i = 0; i < common->n; ++i) bd_pages_free(common->pieces[i].block);
  bd_free(common->pieces);
  pthread_mutex_destroy(&common->lock);
  bd_free(common);
}

uint64_t bd_content_hash(const void *bytes, size_t n) {
  static const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15);
  const char *at = bytes;
  uint64_t lanes[4] = {n, 1, 2, 3}, words[4];
  for (; n >= sizeof(words); n -= sizeof(words), at += sizeof(words)) {
    memcpy(words, at, sizeof(words));
    for (int i = 0; i < 4; ++i) {
      lanes[i] = (lanes[i] ^ words[i]) * odd;
      lanes[i] ^= lanes[i] >> 29;
    }
  }
  memset(words, 0, sizeof(words));
  if (n > 0) memcpy(words, at, n);
  uint64_t hash = 0;
  for (int i = 0; i < 4; ++i) {
    hash = (hash ^ lanes[i] ^ words[i]) * odd;
    hash ^= hash >> 32;
  }
  return hash;
}

static void *find(const bd_common *common, const piece *wanted) {
  for (size_t i = 0; i < common->n; ++i) {
    const piece *p = &common->pieces[i];
    if (p->hash == wanted->hash && p->n_bytes == wanted->n_bytes && p->n_head == wanted->n_head &&
        memcmp((const char *)p->block + p->n_head, (const char *)wanted->block + p->n_head,
               p->n_bytes) == 0)
      return p->block;
  }
  return NULL;
}

void *bd_common_find(bd_common *common, void *block, size_t n_head, size_t n_bytes) {
  const piece own = {block, n_head, n_bytes, bd_content_hash((char *)block + n_head, n_bytes)};
  pthread_mutex_lock(&common->lock);
  void *found = find(common, &own);
  if (!found) {
    piece *grown = bd_array_grow(common->pieces, &common->capacity, common->n + 1, sizeof(piece));
    if (grown) {
      common->pieces = grown;
      grown[common->n++] = own;
      found = block;
    }
  }
  pthread_mutex_unlock(&common->lock);
  return found;
}
