// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/report.c: one message for all nodes that nobody takes for the same reasons: how
 * many, of which types, at which lines of the user's program, and why each registry did not. */
#define _GNU_SOURCE
#include <string.h>

#include "core/base/array.h"
#include "core/registry/plan.h"

#define MAX_SHOWN 6 /* types and lines of one group */
#define MAX_NEAREST 3

/* ---- Sets of texts, in order of first sight ---- */
typedef struct sighting {
  const char *text;
  size_t count;
} sighting;

typedef struct sightings {
  sighting few[MAX_SHOWN];
  size_t n, n_more; /* different ones that found no room are only counted, each time */
} sightings;

static void see(sightings *seen, const char *text) {
  for (size_t i = 0; i < seen->n; ++i) {
    if (strcmp(seen->few[i].text, text) != 0) continue;
    ++seen->few[i].count;
    return;
  }
  if (seen->n < MAX_SHOWN) {
    seen->few[seen->n++] = (sighting){text, 1};
  } else {
    ++seen->n_more;
  }
}

static void append_sightings(const sightings *seen, const char *prefix, bd_text *text) {
  for (size_t i = 0; i < seen->n; ++i) {
    bd_text_format(text, "%s%s", i ? ", " : prefix, seen->few[i].text);
    if (seen->few[i].count > 1) bd_text_format(text, " (%zu times)", seen->few[i].count);
  }
  if (seen->n_more) bd_text_format(text, " and %zu more", seen->n_more);
}

/* ---- Groups ---- */
typedef struct group {
  const char *key;
  const bd_decision *first;
  size_t count;
  sightings types, lines;
  struct group *next; /* in order of first sight */
  UT_hash_handle hh;
} group;

typedef struct grouping {
  const buddy_plan *plan;
  bd_arena arena;
  group *by_key, *first, **end;
} grouping;

/* Op and reasons. Arguments' values are among the reasons, types are not unless a reason tells
 * them. */
static const char *make_key(grouping *all, const bd_decision *decision) {
  bd_text text;
  bd_text_init(&text);
  bd_text_string(&text, decision->shown.op);
  for (size_t i = 0; i < decision->shown.n_tries; ++i) {
    const buddy_try *one = &decision->shown.tries[i];
    bd_text_format(&text, "; %s: %s",
                   buddy_registries_get(all->plan->registries, one->registry)->name, one->reason);
  }
  const char *key = text.code == BUDDY_OK ? bd_arena_strdup(&all->arena, text.data) : NULL;
  bd_text_deinit(&text);
  return key;
}

static const char *types_text(grouping *all, const bd_decision *decision) {
  if (decision->shown.types) return decision->shown.types;
  bd_text text;
  bd_text_init(&text);
  if (decision->node) bd_node_types_text(decision->node, &text);
  const char *types = bd_arena_strdup(&all->arena, text.code == BUDDY_OK ? text.data : "");
  bd_text_deinit(&text);
  return types ? types : "";
}

/* "model.py:41 `x = torch.foo(y)`"; null if the node has no line. */
static const char *line_text(grouping *all, const buddy_location *location) {
  if (!location->file) return NULL;
  const char *slash = strrchr(location->file, '/'), *file = slash ? slash + 1 : location->file;
  if (!location->code || !*location->code)
    return bd_arena_format(&all->arena, "%s:%u", file, location->line);
  return bd_arena_format(&all->arena, "%s:%u `%s`", file, location->line, location->code);
}

static buddy_code sort_in(grouping *all, const bd_decision *decision) {
  bool hash_is_full = false;
  const char *key = make_key(all, decision);
  if (!key) return BUDDY_OUT_OF_MEMORY;
  group *one;
  HASH_FIND(hh, all->by_key, key, strlen(key), one);
  if (!one) {
    one = bd_arena_calloc(&all->arena, 1, sizeof *one);
    if (!one) return BUDDY_OUT_OF_MEMORY;
    one->key = key;
    one->first = decision;
    HASH_ADD_KEYPTR(hh, all->by_key, one->key, strlen(one->key), one);
    if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
    *all->end = one;
    all->end = &one->next;
  }
  ++one->count;
  see(&one->types, types_text(all, decision));
  const char *line = line_text(all, &decision->shown.location);
  if (line) see(&one->lines, line);
  return BUDDY_OK;
}

