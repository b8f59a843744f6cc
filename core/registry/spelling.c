/* core/registry/spelling.c: names are of sets of characters; UTF-8 is decoded by the ranges of
 * RFC 3629. */
#include "core/registry/spelling.h"

#include <string.h>

/* Sets of characters; loading a registry asks for every letter of its table. */
enum { LOWER = 1, UPPER = 2, DIGIT = 4, UNDERSCORE = 8, DOT = 16, COLON = 32, DOLLAR = 64 };

static int set_of(char c) {
  if (c >= 'a' && c <= 'z') return LOWER;
  if (c >= 'A' && c <= 'Z') return UPPER;
  if (c >= '0' && c <= '9') return DIGIT;
  return c == '_' ? UNDERSCORE : c == '.' ? DOT : c == ':' ? COLON : c == '$' ? DOLLAR : 0;
}

static bool is_of(const char *data, size_t size, int sets) {
  for (size_t i = 0; i < size; ++i) {
    if (!(set_of(data[i]) & sets)) return false;
  }
  return size > 0;
}

bool bd_is_registry_name(const char *data, size_t size) {
  return size < BD_MAX_REGISTRY_NAME && is_of(data, size, LOWER | DIGIT | UNDERSCORE) &&
         data[0] >= 'a' && data[0] <= 'z';
}

bool bd_is_op_name(const char *data, size_t size) {
  return is_of(data, size, LOWER | UPPER | DIGIT | UNDERSCORE | DOT | COLON);
}

bool bd_is_symbol_name(const char *data, size_t size) {
  return is_of(data, size, LOWER | UPPER | DIGIT | UNDERSCORE | DOT | DOLLAR) &&
         !(data[0] >= '0' && data[0] <= '9');
}

const char *bd_bare_symbol(const char *name) {
  static const char lead[] = "_mlir_ciface_";
  return strncmp(name, lead, sizeof lead - 1) == 0 ? name + sizeof lead - 1 : name;
}

bool bd_is_library_name(const char *name) {
  static const char *const endings[] = {".so", ".a"};
  const size_t size = strlen(name);
  bool is_library = false;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
    const size_t tail = strlen(endings[i]);
    is_library |= size > 3 + tail && strcmp(name + size - tail, endings[i]) == 0;
  }
  return is_library && strncmp(name, "lib", 3) == 0 &&
         is_of(name, size, LOWER | UPPER | DIGIT | UNDERSCORE | DOT);
}

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

static bool is_control(unsigned char c) { return c < 0x20 || c == 0x7F; }

bool bd_is_plain_text(const char *data, size_t size) {
  for (size_t i = 0; i < size;) {
    const unsigned char *at = (const unsigned char *)data + i;
    if (*at >= ' ' && *at <= '~') { /* nearly always */
      ++i;
      continue;
    }
    const size_t length = utf8_length(at, size - i);
    if (!length || is_control(*at)) return false;
    i += length;
  }
  return true;
}

void bd_text_shown(bd_text *text, const char *data, size_t size, size_t limit) {
  size_t i = 0;
  while (i < size && i < limit) {
    /* Nearly every text is printable ASCII from end to end: one piece. */
    size_t plain = i;
    while (plain < size && plain < limit && data[plain] >= ' ' && data[plain] <= '~') ++plain;
    if (plain > i) {
      bd_text_append(text, data + i, plain - i);
      i = plain;
      continue;
    }
    const unsigned char *at = (const unsigned char *)data + i;
    const size_t length = utf8_length(at, size - i);
    if (!length || is_control(*at)) {
      bd_text_format(text, "\\x%02X", *at);
      ++i;
    } else {
      bd_text_append(text, data + i, length);
      i += length;
    }
  }
  if (i < size) bd_text_string(text, "…");
}

bool bd_plugin_file_name(const char *file, char name[BD_MAX_REGISTRY_NAME]) {
  static const char prefix[] = "buddy_", suffix[] = ".so";
  const size_t size = strlen(file), around = sizeof prefix + sizeof suffix - 2;
  if (size <= around || strncmp(file, prefix, sizeof prefix - 1) != 0) return false;
  if (strcmp(file + size - (sizeof suffix - 1), suffix) != 0) return false;
  const char *start = file + sizeof prefix - 1;
  if (!bd_is_registry_name(start, size - around)) return false;
  memcpy(name, start, size - around);
  name[size - around] = 0;
  return true;
}
