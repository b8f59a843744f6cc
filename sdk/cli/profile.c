// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/profile.c: `buddy profile`: where the time of a model goes: a table by op, or by
 * step. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "buddy/compile.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/explorer.h"
#include "sdk/cli/page.h"
#include "sdk/cli/profile.h"
#include "sdk/cli/ranks.h"
#include "sdk/runtime/model.h"

enum { OPTION_REPEAT = 256, OPTION_COMPILE, OPTION_MEMORY, OPTION_THREADS, OPTION_NODE_DATA };

typedef struct arguments {
  bd_model_flags model;
  const char *output, *node_data;
  const char **inputs;
  size_t n_inputs;
  unsigned long repeat, n_threads;
  bool is_by_step, tells_stages, tells_memory;
} arguments;

static const struct argp_option options[] = {
    {"input", 'i', "FILE.npy", 0,
     "The next input, as `buddy run` takes it; without any: random numbers", 0},
    {"output", 'o', "FILE", 0,
     "FILE.json: write a trace of the last run, which Perfetto and chrome://tracing open, a track "
     "for each thread. Any other name: write a page: the nodes and the steps by module, with their "
     "times, and why which registry took what",
     0},
    {"node-data", OPTION_NODE_DATA, "FILE.json", 0,
     "Write milliseconds by node for Model Explorer, to colour the graph of `buddy explain "
     "--output`",
     0},
    {"compile", OPTION_COMPILE, NULL, 0,
     "Tell the time of importing and of each of the compiler's passes, too", 0},
    {"memory", OPTION_MEMORY, NULL, 0,
     "Tell which intermediate results are alive where most memory is in use, and how large the "
     "prepacked weights are",
     0},
    {"steps", 's', NULL, 0, "List every step, not only the sum of each op", 0},
    {"repeat", OPTION_REPEAT, "N", 0,
     "Run N times and take the least time of each step (default: 10)", 0},
    {"threads", OPTION_THREADS, "N", 0, "As `buddy run --threads` takes it (default: 0)", 0},
    {0}};

static const struct argp_child children[] = {
    {&bd_registry_argp, 0, "Registries:", 1},
    {&bd_compile_argp, 0, NULL, 0},
    {&bd_archive_argp, 0, NULL, 0},
    {&bd_rank_argp, 0, "Several processes:", 2},
    {&bd_shard_argp, 0, "One program, cut for several processes:", 3},
    {0}};

