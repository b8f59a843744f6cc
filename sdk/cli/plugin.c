// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/plugin.c: `buddy plugin check`: a registry is put through all that a host may do to it,
 * in processes that may die. check/check.h has the map of the stages. */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/numbers.h"
#include "sdk/cli/check/check.h"
#include "sdk/cli/json.h"

enum {
  OPTION_CASES = 256,
  OPTION_GRAPHS,
  OPTION_ONLY,
  OPTION_SECONDS,
  OPTION_QUICK,
  OPTION_LIMIT,
  OPTION_SHARD
};
static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Write JSON, for programs", 0},
    {"cases", OPTION_CASES, "FILE", 0,
     "The author's own cases, one JSON object a line; may be repeated", 0},
    {"only", OPTION_ONLY, "OP", 0, "Check the rows of this op alone", 0},
    {"quick", OPTION_QUICK, NULL, 0, "Compile and run nothing: no numbers are compared", 0},
    {"shard", OPTION_SHARD, "I/N", 0, "Check the I-th of N parts of the ops: for several machines",
     0},
    {"limit", OPTION_LIMIT, "N", 0,
     "Begin no further op after N seconds; those left out are counted as a warning", 0},
    {"seconds", OPTION_SECONDS, "N", 0, "Time limit of one step (default: 30)", 0},
    {"graphs", OPTION_GRAPHS, "FILE", 0, "Graphs to ask about, in place of the installed ones", 0},
    {0}};

typedef struct arguments {
  bd_check check;
  const char *what;
  bool json;
} arguments;

static unsigned seconds(const char *arg, struct argp_state *state, const char *option,
                        unsigned most) {
  char *end;
  const unsigned long value = strtoul(arg, &end, 10);
  if (end == arg || *end || *arg == '-' || value < 1 || value > most)
    bd_usage(state, "--%s is a number from 1 to %u, not '%s'", option, most, arg);
  return (unsigned)value;
}

/* "1/4" */
static bool read_shard(const char *text, bd_check *check) {
  const char *slash = strchr(text, '/');
  int64_t shard, n;
  if (!slash || !bd_int_parse((buddy_sv){text, (size_t)(slash - text)}, &shard) ||
      !bd_int_parse((buddy_sv){slash + 1, strlen(slash + 1)}, &n) || shard < 1 || shard > n ||
      n > 65536)
    return false;
  check->shard = (unsigned)shard;
  check->n_shards = (unsigned)n;
  return true;
}

static const bd_slot slots[] = {BD_SLOT('j', arguments, json),
                                BD_SLOT(OPTION_ONLY, arguments, check.only),
                                BD_SLOT(OPTION_QUICK, arguments, check.is_quick),
                                BD_SLOT(OPTION_GRAPHS, arguments, check.graphs),
                                {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  bd_check *check = &args->check;
  switch (key) {
    case ARGP_KEY_INIT:
      state->child_inputs[0] = &check->flags;
      return 0;
    case OPTION_CASES:
      bd_append(&check->cases, &check->n_cases, arg);
      return 0;
    case OPTION_SECONDS:
      check->seconds = seconds(arg, state, "seconds", 3600);
      return 0;
    case OPTION_LIMIT:
      check->limit = seconds(arg, state, "limit", 1000000);
      return 0;
    case OPTION_SHARD:
      if (!read_shard(arg, check)) bd_usage(state, "--shard is like 1/4, not '%s'", arg);
      return 0;
    case ARGP_KEY_ARG:
      if (!args->what) {
        args->what = arg;
        if (strcmp(arg, "check") != 0) bd_usage(state, "'%s' is not `check`", arg);
      } else if (!check->file) {
        check->file = arg;
      } else {
        bd_usage(state, "takes one file, but got '%s' as well", arg);
      }
      return 0;
    case ARGP_KEY_END:
      if (!check->file) bd_usage(state, "which file? buddy plugin check buddy_NAME.so");
      return 0;
    default:
      return bd_take(slots, key, arg, state);
  }
}

static const struct argp_child children[] = {{&bd_registry_argp, 0, "Registries:", 1}, {0}};
static const struct argp parser = {
    options,
    parse,
    "check FILE.so",
    "Checks a registry as a host would use it: the file before any of its code runs, the "
    "descriptor, every row over graphs of its op, the numbers against what the other registries "
    "compute, threads, leaks, memory that runs out, and what it does to the process.\v"
    "All of the registry's code runs in child processes with a time limit; this command survives "
    "whatever they do. Exit status: 0 no errors, 1 errors.",
    children,
    NULL,
    NULL};

/* ---- The file -------------------------------------------------------------------------------- */
static void add_finding(bd_check *check, const char *severity, const char *stage, const char *op,
                        const char *what, const char *todo) {
  json_array_append_new(
      check->findings,
      json_pack("{s:s, s:s, s:o, s:o, s:o}", "severity", severity, "stage", stage, "op",
                bd_json_text(op), "what", bd_json_text(what), "todo", bd_json_text(todo)));
}

static void keep_facts(bd_check *check, const buddy_found *found) {
  char abi[16], llvm[16] = "any (portable)";
  snprintf(check->name, sizeof check->name, "%s", found->name);
  snprintf(abi, sizeof abi, "%u.%u", found->abi_version >> 16, found->abi_version & 0xFFFF);
  if (found->llvm_version)
    snprintf(llvm, sizeof llvm, "%u.%u", found->llvm_version >> 16, found->llvm_version & 0xFFFF);
  check->facts = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I}", "registry", found->name,
                           "version", found->version, "vendor", found->vendor, "license",
                           found->license, "abi", found->abi_version ? abi : "", "llvm",
                           found->abi_version ? llvm : "", "rows", (json_int_t)found->n_ops);
}

