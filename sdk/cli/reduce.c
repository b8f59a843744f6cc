// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/reduce.c: `buddy reduce`: the smallest archive for which a command fails as it does for the
 * whole. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "sdk/cli/outfolder.h"
#include "sdk/cli/reduce/reduce.h"
#include "sdk/import/archive.h"

enum { OPTION_CHECK = 256, OPTION_MESSAGE, OPTION_SECONDS, OPTION_SEED, OPTION_JOBS };

typedef struct arguments {
  bd_model_flags model;
  const char *output;
  const char **inputs;
  size_t n_inputs;
  bd_command command;
  unsigned long seed, n_jobs;
  bool is_json;
} arguments;

static const struct argp_option options[] = {
    {"check", OPTION_CHECK, "COMMAND", 0,
     "What fails, by the shell: {model} becomes the archive and {inputs} `--input FILE.npy …`; "
     "both come after a command that names neither: `buddy run`. It fails unless its status is 0, "
     "or 125 for what cannot be told",
     0},
    {"input", 'i', "FILE.npy", 0,
     "The next input, as `buddy run` takes it; without any: random numbers", 0},
    {"output", 'o', "FOLDER", 0,
     "Where model.pt2, its inputs and check.sh are written; it must not be there (default: "
     "MODEL.reduced)",
     0},
    {"message", OPTION_MESSAGE, "TEXT", 0,
     "What the command must say to fail in the same way (default: its first line with 'error:', "
     "but for numbers)",
     0},
    {"seconds", OPTION_SECONDS, "N", 0,
     "The time that a run of the command has; what takes longer has failed if the whole does, too "
     "(default: 300)",
     0},
    {"seed", OPTION_SEED, "N", 0, "Seed of random inputs (default: 0)", 0},
    {"jobs", OPTION_JOBS, "N", 0,
     "Run so many commands at the same time, 1 to 8 (default: the CPUs that the process may use, "
     "or 1 "
     "where the whole is not done in time). What is found is the same",
     0},
    {"json", 'j', NULL, 0, "Write JSON", 0},
    {0}};

static const struct argp_child children[] = {
    {&bd_registry_argp, 0, "Registries, for the values of the whole model:", 1},
    {&bd_archive_argp, 0, NULL, 0},
    {0}};

static const bd_slot slots[] = {
    BD_SLOT(OPTION_CHECK, arguments, command.text),
    BD_SLOT('o', arguments, output),
    BD_SLOT(OPTION_MESSAGE, arguments, command.expected),
    BD_NUMBER(OPTION_SEED, arguments, seed, "seed", 0, (unsigned long)-1),
    BD_NUMBER(OPTION_JOBS, arguments, n_jobs, "jobs", 1, BD_MAX_JOBS),
    BD_SLOT('j', arguments, is_json),
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
    case OPTION_SECONDS:
      args->command.seconds = (unsigned)bd_number(arg, 1, 1000000, "seconds", state);
      return 0;
    case ARGP_KEY_END:
      if (!args->command.text) bd_usage(state, "--check: say which command fails");
      if (args->model.archive.sizes)
        bd_usage(state, "--sizes: choose them in the command of --check, and by the inputs");
      return 0;
    default:
      return bd_take(slots, key, arg, state);
  }
}

static const struct argp parser = {
    options,
    parse,
    "MODEL.pt2",
    "Takes out of a model what a command does not need to fail: nodes, outputs, sizes. What a "
    "node reads from outside becomes an input with the whole model's values. The command runs on "
    "each candidate, in a process of its own; crashes, refusals and wrong numbers are all the "
    "same to it.\v"
    "In the folder is check.sh: its exit status is what `git bisect run` wants. Interrupted, it "
    "writes what it has found so far. Exit status: 0: written; 1: the command does not fail on "
    "the whole model, or something failed; 2: the command line is wrong.",
    children,
    NULL,
    NULL};

/* ---- Folders --------------------------------------------------------------------------------- */
static buddy_code cannot(buddy_diags *diags, const char *path) {
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, path, NULL, "cannot be created: %s",
                         strerror(errno));
}

typedef struct folders {
  char scratch[PATH_MAX - 64], values[PATH_MAX], trial[PATH_MAX]; /* our own */
  char output[PATH_MAX - 64]; /* the user's, which is not there yet */
  bd_outfolder written;
} folders;

