// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/steps.c: the text of what lies between two products; see
 * attention.h.
 *
 * Step S's own values are %sS_…: its operands %sS_in_K, what its body computes %sS_op_P, P being
 * the place in the body, and the numbers of a body's operation %sS_number_P_K. The number per row
 * that step S makes is %sS_row. */
#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/attention/blocks.h"
#include "sdk/compile/kernels/notation/notation.h"

/* The step before `before` that is the last to make the number per row of a link. */
static int row_maker(const bd_attention *a, int link, int before) {
  int s = before - 1;
  while (bd_attention_written(&a->steps[s]) != link) --s;
  return s;
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

static const bd_vectors scalars = {NULL, 0, NULL, NULL};

/* The loop of a step, and the names in its body. */
typedef struct body {
  bd_epilogue e;
  bd_epilogue_names names;
  bd_phrase tag, numbers, arguments[BD_MAX_OPERANDS];
} body;

static void read_body(const bd_attention *a, int s, body *out) {
  const bd_attention_step *step = &a->steps[s];
  out->tag = bd_phrase_of("s%d", s);
  out->numbers = bd_phrase_of("s%d_number", s);
  for (int k = 0; k < step->s.n_operands; ++k)
    out->arguments[k] = step->parts[k] == BD_PART_ROW && k < step->s.n_inputs
                            ? bd_phrase_of("s%d_row", row_maker(a, step->places[k], s))
                            : bd_phrase_of("s%d_in_%d", s, k);
  out->e = (bd_epilogue){.op = step->s.op, .product = -1, .numbers = out->numbers.data};
  out->names = (bd_epilogue_names){"", "", out->tag.data, out->arguments};
}

static const char *minus_infinity(MlirType type) {
  return mlirTypeIsAF64(type)    ? "0xFFF0000000000000"
         : mlirTypeIsAF32(type)  ? "0xFF800000"
         : mlirTypeIsABF16(type) ? "0xFF80"
                                 : "0xFC00";
}

void bd_attention_write_numbers(bd_text *text, const bd_attention *a) {
  for (int s = 0; s < a->n_steps; ++s) {
    body b;
    read_body(a, s, &b);
    bd_epilogue_write_numbers(text, &b.e, &scalars);
    if (!a->steps[s].is_reduction) continue;
    const MlirOperation first = bd_maker_of(mlirOperationGetOperand(a->steps[s].fill, 0));
    bd_text_format(text, "  %%s%d_first = arith.constant ", s);
    mlirAttributePrint(bd_op_attribute(first, "value"), bd_text_piece, text);
    bd_text_format(text, "\n");
  }
  for (int m = 0; m < a->n_masks; ++m) {
    const bd_attention_mask *mask = &a->masks[m];
    const MlirType type = mlirValueGetType(mlirOperationGetOperand(mask->user, mask->operand));
    const bool is_float = mlirTypeIsAFloat(type);
    bd_text_format(text, "hiding_%d = %s : %s;", m,
                   is_float      ? minus_infinity(type)
                   : mask->hides ? "true"
                                 : "false",
                   bd_phrase_type(type).data);
  }
}

static void write_index(bd_text *text, const bd_attention_step *step, const body *b,
                        MlirOperation op) {
  static const char *const names[BD_N_OF] = {"batch", "row", "column"};
  const int64_t loop = mlirIntegerAttrGetValueInt(bd_op_attribute(op, "dim"));
  bd_text_format(text, "%s_op_%d = %s;", b->tag.data, bd_epilogue_place(&b->e, op),
                 step->s.sizes[loop] == 1 ? "c0" : names[step->axis[loop]]);
}

/* Reductions may be taken in any order, and the largest is LLVM's intrinsic, as in rewrite/loops.c:
 * LLVM makes vectors of these. */
typedef struct combiner {
  const char *op, *name, *attributes;
} combiner;

static const combiner combiners[] = {
    {"arith.addf", "arith.addf", "fastmath = #arith.fastmath<reassoc,contract>"},
    {"arith.mulf", "arith.mulf", "fastmath = #arith.fastmath<reassoc,contract>"},
    {"arith.maximumf", "llvm.intr.maximum", "fastmathFlags = #llvm.fastmath<nsz>"},
    {"arith.minimumf", "llvm.intr.minimum", "fastmathFlags = #llvm.fastmath<nsz>"}};

/* Null if the operation is not what a reduction adds up with. */
static const combiner *find_combiner(const bd_attention_step *step, MlirOperation op) {
  const MlirOperation yield = mlirBlockGetTerminator(bd_body_of(step->s.op));
  if (!step->is_reduction ||
      !mlirOperationEqual(bd_maker_of(mlirOperationGetOperand(yield, 0)), op))
    return NULL;
  for (size_t i = 0; i < sizeof(combiners) / sizeof(combiners[0]); ++i) {
    if (bd_op_is(op, combiners[i].op)) return &combiners[i];
  }
  return NULL;
}

/* ---- What is too small ----------------------------------------------------------------------- */

/* Beside the largest of its row, whose exponential is 1, one that is no normal number adds nothing that a sum keeps. A
 * mask of -100 makes such of all that it hides, and processors take a hundred times as long with each. They are 0, as in
 * PyTorch's attention: where the score is less than this. */
typedef struct least {
  bool (*is)(MlirType type);
  const char *score; /* of which the exponential is a normal number */
} least;

static const least leasts[] = {{mlirTypeIsAF32, "-87.3365"}, {mlirTypeIsAF64, "-708.3964"}};

static bool has_largest(const bd_attention *a) {
  for (int s = 0; s < a->n_steps; ++s) {
    const MlirOperation yield = mlirBlockGetTerminator(bd_body_of(a->steps[s].s.op)),
                        last = bd_maker_of(mlirOperationGetOperand(yield, 0));
    if (a->steps[s].is_reduction && last.ptr &&
        (bd_op_is(last, "arith.maximumf") || bd_op_is(last, "arith.maxnumf")))
      return true;
  }
  return false;
}

/* Null if the operation is not the exponential of what a score is beyond a number of its row, where there is a largest of
 * each. */
static const least *find_least(const bd_attention *a, const bd_attention_step *step,
                               MlirOperation op) {
  if (!bd_op_is(op, "math.exp")) return NULL;
  const MlirOperation less = bd_maker_of(mlirOperationGetOperand(op, 0));
  if (!less.ptr || !bd_op_is(less, "arith.subf") || !has_largest(a)) return NULL;
  const MlirValue row = mlirOperationGetOperand(less, 1);
  if (!mlirValueIsABlockArgument(row) ||
      step->parts[mlirBlockArgumentGetArgNumber(row)] != BD_PART_ROW)
    return NULL;
  const MlirType type = mlirValueGetType(row);
  for (size_t i = 0; i < sizeof(leasts) / sizeof(leasts[0]); ++i) {
    if (leasts[i].is(type)) return &leasts[i];
  }
  return NULL;
}

static void write_exponential(bd_text *text, const body *b, MlirOperation op, const least *of) {
  bd_text_format(text,
                 "let x = %s_op_%d, s = %s; $x_least = %s : %s; $x_none = $s < $x_least;"
                 "$x = select($x_none, 0.0, exp(select($x_none, $x_least, $s)));",
                 b->tag.data, bd_epilogue_place(&b->e, op),
                 bd_epilogue_operand(&b->e, op, 0, &b->names).data, of->score,
                 bd_phrase_type(mlirValueGetType(mlirOperationGetResult(op, 0))).data);
}

static void write_op(bd_text *text, const bd_attention *a, const bd_attention_step *step,
                     const body *b, MlirOperation op) {
  const combiner *c = find_combiner(step, op);
  const least *of = find_least(a, step, op);
  if (bd_op_is(op, "linalg.index"))
    write_index(text, step, b, op);
  else if (of)
    write_exponential(text, b, op, of);
  else if (c)
    bd_epilogue_write_op_as(text, &b->e, &scalars, op, &b->names, c->name, c->attributes);
  else if (!bd_op_is(op, "arith.constant"))
    bd_epilogue_write_op(text, &b->e, &scalars, op, &b->names);
}

/* The body's operations before `end`. */
static void write_ops(bd_text *text, const bd_attention *a, const bd_attention_step *step,
                      const body *b, MlirOperation end) {
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(step->s.op));
  for (; !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op))
    write_op(text, a, step, b, op);
}

