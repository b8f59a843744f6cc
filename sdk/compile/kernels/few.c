// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/few.c: the text of products of few rows; see few.h.
 *
 * A tile of dots has as many sums as a vector has elements: each is a vector until all of the depth
 * is done. They are then added up together, two vectors to one with half as much of each, until one
 * vector has all sums side by side. */
#include "sdk/compile/kernels/few.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/machine.h"

/* Rows of B that stay in the first cache; rows of A at a time, at the most; bytes of B after those that are
 * read, from which on they are fetched; products that are added up one after the other. */
enum { BLOCK = 64, MOST_ROWS = 4, AHEAD = 4096, CHAIN = 256 };

typedef struct few {
  const bd_machine *machine;
  const bd_element *element;
  const bd_element *element_b; /* of B: the same, or narrower */
  int lanes;
  int rows, columns; /* of a tile; of dots: sums; of sums: vectors */
  int apart;         /* of sums: rows of B that are added up apart from one another */
  bool is_masked;    /* the last columns fill no vector */
} few;

/* %TO of A: "fma(A, B, SUM)". */
static bd_phrase fused(const few *f, const char *a, const char *b, const char *sum) {
  return f->machine->has_fused ? bd_phrase_of("fma(%s, %s, %s)", a, b, sum)
                               : bd_phrase_of("%s + %s * %s", sum, a, b);
}

/* "load(PLACE, LANES)", of elements of which the last may not be there; and those of B, widened. */
static bd_phrase vector_at(const few *f, const char *place, bool is_masked, const char *pad) {
  return is_masked ? bd_phrase_of("transfer_read(%s, %d, %s)", place, f->lanes, pad)
                   : bd_phrase_of("load(%s, %d)", place, f->lanes);
}

static bd_phrase vector_of_b(const few *f, const char *place, bool is_masked) {
  return bd_phrase_of("extf(%s, %s)", vector_at(f, place, is_masked, "pad_b").data,
                      f->element->name);
}

/* A tile, in numbers: $l lanes, and of n values $v, rows $r and columns $c. */
static void write_tile_numbers(bd_text *text, const few *f) {
  bd_text_format(text, "let l = %d, r = %d, c = %d, v = %d;", f->lanes, f->rows, f->columns,
                 f->rows * f->columns);
}

/* The head of a function of A, B and C. */
static void write_head(bd_text *text, const few *f, const char *more) {
  const bd_phrase rows = bd_type_rows(f->element->name);
  bd_text_format(text,
                 "(%%a: %s, %%b: %s, %%c: %s%s) {\n"
                 "c0 = 0; c1 = 1; lanes = %d; pad = 0.0 : %s; pad_b = 0.0 : %s;"
                 "zero = 0.0 : vector<%dx%s>;",
                 rows.data, bd_type_rows(f->element_b->name).data, rows.data, more, f->lanes,
                 f->element->name, f->element_b->name, f->lanes, f->element->name);
  write_tile_numbers(text, f);
}

/* %rows_ahead of %length elements each, at least a tile's. */
static void write_rows_ahead(bd_text *text, const few *f, const char *length, int least) {
  bd_text_format(text, "rows_ahead = umax(ceildiv(%d, umax(%s, c1)), %d);",
                 AHEAD / f->element_b->bytes, length, least);
}

/* ---- Dots ------------------------------------------------------------------------------------ */

/* %next_K: sums of %sum_K and what the vectors at %p of the rows of A and B give. */
static void write_round(bd_text *text, const few *f, const char *at, bool is_rest) {
  const bd_phrase a = bd_phrase_of("a[i_$i, %s]", at), b = bd_phrase_of("b[j_$k, %s]", at);
  bd_text_format(text,
                 "each i to r { row_$i = %s; } each k to c { column_$k = %s; }"
                 "each i to v { next_$i = %s; } yield next_$n;",
                 vector_at(f, a.data, is_rest, "pad").data, vector_of_b(f, b.data, is_rest).data,
                 fused(f, "row_$(i / c)", "column_$(i % c)", is_rest ? "main#$i" : "sum_$i").data);
}

/* %all_LANES_0: the sums of %total. Of two vectors, one after the other, each half has pieces of so many elements, in turn
 * from each, of parts of 16 bytes; or whole parts, the even or the odd ones. */
