// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/gemm.c: calls of the library's products. */
#include "sdk/compile/kernels/gemm.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/panels/panels.h"
#include "sdk/compile/rewrite/constancy.h"

bool bd_gemm_packs_bf16(const bd_contraction *c, const bd_prepacking *prepacking) {
  return prepacking->machine->has_words[BD_PACKED_BF16] &&
         bd_dot_packing_for(bd_contraction_elements(c)) == bd_dot_packing_of(BD_PACKED_BF16) &&
         bd_is_steady(prepacking, bd_operand_of(c, BD_B)->value);
}

int bd_can_be_gemv(const bd_contraction *c) {
  const int64_t n = bd_group_size(c, &c->n), k = bd_group_size(c, &c->k);
  return !mlirTypeIsAInteger(bd_element_of(c, BD_C)) && n >= 8 && k >= 16 &&
         bd_group_stride(bd_operand_of(c, BD_A), &c->k) == 1 &&
         bd_group_stride(bd_operand_of(c, BD_B), &c->k) == 1;
}

/* B stays in the second cache, as what is dequantized for a product does; a weight, if all others do, too: those
 * that are read between two runs of it put it out. */
static bool is_near(const bd_contraction *c, const bd_prepacking *prepacking, const bd_element *b) {
  const int64_t n = bd_group_size(c, &c->n), k = bd_group_size(c, &c->k),
                l2 = prepacking->machine->l2;
  return n < INT32_MAX && k < INT32_MAX && n * k <= l2 / b->bytes &&
         (prepacking->constant_bytes <= l2 ||
          !bd_is_steady(prepacking, bd_operand_of(c, BD_B)->value));
}

buddy_code bd_callees_find(const bd_contraction *c, bd_kernels *kernels,
                           const bd_prepacking *prepacking, bd_elements elements,
                           bool is_dequantized, bd_callees *of) {
  const int64_t m = bd_group_size(c, &c->m);
  *of = (bd_callees){.elements = elements};
  for (int i = 0; i < 3; ++i) {
    if (!elements.of[i]) return BUDDY_UNSUPPORTED;
  }
  if (is_dequantized && m == 1) return BUDDY_OK;
  if (bd_can_be_gemv(c) && (m <= BD_FEW_ROWS || m == INT32_MAX)) {
    const bool is_bf16 = !is_dequantized && bd_gemm_packs_bf16(c, prepacking);
    static const bd_kernels_function gemv[2][2] = {
        {BD_LIBRARY_GEMV, BD_LIBRARY_GEMV_NEAR}, {BD_LIBRARY_GEMV_BF16, BD_LIBRARY_GEMV_BF16_NEAR}};
    const bool near = is_dequantized || is_near(c, prepacking, elements.of[1]);
    BD_TRY(bd_kernels_want(kernels, gemv[is_bf16][near], elements, &of->gemv));
  }
  const bool is_enough = m <= BD_FEW_ROWS && of->gemv;
  return is_enough ? BUDDY_OK : bd_kernels_want(kernels, BD_LIBRARY_GEMM, elements, &of->gemm);
}

/* ---- The kernel ---- */

static void write_size(bd_text *text, const bd_contraction *c, const char *name,
                       const bd_group *g) {
  for (int i = 0; i < g->n; ++i) {
    const int x = bd_operand_along(c, g->loops[i]);
    if (i == 0)
      bd_text_format(text, "%s%d = x%d_sizes#%d;", name, i, x, c->s.operands[x].axis[g->loops[i]]);
    else
      bd_text_format(text, "%s%d = %s%d * x%d_sizes#%d;", name, i, name, i - 1, x,
                     c->s.operands[x].axis[g->loops[i]]);
  }
}

/* Operand `which` as a matrix whose rows are walked by `rows` and whose columns are walked by
 * `columns`. */
static void write_matrix(bd_text *text, const bd_contraction *c, int which, const char *row_name,
                         const bd_group *rows, const char *column_name, const bd_group *columns) {
  const int i = c->operand[which];
  const int *const axis = c->s.operands[i].axis;
  bd_text_format(
      text, "matrix%d = view(x%d_base, at%d, [%s%d, %s%d], [x%d_strides#%d, %s]);", which, i, i,
      row_name, rows->n - 1, column_name, columns->n - 1, i, axis[rows->loops[0]],
      which == BD_C ? "1" : bd_phrase_of("x%d_strides#%d", i, axis[columns->loops[0]]).data);
}

