// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/text.h: text that grows: messages and printers. */
#ifndef BUDDY_CORE_BASE_TEXT_H
#define BUDDY_CORE_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Appending never fails by itself: the first failure is kept in `code`, later appends do nothing,
 * and whoever finishes the text looks once. The data is always NUL-terminated.
 * A zeroed text is empty, too; its data is null until something is appended. */
typedef struct bd_text {
  char *data; /* "" or the text */
  size_t size, capacity;
  buddy_code code;
  bool is_fixed; /* into the caller's array, cut at its end without a failure */
} bd_text;

BUDDY_EXPORT void bd_text_init(bd_text *text);
/* Writes into `data` of `size` bytes. */
BUDDY_EXPORT void bd_text_init_fixed(bd_text *text, char *data, size_t size);
BUDDY_EXPORT void bd_text_deinit(bd_text *text);
BUDDY_EXPORT void bd_text_append(bd_text *text, const char *data, size_t size);
BUDDY_EXPORT void bd_text_string(bd_text *text, const char *string);
BUDDY_EXPORT void bd_text_char(bd_text *text, char c);
BUDDY_EXPORT void bd_text_format(bd_text *text, const char *format, ...) BUDDY_PRINTF(2, 3);
BUDDY_EXPORT void bd_text_format_args(bd_text *text, const char *format, va_list args)
    BUDDY_PRINTF(2, 0);
BUDDY_EXPORT void bd_text_int(bd_text *text, int64_t number);
/* The shortest decimal that reads back to the same number; always with a point or an exponent, or
 * inf, -inf, nan. The locale does not matter. */
BUDDY_EXPORT void bd_text_double(bd_text *text, double number);
/* Hands the text to the writer and empties it. */
BUDDY_EXPORT buddy_code bd_text_flush(bd_text *text, const buddy_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
