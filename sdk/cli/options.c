// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/options.c: the options that several verbs share. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/options.h"
#include "sdk/cli/verb.h"

void bd_append(const char ***list, size_t *n, const char *item) {
  const char **grown = bd_realloc(*list, (*n + 1) * sizeof(*grown));
  if (!grown) {
    fprintf(stderr, "buddy: error: out of memory\n");
    exit(BD_EXIT_FAILED);
  }
  grown[(*n)++] = item;
  *list = grown;
}

static bool has_option(const struct argp *parser, const char *name) {
  const struct argp_option *option = parser->options;
  const struct argp_child *child = parser->children;
  for (; option && (option->name || option->doc); ++option) {
    if (option->name && !strcmp(option->name, name)) return true;
  }
  for (; child && child->argp; ++child) {
    if (has_option(child->argp, name)) return true;
  }
  return false;
}

void bd_take_archive(const char **path, const char *arg, struct argp_state *state) {
  const char *suffix = strrchr(arg, '.');
  const bool is_input = suffix && !strcmp(suffix, ".npy") && has_option(state->root_argp, "input");
  const char *hint = is_input ? "; inputs of a run go by --input" : "";
  if (*path) bd_usage(state, "takes one file, but got '%s' as well%s", arg, hint);
  *path = arg;
}

error_t bd_parse_no_arguments(int key, char *arg, struct argp_state *state) {
  if (key == ARGP_KEY_ARG) bd_usage(state, "takes no arguments, but got '%s'", arg);
  return ARGP_ERR_UNKNOWN;
}

unsigned long bd_number(const char *arg, unsigned long least, unsigned long most,
                        const char *option, struct argp_state *state) {
  char *end = NULL;
  errno = 0;
  const unsigned long value = strtoul(arg, &end, 10);
  if (errno || end == arg || *end || *arg == '-' || value < least || value > most) {
    bd_usage(state, "--%s: '%s' is no number from %lu to %lu", option, arg, least, most);
  }
  return value;
}

error_t bd_take(const bd_slot *slot, int key, char *arg, struct argp_state *state) {
  while (slot->key && slot->key != key) ++slot;
  if (!slot->key) return ARGP_ERR_UNKNOWN;
  void *to = (char *)state->input + slot->at;
  if (slot->sort == BD_SLOT_TEXT) *(const char **)to = arg;
  if (slot->sort == BD_SLOT_TRUTH) *(bool *)to = true;
  if (slot->sort == BD_SLOT_NUMBER)
    *(unsigned long *)to = bd_number(arg, slot->least, slot->most, slot->option, state);
  return 0;
}

