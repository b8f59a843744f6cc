// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/calibrate.c: measuring cases. A case becomes a small program, once through each
 * registry that takes it; these run in turns, so that what disturbs one disturbs all. */
#include "core/base/clock.h"
#include "core/base/numbers.h"
#include "core/base/options.h"
#include "core/base/try.h"
#include "sdk/model/calibrate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/import.h"
#include "core/base/array.h"
#include "sdk/model/calibration.h"
#include "sdk/model/compiler.h"
#include "sdk/model/pins.h"
#include "sdk/model/registry_calls.h"
#include "sdk/model/source.h"
#include "sdk/model/trial.h"

#define DEFAULT_SECONDS 60
#define SECONDS_A_TURN 0.06 /* for all runs of a case on a number of threads */
enum { MAX_TRIALS = 8, MIN_ROUNDS = 4, MAX_ROUNDS = 200 };

/* ---- Cases ----------------------------------------------------------------------------------- */
static buddy_code add_nodes(bd_cases *cases, const buddy_graph *graph) {
  for (const buddy_node *node = buddy_graph_first(graph); node; node = buddy_node_next(node)) {
    bd_case is;
    if (bd_case_of(node, &is)) BD_TRY(bd_cases_add(cases, &is));
  }
  return BUDDY_OK;
}

/* Planned by the order alone: a registry may make ops of its own of what it would get, and those
 * are no cases. */
buddy_code bd_cases_add_model(bd_cases *cases, const char *path, const buddy_model_options *model,
                              buddy_diags *diags) {
  bd_model_source source;
  buddy_plan *plan = NULL;
  buddy_code code = bd_model_source_open(path, model, diags, &source);
  if (code == BUDDY_OK) code = buddy_plan_create(source.registries, source.graph, diags, &plan);
  if (code == BUDDY_OK) code = add_nodes(cases, source.graph);
  buddy_plan_destroy(plan);
  bd_model_source_close(&source);
  return code;
}

/* ---- One case -------------------------------------------------------------------------------- */
typedef struct bench {
  buddy_opset *opset;
  buddy_registries *registries;
  size_t forced; /* the registry that is asked first */
  const buddy_calibrate_options *options;
  bd_rates *rates;
  buddy_diags *diags;
} bench;

typedef struct entrant {
  const char *registry;
  bd_trial trial;
  double best;
} entrant;

static bool is_trial(const char *node) {
  return strncmp(node, BD_TRIAL_NODE, sizeof(BD_TRIAL_NODE) - 1) == 0;
}

static int force(void *user, const buddy_registries *registries, const buddy_node *node,
                 buddy_choice *out_choice) {
  const bench *b = user;
  (void)registries;
  *out_choice = (buddy_choice){b->forced, "measured"};
  return is_trial(buddy_node_name(node));
}

/* Whether a registry takes all nodes that are measured by rows of its own that emit. */
static int takes(buddy_plan *plan, size_t registry) {
  for (size_t i = 0; i < buddy_plan_n_decisions(plan); ++i) {
    const buddy_decision *decision = buddy_plan_decision(plan, i);
    if (!is_trial(decision->name)) continue;
    if (!decision->is_taken || decision->n_expansion > 0) return 0;
    const buddy_try *taken = &decision->tries[decision->n_tries - 1];
    if (taken->registry != registry || !taken->row->emit) return 0;
  }
  return 1;
}

/* BUDDY_DECLINED: this registry does not take the case. */
static buddy_code compile(bench *b, const bd_case *c, size_t registry, int n_nodes,
                          buddy_diags *diags, bd_trial *out) {
  buddy_graph *graph = NULL;
  buddy_plan *plan = NULL;
  buddy_program *program = NULL;
  b->forced = registry;
  buddy_code code = bd_trial_graph(b->opset, c, n_nodes, diags, &graph);
  if (code == BUDDY_OK) code = buddy_plan_create(b->registries, graph, diags, &plan);
  if (code == BUDDY_OK && !takes(plan, registry)) code = BUDDY_DECLINED;
  if (code == BUDDY_OK) code = bd_compiler_compile_plan(plan, diags, &program);
  if (code == BUDDY_OK && !takes(plan, registry)) code = BUDDY_DECLINED; /* or gave it away */
  buddy_plan_destroy(plan);
  buddy_graph_destroy(graph);
  if (code == BUDDY_OK) return bd_trial_init(program, out);
  if (program) buddy_program_destroy(program);
  return code;
}

/* All that take the case. What goes wrong with one is its own affair. */
static size_t gather(bench *b, const bd_case *c, int n_nodes, entrant *entrants) {
  const char *op = bd_trial_op(c);
  const buddy_candidate *rows;
  const size_t n_rows = buddy_registries_candidates(b->registries, op, &rows);
  size_t n = 0;
  for (size_t i = 0; i < n_rows && n < MAX_TRIALS; ++i) {
    buddy_diags *ignored = NULL;
    if (i > 0 && rows[i].registry == rows[i - 1].registry) continue;
    if (buddy_diags_create(&ignored) != BUDDY_OK) break;
    const char *name = buddy_registries_get(b->registries, rows[i].registry)->name;
    if (compile(b, c, rows[i].registry, n_nodes, ignored, &entrants[n].trial) == BUDDY_OK)
      entrants[n++].registry = name;
    buddy_diags_destroy(ignored);
  }
  return n;
}

