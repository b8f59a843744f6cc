// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels_text.c: the matrices of panels.h as text: where they begin, and the types
 * of B. */
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/panels.h"

void bd_panels_write_matrix(bd_text *text, const bd_panels *p, const char *matrix,
                            const char *buffer, const char *type, const char *at) {
  const bd_phrase base = bd_phrase_of("%s_base", matrix);
  if (p->words && matrix[0] == 'a') {
    bd_buffer_write_base(text, "a_elements", buffer, type, p->words->element->name);
    bd_dot_packing_write_buffer(text, p->words, base.data, "a_elements");
    bd_ir_write(text, "a_at = %s / %d;", at, p->of_group > 0 ? 1 : p->words->n);
    return;
  }
  bd_buffer_write_base(text, base.data, buffer, type, p->element->name);
  bd_ir_write(text, "%s_at = %s;", matrix, at);
}

bd_phrase bd_panels_type_b(const bd_panels *p) {
  if (p->is_in_place) return bd_type_rows(p->element->name);
  return bd_phrase_of(
      "memref<%sx%sx%dx%s>",
      bd_number_or(p->has_any_columns, p->is_fresh ? 1 : bd_panels_count(p), "?").data,
      bd_number_or(p->has_any_depth, bd_panels_depth_of_panel(p), "?").data, bd_panels_width(p),
      p->element->name);
}

static bd_phrase type_aside(const bd_panels *p) {
  return bd_phrase_of("memref<%lldx%dx%s>", (long long)p->m, bd_panels_width(p), p->element->name);
}

void bd_panels_write_aside(bd_text *text, const bd_panels *p) {
  if (!p->is_aside) return;
  bd_buffer_write_alloc(text, "aside", "", type_aside(p).data);
  bd_panels_write_matrix(text, p, "c", "aside", type_aside(p).data, "c0");
}

void bd_panels_write_aside_end(bd_text *text, const bd_panels *p) {
  if (p->is_aside) bd_buffer_write_free(text, "aside", type_aside(p).data);
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
