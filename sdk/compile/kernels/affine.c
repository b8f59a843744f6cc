// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/affine.c: finding what scales and shifts channels, and doing it to the
 * filter. */
#include "sdk/compile/kernels/affine.h"

#include <stdbool.h>

#include "sdk/compile/kernels/arguments.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/rewrite/constancy.h"

/* ---- The body -------------------------------------------------------------------------------- */

/* Bits stand for the operations of a body, by their places. */
enum { MAX_OPS = 64 };

typedef struct body {
  MlirBlock block;
  MlirOperation ops[MAX_OPS]; /* but for what ends it */
  MlirOperation yield;
  int n;
} body;

static int read_body(const bd_epilogue *e, body *b) {
  b->block = bd_body_of(e->op);
  b->yield = mlirBlockGetTerminator(b->block);
  b->n = 0;
  MlirOperation op = mlirBlockGetFirstOperation(b->block);
  for (; !mlirOperationEqual(op, b->yield); op = mlirOperationGetNextInBlock(op)) {
    if (b->n == MAX_OPS) return 0;
    b->ops[b->n++] = op;
  }
  return 1;
}

/* The bit of the operation that makes a value; 0 if it is none of the body's. */
static uint64_t bit_of(const body *b, MlirValue value) {
  const MlirOperation maker = bd_maker_of(value);
  for (int i = 0; i < b->n && maker.ptr; ++i) {
    if (mlirOperationEqual(b->ops[i], maker)) return (uint64_t)1 << i;
  }
  return 0;
}

/* What the operation needs, but for how `known` is made. */
static uint64_t needs_of(const body *b, MlirOperation op, MlirValue known) {
  uint64_t needs = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mlirValueEqual(operand, known)) needs |= bit_of(b, operand);
  }
  return needs;
}

/* These, and what they need in turn. */
static uint64_t with_needs(const body *b, uint64_t ops, MlirValue known) {
  for (int i = b->n - 1; i >= 0; --i) {
    if ((ops >> i & 1) != 0) ops |= needs_of(b, b->ops[i], known);
  }
  return ops;
}

/* ---- The steps ------------------------------------------------------------------------------- */

static const bd_extra *extra_of(const bd_epilogue *e, int argument) {
  int k = 0;
  while (k < e->n && e->extras[k].argument != argument) ++k;
  return k < e->n ? &e->extras[k] : NULL;
}

/* True of numbers, and of what constants say for each column. */
static bool is_steady(const bd_epilogue *e, const body *b, const bd_prepacking *prepacking,
                      MlirValue value, uint64_t steady) {
  if (!mlirValueIsABlockArgument(value)) {
    const uint64_t bit = bit_of(b, value);
    return bit == 0 ? bd_is_steady(prepacking, value) : (steady & bit) != 0;
  }
  const bd_extra *extra = extra_of(e, (int)mlirBlockArgumentGetArgNumber(value));
  return extra && extra->is_row && bd_is_steady(prepacking, extra->buffer);
}

static uint64_t find_steady(const bd_epilogue *e, const body *b, const bd_prepacking *prepacking) {
  uint64_t steady = 0;
  for (int i = 0; i < b->n; ++i) {
    bool is_one = true;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(b->ops[i]); ++k)
      is_one &= is_steady(e, b, prepacking, mlirOperationGetOperand(b->ops[i], k), steady);
    if (is_one) steady |= (uint64_t)1 << i;
  }
  return steady;
}

typedef enum step { STEP_NONE, STEP_ADD, STEP_SUB, STEP_FROM, STEP_MUL, STEP_DIV, STEP_NEG } step;

/* at: which operand x is. */
static step step_of(MlirOperation op, intptr_t at) {
  if (bd_op_is(op, "arith.addf")) return STEP_ADD;
  if (bd_op_is(op, "arith.subf")) return at == 0 ? STEP_SUB : STEP_FROM;
  if (bd_op_is(op, "arith.mulf")) return STEP_MUL;
  if (bd_op_is(op, "arith.divf") && at == 0) return STEP_DIV;
  return bd_op_is(op, "arith.negf") ? STEP_NEG : STEP_NONE;
}

