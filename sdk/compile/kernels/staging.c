// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/staging.c: text that copies rows of A aside. */
#include "sdk/compile/kernels/staging.h"

#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/ir_text.h"

/* With more than CROWD rows in one place of the first cache, lines are lost before all of them has
 * been read. */
enum { CROWD = 4 };

static int64_t elements_of_line(const bd_machine *machine, const bd_element *element) {
  return machine->line / element->bytes;
}

bool bd_staging_is_crowded(const bd_machine *machine, const bd_element *element, int64_t stride,
                           int64_t rows) {
  const int64_t of_line = elements_of_line(machine, element);
  if (stride % of_line != 0) return false;
  int64_t period = machine->way / machine->line;
  for (int64_t lines = stride / of_line; period > 1 && lines % 2 == 0; lines /= 2) period /= 2;
  return bd_divide_up(rows, period) > CROWD;
}

int64_t bd_staging_stride(const bd_machine *machine, const bd_element *element, int64_t n) {
  const int64_t of_line = elements_of_line(machine, element), lines = bd_divide_up(n, of_line);
  return (lines | 1) * of_line;
}

int bd_staging_is_worthwhile(const bd_panels *p, int64_t rows, int64_t depth) {
  return p->lines == 1 && p->segments * p->pieces * p->slices == 1 && p->n >= BD_STAGED_COLUMNS &&
         depth >= elements_of_line(p->machine, p->element) &&
         bd_staging_is_crowded(p->machine, p->element, p->lda, rows);
}

bd_panels bd_staging_of(const bd_panels *p, int64_t depth) {
  bd_panels staged = *p;
  staged.lda = bd_staging_stride(p->machine, p->element, depth);
  staged.line_a = staged.segment_a = staged.piece_a = 0; /* there is one of each */
  staged.is_staged = true;
  return staged;
}

static bd_phrase type_copy(const bd_panels *staged) {
  return bd_phrase_of("memref<%sx%lldx%s>", bd_number_or(staged->has_any_rows, staged->m, "?").data,
                      (long long)staged->lda, staged->element->name);
}

void bd_staging_write_buffer(bd_text *text, const bd_panels *staged) {
  bd_buffer_write_alloc(text, "a_copy", staged->has_any_rows ? "%n_rows" : "",
                        type_copy(staged).data);
}

void bd_staging_write_buffer_end(bd_text *text, const bd_panels *staged) {
  bd_buffer_write_free(text, "a_copy", type_copy(staged).data);
}

static void write_copying(bd_text *text, const bd_panels *p, const bd_panels *staged) {
  const char *const element = p->element->name;
  if (p->has_any_rows) bd_ir_write(text, "copy_units = n_rows;");
  bd_ir_write(text, "copy_apart = %lld;", (long long)p->lda);
  bd_buffer_write_rows(text, "rows_of_a", "a_base", "a_at", "%c1, %c1", "copy_apart", element);
  bd_units_begin(text, "copy", p->has_any_rows ? -1 : p->m);
  bd_ir_write(text,
              "for copy_row = copy_first to copy_last {"
              "for copy_k = k0 to k1 {"
              "    %%copied = memref.load %%rows_of_a[%%copy_row, %%copy_k] : %s\n"
              "copy_to = copy_k - k0;"
              "    memref.store %%copied, %%a_copy[%%copy_row, %%copy_to] : %s\n"
              "} }",
              bd_type_rows(element).data, type_copy(staged).data);
  bd_units_end(text, staged->lda);
}

void bd_staging_write(bd_text *text, const bd_panels *p, const bd_panels *staged) {
  write_copying(text, p, staged);
  bd_buffer_write_base(text, "staged_base", "a_copy", type_copy(staged).data, p->element->name);
  bd_ir_write(text, "staged_at = c0 - k0;");
}
