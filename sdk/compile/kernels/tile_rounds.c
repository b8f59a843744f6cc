// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile_rounds.c: the innermost loop of a tile, over k; see tile.h. */
#include <stdio.h>

#include "sdk/compile/kernels/arguments.h"
#include "sdk/compile/kernels/blocks.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/tile_parts.h"

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

/* The line at `place`, "BUFFER[AT]", of a buffer of that type; locality: 2: into the second cache, 3: the first. */
static void write_fetch(bd_text *text, bd_phrase place, int locality, bd_phrase type) {
  bd_text_format(text, "    memref.prefetch %%%s, read, locality<%d>, data : %s\n", place.data,
                 locality, type.data);
}

/* True if vector v of a row begins a line: one of each is fetched. */
static bool begins_line(const bd_tile *t, int v) {
  return v * t->p->lanes % elements_of_line(t) == 0;
}

/* One line of the next panel in each round: the tiles of this one go through it together. */
static void write_prefetch(bd_text *text, const bd_tile *t) {
  const int line = elements_of_line(t), width = bd_panels_width(t->p);
  bd_ir_write(text, "ahead_row = (p >> ahead_shift) + ahead_first; ahead_column = p %% %d * %d;",
              width > line ? width / line : 1, line);
  write_fetch(text, bd_phrase_of("panels[%%ahead_j, %%ahead_row, %%ahead_column]"), 2,
              bd_tile_type_b(t->p));
}

/* The share of a group in the rows of the next panel, line by line. */
static void write_prefetch_of_group(bd_text *text, const bd_tile *t) {
  bd_ir_write(text, "ahead_width = %d; ahead_0 = p * ahead_width >> ahead_shift;",
              bd_panels_width(t->p));
  for (int i = 0; i < fetches_of(t); ++i) {
    if (i > 0) bd_ir_write(text, "ahead_%d = ahead_0 + %d;", i, i * elements_of_line(t));
    bd_ir_write(text,
                "ahead_row_%d = ahead_%d / ahead_width + ahead_first;"
                "ahead_column_%d = ahead_%d %% ahead_width;",
                i, i, i, i);
    write_fetch(text, bd_phrase_of("panels[%%ahead_j, %%ahead_row_%d, %%ahead_column_%d]", i, i), 2,
                bd_tile_type_b(t->p));
  }
}

/* Of a B in place that does not stay in cache, a row that comes soon: it lies on another page than this
 * one, and no processor takes that for a stream. */
enum { ROWS_AHEAD = 16 };
static void write_prefetch_in_place(bd_text *text, const bd_tile *t) {
  bd_ir_write(text, "ahead_row = p + %d;", ROWS_AHEAD);
  for (int v = 0; v < t->vectors; ++v) {
    if (begins_line(t, v))
      write_fetch(text,
                  bd_phrase_of("%s[%%ahead_row, %%n_%d]", t->is_packing ? "matrix_b" : "panels", v),
                  3, bd_type_rows(t->p->element->name));
  }
}

