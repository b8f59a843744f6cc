// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/settings_fuzz.c: buddy.toml, which may have come with somebody else's project. */
#include <stdlib.h>
#include <string.h>

#include "sdk/config/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct seen {
  int has_code, n;
} seen;

static buddy_code take(void *user, const char *variable, const char *value, unsigned line) {
  seen *told = user;
  if (line == 0 || (variable ? strncmp(variable, "BUDDY_", 6) != 0 : *value != '/')) abort();
  told->has_code |=
      variable && (!strcmp(variable, "BUDDY_PLUGIN_PATH") || !strcmp(variable, "BUDDY_CACHE_DIR"));
  ++told->n;
  return BUDDY_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (int i = 0; i < 4; ++i) {
    const bd_config_file file = {
        .path = "/p/buddy.toml", .folder = "/p", .is_users = i & 1, .is_trusted = i >> 1};
    seen told = {0, 0};
    buddy_diags *diags;
    if (buddy_diags_create(&diags) != BUDDY_OK) return 0;
    const buddy_code code = bd_settings_read(&file, (const char *)data, size, diags, take, &told);
    if (code != BUDDY_OK && (told.n > 0 || buddy_diags_count(diags) == 0)) abort();
    if (told.has_code && !file.is_trusted) abort();
    buddy_diags_destroy(diags);
  }
  return 0;
}
