// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention_few.c: few rows of attention (attention.h) of any number, such as
 * those of one token after another. Keys and values are read where they lie, since packing them
 * would take longer. */
#include "sdk/compile/kernels/attention.h"
#include "sdk/compile/kernels/gemm.h"

/* Up to so many rows it is faster. */
enum { FEW_ROWS = 4 };

buddy_code bd_attention_find_few(const bd_attention *a, bd_kernels *kernels, char gemv[64]) {
  const MlirType element = bd_element_of(&a->c[0], BD_A), types[] = {element, element, element};
  gemv[0] = '\0';
  if (!bd_extents_is_unknown(&a->extents, a->sizes[BD_OF_ROW]) || !bd_can_be_gemv(&a->c[0]) ||
      bd_group_stride(bd_operand_of(&a->c[1], BD_B), &a->c[1].n) != 1)
    return BUDDY_OK;
  return bd_kernels_gemv(kernels, types, gemv);
}

void bd_attention_write_are_few(bd_text *text, const char *gemv) {
  if (gemv[0] == '\0') {
    bd_text_format(text, "  %%are_few = arith.constant false\n");
    return;
  }
  bd_text_index(text, "few", FEW_ROWS);
  bd_text_format(text, "  %%are_few = arith.cmpi ule, %%all_rows, %%few : index\n");
}

/* %matrix_c[%r, %column] = 0 for the row %r. */
static void write_zeros(bd_text *text, const bd_panels *p, const char *columns) {
  bd_text_format(text,
                 "  %%zero_of_few = arith.constant 0.0 : %s\n"
                 "  scf.for %%column = %%c0 to %%%s step %%c1 {\n"
                 "  memref.store %%zero_of_few, %%matrix_c[%%c0, %%r, %%column] : ",
                 p->element->name, columns);
  bd_panels_type_c(text, p);
  bd_text_format(text, "\n  }\n");
}

void bd_attention_write_few_scores(bd_text *text, const bd_panels *p, const char *gemv) {
  const char *const f = p->element->name;
  bd_text_format(text, "  scf.for %%r = %%c0 to %%of_block step %%c1 {\n");
  write_zeros(text, p, "columns");
  bd_text_format(
      text,
      "  }\n"
      "  %%few_a = memref.reinterpret_cast %%x0_flat to offset: [%%block_at], sizes: [%%of_block, "
      "%%x1_k_0], strides: [%%x0_ld, %%c1] : memref<%s> to memref<?x?x%s, strided<[?, ?], offset: "
      "?>>\n"
      "  %%few_b = memref.reinterpret_cast %%x1_flat to offset: [%%x1_at], sizes: [%%x1_k_0, "
      "%%columns], strides: [%%x1_of_k_0, %%x1_of_n_0] : memref<%s> to memref<?x?x%s, strided<[?, "
      "?], offset: ?>>\n"
      "  %%few_c = memref.reinterpret_cast %%scores_flat to offset: [%%scores_at], sizes: "
      "[%%of_block, %%columns], strides: [%%pitch, 1] : memref<%s> to memref<?x?x%s, strided<[?, "
      "1], offset: ?>>\n"
      "  func.call @%s(%%few_a, %%few_b, %%few_c) : (memref<?x?x%s, strided<[?, ?], offset: ?>>, "
      "memref<?x?x%s, strided<[?, ?], offset: ?>>, memref<?x?x%s, strided<[?, 1], offset: ?>>) -> "
      "()\n",
      f, f, f, f, f, f, gemv, f, f, f);
}

void bd_attention_write_few_results(bd_text *text, const bd_panels *p) {
  const char *const f = p->element->name;
  bd_text_index(text, "few_columns", p->n);
  bd_text_format(text,
                 "  %%few_b = memref.reinterpret_cast %%x2_flat to offset: [%%x2_at], sizes: "
                 "[%%x2_k_0, %%x2_n_0], strides: [%%x2_of_k_0, 1] : memref<%s> to memref<?x?x%s, "
                 "strided<[?, 1], offset: ?>>\n"
                 "  scf.for %%r = %%c0 to %%of_block step %%c1 {\n",
                 f, f);
  write_zeros(text, p, "few_columns");
  bd_text_format(text,
                 "  scf.for %%k = %%c0 to %%end_of_k step %%c1 {\n"
                 "  %%weight = memref.load %%matrix_a[%%c0, %%r, %%c0, %%c0, %%k] : ");
  bd_panels_type_a(text, p);
  bd_text_format(text,
                 "\n  scf.for %%column = %%c0 to %%few_columns step %%c1 {\n"
                 "  %%value = memref.load %%few_b[%%k, %%column] : memref<?x?x%s, strided<[?, 1], "
                 "offset: ?>>\n"
                 "  %%was = memref.load %%matrix_c[%%c0, %%r, %%column] : ",
                 f);
  bd_panels_type_c(text, p);
  bd_text_format(text,
                 "\n  %%weighed = arith.mulf %%weight, %%value fastmath<contract> : %s\n"
                 "  %%now = arith.addf %%was, %%weighed fastmath<contract> : %s\n"
                 "  memref.store %%now, %%matrix_c[%%c0, %%r, %%column] : ",
                 f, f);
  bd_panels_type_c(text, p);
  bd_text_format(text, "\n  }\n  }\n  }\n");
}
