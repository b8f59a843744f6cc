// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/attention.c: finding what lies between two products (attention.h). */
#include "sdk/compile/kernels/attention/attention.h"

#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/rewrite/constancy.h"

/* A row of few columns is no score. */
enum { LEAST_COLUMNS = 16 };

/* ---- The products ---------------------------------------------------------------------------- */

/* Scores lie batch after batch, row after row, in operand `which` of the product, whose loops
 * around the matrices all walk along them. */
static bool has_scores(const bd_contraction *c, int which) {
  const bd_operand *scores = bd_operand_of(c, which);
  const bd_group *columns = which == BD_C ? &c->n : &c->k;
  if (!bd_memref_is_dense(scores->type) || bd_group_stride(scores, columns) != 1 ||
      bd_group_stride(scores, &c->m) != bd_group_size(c, columns))
    return false;
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    if (!c->is_inside[loop] && scores->axis[loop] < 0) return false;
  }
  return true;
}

/* Rounds of the loops around the matrices. */
static int64_t count_outer(const bd_contraction *c) {
  int64_t n = 1;
  for (int loop = 0; loop < c->s.n_loops; ++loop) n *= c->is_inside[loop] ? 1 : c->s.sizes[loop];
  return n;
}

/* A size along the operand that is no scores, and how far apart its rows are. */
static bool is_known(const bd_attention *a, const bd_contraction *c, int which, const bd_group *g) {
  return !bd_extents_is_unknown(&a->extents, bd_group_size(c, g)) &&
         !bd_extents_is_unknown(&a->extents, bd_group_stride(bd_operand_of(c, which), &c->m));
}

/* Of those that are not known, numbers stand for their products. */
static bool has_sizes(bd_contraction *c, bd_attention *a) {
  double all = 1;
  if (!bd_extents_resolve(&a->extents, &c->s)) return false;
  for (int loop = 0; loop < c->s.n_loops; ++loop) all *= (double)c->s.sizes[loop];
  return all > 0 && all < 0x1p60 && bd_group_size(c, &c->m) < INT32_MAX &&
         bd_group_size(c, &c->n) < INT32_MAX && bd_group_size(c, &c->k) < INT32_MAX;
}

/* Floats of one width but for B's, zeros to begin with, and sizes that are known but for those of the scores
 * and of the batches. */
static int read_product(MlirOperation op, int which, bd_attention *a, bd_contraction *c,
                        bd_beginning *out_begin) {
  if (!mlirLinalgIsAContractionOp(op) || !bd_contraction_read(op, c) || c->has_outer_sum ||
      !has_sizes(c, a))
    return 0;
  const MlirType element = bd_element_of(c, BD_C);
  if ((!mlirTypeIsAF32(element) && !mlirTypeIsAF64(element)) ||
      !mlirTypeEqual(element, bd_element_of(c, BD_A)) ||
      (!mlirTypeEqual(element, bd_element_of(c, BD_B)) && !bd_narrow_element_of(c)) ||
      !has_scores(c, which) || bd_group_stride(bd_operand_of(c, BD_A), &c->k) != 1)
    return 0;
  *out_begin = bd_beginning_find(op, bd_operand_of(c, BD_C)->value, -1);
  return out_begin->begin == BD_BEGIN_ZERO && out_begin->op.ptr;
}

static int read_first(MlirOperation op, const bd_prepacking *prepacking, bd_attention *a) {
  bd_contraction *c = &a->c[0];
  if (!read_product(op, BD_C, a, c, &a->begin[0]) || !is_known(a, c, BD_A, &c->k) ||
      bd_is_steady(prepacking, bd_operand_of(c, BD_B)->value) ||
      !bd_extents_read_geometry(&a->extents, bd_operand_of(c, BD_A)->value, &a->a) ||
      !bd_extents_read_geometry(&a->extents, bd_operand_of(c, BD_B)->value, &a->b[0]))
    return 0;
  a->sizes[BD_OF_COLUMN] = bd_group_size(c, &c->n);
  a->sizes[BD_OF_ROW] = bd_group_size(c, &c->m);
  a->sizes[BD_OF_BATCH] = count_outer(c);
  return a->sizes[BD_OF_COLUMN] >= LEAST_COLUMNS;
}

/* Of the rows of its first product `rows` are a batch of what lies between; 0: all are. False if
 * these are neither enough to have operands packed for them, nor few. */
