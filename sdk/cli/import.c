// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/import.c: `buddy import`: an archive becomes MLIR, or the graph's own text. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buddy/lower.h"
#include "core/base/try.h"
#include "sdk/cli/session.h"

enum {
  OPTION_PARAMS = 256,
  OPTION_EMIT,
  OPTION_FUNCTION,
  OPTION_LOCATIONS,
  OPTION_FALLBACK,
  OPTION_FOR
};

typedef struct arguments {
  bd_model_flags model;
  const char *output, *function;
  buddy_params params;
  buddy_format format;
  bool emit_graph, locations, fallback_on_error;
} arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE; `-`, the default, is standard output", 0},
    {"emit", OPTION_EMIT, "FORM", 0,
     "mlir (the default), generic (every op in generic form), bytecode, or graph (before any "
     "registry is asked)",
     0},
    {"for", OPTION_FOR, "COMPILER", 0,
     "Write what another compiler reads: iree takes the generic form, and no loops that insert "
     "elements into tensors, so that sorts, running sums and LSTMs are written out",
     0},
    {"params", OPTION_PARAMS, "HOW", 0,
     "Parameters become arguments (args, the default), dense resources (resource), or one packed "
     "argument per dtype "
     "(pack)",
     0},
    {"function", OPTION_FUNCTION, "NAME", 0, "Name of the function (default: forward)", 0},
    {"locations", OPTION_LOCATIONS, NULL, 0,
     "Print locations: the user's Python line, node and module", 0},
    {"fallback-on-error", OPTION_FALLBACK, NULL, 0,
     "Pass over a row that fails, with a warning, and ask the next", 0},
    {0}};

typedef struct choice {
  const char *word;
  int value;
} choice;

static int choose(const choice *choices, const char *word, struct argp_state *state,
                  const char *option) {
  char words[128] = "";
  size_t n = 0;
  for (; choices->word; ++choices) {
    if (strcmp(choices->word, word) == 0) return choices->value;
    n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n ? ", " : "", choices->word);
  }
  bd_usage(state, "--%s: '%s' is none of: %s", option, word, words);
}

static const choice params_words[] = {{"args", BUDDY_PARAMS_ARGS},
                                      {"resource", BUDDY_PARAMS_RESOURCE},
                                      {"pack", BUDDY_PARAMS_PACK},
                                      {NULL, 0}};
enum { EMIT_GRAPH = 100 };
static const choice emit_words[] = {{"mlir", BUDDY_FORMAT_MLIR},
                                    {"generic", BUDDY_FORMAT_GENERIC},
                                    {"bytecode", BUDDY_FORMAT_BYTECODE},
                                    {"graph", EMIT_GRAPH},
                                    {NULL, 0}};

static void set_emit(arguments *args, const char *word, struct argp_state *state) {
  const int value = choose(emit_words, word, state, "emit");
  args->emit_graph = value == EMIT_GRAPH;
  if (!args->emit_graph) args->format = (buddy_format)value;
}

/* IREE 3.13 gives wrong numbers for scf.for around tensor.insert, or refuses it. These have other
 * rows, which are pinned. */
static const char *const iree_pins[] = {
    "aten.cumsum.default=tosa",       "aten.cumprod.default=tosa",
    "aten.sort.default=composite",    "aten.sort.stable=composite",
    "aten.argsort.default=composite", "aten.argsort.stable=composite",
    "aten.topk.default=composite",    "aten.lstm.input=composite"};

static void set_for(arguments *args, const char *word, struct argp_state *state) {
  static const choice words[] = {{"iree", 1}, {NULL, 0}};
  if (!choose(words, word, state, "for")) return;
  if (args->format == BUDDY_FORMAT_MLIR) args->format = BUDDY_FORMAT_GENERIC;
  for (size_t i = 0; i < sizeof iree_pins / sizeof *iree_pins; ++i)
    bd_append(&args->model.registry.pins, &args->model.registry.n_pins, iree_pins[i]);
}

static const struct argp_child children[] = {{&bd_registry_argp, 0, "Registries:", 1},
                                             {&bd_archive_argp, 0, NULL, 0},
                                             {&bd_shard_rank_argp, 0, "Several processes:", 2},
                                             {0}};

static const bd_slot slots[] = {BD_SLOT('o', arguments, output),
                                BD_SLOT(OPTION_FUNCTION, arguments, function),
                                BD_SLOT(OPTION_LOCATIONS, arguments, locations),
                                BD_SLOT(OPTION_FALLBACK, arguments, fallback_on_error),
                                {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  switch (key) {
    case ARGP_KEY_INIT:
      bd_model_flags_give(&args->model, children, state);
      return 0;
    case OPTION_EMIT:
      set_emit(args, arg, state);
      return 0;
    case OPTION_PARAMS:
      args->params = (buddy_params)choose(params_words, arg, state, "params");
      return 0;
    case OPTION_FOR:
      set_for(args, arg, state);
      return 0;
    default:
      return bd_take(slots, key, arg, state);
  }
}

static const struct argp parser = {
    options,
    parse,
    "MODEL.pt2",
    "Imports a torch.export archive, lowers every op through the registries, and "
    "writes the verified MLIR module.",
    children,
    NULL,
    NULL};

static buddy_code write_module(bd_session *session, const arguments *args,
                               const buddy_writer *writer) {
  BD_TRY(bd_session_plan(session));
  const buddy_lower_options lower = {.struct_size = sizeof(lower),
                                     .params = args->params,
                                     .function = args->function,
                                     .fallback_on_error = args->fallback_on_error};
  buddy_module *module = NULL;
  buddy_code code = buddy_lower(session->plan, &lower, session->diags, &module);
  if (code == BUDDY_OK) code = buddy_module_print(module, args->format, args->locations, writer);
  buddy_module_destroy(module);
  return code;
}

static buddy_code import(bd_session *session, arguments *args) {
  if (args->format == BUDDY_FORMAT_BYTECODE && strcmp(args->output, "-") == 0 &&
      isatty(STDOUT_FILENO)) {
    return buddy_diags_add(session->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "standard output",
                           "name a file with -o, or pipe it on", "bytecode is not for a terminal");
  }
  BD_TRY(bd_session_import_model(session, &args->model));
  BD_TRY(bd_session_shard(session, &args->model.shard));
  bd_cli_output output;
  BD_TRY(bd_cli_output_open(args->output, session->diags, &output));
  const buddy_writer writer = bd_cli_output_writer(&output);
  buddy_code code = args->emit_graph ? buddy_graph_print(session->graph, &writer)
                                     : write_module(session, args, &writer);
  const buddy_code closed = bd_cli_output_close(&output, code == BUDDY_OK, session->diags);
  return code == BUDDY_OK ? closed : code;
}

static int run(int argc, char **argv) {
  arguments args = {.output = "-"};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  bd_session session;
  buddy_code code = bd_session_open(&session, &args.model.registry);
  if (code == BUDDY_OK) code = import(&session, &args);
  const int status = bd_session_close(&session, code);
  bd_model_flags_free(&args.model);
  return status;
}

const bd_verb bd_verb_import = {"import", "archive to MLIR: text, generic form or bytecode",
                                &parser, run};
