// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels_prepacked.c: the text by which a kernel finds the panels that it keeps from
 * run to run; see panels.h. */

#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/panels.h"
#include "sdk/runtime/prepacked.h"

/* %NAME, memref<element>: so many bytes behind %kept. */
static void write_point(bd_text *text, const bd_panels *p, bd_phrase name, int64_t at) {
  const bd_phrase data = bd_phrase_of("%s_data", name.data);
  bd_text_format(text, "  %%%s = llvm.getelementptr %%kept[%lld] : (!llvm.ptr) -> !llvm.ptr, i8\n",
                 data.data, (long long)at);
  bd_buffer_write_point(text, name.data, data.data, p->element->name);
}

void bd_panels_write_prepacked(bd_text *text, const bd_panels *p) {
  const int64_t depth = bd_panels_depth_of_panel(p), columns = bd_panels_columns(p);
  const int width = bd_panels_width(p), element = p->element->bytes;
  bd_text_format(text,
                 "  %%n_bytes = arith.constant %lld : i64\n"
                 "  %%zero_offset = arith.constant 0 : i64\n"
                 "  %%kept = func.call @" BD_RUNTIME_PACK
                 "(%%slot, %%n_bytes) : (i64, i64) -> !llvm.ptr\n",
                 (long long)(columns * (depth + p->prepacked_rows) * element));
  write_point(text, p, bd_phrase_of("panels_point"), BD_PREPACKED_HEAD);
  for (int i = 0; i < p->prepacked_rows; ++i)
    write_point(text, p, bd_phrase_of("kept_row_%d_point", i),
                BD_PREPACKED_HEAD + columns * (depth + i) * element);
  bd_text_format(
      text,
      "  %%panels = memref.reinterpret_cast %%panels_point to offset: [0], sizes: [%lld, "
      "%lld, %d], strides: [%lld, %d, 1] : memref<%s> to %s\n  %%is_filled = llvm.load %%kept : "
      "!llvm.ptr -> i64\n"
      "  %%is_new = arith.cmpi eq, %%is_filled, %%zero_offset : i64\n"
      "  scf.if %%is_new {\n",
      (long long)bd_panels_count(p), (long long)depth, width, (long long)depth * width, width,
      p->element->name, bd_panels_type_b(p).data);
}

void bd_panels_write_prepacked_end(bd_text *text) {
  bd_text_format(text, "  func.call @" BD_RUNTIME_PACKED "(%%slot) : (i64) -> ()\n  }\n");
}
