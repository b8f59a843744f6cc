// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/explain.c: `buddy explain`: which registry takes which op, and why the others did not. */
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/tune.h"
#include "core/base/assert.h"
#include "core/base/memory.h"
#include "sdk/cli/explain_kernels.h"
#include "sdk/cli/explorer.h"
#include "sdk/cli/json.h"
#include "sdk/cli/page.h"
#include "sdk/cli/session.h"

enum { OPTION_NODE_DATA = 256, OPTION_KERNELS };

typedef struct arguments {
  bd_model_flags model;
  const char *output, *node_data;
  bool json, tells_kernels;
} arguments;

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Write JSON: every node with its trail", 0},
    {"output", 'o', "FILE", 0,
     "FILE.json: write a graph for Model Explorer: nodes in layers by module, with registry, "
     "reasons, lines and shapes. Any other name: write the same as a page",
     0},
    {"node-data", OPTION_NODE_DATA, "FILE.json", 0,
     "Write who took each node for Model Explorer, to colour that graph", 0},
    {"kernels", OPTION_KERNELS, NULL, 0,
     "Compile it, too, and tell by which kernel each product and convolution is computed, and why "
     "not by a faster one",
     0},
    {0}};

static const struct argp_child children[] = {{&bd_registry_argp, 0, "Registries:", 1},
                                             {&bd_archive_argp, 0, NULL, 0},
                                             {&bd_shard_rank_argp, 0, "Several processes:", 2},
                                             {0}};

static const bd_slot slots[] = {BD_SLOT('j', arguments, json),
                                BD_SLOT('o', arguments, output),
                                BD_SLOT(OPTION_KERNELS, arguments, tells_kernels),
                                BD_SLOT(OPTION_NODE_DATA, arguments, node_data),
                                {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  if (key == ARGP_KEY_INIT) bd_model_flags_give(&args->model, children, state);
  return bd_take(slots, key, arg, state);
}

static const struct argp parser = {
    options,
    parse,
    "MODEL.pt2",
    "Tells for each op of an archive which registry takes it and why the ones before "
    "it did not, a summary per registry, and all ops that nobody takes with the lines "
    "of the model they come from.",
    children,
    NULL,
    NULL};

static const char *registry_name(const bd_session *session, size_t registry) {
  return buddy_registries_get(session->registries, registry)->name;
}

static const char *taker(const bd_session *session, const buddy_decision *decision) {
  return decision->is_taken
             ? registry_name(session, decision->tries[decision->n_tries - 1].registry)
             : "nobody";
}

static void location_text(const buddy_location *location, char *text, size_t size) {
  const char *file = location->file ? location->file : "";
  const char *slash = strrchr(file, '/');
  if (*file) {
    snprintf(text, size, "%s:%u", slash ? slash + 1 : file, location->line);
  } else {
    snprintf(text, size, "%s", "");
  }
}

/* ---- Counting -------------------------------------------------------------------------------- */
/* Decisions that agree in op, taker and trail are one line of the table. */
typedef struct group {
  const buddy_decision *first;
  size_t count, depth;
  char *key;
} group;
typedef struct groups {
  const bd_session *session;
  group *items;
  size_t n, capacity;
  size_t *by_registry; /* ops taken, the last one: by nobody */
  json_t *index;       /* key to number */
} groups;

static char *trail_text(const bd_session *session, const buddy_decision *decision) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) bd_unsayable();
  fprintf(out, "%s%s", *buddy_decision_choice(decision) ? "chosen: " : "",
          buddy_decision_choice(decision));
  for (size_t i = 0; i < decision->n_tries; ++i) {
    const buddy_try *one = &decision->tries[i];
    if (one->code == BUDDY_OK) continue;
    fprintf(out, "%s%s: %s", ftell(out) > 0 ? "; " : "", registry_name(session, one->registry),
            one->reason);
  }
  if (fclose(out)) bd_unsayable();
  return text;
}

static void count(groups *all, const buddy_decision *decision, size_t depth) {
  const bd_session *session = all->session;
  char *trail = trail_text(session, decision);
  char *key = NULL;
  if (asprintf(&key, "%zu %s %s %s", depth, decision->op, taker(session, decision), trail) < 0)
    bd_unsayable();
  free(trail);
  const size_t nobody = buddy_registries_count(session->registries);
  all->by_registry[decision->is_taken ? decision->tries[decision->n_tries - 1].registry : nobody] +=
      1;
  const json_t *known = json_object_get(all->index, key);
  if (known) {
    BD_ASSERT(all->items);
    all->items[json_integer_value(known)].count += 1;
    free(key);
  } else {
    if (all->n == all->capacity) {
      const size_t capacity = all->capacity * 2 + 64;
      group *grown = bd_realloc(all->items, capacity * sizeof(*grown));
      if (!grown) bd_unsayable();
      all->items = grown;
      all->capacity = capacity;
    }
    json_object_set_new(all->index, key, json_integer((json_int_t)all->n));
    all->items[all->n++] = (group){decision, 1, depth, key};
  }
  for (size_t i = 0; i < decision->n_expansion; ++i) count(all, decision->expansion[i], depth + 1);
}

