// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile_parts.h: what the beginning and the end of a tile's text share. */
#ifndef BUDDY_SDK_COMPILE_TILE_PARTS_H
#define BUDDY_SDK_COMPILE_TILE_PARTS_H

#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/tile.h"

/* The type of one vector. */
bd_phrase bd_tile_vector(const bd_tile *t);
/* How vector v of a row is read and written. */
bd_vectors bd_tile_access(const bd_tile *t, int v);
/* %NAME = vector v of a row, at `place` in a buffer of that type. */
void bd_tile_write_load(bd_text *text, const bd_tile *t, int v, const char *name, const char *place,
                        const char *type);
/* Row %ROW of %matrix_b, in %b_V, and stored to the panel, whose buffer has that type. */
void bd_tile_write_packed_row(bd_text *text, const bd_tile *t, const char *row,
                              const char *type_of_panels);
/* %NAME_R: where row R of a matrix begins that lies at %MATRIX_at, with %LINE and %ROW: each from
 * the one before. */
void bd_tile_write_row_places(bd_text *text, const bd_tile *t, const char *name, const char *matrix,
                              const char *line, const char *row);

/* True if elements of the tile's rows lie side by side (staging.h). */
bool bd_tile_is_in_turn(const bd_tile *t);
/* The number of the sum of row R and vector V. */
int64_t bd_tile_sum(const bd_tile *t, int64_t r, int v);
/* A loop's end: its results are the tile's values FROM and a number (ir_text.h). */
void bd_tile_write_yield(bd_text *text, const bd_tile *t, const char *from);
/* What the sums of vector v begin with if this is the first block of k. */
bd_phrase bd_tile_first(const bd_tile *t, int v);
/* The end of the head of a loop that carries the sums as NAME and a number: they begin as FROM, or if that is null as
 * the tile does. */
void bd_tile_write_carried(bd_text *text, const bd_tile *t, const char *name, const char *from);
/* %RESULT = the rounds of one part or run: from %from to %to, of k after %to_k. The sums begin as
 * those of bd_tile_write_carried. */
void bd_tile_write_rounds(bd_text *text, const bd_tile *t, const char *result, const char *from);
/* Stores the sums %sum#I; an epilogue is done with whole ones alone: those of all blocks of k. */
void bd_tile_write_end(bd_text *text, const bd_tile *t);

#endif
