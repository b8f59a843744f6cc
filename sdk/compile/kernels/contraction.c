/* sdk/compile/kernels/contraction.c: see contraction.h.
 *
 * A contraction C[b, m, n] += A[b, m, k] · B[b, k, n] may have any number of loops of each kind, in
 * any order of axes. One group of m loops, one of n and one of k become the matrices; the others
 * are loops around the call. A group is several loops only where they can be walked as one:
 * neighbours along both operands, which must be dense.
 *
 * The library wants C with unit stride along n: where m has it, A and B change places. */
#include "sdk/compile/kernels/contraction.h"

#include <stdlib.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/runtime/strided.h"
#include "sdk/compile/rewrite/beginning.h"
#include "sdk/compile/kernels/filter.h"
#include "sdk/compile/kernels/following.h"
#include "sdk/compile/kernels/panels.h"
#include "sdk/compile/structured.h"

enum { A, B, C };

typedef struct group {
  int loops[BD_MAX_LOOPS]; /* innermost first */
  int n;
} group;

typedef struct contraction {
  bd_structured s;
  int operand[3]; /* which operand of the operation A, B and C are */
  group m, n, k;
  int is_inside[BD_MAX_LOOPS]; /* belongs to one of the groups */
  int has_outer_sum;           /* some loop over k is outside */
} contraction;

static const bd_operand *operand_of(const contraction *c, int which) {
  return &c->s.operands[c->operand[which]];
}

/* The loops of one kind that can be walked as one along operands x and y, with the innermost along
 * `lead`. */
static void choose_group(contraction *c, MlirAttribute kind, int x, int y, int lead, group *out) {
  const bd_operand *first = operand_of(c, x), *second = operand_of(c, y),
                   *order = operand_of(c, lead);
  const intptr_t n = mlirDenseArrayGetNumElements(kind);
  int innermost = -1;
  for (intptr_t i = 0; i < n; i++) {
    const int loop = mlirDenseI32ArrayGetElement(kind, i);
    if (innermost < 0 || order->axis[loop] > order->axis[innermost]) innermost = loop;
  }
  out->n = 0;
  if (innermost < 0) return;
  out->loops[out->n++] = innermost;
  if (!bd_memref_is_dense(first->type) || !bd_memref_is_dense(second->type)) return;
  for (intptr_t tries = 1; tries < n; tries++) {
    const int last = out->loops[out->n - 1];
    for (intptr_t i = 0; i < n; i++) {
      const int loop = mlirDenseI32ArrayGetElement(kind, i);
      if (first->axis[loop] == first->axis[last] - 1 &&
          second->axis[loop] == second->axis[last] - 1) {
        out->loops[out->n++] = loop;
        break;
      }
    }
    if (out->loops[out->n - 1] == last) return;
  }
}

/* Steps of one along C when the group's innermost loop steps by one. */
static int has_unit_stride(const bd_operand *operand, const group *g) {
  int64_t strides[BD_MAX_RANK];
  if (g->n == 0 || !bd_memref_strides(operand->type, strides)) return 0;
  return strides[operand->axis[g->loops[0]]] == 1;
}

/* Product of the sizes; a large number if one is not known. */
static int64_t size_of(const contraction *c, const group *g) {
  int64_t size = 1;
  for (int i = 0; i < g->n; i++) {
    const int64_t one = c->s.sizes[g->loops[i]];
    if (one < 0) return INT32_MAX;
    size = size * one < INT32_MAX ? size * one : INT32_MAX;
  }
  return size;
}

/* With very few rows or columns, packing costs more than it gives. */
static int is_worthwhile(const contraction *c) {
  const int64_t m = size_of(c, &c->m), n = size_of(c, &c->n), k = size_of(c, &c->k);
  return m >= 4 && n >= 4 && k >= 4 && (double)m * (double)n * (double)k >= 16384;
}

/* Named operations do not tell in their attributes which loops threads may share. */
static void mark_parallel(contraction *c, MlirAttribute loops) {
  const intptr_t n = mlirDenseArrayGetNumElements(loops);
  for (intptr_t i = 0; i < n; i++) c->s.is_parallel[mlirDenseI32ArrayGetElement(loops, i)] = 1;
}

