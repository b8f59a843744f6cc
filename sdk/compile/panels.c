/* sdk/compile/panels.c: see panels.h. */
#include "sdk/compile/panels.h"

#include <stdio.h>

#include "sdk/compile/kernels.h"
#include "sdk/runtime/kept.h"

/* Blocks of k are as deep as pays the reading and writing of C; blocks of rows stay in L2. From
 * STREAMED elements on, B does not stay in the cache from panel to panel. */
enum { MAX_VECTORS = 4, MAX_DEPTH = 1280, DEPTH = 1024, MAX_BLOCK = 400, STREAMED = 64 * 1024 };

/* Elements of A that a block of lines may hold, and elements of a panel: it and the next one are to
 * stay in L2. */
enum { LINES_IN_CACHE = 200 * 1024, PANEL = 160 * 1024 };

void bd_panels_init(bd_panels *p, const char *element) {
  int rows;
  *p = (bd_panels){.element = element, .lines = 1, .segments = 1, .vectors = 2};
  bd_kernels_tile(element[1] != '3', &p->lanes, &rows);
  p->max_sums = 2 * rows;
}

static int64_t most_rows(const bd_panels *p) { return p->max_sums / p->vectors; }

static int64_t rows_of_tile(const bd_panels *p) {
  const int64_t tiles = (p->m + most_rows(p) - 1) / most_rows(p);
  return (p->m + tiles - 1) / tiles;
}

void bd_panels_choose_vectors(bd_panels *p) {
  int64_t most = 0;
  int best = 2;
  for (p->vectors = 2; p->vectors <= MAX_VECTORS && p->vectors <= p->max_sums; p->vectors++) {
    const int64_t sums = rows_of_tile(p) * p->vectors;
    const int is_too_wide = p->vectors > 2 && (p->n <= (p->vectors - 1) * p->lanes ||
                                               p->k * bd_panels_width(p) > PANEL);
    if (sums <= most || is_too_wide) continue;
    most = sums;
    best = p->vectors;
  }
  p->vectors = best;
}

int bd_panels_width(const bd_panels *p) { return p->vectors * p->lanes; }

int64_t bd_panels_count(const bd_panels *p) {
  return (p->n + bd_panels_width(p) - 1) / bd_panels_width(p);
}

void bd_panels_type_a(bd_text *text, const bd_panels *p) {
  bd_text_format(text, "memref<%lldx%lldx%lldx%lldx%s, strided<[%lld, %lld, %lld, 1], offset: ?>>",
                 (long long)p->lines, (long long)p->m, (long long)p->segments,
                 (long long)(p->k / p->segments), p->element, (long long)p->line_a,
                 (long long)p->lda, (long long)p->segment_a);
}

void bd_panels_type_c(bd_text *text, const bd_panels *p) {
  bd_text_format(text, "memref<%lldx%lldx%lldx%s, strided<[%lld, %lld, 1], offset: ?>>",
                 (long long)p->lines, (long long)p->m, (long long)p->n, p->element,
                 (long long)p->line_c, (long long)p->ldc);
}

void bd_panels_type_b(bd_text *text, const bd_panels *p) {
  if (p->is_in_place) {
    bd_text_format(text, "memref<%lldx%lldx%s, strided<[%lld, 1], offset: ?>>", (long long)p->k,
                   (long long)p->n, p->element, (long long)p->ldb);
    return;
  }
  bd_text_format(text, "memref<%lldx%lldx%dx%s>", (long long)bd_panels_count(p), (long long)p->k,
                 bd_panels_width(p), p->element);
}

