// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/few.c: the text of products of few rows; see few.h.
 *
 * A tile of dots has as many sums as a vector has elements: each is a vector until all of the depth
 * is done. They are then added up together, two vectors to one with half as much of each, until one
 * vector has all sums side by side. */
#include "sdk/compile/kernels/few.h"

#include <stdbool.h>
#include <stdio.h>

#include "core/base/try.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/ir_text.h"
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

static bd_phrase type_vector(const few *f) { return bd_type_vector(f->lanes, f->element->name); }

/* " : matrix, vector", the end of a line. */
static void write_types(bd_text *text, const few *f, const bd_element *element) {
  bd_text_format(text, " : %s, vector<%dx%s>\n", bd_type_rows(element->name).data, f->lanes,
                 element->name);
}

/* %TO = the vector at %ROW, %COLUMN of B, whose last elements may not be there. */
static void write_vector_of_b(bd_text *text, const few *f, const char *to, const char *row,
                              const char *column, bool is_masked) {
  const bool is_narrow = f->element_b != f->element;
  bd_text_format(text,
                 is_masked ? "  %%%s%s = vector.transfer_read %%b[%%%s, %%%s], %%pad_b"
                           : "  %%%s%s = vector.load %%b[%%%s, %%%s]",
                 to, is_narrow ? "_narrow" : "", row, column);
  write_types(text, f, f->element_b);
  if (is_narrow)
    bd_text_format(text, "  %%%s = arith.extf %%%s_narrow : vector<%dx%s> to vector<%dx%s>\n", to,
                   to, f->lanes, f->element_b->name, f->lanes, f->element->name);
}

/* %NAME_K = %FROM + K for K of n. */
static void write_places(bd_text *text, const char *name, const char *from, int n) {
  for (int i = 0; i < n; ++i) bd_ir_write(text, "%s_%d = %s + %d;", name, i, from, i);
}

/* %TO = %a · %b + %sum. */
static void write_fused(bd_text *text, const few *f, const char *to, const char *a, const char *b,
                        const char *sum) {
  if (f->machine->has_fused)
    bd_text_format(text, "  %%%s = vector.fma %%%s, %%%s, %%%s : ", to, a, b, sum);
  else
    bd_text_format(text,
                   "  %%%s_product = arith.mulf %%%s, %%%s : vector<%dx%s>\n  %%%s = arith.addf "
                   "%%%s, %%%s_product : ",
                   to, a, b, f->lanes, f->element->name, to, sum, to);
  bd_text_format(text, "%s\n", type_vector(f).data);
}

static void write_numbers(bd_text *text, const few *f) {
  bd_ir_write(text, "c0 = 0; c1 = 1;");
  bd_text_index(text, "lanes", f->lanes);
  bd_text_format(text,
                 "  %%pad = arith.constant 0.0 : %s\n"
                 "  %%pad_b = arith.constant 0.0 : %s\n"
                 "  %%zero = arith.constant dense<0.0> : vector<%dx%s>\n",
                 f->element->name, f->element_b->name, f->lanes, f->element->name);
}

/* %rows_ahead of %length elements each, at least a tile's. */
static void write_rows_ahead(bd_text *text, const few *f, const char *length, int least) {
  bd_ir_write(text, "rows_ahead = umax(ceildiv(%lld, umax(%s, c1)), %lld);",
              (long long)(AHEAD / f->element_b->bytes), length, (long long)least);
}

/* "(%a, %b, %c, …)" with the types of a tile's function. */
static void write_parameters(bd_text *text, const few *f) {
  bd_text_format(text, "(%%a: %s, %%b: %s, %%c: %s", bd_type_rows(f->element->name).data,
                 bd_type_rows(f->element_b->name).data, bd_type_rows(f->element->name).data);
}

/* ---- Dots ------------------------------------------------------------------------------------ */

