// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/parts.c: what the beginning, the rounds and the end of a tile's text are made of:
 * its vectors, the types of what it reads and writes, and the places of its rows. */
#include "sdk/compile/kernels/tile/parts.h"

#include "sdk/compile/kernels/tile/staging.h"

#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/notation/notation.h"

static bool is_partial(const bd_tile *t, int v) {
  return (int64_t)(v + 1) * t->p->lanes > t->valid;
}

int bd_tile_is_partial(const bd_tile *t) { return is_partial(t, t->vectors - 1); }

int64_t bd_tile_valid(const bd_tile *t) {
  return t->valid - (int64_t)(t->vectors - 1) * t->p->lanes;
}

int64_t bd_tile_rows_of_line(const bd_tile *t) { return t->rows / t->lines; }

bd_vectors bd_tile_access(const bd_tile *t, int v) {
  return (bd_vectors){t->p->element->name, t->p->lanes, is_partial(t, v) ? "mask" : NULL, NULL};
}

bd_phrase bd_tile_load(const bd_tile *t, int v, const char *place) {
  const bd_vectors vectors = bd_tile_access(t, v);
  return bd_vectors_load(&vectors, place);
}

void bd_tile_write_packed_row(bd_text *text, const bd_tile *t, const char *row) {
  for (int v = 0; v < t->vectors; ++v)
    bd_text_format(text, "let v = %d; b0_$v = %s; store(b0_$v, panels[c0, %s, lane_$v]);", v,
                   bd_tile_load(t, v, bd_phrase_of("matrix_b[%s, n_$v]", row).data).data, row);
}

void bd_tile_write_row_places(bd_text *text, const bd_tile *t, const char *name, const char *matrix,
                              const char *line, const char *row) {
  const int64_t of_line = bd_tile_rows_of_line(t);
  bd_text_format(text,
                 "let x = %s; $x_y = y * %s; $x_i = i * %s; $x_line = %s_at + $x_y;"
                 "$x_0 = $x_line + $x_i;",
                 name, line, row, matrix);
  for (int64_t r = 1; r < t->rows; ++r) {
    const bool is_new_line = r % of_line == 0;
    bd_text_format(text, "let r = %lld; $x_$r = $x_%lld + %s;", (long long)r,
                   (long long)(is_new_line ? r - of_line : r - 1),
                   t->p->has_any_rows ? bd_phrase_of("select(has_row_$r, %s, c0)", row).data
                   : is_new_line      ? line
                                      : row);
  }
}

bool bd_tile_is_in_turn(const bd_tile *t) { return t->p->is_staged && bd_staging_is_in_turn(t->p); }

const char *bd_tile_first(const bd_tile *t) {
  if (bd_panels_are_shifted(t->p)) return "start_$(n % v)";
  return t->p->begin == BD_BEGIN_ROW ? "row_$(n % v)" : "zero";
}
