// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/graphs.c: graphs of one op each, from share/buddy/check/aten.graphs: a file of
 * graphs in their text form, one after the other; lines that start with // are comments. */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/infile.h"
#include "sdk/cli/check/check.h"

/* <folder of the program>/../share/buddy/check/aten.graphs */
static int installed(char *path, size_t size) {
  char own[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
  if (n <= 0) return 0;
  own[n] = 0;
  char *slash = strrchr(own, '/');
  if (!slash) return 0;
  *slash = 0;
  const int m = snprintf(path, size, "%s/" BUDDY_DATA_FROM_BIN "/check/aten.graphs", own);
  return m > 0 && (size_t)m < size;
}

/* "  %r:2 = aten.topk.default(…": is it this op? */
static bool is_node_of(const char *line, const char *op) {
  const char *at = strncmp(line, "  %", 3) == 0 ? strstr(line, " = ") : NULL;
  const size_t n = strlen(op);
  return at && !strncmp(at + 3, op, n) && at[3 + n] == '(';
}

json_t *bd_graphs_of(const bd_check *check, const buddy_opset *opset, const char *op) {
  char path[PATH_MAX];
  json_t *graphs = json_array();
  const buddy_opdef *def = buddy_opset_find(opset, op);
  const char *name = def ? buddy_opdef_name(def) : op; /* aliases are asked by what they mean */
  if (!check->graphs && !installed(path, sizeof path)) return graphs;
  bd_infile file;
  if (bd_infile_open(check->graphs ? check->graphs : path, NULL, NULL, &file) != BUDDY_OK)
    return graphs;
  FILE *in = bd_infile_stream(&file);
  char *line = NULL, *graph = NULL;
  size_t capacity = 0, size = 0;
  FILE *text = NULL;
  bool is_wanted = false;
  while (in && getline(&line, &capacity, in) > 0) {
    if (!strncmp(line, "//", 2)) continue;
    if (!text) text = open_memstream(&graph, &size);
    if (!text) break;
    fputs(line, text);
    is_wanted |= is_node_of(line, name);
    if (line[0] != '}') continue;
    fclose(text);
    text = NULL;
    if (is_wanted) json_array_append_new(graphs, json_string(graph));
    is_wanted = false;
    free(graph);
    graph = NULL;
  }
  if (text) fclose(text);
  free(graph);
  free(line);
  if (in) fclose(in);
  return graphs;
}