static int read_contraction(MlirOperation op, contraction *c) {
  if (!mlirLinalgIsAContractionOp(op) || !bd_structured_read(op, &c->s)) return 0;
  if (c->s.n_operands != 3 || c->s.n_inputs != 2) return 0;
  for (int i = 0; i < 3; i++) {
    if (c->s.operands[i].rank < 1 || !c->s.operands[i].is_plain) return 0;
    c->operand[i] = i;
  }
  const MlirLinalgContractionDimensions dims = mlirLinalgInferContractionDimensions(op);
  if (dims.m.ptr == NULL || dims.n.ptr == NULL || dims.k.ptr == NULL) return 0;
  mark_parallel(c, dims.batch);
  mark_parallel(c, dims.m);
  mark_parallel(c, dims.n);
  choose_group(c, dims.m, A, C, C, &c->m);
  choose_group(c, dims.n, B, C, C, &c->n);
  if (c->m.n == 0 || c->n.n == 0) return 0;
  if (!has_unit_stride(&c->s.operands[C], &c->n)) {
    if (!has_unit_stride(&c->s.operands[C], &c->m)) return 0;
    const group m = c->m;
    c->m = c->n;
    c->n = m;
    c->operand[A] = B;
    c->operand[B] = A;
  }
  choose_group(c, dims.k, A, B, A, &c->k);
  const group *groups[] = {&c->m, &c->n, &c->k};
  for (int i = 0; i < BD_MAX_LOOPS; i++) c->is_inside[i] = 0;
  for (int g = 0; g < 3; g++) {
    for (int i = 0; i < groups[g]->n; i++) c->is_inside[groups[g]->loops[i]] = 1;
  }
  c->has_outer_sum = mlirDenseArrayGetNumElements(dims.k) != c->k.n;
  return c->k.n > 0;
}

/* Of a product of unknown sizes: as a small one has. */
enum { UNKNOWN_COST = 32 * 1024 };

/* One product of known sizes, and where its operands come from. */
typedef struct shaped {
  bd_panels p;
  MlirOperation begin; /* what fills C before; null if C has been written to by others */
  MlirValue row;       /* BD_BEGIN_ROW: the row that C begins with */
  bd_epilogue following;
  int is_kept, is_packed_once;
} shaped;

/* ---- The kernel's text
 * -------------------------------------------------------------------------------------------- */

static void write_metadata(bd_text *text, const bd_operand *operand, int i) {
  const int rank = (int)operand->rank;
  bd_text_format(text,
                 "  %%base%d, %%offset%d, %%size%d:%d, %%stride%d:%d = "
                 "memref.extract_strided_metadata %%x%d : ",
                 i, i, i, rank, i, rank, i);
  bd_text_type(text, operand->type);
  bd_text_format(text, " -> memref<");
  bd_text_type(text, mlirShapedTypeGetElementType(operand->type));
  bd_text_format(text, ">, index");
  for (int k = 0; k < 2 * rank; k++) bd_text_format(text, ", index");
  bd_text_format(text, "\n");
}

/* Some operand that walks along the loop. */
static int operand_along(const contraction *c, int loop) {
  int i = 0;
  while (i < 2 && c->s.operands[i].axis[loop] < 0) i++;
  return i;
}

static void write_size(bd_text *text, const contraction *c, const char *name, const group *g) {
  for (int i = 0; i < g->n; i++) {
    const int x = operand_along(c, g->loops[i]);
    if (i == 0) {
      bd_text_format(text, "  %%%s%d = arith.addi %%size%d#%d, %%c0 : index\n", name, i, x,
                     c->s.operands[x].axis[g->loops[i]]);
    } else {
      bd_text_format(text, "  %%%s%d = arith.muli %%%s%d, %%size%d#%d : index\n", name, i, name,
                     i - 1, x, c->s.operands[x].axis[g->loops[i]]);
    }
  }
}

/* The place of operand i in the present round of the outer loops. */
static void write_offset(bd_text *text, const contraction *c, int i) {
  bd_text_format(text, "  %%at%d_0 = arith.addi %%offset%d, %%c0 : index\n", i, i);
  int n = 0;
  for (int loop = 0; loop < c->s.n_loops; loop++) {
    const int axis = c->s.operands[i].axis[loop];
    if (c->is_inside[loop] || axis < 0) continue;
    bd_text_format(text, "  %%step%d_%d = arith.muli %%i%d, %%stride%d#%d : index\n", i, n, loop, i,
                   axis);
    bd_text_format(text, "  %%at%d_%d = arith.addi %%at%d_%d, %%step%d_%d : index\n", i, n + 1, i,
                   n, i, n);
    n++;
  }
  bd_text_format(text, "  %%at%d = arith.addi %%at%d_%d, %%c0 : index\n", i, i, n);
}

/* Operand `which` as a matrix whose rows are walked by `rows` and whose columns are walked by
 * `columns`. */
