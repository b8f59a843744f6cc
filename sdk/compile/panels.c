/* sdk/compile/panels.c: see panels.h. */
#include "sdk/compile/panels.h"

#include <stdio.h>

/* Blocks of k are as deep as pays the reading and writing of C; blocks of rows stay in L2. From
 * STREAMED elements on, B does not stay in the cache from panel to panel. */
enum { VECTORS = 2, MAX_DEPTH = 1280, DEPTH = 1024, MAX_BLOCK = 400, STREAMED = 64 * 1024 };

int bd_panels_width(const bd_panels *p) { return VECTORS * p->lanes; }

int64_t bd_panels_count(const bd_panels *p) {
  return (p->n + bd_panels_width(p) - 1) / bd_panels_width(p);
}

static void write_rows(bd_text *text, const bd_panels *p, int64_t rows, int64_t columns,
                       int64_t stride) {
  bd_text_format(text, "memref<%lldx%lldx%s, strided<[%lld, 1], offset: ?>>", (long long)rows,
                 (long long)columns, p->element, (long long)stride);
}

void bd_panels_type_a(bd_text *text, const bd_panels *p) {
  write_rows(text, p, p->m, p->k, p->lda);
}
void bd_panels_type_c(bd_text *text, const bd_panels *p) {
  write_rows(text, p, p->m, p->n, p->ldc);
}

void bd_panels_type_b(bd_text *text, const bd_panels *p) {
  if (p->is_in_place) {
    write_rows(text, p, p->k, p->n, p->ldb);
    return;
  }
  bd_text_format(text, "memref<%lldx%lldx%dx%s>", (long long)bd_panels_count(p), (long long)p->k,
                 bd_panels_width(p), p->element);
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
      snprintf(place, sizeof(place), "%%matrix_c[%%i_%lld, %%n_%d]", (long long)r, v);
      bd_text_format(text, "    %%old_%lld_%d = ", (long long)r, v);
      write_load(text, t, v, place, bd_panels_type_c);
    }
  }
  bd_text_format(text, "    scf.yield ");
  for (int64_t r = 0; r < t->rows; r++) {
    for (int v = 0; v < t->vectors; v++)
      bd_text_format(text, "%s%%old_%lld_%d", r + v > 0 ? ", " : "", (long long)r, v);
  }
  bd_text_format(text, " : ");
  write_vector_types(text, t);
  bd_text_format(text, "\n  }\n");
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
  const int line = 64 / (t->p->element[1] == '3' ? 4 : 8);
  bd_text_format(text,
                 "    %%ahead_k = arith.shrui %%k, %%ahead_shift : index\n"
                 "    %%ahead_row = arith.addi %%ahead_k, %%ahead_first : index\n"
                 "    %%ahead_odd = arith.andi %%k, %%c1 : index\n"
                 "    %%ahead_line = arith.constant %d : index\n"
                 "    %%ahead_column = arith.muli %%ahead_odd, %%ahead_line : index\n"
                 "    memref.prefetch %%panels[%%ahead_j, %%ahead_row, %%ahead_column], read, "
                 "locality<2>, data : ",
                 line);
  bd_panels_type_b(text, t->p);
  bd_text_format(text, "\n");
}

