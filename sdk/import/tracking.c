// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/tracking.c: storages, aliases and handles of a program. */
#include "sdk/import/tracking.h"

#include <stdbool.h>
#include <stdio.h>

#include "core/graph/guards.h"
#include "sdk/import/build.h"
#include "sdk/import/sizes.h"

/* ---- Handles ---- */

buddy_code bd_tracking_refuse(bd_tracking *in, const buddy_node *node, const char *todo,
                              const char *what) {
  char where[512];
  buddy_node_describe(node, where, sizeof where);
  if (!in->problem) in->problem = BUDDY_UNSUPPORTED;
  buddy_diags_add(in->diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, where, todo, "%s: %s",
                  buddy_node_op(node), what);
  return BUDDY_OK;
}

bd_handle *bd_handle_find(const bd_tracking *in, const buddy_value *value) {
  const bd_tracked *found;
  HASH_FIND_PTR(in->by_value, &value, found);
  return found ? found->means : NULL;
}

buddy_code bd_handle_set(bd_tracking *in, const buddy_value *value, bd_handle *means) {
  bd_tracked *found;
  HASH_FIND_PTR(in->by_value, &value, found);
  if (found) {
    found->means = means;
    return BUDDY_OK;
  }
  found = bd_arena_calloc(&in->arena, 1, sizeof *found);
  if (!found) return BUDDY_OUT_OF_MEMORY;
  *found = (bd_tracked){.value = value, .means = means};
  bool hash_is_full = false;
  HASH_ADD_PTR(in->by_value, value, found);
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static uint64_t n_writes(const bd_storage *of) { return of->generation + of->n_unsure; }

bd_handle *bd_handle_new(bd_tracking *in, bd_alias *at) {
  bd_handle *made = bd_arena_alloc(&in->arena, sizeof *made);
  if (made) made->at = at;
  return made;
}

bd_alias *bd_alias_of_base(bd_tracking *in, const buddy_value *base) {
  bd_storage *of = bd_arena_calloc(&in->arena, 1, sizeof *of);
  bd_alias *at = bd_arena_calloc(&in->arena, 1, sizeof *at);
  if (!of || !at) return NULL;
  of->base = of->origin = base;
  *at = (bd_alias){.of = of, .value = base};
  return at;
}

bd_alias *bd_alias_of_maybe(bd_tracking *in, const buddy_value *value, const bd_view *decision,
                            bd_storage *may_be) {
  bd_alias *at = bd_alias_of_base(in, value);
  if (!at) return NULL;
  at->of->may_be = may_be;
  at->of->n_known = n_writes(may_be);
  at->of->decision = *decision;
  return at;
}

buddy_code bd_handle_of(bd_tracking *in, const buddy_value *value, bd_handle **out_handle) {
  *out_handle = bd_handle_find(in, value);
  if (*out_handle) return BUDDY_OK;
  bd_alias *at = bd_alias_of_base(in, value);
  *out_handle = at ? bd_handle_new(in, at) : NULL;
  return *out_handle ? bd_handle_set(in, value, *out_handle) : BUDDY_OUT_OF_MEMORY;
}

/* ---- Reading and writing ---- */

buddy_code bd_alias_refresh(bd_tracking *in, bd_alias *at, buddy_node *before) {
  bd_alias *chain[BD_MAX_CHAIN];
  size_t n = 0;
  const uint64_t generation = at->of->generation;
  for (; at->generation != generation && at->parent; at = at->parent) chain[n++] = at;
  if (!at->parent) {
    at->value = at->of->base;
    at->generation = generation;
  }
  while (n > 0) {
    bd_alias *next = chain[--n];
    BD_TRY(bd_view_derive(&next->view, before, in->graph, next->parent->value, in->diags,
                          &next->value));
    next->generation = generation;
  }
  return BUDDY_OK;
}

/* From here on it is a copy: other sizes are refused. */
static buddy_code separate(bd_tracking *in, bd_storage *of) {
  const bd_view *by = &of->decision;
  if (!of->may_be) return BUDDY_OK;
  of->may_be = NULL;
  const buddy_code code = bd_view_require_copy(in->graph, by);
  if (code != BUDDY_LIMIT) return code;
  return bd_tracking_refuse(in, by->node, "write to a clone() instead",
                            "whether it is a view or a copy depends on the sizes of the run");
}

buddy_code bd_storage_check(bd_tracking *in, bd_storage *of) {
  for (bd_storage *at = of->unsure; at; at = at->next_unsure) BD_TRY(separate(in, at));
  of->unsure = NULL;
  for (bd_storage *at = of; at->may_be; at = at->may_be) {
    if (at->n_known != n_writes(at->may_be)) return separate(in, at);
  }
  return BUDDY_OK;
}

buddy_code bd_value_current(bd_tracking *in, const buddy_value *value, buddy_node *before,
                            const buddy_value **out_value) {
  const bd_handle *means = bd_handle_find(in, value);
  *out_value = value;
  if (!means) return BUDDY_OK;
  BD_TRY(bd_storage_check(in, means->at->of));
  BD_TRY(bd_alias_refresh(in, means->at, before));
  *out_value = means->at->value;
  return BUDDY_OK;
}

/* What the storage may be has been written to with it, or has not. */
static void note_unsure(bd_storage *of) {
  for (; of->may_be; of = of->may_be) {
    bd_storage *may_be = of->may_be;
    if (!of->is_unsure) {
      of->next_unsure = may_be->unsure;
      may_be->unsure = of;
      of->is_unsure = true;
    }
    ++may_be->n_unsure;
    of->n_known = n_writes(may_be);
  }
}

/* Replaces what the alias looks at by `value`. */
static buddy_code write_alias(bd_tracking *in, bd_alias *at, buddy_node *node,
                              const buddy_value *value) {
  BD_TRY(bd_alias_refresh(in, at, node));
  bd_storage *of = at->of;
  const uint64_t generation = of->generation + 1;
  bd_alias *up = at;
  at->value = value;
  at->generation = generation;
  for (; up->parent; up = up->parent) {
    const buddy_code code = bd_view_may_overlap(&up->view)
                                ? BUDDY_UNSUPPORTED
                                : bd_view_write(&up->view, node, in->graph, up->parent->value,
                                                value, in->diags, &value);
    if (code == BUDDY_UNSUPPORTED) {
      return bd_tracking_refuse(
          in, node, "write to a clone() instead, or without the view",
          "it writes through a view whose elements overlap or are parts of numbers");
    }
    if (code) return code;
    up->parent->value = value;
    up->parent->generation = generation;
  }
  of->base = value;
  of->generation = generation;
  note_unsure(of);
  return BUDDY_OK;
}

static bool is_of_input(const bd_tracking *in, const bd_handle *means) {
  for (size_t i = 0; i < buddy_graph_n_inputs(in->graph); ++i) {
    if (bd_handle_find(in, buddy_graph_input(in->graph, i)) == means) return true;
  }
  return false;
}

/* An `out` tensor that has to grow, or one without elements that resize_ makes larger, takes a new
 * storage. Whoever gave an input, or looks at the memory that a view is or may be of, would have to
 * see that. */
static buddy_code write_resized(bd_tracking *in, bd_handle *means, const buddy_node *node,
                                const buddy_value *value) {
  if (means->at->parent || means->at->of->may_be || is_of_input(in, means)) {
    return bd_tracking_refuse(in, node, "write to a tensor of the size of the result",
                              "it gives another size to an input or a view");
  }
  means->at = bd_alias_of_base(in, value);
  return means->at ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

buddy_code bd_handle_write(bd_tracking *in, bd_handle *means, buddy_node *node,
                           const buddy_value *value, bool may_resize) {
  const bd_build at = {.graph = in->graph, .before = node, .diags = in->diags};
  BD_TRY(bd_alias_refresh(in, means->at, node));
  const buddy_tensor_type type = *buddy_value_type(means->at->value);
  BD_TRY(bd_build_cast(&at, value, type.dtype, &value));
  if (may_resize && !bd_same_dims(&type, buddy_value_type(value)))
    return write_resized(in, means, node, value);
  BD_TRY(bd_build_expand(&at, value, &type, &value));
  return write_alias(in, means->at, node, value);
}
