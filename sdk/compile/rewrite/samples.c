// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/samples.c: which operations go into loops over samples (samples.h).
 *
 * Taken is what lies on a way from one convolution to another within the batch, and what is done to
 * their input and output besides; but no product that is not between convolutions: the more samples
 * such a one has, the less its weights cost. An operation waits for one loop more than those do that
 * make what it reads in a loop which it is not in. Those of one batch that wait for as many loops
 * are in one. */
#include "sdk/compile/rewrite/samples.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/compile/rewrite/samples_parts.h"

/* ---- What is taken --------------------------------------------------------------------------- */

/* is_linked: both do something to the same samples, one after the other. */
typedef void see_maker(bd_samples_op *op, bd_samples_op *maker, bool is_linked);

typedef struct visit {
  bd_samples *s;
  bd_samples_op *op;
  see_maker *see;
} visit;

static bool are_linked(bd_samples *s, const bd_samples_op *a, const bd_samples_op *b) {
  return a->is_separable && b->is_separable && !a->is_given && !b->is_given &&
         bd_samples_batch(s, a->batch) == bd_samples_batch(s, b->batch);
}

static MlirWalkResult see_makers(MlirOperation op, void *user) {
  const visit *v = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    bd_samples_op *maker = bd_samples_maker(v->s, mlirOperationGetOperand(op, i));
    if (!maker || maker == v->op) continue;
    v->see(v->op, maker,
           are_linked(v->s, v->op, maker) && mlirOperationEqual(op, v->op->op) &&
               bd_samples_is_cut(v->s, op, i));
  }
  return MlirWalkResultAdvance;
}

/* Calls `see` with each operation of the block that makes what `op`, or one in it, reads. */
static void each_maker(bd_samples *s, bd_samples_op *op, see_maker *see) {
  visit v = {s, op, see};
  mlirOperationWalk(op->op, see_makers, &v, MlirWalkPreOrder);
}

static void see_behind(bd_samples_op *op, bd_samples_op *maker, bool is_linked) {
  op->is_behind |= is_linked && (maker->is_anchor || maker->is_behind);
}

static void see_before(bd_samples_op *op, bd_samples_op *maker, bool is_linked) {
  maker->is_before |= is_linked && (op->is_anchor || op->is_before);
}

static void see_taken(bd_samples_op *op, bd_samples_op *maker, bool is_linked) {
  op->is_taken |= is_linked && maker->is_taken;
}

static void take_maker(bd_samples_op *op, bd_samples_op *maker, bool is_linked) {
  maker->is_taken |= is_linked && !maker->is_product && op->is_taken && maker->is_before;
}

static void take(bd_samples *s) {
  for (size_t i = 0; i < s->n; ++i) each_maker(s, &s->ops[i], see_behind);
  for (size_t i = s->n; i-- > 0;) each_maker(s, &s->ops[i], see_before);
  for (size_t i = 0; i < s->n; ++i) {
    bd_samples_op *op = &s->ops[i];
    if (!op->is_separable || op->is_given) continue;
    op->is_taken = op->is_anchor || (op->is_behind && op->is_before && !op->is_whole);
    if (!op->is_taken && !op->is_product) each_maker(s, op, see_taken);
  }
  for (size_t i = s->n; i-- > 0;) each_maker(s, &s->ops[i], take_maker);
}

/* ---- What waits for what --------------------------------------------------------------------- */

static MlirWalkResult find_effect(MlirOperation op, void *user) {
  static const char *const pure[] = {"arith.",   "math.",  "tensor.", "linalg.",
                                     "complex.", "index.", "affine.", "scf."};
  for (size_t i = 0; i < sizeof(pure) / sizeof(pure[0]); ++i) {
    if (bd_op_starts_with(op, pure[i])) return MlirWalkResultAdvance;
  }
  *(bool *)user = true;
  return MlirWalkResultInterrupt;
}

/* True of what may do more than make its results: all others keep their place before it or
 * after it. */
static bool has_effect(MlirOperation op) {
  bool is_there = false;
  mlirOperationWalk(op, find_effect, &is_there, MlirWalkPreOrder);
  return is_there;
}

