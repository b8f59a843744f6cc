// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/config/settings.h: what a buddy.toml may say, and the variable of the environment that says
 * the same:
 *
 *   registries = ["vendor", "tosa", "*"]     BUDDY_REGISTRIES; also as one text, "vendor:tosa:*"
 *   plugin_path = ["plugins"]                BUDDY_PLUGIN_PATH; below the file's folder
 *   trusted = ["/home/me/project"]           none; in the user's own file alone
 *   [pins]
 *   aten.mm.default = "vendor"               BUDDY_PINS
 *   [cache]
 *   dir = "/var/tmp/me"                      BUDDY_CACHE_DIR; below the file's folder
 *   size = 2048                              BUDDY_CACHE_SIZE, in MiB
 *
 * plugin_path and cache.dir name code that will run. A file that came with a project may name them
 * if the user's own file trusts its folder. */
#ifndef BUDDY_SDK_CONFIG_SETTINGS_H
#define BUDDY_SDK_CONFIG_SETTINGS_H

#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_CONFIG_MODULE "buddy_config.so"
#define BD_CONFIG_SYMBOL "bd_settings_read"
#define BD_MAX_CONFIG_FILE 65536 /* bytes */

typedef struct bd_config_file {
  const char *path;   /* absolute */
  const char *folder; /* that relative paths start from */
  bool is_users;      /* the user's own: may trust others */
  bool is_trusted;    /* may name code */
} bd_config_file;

/* variable: null for `trusted`, which is told once for each folder. value: lent. */
typedef buddy_code (*bd_settings_each)(void *user, const char *variable, const char *value,
                                       unsigned line);
/* Judges the whole file: what is wrong with it is reported together, with file:line, and nothing is
 * told then. */
typedef buddy_code (*bd_settings_read_fn)(const bd_config_file *file, const char *text, size_t size,
                                          buddy_diags *diags, bd_settings_each each, void *user);
BUDDY_EXPORT buddy_code bd_settings_read(const bd_config_file *file, const char *text, size_t size,
                                         buddy_diags *diags, bd_settings_each each, void *user);

#ifdef __cplusplus
}
#endif
#endif
