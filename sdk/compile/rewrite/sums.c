// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/sums.c: sums of floats by blocks. What is looked for, with loops of results
 * anywhere:
 *
 *   scf.for %i = %c0 to %n step %c1 {
 *     %x = …
 *     %s = memref.load %sums[…]
 *     %t = arith.addf %s, %x {buddy.sum = 1}
 *     memref.store %t, %sums[…]
 *   }
 *
 * The loops of results go outside, and blocks of terms are summed in registers. Where results lie
 * along the innermost loop, sums_tiles.c keeps these. */
#include "sdk/compile/rewrite/sums.h"

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/sums_parts.h"

#define MARK "buddy.sum"

void bd_sums_mark(MlirOperation add, int n_loops) {
  const MlirType type = mlirIntegerTypeGet(mlirOperationGetContext(add), 64);
  bd_op_set_attribute(add, MARK, mlirIntegerAttrGet(type, n_loops));
}

/* ---- Reading ---- */

/* Puts a loop before those that are known. */
static bool add_loop(bd_sum *s, MlirValue index, MlirValue lower, MlirValue upper, MlirValue step,
                     int adds) {
  if (s->n == BD_MAX_LOOPS || bd_integer_of(lower) != 0 || bd_integer_of(step) != 1) return false;
  for (int i = s->n++; i > 0; --i) s->loops[i] = s->loops[i - 1];
  s->loops[0] = (bd_sum_loop){index, upper, bd_integer_of(upper), adds};
  return true;
}

static bool read_loop(bd_sum *s, MlirOperation op) {
  const MlirBlock body = bd_body_of(op);
  const bool is_for = bd_op_is(op, "scf.for");
  if ((!is_for && !bd_op_is(op, "scf.parallel")) || mlirOperationGetNumResults(op) != 0)
    return false;
  const intptr_t n = mlirOperationGetNumOperands(op) / 3;
  for (intptr_t i = n - 1; i >= 0; --i) {
    if (!add_loop(s, mlirBlockGetArgument(body, i), mlirOperationGetOperand(op, i),
                  mlirOperationGetOperand(op, n + i), mlirOperationGetOperand(op, 2 * n + i),
                  is_for))
      return false;
  }
  s->outermost = op;
  return true;
}

/* The loops around the body, with nothing between them. */
static bool read_loops(bd_sum *s, int64_t n_loops) {
  MlirOperation op = bd_block_parent(s->body);
  while (read_loop(s, op)) {
    if (s->n >= n_loops) return s->n == n_loops;
    const MlirBlock around = mlirOperationGetBlock(op);
    if (!mlirOperationEqual(mlirBlockGetFirstOperation(around), op)) return false;
    if (!mlirOperationEqual(mlirOperationGetNextInBlock(op), mlirBlockGetTerminator(around)))
      return false;
    op = bd_block_parent(around);
  }
  return false;
}

static bool is_same_place(MlirOperation load, MlirOperation store) {
  const intptr_t n = mlirOperationGetNumOperands(load);
  if (mlirOperationGetNumOperands(store) != n + 1) return false;
  for (intptr_t i = 0; i < n; ++i) {
    if (!mlirValueEqual(mlirOperationGetOperand(load, i), mlirOperationGetOperand(store, i + 1)))
      return false;
  }
  return true;
}

/* The place is made of indices of results and of numbers. Those that the body has are put in front
 * of the loops. */
static bool is_placed_by_results(const bd_sum *s, MlirValue value) {
  for (int i = 0; i < s->n; ++i) {
    if (mlirValueEqual(value, s->loops[i].index)) return !s->loops[i].adds;
  }
  const MlirOperation op = bd_maker_of(value);
  if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), s->body)) return true;
  if (mlirOperationGetNumOperands(op) > 0) return false;
  mlirOperationMoveBefore(op, s->outermost);
  return true;
}

typedef struct looking {
  bd_sum *sum;
  bool is_alone;
} looking;

