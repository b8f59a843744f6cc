// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/staging.h: rows of A that would push one another out of the cache are copied into the order in which
 * tiles read them: block by block of rows, in one buffer that stays in L2.
 *
 * A tile reads an element of each of its rows in turn: they lie side by side in the copy, so that there is one
 * place to keep and one stream to read. With AVX-512, 577 x 1024 x 4096 took 0.8 of the time. Rows that do not meet are
 * read where they are, however many: 1444 x 728 x 728 took 1.25 with a copy.
 *
 * A tile reads a dozen rows of A at a time, a few elements of each, and comes back for the rest of
 * their cache lines. The first cache finds its place for a line by the address modulo 4096: where
 * rows are a multiple of that apart, they all meet in one place, which holds 8 to 12 lines, and
 * each element is fetched from the second cache anew. A product of many columns then takes 1.4
 * times as long. For AMX, whose registers are loaded row by row, and in images, copied rows stay
 * rows, an odd number of lines apart. */
#ifndef BUDDY_SDK_COMPILE_STAGING_H
#define BUDDY_SDK_COMPILE_STAGING_H

#include <stdbool.h>

#include "sdk/compile/kernels/panels/panels.h"

/* From so many multiplications of each element on, a copy is small beside the product. */
enum { BD_STAGED_COLUMNS = 256 };

/* True if of so many rows, `stride` elements apart, more meet in one place than it holds. */
bool bd_staging_is_crowded(const bd_machine *machine, const bd_element *element, int64_t stride,
                           int64_t rows);
/* How far apart copies of rows of so many elements lie. */
int64_t bd_staging_stride(const bd_machine *machine, const bd_element *element, int64_t n);

/* True if elements of a tile's rows lie side by side in the copy; else its rows do, one after the other. */
bool bd_staging_is_in_turn(const bd_panels *p);
/* True if tiles of so many rows are to read a copy of A, whose blocks of k are `depth` deep. */
int bd_staging_is_worthwhile(const bd_panels *p, int64_t rows, int64_t depth);

/* The same product over the copy. In turn, the tile that begins with row i has its elements from i · lda on. */
bd_panels bd_staging_of(const bd_panels *p, int64_t depth);

/* %a_copy, which holds one block of k of %of_copy rows; and its end. */
void bd_staging_write_buffer(bd_text *text, const bd_panels *staged);
void bd_staging_write_buffer_end(bd_text *text);

/* %staged_base and %staged_at, where A would begin if the copy had all of its rows: it has those from %rows_first to %rows_end,
 * and their elements from %k0 to %k1. Threads share the copying. p: the product over A; rows: of a tile, at the most,
 * which has %of_tile. */
struct bd_kernels;
void bd_staging_write(bd_text *text, const bd_panels *p, const bd_panels *staged, int64_t rows,
                      struct bd_kernels *kernels);

#endif
