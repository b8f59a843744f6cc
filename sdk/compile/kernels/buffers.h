// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/buffers.h: text about the buffers of a kernel: where they begin, and those that it has for itself.
 * Types are given as text, names without their %. */
#ifndef BUDDY_SDK_COMPILE_KERNELS_BUFFERS_H
#define BUDDY_SDK_COMPILE_KERNELS_BUFFERS_H

#include "sdk/compile/ir.h"

/* The head of a kernel: "(%NAME: TYPE, …", which further parameters may follow, and from the closing parenthesis to the
 * constants %c0 and %c1. Where all types say all, arguments are bare pointers. */
typedef struct bd_head {
  bool is_open, has_descriptors;
} bd_head;
void bd_head_add(bd_text *text, bd_head *head, const char *name, MlirType type);
void bd_head_end(bd_text *text, const bd_head *head);

/* "memref<ELEMENT>": what a buffer begins with. */
bd_phrase bd_type_base(const char *element);
/* "vector<LANESxELEMENT>" */
bd_phrase bd_type_vector(int64_t lanes, const char *element);

/* %NAME, memref<element>: what the buffer %VALUE of that type begins with. */
void bd_buffer_write_base(bd_text *text, const char *name, const char *value, const char *type,
                          const char *element);
void bd_buffer_write_base_of(bd_text *text, const char *name, const char *value, MlirType type);
/* %NAME, memref<element>: what lies at the pointer %POINTER. */
void bd_buffer_write_point(bd_text *text, const char *name, const char *pointer,
                           const char *element);
/* "memref<?xelement>": from a buffer's beginning; and from anywhere in it, dense. */
bd_phrase bd_type_whole(const char *element);
bd_phrase bd_type_row(const char *element);
/* %NAME, memref<?xelement>: what %BASE, memref<element>, is the beginning of; its size says nothing. */
void bd_buffer_write_whole(bd_text *text, const char *name, const char *base, const char *element);
/* "memref<?x?xelement, strided<[?, 1], offset: ?>>": rows that are dense, however far apart. */
bd_phrase bd_type_rows(const char *element);
/* The same, with any strides. */
bd_phrase bd_type_matrix(const char *element);
/* %NAME, of that type: what lies at %AT of what %BASE, memref<element>, is the beginning of; sizes: "%a, %b". */
void bd_buffer_write_rows(bd_text *text, const char *name, const char *base, const char *at,
                          const char *sizes, const char *apart, const char *element);
/* %NAME_base, %NAME_at, %NAME_sizes and %NAME_strides of the buffer %VALUE of that type, which has so many axes. */
void bd_buffer_write_metadata(bd_text *text, const char *name, const char *value, const char *type,
                              const char *element, int64_t rank);
void bd_buffer_write_metadata_of(bd_text *text, const char *name, const char *value, MlirType type);

/* %NAME, of that type; sizes: "%a, %b" of those that it does not say. And its end. */
void bd_buffer_write_alloc(bd_text *text, const char *name, const char *sizes, const char *type);
void bd_buffer_write_free(bd_text *text, const char *name, const char *type);

#endif
