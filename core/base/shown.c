// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/shown.c: UTF-8 is decoded by the ranges of RFC 3629. */
#include "core/base/shown.h"

/* Bytes of the UTF-8 sequence at `data`, 0 if it is malformed. */
static size_t utf8_length(const unsigned char *data, size_t size) {
  static const struct {
    unsigned char first, last, low, high; /* of the first byte; of the second byte */
    size_t length;
  } forms[] = {{0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
               {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3},
               {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
               {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
  if (data[0] < 0x80) return 1;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
    if (data[0] < forms[i].first || data[0] > forms[i].last) continue;
    if (size < forms[i].length || data[1] < forms[i].low || data[1] > forms[i].high) return 0;
    for (size_t k = 2; k < forms[i].length; ++k) {
      if ((data[k] & 0xC0) != 0x80) return 0;
    }
    return forms[i].length;
  }
  return 0;
}

static uint32_t code_point(const unsigned char *data, size_t length) {
  uint32_t point = length == 1 ? data[0] : data[0] & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) point = point << 6 | (data[i] & 0x3Fu);
  return point;
}

static bool is_hidden(uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) ||      /* controls */
         point == 0x61C || point == 0x200E || point == 0x200F || /* directions */
         (point >= 0x2028 && point <= 0x202E) ||                 /* separators, directions */
         (point >= 0x2066 && point <= 0x2069) || point == 0xFEFF;
}

size_t bd_shown_size(const char *data, size_t size) {
  size_t n = 0;
  for (size_t length; n < size; n += length) {
    const unsigned char *at = (const unsigned char *)data + n;
    length = *at >= ' ' && *at <= '~' ? 1 : utf8_length(at, size - n); /* nearly always the first */
    if (length == 0 || is_hidden(code_point(at, length))) break;
  }
  return n;
}

bool bd_is_shown(const char *data, size_t size) { return bd_shown_size(data, size) == size; }

/* The first character, which is not shown. Returns its size. */
static size_t spell(bd_text *text, const char *data, size_t size) {
  const unsigned char *at = (const unsigned char *)data;
  const size_t length = utf8_length(at, size);
  if (length > 1) {
    bd_text_format(text, "\\u%04X", code_point(at, length));
    return length;
  }
  bd_text_format(text, "\\x%02X", *at);
  return 1;
}

void bd_text_shown(bd_text *text, const char *data, size_t size, size_t limit) {
  size_t i = 0;
  while (i < size && i < limit) {
    size_t n = bd_shown_size(data + i, size - i);
    if (n > limit - i) {
      n = limit - i;
      while (i + n < size && ((unsigned char)data[i + n] & 0xC0) == 0x80) ++n; /* to its end */
    }
    bd_text_append(text, data + i, n);
    i += n;
    if (i < size && i < limit) i += spell(text, data + i, size - i);
  }
  if (i < size) bd_text_string(text, "…");
}

static void escape(bd_text *text, char c) {
  static const char hex[] = "0123456789abcdef";
  static const char letters[] = "n\nt\tr\r\"\"\\\\";
  for (const char *pair = letters; *pair; pair += 2) {
    if (pair[1] == c) {
      bd_text_append(text, (const char[]){'\\', pair[0]}, 2);
      return;
    }
  }
  const unsigned char byte = (unsigned char)c;
  bd_text_append(text, (const char[]){'\\', 'x', hex[byte >> 4], hex[byte & 15]}, 4);
}

void bd_text_quoted(bd_text *text, const char *data, size_t size) {
  bd_text_char(text, '"');
  for (size_t i = 0; i < size;) {
    const size_t shown = i + bd_shown_size(data + i, size - i);
    for (size_t start = i; i < shown; start = i) {
      while (i < shown && data[i] != '"' && data[i] != '\\') ++i;
      bd_text_append(text, data + start, i - start);
      if (i < shown) escape(text, data[i++]);
    }
    /* What is not shown, byte by byte, until a character that may be. */
    if (i < size) escape(text, data[i++]);
    while (i < size && ((unsigned char)data[i] & 0xC0) == 0x80) escape(text, data[i++]);
  }
  bd_text_char(text, '"');
}
