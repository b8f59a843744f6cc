// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels/panels.c: text of a product of known shape, panel by panel. */
#include "sdk/compile/kernels/panels/parts.h"

#include <stdbool.h>

#include "core/base/assert.h"
#include "sdk/compile/kernels/tile/amx.h"
#include "sdk/compile/kernels/tile/blocks.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/panel_epilogue.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/kernels/tile/staging.h"
#include "sdk/compile/kernels/tile/tiles.h"

/* Blocks of k follow one another: sums begin with what those before made. */
static bool is_blocked(const bd_panels *p) {
  return p->has_any_depth || bd_blocks_depth(p) != bd_panels_depth(p);
}

/* Heights of tiles for any number of rows, and how far apart they are: each has code of its own. */
enum { MAX_HEIGHTS = 8, HEIGHT_STEP = 2 };

/* Of any number of rows, tiles are as high as makes them even: one of these heights, from that of a
 * whole tile down to half of it. Returns how many there are. */
static int heights_of(const bd_panels *p, int64_t heights[MAX_HEIGHTS]) {
  const int step = p->of_group == 1 ? 1 : HEIGHT_STEP; /* few rows, and little work in each */
  int n = 0;
  for (int64_t rows = bd_panels_rows_of_tile(p); n < MAX_HEIGHTS && rows > 0; rows -= step) {
    heights[n++] = rows;
    if (2 * (rows - step) < bd_panels_rows_of_tile(p) || p->amx_step > 0) break;
  }
  return n;
}

/* ---- The loops ------------------------------------------------------------------------------- */

/* Rows of each line from %FIRST to %END, in tiles of so many rows each; rest: of tile/tiles.h, of rows that may not be
 * there. */
typedef struct span {
  const char *first, *end;
  int64_t rows;
  const char *rest;
} span;

/* One after the other. */
typedef struct spans {
  span items[MAX_HEIGHTS];
  int n;
} spans;

/* Of any number of rows the least shift, and the run finds %shift: low tiles are of few rows, of which there are few
 * tiles. -1: B is not worth fetching ahead, or there are too few tiles to do it. */
enum { FIRST_SHIFT = 1, SHIFT_OF_MANY = 3 };
static int prefetch_shift(const bd_panels *p, int64_t rows) {
  const int64_t block =
      p->lines > 1 ? p->m : bd_blocks_rows(p, bd_blocks_depth(p), bd_panels_rows_of_tile(p));
  const int64_t of_lines = bd_divide_up(p->lines, bd_panels_lines_of_tile(p));
  const int64_t tiles = of_lines * ((block < p->m ? block : p->m) / rows);
  if (p->is_in_place || p->is_fresh || p->of_group > 0 || p->amx_step > 0 ||
      !bd_blocks_is_streamed(p) || tiles < 2)
    return -1;
  if (!p->has_any_rows) return bd_panels_shift_of(tiles);
  return rows < bd_panels_rows_of_tile(p) ? FIRST_SHIFT : SHIFT_OF_MANY;
}

/* Tiles of several lines fetch ahead, and that of the one line that may be left. */
static bool takes_share(const bd_tile *t) {
  const int64_t lines = bd_panels_lines_of_tile(t->p);
  return t->lines == lines || t->p->lines % lines == 1;
}

/* The first tile of a panel packs it: it has few stores beside its products. In a loop of its own, loads wait for the
 * stores before them. */
static bool packs_in_tiles(const bd_panels *p) {
  return p->is_fresh && p->lines == 1 && bd_panels_parts(p) == 1;
}

static void write_packing(bd_text *text, const bd_tile *t) {
  if (bd_tile_is_partial(t)) bd_text_index(text, "n_valid", bd_tile_valid(t));
  bd_tile_write_columns(text, t);
  bd_tile_write_packing(text, t);
}

/* The first tile, up to %TAG_packed; where there is none, it packs all the same for what may be beside. */
static void write_packing_tile(bd_text *text, bd_tiles *tiles, bd_kernels *kernels) {
  const bool has_any_rows = tiles->tile.p->has_any_rows;
  bd_tiles packing = *tiles;
  const bd_phrase tag = bd_phrase_of("%s_packing", tiles->tag),
                  end = bd_phrase_of("%s_end", tag.data);
  packing.tile.is_packing = true;
  packing.tag = tag.data;
  packing.end = end.data;
  const bd_phrase rows = bd_phrase_of(has_any_rows ? "height" : "%s_rows", tag.data);
  if (!has_any_rows) bd_text_index(text, rows.data, bd_tile_rows_of_line(&tiles->tile));
  bd_text_format(text, "%s_after = %s + %s; %s = min(%s_after, %s);", tag.data, tiles->first,
                 rows.data, end.data, tag.data, tiles->end);
  bd_text_format(text, "has_%s = %s < %s; if has_%s {", tag.data, tiles->first, tiles->end,
                 tag.data);
  bd_tiles_write(text, &packing, kernels);
  if (!has_any_rows) {
    bd_text_format(text, "  } else {\n");
    write_packing(text, &tiles->tile);
  }
  bd_text_format(text, "  }\n");
}

