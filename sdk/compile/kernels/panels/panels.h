// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels/panels.h: products of matrices whose sizes are known: loops written for one
 * shape.
 *
 * C is computed a tile at a time, as many rows by two vectors as the registers hold. B is read a
 * panel at a time: panel j holds columns j·NR to (j+1)·NR, row by row, so that the innermost loop
 * reads it from front to back; where B's own rows are short they are read in place. A is read in
 * place, one element broadcast at a time: its rows must be dense. Only where these rows crowd one
 * another out of the cache it is copied first (tile/staging.h).
 *
 *   for each KC of k                  (a block of A and a panel of B stay in L2)
 *     for each MC rows
 *       for each panel of B
 *         for each tile of rows:      the tile += rows of A · the panel
 *
 * For convolutions the rows of A and C are places in an image, line by line, and a row of A is
 * several segments of it, one for each line of the window, which may be in several pieces, one for
 * each of its places: A[line][row][segment][piece][k / segments / pieces] with whatever strides,
 * overlapping too. Products have one line, one segment and one piece.
 *
 * The panels of a convolution in groups are several slices, and each reads channels of its own. Where
 * several small groups fill a vector, its lanes are of their own group each: a vector of A's channels is
 * read as it is, and each channel of a group takes the lanes of its group in turn. Each place of A's
 * rows is then gone through by all panels before the next: depthwise ones are little else than reading.
 *
 * Bytes are multiplied four at a time and bf16 two at a time (tile/dot_packing.h): a word of them is an
 * element of A and B, and all sizes and distances are counted in words. Panels of bytes have one
 * more row, which sums begin with (bytes.mlir), so that C must not begin with what is there.
 *
 * Rows are shared out evenly: 128 rows in tiles of 14 at most are nine of 13 and one of 11. Of
 * lines of 7 rows, a tile has two. Of any number of rows, the run chooses one of a few heights by
 * the same rule, and the last tile may have fewer rows than it has places for.
 *
 * Threads share the panels of each block of k, or where these are few the lines or the tiles of
 * rows: the loops inside the first are one round of a parallel loop whose units are these
 * (parallel_for.h). */
#ifndef BUDDY_SDK_COMPILE_PANELS_H
#define BUDDY_SDK_COMPILE_PANELS_H

#include <stdbool.h>

#include "sdk/compile/kernels/tile/dot_packing.h"

#define BD_MAX_EXTRAS 24 /* of an epilogue (epilogue.h) */

/* What the tile C begins with. */
typedef enum bd_begin { BD_BEGIN_OLD, BD_BEGIN_ZERO, BD_BEGIN_ROW } bd_begin;

typedef struct bd_panels {
  const bd_machine *machine;   /* that the loops are for */
  const bd_element *element;   /* f32 or f64; that of sums where there are words */
  const bd_dot_packing *words; /* A and B are of these, C of their sums; null: of single elements */
  int64_t lines, m, n, k;      /* m: rows of a line; k: of all segments together */
  bool has_any_rows;  /* of a line there are %n_rows, index, which only a run knows; m: for how
                                 many blocks are chosen */
  bool has_any_lines; /* of those there are %n_lines; lines: likewise */
  const struct bd_extents
      *extents;         /* what distances from line to line, of segments and of pieces may be made
                                       of; null: they are known */
  bool has_any_columns; /* of a part: C has room for %end_of_panels whole panels, and its rows
                                 are %pitch apart; n: for how many code is chosen */
  bool has_any_depth;   /* of a part: rows of A are %pitch apart, panels of B %of_panel */
  int64_t segments, pieces;   /* pieces: of a segment */
  bool has_any_parts;         /* of all pieces, those of %n_parts are done: A begins with the first
                                 of them, and each panel is read from %first_row on */
  int64_t line_a, line_c;     /* elements from line to line */
  int64_t lda, ldb, ldc;      /* from row to row; ldb only if is_in_place or is_fresh */
  int64_t segment_a, piece_a; /* from segment to segment, from piece to piece */
  int64_t slices, slice_a;    /* as many panels each, whole ones: those of one slice read A so many
                                 elements after those of the slice before */
  int of_group; /* channels of each group, and columns, where a vector has several groups: an element
                   of a row of A is then one of each group of the slice; 0: no such groups */
  int64_t round_a;    /* then elements of A from place to place of the window */
  int vectors;        /* of a panel */
  bool is_in_place;   /* B is read where it is: its rows are dense */
  bool is_staged;     /* A is read in a copy (tile/staging.h) */
  bool is_fresh;      /* each panel is packed from %matrix_b before its tiles */
  bool is_aside;      /* a panel's sums are in %aside; what follows makes others, in %to_base */
  bool is_part;       /* of a larger loop: no threads share it, and of B it has the panels before
                       %end_of_panels, of k what is before %end_of_k, which are there */
  int64_t amx_step;   /* words of k that AMX takes at a time (tile/amx.h); 0: it takes none */
  int prepacked_rows; /* of bd_panels_columns each, after the panels */
  bd_begin begin;
  const struct bd_epilogue *epilogue;       /* of an image; null: none */
  const struct bd_epilogue *panel_epilogue; /* done panel by panel, of a product; null: none */
  int lanes;                                /* elements of a vector */
  int64_t
      of_run; /* rounds of k, at most, that are a sum of their own (tile/tile.c); bd_panels_init: 256 */
} bd_panels;

