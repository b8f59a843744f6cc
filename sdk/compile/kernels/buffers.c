// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/buffers.c: text about buffers. */
#include "sdk/compile/kernels/buffers.h"

void bd_buffer_write_base(bd_text *text, const char *name, const char *value, const char *type,
                          const char *element) {
  bd_text_format(
      text,
      "  %%%s = memref.reinterpret_cast %%%s to offset: [0], sizes: [], strides: [] : %s "
      "to memref<%s>\n",
      name, value, type, element);
}

void bd_buffer_write_whole(bd_text *text, const char *name, const char *base, const char *element) {
  bd_text_format(
      text,
      "  %%%s = memref.reinterpret_cast %%%s to offset: [0], sizes: [%%c1], strides: [1] "
      ": memref<%s> to memref<?x%s>\n",
      name, base, element, element);
}

void bd_buffer_write_metadata(bd_text *text, const char *name, const char *value, const char *type,
                              const char *element, int64_t rank) {
  bd_text_format(text, "  %%%s_base, %%%s_at", name, name);
  if (rank > 0)
    bd_text_format(text, ", %%%s_sizes:%lld, %%%s_strides:%lld", name, (long long)rank, name,
                   (long long)rank);
  bd_text_format(text, " = memref.extract_strided_metadata %%%s : %s -> memref<%s>, %s\n", value,
                 type, element, bd_phrase_list("index", 1 + 2 * rank).data);
}

void bd_buffer_write_alloc(bd_text *text, const char *name, const char *sizes, const char *type) {
  bd_text_format(text, "  %%%s = memref.alloc(%s) {alignment = 64 : i64} : %s\n", name, sizes,
                 type);
}

void bd_buffer_write_free(bd_text *text, const char *name, const char *type) {
  bd_text_format(text, "  memref.dealloc %%%s : %s\n", name, type);
}