/* All tiles of the lines from %y_FROM to %y_TO of one panel. */
static void write_lines(bd_text *text, const bd_tile *t, const spans *rows, bool is_last_panel,
                        const char *from, const char *to, bd_kernels *kernels) {
  for (int s = 0; s < rows->n; ++s) {
    const span *at = &rows->items[s];
    const bd_phrase tag = bd_phrase_of("%s_%d", from, s);
    bd_tiles tiles = {.tile = *t,
                      .first = at->first,
                      .end = at->end,
                      .y_first = from,
                      .y_end = to,
                      .rest = at->rest,
                      .tag = tag.data};
    tiles.tile.rows = t->lines * at->rows;
    if ((s == 0 || t->p->has_any_rows) && !is_last_panel && takes_share(t))
      tiles.tile.prefetch_shift = prefetch_shift(t->p, at->rows);
    tiles.tile.is_grouped = tiles.tile.prefetch_shift >= 0 && bd_panels_is_grouped(t->p);
    if (tiles.rest)
      bd_text_format(text, "has_%s = %s < %s; if has_%s {", tag.data, tiles.first, tiles.end,
                     tag.data);
    const bd_phrase behind = bd_phrase_of("%s_packing_end", tag.data);
    if (packs_in_tiles(t->p) && (s == 0 || t->p->has_any_rows)) {
      write_packing_tile(text, &tiles, kernels);
      tiles.first = behind.data;
    }
    bd_tiles_write(text, &tiles, kernels);
    if (tiles.rest) bd_text_format(text, "  }\n");
  }
}

/* All tiles of one panel: those of several lines, then of one line each what is left. */
static void write_spans(bd_text *text, const bd_tile *t, const spans *rows, bool is_last_panel,
                        bd_kernels *kernels) {
  bd_tile of_lines = *t;
  of_lines.lines = bd_panels_lines_of_tile(t->p);
  if (of_lines.lines == 1) {
    write_lines(text, &of_lines, rows, is_last_panel, "y0", "y1", kernels);
    return;
  }
  bd_text_format(text, "y_main = y1 - (y1 - y0) %% %lld;", (long long)of_lines.lines);
  write_lines(text, &of_lines, rows, is_last_panel, "y0", "y_main", kernels);
  of_lines.lines = 1;
  write_lines(text, &of_lines, rows, is_last_panel, "y_main", "y1", kernels);
}

/* What follows, for the panel at hand and the spans' rows, which are one: where there are two, the
 * second begins where the first ends, or is empty. */
static void write_panel_epilogue(bd_text *text, const bd_tile *t, const spans *all) {
  const bd_panels *p = t->p;
  const span *main = &all->items[0], *rest = &all->items[1];
  bd_span_of_panel rows = {main->first, main->end, t->valid};
  if (all->n == 2) {
    rows.end = "end_of_rows";
    bd_text_format(text, "has_rest = %s > %s; end_of_rows = select(has_rest, %s, %s);", rest->end,
                   rest->first, rest->end, main->end);
  }
  bd_text_format(
      text, "first_column = j * %d; sums_column = %s; apart_of_sums = %lld; apart_of_rows = %lld;",
      bd_panels_width(p), p->is_aside ? "c0" : "first_column", (long long)p->ldc, (long long)p->n);
  if (t->is_blocked) bd_text_format(text, "if is_last {");
  bd_text_format(text,
                 "rows_of_sums = view(c_base, c_at, [c1, c1], [apart_of_sums, 1]);"
                 "rows_to = view(%s, [c1, c1], [apart_of_rows, 1]);",
                 p->is_aside ? "to_base, to_at" : "c_base, c_at");
  bd_panel_epilogue_write(text, p->panel_epilogue, &rows);
  if (t->is_blocked) bd_text_format(text, "  }\n");
}

