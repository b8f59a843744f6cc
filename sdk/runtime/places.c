// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/places.c: looking for a file in folders, and in those of a variable. */
#include "sdk/runtime/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool bd_place_in(const char *folder, size_t n, const char *file, char path[BD_MAX_PLACE]) {
  if (n >= BD_MAX_PLACE) return false;
  const int size = snprintf(path, BD_MAX_PLACE, "%.*s/%s", (int)n, folder, file);
  return size < BD_MAX_PLACE && access(path, F_OK) == 0;
}

bool bd_place_in_variable(const char *file, char path[BD_MAX_PLACE]) {
  const char *at = secure_getenv("BUDDY_PLUGIN_PATH");
  while (at) {
    const size_t n = strcspn(at, ":");
    if (*at == '/' && bd_place_in(at, n, file, path)) return true;
    at = at[n] == ':' ? at + n + 1 : NULL;
  }
  return false;
}
