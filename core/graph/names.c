// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/names.c: one hash table per graph, with one entry per node and per input.
 *
 * Results have no entries. A node "x" with one result lends it its name; the results of a node with
 * several are x.0, x.1, …, found by cutting the number off. So that no name means two values, a new
 * name must not look like a result that exists, and the results of a new node must not look like
 * names that exist. */
#include "core/graph/names.h"

#include <stdio.h>
#include <string.h>

#include "core/base/numbers.h"

#define DIGITS 24 /* room for "." and a number */

static bd_graph_name *find(const buddy_graph *graph, const char *text, size_t size) {
  bd_graph_name *found;
  HASH_FIND(hh, graph->names, text, size, found);
  return found;
}

static buddy_node *node_of(bd_graph_name *name) {
  return (buddy_node *)(uintptr_t)((char *)name - offsetof(buddy_node, name));
}

static bd_graph_input *input_of(bd_graph_name *name) {
  return (bd_graph_input *)(uintptr_t)((char *)name - offsetof(bd_graph_input, name));
}

/* Splits "x.3" into the size of "x" and 3. */
static bool split(const char *text, size_t size, size_t *out_size, int64_t *out_number) {
  size_t dot = size;
  while (dot > 0 && text[dot - 1] != '.') --dot;
  if (dot < 2 || dot == size || text[dot] == '-') return false;
  if (text[dot] == '0' && size - dot > 1) return false; /* "x.03" is no result's name */
  *out_size = dot - 1;
  return bd_int_parse((buddy_sv){text + dot, size - dot}, out_number);
}

/* The result that "x.3" names, if x is a node with several. */
static const buddy_value *find_numbered(const buddy_graph *graph, const char *text, size_t size) {
  size_t base_size;
  int64_t number;
  if (!split(text, size, &base_size, &number)) return NULL;
  bd_graph_name *name = find(graph, text, base_size);
  if (!name || name->is_input) return NULL;
  const buddy_node *node = node_of(name);
  return node->n_results != 1 && number < (int64_t)node->n_results ? &node->results[number] : NULL;
}

const buddy_value *buddy_graph_find_value(const buddy_graph *graph, const char *text) {
  const size_t size = strlen(text);
  bd_graph_name *name = find(graph, text, size);
  if (name && name->is_input) return &input_of(name)->value;
  if (name && node_of(name)->n_results == 1) return &node_of(name)->results[0];
  return find_numbered(graph, text, size);
}

/* Whether results "text.0" … would meet an entry. */
static bool results_are_free(const buddy_graph *graph, const char *text, size_t size,
                             size_t n_results) {
  if (n_results == 1) return true;
  char few[128];
  char *name = size + DIGITS <= sizeof few ? few : bd_malloc(size + DIGITS);
  if (!name) return false;
  memcpy(name, text, size);
  bool are_free = true;
  for (size_t i = 0; are_free && i < n_results; ++i) {
    const int digits = snprintf(name + size, DIGITS, ".%zu", i);
    are_free = !find(graph, name, size + (size_t)digits);
  }
  if (name != few) bd_free(name);
  return are_free;
}

bool bd_name_is_free(const buddy_graph *graph, const char *text, size_t n_results) {
  const size_t size = strlen(text);
  return !find(graph, text, size) && !find_numbered(graph, text, size) &&
         results_are_free(graph, text, size, n_results);
}

/* "aten.add.Tensor" gives "add"; the counter of the graph makes it new. */
static int choose(buddy_graph *graph, const char *base, char *text, size_t size, size_t n_results) {
  const char *dot = strchr(base, '.');
  const char *start = dot && dot[1] ? dot + 1 : base;
  int length = (int)strcspn(start, ".");
  if (length > (int)size - DIGITS) length = (int)size - DIGITS;
  int written;
  do {
    written =
        snprintf(text, size, "%.*s_%llu", length, start, (unsigned long long)++graph->n_chosen);
  } while (!bd_name_is_free(graph, text, n_results));
  return written;
}

buddy_code bd_name_add(buddy_graph *graph, bd_graph_name *name, const char *text, const char *base,
                       size_t n_results) {
  char chosen[96];
  const size_t size =
      text ? strlen(text) : (size_t)choose(graph, base, chosen, sizeof chosen, n_results);
  if (size > UINT32_MAX / 2) return BUDDY_LIMIT;
  char *copy = bd_graph_alloc(graph, size + 1);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  memcpy(copy, text ? text : chosen, size + 1);
  bool hash_is_full = false;
  name->size = (uint32_t)size;
  HASH_ADD_KEYPTR(hh, graph->names, copy, size, name);
  if (!hash_is_full) {
    name->text = copy;
    return BUDDY_OK;
  }
  bd_graph_free(graph, copy, size + 1);
  return BUDDY_OUT_OF_MEMORY;
}

void bd_name_remove(buddy_graph *graph, bd_graph_name *name) {
  if (!name->text) return;
  HASH_DELETE(hh, graph->names, name);
  bd_graph_free(graph, name->text, (size_t)name->size + 1);
  name->text = NULL;
}

char *bd_name_of_result(buddy_graph *graph, const bd_graph_name *name, size_t i) {
  char number[DIGITS];
  const size_t digits = (size_t)snprintf(number, sizeof number, ".%zu", i);
  char *text = bd_graph_alloc(graph, name->size + digits + 1);
  if (!text) return NULL;
  memcpy(text, name->text, name->size);
  memcpy(text + name->size, number, digits + 1);
  return text;
}