/* %a_of_panel: where A begins for panel %j. */
static void write_slice(bd_text *text, const bd_panels *p) {
  bd_text_format(text, "a_of_panel = a_at + j / %lld * %lld;",
                 (long long)(bd_panels_count(p) / p->slices), (long long)p->slice_a);
}

/* Tiles of the spans of rows of the lines from %y0 to %y1, for the panels from %j_first to %j_last:
 * whole ones, and a last one with fewer columns. */
static void write_panels(bd_text *text, const bd_panels *p, const spans *rows,
                         bd_kernels *kernels) {
  const int width = bd_panels_width(p);
  const int64_t whole = p->n / width, rest = p->has_any_columns ? 0 : p->n % width;
  bd_text_format(text, "n_whole = %s;",
                 bd_number_or(p->has_any_columns, whole, "end_of_panels").data);
  for (int is_last = 0; is_last < 2; ++is_last) {
    if (is_last ? rest == 0 : whole == 0) continue;
    const int64_t valid = is_last ? rest : width;
    const bd_tile t = {.p = p,
                       .lines = 1,
                       .vectors = (int)bd_divide_up(valid, p->lanes),
                       .valid = valid,
                       .first_panel = is_last ? "j0_1" : "j_first",
                       .end_panel = is_last ? "j_last" : "j1_0",
                       .is_blocked = is_blocked(p),
                       .prefetch_shift = -1};
    bd_text_format(text,
                   is_last ? "j0_1 = max(j_first, n_whole);" : "j1_0 = min(j_last, n_whole);");
    if (p->of_group > 0) /* tiles go through the panels */
      bd_text_format(text, "for once = c0 to c1 {");
    else
      bd_text_format(text, "for j = %s to %s {", t.first_panel, t.end_panel);
    if (p->slices > 1 && p->of_group == 0) write_slice(text, p);
    if (p->is_fresh && !packs_in_tiles(p)) write_packing(text, &t);
    write_spans(text, &t, rows, is_last, kernels);
    if (p->panel_epilogue) write_panel_epilogue(text, &t, rows);
    bd_text_format(text, "  }\n");
  }
}

/* ---- Units ----------------------------------------------------------------------------------- */

typedef enum cut { CUT_PANELS, CUT_LINES, CUT_TILES, CUT_BOTH } cut;

enum { ENOUGH_UNITS = 16 };

/* Groups of lines into which each panel's work goes for there to be enough units, and how many
 * lines a group has. */
static int64_t most_groups(const bd_panels *p) {
  return bd_divide_up(ENOUGH_UNITS, bd_panels_count(p));
}

static int64_t lines_of_group(const bd_panels *p) { return bd_divide_up(p->lines, most_groups(p)); }

static int64_t count_groups(const bd_panels *p) {
  return p->has_any_lines ? most_groups(p) : bd_divide_up(p->lines, lines_of_group(p));
}

/* Rows that threads share in one round. */
static int64_t rows_at_once(const bd_panels *p) {
  const int64_t of_block = bd_blocks_rows(p, bd_blocks_depth(p), bd_panels_rows_of_tile(p));
  return p->is_staged && p->m > of_block ? of_block : p->m;
}

/* So many elements beside others. */
static bool stays_in_cache(const bd_panels *p, int64_t n) {
  return n * p->element->bytes <= p->machine->l2 / 2;
}

/* Panels, as each is then read by one thread alone, if there are enough of them, and not all of a large A would go by
 * for each piece of a share while B would stay. Tiles that go through the panels read all of a line, from memory as it lies there. Where there are few and B is large, groups of lines of each panel: line
 * by line all of B would be read again. */
static cut choose_cut(const bd_panels *p, int64_t *out_units) {
  const int64_t panels = bd_panels_count(p);
  const int64_t rows =
      p->lines > 1 ? p->lines : bd_divide_up(rows_at_once(p), bd_panels_rows_of_tile(p));
  const bool is_tall = p->lines == 1 && !p->has_any_rows && rows >= ENOUGH_UNITS && panels < rows &&
                       stays_in_cache(p, p->n * p->k) && !stays_in_cache(p, rows_at_once(p) * p->k);
  const bool is_by_lines = is_tall || (bd_blocks_are_far(p) && rows >= ENOUGH_UNITS);
  *out_units = panels;
  if (!is_by_lines && (panels >= ENOUGH_UNITS || panels >= rows)) return CUT_PANELS;
  *out_units = p->has_any_lines || (p->lines == 1 && (p->has_any_rows || p->is_staged)) ? -1 : rows;
  if (p->lines == 1) return CUT_TILES;
  if (p->n * p->k < 2 * bd_blocks_streamed(p->machine) || panels == 1 || p->is_fresh)
    return CUT_LINES;
  *out_units = panels * count_groups(p);
  return CUT_BOTH;
}

