// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/buffers.c: text about buffers. */
#include "sdk/compile/kernels/buffers.h"

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/structured.h"

void bd_head_add(bd_text *text, bd_head *head, const char *name, MlirType type) {
  bd_text_format(text, "%s%%%s: %s", head->is_open ? ", " : "(", name, bd_phrase_type(type).data);
  head->is_open = true;
  head->has_descriptors |= !bd_type_is_bare(type);
}

void bd_head_end(bd_text *text, const bd_head *head) {
  bd_ir_write(text,
              ")%s {\n"
              "c0 = 0; c1 = 1;",
              head->has_descriptors ? "" : " attributes {llvm.bareptr}");
}

bd_phrase bd_type_vector(int64_t lanes, const char *element) {
  return bd_phrase_of("vector<%lldx%s>", (long long)lanes, element);
}

bd_phrase bd_type_base(const char *element) { return bd_phrase_of("memref<%s>", element); }

bd_phrase bd_type_whole(const char *element) { return bd_phrase_of("memref<?x%s>", element); }

bd_phrase bd_type_row(const char *element) {
  return bd_phrase_of("memref<?x%s, strided<[1], offset: ?>>", element);
}

void bd_buffer_write_base(bd_text *text, const char *name, const char *value, const char *type,
                          const char *element) {
  bd_text_format(
      text,
      "  %%%s = memref.reinterpret_cast %%%s to offset: [0], sizes: [], strides: [] : %s "
      "to memref<%s>\n",
      name, value, type, element);
}

void bd_buffer_write_base_of(bd_text *text, const char *name, const char *value, MlirType type) {
  bd_buffer_write_base(text, name, value, bd_phrase_type(type).data,
                       bd_phrase_type(mlirShapedTypeGetElementType(type)).data);
}

void bd_buffer_write_point(bd_text *text, const char *name, const char *pointer,
                           const char *element) {
  static const char type[] = "!llvm.struct<(ptr, ptr, i64)>";
  bd_text_format(text,
                 "  %%%s_offset = arith.constant 0 : i64\n"
                 "  %%%s_none = llvm.mlir.undef : %s\n"
                 "  %%%s_with_base = llvm.insertvalue %%%s, %%%s_none[0] : %s\n"
                 "  %%%s_with_data = llvm.insertvalue %%%s, %%%s_with_base[1] : %s\n"
                 "  %%%s_whole = llvm.insertvalue %%%s_offset, %%%s_with_data[2] : %s\n"
                 "  %%%s = builtin.unrealized_conversion_cast %%%s_whole : %s to memref<%s>\n",
                 name, name, type, name, pointer, name, type, name, pointer, name, type, name, name,
                 name, type, name, name, type, element);
}

void bd_buffer_write_whole(bd_text *text, const char *name, const char *base, const char *element) {
  bd_text_format(
      text,
      "  %%%s = memref.reinterpret_cast %%%s to offset: [0], sizes: [%%c1], strides: [1] "
      ": memref<%s> to memref<?x%s>\n",
      name, base, element, element);
}

bd_phrase bd_type_rows(const char *element) {
  return bd_phrase_of("memref<?x?x%s, strided<[?, 1], offset: ?>>", element);
}

bd_phrase bd_type_matrix(const char *element) {
  return bd_phrase_of("memref<?x?x%s, strided<[?, ?], offset: ?>>", element);
}

void bd_buffer_write_rows(bd_text *text, const char *name, const char *base, const char *at,
                          const char *sizes, const char *apart, const char *element) {
  bd_text_format(text,
                 "  %%%s = memref.reinterpret_cast %%%s to offset: [%%%s], sizes: [%s], strides: "
                 "[%%%s, 1] : memref<%s> to %s\n",
                 name, base, at, sizes, apart, element, bd_type_rows(element).data);
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

void bd_buffer_write_metadata_of(bd_text *text, const char *name, const char *value,
                                 MlirType type) {
  bd_buffer_write_metadata(text, name, value, bd_phrase_type(type).data,
                           bd_phrase_type(mlirShapedTypeGetElementType(type)).data,
                           mlirShapedTypeGetRank(type));
}

void bd_buffer_write_alloc(bd_text *text, const char *name, const char *sizes, const char *type) {
  bd_text_format(text, "  %%%s = memref.alloc(%s) {alignment = 64 : i64} : %s\n", name, sizes,
                 type);
}

void bd_buffer_write_free(bd_text *text, const char *name, const char *type) {
  bd_text_format(text, "  memref.dealloc %%%s : %s\n", name, type);
}
