// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/buffers.c: text about buffers. */
#include "sdk/compile/kernels/buffers.h"

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/structured.h"

void bd_head_add(bd_text *text, bd_head *head, const char *name, MlirType type) {
  bd_text_format(text, "%s%%%s: %s", head->is_open ? ", " : "(", name, bd_phrase_type(type).data);
  head->is_open = true;
  head->has_descriptors |= !bd_type_is_bare(type);
}

void bd_head_end(bd_text *text, const bd_head *head) {
  bd_text_format(text,
                 ")%s {\n"
                 "c0 = 0; c1 = 1;",
                 head->has_descriptors ? "" : " attributes {llvm.bareptr}");
}

bd_phrase bd_type_vector(int64_t lanes, const char *element) {
  return bd_phrase_of("vector<%lldx%s>", (long long)lanes, element);
}

bd_phrase bd_type_base(const char *element) { return bd_phrase_of("memref<%s>", element); }

void bd_buffer_write_point(bd_text *text, const char *name, const char *pointer,
                           const char *element) {
  bd_text_format(
      text,
      "let x = %s, p = %s;"
      "  %%$x_offset = arith.constant 0 : i64\n"
      "  %%$x_none = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64)>\n"
      "  %%$x_with_base = llvm.insertvalue %%$p, %%$x_none[0] : !llvm.struct<(ptr, ptr, i64)>\n"
      "  %%$x_with_data = llvm.insertvalue %%$p, %%$x_with_base[1] : !llvm.struct<(ptr, ptr, "
      "i64)>\n"
      "  %%$x_whole = llvm.insertvalue %%$x_offset, %%$x_with_data[2] : !llvm.struct<(ptr, ptr, "
      "i64)>\n"
      "  %%$x = builtin.unrealized_conversion_cast %%$x_whole : !llvm.struct<(ptr, ptr, i64)> to "
      "memref<%s>\n",
      name, pointer, element);
}

bd_phrase bd_type_rows(const char *element) {
  return bd_phrase_of("memref<?x?x%s, strided<[?, 1], offset: ?>>", element);
}

bd_phrase bd_type_matrix(const char *element) {
  return bd_phrase_of("memref<?x?x%s, strided<[?, ?], offset: ?>>", element);
}
