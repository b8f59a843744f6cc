// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/host.h: the table of host services that plugins get. */
#ifndef BUDDY_CORE_REGISTRY_HOST_H
#define BUDDY_CORE_REGISTRY_HOST_H

#include "buddy/registry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One for the whole process, read-only. */
BUDDY_EXPORT const buddy_host *bd_host_table(void);

#ifdef __cplusplus
}
#endif
#endif
