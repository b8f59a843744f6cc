// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/words.c: one row times bytes, whose sums of a group are then multiplied; see
 * parts.h.
 *
 * Bytes are not widened, which costs a shuffle for each vector: a vector of words is loaded, of four bytes each, and
 * byte j of all words masked, as a float times a power of two. Unsigned ones stay where they lie, and bytes 2 and 3
 * come down by half a word first: numbers times 1 or 256. Signed ones go up to where a word has its sign: times 2^24.
 * The row is copied once to fit: elements j of words side by side, and by as much less; but of 2^24 the half alone,
 * so that no row is too small for it, and the sums of all columns are 2^12 times too large. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sdk/compile/kernels/dequantized/parts.h"
#include "sdk/compile/kernels/notation/notation.h"

enum { WORD = 4, UNROLLED = 4, NAME = 64 };

#define LESS "0.000244140625" /* 2^-12 */

/* The product of some columns: what a round has for each, and the names of the sums of its numbers in a group, of
 * these together, and of all groups. */
typedef struct columns {
  const bd_dequantized *r;
  bd_text *text;
  int n;
  bd_byte_sum affine[BD_COLUMNS_OF_WORDS];
  char parts[BD_COLUMNS_OF_WORDS][BD_MOST_TERMS][NAME], totals[BD_COLUMNS_OF_WORDS][NAME],
      sums[BD_COLUMNS_OF_WORDS][NAME];
} columns;

/* Elements of a step: a vector of words. */
static int step_of(const bd_dequantized *r) { return WORD * r->lanes; }

/* Steps that have their groups in common. */
static int steps_of_group(const bd_dequantized *r) {
  const int n = (int)(bd_dequantized_group(r) / step_of(r));
  return n > 1 ? n : 1;
}

void bd_dequantized_read_words(bd_dequantized *r) {
  const int64_t group = bd_dequantized_group(r), step = step_of(r);
  bd_text text = {.data = NULL};
  bd_byte_sum affine;
  int n_signed = 0;
  r->are_words = group * bd_dequantized_inner(r) % step == 0 &&
                 (group % step == 0 || step % group == 0) &&
                 bd_dequantized_write_affine(&text, r, "of", &affine);
  bd_text_deinit(&text);
  if (!r->are_words) return;
  for (int t = 0; t < affine.n; ++t) n_signed += affine.terms[t].is_signed;
  r->are_signed = n_signed > 0;
  r->are_words = n_signed == 0 || n_signed == affine.n;
}

const char *bd_dequantized_scale(const bd_dequantized *r) {
  return r->are_words && r->are_signed ? LESS : "1.0";
}

/* ---- The row --------------------------------------------------------------------------------- */

/* What elements j are multiplied with, for what numbers j are. */
static const char *scale_of(const bd_dequantized *r, int j) {
  if (r->are_signed) return LESS;
  return j % 2 != 0 ? "0.00390625" : "1.0";
}

static void write_copy(bd_text *text, const bd_dequantized *r) {
  bd_text_format(
      text,
      "let l = %d; row_copy = alloc(memref<%lldxf32>); word_sums = alloc(memref<%lldxf32>);"
      "for p = c0 to k_all by step { row_f32 = extf(load(rows[c0, p], l * 4), f32);",
      r->lanes, (long long)r->k, (long long)r->k / WORD);
  for (int j = 0; j < WORD; ++j)
    bd_text_format(
        text,
        "let j = %d; to$j = p + $(j * l); bytes$j = shuffle(row_f32, row_f32, l: 4 * n + j);"
        "store(bytes$j * %s, row_copy[to$j]);",
        j, scale_of(r, j));
  bd_text_format(
      text,
      "sum = (bytes0 + bytes1 + (bytes2 + bytes3)) * %s; store(sum, word_sums[p / of_word]); }",
      r->are_signed ? "4096.0" : "1.0");
}

void bd_dequantized_write_words_begin(bd_text *text, const bd_dequantized *r) {
  bd_dequantized_write_factors_begin(text, r);
  bd_text_format(text, "step = %d; of_word = %d; %s = 1.0 : vector<%dxf32>;", step_of(r), WORD,
                 BD_ONES, bd_dequantized_inner(r));
  for (int i = 0; i < WORD; ++i)
    bd_text_format(text,
                   "let i = %d; bits$i = $(8 * i) : vector<%dxi32>; byte$i = %d : vector<%dxi32>;",
                   i, r->lanes, (int)(UINT32_C(255) << 8 * i), r->lanes);
  write_copy(text, r);
}

