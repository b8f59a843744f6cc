// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/tune.c: the search for the registries that make a model fast; see buddy/tune.h.
 *
 * A profiled run tells which nodes take how long; the plan, which ops these came from, at every
 * level of expansion; the registries, who else has a row for such an op. Each of those is a try: a
 * model with that op pinned there, measured in turns with the best so far, longest op first. */
#include "buddy/tune.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/resolve.h"
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/options.h"
#include "core/base/try.h"
#include "sdk/model/calibrate.h"
#include "sdk/model/calibration.h"
#include "sdk/model/pins.h"
#include "sdk/model/source.h"
#include "sdk/runtime/model.h"

#define DEFAULT_SECONDS 60
#define MIN_SHARE 0.02 /* of a run: an op that takes less is not tried */
#define MIN_GAIN 0.03
#define PROFILED_RUNS 3
enum { MIN_ROUNDS = 5, MAX_ROUNDS = 50, MAX_OPS = 256 };
#define MEASURED_SECONDS 0.5

typedef struct op_time {
  const char *op;
  double seconds;
} op_time;

typedef struct candidate {
  char op[96], registry[64];
  double seconds; /* that a run spends in the op */
  size_t place;   /* in the order of registries, among the op's */
} candidate;

typedef struct search {
  const char *path;
  const buddy_tune_options *options;
  const buddy_model_options *model; /* of a bd_model_how */
  buddy_diags *diags;
  double start, limit;
  candidate *candidates;
  size_t n_candidates;
  char pins[4096];
} search;

/* ---- Runs ------------------------------------------------------------------------------------ */
/* What a program writes to its inputs is not the caller's. */
static buddy_code run_once(const search *s, buddy_model *model, double *out_seconds) {
  const size_t n = buddy_model_n_outputs(model), n_inputs = s->options->n_inputs;
  buddy_tensor *inputs = NULL, *outputs = bd_calloc(n + 1, sizeof(*outputs));
  buddy_code code = outputs ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK && n_inputs == buddy_model_n_inputs(model))
    code = bd_model_spare_inputs(model, s->options->inputs, &inputs);
  const double start = bd_seconds();
  if (code == BUDDY_OK) code = buddy_model_run(model, inputs, n_inputs, outputs, n, s->diags);
  *out_seconds = bd_seconds() - start;
  for (size_t i = 0; i < n && outputs; ++i) buddy_tensor_release(&outputs[i]);
  bd_model_spared_free(model, inputs);
  bd_free(outputs);
  return code;
}

/* The least of several runs of each, in turns; the first of each warms up. */
static buddy_code compare(const search *s, buddy_model *const models[2], double out_seconds[2]) {
  double spent = 0;
  buddy_code code = BUDDY_OK;
  out_seconds[0] = out_seconds[1] = 1e300;
  for (int round = -1; round < MAX_ROUNDS && (round < MIN_ROUNDS || spent < MEASURED_SECONDS);
       ++round) {
    for (int i = 0; i < 2; ++i) {
      double seconds = 0;
      code = run_once(s, models[i], &seconds);
      if (code != BUDDY_OK) return code;
      if (round < 0) continue;
      spent += seconds;
      if (seconds < out_seconds[i]) out_seconds[i] = seconds;
    }
  }
  return code;
}

/* The model with the pins so far, and one more. Compiled code of tries is not kept. */
static buddy_code load(const search *s, const char *pins, int profile, buddy_model **out_model) {
  bd_pinned pinned;
  buddy_code code = bd_pinned_init(s->model, pins, &pinned);
  *out_model = NULL;
  if (code == BUDDY_OK) {
    pinned.how.compile.profile = profile;
    pinned.how.options.use_cache = 0;
    code = buddy_model_load(s->path, &pinned.how.options, s->diags, out_model);
  }
  bd_pinned_deinit(&pinned);
  return code;
}

/* ---- What may be tried ----------------------------------------------------------------------- */
/* Whether a step is of this decision's node, or of one that its expansion made. */
static int owns(const buddy_decision *decision, const buddy_step *step) {
  const size_t n = strcspn(step->nodes, "+");
  if (n > 0 && strncmp(decision->name, step->nodes, n) == 0 && decision->name[n] == '\0') return 1;
  for (size_t i = 0; i < decision->n_expansion; ++i)
    if (owns(decision->expansion[i], step)) return 1;
  return 0;
}