static void write_totals(bd_text *text, const few *f) {
  const int part = 16 / f->element->bytes;
  for (int piece = 1; piece < f->lanes; piece *= 2) {
    const bd_phrase from = bd_phrase_of(piece == 1 ? "total#" : "all_%d_", piece);
    bd_text_format(text,
                   "let p = %d, q = %d; each k to l / q / 2 {"
                   "each h to 2 { half_$q_$k_$h = shuffle(%s$(2 * k), %s$(2 * k + 1), l: %s); }"
                   "all_$(2 * q)_$k = half_$q_$k_0 + half_$q_$k_1; }",
                   part, piece, from.data, from.data,
                   piece < part
                       ? "n % p / q % 2 * l + n / p * p + h * p / 2 + n % p / q / 2 * q + n % q"
                       : "n / p / (l / p / 2) * l + (n / p % (l / p / 2) * 2 + h) * p + n % p");
  }
}

/* %all_LANES_0 to C. */
static void write_dots(bd_text *text) {
  bd_text_format(text,
                 "each i to r { dots_$i = slice(all_$l_0, i * c, c); }"
                 "if ule(j + apart, end) { each i to r { store(dots_$i, c[i_$i, j]); }"
                 "} else { each i to r { transfer_write(dots_$i, c[i_$i, j]); } }");
}

/* As many rows of B as the tile has are fetched in their order: the tile itself reads them side by side, a
 * vector of each, which no processor takes for streams. */
static void write_ahead(bd_text *text, const few *f) {
  bd_text_format(text,
                 "line = %d; ahead = j + rows_ahead; each k to c { ahead_$k = ahead + $k; }"
                 "each k to c { for p = c0 to depth by line { prefetch(b[ahead_$k, p], 2); } }",
                 bd_machine_line(f->machine, f->element_b->bytes));
}

/* %main: the sums of all whole vectors, piece by piece: what rounds grows with the length of a chain. */
static void write_pieces(bd_text *text, const few *f) {
  bd_text_format(text,
                 "piece = %d; main:$v = for from = c0 to whole by piece carry before_$n = zero {"
                 "to = umin(from + piece, whole);"
                 "part:$v = for p = from to to by lanes carry sum_$n = zero {",
                 CHAIN * f->lanes);
  write_round(text, f, "p", false);
  bd_text_format(text, "} each i to v { after_$i = before_$i + part#$i; } yield after_$n; }");
}

/* Rows from %i on, with rows %first to before %end of B: its last ones are read again where there
 * are no more. */