static bool reads_along(const bd_sum *s, MlirOperation op) {
  const intptr_t n = mlirOperationGetNumOperands(op);
  return bd_op_is(op, "memref.load") && n > 1 && s->loops[s->n - 1].adds &&
         mlirValueEqual(mlirOperationGetOperand(op, n - 1), s->loops[s->n - 1].index);
}

/* The same buffer is read in the sum's body. */
static bool is_read(const bd_sum *s, MlirValue buffer) {
  for (MlirOperation op = mlirBlockGetFirstOperation(s->body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (bd_op_is(op, "memref.load") && mlirValueEqual(mlirOperationGetOperand(op, 0), buffer))
      return true;
  }
  return false;
}

/* Nothing else of the body reads or writes the sums. What else it writes is of one round. */
static MlirWalkResult look(MlirOperation op, void *user) {
  looking *l = user;
  const MlirValue sums = mlirOperationGetOperand(l->sum->store, 1);
  if (mlirOperationEqual(op, l->sum->load) || mlirOperationEqual(op, l->sum->store))
    return MlirWalkResultAdvance;
  if (bd_op_is(op, "memref.store")) l->is_alone &= !is_read(l->sum, mlirOperationGetOperand(op, 1));
  l->sum->is_line |= reads_along(l->sum, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    l->is_alone &= !mlirValueEqual(mlirOperationGetOperand(op, i), sums);
  return MlirWalkResultAdvance;
}

static bool read_body(bd_sum *s) {
  s->store = bd_only_user(mlirOperationGetResult(s->add, 0));
  if (!s->store.ptr || !bd_op_is(s->store, "memref.store")) return false;
  for (intptr_t i = 0; i < 2 && mlirOperationIsNull(s->load); ++i) {
    const MlirOperation op = bd_maker_of(mlirOperationGetOperand(s->add, i));
    if (!mlirOperationIsNull(op) && bd_op_is(op, "memref.load") && is_same_place(op, s->store))
      s->load = op;
  }
  if (mlirOperationIsNull(s->load) || !bd_only_user(mlirOperationGetResult(s->load, 0)).ptr)
    return false;
  for (intptr_t i = 2; i < mlirOperationGetNumOperands(s->store); ++i) {
    if (!is_placed_by_results(s, mlirOperationGetOperand(s->store, i))) return false;
  }
  looking l = {s, true};
  for (MlirOperation op = mlirBlockGetFirstOperation(s->body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, look, &l, MlirWalkPreOrder);
  return l.is_alone;
}

/* What the type is added in; null for types that are not rounded, or of which nothing is known. */
static MlirType wide_of(MlirType type) {
  const bool is_narrow = mlirTypeIsAF16(type) || mlirTypeIsABF16(type);
  const MlirType part = mlirTypeIsAComplex(type) ? mlirComplexTypeGetElementType(type) : type;
  if (is_narrow) return mlirF32TypeGet(mlirTypeGetContext(type));
  return mlirTypeIsAF32(part) || mlirTypeIsAF64(part) ? type : (MlirType){NULL};
}

static bool read(MlirOperation add, bd_sum *s) {
  const MlirAttribute mark = bd_op_attribute(add, MARK);
  if (mlirAttributeIsNull(mark)) return false;
  *s = (bd_sum){.location = mlirOperationGetLocation(add),
                .body = mlirOperationGetBlock(add),
                .add = add,
                .type = mlirValueGetType(mlirOperationGetResult(add, 0)),
                .n_terms = 1};
  s->wide = wide_of(s->type);
  if (mlirTypeIsNull(s->wide) || !read_loops(s, mlirIntegerAttrGetValueInt(mark))) return false;
  for (int i = 0; i < s->n && s->n_terms >= 0; ++i) {
    if (!s->loops[i].adds) continue;
    const int64_t size = s->loops[i].size;
    s->n_terms = size < 0 || (size > 0 && s->n_terms > INT64_MAX / size) ? -1 : s->n_terms * size;
  }
  return read_body(s);
}

/* Terms of a block. Lines of them are added in vectors, each lane of which has but a few. */
static int64_t most_terms(const bd_sum *s, bool has_vectors) {
  const int64_t line = s->loops[s->n - 1].size;
  if (!s->is_line || !has_vectors) return BD_SUM_ROWS;
  if (line >= BD_SUM_LONG) return BD_SUM_BLOCK;
  return line < 0 || line >= BD_SUM_MEDIUM ? BD_SUM_MEDIUM_BLOCK : BD_SUM_SHORT_BLOCK;
}

/* One block, in the type of the result, is what the loops are already; where terms lie along the
 * innermost, though, LLVM would not know that the sum may stay in a register all the while. */
static bool is_worthwhile(const bd_sum *s, bool has_vectors) {
  return s->loops[s->n - 1].adds || s->n_terms < 0 || s->n_terms > most_terms(s, has_vectors) ||
         !mlirTypeEqual(s->type, s->wide);
}

/* ---- Results side by side ---- */

static bool depends_on(const bd_sum *s, MlirOperation load, int loop) {
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(load); ++i) {
    const MlirValue at = mlirOperationGetOperand(load, i);
    const MlirOperation maker = bd_maker_of(at);
    const bool is_computed = maker.ptr && mlirBlockEqual(mlirOperationGetBlock(maker), s->body);
    if (is_computed || mlirValueEqual(at, s->loops[loop].index)) return true;
  }
  return false;
}

/* Nothing is done but to compute the term. */
static bool is_plain(const bd_sum *s) {
  for (MlirOperation op = mlirBlockGetFirstOperation(s->body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    const bool is_known = bd_op_is(op, "memref.load") || bd_op_is(op, "scf.yield") ||
                          bd_op_starts_with(op, "arith.") || bd_op_starts_with(op, "math.");
    if (!is_known && !mlirOperationEqual(op, s->store)) return false;
  }
  return true;
}

/* The outermost loop of several results whose terms share a line that is read, and each have one of
 * their own; -1: none. The lines of the loops inside of it are read as much less often. */
static int shared_loop(const bd_sum *s) {
  const int64_t line = s->loops[s->n - 1].size;
  if (!s->is_line || !is_plain(s) || (line >= 0 && line < BD_SUM_LINE)) return -1;
  for (int loop = 0; loop < s->n; ++loop) {
    const int64_t size = s->loops[loop].size;
    bool has_shared = false, has_own = false;
    if (s->loops[loop].adds || (size >= 0 && size < BD_SUM_TOGETHER)) continue;
    for (MlirOperation op = mlirBlockGetFirstOperation(s->body); op.ptr;
         op = mlirOperationGetNextInBlock(op)) {
      if (!reads_along(s, op)) continue;
      const bool is_own = depends_on(s, op, loop);
      has_own |= is_own;
      has_shared |= !is_own;
    }
    if (has_shared && has_own) return loop;
  }
  return -1;
}

/* ---- Writing ---- */

typedef struct nest {
  const bd_sum *sum;
  MlirValue at[BD_SUM_TOGETHER][BD_MAX_LOOPS]; /* of each result that is summed beside others */
  int shared; /* the loop of results that these follow one another along; -1: there is one result */
  int n_beside;
  int cut; /* the loop that is gone through by `step`; -1: none */
  int64_t step;
} nest;

static MlirValue number(const nest *n, MlirBlock block, int64_t value) {
  return bd_sum_number(n->sum, block, value);
}

/* In the body of a loop that adds: where all results are. */
static MlirValue enter(nest *n, MlirBlock body, int loop) {
  const MlirValue at = mlirBlockGetArgument(body, 0);
  for (int i = 0; i < n->n_beside; ++i) n->at[i][loop] = at;
  return at;
}

/* The terms of the loops from `loop` on, added to `sums`. first, last: of the loop that is cut. */
static void write_block(nest *n, MlirBlock block, int loop, MlirValue first, MlirValue last,
                        MlirValue *sums) {
  const bd_sum *s = n->sum;
  while (loop < s->n && !s->loops[loop].adds) ++loop;
  if (loop == s->n) {
    for (int i = 0; i < n->n_beside; ++i) sums[i] = bd_sum_add_term(s, block, n->at[i], sums[i]);
    return;
  }
  const bool is_cut = loop == n->cut;
  const MlirBlock body =
      bd_build_for(bd_sum_at_end(s, block), is_cut ? first : number(n, block, 0),
                   is_cut ? last : s->loops[loop].upper, number(n, block, 1), sums, n->n_beside);
  MlirValue inner[BD_SUM_TOGETHER];
  for (int i = 0; i < n->n_beside; ++i) inner[i] = mlirBlockGetArgument(body, 1 + i);
  enter(n, body, loop);
  write_block(n, body, loop + 1, first, last, inner);
  bd_sum_yield(s, body, inner, n->n_beside);
  for (int i = 0; i < n->n_beside; ++i) sums[i] = bd_sum_result(body, i);
}

/* The blocks of the loops from `loop` on, added to `sums`. */
static void write_blocks(nest *n, MlirBlock block, int loop, bd_exact *sums) {
  const bd_sum *s = n->sum;
  while (!s->loops[loop].adds) ++loop;
  const bool is_cut = loop == n->cut;
  MlirValue carried[BD_SUM_MOST_CARRIED];
  for (int i = 0; i < n->n_beside; ++i) {
    carried[2 * i] = sums[i].sum;
    carried[2 * i + 1] = sums[i].lost;
  }
  const MlirValue upper = s->loops[loop].upper, step = number(n, block, is_cut ? n->step : 1);
  const MlirBlock body = bd_build_for(bd_sum_at_end(s, block), number(n, block, 0), upper, step,
                                      carried, 2 * n->n_beside);
  const MlirValue first = enter(n, body, loop);
  for (int i = 0; i < n->n_beside; ++i)
    sums[i] =
        (bd_exact){mlirBlockGetArgument(body, 1 + 2 * i), mlirBlockGetArgument(body, 2 + 2 * i)};
  if (is_cut) {
    const MlirValue end = bd_sum_compute(s, body, "arith.addi", first, step);
    const MlirValue last = bd_sum_compute(s, body, "arith.minsi", end, upper);
    MlirValue terms[BD_SUM_TOGETHER];
    for (int i = 0; i < n->n_beside; ++i) terms[i] = bd_sum_zero(s, body);
    write_block(n, body, loop, first, last, terms);
    for (int i = 0; i < n->n_beside; ++i) sums[i] = bd_sum_with(s, body, sums[i], terms[i]);
  } else {
    write_blocks(n, body, loop + 1, sums);
  }
  for (int i = 0; i < n->n_beside; ++i) {
    carried[2 * i] = sums[i].sum;
    carried[2 * i + 1] = sums[i].lost;
  }
  bd_sum_yield(s, body, carried, 2 * n->n_beside);
  for (int i = 0; i < n->n_beside; ++i)
    sums[i] = (bd_exact){bd_sum_result(body, 2 * i), bd_sum_result(body, 2 * i + 1)};
}

/* Where the results of one round are: along the shared loop they follow one another from `begin` on. */
static void place_results(nest *n, MlirBlock block, MlirValue begin) {
  const bd_sum *s = n->sum;
  intptr_t k = 0;
  for (int loop = 0; loop < s->n; ++loop) {
    if (s->loops[loop].adds) continue;
    MlirValue at = mlirBlockGetArgument(block, k++);
    if (loop == n->shared) {
      at = bd_sum_compute(s, block, "arith.muli", at, number(n, block, n->n_beside));
      at = bd_sum_compute(s, block, "arith.addi", at, begin);
    }
    for (int i = 0; i < n->n_beside; ++i)
      n->at[i][loop] = loop == n->shared && i > 0
                           ? bd_sum_compute(s, block, "arith.addi", at, number(n, block, i))
                           : at;
  }
}

/* n_beside results in a round; rounds: of the shared loop. */
static void write_rounds(nest *n, MlirBlock block, MlirValue begin, MlirValue rounds) {
  const bd_sum *s = n->sum;
  MlirValue upper[BD_MAX_LOOPS], sums[BD_SUM_TOGETHER];
  intptr_t n_upper = 0;
  for (int i = 0; i < s->n; ++i) {
    if (!s->loops[i].adds) upper[n_upper++] = i == n->shared ? rounds : s->loops[i].upper;
  }
  const MlirBlock body = bd_build_parallel(bd_sum_at_end(s, block), upper, n_upper);
  place_results(n, body, begin);
  for (int i = 0; i < n->n_beside; ++i) sums[i] = bd_sum_read(s, body, n->at[i]);
  if (n->cut < 0) {
    const MlirValue none = {NULL};
    write_block(n, body, 0, none, none, sums);
  } else {
    bd_exact exact[BD_SUM_TOGETHER] = {{{NULL}, {NULL}}};
    for (int i = 0; i < n->n_beside; ++i) exact[i] = (bd_exact){sums[i], bd_sum_zero(s, body)};
    write_blocks(n, body, 0, exact);
    for (int i = 0; i < n->n_beside; ++i) sums[i] = bd_sum_settle(s, body, exact[i]);
  }
  for (int i = 0; i < n->n_beside; ++i) bd_sum_write(s, body, sums[i], n->at[i]);
  if (n_upper > 0) bd_sum_yield(s, body, NULL, 0);
}

/* One result after the other, but for those that share terms: a few side by side, and then what is left. */
static void write_results(const bd_sum *s, bool has_vectors, MlirBlock block) {
  const MlirValue none = {NULL};
  nest n = {.sum = s, .shared = has_vectors ? shared_loop(s) : -1, .n_beside = 1};
  n.cut = bd_sum_cut(s, s->n, most_terms(s, has_vectors), &n.step);
  if (n.shared < 0) {
    write_rounds(&n, block, none, none);
    return;
  }
  const bd_sum_loop *loop = &s->loops[n.shared];
  const MlirValue together = number(&n, block, BD_SUM_TOGETHER);
  const MlirValue rounds = bd_sum_compute(s, block, "arith.divui", loop->upper, together);
  n.n_beside = BD_SUM_TOGETHER;
  write_rounds(&n, block, number(&n, block, 0), rounds);
  if (loop->size >= 0 && loop->size % BD_SUM_TOGETHER == 0) return;
  const MlirValue begin = bd_sum_compute(s, block, "arith.muli", rounds, together);
  n.n_beside = 1;
  write_rounds(&n, block, begin, bd_sum_compute(s, block, "arith.subi", loop->upper, begin));
}

typedef struct target {
  const bd_machine *machine;
  bool has_vectors;
} target;

static buddy_code keep_one(MlirOperation add, void *user) {
  const target *to = user;
  bd_sum s;
  if (!read(add, &s) || !is_worthwhile(&s, to->has_vectors)) return BUDDY_OK;
  const MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  if (s.loops[s.n - 1].adds)
    write_results(&s, to->has_vectors, block);
  else
    bd_sum_write_tiles(&s, to->machine, block);
  bd_block_move(block, (MlirOperation){NULL}, mlirOperationGetBlock(s.outermost), s.outermost);
  mlirBlockDestroy(block);
  bd_op_erase(s.outermost);
  return BUDDY_OK;
}

buddy_code bd_sums_keep_accurate(MlirOperation root, const bd_machine *machine, bool has_vectors) {
  target to = {machine, has_vectors};
  BD_TRY(bd_ops_each(root, "arith.addf", keep_one, &to));
  return bd_ops_each(root, "complex.add", keep_one, &to);
}
