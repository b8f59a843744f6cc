// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/environment.h: what the process brings along, as data, so that tests can bring
 * something else. */
#ifndef BUDDY_CORE_REGISTRY_ENVIRONMENT_H
#define BUDDY_CORE_REGISTRY_ENVIRONMENT_H

#include <stdbool.h>

#include "buddy/resolve.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Null: not set. */
typedef struct bd_environment {
  bool is_secure; /* a setuid process: no variable counts */
  const char *plugin_path, *xdg_data_home, *home, *registries, *pins;
  const char *library_path; /* of libbuddy itself */
  const char *system_dir;   /* configured when buddy was built */
} bd_environment;

/* The strings are the process's own. */
BUDDY_EXPORT void bd_environment_get(bd_environment *out_environment);
BUDDY_EXPORT buddy_code bd_search_create_in(const buddy_search_options *options,
                                            const bd_environment *environment, buddy_diags *diags,
                                            buddy_search **out_search);

#ifdef __cplusplus
}
#endif
#endif
