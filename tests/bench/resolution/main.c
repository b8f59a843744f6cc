// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/bench/resolution/main.c: what loading and resolving cost: resolution DIR [ROUNDS]
 *
 *   load     ten registries of 1,000 rows each: searched, loaded, opened, their tables merged. The
 *            first time in a process the files are mapped and relocated, too: each round is a
 *            process of its own, which this program starts (with "first" for ROUNDS)
 *   resolve  10,000 nodes of 1,000 ops: taken by the first registry; and by the last of ten, after
 *            nine have declined with a reason
 *
 * In milliseconds, CPU time of the process unless "wall" is said; the least of all rounds, and for
 * the first load the median and the most, too. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "buddy/resolve.h"

enum { N_NODES = 10000, N_OPS = 1000, MAX_ROUNDS = 1000 };

static const char ten[] = "many0:many1:many2:many3:many4:many5:many6:many7:many8:many9";

static double read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}
static double now(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
static double wall(void) { return read_clock(CLOCK_MONOTONIC); }

static void check(buddy_code code, const buddy_diags *diags) {
  if (code == BUDDY_OK) return;
  for (size_t i = 0; i < buddy_diags_count(diags); ++i)
    fprintf(stderr, "%s: %s\n", buddy_diags_get(diags, i)->where, buddy_diags_get(diags, i)->what);
  exit(1);
}

typedef struct session {
  buddy_diags *diags;
  buddy_opset *opset;
  buddy_search *search;
  buddy_registries *registries;
} session;

static double load(session *s, const char *dir, const char *order) {
  const buddy_search_options where = {
      .struct_size = sizeof where, .plugin_dirs = &dir, .n_plugin_dirs = 1, .no_environment = 1};
  const buddy_registries_options options = {
      .struct_size = sizeof options, .order = order, .no_environment = 1};
  check(buddy_diags_create(&s->diags), NULL);
  check(buddy_opset_create(&s->opset), s->diags);
  const double start = now();
  check(buddy_search_create(&where, s->diags, &s->search), s->diags);
  check(buddy_registries_create(s->search, s->opset, &options, s->diags, &s->registries), s->diags);
  return now() - start;
}

static void unload(session *s) {
  buddy_registries_destroy(s->registries);
  buddy_search_destroy(s->search);
  buddy_opset_destroy(s->opset);
  buddy_diags_destroy(s->diags);
}

static buddy_graph *make_graph(const session *s) {
  static const int64_t dims[] = {2, 3};
  const buddy_tensor_type type = {BUDDY_F32, 2, dims};
  buddy_graph *graph;
  const buddy_value *value, *first;
  check(buddy_graph_create(s->opset, "many", &graph), s->diags);
  check(buddy_graph_add_input(graph, BUDDY_INPUT_USER, NULL, NULL, &type, NULL, s->diags, &first),
        s->diags);
  value = first;
  for (int i = 0; i < N_NODES; ++i) {
    char op[32];
    buddy_node *node;
    buddy_named_arg args[2] = {{"self", {BUDDY_ARG_TENSOR, 0, 0, {0}}},
                               {"other", {BUDDY_ARG_TENSOR, 0, 0, {0}}}};
    args[0].arg.as.tensor = value;
    args[1].arg.as.tensor = first;
    snprintf(op, sizeof op, "many.op%03d.default", i % N_OPS);
    check(buddy_graph_add_node(graph, NULL, op, NULL, args, 2, &type, 1, s->diags, &node),
          s->diags);
    value = buddy_node_result(node, 0);
  }
  buddy_arg output = {.kind = BUDDY_ARG_TENSOR};
  output.as.tensor = value;
  check(buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, NULL, &output, s->diags), s->diags);
  return graph;
}

static double resolve(const char *dir, const char *order, int rounds) {
  session s;
  double least = 1e9;
  load(&s, dir, order);
  buddy_graph *graph = make_graph(&s);
  for (int i = 0; i < rounds; ++i) {
    buddy_plan *plan;
    const double start = now();
    check(buddy_plan_create(s.registries, graph, s.diags, &plan), s.diags);
    const double took = now() - start;
    if (took < least) least = took;
    buddy_plan_destroy(plan);
  }
  buddy_graph_destroy(graph);
  unload(&s);
  return least;
}

/* ---- The first load of a process ---- */
static int tell_first(const char *dir) {
  session s;
  const double start = wall();
  const double cpu = load(&s, dir, ten);
  printf("%f %f\n", cpu, wall() - start);
  unload(&s);
  return 0;
}

static void ask_first(const char *dir, double *out_cpu, double *out_wall) {
  char command[4096];
  if (snprintf(command, sizeof command, "exec '/proc/%d/exe' '%s' first", (int)getpid(), dir) >=
      (int)sizeof command)
    exit(2);
  FILE *child = popen(command, "re");
  const bool is_read = child && fscanf(child, "%lf %lf", out_cpu, out_wall) == 2;
  if (!is_read || pclose(child)) {
    fprintf(stderr, "a process of its own could not load the registries\n");
    exit(1);
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_first(const char *what, double *took, int n) {
  qsort(took, (size_t)n, sizeof *took, ascending);
  printf(
      "load 10 registries of 1,000 rows, first in a process%s: %.2f ms, median %.2f, most %.2f\n",
      what, took[0], took[n / 2], took[n - 1]);
}

static void measure_first(const char *dir, int rounds) {
  static double cpu[MAX_ROUNDS], real[MAX_ROUNDS];
  for (int i = 0; i < rounds; ++i) ask_first(dir, &cpu[i], &real[i]);
  print_first("", cpu, rounds);
  print_first(", wall", real, rounds);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  if (argc > 2 && !strcmp(argv[2], "first")) return tell_first(argv[1]);
  const int asked = argc > 2 ? atoi(argv[2]) : 30;
  const int rounds = asked < 1 ? 1 : asked < MAX_ROUNDS ? asked : MAX_ROUNDS;
  double least = 1e9;
  measure_first(argv[1], rounds);
  for (int i = 0; i <= rounds; ++i) { /* the first is the process's first */
    session s;
    const double took = load(&s, argv[1], ten);
    unload(&s);
    if (i > 0 && took < least) least = took;
  }
  printf("load 10 registries of 1,000 rows again: %.2f ms\n", least);
  printf("resolve 10,000 nodes, taken by the first of two registries: %.2f ms\n",
         resolve(argv[1], "many9:many0", rounds));
  printf("resolve 10,000 nodes, taken by the last of ten registries: %.2f ms\n",
         resolve(argv[1], ten, rounds));
  return 0;
}