/* %next_K: sums of %sum_K and what the vectors at %p of the rows of A and B give. */
static void write_round(bd_text *text, const few *f, const char *at, bool is_rest) {
  for (int i = 0; i < f->rows; ++i) {
    bd_text_format(text,
                   is_rest ? "  %%row_%d = vector.transfer_read %%a[%%i_%d, %%%s], %%pad"
                           : "  %%row_%d = vector.load %%a[%%i_%d, %%%s]",
                   i, i, at);
    write_types(text, f, f->element);
  }
  for (int k = 0; k < f->columns; ++k)
    write_vector_of_b(text, f, bd_phrase_of("column_%d", k).data, bd_phrase_of("j_%d", k).data, at,
                      is_rest);
  for (int i = 0; i < f->rows * f->columns; ++i)
    write_fused(text, f, bd_phrase_of("next_%d", i).data,
                bd_phrase_of("row_%d", i / f->columns).data,
                bd_phrase_of("column_%d", i % f->columns).data,
                bd_phrase_of(is_rest ? "main#%d" : "sum_%d", i).data);
  bd_ir_write_yield(text, "%next_", f->rows * f->columns, type_vector(f).data);
}

/* Which element of the two vectors, one after the other, element i of the low or the high half of
 * both is: pieces of so many elements, in turn from each, of parts of 16 bytes; or whole parts, the
 * even or the odd ones. */
static int place_of(const few *f, int i, int piece, bool is_high) {
  const int part = 16 / f->element->bytes, n_parts = f->lanes / part;
  if (piece < part) {
    const int in_part = i % part, n = in_part / piece;
    const int from = (is_high ? part / 2 : 0) + n / 2 * piece + in_part % piece;
    return (n % 2) * f->lanes + i / part * part + from;
  }
  const int n = i / part;
  return n / (n_parts / 2) * f->lanes + (n % (n_parts / 2) * 2 + is_high) * part + i % part;
}

/* "%TO_PIECE_N = …" of two vectors that hold so many sums each. */
static void write_half(bd_text *text, const few *f, int n, int piece, bool is_high) {
  const bd_phrase from = bd_phrase_of(piece == 1 ? "total#" : "all_%d_", piece);
  bd_text_format(text, "  %%%s_%d_%d = vector.shuffle %%%s%d, %%%s%d [", is_high ? "high" : "low",
                 piece, n, from.data, 2 * n, from.data, 2 * n + 1);
  for (int i = 0; i < f->lanes; ++i)
    bd_text_format(text, "%s%d", i > 0 ? ", " : "", place_of(f, i, piece, is_high));
  bd_text_format(text, "] : %s\n", bd_phrase_list(type_vector(f).data, 2).data);
}

/* %all_LANES_0: the sums of %total. */
static void write_totals(bd_text *text, const few *f) {
  for (int piece = 1; piece < f->lanes; piece *= 2) {
    for (int n = 0; n < f->lanes / piece / 2; ++n) {
      write_half(text, f, n, piece, false);
      write_half(text, f, n, piece, true);
      bd_text_format(text, "  %%all_%d_%d = arith.addf %%low_%d_%d, %%high_%d_%d : %s\n", 2 * piece,
                     n, piece, n, piece, n, type_vector(f).data);
    }
  }
}

/* %all_LANES_0 to C. */
static void write_dots(bd_text *text, const few *f) {
  const int n = f->columns;
  for (int i = 0; i < f->rows; ++i)
    bd_text_format(text,
                   "  %%dots_%d = vector.extract_strided_slice %%all_%d_0 {offsets = [%d], sizes "
                   "= [%d], strides = [1]} : vector<%dx%s> to vector<%dx%s>\n",
                   i, f->lanes, i * n, n, f->lanes, f->element->name, n, f->element->name);
  bd_ir_write(text,
              "is_whole = ule(j + apart, end);"
              "if is_whole {");
  for (int i = 0; i < f->rows; ++i)
    bd_text_format(text, "  vector.store %%dots_%d, %%c[%%i_%d, %%j] : %s, vector<%dx%s>\n", i, i,
                   bd_type_rows(f->element->name).data, n, f->element->name);
  bd_text_format(text, "  } else {\n");
  for (int i = 0; i < f->rows; ++i)
    bd_text_format(text,
                   "  vector.transfer_write %%dots_%d, %%c[%%i_%d, %%j] : vector<%dx%s>, %s\n", i,
                   i, n, f->element->name, bd_type_rows(f->element->name).data);
  bd_text_format(text, "  }\n");
}

