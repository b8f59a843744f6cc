// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/value.c: values, their uses and their types; and where nodes come from. */
#include <string.h>

#include "core/graph/arguments.h"
#include "core/base/assert.h"
#include "core/base/try.h"
#include "core/graph/names.h"
#include "core/graph/types.h"

/* ---- Values ---- */

const char *buddy_value_name(const buddy_value *value) { return value->name; }
const buddy_tensor_type *buddy_value_type(const buddy_value *value) { return &value->type; }
buddy_node *buddy_value_node(const buddy_value *value) { return value->node; }
size_t buddy_value_index(const buddy_value *value) { return value->index; }
buddy_graph *buddy_value_graph(const buddy_value *value) { return value->graph; }
size_t buddy_value_n_uses(const buddy_value *value) { return value->n_uses; }

/* The nodes that use it are held against their contracts anew. */
static void uncheck_uses(const buddy_value *value) {
  for (const buddy_use *use = value->first_use; use; use = use->next) {
    if (use->node) use->node->is_checked = false;
  }
}

static bool same_dims(const buddy_tensor_type *a, const buddy_tensor_type *b) {
  return a->rank == b->rank && (!a->rank || !memcmp(a->dims, b->dims, a->rank * sizeof *a->dims));
}

buddy_code buddy_graph_set_value_type(buddy_graph *graph, const buddy_value *value,
                                      const buddy_tensor_type *type) {
  buddy_value *edited = bd_value_edit(value);
  if (value->graph != graph || bd_type_problem(graph, type)) return BUDDY_INVALID_ARGUMENT;
  if (type->rank != value->type.rank && value->n_uses) return BUDDY_INVALID_ARGUMENT;
  if (type->rank != 0 && value->n_symbols) return BUDDY_INVALID_ARGUMENT;
  buddy_tensor_type copy;
  BD_TRY(bd_type_copy(graph, type, &copy));
  bd_type_free(graph, &edited->type);
  edited->type = copy;
  if (value->node) value->node->is_checked = false;
  uncheck_uses(value);
  return BUDDY_OK;
}

buddy_code buddy_value_set_type(const buddy_value *value, const buddy_tensor_type *type) {
  return buddy_graph_set_value_type(value->graph, value, type);
}

/* ---- Uses ---- */

const buddy_use *buddy_value_first_use(const buddy_value *value) { return value->first_use; }
const buddy_use *buddy_use_next(const buddy_use *use) { return use->next; }
buddy_node *buddy_use_node(const buddy_use *use) { return use->node; }
size_t buddy_use_arg(const buddy_use *use) { return use->arg; }
size_t buddy_use_element(const buddy_use *use) { return use->element; }

static const buddy_arg *arg_of_use(const buddy_graph *graph, const buddy_use *use) {
  return use->node ? use->node->args[use->arg] : graph->outputs[use->arg]->arg;
}

/* Symbols that are read from `value` are read from `with` afterwards: they have the same number. */
static void rebind_symbols(const buddy_value *value, const buddy_value *with) {
  bd_dims *dims = &value->graph->world->dims;
  for (size_t i = 0; value->n_symbols && i < dims->n_symbols; ++i) {
    if (dims->symbols[i]->symbol.bound_to != value) continue;
    buddy_graph_bind_symbol(value->graph, i, with);
  }
}

buddy_code buddy_graph_replace_value(buddy_graph *graph, const buddy_value *value,
                                     const buddy_value *with) {
  if (value->graph != graph || with->graph != graph) return BUDDY_INVALID_ARGUMENT;
  if (value == with) return BUDDY_OK;
  if (value->type.rank != with->type.rank || value->type.dtype != with->type.dtype)
    return BUDDY_INVALID_ARGUMENT;
  buddy_value *from = bd_value_edit(value), *to = bd_value_edit(with);
  if (!same_dims(&value->type, &with->type)) uncheck_uses(value);
  for (buddy_use *use = from->first_use; use; use = use->next) {
    bd_arg_set_used(arg_of_use(graph, use), use->element, with);
  }
  BD_ASSERT(!to->first_use == !to->last_use && !from->first_use == !from->last_use);
  if (from->first_use) { /* the whole list goes after the other */
    from->first_use->prev = to->last_use;
    *(to->last_use ? &to->last_use->next : &to->first_use) = from->first_use;
    to->last_use = from->last_use;
  }
  to->n_uses += from->n_uses;
  from->n_uses = 0;
  from->first_use = from->last_use = NULL;
  rebind_symbols(value, with);
  BD_ASSERT(!value->n_symbols);
  return BUDDY_OK;
}

buddy_code buddy_value_replace(const buddy_value *value, const buddy_value *with) {
  return buddy_graph_replace_value(value->graph, value, with);
}

/* ---- Locations ---- */

static const buddy_location nowhere;

/* The one copy of a location whose strings are interned. */
static const buddy_location *keep_location(bd_world *world, const buddy_location *location) {
  bd_location *found;
  HASH_FIND(hh, world->locations, location, sizeof *location, found);
  if (found) return &found->location;
  found = bd_arena_calloc(&world->pool.arena, 1, sizeof *found);
  if (!found) return NULL;
  memcpy(&found->location, location, sizeof *location); /* the bytes, padding too, are the key */
  bool hash_is_full = false;
  HASH_ADD(hh, world->locations, location, sizeof *location, found);
  return hash_is_full ? NULL : &found->location;
}

buddy_code buddy_node_set_location(buddy_node *node, const buddy_location *location) {
  buddy_code code = BUDDY_OK;
  buddy_location own;
  memset(&own, 0, sizeof own);
  own.line = location->line;
  own.file = bd_graph_intern(node->graph, location->file, &code);
  own.function = bd_graph_intern(node->graph, location->function, &code);
  own.code = bd_graph_intern(node->graph, location->code, &code);
  own.module_path = bd_graph_intern(node->graph, location->module_path, &code);
  if (code) return code;
  const buddy_location *kept = keep_location(node->graph->world, &own);
  if (!kept) return BUDDY_OUT_OF_MEMORY;
  node->location = kept;
  return BUDDY_OK;
}

const buddy_location *buddy_node_location(const buddy_node *node) {
  return node->location ? node->location : &nowhere;
}

void bd_graph_set_place(buddy_graph *graph, const buddy_location *place) {
  graph->world->place = place;
}

void bd_location_print(const buddy_location *location, bd_text *text) {
  const char *file = location->file ? location->file : "";
  const char *slash = strrchr(file, '/');
  const char *module_path = location->module_path ? location->module_path : "";
  if (!*file && !*module_path) return;
  bd_text_string(text, " (");
  if (*file) bd_text_format(text, "%s:%u", slash ? slash + 1 : file, location->line);
  if (*file && *module_path) bd_text_string(text, ", ");
  bd_text_format(text, "%s)", module_path);
}

void buddy_node_describe(const buddy_node *node, char *text, size_t size) {
  bd_text out;
  bd_text_init_fixed(&out, text, size);
  bd_text_string(&out, node->name.text);
  bd_location_print(buddy_node_location(node), &out);
}