static const bd_slot slots[] = {BD_SLOT('o', arguments, output),
                                BD_SLOT(OPTION_MEMORY, arguments, tells_memory),
                                BD_SLOT(OPTION_COMPILE, arguments, tells_stages),
                                BD_SLOT(OPTION_NODE_DATA, arguments, node_data),
                                BD_NUMBER(OPTION_THREADS, arguments, n_threads, "threads", 0, 1024),
                                BD_SLOT('s', arguments, is_by_step),
                                BD_NUMBER(OPTION_REPEAT, arguments, repeat, "repeat", 1, 1000000),
                                {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  if (key == ARGP_KEY_INIT) bd_model_flags_give(&args->model, children, state);
  if (key == 'i') {
    bd_append(&args->inputs, &args->n_inputs, arg);
    return 0;
  }
  return bd_take(slots, key, arg, state);
}

static const struct argp parser = {options,
                                   parse,
                                   "MODEL.pt2",
                                   "Compiles a torch.export archive so that it measures itself, "
                                   "runs it, on random inputs if none are given, and tells where "
                                   "the time goes.",
                                   children,
                                   NULL,
                                   NULL};

/* ---- The table ------------------------------------------------------------------------------- */
typedef struct entry {
  const char *op;
  const buddy_step *step; /* null: the sum of several */
  double seconds;
  size_t n;
} entry;

static int by_time(const void *a, const void *b) {
  const double x = ((const entry *)a)->seconds, y = ((const entry *)b)->seconds;
  return (x < y) - (x > y);
}

static void add_entry(entry *entries, size_t *n, const bd_profile_report *r, size_t i,
                      bool is_by_step) {
  size_t k = 0;
  while (k < *n && (is_by_step || strcmp(entries[k].op, r->origins[i].op) != 0)) ++k;
  if (k == *n) entries[(*n)++] = (entry){r->origins[i].op, is_by_step ? r->steps[i] : NULL, 0, 0};
  entries[k].seconds += r->steps[i]->seconds;
  ++entries[k].n;
}

static void print_entries(const bd_profile_report *r, bool is_by_step) {
  static const char *const of_ops[] = {"SHARE", "MS", "STEPS", "OP"};
  static const char *const of_steps[] = {"SHARE", "MS", "LIMIT", "OP", "NODES", "KERNEL", "WHERE"};
  entry *entries = bd_calloc(r->n + 1, sizeof(*entries));
  bd_table *table = bd_table_create(is_by_step ? of_steps : of_ops, is_by_step ? 7 : 4);
  size_t n = 0;
  for (size_t i = 0; entries && i < r->n; ++i) add_entry(entries, &n, r, i, is_by_step);
  if (entries) qsort(entries, n, sizeof(*entries), by_time);
  for (size_t i = 0; table && i < n; ++i) {
    char share[32], time[32], count[32];
    const entry *e = &entries[i];
    snprintf(share, sizeof(share), "%5.1f %%", 100 * e->seconds / r->total);
    snprintf(time, sizeof(time), "%8.*f", r->total < 1e-3 ? 6 : 3, e->seconds * 1e3);
    snprintf(count, sizeof(count), "%zu", e->n);
    const char *op = *e->op ? e->op : "(between)";
    const char *plain[] = {share, time, count, op};
    if (!e->step) {
      bd_table_add(table, plain);
      continue;
    }
    const double calls = (double)e->step->n_calls / (double)r->n_runs;
    snprintf(count, sizeof(count), "%5.1f %%",
             100 * bd_profile_share(r, e->step, calls, e->seconds));
    const char *cells[] = {share, time, count, op, e->step->nodes, e->step->kernel, e->step->where};
    bd_table_add(table, cells);
  }
  bd_table_print(table, stdout);
  bd_table_destroy(table);
  free(entries);
}

/* ---- The verb -------------------------------------------------------------------------------- */
static buddy_code run_model(buddy_model *model, const arguments *args, buddy_diags *diags) {
  const size_t n_inputs = buddy_model_n_inputs(model), n_outputs = buddy_model_n_outputs(model);
  buddy_tensor *inputs = bd_calloc(n_inputs + n_outputs + 1, sizeof(*inputs));
  if (!inputs) return BUDDY_OUT_OF_MEMORY;
  buddy_tensor *outputs = inputs + n_inputs;
  buddy_code code = bd_model_inputs(model, args->model.archive.path, args->inputs, args->n_inputs,
                                    0, diags, inputs);
  for (unsigned long k = 0; k < args->repeat && code == BUDDY_OK; ++k) {
    buddy_tensor *own = NULL; /* what a run writes to is for the next what it was */
    code = bd_model_spare_inputs(model, inputs, &own);
    if (code == BUDDY_OK) code = buddy_model_run(model, own, n_inputs, outputs, n_outputs, diags);
    bd_model_spared_free(model, own);
    for (size_t i = 0; i < n_outputs; ++i) buddy_tensor_release(&outputs[i]);
  }
  for (size_t i = 0; i < n_inputs; ++i) buddy_tensor_release(&inputs[i]);
  free(inputs);
  return code;
}

static void print_stages(const bd_stages *stages) {
  static const char *const headings[] = {"MS", "STAGE"};
  bd_table *table = bd_table_create(headings, 2);
  for (size_t i = 0; i < stages->n; ++i) {
    char time[32];
    snprintf(time, sizeof(time), "%8.3f", 1e3 * (stages->items[i].end - stages->items[i].begin));
    const char *cells[] = {time, stages->items[i].name};
    bd_table_add(table, cells);
  }
  bd_table_print(table, stdout);
  bd_table_destroy(table);
  printf("\n");
}

/* A kernel's time is that of the first node whose work it does. */
static json_t *node_data(const bd_profile_report *r) {
  json_t *data = bd_explorer_data("ms");
  for (size_t i = 0; i < r->n; ++i) {
    if (*r->origins[i].node)
      bd_explorer_data_add(data, r->origins[i].node, r->steps[i]->seconds * 1e3);
  }
  return data;
}

static buddy_code write_files(const bd_profile_report *r, const bd_session *session, json_t *graphs,
                              const arguments *args) {
  buddy_code code = BUDDY_OK;
  json_t *data = node_data(r);
  if (graphs) {
    bd_explorer_add_plan(graphs, session);
    code = bd_profile_write_page(args->output, r, graphs, data, session->diags);
  } else if (args->output) {
    code = bd_profile_write_trace(args->output, r, session->diags);
  }
  if (code == BUDDY_OK && args->node_data)
    return bd_explorer_data_write(data, session->graph, args->node_data, session->diags);
  json_decref(data);
  return code;
}

static void print_report(const bd_profile_report *r, const arguments *args) {
  char sum[BD_PROFILE_SUM];
  if (args->model.ranks.size > 1)
    printf("rank %d of %d\n", args->model.ranks.rank, args->model.ranks.size);
  if (r->stages) print_stages(r->stages);
  print_entries(r, args->is_by_step);
  bd_profile_sum(r, sum);
  printf("\n%s\n", sum);
  if (args->is_by_step) {
    bd_profile_limits(&r->machine, sum);
    printf("%s\n", sum);
  }
  if (args->tells_memory) bd_profile_print_memory(r);
}

static buddy_code tell(const bd_session *session, const buddy_model *model, json_t *graphs,
                       const arguments *args, const bd_stages *stages) {
  bd_profile_report r;
  buddy_code code = bd_profile_report_init(session, buddy_model_program(model), &r);
  r.model = args->model.archive.path;
  r.n_runs = args->repeat;
  r.stages = args->tells_stages ? stages : NULL;
  if (args->output || args->is_by_step)
    r.machine = bd_machine_rates_measure(buddy_program_threads(r.program));
  const bool speaks = args->model.ranks.is_every || bd_ranks_speaks(&args->model.ranks);
  if (code == BUDDY_OK && speaks) print_report(&r, args);
  if (code == BUDDY_OK) code = write_files(&r, session, graphs, args);
  bd_profile_report_deinit(&r);
  return code;
}

/* Which rank this is, and the names of its files. What it writes alone has %r in its name. */
static buddy_code settle(arguments *args, int argc, char **argv, buddy_diags *diags) {
  bd_rank_flags *ranks = &args->model.ranks;
  BD_TRY(bd_ranks_settle(&args->model, argc, argv, diags));
  BD_TRY(bd_ranks_name(ranks, &args->model.archive.path));
  BD_TRY(bd_ranks_name_output(ranks, &args->output));
  BD_TRY(bd_ranks_name_output(ranks, &args->node_data));
  for (size_t i = 0; i < args->n_inputs; ++i) BD_TRY(bd_ranks_name(ranks, &args->inputs[i]));
  return BUDDY_OK;
}

/* What a page shows of the graph, before a plan changes it. */
static buddy_code plan_session(bd_session *session, const arguments *args, json_t **out_graphs) {
  if (args->output && !bd_page_is_json(args->output)) {
    *out_graphs = bd_explorer_graphs(session->graph, args->model.archive.path);
    if (!*out_graphs) return BUDDY_OUT_OF_MEMORY;
  }
  return bd_session_plan(session);
}

static int profile(int argc, char **argv) {
  arguments args = {.repeat = 10};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  bd_session session;
  bd_stages stages = {.n = 0};
  buddy_model *model = NULL;
  json_t *graphs = NULL;
  buddy_code code = bd_session_open_chosen(&session, &args.model.registry);
  if (code == BUDDY_OK) code = settle(&args, argc, argv, session.diags);
  if (code == BUDDY_OK) code = bd_session_import_model(&session, &args.model);
  if (code == BUDDY_OK) code = bd_session_shard(&session, &args.model.shard);
  if (code == BUDDY_OK) code = plan_session(&session, &args, &graphs);
  bd_loading loading;
  bd_loading_init(&args.model, &loading);
  loading.registries.chooser = bd_session_chooser(&session, &args.model.registry);
  loading.compile.profile = 1;
  loading.compile.progress = bd_stages_progress;
  loading.compile.user = &stages;
  loading.model.n_threads = (int)args.n_threads;
  if (code == BUDDY_OK)
    code = buddy_model_load(args.model.archive.path, &loading.model, session.diags, &model);
  bd_progress(NULL, "", 1.0);
  if (code == BUDDY_OK) code = run_model(model, &args, session.diags);
  if (code == BUDDY_OK) code = tell(&session, model, graphs, &args, &stages);
  json_decref(graphs);
  buddy_model_destroy(model);
  const int status = bd_session_close(&session, code);
  bd_model_flags_free(&args.model);
  free(args.inputs);
  return status;
}

const bd_verb bd_verb_profile = {"profile", "where the time of a model goes", &parser, profile};