/* ---- Masks ----------------------------------------------------------------------------------- */

/* What of a body its masks are made of: arguments and operations, by their places. */
typedef struct wanted {
  bool arguments[BD_MAX_OPERANDS], ops[BD_ATTENTION_MOST_OPS];
} wanted;

static void want(const bd_attention_step *step, MlirValue value, wanted *out) {
  if (mlirValueIsABlockArgument(value)) {
    out->arguments[mlirBlockArgumentGetArgNumber(value)] = true;
    return;
  }
  const int place = bd_attention_place(step, mlirOpResultGetOwner(value));
  if (place >= 0) out->ops[place] = true;
}

/* From back to front: users come after what they use. */
static wanted wanted_of(const bd_attention *a, int s) {
  const bd_attention_step *step = &a->steps[s];
  MlirOperation ops[BD_ATTENTION_MOST_OPS];
  wanted out = {.arguments = {false}, .ops = {false}};
  int n = 0;
  for (int m = 0; m < a->n_masks; ++m) {
    if (a->masks[m].step == s)
      want(step, mlirOperationGetOperand(a->masks[m].user, a->masks[m].operand), &out);
  }
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(step->s.op));
  for (; mlirOperationGetNumResults(op) > 0 && n < BD_ATTENTION_MOST_OPS; ++n) {
    ops[n] = op;
    op = mlirOperationGetNextInBlock(op);
  }
  while (n-- > 0) {
    for (intptr_t i = 0; out.ops[n] && i < mlirOperationGetNumOperands(ops[n]); ++i)
      want(step, mlirOperationGetOperand(ops[n], i), &out);
  }
  return out;
}

