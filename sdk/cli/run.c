// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/run.c: `buddy run`: compiles an archive in memory and runs it on .npy files. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "buddy/tune.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/ranks.h"
#include "sdk/cli/session.h"
#include "sdk/runtime/model.h"
#include "sdk/runtime/npy.h"

enum {
  OPTION_REPEAT = 256,
  OPTION_SEED,
  OPTION_NO_CACHE,
  OPTION_THREADS,
  OPTION_AUTOTUNE,
  OPTION_VERIFY,
  OPTION_TIME_LIMIT,
  OPTION_LIBRARY
};

typedef struct arguments {
  bd_model_flags model;
  const char *output_dir; /* a null folder: results are not written */
  const char **inputs;
  size_t n_inputs;
  unsigned long repeat, seed, n_threads, time_limit;
  bool no_cache, verify, is_library;
  unsigned long tune_seconds; /* 0: no search */
  char *pins;                 /* that one found */
} arguments;

static const struct argp_option options[] = {
    {"input", 'i', "FILE.npy", 0,
     "The next input, in the order of the model's flattened inputs; repeat it for each. Without "
     "any: random "
     "numbers of the right shapes. Twice as many, and more: the same loaded model runs again with "
     "the next ones",
     0},
    {"output-dir", 'o', "DIR", 0,
     "Write the results to DIR/output_0.npy, output_1.npy, …; those of further runs to DIR/run_1, "
     "…",
     0},
    {"repeat", OPTION_REPEAT, "N", 0, "Run N times and tell the median time (default: 1)", 0},
    {"seed", OPTION_SEED, "N", 0,
     "Seed of random inputs and of the model's random ops (default: 0)", 0},
    {"threads", OPTION_THREADS, "N", 0,
     "Run on N threads; 0, the default: BUDDY_THREADS, else OMP_NUM_THREADS, else all CPUs that "
     "the process may use",
     0},
    {"time-limit", OPTION_TIME_LIMIT, "SECONDS", 0,
     "End a run whose loops go on longer, for programs that nobody vouches for (default: none)", 0},
    {"autotune", OPTION_AUTOTUNE, "SECONDS", OPTION_ARG_OPTIONAL,
     "First find out by measuring which registries are fastest for the ops that take most of the "
     "time, and keep the answer in the cache: later runs use it (default: 60 seconds)",
     0},
    {"verify", OPTION_VERIFY, NULL, 0,
     "First compare every byte of the archive with its checksum, as `buddy check` does", 0},
    {"library", OPTION_LIBRARY, NULL, 0,
     "MODEL is a shared library that `buddy compile --runtime libbuddy_runtime.so` wrote, "
     "whatever its name is; one that ends in .so is taken for one anyway. Its code runs with your "
     "rights, so that it and its folder must belong to you or to root, and nobody else may write "
     "to them",
     0},
    {"no-cache", OPTION_NO_CACHE, NULL, 0,
     "Compile anew, and keep nothing; see `buddy cache --help`", 0},
    {0}};

static const struct argp_child children[] = {
    {&bd_registry_argp, 0, "Registries:", 1},
    {&bd_compile_argp, 0, NULL, 0},
    {&bd_archive_argp, 0, NULL, 0},
    {&bd_rank_argp, 0, "Several processes:", 2},
    {&bd_shard_argp, 0, "One program, cut for several processes:", 3},
    {&bd_weights_argp, 0, NULL, 0},
    {0}};

static const bd_slot slots[] = {
    BD_SLOT('o', arguments, output_dir),
    BD_NUMBER(OPTION_REPEAT, arguments, repeat, "repeat", 1, 1000000),
    BD_NUMBER(OPTION_SEED, arguments, seed, "seed", 0, (unsigned long)-1),
    BD_NUMBER(OPTION_THREADS, arguments, n_threads, "threads", 0, 1024),
    BD_NUMBER(OPTION_TIME_LIMIT, arguments, time_limit, "time-limit", 1, 31536000),
    BD_SLOT(OPTION_VERIFY, arguments, verify),
    BD_SLOT(OPTION_LIBRARY, arguments, is_library),
    BD_SLOT(OPTION_NO_CACHE, arguments, no_cache),
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
    case OPTION_AUTOTUNE:
      args->tune_seconds = arg ? bd_number(arg, 1, 86400, "autotune", state) : 60;
      return 0;
    default:
      return bd_take(slots, key, arg, state);
  }
}