/* What the units from %unit_first to %unit_last are: panels %j_first to %j_last, lines %y_first to
 * %y_last, and of the rows from %rows_first to %rows_end %m_first to %m_end of those that fill whole tiles and up to %rest_end of
 * the rest. */
static void write_units(bd_text *text, const bd_panels *p, cut c) {
  if (c == CUT_BOTH) {
    if (!p->has_any_lines) bd_text_index(text, "n_lines", p->lines);
    bd_text_format(
        text,
        "n_groups = %lld; of_group = %s; j_first = unit / n_groups;"
        "j_last = j_first + c1; group = unit %% n_groups; y_first = group * of_group;"
        "y_behind = y_first + of_group;"
        "y_last = min(y_behind, n_lines);",
        (long long)count_groups(p),
        bd_number_or(p->has_any_lines, lines_of_group(p), "ceildiv(n_lines, n_groups)").data);
  } else if (c == CUT_PANELS) {
    bd_text_format(text, "j_first = unit_first; j_last = unit_last;");
  } else {
    bd_text_format(text, "j_first = 0; j_last = %lld;", (long long)bd_panels_count(p));
  }
  if (c == CUT_LINES)
    bd_text_format(text, "y_first = unit_first; y_last = unit_last;");
  else if (c != CUT_BOTH)
    bd_text_format(text, "y_first = 0; y_last = %s;",
                   bd_number_or(p->has_any_lines, p->lines, "n_lines").data);
  bd_text_format(text, c == CUT_TILES ? "m_first = rows_first + unit_first * of_tile;"
                                        "m_behind = rows_first + unit_last * of_tile;"
                                        "m_last = min(m_behind, rows_end);"
                                      : "m_first = rows_first + c0; m_last = rows_end + c0;");
  bd_text_format(text, "m_end = min(m_last, m_main); rest_end = max(m_last, m_main);");
}

/* Of any number of rows, those from %block to %block_end by AMX: whole tiles, then what is left in
 * two registers, or in one. */
static spans write_spans_of_registers(bd_text *text, const bd_panels *p) {
  const int64_t rows = bd_panels_rows_of_tile(p);
  bd_text_format(text,
                 "whole = block_end - (block_end - block) %% %lld; of_rest = block_end - whole;"
                 "of_register = %d; has_two = of_rest > of_register; end_of_two = select(has_two, "
                 "block_end, whole);"
                 "of_second = of_rest - of_register;",
                 (long long)rows, BD_AMX_ROWS);
  return (spans){.items = {{"block", "whole", rows, NULL},
                           {"whole", "end_of_two", rows, "of_second"},
                           {"end_of_two", "block_end", BD_AMX_ROWS, "of_rest"}},
                 .n = 3};
}

/* Of any number of rows, those from %block to %block_end are done by the tiles of one height. */
static spans write_spans_of_heights(bd_text *text, const bd_panels *p) {
  static const char *const ends[MAX_HEIGHTS] = {"end_0", "end_1", "end_2", "end_3",
                                                "end_4", "end_5", "end_6", "end_7"};
  int64_t heights[MAX_HEIGHTS];
  spans all = {.n = heights_of(p, heights)};
  for (int i = 0; i < all.n; ++i) {
    all.items[i] = (span){"block", ends[i], heights[i], NULL};
    bd_text_format(text, "end_%d = select(height == %lld, block_end, block);", i,
                   (long long)heights[i]);
  }
  bd_text_format(text, "n_tiles = ceildiv(block_end - block, height); shift_%d = %d;", FIRST_SHIFT,
                 FIRST_SHIFT);
  for (int shift = FIRST_SHIFT + 1; shift <= BD_LAST_SHIFT; ++shift)
    bd_text_format(text,
                   "let s = %d; tiles_$s = %d; by_$s = $s;"
                   "shift_$s = select(uge(n_tiles, tiles_$s), by_$s, shift_$(s - 1));",
                   shift, 1 << shift);
  bd_text_format(text, "shift = shift_%d;", BD_LAST_SHIFT);
  return all;
}

static spans write_spans_of_any(bd_text *text, const bd_panels *p) {
  return p->amx_step > 0 ? write_spans_of_registers(text, p) : write_spans_of_heights(text, p);
}