static bool set_rows(bd_attention *a, int64_t rows) {
  const int64_t all = a->sizes[BD_OF_ROW];
  if (rows == 0) rows = all;
  if (all % rows != 0) return false;
  a->is_few = rows < BD_LEAST_ROWS;
  if (a->is_few && all > BD_MOST_FEW) return false; /* or a number that only a run knows */
  a->shared = all / rows;
  a->sizes[BD_OF_BATCH] *= all / rows;
  a->sizes[BD_OF_ROW] = rows;
  return true;
}

/* Reshapes are no views of known geometry, but their elements are those of another buffer. */
static MlirValue memory_of(MlirValue value) {
  value = bd_base_of(value);
  while (bd_is_made_by(value, "memref.reshape"))
    value = bd_base_of(mlirOperationGetOperand(bd_maker_of(value), 0));
  return value;
}

static bool is_read_too(const bd_attention *a, MlirValue buffer) {
  const MlirValue memory = memory_of(buffer);
  bool is_read = mlirValueEqual(memory, memory_of(a->a.base)) ||
                 mlirValueEqual(memory, memory_of(a->b[0].base)) ||
                 (a->b[1].base.ptr && mlirValueEqual(memory, memory_of(a->b[1].base)));
  for (int k = 0; k < a->extras.n; ++k)
    is_read |= mlirValueEqual(memory, memory_of(a->extras.extras[k].buffer));
  return is_read;
}

static int find_link(const bd_attention *a, MlirValue buffer) {
  for (int i = 0; i < a->n_links; ++i) {
    if (mlirValueEqual(a->links[i].buffer, buffer)) return i;
  }
  return -1;
}

static int64_t count_rows(const bd_attention *a) {
  return a->sizes[BD_OF_BATCH] * a->sizes[BD_OF_ROW];
}

static int read_second(MlirOperation op, const bd_prepacking *prepacking, bd_attention *a) {
  bd_contraction *c = &a->c[1];
  if (!read_product(op, BD_A, a, c, &a->begin[1]) || !is_known(a, c, BD_C, &c->n) ||
      bd_is_steady(prepacking, bd_operand_of(c, BD_B)->value) ||
      bd_group_size(c, &c->k) != a->sizes[BD_OF_COLUMN] ||
      count_outer(c) * bd_group_size(c, &c->m) != count_rows(a) ||
      bd_group_size(c, &c->m) % a->sizes[BD_OF_ROW] != 0 ||
      !mlirTypeEqual(bd_element_of(c, BD_A), bd_element_of(&a->c[0], BD_A)) ||
      !bd_extents_read_geometry(&a->extents, bd_operand_of(c, BD_B)->value, &a->b[1]) ||
      !bd_extents_read_geometry(&a->extents, bd_operand_of(c, BD_C)->value, &a->out))
    return 0;
  if (a->is_few && !bd_attention_can_be_few(a)) return 0;
  return find_link(a, a->b[1].base) < 0 && !is_read_too(a, a->out.base);
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static int add_link(bd_attention *a, MlirValue buffer, bool is_row) {
  if (a->n_links == BD_MAX_CHAIN || !bd_is_made_by(buffer, "memref.alloc")) return 0;
  const MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(buffer));
  a->links[a->n_links++] = (bd_attention_link){buffer, element, is_row, -1, -1};
  return 1;
}

static int touches_links(const bd_attention *a, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirTypeIsAMemRef(mlirValueGetType(operand)) && find_link(a, bd_base_of(operand)) >= 0)
      return 1;
  }
  return 0;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* What lies where the scores lie, or the numbers per row. */
static bool is_walked(const bd_attention *a, const bd_extra *e, bool is_row) {
  const int64_t columns = is_row ? 1 : a->sizes[BD_OF_COLUMN];
  const int64_t strides[] = {a->sizes[BD_OF_ROW] * columns, columns, is_row ? 0 : 1};
  for (int axis = 0; axis < BD_N_OF; ++axis) {
    if (a->sizes[axis] > 1 && e->strides[axis] != strides[axis]) return false;
  }
  return e->offset == 0 && e->inner == 0;
}