/* As many rows of B as the tile has are fetched in their order: the tile itself reads them side by side, a
 * vector of each, which no processor takes for streams. */
static void write_ahead(bd_text *text, const few *f) {
  bd_text_index(text, "line", bd_machine_line(f->machine, f->element_b->bytes));
  bd_ir_write(text, "ahead = j + rows_ahead;");
  write_places(text, "ahead", "ahead", f->columns);
  for (int k = 0; k < f->columns; ++k)
    bd_text_format(text,
                   "  scf.for %%p = %%c0 to %%depth step %%line {\n"
                   "  memref.prefetch %%b[%%ahead_%d, %%p], read, locality<2>, data : %s\n  }\n",
                   k, bd_type_rows(f->element_b->name).data);
}

/* %main: the sums of all whole vectors, piece by piece: what rounds grows with the length of a chain. */
static void write_pieces(bd_text *text, const few *f) {
  const int n = f->rows * f->columns;
  const bd_phrase vector = type_vector(f);
  bd_text_index(text, "piece", (int64_t)CHAIN * f->lanes);
  bd_text_format(text, "  %%main:%d = scf.for %%from = %%c0 to %%whole step %%piece ", n);
  bd_ir_write_carried(text, "%before_", "%zero", n, vector.data);
  bd_ir_write(text, "to = umin(from + piece, whole);");
  bd_text_format(text, "  %%part:%d = scf.for %%p = %%from to %%to step %%lanes ", n);
  bd_ir_write_carried(text, "%sum_", "%zero", n, vector.data);
  write_round(text, f, "p", false);
  bd_text_format(text, "  }\n");
  for (int i = 0; i < n; ++i)
    bd_text_format(text, "  %%after_%d = arith.addf %%before_%d, %%part#%d : %s\n", i, i, i,
                   vector.data);
  bd_ir_write_yield(text, "%after_", n, vector.data);
  bd_text_format(text, "  }\n");
}

/* Rows from %i on, with rows %first to before %end of B: its last ones are read again where there
 * are no more. */
