// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/suppliers.h: which files compiled code needs for the functions of registries
 * that it calls (buddy.ahead/1). */
#ifndef BUDDY_SDK_COMPILE_SUPPLIERS_H
#define BUDDY_SDK_COMPILE_SUPPLIERS_H

#include "core/registry/registries.h"
#include "llvm-c/Types.h"
#include "sdk/compile/code/target.h"
#include "sdk/runtime/artifact.h"

/* One registry whose functions the code calls. */
typedef struct bd_supplied {
  const bd_plugin *plugin;
  bd_supplier supplier; /* for the model to load; its file is an archive: for the linker */
  char *folder;         /* owned, absolute; of the plugin */
} bd_supplied;

typedef struct bd_suppliers {
  bd_supplied *items; /* those that are loaded come first */
  size_t n, n_loaded;
  char **functions; /* owned; that the code calls and the model loads, in the code's order */
  size_t n_functions;
} bd_suppliers;

/* Refuses a function whose registry does not say where it is without buddy. The registries must
 * outlive the result. */
buddy_code bd_suppliers_init(LLVMModuleRef module, const buddy_registries *registries,
                             const bd_target *target, buddy_diags *diags, bd_suppliers *out);
void bd_suppliers_deinit(bd_suppliers *suppliers);
/* The number of the one that is loaded for this function; false: there is none. */
int bd_suppliers_find(const bd_suppliers *suppliers, const buddy_registries *registries,
                      const char *name, uint64_t *out_supplier);

#endif