static void add_time(op_time *times, size_t *n, const char *op, double seconds) {
  size_t i = 0;
  while (i < *n && strcmp(times[i].op, op) != 0) ++i;
  if (i == MAX_OPS) return;
  if (i == *n) times[(*n)++] = (op_time){op, 0};
  times[i].seconds += seconds;
}

/* The time of a step goes to the node's op and to all that it is an expansion of. */
static void add_step(op_time *times, size_t *n, const buddy_decision *decision,
                     const buddy_step *step) {
  add_time(times, n, decision->op, step->seconds);
  for (size_t i = 0; i < decision->n_expansion; ++i)
    if (owns(decision->expansion[i], step)) add_step(times, n, decision->expansion[i], step);
}

/* How many nodes with this op the registry takes, at any level. */
static size_t count_taken(const buddy_decision *decision, buddy_plan *plan, const char *op,
                          const char *registry) {
  size_t n = 0;
  if (decision->is_taken && strcmp(decision->op, op) == 0) {
    const size_t taker = decision->tries[decision->n_tries - 1].registry;
    n += strcmp(buddy_registries_get(buddy_plan_registries(plan), taker)->name, registry) == 0;
  }
  for (size_t i = 0; i < decision->n_expansion; ++i)
    n += count_taken(decision->expansion[i], plan, op, registry);
  return n;
}

static size_t count_in_plan(buddy_plan *plan, const char *op, const char *registry) {
  size_t n = 0;
  for (size_t i = 0; i < buddy_plan_n_decisions(plan); ++i)
    n += count_taken(buddy_plan_decision(plan, i), plan, op, registry);
  return n;
}

static int by_time(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  if (x->seconds != y->seconds) return x->seconds < y->seconds ? 1 : -1;
  const int by_op = strcmp(x->op, y->op);
  return by_op != 0 ? by_op : (x->place > y->place) - (x->place < y->place);
}

/* The other registries that have rows for the op. */
static buddy_code add_candidates(search *s, buddy_plan *plan, const op_time *time) {
  const buddy_registries *registries = buddy_plan_registries(plan);
  const buddy_candidate *rows;
  const size_t n = buddy_registries_candidates(registries, time->op, &rows);
  for (size_t i = 0; i < n; ++i) {
    const char *name = buddy_registries_get(registries, rows[i].registry)->name;
    bool is_known = count_in_plan(plan, time->op, name) > 0;
    for (size_t k = 0; k < i && !is_known; ++k) is_known = rows[k].registry == rows[i].registry;
    if (is_known || strlen(time->op) >= sizeof(s->candidates->op) ||
        strlen(name) >= sizeof(s->candidates->registry))
      continue;
    candidate *grown = bd_realloc(s->candidates, (s->n_candidates + 1) * sizeof(*grown));
    if (!grown) return BUDDY_OUT_OF_MEMORY;
    s->candidates = grown;
    candidate *one = &grown[s->n_candidates++];
    strcpy(one->op, time->op);
    strcpy(one->registry, name);
    one->seconds = time->seconds;
    one->place = i;
  }
  return BUDDY_OK;
}

static buddy_code list_candidates(search *s, const buddy_program *program, buddy_plan *plan) {
  op_time times[MAX_OPS];
  size_t n = 0;
  double total = 0;
  for (size_t k = 0; k < buddy_program_n_steps(program); ++k) {
    const buddy_step *step = buddy_program_step(program, k);
    total += step->seconds;
    for (size_t i = 0; i < buddy_plan_n_decisions(plan); ++i) {
      const buddy_decision *decision = buddy_plan_decision(plan, i);
      if (!owns(decision, step)) continue;
      add_step(times, &n, decision, step);
      break;
    }
  }
  for (size_t i = 0; i < n; ++i)
    if (times[i].seconds >= MIN_SHARE * total) BD_TRY(add_candidates(s, plan, &times[i]));
  if (s->n_candidates > 0) qsort(s->candidates, s->n_candidates, sizeof(*s->candidates), by_time);
  return BUDDY_OK;
}

/* Opens and plans under the pins; the caller closes both. */
static buddy_code make_plan(const search *s, const char *pins, bd_model_source *source,
                            buddy_plan **out_plan) {
  bd_pinned pinned;
  *source = (bd_model_source){.archive = NULL};
  *out_plan = NULL;
  buddy_code code = bd_pinned_init(s->model, pins, &pinned);
  if (code == BUDDY_OK) code = bd_model_source_open(s->path, &pinned.how.options, s->diags, source);
  if (code == BUDDY_OK)
    code = buddy_plan_create(source->registries, source->graph, s->diags, out_plan);
  bd_pinned_deinit(&pinned);
  return code;
}

