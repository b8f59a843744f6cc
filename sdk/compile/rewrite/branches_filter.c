// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/branches_filter.c: one filter for convolutions that are added up, one row for all numbers of
 * channels that are, and what is left of the sum. */
#include "core/base/try.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"
#include "sdk/compile/rewrite/branches_parts.h"

enum { AXES = BD_BRANCH_AXES, RANK = 4, CHANNELS = 1 /* of an image */ };

/* ---- Loops that make filters and rows -------------------------------------------------------- */

/* Over a filter, or over its channels. */
typedef struct making {
  const bd_branches *s;
  bd_builder b, inner; /* outside; in the body */
  MlirBlock body;
  MlirType type, element; /* of what is made */
  intptr_t n_loops, n;    /* n: operands so far */
  MlirValue operands[BD_MAX_OPERANDS];
  MlirAffineMap maps[BD_MAX_OPERANDS];
  MlirValue numbers[BD_MAX_OPERANDS]; /* arguments, by the inputs that they are */
  bool is_full;                       /* there was no room for an operand */
} making;

static making begin(const bd_branches *s, MlirType type) {
  making m = {.s = s,
              .b = bd_builder_before(s->loop),
              .body = mlirBlockCreate(0, NULL, NULL),
              .type = type,
              .element = mlirShapedTypeGetElementType(type),
              .n_loops = (intptr_t)mlirShapedTypeGetRank(type)};
  m.inner = bd_builder_at_end(m.body, m.b.location);
  return m;
}

static MlirValue add_operand(making *m, MlirValue value, MlirAffineMap map) {
  m->is_full |= m->n == BD_MAX_OPERANDS;
  if (m->is_full) return (MlirValue){NULL};
  m->operands[m->n] = value;
  m->maps[m->n++] = map;
  return mlirBlockAddArgument(m->body, m->element, m->b.location);
}

/* A row of the loop, along the channels. */
static MlirValue add_number(making *m, intptr_t input) {
  const MlirAffineMap map = bd_map_of(m->s->loop, input);
  const intptr_t rank = mlirAffineMapGetNumResults(map);
  MlirAffineExpr at[BD_MAX_LOOPS];
  if (m->numbers[input].ptr) return m->numbers[input];
  for (intptr_t r = 0; r < rank; ++r) {
    const MlirAffineExpr e = mlirAffineMapGetResult(map, r);
    const bool is_channel = mlirAffineExprIsADim(e) && mlirAffineDimExprGetPosition(e) == CHANNELS;
    at[r] = is_channel ? mlirAffineDimExprGet(m->b.context, 0)
                       : mlirAffineConstantExprGet(m->b.context, 0);
  }
  m->numbers[input] = add_operand(m, mlirOperationGetOperand(m->s->loop, input),
                                  mlirAffineMapGet(m->b.context, m->n_loops, 0, rank, at));
  return m->numbers[input];
}

static MlirValue number(const making *m, double value) {
  return bd_build_float(m->inner, mlirF64TypeGet(m->b.context), value);
}

/* An element, in f64. */
static MlirValue wide(const making *m, MlirValue value) {
  return mlirTypeIsAF64(m->element)
             ? value
             : bd_build_one(m->inner, "arith.extf", value, mlirF64TypeGet(m->b.context));
}

/* With all that the term is multiplied with, and its sign. */
static MlirValue multiply(making *m, const bd_branch_term *t, MlirValue value) {
  for (int i = 0; i < t->n_numbers; ++i)
    value = bd_build_pair(m->inner, "arith.mulf", value, wide(m, add_number(m, t->numbers[i])));
  return t->is_negative && value.ptr
             ? bd_build_one(m->inner, "arith.negf", value, mlirValueGetType(value))
             : value;
}

/* The sum so far, of which the first is all there is. */
static void add_to(making *m, MlirValue *sum, MlirValue value, bool *is_first) {
  *sum = *is_first ? value : bd_build_pair(m->inner, "arith.addf", *sum, value);
  *is_first = false;
}

