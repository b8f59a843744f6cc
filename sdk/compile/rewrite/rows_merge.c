// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/rows_merge.c: within a row, an elementwise operation and the one after it that
 * reads its result at the places of its own rounds become one loop with both results:
 *
 *   e = exp(x - largest)      for each place: e = exp(x - largest), sum += e
 *   sum += e
 *
 * Long rows go through the caches once less. What only the second one reads is not stored at all. */
#include <stdlib.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/rows_parts.h"
#include "sdk/compile/builder.h"

/* Two members that may become one. */
typedef struct pair {
  const bd_row_group *group;
  bd_row_member *first, *second;
  int n_first, n_second;                               /* loops that are no rows */
  int of_first[BD_MAX_LOOPS], of_second[BD_MAX_LOOPS]; /* which of the member's loops they are */
  int match[BD_MAX_LOOPS]; /* by such a loop of the first, that of the second; -1: of one round */
  bool is_stored;          /* the first's result */
} pair;

/* ---- Which ---- */

static bool names(const bd_row_member *m, MlirValue base) {
  for (int i = 0; i < m->s.n_operands; ++i) {
    if (m->s.operands[i].rank >= 0 && mlirValueEqual(m->walks[i].base, base)) return true;
  }
  return false;
}

/* Each round has a place of the result of its own, and does not ask what was there. */
static bool is_producer(const pair *p) {
  const bd_row_member *m = p->first;
  const int to = m->s.n_inputs;
  if (!bd_structured_is_parallel(&m->s) || bd_ops_exist(m->s.op, "linalg.index")) return false;
  for (int i = 0; i < p->n_first; ++i) {
    const int loop = p->of_first[i];
    if (m->s.sizes[loop] != 1 && m->walks[to].base_axis[loop] < 0) return false;
  }
  return !bd_is_used(mlirBlockGetArgument(bd_body_of(m->s.op), to));
}

static bool is_result(const pair *p, int operand) {
  const bd_row_member *m = p->second;
  return m->s.operands[operand].rank >= 0 &&
         mlirValueEqual(m->walks[operand].base, p->first->walks[p->first->s.n_inputs].base);
}

/* The loop of the second that walks along the buffer as loop `i` of the first does; -1: none. */
static int matching(const pair *p, int operand, int i) {
  const int axis = p->first->walks[p->first->s.n_inputs].base_axis[p->of_first[i]];
  for (int k = 0; k < p->n_second; ++k) {
    const int loop = p->of_second[k];
    if (p->second->s.sizes[loop] != 1 && p->second->walks[operand].base_axis[loop] == axis)
      return k;
  }
  return -1;
}

/* Those of more than one round. */
static int count_long(const bd_row_member *m, const int *loops, int n) {
  int n_long = 0;
  for (int i = 0; i < n; ++i) n_long += m->s.sizes[loops[i]] != 1;
  return n_long;
}

/* All that the second reads of the first's result, it reads where that has just been written. */
static bool match_loops(pair *p) {
  bool is_linked = false;
  for (int i = 0; i < p->second->s.n_operands; ++i) {
    if (!is_result(p, i)) continue;
    if (i >= p->second->s.n_inputs) return false;
    for (int loop = 0; loop < p->n_first; ++loop) {
      const bool is_long = p->first->s.sizes[p->of_first[loop]] != 1;
      const int match = is_long ? matching(p, i, loop) : -1;
      if ((is_long && match < 0) || (is_linked && match != p->match[loop])) return false;
      p->match[loop] = match;
    }
    is_linked = true;
  }
  return is_linked;
}

/* The size of some axis of the operand is that of the loop. */
static bool tells_size(const bd_row_member *m, int operand, int loop) {
  return m->s.operands[operand].rank >= 0 && m->walks[operand].axis[loop] >= 0;
}

/* By an operand of the first, which is its result or is not. */
static bool first_tells(const pair *p, int loop, bool is_stored) {
  const bd_row_member *m = p->first;
  for (int k = 0; k < p->n_first; ++k) {
    for (int i = 0; p->match[k] == loop && i < m->s.n_inputs + is_stored; ++i) {
      if (tells_size(m, i, p->of_first[k])) return true;
    }
  }
  return false;
}

/* A loop whose size no operand that stays tells, as one of a single round over what was read of the
 * first's result, would be of no size. */
