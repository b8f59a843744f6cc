// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/limit.c: columns of attention (attention.h) that add nothing.
 *
 * A step that puts minus infinity wherever a condition says so, or adds what may be minus infinity, hides scores. A
 * condition that compares the indices of row and column hides those after row + limit; one that reads what no score
 * makes, such as a mask, is for a run to ask, as is what is added. What later steps make of hidden scores is followed: it
 * must be minus infinity where the largest of a row is looked for, and zero where rows are added up, and for the second
 * product. Zero it is for whatever a row's other numbers are but infinities of the same sign and nan, which make the
 * whole row nan either way. All that a program has of these is followed, one at a time. */
#include <math.h>
#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/attention/attention.h"

int bd_attention_written(const bd_attention_step *step) {
  return step->places[step->s.n_operands - 1];
}

/* What is known of a hidden score. */
typedef enum hidden { HIDDEN_UNKNOWN, HIDDEN_INFINITY, HIDDEN_ZERO } hidden;

static hidden of_number(MlirValue value) {
  double x;
  if (!bd_read_float(value, &x)) return HIDDEN_UNKNOWN;
  return x == 0 ? HIDDEN_ZERO : isinf(x) && x < 0 ? HIDDEN_INFINITY : HIDDEN_UNKNOWN;
}

/* ---- The comparison -------------------------------------------------------------------------- */

/* The index of a row or a column, and a number. */
typedef struct place {
  int axis; /* BD_OF_ROW, BD_OF_COLUMN; -1: a number alone; -2: something else */
  int64_t number;
} place;

static place read_place(const bd_attention_step *step, MlirValue value) {
  const place unknown = {-2, 0};
  const MlirOperation op = bd_maker_of(value);
  if (!op.ptr) return unknown;
  if (bd_op_is(op, "arith.index_cast") || bd_op_is(op, "arith.extsi"))
    return read_place(step, mlirOperationGetOperand(op, 0));
  if (bd_op_is(op, "linalg.index")) {
    const int64_t loop = mlirIntegerAttrGetValueInt(bd_op_attribute(op, "dim"));
    if (step->is_flat || step->s.sizes[loop] == 1 || step->axis[loop] == BD_OF_BATCH)
      return unknown;
    return (place){step->axis[loop], 0};
  }
  int64_t number;
  if (bd_read_integer(value, &number)) return (place){-1, number};
  if (!bd_op_is(op, "arith.addi") && !bd_op_is(op, "arith.subi")) return unknown;
  const int sign = bd_op_is(op, "arith.subi") ? -1 : 1;
  const place x = read_place(step, mlirOperationGetOperand(op, 0));
  if (x.axis == -2) return unknown; /* what is twice there is not read twice, again and again */
  const place y = read_place(step, mlirOperationGetOperand(op, 1));
  if (y.axis == -2 || (x.axis >= 0 && y.axis >= 0) || (y.axis >= 0 && sign < 0)) return unknown;
  return (place){x.axis > y.axis ? x.axis : y.axis, x.number + sign * y.number};
}

/* Signed comparisons, as arith numbers them. */
enum { EQUAL, UNEQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL };

/* The columns where the comparison is `is_true` are those after row + *out, and no others. */
static int read_comparison(const bd_attention_step *step, MlirValue condition, bool is_true,
                           int64_t *out) {
  const MlirOperation op = bd_maker_of(condition);
  if (!op.ptr || !bd_op_is(op, "arith.cmpi")) return 0;
  int64_t how = mlirIntegerAttrGetValueInt(bd_op_attribute(op, "predicate"));
  place x = read_place(step, mlirOperationGetOperand(op, 0)),
        y = read_place(step, mlirOperationGetOperand(op, 1));
  if (how < LESS || how > GREATER_OR_EQUAL) return 0;
  if (x.axis == BD_OF_COLUMN) { /* row … column */
    static const int64_t turned[] = {EQUAL, UNEQUAL,      GREATER, GREATER_OR_EQUAL,
                                     LESS,  LESS_OR_EQUAL};
    const place was = x;
    x = y;
    y = was;
    how = turned[how];
  }
  if (x.axis != BD_OF_ROW || y.axis != BD_OF_COLUMN) return 0;
  /* row + x < column + y, or <=, where hidden; elsewhere the contrary: >=, or >. */
  const int64_t limit = x.number - y.number;
  const int64_t less = is_true ? LESS : GREATER_OR_EQUAL;
  const int64_t less_or_equal = is_true ? LESS_OR_EQUAL : GREATER;
  if (how != less && how != less_or_equal) return 0;
  *out = how == less ? limit : limit - 1;
  return 1;
}

