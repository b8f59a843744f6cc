/* sdk/compile/contraction.c: see contraction.h.
 *
 * A contraction C[b, m, n] += A[b, m, k] · B[b, k, n] may have any number of loops of each kind, in
 * any order of axes. One group of m loops, one of n and one of k become the matrices; the others
 * are loops around the call. A group is several loops only where they can be walked as one:
 * neighbours along both operands, which must be dense.
 *
 * The library wants C with unit stride along n: where m has it, A and B change places. */
#include "sdk/compile/contraction.h"

#include <stdlib.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/runtime/strided.h"
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

/* With very few rows or columns, packing costs more than it gives: plain loops read each matrix
 * once. */
static int is_worthwhile(const contraction *c) {
  const int64_t m = size_of(c, &c->m), n = size_of(c, &c->n), k = size_of(c, &c->k);
  return m >= 4 && n >= 4 && k >= 4 && m * n / 64 * k >= 256;
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
  return c->k.n > 0 && is_worthwhile(c);
}

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

static void write_call(bd_text *text, const contraction *c, const char *gemm) {
  bd_text in = {NULL, 0, 0, 0}, out = {NULL, 0, 0, 0};
  bd_text_type(&in, mlirShapedTypeGetElementType(operand_of(c, A)->type));
  bd_text_type(&out, mlirShapedTypeGetElementType(operand_of(c, C)->type));
  bd_text_format(text,
                 "  func.call @%s(%%matrix0, %%matrix1, %%matrix2) : (memref<?x?x%s, strided<[?, "
                 "?], offset: ?>>, memref<?x?x%s, "
                 "strided<[?, ?], offset: ?>>, memref<?x?x%s, strided<[?, 1], offset: ?>>) -> ()\n",
                 gemm, in.data, in.data, out.data);
  text->is_lost |= in.is_lost || out.is_lost;
  bd_text_deinit(&in);
  bd_text_deinit(&out);
}

static void write_kernel(bd_text *text, const contraction *c, const char *gemm) {
  bd_text_format(text, "(");
  for (int i = 0; i < 3; i++) {
    bd_text_format(text, "%s%%x%d: ", i > 0 ? ", " : "", i);
    bd_text_type(text, c->s.operands[i].type);
  }
  int is_bare = 1;
  for (int i = 0; i < 3; i++) is_bare &= bd_type_is_bare(c->s.operands[i].type);
  bd_text_format(text, ")%s {\n", is_bare ? " attributes {llvm.bareptr}" : "");
  bd_text_format(text, "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n");
  for (int i = 0; i < 3; i++) write_metadata(text, &c->s.operands[i], i);
  write_size(text, c, "m", &c->m);
  write_size(text, c, "n", &c->n);
  write_size(text, c, "k", &c->k);
  int n_outer = 0;
  for (int loop = 0; loop < c->s.n_loops; loop++) {
    if (c->is_inside[loop]) continue;
    const int x = operand_along(c, loop);
    bd_text_format(text, "  scf.for %%i%d = %%c0 to %%size%d#%d step %%c1 {\n", loop, x,
                   c->s.operands[x].axis[loop]);
    n_outer++;
  }
  for (int i = 0; i < 3; i++) write_offset(text, c, i);
  write_matrix(text, c, A, "m", &c->m, "k", &c->k);
  write_matrix(text, c, B, "k", &c->k, "n", &c->n);
  write_matrix(text, c, C, "m", &c->m, "n", &c->n);
  write_call(text, c, gemm);
  for (int i = 0; i < n_outer; i++) bd_text_format(text, "  }\n");
  bd_text_format(text, "  return\n}\n");
}

static buddy_code replace(MlirOperation op, bd_kernels *kernels) {
  contraction c;
  char gemm[64];
  const char *name;
  if (!read_contraction(op, &c)) return BUDDY_OK;
  const MlirType in = mlirShapedTypeGetElementType(operand_of(&c, A)->type);
  const MlirType out = mlirShapedTypeGetElementType(operand_of(&c, C)->type);
  if (!mlirTypeEqual(in, mlirShapedTypeGetElementType(operand_of(&c, B)->type))) return BUDDY_OK;
  buddy_code code = bd_kernels_gemm(kernels, in, out, gemm);
  if (code == BUDDY_UNSUPPORTED) return BUDDY_OK;
  bd_text text = {NULL, 0, 0, 0};
  write_kernel(&text, &c, gemm);
  if (code == BUDDY_OK) code = bd_kernels_add(kernels, "contraction", &text, &name);
  bd_text_deinit(&text);
  if (code != BUDDY_OK) return code;
  const MlirValue operands[] = {c.s.operands[0].value, c.s.operands[1].value,
                                c.s.operands[2].value};
  code = bd_call_insert(op, name, operands, 3);
  if (code == BUDDY_OK) bd_op_erase(op);
  return code;
}

buddy_code bd_contractions_replace(MlirOperation root, bd_kernels *kernels) {
  bd_ops ops = {NULL, 0, 0};
  buddy_code code = bd_ops_collect_outermost(&ops, root, "linalg.");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; i++) code = replace(ops.items[i], kernels);
  bd_ops_deinit(&ops);
  return code;
}
