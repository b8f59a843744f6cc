// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/kit_text.h: what the files of the portable kit share. */
#ifndef BUDDY_SDK_AUTHOR_KIT_TEXT_H
#define BUDDY_SDK_AUTHOR_KIT_TEXT_H

#include <stdarg.h>

#include "buddy/kit.h"

/* Text that grows in the call's scratch. After a failure, which is recorded, it stays empty. */
typedef struct bk_writer {
  buddy_call *call;
  char *data; /* null after a failure */
  size_t size, capacity;
} bk_writer;
void bk_writer_init(bk_writer *writer, buddy_call *call);
void bk_write(bk_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

char *bk_vformat(buddy_call *call, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* A tensor of dynamic dims whose elements are one number, given as text. */
buddy_ir_value bk_fill(buddy_call *call, const buddy_tensor_type *type, const char *number);
/* Writes "4x?x" and so on. */
void bk_write_dims(bk_writer *writer, const buddy_tensor_type *type);

#endif