static void write_sums(bd_text *text, const tile *t) {
  const bd_panels *p = t->p;
  bd_text_format(text, "  %%sum:%lld = scf.for %%k = %%k0 to %%k1 step %%c1 iter_args(",
                 (long long)(t->rows * t->vectors));
  for (int64_t r = 0; r < t->rows; r++) {
    for (int v = 0; v < t->vectors; v++) {
      bd_text_format(text, "%s%%acc_%lld_%d = ", r + v > 0 ? ", " : "", (long long)r, v);
      write_begin_name(text, t, r, v);
    }
  }
  bd_text_format(text, ") -> (");
  write_vector_types(text, t);
  bd_text_format(text, ") {\n");
  if (t->prefetch_shift >= 0) write_prefetch(text, t);
  for (int v = 0; v < t->vectors; v++) {
    bd_text_format(text, "    %%b_%d = ", v);
    if (p->is_in_place) {
      char place[64];
      snprintf(place, sizeof(place), "%%panels[%%k, %%n_%d]", v);
      write_load(text, t, v, place, bd_panels_type_b);
      continue;
    }
    bd_text_format(text, "vector.load %%panels[%%j, %%k, %%lane_%d] : ", v);
    bd_panels_type_b(text, p);
    bd_text_format(text, ", ");
    write_vector(text, t);
    bd_text_format(text, "\n");
  }
  for (int64_t r = 0; r < t->rows; r++) {
    bd_text_format(text, "    %%a_%lld = memref.load %%matrix_a[%%i_%lld, %%k] : ", (long long)r,
                   (long long)r);
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
  bd_text_format(text, "    scf.yield ");
  for (int64_t r = 0; r < t->rows; r++) {
    for (int v = 0; v < t->vectors; v++)
      bd_text_format(text, "%s%%next_%lld_%d", r + v > 0 ? ", " : "", (long long)r, v);
  }
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
        bd_text_format(text,
                       "  vector.maskedstore %%matrix_c[%%i_%lld, %%n_%d], %%mask, %%sum#%d : ",
                       (long long)r, v, i);
      else
        bd_text_format(text, "  vector.store %%sum#%d, %%matrix_c[%%i_%lld, %%n_%d] : ", i,
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

/* Rows from %FIRST to %END, in tiles of so many rows each. */
typedef struct span {
  const char *first, *end;
  int64_t rows;
} span;

/* How many rounds share one row of the next panel, as a power of two; -1: B is not worth fetching
 * ahead, or there are too few tiles to do it. */
static int prefetch_shift(const bd_panels *p, int64_t rows) {
  const int64_t tiles = (p->m < MAX_BLOCK ? p->m : MAX_BLOCK) / rows;
  int shift = 0;
  if (p->is_in_place || p->n * p->k < STREAMED || tiles < 2) return -1;
  while (((int64_t)2 << shift) <= tiles) shift++;
  return shift;
}

/* What write_prefetch needs: the tile's share of the next panel's rows begins at %ahead_first. */
static void write_ahead(bd_text *text, const char *first, int s, int shift) {
  bd_text_format(text,
                 "  %%ahead_shift = arith.constant %d : index\n"
                 "  %%ahead_j = arith.addi %%j, %%c1 : index\n"
                 "  %%done = arith.subi %%i, %%%s : index\n"
                 "  %%number = arith.divui %%done, %%by_%d : index\n"
                 "  %%depth = arith.subi %%k1, %%k0 : index\n"
                 "  %%share = arith.shrui %%depth, %%ahead_shift : index\n"
                 "  %%shares = arith.muli %%number, %%share : index\n"
                 "  %%k0_share = arith.shrui %%k0, %%ahead_shift : index\n"
                 "  %%rest = arith.subi %%k0, %%k0_share : index\n"
                 "  %%ahead_first = arith.addi %%shares, %%rest : index\n",
                 shift, first, s);
}

/* Tiles of the spans of rows, for every panel: whole ones, and a last one with fewer columns. */
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
                   "  scf.for %%j = %%j0_%d to %%j1_%d step %%c1 {\n",
                   is_last, (long long)(is_last ? whole : 0), is_last,
                   (long long)(is_last ? whole + 1 : whole), is_last, is_last);
    for (int s = 0; s < n_spans; s++) {
      tile of_span = t;
      of_span.rows = spans[s].rows;
      if (s == 0 && !is_last) of_span.prefetch_shift = prefetch_shift(p, spans[s].rows);
      bd_text_format(text,
                     "  %%by_%d = arith.constant %lld : index\n"
                     "  scf.for %%i = %%%s to %%%s step %%by_%d {\n",
                     s, (long long)spans[s].rows, spans[s].first, spans[s].end, s);
      if (of_span.prefetch_shift >= 0) write_ahead(text, spans[s].first, s, of_span.prefetch_shift);
      write_tile(text, &of_span);
      bd_text_format(text, "  }\n");
    }
    bd_text_format(text, "  }\n");
  }
}

static void write_number(bd_text *text, const char *name, int64_t number) {
  bd_text_format(text, "  %%%s = arith.constant %lld : index\n", name, (long long)number);
}

/* All rows, for the block of k from %k0 to %k1. */
static void write_blocks(bd_text *text, const bd_panels *p, int is_blocked) {
  const int64_t tiles = (p->m + p->max_rows - 1) / p->max_rows;
  const int64_t rows = (p->m + tiles - 1) / tiles, main = p->m / rows * rows;
  write_number(text, "m0", 0);
  write_number(text, "m_main", main);
  write_number(text, "m_all", p->m);
  const span rest = {"m_main", "m_all", p->m - main};
  if (p->m <= MAX_BLOCK) {
    const span spans[] = {{"m0", "m_main", rows}, rest};
    write_panels(text, p, spans, rest.rows > 0 ? 2 : 1, is_blocked);
    return;
  }
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
  if (p->k <= MAX_DEPTH) {
    write_number(text, "k0", 0);
    write_number(text, "k1", p->k);
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
