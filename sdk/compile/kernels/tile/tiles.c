// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/tiles.c: the function of all tiles of a panel.
 *
 * Matrices travel as the buffers that they lie in, which are bare pointers, and the numbers by
 * which the function finds its way in them. */
#include "sdk/compile/kernels/tile/tiles.h"

#include <stdbool.h>

#include "sdk/compile/kernels/tile/amx.h"
#include "sdk/compile/kernels/tile/blocks.h"
#include "sdk/compile/kernels/arguments.h"
#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/panels/parts.h"

/* ---- What is passed -------------------------------------------------------------------------- */

static void add_extras(bd_arguments *all, const bd_panels *p) {
  for (int k = 0; p->epilogue && k < p->epilogue->n; ++k) {
    const int64_t *strides = p->epilogue->extras[k].strides;
    bd_arguments_add(all, "*extra_%d_base extra_%d_at", k, k);
    if (p->epilogue->extras[k].is_row) continue;
    bd_arguments_add(all, "extra_%d_line=%lld extra_%d_row=%lld", k,
                     p->line_c == 0 ? 0LL : (long long)strides[BD_IMAGE_H], /* of one line none */
                     k, (long long)strides[BD_IMAGE_W]);
  }
}

static void add_parts(bd_arguments *all, const bd_panels *p) {
  if (bd_panels_parts(p) == 1) return;
  bd_arguments_add(all, "n_parts=%s part_size=%lld segment_a=%lld",
                   bd_number_or(p->has_any_parts, bd_panels_parts(p), "n_parts").data,
                   (long long)bd_panels_depth(p), (long long)p->segment_a);
  if (p->pieces > 1)
    bd_arguments_add(all, "n_pieces=%lld piece_a=%lld", (long long)p->pieces,
                     (long long)p->piece_a);
}

static void add_matrices(bd_arguments *all, const bd_tile *tile) {
  const bd_panels *p = tile->p;
  const bd_phrase pitch_a = bd_number_or(p->has_any_depth, p->lda, "pitch"),
                  pitch_c = bd_number_or(p->has_any_columns, p->ldc, "pitch");
  const int64_t of_panel =
      p->is_in_place ? p->ldb : bd_panels_depth_of_panel(p) * bd_panels_width(p);
  bd_arguments_add(all, "*a_base=%s a_at=%s line_a=%lld lda=%s",
                   p->is_staged ? "staged_base" : "a_base",
                   p->is_staged                        ? "staged_at"
                   : p->slices > 1 && p->of_group == 0 ? "a_of_panel"
                                                       : "a_at",
                   (long long)p->line_a, pitch_a.data);
  add_parts(all, p);
  if (p->of_group > 0) bd_arguments_add(all, "round_a=%lld", (long long)p->round_a);
  if (bd_blocks_are_far(p))
    bd_arguments_add(all, "lines_a=%lld", (long long)bd_tile_lines_ahead(tile));
  bd_arguments_add(all, "*b_base b_at=%s ldb=%s", p->has_any_parts ? "b_of_parts" : "b_at",
                   bd_number_or(p->has_any_depth, of_panel, "of_panel").data);
  if (bd_panels_are_shifted(p) && p->amx_step == 0)
    bd_arguments_add(all, "line_of_begin=%lld", (long long)p->k);
  bd_arguments_add(all, "*c_base c_at line_c=%lld ldc=%s", (long long)p->line_c, pitch_c.data);
  if (p->begin == BD_BEGIN_ROW) bd_arguments_add(all, "*row_base row_at=0");
  add_extras(all, p);
}

static void add_ahead(bd_arguments *all, const bd_tiles *t) {
  const bd_panels *p = t->tile.p;
  const bd_phrase shift = bd_number_or(p->has_any_rows, t->tile.prefetch_shift, "shift"),
                  tiles = bd_number_or(p->has_any_rows && p->lines > 1,
                                       p->m / bd_tile_rows_of_line(&t->tile), "n_tiles");
  if (t->tile.prefetch_shift < 0) return;
  bd_arguments_add(all, "ahead_shift=%s ahead_tiles=%s ahead_lines=%lld ahead_end=%s", shift.data,
                   tiles.data, (long long)bd_panels_lines_of_tile(p),
                   bd_number_or(bd_panels_depth(p) == p->k, p->k, "k1").data);
}