static const struct argp parser = {
    options,
    parse,
    "MODEL.pt2",
    "Imports, compiles and runs a torch.export archive. Results are .npy files in the "
    "order of the model's outputs; numbers are 0-d arrays; bfloat16 is its bit pattern "
    "in uint16, and is taken so as an input, too.",
    children,
    NULL,
    NULL};

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int by_number(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* ---- Tensors --------------------------------------------------------------------------------- */
typedef struct tensors {
  buddy_tensor *items;
  size_t n;
} tensors;

static buddy_code alloc_tensors(size_t n, tensors *out) {
  out->items = bd_calloc(n + 1, sizeof(*out->items));
  out->n = out->items ? n : 0;
  return out->items ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static void free_tensors(tensors *list) {
  for (size_t i = 0; i < list->n; ++i) buddy_tensor_release(&list->items[i]);
  free(list->items);
  *list = (tensors){0};
}

/* Of run number `which`, from 0. */
static buddy_code read_inputs(buddy_model *model, const arguments *args, size_t which,
                              buddy_diags *diags, tensors *inputs) {
  const size_t n = buddy_model_n_inputs(model), n_all = args->n_inputs;
  const bool are_whole_runs = n > 0 && n_all > 0 && n_all % n == 0;
  const char *const *paths = are_whole_runs ? args->inputs + which * n : args->inputs;
  BD_TRY(alloc_tensors(n, inputs));
  return bd_model_inputs(model, args->model.archive.path, paths, are_whole_runs ? n : n_all,
                         args->seed, diags, inputs->items);
}

static buddy_code write_outputs(const tensors *outputs, const char *dir, buddy_diags *diags) {
  if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, dir, NULL, "cannot be created: %s",
                           strerror(errno));
  }
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < outputs->n && code == BUDDY_OK; ++i) {
    if (outputs->items[i].dtype == BUDDY_DTYPE_NONE) continue; /* None: there is nothing to write */
    char *path = NULL;
    if (asprintf(&path, "%s/output_%zu.npy", dir, i) < 0) return BUDDY_OUT_OF_MEMORY;
    code = buddy_npy_write(path, &outputs->items[i], diags);
    free(path);
  }
  return code;
}

/* ---- The table ------------------------------------------------------------------------------- */
static void add_tensor(bd_table *table, const char *what, size_t i, const buddy_port *port,
                       const buddy_tensor *tensor) {
  char label[32], shape[512] = "[", number_text[32];
  snprintf(label, sizeof(label), "%s %zu", what, i);
  size_t used = 1;
  for (uint32_t d = 0; d < tensor->rank && used < sizeof(shape) - 32; ++d) {
    used += (size_t)snprintf(shape + used, sizeof(shape) - used, "%s%lld", d ? "," : "",
                             (long long)tensor->sizes[d]);
  }
  snprintf(shape + used, sizeof(shape) - used, "]");
  const bool is_none = tensor->dtype == BUDDY_DTYPE_NONE;
  snprintf(number_text, sizeof(number_text), "%s",
           is_none ? "None" : buddy_dtype_name(tensor->dtype));
  const char *cells[] = {label, number_text, is_none ? "" : shape, port->name};
  bd_table_add(table, cells);
}

