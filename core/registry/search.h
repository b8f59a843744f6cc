// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/search.h: what the loader asks of a search. */
#ifndef BUDDY_CORE_REGISTRY_SEARCH_H
#define BUDDY_CORE_REGISTRY_SEARCH_H

#include "buddy/resolve.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The file of that name that wins, refused or not; null if there is none. */
BUDDY_EXPORT const buddy_found *bd_search_find(const buddy_search *search, const char *name);

#ifdef __cplusplus
}
#endif
#endif
