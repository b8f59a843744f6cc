// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/copies.c: copies become kernels, and the text of those that transpose, block by block.
 *
 * Axes that follow one another without gaps in both buffers, in the same order, are gone through as one: the loops of
 * the kernel are such runs of axes. */
#include "sdk/compile/kernels/copies.h"

#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/structured.h"

enum { LEAST_SIZE = 8, LEAST_ELEMENTS = 1024 };

/* ---- Loops ---- */

typedef struct run {
  int first, last; /* axes of `to` */
  int64_t size;    /* -1: not known now */
} run;

typedef struct runs {
  const bd_transposition *t;
  int block_rows, block_columns; /* of `from`: what a round of the loop transposes */
  int64_t from[BD_MAX_RANK],
      to[BD_MAX_RANK]; /* strides, each along its own axes; INT64_MIN: not known now */
  run items[BD_MAX_RANK];
  int n;
  int row, column; /* which runs the rows and the columns of `from` are along; -1: none */
} runs;

static int64_t size_of(const runs *r, int axis) {
  const int64_t size = mlirShapedTypeGetDimSize(r->t->to, axis);
  return size >= 0 ? size : -1;
}

static bool has_same_run(const runs *r, int before, int axis) {
  const int64_t *order = r->t->order, size = size_of(r, axis);
  if (bd_memref_is_dense(r->t->from) && bd_memref_is_dense(r->t->to))
    return axis == before + 1 && order[axis] == order[before] + 1;
  return size >= 0 && r->to[axis] != INT64_MIN && r->from[order[axis]] != INT64_MIN &&
         r->to[before] == size * r->to[axis] &&
         r->from[order[before]] == size * r->from[order[axis]];
}

static void add_axis(runs *r, int axis) {
  const int64_t size = size_of(r, axis);
  run *last = r->n > 0 ? &r->items[r->n - 1] : NULL;
  if (!last || !has_same_run(r, last->last, axis)) {
    r->items[r->n++] = (run){axis, axis, size};
    return;
  }
  last->last = axis;
  last->size = last->size < 0 || size < 0 ? -1 : last->size * size;
}

static bool read_runs(const bd_transposition *t, runs *out) {
  *out = (runs){.t = t, .row = -1, .column = -1};
  if (!bd_memref_strides(t->from, out->from) || !bd_memref_strides(t->to, out->to)) return false;
  const bool is_dense = bd_memref_is_dense(t->from) && bd_memref_is_dense(t->to);
  for (int i = 0; i < mlirShapedTypeGetRank(t->to); ++i) {
    if (size_of(out, i) != 1 || is_dense) add_axis(out, i);
  }
  for (int i = 0; i < out->n; ++i) {
    const run *item = &out->items[i];
    if (item->size == 1) continue;
    if (out->to[item->last] == 1) out->row = i;
    if (out->from[t->order[item->last]] == 1) out->column = i;
  }
  return out->row >= 0 && out->column >= 0 && out->row != out->column;
}

static bool is_long(const run *item) { return item->size < 0 || item->size >= LEAST_SIZE; }

static bool has_elements_of_library(MlirType type) {
  return bd_element_in(type) && !mlirMemRefTypeGetMemorySpace(type).ptr;
}

bool bd_transposition_fits(const bd_transposition *t) {
  runs r;
  int64_t n = 1;
  if (!has_elements_of_library(t->from) || !has_elements_of_library(t->to) || !read_runs(t, &r))
    return false;
  for (int i = 0; i < r.n && n < LEAST_ELEMENTS; ++i)
    n *= r.items[i].size < 0 ? LEAST_ELEMENTS : r.items[i].size;
  return n >= LEAST_ELEMENTS && is_long(&r.items[r.row]) && is_long(&r.items[r.column]);
}

/* ---- The kernel's text ---- */

/* %size_I of a run. */
static void write_size(bd_text *text, const run *item, int i) {
  if (item->size >= 0) {
    bd_text_format(text, "size_%d = %lld;", i, (long long)item->size);
    return;
  }
  bd_text_format(text, "size_%d_%d = to_sizes#%d;", i, item->first, item->first);
  for (int axis = item->first + 1; axis <= item->last; ++axis)
    bd_text_format(text, "let i = %d, k = %d; size_$i_$k = size_$i_$(k - 1) * to_sizes#$k;", i,
                   axis);
  bd_text_format(text, "size_%d = size_%d_%d;", i, i, item->last);
}

