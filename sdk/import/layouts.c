// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/layouts.c: strides by value. */
#include "sdk/import/layouts.h"

#include <string.h>

#include "core/base/try.h"

buddy_code bd_layouts_add(bd_layouts *layouts, const buddy_value *value, const bd_layout *layout) {
  const uint32_t rank = buddy_value_type(value)->rank;
  bd_layout *added = bd_arena_alloc(&layouts->arena, sizeof *added);
  int64_t *copy = bd_arena_alloc(&layouts->arena, rank * sizeof *copy);
  if (!added || !copy) return BUDDY_OUT_OF_MEMORY;
  if (rank) memcpy(copy, layout->strides, rank * sizeof *copy);
  *added = *layout;
  added->value = value;
  added->strides = copy;
  bool hash_is_full = false;
  HASH_ADD_PTR(layouts->by_value, value, added);
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

buddy_code bd_layouts_replace(bd_layouts *layouts, buddy_graph *graph, const buddy_value *from,
                              const buddy_value *to) {
  const bd_layout *layout = bd_layouts_find_exact(layouts, from);
  if (layout) BD_TRY(bd_layouts_add(layouts, to, layout));
  return buddy_graph_replace_value(graph, from, to);
}

const bd_layout *bd_layouts_find_exact(const bd_layouts *layouts, const buddy_value *value) {
  const bd_layout *found = NULL;
  if (layouts) HASH_FIND_PTR(layouts->by_value, &value, found);
  return found;
}

const bd_layout *bd_layouts_find(const bd_layouts *layouts, const buddy_value *value) {
  const bd_layout *found = bd_layouts_find_exact(layouts, value);
  return found && !found->is_contiguous ? found : NULL;
}

void bd_layouts_deinit(bd_layouts *layouts) {
  HASH_CLEAR(hh, layouts->by_value);
  bd_arena_deinit(&layouts->arena);
}