static buddy_code make_scratch(folders *f, buddy_diags *diags) {
  const char *top = getenv("TMPDIR");
  snprintf(f->scratch, sizeof f->scratch, "%s/buddy-reduce-XXXXXX", top && *top ? top : "/tmp");
  if (!mkdtemp(f->scratch)) {
    const buddy_code code = cannot(diags, f->scratch);
    *f->scratch = 0;
    return code;
  }
  snprintf(f->values, sizeof f->values, "%s/values", f->scratch);
  snprintf(f->trial, sizeof f->trial, "%s/trial", f->scratch);
  if (mkdir(f->values, 0700) || mkdir(f->trial, 0700)) return cannot(diags, f->scratch);
  return BUDDY_OK;
}

/* Asked before anything is run. */
static buddy_code choose_output(const arguments *args, folders *f, buddy_diags *diags) {
  const char *model = args->model.archive.path, *name = strrchr(model, '/');
  name = name ? name + 1 : model;
  const size_t n = strlen(name), n_kept = n > 4 && !strcmp(name + n - 4, ".pt2") ? n - 4 : n;
  if (args->output)
    snprintf(f->output, sizeof f->output, "%s", args->output);
  else
    snprintf(f->output, sizeof f->output, "%.*s.reduced", (int)n_kept, name);
  return bd_outfolder_check(f->output, diags);
}

/* ---- What is written ------------------------------------------------------------------------- */
/* A comment of one line. */
static void add_comment(bd_text *text, const char *what, const char *line) {
  bd_text_format(text, "# %s", what);
  for (; *line; ++line) bd_text_char(text, (unsigned char)*line < 32 ? ' ' : *line);
  bd_text_char(text, '\n');
}

static buddy_code write_script(const bd_reduction *r, size_t n_inputs, const char *path) {
  bd_text text;
  bd_outfile file;
  bd_text_init(&text);
  bd_text_string(
      &text,
      "#!/bin/sh\n# Whether a program that `buddy reduce` has cut out still fails: 0: it "
      "does not; 125: this cannot be told; 1: it does.\n");
  add_comment(&text, "It said: ", *r->last.message ? r->last.message : "nothing");
  bd_text_string(
      &text, "here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd) || exit 125\nexport here\n");
  bd_command_script(&r->command, n_inputs, &text);
  bd_text_string(&text,
                 "\nstatus=$?\n[ $status = 0 ] || [ $status = 125 ] || status=1\nexit $status\n");
  buddy_code code = text.code ? text.code : bd_outfile_open(path, r->diags, &file);
  if (code == BUDDY_OK) bd_outfile_write(&file, text.data, text.size);
  if (code == BUDDY_OK) code = bd_outfile_commit(&(bd_outfile *){&file}, 1, r->diags);
  if (code == BUDDY_OK) chmod(path, 0755);
  bd_text_deinit(&text);
  return code;
}

static buddy_code write_output(const bd_reduction *r, folders *f, json_t *root, json_t *inputs) {
  char script[PATH_MAX + 16];
  BD_TRY(bd_outfolder_open(f->output, r->diags, &f->written));
  BD_TRY(bd_reduction_write(r, root, inputs, f->written.writing));
  snprintf(script, sizeof script, "%s/check.sh", f->written.writing);
  BD_TRY(write_script(r, json_array_size(inputs), script));
  return bd_outfolder_commit(&f->written, r->diags);
}

/* ---- What is said ---------------------------------------------------------------------------- */
/* The user's line, as PyTorch has noted it. */
static void line_of(const json_t *node, char *out, size_t size) {
  const char *trace =
      json_string_value(json_object_get(json_object_get(node, "metadata"), "stack_trace"));
  const char *file = trace ? strstr(trace, "File \"") : NULL;
  const char *end = file ? strchr(file + 6, '"') : NULL, *line = end ? strstr(end, "line ") : NULL;
  *out = 0;
  if (line)
    snprintf(out, size, " (%.*s:%ld)", (int)(end - file) - 6, file + 6, strtol(line + 5, NULL, 10));
}

/* "input_0 f32[1,84]" */
static void tell_inputs(const bd_reduction *r, const json_t *inputs) {
  size_t i, d;
  json_t *name, *size;
  json_array_foreach(inputs, i, name) {
    const json_t *meta = bd_program_meta(&r->program, json_string_value(name));
    const buddy_dtype dtype =
        bd_dtype_serialized(json_integer_value(json_object_get(meta, "dtype")));
    printf("  input_%zu.npy: %s[", i, buddy_dtype_name(meta ? dtype : BUDDY_I64));
    json_array_foreach(json_object_get(meta, "sizes"), d, size) {
      const json_t *number = json_object_get(size, "as_int");
      if (number)
        printf("%s%lld", d ? "," : "", (long long)json_integer_value(number));
      else
        printf("%s?", d ? "," : "");
    }
    printf("]\n");
  }
}