/* Where the operand of a flat step lies: all of a buffer, from front to back. */
static int read_flat(bd_attention *a, const bd_attention_step *step, int i, bd_extra *out) {
  const bd_operand *o = &step->s.operands[i];
  const int64_t columns = step->kind == BD_PART_ROW ? 1 : a->sizes[BD_OF_COLUMN];
  bd_geometry g;
  if (!bd_is_element_by_element(&step->s, i) || !bd_memref_is_dense(o->type) ||
      !bd_extents_read_geometry(&a->extents, o->value, &g))
    return 0;
  *out = (bd_extra){.argument = i, .buffer = g.base, .type = mlirValueGetType(g.base)};
  out->offset = g.offset;
  out->strides[BD_OF_BATCH] = a->sizes[BD_OF_ROW] * columns;
  out->strides[BD_OF_ROW] = columns;
  out->strides[BD_OF_COLUMN] = step->kind == BD_PART_ROW ? 0 : 1;
  return 1;
}

static int read_operand(bd_attention *a, bd_attention_step *step, int i) {
  const bool is_output = i >= step->s.n_inputs;
  const bool is_row = step->kind == BD_PART_ROW || step->is_reduction;
  bd_extra e;
  if (step->s.operands[i].rank < 0 ||
      !(step->is_flat ? read_flat(a, step, i, &e)
                      : bd_extra_read_axes(&step->s, i, step->axis, &a->extents, &e)))
    return 0;
  int place = find_link(a, e.buffer);
  if (place < 0 && is_output) {
    if (!add_link(a, e.buffer, is_row)) return 0;
    place = a->n_links - 1;
  }
  step->places[i] = place;
  if (place >= 0) {
    step->parts[i] = a->links[place].is_row ? BD_PART_ROW : BD_PART_SCORES;
    if (!is_output) a->links[place].last_read = a->n_steps;
    return (!is_output || a->links[place].is_row == is_row) &&
           is_walked(a, &e, a->links[place].is_row);
  }
  if (a->extras.n == BD_MAX_EXTRAS) return 0;
  step->parts[i] = BD_PART_EXTRA;
  step->places[i] = a->extras.n;
  a->extras.extras[a->extras.n++] = e;
  return 1;
}

/* An index of a loop that is a whole axis, or has one round. */
static bool is_known_index(const bd_attention *a, const bd_attention_step *step, MlirOperation op) {
  const int64_t loop = mlirIntegerAttrGetValueInt(bd_op_attribute(op, "dim"));
  if (step->is_flat) return false;
  return step->s.sizes[loop] == 1 || step->s.sizes[loop] == a->sizes[step->axis[loop]];
}

/* Arithmetic of numbers and of what the step has; what there was of the result is read by
 * reductions alone. */
static bool has_plain_body(const bd_attention *a, const bd_attention_step *step) {
  const MlirBlock body = bd_body_of(step->s.op);
  const MlirValue old = mlirBlockGetArgument(body, step->s.n_operands - 1);
  if (!step->is_reduction && bd_is_used(old)) return false;
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    const bool is_index = bd_op_is(op, "linalg.index");
    if (!is_index && !bd_op_starts_with(op, "arith.") && !bd_op_starts_with(op, "math.") &&
        !bd_op_is(op, "linalg.yield"))
      return false;
    if (is_index && !is_known_index(a, step, op)) return false;
    if (mlirOperationGetNumResults(op) > 1 || mlirOperationGetNumRegions(op) != 0) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      if (!bd_is_of_body(mlirOperationGetOperand(op, i), body)) return false;
    }
  }
  return true;
}

/* What the step goes over. Reductions go along the columns and nothing else. */
static int read_loops(const bd_attention *a, bd_attention_step *step) {
  int64_t rounds = 1, reduced = 1;
  for (int loop = 0; loop < step->s.n_loops; ++loop) {
    if (step->s.sizes[loop] <= 0 || rounds > INT64_MAX / step->s.sizes[loop]) return 0;
    rounds *= step->s.sizes[loop];
    if (!step->s.is_parallel[loop]) reduced *= step->s.sizes[loop];
  }
  const int64_t rows = count_rows(a), columns = a->sizes[BD_OF_COLUMN];
  step->is_reduction = reduced > 1;
  step->kind = rounds == rows * columns ? BD_PART_SCORES : BD_PART_ROW;
  const int64_t sizes[] = {a->sizes[BD_OF_BATCH], a->sizes[BD_OF_ROW],
                           step->kind == BD_PART_ROW ? 1 : columns};
  if ((step->kind == BD_PART_ROW && rounds != rows) || (step->is_reduction && reduced != columns))
    return 0;
  if (!bd_axes_assign(&step->s, sizes, step->axis)) {
    step->is_flat = true;
    return !step->is_reduction;
  }
  for (int loop = 0; loop < step->s.n_loops; ++loop) {
    if (step->s.sizes[loop] > 1 &&
        !step->s.is_parallel[loop] != (step->is_reduction && step->axis[loop] == BD_OF_COLUMN))
      return 0;
  }
  return 1;
}

