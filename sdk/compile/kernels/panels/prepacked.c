// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels/prepacked.c: the text by which a kernel finds the panels that it keeps from
 * run to run; see panels.h. */

#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/panels/panels.h"
#include "sdk/runtime/prepacked.h"

/* %NAME, memref<element>: so many bytes behind %kept. */
static void write_point(bd_text *text, const bd_panels *p, const char *name, int64_t at) {
  bd_text_format(text,
                 "  %%%s_data = llvm.getelementptr %%kept[%lld] : (!llvm.ptr) -> !llvm.ptr, i8\n",
                 name, (long long)at);
  bd_buffer_write_point(text, name, bd_phrase_of("%s_data", name).data, p->element->name);
}

void bd_panels_write_prepacked(bd_text *text, const bd_panels *p) {
  const int64_t depth = bd_panels_depth_of_panel(p), columns = bd_panels_columns(p);
  const int width = bd_panels_width(p), element = p->element->bytes;
  bd_text_format(text,
                 "n_bytes = %lld : i64; zero_offset = 0 : i64;"
                 "kept = call(\"" BD_RUNTIME_PACK "\", slot, n_bytes) : !llvm.ptr;",
                 (long long)(columns * (depth + p->prepacked_rows) * element));
  write_point(text, p, "panels_point", BD_PREPACKED_HEAD);
  for (int i = 0; i < p->prepacked_rows; ++i)
    write_point(text, p, bd_phrase_of("kept_row_%d_point", i).data,
                BD_PREPACKED_HEAD + columns * (depth + i) * element);
  bd_text_format(text,
                 "panels = view(panels_point, 0, [%lld, %lld, %d], [%lld, %d, 1]) : %s;"
                 "  %%is_filled = llvm.load %%kept : !llvm.ptr -> i64\n"
                 "if is_filled == zero_offset {",
                 (long long)bd_panels_count(p), (long long)depth, width, (long long)depth * width,
                 width, bd_panels_type_b(p).data);
}

void bd_panels_write_prepacked_end(bd_text *text) {
  bd_text_format(text, "call(\"" BD_RUNTIME_PACKED "\", slot); }");
}