static void write_matrix(bd_text *text, const contraction *c, int which, const char *row_name,
                         const group *rows, const char *column_name, const group *columns) {
  const int i = c->operand[which];
  const bd_operand *operand = &c->s.operands[i];
  bd_text element = {NULL, 0, 0, 0};
  bd_text_type(&element, mlirShapedTypeGetElementType(operand->type));
  bd_text_format(text,
                 "  %%matrix%d = memref.reinterpret_cast %%base%d to offset: [%%at%d], sizes: "
                 "[%%%s%d, %%%s%d], strides: "
                 "[%%stride%d#%d, ",
                 which, i, i, row_name, rows->n - 1, column_name, columns->n - 1, i,
                 operand->axis[rows->loops[0]]);
  if (which == C) {
    bd_text_format(text, "1] : memref<%s> to memref<?x?x%s, strided<[?, 1], offset: ?>>\n",
                   element.data, element.data);
  } else {
    bd_text_format(text,
                   "%%stride%d#%d] : memref<%s> to memref<?x?x%s, strided<[?, ?], offset: ?>>\n", i,
                   operand->axis[columns->loops[0]], element.data, element.data);
  }
  text->is_lost |= element.is_lost;
  bd_text_deinit(&element);
}

static MlirType element_of(const contraction *c, int which) {
  return mlirShapedTypeGetElementType(operand_of(c, which)->type);
}

static void write_call(bd_text *text, const contraction *c, const char *callee) {
  bd_text_format(text, "  func.call @%s(%%matrix0, %%part1, %%part2) : (", callee);
  for (int which = A; which <= C; which++) {
    bd_text_format(text, "%smemref<?x?x", which > A ? ", " : "");
    bd_text_type(text, element_of(c, which));
    bd_text_format(text, ", strided<[?, %s], offset: ?>>", which == C ? "1" : "?");
  }
  bd_text_format(text, ") -> ()\n");
}

/* The functions that multiply the matrices: for many rows, and for few; empty if there is none. */
typedef struct callees {
  char gemm[64], dots[64];
} callees;

/* Up to so many rows of A the columns of B are read where they are, if they lie dense: packing them
 * would take longer. */
enum { FEW_ROWS = 8 };

static void write_calls(bd_text *text, const contraction *c, const callees *of) {
  if (of->gemm[0] == '\0' || of->dots[0] == '\0') {
    write_call(text, c, of->gemm[0] != '\0' ? of->gemm : of->dots);
    return;
  }
  bd_text_format(text,
                 "  %%few = arith.constant %d : index\n"
                 "  %%are_few = arith.cmpi ule, %%m_all, %%few : index\n"
                 "  scf.if %%are_few {\n",
                 FEW_ROWS);
  write_call(text, c, of->dots);
  bd_text_format(text, "  } else {\n");
  write_call(text, c, of->gemm);
  bd_text_format(text, "  }\n");
}

/* From the opening parenthesis to the constants; more arguments: for a shaped product. */
static void write_arguments(bd_text *text, const contraction *c, const shaped *s) {
  int is_bare = 1;
  bd_text_format(text, "(");
  for (int i = 0; i < 3; i++) {
    bd_text_format(text, "%s%%x%d: ", i > 0 ? ", " : "", i);
    bd_text_type(text, c->s.operands[i].type);
    is_bare &= bd_type_is_bare(c->s.operands[i].type);
  }
  if (s != NULL && s->p.begin == BD_BEGIN_ROW)
    bd_text_format(text, ", %%row: memref<%lldx%s>", (long long)s->p.n, s->p.element);
  if (s != NULL && s->following.op.ptr != NULL) bd_epilogue_write_parameters(text, &s->following);
  if (s != NULL && s->is_kept) bd_text_format(text, ", %%slot: i64");
  bd_text_format(text, ")%s {\n", is_bare ? " attributes {llvm.bareptr}" : "");
  bd_text_format(text, "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n");
}

/* Rounds of the loops around the matrices that threads may share; many if some size is not known.
 */
static int64_t count_batches(const contraction *c) {
  int64_t n = 1;
  for (int loop = 0; loop < c->s.n_loops; loop++) {
    if (c->is_inside[loop] || !c->s.is_parallel[loop] || n == INT32_MAX) continue;
    n = c->s.sizes[loop] < 0 ? INT32_MAX : n * c->s.sizes[loop];
    if (n > INT32_MAX) n = INT32_MAX;
  }
  return n;
}

/* Where there are fewer of them, threads share each product instead. */
enum { MANY_BATCHES = 4 };

/* The loops that threads share come first, as one. */
static void write_shared_loops(bd_text *text, const contraction *c) {
  static const char *const lists[] = {"i", "c0", "end", "c1"};
  static const char *const leads[] = {"  scf.parallel (", ") = (", ") to (", ") step ("};
  for (int list = 0; list < 4; list++) {
    int n = 0;
    bd_text_format(text, "%s", leads[list]);
    for (int loop = 0; loop < c->s.n_loops; loop++) {
      if (c->is_inside[loop] || !c->s.is_parallel[loop]) continue;
      bd_text_format(text, "%s%%%s", n++ > 0 ? ", " : "", lists[list]);
      if (list % 2 == 0) bd_text_format(text, "%d", loop);
    }
  }
  bd_text_format(text, ") {\n");
}