static void tell_text(const bd_reduction *r, const arguments *args, const folders *f,
                      const json_t *inputs) {
  char line[512];
  printf("%zu of %zu nodes, after %zu runs:\n", bd_reduction_n_nodes(r), r->program.n_nodes,
         r->n_trials);
  for (size_t i = 0; i < r->program.n_nodes; ++i) {
    const json_t *node = bd_program_node(&r->program, i);
    const char *name = json_string_value(json_object_get(node, "name"));
    const char *op = json_string_value(json_object_get(node, "target"));
    if (!r->has[i]) continue;
    line_of(node, line, sizeof line);
    printf("  ");
    bd_put_shown(name ? name : "?", stdout);
    bd_put_shown(line, stdout);
    printf(": ");
    bd_put_shown(op ? op : "?", stdout);
    printf("\n");
  }
  tell_inputs(r, inputs);
  printf("it fails as the whole does: ");
  if (r->last.status < 0)
    printf("not done in %u seconds", args->command.seconds);
  else if (*r->last.message)
    bd_put_shown(r->last.message, stdout);
  else
    printf("status %d", r->last.status);
  printf("\nwritten to ");
  bd_put_shown(f->output, stdout);
  printf(": model.pt2, its inputs, and check.sh, for `git bisect run`\n");
}

static void tell_json(const bd_reduction *r, const folders *f, size_t n_inputs) {
  json_t *nodes = json_array();
  for (size_t i = 0; i < r->program.n_nodes; ++i) {
    const json_t *node = bd_program_node(&r->program, i);
    if (r->has[i])
      json_array_append_new(nodes, json_pack("{s:O?, s:O?}", "node", json_object_get(node, "name"),
                                             "op", json_object_get(node, "target")));
  }
  bd_json_print(json_pack("{s:o, s:I, s:I, s:I, s:i, s:o, s:o}", "nodes", nodes, "of",
                          (json_int_t)r->program.n_nodes, "inputs", (json_int_t)n_inputs, "runs",
                          (json_int_t)r->n_trials, "status", r->last.status, "message",
                          bd_json_text(r->last.message), "folder", bd_json_text(f->output)),
                2);
}

/* ---- The verb -------------------------------------------------------------------------------- */
/* Files of the user's inputs: those that were given, or random numbers. */
static buddy_code write_inputs(const arguments *args, bd_reduction *r, json_t *names) {
  size_t i;
  json_t *name;
  if (args->n_inputs && args->n_inputs != json_array_size(names))
    return buddy_diags_add(r->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, args->model.archive.path,
                           "give one --input for each, in their order, or none for random ones",
                           "the model takes %zu inputs, but %zu were given", json_array_size(names),
                           args->n_inputs);
  json_array_foreach(names, i, name) {
    char path[BD_VALUE_PATH];
    buddy_tensor tensor;
    const char *text = json_string_value(name);
    const json_t *meta = bd_program_meta(&r->program, text);
    bd_value_path(r->values, text, path);
    if (!args->n_inputs) {
      BD_TRY(bd_original_write(r->known, r->values, text, meta, args->seed + i, path, r->diags));
    } else {
      BD_TRY(buddy_npy_read(args->inputs[i], BUDDY_DTYPE_NONE, r->diags, &tensor));
      const buddy_code code = buddy_npy_write(path, &tensor, r->diags);
      buddy_tensor_release(&tensor);
      BD_TRY(code);
    }
    json_object_set_new(r->known, text, json_true());
  }
  return BUDDY_OK;
}

static size_t count_jobs(const arguments *args) {
  cpu_set_t own;
  if (args->n_jobs > 0) return args->n_jobs;
  const int n = sched_getaffinity(0, sizeof own, &own) == 0 ? CPU_COUNT(&own) : 1;
  return n < 1 ? 1 : n < BD_MAX_JOBS ? (size_t)n : BD_MAX_JOBS;
}

