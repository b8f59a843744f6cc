// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/staging.c: text that copies rows of A aside. */
#include "sdk/compile/kernels/staging.h"

#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/kernels.h"

/* With more than CROWD rows in one place of the first cache, lines are lost before all of them has
 * been read. */
enum { CROWD = 4 };

bool bd_staging_is_crowded(const bd_machine *machine, const bd_element *element, int64_t stride,
                           int64_t rows) {
  const int64_t of_line = bd_machine_line(machine, element->bytes);
  if (stride % of_line != 0) return false;
  int64_t period = machine->way / machine->line;
  for (int64_t lines = stride / of_line; period > 1 && lines % 2 == 0; lines /= 2) period /= 2;
  return bd_divide_up(rows, period) > CROWD;
}

int64_t bd_staging_stride(const bd_machine *machine, const bd_element *element, int64_t n) {
  const int64_t of_line = bd_machine_line(machine, element->bytes),
                lines = bd_divide_up(n, of_line);
  return (lines | 1) * of_line;
}

/* Rows of AMX's registers are apart in memory; of all others, an element of each is read in turn. */
bool bd_staging_is_in_turn(const bd_panels *p) { return p->amx_step == 0; }

int bd_staging_is_worthwhile(const bd_panels *p, int64_t rows, int64_t depth) {
  if (p->lines > 1 || bd_panels_parts(p) * p->slices > 1 ||
      depth < bd_machine_line(p->machine, p->element->bytes))
    return 0;
  return p->n >= BD_STAGED_COLUMNS && bd_staging_is_crowded(p->machine, p->element, p->lda, rows);
}

bd_panels bd_staging_of(const bd_panels *p, int64_t depth) {
  bd_panels staged = *p;
  staged.lda = bd_staging_is_in_turn(p) ? depth : bd_staging_stride(p->machine, p->element, depth);
  staged.line_a = staged.segment_a = staged.piece_a = 0; /* there is one of each */
  staged.is_staged = true;
  return staged;
}

void bd_staging_write_buffer(bd_text *text, const bd_panels *staged) {
  bd_ir_write(text, "copy_lda = %lld; copy_size = of_copy * copy_lda;", (long long)staged->lda);
  bd_buffer_write_alloc(text, "a_copy", "%copy_size", bd_type_whole(staged->element->name).data);
}

void bd_staging_write_buffer_end(bd_text *text, const bd_panels *staged) {
  bd_buffer_write_free(text, "a_copy", bd_type_whole(staged->element->name).data);
}

/* Tile by tile: element (row, k) of a tile from %row0 on, of %tile_rows rows, is at row0 · lda + (k - k0) · tile_rows + row - row0.
 * Of any number of rows, those beyond the last one are that, to which tiles write their sums, too. */
static void write_tiles(bd_text *text, const bd_panels *p, const bd_panels *staged,
                        bd_kernels *kernels) {
  const bd_phrase rows = bd_type_rows(p->element->name);
  const char *transpose = "";
  const buddy_code code = bd_kernels_want_of(kernels, BD_LIBRARY_TRANSPOSE, p->element, &transpose);
  if (code && !text->code) text->code = code;
  bd_buffer_write_base(text, "copy_base", "a_copy", bd_type_whole(staged->element->name).data,
                       p->element->name);
  bd_ir_write(text,
              "copy_depth = k1 - k0;"
              "for copy_tile = copy_first to copy_last {"
              "row_in_copy = copy_tile * of_tile; row0 = rows_first + row_in_copy;"
              "rows_left = rows_end - row0; n_rows_copied = min(of_tile, rows_left);"
              "tile_at = row_in_copy * copy_lda; tile_a = a_at + row0 * copy_apart + k0;");
  bd_ir_write(text, "tile_rows = %s + c0;", staged->has_any_rows ? "of_tile" : "n_rows_copied");
  bd_buffer_write_rows(text, "rows_of_a", "a_base", "tile_a", "%n_rows_copied, %copy_depth",
                       "copy_apart", p->element->name);
  bd_buffer_write_rows(text, "rows_of_copy", "copy_base", "tile_at", "%copy_depth, %n_rows_copied",
                       "tile_rows", p->element->name);
  bd_text_format(text, "  func.call @%s(%%rows_of_a, %%rows_of_copy) : (%s, %s) -> ()\n", transpose,
                 rows.data, rows.data);
  if (staged->has_any_rows)
    bd_ir_write(text,
                "last_copied = n_rows_copied - c1;"
                "for beyond = n_rows_copied to tile_rows { for beyond_k = c0 to copy_depth {"
                "  %%last = memref.load %%rows_of_copy[%%beyond_k, %%last_copied] : %s\n"
                "  memref.store %%last, %%rows_of_copy[%%beyond_k, %%beyond] : %s\n"
                "} }",
                rows.data, rows.data);
  bd_text_format(text, "  }\n");
}

static void write_rows(bd_text *text, const bd_panels *p, const bd_panels *staged) {
  bd_buffer_write_rows(text, "rows_of_a", "a_base", "a_at", "%c1, %c1", "copy_apart",
                       p->element->name);
  bd_ir_write(text,
              "copy_row_first = copy_first * of_tile; copy_row_last = copy_last * of_tile;"
              "n_copied = rows_end - rows_first; copy_row_end = min(copy_row_last, n_copied);"
              "for copy_row = copy_row_first to copy_row_end {"
              "copy_from = rows_first + copy_row;"
              "for copy_k = k0 to k1 {"
              "    %%copied = memref.load %%rows_of_a[%%copy_from, %%copy_k] : %s\n"
              "copy_to = copy_row * copy_lda + (copy_k - k0);"
              "    memref.store %%copied, %%a_copy[%%copy_to] : %s\n"
              "} }",
              bd_type_rows(p->element->name).data, bd_type_whole(staged->element->name).data);
}

void bd_staging_write(bd_text *text, const bd_panels *p, const bd_panels *staged, int64_t rows,
                      bd_kernels *kernels) {
  const bool is_in_turn = bd_staging_is_in_turn(p);
  bd_ir_write(text, "copy_apart = %lld; copy_units = ceildiv(rows_end - rows_first, of_tile);",
              (long long)p->lda);
  bd_units_begin(text, "copy", -1);
  if (is_in_turn)
    write_tiles(text, p, staged, kernels);
  else
    write_rows(text, p, staged);
  bd_units_end(text, staged->lda * rows);
  bd_buffer_write_base(text, "staged_base", "a_copy", bd_type_whole(staged->element->name).data,
                       p->element->name);
  bd_ir_write(text, is_in_turn ? "staged_at = c0 - rows_first * copy_lda;"
                               : "staged_at = c0 - k0 - rows_first * copy_lda;");
}
