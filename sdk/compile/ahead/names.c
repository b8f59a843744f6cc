// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/names.c: names that C, C++ and the system's headers leave free.
 * what glibc's headers of ISO C and POSIX declare, and the names of these headers. */
#include "sdk/compile/ahead/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

extern const char bd_words_keywords[], bd_words_library[];

/* Words end with a space or a line. */
static bool has_word(const char *words, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = words; *at != '\0'; at += strspn(at, " \n")) {
    const size_t length = strcspn(at, " \n");
    if (length == n && memcmp(at, name, n) == 0) return true;
    at += length;
  }
  return false;
}

int bd_is_keyword(const char *name) { return has_word(bd_words_keywords, name); }

int bd_is_of_c_library(const char *name) {
  static const char *const made[] = {"", "_load", "_run", "_destroy"};
  char one[BD_MAX_MODEL_NAME + sizeof("_destroy")];
  for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); ++i) {
    snprintf(one, sizeof(one), "%s%s", name, made[i]);
    if (has_word(bd_words_library, one)) return 1;
  }
  return 0;
}

int bd_is_identifier(const char *name) {
  if ((!isalpha((unsigned char)*name) && *name != '_') || bd_is_keyword(name)) return 0;
  for (; *name != '\0'; ++name) {
    if (!isalnum((unsigned char)*name) && *name != '_') return 0;
  }
  return 1;
}

void bd_model_name_of_file(const char *path, char out_name[BD_MAX_MODEL_NAME + 1]) {
  static const char lead[] = "model_";
  char own[BD_MAX_MODEL_NAME + 1 - (sizeof(lead) - 1)];
  const char *slash = strrchr(path, '/');
  const char *stem = slash ? slash + 1 : path;
  if (strncmp(stem, "lib", 3) == 0 && isalnum((unsigned char)stem[3])) stem += 3;
  size_t n = 0;
  for (; *stem != '.' && *stem != '\0' && n < sizeof(own) - 1; ++stem)
    own[n++] = isalnum((unsigned char)*stem) ? *stem : '_';
  own[n] = '\0';
  const bool is_free = bd_is_identifier(own) && !bd_is_of_c_library(own);
  snprintf(out_name, BD_MAX_MODEL_NAME + 1, "%s%s", is_free ? "" : n > 0 ? lead : "model", own);
}
