/* sdk/cli/bisect/choices.c: options of the command, turned one by one for a part that is off. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/graph/extract.h"
#include "sdk/cli/bisect/bisect.h"

/* ---- Ways ------------------------------------------------------------------------------------ */
/* The first pin of an op stands. */
static void add_pin(bd_registry_flags *flags, const char *pin) {
  const size_t n = strcspn(pin, "=") + 1;
  for (size_t i = 0; i < flags->n_pins; ++i) {
    if (strncmp(flags->pins[i], pin, n) == 0) return;
  }
  bd_append(&flags->pins, &flags->n_pins, pin);
}

/* "--pin a=b", "--winograd never", "--optimize 0", "--threads 1", "--registries linalg:*" */
static void apply(const char *option, bd_registry_flags *flags, bd_way *way) {
  const char *value = strchr(option, ' ');
  if (!value++) return;
  if (strncmp(option, "--pin", 5) == 0) add_pin(flags, value);
  if (strncmp(option, "--registries", 12) == 0) flags->order = value;
  if (strncmp(option, "--optimize", 10) == 0) way->compile.opt_level = atoi(value);
  if (strncmp(option, "--threads", 9) == 0) way->n_threads = atoi(value);
  if (strncmp(option, "--winograd", 10) == 0)
    way->compile.winograd = strcmp(value, "never") == 0 ? -1 : strcmp(value, "always") == 0;
}

buddy_code bd_way_open(const bd_session *session, const bd_registry_flags *flags,
                       const char *const *options, size_t n_options, const bd_way *like,
                       bd_way *out_way) {
  bd_registry_flags own = {.order = flags->order};
  *out_way = *like;
  out_way->registries = NULL;
  for (size_t i = 0; i < n_options; ++i) apply(options[i], &own, out_way);
  for (size_t i = 0; i < flags->n_pins; ++i) add_pin(&own, flags->pins[i]);
  buddy_registries_options registries = bd_registries_options(&own);
  registries.chooser = bd_session_chooser(session, &own);
  const buddy_code code = buddy_registries_create(session->search, session->opset, &registries,
                                                  session->diags, &out_way->registries);
  bd_registry_flags_free(&own);
  return code;
}

void bd_way_close(bd_way *way) {
  buddy_registries_destroy(way->registries);
  way->registries = NULL;
}

/* ---- Which there are ------------------------------------------------------------------------- */
typedef struct list {
  bd_choice items[BD_MAX_CHOICES];
  size_t n;
} list;

static void add(list *all, const char *what, const char *option, const char *value) {
  bd_choice choice = {.gap = {.n = 0}};
  snprintf(choice.what, sizeof choice.what, "%s", what);
  snprintf(choice.option, sizeof choice.option, "%s %s", option, value);
  for (size_t i = 0; i < all->n; ++i) {
    if (strcmp(all->items[i].option, choice.option) == 0) return;
  }
  if (all->n < BD_MAX_CHOICES) all->items[all->n++] = choice;
}

/* Other registries for an op, or for what it was expanded to. */
static void add_pins(list *all, const buddy_registries *registries,
                     const buddy_decision *decision) {
  const buddy_candidate *candidates;
  const size_t n = buddy_registries_candidates(registries, decision->op, &candidates);
  const size_t taker =
      decision->is_taken ? decision->tries[decision->n_tries - 1].registry : SIZE_MAX;
  for (size_t i = 0; i < n; ++i) {
    if (candidates[i].registry == taker || taker == SIZE_MAX) continue;
    char what[160], value[160];
    snprintf(value, sizeof value, "%s=%s", decision->op,
             buddy_registries_get(registries, candidates[i].registry)->name);
    snprintf(what, sizeof what, "registry %s", buddy_registries_get(registries, taker)->name);
    add(all, what, "--pin", value);
  }
  for (size_t i = 0; i < decision->n_expansion; ++i)
    add_pins(all, registries, decision->expansion[i]);
}

/* What the candidate does with the part's nodes. */
static buddy_code collect_pins(bd_bisect *b, bd_range range, list *all) {
  const bd_part_user c = {b->values, range};
  bd_results results;
  buddy_graph *graph = NULL;
  buddy_plan *plan = NULL;
  buddy_code code = bd_part_results(b, range, false, &results);
  const bd_cut cut = {
      .has = bd_part_has, .user = &c, .outputs = results.values, .n_outputs = results.n};
  if (code == BUDDY_OK) code = bd_graph_extract(b->graph, &cut, b->diags, &graph);
  if (code == BUDDY_OK) code = buddy_plan_create(b->candidate.registries, graph, b->diags, &plan);
  for (size_t i = 0; code == BUDDY_OK && i < buddy_plan_n_decisions(plan); ++i)
    add_pins(all, b->candidate.registries, buddy_plan_decision(plan, i));
  buddy_plan_destroy(plan);
  buddy_graph_destroy(graph);
  bd_results_free(&results);
  return code;
}

static void add_options(const bd_bisect *b, list *all) {
  const bd_way *way = &b->candidate;
  if (way->compile.winograd >= 0) add(all, "Winograd", "--winograd", "never");
  if (way->n_threads != 1) add(all, "several threads", "--threads", "1");
  if (way->compile.opt_level != 0) add(all, "optimised code", "--optimize", "0");
  if (way->compile.opt_level == 0) add(all, "code without optimisation", "--optimize", "2");
  add(all, "the order of registries", "--registries", "linalg:*");
  add(all, "the order of registries", "--registries", "tosa:*");
}

/* ---- Trying ---------------------------------------------------------------------------------- */
static buddy_code try_one(bd_bisect *b, const bd_finding *finding, const bd_results *reference,
                          const bd_registry_flags *flags, bd_choice *choice, bool *out_is_right) {
  const char *option = choice->option;
  bd_way way;
  bd_finding with;
  buddy_diags *diags = b->diags;
  buddy_code code = bd_way_open(b->session, flags, &option, 1, &b->candidate, &way);
  b->diags = NULL; /* what does not compile this way avoids nothing */
  if (code == BUDDY_OK) code = bd_bisect_compare_with(b, finding->range, &way, reference, &with);
  b->diags = diags;
  bd_way_close(&way);
  *out_is_right = code == BUDDY_OK && !bd_finding_is_off(b, &with);
  choice->gap = with.gap;
  return code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_OK;
}

buddy_code bd_choices_try(bd_bisect *b, const bd_finding *finding, const bd_registry_flags *flags,
                          bd_choices *out) {
  list *all = bd_calloc(1, sizeof *all);
  *out = (bd_choices){.n = 0};
  bd_results reference = {0};
  buddy_code code = all ? collect_pins(b, finding->range, all) : BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK) code = bd_reference_run(b, finding->range, &reference);
  if (code == BUDDY_OK) add_options(b, all);
  for (size_t i = 0; code == BUDDY_OK && i < all->n; ++i) {
    bool is_right;
    code = try_one(b, finding, &reference, flags, &all->items[i], &is_right);
    ++out->n_tried;
    if (code == BUDDY_OK && is_right) out->items[out->n++] = all->items[i];
  }
  bd_results_free(&reference);
  bd_free(all);
  return code;
}
