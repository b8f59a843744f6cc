// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/staging.c: text that copies rows of A aside. */
#include "sdk/compile/kernels/tile/staging.h"

#include "sdk/compile/kernels/notation/notation.h"
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
  bd_text_format(text, "copy_lda = %lld; copy_size = of_copy * copy_lda;", (long long)staged->lda);
  bd_text_format(text, "a_copy = alloc(memref<?x%s>, copy_size);", staged->element->name);
}

void bd_staging_write_buffer_end(bd_text *text) { bd_text_format(text, "dealloc(a_copy);"); }

/* Tile by tile: element (row, k) of a tile from %row0 on, of %tile_rows rows, is at row0 · lda + (k - k0) · tile_rows + row - row0.
 * Of any number of rows, those beyond the last one are that, to which tiles write their sums, too. */
static void write_tiles(bd_text *text, const bd_panels *p, const bd_panels *staged,
                        bd_kernels *kernels) {
  const char *transpose = "";
  const buddy_code code = bd_kernels_want_of(kernels, BD_LIBRARY_TRANSPOSE, p->element, &transpose);
  if (code && !text->code) text->code = code;
  bd_text_format(text,
                 "copy_base = base(a_copy); copy_depth = k1 - k0;"
                 "for copy_tile = copy_first to copy_last {"
                 "row_in_copy = copy_tile * of_tile; row0 = rows_first + row_in_copy;"
                 "rows_left = rows_end - row0; n_rows_copied = min(of_tile, rows_left);"
                 "tile_at = row_in_copy * copy_lda; tile_a = a_at + row0 * copy_apart + k0;");
  bd_text_format(
      text,
      "tile_rows = %s;"
      "rows_of_a = view(a_base, tile_a, [n_rows_copied, copy_depth], [copy_apart, 1]);"
      "rows_of_copy = view(copy_base, tile_at, [copy_depth, n_rows_copied], [tile_rows, 1]);"
      "call(\"%s\", rows_of_a, rows_of_copy);",
      staged->has_any_rows ? "of_tile" : "n_rows_copied", transpose);
  if (staged->has_any_rows)
    bd_text_format(
        text,
        "last_copied = n_rows_copied - c1;"
        "for beyond = n_rows_copied to tile_rows { for beyond_k = c0 to copy_depth {"
        "store(rows_of_copy[beyond_k, last_copied], rows_of_copy[beyond_k, beyond]); } }");
  bd_text_format(text, "}");
}

static void write_rows(bd_text *text) {
  bd_text_format(text,
                 "rows_of_a = view(a_base, a_at, [c1, c1], [copy_apart, 1]);"
                 "copy_row_first = copy_first * of_tile; copy_row_last = copy_last * of_tile;"
                 "n_copied = rows_end - rows_first; copy_row_end = min(copy_row_last, n_copied);"
                 "for copy_row = copy_row_first to copy_row_end {"
                 "copy_from = rows_first + copy_row;"
                 "for copy_k = k0 to k1 {"
                 "copied = rows_of_a[copy_from, copy_k];"
                 "store(copied, a_copy[copy_row * copy_lda + (copy_k - k0)]); } }");
}

void bd_staging_write(bd_text *text, const bd_panels *p, const bd_panels *staged, int64_t rows,
                      bd_kernels *kernels) {
  const bool is_in_turn = bd_staging_is_in_turn(p);
  bd_text_format(text, "copy_apart = %lld; copy_units = ceildiv(rows_end - rows_first, of_tile);",
                 (long long)p->lda);
  bd_units_begin(text, "copy", -1);
  if (is_in_turn)
    write_tiles(text, p, staged, kernels);
  else
    write_rows(text);
  bd_units_end(text, staged->lda * rows);
  bd_text_format(text,
                 is_in_turn
                     ? "staged_base = base(a_copy); staged_at = c0 - rows_first * copy_lda;"
                     : "staged_base = base(a_copy); staged_at = c0 - k0 - rows_first * copy_lda;");
}
