/* sdk/runtime/library.h: a model in a shared library, loaded by whoever does not link it. */
#ifndef BUDDY_SDK_RUNTIME_LIBRARY_H
#define BUDDY_SDK_RUNTIME_LIBRARY_H

#include "sdk/runtime/artifact.h"

/* True if the file begins as a shared library does. */
int bd_library_is(const char *path);
/* Loads the library, which runs code of it with the caller's rights, and its model. weights: see
 * bd_artifact_load. The library is unloaded with the model. */
buddy_code bd_library_open(const char *path, const char *weights, buddy_diags *diags,
                           buddy_model **out_model);

#endif