/* Of A and B. */
const bd_element *bd_panels_element(const bd_panels *p);

/* Columns of a panel, and how many panels B makes. */
int bd_panels_width(const bd_panels *p);
int64_t bd_panels_count(const bd_panels *p);
/* Columns of all panels together. */
int64_t bd_panels_columns(const bd_panels *p);

/* Pieces of a row of A, of all segments; and elements of one. */
int64_t bd_panels_parts(const bd_panels *p);
int64_t bd_panels_depth(const bd_panels *p);

/* One line, one segment, one piece, two vectors; the sizes and the rest are the caller's. machine:
 * lives as long as the panels. */
void bd_panels_init(bd_panels *p, const bd_machine *machine, const bd_element *element);
/* As many vectors to a panel as make the most of lines of m rows. */
void bd_panels_choose_vectors(bd_panels *p);

/* True if panels have one more row, which sums begin with. */
int bd_panels_are_shifted(const bd_panels *p);
/* Rows of a panel. */
int64_t bd_panels_depth_of_panel(const bd_panels *p);

/* Multiplications and additions that cost as much as an operation on an element in memory, which the
 * runtime counts; and those of a window that is gone through place by place. */
enum { BD_STEPS_AT_ONCE = 8, BD_PLACES_AT_ONCE = 4 };
/* Of the whole product, as the runtime counts it. */
int64_t bd_panels_cost(const bd_panels *p);

/* Begins the one round of a parallel loop over n units: it does those from %NAME_first to before
 * %NAME_last, which may be any part of the whole (parallel_for.h). n: -1 if %NAME_units is there. */
void bd_units_begin(bd_text *text, const char *name, int64_t n);
/* cost: of one unit, as the runtime counts it. */
void bd_units_end(bd_text *text, int64_t cost);

/* %MATRIX_base, memref<element>, and %MATRIX_at: where the matrix a or c begins, at element %AT of the buffer
 * %BUFFER; of words, the first of them. */
void bd_panels_write_matrix(bd_text *text, const bd_panels *p, const char *matrix,
                            const char *buffer, const char *at);

/* The type of the panels, or of B in place. */
bd_phrase bd_panels_type_b(const bd_panels *p);
/* Sums of a panel that lie aside are C from here up to the end; nothing where they do not. */
void bd_panels_write_aside(bd_text *text, const bd_panels *p);
void bd_panels_write_aside_end(bd_text *text, const bd_panels *p);

/* %panels of the slot %slot, i64, and %kept_row_K_point, memref<element>, where row K after them
 * begins: what is written between the two fills them, in the first run. */
void bd_panels_write_prepacked(bd_text *text, const bd_panels *p);
void bd_panels_write_prepacked_end(bd_text *text);

struct bd_kernels;
/* The loops, over A, %panels of that type (%matrix_b, dense rows, if is_fresh) and C (%to_base if is_aside), and %row_base, if the tiles begin with a row,
 * and the epilogue's %extra_K_base from %extra_K_at on; %c0 and %c1 are constants. What they do to tiles are functions
 * that are added to the kernels (tile/tiles.h). */
void bd_panels_write(bd_text *text, const bd_panels *p, struct bd_kernels *kernels);

#endif
