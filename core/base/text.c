// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/text.c: one growing buffer with a sticky failure. */
#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/assert.h"
#include "core/base/numbers.h"

static char no_text[1];

void bd_text_init(bd_text *text) { *text = (bd_text){.data = no_text}; }

void bd_text_init_fixed(bd_text *text, char *data, size_t size) {
  *text = (bd_text){.data = size ? data : no_text, .capacity = size, .is_fixed = true};
  if (size) data[0] = 0;
}

void bd_text_deinit(bd_text *text) {
  if (text->capacity && !text->is_fixed) bd_free(text->data);
  bd_text_init(text);
}

/* How many of `size` further bytes there is room for, growing if allowed; the NUL is not
 * counted. */
static size_t reserve(bd_text *text, size_t size) {
  if (text->code) return 0;
  if (text->is_fixed) {
    const size_t left = text->capacity ? text->capacity - 1 - text->size : 0;
    return size < left ? size : left;
  }
  size_t needed;
  if (!bd_size_add(text->size, size, &needed) || !bd_size_add(needed, 1, &needed)) {
    text->code = BUDDY_OUT_OF_MEMORY;
    return 0;
  }
  if (needed <= text->capacity) return size;
  void *grown = bd_array_grow(text->capacity ? text->data : NULL, &text->capacity, needed, 1);
  if (!grown) {
    text->code = BUDDY_OUT_OF_MEMORY;
    return 0;
  }
  text->data = grown;
  text->data[text->size] = 0; /* what is appended may be nothing */
  return size;
}

void bd_text_append(bd_text *text, const char *data, size_t size) {
  const size_t n = reserve(text, size);
  if (n == 0) return;
  memcpy(text->data + text->size, data, n);
  text->size += n;
  text->data[text->size] = 0;
}

void bd_text_string(bd_text *text, const char *string) {
  bd_text_append(text, string, strlen(string));
}

void bd_text_char(bd_text *text, char c) { bd_text_append(text, &c, 1); }

void bd_text_format_args(bd_text *text, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  /* Most pieces fit into the room that there is, and are written at once. */
  const size_t room = text->code ? 0 : text->capacity - (text->capacity ? text->size : 0);
  const int size = vsnprintf(room ? text->data + text->size : NULL, room, format, args);
  if (size < 0) {
    text->code = text->code ? text->code : BUDDY_INVALID_ARGUMENT;
  } else if ((size_t)size < room) {
    text->size += (size_t)size;
  } else if (size > 0) {
    if (room) text->data[text->size] = 0; /* whole, or not at all */
    const size_t n = reserve(text, (size_t)size);
    if (n) vsnprintf(text->data + text->size, n + 1, format, again);
    text->size += n;
    BD_ASSERT(text->size <= text->capacity);
  }
  va_end(again);
}

void bd_text_format(bd_text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  bd_text_format_args(text, format, args);
  va_end(args);
}

void bd_text_int(bd_text *text, int64_t number) {
  char digits[24];
  char *at = digits + sizeof digits;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do {
    *--at = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (number < 0) *--at = '-';
  bd_text_append(text, at, (size_t)(digits + sizeof digits - at));
}

void bd_text_double(bd_text *text, double number) {
  char digits[BD_DOUBLE_TEXT];
  bd_double_print(number, digits);
  bd_text_string(text, digits);
}

buddy_code bd_text_flush(bd_text *text, const buddy_writer *writer) {
  if (text->code || text->size == 0) return text->code;
  text->code = writer->write(writer->user, text->data, text->size);
  text->size = 0;
  if (text->capacity) text->data[0] = 0;
  return text->code;
}
