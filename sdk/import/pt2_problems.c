// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_problems.c: what is beyond buddy in an archive, told as it is met; names for what
 * the importer adds, and nodes. */
#include <stdarg.h>

#include "core/base/text.h"
#include "sdk/import/pt2.h"

void bd_import_problem(bd_import *import, buddy_code code, const char *where, const char *todo,
                       const char *format, ...) {
  if (!import->problem) import->problem = code;
  if (import->n_problems++ >= BD_MAX_PROBLEMS) return;
  bd_text what, place;
  bd_text_init(&what);
  bd_text_init(&place);
  bd_text_string(&place, bd_archive_where(import->archive));
  if (where) bd_text_format(&place, ": %.200s", where);
  va_list args;
  va_start(args, format);
  bd_text_format_args(&what, format, args);
  va_end(args);
  if (what.code || place.code) {
    import->problem = BUDDY_OUT_OF_MEMORY;
  } else {
    buddy_diags_add(import->diags, BUDDY_ERROR, code, place.data, todo, "%s", what.data);
  }
  bd_text_deinit(&what);
  bd_text_deinit(&place);
}

const char *bd_import_made_name(bd_import *import, const char *base) {
  return bd_arena_format(&import->arena, "%s.made%zu", base, ++import->n_made);
}

buddy_code bd_nodes_add(bd_import *import, const bd_frame *frame, const char *op, const char *name,
                        const buddy_named_arg *args, size_t n_args, const buddy_tensor_type *types,
                        size_t n_types, buddy_node **out_node) {
  const char *full =
      *frame->prefix ? bd_arena_format(&import->arena, "%s%s", frame->prefix, name) : name;
  if (!full) return BUDDY_OUT_OF_MEMORY;
  return buddy_graph_add_node(frame->target, NULL, op, full, args, n_args, types, n_types,
                              import->diags, out_node);
}