void bd_panels_write_kept(bd_text *text, const bd_panels *p) {
  static const char descriptor[] = "!llvm.struct<(ptr, ptr, i64)>";
  const int64_t n = bd_panels_count(p) * p->k * bd_panels_width(p);
  const int width = bd_panels_width(p);
  const int element = p->element[1] == '3' ? 4 : 8;
  bd_text_format(text,
                 "  %%n_bytes = arith.constant %lld : i64\n"
                 "  %%kept = func.call @" BD_RUNTIME_KEEP
                 "(%%slot, %%n_bytes) : (i64, i64) -> !llvm.ptr\n"
                 "  %%data = llvm.getelementptr %%kept[%d] : (!llvm.ptr) -> !llvm.ptr, i8\n"
                 "  %%none = llvm.mlir.undef : %s\n"
                 "  %%with_base = llvm.insertvalue %%data, %%none[0] : %s\n"
                 "  %%with_data = llvm.insertvalue %%data, %%with_base[1] : %s\n"
                 "  %%zero_offset = arith.constant 0 : i64\n"
                 "  %%words = llvm.insertvalue %%zero_offset, %%with_data[2] : %s\n"
                 "  %%point = builtin.unrealized_conversion_cast %%words : %s to memref<%s>\n"
                 "  %%panels = memref.reinterpret_cast %%point to offset: [0], sizes: [%lld, %lld, "
                 "%d], strides: [%lld, %d, 1] : memref<%s> to ",
                 (long long)n * element, BD_KEPT_HEAD, descriptor, descriptor, descriptor,
                 descriptor, descriptor, p->element, (long long)bd_panels_count(p), (long long)p->k,
                 width, (long long)p->k * width, width, p->element);
  bd_panels_type_b(text, p);
  bd_text_format(text,
                 "\n  %%is_filled = llvm.load %%kept : !llvm.ptr -> i64\n"
                 "  %%is_new = arith.cmpi eq, %%is_filled, %%zero_offset : i64\n"
                 "  scf.if %%is_new {\n");
}

void bd_panels_write_kept_end(bd_text *text) {
  bd_text_format(text, "  func.call @" BD_RUNTIME_KEEP_FILLED "(%%slot) : (i64) -> ()\n  }\n");
}

/* ---- One tile ---------------------------------------------------------------------------------
 */

/* `rows` of A at %i by the panel %j, from %k0 to %k1. valid: columns of the panel that are there.
 */
typedef struct tile {
  const bd_panels *p;
  int64_t rows;
  int vectors;
  int64_t valid;
  int is_blocked;     /* %is_first tells whether this is the first block of k */
  int prefetch_shift; /* of k; -1: nothing to be had in time */
} tile;

static int is_partial(const tile *t, int v) { return (int64_t)(v + 1) * t->p->lanes > t->valid; }

static void write_vector(bd_text *text, const tile *t) {
  bd_text_format(text, "vector<%dx%s>", t->p->lanes, t->p->element);
}

/* %NAME = the vector at `place`, of which the partial one reads only what is there. */
static void write_load(bd_text *text, const tile *t, int v, const char *place,
                       void (*write_type)(bd_text *, const bd_panels *)) {
  bd_text_format(
      text,
      is_partial(t, v) ? "vector.maskedload %s, %%mask, %%zero : " : "vector.load %s : ", place);
  write_type(text, t->p);
  if (is_partial(t, v)) {
    bd_text_format(text, ", vector<%dxi1>, ", t->p->lanes);
    write_vector(text, t);
    bd_text_format(text, " into ");
  } else {
    bd_text_format(text, ", ");
  }
  write_vector(text, t);
  bd_text_format(text, "\n");
}

static void type_row(bd_text *text, const bd_panels *p) {
  bd_text_format(text, "memref<%lldx%s>", (long long)p->n, p->element);
}

static void write_first(bd_text *text, const tile *t, int v);

static void write_vector_types(bd_text *text, const tile *t) {
  for (int64_t i = 0; i < t->rows * t->vectors; i++) {
    bd_text_format(text, "%s", i > 0 ? ", " : "");
    write_vector(text, t);
  }
}

/* The loop's end: its results are the tile's values %NAME_R_V. */
static void write_yield(bd_text *text, const tile *t, const char *name) {
  bd_text_format(text, "    scf.yield ");
  for (int64_t r = 0; r < t->rows; r++) {
    for (int v = 0; v < t->vectors; v++)
      bd_text_format(text, "%s%%%s_%lld_%d", r + v > 0 ? ", " : "", name, (long long)r, v);
  }
  bd_text_format(text, " : ");
  write_vector_types(text, t);
  bd_text_format(text, "\n  }\n");
}

