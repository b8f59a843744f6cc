/* sdk/model/registry_calls.h: functions of registries that code from the cache calls. */
#ifndef BUDDY_SDK_MODEL_REGISTRY_CALLS_H
#define BUDDY_SDK_MODEL_REGISTRY_CALLS_H

#include "buddy/compile.h"

/* Zeroed but for the options, which are read when the first function is asked for: the registries
 * are loaded then, and not before. */
typedef struct bd_registry_calls {
  const buddy_model_options *options;
  buddy_opset *opset;
  buddy_registries *registries;
} bd_registry_calls;

/* user: a bd_registry_calls. */
buddy_code bd_registry_calls_resolve(void *user, const char *name, buddy_diags *diags,
                                     void **out_address);
void bd_registry_calls_close(bd_registry_calls *calls);

/* The registries that the options name; options may be null. */
BUDDY_EXPORT buddy_code bd_model_registries(const buddy_model_options *options, buddy_opset *opset,
                                            buddy_diags *diags, buddy_registries **out_registries);

#endif
