// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels_text.c: the matrices of panels.h as text: their types, and panels that
 * are kept. */
#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/panels.h"

bd_phrase bd_panels_rows(const bd_panels *p, const char *any) {
  return bd_number_or(p->has_any_rows, p->m, any);
}

bd_phrase bd_panels_type_a(const bd_panels *p) {
  return bd_phrase_of(
      "memref<%lldx%sx%lldx%lldx%sx%s, strided<[%lld, %s, %lld, %lld, 1], offset: ?>>",
      (long long)p->lines, bd_panels_rows(p, "?").data, (long long)p->segments,
      (long long)p->pieces, bd_number_or(p->has_any_depth, bd_panels_depth(p), "?").data,
      p->element->name, (long long)p->line_a, bd_number_or(p->has_any_depth, p->lda, "?").data,
      (long long)p->segment_a, (long long)p->piece_a);
}

bd_phrase bd_panels_type_c(const bd_panels *p) {
  return bd_phrase_of("memref<%lldx%sx%sx%s, strided<[%lld, %s, 1], offset: ?>>",
                      (long long)p->lines, bd_panels_rows(p, "?").data,
                      bd_number_or(p->has_any_columns, p->n, "?").data, p->element->name,
                      (long long)p->line_c, bd_number_or(p->has_any_columns, p->ldc, "?").data);
}

void bd_panels_write_a(bd_text *text, const bd_panels *p, const char *flat, const char *at) {
  bd_text_format(text,
                 "  %%matrix_a = memref.reinterpret_cast %%%s to offset: [%%%s], sizes: [1, %s, "
                 "1, 1, %s], strides: [0, %s, 0, 0, 1] : memref<%s> to %s\n",
                 flat, at, bd_panels_rows(p, "%n_rows").data,
                 bd_number_or(p->has_any_depth, p->k, "%end_of_k").data,
                 bd_number_or(p->has_any_depth, p->lda, "%pitch").data, p->element->name,
                 bd_panels_type_a(p).data);
}

void bd_panels_write_c(bd_text *text, const bd_panels *p, const char *flat, const char *at) {
  bd_text_format(text,
                 "  %%matrix_c = memref.reinterpret_cast %%%s to offset: [%%%s], sizes: [1, %s, "
                 "%s], strides: [0, %s, 1] : memref<%s> to %s\n",
                 flat, at, bd_panels_rows(p, "%n_rows").data,
                 bd_number_or(p->has_any_columns, p->n, "%pitch").data,
                 bd_number_or(p->has_any_columns, p->ldc, "%pitch").data, p->element->name,
                 bd_panels_type_c(p).data);
}

bd_phrase bd_panels_type_b(const bd_panels *p) {
  if (p->is_in_place) return bd_panels_type_source(p);
  return bd_phrase_of(
      "memref<%sx%sx%dx%s>",
      bd_number_or(p->has_any_columns, p->is_fresh ? 1 : bd_panels_count(p), "?").data,
      bd_number_or(p->has_any_depth, bd_panels_depth_of_panel(p), "?").data, bd_panels_width(p),
      p->element->name);
}

void bd_panels_write_dot_packing(bd_text *text, const char *name, int64_t bytes) {
  bd_text_format(
      text,
      "  %%no_bytes = arith.constant 0 : index\n"
      "  %%in_words = memref.view %%%s[%%no_bytes][] : memref<%lldxi8> to memref<%lldxi32>\n",
      name, (long long)bytes, (long long)bytes / 4);
}

bd_phrase bd_panels_type_source(const bd_panels *p) {
  return bd_phrase_of("memref<%lldx%lldx%s, strided<[%lld, 1], offset: ?>>", (long long)p->k,
                      (long long)p->n, p->element->name, (long long)p->ldb);
}

bd_phrase bd_panels_type_extra(const bd_panels *p, int k) {
  if (p->epilogue->extras[k].is_row)
    return bd_phrase_of("memref<%lldx%s, strided<[1], offset: ?>>", (long long)p->n,
                        p->element->name);
  else
    return bd_phrase_of("memref<%lldx%lldx%lldx%s, strided<[%lld, %lld, 1], offset: ?>>",
                        (long long)p->lines, (long long)p->m, (long long)p->n, p->element->name,
                        (long long)p->of_extra[k].line, (long long)p->of_extra[k].row);
}

void bd_units_begin(bd_text *text, const char *name, int64_t n) {
  if (n >= 0) bd_ir_write(text, "%s_units = %lld;", name, (long long)n);
  bd_text_format(text,
                 "  scf.parallel (%%%s_first) = (%%c0) to (%%%s_units) step (%%%s_units) {\n"
                 "  %%%s_last = arith.addi %%%s_first, %%%s_units : index\n",
                 name, name, name, name, name, name);
}

void bd_units_end(bd_text *text, int64_t cost) {
  bd_text_format(text, "  } {cost = %lld : i64}\n", (long long)cost + 1);
}
