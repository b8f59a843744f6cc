// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/splitting.c: index set splitting.
 *
 *   for i = lower to upper { … minsi(a, b) … }   a and b: sums of i, a few times, and of what stays the same
 *
 *   for i = lower to p { … a … }
 *   for i = p to upper { … b … }                 p: the first i from which on a >= b
 *
 * Likewise a comparison and the selects that it decides on. Each of the two loops is split further. Where
 * p is a number that leaves one of them without rounds, there is only the other. */
#include "sdk/compile/rewrite/splitting.h"

#include <stdint.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"

enum {
  MAX_LOOPS = 8,  /* that one becomes */
  MAX_DEPTH = 16, /* of sums, and of what is computed with them */
};
enum { LESS = 2, AT_MOST = 3, GREATER = 4, AT_LEAST = 5 }; /* arith.cmpi's predicates, signed */

static MlirValue index_of(MlirOperation loop) { return mlirBlockGetArgument(bd_body_of(loop), 0); }
static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static MlirValue result(MlirOperation op) { return mlirOperationGetResult(op, 0); }

/* ---- Sums ---- */

/* The operation in the loop's body that makes the value; null if it comes from elsewhere. */
static MlirOperation maker_in(MlirOperation loop, MlirValue value) {
  const MlirOperation op = bd_maker_of(value), none = {NULL};
  return op.ptr && mlirBlockEqual(mlirOperationGetBlock(op), bd_body_of(loop)) ? op : none;
}

static bool is_extreme(MlirOperation op) {
  return bd_op_is(op, "arith.minsi") || bd_op_is(op, "arith.maxsi");
}

/* By how much the value grows with each round; false where that is not known. */
static bool read_growth(MlirOperation loop, MlirValue value, int depth, int64_t *out) {
  *out = mlirValueEqual(value, index_of(loop));
  const MlirOperation op = maker_in(loop, value);
  if (!op.ptr) return true;
  const intptr_t n = mlirOperationGetNumOperands(op);
  int64_t growths[2] = {0, 0}, factor;
  if (depth == MAX_DEPTH || !bd_op_starts_with(op, "arith.") || n > 2) return false;
  for (intptr_t i = 0; i < n; ++i) {
    if (!read_growth(loop, operand(op, i), depth + 1, &growths[i])) return false;
  }
  *out = growths[0];
  if (growths[0] == 0 && growths[1] == 0) return true;
  if (is_extreme(op)) return growths[0] == growths[1];
  if (bd_op_is(op, "arith.addi")) return !__builtin_add_overflow(growths[0], growths[1], out);
  if (bd_op_is(op, "arith.subi")) return !__builtin_sub_overflow(growths[0], growths[1], out);
  return bd_op_is(op, "arith.muli") && bd_read_integer(operand(op, 1), &factor) &&
         !__builtin_mul_overflow(growths[0], factor, out);
}

/* The value, a sum, where the index is that number; false where that is no number. */
static bool evaluate(MlirOperation loop, MlirValue value, int64_t index, int depth, int64_t *out) {
  if (bd_read_integer(value, out)) return true;
  *out = index;
  if (mlirValueEqual(value, index_of(loop))) return true;
  const MlirOperation op = maker_in(loop, value);
  int64_t a, b;
  if (!op.ptr || depth == MAX_DEPTH || mlirOperationGetNumOperands(op) != 2 ||
      !evaluate(loop, operand(op, 0), index, depth + 1, &a) ||
      !evaluate(loop, operand(op, 1), index, depth + 1, &b))
    return false;
  *out = bd_op_is(op, "arith.minsi") == (a < b) ? a : b;
  if (is_extreme(op)) return true;
  if (bd_op_is(op, "arith.addi")) return !__builtin_add_overflow(a, b, out);
  if (bd_op_is(op, "arith.subi")) return !__builtin_sub_overflow(a, b, out);
  return bd_op_is(op, "arith.muli") && !__builtin_mul_overflow(a, b, out);
}

/* The same, computed before the loop, with the loop's lower bound as the index. */
static MlirValue at_lower(MlirOperation loop, MlirValue value) {
  if (mlirValueEqual(value, index_of(loop))) return operand(loop, 0);
  const MlirOperation op = maker_in(loop, value);
  if (!op.ptr) return value;
  const MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, at_lower(loop, operand(op, i)));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(loop), loop, copy);
  return result(copy);
}

