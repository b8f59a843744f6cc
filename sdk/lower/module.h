// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/module.h: what stands behind buddy_module: an MLIR module, and what its entry function
 * means to a caller.
 *
 * The function itself carries no attributes of ours, so that the printed IR of a simple program is
 * just its ops. */
#ifndef BUDDY_SDK_LOWER_MODULE_H
#define BUDDY_SDK_LOWER_MODULE_H

#include "buddy/lower.h"
#include "mlir-c/IR.h"
#include "sdk/lower/signature.h"

/* Bytes behind a dense_resource attribute of the module, by the key that it prints with. Lent by
 * the archive. */
typedef struct bd_blob {
  char *key; /* owned */
  const void *bytes;
  size_t n_bytes;
} bd_blob;

struct buddy_module {
  MlirContext context;     /* owned */
  MlirModule module;       /* owned */
  char *function;          /* name of the entry function, owned */
  bd_signature *signature; /* owned; null in a parsed module: derived from the function's type when
                              it is compiled */
  bd_blob *blobs;          /* owned; sorted by nothing */
  size_t n_blobs;
};

/* An empty module in a new context, for the lowering to fill. buddy_module_destroy frees it.
 * function: copied. */
buddy_code bd_module_create(const char *function, buddy_module **out_module);
/* Remembers the bytes behind a dense_resource. */
buddy_code bd_module_add_blob(buddy_module *module, const char *key, const void *bytes,
                              size_t n_bytes);
/* The func.func that the module's name means, or null. */
MlirOperation bd_module_entry(const buddy_module *module);

#endif