static void wait_for(bd_samples_op *op, bd_samples_op *maker, bool is_linked) {
  const size_t level = maker->level + (maker->is_taken && !(op->is_taken && is_linked));
  if (op->level < level) op->level = level;
}

/* What is given is made where it is first wanted: a sum finds what it begins with before it. */
static void be_wanted(bd_samples_op *op, bd_samples_op *maker, bool is_linked) {
  (void)is_linked;
  if (!maker->is_given || (maker->is_wanted && maker->level <= op->level)) return;
  maker->is_wanted = true;
  maker->level = op->level;
}

static void count_levels(bd_samples *s) {
  size_t least = 0, next = 0; /* next: after all that there is so far */
  for (size_t i = 0; i < s->n; ++i) {
    bd_samples_op *op = &s->ops[i];
    op->level = least;
    each_maker(s, op, wait_for);
    if (has_effect(op->op)) least = op->level = op->level > next ? op->level : next;
    if (next < op->level + op->is_taken) next = op->level + op->is_taken;
  }
  for (size_t i = s->n; i-- > 0;) each_maker(s, &s->ops[i], be_wanted);
}

static int compare(const void *x, const void *y) {
  const bd_samples_op *a = *(bd_samples_op *const *)x, *b = *(bd_samples_op *const *)y;
  if (a->level != b->level) return a->level < b->level ? -1 : 1;
  if (a->is_taken != b->is_taken) return a->is_taken ? 1 : -1;
  if (a->is_taken && a->batch != b->batch) return a->batch < b->batch ? -1 : 1;
  return a < b ? -1 : 1; /* as in the block */
}

/* By levels: what is in no loop, then loop by loop. */
static buddy_code sort(bd_samples *s) {
  s->order = bd_calloc(s->n + 1, sizeof(*s->order));
  if (!s->order) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < s->n; ++i) {
    s->order[i] = &s->ops[i];
    if (s->ops[i].is_taken) s->ops[i].batch = bd_samples_batch(s, s->ops[i].batch);
  }
  qsort(s->order, s->n, sizeof(*s->order), compare);
  return BUDDY_OK;
}

/* Loops without a convolution stay as they were; so do those of known sizes with a single one, between
 * which and others nothing stays in the cache. */
static void leave_others(bd_samples *s) {
  for (size_t first = 0, end; first < s->n; first = end) {
    int n_anchors = 0;
    for (end = first;
         end == first || (end < s->n && bd_samples_are_together(s->order[first], s->order[end]));
         ++end)
      n_anchors += s->order[end]->is_anchor;
    for (size_t i = first; i < end && n_anchors < 1 + (s->n_samples > 0); ++i)
      s->order[i]->is_taken = false;
  }
}

buddy_code bd_samples_choose(bd_samples *s) {
  take(s);
  count_levels(s);
  BD_TRY(sort(s));
  leave_others(s);
  return BUDDY_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void deinit(bd_samples *s) {
  bd_samples_value *all = s->by_value, *value, *next;
  HASH_CLEAR(hh, s->by_value);
  HASH_ITER(hh, all, value, next) free(value);
  HASH_CLEAR(hh, s->by_op);
  free(s->ops);
  bd_free(s->order);
  free(s->batches);
}

static buddy_code separate(MlirOperation entry, MlirBlock block, int64_t n_samples, int64_t cache) {
  bd_samples s = {.block = block,
                  .context = mlirOperationGetContext(entry),
                  .n_samples = n_samples,
                  .cache = cache};
  bool has_anchors = false;
  buddy_code code = bd_samples_read(&s);
  for (size_t i = 0; i < s.n; ++i) has_anchors |= s.ops[i].is_anchor;
  if (code == BUDDY_OK && has_anchors) {
    code = bd_samples_choose(&s);
    if (code == BUDDY_OK) code = bd_samples_make(&s);
  }
  deinit(&s);
  return code;
}

buddy_code bd_samples_separate(MlirOperation entry, int64_t cache) {
  const MlirBlock block = bd_body_of(entry);
  if (!block.ptr || mlirBlockGetNextInRegion(block).ptr) return BUDDY_OK;
  BD_TRY(separate(entry, block, 0, cache));
  const int64_t n = bd_samples_known(block);
  return n == 0 ? BUDDY_OK : separate(entry, block, n, cache);
}
