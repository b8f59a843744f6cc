// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/calibrate.c: `buddy calibrate`: measures which registry is fastest for which op on this
 * machine; `buddy run` goes by it. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/tune.h"
#include "sdk/cli/options.h"
#include "sdk/cli/verb.h"

enum { OPTION_SECONDS = 256, OPTION_LIST, OPTION_CLEAR };

typedef struct arguments {
  bd_model_flags model;
  const char **models;
  size_t n_models;
  unsigned long seconds;
  bool lists, clears;
} arguments;

static const struct argp_option options[] = {
    {"seconds", OPTION_SECONDS, "N", 0, "Begin no case later (default: 60)", 0},
    {"list", OPTION_LIST, NULL, 0, "Show what was measured, and measure nothing", 0},
    {"clear", OPTION_CLEAR, NULL, 0, "Forget what was measured", 0},
    {0}};

static const struct argp_child children[] = {
    {&bd_registry_argp, 0, "Registries:", 1}, {&bd_program_argp, 0, NULL, 0}, {0}};

static const bd_slot slots[] = {BD_NUMBER(OPTION_SECONDS, arguments, seconds, "seconds", 1, 86400),
                                BD_SLOT(OPTION_LIST, arguments, lists),
                                BD_SLOT(OPTION_CLEAR, arguments, clears),
                                {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  switch (key) {
    case ARGP_KEY_INIT:
      bd_model_flags_give(&args->model, children, state);
      return 0;
    case ARGP_KEY_ARG:
      bd_append(&args->models, &args->n_models, arg);
      return 0;
    default:
      return bd_take(slots, key, arg, state);
  }
}

static const struct argp parser = {
    options,
    parse,
    "[MODEL.pt2...]",
    "Measures how long each registry takes for products and convolutions on this machine: those "
    "of the models, or of common sizes if none is named. `buddy run`, `explain` and `profile` "
    "then ask the fastest first, op by op, unless an order of registries is stated, by "
    "--registries, BUDDY_REGISTRIES or a buddy.toml.\v"
    "Keeps it in the cache (`buddy cache path`), until buddy, a registry or the processor "
    "changes. Measure while the machine does nothing else: what was measured is not measured "
    "again.",
    children,
    NULL,
    NULL};

static void add_sample(bd_table *table, const buddy_sample *sample) {
  char threads[24], time[32];
  snprintf(threads, sizeof(threads), "%d", sample->n_threads);
  snprintf(time, sizeof(time), "%.1f", sample->seconds * 1e6);
  const char *cells[] = {sample->what, sample->registry, threads, time};
  bd_table_add(table, cells);
}

static bd_table *create_table(void) {
  const char *headings[] = {"WHAT", "REGISTRY", "THREADS", "MICROSECONDS"};
  return bd_table_create(headings, 4);
}

static void report(void *user, const buddy_sample *sample) { add_sample(user, sample); }

static buddy_code list(const buddy_model_options *model, buddy_diags *diags) {
  buddy_calibration *calibration = NULL;
  buddy_sample sample;
  const buddy_code code = buddy_calibration_open(model, diags, &calibration);
  if (code != BUDDY_OK) return code;
  bd_table *table = create_table();
  for (size_t i = 0; buddy_calibration_sample(calibration, i, &sample); ++i)
    add_sample(table, &sample);
  const size_t n = buddy_calibration_n_samples(calibration);
  if (n > 0) bd_table_print(table, stdout);
  printf("%s%zu samples\n", n > 0 ? "\n" : "", n);
  bd_table_destroy(table);
  buddy_calibration_close(calibration);
  return code;
}

static buddy_code measure(const arguments *args, const buddy_model_options *model,
                          buddy_diags *diags) {
  bd_table *table = create_table();
  const buddy_calibrate_options how = {.struct_size = sizeof(how),
                                       .model = model,
                                       .paths = args->models,
                                       .n_paths = args->n_models,
                                       .seconds = (double)args->seconds,
                                       .report = report,
                                       .user = table};
  size_t n;
  const buddy_code code = buddy_calibrate(&how, diags, &n);
  if (code == BUDDY_OK) {
    bd_table_print(table, stdout);
    printf("\n%zu samples are kept\n", n);
  }
  bd_table_destroy(table);
  return code;
}

static buddy_code act(const arguments *args, buddy_diags *diags) {
  bd_loading loading;
  bd_loading_init(&args->model, &loading);
  loading.model.use_cache = 1;
  int was_there;
  if (args->lists) return list(&loading.model, diags);
  if (!args->clears) return measure(args, &loading.model, diags);
  const buddy_code code = buddy_calibration_clear(&loading.model, diags, &was_there);
  if (code == BUDDY_OK) printf("%s\n", was_there ? "forgotten" : "there was none");
  return code;
}

static int run(int argc, char **argv) {
  arguments args = {0};
  buddy_diags *diags = NULL;
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  buddy_code code = buddy_diags_create(&diags);
  if (code == BUDDY_OK) code = act(&args, diags);
  const int status = bd_finish(code, diags);
  bd_model_flags_free(&args.model);
  free(args.models);
  return status;
}

const bd_verb bd_verb_calibrate = {
    "calibrate", "measure which registry is fastest for which op here", &parser, run};
