// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels/tiles.c: how high and how wide tiles are, for what is to be multiplied. */
#include <stdbool.h>

#include "sdk/compile/kernels/tile/amx.h"
#include "sdk/compile/kernels/tile/blocks.h"
#include "sdk/compile/kernels/panels/parts.h"

enum { MAX_VECTORS = 4 };

/* Sums of a tile that keep the processor busy while each waits for its last addition; and so many that more of them are
 * worth nothing. */
enum { INDEPENDENT = 12, ENOUGH_SUMS = 16 };

/* Elements of a panel: it and the next one are to stay in L2. */
static int64_t most_of_panel(const bd_panels *p) { return p->machine->l2 / 32 * 5; }

/* So many rounds that adding up what they make, with registers that make room for it, costs nothing beside them, and not
 * more than the blocks of k have elsewhere. */
enum { ROUNDS_OF_RUN = 256 };

void bd_panels_init(bd_panels *p, const bd_machine *machine, const bd_element *element) {
  *p = (bd_panels){.machine = machine,
                   .element = element,
                   .lines = 1,
                   .segments = 1,
                   .pieces = 1,
                   .slices = 1,
                   .vectors = 2,
                   .lanes = bd_machine_lanes(machine, element->bytes),
                   .of_run = ROUNDS_OF_RUN};
}

bool bd_panels_is_grouped(const bd_panels *p) {
  return bd_machine_sums(p->machine) >= 28 && p->vectors == 2 && !p->words && p->amx_step == 0 &&
         !p->is_in_place && !p->is_fresh && !p->is_part && p->lines == 1 &&
         bd_panels_parts(p) == 1 && p->k % BD_GROUP == 0 && p->m >= bd_machine_sums(p->machine) &&
         bd_blocks_is_streamed(p);
}

static int max_sums(const bd_panels *p) {
  return bd_machine_sums(p->machine) - (bd_panels_is_grouped(p) ? 2 : 0);
}

/* Rows of A whose places there are registers for: were there more, each round would read the rest of the places from
 * memory, besides what is there. */
enum { MOST_ADDRESSES = 14 };

/* Rows of a tile in which an element of A is a vector that is multiplied once: as many sums as hide the time that one
 * takes. */
enum { ROWS_OF_VECTORS = 8 };

/* Registers are for the sums, a row of the panel, and an element of A. max_sums is how many sums
 * there may be beside a row of two vectors; one too many, and LLVM moves all of them around. */
static int64_t most_rows(const bd_panels *p) {
  if (p->amx_step > 0) return BD_AMX_ROWS_OF_TILE;
  if (p->of_group == 1) return ROWS_OF_VECTORS;
  if (p->of_group > 0) return max_sums(p) + 2 - p->of_group; /* all its rows of the panel at once */
  const int64_t rows = (max_sums(p) + 2 - p->vectors) / p->vectors;
  return rows < MOST_ADDRESSES ? rows : MOST_ADDRESSES;
}

int64_t bd_panels_rows_of_tile(const bd_panels *p) {
  if (p->has_any_rows) return most_rows(p);
  const int64_t tiles = bd_divide_up(p->m, most_rows(p));
  return bd_divide_up(p->m, tiles);
}

int64_t bd_panels_lines_of_tile(const bd_panels *p) {
  if (p->has_any_rows || p->lines <= 1) return 1;
  if (p->amx_step > 0) return p->m <= BD_AMX_ROWS ? 2 : 1; /* a register each */
  const int64_t most = most_rows(p) / p->m > 1 ? most_rows(p) / p->m : 1;
  return bd_divide_up(p->lines, bd_divide_up(p->lines, most));
}

int bd_panels_shift_of(int64_t tiles) {
  int shift = 0;
  while (((int64_t)2 << shift) <= tiles && shift < BD_LAST_SHIFT) ++shift;
  return tiles < 2 ? -1 : shift;
}

/* Slices are of whole panels. */
static int divides_slices(const bd_panels *p) {
  if (p->of_group > 0) return p->vectors == 1;
  return p->slices == 1 || p->n / p->slices % bd_panels_width(p) == 0;
}

/* Sums of a tile, of which those that are of no column count for nothing. */
static int64_t useful_sums(const bd_panels *p) {
  const int64_t sums = bd_panels_lines_of_tile(p) * bd_panels_rows_of_tile(p) * p->vectors;
  const int64_t n_made = bd_divide_up(p->n, bd_panels_width(p)) * bd_panels_width(p);
  return p->has_any_columns || n_made == 0 ? sums : sums * p->n / n_made;
}

void bd_panels_choose_vectors(bd_panels *p) {
  int64_t most = 0;
  p->vectors = 2;
  int best = divides_slices(p) ? 2 : 1;
  for (p->vectors = best; p->vectors <= MAX_VECTORS && p->vectors <= bd_machine_sums(p->machine);
       ++p->vectors) {
    const int64_t sums = useful_sums(p);
    const bool is_too_wide =
        p->vectors > 2 && (p->n <= (p->vectors - 1) * p->lanes ||
                           (!p->is_in_place && p->k * bd_panels_width(p) > most_of_panel(p)));
    /* Every width has code of its own. Bytes of A are made unsigned for each row of a tile: the
     * more columns share that, the better, as long as sums need not wait for one another. */
    const bool is_better =
        bd_panels_are_shifted(p) ? sums >= INDEPENDENT : most < ENOUGH_SUMS && 8 * sums > 9 * most;
    if (!is_better || is_too_wide || !divides_slices(p)) continue;
    most = sums;
    best = p->vectors;
  }
  p->vectors = best;
}

int64_t bd_panels_cost(const bd_panels *p) {
  const int64_t rows = p->has_any_rows ? most_rows(p) : p->m; /* at least so many, as a rule */
  return p->lines * rows * p->n * p->k / BD_STEPS_AT_ONCE;
}
