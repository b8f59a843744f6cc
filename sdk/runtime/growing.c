// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/growing.c: states that grow; see growing.h. Memory lies with the growing dim first, so that
 * n rows are its beginning, dense. Several tensors, of forks and of earlier steps, are beginnings of one
 * room: rows that one has, it never sees change, since rows are written only by whoever makes the longest
 * of them. Who is behind, and wants to write, copies. */
#include "sdk/runtime/growing.h"

#include <pthread.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/strided.h"

typedef struct beginning beginning;

typedef struct room {
  pthread_mutex_t lock;
  beginning *first;     /* those that are in use; with the last of them the room goes */
  buddy_tensor storage; /* [room for rows, …], dense */
} room;

/* What a tensor in a room owns. */
struct beginning {
  room *room;
  beginning *next;
  int64_t n_rows;
  int64_t shape[]; /* sizes and strides of the tensor, of the same in the room's order of dims */
};

static void destroy(room *r) {
  buddy_tensor_release(&r->storage);
  pthread_mutex_destroy(&r->lock);
  bd_free(r);
}

static void leave(beginning *b) {
  room *r = b->room;
  pthread_mutex_lock(&r->lock);
  beginning **place = &r->first;
  while (*place != b) place = &(*place)->next;
  *place = b->next;
  const bool is_last = !r->first;
  pthread_mutex_unlock(&r->lock);
  if (is_last) destroy(r);
  bd_free(b);
}

static void release(buddy_tensor *tensor) { leave(tensor->owner); }

/* n rows of the room become the caller's, who has n_old of them; null: somebody has more than those, or
 * memory is out. */
static beginning *enter(room *r, int64_t n_old, int64_t n_rows) {
  const uint32_t rank = r->storage.rank;
  beginning *b = bd_calloc(1, sizeof(*b) + 4 * (size_t)rank * sizeof(int64_t));
  if (!b) return NULL;
  b->room = r;
  b->n_rows = n_rows;
  pthread_mutex_lock(&r->lock);
  bool is_free = n_rows <= r->storage.sizes[0];
  for (const beginning *other = r->first; other && is_free; other = other->next)
    is_free = other->n_rows <= n_old;
  if (is_free) {
    b->next = r->first;
    r->first = b;
  }
  pthread_mutex_unlock(&r->lock);
  if (is_free) return b;
  bd_free(b);
  return NULL;
}

/* Memory for n rows, and as many again. */
static buddy_code create(const buddy_tensor *like, uint32_t dim, int64_t n_rows, room **out) {
  enum { LEAST = 16 };
  int64_t sizes[BD_MAX_RANK], n = LEAST;
  while (n < n_rows && n <= INT64_MAX / 2) n *= 2;
  sizes[0] = n;
  for (uint32_t d = 0, to = 1; d < like->rank; ++d) {
    if (d != dim) sizes[to++] = like->sizes[d];
  }
  *out = bd_calloc(1, sizeof(room));
  if (!*out) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = buddy_tensor_create(like->dtype, like->rank, sizes, &(*out)->storage);
  if (code == BUDDY_OK && pthread_mutex_init(&(*out)->lock, NULL) == 0) return BUDDY_OK;
  buddy_tensor_release(&(*out)->storage);
  bd_free(*out);
  return BUDDY_OUT_OF_MEMORY;
}

/* The rows as they lie, and, `dim` of them where it belongs, as the user knows them. */
static void describe(beginning *b, uint32_t dim, buddy_tensor *out, buddy_tensor *out_all) {
  const buddy_tensor *storage = &b->room->storage;
  const uint32_t rank = storage->rank;
  int64_t *sizes = b->shape, *strides = sizes + rank, *all = strides + rank;
  memcpy(all, storage->sizes, rank * sizeof(int64_t));
  memcpy(all + rank, storage->strides, rank * sizeof(int64_t));
  all[0] = b->n_rows;
  for (uint32_t d = 0; d < rank; ++d) {
    const uint32_t from = d == dim ? 0 : d < dim ? d + 1 : d;
    sizes[d] = all[from];
    strides[d] = all[rank + from];
  }
  *out_all = *storage;
  out_all->sizes = all;
  out_all->strides = all + rank;
  out_all->release = NULL;
  out_all->owner = NULL;
  *out = *out_all;
  out->sizes = sizes;
  out->strides = strides;
  out->release = release;
  out->owner = b;
}

static void copy_rows(const buddy_tensor *from, const buddy_tensor *to) {
  buddy_tensor rows = *to;
  rows.sizes = from->sizes;
  bd_strided_copy(from, &rows);
}

static bool is_growing(const buddy_tensor *tensor) { return tensor->release == release; }

buddy_code bd_growing_extend(const bd_cell *from, uint32_t dim, int64_t n_rows, bd_cell **out_cell,
                             buddy_tensor *out_all) {
  const buddy_tensor *old = &from->tensor;
  const int64_t n_old = old->sizes[dim];
  buddy_tensor tensor;
  room *r = NULL;
  *out_cell = NULL;
  beginning *b = is_growing(old) ? enter(((beginning *)old->owner)->room, n_old, n_rows) : NULL;
  const bool is_copy = !b;
  if (is_copy) {
    BD_TRY(create(old, dim, n_rows, &r));
    b = enter(r, 0, n_rows);
    if (!b) {
      destroy(r);
      return BUDDY_OUT_OF_MEMORY;
    }
  }
  describe(b, dim, &tensor, out_all);
  if (is_copy) copy_rows(old, &tensor);
  *out_cell = bd_cell_create(&tensor);
  if (*out_cell) return BUDDY_OK;
  buddy_tensor_release(&tensor);
  return BUDDY_OUT_OF_MEMORY;
}