/* ---- What splits ---- */

/* The outcome changes once, where `above` - `below` + more is not negative any more. */
typedef struct turn {
  MlirOperation op;
  MlirValue above, below;
  int64_t more, growth;  /* of the difference: 1 or 2 */
  int64_t before, after; /* comparisons: the outcomes; extremes: which operand it is */
} turn;

static bool is_position(MlirValue value, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (bd_op_is(user, "memref.load")) return true;
    if (depth < MAX_DEPTH && bd_op_starts_with(user, "arith.") &&
        is_position(result(user), depth + 1))
      return true;
  }
  return false;
}

static int64_t predicate_of(MlirOperation op) {
  return mlirIntegerAttrGetValueInt(bd_op_attribute(op, "predicate"));
}

/* As a < b, or else as not a >= b. */
static bool read_order(MlirOperation op, turn *t) {
  const bool is_least = bd_op_is(op, "arith.minsi");
  if (!is_extreme(op) && !bd_op_is(op, "arith.cmpi")) return false;
  *t = (turn){.op = op, .above = operand(op, 0), .below = operand(op, 1)};
  t->before = is_extreme(op) ? !is_least : 1;
  t->after = !t->before;
  if (is_extreme(op)) return true;
  const int64_t predicate = predicate_of(op);
  if (predicate == GREATER || predicate == AT_LEAST) {
    t->above = operand(op, 1);
    t->below = operand(op, 0);
  }
  t->more = predicate == AT_MOST || predicate == AT_LEAST ? -1 : 0;
  return predicate >= LESS && predicate <= AT_LEAST;
}

static bool read_turn(MlirOperation loop, MlirOperation op, turn *t) {
  int64_t growths[2];
  if (!read_order(op, t) || !mlirTypeIsAIndex(mlirValueGetType(t->above)) ||
      !read_growth(loop, t->above, 0, &growths[0]) ||
      !read_growth(loop, t->below, 0, &growths[1]) ||
      __builtin_sub_overflow(growths[0], growths[1], &t->growth))
    return false;
  if (t->growth < 0) { /* the other way round: b - a - more - 1 */
    const MlirValue other = t->above;
    t->above = t->below;
    t->below = other;
    t->growth = t->growth == INT64_MIN ? 0 : -t->growth;
    t->more = is_extreme(op) ? 0 : -1 - t->more;
    t->before = !t->before;
    t->after = !t->after;
  }
  /* Where both operands of an extreme are equal, that which moves goes on: lines stay whole. */
  if (is_extreme(op) && growths[t->before] != 0 && growths[t->after] == 0) t->more = -1;
  return t->growth == 1 || t->growth == 2;
}

/* ---- Splitting ---- */

/* In one of the loops the outcome is known. */
static buddy_code settle(MlirOperation op, int64_t outcome) {
  if (is_extreme(op)) return bd_op_replace(op, operand(op, outcome));
  const MlirValue known =
      bd_build_integer(bd_builder_before(op), mlirValueGetType(result(op)), outcome);
  BD_TRY(bd_op_replace(op, known));
  MlirOpOperand use = mlirValueGetFirstUse(known);
  while (!mlirOpOperandIsNull(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    const bool is_condition =
        bd_op_is(user, "arith.select") && mlirOpOperandGetOperandNumber(use) == 0;
    use = mlirOpOperandGetNextUse(use);
    if (!is_condition) continue;
    BD_TRY(bd_op_replace(user, operand(user, outcome ? 1 : 2)));
    use = mlirValueGetFirstUse(known);
  }
  return BUDDY_OK;
}

/* The index from which on it is the other outcome, be it within the bounds or not; false if that is no number. */
static bool evaluate_turn(MlirOperation loop, const turn *t, int64_t *out) {
  int64_t lower, above, below, distance;
  if (!bd_read_integer(operand(loop, 0), &lower) || !evaluate(loop, t->above, lower, 0, &above) ||
      !evaluate(loop, t->below, lower, 0, &below) ||
      __builtin_sub_overflow(below, above, &distance) ||
      __builtin_sub_overflow(distance, t->more - (t->growth - 1), &distance))
    return false;
  return !__builtin_add_overflow(lower, t->growth == 1 ? distance : distance >> 1, out);
}

/* Whether all rounds have one outcome. */
static bool is_settled(MlirOperation loop, const turn *t, int64_t *out_outcome) {
  int64_t place, bound;
  if (!evaluate_turn(loop, t, &place)) return false;
  const bool is_after = bd_read_integer(operand(loop, 0), &bound) && place <= bound;
  *out_outcome = is_after ? t->after : t->before;
  return is_after || (bd_read_integer(operand(loop, 1), &bound) && place >= bound);
}

/* The next that has one outcome in all rounds, or is worth splitting for: a position in memory. */
static bool find_turn(MlirOperation loop, turn *t, bool *out_is_known, int64_t *out_outcome) {
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(loop));
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (!read_turn(loop, op, t)) continue;
    *out_is_known = is_settled(loop, t, out_outcome);
    if (*out_is_known || is_position(result(op), 0)) return true;
  }
  return false;
}

