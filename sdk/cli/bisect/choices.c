// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/choices.c: options of the command, turned for a part that is off: which of them alone
 * makes it right, or which set. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "core/graph/extract.h"
#include "sdk/cli/bisect/bisect.h"
#include "sdk/runtime/processor.h"

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

/* A choice that a user has by an option of `buddy run`: one row a choice. */
typedef struct turn {
  const char *what, *option, *value;
  size_t number;     /* of a bd_way: where the int lies that the option is of; of features: 0 */
  int turned;        /* what it becomes */
  bool is_up;        /* only where it is 0; else wherever it is another */
  const char *needs; /* the feature of the processor that `value` leaves out; null: none */
} turn;

#define NUMBER(field) offsetof(bd_way, field)
#define FEATURE(what, name, names) {what, "--without", names, 0, 0, false, name}
static const turn turns[] = {
    {"Winograd", "--winograd", "never", NUMBER(compile.winograd), -1, false, NULL},
    {"folded constants", "--folding", "never", NUMBER(compile.folding), -1, false, NULL},
    {"fused loops", "--fusion", "never", NUMBER(compile.fusion), -1, false, NULL},
    {"several threads", "--threads", "1", NUMBER(n_threads), 1, false, NULL},
#if defined(__x86_64__)
    FEATURE("AMX", "amx-tile", "amx"),
    FEATURE("AVX512_BF16", "avx512bf16", "avx512bf16"),
    FEATURE("AVX512_VNNI", "avx512vnni", "avx512vnni"),
    FEATURE("AVX-512", "avx512f", "avx512"),
    FEATURE("AVX and FMA", "avx", "avx"),
#define WORDS "amx,avx512bf16,avx512vnni,avxvnni"
#else
#define WORDS NULL
#endif
    {"optimised code", "--optimize", "0", NUMBER(compile.opt_level), BUDDY_OPT_NONE, false, NULL},
    {"code without optimisation", "--optimize", "2", NUMBER(compile.opt_level), 2, true, NULL},
};
enum { N_TURNS = sizeof turns / sizeof turns[0] };

static int *number_of(const turn *t, bd_way *way) { return (int *)((char *)way + t->number); }

static bool is_on(const turn *t, const bd_way *way) {
  char missing[32];
  if (!t->needs) {
    const int now = *(const int *)((const char *)way + t->number);
    return t->is_up ? now == BUDDY_OPT_NONE : now != t->turned;
  }
  const char *without = way->compile.without;
  return bd_processor_has(t->needs, missing, sizeof missing) &&
         !(without && strstr(without, t->value));
}

