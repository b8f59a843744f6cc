// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect.c: `buddy bisect`: which node computes other numbers than a reference does, which
 * choice makes it so, and which option avoids it. */
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/try.h"
#include "sdk/cli/bisect/accusation.h"

enum {
  OPTION_AGAINST = 256,
  OPTION_TOLERANCE,
  OPTION_NAN,
  OPTION_THREADS,
  OPTION_SEED,
  OPTION_NODE_DATA,
  OPTION_NO_CACHE,
  OPTION_WHOLE,
  OPTION_EVERY
};

typedef struct arguments {
  bd_model_flags model;
  const char *against, *node_data, *output;
  const char **inputs;
  size_t n_inputs;
  double tolerances[BD_N_DTYPES];
  unsigned long seed, n_threads;
  bool is_json, is_nan, is_whole, is_every, no_cache;
} arguments;

static const struct argp_option options[] = {
    {"against", OPTION_AGAINST, "REFERENCE", 0,
     "What is right: an order of registries, whose code is made without optimisation (default: "
     "linalg and what else comes with buddy); f64: float64; FILE.npz: values that `python -m buddy "
     "golden` wrote",
     0},
    {"input", 'i', "FILE.npy", 0,
     "The next input, as `buddy run` takes it; without any: random numbers", 0},
    {"tolerance", OPTION_TOLERANCE, "[DTYPE=]PART", 0,
     "What floats may differ by, as a part of a tensor's largest number; those of one dtype: "
     "f16=1e-2; may be repeated (default: f64 1e-9, f32 1e-4, f16 4e-3, bf16 2e-2)",
     0},
    {"nan", OPTION_NAN, NULL, 0,
     "Only find where NaN or infinities of a result come from: the node, and what it makes them "
     "of; needs no reference",
     0},
    {"json", 'j', NULL, 0, "Write JSON", 0},
    {"node-data", OPTION_NODE_DATA, "FILE.json", 0,
     "Write errors by node for Model Explorer, to colour the graph of `buddy explain --output`", 0},
    {"output", 'o', "FILE", 0,
     "Write a page: what is off and what avoids it, and the nodes by module with their errors", 0},
    {"seed", OPTION_SEED, "N", 0, "Seed of random inputs and random ops (default: 0)", 0},
    {"whole", OPTION_WHOLE, NULL, 0,
     "Only tell whether the whole differs, and look for no node: what a script asks", 0},
    {"every-node", OPTION_EVERY, NULL, 0,
     "Measure every node on the reference's values, off or not: in the table, JSON, page and node "
     "data",
     0},
    {"no-cache", OPTION_NO_CACHE, NULL, 0,
     "Leave out what the cache has: else the model's code in it is compared, too", 0},
    {"threads", OPTION_THREADS, "N", 0, "As `buddy run --threads` takes it (default: 0)", 0},
    {0}};

/* "1e-3", or of one dtype "f16=1e-2". */
static void read_tolerance(const char *arg, double *tolerances, struct argp_state *state) {
  const char *equals = strchr(arg, '='), *number = equals ? equals + 1 : arg;
  const buddy_dtype only =
      equals ? buddy_dtype_find((buddy_sv){arg, (size_t)(equals - arg)}) : BUDDY_DTYPE_NONE;
  char *end = NULL;
  const double value = strtod(number, &end);
  if (equals && bd_gap_tolerance(only) == 0)
    bd_usage(state, "--tolerance: '%.*s' is no dtype of floats", (int)(equals - arg), arg);
  if (end == number || *end || !(value > 0) || isinf(value))
    bd_usage(state, "--tolerance: '%s' is no number above 0", number);
  for (int dtype = 0; dtype < BD_N_DTYPES; ++dtype) {
    if (bd_gap_tolerance((buddy_dtype)dtype) > 0 && (!equals || dtype == (int)only))
      tolerances[dtype] = value;
  }
}

static const struct argp_child children[] = {{&bd_registry_argp, 0, "Registries:", 1},
                                             {&bd_compile_argp, 0, NULL, 0},
                                             {&bd_archive_argp, 0, NULL, 0},
                                             {0}};

