// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/profile_memory.c: what memory a run takes: which intermediate results live when, where most
 * of them do, and what is kept of weights. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/cli/explorer.h"
#include "sdk/cli/json.h"
#include "sdk/cli/page.h"
#include "sdk/cli/profile.h"

uint64_t *bd_profile_alive(const bd_profile_report *r) {
  uint64_t *alive = bd_calloc(r->n + 1, sizeof(*alive));
  for (size_t i = 0; alive && i < buddy_program_n_places(r->program); ++i) {
    const buddy_place *place = buddy_program_place(r->program, i);
    if (place->first >= r->n) continue;
    alive[place->first] += place->n_bytes;
    alive[place->last < r->n ? place->last + 1 : r->n] -= place->n_bytes;
  }
  for (size_t k = 1; alive && k < r->n; ++k) alive[k] += alive[k - 1];
  return alive;
}

static void write_size(char text[32], uint64_t n_bytes) {
  static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
  double size = (double)n_bytes;
  size_t unit = 0;
  for (; size >= 1000 && unit < 4; ++unit) size /= 1000;
  snprintf(text, 32, "%.*f %s", unit > 0 && size < 100, size, units[unit]);
}

/* The first of the steps in which most is alive. */
static size_t find_peak(const bd_profile_report *r, uint64_t *out_bytes) {
  uint64_t *alive = bd_profile_alive(r);
  size_t peak = 0;
  *out_bytes = 0;
  for (size_t k = 0; alive && k < r->n; ++k) {
    if (alive[k] <= *out_bytes) continue;
    *out_bytes = alive[k];
    peak = k;
  }
  free(alive);
  return peak;
}

void bd_profile_peak(const bd_profile_report *r, char text[BD_PROFILE_MEMORY]) {
  char most[32], room[32], kept[32];
  uint64_t n_bytes, arena = 0;
  const size_t peak = find_peak(r, &n_bytes);
  for (size_t i = 0; i < buddy_program_n_places(r->program); ++i) {
    const buddy_place *place = buddy_program_place(r->program, i);
    if (place->start + place->n_bytes > arena) arena = place->start + place->n_bytes;
  }
  write_size(most, n_bytes);
  write_size(room, arena);
  write_size(kept, buddy_program_kept_bytes(r->program));
  const buddy_step *step = peak < r->n ? r->steps[peak] : NULL;
  char where[BD_PROFILE_MEMORY / 2] = "";
  if (step && n_bytes > 0)
    snprintf(where, sizeof(where), ", in step %zu (%.200s, %.200s)", peak, step->nodes,
             step->where);
  snprintf(
      text, BD_PROFILE_MEMORY,
      "%s of intermediate results of known sizes at most%s, in an arena of %s; %s of constants "
      "kept",
      most, where, room, kept);
}

static int by_size(const void *a, const void *b) {
  const uint64_t x = (*(const buddy_place *const *)a)->n_bytes,
                 y = (*(const buddy_place *const *)b)->n_bytes;
  return (x < y) - (x > y);
}

void bd_profile_print_memory(const bd_profile_report *r) {
  static const char *const headings[] = {"BYTES", "STEPS", "NODES", "WHERE"};
  char text[BD_PROFILE_MEMORY];
  uint64_t n_bytes;
  const size_t peak = find_peak(r, &n_bytes), n = buddy_program_n_places(r->program);
  const buddy_place **at_peak = bd_calloc(n + 1, sizeof(*at_peak));
  bd_table *table = bd_table_create(headings, 4);
  size_t n_at_peak = 0;
  for (size_t i = 0; at_peak && i < n; ++i) {
    const buddy_place *place = buddy_program_place(r->program, i);
    if (place->first <= peak && peak <= place->last) at_peak[n_at_peak++] = place;
  }
  if (at_peak) qsort(at_peak, n_at_peak, sizeof(*at_peak), by_size);
  for (size_t i = 0; table && i < n_at_peak; ++i) {
    char size[32], steps[64];
    snprintf(size, sizeof(size), "%10llu", (unsigned long long)at_peak[i]->n_bytes);
    snprintf(steps, sizeof(steps), "%zu to %zu", at_peak[i]->first, at_peak[i]->last);
    const char *cells[] = {size, steps, at_peak[i]->nodes, at_peak[i]->where};
    bd_table_add(table, cells);
  }
  printf("\n");
  if (table && n_at_peak > 0) bd_table_print(table, stdout);
  bd_table_destroy(table);
  free(at_peak);
  bd_profile_peak(r, text);
  printf("%s%s\n", n_at_peak > 0 ? "\n" : "", text);
}

void bd_profile_add_memory(json_t *page, const bd_profile_report *r) {
  static const bd_page_column columns[] = {
      {"nodes", "text", NULL, false, true},      {"line", "text", NULL, false, false},
      {"bytes", "number", "max", true, true},    {"from step", "number", NULL, false, false},
      {"to step", "number", NULL, false, false}, {"place", "number", NULL, false, false}};
  json_t *view = bd_page_view(page, "memory", "module", columns, 6);
  for (size_t i = 0; i < buddy_program_n_places(r->program); ++i) {
    const buddy_place *place = buddy_program_place(r->program, i);
    json_t *more = json_array();
    bd_page_tell(more, "module", place->module);
    bd_page_row(
        view,
        json_pack("[o, o, I, I, I, I]", bd_json_text(*place->nodes ? place->nodes : "(between)"),
                  bd_json_text(place->where), (json_int_t)place->n_bytes, (json_int_t)place->first,
                  (json_int_t)place->last, (json_int_t)place->start),
        bd_explorer_layer(place->module, strlen(place->module)), more);
  }
}
