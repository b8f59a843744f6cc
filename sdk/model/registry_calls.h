// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/registry_calls.h: functions of registries that code from the cache calls. */
#ifndef BUDDY_SDK_MODEL_REGISTRY_CALLS_H
#define BUDDY_SDK_MODEL_REGISTRY_CALLS_H

#include <stdbool.h>

#include "buddy/compile.h"
#include "core/registry/order.h"

/* Registries that are loaded, with the ops that they were checked against. */
typedef struct bd_loaded_registries {
  buddy_opset *opset;
  buddy_registries *registries;
} bd_loaded_registries;

/* Zeroed but for the options, which are read when the first function is asked for. Registries are
 * loaded as functions are looked for, each alone, those of the portable tier first: code from the
 * cache needs no LLVM, and registries of the native tier would bring it. */
typedef struct bd_registry_calls {
  const buddy_model_options *options;
  bool is_open;
  size_t n_names, next; /* of the portable registries in the order; those before next were loaded */
  char names[BD_MAX_ORDER][BD_MAX_REGISTRY_NAME];
  size_t n_loaded;
  bd_loaded_registries loaded[BD_MAX_ORDER + 1];
} bd_registry_calls;

/* user: a bd_registry_calls. */
buddy_code bd_registry_calls_resolve(void *user, const char *name, buddy_diags *diags,
                                     void **out_address);
void bd_registry_calls_close(bd_registry_calls *calls);

/* The registries that the options name; options may be null. */
BUDDY_EXPORT buddy_code bd_model_registries(const buddy_model_options *options, buddy_opset *opset,
                                            buddy_diags *diags, buddy_registries **out_registries);
/* Whether the options let variables of the environment count; o may be null. */
int bd_model_reads_environment(const buddy_registries_options *o);
/* The order that they name, or the environment does. */
const char *bd_model_order(const buddy_registries_options *options);

#endif
