// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/row.c: the product of one row with an operand that is made where it
 * is needed; see dequantized.h. */
#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/dequantized/parts.h"
#include "sdk/compile/kernels/notation/notation.h"

/* Elements of the row that are multiplied in one step. */
static int elements_of_step(const bd_dequantized *r) {
  return bd_dequantized_has_table(r) ? 2 * r->lanes : r->lanes;
}

/* Steps of a group that are written out. */
enum { UNROLLED = 4 };

/* So many streams from memory, and so many sums that do not wait for one another. Each source of
 * each column needs a register that tells where it is read, and one for its number of a group: a
 * table takes in all of these. */
static int columns_at_once(const bd_dequantized *r) {
  return r->loop.n > 1 && !bd_dequantized_has_table(r) ? 4 : 8;
}

/* True if all of a group is written out, without a loop. */
static bool is_written_out(const bd_dequantized *r) {
  return bd_dequantized_group(r) / elements_of_step(r) <= UNROLLED;
}

/* %sumU+1_Q = %sumU_Q + vector u of the row · the same of column Q. */
static void write_step(bd_text *text, const bd_dequantized *r, int u, int n) {
  const bd_phrase in_group = bd_phrase_of("in_group%d", u);
  bd_text_format(text,
                 "let u = %d; skip$u = $(u * %d); in_group$u = in_group + skip$u;"
                 "at_a$u = first + in_group$u; row$u_f32 = extf(load(rows[c0, at_a$u], %d), f32);",
                 u, r->lanes, r->lanes);
  for (int q = 0; q < n; ++q) {
    const bd_phrase to = bd_phrase_of("b%d_%d", u, q);
    bd_dequantized_write_vector(text, r, bd_phrase_of("of%d", q).data, to.data, in_group.data);
    bd_text_format(
        text, "let u = %d, q = %d; sum$(u + 1)_$q = fma(row$u_f32, b$u_$q_f32, sum$u_$q);", u, q);
  }
}

/* How many bits a number of source K has in memory; 0 where its elements are no whole bytes. */
static int64_t bits_of(const bd_dequantized *r, int k) {
  const MlirType type = bd_dequantized_element(&r->loop.extras[k]);
  const int64_t bits = mlirTypeIsAInteger(type) ? (int64_t)mlirIntegerTypeGetWidth(type)
                                                : (int64_t)mlirFloatTypeGetWidth(type);
  return bits % 8 == 0 ? bits / bd_dequantized_numbers(r, k) : 0;
}

/* Columns are short: what lies after those at hand is fetched while they are gone through, as the
 * one stream that it is, where a source is read from front to back. `done`: elements of the sources
 * that are read, or numbers of groups, from the beginning of the columns, of one of them; n_done
 * more of each column are in hand. */
static void write_ahead(bd_text *text, const bd_dequantized *r, bool are_spread, const char *done,
                        int64_t n_done, int n) {
  const int64_t round = are_spread ? 1 : bd_dequantized_group(r);
  for (int k = 0; k < r->loop.n; ++k) {
    const bd_extra *source = &r->loop.extras[k];
    const int64_t bits = bits_of(r, k);
    if (source->is_spread != are_spread || bits == 0 || bd_dequantized_step(r, source) != round)
      continue;
    const int64_t line = r->machine->line * 8 / bits;
    bd_text_format(text,
                   "let k = %d; all_$k = %d; of_columns_$k = %s * all_$k;"
                   "here_$k = rounds0 * %lld + of_columns_$k; there_$k = here_$k + %lld;"
                   "of_element_$k = %d;",
                   k, n, done, (long long)round,
                   (long long)(source->offset + n * (r->k / bd_dequantized_group(r)) * round),
                   bd_dequantized_numbers(r, k));
    for (int64_t at = 0; at < n * n_done; at += line)
      bd_text_format(
          text,
          "let i = %lld; line_$k_$i = $i; at_line_$k_$i = (there_$k + line_$k_$i) / of_element_$k;"
          "prefetch(extra_$k[at_line_$k_$i], 2);",
          (long long)at);
  }
}

static void write_table_step(bd_text *text, const bd_dequantized *r, int u, int n) {
  bd_dequantized_write_table_row(text, u);
  for (int q = 0; q < n; ++q) bd_dequantized_write_table_step(text, r, u, q);
}

/* %sumN_Q: the sums of columns %j to %j + n over N steps from %in_group on, from %sum0_Q; returns
 * N. */