/* Returns how many there are to be closed. */
static int write_outer_loops(bd_text *text, const contraction *c) {
  const int is_shared = count_batches(c) >= MANY_BATCHES;
  int n = 0;
  for (int loop = 0; loop < c->s.n_loops; loop++) {
    const int x = operand_along(c, loop);
    if (c->is_inside[loop]) continue;
    if (c->s.sizes[loop] >= 0)
      bd_text_format(text, "  %%end%d = arith.constant %lld : index\n", loop,
                     (long long)c->s.sizes[loop]);
    else
      bd_text_format(text, "  %%end%d = arith.addi %%size%d#%d, %%c0 : index\n", loop, x,
                     c->s.operands[x].axis[loop]);
  }
  if (is_shared) write_shared_loops(text, c);
  for (int loop = 0; loop < c->s.n_loops; loop++) {
    if (c->is_inside[loop] || (is_shared && c->s.is_parallel[loop])) continue;
    bd_text_format(text, "  scf.for %%i%d = %%c0 to %%end%d step %%c1 {\n", loop, loop);
    n++;
  }
  return n;
}

/* cost: of one product. */
static void write_outer_loops_end(bd_text *text, const contraction *c, int n, int64_t cost) {
  for (int i = 0; i < n; i++) bd_text_format(text, "  }\n");
  if (count_batches(c) >= MANY_BATCHES) bd_units_end(text, cost);
}

/* Threads share the columns of a product, so many a unit. */
enum { COLUMNS = 64 };

/* Of a unit of the columns. With few rows it is their reading. */
static int64_t cost_of_columns(const contraction *c) {
  const int64_t m = size_of(c, &c->m), k = size_of(c, &c->k);
  return m <= FEW_ROWS && k < INT32_MAX ? COLUMNS * k : UNKNOWN_COST;
}

/* Threads share the columns of the product: %matrix1 and %matrix2 become those of
 * the units at hand. */
static void write_columns(bd_text *text, const contraction *c) {
  const int last = c->n.n - 1;
  bd_text_format(text,
                 "  %%of_unit = arith.constant %d : index\n"
                 "  %%column_units = arith.ceildivui %%n%d, %%of_unit : index\n",
                 COLUMNS, last);
  bd_units_begin(text, "column", -1);
  bd_text_format(text,
                 "  %%start = arith.muli %%column_first, %%of_unit : index\n"
                 "  %%whole_end = arith.muli %%column_last, %%of_unit : index\n"
                 "  %%end = arith.minsi %%whole_end, %%n%d : index\n"
                 "  %%columns = arith.subi %%end, %%start : index\n",
                 last);
  for (int which = B; which <= C; which++) {
    bd_text type = {NULL, 0, 0, 0};
    bd_text_format(&type, "memref<?x?x");
    bd_text_type(&type, mlirShapedTypeGetElementType(operand_of(c, which)->type));
    bd_text_format(&type, ", strided<[?, %s], offset: ?>>", which == C ? "1" : "?");
    if (!type.is_lost) {
      bd_text_format(
          text,
          "  %%part%d = memref.subview %%matrix%d[0, %%start] [%%%s, %%columns] [1, 1] : ", which,
          which, which == B ? "k_all" : "m_all");
      bd_text_format(text, "%s to %s\n", type.data, type.data);
    }
    text->is_lost |= type.is_lost;
    bd_text_deinit(&type);
  }
}

static void write_kernel(bd_text *text, const contraction *c, const callees *of) {
  write_arguments(text, c, NULL);
  for (int i = 0; i < 3; i++) write_metadata(text, &c->s.operands[i], i);
  write_size(text, c, "m", &c->m);
  write_size(text, c, "n", &c->n);
  write_size(text, c, "k", &c->k);
  const int n_outer = write_outer_loops(text, c);
  for (int i = 0; i < 3; i++) write_offset(text, c, i);
  write_matrix(text, c, A, "m", &c->m, "k", &c->k);
  write_matrix(text, c, B, "k", &c->k, "n", &c->n);
  write_matrix(text, c, C, "m", &c->m, "n", &c->n);
  bd_text_format(text,
                 "  %%m_all = arith.addi %%m%d, %%c0 : index\n"
                 "  %%k_all = arith.addi %%k%d, %%c0 : index\n",
                 c->m.n - 1, c->k.n - 1);
  write_columns(text, c);
  write_calls(text, c, of);
  bd_units_end(text, cost_of_columns(c));
  write_outer_loops_end(text, c, n_outer, UNKNOWN_COST);
  bd_text_format(text, "  return\n}\n");
}

/* ---- Loops for one shape
 * ------------------------------------------------------------------------------------------ */