/* Whole tiles from %FIRST to %END, and what is left. */
static spans spans_of(const bd_panels *p, const char *first, const char *end, span rest) {
  return (spans){.items = {{first, end, bd_panels_rows_of_tile(p), NULL}, rest},
                 .n = rest.rows > 0 ? 2 : 1};
}

/* The block of lines from %y0 to %y1. */
static void write_lines_of_blocks(bd_text *text, const bd_panels *p, int64_t rest,
                                  bd_kernels *kernels) {
  spans rows = spans_of(p, "m_first", "m_end", (span){"m_main", "rest_end", rest, NULL});
  bd_text_index(text, "y_step", bd_blocks_lines(p));
  bd_text_format(text,
                 "for y0 = y_first to y_last by y_step {"
                 "y1 = min(y0 + y_step, y_last);");
  if (p->has_any_rows) {
    bd_text_format(text, "block = m_first; block_end = m_end;");
    rows = write_spans_of_any(text, p);
  }
  write_panels(text, p, &rows, kernels);
  bd_text_format(text, "  }\n");
}

/* Rows %block to %block_end; the last block has those beside that fill no tile, to %beside_end, and
 * it is there for them even if there are no others. */
static void write_blocks_of_rows(bd_text *text, const bd_panels *p, int64_t rest, int64_t of_block,
                                 bd_kernels *kernels) {
  spans rows = spans_of(p, "block", "block_end", (span){"m_main", "beside_end", rest, NULL});
  const long long tiles = of_block / bd_panels_rows_of_tile(p);
  bd_text_format(
      text,
      "y0 = 0; y1 = 1; m_step = %s;"
      "m_stop = max(m_first + c1, m_end);"
      "for block = m_first to m_stop by m_step {"
      "block_end = min(block + m_step, m_end);"
      "beside_end = select(block_end == m_end, rest_end, m_main);",
      bd_number_or(p->has_any_rows, of_block, bd_phrase_of("%lld * height", tiles).data).data);
  if (p->has_any_rows) rows = write_spans_of_any(text, p);
  write_panels(text, p, &rows, kernels);
  bd_text_format(text, "  }\n");
}

/* All rows, for the block of k from %k0 to %k1. */
static void write_blocks(bd_text *text, const bd_panels *p, bd_kernels *kernels) {
  const int64_t rows = bd_panels_rows_of_tile(p), rest = p->m % rows;
  const int64_t of_block = bd_blocks_rows(p, bd_blocks_depth(p), rows);
  if (p->lines > 1 || (!p->has_any_rows && p->m <= of_block))
    write_lines_of_blocks(text, p, rest, kernels);
  else
    write_blocks_of_rows(text, p, rest, of_block, kernels);
}

/* One block of k, of a product that is part of a larger loop. */
static void write_part(bd_text *text, const bd_panels *p, bd_kernels *kernels) {
  bd_text_format(text, "unit_first = 0; unit_last = end_of_panels;");
  write_units(text, p, CUT_PANELS);
  bd_tiles_write_panels(text, p);
  write_blocks(text, p, kernels);
}

/* One block of k: threads share it. */
static void write_shared(bd_text *text, const bd_panels *p, int64_t cost, bd_kernels *kernels) {
  int64_t n_units;
  const cut c = choose_cut(p, &n_units);
  if (n_units < 0)
    bd_text_format(text, p->lines > 1 ? "unit_units = n_lines + c0;"
                                      : "unit_units = ceildiv(rows_end - rows_first, of_tile);");
  bd_units_begin(text, "unit", n_units);
  if (c == CUT_BOTH) bd_text_format(text, "for unit = unit_first to unit_last {");
  write_units(text, p, c);
  if (p->is_fresh) bd_text_format(text, "panels = alloc(%s);", bd_panels_type_b(p).data);
  bd_panels_write_aside(text, p);
  bd_tiles_write_panels(text, p);
  write_blocks(text, p, kernels);
  if (c == CUT_BOTH) bd_text_format(text, "  }\n");
  if (p->is_fresh) bd_text_format(text, "dealloc(panels);");
  bd_panels_write_aside_end(text, p);
  bd_units_end(text, n_units < 0 ? cost : cost / n_units);
}

