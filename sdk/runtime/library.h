// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/library.h: a model in a shared library, loaded by whoever does not link it. */
#ifndef BUDDY_SDK_RUNTIME_LIBRARY_H
#define BUDDY_SDK_RUNTIME_LIBRARY_H

#include <stdbool.h>

#include "core/registry/plugin_file.h" /* bd_library_load, and what judges a file before */
#include "sdk/runtime/artifact.h"

/* True if the name ends as that of a shared library does. */
bool bd_library_is_named(const char *path);
/* Code runs when a library is loaded: whose it is (core/base/trust.h), and whether it is a whole
 * library for this machine, is judged before. */
buddy_code bd_library_judge(const char *path, buddy_diags *diags);
/* What the code of a library stands on when its weights stay in an archive. */
typedef struct bd_library_ground {
  const void *data; /* the archive */
  size_t n_data;
  /* The address of a function that the code calls through a slot. */
  buddy_code (*resolve)(void *user, const char *name, buddy_diags *diags, void **out_address);
  void *user;
} bd_library_ground;
buddy_code bd_library_open_on(const char *path, const bd_library_ground *ground, buddy_diags *diags,
                              buddy_model **out_model);
/* Loads the library, which runs code of it with the caller's rights, and its model. It is judged
 * before. program: as bd_library_find. The library is unloaded with the model. */
buddy_code bd_library_open(const char *path, const char *program, buddy_diags *diags,
                           buddy_model **out_model);
/* The model that an open library holds. program: which one of several; null: the only one. */
buddy_code bd_library_find(void *library, const char *path, const char *program, buddy_diags *diags,
                           const bd_artifact **out_artifact);

#endif