static bool are_sizes_told(const pair *p, bool is_stored) {
  for (int loop = 0; loop < p->n_second; ++loop) {
    bool is_told = first_tells(p, loop, is_stored);
    for (int i = 0; i < p->second->s.n_operands && !is_told; ++i)
      is_told = !is_result(p, i) && tells_size(p->second, i, p->of_second[loop]);
    if (!is_told) return false;
  }
  return true;
}

enum { MOST_VIEWS = 32 }; /* of one another, that are followed */

/* Something but the two looks at what lies in the memory. */
static bool is_seen(const pair *p, MlirValue memory, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation op = mlirOpOperandGetOwner(use);
    const bool is_harmless = mlirOperationEqual(op, p->first->s.op) ||
                             mlirOperationEqual(op, p->second->s.op) || bd_op_is(op, "memref.dim");
    if (is_harmless) continue;
    if (!bd_op_is_view(op) || depth == MOST_VIEWS ||
        is_seen(p, mlirOperationGetResult(op, 0), depth + 1))
      return true;
  }
  return false;
}

static bool can_merge(pair *p) {
  const bd_row_member *a = p->first, *b = p->second;
  p->n_first = bd_row_inner_loops(p->group, a, p->of_first);
  p->n_second = bd_row_inner_loops(p->group, b, p->of_second);
  const int n = count_long(a, p->of_first, p->n_first);
  if (n == 0 || n != count_long(b, p->of_second, p->n_second) || !is_producer(p) ||
      !match_loops(p) || !are_sizes_told(p, true) ||
      a->s.n_operands + b->s.n_operands > BD_MAX_OPERANDS)
    return false;
  for (int i = b->s.n_inputs; i < b->s.n_operands; ++i) {
    if (names(a, b->walks[i].base)) return false;
  }
  p->is_stored = !are_sizes_told(p, false) || is_seen(p, a->walks[a->s.n_inputs].base, 0);
  return true;
}

/* ---- The loop of both ---- */

typedef struct merging {
  const pair *p;
  bd_row_member both;
  MlirValue operands[BD_MAX_OPERANDS];
  MlirAttribute maps[BD_MAX_OPERANDS];
  MlirBlock body;
} merging;

/* The map of an operand of the first, by the loops of the second. */
static MlirAttribute matched_map(const pair *p, int operand) {
  const MlirContext context = mlirOperationGetContext(p->first->s.op);
  const MlirAffineMap map = bd_structured_map(&p->first->s, operand);
  MlirAffineExpr dims[BD_MAX_LOOPS], places[BD_MAX_LOOPS];
  const intptr_t n = mlirAffineMapGetNumResults(map);
  for (int i = 0; i < p->n_first; ++i)
    dims[i] = p->match[i] < 0 ? mlirAffineConstantExprGet(context, 0)
                              : mlirAffineDimExprGet(context, p->match[i]);
  const MlirAffineMap change = mlirAffineMapGet(context, p->n_second, 0, p->n_first, dims);
  for (intptr_t r = 0; r < n; ++r)
    places[r] = mlirAffineExprCompose(mlirAffineMapGetResult(map, r), change);
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, p->n_second, 0, n, places));
}

/* How the first walks, told by the loops of the second. */
static bd_row_walk matched_walk(const pair *p, int operand) {
  const bd_row_walk *from = &p->first->walks[operand];
  bd_row_walk walk = {.base = from->base};
  for (int i = 0; i < BD_MAX_LOOPS; ++i) walk.axis[i] = walk.base_axis[i] = BD_AXIS_NONE;
  for (int j = 0; j < p->group->n_rows; ++j) {
    walk.axis[p->second->rows[j]] = from->axis[p->first->rows[j]];
    walk.base_axis[p->second->rows[j]] = from->base_axis[p->first->rows[j]];
  }
  for (int i = 0; i < p->n_first; ++i) {
    if (p->match[i] < 0) continue;
    const int loop = p->of_second[p->match[i]];
    walk.axis[loop] = from->axis[p->of_first[i]];
    walk.base_axis[loop] = from->base_axis[p->of_first[i]];
  }
  return walk;
}

/* One more operand, of one of the two, whose argument of the body is replaced. */
static void add_operand(merging *m, const bd_row_member *from, int operand) {
  const bool is_first = from == m->p->first;
  const int n = m->both.s.n_operands++;
  const MlirValue old = mlirBlockGetArgument(bd_body_of(from->s.op), operand);
  m->both.s.operands[n] = from->s.operands[operand];
  m->operands[n] = mlirOperationGetOperand(from->s.op, operand);
  m->both.walks[n] = is_first ? matched_walk(m->p, operand) : from->walks[operand];
  m->maps[n] = is_first ? matched_map(m->p, operand)
                        : mlirAffineMapAttrGet(bd_structured_map(&from->s, operand));
  mlirValueReplaceAllUsesOfWith(old,
                                mlirBlockAddArgument(m->body, mlirValueGetType(old),
                                                     mlirOperationGetLocation(m->p->second->s.op)));
}