static void write_tile_of_dots(bd_text *text, const few *f) {
  const int n = f->rows * f->columns;
  write_parameters(text, f);
  bd_text_format(text, ", %%i: index, %%first: index, %%end: index) {\n");
  write_numbers(text, f);
  bd_ir_write(text,
              "  %%depth = memref.dim %%a, %%c1 : %s\n"
              "rest = depth %% lanes; whole = depth - rest; has_rest = rest != c0;"
              "last = end - c1; apart = %d;",
              bd_type_rows(f->element->name).data, f->columns);
  write_rows_ahead(text, f, "depth", 2 * f->columns);
  write_places(text, "i", "i", f->rows);
  bd_ir_write(text, "for j = first to end by apart {");
  write_places(text, "any_j", "j", f->columns);
  for (int k = 0; k < f->columns; ++k) bd_ir_write(text, "j_%d = umin(any_j_%d, last);", k, k);
  write_ahead(text, f);
  write_pieces(text, f);
  bd_text_format(text, "  %%total:%d = scf.if %%has_rest -> (%s) {\n", n,
                 bd_phrase_list(type_vector(f).data, n).data);
  write_round(text, f, "whole", true);
  bd_text_format(text, "  } else {\n");
  bd_ir_write_yield(text, "%main#", n, type_vector(f).data);
  bd_text_format(text, "  }\n");
  write_totals(text, f);
  write_dots(text, f);
  bd_text_format(text, "  }\n  return\n}\n");
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Of the vectors of a tile's columns, where the first begins a line. */
static bool begins_line(const few *f, int vector) {
  return vector * f->lanes % bd_machine_line(f->machine, f->element_b->bytes) == 0;
}

/* %next_K of %FROM_K: what `apart` rows of B from %k on add to the tile. */
static void write_rows_of_b(bd_text *text, const few *f, int apart) {
  write_places(text, "k", "k", apart);
  for (int u = 0; u < apart; ++u) {
    bd_ir_write(text, "ahead_%d = k_%d + rows_ahead;", u, u);
    for (int z = 0; z < f->columns; ++z) {
      if (begins_line(f, z))
        bd_text_format(text,
                       "  memref.prefetch %%b[%%ahead_%d, %%at_%d], read, locality<2>, data : %s\n",
                       u, z, bd_type_rows(f->element_b->name).data);
      write_vector_of_b(text, f, bd_phrase_of("of_b_%d_%d", u, z).data,
                        bd_phrase_of("k_%d", u).data, bd_phrase_of("at_%d", z).data, f->is_masked);
    }
    for (int x = 0; x < f->rows; ++x) {
      bd_text_format(text,
                     "  %%of_a_%d_%d = memref.load %%a[%%i_%d, %%k_%d] : %s\n  %%weight_%d_%d = "
                     "vector.broadcast %%of_a_%d_%d : %s to %s\n",
                     u, x, x, u, bd_type_rows(f->element->name).data, u, x, u, x, f->element->name,
                     type_vector(f).data);
      for (int z = 0; z < f->columns; ++z) {
        const int n = (u * f->rows + x) * f->columns + z;
        write_fused(text, f, bd_phrase_of("next_%d", n).data,
                    bd_phrase_of("weight_%d_%d", u, x).data, bd_phrase_of("of_b_%d_%d", u, z).data,
                    bd_phrase_of("sum_%d", n).data);
      }
    }
  }
  bd_ir_write_yield(text, "%next_", apart * f->rows * f->columns, type_vector(f).data);
}

/* The tile at %column: rows %first to before %end of B, times what A has there, are added to C. */
static void write_tile(bd_text *text, const few *f) {
  const int n = f->rows * f->columns, all = f->apart * n;
  const bd_phrase vector = type_vector(f), matrix = bd_type_rows(f->element->name);
  for (int z = 0; z < f->columns; ++z) bd_ir_write(text, "at_%d = column + %d;", z, z * f->lanes);
  bd_text_format(text, "  %%main:%d = scf.for %%k = %%first to %%end_of_main step %%apart ", all);
  bd_ir_write_carried(text, "%sum_", "%zero", all, vector.data);
  write_rows_of_b(text, f, f->apart);
  bd_text_format(text, "  }\n  %%last:%d = scf.for %%k = %%end_of_main to %%end step %%c1 ", n);
  bd_ir_write_carried(text, "%sum_", "%main#", n, vector.data);
  write_rows_of_b(text, f, 1);
  bd_text_format(text, "  }\n");
  for (int i = 0; i < n; ++i) {
    char from[40];
    snprintf(from, sizeof(from), "last#%d", i);
    for (int u = 1; u < f->apart; ++u) {
      bd_text_format(text, "  %%with_%d_%d = arith.addf %%%s, %%main#%d : %s\n", i, u, from,
                     u * n + i, type_vector(f).data);
      snprintf(from, sizeof(from), "with_%d_%d", i, u);
    }
    const int x = i / f->columns, z = i % f->columns;
    bd_text_format(text,
                   f->is_masked ? "  %%old_%d = vector.transfer_read %%c[%%i_%d, %%at_%d], %%pad"
                                : "  %%old_%d = vector.load %%c[%%i_%d, %%at_%d]",
                   i, x, z);
    write_types(text, f, f->element);
    bd_text_format(text, "  %%new_%d = arith.addf %%old_%d, %%%s : %s\n", i, i, from, vector.data);
    bd_text_format(
        text,
        f->is_masked ? "  vector.transfer_write %%new_%d, %%c[%%i_%d, %%at_%d] : %s, %s\n"
                     : "  vector.store %%new_%d, %%c[%%i_%d, %%at_%d] : %s, %s\n",
        i, x, z, (f->is_masked ? vector : matrix).data, (f->is_masked ? matrix : vector).data);
  }
}

/* Rows from %i on, with rows %first to before %end of B; whole tiles of columns, then vector by
 * vector. */
static void write_tile_of_sums(bd_text *text, const few *f) {
  few one = *f;
  one.columns = 1;
  one.is_masked = true;
  write_parameters(text, f);
  bd_text_format(text, ", %%i: index, %%first: index, %%end: index) {\n");
  write_numbers(text, f);
  bd_ir_write(text,
              "  %%n = memref.dim %%c, %%c1 : %s\n"
              "apart = %d; end_of_main = end - (end - first) %% apart; width = %d;"
              "rest = n %% width; end_of_tiles = n - rest;",
              bd_type_rows(f->element->name).data, f->apart, f->columns * f->lanes);
  write_rows_ahead(text, f, "n", 2 * f->apart);
  write_places(text, "i", "i", f->rows);
  bd_ir_write(text, "for column = c0 to end_of_tiles by width {");
  write_tile(text, f);
  bd_ir_write(text,
              "}"
              "for column = end_of_tiles to n by lanes {");
  write_tile(text, &one);
  bd_text_format(text, "  }\n  return\n}\n");
}

/* "type, type, type" of A, B and C. */
static void write_matrices(bd_text *text, const bd_element *element, const bd_element *element_b) {
  bd_text_format(text, "%s, %s, %s", bd_type_rows(element->name).data,
                 bd_type_rows(element_b->name).data, bd_type_rows(element->name).data);
}

/* ---- All rows -------------------------------------------------------------------------------- */

/* C = 0. */
static void write_zeros(bd_text *text, const few *f) {
  bd_ir_write(text,
              "  %%columns = memref.dim %%c, %%c1 : %s\n"
              "for i = c0 to m {"
              "for column = c0 to columns {"
              "  memref.store %%pad, %%c[%%i, %%column] : %s\n"
              "} }",
              bd_type_rows(f->element->name).data, bd_type_rows(f->element->name).data);
}

/* Rows of the highest tile. */
static int most_rows(const few *f, bool are_sums) {
  return are_sums || f->lanes > MOST_ROWS ? MOST_ROWS : f->lanes;
}

/* Blocks of B, and for each the rows of A by tiles that get lower. */
static void write_all(bd_text *text, const few *f, bool are_sums, const char *const *tiles) {
  const int most = most_rows(f, are_sums);
  write_parameters(text, f);
  bd_text_format(text, ") {\n");
  write_numbers(text, f);
  bd_text_index(text, "block", BLOCK);
  bd_text_format(text, "  %%m = memref.dim %%a, %%c0 : %s\n  %%n = memref.dim %%b, %%c0 : %s\n",
                 bd_type_rows(f->element->name).data, bd_type_rows(f->element_b->name).data);
  if (are_sums) write_zeros(text, f);
  bd_ir_write(text,
              "for first = c0 to n by block {"
              "next = first + block; end = umin(next, n); begin_%d = 0;",
              most);
  for (int rows = most, k = 0; rows >= 1; rows /= 2, ++k) {
    bd_ir_write(text,
                "rows_%d = %d; begin_%d = m - m %% rows_%d;"
                "for i = begin_%d to begin_%d by rows_%d {"
                "  func.call @%s(%%a, %%b, %%c, %%i, %%first, %%end) : (",
                rows, rows, rows / 2, rows, rows, rows / 2, rows, tiles[k]);
    write_matrices(text, f->element, f->element_b);
    bd_text_format(text, ", index, index, index) -> ()\n  }\n");
  }
  bd_text_format(text, "  }\n  return\n}\n");
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

void bd_few_write_call(bd_text *text, const bd_element *element, const bd_element *element_b,
                       const char *name) {
  bd_text_format(text, "  func.call @%s(%%few_a, %%few_b, %%few_c) : (", name);
  write_matrices(text, element, element_b);
  bd_text_format(text, ") -> ()\n");
}