/* Whole lines of each row of `from`; as many rows as take, of four bytes each, a sixteenth of the second cache. */
static void choose_block(runs *r, const bd_machine *machine) {
  r->block_columns = (int)machine->line;
  r->block_rows = (int)(machine->l2 / (64 * machine->line));
}

/* How many elements a round does of a run. */
static int block_of(const runs *r, int i) {
  return i == r->row ? r->block_rows : i == r->column ? r->block_columns : 1;
}

/* %at_I, where the round begins, and %left_I, how many elements it does. */
static void write_round(bd_text *text, const runs *r, int i) {
  if (block_of(r, i) == 1) {
    bd_text_format(text, "at_%d = i_%d;", i, i);
    return;
  }
  bd_text_format(
      text, "let i = %d; at_$i = i_$i * block_$i; left_$i = min(size_$i - at_$i, block_$i);", i);
}

/* %NAME_at: where the round begins in the buffer; axes: by axis of `to`, that of the buffer. */
static void write_place(bd_text *text, const runs *r, const char *name, const int64_t *axes) {
  bd_text_format(text, "%s_at_0 = %s_at;", name, name);
  for (int i = 0; i < r->n; ++i) {
    const int last = r->items[i].last;
    bd_text_format(text, "let x = %s, i = %d; $x_at_$(i + 1) = $x_at_$i + at_$i * $x_strides#%lld;",
                   name, i, (long long)(axes ? axes[last] : last));
  }
}

/* %NAME_block: `rows` by `columns` (runs) of the buffer from %NAME_at on. */
static void write_block(bd_text *text, const runs *r, const char *name, const int64_t *axes,
                        int rows, int columns) {
  const int last = r->items[rows].last;
  bd_text_format(text,
                 "let x = %s; $x_block = view($x_base, $x_at_%d, [left_%d, left_%d], "
                 "[$x_strides#%lld, 1]);",
                 name, r->n, rows, columns, (long long)(axes ? axes[last] : last));
}

static void write_loops(bd_text *text, const runs *r) {
  int numbers[BD_MAX_RANK];
  for (int i = 0; i < r->n; ++i) {
    numbers[i] = i;
    write_size(text, &r->items[i], i);
    bd_text_format(text, "let i = %d; block_$i = %d; count_$i = ceildiv(size_$i, block_$i);", i,
                   block_of(r, i));
  }
  bd_ir_write_parallel(text, "i_", "count_", numbers, r->n);
}

static void write_kernel(bd_text *text, const runs *r, const char *transpose) {
  const bd_transposition *t = r->t;
  bd_text_format(text,
                 "(%%from: %s, %%to: %s) {\n"
                 "c0 = 0; c1 = 1; metadata from = from; metadata to = to;",
                 bd_phrase_type(t->from).data, bd_phrase_type(t->to).data);
  write_loops(text, r);
  for (int i = 0; i < r->n; ++i) write_round(text, r, i);
  write_place(text, r, "from", t->order);
  write_place(text, r, "to", NULL);
  write_block(text, r, "from", t->order, r->row, r->column);
  write_block(text, r, "to", NULL, r->column, r->row);
  bd_text_format(text, "call(\"%s\", from_block, to_block); } {cost = %d : i64}\n  return\n}\n",
                 transpose, r->block_rows * r->block_columns / 8);
}

/* The kernel of `from` and `to`, for one that fits. */
static buddy_code add_kernel(bd_kernels *kernels, const bd_transposition *t,
                             const char **out_name) {
  runs r;
  const char *transpose;
  bd_text text = {.data = NULL};
  const bd_element *element = bd_element_in(t->to);
  if (!element || !read_runs(t, &r)) return BUDDY_INTERNAL;
  choose_block(&r, bd_kernels_machine(kernels));
  BD_TRY(bd_kernels_want_of(kernels, BD_LIBRARY_TRANSPOSE, element, &transpose));
  write_kernel(&text, &r, transpose);
  return bd_kernels_add(kernels, "transpose", &text, out_name);
}

