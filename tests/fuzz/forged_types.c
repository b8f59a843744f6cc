// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/forged_types.c: every op with arguments and results of wrong types.
 *
 *   forged_types GRAPHS [--each N] [--runs N] [--part I/N] [--orders N]
 *   forged_types --table
 *
 * GRAPHS holds graphs of one op each. Of every op the first N are taken (--each, default 1), each of
 * their places is changed in each way, and the result goes as far as it goes in each order of
 * registries (--orders: the first N of them), every N-th that is lowered also through a run (--runs,
 * 0: none). --table: every op of every registry, whose graph is made of its schema. Each op is taken
 * in a process of its own; what kills it prints the graph that did. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/forge.h"

static const char *const orders[] = {"tosa:*", "linalg:*", "composite:*", "vendor:tosa:*"};
static char current[FORGE_MAX];
static size_t n_current;
static size_t n_taken, n_graphs, every_run, n_orders = 4;

/* What a handler may call: write, and nothing that allocates. */
static void tell(int number) {
  static const char said[] = "\nforged_types: killed by this graph:\n";
  if (write(2, said, sizeof said - 1) < 0 || write(2, current, n_current) < 0) _exit(3);
  signal(number, SIG_DFL);
  raise(number);
}

static void take(const char *text, size_t size) {
  if (size == 0) return;
  memmove(current, text, size);
  n_current = size;
  for (size_t i = 0; i < n_orders; ++i) {
    ++n_taken;
    forge_take(current, size, orders[i], every_run && n_taken % every_run == 0);
  }
}

static void take_all(const char *text, size_t size) {
  static char out[FORGE_MAX];
  const size_t n = forge_places(text, size);
  take(text, size);
  for (int way = 0; way < 2; ++way) take(out, forge_all(text, size, way, out));
  for (size_t i = 0; i < n; ++i) {
    for (int way = 0; way < FORGE_WAYS; ++way) take(out, forge(text, size, i, way, out));
  }
}

static void take_op(const char *op, size_t unused) {
  static char out[FORGE_MAX], changed[FORGE_MAX];
  (void)unused;
  for (int way = 0; way < FORGE_OP_WAYS; ++way) {
    const size_t size = forge_op(op, way, out);
    const size_t n = size ? forge_places(out, size) : 0;
    take(out, size);
    /* The types of the results, one by one. */
    for (size_t i = 1; i < n; ++i) {
      for (int k = 0; k < FORGE_WAYS; k += 2) take(changed, forge(out, size, i, k, changed));
    }
  }
}

/* True if its process died. */
static int take_apart(void (*taken)(const char *, size_t), const char *text, size_t size) {
  int status = 1;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    alarm(300); /* what hangs has died, too */
    taken(text, size);
    exit(0);
  }
  return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

/* ---- Graphs of a file ---- */

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char *text = malloc((size_t)size + 1);
  if (text) text[fread(text, 1, (size_t)size, file)] = 0;
  fclose(file);
  return text;
}

/* "aten.add.Tensor" of the graph's one node. */
static void op_of(const char *graph, const char *end, char *out, size_t size) {
  const char *at = strstr(graph, " = ");
  *out = 0;
  if (!at || at >= end) return;
  at += 3;
  snprintf(out, size, "%.*s", (int)strcspn(at, "("), at);
}

typedef struct selection {
  size_t each, part, n_parts;
} selection;

/* The number of graphs whose processes died. */
static size_t take_file(const char *text, const selection *s) {
  char last[160] = "", op[160];
  size_t n_of_op = 0, number = 0, n_died = 0;
  for (const char *at = strstr(text, "graph @"); at; at = strstr(at + 1, "\ngraph @")) {
    if (*at == '\n') ++at;
    const char *end = strstr(at, "\n}\n");
    if (!end) break;
    op_of(at, end, op, sizeof op);
    n_of_op = strcmp(op, last) ? 1 : n_of_op + 1;
    strcpy(last, op);
    if (n_of_op > s->each || number++ % s->n_parts != s->part) continue;
    ++n_graphs;
    n_died += (size_t)take_apart(take_all, at, (size_t)(end + 3 - at));
  }
  return n_died;
}

static size_t take_table(void) {
  size_t n_died = 0;
  for (const char *op; (op = forge_op_name(n_graphs)); ++n_graphs)
    n_died += (size_t)take_apart(take_op, op, 0);
  return n_died;
}

static size_t number_of(const char *word, const char *name) {
  const size_t n = strlen(name);
  return strncmp(word, name, n) ? 0 : strtoul(word + n, NULL, 10);
}

int main(int argc, char **argv) {
  selection s = {.each = 1, .n_parts = 1};
  const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM};
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; ++i) signal(fatal[i], tell);
  for (int i = 2; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--each")) s.each = number_of(argv[i + 1], "");
    if (!strcmp(argv[i], "--runs")) every_run = number_of(argv[i + 1], "");
    if (!strcmp(argv[i], "--orders")) n_orders = number_of(argv[i + 1], "");
    if (!strcmp(argv[i], "--part")) sscanf(argv[i + 1], "%zu/%zu", &s.part, &s.n_parts);
  }
  const int is_table = argc == 2 && !strcmp(argv[1], "--table");
  char *text = argc > 1 && !is_table ? read_file(argv[1]) : NULL;
  if ((!text && !is_table) || n_orders < 1 || n_orders > 4 || s.n_parts < 1) return 2;
  for (size_t i = 0; i < n_orders; ++i) forge_load(orders[i]);
  const size_t n_died = is_table ? take_table() : take_file(text, &s);
  free(text);
  printf("%zu graphs and what was forged of them, %zu died\n", n_graphs, n_died);
  return n_graphs == 0 || n_died > 0;
}