static void close_plan(bd_model_source *source, buddy_plan *plan) {
  buddy_plan_destroy(plan);
  bd_model_source_close(source);
}

static buddy_code find_candidates(search *s) {
  buddy_model *model = NULL;
  buddy_plan *plan = NULL;
  bd_model_source source;
  double seconds;
  buddy_code code = make_plan(s, s->pins, &source, &plan);
  if (code == BUDDY_OK) code = load(s, s->pins, 1, &model);
  for (int i = 0; i < PROFILED_RUNS && code == BUDDY_OK; ++i) code = run_once(s, model, &seconds);
  if (code == BUDDY_OK) code = list_candidates(s, buddy_model_program(model), plan);
  buddy_model_destroy(model);
  close_plan(&source, plan);
  return code;
}

/* ---- Tries ----------------------------------------------------------------------------------- */
/* Whether the registry takes any node of the op if it is asked first. */
static int takes(const search *s, const candidate *c, const char *pins) {
  bd_model_source source;
  buddy_plan *plan;
  const bool is_made = make_plan(s, pins, &source, &plan) == BUDDY_OK;
  const int does = is_made && count_in_plan(plan, c->op, c->registry) > 0;
  close_plan(&source, plan);
  return does;
}

/* The pins so far, with this one in the place of the op's own. False: there is no room. */
static int add_pin(const search *s, const candidate *c, char *pins, size_t size) {
  const size_t n_op = strlen(c->op);
  size_t used = 0;
  for (const char *item = s->pins; *item != '\0';) {
    const size_t n = strcspn(item, ",");
    if (strncmp(item, c->op, n_op) != 0 || item[n_op] != '=')
      used += (size_t)snprintf(pins + used, size - used, "%.*s,", (int)n, item);
    item += n + (item[n] == ',');
  }
  const int n = snprintf(pins + used, size - used, "%s=%s", c->op, c->registry);
  return n > 0 && (size_t)n < size - used;
}

/* best: the model with the pins so far; replaced if the try is faster. */
static buddy_code try_one(search *s, const candidate *c, buddy_model **best) {
  char pins[sizeof(s->pins)];
  buddy_model *model = NULL;
  double seconds[2];
  if (!add_pin(s, c, pins, sizeof(pins)) || !takes(s, c, pins)) return BUDDY_OK;
  buddy_code code = load(s, pins, 0, &model);
  if (code == BUDDY_OK) code = compare(s, (buddy_model *[]){*best, model}, seconds);
  if (code == BUDDY_OK) {
    const bool is_kept = seconds[1] < (1 - MIN_GAIN) * seconds[0];
    const buddy_trial trial = {c->op, c->registry, seconds[0], seconds[1], is_kept};
    if (s->options->report) s->options->report(s->options->user, &trial);
    if (is_kept) {
      buddy_model *slower = *best;
      *best = model;
      model = slower;
      strcpy(s->pins, pins);
    }
  }
  buddy_model_destroy(model);
  return code;
}

static buddy_code try_all(search *s) {
  buddy_model *best = NULL;
  buddy_code code = load(s, s->pins, 0, &best);
  for (size_t i = 0; i < s->n_candidates && code == BUDDY_OK; ++i) {
    if (bd_seconds() - s->start > s->limit) break;
    code = try_one(s, &s->candidates[i], &best);
  }
  buddy_model_destroy(best);
  return code;
}

/* ---- The calls ------------------------------------------------------------------------------- */
/* The cache, and the key of the model's code under the options with what is chosen by measurements;
 * closed by close_kept. */
typedef struct kept {
  bd_store store;
  bd_chosen chosen;
  uint8_t ground[BD_KEY_SIZE], key[BD_KEY_SIZE];
} kept;

static buddy_code compute_key(const char *path, const buddy_model_options *model,
                              buddy_diags *diags, kept *k) {
  buddy_archive *archive = NULL;
  buddy_code code = bd_model_archive_open(path, model, diags, &archive);
  if (code == BUDDY_OK) code = bd_key_ground(model, diags, k->ground);
  if (code == BUDDY_OK) code = bd_chosen_init(&k->store, k->ground, model, diags, &k->chosen);
  if (code == BUDDY_OK) bd_key_compute(archive, k->ground, &k->chosen.how.options, k->key);
  if (archive) buddy_archive_close(archive);
  return code;
}