static int add_step(MlirOperation op, bd_attention *a) {
  if (a->n_steps == BD_MAX_STEPS || !bd_op_is(op, "linalg.generic")) return 0;
  bd_attention_step *step = &a->steps[a->n_steps];
  *step = (bd_attention_step){.fill = {NULL}};
  if (!bd_structured_read(op, &step->s) || step->s.n_inputs != step->s.n_operands - 1 ||
      !bd_extents_resolve(&a->extents, &step->s) || !read_loops(a, step))
    return 0;
  const int n_links = a->n_links;
  for (int i = 0; i < step->s.n_operands; ++i) {
    if (!read_operand(a, step, i)) return 0;
  }
  if (step->is_reduction) {
    if (bd_attention_written(step) != n_links) return 0; /* it begins with what others left */
    step->fill = bd_fill_before(op, a->links[n_links].buffer);
    if (!step->fill.ptr || !bd_is_made_by(mlirOperationGetOperand(step->fill, 0), "arith.constant"))
      return 0;
  }
  if (!has_plain_body(a, step)) return 0;
  ++a->n_steps;
  return 1;
}

/* ---- The way from one product to the other --------------------------------------------------- */

/* True if the operation leaves alone what the loop reads, where the second product is. */
static bool is_beside(const bd_attention *a, MlirOperation op) {
  const intptr_t first = bd_first_written(op);
  if (first < 0) return false;
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirTypeIsAMemRef(mlirValueGetType(operand)) && is_read_too(a, operand)) return false;
  }
  return true;
}

static bool is_part_of(const bd_attention *a, MlirOperation op) {
  bool is_part = false;
  for (int i = 0; i < 2; ++i)
    is_part |= mlirOperationEqual(op, a->c[i].s.op) || mlirOperationEqual(op, a->begin[i].op);
  for (int i = 0; i < a->n_steps; ++i)
    is_part |= mlirOperationEqual(op, a->steps[i].s.op) || mlirOperationEqual(op, a->steps[i].fill);
  return is_part;
}

/* Nothing else has to do with the buffer or its views. */
static bool is_private(const bd_attention *a, MlirValue buffer) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (bd_op_is_view(user) ? !is_private(a, mlirOperationGetResult(user, 0))
                            : !is_part_of(a, user))
      return false;
  }
  return true;
}

/* Scores share a block of memory where one is no longer read when the next is written. */
static int assign_slots(bd_attention *a) {
  int owner[BD_MAX_SLOTS];
  for (int i = 0; i < a->n_links; ++i) {
    bd_attention_link *link = &a->links[i];
    int slot = 0, made_at = -1;
    if (link->is_row) continue;
    for (int step = a->n_steps - 1; step >= 0; --step) {
      if (bd_attention_written(&a->steps[step]) == i) made_at = step;
    }
    while (slot < a->n_slots && (a->links[owner[slot]].last_read > made_at ||
                                 !mlirTypeEqual(a->slots[slot], link->element)))
      ++slot;
    if (slot == BD_MAX_SLOTS) return 0;
    if (slot == a->n_slots) a->slots[a->n_slots++] = link->element;
    owner[slot] = i;
    link->slot = slot;
  }
  return 1;
}

/* What the operation's body yields, before it is rounded. */
static MlirValue made_by(MlirOperation op) {
  const MlirValue made = mlirOperationGetOperand(mlirBlockGetTerminator(bd_body_of(op)), 0);
  if (!bd_attention_is_rounded(op)) return made;
  const MlirValue halves = mlirOperationGetOperand(bd_maker_of(made), 0);
  return bd_is_made_by(halves, "arith.truncf") ? mlirOperationGetOperand(bd_maker_of(halves), 0)
                                               : made;
}

MlirOperation bd_attention_late_op(const bd_attention_step *step) {
  return bd_maker_of(made_by(step->s.op));
}