/* %begin: the tile of C as it is, except in the first of several blocks of k. */
static void write_old(bd_text *text, const tile *t) {
  const int has_first = t->p->begin != BD_BEGIN_OLD;
  bd_text_format(text, "  %%begin:%lld = scf.if %%%s -> (", (long long)(t->rows * t->vectors),
                 has_first ? "is_first" : "never");
  write_vector_types(text, t);
  bd_text_format(text, ") {\n    scf.yield ");
  for (int64_t r = 0; r < t->rows; r++) {
    for (int v = 0; v < t->vectors; v++) {
      bd_text_format(text, "%s", r + v > 0 ? ", " : "");
      if (has_first)
        write_first(text, t, v);
      else
        bd_text_format(text, "%%zero");
    }
  }
  bd_text_format(text, " : ");
  write_vector_types(text, t);
  bd_text_format(text, "\n  } else {\n");
  for (int64_t r = 0; r < t->rows; r++) {
    for (int v = 0; v < t->vectors; v++) {
      char place[96];
      snprintf(place, sizeof(place), "%%matrix_c[%%y, %%i_%lld, %%n_%d]", (long long)r, v);
      bd_text_format(text, "    %%old_%lld_%d = ", (long long)r, v);
      write_load(text, t, v, place, bd_panels_type_c);
    }
  }
  write_yield(text, t, "old");
}

/* The indices that the tile needs, and what its sums begin with: %begin_R_V. */
static void write_begin(bd_text *text, const tile *t) {
  const bd_panels *p = t->p;
  for (int64_t r = 0; r < t->rows; r++) {
    bd_text_format(text, "  %%step_%lld = arith.constant %lld : index\n", (long long)r,
                   (long long)r);
    bd_text_format(text, "  %%i_%lld = arith.addi %%i, %%step_%lld : index\n", (long long)r,
                   (long long)r);
  }
  bd_text_format(
      text,
      "  %%width = arith.constant %d : index\n  %%n_0 = arith.muli %%j, %%width : index\n"
      "  %%lane_0 = arith.constant 0 : index\n",
      bd_panels_width(p));
  for (int v = 1; v < t->vectors; v++) {
    bd_text_format(text,
                   "  %%lane_%d = arith.constant %d : index\n"
                   "  %%n_%d = arith.addi %%n_0, %%lane_%d : index\n",
                   v, v * p->lanes, v, v);
  }
  bd_text_format(text, "  %%zero = arith.constant dense<0.0> : ");
  write_vector(text, t);
  bd_text_format(text, "\n");
  if (is_partial(t, t->vectors - 1)) {
    bd_text_format(text, "  %%mask = vector.constant_mask [%lld] : vector<%dxi1>\n",
                   (long long)(t->valid - (int64_t)(t->vectors - 1) * p->lanes), p->lanes);
  }
  for (int v = 0; p->begin == BD_BEGIN_ROW && v < t->vectors; v++) {
    char place[64];
    snprintf(place, sizeof(place), "%%row[%%n_%d]", v);
    bd_text_format(text, "  %%row_%d = ", v);
    write_load(text, t, v, place, type_row);
  }
  if (p->begin == BD_BEGIN_OLD || t->is_blocked) write_old(text, t);
}

/* What a sum begins with if this is the first block of k. */
static void write_first(bd_text *text, const tile *t, int v) {
  if (t->p->begin == BD_BEGIN_ROW)
    bd_text_format(text, "%%row_%d", v);
  else
    bd_text_format(text, "%%zero");
}

static void write_begin_name(bd_text *text, const tile *t, int64_t r, int v) {
  if (t->p->begin == BD_BEGIN_OLD || t->is_blocked)
    bd_text_format(text, "%%begin#%lld", (long long)(r * t->vectors + v));
  else
    write_first(text, t, v);
}

/* One line of the next panel in each round: the tiles of this one go through it together. */
static void write_prefetch(bd_text *text, const tile *t) {
  const int line = 64 / (t->p->element[1] == '3' ? 4 : 8), width = bd_panels_width(t->p);
  bd_text_format(text,
                 "    %%ahead_k = arith.shrui %%p, %%ahead_shift : index\n"
                 "    %%ahead_row = arith.addi %%ahead_k, %%ahead_first : index\n"
                 "    %%lines_of_row = arith.constant %d : index\n"
                 "    %%ahead_odd = arith.remui %%p, %%lines_of_row : index\n"
                 "    %%ahead_line = arith.constant %d : index\n"
                 "    %%ahead_column = arith.muli %%ahead_odd, %%ahead_line : index\n"
                 "    memref.prefetch %%panels[%%ahead_j, %%ahead_row, %%ahead_column], read, "
                 "locality<2>, data : ",
                 width > line ? width / line : 1, line);
  bd_panels_type_b(text, t->p);
  bd_text_format(text, "\n");
}