/* The search reads files, and runs none of their code. */
static int preflight(bd_check *check) {
  buddy_diags *diags = NULL;
  buddy_search *search = NULL;
  const buddy_search_options where = {.struct_size = sizeof where,
                                      .plugin_files = &check->file,
                                      .n_plugin_files = 1,
                                      .no_environment = 1};
  buddy_code code = buddy_diags_create(&diags);
  if (code == BUDDY_OK) code = buddy_search_create(&where, diags, &search);
  if (code != BUDDY_OK) {
    char *text = bd_diags_text(diags);
    add_finding(check, "error", "file", NULL, text ? text : "", NULL);
    free(text);
  } else {
    const buddy_found *found = buddy_search_found(search, 0);
    keep_facts(check, found);
    code = found->code;
    if (code != BUDDY_OK) {
      char what[1024];
      snprintf(what, sizeof what, "%s: %s", buddy_code_name(code), found->refusal);
      add_finding(check, "error", "file", NULL, what, NULL);
    }
  }
  buddy_search_destroy(search);
  buddy_diags_destroy(diags);
  return code == BUDDY_OK;
}

/* ---- Loading --------------------------------------------------------------------------------- */
/* Tells {"row": op, "how": "emit"}; everything else that is wrong, the loader itself says. */
static void load(const bd_check *check, void *user, FILE *out) {
  bd_subject subject;
  (void)user;
  bd_process_state *before = bd_process_state_take();
  if (bd_subject_open(check, 1, &subject, out) != BUDDY_OK) return;
  const buddy_registry *registry = buddy_registries_get(subject.registries, subject.number);
  for (uint32_t i = 0; i < registry->n_ops; ++i) {
    const buddy_op *row = (const buddy_op *)(const void *)((const char *)registry->ops +
                                                           (size_t)i * registry->op_stride);
    if (!buddy_opset_find(subject.opset, row->name))
      bd_tell_finding(out, "warning", "load", row->name,
                      "ATen has no such op in this version; an op of your own needs a schema",
                      "row %u is of an op that nothing defines: it will never be asked", i);
    bd_tell(out, json_pack("{s:s, s:s}", "row", row->name, "how", row->expand ? "expand" : "emit"));
  }
  bd_check_tell_ahead(check, &subject, out);
  bd_process_state_compare(before, NULL, out);
  bd_process_state_free(before);
  bd_subject_close(&subject);
}

/* By a child of its own, which has not loaded the registry. */
static void check_ahead(bd_check *check, const json_t *told) {
  for (size_t i = 0; i < json_array_size(told); ++i) {
    json_t *one = json_array_get(told, i);
    if (json_object_get(one, "ahead"))
      bd_child_run(check, "ahead", NULL, bd_check_ahead, one, NULL);
  }
}

/* ---- Ops ------------------------------------------------------------------------------------- */
static json_t *find_op(const bd_check *check, const char *op) {
  for (size_t i = 0; i < json_array_size(check->ops); ++i) {
    json_t *one = json_array_get(check->ops, i);
    if (!strcmp(json_string_value(json_object_get(one, "op")), op)) return one;
  }
  return NULL;
}

/* Of this part, once each. */
static json_t *choose_ops(const bd_check *check, const json_t *rows) {
  json_t *ops = json_array(), *known = json_object();
  for (size_t i = 0; i < json_array_size(rows); ++i) {
    const char *op = json_string_value(json_object_get(json_array_get(rows, i), "row"));
    if (!op || json_object_get(known, op) || (check->only && strcmp(op, check->only) != 0))
      continue;
    const size_t number = json_object_size(known);
    json_object_set_new(known, op, json_true());
    if (check->n_shards == 0 || number % check->n_shards == check->shard - 1)
      json_array_append_new(ops, json_string(op));
  }
  json_decref(known);
  return ops;
}