/* ---- Names that are near ---- */
/* Levenshtein's distance, or more than `limit`. */
static size_t distance(const char *a, const char *b, size_t limit) {
  size_t row[BD_MAX_OP_NAME];
  const size_t n = strlen(b);
  if (n >= BD_MAX_OP_NAME) return limit + 1;
  for (size_t i = 0; i <= n; ++i) row[i] = i;
  for (size_t i = 0; a[i]; ++i) {
    size_t diagonal = row[0], best = ++row[0];
    for (size_t k = 0; k < n; ++k) {
      const size_t changed = diagonal + (a[i] != b[k]);
      const size_t moved = (row[k] < row[k + 1] ? row[k] : row[k + 1]) + 1;
      diagonal = row[k + 1];
      row[k + 1] = changed < moved ? changed : moved;
      if (row[k + 1] < best) best = row[k + 1];
    }
    if (best > limit) return limit + 1;
  }
  return row[n];
}

static void append_nearest(const buddy_plan *plan, const char *op, bd_text *text) {
  size_t n, n_shown = 0;
  const bd_row *rows = bd_registries_all_rows(plan->registries, &n);
  const char *last = "";
  for (size_t limit = 1; limit <= 4 && n_shown == 0; ++limit) {
    for (size_t i = 0; i < n && n_shown < MAX_NEAREST; ++i) {
      if (!strcmp(rows[i].name, last) || distance(op, rows[i].name, limit) > limit) continue;
      last = rows[i].name;
      bd_text_format(text, "%s%s", n_shown++ ? ", " : "; near are ", last);
    }
  }
}

/* ---- Messages ---- */
static void append_why(const buddy_plan *plan, const group *one, bd_text *text) {
  const bd_decision *decision = one->first;
  if (decision->shown.n_tries > 0) {
    bd_text_string(text, one->key + strlen(decision->shown.op));
    return;
  }
  const char *registry = bd_registries_undefined(plan->registries, decision->shown.op);
  if (registry) {
    bd_text_format(
        text, "; registry '%s' has a row for it, but no schema, so its arguments are not known",
        registry);
  } else if (decision->node && !buddy_node_opdef(decision->node)) {
    bd_text_string(text, "; no schema defines this op");
  } else {
    bd_text_string(text, "; no registry of the order has a row for it");
    append_nearest(plan, decision->shown.op, text);
  }
}

static buddy_code report_group(const buddy_plan *plan, const group *one, buddy_diags *diags) {
  char where[512] = "";
  bd_text text;
  bd_text_init(&text);
  if (one->first->node) buddy_node_describe(one->first->node, where, sizeof where);
  bd_text_format(&text, "nobody takes %s", one->first->shown.op);
  if (one->count > 1) bd_text_format(&text, " (%zu nodes)", one->count);
  append_why(plan, one, &text);
  append_sightings(&one->types, "; types ", &text);
  append_sightings(&one->lines, "; at ", &text);
  const buddy_code code =
      text.code != BUDDY_OK
          ? text.code
          : buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, where,
                            "name a registry that takes it in the order, or add a row to one", "%s",
                            text.data);
  bd_text_deinit(&text);
  return code;
}

buddy_code bd_report_unsupported(const buddy_plan *plan, bd_decision *const *decisions, size_t n,
                                 buddy_diags *diags) {
  grouping all = {.plan = plan};
  all.end = &all.first;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; code == BUDDY_OK && i < n; ++i) code = sort_in(&all, decisions[i]);
  for (const group *one = all.first; one && (code == BUDDY_OK || code == BUDDY_UNSUPPORTED);
       one = one->next) {
    code = report_group(plan, one, diags);
  }
  HASH_CLEAR(hh, all.by_key);
  bd_arena_deinit(&all.arena);
  return code;
}

/* ---- Rows that fail ---- */
typedef struct bd_row_complaint {
  const bd_row *row;
  UT_hash_handle hh;
} bd_row_complaint;

buddy_code bd_report_failure(buddy_plan *plan, const bd_row *row, const buddy_node *node,
                             buddy_code code, const char *reason) {
  bool hash_is_full = false;
  bd_row_complaint *known;
  if (code == BUDDY_CYCLE)
    return BUDDY_OK; /* the trail tells; a circle is no defect if another row takes the op */
  HASH_FIND_PTR(plan->complained, &row, known);
  if (known) return BUDDY_OK;
  known = bd_arena_calloc(&plan->arena, 1, sizeof *known);
  if (!known) return BUDDY_OUT_OF_MEMORY;
  known->row = row;
  HASH_ADD_PTR(plan->complained, row, known);
  if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
  char where[512];
  buddy_node_describe(node, where, sizeof where);
  buddy_diags_add(plan->diags, BUDDY_WARNING, code, where,
                  "this is for the author of the registry to mend",
                  "registry '%s', row %u (%s) failed, and the next row was asked: %s",
                  row->plugin->descriptor.registry.name, row->index, row->name, reason);
  return BUDDY_OK;
}

void bd_report_deinit(buddy_plan *plan) { HASH_CLEAR(hh, plan->complained); }