/* Steps while each value has one user, whose other operand is steady; the last value. */
static MlirValue find_steps(const bd_epilogue *e, const body *b, const bd_prepacking *prepacking,
                            bd_affine *out) {
  const uint64_t steady = find_steady(e, b, prepacking);
  MlirValue x = mlirBlockGetArgument(b->block, e->product);
  while (out->n < BD_MAX_STEPS) {
    const MlirOperation user = bd_only_user(x);
    if (!user.ptr) break;
    const intptr_t at = mlirOpOperandGetOperandNumber(mlirValueGetFirstUse(x));
    const step s = step_of(user, at);
    if (s == STEP_NONE ||
        (s != STEP_NEG &&
         !is_steady(e, b, prepacking, mlirOperationGetOperand(user, 1 - at), steady)))
      break;
    out->has_scale |= s != STEP_ADD && s != STEP_SUB;
    out->steps[out->n++] = user;
    x = mlirOperationGetResult(user, 0);
  }
  return x;
}

/* ---- Taking ---------------------------------------------------------------------------------- */

static int uses_argument(MlirOperation op, int argument) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirValueIsABlockArgument(operand) && mlirBlockArgumentGetArgNumber(operand) == argument)
      return 1;
  }
  return 0;
}

/* Leaves of the epilogue these operations alone, and the extras that they read. */
static void reduce(bd_epilogue *e, const body *b, uint64_t ops) {
  int n = 0;
  e->skipped = ~ops;
  for (int k = 0; k < e->n; ++k) {
    bool is_read = uses_argument(b->yield, e->extras[k].argument) && e->sum.ptr;
    for (int i = 0; i < b->n; ++i)
      is_read |= (ops >> i & 1) != 0 && uses_argument(b->ops[i], e->extras[k].argument);
    if (is_read) e->extras[n++] = e->extras[k];
  }
  e->n = n;
}

bd_affine bd_affine_take(bd_epilogue *epilogue, const bd_beginning *begin,
                         const bd_prepacking *prepacking) {
  const bd_affine none = {.map = {.op = {NULL}}};
  bd_affine a = none;
  body b;
  const bool has_row = begin->begin == BD_BEGIN_ROW;
  if (!epilogue->op.ptr || begin->begin == BD_BEGIN_OLD || !read_body(epilogue, &b) ||
      (has_row && !bd_is_steady(prepacking, begin->row)))
    return none;
  const MlirValue sum = find_steps(epilogue, &b, prepacking, &a);
  if (a.n == 0) return none;
  uint64_t steps = 0;
  for (int i = 0; i < a.n; ++i) steps |= bit_of(&b, mlirOperationGetResult(a.steps[i], 0));
  a.map = *epilogue;
  reduce(&a.map, &b, with_needs(&b, steps, (MlirValue){NULL}));
  a.row = has_row ? begin->row : (MlirValue){NULL};
  const MlirValue result = mlirOperationGetOperand(b.yield, 0);
  if (mlirValueEqual(result, sum)) {
    *epilogue = (bd_epilogue){.op = {NULL}};
    return a;
  }
  epilogue->sum = sum;
  reduce(epilogue, &b, with_needs(&b, needs_of(&b, b.yield, sum), sum));
  return a;
}

int bd_affine_prepacked_rows(const bd_affine *a) { return !a->map.op.ptr ? 0 : 1 + a->has_scale; }

/* ---- The function ---------------------------------------------------------------------------- */

static void add_all(bd_arguments *all, const bd_affine *a, const bd_panels *p) {
  for (int k = 0; k < a->map.n; ++k)
    bd_arguments_add(all, "*base_%d at_%d=%lld", k, k, (long long)a->map.extras[k].offset);
  if (a->row.ptr) bd_arguments_add(all, "*began=began_base");
  bd_arguments_add(all, "*shifts_base=kept_row_0_point n_columns=%lld last=%lld",
                   (long long)bd_panels_columns(p), (long long)p->n - 1);
  if (!a->has_scale) return;
  bd_arguments_add(
      all,
      "*scales_base=kept_row_1_point *panels_base=panels_point n_panels=%lld width=%d panel=%lld",
      (long long)bd_panels_count(p), bd_panels_width(p),
      (long long)(bd_panels_width(p) * bd_panels_depth_of_panel(p)));
}

