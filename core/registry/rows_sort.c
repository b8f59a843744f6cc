// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/rows_sort.c: rows in the order in which they are asked.
 *
 * Tables are mostly written in order, and what is sorted last is the tables of all registries, each
 * in order already. So this merges the runs that are there: no comparisons but one for each row
 * where there is one run, and as few rounds as the number of runs asks for. Pointers are merged;
 * the rows, which are large, move once. */
#include <string.h>

#include "core/base/assert.h"
#include "core/base/memory.h"
#include "core/registry/rows.h"

typedef struct merge {
  const bd_row **from, **to; /* n each */
  size_t *starts;            /* of the runs in `from`, and n at the end */
  size_t n_runs;
} merge;

static int by_asking(const bd_row *x, const bd_row *y) {
  const int order = x->name == y->name ? 0 : strcmp(x->name, y->name);
  if (order) return order;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  if (x->op->benefit != y->op->benefit) return x->op->benefit > y->op->benefit ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static bool is_sorted(const bd_row *rows, size_t n) {
  size_t i = 1;
  while (i < n && by_asking(&rows[i - 1], &rows[i]) <= 0) ++i;
  return i >= n;
}

static void find_runs(merge *m, const bd_row *rows, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    m->from[i] = &rows[i];
    if (i == 0 || by_asking(&rows[i - 1], &rows[i]) > 0) m->starts[m->n_runs++] = i;
  }
  m->starts[m->n_runs] = n;
}

/* Of equal rows the one of the first run comes first. */
static void merge_two(const merge *m, size_t first, size_t second, size_t end) {
  size_t a = first, b = second;
  for (size_t at = first; at < end; ++at) {
    const bool is_first = b == end || (a < second && by_asking(m->from[a], m->from[b]) <= 0);
    m->to[at] = is_first ? m->from[a++] : m->from[b++];
  }
}

/* Every two neighbours become one run; an odd one at the end stays. */
static void merge_round(merge *m) {
  const size_t n_rows = m->starts[m->n_runs];
  size_t n_left = 0;
  for (size_t i = 0; i < m->n_runs; i += 2) {
    const size_t second = m->starts[i + 1];
    merge_two(m, m->starts[i], second, i + 1 < m->n_runs ? m->starts[i + 2] : second);
    m->starts[n_left++] = m->starts[i];
  }
  m->starts[n_left] = n_rows;
  m->n_runs = n_left;
  const bd_row **from = m->from;
  m->from = m->to;
  m->to = from;
}

/* order[i]: the row that belongs at i. Each circle of moves goes through one row outside. */
static void move_rows(bd_row *rows, const bd_row **order, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const bd_row first = rows[i];
    size_t at = i, from = (size_t)(order[i] - rows);
    while (from != i) {
      rows[at] = rows[from];
      order[at] = &rows[at];
      at = from;
      from = (size_t)(order[at] - rows);
    }
    rows[at] = first;
    order[at] = &rows[at];
  }
}

buddy_code bd_rows_sort(bd_row *rows, size_t n) {
  if (is_sorted(rows, n)) return BUDDY_OK;
  merge m = {.from = bd_calloc(n, sizeof *m.from),
             .to = bd_calloc(n, sizeof *m.to),
             .starts = bd_calloc(n + 1, sizeof *m.starts)};
  const bool has_memory = m.from && m.to && m.starts;
  if (has_memory) {
    find_runs(&m, rows, n);
    while (m.n_runs > 1) merge_round(&m);
    move_rows(rows, m.from, n);
    BD_ASSERT(is_sorted(rows, n));
  }
  bd_free(m.from);
  bd_free(m.to);
  bd_free(m.starts);
  return has_memory ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}
