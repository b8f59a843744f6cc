// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/blocks.c: sizes of blocks that stay in the second cache. */
#include "sdk/compile/kernels/tile/blocks.h"

#include "sdk/compile/extents.h"

/* Blocks of k are at least so deep that the reading and writing of C is paid, and no deeper than
 * that two panels fit beside the rows. Each block of rows goes through all of B: where B is packed on the way, k is cut
 * and not the rows. */
enum { MIN_DEPTH = 512, MAX_BLOCK = 400 };

/* Elements that a quarter of L2 holds. */
int64_t bd_blocks_streamed(const bd_machine *machine) { return machine->l2 / 16; }

bool bd_blocks_is_streamed(const bd_panels *p) {
  return p->n * p->k >= bd_blocks_streamed(p->machine);
}

/* Panels of 32 columns, of 4 bytes each. */
int64_t bd_blocks_most_depth(const bd_machine *machine) { return machine->l2 / 4096 * 5; }

/* Of A, that a block of rows may hold: a panel, the next one and C go by beside it. */
static int64_t elements_of_block(const bd_panels *p) {
  return p->machine->l2 / 8 * 5 / p->element->bytes;
}

/* Of A and C, that a block of lines may hold. Where B as a whole is small, going through it once
 * more for each block costs nothing, and blocks are as small as what is left of L2. */
static int64_t elements_of_lines(const bd_panels *p) {
  return p->machine->l2 / 512 * (bd_blocks_is_streamed(p) ? 100 : 25);
}

/* All rows of A, of all of k, are no block. */
static bool is_large(const bd_panels *p) {
  const int64_t depth = bd_panels_depth(p);
  return depth == p->k &&
         (depth > bd_blocks_most_depth(p->machine) || p->m * depth > elements_of_block(p));
}

bool bd_blocks_repeat(const bd_panels *p) {
  enum { MANY_COLUMNS = 512, LONG_K = 640 };
  return is_large(p) && p->n >= MANY_COLUMNS && p->k >= LONG_K && p->m > MAX_BLOCK &&
         p->lines == 1 && p->slices == 1 && !p->words && !p->is_part && !p->is_in_place &&
         !p->has_any_depth && !p->has_any_rows;
}

/* Blocks of rows read panels that are there; of what is packed for each block, of words and of images it is k that is cut. */
static bool are_cut_by_rows(const bd_panels *p) {
  return p->lines == 1 && p->slices == 1 && !p->words && !p->is_part && !p->is_in_place &&
         !p->is_fresh && !p->has_any_depth;
}

int64_t bd_blocks_depth(const bd_panels *p) {
  const int64_t deep = p->machine->l2 / 1024;
  int64_t most = are_cut_by_rows(p) ? deep : elements_of_block(p) / p->m;
  if (!is_large(p)) return bd_panels_depth(p);
  if (most > deep) most = deep;
  if (most < MIN_DEPTH) most = MIN_DEPTH;
  return bd_divide_up(bd_divide_up(p->k, bd_divide_up(p->k, most)), 16) * 16;
}

/* Where B stays in cache and C does not, C is written row after row, and not panel by panel: the processor fetches lines
 * that follow one another by itself. With AVX-512, 1000 x 32 x 1000 takes 0.70 of the time, 3136 x 128 x 512 0.90,
 * 3136 x 256 x 256 0.95; where C stays, too, 197 x 64 x 197 would take 1.02 to 1.06, tiles of any height 1.06 to 1.11,
 * words 1.06 to 1.19. What B has in place lies on too many pages for that if k is long. */
static bool goes_by_rows(const bd_panels *p, int64_t depth) {
  enum { LONG_IN_PLACE = 128 };
  return p->lines == 1 && !p->has_any_rows && !p->is_fresh && !p->is_part && !p->words &&
         depth == p->k && !bd_blocks_is_streamed(p) &&
         p->m * p->n >= bd_blocks_streamed(p->machine) &&
         (!p->is_in_place || p->k <= LONG_IN_PLACE);
}

/* Few rows are all over before a panel's loops pay: 8 x 512 x 2048 of bf16 took 1.1 of the time. */
bool bd_blocks_can_be_aside(const bd_panels *p) {
  enum { LEAST_ROWS = 16 };
  return p->lines == 1 && p->m >= LEAST_ROWS && !p->has_any_rows && !p->is_part &&
         bd_blocks_depth(p) == p->k &&
         p->m * bd_panels_width(p) * p->element->bytes <= p->machine->l2 / 2;
}

/* Sums that lie aside stay in L1, where B is not read from memory for each block: 1000 x 32 x 1000 of bf16 takes 0.8 of the
 * time. */
int64_t bd_blocks_rows(const bd_panels *p, int64_t depth, int64_t of_tile) {
  if (goes_by_rows(p, depth)) return of_tile;
  const int64_t room = elements_of_block(p) / depth,
                aside = p->machine->l1 / 2 / (bd_panels_width(p) * p->element->bytes);
  int64_t most = room < MAX_BLOCK ? room : MAX_BLOCK;
  if (p->is_aside && !bd_blocks_is_streamed(p) && most > aside) most = aside;
  const int64_t tiles = bd_divide_up(p->m, of_tile), fit = most / of_tile;
  return bd_divide_up(tiles, bd_divide_up(tiles, fit > 1 ? fit : 1)) * of_tile;
}

bool bd_blocks_are_far(const bd_panels *p) {
  const int64_t bytes = bd_panels_element(p)->bytes,
                of_line = bd_extents_usual(p->extents, p->line_a);
  return p->of_group > 0 && p->lines * of_line > p->machine->l2 / bytes;
}

int64_t bd_blocks_lines(const bd_panels *p) {
  const int64_t room = elements_of_lines(p);
  const int64_t of_line =
      bd_extents_usual(p->extents, p->line_a) + bd_extents_usual(p->extents, p->line_c);
  if (of_line == 0) return p->lines;
  return of_line < room ? room / of_line : 1;
}
