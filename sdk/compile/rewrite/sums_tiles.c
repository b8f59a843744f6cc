// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/sums_tiles.c: sums whose results lie along the innermost loop.
 *
 * The innermost loops of results are cut into tiles that stay in the first cache, and the loops over
 * tiles go outside, with those of other results. A tile has three arrays: the sums, what rounding
 * took from them, and the block, to which up to BD_SUM_ROWS terms of each result are added before
 * it is added to the sums. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/sums_parts.h"

typedef struct tile {
  const bd_sum *sum;
  int64_t bytes; /* that one of its arrays may have */
  int first;     /* the loop that is cut, or the first that is in the tile as a whole */
  bool is_cut;   /* the first loop is cut, into pieces of `size` rounds */
  int64_t size;
  int cut; /* the loop that adds and is gone through by `step`; -1: none */
  int64_t step;
  MlirType type; /* of the arrays */
  MlirValue extents[BD_MAX_LOOPS],
      begin; /* of this tile; begin: where it is on the loop that is cut */
  MlirValue at[BD_MAX_LOOPS];
  MlirValue sums, lost, block;
} tile;

/* What is done with one element of the tile. local: its place in the arrays. */
typedef void visitor(tile *t, MlirBlock block, const MlirValue *local);

static int rank_of(const tile *t) { return t->sum->n - t->first; }

/* As many of the innermost loops as fit, and a piece of the next. */
static void choose(tile *t) {
  const bd_sum *s = t->sum;
  const size_t bytes = bd_type_bytes(s->wide);
  const int64_t most = t->bytes / (int64_t)(bytes > 0 ? bytes : 1);
  int64_t n = 1;
  t->first = s->n;
  while (t->first > 0 && !s->loops[t->first - 1].adds && !t->is_cut) {
    const int64_t size = s->loops[t->first - 1].size;
    const bool fits = size >= 0 && size <= most / n;
    if (!fits && n == most) break;
    --t->first;
    t->is_cut = !fits;
    t->size = most / n;
    if (fits) n *= size > 0 ? size : 1;
  }
  int64_t sizes[BD_MAX_LOOPS];
  for (int i = t->first; i < s->n; ++i) sizes[i - t->first] = s->loops[i].size;
  if (t->is_cut) sizes[0] = t->size;
  t->type = mlirMemRefTypeContiguousGet(s->wide, rank_of(t), sizes, mlirAttributeGetNull());
}

/* ---- Elements ---- */

static MlirValue load(const tile *t, MlirBlock block, MlirValue array, const MlirValue *local) {
  MlirValue operands[BD_MAX_LOOPS + 1] = {array};
  for (int i = 0; i < rank_of(t); ++i) operands[1 + i] = local[i];
  return bd_build(bd_sum_at_end(t->sum, block), "memref.load", operands, 1 + (size_t)rank_of(t),
                  t->sum->wide, NULL, mlirAttributeGetNull());
}

static void store(const tile *t, MlirBlock block, MlirValue value, MlirValue array,
                  const MlirValue *local) {
  MlirValue operands[BD_MAX_LOOPS + 2] = {value, array};
  for (int i = 0; i < rank_of(t); ++i) operands[2 + i] = local[i];
  (void)bd_build_op(bd_sum_at_end(t->sum, block), "memref.store", operands, 2 + (size_t)rank_of(t),
                    NULL, 0, NULL, 0);
}

static void for_each(tile *t, MlirBlock block, visitor *visit) {
  const bd_sum *s = t->sum;
  MlirBlock blocks[BD_MAX_LOOPS + 1] = {block};
  MlirValue local[BD_MAX_LOOPS] = {{NULL}};
  int n = 0;
  for (; n < rank_of(t); ++n) {
    const MlirValue zero = bd_sum_number(s, blocks[n], 0), one = bd_sum_number(s, blocks[n], 1);
    blocks[n + 1] = bd_build_for(bd_sum_at_end(s, blocks[n]), zero, t->extents[n], one, NULL, 0);
    local[n] = t->at[t->first + n] = mlirBlockGetArgument(blocks[n + 1], 0);
    if (n == 0 && t->is_cut)
      t->at[t->first] = bd_sum_compute(s, blocks[n + 1], "arith.addi", local[n], t->begin);
  }
  visit(t, blocks[n], local);
  for (; n > 0; --n) bd_sum_yield(s, blocks[n], NULL, 0);
}