/* For few rows, or for many; where there is but one function, it. */
static const char *callee_for(const bd_callees *of, bool are_few) {
  return !of->gemm || (are_few && of->gemv) ? of->gemv : of->gemm;
}

/* True if the number of rows, which only a run knows, decides how they are multiplied. */
static bool has_choice(const bd_callees *of) { return of->gemm && of->gemv; }

/* What stands before the part for few rows, where there is a choice. rows: how many there are. */
static void write_choice(bd_text *text, const char *rows) {
  bd_text_format(text,
                 "few = %d; are_few = ule(%s, few);"
                 "if are_few {",
                 BD_FEW_ROWS, rows);
}

/* matrices: the names of A, B and C. */
static void write_calls(bd_text *text, const bd_callees *of, const char *matrices) {
  if (has_choice(of)) write_choice(text, "m_all");
  bd_text_format(text, "call(\"%s\", %s);", callee_for(of, 1), matrices);
  if (has_choice(of))
    bd_text_format(text, "} else { call(\"%s\", %s); }", callee_for(of, 0), matrices);
}

/* Threads share the columns of a product, so many a unit. */
enum { COLUMNS = 64 };

/* Few rows take as long as the columns take to be read: units of so many elements, which a thread
 * that comes late leaves to the others, and whole eights of columns. */
enum { OF_UNIT = 16 * 1024, EIGHT = 8 };

static int64_t columns_of_unit(const bd_contraction *c, bool are_few) {
  const int64_t k = bd_group_size(c, &c->k);
  int64_t columns = COLUMNS;
  while (are_few && columns > EIGHT && columns * k > OF_UNIT) columns /= 2;
  return columns;
}

/* Of a product of unknown sizes: as a small one has. */
enum { UNKNOWN_COST = 32 * 1024 };

/* Of a unit of the columns. With few rows it is their reading. */
static int64_t cost_of_columns(const bd_contraction *c, bool are_few) {
  const int64_t k = bd_group_size(c, &c->k);
  return are_few && k < INT32_MAX ? columns_of_unit(c, are_few) * k : UNKNOWN_COST;
}

/* Threads share the columns of the product, so many a unit: %start to before %end. */
static void write_columns(bd_text *text, const bd_contraction *c, int64_t of_unit) {
  const int last = c->n.n - 1;
  bd_text_format(text, "of_unit = %lld; column_units = ceildiv(n%d, of_unit);", (long long)of_unit,
                 last);
  bd_units_begin(text, "column", -1);
  bd_text_format(text,
                 "start = column_first * of_unit; end = min(column_last * of_unit, n%d);"
                 "columns = end - start;",
                 last);
}

/* ---- B made where it is needed --------------------------------------------------------------- */

/* Slab by slab: as many columns, as many elements of each. */
static void write_slabs(bd_text *text, const bd_callees *of, const bd_dequantized *r) {
  const bd_slab slab = bd_dequantized_slab(r);
  bd_text_format(
      text,
      "let k = %lld; slab = alloc(memref<%lldx$kxf32>); slab_columns = %lld; slab_depth = $k;"
      "for column = start to end by slab_columns {"
      "column_end = min(column + slab_columns, end); n_slab = column_end - column;"
      "to_column = column - start;"
      "for depth = c0 to k_all by slab_depth {"
      "depth_end = min(depth + slab_depth, k_all); k_slab = depth_end - depth;",
      (long long)slab.k, (long long)slab.n, (long long)slab.n);
  bd_dequantized_write_slab(text, r);
  bd_text_format(
      text,
      "turned = view(slab, 0, [k_slab, n_slab], [1, %lld]) : memref<?x?xf32,strided<[1,%lld]>>;"
      "slab_b = cast(turned, %s); slab_a = subview(matrix0, [0, depth], [m_all, k_slab]);"
      "slab_c = subview(part2, [0, to_column], [m_all, n_slab]);",
      (long long)slab.k, (long long)slab.k, bd_type_matrix("f32").data);
  write_calls(text, of, "slab_a, slab_b, slab_c");
  bd_text_format(text, "} } dealloc(slab);");
}

