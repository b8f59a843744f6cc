// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/location.c: where an operation comes from: the node, the module of the model, the
 * user's Python line. */
#include "sdk/lower/lowering.h"

#include <stdbool.h>

static bool is_text(const char *text) { return text && text[0] != '\0'; }

MlirLocation bd_node_location(MlirContext context, const buddy_node *node) {
  const buddy_location *from = buddy_node_location(node);
  MlirLocation location =
      is_text(from->file) ? mlirLocationFileLineColGet(context, bd_ref(from->file), from->line, 0)
                          : mlirLocationUnknownGet(context);
  if (is_text(from->module_path))
    location = mlirLocationNameGet(context, bd_ref(from->module_path), location);
  const char *name = buddy_node_name(node);
  return is_text(name) ? mlirLocationNameGet(context, bd_ref(name), location) : location;
}