/* for %k: the rounds within one segment. The sums begin with %acc_R_V of `from`, or as the tile
 * does. */
static void write_rounds(bd_text *text, const tile *t, const char *result, const char *from) {
  const bd_panels *p = t->p;
  bd_text_format(text, "  %%%s:%lld = scf.for %%k = %%k0 to %%k1 step %%c1 iter_args(", result,
                 (long long)(t->rows * t->vectors));
  for (int64_t r = 0; r < t->rows; r++) {
    for (int v = 0; v < t->vectors; v++) {
      bd_text_format(text, "%s%%acc_%lld_%d = ", r + v > 0 ? ", " : "", (long long)r, v);
      if (from != NULL)
        bd_text_format(text, "%%%s_%lld_%d", from, (long long)r, v);
      else
        write_begin_name(text, t, r, v);
    }
  }
  bd_text_format(text, ") -> (");
  write_vector_types(text, t);
  bd_text_format(text, ") {\n    %%p = arith.addi %%k, %%segment_k : index\n");
  if (t->prefetch_shift >= 0) write_prefetch(text, t);
  for (int v = 0; v < t->vectors; v++) {
    bd_text_format(text, "    %%b_%d = ", v);
    if (p->is_in_place) {
      char place[64];
      snprintf(place, sizeof(place), "%%panels[%%p, %%n_%d]", v);
      write_load(text, t, v, place, bd_panels_type_b);
      continue;
    }
    bd_text_format(text, "vector.load %%panels[%%j, %%p, %%lane_%d] : ", v);
    bd_panels_type_b(text, p);
    bd_text_format(text, ", ");
    write_vector(text, t);
    bd_text_format(text, "\n");
  }
  for (int64_t r = 0; r < t->rows; r++) {
    bd_text_format(text, "    %%a_%lld = memref.load %%matrix_a[%%y, %%i_%lld, %%segment, %%k] : ",
                   (long long)r, (long long)r);
    bd_panels_type_a(text, p);
    bd_text_format(text, "\n    %%s_%lld = vector.broadcast %%a_%lld : %s to ", (long long)r,
                   (long long)r, p->element);
    write_vector(text, t);
    bd_text_format(text, "\n");
    for (int v = 0; v < t->vectors; v++) {
      bd_text_format(text, "    %%next_%lld_%d = vector.fma %%s_%lld, %%b_%d, %%acc_%lld_%d : ",
                     (long long)r, v, (long long)r, v, (long long)r, v);
      write_vector(text, t);
      bd_text_format(text, "\n");
    }
  }
  write_yield(text, t, "next");
}

static void write_sums(bd_text *text, const tile *t) {
  const bd_panels *p = t->p;
  if (p->segments == 1) {
    bd_text_format(text,
                   "  %%segment = arith.constant 0 : index\n"
                   "  %%segment_k = arith.constant 0 : index\n");
    write_rounds(text, t, "sum", NULL);
    return;
  }
  bd_text_format(text,
                 "  %%n_segments = arith.constant %lld : index\n"
                 "  %%segment_size = arith.constant %lld : index\n"
                 "  %%sum:%lld = scf.for %%segment = %%c0 to %%n_segments step %%c1 iter_args(",
                 (long long)p->segments, (long long)(p->k / p->segments),
                 (long long)(t->rows * t->vectors));
  for (int64_t r = 0; r < t->rows; r++) {
    for (int v = 0; v < t->vectors; v++) {
      bd_text_format(text, "%s%%whole_%lld_%d = ", r + v > 0 ? ", " : "", (long long)r, v);
      write_begin_name(text, t, r, v);
    }
  }
  bd_text_format(text, ") -> (");
  write_vector_types(text, t);
  bd_text_format(text, ") {\n  %%segment_k = arith.muli %%segment, %%segment_size : index\n");
  write_rounds(text, t, "part", "whole");
  bd_text_format(text, "    scf.yield ");
  for (int64_t i = 0; i < t->rows * t->vectors; i++)
    bd_text_format(text, "%s%%part#%lld", i > 0 ? ", " : "", (long long)i);
  bd_text_format(text, " : ");
  write_vector_types(text, t);
  bd_text_format(text, "\n  }\n");
}