bool bd_attention_has_index(const bd_attention_step *step) {
  return bd_ops_exist(step->s.op, "linalg.index");
}

/* What the last step does with what the second product reads, its first operand, is one multiplication or division by a
 * number per row; all else in its body makes that number, and asks for no index. */
static bool is_late(const bd_attention *a) {
  const bd_attention_step *step = &a->steps[a->n_steps - 1];
  const MlirValue score = mlirBlockGetArgument(bd_body_of(step->s.op), 0);
  const MlirOperation op = bd_attention_late_op(step);
  if (step->kind != BD_PART_SCORES || step->is_reduction || step->s.n_inputs < 2 || !op.ptr ||
      bd_attention_has_index(step) || (!bd_op_is(op, "arith.divf") && !bd_op_is(op, "arith.mulf")))
    return false;
  for (int k = 0; k < step->s.n_inputs; ++k) {
    if (step->parts[k] != (k == 0 ? BD_PART_SCORES : BD_PART_ROW)) return false;
  }
  const MlirType element = bd_element_of(&a->c[1], BD_C);
  return mlirValueEqual(mlirOperationGetOperand(op, 0), score) && bd_only_user(score).ptr &&
         mlirTypeEqual(mlirValueGetType(score), element);
}

static int finish(bd_attention *a) {
  const int last = find_link(a, bd_base_of(bd_operand_of(&a->c[1], BD_A)->value));
  bool has_reduction = false;
  for (int i = 0; i < a->n_steps; ++i) has_reduction |= a->steps[i].is_reduction;
  if (last < 0 || a->links[last].is_row || !has_reduction) return 0;
  a->links[last].last_read = a->n_steps;
  for (int i = 0; i < a->n_links; ++i) {
    if (!is_private(a, a->links[i].buffer) || bd_extents_are_of(&a->extents, a->links[i].buffer))
      return 0;
  }
  a->is_late = bd_attention_written(&a->steps[a->n_steps - 1]) == last && is_late(a);
  if (!assign_slots(a)) return 0;
  bd_attention_find_limit(a);
  bd_attention_choose_words(a);
  return 1;
}

/* Heads that share keys are rows of one product, and batches of the mask: the loops of the step
 * that cannot be read tell how many rows a batch has there, fewer than it was taken to have. 0 if
 * there are none. */
static int64_t rows_between(const bd_attention *a) {
  int64_t rows = 1, columns = 1;
  const bd_attention_step *step = &a->steps[a->n_steps];
  for (int loop = step->s.n_loops - 1; loop >= 0; --loop) {
    const int64_t size = step->s.sizes[loop];
    if (columns < a->sizes[BD_OF_COLUMN])
      columns *= size;
    else if (size > 0 && rows * size < a->sizes[BD_OF_ROW] &&
             a->sizes[BD_OF_ROW] % (rows * size) == 0)
      rows *= size;
    else
      break;
  }
  return columns == a->sizes[BD_OF_COLUMN] && rows < a->sizes[BD_OF_ROW] ? rows : 0;
}

static int walk(const bd_prepacking *prepacking, bd_attention *a) {
  MlirOperation at = mlirOperationGetNextInBlock(a->c[0].s.op);
  for (; at.ptr; at = mlirOperationGetNextInBlock(at)) {
    if (bd_op_is_view(at)) continue;
    if (!touches_links(a, at)) {
      if (!is_beside(a, at)) return 0;
    } else if (mlirLinalgIsAContractionOp(at)) {
      return a->n_steps > 0 && read_second(at, prepacking, a) && finish(a);
    } else if (!add_step(at, a)) {
      return 0;
    }
  }
  return 0;
}

int bd_attention_find(MlirOperation product, const bd_prepacking *prepacking, bd_attention *out) {
  int64_t rows = 0;
  for (;;) {
    memset(out, 0, sizeof(*out));
    out->machine = prepacking->machine;
    out->extras.extents = &out->extents;
    if (!read_first(product, prepacking, out) || !set_rows(out, rows)) return 0;
    if (!add_link(out, bd_base_of(bd_operand_of(&out->c[0], BD_C)->value), 0)) return 0;
    if (walk(prepacking, out)) return 1;
    rows = out->n_steps < BD_MAX_STEPS ? rows_between(out) : 0;
    if (rows == 0) return 0;
  }
}
