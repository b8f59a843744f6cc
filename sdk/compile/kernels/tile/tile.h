// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/tile.h: one tile of a product of matrices, in registers; see panels/panels.h, whose
 * names the text uses. */
#ifndef BUDDY_SDK_COMPILE_TILE_H
#define BUDDY_SDK_COMPILE_TILE_H

#include <stdbool.h>

#include "sdk/compile/kernels/panels/panels.h"

/* `rows` of A at %i, of one line at %y or of several whole ones, by the panel %j, from %k0 to %k1;
 * of any number of rows so many of them as there are before %i_end.
 * valid: columns of the panel that are there. */
typedef struct bd_tile {
  const bd_panels *p;
  int64_t lines, rows; /* rows: of all lines together */
  int vectors;
  int64_t valid;
  const char *first_panel, *end_panel; /* of all panels that are there, where groups fill vectors */
  bool is_blocked;                     /* %is_first tells whether this is the first block of k */
  int prefetch_shift;                  /* of k; -1: nothing to be had in time */
  /* k is gone through in groups of BD_GROUP rounds, of which there are whole ones. */
  bool is_grouped;
  bool
      is_packing; /* what it reads of B, of %matrix_b, it writes to the panel for the tiles after it */
} bd_tile;

/* Of each of its lines. */
int64_t bd_tile_rows_of_line(const bd_tile *t);

/* Rounds that are written out where a tile fetches ahead: of what is fetched there is less than a
 * line for each, and finding out where it lies costs much beside one of them. */
enum { BD_GROUP = 4 };

/* True if the last vector has places beyond the last column: %n_valid, index, tells how many it has
 * before them. */
int bd_tile_is_partial(const bd_tile *t);
int64_t bd_tile_valid(const bd_tile *t);

/* %matrix_a and %matrix_c are the buffers that A begins in at %a_at, with %line_a and %lda, and C at
 * %c_at, with %line_c and %ldc. */

/* Of panel %j, the first column of each vector of it, %n_V, its place in the panel, %lane_V, and that
 * in a row of C, %into_V. */
void bd_tile_write_vectors(bd_text *text, const bd_tile *t);
/* Lines of the cache that it fetches for the next tile with each panel, where tiles go through the panels: of the last
 * line that this one reads. %lines_a */
int64_t bd_tile_lines_ahead(const bd_tile *t);
/* What packing and tiles of the panel need: these, and what masks the last. */
void bd_tile_write_columns(bd_text *text, const bd_tile *t);
/* Rows %k0 to %k1 of the panel, from %matrix_b; what is beyond the last column is 0. */
void bd_tile_write_packing(bd_text *text, const bd_tile *t);
/* The tile of row %i of line %y; where A's rows have several parts, these are %n_parts of
 * %part_size each, %n_pieces of a segment, %segment_a and %piece_a apart. */
void bd_tile_write(bd_text *text, const bd_tile *t);

#endif