/* The archive as it is must fail, and then as it is written anew. */
static buddy_code run_whole(const arguments *args, bd_reduction *r, const json_t *names) {
  bd_running running;
  BD_TRY(bd_reduction_write_inputs(r, r->program.root, names, r->trial));
  BD_TRY(bd_command_start(&r->command, args->model.archive.path, r->trial, json_array_size(names),
                          &running));
  const buddy_code code =
      bd_command_finish(&r->command, args->model.archive.path, &running, &r->whole);
  ++r->n_trials;
  if (r->whole.status < 0 && !args->n_jobs) r->n_jobs = 1; /* they would take each other's time */
  if (code == BUDDY_OK && (!r->whole.is_failure || r->whole.status == 127))
    return buddy_diags_add(r->diags, BUDDY_ERROR, BUDDY_NOT_FOUND, args->command.text,
                           "try it on the whole model first",
                           r->whole.status == 127 ? "cannot be run (status %d)"
                                                  : "does not fail on the whole model (status %d)",
                           r->whole.status);
  if (code == BUDDY_OK && args->command.expected && !r->whole.is_expected)
    return buddy_diags_add(r->diags, BUDDY_ERROR, BUDDY_NOT_FOUND, args->command.text,
                           "see --message", "does not say '%s' of the whole model",
                           args->command.expected);
  return code;
}

static buddy_code search(bd_reduction *r, const char *where) {
  const bd_cut_choice whole = bd_reduction_choice(r);
  bool is_same;
  BD_TRY(bd_reduction_run(r, &whole, &is_same));
  const bool is_whole_same = is_same;
  BD_TRY(bd_reduction_fix(r));
  BD_TRY(bd_reduction_nodes(r));
  if (!is_whole_same && bd_reduction_n_nodes(r) == r->program.n_nodes) {
    return bd_reduction_is_over()
               ? buddy_diags_add(r->diags, BUDDY_ERROR, BUDDY_NOT_FOUND, where, NULL,
                                 "interrupted before anything was found")
               : buddy_diags_add(r->diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, where,
                                 "what fails may be in what is not written: conditions on sizes, "
                                 "results that are inputs, bytes of the file",
                                 "written anew, the whole model does not fail in the same way");
  }
  return bd_reduction_is_over() ? BUDDY_OK : bd_reduction_sizes(r);
}

static buddy_code reduce(const arguments *args, bd_reduction *r, folders *f) {
  BD_TRY(choose_output(args, f, r->diags));
  BD_TRY(bd_program_open(args->model.archive.path, args->model.archive.program, r->diags,
                         &r->program));
  BD_TRY(make_scratch(f, r->diags));
  r->values = f->values;
  r->trial = f->trial;
  json_t *names = bd_program_inputs(&r->program), *inputs = NULL;
  r->has = bd_malloc(r->program.n_nodes + 1);
  if (!r->has) return BUDDY_OUT_OF_MEMORY;
  memset(r->has, 1, r->program.n_nodes);
  bd_reduction_watch();
  buddy_code code = write_inputs(args, r, names);
  if (code == BUDDY_OK) code = run_whole(args, r, names);
  const bd_original original = {.path = args->model.archive.path,
                                .program = args->model.archive.program,
                                .names = names,
                                .seed = args->seed,
                                .seconds = args->command.seconds,
                                .flags = &args->model.registry};
  if (code == BUDDY_OK) code = bd_original_values(&original, f->values, r->known, r->symbols);
  json_decref(names);
  if (code == BUDDY_OK) code = search(r, args->model.archive.path);
  const bd_cut_choice kept = bd_reduction_choice(r);
  json_t *root = code == BUDDY_OK ? bd_cut_make(&r->program, &kept, &inputs) : NULL;
  if (code == BUDDY_OK) code = root ? write_output(r, f, root, inputs) : BUDDY_OUT_OF_MEMORY;
  bd_progress(NULL, "", 1.0);
  if (code == BUDDY_OK && args->is_json) tell_json(r, f, json_array_size(inputs));
  if (code == BUDDY_OK && !args->is_json) tell_text(r, args, f, inputs);
  json_decref(root);
  json_decref(inputs);
  return code;
}

static int run(int argc, char **argv) {
  arguments args = {.command = {.seconds = 300}};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  folders f = {.scratch = ""};
  bd_reduction r = {.command = args.command,
                    .seed = args.seed,
                    .n_jobs = count_jobs(&args),
                    .known = json_object(),
                    .symbols = json_object(),
                    .tried = json_object()};
  buddy_code code = buddy_diags_create(&r.diags);
  if (code == BUDDY_OK) code = reduce(&args, &r, &f);
  const int status = bd_finish(code, r.diags);
  if (*f.scratch) bd_remove_folder(f.scratch);
  bd_outfolder_discard(&f.written);
  bd_program_close(&r.program);
  json_decref(r.known);
  json_decref(r.symbols);
  json_decref(r.tried);
  bd_free(r.has);
  bd_model_flags_free(&args.model);
  free(args.inputs);
  return status;
}

const bd_verb bd_verb_reduce = {"reduce", "the smallest archive that still fails", &parser, run};
