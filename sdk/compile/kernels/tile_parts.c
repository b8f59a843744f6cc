// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile_parts.c: what the beginning, the rounds and the end of a tile's text are made of:
 * its vectors, the types of what it reads and writes, and the places of its rows. */
#include "sdk/compile/kernels/tile_parts.h"

#include "sdk/compile/kernels/staging.h"

#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/ir_text.h"

static bool is_partial(const bd_tile *t, int v) {
  return (int64_t)(v + 1) * t->p->lanes > t->valid;
}

int bd_tile_is_partial(const bd_tile *t) { return is_partial(t, t->vectors - 1); }

int64_t bd_tile_valid(const bd_tile *t) {
  return t->valid - (int64_t)(t->vectors - 1) * t->p->lanes;
}

int64_t bd_tile_rows_of_line(const bd_tile *t) { return t->rows / t->lines; }

bd_phrase bd_tile_vector(const bd_tile *t) {
  return bd_type_vector(t->p->lanes, t->p->element->name);
}

bd_vectors bd_tile_access(const bd_tile *t, int v) {
  return (bd_vectors){t->p->element->name, t->p->lanes, is_partial(t, v) ? "mask" : NULL, NULL};
}

void bd_tile_write_load(bd_text *text, const bd_tile *t, int v, const char *name, const char *place,
                        const char *type) {
  const bd_vectors vectors = bd_tile_access(t, v);
  bd_vectors_write_load(text, &vectors, name, place, type);
}

void bd_tile_write_packed_row(bd_text *text, const bd_tile *t, const char *row,
                              const char *type_of_panels) {
  for (int v = 0; v < t->vectors; ++v) {
    bd_tile_write_load(text, t, v, bd_phrase_of("b_%d", v).data,
                       bd_phrase_of("matrix_b[%%%s, %%n_%d]", row, v).data,
                       bd_type_rows(t->p->element->name).data);
    bd_text_format(text, "    vector.store %%b_%d, %%panels[%%c0, %%%s, %%lane_%d] : %s, %s\n", v,
                   row, v, type_of_panels, bd_tile_vector(t).data);
  }
}

bd_phrase bd_tile_type_b(const bd_panels *p) {
  const int width = bd_panels_width(p);
  return p->is_in_place ? bd_type_rows(p->element->name)
                        : bd_phrase_of("memref<?x?x%dx%s, strided<[?, %d, 1], offset: ?>>", width,
                                       p->element->name, width);
}

void bd_tile_write_yield(bd_text *text, const bd_tile *t, const char *from) {
  bd_ir_write_yield(text, from, t->rows * t->vectors, bd_tile_vector(t).data);
  bd_text_format(text, "  }\n");
}

int64_t bd_tile_sum(const bd_tile *t, int64_t r, int v) { return r * t->vectors + v; }

void bd_tile_write_row_places(bd_text *text, const bd_tile *t, const char *name, const char *matrix,
                              const char *line, const char *row) {
  const int64_t of_line = bd_tile_rows_of_line(t);
  bd_ir_write(text, "%s_y = y * %s; %s_i = i * %s; %s_line = %s_at + %s_y; %s_0 = %s_line + %s_i;",
              name, line, name, row, name, matrix, name, name, name, name);
  for (int64_t r = 1; r < t->rows; ++r) {
    const bool is_new_line = r % of_line == 0;
    const long long last = (long long)(is_new_line ? r - of_line : r - 1);
    if (t->p->has_any_rows)
      bd_ir_write(text, "%s_%lld = %s_%lld + select(has_row_%lld, %s, c0);", name, (long long)r,
                  name, last, (long long)r, row);
    else
      bd_ir_write(text, "%s_%lld = %s_%lld + %s;", name, (long long)r, name, last,
                  is_new_line ? line : row);
  }
}

bool bd_tile_is_in_turn(const bd_tile *t) { return t->p->is_staged && bd_staging_is_in_turn(t->p); }

/* What a sum begins with if this is the first block of k. */
bd_phrase bd_tile_first(const bd_tile *t, int v) {
  if (bd_panels_are_shifted(t->p)) return bd_phrase_of("%%start_%d", v);
  return t->p->begin == BD_BEGIN_ROW ? bd_phrase_of("%%row_%d", v) : bd_phrase_of("%%zero");
}

void bd_tile_write_carried(bd_text *text, const bd_tile *t, const char *name, const char *from) {
  const int64_t n = t->rows * t->vectors;
  const bd_phrase vector = bd_tile_vector(t);
  if (!from && (t->p->begin == BD_BEGIN_OLD || t->is_blocked)) from = "%begin#";
  if (from) {
    bd_ir_write_carried(text, name, from, n, vector.data);
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    bd_text_format(text, "%s%s%lld = %s", i > 0 ? ", " : "iter_args(", name, (long long)i,
                   bd_tile_first(t, (int)(i % t->vectors)).data);
  bd_text_format(text, ") -> (%s) {\n", bd_phrase_list(vector.data, n).data);
}
