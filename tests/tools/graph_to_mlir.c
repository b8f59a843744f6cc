// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/tools/graph_to_mlir.c: a graph in its text form becomes MLIR, for the FileCheck tests.
 *
 *   graph_to_mlir [options] FILE
 *     --registries=ORDER   as BUDDY_REGISTRIES; default: the builtin order
 *     --plugin-dir=DIR     searched first
 *     --params=args|resource|pack
 *     --function=NAME      default: forward
 *     --normalize          runs buddy_graph_normalize first
 *     --fallback           passes over rows that fail
 *     --plan               prints who took each node instead of the module
 *     --locations --generic
 *
 * Lines that begin with // are comments. Diagnostics go to stderr; the status is 0 if a module (or
 * a plan) was printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/import.h"
#include "buddy/lower.h"

#define MAX_FILE (64u << 20)

typedef struct options {
  buddy_lower_options lower;
  const char *registries, *plugin_dir, *file;
  int is_normalized, is_plan, has_locations;
  buddy_format format;
} options;

typedef struct session {
  buddy_diags *diags;
  buddy_opset *opset;
  buddy_search *search;
  buddy_registries *registries;
  buddy_graph *graph;
  buddy_plan *plan;
  buddy_module *module;
} session;

/* ---- Options --------------------------------------------------------------------------------- */

/* The text after "name=", or null. */
static const char *value_of(const char *word, const char *name) {
  const size_t n = strlen(name);
  return strncmp(word, name, n) == 0 ? word + n : NULL;
}

static int read_params(const char *text, buddy_params *out_params) {
  static const char *const names[] = {"args", "resource", "pack"};
  for (int i = 0; i < 3; ++i) {
    if (strcmp(text, names[i]) != 0) continue;
    *out_params = (buddy_params)i;
    return 1;
  }
  return 0;
}

static int read_option(const char *word, options *o) {
  const char *value;
  if ((value = value_of(word, "--registries="))) return (o->registries = value) != NULL;
  if ((value = value_of(word, "--plugin-dir="))) return (o->plugin_dir = value) != NULL;
  if ((value = value_of(word, "--function="))) return (o->lower.function = value) != NULL;
  if ((value = value_of(word, "--params="))) return read_params(value, &o->lower.params);
  if (strcmp(word, "--normalize") == 0) return o->is_normalized = 1;
  if (strcmp(word, "--fallback") == 0) return o->lower.fallback_on_error = 1;
  if (strcmp(word, "--plan") == 0) return o->is_plan = 1;
  if (strcmp(word, "--locations") == 0) return o->has_locations = 1;
  if (strcmp(word, "--generic") == 0) return (o->format = BUDDY_FORMAT_GENERIC) != 0;
  if (word[0] == '-' || o->file) return 0;
  o->file = word;
  return 1;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static buddy_code write_to(void *user, const char *data, size_t size) {
  return fwrite(data, 1, size, user) == size ? BUDDY_OK : BUDDY_IO;
}

/* Comment lines become blanks, so that the lines keep their numbers. */
static void blank_comments(char *text, size_t size) {
  int is_start = 1, is_comment = 0;
  for (size_t i = 0; i < size; ++i) {
    if (is_start) is_comment = i + 1 < size && text[i] == '/' && text[i + 1] == '/';
    is_start = text[i] == '\n';
    if (is_comment && !is_start) text[i] = ' ';
  }
}

/* The whole file; null if it cannot be read. */
static char *read_file(const char *path, size_t *out_size) {
  FILE *file = fopen(path, "rb");
  char *text = file ? malloc(MAX_FILE) : NULL;
  *out_size = text ? fread(text, 1, MAX_FILE, file) : 0;
  if (file) fclose(file);
  return text;
}

static void print_diags(const buddy_diags *diags) {
  static const char *const severities[] = {"error", "warning", "note"};
  for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(diags, i);
    fprintf(stderr, "%s: %s: %s", severities[diag->severity], buddy_code_name(diag->code),
            diag->where);
    fprintf(stderr, "%s%s", diag->where[0] != '\0' ? ": " : "", diag->what);
    fprintf(stderr, "%s%s\n", diag->todo[0] != '\0' ? "; " : "", diag->todo);
  }
}