static void check_ops(bd_check *check, const json_t *rows, json_t *texts) {
  json_t *ops = choose_ops(check, rows);
  const size_t n = json_array_size(ops);
  const time_t end = time(NULL) + (time_t)check->limit;
  for (size_t i = 0; i < n; ++i) {
    const char *op = json_string_value(json_array_get(ops, i));
    if (check->limit > 0 && time(NULL) >= end) {
      char what[96];
      snprintf(what, sizeof what, "%zu of %zu ops were not checked: the time was up", n - i, n);
      add_finding(check, "warning", "rows", NULL, what,
                  "give more time, or check in parts: --shard");
      break;
    }
    bd_progress(NULL, op, (double)i / (double)n);
    json_t *told = json_array();
    bd_child_run(check, "rows", op, bd_check_op, (void *)(uintptr_t)op, told);
    json_t *one = json_incref(json_array_get(told, 0));
    if (!one) one = json_pack("{s:s}", "op", op);
    json_array_extend(texts, json_object_get(one, "texts"));
    json_object_del(one, "texts");
    json_array_append_new(check->ops, one);
    json_decref(told);
  }
  bd_progress(NULL, "", 1);
  json_decref(ops);
}

static void run_cases(bd_check *check) {
  for (size_t i = 0; i < check->n_cases; ++i) {
    json_t *told = json_array();
    bd_child_run(check, "cases", NULL, bd_check_cases, (void *)(uintptr_t)check->cases[i], told);
    for (size_t k = 0; k < json_array_size(told); ++k) {
      const json_t *line = json_array_get(told, k);
      json_t *op = find_op(check, json_string_value(json_object_get(line, "case_op")));
      const json_int_t n = json_integer_value(json_object_get(op, "cases")) +
                           json_integer_value(json_object_get(line, "passed"));
      if (op) json_object_set_new(op, "cases", json_integer(n));
    }
    json_decref(told);
  }
}

/* A row that nothing has reached is not checked, and that must be said. */
static void find_unreached(bd_check *check) {
  for (size_t i = 0; i < json_array_size(check->ops); ++i) {
    const json_t *op = json_array_get(check->ops, i);
    const json_int_t taken = json_integer_value(json_object_get(op, "taken")),
                     compared = json_integer_value(json_object_get(op, "compared")),
                     cases = json_integer_value(json_object_get(op, "cases"));
    const char *name = json_string_value(json_object_get(op, "op"));
    if (taken + cases == 0) {
      add_finding(check, "warning", "rows", name,
                  "nothing reached its rows, so they are not checked",
                  "give a case of your own: --cases FILE");
    } else if (compared + cases == 0 && !check->is_quick) {
      add_finding(check, "note", "rows", name,
                  "its numbers were compared with nothing: no other registry takes what it takes",
                  "give a case of your own: --cases FILE");
    }
  }
}

static void check_all(bd_check *check) {
  json_t *rows = json_array(), *texts = json_array();
  if (bd_child_run(check, "load", NULL, load, NULL, rows) && bd_check_count(check, "error") == 0) {
    check_ahead(check, rows);
    check_ops(check, rows, texts);
    run_cases(check);
    find_unreached(check);
    if (json_array_size(texts) > 0) {
      bd_child_run(check, "threads", NULL, bd_check_threads, texts, NULL);
      bd_child_run(check, "leaks", NULL, bd_check_leaks, texts, NULL);
      bd_child_run(check, "memory", NULL, bd_check_memory, texts, NULL);
    }
  }
  json_decref(rows);
  json_decref(texts);
}

static int run(int argc, char **argv) {
  arguments args = {.check = {.seconds = 30}};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  bd_check *check = &args.check;
  char file[PATH_MAX];
  if (strlen(check->file) < sizeof file && realpath(check->file, file)) check->file = file;
  check->findings = json_array();
  check->ops = json_array();
  if (preflight(check)) check_all(check);
  if (!check->facts) check->facts = json_object();
  if (args.json) {
    bd_check_print_json(check);
  } else {
    bd_check_print(check);
  }
  const int status = bd_check_count(check, "error") ? BD_EXIT_FAILED : BD_EXIT_OK;
  json_decref(check->findings);
  json_decref(check->ops);
  json_decref(check->facts);
  free(check->cases);
  bd_registry_flags_free(&check->flags);
  return status;
}

const bd_verb bd_verb_plugin = {"plugin", "check a registry: `buddy plugin check FILE.so`", &parser,
                                run};