/* All but the end; returns what that yields. */
static MlirOperation move_body(MlirBlock from, MlirBlock to) {
  const MlirOperation end = mlirBlockGetTerminator(from);
  bd_block_move(from, end, to, (MlirOperation){NULL});
  return end;
}

static void fill_body(merging *m) {
  const bd_row_member *a = m->p->first, *b = m->p->second;
  MlirValue results[BD_MAX_OPERANDS];
  results[0] = mlirOperationGetOperand(move_body(bd_body_of(a->s.op), m->body), 0);
  for (int i = 0; i < b->s.n_inputs; ++i) {
    if (is_result(m->p, i))
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(bd_body_of(b->s.op), i), results[0]);
  }
  const MlirOperation end = move_body(bd_body_of(b->s.op), m->body);
  const intptr_t n = mlirOperationGetNumOperands(end);
  const size_t n_first = m->p->is_stored;
  for (intptr_t i = 0; i < n; ++i) results[n_first + (size_t)i] = mlirOperationGetOperand(end, i);
  (void)bd_build_op(bd_builder_at_end(m->body, mlirOperationGetLocation(b->s.op)), "linalg.yield",
                    results, (size_t)n + n_first, NULL, 0, NULL, 0);
}

/* The second's operation with all operands, and both bodies. */
static MlirOperation create(merging *m) {
  const MlirOperation from = m->p->second->s.op;
  const MlirContext context = mlirOperationGetContext(from);
  const bd_structured *s = &m->both.s;
  const int32_t segments[] = {s->n_inputs, s->n_operands - s->n_inputs};
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("linalg.generic"),
                                                   mlirOperationGetLocation(from));
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, m->body);
  mlirOperationStateAddOperands(&state, s->n_operands, m->operands);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(from); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(from, i);
    const MlirStringRef name = mlirIdentifierStr(attribute.name);
    if (bd_string_is(name, "indexing_maps"))
      attribute.attribute = mlirArrayAttrGet(context, s->n_operands, m->maps);
    else if (bd_string_is(name, "operandSegmentSizes"))
      attribute.attribute = mlirDenseI32ArrayGet(context, 2, segments);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  return mlirOperationCreate(&state);
}

/* In place of the second; the first is gone. */
static void merge(const pair *p) {
  bd_row_member *a = p->first, *b = p->second;
  merging m = {.p = p, .both = *b, .body = mlirBlockCreate(0, NULL, NULL)};
  m.both.s.n_operands = 0;
  for (int i = 0; i < a->s.n_inputs; ++i) add_operand(&m, a, i);
  for (int i = 0; i < b->s.n_inputs; ++i) {
    if (!is_result(p, i)) add_operand(&m, b, i);
  }
  m.both.s.n_inputs = m.both.s.n_operands;
  if (p->is_stored) add_operand(&m, a, a->s.n_inputs);
  for (int i = b->s.n_inputs; i < b->s.n_operands; ++i) add_operand(&m, b, i);
  fill_body(&m);
  m.both.s.op = create(&m);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(b->s.op), b->s.op, m.both.s.op);
  bd_op_erase(a->s.op);
  bd_op_erase(b->s.op);
  *b = m.both;
}

/* The next member that is no fill, if there are only fills between of what this one does not touch;
 * otherwise NULL. */
static bd_row_member *next_of(const bd_row_group *group, int n) {
  for (int i = n + 1; i < group->n_members; ++i) {
    bd_row_member *m = group->members[i];
    if (!bd_row_is_fill(m)) return m;
    if (names(group->members[n], m->walks[m->s.n_inputs].base)) return NULL;
  }
  return NULL;
}

void bd_rows_merge(bd_row_group *group) {
  for (int n = 0; n < group->n_members; ++n) {
    pair p = {.group = group, .first = group->members[n], .second = next_of(group, n)};
    if (bd_row_is_fill(p.first) || !p.second || !can_merge(&p)) continue;
    merge(&p);
    free(group->members[n]);
    --group->n_members;
    for (int i = n; i < group->n_members; ++i) group->members[i] = group->members[i + 1];
    --n;
  }
}