static groups count_all(const bd_session *session) {
  groups all = {.session = session, .index = json_object()};
  all.by_registry = bd_calloc(buddy_registries_count(session->registries) + 1, sizeof(size_t));
  if (!all.by_registry) bd_unsayable();
  for (size_t i = 0; i < buddy_plan_n_decisions(session->plan); ++i) {
    count(&all, buddy_plan_decision(session->plan, i), 0);
  }
  return all;
}

static void free_groups(groups *all) {
  for (size_t i = 0; i < all->n; ++i) free(all->items[i].key);
  free(all->items);
  free(all->by_registry);
  json_decref(all->index);
}

/* ---- Text ------------------------------------------------------------------------------------ */
static void print_groups(const groups *all) {
  const char *headings[] = {"COUNT", "OP", "TAKEN BY", "FIRST AT", "WHY NOT THE OTHERS"};
  bd_table *table = bd_table_create(headings, 5);
  for (size_t i = 0; i < all->n; ++i) {
    const group *one = &all->items[i];
    char number[24], op[256], where[256];
    snprintf(number, sizeof(number), "%zu", one->count);
    snprintf(op, sizeof(op), "%*s%s", (int)(2 * one->depth), "", one->first->op);
    location_text(&one->first->location, where, sizeof(where));
    char *trail = trail_text(all->session, one->first);
    const char *cells[] = {number, op, taker(all->session, one->first), where, trail};
    bd_table_add(table, cells);
    free(trail);
  }
  bd_table_print(table, stdout);
  bd_table_destroy(table);
}

static void print_summary(const groups *all, FILE *out) {
  const size_t n = buddy_registries_count(all->session->registries);
  fprintf(out, "\nOrder:");
  for (size_t i = 0; i < n; ++i)
    fprintf(out, "%s%s", i ? ":" : " ", registry_name(all->session, i));
  fprintf(out, "\n%zu ops of the archive; with what they expand to:\n",
          buddy_plan_n_decisions(all->session->plan));
  for (size_t i = 0; i < n; ++i) {
    if (all->by_registry[i])
      fprintf(out, "  %8zu taken by %s\n", all->by_registry[i], registry_name(all->session, i));
  }
  if (all->by_registry[n]) fprintf(out, "  %8zu taken by nobody\n", all->by_registry[n]);
}

/* ---- JSON ------------------------------------------------------------------------------------ */
static json_t *decision_json(const bd_session *session, const buddy_decision *decision) {
  json_t *tries = json_array();
  for (size_t i = 0; i < decision->n_tries; ++i) {
    const buddy_try *one = &decision->tries[i];
    json_array_append_new(
        tries, json_pack("{s:s, s:s, s:o}", "registry", registry_name(session, one->registry),
                         "outcome", one->code == BUDDY_OK ? "taken" : buddy_code_name(one->code),
                         "reason", bd_json_text(one->reason)));
  }
  json_t *expansion = json_array();
  for (size_t i = 0; i < decision->n_expansion; ++i) {
    json_array_append_new(expansion, decision_json(session, decision->expansion[i]));
  }
  const buddy_location *at = &decision->location;
  return json_pack(
      "{s:o, s:o, s:s, s:s*, s:o*, s:o, s:i, s:o, s:o, s:o, s:o}", "op", bd_json_text(decision->op),
      "name", bd_json_text(decision->name), "types", decision->types, "taken_by",
      decision->is_taken ? taker(session, decision) : NULL, "choice",
      *buddy_decision_choice(decision) ? bd_json_text(buddy_decision_choice(decision)) : NULL,
      "file", bd_json_text(at->file), "line", (int)at->line, "code", bd_json_text(at->code),
      "module", bd_json_text(at->module_path), "tries", tries, "expansion", expansion);
}

static void print_json(const groups *all, json_t *kernels) {
  const bd_session *session = all->session;
  json_t *nodes = json_array();
  for (size_t i = 0; i < buddy_plan_n_decisions(session->plan); ++i) {
    json_array_append_new(nodes, decision_json(session, buddy_plan_decision(session->plan, i)));
  }
  json_t *summary = json_object(), *order = json_array();
  const size_t n = buddy_registries_count(session->registries);
  for (size_t i = 0; i < n; ++i) {
    json_array_append_new(order, json_string(registry_name(session, i)));
    json_object_set_new(summary, registry_name(session, i),
                        json_integer((json_int_t)all->by_registry[i]));
  }
  json_t *root = json_pack("{s:o, s:o, s:I, s:o}", "order", order, "taken", summary, "unsupported",
                           (json_int_t)all->by_registry[n], "nodes", nodes);
  if (kernels) json_object_set(root, "kernels", kernels);
  bd_json_print(root, 1);
}

/* Pins that `buddy run --autotune` has found, which `buddy run` takes: after those that are given.
 * The caller frees what they point to. */