static void print_report(buddy_model *model, const tensors *inputs, const tensors *outputs) {
  const char *headings[] = {"", "DTYPE", "SHAPE", "NAME"};
  bd_table *table = bd_table_create(headings, 4);
  for (size_t i = 0; i < inputs->n; ++i)
    add_tensor(table, "input", i, buddy_model_input(model, i), &inputs->items[i]);
  for (size_t i = 0; i < outputs->n; ++i) {
    add_tensor(table, "output", i, buddy_model_output(model, i), &outputs->items[i]);
  }
  bd_table_print(table, stdout);
  bd_table_destroy(table);
}

static buddy_code run_repeatedly(buddy_model *model, const arguments *args, const tensors *inputs,
                                 tensors *outputs, double load_ms, buddy_diags *diags) {
  double *times = bd_calloc(args->repeat, sizeof(*times));
  if (!times) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = BUDDY_OK;
  for (unsigned long k = 0; k < args->repeat && code == BUDDY_OK; ++k) {
    buddy_tensor *own; /* every run gets what was given, whatever the program writes to it */
    for (size_t i = 0; i < outputs->n; ++i) buddy_tensor_release(&outputs->items[i]);
    code = bd_model_spare_inputs(model, inputs->items, &own);
    const double start = now_ms();
    if (code == BUDDY_OK)
      code = buddy_model_run(model, own, inputs->n, outputs->items, outputs->n, diags);
    times[k] = now_ms() - start;
    bd_model_spared_free(model, own);
  }
  if (code == BUDDY_OK && (args->model.ranks.is_every || bd_ranks_speaks(&args->model.ranks))) {
    if (args->model.ranks.size > 1)
      printf("rank %d of %d\n", args->model.ranks.rank, args->model.ranks.size);
    print_report(model, inputs, outputs);
    const double first = times[0];
    qsort(times, args->repeat, sizeof(*times), by_number);
    printf("\nready in %.0f ms, first run %.3f ms", load_ms, first);
    if (args->repeat > 1)
      printf(", median of %lu runs %.3f ms", args->repeat, times[args->repeat / 2]);
    printf("\n");
  }
  free(times);
  return code;
}

/* One run after the first, of the same model. */
static buddy_code run_again(buddy_model *model, const arguments *args, size_t which,
                            buddy_diags *diags) {
  tensors inputs = {0}, outputs = {0};
  char *dir = NULL;
  if (args->output_dir && asprintf(&dir, "%s/run_%zu", args->output_dir, which) < 0)
    return BUDDY_OUT_OF_MEMORY;
  buddy_code code = read_inputs(model, args, which, diags, &inputs);
  if (code == BUDDY_OK) code = alloc_tensors(buddy_model_n_outputs(model), &outputs);
  if (code == BUDDY_OK)
    code = buddy_model_run(model, inputs.items, inputs.n, outputs.items, outputs.n, diags);
  if (code == BUDDY_OK && dir) code = write_outputs(&outputs, dir, diags);
  free_tensors(&outputs);
  free_tensors(&inputs);
  free(dir);
  return code;
}

static buddy_code run_others(buddy_model *model, const arguments *args, buddy_diags *diags) {
  const size_t n = buddy_model_n_inputs(model), n_runs = n ? args->n_inputs / n : 1;
  for (size_t which = 1; which < n_runs; ++which) BD_TRY(run_again(model, args, which, diags));
  return BUDDY_OK;
}

/* ---- The verb -------------------------------------------------------------------------------- */
static const buddy_model_options *how_to_load(const arguments *args, bd_loading *out) {
  bd_loading_init(&args->model, out);
  out->model.use_cache = !args->no_cache;
  out->model.n_threads = (int)args->n_threads;
  out->model.verify = args->verify;
  return &out->model;
}

static buddy_code load(const arguments *args, buddy_diags *diags, buddy_model **out_model) {
  bd_loading chosen;
  const __typeof__(&buddy_model_load) load_model =
      args->is_library ? buddy_model_load_library : buddy_model_load;
  const buddy_code code =
      load_model(args->model.archive.path, how_to_load(args, &chosen), diags, out_model);
  bd_progress(NULL, "", 1.0);
  if (code == BUDDY_OK) buddy_model_set_time_limit(*out_model, args->time_limit * 1000);
  return code;
}