static buddy_code end(making *m, MlirValue result, MlirValue *out_made) {
  if (!mlirTypeIsAF64(m->element))
    result = bd_build_one(m->inner, "arith.truncf", result, m->element);
  const MlirValue empty =
      bd_build(m->b, "tensor.empty", NULL, 0, m->type, NULL, mlirAttributeGetNull());
  (void)add_operand(m, empty, mlirAffineMapMultiDimIdentityGet(m->b.context, m->n_loops));
  const bool is_done = !m->is_full && empty.ptr && result.ptr &&
                       bd_build_op(m->inner, "linalg.yield", &result, 1, NULL, 0, NULL, 0).ptr;
  if (!is_done) {
    mlirBlockDestroy(m->body);
    return m->is_full ? BUDDY_UNSUPPORTED : BUDDY_OUT_OF_MEMORY;
  }
  const MlirOperation made = bd_build_loops(m->b, m->n_loops, m->operands, m->maps, m->n, m->body);
  if (!made.ptr) return BUDDY_OUT_OF_MEMORY;
  *out_made = mlirOperationGetResult(made, 0);
  return BUDDY_OK;
}

/* ---- The filter ------------------------------------------------------------------------------ */

static MlirValue index_of(const making *m, int64_t loop) {
  return bd_build(m->inner, "linalg.index", NULL, 0, mlirIndexTypeGet(m->b.context), "dim",
                  mlirIntegerAttrGet(mlirIntegerTypeGet(m->b.context, 64), loop));
}

static MlirValue index_is(const making *m, int64_t loop, MlirValue place) {
  enum { EQUAL = 0 };
  return bd_build_compare(m->inner, "arith.cmpi", EQUAL, index_of(m, loop), place);
}

/* The value where its window of one element lies in that of the whole, and, if that is not null, `is`; else 0. */
static MlirValue in_its_place(const making *m, const bd_branch_term *t, const int64_t window[AXES],
                              MlirValue is, MlirValue value) {
  for (int a = 0; a < AXES; ++a) {
    if (window[a] > 1) continue;
    const MlirValue at = index_is(m, m->n_loops - AXES + a, bd_build_index(m->inner, t->place[a]));
    is = is.ptr ? bd_build_pair(m->inner, "arith.andi", is, at) : at;
  }
  return bd_build_select(m->inner, is, value, number(m, 0));
}

/* What the image itself adds to an element of the filter: where that is of the same channel. */
static MlirValue of_image(making *m, const bd_branch_term *t, bool is_depthwise) {
  static const int64_t window[AXES] = {1, 1};
  const MlirValue is = is_depthwise ? (MlirValue){NULL} : index_is(m, 1, index_of(m, 0));
  return in_its_place(m, t, window, is, multiply(m, t, number(m, 1)));
}

/* What a filter adds to an element of that of the whole. */
static MlirValue of_filter(making *m, const bd_branch_term *t, const bd_branch *part,
                           const bd_branch *whole) {
  MlirAffineExpr at[RANK];
  bool is_smaller = false;
  for (intptr_t i = 0; i < m->n_loops; ++i) at[i] = mlirAffineDimExprGet(m->b.context, i);
  for (int a = 0; a < AXES; ++a) {
    if (part->window[a] == whole->window[a]) continue;
    at[m->n_loops - AXES + a] = mlirAffineConstantExprGet(m->b.context, 0);
    is_smaller = true;
  }
  const MlirValue value =
      multiply(m, t,
               wide(m, add_operand(m, part->filter,
                                   mlirAffineMapGet(m->b.context, m->n_loops, 0, m->n_loops, at))));
  return is_smaller ? in_its_place(m, t, part->window, (MlirValue){NULL}, value) : value;
}

static bool is_joined_image(const bd_branches *s, const bd_branch_term *t) {
  return t->is_joined && t->input >= 0 && s->is_image[t->input];
}

static buddy_code make_filter(const bd_branches *s, const bd_branch_sum *of, const bd_branch *whole,
                              MlirValue *out) {
  making m = begin(s, mlirValueGetType(whole->filter));
  MlirValue all = {NULL};
  bool is_first = true;
  for (int i = 0; i < of->n; ++i) {
    const bd_branch_term *t = &of->terms[i];
    if (!is_joined_image(s, t)) continue;
    add_to(&m, &all,
           s->is_branch[t->input] ? of_filter(&m, t, &s->branches[t->input], whole)
                                  : of_image(&m, t, whole->is_depthwise),
           &is_first);
  }
  return end(&m, all, out);
}

/* ---- The row --------------------------------------------------------------------------------- */

