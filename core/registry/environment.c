// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/environment.c: the process's variables and its own place in the file system. */
#define _GNU_SOURCE
#include "core/registry/environment.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/auxv.h>

#ifndef BUDDY_DEFAULT_PLUGIN_DIR
#define BUDDY_DEFAULT_PLUGIN_DIR ""
#endif

/* Any object of libbuddy; the dynamic linker tells which file an address comes from. */
static const char here;

/* In a setuid process no variable is read; that one is set is kept, so that it can be said. */
static const char *get(const char *name, bool is_secure) {
  if (!is_secure) return secure_getenv(name);
  return getenv(name) ? "" : NULL;
}

void bd_environment_get(bd_environment *out_environment) {
  Dl_info info;
  const bool is_secure = getauxval(AT_SECURE) != 0;
  *out_environment = (bd_environment){
      .is_secure = is_secure,
      .plugin_path = get("BUDDY_PLUGIN_PATH", is_secure),
      .xdg_data_home = get("XDG_DATA_HOME", is_secure),
      .home = get("HOME", is_secure),
      .registries = get("BUDDY_REGISTRIES", is_secure),
      .pins = get("BUDDY_PINS", is_secure),
      .library_path = dladdr(&here, &info) ? info.dli_fname : NULL,
      .system_dir = BUDDY_DEFAULT_PLUGIN_DIR,
  };
}
