/* sdk/runtime/library.h: a model in a shared library, loaded by whoever does not link it. */
#ifndef BUDDY_SDK_RUNTIME_LIBRARY_H
#define BUDDY_SDK_RUNTIME_LIBRARY_H

#include "sdk/runtime/artifact.h"

/* True if the file begins as a shared library does. */
int bd_library_is(const char *path);
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
/* Loads the library, which runs code of it with the caller's rights, and its model. weights: see
 * bd_artifact_load. The library is unloaded with the model. */
buddy_code bd_library_open(const char *path, const char *weights, buddy_diags *diags,
                           buddy_model **out_model);

#endif