/* %scale_I and %shift_I of those of the step before: a and b of a·x + b. */
static void write_step(bd_text *text, const bd_affine *a, int i, const bd_epilogue_names *names) {
  /* With the step before's as s and b, and the other operand as y. */
  static const char *const texts[][2] = {
      [STEP_ADD] = {"$s * one", "$b + $y"}, [STEP_SUB] = {"$s * one", "$b - $y"},
      [STEP_FROM] = {"neg($s)", "$y - $b"}, [STEP_MUL] = {"$s * $y", "$b * $y"},
      [STEP_DIV] = {"$s / $y", "$b / $y"},  [STEP_NEG] = {"neg($s)", "neg($b)"}};
  const MlirOperation op = a->steps[i];
  const MlirValue x = i > 0 ? mlirOperationGetResult(a->steps[i - 1], 0)
                            : mlirBlockGetArgument(mlirOperationGetBlock(op), a->map.product);
  const intptr_t at = mlirValueEqual(mlirOperationGetOperand(op, 0), x) ? 0 : 1;
  const step s = step_of(op, at);
  const bd_phrase other =
      s == STEP_NEG ? bd_phrase_of("none") : bd_epilogue_operand(&a->map, op, 1 - at, names);
  bd_text_format(text, "let i = %d; let s = scale_$i, b = shift_$i, y = %s;", i, other.data);
  bd_text_format(text, "scale_$(i + 1) = %s; shift_$(i + 1) = %s;", texts[s][0], texts[s][1]);
}

static void write_loads(bd_text *text, const bd_affine *a) {
  for (int k = 0; k < a->map.n; ++k)
    bd_text_format(text, "let k = %d; from_$k = at_$k + %s; of_row_$k = extra_$k[from_$k];", k,
                   a->map.extras[k].is_spread ? "c0" : "f");
  bd_text_format(text, "scale_0 = one + nought; shift_0 = %s;",
                 a->row.ptr ? "began_row[f]" : "nought + nought");
}

/* For all columns; those that are not there are like the last. */
static void write_columns(bd_text *text, const bd_affine *a, const bd_panels *p) {
  const bd_vectors scalars = {p->element->name, 0, NULL, NULL};
  const bd_epilogue_names names = {"none", "of_row", "of_place", NULL};
  bd_text_format(text,
                 "for column = c0 to n_columns {"
                 "f = min(column, last);");
  write_loads(text, a);
  bd_epilogue_write_numbers(text, &a->map, &scalars);
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(a->steps[0]));
  for (int i = 0, done = 0; done < a->n; op = mlirOperationGetNextInBlock(op), ++i) {
    if ((a->map.skipped >> i & 1) != 0 || bd_op_is(op, "arith.constant")) continue;
    if (mlirOperationEqual(op, a->steps[done]))
      write_step(text, a, done++, &names);
    else
      bd_epilogue_write_op(text, &a->map, &scalars, op, &names);
  }
  bd_text_format(text, "store(shift_%d, shifts[column]);", a->n);
  if (a->has_scale) bd_text_format(text, "store(scale_%d, scales[column]);", a->n);
  bd_text_format(text, "}");
}

static void write_panels(bd_text *text, const bd_panels *p) {
  bd_text_format(text,
                 "let l = %d; n_lanes = $l;"
                 "for j = c0 to n_panels { first = j * panel; first_column = j * width;"
                 "for row = c0 to panel by width { row_at = first + row;"
                 "for lane = c0 to width by n_lanes { at = row_at + lane; of = first_column + lane;"
                 "was = load(panels[at], l); by = load(scales[of], l); store(was * by, panels[at]);"
                 "} } }",
                 p->lanes);
}

static void write_function(bd_text *text, const bd_affine *a, const bd_panels *p,
                           const bd_arguments *all) {
  const char *const element = p->element->name;
  bd_arguments_write_head(text, all, element, ", passthrough = [\"noinline\"]");
  bd_text_format(text,
                 "one = 1.0 : %s; nought = 0.0 : %s; each k to %d { extra_$k = whole(base_$k); }"
                 "%s shifts = whole(shifts_base); %s",
                 element, element, a->map.n, a->row.ptr ? "began_row = whole(began);" : "",
                 a->has_scale ? "scales = whole(scales_base); panels = whole(panels_base);" : "");
  write_columns(text, a, p);
  if (a->has_scale) write_panels(text, p);
  bd_text_format(text, "return\n}\n");
}

/* ---- The kernel ------------------------------------------------------------------------------ */

void bd_affine_write(bd_text *text, const bd_affine *a, const bd_panels *p, bd_kernels *kernels) {
  bd_arguments all = {.extents = NULL};
  bd_text function = {.data = NULL};
  if (!a->map.op.ptr) return;
  bd_text_format(text, "each k to %d { base_$k = base(a$k); } %s", a->map.n,
                 a->row.ptr ? "began_base = base(began);" : "");
  add_all(&all, a, p);
  write_function(&function, a, p, &all);
  bd_arguments_write_call(text, &all, &function, "affine", "affine", kernels);
}
