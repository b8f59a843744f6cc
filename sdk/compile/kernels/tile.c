// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile.c: text of one tile in registers. */
#include "sdk/compile/kernels/tile.h"

#include <stdbool.h>

#include "sdk/compile/kernels/arguments.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/tile_parts.h"

/* %has_row_R: the tile has row R; where it has fewer rows than that, the last one stands for those
 * after it, too, and is computed and stored so many times with the same bits. */
static void write_rows_there(bd_text *text, const bd_tile *t) {
  for (int64_t r = 1; t->p->has_any_rows && r < t->rows; ++r)
    bd_ir_write(text, "i_%lld = i + %lld; has_row_%lld = i_%lld < i_end;", (long long)r,
                (long long)r, (long long)r, (long long)r);
}

/* %begin: the tile of C as it is, except in the first of several blocks of k. */
static void write_old(bd_text *text, const bd_tile *t) {
  const bool has_first = t->p->begin != BD_BEGIN_OLD;
  bd_text_format(text, "  %%begin:%lld = scf.if %%%s -> (%s) {\n",
                 (long long)(t->rows * t->vectors), has_first ? "is_first" : "never",
                 bd_phrase_list(bd_tile_vector(t).data, t->rows * t->vectors).data);
  for (int64_t i = 0; i < t->rows * t->vectors; ++i)
    bd_text_format(text, "%s%s", i > 0 ? ", " : "  scf.yield ",
                   has_first ? bd_tile_first(t, (int)(i % t->vectors)).data : "%zero");
  bd_text_format(text, " : %s\n  } else {\n",
                 bd_phrase_list(bd_tile_vector(t).data, t->rows * t->vectors).data);
  bd_tile_write_row_places(text, t, "old_at", "c", "line_c", "ldc");
  for (int64_t r = 0; r < t->rows; ++r) {
    for (int v = 0; v < t->vectors; ++v) {
      const bd_phrase place = bd_phrase_of("matrix_c[%%old_to_%lld_%d]", (long long)r, v);
      bd_ir_write(text, "old_to_%lld_%d = old_at_%lld + into_%d;", (long long)r, v, (long long)r,
                  v);
      bd_tile_write_load(text, t, v, bd_phrase_of("old_%lld", (long long)bd_tile_sum(t, r, v)).data,
                         place.data, bd_type_whole(t->p->element->name).data);
    }
  }
  bd_tile_write_yield(text, t, "%old_");
}

void bd_tile_write_vectors(bd_text *text, const bd_tile *t) {
  bd_ir_write(text, "width = %d; n_0 = j * width; lane_0 = 0; into_0 = %s;", bd_panels_width(t->p),
              t->p->is_aside ? "c0" : "n_0");
  for (int v = 1; v < t->vectors; ++v)
    bd_ir_write(text, "lane_%d = %d; n_%d = n_0 + lane_%d; into_%d = into_0 + lane_%d;", v,
                v * t->p->lanes, v, v, v, v);
}

void bd_tile_write_columns(bd_text *text, const bd_tile *t) {
  bd_tile_write_vectors(text, t);
  bd_text_format(text, "  %%zero = arith.constant dense<%s> : %s\n", t->p->element->zero,
                 bd_tile_vector(t).data);
  if (bd_tile_is_partial(t))
    bd_text_format(text, "  %%mask = vector.create_mask %%n_valid : vector<%dxi1>\n", t->p->lanes);
  if (t->p->words && t->p->of_group > 0)
    bd_text_format(text, "  %%no_elements = arith.constant dense<0> : vector<%dxi8>\n",
                   t->p->lanes);
  if (bd_panels_are_shifted(t->p))
    bd_text_format(text, "  %%signs = arith.constant dense<%d> : vector<%dxi32>\n",
                   (int)0x80808080u, t->p->lanes);
}

void bd_tile_write_packing(bd_text *text, const bd_tile *t) {
  bd_ir_write(text, "for k = k0 to k1 {");
  bd_tile_write_packed_row(text, t, "k", bd_panels_type_b(t->p).data);
  bd_text_format(text, "  }\n");
}

/* Rows of A begin where LLVM does not see that they are one stride apart: it would add that from
 * row to row, in each round of the innermost loop, or keep a place for each row that moves with the
 * parts. %at_R: where row R of A begins. */
static void write_rows_of_a(bd_text *text, const bd_tile *t) {
  if (bd_tile_is_in_turn(t)) {
    bd_ir_write(text, "tile_at = a_at + i * lda - k0 * %lld;", (long long)t->rows);
    bd_write_veiled(text, "at_0", "tile_at");
    for (int64_t r = 1; r < t->rows; ++r)
      bd_ir_write(text, "at_%lld = at_0 + %lld;", (long long)r, (long long)r);
    return;
  }
  bd_tile_write_row_places(text, t, "row_at", "a", "line_a", "lda");
  for (int64_t r = 0; r < t->rows; ++r)
    bd_write_veiled(text, bd_phrase_of("at_%lld", (long long)r).data,
                    bd_phrase_of("row_at_%lld", (long long)r).data);
}