void bd_dequantized_write_words_end(bd_text *text) {
  bd_text_format(text, "dealloc(word_sums); dealloc(row_copy);");
}

/* ---- Words of a column ----------------------------------------------------------------------- */

/* Of a source, from group 0 of the round to element `at` of the round. */
static int64_t offset_of(const bd_dequantized *r, const bd_extra *source, int64_t at) {
  const int64_t group = bd_dequantized_group(r);
  return bd_dequantized_inner_offset(r, source, (int)(at / group)) + at % group;
}

/* True if n elements of the round lie as `of_first` of them are said to, again and again. */
static bool do_repeat(const bd_dequantized *r, const bd_extra *source, int64_t at, int64_t n,
                      int64_t of_first, int64_t stride) {
  for (int64_t i = of_first; i < n; ++i) {
    if (offset_of(r, source, at + i) != offset_of(r, source, at + i - of_first) + stride)
      return false;
  }
  return true;
}

/* %NAME: words of n elements of source k of column q from element `at` of the round on: as many as lie together, and
 * what is there twice once. */
static void write_pieces(const columns *c, int q, int k, int64_t at, int n, const char *name) {
  const bd_extra *source = &c->r->loop.extras[k];
  bd_text *text = c->text;
  if (do_repeat(c->r, source, at, n, 1, 1)) {
    bd_text_format(text,
                   "%s_at = in_group + %lld; %s_place = %s_at + of%d_at_%d;"
                   "%s = bitcast(load(extra_%d[%s_place], %d), vector<%dxi32>);",
                   name, (long long)offset_of(c->r, source, at), name, name, q, k, name, k, name, n,
                   n / WORD);
    return;
  }
  const bool is_twice = do_repeat(c->r, source, at, n, n / 2, 0);
  const bd_phrase low = bd_phrase_of("%s_l", name), high = bd_phrase_of("%s_h", name);
  write_pieces(c, q, k, at, n / 2, low.data);
  if (!is_twice) write_pieces(c, q, k, at + n / 2, n / 2, high.data);
  bd_text_format(text, "let l = %d; %s = shuffle(%s, %s, 2 * l: %s);", n / WORD / 2, name, low.data,
                 (is_twice ? low : high).data, is_twice ? "n % l" : "n");
}

/* %w0_…: words of source k; and %w1_…, by half a word down. */
static void write_words(const columns *c, int q, int k, int v) {
  const bd_phrase tag = bd_phrase_of("%d_%d_%d", q, k, v);
  write_pieces(c, q, k, (int64_t)v * step_of(c->r), step_of(c->r),
               bd_phrase_of("w0_%s", tag.data).data);
  if (!c->r->are_signed) bd_text_format(c->text, "w1_%s = w0_%s >> bits2;", tag.data, tag.data);
}

/* %NAME = of the groups' numbers, called so, those of the lanes of step v. */
static void write_lanes(const columns *c, const char *from, int v, const char *name) {
  bd_text_format(c->text, "%s = shuffle(%s, %s, %d: (%d + 4 * n) / %lld);", name, from, from,
                 c->r->lanes, v * step_of(c->r), (long long)bd_dequantized_group(c->r));
}

/* %mJ_…: the masks of byte J of words, where numbers are taken from bytes 0 and 1, or 3. */
static void write_masks(const columns *c, int q, int t, int v) {
  const bd_byte_term *term = &c->affine[q].terms[t];
  const bd_phrase tag = bd_phrase_of("%d_%d_%d", q, t, v),
                  of = bd_dequantized_factor(c->r, term->user, term->mask,
                                             bd_phrase_of("of%d", q).data);
  write_lanes(c, of.data, v, bd_phrase_of("m_%s", tag.data).data);
  bd_text_format(
      c->text,
      "let x = %s; m0_$x = extui(m_$x, i32); each j = 1 to 4 { m$j_$x = m0_$x << bits$j; }",
      tag.data);
}

/* %NAME = numbers j of the words, times what scale_of says. */
static void write_numbers(const columns *c, int q, int t, int v, int j, const char *name) {
  const bd_byte_term *term = &c->affine[q].terms[t];
  const bool are_signed = c->r->are_signed;
  const int at = are_signed ? WORD - 1 : j % 2;
  bd_text_format(c->text, "%s = sitofp(w%d_%d_%d_%d%s & %s, f32);", name, are_signed ? 0 : j / 2, q,
                 term->source, v, are_signed ? bd_phrase_of(" << bits%d", WORD - 1 - j).data : "",
                 bd_phrase_of(term->user.ptr ? "m%d_%d_%d_%d" : "byte%d", at, q, t, v).data);
}