static const bd_slot slots[] = {
    BD_SLOT(OPTION_AGAINST, arguments, against),
    BD_SLOT(OPTION_NAN, arguments, is_nan),
    BD_SLOT('j', arguments, is_json),
    BD_SLOT(OPTION_NODE_DATA, arguments, node_data),
    BD_SLOT('o', arguments, output),
    BD_NUMBER(OPTION_SEED, arguments, seed, "seed", 0, (unsigned long)-1),
    BD_SLOT(OPTION_WHOLE, arguments, is_whole),
    BD_SLOT(OPTION_EVERY, arguments, is_every),
    BD_SLOT(OPTION_NO_CACHE, arguments, no_cache),
    BD_NUMBER(OPTION_THREADS, arguments, n_threads, "threads", 0, 1024),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  switch (key) {
    case ARGP_KEY_INIT:
      bd_model_flags_give(&args->model, children, state);
      return 0;
    case 'i':
      bd_append(&args->inputs, &args->n_inputs, arg);
      return 0;
    case OPTION_TOLERANCE:
      read_tolerance(arg, args->tolerances, state);
      return 0;
    case ARGP_KEY_END:
      if (args->against && !*args->against) bd_usage(state, "--against: which reference?");
      if (args->is_nan && args->output)
        bd_usage(state, "--nan finds one node: no page is made of it");
      return 0;
    default:
      return bd_take(slots, key, arg, state);
  }
}

static const struct argp parser = {
    options,
    parse,
    "MODEL.pt2",
    "Compares what a model computes with a reference, and where they part by more than rounding, "
    "finds the node: parts of the model run on the reference's values, so that no error is "
    "inherited. Then options are turned one by one: which avoids it, in that part and in the whole."
    "\vExit status: 0: within rounding; 1: something is off, or failed; 2: the command line is "
    "wrong.",
    children,
    NULL,
    NULL};

/* ---- Ways ------------------------------------------------------------------------------------ */
static bool is_file(const char *against) {
  const size_t n = strlen(against);
  return n > 4 && strcmp(against + n - 4, ".npz") == 0;
}

static size_t folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) : 0;
}

/* linalg, then those that lie beside it, which are buddy's own, and others where nobody else can. */
static void write_own_order(const buddy_search *search, char *order, size_t size) {
  const buddy_found *linalg = NULL;
  const size_t n = buddy_search_n_found(search);
  for (size_t i = 0; i < n && !linalg; ++i) {
    const buddy_found *found = buddy_search_found(search, i);
    if (found->name && strcmp(found->name, "linalg") == 0) linalg = found;
  }
  size_t at = (size_t)snprintf(order, size, "linalg:");
  for (size_t i = 0; i < n && linalg; ++i) {
    const buddy_found *found = buddy_search_found(search, i);
    const size_t folder = folder_of(linalg->path);
    if (found == linalg || found->code != BUDDY_OK || folder_of(found->path) != folder ||
        memcmp(found->path, linalg->path, folder) != 0 || at + strlen(found->name) + 3 > size)
      continue;
    at += (size_t)snprintf(order + at, size - at, "%s:", found->name);
  }
  snprintf(order + at, size - at, "*");
}

static buddy_code open_reference(const arguments *args, bd_bisect *b) {
  char own[1024];
  write_own_order(b->session->search, own, sizeof own);
  const char *against = args->against ? args->against : own;
  const bool is_order = !is_file(against) && strcmp(against, "f64") != 0;
  const bd_registry_flags flags = {.order = is_order ? against : own};
  const bd_way plain = bd_way_plain(strcmp(against, "f64") == 0);
  if (is_file(against)) BD_TRY(bd_golden_open(against, b->diags, &b->golden));
  return bd_way_open(b->session, &flags, NULL, 0, &plain, &b->reference);
}

/* ---- Searching ------------------------------------------------------------------------------- */
typedef struct hunt {
  bd_bisect *b;
  bd_accusations *all;
  const arguments *args;
  const bd_results *reference; /* of the whole */
} hunt;