/* What rows alone tell, as the body of the loop computes it. */
static MlirValue copy_of_rows(making *m, MlirValue value) {
  const bd_branches *s = m->s;
  MlirValue copies[BD_BRANCH_OPS] = {{NULL}};
  bool is_needed[BD_BRANCH_OPS];
  const intptr_t input = bd_branches_input(s, value);
  const int last = bd_branches_place(s, value);
  if (input >= 0) return add_number(m, input);
  if (last < 0) return value; /* a number */
  (void)bd_branches_need(s, value, is_needed);
  for (int i = 0; i <= last; ++i) {
    if (!is_needed[i]) continue;
    const MlirOperation copy = bd_builder_put(m->inner, mlirOperationClone(s->ops[i]));
    if (!copy.ptr) return (MlirValue){NULL};
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(copy); ++k) {
      const MlirValue old = mlirOperationGetOperand(s->ops[i], k);
      const intptr_t row = bd_branches_input(s, old);
      const int maker = bd_branches_place(s, old);
      const MlirValue now = row >= 0 ? add_number(m, row) : maker >= 0 ? copies[maker] : old;
      if (!now.ptr) return now;
      mlirOperationSetOperand(copy, k, now);
    }
    copies[i] = mlirOperationGetResult(copy, 0);
  }
  return copies[last];
}

/* A number for each channel that a term adds; false if it adds none. */
static bool has_row(const bd_branches *s, const bd_branch_term *t) {
  if (!t->is_joined) return false;
  return !is_joined_image(s, t) || (s->is_branch[t->input] && s->branches[t->input].row.ptr);
}

/* Null where all is 0. */
static buddy_code make_row(const bd_branches *s, const bd_branch_sum *of, const bd_branch *whole,
                           MlirValue *out) {
  const MlirType filter = mlirValueGetType(whole->filter);
  const int64_t channels = mlirShapedTypeGetDimSize(filter, 0);
  making m = begin(s, mlirRankedTensorTypeGet(1, &channels, mlirShapedTypeGetElementType(filter),
                                              mlirAttributeGetNull()));
  MlirValue all = {NULL};
  bool is_first = true;
  out->ptr = NULL;
  for (int i = 0; i < of->n; ++i) {
    const bd_branch_term *t = &of->terms[i];
    if (!has_row(s, t)) continue;
    const MlirValue value = is_joined_image(s, t)
                                ? add_operand(&m, s->branches[t->input].row,
                                              mlirAffineMapMultiDimIdentityGet(m.b.context, 1))
                                : copy_of_rows(&m, t->value);
    add_to(&m, &all, multiply(&m, t, wide(&m, value)), &is_first);
  }
  if (!is_first) return end(&m, all, out);
  mlirBlockDestroy(m.body);
  return BUDDY_OK;
}

/* ---- The convolution ------------------------------------------------------------------------- */

/* The row along the channels of the tensor that sums begin in. */
static MlirValue repeat(const bd_branches *s, MlirValue row, const bd_branch *whole) {
  const bd_builder b = bd_builder_before(s->loop);
  const MlirValue before = mlirOperationGetOperand(whole->op, 2);
  const MlirAffineMap identity = mlirAffineMapMultiDimIdentityGet(b.context, RANK);
  intptr_t channels[] = {CHANNELS};
  return bd_build_gathering(b, row, mlirAffineMapGetSubMap(identity, 1, channels),
                            mlirOperationGetOperand(bd_maker_of(before), 1));
}