/* %start_V: what line %line_of_begin of the panel says, and the row. */
static void write_begin_of_shifted(bd_text *text, const bd_tile *t) {
  const bool has_row = t->p->begin == BD_BEGIN_ROW;
  for (int v = 0; v < t->vectors; ++v) {
    bd_text_format(
        text, "  %%%s_%d = vector.load %%panels[%%j, %%line_of_begin, %%lane_%d] : %s, %s\n",
        has_row ? "shift" : "start", v, v, bd_tile_type_b(t->p).data, bd_tile_vector(t).data);
    if (!has_row) continue;
    bd_text_format(text, "  %%start_%d = arith.addi %%shift_%d, %%row_%d : %s\n", v, v, v,
                   bd_tile_vector(t).data);
  }
}

/* The indices that the tile needs, and what its sums begin with: %begin#I, or names of rows. */
static void write_begin(bd_text *text, const bd_tile *t) {
  const bd_panels *p = t->p;
  for (int v = 0; p->begin == BD_BEGIN_ROW && v < t->vectors; ++v)
    bd_tile_write_load(text, t, v, bd_phrase_of("row_%d", v).data,
                       bd_phrase_of("row[%%n_%d]", v).data, bd_type_row(p->element->name).data);
  if (bd_panels_are_shifted(p)) write_begin_of_shifted(text, t);
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

/* The end of a loop over runs, which carries %total_I: the sums of this one are %RUN#I. */
static void write_end_of_run(bd_text *text, const bd_tile *t, const char *run) {
  for (int64_t i = 0; i < t->rows * t->vectors; ++i)
    bd_text_format(text, "  %%more_%lld = arith.addf %%total_%lld, %%%s#%lld : %s\n", (long long)i,
                   (long long)i, run, (long long)i, bd_tile_vector(t).data);
  bd_tile_write_yield(text, t, "%more_");
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void write_loop(bd_text *text, const bd_tile *t, const char *result, const char *range) {
  bd_text_format(text, "  %%%s:%lld = scf.for %s ", result, (long long)(t->rows * t->vectors),
                 range);
}

/* %RESULT = the sums of the part of A from %first to before %behind, which begin as those of
 * bd_tile_write_carried. */
static void write_part(bd_text *text, const bd_tile *t, const char *result, const char *begin) {
  if (!has_runs_of_part(t)) {
    bd_ir_write(text, "from = first; to = behind;");
    bd_tile_write_rounds(text, t, result, begin);
    return;
  }
  bool is_even = false;
  bd_text_index(text, "of_run", rounds_of_run(t, &is_even));
  write_loop(text, t, result, "%run = %first to %behind step %of_run");
  bd_tile_write_carried(text, t, "%total_", begin);
  bd_ir_write(text, "from = run; end_of_run = run + of_run;");
  bd_ir_write(text, is_even ? "to = end_of_run;" : "to = min(end_of_run, behind);");
  bd_tile_write_rounds(text, t, "run_sum", "%zero");
  write_end_of_run(text, t, "run_sum");
}

/* Pieces are gone through as one row of them. A's elements are %first to before %behind after the
 * first of its row, and %to_k turns their places into those of k. */
static void write_sums(bd_text *text, const bd_tile *t) {
  const bd_panels *p = t->p;
  const bool has_runs_of_parts = has_runs(t) && !has_runs_of_part(t);
  if (bd_panels_parts(p) == 1) {
    bd_ir_write(text, "first = k0; behind = k1; to_k = 0;%s",
                p->of_group > 0 ? "part_at = 0;" : "");
    write_part(text, t, "sum", NULL);
    return;
  }
  if (has_runs_of_parts) {
    bd_text_index(text, "of_run", most_of_run(t) / bd_panels_depth(p));
    write_loop(text, t, "sum", "%run = %c0 to %n_parts step %of_run");
    bd_tile_write_carried(text, t, "%total_", NULL);
    bd_ir_write(text, "run_end = min(run + of_run, n_parts);");
    write_loop(text, t, "run_sum", "%of_k = %run to %run_end step %c1");
    bd_tile_write_carried(text, t, "%whole_", "%zero");
  } else {
    write_loop(text, t, "sum", "%of_k = %c0 to %n_parts step %c1");
    bd_tile_write_carried(text, t, "%whole_", NULL);
  }
  bd_ir_write(text,
              "segment = of_k / n_pieces; piece = of_k %% n_pieces;"
              "segment_at = segment * segment_a; piece_at = piece * piece_a;"
              "place = segment_at + piece_at;");
  bd_write_veiled(text, "part_at", "place");
  bd_ir_write(text, p->of_group > 0
                        ? "first = k0; behind = k1; to_k = of_k * part_size;"
                        : "first = k0 + part_at; behind = k1 + part_at; part_k = of_k * part_size;"
                          "to_k = part_k - part_at;");
  write_part(text, t, "part", "%whole_");
  bd_tile_write_yield(text, t, "%part#");
  if (has_runs_of_parts) write_end_of_run(text, t, "run_sum");
}

void bd_tile_write(bd_text *text, const bd_tile *t) {
  const bool has_groups = t->p->of_group > 0;
  write_rows_there(text, t);
  write_rows_of_a(text, t);
  if (has_groups) {
    bd_ir_write(text, "for j = j_first to j_end { slice_at = j * slice_a;");
    bd_tile_write_columns(text, t);
  }
  write_begin(text, t);
  write_sums(text, t);
  bd_tile_write_end(text, t);
  if (has_groups) bd_text_format(text, "  }\n");
}
