// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/holes.c: best fit among free places. */
#include "sdk/compile/rewrite/holes.h"

#include <search.h>
#include <stdlib.h>

#include "core/base/hash.h"

struct bd_hole {
  int64_t start, end;
  UT_hash_handle at_start, at_end;
};

/* ---- Holes by their size --------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
  const bd_hole *x = a, *y = b;
  const int64_t size_x = x->end - x->start, size_y = y->end - y->start;
  if (size_x != size_y) return size_x < size_y ? -1 : 1;
  return x->start < y->start ? -1 : x->start > y->start;
}

/* What a search asks for. The way down the tree passes every hole that might be the smallest of
 * those that are large enough; the last of them is. */
typedef struct wish {
  int64_t bytes;
  bd_hole **best;
} wish;

static int look(const void *key, const void *node) {
  const wish *w = key;
  bd_hole *hole = (bd_hole *)(uintptr_t)node;
  if (hole->end - hole->start < w->bytes) return 1;
  *w->best = hole;
  return -1;
}

static bd_hole *find(const bd_holes *holes, int64_t bytes) {
  bd_hole *best = NULL;
  const wish w = {bytes, &best};
  tfind(&w, &holes->by_size, look);
  return best;
}

/* ---- Adding and removing --------------------------------------------------------------------- */

static void drop(bd_holes *holes, bd_hole *hole) {
  tdelete(hole, &holes->by_size, compare);
  HASH_DELETE(at_start, holes->by_start, hole);
  HASH_DELETE(at_end, holes->by_end, hole);
  free(hole);
}

static buddy_code add(bd_holes *holes, int64_t start, int64_t end) {
  bool hash_is_full = false;
  bd_hole *hole = bd_calloc(1, sizeof(bd_hole));
  if (!hole) return BUDDY_OUT_OF_MEMORY;
  *hole = (bd_hole){.start = start, .end = end};
  HASH_ADD(at_start, holes->by_start, start, sizeof(hole->start), hole);
  if (hash_is_full) {
    free(hole);
    return BUDDY_OUT_OF_MEMORY;
  }
  HASH_ADD(at_end, holes->by_end, end, sizeof(hole->end), hole);
  if (!hash_is_full && tsearch(hole, &holes->by_size, compare)) return BUDDY_OK;
  if (!hash_is_full) HASH_DELETE(at_end, holes->by_end, hole);
  HASH_DELETE(at_start, holes->by_start, hole);
  free(hole);
  return BUDDY_OUT_OF_MEMORY;
}

/* ---- The arena ------------------------------------------------------------------------------- */

/* At the arena's end, in a hole that is the last thing there, if there is one. */
static buddy_code grow(bd_holes *holes, int64_t bytes, int64_t *out_start) {
  bd_hole *last = NULL;
  int64_t end;
  HASH_FIND(at_end, holes->by_end, &holes->end, sizeof(holes->end), last);
  const int64_t start = last ? last->start : holes->end;
  if (__builtin_add_overflow(start, bytes, &end)) return BUDDY_UNSUPPORTED;
  if (last) drop(holes, last);
  holes->end = end;
  *out_start = start;
  return BUDDY_OK;
}

buddy_code bd_holes_take(bd_holes *holes, int64_t bytes, int64_t *out_start) {
  bd_hole *hole = find(holes, bytes);
  if (!hole) return grow(holes, bytes, out_start);
  const int64_t start = hole->start, end = hole->end;
  drop(holes, hole);
  *out_start = start;
  return start + bytes < end ? add(holes, start + bytes, end) : BUDDY_OK;
}

buddy_code bd_holes_give(bd_holes *holes, int64_t start, int64_t bytes) {
  int64_t end = start + bytes;
  bd_hole *before = NULL, *behind = NULL;
  HASH_FIND(at_end, holes->by_end, &start, sizeof(start), before);
  HASH_FIND(at_start, holes->by_start, &end, sizeof(end), behind);
  if (before) {
    start = before->start;
    drop(holes, before);
  }
  if (behind) {
    end = behind->end;
    drop(holes, behind);
  }
  return add(holes, start, end);
}

void bd_holes_deinit(bd_holes *holes) {
  bd_hole *hole, *next;
  HASH_ITER(at_start, holes->by_start, hole, next) { drop(holes, hole); }
  *holes = (bd_holes){.by_size = NULL};
}
