// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/rounds.c: the innermost loop of a tile, over k; see tile.h. */
#include "sdk/compile/kernels/arguments.h"
#include "sdk/compile/kernels/tile/blocks.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/tile/parts.h"

/* Which of the panels there are is panel %j. */
static const char *panel_of(const bd_panels *p) { return p->is_fresh ? "c0" : "j"; }

/* ---- Fetching ahead -------------------------------------------------------------------------- */

static int elements_of_line(const bd_tile *t) {
  return bd_machine_line(t->p->machine, t->p->element->bytes);
}

/* Lines of the next panel that a round, or a group of them, fetches; 0: none. */
static int fetches_of(const bd_tile *t) {
  if (t->prefetch_shift < 0) return 0;
  if (!t->is_grouped) return 1;
  const int n = (BD_GROUP * bd_panels_width(t->p) / elements_of_line(t)) >> t->prefetch_shift;
  return n > 1 ? n : 1;
}

/* True if vector v of a row begins a line: one of each is fetched. */
static bool begins_line(const bd_tile *t, int v) {
  return v * t->p->lanes % elements_of_line(t) == 0;
}

/* One line of the next panel in each round: the tiles of this one go through it together. */
static void write_prefetch(bd_text *text, const bd_tile *t) {
  const int line = elements_of_line(t), width = bd_panels_width(t->p);
  bd_text_format(text, "ahead_row = (p >> ahead_shift) + ahead_first; ahead_column = p %% %d * %d;",
                 width > line ? width / line : 1, line);
  bd_text_format(text, "prefetch(panels[ahead_j, ahead_row, ahead_column], 2);");
}

/* The share of a group in the rows of the next panel, line by line. */
static void write_prefetch_of_group(bd_text *text, const bd_tile *t) {
  bd_text_format(
      text,
      "ahead_width = %d; ahead = p * ahead_width >> ahead_shift; each i to %d {"
      "ahead_$i = ahead + $(i * %d); ahead_row_$i = ahead_$i / ahead_width + ahead_first;"
      "prefetch(panels[ahead_j, ahead_row_$i, ahead_$i %% ahead_width], 2); }",
      bd_panels_width(t->p), fetches_of(t), elements_of_line(t));
}

/* Of a B in place that does not stay in cache, a row that comes soon: it lies on another page than this
 * one, and no processor takes that for a stream. */
enum { ROWS_AHEAD = 16 };
static void write_prefetch_in_place(bd_text *text, const bd_tile *t) {
  bd_text_format(text, "ahead_row = p + %d;", ROWS_AHEAD);
  for (int v = 0; v < t->vectors; ++v) {
    if (begins_line(t, v))
      bd_text_format(text, "prefetch(%s[ahead_row, n_%d], 3);",
                     t->is_packing ? "matrix_b" : "panels", v);
  }
}