/* ---- Registries ------------------------------------------------------------------------------ */
static const struct argp_option options[] = {
    {"registries", 'r', "LIST", 0,
     "Order of registries, separated by `:`; `*` stands for all the others (default: "
     "BUDDY_REGISTRIES, "
     "else " BUDDY_DEFAULT_ORDER ")",
     10},
    {"plugin-dir", 'P', "DIR", 0, "Look for registries in DIR first; may be repeated", 10},
    {"pin", 'p', "OP=REGISTRY", 0, "Ask this registry first for this op; may be repeated", 10},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  bd_registry_flags *flags = state->input;
  switch (key) {
    case 'r':
      flags->order = arg;
      return 0;
    case 'P':
      bd_append(&flags->plugin_dirs, &flags->n_plugin_dirs, arg);
      return 0;
    case 'p':
      bd_append(&flags->pins, &flags->n_pins, arg);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

const struct argp bd_registry_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

void bd_registry_flags_free(bd_registry_flags *flags) {
  free(flags->plugin_dirs);
  free(flags->pins);
  *flags = (bd_registry_flags){0};
}

buddy_search_options bd_search_options(const bd_registry_flags *flags) {
  return (buddy_search_options){.struct_size = sizeof(buddy_search_options),
                                .plugin_dirs = flags->plugin_dirs,
                                .n_plugin_dirs = flags->n_plugin_dirs};
}

buddy_registries_options bd_registries_options(const bd_registry_flags *flags) {
  return (buddy_registries_options){.struct_size = sizeof(buddy_registries_options),
                                    .order = flags->order,
                                    .pins = flags->pins,
                                    .n_pins = flags->n_pins};
}

/* ---- Programs of an archive ------------------------------------------------------------------ */
enum { OPTION_PROGRAM = 0x300, OPTION_SIZES }; /* beyond the keys of any verb */

static const struct argp_option program_options[] = {
    {"program", OPTION_PROGRAM, "NAME", 0,
     "Which program of an archive that holds several, such as prefill and decode (`buddy check` "
     "lists them)",
     0},
    {"sizes", OPTION_SIZES, "NAME=SIZES[,...]", 0,
     "Sizes that inputs have in every run, for a program of symbolic sizes: x=8x3x224x224,mask=8x? "
     "(? stays symbolic). It becomes what an export with these sizes would be",
     0},
    {0}};

static error_t parse_program(int key, char *arg, struct argp_state *state) {
  bd_archive_flags *flags = &((bd_model_flags *)state->input)->archive;
  if (key != OPTION_PROGRAM && key != OPTION_SIZES) return ARGP_ERR_UNKNOWN;
  *(key == OPTION_SIZES ? &flags->sizes : &flags->program) = arg;
  return 0;
}

const struct argp bd_program_argp = {program_options, parse_program, NULL, NULL, NULL, NULL, NULL};

static error_t parse_archive(int key, char *arg, struct argp_state *state) {
  bd_archive_flags *flags = &((bd_model_flags *)state->input)->archive;
  switch (key) {
    case ARGP_KEY_INIT:
      state->child_inputs[0] = state->input;
      return 0;
    case ARGP_KEY_ARG:
      bd_take_archive(&flags->path, arg, state);
      return 0;
    case ARGP_KEY_END:
      if (!flags->path) bd_usage(state, "which archive? Give the path of a .pt2 file");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child archive_children[] = {{&bd_program_argp, 0, NULL, 0}, {0}};
const struct argp bd_archive_argp = {NULL, parse_archive, NULL, NULL, archive_children, NULL, NULL};

/* ---- Tensor parallel ------------------------------------------------------------------------- */
enum { OPTION_TENSOR_PARALLEL = 0x400, OPTION_PLAN, OPTION_RANK }; /* beyond the keys of any verb */

static const struct argp_option shard_options[] = {
    {"tensor-parallel", OPTION_TENSOR_PARALLEL, "N", 0,
     "Cut the program for N ranks, which all read the same archive: each has its part of the "
     "weights",
     0},
    {"plan", OPTION_PLAN, "FILE.json", 0,
     "What to cut, as transformers' base_model_tp_plan: {\"layers.*.mlp.up_proj\": \"colwise\", "
     "\"layers.*.mlp.down_proj\": \"rowwise\"} (default: it is found)",
     0},
    {0}};
static const struct argp_option shard_rank_options[] = {
    {"rank", OPTION_RANK, "R", 0, "Whose program it is, from 0, the default, to N - 1", 0}, {0}};

static error_t parse_shard(int key, char *arg, struct argp_state *state) {
  bd_shard_flags *flags = &((bd_model_flags *)state->input)->shard;
  switch (key) {
    case OPTION_TENSOR_PARALLEL:
      flags->n_ranks = bd_number(arg, 1, 4096, "tensor-parallel", state);
      return 0;
    case OPTION_PLAN:
      flags->plan_file = arg;
      return 0;
    case ARGP_KEY_END:
      if (flags->plan_file && flags->n_ranks == 0)
        bd_usage(state, "--plan is for --tensor-parallel N");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse_shard_rank(int key, char *arg, struct argp_state *state) {
  bd_shard_flags *flags = &((bd_model_flags *)state->input)->shard;
  if (key == ARGP_KEY_INIT) state->child_inputs[0] = state->input;
  if (key == ARGP_KEY_END && flags->rank > 0 && flags->rank >= flags->n_ranks)
    bd_usage(state, "--rank is a number from 0, below that of --tensor-parallel");
  if (key != OPTION_RANK) return ARGP_ERR_UNKNOWN;
  flags->rank = bd_number(arg, 0, 4095, "rank", state);
  return 0;
}

static const struct argp_child shard_children[] = {{&bd_shard_argp, 0, NULL, 0}, {0}};
const struct argp bd_shard_argp = {shard_options, parse_shard, NULL, NULL, NULL, NULL, NULL};
const struct argp bd_shard_rank_argp = {
    shard_rank_options, parse_shard_rank, NULL, NULL, shard_children, NULL, NULL};

/* ---- Weights of another file ----------------------------------------------------------------- */
enum { OPTION_WEIGHTS_FROM = 0x500, OPTION_WEIGHT_NAMES }; /* beyond the keys of any verb */

static const struct argp_option weights_options[] = {
    {"weights-from", OPTION_WEIGHTS_FROM, "FILE", 0,
     "Take the parameters from a file of safetensors or GGUF, of the same sizes as the archive's"
     "; blocks (Q8_0, Q4_0, Q4_1, Q4_K, Q5_K, Q6_K) are read as they lie",
     0},
    {"weight-names", OPTION_WEIGHT_NAMES, "FILE", 0,
     "How that file names the weights. A line has the program's name, a blank, and the file's; a * "
     "in both stands for the same text: model.layers.*.mlp.up_proj.weight blk.*.ffn_up.weight. A "
     "third word says how rows lie: heads=N where those of the two halves of each of N heads come "
     "in turns, as llama.cpp writes queries and keys; as-is where they do not, whatever the file's "
     "architecture says",
     0},
    {0}};

static error_t parse_weights(int key, char *arg, struct argp_state *state) {
  bd_weights_flags *flags = &((bd_model_flags *)state->input)->weights;
  switch (key) {
    case OPTION_WEIGHTS_FROM:
      flags->file = arg;
      return 0;
    case OPTION_WEIGHT_NAMES:
      flags->names_file = arg;
      return 0;
    case ARGP_KEY_END:
      if (flags->names_file && !flags->file)
        bd_usage(state, "--weight-names is for --weights-from FILE");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

const struct argp bd_weights_argp = {weights_options, parse_weights, NULL, NULL, NULL, NULL, NULL};

/* ---- Compilation ----------------------------------------------------------------------------- */
enum {
  OPTION_PIPELINE = 0x200,
  OPTION_SCHEDULE,
  OPTION_WINOGRAD,
  OPTION_FUSION,
  OPTION_FOLDING,
  OPTION_WITHOUT,
  OPTION_PAIRS_IN_PLACE
}; /* beyond the keys of any verb */

static const struct argp_option compile_options[] = {
    {"optimize", 'O', "LEVEL", 0, "Effort of code generation, 0 to 3 (default: 2)", 0},
    {"pipeline", OPTION_PIPELINE, "FILE", 0,
     "Text of an MLIR pass pipeline in place of the builtin one", 0},
    {"schedule", OPTION_SCHEDULE, "FILE", 0,
     "Text of MLIR's transform dialect to apply on the way: sequences @tensors, @buffers, @loops",
     0},
    {"winograd", OPTION_WINOGRAD, "WHERE", 0,
     "3x3 convolutions in fewer multiplications: auto (default: where that is faster), always, "
     "never",
     0},
    {"fusion", OPTION_FUSION, "WHERE", 0,
     "Operations that follow one another in one loop: auto (default: where that can be done), "
     "never",
     0},
    {"folding", OPTION_FOLDING, "WHERE", 0,
     "What depends on weights alone is computed once, in the first run: auto (default), never", 0},
    {"without", OPTION_WITHOUT, "FEATURES", 0,
     "Features of the processor that the code must not use: LLVM's names, or their beginnings: "
     "amx,avx512",
     0},
    {"pairs-in-place", OPTION_PAIRS_IN_PLACE, NULL, 0,
     "For sessions: an input that comes out again with more at its end, as caches of keys and "
     "values do, is one tensor that is written to",
     0},
    {0}};

/* -1: never. n: of the names that the option takes. */
static int where_of(const char *option, size_t n, const char *arg, struct argp_state *state) {
  static const char *const names[] = {"never", "auto", "always"};
  for (size_t i = 0; i < n; ++i) {
    if (strcmp(arg, names[i]) == 0) return (int)i - 1;
  }
  bd_usage(state, "--%s is 'auto'%s 'never', not '%s'", option, n > 2 ? ", 'always' or" : " or",
           arg);
  return 0;
}

static const bd_slot compile_slots[] = {
    BD_SLOT(OPTION_PIPELINE, bd_model_flags, compile.pipeline_file),
    BD_SLOT(OPTION_SCHEDULE, bd_model_flags, compile.schedule_file),
    BD_SLOT(OPTION_WITHOUT, bd_model_flags, compile.without),
    BD_SLOT(OPTION_PAIRS_IN_PLACE, bd_model_flags, compile.pairs_in_place),
    {0}};

static error_t parse_compile(int key, char *arg, struct argp_state *state) {
  bd_compile_flags *flags = &((bd_model_flags *)state->input)->compile;
  switch (key) {
    case 'O':
      flags->opt_level = (int)bd_number(arg, 0, 3, "optimize", state);
      if (!flags->opt_level) flags->opt_level = BUDDY_OPT_NONE;
      return 0;
    case OPTION_WINOGRAD:
      flags->winograd = where_of("winograd", 3, arg, state);
      return 0;
    case OPTION_FUSION:
      flags->fusion = where_of("fusion", 2, arg, state);
      return 0;
    case OPTION_FOLDING:
      flags->folding = where_of("folding", 2, arg, state);
      return 0;
    default:
      return bd_take(compile_slots, key, arg, state);
  }
}

const struct argp bd_compile_argp = {compile_options, parse_compile, NULL, NULL, NULL, NULL, NULL};

/* ---- All of them ----------------------------------------------------------------------------- */
void bd_model_flags_give(bd_model_flags *flags, const struct argp_child *children,
                         struct argp_state *state) {
  for (size_t i = 0; children[i].argp; ++i) state->child_inputs[i] = flags;
}

static buddy_code read_text(const char *path, buddy_diags *diags, char **text) {
  return path ? bd_read_text(path, diags, text) : BUDDY_OK;
}

buddy_code bd_model_flags_read(bd_model_flags *flags, buddy_diags *diags) {
  bd_compile_flags *compile = &flags->compile;
  BD_TRY(read_text(compile->pipeline_file, diags, &compile->pipeline));
  BD_TRY(read_text(compile->schedule_file, diags, &compile->schedule));
  BD_TRY(read_text(flags->shard.plan_file, diags, &flags->shard.plan));
  return read_text(flags->weights.names_file, diags, &flags->weights.names);
}

void bd_model_flags_free(bd_model_flags *flags) {
  bd_registry_flags_free(&flags->registry);
  bd_free(flags->compile.pipeline);
  bd_free(flags->compile.schedule);
  bd_free(flags->shard.plan);
  bd_free(flags->weights.names);
  for (size_t i = 0; i < flags->ranks.n_settings; ++i) free(flags->ranks.settings[i]);
  for (size_t i = 0; i < flags->ranks.n_names; ++i) bd_free(flags->ranks.names[i]);
  bd_free(flags->ranks.names);
  free(flags->ranks.groups);
  *flags = (bd_model_flags){0};
}

static buddy_compile_options compile_options_of(const bd_compile_flags *flags) {
  return (buddy_compile_options){.struct_size = sizeof(buddy_compile_options),
                                 .opt_level = flags->opt_level,
                                 .pipeline = flags->pipeline,
                                 .progress = bd_progress,
                                 .schedule = flags->schedule,
                                 .winograd = flags->winograd,
                                 .fusion = flags->fusion,
                                 .folding = flags->folding,
                                 .without = flags->without};
}

void bd_loading_init(const bd_model_flags *flags, bd_loading *out_loading) {
  out_loading->search = bd_search_options(&flags->registry);
  out_loading->registries = bd_registries_options(&flags->registry);
  out_loading->compile = compile_options_of(&flags->compile);
  out_loading->model = (buddy_model_options){.struct_size = sizeof(out_loading->model),
                                             .search = &out_loading->search,
                                             .registries = &out_loading->registries,
                                             .compile = &out_loading->compile,
                                             .program = flags->archive.program,
                                             .settings = (const char *const *)flags->ranks.settings,
                                             .n_settings = flags->ranks.n_settings,
                                             .tensor_parallel = flags->shard.n_ranks,
                                             .tensor_parallel_rank = flags->shard.rank,
                                             .tensor_parallel_plan = flags->shard.plan,
                                             .weights = flags->weights.file,
                                             .weight_names = flags->weights.names,
                                             .pairs_in_place = flags->compile.pairs_in_place,
                                             .sizes = flags->archive.sizes};
}