static void add_all(bd_arguments *all, const bd_tiles *t) {
  const bd_tile *tile = &t->tile;
  add_matrices(all, tile);
  if (tile->p->of_group > 0)
    bd_arguments_add(all, "j_first=%s j_end=%s slice_a=%lld", tile->first_panel, tile->end_panel,
                     (long long)tile->p->slice_a);
  else
    bd_arguments_add(all, "j");
  bd_arguments_add(all, "k0 k1 i_first=%s i_end=%s y_first=%s y_end=%s", t->first, t->end,
                   t->y_first, t->y_end);
  if (bd_tile_is_partial(tile))
    bd_arguments_add(all, "n_valid=%lld", (long long)bd_tile_valid(tile));
  if (tile->is_blocked) bd_arguments_add(all, "?is_first ?is_last");
  add_ahead(all, t);
  if (tile->is_packing) bd_arguments_add(all, "*source_base source_at source_pitch");
  if (tile->p->amx_step > 0) bd_amx_add_arguments(all, t);
}

/* ---- The function ---------------------------------------------------------------------------- */

/* The matrices of the tile; their sizes say nothing. */
static void write_matrices(bd_text *text, const bd_panels *p) {
  if (p->pieces == 1) bd_text_format(text, "n_pieces = 1; piece_a = 0;");
  const bool has_elements = p->words && p->of_group > 0;
  if (has_elements)
    bd_dot_packing_write_recast(text, "a_elements", "a_base", p->words->element->name);
  bd_text_format(
      text, "matrix_a = whole(%s); panels = view(b_base, b_at, %s); matrix_c = whole(c_base); %s",
      has_elements ? "a_elements" : "a_base",
      p->is_in_place
          ? "[c1, c1], [ldb, 1]"
          : bd_phrase_of("[c1, c1, %d], [ldb, %d, 1]", bd_panels_width(p), bd_panels_width(p)).data,
      p->begin == BD_BEGIN_ROW ? "row = view(row_base, row_at, [c1], [1]);" : "");
  if (p->epilogue) bd_epilogue_write_buffers(text, p->epilogue, &bd_axes_of_lines);
}

/* The tile's share of the next panel's rows, which it fetches, begins at %ahead_first. */
static void write_ahead(bd_text *text) {
  bd_text_format(text,
                 "ahead_j = j + c1; done = i - i_first; in_line = done / i_by;"
                 "of_lines = y / ahead_lines * ahead_tiles; number = of_lines + in_line;"
                 "depth = ahead_end - k0; share = depth >> ahead_shift;"
                 "shares = number * share; rest = k0 - (k0 >> ahead_shift);"
                 "ahead_first = shares + rest;");
}

static void write_function(bd_text *text, const bd_tiles *t, const bd_arguments *all) {
  const bd_panels *p = t->tile.p;
  bd_arguments_write_head(text, all, p->element->name, "");
  if (p->amx_step > 0) {
    bd_amx_write(text, t);
    bd_text_format(text, "  return\n}\n");
    return;
  }
  bd_text_format(text, "never = false;");
  write_matrices(text, p);
  if (t->tile.is_packing)
    bd_text_format(text, "matrix_b = view(source_base, source_at, [c1, c1], [source_pitch, 1]);");
  if (p->of_group == 0) bd_tile_write_columns(text, &t->tile);
  bd_text_format(text,
                 "y_by = %lld; i_by = %lld;"
                 "for y = y_first to y_end by y_by {"
                 "for i = i_first to i_end by i_by {",
                 (long long)t->tile.lines, (long long)bd_tile_rows_of_line(&t->tile));
  if (t->tile.prefetch_shift >= 0) write_ahead(text);
  bd_tile_write(text, &t->tile);
  bd_text_format(text, "  }\n  }\n  return\n}\n");
}

/* ---- The call -------------------------------------------------------------------------------- */

void bd_tiles_write_panels(bd_text *text, const bd_panels *p) {
  bd_text_format(text, "metadata b = panels; %s",
                 p->is_fresh ? "metadata source = matrix_b; source_pitch = source_strides#0;" : "");
  if (p->has_any_parts)
    bd_text_format(text, "b_of_parts = b_at + first_row * %d;", bd_panels_width(p));
}

void bd_tiles_write(bd_text *text, const bd_tiles *tiles, bd_kernels *kernels) {
  bd_arguments all = {.extents = tiles->tile.p->extents};
  bd_text function = {.data = NULL};
  add_all(&all, tiles);
  write_function(&function, tiles, &all);
  bd_arguments_write_call(text, &all, &function, "tiles", tiles->tag, kernels);
}