static void close_kept(kept *k) {
  bd_chosen_deinit(&k->chosen);
  bd_store_close(&k->store);
}

/* To ask makes no folder, and a cache that cannot be used has no pins. */
static buddy_code find_kept(const char *path, const buddy_model_options *model, buddy_diags *diags,
                            char **out_pins) {
  kept k = {.chosen = {.calibration = NULL}};
  *out_pins = NULL;
  if (!model->use_cache || bd_store_open(model->cache_dir, 0, NULL, &k.store) != BUDDY_OK)
    return BUDDY_OK;
  buddy_code code = compute_key(path, model, diags, &k);
  if (code == BUDDY_OK) code = bd_pins_find(&k.store, k.key, diags, out_pins);
  close_kept(&k);
  return code;
}

buddy_code buddy_tuned(const char *path, const buddy_model_options *model, buddy_diags *diags,
                       char **out_pins) {
  bd_model_how how;
  *out_pins = NULL;
  BD_TRY(bd_model_how_read(model, diags, &how));
  return find_kept(path, &how.options, diags, out_pins);
}

/* Measures the cases of the model, for its own good and that of others, where they are chosen
 * by. */
static buddy_code calibrate(const search *s, const kept *k) {
  bd_cases cases = {0};
  buddy_calibration *calibration = NULL;
  const buddy_calibrate_options options = {
      .struct_size = sizeof(options), .model = s->model, .seconds = s->limit / 2};
  if (!k->chosen.calibration) return BUDDY_OK;
  buddy_code code = bd_calibration_find(&k->store, k->ground, s->diags, &calibration);
  if (code == BUDDY_OK) code = bd_cases_add_model(&cases, s->path, s->model, s->diags);
  if (code == BUDDY_OK)
    code = bd_cases_measure(&cases, &options, bd_calibration_rates(calibration), s->diags);
  if (code == BUDDY_OK)
    code = bd_calibration_keep(&k->store, k->ground, bd_calibration_rates(calibration), s->diags);
  buddy_calibration_close(calibration);
  bd_cases_deinit(&cases);
  return code;
}

static buddy_code search_all(search *s) {
  BD_TRY(find_candidates(s));
  return try_all(s);
}

/* A search with a cache: begins with what measurements choose, and keeps what it finds. */
static buddy_code search_and_keep(search *s) {
  const buddy_model_options *given = s->model;
  kept k = {.chosen = {.calibration = NULL}};
  BD_TRY(bd_store_open(given->cache_dir, 1, s->diags, &k.store));
  buddy_code code = compute_key(s->path, given, s->diags, &k);
  if (code == BUDDY_OK) code = calibrate(s, &k);
  bd_chosen_deinit(&k.chosen);
  if (code == BUDDY_OK) code = compute_key(s->path, given, s->diags, &k);
  s->model = &k.chosen.how.options;
  if (code == BUDDY_OK) code = search_all(s);
  if (code == BUDDY_OK) code = bd_pins_keep(&k.store, k.key, s->pins, s->diags);
  s->model = given;
  close_kept(&k);
  return code;
}

buddy_code buddy_tune(const char *path, const buddy_tune_options *given, buddy_diags *diags,
                      char **out_pins) {
  BD_C_LOCALE();
  bd_model_how how;
  buddy_tune_options options = {.struct_size = sizeof(options)};
  search s = {.path = path, .options = &options, .model = &how.options, .diags = diags};
  *out_pins = NULL;
  buddy_code code = bd_options_read(&options, sizeof(options), given, "buddy_tune_options", diags);
  if (code == BUDDY_OK) code = bd_model_how_read(options.model, diags, &how);
  if (code == BUDDY_OK) code = find_kept(path, s.model, diags, out_pins);
  if (code != BUDDY_OK || *out_pins) return code;
  s.start = bd_seconds();
  s.limit = options.seconds > 0 ? options.seconds : DEFAULT_SECONDS;
  code = s.model->use_cache ? search_and_keep(&s) : search_all(&s);
  free(s.candidates);
  if (code == BUDDY_OK && !(*out_pins = bd_strdup(s.pins))) code = BUDDY_OUT_OF_MEMORY;
  return code;
}

void buddy_tune_free(char *pins) { free(pins); }
