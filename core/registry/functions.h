// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/functions.h: the functions of buddy.runtime/1 as compiled code gets them. */
#ifndef BUDDY_CORE_REGISTRY_FUNCTIONS_H
#define BUDDY_CORE_REGISTRY_FUNCTIONS_H

#include "core/registry/registries.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A function, and those of its registry that are told of a run; null: the registry has none. */
typedef struct bd_registry_function {
  void *address;
  void (*set_threads)(int32_t n);
  void (*set_crew)(const buddy_crew *crew);
  void (*set_run)(const buddy_run *run);
} bd_registry_function;

/* The function that code calls by this name, with or without the lead of C interfaces. One that the
 * registry has in a library of its own is there once this has loaded the library, which stays for
 * the life of the process. BUDDY_NOT_FOUND, and nothing is said, if no registry brings the name.
 * [any-thread] */
BUDDY_EXPORT buddy_code bd_registries_function(const buddy_registries *registries, const char *name,
                                               buddy_diags *diags,
                                               bd_registry_function *out_function);

#ifdef __cplusplus
}
#endif
#endif