static buddy_code convolve(const bd_branches *s, const bd_branch_sum *of, const bd_branch *whole,
                           MlirValue *out) {
  MlirValue filter, row, begin_with = mlirOperationGetOperand(whole->op, 2);
  BD_TRY(make_filter(s, of, whole, &filter));
  BD_TRY(make_row(s, of, whole, &row));
  if (row.ptr) begin_with = repeat(s, row, whole);
  const MlirOperation made =
      bd_builder_put(bd_builder_before(s->loop), mlirOperationClone(whole->op));
  if (!begin_with.ptr || !made.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirOperationSetOperand(made, 1, filter);
  mlirOperationSetOperand(made, 2, begin_with);
  *out = mlirOperationGetResult(made, 0);
  return BUDDY_OK;
}

/* ---- The loop -------------------------------------------------------------------------------- */

/* What is left of a sum without the terms that are joined: nothing, or a value, which is null when memory is out. */
typedef struct rest {
  bool is_none;
  MlirValue value;
} rest;

static rest rest_of_operand(const bd_branches *s, const bd_branch_sum *of, const rest *before,
                            MlirValue operand) {
  const int at = bd_branches_place(s, operand);
  if (at >= 0 && of->is_part[at]) return before[at];
  for (int t = 0; t < of->n; ++t) {
    if (of->terms[t].is_joined && mlirValueEqual(of->terms[t].value, operand))
      return (rest){.is_none = true};
  }
  return (rest){false, operand};
}

static rest pair(bd_builder b, const char *name, MlirValue first, MlirValue second) {
  return (rest){false, bd_build_pair(b, name, first, second)};
}

static rest rest_of_part(const bd_branches *s, const bd_branch_sum *of, const rest *before,
                         int part) {
  const MlirOperation op = s->ops[part];
  const bd_builder b = bd_builder_before(s->ops[of->root]);
  const MlirValue operands[] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)};
  if (bd_op_is(op, "arith.mulf")) {
    const int k = bd_branches_multiplied(s, op);
    const rest r = rest_of_operand(s, of, before, operands[k]);
    return r.is_none ? r : pair(b, "arith.mulf", r.value, operands[1 - k]);
  }
  const rest first = rest_of_operand(s, of, before, operands[0]),
             second = rest_of_operand(s, of, before, operands[1]);
  const bool is_sum = bd_op_is(op, "arith.addf");
  if (second.is_none) return first;
  if (!first.is_none)
    return pair(b, is_sum ? "arith.addf" : "arith.subf", first.value, second.value);
  if (is_sum) return second;
  return (rest){false, bd_build_one(b, "arith.negf", second.value, mlirValueGetType(operands[1]))};
}

/* The loop reads `joined` too, as its last input, and no input that its body does not read. */
static void set_inputs(const bd_branches *s, MlirValue joined) {
  MlirValue operands[BD_MAX_OPERANDS + 1];
  MlirAffineMap maps[BD_MAX_OPERANDS + 1];
  intptr_t n = 0;
  for (intptr_t i = 0; i < s->n; ++i) {
    if (!bd_is_used(mlirBlockGetArgument(s->body, n))) {
      mlirBlockEraseArgument(s->body, (unsigned)n);
      continue;
    }
    operands[n] = mlirOperationGetOperand(s->loop, i);
    maps[n++] = bd_map_of(s->loop, i);
  }
  operands[n] = joined;
  operands[n + 1] = mlirOperationGetOperand(s->loop, s->n);
  maps[n] = maps[n + 1] = bd_map_of(s->loop, s->n);
  bd_loops_set_operands(s->loop, operands, maps, n + 2);
}

static void erase_joined(const bd_branches *s, const bd_branch_sum *of) {
  for (int i = 0; i < of->n; ++i) {
    const bd_branch_term *t = &of->terms[i];
    if (is_joined_image(s, t) && s->is_branch[t->input]) bd_op_erase(s->branches[t->input].op);
  }
}

buddy_code bd_branches_replace(const bd_branches *s, const bd_branch_sum *of,
                               const bd_branch *whole) {
  const MlirOperation root = s->ops[of->root];
  const MlirValue result = mlirOperationGetResult(root, 0);
  rest rests[BD_BRANCH_OPS] = {{.is_none = false}};
  MlirValue joined;
  BD_TRY(convolve(s, of, whole, &joined));
  for (int i = 0; i <= of->root; ++i) {
    if (of->is_part[i]) rests[i] = rest_of_part(s, of, rests, i);
  }
  MlirValue all = mlirBlockInsertArgument(s->body, s->n, mlirValueGetType(result),
                                          mlirOperationGetLocation(s->loop));
  if (!rests[of->root].is_none)
    all = bd_build_pair(bd_builder_before(root), "arith.addf", all, rests[of->root].value);
  if (!all.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirValueReplaceAllUsesOfWith(result, all);
  for (int i = s->n_ops - 1; i >= 0; --i) {
    if (!bd_is_used(mlirOperationGetResult(s->ops[i], 0))) bd_op_erase(s->ops[i]);
  }
  set_inputs(s, joined);
  erase_joined(s, of);
  return BUDDY_OK;
}
