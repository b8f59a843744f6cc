// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/places.h: where files lie that a model loads when it runs. */
#ifndef BUDDY_SDK_RUNTIME_PLACES_H
#define BUDDY_SDK_RUNTIME_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#define BD_MAX_PLACE 4096

/* True if the folder, n letters long, has the file; its path is written. */
bool bd_place_in(const char *folder, size_t n, const char *file, char path[BD_MAX_PLACE]);
/* Likewise for the first folder of BUDDY_PLUGIN_PATH that has it. As for registries, a folder of the
 * variable is absolute, and in a process with raised rights there is none. */
bool bd_place_in_variable(const char *file, char path[BD_MAX_PLACE]);

#endif
