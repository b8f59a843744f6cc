// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/few.c: the text of products of few rows; see few.h.
 *
 * A tile of dots has as many sums as a vector has elements: each is a vector until all of the depth
 * is done. They are then added up together, two vectors to one with half as much of each, until one
 * vector has all sums side by side.
 *
 * Rows of B are read one after the other, from front to back: one stream, which processors read ahead
 * faster than any that is fetched for them.
 *
 * Where A has numbers of bf16, as B has, dots multiply them in pairs (tile/dot_packing.h). */
#include "sdk/compile/kernels/few.h"

#include "core/base/try.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/machine.h"
#include "sdk/compile/kernels/tile/dot_packing.h"

/* Rows of B that stay in the first cache, at most and at least; rows of A at a time, at the most; vectors of a row
 * of B that are written out, at the most; products that are added up one after the other. */
enum { BLOCK = 64, LEAST_BLOCK = 8, MOST_ROWS = 4, MOST_VECTORS = 16, CHAIN = 256 };

typedef struct few {
  const bd_machine *machine;
  const bd_element *element;
  const bd_element *element_b; /* of B: the same, or narrower */
  const bd_dot_packing *pairs; /* null: single elements are multiplied, of B widened ones */
  int lanes;
  int vectors;       /* of a row of B; 0: a run tells, or they are too many, or do not fill it */
  int block;         /* rows of B */
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

/* ---- Dots ------------------------------------------------------------------------------------ */

/* %next_I: sums of %sum_I and what the vectors at `at` of rows I of A and of row %row of B give. */
static void write_round(bd_text *text, const few *f, const char *at, bool is_rest) {
  const bd_phrase a = bd_phrase_of("a[i_$i, %s]", at), b = bd_phrase_of("b[row, %s]", at);
  bd_text_format(text, "column = %s; each i to r { row_$i = %s; next_$i = %s; } yield next_$n;",
                 vector_of_b(f, b.data, is_rest).data, vector_at(f, a.data, is_rest, "pad").data,
                 fused(f, "row_$i", "column", is_rest ? "main#$i" : "sum_$i").data);
}

/* %all_LANES_0: the sums of %total_0, …. Of two vectors, one after the other, each half has pieces of so many elements, in turn
 * from each, of parts of 16 bytes; or whole parts, the even or the odd ones. */
static void write_totals(bd_text *text, const few *f) {
  const int part = 16 / f->element->bytes;
  for (int piece = 1; piece < f->lanes; piece *= 2) {
    const bd_phrase from = bd_phrase_of(piece == 1 ? "total_" : "all_%d_", piece);
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

/* %main: the sums of all whole vectors, piece by piece: what rounds grows with the length of a chain. */
static void write_pieces(bd_text *text, const few *f) {
  bd_text_format(text,
                 "piece = %d; main:$r = for from = c0 to whole by piece carry before_$n = zero {"
                 "to = umin(from + piece, whole);"
                 "part:$r = for p = from to to by lanes carry sum_$n = zero {",
                 CHAIN * f->lanes);
  write_round(text, f, "p", false);
  bd_text_format(text, "} each i to r { after_$i = before_$i + part#$i; } yield after_$n; }");
}

/* %total: the sums of a row of B of any size. */
static void write_any_row(bd_text *text, const few *f) {
  write_pieces(text, f);
  bd_text_format(text, "total:$r = if has_rest like zero {");
  write_round(text, f, "whole", true);
  bd_text_format(text,
                 "} else { yield main#$n; } each i to r { store(total#$i, sums[at_$i, c0]); }");
}

/* The same of one of so many vectors. */
static void write_known_row(bd_text *text, const few *f) {
  for (int p = 0; p < f->vectors; ++p) {
    bd_text_format(text, "let p = %d; place_$p = $(p * l); column_$p = %s;", p,
                   vector_of_b(f, "b[row, place_$p]", false).data);
    bd_text_format(text, "each i to r { row_$p_$i = load(a[i_$i, place_$p], l); part_$p_$i = %s; }",
                   p == 0 ? "row_$p_$i * column_$p"
                          : fused(f, "row_$p_$i", "column_$p", "part_$(p - 1)_$i").data);
  }
  bd_text_format(text, "each i to r { store(part_%d_$i, sums[at_$i, c0]); }", f->vectors - 1);
}

/* %pairs_P_I, of all of row I of A; and a row of B times them. */
static void write_pairs(bd_text *text, const few *f) {
  bd_text_format(
      text,
      "each p to %d { lower_$p = $(2 * p * l); higher_$p = $(2 * p * l + l); each i to r {"
      "low_$p_$i = load(a[i_$i, lower_$p], l); high_$p_$i = load(a[i_$i, higher_$p], l);"
      "pairs_$p_$i = intrinsic(\"%s.%d\", high_$p_$i, low_$p_$i) : vector<$(2 * l)xbf16>; } }",
      f->vectors / 2, f->pairs->round, 32 * f->lanes);
}

static void write_row_of_pairs(bd_text *text, const few *f) {
  bd_text_format(text, "each i to r { part_0_$i = zero; }");
  bd_text_format(text,
                 "each p to %d { column_$p = load(b[row, lower_$p], $(2 * l)); each i to r {"
                 "part_$(p + 1)_$i = intrinsic(\"%s.%d\", part_$p_$i, pairs_$p_$i, column_$p) : "
                 "vector<$lxf32>; } } each i to r { store(part_%d_$i, sums[at_$i, c0]); }",
                 f->vectors / 2, f->pairs->instruction, 32 * f->lanes, f->vectors / 2);
}

/* Rows from %i on, with rows %first to before %end of B: its last ones are read again where there
 * are no more. */
static void write_tile_of_dots(bd_text *text, const few *f) {
  write_head(text, f, ", %i: index, %first: index, %end: index");
  bd_text_format(text,
                 "depth = dim(a, c1); rest = depth %% lanes; whole = depth - rest;"
                 "has_rest = rest != c0; last = end - c1; apart = $c;"
                 "sums = alloca(memref<%dx%dx%s>); each i to r { i_$i = i + $i; }",
                 f->lanes, f->lanes, f->element->name);
  if (f->pairs) write_pairs(text, f);
  bd_text_format(text,
                 "for j = first to end by apart {"
                 "for k = c0 to apart { any_row = j + k; row = umin(any_row, last);"
                 "each i to r { at_$i = k + $(i * c); }");
  (f->pairs ? write_row_of_pairs : f->vectors > 0 ? write_known_row : write_any_row)(text, f);
  bd_text_format(text, "} each i to v { of_$i = $i; total_$i = load(sums[of_$i, c0], l); }");
  write_totals(text, f);
  write_dots(text);
  bd_text_format(text, "} return\n}\n");
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* %next_K of %sum_K: what `apart` rows of B from %k on add to the tile. */
static void write_rows_of_b(bd_text *text, const few *f, int apart) {
  bd_text_format(text, "each u to %d { k_$u = k + $u; }", apart);
  for (int u = 0; u < apart; ++u)
    bd_text_format(text,
                   "let u = %d; each z to c { of_b_$u_$z = %s; } each x to r {"
                   "weight_$u_$x = broadcast(a[i_$x, k_$u], l);"
                   "each z to c { next_$(u * v + x * c + z) = %s; } }",
                   u, vector_of_b(f, "b[k_$u, at_$z]", f->is_masked).data,
                   fused(f, "weight_$u_$x", "of_b_$u_$z", "sum_$(u * v + x * c + z)").data);
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
  bd_text_format(text, "each i to r { i_$i = i + $i; } for column = c0 to end_of_tiles by width {");
  write_tile(text, f);
  bd_text_format(text, "} for column = end_of_tiles to n by lanes {");
  write_tile(text, &one);
  bd_text_format(text, "} return\n}\n");
}

/* ---- All rows -------------------------------------------------------------------------------- */

/* Vectors of sums of a tile, and rows of the highest. */
static int most_sums(const few *f) { return f->machine->registers >= 32 ? 16 : 8; }

static int most_rows(const few *f, bool are_sums) {
  int rows = f->lanes > MOST_ROWS || are_sums ? MOST_ROWS : f->lanes;
  while (are_sums && rows > 1 && rows * f->vectors > most_sums(f)) rows /= 2;
  return rows;
}

/* Blocks of B, and for each the rows of A by tiles that get lower. */
static void write_all(bd_text *text, const few *f, bool are_sums, const char *const *tiles) {
  const int most = most_rows(f, are_sums);
  write_head(text, f, "");
  bd_text_format(text, "block = %d; m = dim(a, c0); n = dim(b, c0);", f->block);
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

/* Memory comes faster where each line of it is read by two loads, which is seen where little is done with it. */
static bool is_read_in_halves(const few *f, bool are_sums, int rows) {
  const int most = are_sums ? most_sums(f) / rows : MOST_VECTORS;
  return rows <= 2 && f->lanes == bd_machine_line(f->machine, f->element->bytes) &&
         2 * f->vectors <= most;
}

/* Of sums as many columns as a row of B has, if it is known, so that it is read from front to back. */
static few tile_of(const few *all, bool are_sums, int rows) {
  few f = *all;
  const int of_row = most_sums(all) / rows;
  f.rows = rows;
  f.pairs = NULL;
  if (is_read_in_halves(all, are_sums, rows)) {
    f.lanes /= 2;
    f.vectors *= 2;
  }
  if (!are_sums && rows > 1 && f.vectors > 0 && f.vectors % 2 == 0) f.pairs = all->pairs;
  f.columns = are_sums ? most_sums(all) / MOST_ROWS : f.lanes / rows;
  if (are_sums && f.vectors > 0) f.columns = f.vectors < of_row ? f.vectors : of_row;
  f.apart = of_row / f.columns;
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

/* What is known of B. */
static few few_of(const bd_machine *machine, const bd_element *element, bd_few_rows b) {
  few f = {.machine = machine,
           .element = element,
           .element_b = b.element,
           .pairs = b.is_of_bf16 && machine->has_words[BD_PACKED_BF16]
                        ? bd_dot_packing_of(BD_PACKED_BF16)
                        : NULL,
           .lanes = bd_machine_lanes(machine, element->bytes),
           .block = BLOCK};
  if (b.size > 0 && b.size % f.lanes == 0 && b.size / f.lanes <= MOST_VECTORS)
    f.vectors = (int)b.size / f.lanes;
  while (f.block > LEAST_BLOCK && f.block * b.size * b.element->bytes > machine->l1 / 2)
    f.block /= 2;
  return f;
}

buddy_code bd_few_find(bd_kernels *kernels, const bd_element *element, bd_few_rows dots_b,
                       bd_few_rows sums_b, bd_few *out) {
  const bd_machine *machine = bd_kernels_machine(kernels);
  const few dots = few_of(machine, element, dots_b), sums = few_of(machine, element, sums_b);
  BD_TRY(find(kernels, &dots, false, &out->dots));
  return find(kernels, &sums, true, &out->sums);
}
