// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels/text.c: the matrices of panels.h as text: where they begin, and the types
 * of B. */
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/panels/panels.h"

void bd_panels_write_matrix(bd_text *text, const bd_panels *p, const char *matrix,
                            const char *buffer, const char *at) {
  if (!p->words || matrix[0] != 'a') {
    bd_text_format(text, "%s_base = base(%s); %s_at = %s;", matrix, buffer, matrix, at);
    return;
  }
  bd_text_format(text, "a_elements = base(%s);", buffer);
  bd_dot_packing_write_buffer(text, p->words, "a_base", "a_elements");
  bd_text_format(text, "a_at = %s / %d;", at, p->of_group > 0 ? 1 : p->words->n);
}

bd_phrase bd_panels_type_b(const bd_panels *p) {
  if (p->is_in_place) return bd_type_rows(p->element->name);
  return bd_phrase_of(
      "memref<%sx%sx%dx%s>",
      bd_number_or(p->has_any_columns, p->is_fresh ? 1 : bd_panels_count(p), "?").data,
      bd_number_or(p->has_any_depth, bd_panels_depth_of_panel(p), "?").data, bd_panels_width(p),
      p->element->name);
}

void bd_panels_write_aside(bd_text *text, const bd_panels *p) {
  if (!p->is_aside) return;
  bd_text_format(text, "aside = alloc(memref<%lldx%dx%s>);", (long long)p->m, bd_panels_width(p),
                 p->element->name);
  bd_panels_write_matrix(text, p, "c", "aside", "c0");
}

void bd_panels_write_aside_end(bd_text *text, const bd_panels *p) {
  if (p->is_aside) bd_text_format(text, "dealloc(aside);");
}

void bd_units_begin(bd_text *text, const char *name, int64_t n) {
  bd_text_format(text, "let x = %s;", name);
  if (n >= 0) bd_text_format(text, "$x_units = %lld;", (long long)n);
  bd_text_format(text,
                 "scf.parallel (%%$x_first) = (%%c0) to (%%$x_units) step (%%$x_units) {\n"
                 "$x_last = $x_first + $x_units;");
}

void bd_units_end(bd_text *text, int64_t cost) {
  bd_text_format(text, "} {cost = %lld : i64}\n", (long long)cost + 1);
}
