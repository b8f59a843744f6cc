// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/suppliers.h: files with functions of registries, for models that were compiled ahead
 * of time. */
#ifndef BUDDY_SDK_RUNTIME_SUPPLIERS_H
#define BUDDY_SDK_RUNTIME_SUPPLIERS_H

#include "buddy/base.h"

/* A file with functions of a registry, which is loaded with the model (buddy.ahead/1). */
typedef struct bd_supplier {
  const char *registry; /* "vendor" */
  const char *version;  /* the one that the model was compiled with */
  const char *file;     /* "libNAME.so", or "buddy_vendor.so": the registry's own */
  const char *folder;   /* where it was then; null: compiled for another machine */
} bd_supplier;

/* Whether a model that calls these functions could be loaded. The file stays in the process. */
buddy_code bd_supplier_check(const bd_supplier *supplier, const char *const *functions, size_t n,
                             buddy_diags *diags);

#endif
