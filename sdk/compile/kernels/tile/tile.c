// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/tile.c: text of one tile in registers. */
#include "sdk/compile/kernels/tile/tile.h"

#include <stdbool.h>

#include "sdk/compile/kernels/arguments.h"
#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/tile/blocks.h"
#include "sdk/compile/kernels/tile/parts.h"

/* %has_row_R: the tile has row R; where it has fewer rows than that, the last one stands for those
 * after it, too, and is computed and stored so many times with the same bits. */
static void write_rows_there(bd_text *text, const bd_tile *t) {
  for (int64_t r = 1; t->p->has_any_rows && r < t->rows; ++r)
    bd_text_format(text, "let r = %lld; i_$r = i + $r; has_row_$r = i_$r < i_end;", (long long)r);
}

/* %begin: the tile of C as it is, except in the first of several blocks of k. */
static void write_old(bd_text *text, const bd_tile *t) {
  const bool has_first = t->p->begin != BD_BEGIN_OLD;
  bd_text_format(text, "let v = %d; begin:%lld = if %s like zero { yield %s; } else {", t->vectors,
                 (long long)(t->rows * t->vectors), has_first ? "is_first" : "never",
                 has_first ? bd_tile_first(t) : "zero");
  bd_tile_write_row_places(text, t, "old_at", "c", "line_c", "ldc");
  for (int i = 0; i < (int)t->rows * t->vectors; ++i)
    bd_text_format(text,
                   "let i = %d, v = %d; old_to_$i = old_at_$(i / v) + into_$(i %% v); old_$i = %s;",
                   i, t->vectors, bd_tile_load(t, i % t->vectors, "matrix_c[old_to_$i]").data);
  bd_text_format(text, "yield old_$n; }");
}

void bd_tile_write_vectors(bd_text *text, const bd_tile *t) {
  bd_text_format(text, "width = %d; n_0 = j * width; lane_0 = 0; into_0 = %s;",
                 bd_panels_width(t->p), t->p->is_aside ? "c0" : "n_0");
  bd_text_format(text,
                 "each v = 1 to %d { lane_$v = $(v * %d); n_$v = n_0 + lane_$v;"
                 "into_$v = into_0 + lane_$v; }",
                 t->vectors, t->p->lanes);
}

void bd_tile_write_columns(bd_text *text, const bd_tile *t) {
  bd_tile_write_vectors(text, t);
  const int lanes = t->p->lanes;
  bd_text_format(text, "zero = %s : vector<%dx%s>;", t->p->element->zero, lanes,
                 t->p->element->name);
  if (bd_tile_is_partial(t)) bd_text_format(text, "mask = create_mask(n_valid, %d);", lanes);
  if (t->p->words && t->p->of_group > 0)
    bd_text_format(text, "no_elements = 0 : vector<%dxi8>;", lanes);
  if (bd_panels_are_shifted(t->p))
    bd_text_format(text, "signs = %d : vector<%dxi32>;", (int)0x80808080u, lanes);
}

void bd_tile_write_packing(bd_text *text, const bd_tile *t) {
  bd_text_format(text, "for k = k0 to k1 {");
  bd_tile_write_packed_row(text, t, "k");
  bd_text_format(text, "  }\n");
}

/* Rows of A begin where LLVM does not see that they are one stride apart: it would add that from
 * row to row, in each round of the innermost loop, or keep a place for each row that moves with the
 * parts. %at_R: where row R of A begins. */
static void write_rows_of_a(bd_text *text, const bd_tile *t) {
  if (bd_tile_is_in_turn(t)) {
    bd_text_format(text, "tile_at = a_at + i * lda - k0 * %lld;", (long long)t->rows);
    bd_write_veiled(text, "at_0", "tile_at");
    for (int64_t r = 1; r < t->rows; ++r)
      bd_text_format(text, "at_%lld = at_0 + %lld;", (long long)r, (long long)r);
    return;
  }
  bd_tile_write_row_places(text, t, "row_at", "a", "line_a", "lda");
  for (int64_t r = 0; r < t->rows; ++r)
    bd_write_veiled(text, bd_phrase_of("at_%lld", (long long)r).data,
                    bd_phrase_of("row_at_%lld", (long long)r).data);
}