/* ---- What steps make of hidden scores -------------------------------------------------------- */

/* What may hide scores, in the order in which it is met; one of it is taken to. */
typedef struct candidate {
  int number, n_met;
  bool is_limit; /* else a mask */
  int64_t limit;
  bd_attention_mask mask;
} candidate;

/* A body is gone through once, from front to back: what its operations make of hidden scores, and which of them are made
 * of numbers, indices and what no score makes. */
typedef struct view {
  const bd_attention *a;
  int number; /* of the step */
  const hidden *of_links;
  candidate *taken;
  hidden made[BD_ATTENTION_MOST_OPS];
  bool are_of_extras[BD_ATTENTION_MOST_OPS];
} view;

static const bd_attention_step *step_of(const view *v) { return &v->a->steps[v->number]; }

static hidden take(const view *v, const candidate *c) {
  if (v->taken->n_met++ != v->taken->number) return HIDDEN_UNKNOWN;
  v->taken->is_limit = c->is_limit;
  v->taken->limit = c->limit;
  v->taken->mask = c->mask;
  return HIDDEN_INFINITY;
}

static bool has_infinity(MlirType type) {
  return mlirTypeIsAF32(type) || mlirTypeIsAF64(type) || mlirTypeIsAF16(type) ||
         mlirTypeIsABF16(type);
}

static bool is_of_extras(const view *v, MlirValue value) {
  const bd_attention_step *step = step_of(v);
  if (mlirValueIsABlockArgument(value))
    return step->parts[mlirBlockArgumentGetArgNumber(value)] == BD_PART_EXTRA;
  const int at = bd_attention_place(step, mlirOpResultGetOwner(value));
  return at < 0 || v->are_of_extras[at];
}

/* What an operand is where scores are hidden. */
static hidden of_operand(const view *v, MlirOperation user, int operand) {
  const bd_attention_step *step = step_of(v);
  const MlirValue value = mlirOperationGetOperand(user, operand);
  if (!mlirValueIsABlockArgument(value)) {
    const int at = bd_attention_place(step, mlirOpResultGetOwner(value));
    return at < 0 ? of_number(value) : v->made[at];
  }
  const intptr_t k = mlirBlockArgumentGetArgNumber(value);
  const candidate added = {.mask = {v->number, user, operand, true}};
  if (step->parts[k] == BD_PART_SCORES) return v->of_links[step->places[k]];
  return step->parts[k] == BD_PART_EXTRA && has_infinity(mlirValueGetType(value)) ? take(v, &added)
                                                                                  : HIDDEN_UNKNOWN;
}

static hidden of_select(const view *v, MlirOperation op) {
  const MlirValue condition = mlirOperationGetOperand(op, 0);
  for (int branch = 1; branch <= 2; ++branch) {
    candidate c = {.mask = {v->number, op, 0, branch == 1}};
    if (of_number(mlirOperationGetOperand(op, branch)) != HIDDEN_INFINITY) continue;
    c.is_limit = read_comparison(step_of(v), condition, branch == 1, &c.limit);
    if ((c.is_limit || is_of_extras(v, condition)) && take(v, &c) == HIDDEN_INFINITY)
      return HIDDEN_INFINITY;
  }
  const hidden x = of_operand(v, op, 1), y = of_operand(v, op, 2);
  return x == y ? x : HIDDEN_UNKNOWN;
}