static void begin_block(tile *t, MlirBlock block, const MlirValue *local) {
  store(t, block, bd_sum_read(t->sum, block, t->at), t->block, local);
}

static void begin_sums(tile *t, MlirBlock block, const MlirValue *local) {
  const MlirValue zero = bd_sum_zero(t->sum, block);
  store(t, block, bd_sum_read(t->sum, block, t->at), t->sums, local);
  store(t, block, zero, t->lost, local);
  store(t, block, zero, t->block, local);
}

static void add_term(tile *t, MlirBlock block, const MlirValue *local) {
  const MlirValue before = load(t, block, t->block, local);
  store(t, block, bd_sum_add_term(t->sum, block, t->at, before), t->block, local);
}

static bd_exact with_block(tile *t, MlirBlock block, const MlirValue *local) {
  const bd_exact before = {load(t, block, t->sums, local), load(t, block, t->lost, local)};
  return bd_sum_with(t->sum, block, before, load(t, block, t->block, local));
}

static void end_block(tile *t, MlirBlock block, const MlirValue *local) {
  const bd_exact sum = with_block(t, block, local);
  store(t, block, sum.sum, t->sums, local);
  store(t, block, sum.lost, t->lost, local);
  store(t, block, bd_sum_zero(t->sum, block), t->block, local);
}

static void end_sums(tile *t, MlirBlock block, const MlirValue *local) {
  const bd_exact sum = {load(t, block, t->sums, local), load(t, block, t->lost, local)};
  bd_sum_write(t->sum, block, bd_sum_settle(t->sum, block, sum), t->at);
}

static void end_one_block(tile *t, MlirBlock block, const MlirValue *local) {
  bd_sum_write(t->sum, block, load(t, block, t->block, local), t->at);
}

/* ---- Tiles ---- */

/* A loop that adds, around what `loop` + 1 and the following ones do. */
static MlirBlock open_loop(tile *t, MlirBlock block, int loop, MlirValue from, MlirValue to,
                           int64_t step) {
  const MlirBlock body = bd_build_for(bd_sum_at_end(t->sum, block), from, to,
                                      bd_sum_number(t->sum, block, step), NULL, 0);
  t->at[loop] = mlirBlockGetArgument(body, 0);
  return body;
}

/* The rows of the loops from `loop` on. from, to: of the loop that is cut. */
static void add_rows(tile *t, MlirBlock block, int loop, MlirValue from, MlirValue to) {
  const bd_sum *s = t->sum;
  while (loop < t->first && !s->loops[loop].adds) ++loop;
  if (loop == t->first) {
    for_each(t, block, add_term);
    return;
  }
  const bool is_cut = loop == t->cut;
  const MlirBlock body = open_loop(t, block, loop, is_cut ? from : bd_sum_number(s, block, 0),
                                   is_cut ? to : s->loops[loop].upper, 1);
  add_rows(t, body, loop + 1, from, to);
  bd_sum_yield(s, body, NULL, 0);
}

/* The blocks of the loops from `loop` on. */
static void add_blocks(tile *t, MlirBlock block, int loop) {
  const bd_sum *s = t->sum;
  while (!s->loops[loop].adds) ++loop;
  const bool is_cut = loop == t->cut;
  const MlirValue upper = s->loops[loop].upper;
  const MlirBlock body =
      open_loop(t, block, loop, bd_sum_number(s, block, 0), upper, is_cut ? t->step : 1);
  if (is_cut) {
    const MlirValue from = t->at[loop];
    const MlirValue end =
        bd_sum_compute(s, body, "arith.addi", from, bd_sum_number(s, body, t->step));
    add_rows(t, body, loop, from, bd_sum_compute(s, body, "arith.minsi", end, upper));
    for_each(t, body, end_block);
  } else {
    add_blocks(t, body, loop + 1);
  }
  bd_sum_yield(s, body, NULL, 0);
}