/* %height: rows of a tile, where these are any number. */
static void write_height(bd_text *text, const bd_panels *p) {
  int64_t heights[MAX_HEIGHTS];
  const int n = heights_of(p, heights);
  BD_ASSERT(n > 0);
  bd_text_index(text, "most_rows", heights[0]);
  bd_text_format(text,
                 "some_rows = umax(n_rows, c1);"
                 "even_rows = ceildiv(some_rows, ceildiv(some_rows, most_rows));"
                 "fitting_0 = most_rows;");
  for (int i = 1; i < n; ++i)
    bd_text_format(text,
                   "let i = %d; lower_$i = %lld;"
                   "fitting_$i = select(even_rows <= lower_$i, lower_$i, fitting_$(i - 1));",
                   i, (long long)heights[i]);
  bd_text_format(text, "height = fitting_%d;", n - 1);
}

/* The rows there are, how many of them fill whole tiles, and those of a tile. */
static void write_count_of_rows(bd_text *text, const bd_panels *p) {
  const int64_t rows = bd_panels_rows_of_tile(p);
  if (p->has_any_rows) {
    write_height(text, p);
    bd_text_format(text, "m_main = n_rows; m_all = n_rows; of_tile = height;");
    return;
  }
  bd_text_format(text, "m_main = %lld; m_all = %lld; of_tile = %lld;",
                 (long long)(p->m / rows * rows), (long long)p->m, (long long)rows);
}

/* One block of k, from %k0 to %k1: of A, or of copies of some of its rows, one after the other. */
static void write_block(bd_text *text, const bd_panels *p, const bd_panels *staged, int64_t cost,
                        bd_kernels *kernels) {
  const int64_t rows = bd_panels_rows_of_tile(p);
  if (!staged) bd_text_format(text, "rows_first = c0; rows_end = m_all;");
  if (p->is_part) {
    write_part(text, p, kernels);
    return;
  }
  if (!staged) {
    write_shared(text, p, cost, kernels);
    return;
  }
  bd_text_format(
      text,
      "for rows_first = c0 to m_all by of_copy { rows_end = min(rows_first + of_copy, m_all);");
  bd_staging_write(text, p, staged, rows, kernels);
  write_shared(text, staged, cost / bd_divide_up(p->m, rows_at_once(staged)), kernels);
  bd_text_format(text, "  }\n");
}

static void write_blocks_of_k(bd_text *text, const bd_panels *p, const bd_panels *staged,
                              int64_t depth, bd_kernels *kernels) {
  const int64_t n_blocks = bd_divide_up(p->k, depth);
  bd_text_format(text, "k_all = %s; k_behind = umax(k_all, c1);",
                 bd_number_or(p->is_part, p->k, "end_of_k").data);
  if (p->has_any_depth) /* in blocks that are even, of whole sixteens */
    bd_text_format(
        text,
        "sixteen = 16;"
        "k_step = ceildiv(ceildiv(k_behind, ceildiv(k_behind, %lld)), sixteen) * sixteen;",
        (long long)bd_blocks_most_depth(p->machine));
  else
    bd_text_index(text, "k_step", depth);
  bd_text_format(text,
                 "for k0 = c0 to k_behind by k_step {"
                 "k1 = min(k0 + k_step, k_all); is_first = k0 == c0; is_last = k1 == k_all;");
  write_block(text, p, staged, bd_panels_cost(p) / n_blocks, kernels);
  bd_text_format(text, "  }\n");
}

/* Blocks of k follow one another, and threads share each: the block of A that a thread has in its
 * cache serves all the panels that it does. */
void bd_panels_write(bd_text *text, const bd_panels *p, bd_kernels *kernels) {
  const int64_t depth = bd_blocks_depth(p);
  const bool is_staged =
      !p->is_part && bd_staging_is_worthwhile(p, bd_panels_rows_of_tile(p), depth);
  const bd_panels copy = bd_staging_of(p, depth), *staged = is_staged ? &copy : NULL;
  write_count_of_rows(text, p);
  if (is_staged) {
    bd_text_format(text, "of_copy = %lld * of_tile;",
                   (long long)bd_divide_up(rows_at_once(staged), bd_panels_rows_of_tile(p)));
    bd_staging_write_buffer(text, staged);
  }
  if (is_blocked(p)) {
    write_blocks_of_k(text, p, staged, depth, kernels);
  } else {
    bd_text_format(text, "k0 = 0; k1 = %s;", bd_number_or(p->is_part, depth, "end_of_k").data);
    write_block(text, p, staged, bd_panels_cost(p), kernels);
  }
  if (is_staged) bd_staging_write_buffer_end(text);
}