/* ---- A step ---------------------------------------------------------------------------------- */

/* What is called `sum` = a · b + what it was; "": nothing. */
static void write_fused(const columns *c, const char *a, const char *b, char sum[NAME],
                        const char *name) {
  if (sum[0] == '\0')
    bd_text_format(c->text, "%s = %s * %s;", name, a, b);
  else
    bd_text_format(c->text, "%s = fma(%s, %s, %s);", name, a, b, sum);
  snprintf(sum, NAME, "%.60s", name);
}

/* %NAME_lanes = a number of each group, those of the lanes of step v; what is called `sum` += it · of, as %NAME. */
static void write_scaled(const columns *c, const char *of_group, int v, const char *of,
                         char sum[NAME], const char *name) {
  const bd_phrase lanes = bd_phrase_of("%.50s_lanes", name);
  write_lanes(c, of_group, v, lanes.data);
  write_fused(c, lanes.data, of, sum, name);
}

/* Where a group's sums go: to those of all groups, where these have no scale. */
static char *total_of(columns *c, int q) {
  return c->affine[q].scale[0] != '\0' ? c->totals[q] : c->sums[q];
}

static bool is_one(const columns *c, int q, int t) {
  return !strcmp(c->affine[q].coefficients[t], BD_ONES);
}

static void write_term(columns *c, int q, int t, int v) {
  char *sum = is_one(c, q, t) ? total_of(c, q) : c->parts[q][t];
  if (c->affine[q].terms[t].user.ptr) write_masks(c, q, t, v);
  for (int j = 0; j < WORD; ++j) {
    const bd_phrase numbers = bd_phrase_of("n_%d_%d_%d_%d", q, t, v, j);
    write_numbers(c, q, t, v, j, numbers.data);
    write_fused(c, bd_phrase_of("row%d_%d", v, j).data, numbers.data, sum,
                bd_phrase_of("part_%d_%d_%d_%d", q, t, v, j).data);
  }
}

/* %rowV_J: elements j of the row for step v; %row_wordsV: what they sum up to, word by word. */
static void write_row(const columns *c, int v) {
  bd_text_format(c->text,
                 "let v = %d, l = %d; each j to 4 { at_x$v_$j = in_row + $((v * 4 + j) * l);"
                 "row$v_$j = load(row_copy[at_x$v_$j], l); }"
                 "at_x$v = in_words + $(v * l); row_words$v = load(word_sums[at_x$v], l);",
                 v, c->r->lanes);
}

/* The parts and totals of all columns += step v of the round. */
static void write_step(columns *c, int v) {
  write_row(c, v);
  const bd_phrase row = bd_phrase_of("row_words%d", v);
  for (int q = 0; q < c->n; ++q) {
    uint64_t loaded = 0;
    if (c->affine[q].constant[0] != '\0')
      write_scaled(c, c->affine[q].constant, v, row.data, total_of(c, q),
                   bd_phrase_of("constant_%d_%d", q, v).data);
    for (int t = 0; t < c->affine[q].n; ++t) {
      const int source = c->affine[q].terms[t].source;
      if ((loaded >> source & 1) == 0) write_words(c, q, source, v);
      loaded |= (uint64_t)1 << source;
      write_term(c, q, t, v);
    }
  }
}

/* The totals of all columns += the parts of the groups of step v · their coefficients, and the sums of all groups +=
 * the totals · scales; there are neither then. */
static void write_group_end(columns *c, int v) {
  for (int q = 0; q < c->n; ++q) {
    for (int t = 0; t < c->affine[q].n; ++t) {
      if (is_one(c, q, t)) continue;
      write_scaled(c, c->affine[q].coefficients[t], v, c->parts[q][t], total_of(c, q),
                   bd_phrase_of("total_%d_%d_%d", q, t, v).data);
      c->parts[q][t][0] = '\0';
    }
    if (c->affine[q].scale[0] == '\0') continue;
    write_scaled(c, c->affine[q].scale, v, c->totals[q], c->sums[q],
                 bd_phrase_of("sum_%d_%d", q, v).data);
    c->totals[q][0] = '\0';
  }
}

/* ---- What comes next ------------------------------------------------------------------------- */

/* From a column of a source to the next; 0 where that is not told. */
static int64_t column_step(const bd_dequantized *r, const bd_extra *source) {
  int64_t rounds = bd_dequantized_group(r), i = r->rank - 2;
  while (i > 0 && rounds < r->k) rounds *= r->sizes[i--];
  return rounds == r->k ? source->strides[i] : 0;
}

