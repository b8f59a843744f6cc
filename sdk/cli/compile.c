// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/compile.c: `buddy compile`: an archive becomes a library, an archive of objects or an
 * object file, and a C header. */
#include <stdlib.h>
#include <string.h>

#include "buddy/compile.h"
#include "core/base/try.h"
#include "sdk/cli/options.h"
#include "sdk/cli/verb.h"

enum {
  OPTION_NAME = 256,
  OPTION_WEIGHTS,
  OPTION_TRIPLE,
  OPTION_CPU,
  OPTION_SYSROOT,
  OPTION_RUNTIME,
  OPTION_PASSES
};

typedef struct arguments {
  bd_model_flags model;
  const char *output;
  buddy_build_options build;
} arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "What to write: a name that ends in .so (a shared library), .a or .o. The C header goes "
     "beside it",
     0},
    {"name", OPTION_NAME, "NAME", 0,
     "Prefix of the functions: NAME_load, NAME_run, NAME_destroy (default: made of FILE, with "
     "model_ in front where C or its library has the name)",
     0},
    {"weights", OPTION_WEIGHTS, "WHERE", 0,
     "beside (the default): in NAME.weights, which is mapped; inside: in FILE, up to 1 GiB", 0},
    {"target-cpu", OPTION_CPU, "CPU", 0,
     "Processor to generate code for, as LLVM names it (default: this machine's, or generic for "
     "another triple)",
     0},
    {"target-triple", OPTION_TRIPLE, "TRIPLE", 0,
     "Target like aarch64-linux-gnu or riscv64-linux-gnu (default: this machine's)", 0},
    {"sysroot", OPTION_SYSROOT, "DIR", 0,
     "Where the target's C library is found when a .so is linked (default: / or /usr/TARGET)", 0},
    {"runtime", OPTION_RUNTIME, "FILE", 0,
     "The target's libbuddy_runtime.a, to be part of a .so, or libbuddy_runtime.so, for it to need "
     "(default: the installed .a)",
     0},
    {"passes", OPTION_PASSES, NULL, 0,
     "Print the passes from a program of tensors to LLVM's, what each needs and gives, and exit",
     0},
    {0}};

static const struct argp_child children[] = {
    {&bd_registry_argp, 0, "Registries:", 1}, {&bd_compile_argp, 0, NULL, 0},
    {&bd_archive_argp, 0, NULL, 0},           {&bd_shard_rank_argp, 0, "Several processes:", 2},
    {&bd_weights_argp, 0, NULL, 0},           {0}};

static void add_pass(void *user, const buddy_pass *pass) {
  bd_table_add(user, (const char *[]){pass->stage, pass->name, pass->needs, pass->gives});
}

static int print_passes(void) {
  bd_table *table = bd_table_create((const char *const[]){"STAGE", "PASS", "NEEDS", "GIVES"}, 4);
  buddy_passes_visit(add_pass, table);
  bd_table_print(table, stdout);
  bd_table_destroy(table);
  return BD_EXIT_OK;
}

static const bd_slot slots[] = {BD_SLOT('o', arguments, output),
                                BD_SLOT(OPTION_NAME, arguments, build.name),
                                BD_SLOT(OPTION_TRIPLE, arguments, build.target_triple),
                                BD_SLOT(OPTION_CPU, arguments, build.target_cpu),
                                BD_SLOT(OPTION_SYSROOT, arguments, build.sysroot),
                                BD_SLOT(OPTION_RUNTIME, arguments, build.runtime),
                                {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  switch (key) {
    case ARGP_KEY_INIT:
      bd_model_flags_give(&args->model, children, state);
      return 0;
    case OPTION_WEIGHTS:
      if (strcmp(arg, "inside") != 0 && strcmp(arg, "beside") != 0)
        bd_usage(state, "--weights: '%s' is neither inside nor beside", arg);
      args->build.weights =
          strcmp(arg, "inside") == 0 ? BUDDY_WEIGHTS_INSIDE : BUDDY_WEIGHTS_BESIDE;
      return 0;
    case OPTION_PASSES:
      exit(print_passes());
    case ARGP_KEY_END:
      if (!args->output) bd_usage(state, "what to write? Give a file with -o, such as model.so");
      return 0;
    default:
      return bd_take(slots, key, arg, state);
  }
}

static const struct argp parser = {
    options,
    parse,
    "MODEL.pt2",
    "Compiles a torch.export archive ahead of time. The header tells how to use and to link the "
    "result; programs that do need libbuddy_runtime, which a .so contains, and no LLVM. Of an "
    "archive with several programs all go into one .so or .a, with functions NAME_PROGRAM_run, "
    "unless --program chooses one.",
    children,
    NULL,
    NULL};

static buddy_code compile(arguments *args, buddy_diags *diags) {
  bd_loading loading;
  BD_TRY(bd_model_flags_read(&args->model, diags));
  bd_loading_init(&args->model, &loading);
  buddy_build_options build = args->build;
  build.struct_size = sizeof(build);
  build.model = &loading.model;
  return buddy_model_build(args->model.archive.path, args->output, &build, diags);
}

static int run(int argc, char **argv) {
  arguments args = {0};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  buddy_diags *diags = NULL;
  buddy_code code = buddy_diags_create(&diags);
  if (code == BUDDY_OK) code = compile(&args, diags);
  const int status = bd_finish(code, diags);
  bd_model_flags_free(&args.model);
  return status;
}

const bd_verb bd_verb_compile = {"compile", "archive to a library, object file and C header",
                                 &parser, run};
