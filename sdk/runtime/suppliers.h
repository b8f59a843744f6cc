// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/suppliers.h: files with functions of registries, for models that were compiled ahead
 * of time. */
#ifndef BUDDY_SDK_RUNTIME_SUPPLIERS_H
#define BUDDY_SDK_RUNTIME_SUPPLIERS_H

#include "sdk/runtime/artifact.h"

/* Whether a model that calls these functions could be loaded. The file stays in the process. */
buddy_code bd_supplier_check(const bd_supplier *supplier, const char *const *functions, size_t n,
                             buddy_diags *diags);

#endif