/* True if another term's source, of those before, lies in the same buffer. */
static bool is_fetched(const bd_dequantized *r, const bd_byte_sum *affine, int t) {
  const MlirValue buffer = r->loop.extras[affine->terms[t].source].buffer;
  for (int i = 0; i < t; ++i) {
    if (mlirValueEqual(r->loop.extras[affine->terms[i].source].buffer, buffer)) return true;
  }
  return false;
}

/* Columns are short: where the columns after these have what these have in n steps is fetched, line by line. */
static void write_ahead_of(const columns *c, int q, int t, int n) {
  const int k = c->affine[q].terms[t].source;
  const bd_extra *source = &c->r->loop.extras[k];
  const int64_t elements = (int64_t)n * step_of(c->r), most = 2 * elements,
                step = offset_of(c->r, source, elements), line = c->r->machine->line;
  bd_text_format(c->text, "let q = %d, t = %d, k = %d; here$q_$t = in_group + of$q_at_$k;", q, t,
                 k);
  for (int64_t at = 0; at < step && at < most; at += line)
    bd_text_format(
        c->text,
        "let i = %lld; there$q_$t_$i = here$q_$t + %lld; prefetch(extra_$k[there$q_$t_$i], 2);",
        (long long)at, (long long)(c->n * column_step(c->r, source) + at));
}

static void write_ahead(const columns *c, int n) {
  for (int q = 0; q < c->n; ++q) {
    for (int t = 0; t < c->affine[q].n; ++t) {
      if (!is_fetched(c->r, &c->affine[q], t)) write_ahead_of(c, q, t, n);
    }
  }
}

/* ---- Columns --------------------------------------------------------------------------------- */

static void write_steps(columns *c, int n) {
  const int of_group = steps_of_group(c->r) < n ? steps_of_group(c->r) : n;
  bd_text_format(c->text, "in_row = first + in_group; in_words = in_row / of_word;");
  write_ahead(c, n);
  for (int v = 0; v < n; ++v) {
    write_step(c, v);
    if ((v + 1) % of_group == 0) write_group_end(c, v);
  }
}

/* "carry NAME_0 = …, … {": the sums, of what they are. */
static void write_carried(columns *c, const char *name) {
  for (int q = 0; q < c->n; ++q) {
    bd_text_format(c->text, "%s%s_%d = %s", q > 0 ? ", " : " carry ", name, q, c->sums[q]);
    snprintf(c->sums[q], NAME, "%s_%d", name, q);
  }
  bd_text_format(c->text, " {");
}

/* The end of the loop, whose results have that name. */
static void write_yield(columns *c, const char *name) {
  for (int q = 0; q < c->n; ++q) {
    bd_text_format(c->text, "%s%s", q > 0 ? ", " : "yield ", c->sums[q]);
    snprintf(c->sums[q], NAME, "%s#%d", name, q);
  }
  bd_text_format(c->text, "; }");
}

/* The sums += a round, whose groups are long or many. */
static void write_round(columns *c) {
  const int64_t round = bd_dequantized_group(c->r) * bd_dequantized_inner(c->r);
  int n = (int)(round / step_of(c->r));
  if (bd_dequantized_inner(c->r) > 1 || n <= UNROLLED) {
    bd_text_format(c->text, "in_group = c0;");
    write_steps(c, n);
    return;
  }
  for (int most = n; n > UNROLLED || most % n != 0;) n = n > UNROLLED ? UNROLLED : n - 1;
  bd_text_format(c->text, "steps = %d; of_group:%d = for in_group = c0 to group by steps",
                 n * step_of(c->r), c->n);
  write_carried(c, "before");
  write_steps(c, n);
  write_yield(c, "of_group");
}

void bd_dequantized_write_words(bd_text *text, const bd_dequantized *r, int n) {
  columns c = {.r = r, .text = text, .n = n};
  for (int q = 0; q < n; ++q) snprintf(c.sums[q], NAME, "nothing");
  bd_text_format(text, "of_round%d = %d; sums:%d = for g = c0 to n_groups by of_round%d", n,
                 bd_dequantized_inner(r), n, n);
  write_carried(&c, "sum");
  bd_text_format(text, "first = g * group;");
  for (int q = 0; q < n; ++q) {
    const bd_phrase tag = bd_phrase_of("of%d", q);
    bd_text_format(text, "%s_round = rounds%d + g;", tag.data, q);
    bd_dequantized_write_places(text, r, tag.data, bd_dequantized_inner(r));
    bd_dequantized_write_factors(text, r, tag.data);
    bd_dequantized_write_affine(text, r, tag.data, &c.affine[q]);
  }
  write_round(&c);
  write_yield(&c, "sums");
}
