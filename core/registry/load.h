// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/load.h: sets of plugins, loaded together. */
#ifndef BUDDY_CORE_REGISTRY_LOAD_H
#define BUDDY_CORE_REGISTRY_LOAD_H

#include "buddy/resolve.h"
#include "core/registry/order.h"
#include "core/registry/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_wanted {
  const char *name;
  bool is_required;  /* named, or needed by one that is: a failure is an error; else a warning */
  bd_plugin *plugin; /* null: could not be loaded */
  const char *needed_by;       /* the first that depends on it; null: it is in the order itself */
  const buddy_registry *local; /* null: a file */
} bd_wanted;

typedef struct bd_load_set {
  bd_wanted
      *items; /* in the order in which rows are asked; what is only needed by others comes last */
  size_t n, capacity;
  bd_arena arena; /* the names */
} bd_load_set;

/* The registries that the program itself brings. */
typedef struct bd_locals {
  const buddy_local_registry *items;
  size_t n;
} bd_locals;

/* Which plugins an order means, among those that the program brings and that the search has found.
 * Nothing is loaded yet. */
BUDDY_EXPORT buddy_code bd_load_set_init(bd_load_set *set, const bd_order *order,
                                         const buddy_search *search, bd_locals locals);
/* Loads them, and what they depend on, and opens them with these services; reports every failure. If a required one fails the
 * others stay as they are, opened or not, and the set is of no use but to be released.
 * [any-thread] */
BUDDY_EXPORT buddy_code bd_load_set_open(bd_load_set *set, const buddy_search *search,
                                         const buddy_host *host, buddy_diags *diags);
/* Gives the plugins back, and frees the list. */
BUDDY_EXPORT void bd_load_set_deinit(bd_load_set *set);

#ifdef __cplusplus
}
#endif
#endif
