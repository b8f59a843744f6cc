// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/amx.c: text of products by AMX's tile registers.
 *
 * Registers 0 to 3 are C's: 2·G + V for rows G and columns V; 4 and 5 A's, by rows; 6 and 7 B's, by
 * columns. */
#include "sdk/compile/kernels/tile/amx.h"

#include <stdbool.h>

#include "sdk/compile/kernels/tile/blocks.h"
#include "sdk/compile/kernels/notation/notation.h"

enum { WORD = 4, LANES = 16, VECTORS = 2, FIRST_OF_A = 4, FIRST_OF_B = 6, N_REGISTERS = 8 };

/* A step is as long as 16 words, however few there are: with fewer than that, vectors are as fast;
 * and so they are for few rows, of which most of a step is waiting. */
enum { FEWEST_WORDS = 4, FEWEST_ROWS = 4 };

/* Words that divide a piece of a row into steps; 0: there is no good number. */
static int64_t step_of(int64_t depth) {
  for (int64_t n = bd_divide_up(depth, LANES); depth / n >= FEWEST_WORDS; ++n) {
    if (depth % n == 0) return depth / n;
  }
  return 0;
}

void bd_amx_choose(bd_panels *p) {
  const int64_t depth = bd_panels_depth(p), step = step_of(depth);
  const bool is_blocked = bd_blocks_depth(p) != depth; /* by multiples of 16 words */
  const bool cuts_panels = p->slices > 1 && p->n / p->slices % (VECTORS * LANES) != 0;
  if (p->lanes != LANES || p->lines * p->m < FEWEST_ROWS || (is_blocked && step != LANES) ||
      cuts_panels)
    return;
  p->amx_step = step;
  if (step > 0) p->vectors = VECTORS;
}

/* ---- Registers ------------------------------------------------------------------------------- */

static bool has_two_lines(const bd_tiles *t) { return t->tile.lines == 2; }

static int64_t rows_of_line(const bd_tiles *t) { return bd_tile_rows_of_line(&t->tile); }

static bool has_two_groups(const bd_tiles *t) {
  return has_two_lines(t) || rows_of_line(t) > BD_AMX_ROWS;
}

static int64_t rows_of_group(const bd_tiles *t, int g) {
  if (has_two_lines(t) || !has_two_groups(t)) return rows_of_line(t);
  return (rows_of_line(t) + 1 - g) / 2;
}

static int n_groups(const bd_tiles *t) { return 1 + has_two_groups(t); }

void bd_amx_add_arguments(bd_arguments *all, const bd_tiles *t) {
  bd_arguments_add(all, "i_by=%lld step=%lld", (long long)rows_of_line(t),
                   (long long)t->tile.p->amx_step);
  for (int g = 0; g < n_groups(t); ++g)
    bd_arguments_add(
        all, "rows_%d=%s", g,
        bd_number_or(t->rest && g == n_groups(t) - 1, rows_of_group(t, g), t->rest).data);
}

/* A number of the configuration, a byte at `place`. */
static void write_byte(bd_text *text, int place, const char *value) {
  bd_text_format(text, "at_%d = %d; store(%s, config[at_%d]);", place, place, value, place);
}

/* Rows and bytes of a row of register `i`. The processor's layout: 16 bytes of its own, of which
 * the first is the number of the layout; 16 words for bytes of a row; 16 bytes for rows. */
static void write_register(bd_text *text, int i, const char *rows, const char *bytes) {
  enum { BYTES = 16, ROWS = 48 };
  write_byte(text, BYTES + 2 * i, bytes);
  write_byte(text, ROWS + i, rows);
}

