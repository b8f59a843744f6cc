// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized_row.c: the product of one row with an operand that is made where it
 * is needed; see dequantized.h. */
#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/dequantized_parts.h"
#include "sdk/compile/kernels/ir_text.h"

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

static bd_phrase type_of(const bd_dequantized *r) {
  return bd_phrase_of("vector<%dxf32>", r->lanes);
}

/* %sumU+1_Q = %sumU_Q + vector u of the row · the same of column Q. */
static void write_step(bd_text *text, const bd_dequantized *r, MlirType a, int u, int n) {
  bd_ir_write(text,
              "skip%d = %d; in_group%d = in_group + skip%d; at_a%d = first + in_group%d;"
              "  %%row%d = vector.load %%rows[%%c0, %%at_a%d] : %s, %s\n",
              u, u * r->lanes, u, u, u, u, u, u, bd_type_rows(bd_phrase_type(a).data).data,
              bd_dequantized_vector(r->lanes, a).data);
  bd_dequantized_write_widening(text, r->lanes, bd_phrase_of("%%row%d", u).data,
                                bd_phrase_of("row%d", u).data, a);
  const bd_phrase in_group = bd_phrase_of("in_group%d", u);
  for (int q = 0; q < n; ++q) {
    const bd_phrase to = bd_phrase_of("b%d_%d", u, q);
    bd_dequantized_write_vector(text, r, bd_phrase_of("of%d", q).data, to.data, in_group.data);
    bd_text_format(text,
                   "  %%sum%d_%d = vector.fma %%row%d_f32, %%%s_f32, %%sum%d_%d : vector<%dxf32>\n",
                   u + 1, q, u, to.data, u, q, r->lanes);
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
    bd_ir_write(text,
                "all_%d = %d; of_columns_%d = %s * all_%d;"
                "here_%d = rounds0 * %lld + of_columns_%d; there_%d = here_%d + %lld;"
                "of_element_%d = %d;",
                k, n, k, done, k, k, (long long)round, k, k, k,
                (long long)(source->offset + n * (r->k / bd_dequantized_group(r)) * round), k,
                bd_dequantized_numbers(r, k));
    for (int64_t at = 0; at < n * n_done; at += line) {
      const bd_phrase name = bd_phrase_of("%d_%lld", k, (long long)at);
      bd_ir_write(text,
                  "line_%s = %lld; at_line_%s = (there_%d + line_%s) / of_element_%d;"
                  "  memref.prefetch %%extra_%d[%%at_line_%s], read, locality<2>, data : %s\n",
                  name.data, (long long)at, name.data, k, name.data, k, k, name.data,
                  bd_dequantized_flat(source).data);
    }
  }
}

static void write_table_step(bd_text *text, const bd_dequantized *r, MlirType a, int u, int n) {
  bd_dequantized_write_table_row(text, r, a, u);
  for (int q = 0; q < n; ++q) bd_dequantized_write_table_step(text, r, u, q);
}

/* %sumN_Q: the sums of columns %j to %j + n over N steps from %in_group on, from %sum0_Q; returns
 * N. */
static int write_vectors(bd_text *text, const bd_dequantized *r, MlirType a, int n) {
  const int64_t of_step = elements_of_step(r), steps = bd_dequantized_group(r) / of_step;
  int unrolled = UNROLLED;
  while (steps % unrolled != 0) --unrolled;
  if (is_written_out(r)) unrolled = (int)steps;
  bd_ir_write(text, "done = first + in_group;");
  write_ahead(text, r, 0, "done", unrolled * of_step, n);
  for (int u = 0; u < unrolled; ++u)
    (bd_dequantized_has_table(r) ? write_table_step : write_step)(text, r, a, u, n);
  return unrolled;
}

/* The sums over a group: a round of the loop over all of them. */
static void write_group(bd_text *text, const bd_dequantized *r, MlirType a, int n) {
  const bd_phrase type = type_of(r);
  if (is_written_out(r)) {
    bd_ir_write(text, "in_group = c0;");
    const int steps = write_vectors(text, r, a, n);
    bd_ir_write_yield(text, bd_phrase_of("%%sum%d_", steps).data, n, type.data);
    return;
  }
  bd_text body = {.data = NULL};
  const int unrolled = write_vectors(&body, r, a, n);
  bd_text_index(text, "step", unrolled * elements_of_step(r));
  bd_text_format(text, "  %%of_group:%d = scf.for %%in_group = %%c0 to %%group step %%step ", n);
  bd_ir_write_carried(text, "%sum0_", "%sum_", n, type.data);
  if (body.data) bd_text_append(text, body.data, body.size);
  if (body.code) text->code = body.code;
  bd_text_deinit(&body);
  bd_ir_write_yield(text, bd_phrase_of("%%sum%d_", unrolled).data, n, type.data);
  bd_text_format(text, "  }\n");
  bd_ir_write_yield(text, "%of_group#", n, type.data);
}