static void write_dequantized(bd_text *text, const bd_contraction *c, const bd_callees *of,
                              const bd_dequantized *r) {
  const int64_t m = bd_group_size(c, &c->m);
  bd_text_format(text, "part2 = subview(matrix2, [0, start], [m_all, columns]);");
  if (m == INT32_MAX)
    bd_text_format(text,
                   "is_one = m_all == c1;"
                   "if is_one {");
  if (m == 1 || m == INT32_MAX)
    bd_dequantized_write_row(text, r, bd_element_of(c, BD_A), bd_element_of(c, BD_C));
  if (m == INT32_MAX) bd_text_format(text, "  } else {\n");
  if (m != 1) write_slabs(text, of, r);
  if (m == INT32_MAX) bd_text_format(text, "  }\n");
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* A group of B's loops, of known sizes, as one of A's or C's is written. */
static void write_known_size(bd_text *text, const bd_contraction *c, const char *name,
                             const bd_group *g) {
  bd_text_format(text, "%s%d = %lld;", name, g->n - 1, (long long)bd_group_size(c, g));
}

static bool has_operand(const bd_contraction *c, const bd_dequantized *r, int i) {
  return r->n == 0 || i != c->operand[BD_B];
}

/* The product at hand, by all rows' callee if there is but one, by that for few or many if not. */
static void write_product(bd_text *text, const bd_contraction *c, const bd_callees *of,
                          const bd_dequantized *r, bool are_few) {
  write_columns(text, c, columns_of_unit(c, are_few && r->n == 0));
  if (r->n > 0) {
    write_dequantized(text, c, of, r);
  } else {
    bd_text_format(text,
                   "part1 = subview(matrix1, [0, start], [k_all, columns]);"
                   "part2 = subview(matrix2, [0, start], [m_all, columns]);"
                   "call(\"%s\", matrix0, part1, part2);",
                   callee_for(of, are_few));
  }
  bd_units_end(text, cost_of_columns(c, are_few && r->n == 0));
}

/* All products, one for each round of the loops around them. */
static void write_products(bd_text *text, const bd_contraction *c, const bd_callees *of,
                           const bd_dequantized *r, bool are_few) {
  bd_contraction_write_loops(text, c);
  for (int i = 0; i < 3; ++i) {
    if (has_operand(c, r, i)) bd_contraction_write_offset(text, c, i);
  }
  write_matrix(text, c, BD_A, "m", &c->m, "k", &c->k);
  if (r->n == 0) write_matrix(text, c, BD_B, "k", &c->k, "n", &c->n);
  write_matrix(text, c, BD_C, "m", &c->m, "n", &c->n);
  write_product(text, c, of, r, are_few);
  bd_contraction_write_loops_end(text, c, UNKNOWN_COST);
}

static void write_sizes(bd_text *text, const bd_contraction *c, bool is_dequantized) {
  write_size(text, c, "m", &c->m);
  (is_dequantized ? write_known_size : write_size)(text, c, "n", &c->n);
  (is_dequantized ? write_known_size : write_size)(text, c, "k", &c->k);
  bd_text_format(text, "m_all = m%d; n_all = n%d; k_all = k%d;", c->m.n - 1, c->n.n - 1,
                 c->k.n - 1);
}

void bd_callees_write_choice(bd_text *text, const bd_contraction *c) {
  write_size(text, c, "of_rows", &c->m);
  bd_text_format(text, "n_rows = of_rows%d;", c->m.n - 1);
  write_choice(text, "n_rows");
}

void bd_callees_write_few(bd_text *text, const bd_contraction *c, const bd_callees *of) {
  const bd_dequantized none = {.n = 0};
  write_sizes(text, c, false);
  write_products(text, c, of, &none, true);
}

void bd_callees_write_kernel(bd_text *text, const bd_contraction *c, const bd_callees *of,
                             const bd_dequantized *r) {
  const bool is_dequantized = r->n > 0;
  bd_head head = {.is_open = false};
  for (int i = 0; i < 3; ++i) {
    if (has_operand(c, r, i))
      bd_head_add(text, &head, bd_phrase_of("x%d", i).data, c->s.operands[i].type);
  }
  if (is_dequantized) bd_epilogue_write_parameters(text, &head, &r->loop);
  bd_head_end(text, &head);
  for (int i = 0; i < 3; ++i) {
    if (has_operand(c, r, i)) bd_text_format(text, "metadata x%d = x%d;", i, i);
  }
  write_sizes(text, c, is_dequantized);
  if (is_dequantized) bd_dequantized_write_begin(text, r);
  if (is_dequantized || !has_choice(of)) {
    write_products(text, c, of, r, bd_group_size(c, &c->m) <= BD_FEW_ROWS);
  } else {
    write_choice(text, "m_all");
    write_products(text, c, of, r, 1);
    bd_text_format(text, "  } else {\n");
    write_products(text, c, of, r, 0);
    bd_text_format(text, "  }\n");
  }
  bd_text_format(text, "  return\n}\n");
}
