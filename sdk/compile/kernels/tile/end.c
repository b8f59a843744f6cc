// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/end.c: what becomes of a tile's sums: they are stored, or what follows
 * is done with them first, in registers. */
#include <stdbool.h>

#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/tile/parts.h"

/* Writes the value to vector v of the row that begins at %c_at_ROW. */
static void write_store(bd_text *text, const bd_tile *t, int v, const char *row,
                        const char *value) {
  const bd_vectors vectors = bd_tile_access(t, v);
  bd_text_format(text, "let r = %s, v = %d; c_to_$r_$v = c_at_$r + into_$v; %s", row, v,
                 bd_vectors_store(&vectors, value, "matrix_c[c_to_$r_$v]").data);
}

static void write_plain_end(bd_text *text, const bd_tile *t) {
  bd_tile_write_row_places(text, t, "c_at", "c", "line_c", "ldc");
  for (int i = 0; i < (int)t->rows * t->vectors; ++i)
    write_store(text, t, i % t->vectors, bd_phrase_of("%d", i / t->vectors).data,
                bd_phrase_of("sum#%d", i).data);
}

/* Extras that are rows, or those that are not, of the row %i_ROW of the line %y_ROW. */
static void write_extras(bd_text *text, const bd_tile *t, int v, const char *row, bool are_rows,
                         const char *tag) {
  const bd_vectors vectors = bd_tile_access(t, v);
  const bd_phrase place = bd_phrase_of("y_%s, i_%s, ", row, row);
  bd_epilogue_write_loads(text, t->p->epilogue, &vectors, are_rows, are_rows ? "" : place.data,
                          bd_phrase_of("n_%d", v).data, tag);
}

static bd_phrase rows_of(int v) { return bd_phrase_of("of_row_%d", v); }

/* What rows share, once for all of them. */
static void write_shared(bd_text *text, const bd_tile *t) {
  const bd_vectors whole = {t->p->element->name, t->p->lanes, NULL, NULL};
  bd_epilogue_write_numbers(text, t->p->epilogue, &whole);
  for (int v = 0; v < t->vectors; ++v) write_extras(text, t, v, "", 1, rows_of(v).data);
}

/* The epilogue of vector v of the row %i_ROW of the line %y_ROW, of %SUM; what it makes of these begins with
 * %PLACES. */
static void write_one(bd_text *text, const bd_tile *t, int v, const char *row, const char *sum,
                      const char *places) {
  const bd_vectors whole = {t->p->element->name, t->p->lanes, NULL, NULL};
  const bd_phrase rows = rows_of(v);
  const bd_epilogue_names names = {sum, rows.data, places, NULL};
  write_extras(text, t, v, row, 0, places);
  bd_epilogue_write_body(text, t->p->epilogue, &whole, &names);
  write_store(text, t, v, row, bd_epilogue_result(t->p->epilogue, &names).data);
}

/* %y_R and %i_R: which row of which line row R of the tile is; of any number of rows, the %i_R are there but for the
 * first. */
static void write_indices(bd_text *text, const bd_tile *t) {
  const int64_t of_line = bd_tile_rows_of_line(t);
  for (int64_t r = 0; r < t->rows; ++r) {
    bd_text_format(text, "y_%lld = y + %lld;", (long long)r, (long long)(r / of_line));
    if (r == 0 || !t->p->has_any_rows)
      bd_text_format(text, "i_%lld = i + %lld;", (long long)r, (long long)(r % of_line));
  }
}

static void write_epilogue_of_registers(bd_text *text, const bd_tile *t) {
  write_shared(text, t);
  write_indices(text, t);
  bd_tile_write_row_places(text, t, "c_at", "c", "line_c", "ldc");
  for (int64_t r = 0; r < t->rows; ++r) {
    const bool may_lack =
        r > 0 && t->p->has_any_rows; /* what it adds to may lie where it is stored */
    if (may_lack) bd_text_format(text, "if has_row_%lld {", (long long)r);
    for (int v = 0; v < t->vectors; ++v)
      write_one(text, t, v, bd_phrase_of("%lld", (long long)r).data,
                bd_phrase_of("sum#%lld", (long long)(r * t->vectors + v)).data,
                bd_phrase_of("of_%lld_%d", (long long)r, v).data);
    if (may_lack) bd_text_format(text, "  }\n");
  }
}

/* Sums are stored as they are, and read once more, by a loop over the rows. */
static void write_epilogue_of_memory(bd_text *text, const bd_tile *t) {
  write_plain_end(text, t);
  write_shared(text, t);
  bd_text_format(text, "most_rows = %lld; n_of_line = %lld;", (long long)t->rows,
                 (long long)bd_tile_rows_of_line(t));
  bd_text_format(text, t->p->has_any_rows ? "n_rows = min(i_end - i, most_rows);"
                                          : "n_rows = most_rows + c0;");
  bd_text_format(text,
                 "for row_of = c0 to n_rows {"
                 "row_down = row_of / n_of_line; row_right = row_of %% n_of_line;"
                 "y_row = y + row_down; i_row = i + row_right; at_line = y_row * line_c;"
                 "at_right = i_row * ldc; c_at_row = c_at + at_line + at_right;");
  for (int v = 0; v < t->vectors; ++v) {
    bd_text_format(text, "let v = %d; again_at_$v = c_at_row + into_$v; again_$v = %s;", v,
                   bd_tile_load(t, v, "matrix_c[again_at_$v]").data);
    write_one(text, t, v, "row", bd_phrase_of("again_%d", v).data, bd_phrase_of("of_0_%d", v).data);
  }
  bd_text_format(text,
                 "  } {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}\n");
}

/* Where sums are deep, or functions follow, going through memory costs next to nothing, and there is
 * less to compile: the body once per vector of a row, and not for all rows. */
static bool is_of_memory(const bd_tile *t) {
  enum { DEEP = 96 };
  return (t->p->k >= DEEP || bd_epilogue_has_functions(t->p->epilogue)) &&
         !t->p->epilogue->is_in_place;
}

static void write_epilogue(bd_text *text, const bd_tile *t) {
  if (is_of_memory(t))
    write_epilogue_of_memory(text, t);
  else
    write_epilogue_of_registers(text, t);
}

/* The epilogue is for whole sums: those of all blocks of k. */
void bd_tile_write_end(bd_text *text, const bd_tile *t) {
  if (!t->p->epilogue) {
    write_plain_end(text, t);
  } else if (!t->is_blocked) {
    write_epilogue(text, t);
  } else {
    bd_text_format(text, "if is_last {");
    write_epilogue(text, t);
    bd_text_format(text, "  } else {\n");
    write_plain_end(text, t);
    bd_text_format(text, "  }\n");
  }
}
