// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/ops.c: `buddy ops`: the rows of the loaded registries, op by op, in the order they would
 * be asked. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/cli/session.h"

typedef struct arguments {
  bd_registry_flags registry;
  const char *only;
} arguments;

enum { OPTION_REGISTRY = 256 };
static const struct argp_option options[] = {
    {"registry", OPTION_REGISTRY, "R", 0, "Only the rows of registry R", 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  switch (key) {
    case ARGP_KEY_INIT:
      state->child_inputs[0] = &args->registry;
      return 0;
    case OPTION_REGISTRY:
      args->only = arg;
      return 0;
    default:
      return bd_parse_no_arguments(key, arg, state);
  }
}

static const struct argp_child children[] = {{&bd_registry_argp, 0, "Registries:", 1}, {0}};
static const struct argp parser = {
    options,
    parse,
    "",
    "Lists the ops that the registries lower: for each the rows in the order they are "
    "asked, how each lowers it, and the arguments that it takes.",
    children,
    NULL,
    NULL};

typedef struct line {
  const char *op;
  size_t registry;
  const buddy_op *row;
} line;

static int by_op(const void *a, const void *b) {
  const line *x = a, *y = b;
  const int order = strcmp(x->op, y->op);
  if (order) return order;
  if (x->registry != y->registry) return x->registry < y->registry ? -1 : 1;
  return (x->row->benefit < y->row->benefit) - (x->row->benefit > y->row->benefit);
}

static const buddy_op *row_at(const buddy_registry *registry, size_t i) {
  return (const buddy_op *)(const void *)((const char *)registry->ops + i * registry->op_stride);
}

static buddy_code print_ops(const bd_session *session, const arguments *args) {
  size_t n = 0, capacity = 0, n_registries = buddy_registries_count(session->registries);
  for (size_t r = 0; r < n_registries; ++r)
    capacity += buddy_registries_get(session->registries, r)->n_ops;
  line *lines = bd_calloc(capacity + 1, sizeof(*lines));
  if (!lines) return BUDDY_OUT_OF_MEMORY;
  bool is_known = !args->only;
  for (size_t r = 0; r < n_registries; ++r) {
    const buddy_registry *registry = buddy_registries_get(session->registries, r);
    if (args->only && strcmp(args->only, registry->name) != 0) continue;
    is_known = true;
    for (size_t i = 0; i < registry->n_ops; ++i) {
      const buddy_op *row = row_at(registry, i);
      lines[n++] = (line){row->name, r, row};
    }
  }
  qsort(lines, n, sizeof(*lines), by_op);
  const char *headings[] = {"OP", "REGISTRY", "HOW", "ARGUMENTS"};
  bd_table *table = bd_table_create(headings, 4);
  for (size_t i = 0; i < n; ++i) {
    const char *cells[] = {i && strcmp(lines[i].op, lines[i - 1].op) == 0 ? "" : lines[i].op,
                           buddy_registries_get(session->registries, lines[i].registry)->name,
                           lines[i].row->expand ? "expand" : "emit", lines[i].row->args};
    bd_table_add(table, cells);
  }
  if (is_known) bd_table_print(table, stdout);
  bd_table_destroy(table);
  free(lines);
  if (is_known) return BUDDY_OK;
  return buddy_diags_add(session->diags, BUDDY_ERROR, BUDDY_NOT_FOUND, args->only,
                         "`buddy registries` lists what is found; --registries says what is loaded",
                         "no registry of this name is loaded");
}

static int run(int argc, char **argv) {
  arguments args = {0};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  bd_session session;
  buddy_code code = bd_session_open(&session, &args.registry);
  if (code == BUDDY_OK) code = print_ops(&session, &args);
  const int status = bd_session_close(&session, code);
  bd_registry_flags_free(&args.registry);
  return status;
}

const bd_verb bd_verb_ops = {"ops", "list the ops that the registries lower", &parser, run};
