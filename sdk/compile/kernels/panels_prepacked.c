// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels_prepacked.c: the text by which a kernel finds the panels that it keeps from
 * run to run; see panels.h. */
#include <stdio.h>

#include "sdk/compile/kernels/panels.h"
#include "sdk/runtime/prepacked.h"

static const char descriptor[] = "!llvm.struct<(ptr, ptr, i64)>";

/* %NAME_point, memref<element>: so many bytes behind %kept. */
static void write_prepacked_point(bd_text *text, const bd_panels *p, const char *name, int64_t at) {
  bd_text_format(
      text,
      "  %%%s_data = llvm.getelementptr %%kept[%lld] : (!llvm.ptr) -> !llvm.ptr, i8\n"
      "  %%%s_none = llvm.mlir.undef : %s\n"
      "  %%%s_with_base = llvm.insertvalue %%%s_data, %%%s_none[0] : %s\n"
      "  %%%s_with_data = llvm.insertvalue %%%s_data, %%%s_with_base[1] : %s\n"
      "  %%%s_words = llvm.insertvalue %%zero_offset, %%%s_with_data[2] : %s\n"
      "  %%%s_point = builtin.unrealized_conversion_cast %%%s_words : %s to memref<%s>\n",
      name, (long long)at, name, descriptor, name, name, name, descriptor, name, name, name,
      descriptor, name, name, descriptor, name, name, descriptor, p->element->name);
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
  write_prepacked_point(text, p, "panels", BD_PREPACKED_HEAD);
  for (int i = 0; i < p->prepacked_rows; ++i) {
    char name[24];
    snprintf(name, sizeof(name), "kept_row_%d", i);
    write_prepacked_point(text, p, name, BD_PREPACKED_HEAD + columns * (depth + i) * element);
  }
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