static void write_tile_of_dots(bd_text *text, const few *f) {
  write_head(text, f, ", %i: index, %first: index, %end: index");
  bd_text_format(text,
                 "depth = dim(a, c1); rest = depth %% lanes; whole = depth - rest;"
                 "has_rest = rest != c0; last = end - c1; apart = $c;");
  write_rows_ahead(text, f, "depth", 2 * f->columns);
  bd_text_format(text,
                 "each i to r { i_$i = i + $i; } for j = first to end by apart {"
                 "each k to c { any_j_$k = j + $k; } each k to c { j_$k = umin(any_j_$k, last); }");
  write_ahead(text, f);
  write_pieces(text, f);
  bd_text_format(text, "total:$v = if has_rest like zero {");
  write_round(text, f, "whole", true);
  bd_text_format(text, "} else { yield main#$n; }");
  write_totals(text, f);
  write_dots(text);
  bd_text_format(text, "} return\n}\n");
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Of the vectors of a tile's columns, where the first begins a line. */
static bool begins_line(const few *f, int vector) {
  return vector * f->lanes % bd_machine_line(f->machine, f->element_b->bytes) == 0;
}

/* %next_K of %sum_K: what `apart` rows of B from %k on add to the tile. */
static void write_rows_of_b(bd_text *text, const few *f, int apart) {
  bd_text_format(text, "each u to %d { k_$u = k + $u; }", apart);
  for (int u = 0; u < apart; ++u) {
    bd_text_format(text, "let u = %d; ahead_$u = k_$u + rows_ahead;", u);
    for (int z = 0; z < f->columns; ++z)
      bd_text_format(text, "let z = %d; %s of_b_$u_$z = %s;", z,
                     begins_line(f, z) ? "prefetch(b[ahead_$u, at_$z], 2);" : "",
                     vector_of_b(f, "b[k_$u, at_$z]", f->is_masked).data);
    bd_text_format(text,
                   "each x to r { weight_$u_$x = broadcast(a[i_$x, k_$u], l);"
                   "each z to c { next_$(u * v + x * c + z) = %s; } }",
                   fused(f, "weight_$u_$x", "of_b_$u_$z", "sum_$(u * v + x * c + z)").data);
  }
  bd_text_format(text, "yield next_$n;");
}

/* The tile at %column: rows %first to before %end of B, times what A has there, are added to C. */
static void write_tile(bd_text *text, const few *f) {
  write_tile_numbers(text, f);
  bd_text_format(text,
                 "each z to c { at_$z = column + $(z * l); }"
                 "main:%d = for k = first to end_of_main by apart carry sum_$n = zero {",
                 f->apart * f->rows * f->columns);
  write_rows_of_b(text, f, f->apart);
  bd_text_format(text, "} last:$v = for k = end_of_main to end carry sum_$n = main#$n {");
  write_rows_of_b(text, f, 1);
  bd_text_format(text,
                 "} let a = %d; each i to v { with_$i_1 = last#$i;"
                 "each u = 1 to a { with_$i_$(u + 1) = with_$i_$u + main#$(u * v + i); }"
                 "new_$i = %s + with_$i_$a; %s(new_$i, c[i_$(i / c), at_$(i %% c)]); }",
                 f->apart, vector_at(f, "c[i_$(i / c), at_$(i % c)]", f->is_masked, "pad").data,
                 f->is_masked ? "transfer_write" : "store");
}

/* Rows from %i on, with rows %first to before %end of B; whole tiles of columns, then vector by
 * vector. */
static void write_tile_of_sums(bd_text *text, const few *f) {
  few one = *f;
  one.columns = 1;
  one.is_masked = true;
  write_head(text, f, ", %i: index, %first: index, %end: index");
  bd_text_format(text,
                 "n = dim(c, c1); apart = %d; end_of_main = end - (end - first) %% apart;"
                 "width = $(c * l); rest = n %% width; end_of_tiles = n - rest;",
                 f->apart);
  write_rows_ahead(text, f, "n", 2 * f->apart);
  bd_text_format(text, "each i to r { i_$i = i + $i; } for column = c0 to end_of_tiles by width {");
  write_tile(text, f);
  bd_text_format(text, "} for column = end_of_tiles to n by lanes {");
  write_tile(text, &one);
  bd_text_format(text, "} return\n}\n");
}

/* ---- All rows -------------------------------------------------------------------------------- */

/* Rows of the highest tile. */
static int most_rows(const few *f, bool are_sums) {
  return are_sums || f->lanes > MOST_ROWS ? MOST_ROWS : f->lanes;
}

/* Blocks of B, and for each the rows of A by tiles that get lower. */
static void write_all(bd_text *text, const few *f, bool are_sums, const char *const *tiles) {
  const int most = most_rows(f, are_sums);
  write_head(text, f, "");
  bd_text_format(text, "block = %d; m = dim(a, c0); n = dim(b, c0);", BLOCK);
  if (are_sums)
    bd_text_format(text,
                   "columns = dim(c, c1);"
                   "for i = c0 to m { for column = c0 to columns { store(pad, c[i, column]); } }");
  bd_text_format(text,
                 "for first = c0 to n by block {"
                 "next = first + block; end = umin(next, n); begin_%d = 0;",
                 most);
  for (int rows = most, k = 0; rows >= 1; rows /= 2, ++k)
    bd_text_format(text,
                   "let r = %d; rows_$r = $r; begin_$(r / 2) = m - m %% rows_$r;"
                   "for i = begin_$r to begin_$(r / 2) by rows_$r {"
                   "call(\"%s\", a, b, c, i, first, end); }",
                   rows, tiles[k]);
  bd_text_format(text, "} return\n}\n");
}

/* Of tiles with 32 registers 16 are sums, else 8. */
static few tile_of(const few *all, bool are_sums, int rows) {
  few f = *all;
  f.rows = rows;
  f.apart = MOST_ROWS / rows;
  f.columns = are_sums ? (f.machine->registers >= 32 ? 4 : 2) : f.lanes / rows;
  return f;
}

static buddy_code find(bd_kernels *kernels, const few *all, bool are_sums, const char **out_name) {
  const char *const hint = are_sums ? "few_sums" : "few_dots";
  const char *tiles[MOST_ROWS];
  int k = 0;
  for (int rows = most_rows(all, are_sums); rows >= 1; rows /= 2) {
    const few f = tile_of(all, are_sums, rows);
    bd_text text = {.data = NULL};
    (are_sums ? write_tile_of_sums : write_tile_of_dots)(&text, &f);
    BD_TRY(bd_kernels_add(kernels, hint, &text, &tiles[k++]));
  }
  bd_text text = {.data = NULL};
  write_all(&text, all, are_sums, tiles);
  return bd_kernels_add(kernels, hint, &text, out_name);
}

buddy_code bd_few_find(bd_kernels *kernels, const bd_element *element, const bd_element *dots_b,
                       const bd_element *sums_b, bd_few *out) {
  const bd_machine *machine = bd_kernels_machine(kernels);
  few all = {.machine = machine,
             .element = element,
             .element_b = dots_b,
             .lanes = bd_machine_lanes(machine, element->bytes)};
  BD_TRY(find(kernels, &all, false, &out->dots));
  all.element_b = sums_b;
  return find(kernels, &all, true, &out->sums);
}