static int64_t stride_of(const bd_operand *operand, const group *g) {
  int64_t strides[BD_MAX_RANK];
  return bd_memref_strides(operand->type, strides) ? strides[operand->axis[g->loops[0]]]
                                                   : INT64_MIN;
}

/* True if some loop around the matrices walks along the operand. */
static int has_outer_axis(const contraction *c, int which) {
  for (int loop = 0; loop < c->s.n_loops; loop++) {
    if (!c->is_inside[loop] && operand_of(c, which)->axis[loop] >= 0) return 1;
  }
  return 0;
}

static int is_static(const contraction *c) {
  int64_t strides[BD_MAX_RANK];
  for (int loop = 0; loop < c->s.n_loops; loop++) {
    if (c->s.sizes[loop] <= 0) return 0;
  }
  for (int i = 0; i < 3; i++) {
    const bd_operand *operand = &c->s.operands[i];
    if (!bd_memref_strides(operand->type, strides)) return 0;
    for (int64_t r = 0; r < operand->rank; r++) {
      if (strides[r] == INT64_MIN) return 0;
    }
  }
  return 1;
}

/* How C begins, if it is written as a whole right before. */
static void find_begin(const contraction *c, MlirOperation op, shaped *out) {
  out->p.begin = BD_BEGIN_OLD;
  if (c->has_outer_sum) return;
  const bd_operand *target = operand_of(c, C);
  const bd_beginning found =
      bd_beginning_find(op, target->value, c->n.n == 1 ? target->axis[c->n.loops[0]] : -1);
  out->p.begin = found.begin;
  out->begin = found.op;
  out->row = found.row;
}

static int are_bytes(const contraction *c) {
  const MlirType types[] = {element_of(c, A), element_of(c, B), element_of(c, C)};
  static const unsigned widths[] = {8, 8, 32};
  for (int i = 0; i < 3; i++) {
    if (!mlirTypeIsAInteger(types[i]) || mlirIntegerTypeGetWidth(types[i]) != widths[i]) return 0;
  }
  return 1;
}

/* Products of bytes with a constant, whose panels make up for it that packing is slow. */
static int read_bytes(const contraction *c, MlirOperation op, const bd_keeping *keeping,
                      shaped *out) {
  const int64_t k = size_of(c, &c->k);
  if (!keeping->has_byte_dots || k % 4 != 0 || has_outer_axis(c, B) ||
      !bd_is_constant(keeping, operand_of(c, B)->value) ||
      !bd_memref_is_dense(operand_of(c, A)->type) || !bd_memref_is_dense(operand_of(c, B)->type))
    return 0;
  bd_panels *p = &out->p;
  bd_panels_init(p, "i32");
  p->is_bytes = out->is_kept = out->is_packed_once = 1;
  p->m = size_of(c, &c->m);
  p->n = size_of(c, &c->n);
  p->k = k / 4;
  p->lda = stride_of(operand_of(c, A), &c->m) / 4;
  p->ldc = stride_of(operand_of(c, C), &c->m);
  find_begin(c, op, out);
  bd_panels_choose_vectors(p);
  return p->begin != BD_BEGIN_OLD;
}

/* The loop that follows, where C lies batch after batch, row after row. */
static void find_following(const contraction *c, MlirOperation op, shaped *out) {
  const bd_beginning begin = {out->p.begin, out->begin, out->row};
  const int64_t sizes[] = {count_batches(c), out->p.m, out->p.n};
  if (!bd_memref_is_dense(operand_of(c, C)->type) || out->p.ldc != out->p.n) return;
  out->following = bd_following_find(op, &begin, sizes);
  if (out->following.op.ptr != NULL) out->p.following = &out->following;
}

/* Rows of B that are short enough are read where they are: all of it stays in cache, on few pages.
 */
enum { IN_PLACE = 128 * 1024 };

static int read_shaped(const contraction *c, MlirOperation op, const bd_keeping *keeping,
                       shaped *out) {
  const MlirType element = element_of(c, A);
  *out = (shaped){.begin = {NULL}};
  if (are_bytes(c))
    return is_static(c) && stride_of(operand_of(c, A), &c->k) == 1 &&
           read_bytes(c, op, keeping, out);
  if (!mlirTypeIsAF32(element) && !mlirTypeIsAF64(element)) return 0;
  if (!mlirTypeEqual(element, element_of(c, B)) || !mlirTypeEqual(element, element_of(c, C)))
    return 0;
  if (!is_static(c) || stride_of(operand_of(c, A), &c->k) != 1) return 0;
  bd_panels *p = &out->p;
  bd_panels_init(p, mlirTypeIsAF32(element) ? "f32" : "f64");
  p->m = size_of(c, &c->m);
  p->n = size_of(c, &c->n);
  p->k = size_of(c, &c->k);
  p->lda = stride_of(operand_of(c, A), &c->m);
  p->ldb = stride_of(operand_of(c, B), &c->k);
  p->ldc = stride_of(operand_of(c, C), &c->m);
  out->is_packed_once = !has_outer_axis(c, B);
  out->is_kept = out->is_packed_once && bd_is_constant(keeping, operand_of(c, B)->value);
  const int is_row_major = stride_of(operand_of(c, B), &c->n) == 1;
  p->is_in_place = !out->is_kept && is_row_major &&
                   p->k * p->ldb * (mlirTypeIsAF32(element) ? 4 : 8) <= IN_PLACE;
  p->is_fresh = !out->is_kept && !p->is_in_place && is_row_major;
  find_begin(c, op, out);
  find_following(c, op, out);
  return 1;
}

