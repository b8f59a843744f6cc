// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/library.h: a model in a shared library, loaded by whoever does not link it. */
#ifndef BUDDY_SDK_RUNTIME_LIBRARY_H
#define BUDDY_SDK_RUNTIME_LIBRARY_H

#include <stdbool.h>

#include "sdk/runtime/artifact.h"

/* True if the name ends as that of a shared library does. */
bool bd_library_is_named(const char *path);
/* Code runs when a library is loaded: whose it is (core/base/trust.h), and whether it is a whole
 * library for this machine, is judged before. */
buddy_code bd_library_judge(const char *path, buddy_diags *diags);
/* The path of a library as the dynamic linker is to be told it. It takes a name that it has loaded for what it
 * loaded then, whatever file has come to that name since, as one that was compiled again: so the file is
 * spelled in the slashes, which do not change what a path means. bd_free frees it; null: memory is out. */
char *bd_library_spelling(const char *path);
/* Of that, a number in slashes, to go behind one: at most so many characters and a null. Where it ends. */
#define BD_LIBRARY_SPELLED ((size_t)96)
char *bd_library_spell(char *to, uint32_t mark);
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