static int write_vectors(bd_text *text, const bd_dequantized *r, int n) {
  const int64_t of_step = elements_of_step(r), steps = bd_dequantized_group(r) / of_step;
  int unrolled = UNROLLED;
  while (steps % unrolled != 0) --unrolled;
  if (is_written_out(r)) unrolled = (int)steps;
  bd_text_format(text, "done = first + in_group;");
  write_ahead(text, r, 0, "done", unrolled * of_step, n);
  for (int u = 0; u < unrolled; ++u)
    (bd_dequantized_has_table(r) ? write_table_step : write_step)(text, r, u, n);
  return unrolled;
}

/* The sums over a group: a round of the loop over all of them. */
static void write_group(bd_text *text, const bd_dequantized *r, int n) {
  if (is_written_out(r)) {
    bd_text_format(text, "in_group = c0;");
    bd_text_format(text, "yield sum%d_$n;", write_vectors(text, r, n));
    return;
  }
  bd_text body = {.data = NULL};
  const int unrolled = write_vectors(&body, r, n);
  bd_text_format(
      text, "step = %d; of_group:%d = for in_group = c0 to group by step carry sum0_$n = sum_$n {",
      unrolled * elements_of_step(r), n);
  if (body.data) bd_text_append(text, body.data, body.size);
  if (body.code) text->code = body.code;
  bd_text_deinit(&body);
  bd_text_format(text, "yield sum%d_$n; } yield of_group#$n;", unrolled);
}

/* Element %column_Q of C += the sum of vector Q. */
static void write_end(bd_text *text, MlirType c, int n) {
  bd_text_format(text,
                 "each q to %d { all$q = sum(sums#$q) * of_sums; at_c$q = column$q - start;"
                 "new$q = extf(part2[c0, at_c$q], f32) + all$q;"
                 "store(truncf(new$q, %s), part2[c0, at_c$q]); }",
                 n, bd_phrase_type(c).data);
}

/* %sums: row · each of n columns, by lanes. */
static void write_sums_of_columns(bd_text *text, const bd_dequantized *r, int n) {
  bd_text_format(text,
                 "sums:%d = for g = c0 to n_groups carry %s_$n = nothing { first = g * group;", n,
                 is_written_out(r) ? "sum0" : "sum");
  for (int q = 0; q < n; ++q) {
    const bd_phrase tag = bd_phrase_of("of%d", q);
    bd_text_format(text, "%s_round = rounds%d + g;", tag.data, q);
    bd_dequantized_write_places(text, r, tag.data, 1);
    if (bd_dequantized_has_table(r)) bd_dequantized_write_tables(text, r, q);
  }
  write_ahead(text, r, 1, "g", 1, n);
  write_group(text, r, n);
  bd_text_format(text, "}");
}

/* n columns at a time, from %FROM to before %TO. */
static void write_columns(bd_text *text, const bd_dequantized *r, MlirType c, int n,
                          const char *from, const char *to) {
  bd_text_format(text,
                 "at_once%d = %d;"
                 "for j = %s to %s by at_once%d {",
                 n, n, from, to, n);
  for (int q = 0; q < n; ++q)
    bd_text_format(text, "column%d = j + %d; rounds%d = column%d * n_groups;", q, q, q, q);
  if (r->are_words)
    bd_dequantized_write_words(text, r, n);
  else
    write_sums_of_columns(text, r, n);
  write_end(text, c, n);
  bd_text_format(text, "  }\n");
}

void bd_dequantized_write_row(bd_text *text, const bd_dequantized *r, MlirType a, MlirType c) {
  const int n = r->are_words ? BD_COLUMNS_OF_WORDS : columns_at_once(r);
  bd_text_format(text,
                 "rows = cast(matrix0, %s); nothing = 0.0 : vector<%dxf32>; of_sums = %s : f32;"
                 "whole = end - columns %% %d;",
                 bd_type_rows(bd_phrase_type(a).data).data, r->lanes, bd_dequantized_scale(r), n);
  if (r->are_words) bd_dequantized_write_words_begin(text, r);
  if (bd_dequantized_has_table(r)) bd_dequantized_write_table_begin(text, r);
  write_columns(text, r, c, n, "start", "whole");
  if (r->n % n != 0) write_columns(text, r, c, 1, "whole", "end");
  if (r->are_words) bd_dequantized_write_words_end(text);
}
