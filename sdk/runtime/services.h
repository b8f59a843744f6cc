// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/services.h: what functions of registries may ask of the run that calls them (buddy_run
 * in buddy/extensions.h). */
#ifndef BUDDY_SDK_RUNTIME_SERVICES_H
#define BUDDY_SDK_RUNTIME_SERVICES_H

#include "buddy/registry.h"

/* For the listeners of callbacks.h; static. */
const buddy_run *bd_run_services(void);

#endif