/* Aligned for vectors: one that lies in two lines of the cache takes twice as long. */
static MlirValue allocate(const tile *t, MlirBlock block) {
  const int32_t none[2] = {0, 0};
  const bd_builder b = bd_sum_at_end(t->sum, block);
  const MlirNamedAttribute attributes[] = {
      bd_named(b.context, "operandSegmentSizes", mlirDenseI32ArrayGet(b.context, 2, none)),
      bd_named(b.context, "alignment", mlirIntegerAttrGet(mlirIntegerTypeGet(b.context, 64), 64))};
  return mlirOperationGetResult(
      bd_build_op(b, "memref.alloca", NULL, 0, &t->type, 1, attributes, 2), 0);
}

static void write_tile(tile *t, MlirBlock block) {
  t->block = allocate(t, block);
  if (t->cut < 0) {
    const MlirValue none = {NULL};
    for_each(t, block, begin_block);
    add_rows(t, block, 0, none, none);
    for_each(t, block, end_one_block);
    return;
  }
  t->sums = allocate(t, block);
  t->lost = allocate(t, block);
  for_each(t, block, begin_sums);
  add_blocks(t, block, 0);
  for_each(t, block, end_sums);
}

/* Memory of its own, given back at its end. */
static MlirBlock open_scope(const bd_sum *s, MlirBlock block) {
  const MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  (void)bd_build_around(bd_sum_at_end(s, block), "memref.alloca_scope", NULL, 0, NULL, 0, NULL, 0,
                        &body, 1);
  return body;
}

/* How many pieces the loop is cut into. */
static MlirValue count_pieces(const tile *t, MlirBlock block) {
  const MlirValue more = bd_sum_compute(t->sum, block, "arith.addi", t->sum->loops[t->first].upper,
                                        bd_sum_number(t->sum, block, t->size - 1));
  return bd_sum_compute(t->sum, block, "arith.divui", more, bd_sum_number(t->sum, block, t->size));
}

static void find_extents(tile *t, MlirBlock block, MlirValue piece) {
  const bd_sum *s = t->sum;
  for (int i = 0; i < rank_of(t); ++i) t->extents[i] = s->loops[t->first + i].upper;
  if (!t->is_cut) return;
  const MlirValue size = bd_sum_number(s, block, t->size);
  t->begin = bd_sum_compute(s, block, "arith.muli", piece, size);
  const MlirValue left = bd_sum_compute(s, block, "arith.subi", t->extents[0], t->begin);
  t->extents[0] = bd_sum_compute(s, block, "arith.minsi", size, left);
}

/* One array may have half of the first cache. */
void bd_sum_write_tiles(const bd_sum *s, const bd_machine *machine, MlirBlock block) {
  tile t = {.sum = s, .bytes = machine->l1 / 2};
  MlirValue upper[BD_MAX_LOOPS];
  intptr_t n = 0;
  choose(&t);
  t.cut = bd_sum_cut(s, t.first, BD_SUM_ROWS, &t.step);
  for (int i = 0; i < t.first; ++i) {
    if (!s->loops[i].adds) upper[n++] = s->loops[i].upper;
  }
  if (t.is_cut) upper[n++] = count_pieces(&t, block);
  const MlirBlock body = bd_build_parallel(bd_sum_at_end(s, block), upper, n);
  intptr_t k = 0;
  for (int i = 0; i < t.first; ++i) {
    if (!s->loops[i].adds) t.at[i] = mlirBlockGetArgument(body, k++);
  }
  const MlirBlock scope = open_scope(s, body);
  find_extents(&t, scope, t.is_cut ? mlirBlockGetArgument(body, k) : (MlirValue){NULL});
  write_tile(&t, scope);
  (void)bd_build_op(bd_builder_at_end(scope, s->location), "memref.alloca_scope.return", NULL, 0,
                    NULL, 0, NULL, 0);
  if (n > 0) bd_sum_yield(s, body, NULL, 0);
}