/* Rows of the panel that come soon, into the first cache. */
enum { ROWS_NEAR = 12 };
static void write_near(bd_text *text, const bd_tile *t, int n_rounds) {
  for (int u = 0; u < n_rounds; ++u) {
    bd_ir_write(text, "near_%d = p + %d;", u, ROWS_NEAR + u);
    for (int v = 0; v < t->vectors; ++v) {
      if (begins_line(t, v))
        write_fetch(text, bd_phrase_of("panels[%%%s, %%near_%d, %%lane_%d]", panel_of(t->p), u, v),
                    3, bd_tile_type_b(t->p));
    }
  }
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* "NAME : vector of words to vector of their elements". */
static void write_elements(bd_text *text, const bd_tile *t, const char *name, const char *words) {
  const bd_panels *p = t->p;
  bd_text_format(text, "    %%%s = vector.bitcast %%%s : vector<%dx%s> to vector<%dx%s>\n", name,
                 words, p->lanes, p->element->name, p->words->n * p->lanes,
                 p->words->element->name);
}

/* %u_R = the elements of %s_R; bytes with 128 added to each. */
static void write_elements_of_a(bd_text *text, const bd_tile *t, int64_t r) {
  if (bd_panels_are_shifted(t->p))
    bd_text_format(text, "    %%w_%lld = arith.xori %%s_%lld, %%signs : vector<%dxi32>\n",
                   (long long)r, (long long)r, t->p->lanes);
  write_elements(
      text, t, bd_phrase_of("u_%lld", (long long)r).data,
      bd_phrase_of("%c_%lld", bd_panels_are_shifted(t->p) ? 'w' : 's', (long long)r).data);
}

/* %of_b_V = the elements of %b_V. */
static void write_elements_of_b(bd_text *text, const bd_tile *t) {
  for (int v = 0; v < t->vectors; ++v)
    write_elements(text, t, bd_phrase_of("of_b_%d", v).data, bd_phrase_of("b_%d", v).data);
}

/* Each lane adds up the products of a word's elements; nothing saturates. */
static void write_dots(bd_text *text, const bd_tile *t, int64_t r, int v) {
  const bd_dot_packing *w = t->p->words;
  const int lanes = t->p->lanes;
  const long long i = (long long)bd_tile_sum(t, r, v);
  const bd_phrase sums = bd_type_vector(lanes, w->sum->name),
                  elements = bd_type_vector(w->n * lanes, w->element->name);
  bd_text_format(text,
                 "    %%next_%lld = llvm.call_intrinsic \"%s.%d\"(%%acc_%lld, %%u_%lld, %%of_b_%d) "
                 ": (%s, %s, %s) -> %s\n",
                 i, w->instruction, 32 * lanes, i, (long long)r, v, sums.data, elements.data,
                 elements.data, sums.data);
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* What is added up in a round of f32 or f64: its number is after the names, but for the first. */
typedef struct round_names {
  char number[12], from[16], to[16]; /* Room for every int. */
} round_names;

static round_names name_round(int u) {
  round_names n = {"", "acc", "next"};
  if (u == 0) return n;
  snprintf(n.number, sizeof(n.number), "%d", u);
  snprintf(n.to, sizeof(n.to), "next%d", u);
  snprintf(n.from, sizeof(n.from), u > 1 ? "next%d" : "next", u - 1);
  return n;
}

/* %b_V: the row of the panel. */
static void write_row_of_b(bd_text *text, const bd_tile *t, const char *number) {
  const bd_panels *p = t->p;
  if (t->is_packing) {
    bd_tile_write_packed_row(text, t, "p", bd_tile_type_b(p).data);
    return;
  }
  for (int v = 0; v < t->vectors; ++v) {
    if (p->is_in_place)
      bd_tile_write_load(text, t, v, bd_phrase_of("b%s_%d", number, v).data,
                         bd_phrase_of("panels[%%p%s, %%n_%d]", number, v).data,
                         bd_tile_type_b(p).data);
    else
      bd_text_format(text, "    %%b%s_%d = vector.load %%panels[%%%s, %%p%s, %%lane_%d] : %s, %s\n",
                     number, v, panel_of(p), number, v, bd_tile_type_b(p).data,
                     bd_tile_vector(t).data);
  }
}

/* %s_R: the element of row R of A, in all lanes. */
static void write_element_of_a(bd_text *text, const bd_tile *t, int64_t row, const char *number) {
  const long long r = (long long)row;
  const bool is_in_turn = bd_tile_is_in_turn(t);
  if (number[0] == '\0')
    bd_ir_write(text, "place_%lld = at_%lld + %s;", r, r, is_in_turn ? "right_in_turn" : "right");
  else
    bd_ir_write(text, "place%s_%lld = place_%lld + %s%s;", number, r, r,
                is_in_turn ? "in_turn" : "round", number);
  bd_text_format(text,
                 "    %%a%s_%lld = memref.load %%matrix_a[%%place%s_%lld] : %s\n    %%s%s_%lld = "
                 "vector.broadcast %%a%s_%lld : %s to %s\n",
                 number, r, number, r, bd_type_whole(t->p->element->name).data, number, r, number,
                 r, t->p->element->name, bd_tile_vector(t).data);
}

static void write_fma(bd_text *text, const bd_tile *t, const round_names *n, int64_t r, int v) {
  const long long i = (long long)bd_tile_sum(t, r, v);
  bd_text_format(text, "    %%%s_%lld = vector.fma %%s%s_%lld, %%b%s_%d, %%%s_%lld : %s\n", n->to,
                 i, n->number, (long long)r, n->number, v, n->from, i, bd_tile_vector(t).data);
}

/* The sum of row r and vector v, with what the row has of this round, of which words are taken apart once. */
static void write_product(bd_text *text, const bd_tile *t, const round_names *n, int64_t r, int v) {
  if (t->p->words && v == 0) write_elements_of_a(text, t, r);
  if (t->p->words)
    write_dots(text, t, r, v);
  else
    write_fma(text, t, n, r, v);
}

/* %pU, of round u. */
static void write_number_of_round(bd_text *text, int u) {
  if (u > 0) bd_ir_write(text, "round%d = %d; p%d = p + round%d;", u, u, u, u);
}

/* Round u of those that are written out, of k = %p. */
static void write_round(bd_text *text, const bd_tile *t, int u) {
  const bd_panels *p = t->p;
  const round_names n = name_round(u);
  write_number_of_round(text, u);
  if (bd_tile_is_in_turn(t) && u > 0)
    bd_ir_write(text, "in_turn%d = %lld;", u, (long long)(u * t->rows));
  write_row_of_b(text, t, n.number);
  if (p->words) write_elements_of_b(text, t);
  for (int64_t r = 0; r < t->rows; ++r) {
    write_element_of_a(text, t, r, n.number);
    for (int v = 0; v < t->vectors; ++v) write_product(text, t, &n, r, v);
  }
}

/* %v_R: all channels of row R at %right_at; of bytes, as words. */
static void write_vector_of_a(bd_text *text, const bd_tile *t, int64_t row) {
  const bd_dot_packing *w = t->p->words;
  const long long r = (long long)row;
  bd_vectors vectors = bd_tile_access(t, 0);
  if (w) vectors.element = w->element->name;
  if (w) vectors.zero = "no_elements";
  bd_ir_write(text, "place_%lld = at_%lld + right_at;", r, r);
  bd_vectors_write_load(text, &vectors, bd_phrase_of(w ? "bytes_%lld" : "v_%lld", r).data,
                        bd_phrase_of("matrix_a[%%place_%lld]", r).data,
                        bd_type_whole(vectors.element).data);
  if (w)
    bd_text_format(text, "    %%v_%lld = arith.extui %%bytes_%lld : %s to %s\n", r, r,
                   bd_vectors_type(&vectors).data, bd_tile_vector(t).data);
}

/* %s_R = lane by lane, channel `c` of the lane's group, of the channels of row R. */
static void write_lanes(bd_text *text, const bd_tile *t, int64_t row, int c, const char *number) {
  const int of_group = t->p->of_group;
  const long long r = (long long)row;
  bd_text_format(text, "    %%s%s_%lld = vector.shuffle %%v_%lld, %%v_%lld [", number, r, r, r);
  for (int lane = 0; lane < t->p->lanes; ++lane)
    bd_text_format(text, "%s%d", lane > 0 ? ", " : "", lane / of_group * of_group + c);
  bd_text_format(text, "] : %s, %s\n", bd_tile_vector(t).data, bd_tile_vector(t).data);
}

/* All channels of a group: rows of the panel first, then each row of A with all of them. Were it known how far apart its
 * places are, LLVM would keep one for each row that moves. */
static void write_group(bd_text *text, const bd_tile *t) {
  const int n = t->p->of_group;
  bd_ir_write(text, "round_at = slice_at + part_at + right / %d * round_a;", n);
  bd_write_veiled(text, "right_at", "round_at");
  for (int c = 0; c < n; ++c) {
    const round_names names = name_round(c);
    write_number_of_round(text, c);
    write_row_of_b(text, t, names.number);
  }
  if (t->p->words) write_elements_of_b(text, t);
  for (int64_t r = 0; r < t->rows; ++r) {
    write_vector_of_a(text, t, r);
    for (int c = 0; c < n; ++c) {
      const round_names names = name_round(c);
      write_lanes(text, t, r, c, names.number);
      write_product(text, t, &names, r, 0);
    }
  }
}

void bd_tile_write_rounds(bd_text *text, const bd_tile *t, const char *result, const char *from) {
  const bool has_groups = t->p->of_group > 0;
  const int n_rounds = t->is_grouped ? BD_GROUP : has_groups ? t->p->of_group : 1;
  if (n_rounds > 1) bd_ir_write(text, "of_group = %d;", n_rounds);
  bd_text_format(text, "  %%%s:%lld = scf.for %%right = %%from to %%to step %%%s ", result,
                 (long long)(t->rows * t->vectors), n_rounds > 1 ? "of_group" : "c1");
  bd_tile_write_carried(text, t, "%acc_", from);
  bd_ir_write(text, "p = right + to_k;");
  if (bd_tile_is_in_turn(t)) {
    bd_ir_write(text, "right_in_turn = right * %lld;", (long long)t->rows);
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
  bd_tile_write_yield(text, t, bd_phrase_of("%%%s_", name_round(n_rounds - 1).to).data);
}
