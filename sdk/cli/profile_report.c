// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/profile_report.c: steps of a program, and the nodes and registries that they come from. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/profile.h"

/* ---- Stages ---------------------------------------------------------------------------------- */
void bd_stages_progress(void *user, const char *stage, double fraction) {
  bd_stages *stages = user;
  bd_progress(NULL, stage, fraction);
  const double time = bd_seconds();
  if (stages->n == 0) stages->origin = time;
  if (stages->n > 0) stages->items[stages->n - 1].end = time - stages->origin;
  if (fraction < 1.0 && stages->n < BD_MAX_STAGES)
    stages->items[stages->n++] = (bd_stage){stage, time - stages->origin, time - stages->origin};
}

/* ---- Origins --------------------------------------------------------------------------------- */
/* What was decided about a node of the archive, or of an expansion. */
typedef struct named {
  const char *name, *op, *node, *taker; /* op, node: the archive's; taker: null: nobody, or its
                                           expansion */
} named;
typedef struct names {
  const buddy_registries *registries;
  named *items; /* by name */
  size_t n, capacity;
} names;

static buddy_code add_names(names *all, const buddy_decision *decision,
                            const buddy_decision *root) {
  if (all->n == all->capacity) {
    const size_t capacity = 2 * all->capacity + 256;
    named *grown = bd_realloc(all->items, capacity * sizeof(*grown));
    if (!grown) return BUDDY_OUT_OF_MEMORY;
    all->items = grown;
    all->capacity = capacity;
  }
  const size_t registry = decision->is_taken ? decision->tries[decision->n_tries - 1].registry : 0;
  const char *taker = decision->is_taken && decision->n_expansion == 0
                          ? buddy_registries_get(all->registries, registry)->name
                          : NULL;
  all->items[all->n++] = (named){decision->name, root->op, root->name, taker};
  for (size_t i = 0; i < decision->n_expansion; ++i)
    BD_TRY(add_names(all, decision->expansion[i], root));
  return BUDDY_OK;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static buddy_code collect_names(const bd_session *session, names *out) {
  *out = (names){.registries = session->registries};
  for (size_t i = 0; i < buddy_plan_n_decisions(session->plan); ++i) {
    const buddy_decision *decision = buddy_plan_decision(session->plan, i);
    BD_TRY(add_names(out, decision, decision));
  }
  if (out->n > 0) qsort(out->items, out->n, sizeof(*out->items), by_name);
  return BUDDY_OK;
}

static bool has_part(const char *joined, const char *part) {
  const size_t n = strlen(part);
  while (*joined) {
    const size_t size = strcspn(joined, "+");
    if (size == n && strncmp(joined, part, n) == 0) return true;
    joined += size + (joined[size] == '+');
  }
  return false;
}

static buddy_code find_origin(const names *all, const buddy_step *step, bd_step_origin *out) {
  char *rest = NULL, *parts = bd_strdup(step->nodes);
  if (!parts) return BUDDY_OUT_OF_MEMORY;
  out->op = out->node = "";
  for (char *part = strtok_r(parts, "+", &rest); part; part = strtok_r(NULL, "+", &rest)) {
    const named key = {.name = part};
    const named *found =
        all->n ? bsearch(&key, all->items, all->n, sizeof(*all->items), by_name) : NULL;
    if (!found) continue;
    if (!*out->op) *out = (bd_step_origin){found->op, found->node, out->registries};
    if (!found->taker || has_part(out->registries.data, found->taker)) continue;
    bd_text_format(&out->registries, "%s%s", out->registries.size ? "+" : "", found->taker);
  }
  free(parts);
  return out->registries.code;
}

buddy_code bd_profile_report_init(const bd_session *session, const buddy_program *program,
                                  bd_profile_report *out) {
  const size_t n = buddy_program_n_steps(program);
  *out = (bd_profile_report){.program = program, .n = n};
  out->steps = bd_calloc(n + 1, sizeof(*out->steps));
  out->origins = bd_calloc(n + 1, sizeof(*out->origins));
  if (!out->steps || !out->origins) return BUDDY_OUT_OF_MEMORY;
  names all;
  buddy_code code = collect_names(session, &all);
  for (size_t i = 0; i < n; ++i) bd_text_init(&out->origins[i].registries);
  for (size_t i = 0; i < n && code == BUDDY_OK; ++i) {
    out->steps[i] = buddy_program_step(program, i);
    out->total += out->steps[i]->seconds;
    code = find_origin(&all, out->steps[i], &out->origins[i]);
  }
  free(all.items);
  return code;
}

double bd_profile_share(const bd_profile_report *r, const buddy_step *step, double n_calls,
                        double seconds) {
  const double least = bd_machine_rates_seconds(&r->machine, n_calls * (double)step->n_flops,
                                                n_calls * (double)step->n_bytes);
  return seconds > 0 ? least / seconds : 0;
}

void bd_profile_report_deinit(bd_profile_report *report) {
  for (size_t i = 0; report->origins && i < report->n; ++i)
    bd_text_deinit(&report->origins[i].registries);
  free(report->origins);
  free(report->steps);
  *report = (bd_profile_report){.n = 0};
}