static void print_decision(const buddy_decision *decision, const buddy_registries *registries,
                           int depth) {
  printf("%*s%s %s %s:", 2 * depth, "", decision->name, decision->op, decision->types);
  for (size_t i = 0; i < decision->n_tries; ++i) {
    const buddy_try *try = &decision->tries[i];
    const char *name = buddy_registries_get(registries, try->registry)->name;
    if (try->code == BUDDY_OK) printf(" %s", name);
    if (try->code != BUDDY_OK)
      printf(" [%s: %s: %s]", name, buddy_code_name(try->code), try->reason);
  }
  printf("%s\n", decision->is_taken ? "" : " nobody");
  for (size_t i = 0; depth < 64 && i < decision->n_expansion; ++i) {
    print_decision(decision->expansion[i], registries, depth + 1);
  }
}

static void print_plan(buddy_plan *plan) {
  for (size_t i = 0; i < buddy_plan_n_decisions(plan); ++i) {
    print_decision(buddy_plan_decision(plan, i), buddy_plan_registries(plan), 0);
  }
}

/* ---- The road -------------------------------------------------------------------------------- */

static buddy_code open_session(session *s, const options *o) {
  const buddy_search_options search = {.struct_size = sizeof(search),
                                       .plugin_dirs = &o->plugin_dir,
                                       .n_plugin_dirs = o->plugin_dir != NULL};
  const buddy_registries_options registries = {.struct_size = sizeof(registries),
                                               .order = o->registries};
  buddy_code code = buddy_diags_create(&s->diags);
  if (code == BUDDY_OK) code = buddy_aten_opset_create(&s->opset);
  if (code == BUDDY_OK) code = buddy_search_create(&search, s->diags, &s->search);
  if (code == BUDDY_OK) {
    code = buddy_registries_create(s->search, s->opset, &registries, s->diags, &s->registries);
  }
  return code;
}

static buddy_code read_graph(session *s, const options *o) {
  size_t size;
  char *text = read_file(o->file, &size);
  if (!text) {
    return buddy_diags_add(s->diags, BUDDY_ERROR, BUDDY_IO, o->file, NULL,
                           "the file cannot be read");
  }
  blank_comments(text, size);
  buddy_code code = buddy_graph_parse(s->opset, (buddy_sv){text, size}, s->diags, &s->graph);
  free(text);
  if (code == BUDDY_OK && o->is_normalized) code = buddy_graph_normalize(s->graph, s->diags);
  return code;
}

static buddy_code run(session *s, const options *o) {
  const buddy_writer writer = {write_to, stdout};
  buddy_code code = open_session(s, o);
  if (code == BUDDY_OK) code = read_graph(s, o);
  if (code == BUDDY_OK) code = buddy_plan_create(s->registries, s->graph, s->diags, &s->plan);
  if (code == BUDDY_OK) code = buddy_lower(s->plan, &o->lower, s->diags, &s->module);
  if (s->plan && o->is_plan) print_plan(s->plan);
  if (code != BUDDY_OK || o->is_plan) return code;
  return buddy_module_print(s->module, o->format, o->has_locations, &writer);
}

static void close_session(session *s) {
  buddy_module_destroy(s->module);
  buddy_plan_destroy(s->plan);
  buddy_graph_destroy(s->graph);
  buddy_registries_destroy(s->registries);
  buddy_search_destroy(s->search);
  buddy_opset_destroy(s->opset);
  buddy_diags_destroy(s->diags);
}

int main(int argc, char **argv) {
  options o = {.lower = {.struct_size = sizeof(o.lower)}};
  session s = {0};
  for (int i = 1; i < argc; ++i) {
    if (read_option(argv[i], &o)) continue;
    fprintf(stderr, "graph_to_mlir: what is '%s'?\n", argv[i]);
    return 2;
  }
  if (!o.file) return 2;
  const buddy_code code = run(&s, &o);
  print_diags(s.diags);
  if (code != BUDDY_OK) fprintf(stderr, "%s\n", buddy_code_name(code));
  close_session(&s);
  return code == BUDDY_OK ? 0 : 1;
}
