/* sdk/cli/bisect/choices.c: options of the command, turned one by one for a part that is off. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "core/graph/extract.h"
#include "sdk/cli/bisect/bisect.h"

/* ---- Ways ------------------------------------------------------------------------------------ */
/* Of two pins of an op, `wins` says whether the new one stands. */
static void add_pin(bd_registry_flags *flags, const char *pin, bool wins) {
  const size_t n = strcspn(pin, "=") + 1;
  for (size_t i = 0; i < flags->n_pins; ++i) {
    if (strncmp(flags->pins[i], pin, n) != 0) continue;
    if (wins) flags->pins[i] = pin;
    return;
  }
  bd_append(&flags->pins, &flags->n_pins, pin);
}

/* "--pin a=b", "--winograd never", "--optimize 0", "--threads 1", "--registries linalg:*" */
static void apply(const char *option, bd_registry_flags *flags, bd_way *way) {
  const char *value = strchr(option, ' ');
  if (!value++) return;
  if (strncmp(option, "--pin", 5) == 0) add_pin(flags, value, true);
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
  for (size_t i = 0; i < flags->n_pins; ++i) add_pin(&own, flags->pins[i], false);
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

/* The candidate with what was turned, and with more. */
static buddy_code open_with(const bd_bisect *b, const char *const *options, size_t n,
                            bd_way *out_way) {
  const char **all = NULL;
  size_t n_all = 0;
  for (size_t i = 0; i < b->n_fixes; ++i) bd_append(&all, &n_all, b->fixes[i]);
  for (size_t i = 0; i < n; ++i) bd_append(&all, &n_all, options[i]);
  const buddy_code code = bd_way_open(b->session, b->flags, all, n_all, &b->candidate, out_way);
  free(all);
  return code;
}

buddy_code bd_bisect_fix(bd_bisect *b, const char *option) {
  for (const char *at = option, *end; at; at = end ? end + 1 : NULL) {
    end = strstr(at, " --");
    const char *one = bd_strndup(at, end ? (size_t)(end - at) : strlen(at));
    if (!one) return BUDDY_OUT_OF_MEMORY;
    bd_append(&b->fixes, &b->n_fixes, one);
  }
  bd_way way;
  BD_TRY(open_with(b, NULL, 0, &way));
  bd_fixed_close(b);
  b->current = way;
  return BUDDY_OK;
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
  if (code == BUDDY_OK) code = buddy_plan_create(b->current.registries, graph, b->diags, &plan);
  for (size_t i = 0; code == BUDDY_OK && i < buddy_plan_n_decisions(plan); ++i)
    add_pins(all, b->current.registries, buddy_plan_decision(plan, i));
  buddy_plan_destroy(plan);
  buddy_graph_destroy(graph);
  bd_results_free(&results);
  return code;
}

static void add_options(const bd_bisect *b, list *all) {
  const bd_way *way = &b->current;
  if (way->compile.winograd >= 0) add(all, "Winograd", "--winograd", "never");
  if (way->n_threads != 1) add(all, "several threads", "--threads", "1");
  if (way->compile.opt_level != 0) add(all, "optimised code", "--optimize", "0");
  if (way->compile.opt_level == 0) add(all, "code without optimisation", "--optimize", "2");
  add(all, "the order of registries", "--registries", "linalg:*");
  add(all, "the order of registries", "--registries", "tosa:*");
}

/* ---- Trying ---------------------------------------------------------------------------------- */
typedef struct trial {
  bd_bisect *b;
  const bd_finding *finding;
  bd_results reference;
  bd_choices *out;
} trial;

static buddy_code try_options(const trial *t, const char *const *options, size_t n, bd_gap *out_gap,
                              bool *out_is_right) {
  bd_bisect *b = t->b;
  bd_way way;
  bd_finding with = {.value = NULL};
  buddy_diags *diags = b->diags;
  buddy_code code = open_with(b, options, n, &way);
  b->diags = NULL; /* what does not compile this way avoids nothing */
  if (code == BUDDY_OK)
    code = bd_bisect_compare_with(b, t->finding->range, &way, &t->reference, &with);
  b->diags = diags;
  bd_way_close(&way);
  ++t->out->n_tried;
  *out_is_right = code == BUDDY_OK && !bd_finding_is_off(b, &with);
  *out_gap = with.gap;
  return code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_OK;
}

/* Of nodes that are off together one way out is enough: each try compiles all of them. */
static buddy_code try_one_by_one(const trial *t, const list *all) {
  const bool is_node = t->finding->range.end - t->finding->range.first == 1;
  bd_choices *out = t->out;
  for (size_t i = 0; i < all->n && (is_node || out->n == 0); ++i) {
    bd_choice choice = all->items[i];
    const char *option = choice.option;
    bool is_right;
    BD_TRY(try_options(t, &option, 1, &choice.gap, &is_right));
    if (is_right) out->items[out->n++] = choice;
  }
  return BUDDY_OK;
}

/* Two that exclude each other: "--pin aten.mm.default=" and another one, "--registries " and another. */
static bool is_alike(const char *a, const char *b) {
  const size_t n = strncmp(a, "--pin", 5) == 0 ? strcspn(a, "=") : strcspn(a, " ");
  return strncmp(a, b, n + 1) == 0;
}

static buddy_code join(const char *const *options, size_t n, bd_choice *choice) {
  size_t at = 0;
  snprintf(choice->what, sizeof choice->what, "these options otherwise");
  for (size_t i = 0; i < n && at < sizeof choice->option; ++i)
    at += (size_t)snprintf(choice->option + at, sizeof choice->option - at, "%s%s", i ? " " : "",
                           options[i]);
  return at < sizeof choice->option ? BUDDY_OK : BUDDY_LIMIT;
}

/* All at once, and then without each that is not needed, the broadest first. */
static buddy_code try_together(const trial *t, const list *all) {
  const char *options[BD_MAX_CHOICES] = {NULL}, *fewer[BD_MAX_CHOICES];
  size_t n = 0;
  bool is_right;
  bd_choice choice = {.gap = {.n = 0}};
  for (size_t i = 0; i < all->n; ++i) {
    bool is_new = true;
    for (size_t k = 0; k < n; ++k) is_new = is_new && !is_alike(all->items[i].option, options[k]);
    if (is_new) options[n++] = all->items[i].option;
  }
  BD_TRY(try_options(t, options, n, &choice.gap, &is_right));
  if (!is_right || n < 2) return BUDDY_OK;
  for (size_t i = n; i-- > 0;) {
    bd_gap gap;
    memcpy(fewer, options, i * sizeof *options);
    memcpy(fewer + i, options + i + 1, (n - i - 1) * sizeof *options);
    BD_TRY(try_options(t, fewer, n - 1, &gap, &is_right));
    if (!is_right) continue;
    memcpy(options, fewer, --n * sizeof *options);
    choice.gap = gap;
  }
  if (join(options, n, &choice) == BUDDY_OK) t->out->items[t->out->n++] = choice;
  return BUDDY_OK;
}

buddy_code bd_choices_try(bd_bisect *b, const bd_finding *finding, bd_choices *out) {
  trial t = {.b = b, .finding = finding, .out = out};
  list *all = bd_calloc(1, sizeof *all);
  *out = (bd_choices){.n = 0};
  buddy_code code = all ? collect_pins(b, finding->range, all) : BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK) code = bd_reference_run(b, finding->range, &t.reference);
  if (code == BUDDY_OK) add_options(b, all);
  if (code == BUDDY_OK) code = try_one_by_one(&t, all);
  if (code == BUDDY_OK && out->n == 0) code = try_together(&t, all);
  bd_results_free(&t.reference);
  bd_free(all);
  return code;
}
