/* sdk/compile/kernels/panels_text.c: the matrices of panels.h as text: their types, and panels that
 * are kept. */
#include <stdio.h>

#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/panels.h"

bd_rows_text bd_panels_rows(const bd_panels *p, const char *any) {
  bd_rows_text rows;
  if (p->has_any_rows)
    snprintf(rows.data, sizeof(rows.data), "%s", any);
  else
    snprintf(rows.data, sizeof(rows.data), "%lld", (long long)p->m);
  return rows;
}

void bd_panels_type_a(bd_text *text, const bd_panels *p) {
  bd_text_format(
      text, "memref<%lldx%sx%lldx%lldx%lldx%s, strided<[%lld, %lld, %lld, %lld, 1], offset: ?>>",
      (long long)p->lines, bd_panels_rows(p, "?").data, (long long)p->segments,
      (long long)p->pieces, (long long)bd_panels_depth(p), p->element, (long long)p->line_a,
      (long long)p->lda, (long long)p->segment_a, (long long)p->piece_a);
}

void bd_panels_type_c(bd_text *text, const bd_panels *p) {
  bd_text_format(text, "memref<%lldx%sx%lldx%s, strided<[%lld, %lld, 1], offset: ?>>",
                 (long long)p->lines, bd_panels_rows(p, "?").data, (long long)p->n, p->element,
                 (long long)p->line_c, (long long)p->ldc);
}

void bd_panels_type_b(bd_text *text, const bd_panels *p) {
  if (p->is_in_place) {
    bd_text_format(text, "memref<%lldx%lldx%s, strided<[%lld, 1], offset: ?>>", (long long)p->k,
                   (long long)p->n, p->element, (long long)p->ldb);
    return;
  }
  bd_text_format(text, "memref<%lldx%lldx%dx%s>", (long long)(p->is_fresh ? 1 : bd_panels_count(p)),
                 (long long)bd_panels_depth_of_panel(p), bd_panels_width(p), p->element);
}

void bd_panels_write_words(bd_text *text, const char *name, int64_t bytes) {
  bd_text_format(
      text,
      "  %%no_bytes = arith.constant 0 : index\n"
      "  %%in_words = memref.view %%%s[%%no_bytes][] : memref<%lldxi8> to memref<%lldxi32>\n",
      name, (long long)bytes, (long long)bytes / 4);
}

void bd_panels_type_source(bd_text *text, const bd_panels *p) {
  bd_text_format(text, "memref<%lldx%lldx%s, strided<[%lld, 1], offset: ?>>", (long long)p->k,
                 (long long)p->n, p->element, (long long)p->ldb);
}

void bd_panels_type_extra(bd_text *text, const bd_panels *p, int k) {
  if (p->epilogue->extras[k].is_row)
    bd_text_format(text, "memref<%lldx%s, strided<[1], offset: ?>>", (long long)p->n, p->element);
  else
    bd_text_format(text, "memref<%lldx%lldx%lldx%s, strided<[%lld, %lld, 1], offset: ?>>",
                   (long long)p->lines, (long long)p->m, (long long)p->n, p->element,
                   (long long)p->of_extra[k].line, (long long)p->of_extra[k].row);
}