static buddy_code accuse(void *user, const bd_finding *finding) {
  hunt *h = user;
  bd_accusation *one = bd_accusations_add(h->all, finding);
  if (!one) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_choices_try(h->b, finding, &one->choices));
  if (one->choices.n == 0) return BUDDY_OK;
  BD_TRY(bd_bisect_fix(h->b, one->choices.items[0].option));
  return bd_accusations_confirm(h->all, h->b, h->reference);
}

/* Of an op that was accused elsewhere, and turned with it: the whole tells whether it is right then. */
static double has_accused_sibling(const void *user, const buddy_node *node, size_t position) {
  const hunt *h = user;
  const bd_accusation *one = bd_accusations_find_op(h->all, h->b, buddy_node_op(node));
  return !one || bd_accusations_find(h->all, position) ? 0
                                                       : fmin(one->finding.gap.relative, 1) / 10;
}

static buddy_code accuse_sibling(void *user, const bd_finding *finding) {
  hunt *h = user;
  const char *op = buddy_node_op(h->b->nodes[finding->range.first]);
  const bd_bisect_choice way_out = bd_accusations_find_op(h->all, h->b, op)->choices.items[0];
  bd_accusation *one = bd_accusations_add(h->all, finding);
  if (!one) return BUDDY_OUT_OF_MEMORY;
  one->choices.items[one->choices.n++] = way_out;
  return BUDDY_OK;
}

static buddy_code measure(void *user, const bd_finding *finding) {
  return bd_accusations_measure(((hunt *)user)->all, finding);
}

static int compare_positions(const void *a, const void *b) {
  const size_t x = ((const bd_finding *)a)->range.first, y = ((const bd_finding *)b)->range.first;
  return x < y ? -1 : x > y;
}

static buddy_code measure_every_node(hunt *h) {
  BD_TRY(bd_bisect_look_at(h->b, NULL, measure, h));
  if (h->all->every.n > 0)
    qsort(h->all->every.items, h->all->every.n, sizeof(bd_finding), compare_positions);
  return BUDDY_OK;
}

/* Code that was compiled before is off, where it is right anew. */
static buddy_code look_at_cache(hunt *h, const bd_results *cached, const bd_results *reference) {
  const bd_node_range whole = {0, h->b->n_nodes};
  bd_finding before = {.range = whole}, anew;
  bd_finding_worst(h->b, reference, cached, &before);
  if (!bd_finding_is_off(h->b, &before)) return BUDDY_OK;
  BD_TRY(bd_bisect_compare_with(h->b, whole, &h->b->candidate, reference, &anew));
  if (!bd_finding_is_off(h->b, &anew)) bd_accusations_of_cache(h->all, &before, &anew);
  return BUDDY_OK;
}

/* The reference's results; and what the cache has is compared with them. */
static buddy_code run_whole(hunt *h, bd_results *reference) {
  const bd_archive_flags *archive = &h->args->model.archive;
  const bd_node_range whole = {0, h->b->n_nodes};
  bd_results cached = {.n = 0};
  buddy_code code =
      h->args->no_cache ? BUDDY_OK : bd_cached_run(h->b, archive->path, archive->program, &cached);
  if (code == BUDDY_OK) code = bd_reference_run(h->b, whole, reference);
  if (code == BUDDY_OK) code = look_at_cache(h, &cached, reference);
  bd_results_free(&cached);
  return code;
}

/* The first run is searched if it is off; else one of those after it, which have what it has kept. */
static buddy_code hunt_down(hunt *h) {
  bd_bisect *b = h->b;
  bd_accusations *all = h->all;
  const bd_node_range whole = {0, b->n_nodes};
  bd_results reference = {.n = 0};
  buddy_code code = run_whole(h, &reference);
  if (code != BUDDY_OK || all->is_off) {
    bd_results_free(&reference);
    return code;
  }
  for (b->n_runs = 1; code == BUDDY_OK; ++b->n_runs) {
    all->whole.range = whole;
    code = bd_bisect_compare_with(b, whole, &b->candidate, &reference, &all->whole);
    all->is_off = code == BUDDY_OK && bd_finding_is_off(b, &all->whole);
    if (all->is_off || b->n_runs > 1) break;
  }
  all->is_later_run = all->is_off && b->n_runs > 1;
  all->is_searched = all->is_off && !h->args->is_whole;
  if (all->is_searched) {
    h->reference = &reference;
    code = bd_bisect_search(b, &all->whole, &reference, accuse, h);
    if (code == BUDDY_OK) code = bd_bisect_look_at(b, has_accused_sibling, accuse_sibling, h);
    if (code == BUDDY_OK) code = bd_accusations_conclude(all, b);
  }
  bd_results_free(&reference);
  if (code == BUDDY_OK && h->args->is_every) code = measure_every_node(h);
  return code;
}