/* %panels of B, packed where `offset` says it starts. */
static void write_packing(bd_text *text, const contraction *c, const shaped *s, const char *gemm,
                          const char *offset, const char *panels) {
  const int i = c->operand[B], width = bd_panels_width(&s->p);
  const char *type = s->p.element;
  const bd_operand *operand = &c->s.operands[i];
  if (s->p.is_bytes) {
    const bd_filter filter = {operand->type,
                              s->p.n,
                              4 * s->p.k,
                              {1, 1},
                              stride_of(operand, &c->n),
                              stride_of(operand, &c->k),
                              {0, 0}};
    bd_filter_write_packing(text, &filter, i, &s->p, gemm);
    return;
  }
  bd_text_format(text,
                 "  %%whole_b = memref.reinterpret_cast %%base%d to offset: [%s%d], sizes: [%lld, "
                 "%lld], strides: [%lld, %lld] : memref<%s> to memref<%lldx%lldx%s, strided<[%lld, "
                 "%lld], offset: ?>>\n",
                 i, offset, i, (long long)s->p.k, (long long)s->p.n, (long long)s->p.ldb,
                 (long long)stride_of(operand, &c->n), type, (long long)s->p.k, (long long)s->p.n,
                 type, (long long)s->p.ldb, (long long)stride_of(operand, &c->n));
  bd_text_format(text,
                 "  %%any_b = memref.cast %%whole_b : memref<%lldx%lldx%s, strided<[%lld, %lld], "
                 "offset: ?>> to memref<?x?x%s, strided<[?, ?], offset: ?>>\n"
                 "  %%any_panels = memref.cast %s : ",
                 (long long)s->p.k, (long long)s->p.n, type, (long long)s->p.ldb,
                 (long long)stride_of(operand, &c->n), type, panels);
  bd_panels_type_b(text, &s->p);
  bd_text_format(text,
                 " to memref<?x?x%dx%s>\n  func.call @%s_pack_b(%%any_b, %%any_panels) : "
                 "(memref<?x?x%s, strided<[?, ?], offset: ?>>, memref<?x?x%dx%s>) -> ()\n",
                 width, type, gemm, type, width, type);
}

/* The beginning of %matrix_a, of words. */
static void write_words(bd_text *text, const contraction *c) {
  const int i = c->operand[A];
  const int64_t n = bd_count_elements(c->s.operands[i].type);
  bd_text_format(text,
                 "  %%flat_a = memref.reinterpret_cast %%base%d to offset: [0], sizes: [%lld], "
                 "strides: [1] : memref<i8> to memref<%lldxi8>\n",
                 i, (long long)n, (long long)n);
  bd_panels_write_words(text, "flat_a", n);
  bd_text_format(
      text,
      "  %%four = arith.constant 4 : index\n"
      "  %%at_words = arith.divui %%at%d, %%four : index\n"
      "  %%matrix_a = memref.reinterpret_cast %%in_words to offset: [%%at_words], sizes: ",
      i);
}

/* %matrix_a, %matrix_c, or %panels in place. */
static void write_dense(bd_text *text, const contraction *c, const shaped *s, int which) {
  const int i = c->operand[which];
  const bd_panels *p = &s->p;
  static const char *const names[] = {"matrix_a", "panels", "matrix_c"};
  if (which == A && p->is_bytes) {
    write_words(text, c);
  } else {
    bd_text_format(text, "  %%%s = memref.reinterpret_cast %%base%d to offset: [%%at%d], sizes: ",
                   which == B && p->is_fresh ? "matrix_b" : names[which], i, i);
  }
  if (which == A)
    bd_text_format(text, "[1, %lld, 1, 1, %lld], strides: [0, %lld, 0, 0, 1] : ", (long long)p->m,
                   (long long)p->k, (long long)p->lda);
  if (which == A && p->is_bytes)
    bd_text_format(text, "memref<%lldxi32> to ",
                   (long long)bd_count_elements(c->s.operands[i].type) / 4);
  else if (which == A)
    bd_text_format(text, "memref<%s> to ", p->element);
  if (which == B)
    bd_text_format(text, "[%lld, %lld], strides: [%lld, 1] : memref<%s> to ", (long long)p->k,
                   (long long)p->n, (long long)p->ldb, p->element);
  if (which == C)
    bd_text_format(text, "[1, %lld, %lld], strides: [0, %lld, 1] : memref<%s> to ", (long long)p->m,
                   (long long)p->n, (long long)p->ldc, p->element);
  if (which == A) bd_panels_type_a(text, p);
  if (which == B && p->is_fresh) bd_panels_type_source(text, p);
  if (which == B && !p->is_fresh) bd_panels_type_b(text, p);
  if (which == C) bd_panels_type_c(text, p);
  bd_text_format(text, "\n");
}