static void write_end(bd_text *text, const tile *t) {
  int i = 0;
  for (int64_t r = 0; r < t->rows; r++) {
    for (int v = 0; v < t->vectors; v++, i++) {
      const int partial = is_partial(t, v);
      if (partial)
        bd_text_format(
            text, "  vector.maskedstore %%matrix_c[%%y, %%i_%lld, %%n_%d], %%mask, %%sum#%d : ",
            (long long)r, v, i);
      else
        bd_text_format(text, "  vector.store %%sum#%d, %%matrix_c[%%y, %%i_%lld, %%n_%d] : ", i,
                       (long long)r, v);
      bd_panels_type_c(text, t->p);
      if (partial) bd_text_format(text, ", vector<%dxi1>", t->p->lanes);
      bd_text_format(text, ", ");
      write_vector(text, t);
      bd_text_format(text, "\n");
    }
  }
}

static void write_tile(bd_text *text, const tile *t) {
  write_begin(text, t);
  write_sums(text, t);
  write_end(text, t);
}

/* ---- The loops --------------------------------------------------------------------------------
 */

/* Rows of each line from %FIRST to %END, in tiles of so many rows each. */
typedef struct span {
  const char *first, *end;
  int64_t rows;
} span;

/* How many rounds share one row of the next panel, as a power of two; -1: B is not worth fetching
 * ahead, or there are too few tiles to do it. */
static int prefetch_shift(const bd_panels *p, int64_t rows) {
  const int64_t lines = p->m < MAX_BLOCK ? p->m : MAX_BLOCK;
  const int64_t tiles = p->lines * (lines / rows);
  int shift = 0;
  if (p->is_in_place || p->n * p->k < STREAMED || tiles < 2) return -1;
  while (((int64_t)2 << shift) <= tiles && shift < 4) shift++;
  return shift;
}

/* What write_prefetch needs: the tile's share of the next panel's rows begins at %ahead_first. */
static void write_ahead(bd_text *text, const bd_panels *p, const span *s, int i, int shift) {
  bd_text_format(text,
                 "  %%ahead_shift = arith.constant %d : index\n"
                 "  %%ahead_j = arith.addi %%j, %%c1 : index\n"
                 "  %%done = arith.subi %%i, %%%s : index\n"
                 "  %%in_line = arith.divui %%done, %%by_%d : index\n"
                 "  %%tiles_of_line = arith.constant %lld : index\n"
                 "  %%of_lines = arith.muli %%y, %%tiles_of_line : index\n"
                 "  %%number = arith.addi %%of_lines, %%in_line : index\n"
                 "  %%all_k = arith.constant %lld : index\n"
                 "  %%depth = arith.subi %%%s, %%k0 : index\n"
                 "  %%share = arith.shrui %%depth, %%ahead_shift : index\n"
                 "  %%shares = arith.muli %%number, %%share : index\n"
                 "  %%k0_share = arith.shrui %%k0, %%ahead_shift : index\n"
                 "  %%rest = arith.subi %%k0, %%k0_share : index\n"
                 "  %%ahead_first = arith.addi %%shares, %%rest : index\n",
                 shift, s->first, i, (long long)(p->m / s->rows), (long long)p->k,
                 p->segments > 1 ? "all_k" : "k1");
}

/* All tiles of one panel. */
static void write_spans(bd_text *text, const tile *t, const span *spans, int n_spans,
                        int is_last_panel) {
  for (int s = 0; s < n_spans; s++) {
    tile of_span = *t;
    of_span.rows = spans[s].rows;
    if (s == 0 && !is_last_panel) of_span.prefetch_shift = prefetch_shift(t->p, spans[s].rows);
    bd_text_format(text,
                   "  %%by_%d = arith.constant %lld : index\n"
                   "  scf.for %%i = %%%s to %%%s step %%by_%d {\n",
                   s, (long long)spans[s].rows, spans[s].first, spans[s].end, s);
    if (of_span.prefetch_shift >= 0) write_ahead(text, t->p, &spans[s], s, of_span.prefetch_shift);
    write_tile(text, &of_span);
    bd_text_format(text, "  }\n");
  }
}

/* Tiles of the spans of rows of the lines from %y0 to %y1, for every panel: whole ones, and a last
 * one with fewer columns. */
