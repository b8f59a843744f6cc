// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/spelling.c: names are of sets of characters. */
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
