// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/staging.c: text that copies rows of A aside. */
#include "sdk/compile/kernels/staging.h"

#include "sdk/compile/kernels/blocks.h"
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

/* Rows of AMX's registers are apart in memory; of all others, an element of each is read in turn. */
bool bd_staging_is_in_turn(const bd_panels *p) { return p->amx_step == 0; }

int bd_staging_is_worthwhile(const bd_panels *p, int64_t rows, int64_t depth) {
  if (p->lines > 1 || p->segments * p->pieces * p->slices > 1 ||
      depth < elements_of_line(p->machine, p->element))
    return 0;
  return (p->n >= BD_STAGED_COLUMNS &&
          bd_staging_is_crowded(p->machine, p->element, p->lda, rows)) ||
         bd_blocks_are_copied(p);
}

bd_panels bd_staging_of(const bd_panels *p, int64_t depth) {
  bd_panels staged = *p;
  staged.lda = bd_staging_is_in_turn(p) ? depth : bd_staging_stride(p->machine, p->element, depth);
  staged.line_a = staged.segment_a = staged.piece_a = 0; /* there is one of each */
  staged.is_staged = true;
  return staged;
}

/* Of any number of rows, the last tile may reach beyond them. */
static bd_phrase type_copy(const bd_panels *staged) {
  return bd_phrase_of("memref<%sx%s>",
                      bd_number_or(staged->has_any_rows, staged->m * staged->lda, "?").data,
                      staged->element->name);
}

void bd_staging_write_buffer(bd_text *text, const bd_panels *staged, int64_t rows) {
  if (staged->has_any_rows)
    bd_ir_write(text, "copy_size = (n_rows + %lld) * %lld;", (long long)rows,
                (long long)staged->lda);
  bd_buffer_write_alloc(text, "a_copy", staged->has_any_rows ? "%copy_size" : "",
                        type_copy(staged).data);
}

void bd_staging_write_buffer_end(bd_text *text, const bd_panels *staged) {
  bd_buffer_write_free(text, "a_copy", type_copy(staged).data);
}

/* Tile by tile, a line of each row at a time: element (row, k) of a tile from %row0 on, of %height
 * rows, is at row0 · lda + (k - k0) · height + row - row0. Rows beyond the last one are that. */
static void write_tiles(bd_text *text, const bd_panels *p, const bd_panels *staged) {
  const char *const element = p->element->name;
  bd_ir_write(text,
              "copy_lda = %lld; copy_line = %lld; last_row = copy_rows - c1;"
              "for copy_tile = copy_first to copy_last {"
              "row0 = copy_tile * copy_height; rows_left = copy_rows - row0;"
              "tile_at = row0 * copy_lda;",
              (long long)staged->lda, (long long)elements_of_line(p->machine, p->element));
  bd_ir_write(text, staged->has_any_rows ? "tile_rows = copy_height + c0;"
                                         : "tile_rows = min(copy_height, rows_left);");
  bd_ir_write(text,
              "for line_k = k0 to k1 by copy_line {"
              "line_end = min(line_k + copy_line, k1);"
              "for copy_row = c0 to tile_rows {"
              "copy_from = min(row0 + copy_row, last_row); to_row = tile_at + copy_row;"
              "for copy_k = line_k to line_end {"
              "    %%copied = memref.load %%rows_of_a[%%copy_from, %%copy_k] : %s\n"
              "copy_to = to_row + (copy_k - k0) * tile_rows;"
              "    memref.store %%copied, %%a_copy[%%copy_to] : %s\n"
              "} } } }",
              bd_type_rows(element).data, type_copy(staged).data);
}

static void write_rows(bd_text *text, const bd_panels *p, const bd_panels *staged) {
  bd_ir_write(text,
              "copy_lda = %lld;"
              "for copy_row = copy_first to copy_last {"
              "for copy_k = k0 to k1 {"
              "    %%copied = memref.load %%rows_of_a[%%copy_row, %%copy_k] : %s\n"
              "copy_to = copy_row * copy_lda + (copy_k - k0);"
              "    memref.store %%copied, %%a_copy[%%copy_to] : %s\n"
              "} }",
              (long long)staged->lda, bd_type_rows(p->element->name).data, type_copy(staged).data);
}

void bd_staging_write(bd_text *text, const bd_panels *p, const bd_panels *staged, int64_t rows) {
  const bool is_in_turn = bd_staging_is_in_turn(p), is_any = p->has_any_rows;
  const int64_t height = is_in_turn ? rows : 1;
  if (is_any)
    bd_ir_write(text, "copy_rows = n_rows + c0;");
  else
    bd_text_index(text, "copy_rows", p->m);
  if (is_any && is_in_turn)
    bd_ir_write(text, "copy_height = height + c0;");
  else
    bd_text_index(text, "copy_height", height);
  if (is_any) bd_ir_write(text, "copy_units = ceildiv(copy_rows, copy_height);");
  bd_ir_write(text, "copy_apart = %lld;", (long long)p->lda);
  bd_buffer_write_rows(text, "rows_of_a", "a_base", "a_at", "%c1, %c1", "copy_apart",
                       p->element->name);
  bd_units_begin(text, "copy", is_any ? -1 : bd_divide_up(p->m, height));
  if (is_in_turn)
    write_tiles(text, p, staged);
  else
    write_rows(text, p, staged);
  bd_units_end(text, staged->lda * height);
  bd_buffer_write_base(text, "staged_base", "a_copy", type_copy(staged).data, p->element->name);
  bd_ir_write(text, is_in_turn ? "staged_at = 0;" : "staged_at = c0 - k0;");
}