/* Columns beyond the last are none of C's and B's register for them. */
static void write_configuration(bd_text *text, const bd_tiles *t) {
  const int n = t->tile.vectors, is_partial = bd_tile_is_partial(&t->tile);
  bd_text_format(text,
                 "  %%config = memref.alloca() {alignment = 64 : i64} : memref<64xi8>\n"
                 "nothing = 0 : vector<64xi8>; store(nothing, config[c0]);"
                 "layout = 1 : i8; all_bytes = 64 : i8; step_rows = index_cast(step, i8);"
                 "step_bytes = index_cast(step * word, i8); %s",
                 is_partial ? "last_bytes = index_cast(n_valid * word, i8);" : "");
  write_byte(text, 0, "layout");
  for (int v = 0; v < n; ++v)
    write_register(text, FIRST_OF_B + v, "step_rows",
                   is_partial && v == n - 1 ? "last_bytes" : "all_bytes");
  for (int g = 0; g < n_groups(t); ++g) {
    const bd_phrase rows = bd_phrase_of("rows_of_%d", g);
    bd_text_format(text, "%s = index_cast(rows_%d, i8);", rows.data, g);
    write_register(text, FIRST_OF_A + g, rows.data, "step_bytes");
    for (int v = 0; v < n; ++v)
      write_register(text, VECTORS * g + v, rows.data,
                     is_partial && v == n - 1 ? "last_bytes" : "all_bytes");
  }
  bd_text_format(text,
                 "each i to %d { t$i = $i : i8; }"
                 "config_place = pointer(index_cast(address(config), i64));"
                 "intrinsic(\"llvm.x86.ldtilecfg\", config_place);",
                 N_REGISTERS);
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* %MATRIX_of_G: the first word of the rows of group G, of a matrix that has %LINE and %ROW. */
static void write_groups(bd_text *text, const bd_tiles *t, const char *matrix, const char *line,
                         const char *row) {
  bd_text_format(text,
                 "let x = %s; $x_y = y * %s; $x_i = i * %s; $x_line = $x_at + $x_y;"
                 "$x_of_0 = $x_line + $x_i;",
                 matrix, line, row);
  if (has_two_groups(t))
    bd_text_format(text, "$x_of_1 = $x_of_0 + %s%s;", has_two_lines(t) ? line : "rows_0 * ",
                   has_two_lines(t) ? "" : row);
}

/* Tiles are loaded from the place $p, where word $w of the matrix $m lies. */
#define PLACE "$p = pointer(index_cast($m_place + $w * word, i64));"
#define LOAD "intrinsic(\"llvm.x86.tileloadd64\", "

/* ---- A tile ---------------------------------------------------------------------------------- */

/* %to_G_V: where the registers of C lie in memory. */
static void write_places_of_c(bd_text *text, const bd_tiles *t) {
  write_groups(text, t, "c", "line_c", "ldc");
  bd_text_format(text,
                 "let m = c; each g to %d { each v to %d { c_at_$g_$v = c_of_$g + into_$v;"
                 "let p = to_$g_$v, w = c_at_$g_$v;" PLACE "} }",
                 n_groups(t), t->tile.vectors);
}

static void write_old(bd_text *text, const bd_tiles *t) {
  bd_text_format(text,
                 "each g to %d { each v to %d {" LOAD "t$(%d * g + v), to_$g_$v, stride_c); } }",
                 n_groups(t), t->tile.vectors, VECTORS);
}

/* A row is loaded as one matrix whose rows lie in one place. */
static void write_first(bd_text *text, const bd_tiles *t) {
  const bool has_row = t->tile.p->begin == BD_BEGIN_ROW;
  bd_text_format(
      text, "let m = row; each v to %d { %s each g to %d { %s } }", t->tile.vectors,
      has_row ? "first_at_$v = row_at + n_$v; let p = first_$v, w = first_at_$v;" PLACE : "",
      n_groups(t),
      has_row ? LOAD "t$(2 * g + v), first_$v, no_stride);"
              : "intrinsic(\"llvm.x86.tilezero\", t$(2 * g + v));");
}

static void write_begin(bd_text *text, const bd_tiles *t) {
  if (t->tile.p->begin == BD_BEGIN_OLD) {
    write_old(text, t);
  } else if (!t->tile.is_blocked) {
    write_first(text, t);
  } else {
    bd_text_format(text, "if is_first {");
    write_first(text, t);
    bd_text_format(text, "    } else {\n");
    write_old(text, t);
    bd_text_format(text, "    }\n");
  }
}

/* One step, at %right after the part's beginning: that is %a_behind in A's rows, and line %line_b
 * of the panel. */
static void write_step(bd_text *text, const bd_tiles *t) {
  bd_text_format(text,
                 "let m = b, f = %d; each v to %d { b_at_$v = b_line + lane_$v;"
                 "let p = b_$v, w = b_at_$v;" PLACE LOAD
                 "t$(f + v), b_$v, stride_b); }"
                 "let m = a, e = %d; each g to %d { a_at_$g = a_of_$g + a_behind;"
                 "let p = a_$g, w = a_at_$g;" PLACE LOAD
                 "t$(e + g), a_$g, stride_a);"
                 "each v to %d { intrinsic(\"%s\", t$(%d * g + v), t$(e + g), t$(f + v)); } }",
                 FIRST_OF_B, t->tile.vectors, FIRST_OF_A, n_groups(t), t->tile.vectors,
                 t->tile.p->words->amx, VECTORS);
}

static void write_steps(bd_text *text, const bd_tiles *t) {
  const bd_panels *p = t->tile.p;
  const bool has_parts = bd_panels_parts(p) > 1;
  if (has_parts)
    bd_text_format(text,
                   "for of_k = c0 to n_parts {"
                   "segment = of_k / n_pieces; piece = of_k %% n_pieces;"
                   "segment_at = segment * segment_a; piece_at = piece * piece_a;"
                   "part_at = segment_at + piece_at; part_k = of_k * part_size;");
  bd_text_format(text,
                 "for right = k0 to k1 by step {"
                 "a_behind = right + %s; line = right + %s; b_line = panel_at + line * width;",
                 has_parts ? "part_at" : "c0", has_parts ? "part_k" : "c0");
  write_step(text, t);
  bd_text_format(text, "    }\n");
  if (has_parts) bd_text_format(text, "    }\n");
}

static void write_stores(bd_text *text, const bd_tiles *t) {
  bd_text_format(text,
                 "each g to %d { each v to %d {"
                 "intrinsic(\"llvm.x86.tilestored64\", t$(%d * g + v), to_$g_$v, stride_c); } }",
                 n_groups(t), t->tile.vectors, VECTORS);
}

/* ---- All tiles ------------------------------------------------------------------------------- */

static void write_constants(bd_text *text, const bd_tiles *t) {
  const bd_panels *p = t->tile.p;
  bd_text_format(text, "word = %d; y_by = %lld;", WORD, (long long)t->tile.lines);
  bd_tile_write_vectors(text, &t->tile);
  bd_text_format(
      text,
      "a_place = address(a_base); b_place = address(b_base); c_place = address(c_base); %s"
      "stride_a = index_cast(lda * word, i64); stride_b = index_cast(width * word, i64);"
      "stride_c = index_cast(ldc * word, i64); no_stride = 0 : i64; panel_at = b_at + j * ldb;",
      p->begin == BD_BEGIN_ROW ? "row_place = address(row_base);" : "");
  if (p->pieces == 1 && p->segments > 1) bd_text_format(text, "n_pieces = 1; piece_a = 0;");
}

void bd_amx_write(bd_text *text, const bd_tiles *t) {
  write_constants(text, t);
  write_configuration(text, t);
  bd_text_format(text,
                 "for y = y_first to y_end by y_by {"
                 "for i = i_first to i_end by i_by {");
  write_places_of_c(text, t);
  write_groups(text, t, "a", "line_a", "lda");
  write_begin(text, t);
  write_steps(text, t);
  write_stores(text, t);
  bd_text_format(text, "} } intrinsic(\"llvm.x86.tilerelease\");");
}