static void write_buffer(bd_text *text, const shaped *s, const char *operation) {
  bd_text_format(text, "  %s : ", operation);
  bd_panels_type_b(text, &s->p);
  bd_text_format(text, "\n");
}

/* What the loop that follows reads for the product at hand: C lies dense, batch after batch. */
static void write_extras(bd_text *text, const contraction *c, const shaped *s) {
  const int64_t sizes[BD_N_OF] = {1, s->p.m, s->p.n};
  bd_text_format(text,
                 "  %%of_batch = arith.constant %lld : index\n"
                 "  %%batch = arith.divui %%at%d, %%of_batch : index\n",
                 (long long)(s->p.m * s->p.n), c->operand[C]);
  bd_following_write_extras(text, &s->following, sizes);
}

static void write_shaped(bd_text *text, const contraction *c, const shaped *s, const char *gemm,
                         bd_kernels *kernels) {
  static const char allocate[] = "%panels = memref.alloc() {alignment = 64 : i64}";
  const int is_packed = !s->is_kept && !s->p.is_in_place && !s->p.is_fresh;
  write_arguments(text, c, s);
  for (int i = 0; i < 3; i++) write_metadata(text, &c->s.operands[i], i);
  if (s->is_kept) {
    bd_panels_write_kept(text, &s->p);
    write_packing(text, c, s, gemm, "%offset", "%panels");
    bd_panels_write_kept_end(text);
  } else if (is_packed && s->is_packed_once) {
    write_buffer(text, s, allocate);
    write_packing(text, c, s, gemm, "%offset", "%panels");
  }
  const int n_outer = write_outer_loops(text, c);
  for (int i = 0; i < 3; i++) write_offset(text, c, i);
  write_dense(text, c, s, A);
  if (s->p.is_in_place || s->p.is_fresh) write_dense(text, c, s, B);
  write_dense(text, c, s, C);
  if (s->p.following != NULL) write_extras(text, c, s);
  if (is_packed && !s->is_packed_once) {
    write_buffer(text, s, allocate);
    write_packing(text, c, s, gemm, "%at", "%panels");
  }
  bd_panels_write(text, &s->p, kernels);
  if (is_packed && !s->is_packed_once) write_buffer(text, s, "memref.dealloc %panels");
  write_outer_loops_end(text, c, n_outer, bd_panels_cost(&s->p));
  if (is_packed && s->is_packed_once) write_buffer(text, s, "memref.dealloc %panels");
  bd_text_format(text, "  return\n}\n");
}

/* ---- Replacing
 * ----------------------------------------------------------------------------------------------------
 */

/* What the call of a shaped product takes besides A, B and C; C is where the loop that follows
 * writes to. */
