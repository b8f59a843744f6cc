// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/buffers.h: the head of a kernel, types as text, and a buffer of what lies at a pointer. Names are without
 * their %. */
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

/* %NAME, memref<element>: what lies at the pointer %POINTER. */
void bd_buffer_write_point(bd_text *text, const char *name, const char *pointer,
                           const char *element);
/* "memref<?x?xelement, strided<[?, 1], offset: ?>>": rows that are dense, however far apart. */
bd_phrase bd_type_rows(const char *element);
/* The same, with any strides. */
bd_phrase bd_type_matrix(const char *element);

#endif
