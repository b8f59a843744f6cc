// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention_limit.c: columns of attention (attention.h) that add nothing.
 *
 * A step that puts minus infinity wherever a comparison of the indices of row and column says so
 * hides the columns after row + limit. What later steps make of hidden scores is followed: it must
 * be minus infinity where the largest of a row is looked for, and zero where rows are added up, and
 * for the second product. Zero it is for whatever a row's other numbers are but infinities of the
 * same sign and nan, which make the whole row nan either way. */
#include <math.h>
#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "sdk/compile/kernels/attention.h"

/* What is known of a hidden score. */
typedef enum hidden { HIDDEN_UNKNOWN, HIDDEN_INFINITY, HIDDEN_ZERO } hidden;

static hidden of_number(MlirValue value) {
  if (!bd_is_made_by(value, "arith.constant")) return HIDDEN_UNKNOWN;
  const MlirAttribute number = bd_op_attribute(bd_maker_of(value), "value");
  if (!number.ptr || !mlirAttributeIsAFloat(number)) return HIDDEN_UNKNOWN;
  const double x = mlirFloatAttrGetValueDouble(number);
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
  const MlirAttribute number = bd_op_attribute(op, "value");
  if (bd_op_is(op, "arith.constant") && mlirAttributeIsAInteger(number))
    return (place){-1, mlirIntegerAttrGetValueInt(number)};
  if (!bd_op_is(op, "arith.addi") && !bd_op_is(op, "arith.subi")) return unknown;
  const int sign = bd_op_is(op, "arith.subi") ? -1 : 1;
  const place x = read_place(step, mlirOperationGetOperand(op, 0)),
              y = read_place(step, mlirOperationGetOperand(op, 1));
  if (x.axis == -2 || y.axis == -2 || (x.axis >= 0 && y.axis >= 0) || (y.axis >= 0 && sign < 0))
    return unknown;
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

typedef struct view {
  bd_attention *a;
  const bd_attention_step *step;
  const hidden *of_links;
} view;

static hidden evaluate(const view *v, MlirValue value);

/* A step that hides: it is the first, and others may hide more. */
static hidden evaluate_select(const view *v, MlirOperation op) {
  int64_t limit;
  for (int branch = 1; branch <= 2 && !v->a->has_limit; ++branch) {
    if (of_number(mlirOperationGetOperand(op, branch)) != HIDDEN_INFINITY ||
        !read_comparison(v->step, mlirOperationGetOperand(op, 0), branch == 1, &limit))
      continue;
    v->a->has_limit = true;
    v->a->limit = limit;
    return HIDDEN_INFINITY;
  }
  const hidden x = evaluate(v, mlirOperationGetOperand(op, 1)),
               y = evaluate(v, mlirOperationGetOperand(op, 2));
  return x == y ? x : HIDDEN_UNKNOWN;
}

static hidden evaluate_operation(const view *v, MlirOperation op) {
  if (bd_op_is(op, "arith.constant")) return of_number(mlirOperationGetResult(op, 0));
  if (bd_op_is(op, "arith.select")) return evaluate_select(v, op);
  if (bd_op_is(op, "math.exp"))
    return evaluate(v, mlirOperationGetOperand(op, 0)) == HIDDEN_INFINITY ? HIDDEN_ZERO
                                                                          : HIDDEN_UNKNOWN;
  if (mlirOperationGetNumOperands(op) != 2) return HIDDEN_UNKNOWN;
  const hidden x = evaluate(v, mlirOperationGetOperand(op, 0)),
               y = evaluate(v, mlirOperationGetOperand(op, 1));
  if (bd_op_is(op, "arith.addf"))
    return x == HIDDEN_INFINITY || y == HIDDEN_INFINITY ? HIDDEN_INFINITY : HIDDEN_UNKNOWN;
  if (bd_op_is(op, "arith.subf")) return x == HIDDEN_INFINITY ? x : HIDDEN_UNKNOWN;
  if (bd_op_is(op, "arith.divf")) return x == HIDDEN_ZERO ? x : HIDDEN_UNKNOWN;
  if (bd_op_is(op, "arith.mulf"))
    return x == HIDDEN_ZERO || y == HIDDEN_ZERO ? HIDDEN_ZERO : HIDDEN_UNKNOWN;
  return HIDDEN_UNKNOWN;
}

static hidden evaluate(const view *v, MlirValue value) {
  if (!mlirValueIsABlockArgument(value)) return evaluate_operation(v, mlirOpResultGetOwner(value));
  const intptr_t k = mlirBlockArgumentGetArgNumber(value);
  return v->step->parts[k] == BD_PART_SCORES ? v->of_links[v->step->places[k]] : HIDDEN_UNKNOWN;
}

/* What a hidden score is to a reduction: nothing. */
static int adds_nothing(const view *v, MlirOperation yield) {
  const MlirOperation op = bd_maker_of(mlirOperationGetOperand(yield, 0));
  const MlirValue old =
      mlirBlockGetArgument(mlirOperationGetBlock(yield), v->step->s.n_operands - 1);
  if (!op.ptr || mlirOperationGetNumOperands(op) != 2) return 0;
  const MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  const hidden score = mlirValueEqual(x, old)   ? evaluate(v, y)
                       : mlirValueEqual(y, old) ? evaluate(v, x)
                                                : HIDDEN_UNKNOWN;
  if (bd_op_is(op, "arith.addf")) return score == HIDDEN_ZERO;
  return (bd_op_is(op, "arith.maximumf") || bd_op_is(op, "arith.maxnumf")) &&
         score == HIDDEN_INFINITY;
}

static int follow(bd_attention *a) {
  hidden of_links[BD_MAX_CHAIN] = {HIDDEN_UNKNOWN};
  for (int i = 0; i < a->n_steps; ++i) {
    const bd_attention_step *step = &a->steps[i];
    const view v = {a, step, of_links};
    const MlirOperation yield = mlirBlockGetTerminator(bd_body_of(step->s.op));
    if (step->kind == BD_PART_ROW) continue;
    if (!step->is_reduction)
      of_links[step->places[step->s.n_operands - 1]] =
          evaluate(&v, mlirOperationGetOperand(yield, 0));
    else if (!adds_nothing(&v, yield))
      return 0;
  }
  const bd_attention_step *last = &a->steps[a->n_steps - 1];
  return a->has_limit && of_links[last->places[last->s.n_operands - 1]] == HIDDEN_ZERO;
}

void bd_attention_find_limit(bd_attention *a) {
  a->has_limit = false;
  a->has_limit = follow(a);
}