/* The indices that the tile needs, and what its sums begin with: %begin#I, or names of rows. */
static void write_begin(bd_text *text, const bd_tile *t) {
  const bd_panels *p = t->p;
  for (int v = 0; p->begin == BD_BEGIN_ROW && v < t->vectors; ++v)
    bd_text_format(text, "let v = %d; row_$v = %s;", v, bd_tile_load(t, v, "row[n_$v]").data);
  if (bd_panels_are_shifted(p)) /* what line %line_of_begin of the panel says, and the row */
    bd_text_format(text,
                   "each v to %d { shift_$v = load(panels[j, line_of_begin, lane_$v], %d);"
                   "start_$v = shift_$v%s; }",
                   t->vectors, p->lanes, p->begin == BD_BEGIN_ROW ? " + row_$v" : "");
  if (p->begin == BD_BEGIN_OLD || t->is_blocked) write_old(text, t);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* The error of a sum grows with its length, and most where its terms are equal and each rounds the same way. A long one
 * is therefore the sum of runs, each of which begins with zero. */

enum { FEW_ROWS = 16, ROUNDS_OF_FEW = 64 };

/* Rounds of k, at most, that are a sum of their own. Products of few rows wait for B, so that shorter runs cost them
 * nothing; BLAS libraries sum those up so, too. */
static int64_t most_of_run(const bd_tile *t) {
  const bd_panels *p = t->p;
  const bool is_few =
      p->has_any_rows ? 2 * t->rows * t->vectors <= bd_machine_sums(p->machine) : p->m < FEW_ROWS;
  const bool is_product = p->lines == 1 && bd_panels_parts(p) == 1;
  return is_product && is_few && p->of_run > ROUNDS_OF_FEW ? ROUNDS_OF_FEW : p->of_run;
}

/* Sums of whole numbers are exact. */
static bool has_runs(const bd_tile *t) {
  return !bd_panels_are_shifted(t->p) && (t->p->has_any_depth || t->p->k > most_of_run(t));
}

/* Runs are of a part; else each is of several. */
static bool has_runs_of_part(const bd_tile *t) {
  return has_runs(t) && (t->p->has_any_depth || bd_panels_depth(t->p) > most_of_run(t));
}

/* Rounds of a run of a part. Where the part is known to be whole, it is cut evenly if there is a number that does it:
 * loops of a known length are faster (256 rounds in four runs take as long as in one, and else a tenth more). */
static int64_t rounds_of_run(const bd_tile *t, bool *is_even) {
  const bd_panels *p = t->p;
  const int64_t unit = p->of_group > 0 ? p->of_group : t->is_grouped ? BD_GROUP : 1;
  const int64_t run = most_of_run(t), most = run < unit ? unit : run / unit * unit;
  *is_even = false;
  if (t->is_blocked || p->is_part || p->has_any_depth) return most;
  for (int64_t n = most; 2 * n > most; n -= unit) {
    *is_even = bd_panels_depth(p) % n == 0;
    if (*is_even) return n;
  }
  return most;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* The end of a loop over runs, which carries %total_I: the sums of this one are %run_sum#I. */
static void write_end_of_run(bd_text *text, const bd_tile *t) {
  bd_text_format(text, "each i to %lld { more_$i = total_$i + run_sum#$i; } yield more_$n; }",
                 (long long)(t->rows * t->vectors));
}

/* %RESULT = the sums of the part of A from %first to before %behind, which begin so. */
static void write_part(bd_text *text, const bd_tile *t, const char *result, const char *begin) {
  if (!has_runs_of_part(t)) {
    bd_text_format(text, "from = first; to = behind;");
    bd_tile_write_rounds(text, t, result, begin);
    return;
  }
  bool is_even = false;
  bd_text_index(text, "of_run", rounds_of_run(t, &is_even));
  bd_text_format(text,
                 "%s:%lld = for run = first to behind by of_run carry total_$n = %s {"
                 "from = run; end_of_run = run + of_run; to = %s;",
                 result, (long long)(t->rows * t->vectors), begin,
                 is_even ? "end_of_run" : "min(end_of_run, behind)");
  bd_tile_write_rounds(text, t, "run_sum", "zero");
  write_end_of_run(text, t);
}

/* Pieces are gone through as one row of them. A's elements are %first to before %behind after the
 * first of its row, and %to_k turns their places into those of k. */
static void write_sums(bd_text *text, const bd_tile *t) {
  const bd_panels *p = t->p;
  const bool has_runs_of_parts = has_runs(t) && !has_runs_of_part(t);
  const long long n = t->rows * t->vectors;
  const char *const begin =
      p->begin == BD_BEGIN_OLD || t->is_blocked ? "begin#$n" : bd_tile_first(t);
  bd_text_format(text, "let v = %d;", t->vectors);
  if (bd_panels_parts(p) == 1) {
    bd_text_format(text, "first = k0; behind = k1; to_k = 0;%s",
                   p->of_group > 0 ? "part_at = 0;" : "");
    write_part(text, t, "sum", begin);
    return;
  }
  if (has_runs_of_parts)
    bd_text_format(
        text,
        "of_run = %lld; sum:%lld = for run = c0 to n_parts by of_run carry total_$n = %s {"
        "run_end = min(run + of_run, n_parts);"
        "run_sum:%lld = for of_k = run to run_end carry whole_$n = zero {",
        (long long)(most_of_run(t) / bd_panels_depth(p)), n, begin, n);
  else
    bd_text_format(text, "sum:%lld = for of_k = c0 to n_parts carry whole_$n = %s {", n, begin);
  bd_text_format(text,
                 "segment = of_k / n_pieces; piece = of_k %% n_pieces;"
                 "segment_at = segment * segment_a; piece_at = piece * piece_a;"
                 "place = segment_at + piece_at;");
  bd_write_veiled(text, "part_at", "place");
  bd_text_format(text,
                 p->of_group > 0
                     ? "first = k0; behind = k1; to_k = of_k * part_size;"
                     : "first = k0 + part_at; behind = k1 + part_at; part_k = of_k * part_size;"
                       "to_k = part_k - part_at;");
  write_part(text, t, "part", "whole_$n");
  bd_text_format(text, "yield part#$n; }");
  if (has_runs_of_parts) write_end_of_run(text, t);
}

/* ---- What comes next ------------------------------------------------------------------------- */

static int64_t line_of_a(const bd_panels *p) {
  return bd_machine_line(p->machine, bd_panels_element(p)->bytes);
}

int64_t bd_tile_lines_ahead(const bd_tile *t) {
  return bd_divide_up(t->rows * t->p->lda, t->p->slices * line_of_a(t->p));
}

/* Functions that follow leave no room to begin to write early: lines of C are fetched likewise. */
static bool fetches_c(const bd_panels *p) {
  return !p->words && p->epilogue && bd_epilogue_has_functions(p->epilogue);
}

/* Tiles that go through the panels read a vector of each of their rows at a time: so many streams no processor reads ahead. What
 * the tile beside this one reads and none before it, of the last line of its window, is fetched in the order in which it
 * lies, with each panel a part. */
static void write_ahead_at(bd_text *text, const bd_tile *t) {
  bd_text_format(text, "beside_at = at_0 + %lld * lda;", (long long)t->rows);
  if (bd_panels_parts(t->p) == 1)
    bd_text_format(text, "last_at = 0;");
  else
    bd_text_format(text,
                   "last_part = n_parts - c1;"
                   "last_at = last_part / n_pieces * segment_a + last_part %% n_pieces * piece_a;");
  if (fetches_c(t->p))
    bd_text_format(text, "beside_c = c_at + y * line_c + (i + %lld) * ldc;", (long long)t->rows);
}

static void write_ahead(bd_text *text, const bd_tile *t) {
  bd_text_format(
      text,
      "line = %lld; fetched = j * lines_a * line; ahead_first = beside_at + last_at + fetched;"
      "%s for l = c0 to lines_a { of_line = l * line;"
      "ahead = ahead_first + of_line; prefetch(matrix_a[ahead], 3); %s }",
      (long long)line_of_a(t->p), fetches_c(t->p) ? "c_first = beside_c + fetched;" : "",
      fetches_c(t->p) ? "ahead_c = c_first + of_line; prefetch(matrix_c[ahead_c], 3);" : "");
}

void bd_tile_write(bd_text *text, const bd_tile *t) {
  const bool has_groups = t->p->of_group > 0;
  write_rows_there(text, t);
  write_rows_of_a(text, t);
  if (has_groups) {
    if (bd_blocks_are_far(t->p)) write_ahead_at(text, t);
    bd_text_format(text, "for j = j_first to j_end { slice_at = j * slice_a;");
    bd_tile_write_columns(text, t);
    if (bd_blocks_are_far(t->p)) write_ahead(text, t);
  }
  write_begin(text, t);
  write_sums(text, t);
  bd_tile_write_end(text, t);
  if (has_groups) bd_text_format(text, "  }\n");
}