/* "--pin a=b", "--registries linalg:*", "--without amx,avx512", or what a row has. */
static void apply(const char *option, bd_registry_flags *flags, bd_way *way) {
  const char *value = strchr(option, ' ');
  if (!value++) return;
  const size_t n = (size_t)(value - option) - 1;
  if (strncmp(option, "--pin", n) == 0) add_pin(flags, value, true);
  if (strncmp(option, "--registries", n) == 0) flags->order = value;
  if (strncmp(option, "--without", n) == 0) way->compile.without = value;
  for (size_t i = 0; i < N_TURNS; ++i) {
    if (!turns[i].needs && strncmp(option, turns[i].option, n) == 0 &&
        strcmp(value, turns[i].value) == 0)
      *number_of(&turns[i], way) = turns[i].turned;
  }
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

/* Nothing is on; vectors of floats stay, or it would take its time. */
bd_way bd_way_plain(bool is_double) {
  bd_way way = {.compile = {.struct_size = sizeof(buddy_compile_options), .without = WORDS},
                .is_double = is_double};
  for (size_t i = 0; i < N_TURNS; ++i) {
    if (!turns[i].needs && !turns[i].is_up) *number_of(&turns[i], &way) = turns[i].turned;
  }
  return way;
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
  bd_bisect_choice items[BD_MAX_CHOICES];
  size_t n;
} list;

static void add(list *all, const char *what, const char *option, const char *value) {
  bd_bisect_choice choice = {.gap = {.n = 0}};
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
static buddy_code collect_pins(bd_bisect *b, bd_node_range range, list *all) {
  const bd_part_user c = {b->values, range, NULL};
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

/* What the processor has, and is left out, adds up: each row leaves out what those before it do. */
static void add_turns(const bd_way *way, list *all) {
  const char *given = way->compile.without;
  char without[128];
  snprintf(without, sizeof without, "%s", given ? given : "");
  for (size_t i = 0; i < N_TURNS; ++i) {
    const turn *t = &turns[i];
    if (!is_on(t, way)) continue;
    const size_t n = strlen(without);
    if (t->needs) snprintf(without + n, sizeof without - n, "%s%s", n ? "," : "", t->value);
    add(all, t->what, t->option, t->needs ? without : t->value);
  }
}

static void add_orders(list *all) {
  add(all, "the order of registries", "--registries", "linalg:*");
  add(all, "the order of registries", "--registries", "tosa:*");
}

/* ---- Trying ---------------------------------------------------------------------------------- */
typedef struct trial {
  bd_bisect *b;
  const bd_finding *finding;
  bd_results reference;
  bool is_enough;  /* one way out of each list is: each try compiles many nodes */
  size_t n_before; /* ways out that other lists had */
  bd_choices *out;
} trial;

typedef enum verdict { WRONG, RIGHT, FAILED } verdict;

static buddy_code try_options(const trial *t, const char *const *options, size_t n, bd_gap *out_gap,
                              verdict *out) {
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
  *out = code != BUDDY_OK ? FAILED : bd_finding_is_off(b, &with) ? WRONG : RIGHT;
  *out_gap = with.gap;
  return code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_OK;
}

static bool is_done(const trial *t) { return t->is_enough && t->out->n > t->n_before; }

static void note(const trial *t, const bd_bisect_choice *choice, const bd_gap *gap) {
  bd_choices *out = t->out;
  if (out->n == BD_MAX_CHOICES) return;
  out->items[out->n] = *choice;
  out->items[out->n++].gap = *gap;
}

static buddy_code try_one_by_one(const trial *t, const list *all) {
  for (size_t i = 0; i < all->n && !is_done(t); ++i) {
    const char *option = all->items[i].option;
    bd_gap gap;
    verdict is;
    BD_TRY(try_options(t, &option, 1, &gap, &is));
    if (is == RIGHT) note(t, &all->items[i], &gap);
  }
  return BUDDY_OK;
}

bool bd_options_are_alike(const char *a, const char *b) {
  const size_t n = strncmp(a, "--pin", 5) == 0 ? strcspn(a, "=") : strcspn(a, " ");
  return strncmp(a, b, n + 1) == 0;
}

/* All that can be turned at once; the broadest of those that exclude each other. */
static size_t gather(const list *all, size_t first, size_t end, const char **options) {
  size_t n = 0;
  for (size_t i = first; i < end; ++i) {
    bool is_last = true;
    for (size_t k = i + 1; k < end; ++k)
      is_last = is_last && !bd_options_are_alike(all->items[i].option, all->items[k].option);
    if (is_last) options[n++] = all->items[i].option;
  }
  return n;
}

/* By halves, down to each that helps alone: where all of them do not, none does. */
static buddy_code try_halves(const trial *t, const list *all, size_t first, size_t end) {
  const char *options[BD_MAX_CHOICES];
  bd_gap gap;
  verdict is;
  if (first == end || is_done(t)) return BUDDY_OK;
  BD_TRY(try_options(t, options, gather(all, first, end, options), &gap, &is));
  if (is == WRONG || (is == FAILED && end - first == 1)) return BUDDY_OK;
  if (end - first == 1) {
    note(t, &all->items[first], &gap);
    return BUDDY_OK;
  }
  const size_t middle = first + (end - first) / 2;
  BD_TRY(try_halves(t, all, first, middle));
  return try_halves(t, all, middle, end);
}

/* ---- Sets ------------------------------------------------------------------------------------ */
typedef struct set {
  const char *options[BD_MAX_CHOICES];
  size_t n;
} set;

static void add_all(set *s, const char *const *options, size_t n) {
  for (size_t i = 0; i < n; ++i) s->options[s->n++] = options[i];
}

static buddy_code is_right_with(const trial *t, const set *needed, const char *const *options,
                                size_t n, bool *out) {
  set all = *needed;
  bd_gap gap;
  verdict is;
  add_all(&all, options, n);
  BD_TRY(try_options(t, all.options, all.n, &gap, &is));
  *out = is == RIGHT;
  return BUDDY_OK;
}

/* Adds to `needed` as few of the options as make the part right with those: the half that does alone,
 * or what is needed of the second with all of the first, and then of the first with that. */
static buddy_code minimise(const trial *t, set *needed, const char *const *options, size_t n) {
  const size_t half = n / 2, n_needed = needed->n;
  bool is_right;
  if (n <= 1) {
    add_all(needed, options, n);
    return BUDDY_OK;
  }
  BD_TRY(is_right_with(t, needed, options, half, &is_right));
  if (is_right) return minimise(t, needed, options, half);
  BD_TRY(is_right_with(t, needed, options + half, n - half, &is_right));
  if (is_right) return minimise(t, needed, options + half, n - half);
  add_all(needed, options, half);
  BD_TRY(minimise(t, needed, options + half, n - half));
  needed->n -= half;
  memmove(needed->options + n_needed, needed->options + n_needed + half,
          (needed->n - n_needed) * sizeof *needed->options);
  return minimise(t, needed, options, half);
}

static buddy_code join(const set *s, bd_bisect_choice *choice) {
  size_t at = 0;
  snprintf(choice->what, sizeof choice->what, "these options otherwise");
  for (size_t i = 0; i < s->n && at < sizeof choice->option; ++i)
    at += (size_t)snprintf(choice->option + at, sizeof choice->option - at, "%s%s", i ? " " : "",
                           s->options[i]);
  return at < sizeof choice->option ? BUDDY_OK : BUDDY_LIMIT;
}

/* The part that nothing alone makes right; the verdict is run once more, with what is left. */
static buddy_code try_together(const trial *t, const list *all) {
  const char *options[BD_MAX_CHOICES];
  const size_t n = gather(all, 0, all->n, options);
  set needed = {.n = 0};
  bd_bisect_choice choice = {.gap = {.n = 0}};
  verdict is;
  bool is_right;
  BD_TRY(is_right_with(t, &needed, options, n, &is_right));
  if (!is_right || n < 2) return BUDDY_OK;
  BD_TRY(minimise(t, &needed, options, n));
  BD_TRY(try_options(t, needed.options, needed.n, &choice.gap, &is));
  if (is == RIGHT && join(&needed, &choice) == BUDDY_OK) note(t, &choice, &choice.gap);
  return BUDDY_OK;
}

/* ---- A finding ------------------------------------------------------------------------------- */
/* Other registries, then switches; an order that helps is told where neither does. */
static buddy_code try_all(trial *t, const list *pins, const list *switches) {
  list orders = {.n = 0};
  add_orders(&orders);
  BD_TRY(t->is_enough ? try_halves(t, pins, 0, pins->n) : try_one_by_one(t, pins));
  t->n_before = t->out->n;
  BD_TRY(try_halves(t, switches, 0, switches->n));
  if (t->out->n == 0) BD_TRY(try_one_by_one(t, &orders));
  if (t->out->n > 0) return BUDDY_OK;
  list *all = bd_malloc(sizeof *all);
  if (!all) return BUDDY_OUT_OF_MEMORY;
  *all = *switches;
  for (size_t i = 0; i < pins->n && all->n < BD_MAX_CHOICES; ++i)
    all->items[all->n++] = pins->items[i];
  const buddy_code code = try_together(t, all);
  bd_free(all);
  return code;
}

buddy_code bd_choices_try(bd_bisect *b, const bd_finding *finding, bd_choices *out) {
  trial t = {.b = b,
             .finding = finding,
             .is_enough = finding->range.end - finding->range.first > 1,
             .out = out};
  list *pins = bd_calloc(2, sizeof *pins), *switches = pins + 1;
  *out = (bd_choices){.n = 0};
  buddy_code code = pins ? collect_pins(b, finding->range, pins) : BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK) code = bd_reference_run(b, finding->range, &t.reference);
  if (code == BUDDY_OK) add_turns(&b->current, switches);
  if (code == BUDDY_OK) code = try_all(&t, pins, switches);
  bd_results_free(&t.reference);
  bd_free(pins);
  return code;
}
