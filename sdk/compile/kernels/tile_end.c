// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile_end.c: what becomes of a tile's sums: they are stored, or what follows
 * is done with them first, in registers. */
#include <stdbool.h>
#include <stdio.h>

#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/tile_parts.h"

/* Writes the value to vector v of the row that begins at %c_at_ROW. */
static void write_store(bd_text *text, const bd_tile *t, int v, const char *row,
                        const char *value) {
  const int partial = bd_tile_vector_is_partial(t, v);
  bd_ir_write(text, "c_to_%s_%d = c_at_%s + n_%d;", row, v, row, v);
  if (partial)
    bd_text_format(text, "  vector.maskedstore %%matrix_c[%%c_to_%s_%d], %%mask, %s : ", row, v,
                   value);
  else
    bd_text_format(text, "  vector.store %s, %%matrix_c[%%c_to_%s_%d] : ", value, row, v);
  bd_tile_type_buffer(text, t->p);
  if (partial) bd_text_format(text, ", vector<%dxi1>", t->p->lanes);
  bd_text_format(text, ", ");
  bd_tile_write_vector(text, t);
  bd_text_format(text, "\n");
}

static void write_plain_end(bd_text *text, const bd_tile *t) {
  bd_tile_write_row_places(text, t, "c_at", "c", "line_c", "ldc");
  for (int64_t r = 0; r < t->rows; ++r) {
    for (int v = 0; v < t->vectors; ++v) {
      char row[32], value[32];
      snprintf(row, sizeof(row), "%lld", (long long)r);
      snprintf(value, sizeof(value), "%%sum#%lld", (long long)(r * t->vectors + v));
      write_store(text, t, v, row, value);
    }
  }
}

/* The names of the epilogue for one vector of the tile, and room for them. */
typedef struct vector_names {
  char sum[48], rows[48], places[48];
  bd_epilogue_names all;
} vector_names;

static void name_vector(const bd_tile *t, int64_t r, int v, vector_names *out) {
  snprintf(out->sum, sizeof(out->sum), "sum#%lld", (long long)(r * t->vectors + v));
  snprintf(out->rows, sizeof(out->rows), "of_row_%d", v);
  snprintf(out->places, sizeof(out->places), "of_%lld_%d", (long long)r, v);
  out->all = (bd_epilogue_names){out->sum, out->rows, out->places};
}

/* Extras that are rows, or those that are not, of the row %i_ROW of the line %y_ROW. */
static void write_extras(bd_text *text, const bd_tile *t, int v, const char *row, bool are_rows,
                         const vector_names *names) {
  const bd_epilogue *e = t->p->epilogue;
  const bd_vectors vectors = {t->p->element->name, t->p->lanes, bd_tile_vector_is_partial(t, v)};
  char place[64] = "", column[32];
  snprintf(column, sizeof(column), "n_%d", v);
  if (!are_rows) snprintf(place, sizeof(place), "%%y_%s, %%i_%s, ", row, row);
  for (int k = 0; k < e->n; ++k) {
    bd_text type = {.data = NULL};
    if (e->extras[k].is_row != are_rows) continue;
    bd_tile_type_extra(&type, t->p, k);
    if (type.code) text->code = type.code;
    if (!type.code)
      bd_epilogue_write_load(text, e, k, &vectors, place, column, type.data,
                             are_rows ? names->rows : names->places);
    bd_text_deinit(&type);
  }
}

/* What rows share, once for all of them. */
static void write_shared(bd_text *text, const bd_tile *t) {
  const bd_vectors whole = {t->p->element->name, t->p->lanes, 0};
  bd_epilogue_write_numbers(text, t->p->epilogue, &whole);
  for (int v = 0; v < t->vectors; ++v) {
    vector_names names;
    name_vector(t, 0, v, &names);
    write_extras(text, t, v, "", 1, &names);
  }
}

/* The epilogue of vector v of the row %i_ROW of the line %y_ROW. */
static void write_one(bd_text *text, const bd_tile *t, int v, const char *row,
                      const vector_names *names) {
  const bd_vectors whole = {t->p->element->name, t->p->lanes, 0};
  bd_text value = {.data = NULL};
  write_extras(text, t, v, row, 0, names);
  bd_epilogue_write_body(text, t->p->epilogue, &whole, &names->all);
  bd_epilogue_write_result(&value, t->p->epilogue, &names->all);
  if (value.code) text->code = value.code;
  if (!value.code) write_store(text, t, v, row, value.data);
  bd_text_deinit(&value);
}

/* %y_R and %i_R: which row of which line row R of the tile is. */
static void write_indices(bd_text *text, const bd_tile *t) {
  const int64_t of_line = t->rows / t->lines;
  for (int64_t r = 0; r < t->rows; ++r) {
    bd_ir_write(text,
                "step_%lld = %lld; i_%lld = i + step_%lld; down_%lld = %lld;"
                "y_%lld = y + down_%lld;",
                (long long)r, (long long)(r % of_line), (long long)r, (long long)r, (long long)r,
                (long long)(r / of_line), (long long)r, (long long)r);
  }
}

static void write_epilogue_of_registers(bd_text *text, const bd_tile *t) {
  write_shared(text, t);
  write_indices(text, t);
  bd_tile_write_row_places(text, t, "c_at", "c", "line_c", "ldc");
  for (int64_t r = 0; r < t->rows; ++r) {
    for (int v = 0; v < t->vectors; ++v) {
      char row[32];
      vector_names names;
      name_vector(t, r, v, &names);
      snprintf(row, sizeof(row), "%lld", (long long)r);
      write_one(text, t, v, row, &names);
    }
  }
}

/* Sums are stored as they are, and read once more, by a loop over the rows. */
static void write_epilogue_of_memory(bd_text *text, const bd_tile *t) {
  write_plain_end(text, t);
  write_shared(text, t);
  bd_ir_write(text,
              "n_rows = %lld; n_of_line = %lld;"
              "for row_of = c0 to n_rows {"
              "row_down = row_of / n_of_line; row_right = row_of %% n_of_line;"
              "y_row = y + row_down; i_row = i + row_right; at_line = y_row * line_c;"
              "at_right = i_row * ldc; c_at_row = c_at + at_line + at_right;",
              (long long)t->rows, (long long)(t->rows / t->lines));
  for (int v = 0; v < t->vectors; ++v) {
    char place[64];
    vector_names names;
    name_vector(t, 0, v, &names);
    snprintf(names.sum, sizeof(names.sum), "again_%d", v);
    snprintf(place, sizeof(place), "%%matrix_c[%%again_at_%d]", v);
    bd_text_format(text, "  %%again_at_%d = arith.addi %%c_at_row, %%n_%d : index\n  %%%s = ", v, v,
                   names.sum);
    bd_tile_write_load(text, t, v, place, bd_tile_type_buffer);
    write_one(text, t, v, "row", &names);
  }
  bd_text_format(text,
                 "  } {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}\n");
}

/* Where sums are deep, going through memory costs next to nothing, and there is less to compile:
 * the body once per vector of a row, and not for all rows. */
int bd_tile_epilogue_is_of_memory(const bd_tile *t) {
  enum { DEEP = 96 };
  return t->p->k >= DEEP && !t->p->epilogue->is_in_place;
}

static void write_epilogue(bd_text *text, const bd_tile *t) {
  if (bd_tile_epilogue_is_of_memory(t))
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
    bd_ir_write(text, "if is_last {");
    write_epilogue(text, t);
    bd_text_format(text, "  } else {\n");
    write_plain_end(text, t);
    bd_text_format(text, "  }\n");
  }
}
