/* sdk/import/tracking.c: see tracking.h. */
#include "sdk/import/tracking.h"

#include <stdbool.h>

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

bd_handle *bd_handle_new(bd_tracking *in, bd_alias *at) {
  bd_handle *made = bd_arena_alloc(&in->arena, sizeof *made);
  if (made) made->at = at;
  return made;
}

bd_alias *bd_alias_of_base(bd_tracking *in, const buddy_value *base) {
  bd_storage *of = bd_arena_calloc(&in->arena, 1, sizeof *of);
  bd_alias *at = bd_arena_calloc(&in->arena, 1, sizeof *at);
  if (!of || !at) return NULL;
  of->base = base;
  *at = (bd_alias){.of = of, .value = base};
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

buddy_code bd_value_current(bd_tracking *in, const buddy_value *value, buddy_node *before,
                            const buddy_value **out_value) {
  const bd_handle *means = bd_handle_find(in, value);
  *out_value = value;
  if (!means) return BUDDY_OK;
  BD_TRY(bd_alias_refresh(in, means->at, before));
  *out_value = means->at->value;
  return BUDDY_OK;
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
  return BUDDY_OK;
}

buddy_code bd_handle_write(bd_tracking *in, bd_handle *means, buddy_node *node,
                           const buddy_value *value, bool may_resize) {
  const bd_build at = {.graph = in->graph, .before = node, .diags = in->diags};
  BD_TRY(bd_alias_refresh(in, means->at, node));
  const buddy_tensor_type type = *buddy_value_type(means->at->value);
  BD_TRY(bd_build_cast(&at, value, type.dtype, &value));
  if (may_resize && !bd_same_dims(&type, buddy_value_type(value))) {
    means->at =
        bd_alias_of_base(in, value); /* an `out` tensor takes a new storage when it has to grow */
    return means->at ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  }
  BD_TRY(bd_build_expand(&at, value, &type, &value));
  return write_alias(in, means->at, node, value);
}
