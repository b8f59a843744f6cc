// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/parts.h: what the beginning and the end of a tile's text share. */
#ifndef BUDDY_SDK_COMPILE_TILE_PARTS_H
#define BUDDY_SDK_COMPILE_TILE_PARTS_H

#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/tile/tile.h"

/* How vector v of a row is read and written. */
bd_vectors bd_tile_access(const bd_tile *t, int v);
/* Vector v of a row, at `place` in a buffer, as an expression. */
bd_phrase bd_tile_load(const bd_tile *t, int v, const char *place);
/* Row %ROW of %matrix_b, in %b0_V, and stored to the panel. */
void bd_tile_write_packed_row(bd_text *text, const bd_tile *t, const char *row);
/* %NAME_R: where row R of a matrix begins that lies at %MATRIX_at, with %LINE and %ROW: each from
 * the one before. */
void bd_tile_write_row_places(bd_text *text, const bd_tile *t, const char *name, const char *matrix,
                              const char *line, const char *row);
/* True if elements of the tile's rows lie side by side (staging.h). */
bool bd_tile_is_in_turn(const bd_tile *t);
/* The number of the sum of row R and vector V. */
int64_t bd_tile_sum(const bd_tile *t, int64_t r, int v);
/* What sum $n begins with if this is the first block of k, where $v is the number of vectors. */
const char *bd_tile_first(const bd_tile *t);
/* %RESULT = the rounds of one part or run: from %from to %to, of k after %to_k. Sum $n begins as FROM. */
void bd_tile_write_rounds(bd_text *text, const bd_tile *t, const char *result, const char *from);
/* Stores the sums %sum#I; an epilogue is done with whole ones alone: those of all blocks of k. */
void bd_tile_write_end(bd_text *text, const bd_tile *t);

#endif