static buddy_code add_operands(const contraction *c, const shaped *s, MlirOperation before,
                               bd_keeping *keeping, MlirValue *operands, size_t *n) {
  if (s->following.op.ptr != NULL) {
    operands[C] = bd_following_output(&s->following, c->s.operands[C].type);
    if (operands[C].ptr == NULL) return BUDDY_OUT_OF_MEMORY;
  }
  if (s->p.begin == BD_BEGIN_ROW) operands[(*n)++] = s->row;
  for (int k = 0; k < s->following.n; k++) operands[(*n)++] = s->following.extras[k].buffer;
  if (!s->is_kept) return BUDDY_OK;
  const MlirValue slot = bd_number_insert(before, bd_keeping_slot(keeping));
  operands[(*n)++] = slot;
  return slot.ptr == NULL ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static buddy_code call(MlirOperation op, const contraction *c, const shaped *s, const char *name,
                       bd_keeping *keeping) {
  MlirValue operands[5 + BD_MAX_EXTRAS] = {c->s.operands[0].value, c->s.operands[1].value,
                                           c->s.operands[2].value};
  const MlirValue result = operands[C];
  const int has_following = s != NULL && s->following.op.ptr != NULL;
  const MlirOperation before = has_following ? s->following.op : op;
  size_t n = 3;
  buddy_code code = BUDDY_OK;
  if (s != NULL) code = add_operands(c, s, before, keeping, operands, &n);
  if (code == BUDDY_OK)
    code = bd_call_insert_at(before, mlirOperationGetLocation(op), name, operands, n);
  if (code != BUDDY_OK) return code;
  if (s != NULL && s->begin.ptr != NULL) bd_op_erase(s->begin);
  bd_op_erase(op);
  if (has_following) bd_following_erase(&s->following, result);
  return BUDDY_OK;
}

/* True if A and B lie dense along k, so that neither has to be packed. Bytes are summed up in f32,
 * which does not hold the sums over all of k. */
static int has_dots(const contraction *c) {
  const int64_t n = size_of(c, &c->n), k = size_of(c, &c->k);
  return !mlirTypeIsAInteger(element_of(c, C)) && n >= 8 && k >= 16 &&
         stride_of(operand_of(c, A), &c->k) == 1 && stride_of(operand_of(c, B), &c->k) == 1;
}

/* What multiplies the matrices, if they are not of known sizes or have few rows. */
static buddy_code find_callees(const contraction *c, bd_kernels *kernels, const MlirType types[3],
                               callees *of) {
  const int64_t m = size_of(c, &c->m);
  buddy_code code = BUDDY_OK;
  *of = (callees){.gemm = ""};
  if (has_dots(c) && (m <= FEW_ROWS || m == INT32_MAX))
    code = bd_kernels_dots(kernels, types, of->dots);
  if (code == BUDDY_OK && (m > FEW_ROWS || of->dots[0] == '\0'))
    code = bd_kernels_gemm(kernels, types, of->gemm);
  return code;
}

/* Loops of one shape are for matrices that are packed once, or have rows enough to pay for it. */
static int is_for_dots(const contraction *c, const shaped *s) {
  return has_dots(c) && size_of(c, &c->m) <= FEW_ROWS && (!s->is_kept || !is_worthwhile(c));
}

/* The kernels widen integers as signed ones. */
static int has_unsigned(MlirOperation op) {
  MlirOperation in =
      mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  while (in.ptr != NULL && !bd_op_is(in, "arith.uitofp") && !bd_op_is(in, "arith.extui"))
    in = mlirOperationGetNextInBlock(in);
  return in.ptr != NULL;
}

static buddy_code replace(MlirOperation op, bd_kernels *kernels, bd_keeping *keeping) {
  contraction c;
  shaped s;
  callees of = {.gemm = ""};
  const char *name;
  if (!read_contraction(op, &c) || has_unsigned(op)) return BUDDY_OK;
  const MlirType types[] = {element_of(&c, A), element_of(&c, B), element_of(&c, C)};
  int is_shaped = read_shaped(&c, op, keeping, &s);
  if (is_for_dots(&c, &s))
    is_shaped = 0;
  else if (!is_worthwhile(&c) && !(is_shaped && s.p.is_bytes))
    return BUDDY_OK;
  buddy_code code = BUDDY_OK;
  if (!is_shaped)
    code = find_callees(&c, kernels, types, &of);
  else if (s.p.is_bytes)
    code = bd_kernels_filter(kernels, types[B], of.gemm);
  else if (!(s.p.is_in_place || s.p.is_fresh))
    code = bd_kernels_gemm(kernels, types, of.gemm);
  if (code == BUDDY_UNSUPPORTED) return BUDDY_OK;
  bd_text text = {NULL, 0, 0, 0};
  if (is_shaped)
    write_shaped(&text, &c, &s, of.gemm, kernels);
  else
    write_kernel(&text, &c, &of);
  if (code == BUDDY_OK)
    code = bd_kernels_add(kernels, is_shaped ? "product" : "contraction", &text, &name);
  bd_text_deinit(&text);
  return code == BUDDY_OK ? call(op, &c, is_shaped ? &s : NULL, name, keeping) : code;
}

/* Keeps the contractions alone: other operations may go away with one of them. */
static void keep_contractions(bd_ops *ops) {
  size_t n = 0;
  for (size_t i = 0; i < ops->n; i++) {
    if (mlirLinalgIsAContractionOp(ops->items[i])) ops->items[n++] = ops->items[i];
  }
  ops->n = n;
}

buddy_code bd_contractions_replace(MlirOperation root, bd_kernels *kernels, bd_keeping *keeping) {
  bd_ops ops = {NULL, 0, 0};
  buddy_code code = bd_ops_collect_outermost(&ops, root, "linalg.");
  keep_contractions(&ops);
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; i++)
    code = replace(ops.items[i], kernels, keeping);
  bd_ops_deinit(&ops);
  return code;
}
