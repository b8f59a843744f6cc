// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/blocks.h: blocks of a product that stay in the second cache while the panels
 * of B go by (panels/panels.h). */
#ifndef BUDDY_SDK_COMPILE_BLOCKS_H
#define BUDDY_SDK_COMPILE_BLOCKS_H

#include "sdk/compile/kernels/panels/panels.h"

/* A B of so many elements does not stay in the cache from panel to panel. */
int64_t bd_blocks_streamed(const bd_machine *machine);
bool bd_blocks_is_streamed(const bd_panels *p);

/* Elements of k that are done at a time, however few rows there are: two panels of such a depth fit
 * beside a block of rows. */
int64_t bd_blocks_most_depth(const bd_machine *machine);

/* True if A is so large that all of B goes by for each of several blocks of rows: packed once for all of them it is faster
 * than once for each. */
bool bd_blocks_repeat(const bd_panels *p);
/* Elements of k that are done at a time: all of them, or the depth of a block. */
int64_t bd_blocks_depth(const bd_panels *p);

/* True if the sums of a panel may lie aside (panels/panels.h): they are done at once, stay in cache, and are of more than a few
 * rows. */
bool bd_blocks_can_be_aside(const bd_panels *p);

/* Rows that a block of k so deep has, of tiles of `of_tile` rows; of products of one line. */
int64_t bd_blocks_rows(const bd_panels *p, int64_t depth, int64_t of_tile);

/* True if tiles go through the panels, and all lines of A are more than stays: they come from memory. */
bool bd_blocks_are_far(const bd_panels *p);

/* Lines of a block, of images. */
int64_t bd_blocks_lines(const bd_panels *p);

#endif
