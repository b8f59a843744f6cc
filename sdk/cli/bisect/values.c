// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/values.c: the values of a graph: where they are made and used last, and the tensors
 * of those that are alive. */
#include <stdlib.h>
#include <string.h>

#include "core/base/assert.h"
#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/bisect/bisect.h"

typedef struct known {
  const void *key; /* a value or a node */
  bd_value_state state;
  UT_hash_handle hh;
} known;

struct bd_values {
  const buddy_graph *graph;
  known *table, *entries;
  size_t n_entries;
  int64_t *symbols;
  bool is_full; /* memory was out for the table */
};

static void add(bd_values *v, const void *key, size_t made) {
  bool hash_is_full = false;
  known *entry = &v->entries[v->n_entries++];
  *entry = (known){.key = key, .state = {.made = made}};
  HASH_ADD_PTR(v->table, key, entry);
  v->is_full |= hash_is_full;
}

static known *find(const bd_values *v, const void *key) {
  known *entry = NULL;
  HASH_FIND_PTR(v->table, &key, entry);
  return entry;
}

static size_t last_use(const bd_values *v, const buddy_value *value, size_t n_nodes) {
  size_t last = 0;
  const buddy_use *use = buddy_value_first_use(value);
  for (; use; use = buddy_use_next(use)) {
    const buddy_node *user = buddy_use_node(use);
    const size_t position = user ? bd_values_position(v, user) : n_nodes;
    if (position != SIZE_MAX && position > last) last = position;
  }
  return last;
}

static void fill(bd_values *v) {
  const buddy_graph *graph = v->graph;
  const size_t n_nodes = buddy_graph_n_nodes(graph);
  size_t position = 0;
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i)
    add(v, buddy_graph_input(graph, i), SIZE_MAX);
  const buddy_node *node = buddy_graph_first(graph);
  for (; node; node = buddy_node_next(node), ++position) {
    add(v, node, position);
    for (size_t i = 0; i < buddy_node_n_results(node); ++i)
      add(v, buddy_node_result(node, i), position);
  }
  for (node = buddy_graph_first(graph); node && !v->is_full; node = buddy_node_next(node)) {
    for (size_t i = 0; i < buddy_node_n_results(node); ++i) {
      const buddy_value *value = buddy_node_result(node, i);
      find(v, value)->state.last_use = last_use(v, value, n_nodes);
    }
  }
  for (size_t i = 0; i < buddy_graph_n_symbols(graph); ++i) v->symbols[i] = INT64_MIN;
}

buddy_code bd_values_create(const buddy_graph *graph, bd_values **out_values) {
  size_t n = buddy_graph_n_inputs(graph) + buddy_graph_n_nodes(graph);
  const buddy_node *node = buddy_graph_first(graph);
  for (; node; node = buddy_node_next(node)) n += buddy_node_n_results(node);
  bd_values *v = *out_values = bd_calloc(1, sizeof *v);
  if (!v) return BUDDY_OUT_OF_MEMORY;
  v->graph = graph;
  v->entries = bd_calloc(n + 1, sizeof *v->entries);
  v->symbols = bd_calloc(buddy_graph_n_symbols(graph) + 1, sizeof *v->symbols);
  if (!v->entries || !v->symbols) return BUDDY_OUT_OF_MEMORY;
  fill(v);
  return v->is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

void bd_values_destroy(bd_values *v) {
  if (!v) return;
  HASH_CLEAR(hh, v->table);
  for (size_t i = 0; i < v->n_entries; ++i) buddy_tensor_release(&v->entries[i].state.tensor);
  bd_free(v->entries);
  bd_free(v->symbols);
  bd_free(v);
}

bd_value_state *bd_values_get(const bd_values *values, const buddy_value *value) {
  known *entry = find(values, value);
  return entry ? &entry->state : NULL;
}

size_t bd_values_position(const bd_values *values, const buddy_node *node) {
  const known *entry = find(values, node);
  return entry ? entry->state.made : SIZE_MAX;
}

/* ---- Symbols --------------------------------------------------------------------------------- */
const int64_t *bd_values_symbols(const bd_values *values) {
  for (size_t i = 0; i < buddy_graph_n_symbols(values->graph); ++i) {
    if (values->symbols[i] == INT64_MIN) return NULL;
  }
  return values->symbols;
}

void bd_values_learn(bd_values *values, const buddy_value *value, const buddy_tensor *tensor) {
  const buddy_tensor_type *type = buddy_value_type(value);
  for (size_t i = 0; i < buddy_graph_n_symbols(values->graph); ++i) {
    const buddy_symbol *symbol = buddy_graph_symbol(values->graph, i);
    for (uint32_t d = 0; d < type->rank && d < tensor->rank; ++d) {
      if (type->dims[d] == symbol->dim) values->symbols[i] = tensor->sizes[d];
    }
    if (symbol->bound_to == value && buddy_tensor_n_elements(tensor) == 1)
      values->symbols[i] = (int64_t)bd_element(tensor, 0, false);
  }
}

buddy_code bd_values_keep(bd_bisect *b, bd_results *results) {
  for (size_t i = 0; i < results->n; ++i) {
    bd_value_state *state = bd_values_get(b->values, results->values[i]);
    BD_ASSERT(state);
    const buddy_dtype dtype = buddy_value_type(results->values[i])->dtype;
    bd_values_learn(b->values, results->values[i], &results->tensors[i]);
    if (results->tensors[i].dtype == dtype) {
      state->tensor = results->tensors[i];
      results->tensors[i] = (buddy_tensor){.dtype = BUDDY_DTYPE_NONE};
    } else {
      BD_TRY(bd_tensor_convert(&results->tensors[i], dtype, &state->tensor));
    }
  }
  return BUDDY_OK;
}

void bd_values_drop_dead(bd_bisect *b, size_t position) {
  for (size_t i = 0; i < position && i < b->n_nodes; ++i) {
    for (size_t k = 0; k < buddy_node_n_results(b->nodes[i]); ++k) {
      bd_value_state *state = bd_values_get(b->values, buddy_node_result(b->nodes[i], k));
      BD_ASSERT(state);
      if (state->last_use < position) buddy_tensor_release(&state->tensor);
    }
  }
}