/* ---- Operations ---- */

/* Every loop walks along an axis of the operand, and no axis is without one. */
static bool is_permutation(const bd_structured *s, int operand) {
  const bd_operand *o = &s->operands[operand];
  if (o->rank != s->n_loops || !o->is_plain) return false;
  for (int i = 0; i < s->n_loops; ++i) {
    if (o->axis[i] < 0) return false;
  }
  return true;
}

static bool is_copy(const bd_structured *s) {
  if (bd_op_is(s->op, "linalg.transpose") || bd_op_is(s->op, "linalg.copy")) return true;
  if (!bd_op_is(s->op, "linalg.generic") || !bd_structured_is_parallel(s)) return false;
  const MlirBlock body = bd_body_of(s->op);
  const MlirOperation first = mlirBlockGetFirstOperation(body);
  return bd_op_is(first, "linalg.yield") && mlirOperationGetNumOperands(first) == 1 &&
         mlirValueEqual(mlirOperationGetOperand(first, 0), mlirBlockGetArgument(body, 0));
}

bool bd_transposition_read(MlirOperation op, bd_transposition *out) {
  bd_structured s;
  if (!bd_structured_read(op, &s) || !is_copy(&s) || s.n_inputs != 1 || s.n_operands != 2 ||
      s.n_loops > BD_MAX_RANK || !is_permutation(&s, 0) || !is_permutation(&s, 1) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(s.operands[0].type),
                     mlirShapedTypeGetElementType(s.operands[1].type)))
    return false;
  *out = (bd_transposition){.from = s.operands[0].type, .to = s.operands[1].type};
  for (int i = 0; i < s.n_loops; ++i) out->order[s.operands[1].axis[i]] = s.operands[0].axis[i];
  return true;
}

/* ---- Replacing ---- */

/* Plain loops. */
static buddy_code add_loops(bd_kernels *kernels, MlirType from, MlirType to,
                            const char **out_name) {
  bd_text text = {.data = NULL};
  bd_text_format(&text,
                 "(%%from: %s, %%to: %s {llvm.noalias}) {\n  linalg.copy ins(%%from : %s) "
                 "outs(%%to : %s)\n  return\n}\n",
                 bd_phrase_type(from).data, bd_phrase_type(to).data, bd_phrase_type(from).data,
                 bd_phrase_type(to).data);
  return bd_kernels_add(kernels, "copy", &text, out_name);
}

/* name null: it stays, and may have fewer operands. */
static buddy_code call(MlirOperation op, const char *name) {
  if (!name) return BUDDY_OK;
  const MlirValue operands[] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)};
  BD_TRY(bd_build_call(bd_builder_before(op), name, operands, 2));
  bd_op_erase(op);
  return BUDDY_OK;
}

static buddy_code replace_copy(MlirOperation op, void *kernels) {
  const MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0)),
                 to = mlirValueGetType(mlirOperationGetOperand(op, 1));
  const char *name = NULL;
  if (!mlirTypeIsAMemRef(from) || !mlirTypeIsAMemRef(to)) return BUDDY_OK;
  if (bd_memref_is_dense(from) && bd_memref_is_dense(to)) return BUDDY_OK;
  bd_transposition t = {.from = from, .to = to};
  for (int i = 0; i < BD_MAX_RANK; ++i) t.order[i] = i;
  if (bd_transposition_fits(&t))
    BD_TRY(add_kernel(kernels, &t, &name));
  else
    BD_TRY(add_loops(kernels, from, to, &name));
  return call(op, name);
}

static buddy_code replace_structured(MlirOperation op, void *kernels) {
  bd_transposition t;
  const char *name = NULL;
  if (bd_transposition_read(op, &t) && bd_transposition_fits(&t))
    BD_TRY(add_kernel(kernels, &t, &name));
  return call(op, name);
}

buddy_code bd_copies_replace(MlirOperation root, bd_kernels *kernels) {
  BD_TRY(bd_ops_each(root, "memref.copy", replace_copy, kernels));
  return bd_ops_each_outermost(root, "linalg.", replace_structured, kernels);
}
