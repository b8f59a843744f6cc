// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/config/toml.h: a C shim around toml++, as far as settings need it. */
#ifndef BUDDY_SDK_CONFIG_TOML_H
#define BUDDY_SDK_CONFIG_TOML_H

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bd_toml_kind {
  BD_TOML_STRING,  /* strings[0] */
  BD_TOML_STRINGS, /* an array of nothing but strings */
  BD_TOML_INTEGER,
  BD_TOML_OTHER /* everything else, strings with a NUL in them as well */
} bd_toml_kind;

/* Lent: gone when the callback returns. */
typedef struct bd_toml_value {
  bd_toml_kind kind;
  const char *const *strings;
  size_t n;
  int64_t integer;
  unsigned line;
} bd_toml_value;

/* table: "" at the top, "a.b" inside. A code other than BUDDY_OK ends the reading. */
typedef buddy_code (*bd_toml_each)(void *user, const char *table, const char *key,
                                   const bd_toml_value *value);
/* Calls `each` for the values, table by table. What is no TOML is BUDDY_CORRUPT, with file:line. */
buddy_code bd_toml_read(const char *text, size_t size, const char *path, buddy_diags *diags,
                        bd_toml_each each, void *user);

#ifdef __cplusplus
}
#endif
#endif
