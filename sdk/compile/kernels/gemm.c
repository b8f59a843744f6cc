/* sdk/compile/kernels/gemm.c: see gemm.h. */
#include "sdk/compile/kernels/gemm.h"

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/panels.h"

int bd_has_dots(const bd_contraction *c) {
  const int64_t n = bd_group_size(c, &c->n), k = bd_group_size(c, &c->k);
  return !mlirTypeIsAInteger(bd_element_of(c, BD_C)) && n >= 8 && k >= 16 &&
         bd_group_stride(bd_operand_of(c, BD_A), &c->k) == 1 &&
         bd_group_stride(bd_operand_of(c, BD_B), &c->k) == 1;
}

buddy_code bd_callees_find(const bd_contraction *c, bd_kernels *kernels, const MlirType types[3],
                           bd_callees *of) {
  const int64_t m = bd_group_size(c, &c->m);
  buddy_code code = BUDDY_OK;
  *of = (bd_callees){.gemm = ""};
  if (bd_has_dots(c) && (m <= BD_FEW_ROWS || m == INT32_MAX))
    code = bd_kernels_dots(kernels, types, of->dots);
  if (code == BUDDY_OK && (m > BD_FEW_ROWS || of->dots[0] == '\0'))
    code = bd_kernels_gemm(kernels, types, of->gemm);
  return code;
}

/* ---- The kernel ---- */

static void write_size(bd_text *text, const bd_contraction *c, const char *name,
                       const bd_group *g) {
  for (int i = 0; i < g->n; i++) {
    const int x = bd_operand_along(c, g->loops[i]);
    if (i == 0) {
      bd_text_format(text, "  %%%s%d = arith.addi %%size%d#%d, %%c0 : index\n", name, i, x,
                     c->s.operands[x].axis[g->loops[i]]);
    } else {
      bd_text_format(text, "  %%%s%d = arith.muli %%%s%d, %%size%d#%d : index\n", name, i, name,
                     i - 1, x, c->s.operands[x].axis[g->loops[i]]);
    }
  }
}

/* Operand `which` as a matrix whose rows are walked by `rows` and whose columns are walked by
 * `columns`. */
static void write_matrix(bd_text *text, const bd_contraction *c, int which, const char *row_name,
                         const bd_group *rows, const char *column_name, const bd_group *columns) {
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
  if (which == BD_C) {
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

static void write_call(bd_text *text, const bd_contraction *c, const char *callee) {
  bd_text_format(text, "  func.call @%s(%%matrix0, %%part1, %%part2) : (", callee);
  for (int which = BD_A; which <= BD_C; which++) {
    bd_text_format(text, "%smemref<?x?x", which > BD_A ? ", " : "");
    bd_text_type(text, bd_element_of(c, which));
    bd_text_format(text, ", strided<[?, %s], offset: ?>>", which == BD_C ? "1" : "?");
  }
  bd_text_format(text, ") -> ()\n");
}

static void write_calls(bd_text *text, const bd_contraction *c, const bd_callees *of) {
  if (of->gemm[0] == '\0' || of->dots[0] == '\0') {
    write_call(text, c, of->gemm[0] != '\0' ? of->gemm : of->dots);
    return;
  }
  bd_text_format(text,
                 "  %%few = arith.constant %d : index\n"
                 "  %%are_few = arith.cmpi ule, %%m_all, %%few : index\n"
                 "  scf.if %%are_few {\n",
                 BD_FEW_ROWS);
  write_call(text, c, of->dots);
  bd_text_format(text, "  } else {\n");
  write_call(text, c, of->gemm);
  bd_text_format(text, "  }\n");
}

/* Threads share the columns of a product, so many a unit. */
enum { COLUMNS = 64 };

/* Of a product of unknown sizes: as a small one has. */
enum { UNKNOWN_COST = 32 * 1024 };

/* Of a unit of the columns. With few rows it is their reading. */
static int64_t cost_of_columns(const bd_contraction *c) {
  const int64_t m = bd_group_size(c, &c->m), k = bd_group_size(c, &c->k);
  return m <= BD_FEW_ROWS && k < INT32_MAX ? COLUMNS * k : UNKNOWN_COST;
}

/* Threads share the columns of the product: %matrix1 and %matrix2 become those of
 * the units at hand. */
static void write_columns(bd_text *text, const bd_contraction *c) {
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
  for (int which = BD_B; which <= BD_C; which++) {
    bd_text type = {NULL, 0, 0, 0};
    bd_text_format(&type, "memref<?x?x");
    bd_text_type(&type, mlirShapedTypeGetElementType(bd_operand_of(c, which)->type));
    bd_text_format(&type, ", strided<[?, %s], offset: ?>>", which == BD_C ? "1" : "?");
    if (!type.is_lost) {
      bd_text_format(
          text,
          "  %%part%d = memref.subview %%matrix%d[0, %%start] [%%%s, %%columns] [1, 1] : ", which,
          which, which == BD_B ? "k_all" : "m_all");
      bd_text_format(text, "%s to %s\n", type.data, type.data);
    }
    text->is_lost |= type.is_lost;
    bd_text_deinit(&type);
  }
}

void bd_callees_write_kernel(bd_text *text, const bd_contraction *c, const bd_callees *of) {
  const int is_bare = bd_contraction_write_operands(text, c);
  bd_contraction_write_begin(text, is_bare);
  for (int i = 0; i < 3; i++) bd_contraction_write_metadata(text, &c->s.operands[i], i);
  write_size(text, c, "m", &c->m);
  write_size(text, c, "n", &c->n);
  write_size(text, c, "k", &c->k);
  const int n_outer = bd_contraction_write_loops(text, c);
  for (int i = 0; i < 3; i++) bd_contraction_write_offset(text, c, i);
  write_matrix(text, c, BD_A, "m", &c->m, "k", &c->k);
  write_matrix(text, c, BD_B, "k", &c->k, "n", &c->n);
  write_matrix(text, c, BD_C, "m", &c->m, "n", &c->n);
  bd_text_format(text,
                 "  %%m_all = arith.addi %%m%d, %%c0 : index\n"
                 "  %%k_all = arith.addi %%k%d, %%c0 : index\n",
                 c->m.n - 1, c->k.n - 1);
  write_columns(text, c);
  write_calls(text, c, of);
  bd_units_end(text, cost_of_columns(c));
  bd_contraction_write_loops_end(text, c, n_outer, UNKNOWN_COST);
  bd_text_format(text, "  return\n}\n");
}
