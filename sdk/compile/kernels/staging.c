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
  return bd_phrase_of("memref<%sx%lldx%s>", bd_panels_rows(staged, "?").data,
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
  if (p->has_any_rows) bd_ir_write(text, "copy_units = n_rows;");
  bd_units_begin(text, "copy", p->has_any_rows ? -1 : p->m);
  bd_ir_write(text,
              "for copy_row = copy_first to copy_last {"
              "for copy_k = k0 to k1 {"
              "    %%copied = memref.load %%matrix_a[%%c0, %%copy_row, %%c0, %%c0, %%copy_k] : "
              "%s\n    %%copy_to = arith.subi %%copy_k, %%k0 : index\n"
              "    memref.store %%copied, %%a_copy[%%copy_row, %%copy_to] : %s\n  }\n  }\n",
              bd_panels_type_a(p).data, type_copy(staged).data);
  bd_units_end(text, staged->lda);
}

void bd_staging_write(bd_text *text, const bd_panels *p, const bd_panels *staged) {
  write_copying(text, p, staged);
  bd_text_format(text,
                 "  %%before_a = arith.subi %%c0, %%k0 : index\n"
                 "  %%staged_a = memref.reinterpret_cast %%a_copy to offset: [%%before_a], sizes: "
                 "[1, %s, 1, 1, %lld], strides: [0, %lld, 0, 0, 1] : %s to %s\n",
                 bd_panels_rows(p, "%n_rows").data, (long long)p->k, (long long)staged->lda,
                 type_copy(staged).data, bd_panels_type_a(staged).data);
}