static hidden of_operation(const view *v, MlirOperation op) {
  if (bd_op_is(op, "arith.constant")) return of_number(mlirOperationGetResult(op, 0));
  if (bd_op_is(op, "arith.select")) return of_select(v, op);
  if (bd_op_is(op, "arith.extf") || bd_op_is(op, "arith.truncf")) return of_operand(v, op, 0);
  if (bd_op_is(op, "math.exp"))
    return of_operand(v, op, 0) == HIDDEN_INFINITY ? HIDDEN_ZERO : HIDDEN_UNKNOWN;
  if (mlirOperationGetNumOperands(op) != 2) return HIDDEN_UNKNOWN;
  const hidden x = of_operand(v, op, 0), y = of_operand(v, op, 1);
  if (bd_op_is(op, "arith.addf"))
    return x == HIDDEN_INFINITY || y == HIDDEN_INFINITY ? HIDDEN_INFINITY : HIDDEN_UNKNOWN;
  if (bd_op_is(op, "arith.subf")) return x == HIDDEN_INFINITY ? x : HIDDEN_UNKNOWN;
  if (bd_op_is(op, "arith.divf")) return x == HIDDEN_ZERO ? x : HIDDEN_UNKNOWN;
  if (bd_op_is(op, "arith.mulf"))
    return x == HIDDEN_ZERO || y == HIDDEN_ZERO ? HIDDEN_ZERO : HIDDEN_UNKNOWN;
  return HIDDEN_UNKNOWN;
}

/* False if the body is too long. */
static bool read_body(view *v) {
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(step_of(v)->s.op));
  for (int at = 0; mlirOperationGetNumResults(op) > 0; ++at) {
    bool is_of = true;
    if (at == BD_ATTENTION_MOST_OPS) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      is_of = is_of && is_of_extras(v, mlirOperationGetOperand(op, i));
    v->are_of_extras[at] = is_of;
    v->made[at] = of_operation(v, op);
    op = mlirOperationGetNextInBlock(op);
  }
  return true;
}

/* What a hidden score is to a reduction: nothing. */
static bool adds_nothing(const view *v, MlirOperation yield) {
  const MlirOperation op = bd_maker_of(mlirOperationGetOperand(yield, 0));
  const MlirValue old =
      mlirBlockGetArgument(mlirOperationGetBlock(yield), step_of(v)->s.n_operands - 1);
  if (!op.ptr || mlirOperationGetNumOperands(op) != 2) return false;
  const MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  const hidden score = mlirValueEqual(x, old)   ? of_operand(v, op, 1)
                       : mlirValueEqual(y, old) ? of_operand(v, op, 0)
                                                : HIDDEN_UNKNOWN;
  if (bd_op_is(op, "arith.addf")) return score == HIDDEN_ZERO;
  return (bd_op_is(op, "arith.maximumf") || bd_op_is(op, "arith.maxnumf")) &&
         score == HIDDEN_INFINITY;
}

/* True if what the candidate of this number hides adds nothing. */
static bool follow(const bd_attention *a, candidate *taken) {
  hidden of_links[BD_MAX_CHAIN] = {HIDDEN_UNKNOWN};
  for (int i = 0; i < a->n_steps; ++i) {
    const bd_attention_step *step = &a->steps[i];
    view v = {a, i, of_links, taken, {HIDDEN_UNKNOWN}, {false}};
    const MlirOperation yield = mlirBlockGetTerminator(bd_body_of(step->s.op));
    if (step->kind == BD_PART_ROW) continue;
    if (!read_body(&v)) return false;
    if (!step->is_reduction)
      of_links[bd_attention_written(step)] = of_operand(&v, yield, 0);
    else if (!adds_nothing(&v, yield))
      return false;
  }
  return taken->n_met > taken->number &&
         of_links[bd_attention_written(&a->steps[a->n_steps - 1])] == HIDDEN_ZERO;
}

int bd_attention_place(const bd_attention_step *step, MlirOperation op) {
  int n = 0;
  MlirOperation at = mlirBlockGetFirstOperation(bd_body_of(step->s.op));
  for (; at.ptr && !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at)) ++n;
  return at.ptr ? n : -1;
}

void bd_attention_find_limit(bd_attention *a) {
  candidate c = {.n_met = 1};
  for (int number = 0; number < c.n_met; ++number) {
    c = (candidate){.number = number};
    if (!follow(a, &c)) continue;
    if (c.is_limit) {
      a->limit = a->has_limit && a->limit < c.limit ? a->limit : c.limit;
      a->has_limit = true;
    } else if (a->n_masks < BD_MAX_MASKS) {
      a->masks[a->n_masks++] = c.mask;
    }
  }
}