/* Element %column_Q of C += the sum of vector Q. */
static void write_end(bd_text *text, const bd_dequantized *r, MlirType c, int n) {
  const bd_phrase rows = bd_type_rows(bd_phrase_type(c).data);
  for (int q = 0; q < n; ++q) {
    bd_text_format(text,
                   "  %%lanes%d = vector.reduction <add>, %%sums#%d fastmath<reassoc> : "
                   "vector<%dxf32> into f32\n"
                   "  %%all%d = arith.mulf %%lanes%d, %%of_sums : f32\n"
                   "  %%at_c%d = arith.subi %%column%d, %%start : index\n"
                   "  %%old%d = memref.load %%part2[%%c0, %%at_c%d] : %s\n",
                   q, q, r->lanes, q, q, q, q, q, q, rows.data);
    bd_dequantized_write_widening(text, 0, bd_phrase_of("%%old%d", q).data,
                                  bd_phrase_of("old%d", q).data, c);
    bd_text_format(
        text,
        "  %%new%d_f32 = arith.addf %%old%d_f32, %%all%d : f32\n  %%new%d = %s "
        "%%new%d_f32 : f32 to %s\n  memref.store %%new%d, %%part2[%%c0, %%at_c%d] : %s\n",
        q, q, q, q, mlirTypeIsAF32(c) ? "arith.bitcast" : "arith.truncf", q, bd_phrase_type(c).data,
        q, q, rows.data);
  }
}

/* %sums: row · each of n columns, by lanes. */
static void write_sums_of_columns(bd_text *text, const bd_dequantized *r, MlirType a, int n) {
  bd_text_format(text, "  %%sums:%d = scf.for %%g = %%c0 to %%n_groups step %%c1 ", n);
  bd_ir_write_carried(text, is_written_out(r) ? "%sum0_" : "%sum_", "%nothing", n, type_of(r).data);
  bd_ir_write(text, "first = g * group;");
  for (int q = 0; q < n; ++q) {
    const bd_phrase tag = bd_phrase_of("of%d", q);
    bd_ir_write(text, "%s_round = rounds%d + g;", tag.data, q);
    bd_dequantized_write_places(text, r, tag.data, 1);
    if (bd_dequantized_has_table(r)) bd_dequantized_write_tables(text, r, q);
  }
  write_ahead(text, r, 1, "g", 1, n);
  write_group(text, r, a, n);
  bd_text_format(text, "  }\n");
}

/* n columns at a time, from %FROM to before %TO. */
static void write_columns(bd_text *text, const bd_dequantized *r, MlirType a, MlirType c, int n,
                          const char *from, const char *to) {
  bd_ir_write(text,
              "at_once%d = %d;"
              "for j = %s to %s by at_once%d {",
              n, n, from, to, n);
  for (int q = 0; q < n; ++q)
    bd_ir_write(text, "column%d = j + %d; rounds%d = column%d * n_groups;", q, q, q, q);
  if (r->are_words)
    bd_dequantized_write_words(text, r, n);
  else
    write_sums_of_columns(text, r, a, n);
  write_end(text, r, c, n);
  bd_text_format(text, "  }\n");
}

void bd_dequantized_write_row(bd_text *text, const bd_dequantized *r, MlirType a, MlirType c) {
  const int n = r->are_words ? BD_COLUMNS_OF_WORDS : columns_at_once(r);
  bd_ir_write(text,
              "  %%rows = memref.cast %%matrix0 : %s to %s\n"
              "  %%nothing = arith.constant dense<0.0> : vector<%dxf32>\n"
              "  %%of_sums = arith.constant %s : f32\n"
              "whole = end - columns %% %d;",
              bd_type_matrix(bd_phrase_type(a).data).data,
              bd_type_rows(bd_phrase_type(a).data).data, r->lanes, bd_dequantized_scale(r), n);
  if (r->are_words) bd_dequantized_write_words_begin(text, r, a);
  if (bd_dequantized_has_table(r)) bd_dequantized_write_table_begin(text, r);
  write_columns(text, r, a, c, n, "start", "whole");
  if (r->n % n != 0) write_columns(text, r, a, c, 1, "whole", "end");
  if (r->are_words) bd_dequantized_write_words_end(text, r);
}
