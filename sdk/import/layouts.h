// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/layouts.h: how values lie in memory in PyTorch, where that is not as usual. */
#ifndef BUDDY_SDK_IMPORT_LAYOUTS_H
#define BUDDY_SDK_IMPORT_LAYOUTS_H

#include <stdbool.h>

#include "buddy/graph.h"
#include "core/base/arena.h"
#include "core/base/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strides of the values that are not laid out contiguously from the beginning of their storage in
 * PyTorch, or have dims of one element that do not say so; whether an op returns a view, and which,
 * can depend on them. All zero: there are none. */
typedef struct bd_layout {
  const buddy_value *value;
  const int64_t *strides; /* as many as the value has dims, in elements */
  int64_t offset;         /* of its first element in the storage */
  bool is_contiguous;     /* but for dims of one element */
  UT_hash_handle hh;      /* by value */
} bd_layout;
typedef struct bd_layouts {
  bd_layout *by_value;
  bd_arena arena;
} bd_layouts;
/* Remembers a layout for the value, whose type tells the number of strides. */
buddy_code bd_layouts_add(bd_layouts *layouts, const buddy_value *value, const bd_layout *layout);
/* `to` stands for `from` wherever that is used from now on, and lies as it does. */
buddy_code bd_layouts_replace(bd_layouts *layouts, buddy_graph *graph, const buddy_value *from,
                              const buddy_value *to);
/* Null if each stride is that of a contiguous tensor. */
const bd_layout *bd_layouts_find_exact(const bd_layouts *layouts, const buddy_value *value);
/* Null if the value is contiguous, whatever the strides of dims of one element. */
const bd_layout *bd_layouts_find(const bd_layouts *layouts, const buddy_value *value);
void bd_layouts_deinit(bd_layouts *layouts);

#ifdef __cplusplus
}
#endif
#endif