/* Extra K's element at %row and %column. */
static void write_extra(bd_text *text, const bd_attention *a, int s, int k) {
  bd_text_format(text, "s%d_in_%d = extra_%d[row, %s];", s, k, a->steps[s].places[k],
                 a->steps[s].kind == BD_PART_ROW ? "c0" : "column");
}

static void write_masks_of_step(bd_text *text, const bd_attention *a, int s) {
  const bd_attention_step *step = &a->steps[s];
  const wanted all = wanted_of(a, s);
  body b;
  read_body(a, s, &b);
  for (int k = 0; k < step->s.n_inputs; ++k) {
    if (all.arguments[k]) write_extra(text, a, s, k);
  }
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(step->s.op));
  for (int place = 0; op.ptr && place < BD_ATTENTION_MOST_OPS; ++place) {
    if (all.ops[place]) write_op(text, a, step, &b, op);
    op = mlirOperationGetNextInBlock(op);
  }
  for (int m = 0; m < a->n_masks; ++m) {
    const bd_attention_mask *mask = &a->masks[m];
    if (mask->step != s) continue;
    bd_text_format(text, "hidden_%d = %s == hiding_%d;", m,
                   bd_epilogue_operand(&b.e, mask->user, mask->operand, &b.names).data, m);
  }
}

void bd_attention_write_hidden(bd_text *text, const bd_attention *a) {
  for (int s = 0; s < a->n_steps; ++s) write_masks_of_step(text, a, s);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Scores and extras at %row (%r of the block) and %column, which body arguments are. */
static void write_loads(bd_text *text, const bd_attention *a, int s) {
  const bd_attention_step *step = &a->steps[s];
  for (int k = 0; k < step->s.n_inputs; ++k) {
    const int place = step->places[k];
    if (step->parts[k] == BD_PART_SCORES)
      bd_text_format(text, "s%d_in_%d = slot_%d[r, column];", s, k, a->links[place].slot);
    else if (step->parts[k] == BD_PART_EXTRA)
      write_extra(text, a, s, k);
  }
}

static void write_step(bd_text *text, const bd_attention *a, int s) {
  const bd_attention_step *step = &a->steps[s];
  const int last = step->s.n_operands - 1, slot = a->links[bd_attention_written(step)].slot;
  body b;
  read_body(a, s, &b);
  const bd_phrase result = bd_epilogue_result(&b.e, &b.names);
  const char *const made = result.data;
  if (step->is_reduction)
    bd_text_format(text,
                   "let s = %d; s$s_row = for column = c0 to columns carry s$s_in_%d = s$s_first {",
                   s, last);
  else if (step->kind == BD_PART_SCORES)
    bd_text_format(text, "for column = c0 to columns {");
  write_loads(text, a, s);
  write_ops(text, a, step, &b, mlirBlockGetTerminator(bd_body_of(step->s.op)));
  if (step->kind == BD_PART_ROW)
    bd_text_format(text, "s%d_row = select(always, %s, %s);", s, made, made);
  else if (step->is_reduction)
    bd_text_format(text, "yield %s; }", made);
  else
    bd_text_format(text, "store(%s, slot_%d[r, column]); }", made, slot);
}

/* The number per row of a late step, to %late[%r]: of its body, what does not come of the scores. */
static void write_late_number(bd_text *text, const bd_attention *a) {
  const bd_attention_step *step = &a->steps[a->n_steps - 1];
  const MlirOperation late = bd_attention_late_op(step);
  body b;
  read_body(a, a->n_steps - 1, &b);
  write_ops(text, a, step, &b, late);
  bd_text_format(text, "store(%s, late[r]);", bd_epilogue_operand(&b.e, late, 1, &b.names).data);
}

void bd_attention_write_steps(bd_text *text, const bd_attention *a) {
  const int n = a->n_steps - a->is_late;
  for (int s = 0; s < n; ++s) write_step(text, a, s);
  if (a->is_late) write_late_number(text, a);
}

void bd_attention_write_late(bd_text *text, const bd_attention *a) {
  const MlirOperation late = bd_attention_late_op(&a->steps[a->n_steps - 1]);
  const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(late));
  bd_text_format(text, "  %%to = %.*s %%from, %%number : %s\n", (int)name.length, name.data,
                 bd_phrase_type(bd_element_of(&a->c[1], BD_C)).data);
}