/* Rows of the panel that come soon, into the first cache. */
enum { ROWS_NEAR = 12 };
static void write_near(bd_text *text, const bd_tile *t, int n_rounds) {
  for (int u = 0; u < n_rounds; ++u) {
    bd_text_format(text, "near_%d = p + %d;", u, ROWS_NEAR + u);
    for (int v = 0; v < t->vectors; ++v) {
      if (begins_line(t, v))
        bd_text_format(text, "prefetch(panels[%s, near_%d, lane_%d], 3);", panel_of(t->p), u, v);
    }
  }
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Round U takes %sumU_I to %sumU+1_I: by row %bU_V of the panel, and %sU_R, an element of row R of A in all lanes. Words
 * are taken apart first; they have one round. */

/* %pU, and %bU_V there. */
static void write_row_of_b(bd_text *text, const bd_tile *t, int u) {
  const bd_panels *p = t->p;
  bd_text_format(text, "p%d = p + %d;", u, u);
  if (t->is_packing) {
    bd_tile_write_packed_row(text, t, "p");
    return;
  }
  for (int v = 0; v < t->vectors; ++v) {
    if (p->is_in_place)
      bd_text_format(text, "b%d_%d = %s;", u, v,
                     bd_tile_load(t, v, bd_phrase_of("panels[p%d, n_%d]", u, v).data).data);
    else
      bd_text_format(text, "b%d_%d = load(panels[%s, p%d, lane_%d], %d);", u, v, panel_of(p), u, v,
                     p->lanes);
  }
}

static bd_phrase type_of_elements(const bd_panels *p) {
  return bd_type_vector(p->words->n * p->lanes, p->words->element->name);
}

static void write_elements_of_b(bd_text *text, const bd_tile *t) {
  if (t->p->words)
    bd_text_format(text, "each k to %d { of_b_$k = bitcast(b0_$k, %s); }", t->vectors,
                   type_of_elements(t->p).data);
}

/* Of row $r in round $u: the elements of words, bytes with 128 added to each; and the products with as many vectors, which
 * each lane adds up. Nothing saturates. */
static void write_products(bd_text *text, const bd_tile *t, int vectors) {
  const bd_panels *p = t->p;
  if (!p->words) {
    bd_text_format(text,
                   "each k to %d { sum$(u + 1)_$(r * v + k) = "
                   "fma(s$u_$r, b$u_$k, sum$u_$(r * v + k)); }",
                   vectors);
    return;
  }
  bd_text_format(text,
                 "of_a_$r = bitcast(s0_$r%s, %s); each k to %d { sum1_$(r * v + k) = "
                 "intrinsic(\"%s.%d\", sum0_$(r * v + k), of_a_$r, of_b_$k) : %s; }",
                 bd_panels_are_shifted(p) ? " ^ signs" : "", type_of_elements(p).data, vectors,
                 p->words->instruction, 32 * p->lanes,
                 bd_type_vector(p->lanes, p->words->sum->name).data);
}

/* Round u of those that are written out, of k = %p. */
static void write_round(bd_text *text, const bd_tile *t, int u) {
  const bool is_in_turn = bd_tile_is_in_turn(t);
  write_row_of_b(text, t, u);
  write_elements_of_b(text, t);
  bd_text_format(text, "let u = %d, v = %d; each r to %lld { place$u_$r = ", u, t->vectors,
                 (long long)t->rows);
  if (u == 0)
    bd_text_format(text, "at_$r + %s;", is_in_turn ? "right_in_turn" : "right");
  else
    bd_text_format(text, "place0_$r + %lld;", (long long)(is_in_turn ? u * t->rows : u));
  bd_text_format(text, "s$u_$r = broadcast(matrix_a[place$u_$r], %d);", t->p->lanes);
  write_products(text, t, t->vectors);
  bd_text_format(text, "}");
}

/* All channels of a group: rows of the panel first, then each row of A with all of them: a vector of channels, of which lane
 * by lane one of the lane's group is taken. Were it known how far apart its places are, LLVM would keep one for each row that
 * moves. */
static void write_group(bd_text *text, const bd_tile *t) {
  const bd_dot_packing *w = t->p->words;
  bd_vectors vectors = bd_tile_access(t, 0);
  if (w) vectors.zero = "no_elements"; /* bytes, which become words */
  bd_text_format(text, "round_at = slice_at + part_at + right / %d * round_a;", t->p->of_group);
  bd_write_veiled(text, "right_at", "round_at");
  for (int c = 0; c < t->p->of_group; ++c) write_row_of_b(text, t, c);
  write_elements_of_b(text, t);
  bd_text_format(text,
                 "let v = %d, l = %d, g = %d; each r to %lld { place_$r = at_$r + right_at;"
                 "v_$r = %s%s%s; each u to g { s$u_$r = shuffle(v_$r, v_$r, l: n / g * g + u);",
                 t->vectors, t->p->lanes, t->p->of_group, (long long)t->rows, w ? "extui(" : "",
                 bd_vectors_load(&vectors, "matrix_a[place_$r]").data, w ? ", i32)" : "");
  write_products(text, t, 1);
  bd_text_format(text, "} }");
}

void bd_tile_write_rounds(bd_text *text, const bd_tile *t, const char *result, const char *from) {
  const bool has_groups = t->p->of_group > 0;
  const int n_rounds = t->is_grouped ? BD_GROUP : has_groups ? t->p->of_group : 1;
  bd_text_format(text,
                 "of_group = %d; %s:%lld = for right = from to to by %s carry sum0_$n = %s {"
                 "p = right + to_k;",
                 n_rounds, result, (long long)(t->rows * t->vectors),
                 n_rounds > 1 ? "of_group" : "c1", from);
  if (bd_tile_is_in_turn(t)) {
    bd_text_format(text, "right_in_turn = right * %lld;", (long long)t->rows);
    if (!t->p->is_in_place && !t->is_packing) write_near(text, t, n_rounds);
  }
  if (t->is_packing || (t->p->is_in_place && bd_blocks_is_streamed(t->p)))
    write_prefetch_in_place(text, t);
  if (t->prefetch_shift >= 0 && t->is_grouped)
    write_prefetch_of_group(text, t);
  else if (t->prefetch_shift >= 0)
    write_prefetch(text, t);
  if (has_groups)
    write_group(text, t);
  else
    for (int u = 0; u < n_rounds; ++u) write_round(text, t, u);
  bd_text_format(text, "yield sum%d_$n; }", n_rounds);
}