static buddy_code tell_nonfinite(bd_bisect *b, const arguments *args, bool *out_is_off) {
  bd_nonfinite nonfinite;
  const buddy_code code = bd_bisect_nonfinite(b, &nonfinite);
  bd_progress(NULL, "", 1.0);
  if (code == BUDDY_OK) bd_nonfinite_tell(&nonfinite, b, args->is_json);
  *out_is_off = code == BUDDY_OK && nonfinite.result.value;
  return code;
}

static buddy_code tell_parting(bd_bisect *b, const arguments *args, bool *out_is_off) {
  bd_accusations all = {.n = 0};
  hunt h = {b, &all, args, NULL};
  buddy_code code = hunt_down(&h);
  bd_progress(NULL, "", 1.0);
  if (code == BUDDY_OK) bd_accusations_tell(&all, b, args->is_json);
  if (code == BUDDY_OK && args->node_data) code = bd_accusations_write(&all, b, args->node_data);
  if (code == BUDDY_OK && args->output)
    code = bd_accusations_page(&all, b, args->model.archive.path, args->output);
  *out_is_off = all.is_off && (all.n > 0 || all.choices.n > 0 || !all.is_explained);
  bd_accusations_free(&all);
  return code;
}

static buddy_code open_bisect(const arguments *args, const bd_session *session, bd_bisect *b) {
  bd_loading loading;
  bd_loading_init(&args->model, &loading);
  const bd_way candidate = {.registries = session->registries,
                            .compile = loading.compile,
                            .n_threads = (int)args->n_threads};
  BD_TRY(bd_bisect_open(session, &candidate, args->seed, &args->model.registry, b));
  memcpy(b->tolerances, args->tolerances, sizeof b->tolerances);
  if (!args->is_nan) BD_TRY(open_reference(args, b));
  return bd_bisect_inputs(b, args->model.archive.path, args->inputs, args->n_inputs);
}

/* ---- Crashes --------------------------------------------------------------------------------- */
/* The process ends as `buddy run` does, by the same signal: what finds the node is told before. */
static void tell_crash(int number) {
  static const char text[] =
      "buddy: error: what compiles or runs the model's nodes crashed: a registry's code, as it "
      "seems\n"
      "  help: `buddy reduce MODEL.pt2 --check 'buddy run'`, with the same registries, finds the "
      "node\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) { /* there is nobody to tell */
  }
  raise(number); /* by default, once this returns */
}

static void watch_crashes(void) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
  const struct sigaction action = {.sa_handler = tell_crash, .sa_flags = (int)SA_RESETHAND};
  for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; ++i)
    sigaction(crashes[i], &action, NULL);
}

static int bisect(int argc, char **argv) {
  arguments args = {0};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  watch_crashes();
  bd_session session;
  bd_bisect b = {.nodes = NULL};
  bool is_off = false;
  buddy_code code = bd_session_open_chosen(&session, &args.model.registry);
  if (code == BUDDY_OK) code = bd_session_import_model(&session, &args.model);
  if (code == BUDDY_OK) code = open_bisect(&args, &session, &b);
  if (code == BUDDY_OK) code = (args.is_nan ? tell_nonfinite : tell_parting)(&b, &args, &is_off);
  bd_bisect_close(&b);
  const int status = bd_session_close(&session, code);
  bd_model_flags_free(&args.model);
  free(args.inputs);
  return status == BD_EXIT_OK && is_off ? BD_EXIT_FAILED : status;
}

const bd_verb bd_verb_bisect = {"bisect", "which node is off, and what avoids it", &parser, bisect};