static MlirValue build_turn(MlirOperation loop, const turn *t) {
  int64_t number, bound;
  const bd_builder b = bd_builder_before(loop);
  if (evaluate_turn(loop, t, &number) && bd_read_integer(operand(loop, 1), &bound))
    return bd_build_index(b, number); /* not settled: between the bounds */
  const MlirValue below = at_lower(loop, t->below), above = at_lower(loop, t->above);
  MlirValue distance = bd_build_pair(b, "arith.subi", below, above);
  distance = bd_build_pair(b, "arith.subi", distance, bd_build_index(b, t->more - (t->growth - 1)));
  if (t->growth == 2) distance = bd_build_pair(b, "arith.shrsi", distance, bd_build_index(b, 1));
  const MlirValue place = bd_build_pair(b, "arith.addi", operand(loop, 0), distance);
  return bd_build_pair(b, "arith.maxsi", bd_build_pair(b, "arith.minsi", place, operand(loop, 1)),
                       operand(loop, 0));
}

/* The operation of a copy of the loop that was copied from this one. */
static MlirOperation same_in(MlirOperation copy, MlirOperation op) {
  MlirOperation other = mlirBlockGetFirstOperation(bd_body_of(copy)),
                one = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  while (!mlirOperationEqual(one, op)) {
    one = mlirOperationGetNextInBlock(one);
    other = mlirOperationGetNextInBlock(other);
  }
  return other;
}

/* Adds the loop that goes on from there to those that are still to be split. */
static buddy_code split_at(MlirOperation loop, const turn *t, bd_ops *loops) {
  const MlirValue place = build_turn(loop, t);
  if (!place.ptr) return BUDDY_OUT_OF_MEMORY;
  const MlirOperation rest = mlirOperationClone(loop);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(loop), loop, rest);
  mlirOperationSetOperand(loop, 1, place);
  mlirOperationSetOperand(rest, 0, place);
  BD_TRY(settle(same_in(rest, t->op), t->after));
  BD_TRY(settle(t->op, t->before));
  return bd_ops_add(loops, rest);
}

static buddy_code split_all(bd_ops *loops) {
  for (size_t i = 0; i < loops->n; ++i) {
    const MlirOperation loop = loops->items[i];
    turn t;
    bool is_known;
    int64_t outcome;
    while (find_turn(loop, &t, &is_known, &outcome)) {
      if (is_known)
        BD_TRY(settle(t.op, outcome));
      else if (loops->n < MAX_LOOPS)
        BD_TRY(split_at(loop, &t, loops));
      else
        break;
    }
  }
  return BUDDY_OK;
}

/* No loop inside, nothing carried, steps of one. */
static bool is_plain(MlirOperation loop) {
  if (mlirOperationGetNumResults(loop) > 0 || bd_integer_of(operand(loop, 2)) != 1) return false;
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(loop));
  while (op.ptr && mlirOperationGetNumRegions(op) == 0) op = mlirOperationGetNextInBlock(op);
  return !op.ptr;
}

static buddy_code split_one(MlirOperation loop, void *user) {
  (void)user;
  bd_ops loops = {NULL, 0, 0};
  if (!is_plain(loop)) return BUDDY_OK;
  buddy_code code = bd_ops_add(&loops, loop);
  if (code == BUDDY_OK) code = split_all(&loops);
  bd_ops_deinit(&loops);
  return code;
}

buddy_code bd_loops_split(MlirOperation root) {
  return bd_ops_each(root, "scf.for", split_one, NULL);
}