static char *add_tuned_pins(arguments *args) {
  bd_loading loading;
  bd_loading_init(&args->model, &loading);
  loading.model.use_cache = 1;
  char *pins = NULL, *rest = NULL;
  /* A cache that cannot be used has no pins; `buddy run` warns of it. */
  if (buddy_tuned(args->model.archive.path, &loading.model, NULL, &pins) != BUDDY_OK || !pins)
    return NULL;
  if (*pins && !args->json) {
    printf("Pins of `buddy run --autotune`: ");
    bd_put_shown(pins, stdout);
    printf("\n\n");
  }
  for (char *pin = strtok_r(pins, ",", &rest); pin; pin = strtok_r(NULL, ",", &rest))
    bd_append(&args->model.registry.pins, &args->model.registry.n_pins, pin);
  return pins;
}

/* ---- Files ----------------------------------------------------------------------------------- */
static buddy_code write_page(const groups *all, const json_t *graphs, const arguments *args) {
  json_t *page = bd_page_create(args->model.archive.path);
  char *text = NULL, *rest = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) bd_unsayable();
  print_summary(all, out);
  if (fclose(out)) bd_unsayable();
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    bd_page_note(page, line + strspn(line, " "));
  free(text);
  bd_page_nodes(page, graphs, NULL, NULL);
  return bd_page_write(page, args->output, all->session->diags);
}

/* Takes the reference to the graphs. */
static buddy_code write_output(const groups *all, json_t *graphs, const arguments *args) {
  const bd_session *session = all->session;
  buddy_code code = BUDDY_OK;
  if (args->node_data)
    code = bd_explorer_data_write(bd_explorer_takers(session), session->graph, args->node_data,
                                  session->diags);
  if (code == BUDDY_OK && args->output) {
    if (graphs) bd_explorer_add_plan(graphs, session);
    if (!graphs || bd_page_is_json(args->output))
      return bd_json_write(graphs, args->output, session->diags);
    code = write_page(all, graphs, args);
  }
  json_decref(graphs);
  return code;
}

/* kernels: null: not asked for. */
static buddy_code show(const bd_session *session, json_t *graphs, json_t *kernels,
                       const arguments *args) {
  groups all = count_all(session);
  if (args->json) {
    print_json(&all, kernels);
  } else {
    print_groups(&all);
    print_summary(&all, stdout);
    if (kernels) bd_kernels_print(kernels);
  }
  fflush(stdout);
  const buddy_code code = write_output(&all, graphs, args);
  free_groups(&all);
  return code;
}

/* Cuts the program, and tells what became of it before the table. */
static buddy_code cut(bd_session *session, arguments *args) {
  buddy_diags *own = session->diags, *told = NULL;
  if (buddy_diags_create(&told) != BUDDY_OK) return BUDDY_OUT_OF_MEMORY;
  session->diags = told;
  const buddy_code code = bd_session_shard(session, &args->model.shard);
  session->diags = own;
  for (size_t i = 0; i < buddy_diags_count(told); ++i) {
    const buddy_diag *one = buddy_diags_get(told, i);
    const bool is_note = one->severity == BUDDY_NOTE;
    if (!is_note)
      buddy_diags_add(own, one->severity, one->code, one->where, one->todo, "%s", one->what);
    if (!is_note || args->json) continue;
    const bool has_place = one->where && *one->where;
    if (has_place) bd_put_shown(one->where, stdout);
    printf("%s", has_place ? ": " : "");
    bd_put_shown(one->what, stdout);
    printf("\n");
  }
  if (args->model.shard.n_ranks > 1 && !args->json) printf("\n");
  buddy_diags_destroy(told);
  return code;
}

static int run(int argc, char **argv) {
  arguments args = {0};
  json_t *graphs = NULL;
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  char *pins = add_tuned_pins(&args);
  json_t *kernels = NULL;
  bd_session session;
  buddy_code code = bd_session_open_chosen(&session, &args.model.registry);
  if (code == BUDDY_OK) code = bd_session_import_model(&session, &args.model);
  if (code == BUDDY_OK) code = cut(&session, &args);
  if (code == BUDDY_OK && args.output)
    graphs = bd_explorer_graphs(session.graph, args.model.archive.path);
  if (code == BUDDY_OK) code = bd_session_plan(&session);
  if (session.plan) { /* also when some ops are taken by nobody: that is what one wants to see */
    if (code == BUDDY_OK && args.tells_kernels)
      code = bd_kernels_find(&session, &args.model, &kernels);
    const buddy_code written = show(&session, graphs, kernels, &args);
    code = code == BUDDY_OK ? written : code;
  } else {
    json_decref(graphs);
  }
  const int status = bd_session_close(&session, code);
  json_decref(kernels);
  bd_model_flags_free(&args.model);
  buddy_tune_free(pins);
  return status;
}

const bd_verb bd_verb_explain = {"explain", "which registry takes which op, and why", &parser, run};