static void report(void *user, const buddy_trial *trial) {
  (void)user;
  bd_progress(NULL, "", 1.0);
  char *op = bd_shown(trial->op);
  printf("%-32s %-10s %10.3f ms -> %10.3f ms  %s\n", op, trial->registry, trial->before * 1e3,
         trial->after * 1e3, trial->is_kept ? "kept" : "");
  free(op);
}

/* Searches, and loads the model again if anything was found. */
static buddy_code tune(arguments *args, const tensors *inputs, buddy_diags *diags,
                       buddy_model **model) {
  bd_loading chosen;
  const buddy_tune_options tuning = {.struct_size = sizeof(tuning),
                                     .model = how_to_load(args, &chosen),
                                     .inputs = inputs->items,
                                     .n_inputs = inputs->n,
                                     .seconds = (double)args->tune_seconds,
                                     .report = report};
  char *rest = NULL;
  const buddy_code code = buddy_tune(args->model.archive.path, &tuning, diags, &args->pins);
  if (code != BUDDY_OK) return code;
  printf("autotune: ");
  bd_put_shown(*args->pins ? args->pins : "nothing is faster than the order", stdout);
  printf("\n\n");
  if (!*args->pins) return code;
  buddy_model_destroy(*model);
  *model = NULL;
  for (char *pin = strtok_r(args->pins, ",", &rest); pin && args->no_cache;
       pin = strtok_r(NULL, ",", &rest))
    bd_append(&args->model.registry.pins, &args->model.registry.n_pins, pin);
  return load(args, diags, model);
}

static buddy_code run_model(arguments *args, buddy_diags *diags) {
  buddy_model *model = NULL;
  tensors inputs = {0}, outputs = {0};
  buddy_code code = bd_model_flags_read(&args->model, diags);
  const double start = now_ms();
  if (code == BUDDY_OK) code = load(args, diags, &model);
  const double load_ms = now_ms() - start;
  if (code == BUDDY_OK) code = read_inputs(model, args, 0, diags, &inputs);
  if (code == BUDDY_OK && args->tune_seconds > 0) code = tune(args, &inputs, diags, &model);
  if (code == BUDDY_OK) buddy_model_seed(model, args->seed);
  if (code == BUDDY_OK) code = alloc_tensors(buddy_model_n_outputs(model), &outputs);
  if (code == BUDDY_OK) code = run_repeatedly(model, args, &inputs, &outputs, load_ms, diags);
  if (code == BUDDY_OK && args->output_dir) code = write_outputs(&outputs, args->output_dir, diags);
  if (code == BUDDY_OK) code = run_others(model, args, diags);
  free_tensors(&outputs);
  free_tensors(&inputs);
  buddy_model_destroy(model);
  return code;
}

/* The names of files, of this rank. */
static buddy_code name_files(arguments *args) {
  bd_rank_flags *ranks = &args->model.ranks;
  BD_TRY(bd_ranks_name(ranks, &args->model.archive.path));
  BD_TRY(bd_ranks_name_output(ranks, &args->output_dir));
  for (size_t i = 0; i < args->n_inputs; ++i) BD_TRY(bd_ranks_name(ranks, &args->inputs[i]));
  return BUDDY_OK;
}

static int run(int argc, char **argv) {
  arguments args = {.repeat = 1};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  buddy_diags *diags = NULL;
  buddy_code code = buddy_diags_create(&diags);
  if (code == BUDDY_OK) code = bd_ranks_settle(&args.model, argc, argv, diags);
  if (code == BUDDY_OK) code = name_files(&args);
  if (code == BUDDY_OK) code = run_model(&args, diags);
  const int status = bd_finish(code, diags);
  bd_model_flags_free(&args.model);
  buddy_tune_free(args.pins);
  free(args.inputs);
  return status;
}

const bd_verb bd_verb_run = {"run", "compile an archive and run it", &parser, run};