static void write_panels(bd_text *text, const bd_panels *p, const span *spans, int n_spans,
                         int is_blocked) {
  const int width = bd_panels_width(p);
  const int64_t whole = p->n / width, rest = p->n % width;
  for (int is_last = 0; is_last < 2; is_last++) {
    if (is_last ? rest == 0 : whole == 0) continue;
    const int64_t valid = is_last ? rest : width;
    const tile t = {p, 0, (int)((valid + p->lanes - 1) / p->lanes), valid, is_blocked, -1};
    bd_text_format(text,
                   "  %%j0_%d = arith.constant %lld : index\n"
                   "  %%j1_%d = arith.constant %lld : index\n"
                   "  scf.for %%j = %%j0_%d to %%j1_%d step %%c1 {\n"
                   "  scf.for %%y = %%y0 to %%y1 step %%c1 {\n",
                   is_last, (long long)(is_last ? whole : 0), is_last,
                   (long long)(is_last ? whole + 1 : whole), is_last, is_last);
    write_spans(text, &t, spans, n_spans, is_last);
    bd_text_format(text, "  }\n  }\n");
  }
}

static void write_number(bd_text *text, const char *name, int64_t number) {
  bd_text_format(text, "  %%%s = arith.constant %lld : index\n", name, (long long)number);
}

/* All rows, for the block of k from %k0 to %k1. */
static void write_blocks(bd_text *text, const bd_panels *p, int is_blocked) {
  const int64_t rows = rows_of_tile(p), main = p->m / rows * rows;
  write_number(text, "m0", 0);
  write_number(text, "m_main", main);
  write_number(text, "m_all", p->m);
  const span rest = {"m_main", "m_all", p->m - main};
  if (p->lines > 1 || p->m <= MAX_BLOCK) {
    const span spans[] = {{"m0", "m_main", rows}, rest};
    const int64_t of_line = p->line_a > 0 ? p->line_a : 1;
    write_number(text, "y_all", p->lines);
    write_number(text, "y_step", of_line < LINES_IN_CACHE ? LINES_IN_CACHE / of_line : 1);
    bd_text_format(text,
                   "  scf.for %%y0 = %%c0 to %%y_all step %%y_step {\n"
                   "  %%y_next = arith.addi %%y0, %%y_step : index\n"
                   "  %%y1 = arith.minsi %%y_next, %%y_all : index\n");
    write_panels(text, p, spans, rest.rows > 0 ? 2 : 1, is_blocked);
    bd_text_format(text, "  }\n");
    return;
  }
  write_number(text, "y0", 0);
  write_number(text, "y1", 1);
  write_number(text, "m_step", MAX_BLOCK / rows * rows);
  bd_text_format(text,
                 "  scf.for %%block = %%m0 to %%m_main step %%m_step {\n"
                 "  %%block_next = arith.addi %%block, %%m_step : index\n"
                 "  %%block_end = arith.minsi %%block_next, %%m_main : index\n");
  const span block = {"block", "block_end", rows};
  write_panels(text, p, &block, 1, is_blocked);
  bd_text_format(text, "  }\n");
  if (rest.rows > 0) write_panels(text, p, &rest, 1, is_blocked);
}

void bd_panels_write(bd_text *text, const bd_panels *p) {
  bd_text_format(text, "  %%never = arith.constant false\n");
  const int64_t depth = p->k / p->segments;
  if (p->segments > 1 || depth <= MAX_DEPTH) {
    write_number(text, "k0", 0);
    write_number(text, "k1", depth);
    write_blocks(text, p, 0);
    return;
  }
  const int64_t n_blocks = (p->k + DEPTH - 1) / DEPTH;
  write_number(text, "k_all", p->k);
  write_number(text, "k_step", ((p->k + n_blocks - 1) / n_blocks + 15) / 16 * 16);
  bd_text_format(text,
                 "  scf.for %%k0 = %%c0 to %%k_all step %%k_step {\n"
                 "  %%k_next = arith.addi %%k0, %%k_step : index\n"
                 "  %%k1 = arith.minsi %%k_next, %%k_all : index\n"
                 "  %%is_first = arith.cmpi eq, %%k0, %%c0 : index\n");
  write_blocks(text, p, 1);
  bd_text_format(text, "  }\n");
}