static buddy_code race(const bench *b, entrant *entrants, size_t n, int n_threads) {
  double spent = 0;
  for (size_t i = 0; i < n; ++i) {
    buddy_program_set_threads(entrants[i].trial.program, n_threads);
    entrants[i].best = 1e300;
  }
  /* The first two rounds warm up: weights are packed in the first run, and kept from the second. */
  for (int round = -2; round < MAX_ROUNDS && (round < MIN_ROUNDS || spent < SECONDS_A_TURN);
       ++round) {
    for (size_t i = 0; i < n; ++i) {
      double seconds = 0;
      BD_TRY(bd_trial_run(&entrants[i].trial, b->diags, &seconds));
      if (round < 0) continue;
      spent += seconds;
      if (seconds < entrants[i].best) entrants[i].best = seconds;
    }
  }
  return BUDDY_OK;
}

static buddy_code note(const bench *b, const bd_case *c, const entrant *e, int n_threads,
                       int n_nodes) {
  const double seconds = e->best / n_nodes;
  bd_rate rate = {.is = *c, .n_threads = n_threads, .ns = (uint64_t)(seconds * 1e9) + 1};
  char what[160];
  if (strlen(e->registry) >= sizeof(rate.registry)) return BUDDY_OK;
  strcpy(rate.registry, e->registry);
  bd_case_text(c, what, sizeof(what));
  const buddy_sample sample = {what, e->registry, n_threads, seconds};
  if (b->options->report) b->options->report(b->options->user, &sample);
  return bd_rates_add(b->rates, &rate);
}

static buddy_code measure(bench *b, const bd_case *c) {
  entrant entrants[MAX_TRIALS] = {{NULL, {NULL, NULL, NULL}, 0}};
  const int n_nodes = bd_trial_n_nodes(c);
  const size_t n = gather(b, c, n_nodes, entrants);
  buddy_code code = BUDDY_OK;
  /* One alone has nobody to be compared with. */
  const int most = n > 1 ? buddy_program_threads(entrants[0].trial.program) : 0;
  for (int n_threads = 1; n_threads <= most && code == BUDDY_OK;
       n_threads = n_threads < most ? most : most + 1) {
    code = race(b, entrants, n, n_threads);
    for (size_t i = 0; i < n && code == BUDDY_OK; ++i)
      code = note(b, c, &entrants[i], n_threads, n_nodes);
  }
  for (size_t i = 0; i < n; ++i) bd_trial_deinit(&entrants[i].trial);
  return code;
}

/* ---- Cases, one after the other -------------------------------------------------------------- */
static buddy_code open_bench(bench *b) {
  bd_model_how how;
  const buddy_chooser chooser = {.struct_size = sizeof(chooser), .choose = force, .user = b};
  BD_TRY(bd_model_how_read(b->options->model, b->diags, &how));
  how.registries.chooser = &chooser;
  how.registries.n_pins = 0; /* what is pinned is not asked about */
  BD_TRY(buddy_aten_opset_create(&b->opset));
  return bd_model_registries(&how.options, b->opset, b->diags, &b->registries);
}

buddy_code bd_cases_measure(const bd_cases *cases, const buddy_calibrate_options *options,
                            bd_rates *rates, buddy_diags *diags) {
  bench b = {.options = options, .rates = rates, .diags = diags};
  const double limit = options->seconds > 0 ? options->seconds : DEFAULT_SECONDS,
               start = bd_seconds();
  buddy_code code = open_bench(&b);
  for (size_t i = 0; i < cases->n && code == BUDDY_OK && bd_seconds() - start < limit; ++i)
    if (!bd_rates_know(rates, &cases->items[i])) code = measure(&b, &cases->items[i]);
  if (b.registries) buddy_registries_destroy(b.registries);
  if (b.opset) buddy_opset_destroy(b.opset);
  return code == BUDDY_LIMIT ? BUDDY_OK : code;
}

/* ---- The call -------------------------------------------------------------------------------- */
static buddy_code gather_cases(const buddy_calibrate_options *options, buddy_diags *diags,
                               bd_cases *cases) {
  if (options->n_paths == 0) BD_TRY(bd_cases_add_common(cases));
  for (size_t i = 0; i < options->n_paths; ++i)
    BD_TRY(bd_cases_add_model(cases, options->paths[i], options->model, diags));
  return BUDDY_OK;
}

static buddy_code calibrate(const bd_store *store, const buddy_calibrate_options *options,
                            buddy_diags *diags, size_t *out_n) {
  uint8_t ground[BD_KEY_SIZE];
  bd_cases cases = {0};
  buddy_calibration *calibration = NULL;
  buddy_code code = bd_key_ground(options->model, diags, ground);
  if (code == BUDDY_OK) code = bd_calibration_find(store, ground, diags, &calibration);
  if (code == BUDDY_OK) code = gather_cases(options, diags, &cases);
  if (code == BUDDY_OK)
    code = bd_cases_measure(&cases, options, bd_calibration_rates(calibration), diags);
  if (code == BUDDY_OK)
    code = bd_calibration_keep(store, ground, bd_calibration_rates(calibration), diags);
  if (code == BUDDY_OK && out_n) *out_n = buddy_calibration_n_samples(calibration);
  buddy_calibration_close(calibration);
  bd_cases_deinit(&cases);
  return code;
}

buddy_code buddy_calibrate(const buddy_calibrate_options *given, buddy_diags *diags,
                           size_t *out_n) {
  BD_C_LOCALE();
  bd_store store;
  bd_model_how how;
  buddy_calibrate_options options = {.struct_size = sizeof(options)};
  if (out_n) *out_n = 0;
  BD_TRY(bd_options_read(&options, sizeof(options), given, "buddy_calibrate_options", diags));
  BD_TRY(bd_model_how_read(options.model, diags, &how));
  options.model = &how.options;
  BD_TRY(bd_store_open(how.options.cache_dir, 1, diags, &store));
  buddy_code code = calibrate(&store, &options, diags, out_n);
  bd_store_close(&store);
  return code;
}
