// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/table.h: what kernels.c and library.c share: the kernels of a module, by
 * key. */
#ifndef BUDDY_SDK_COMPILE_KERNELS_TABLE_H
#define BUDDY_SDK_COMPILE_KERNELS_TABLE_H

#include <stdbool.h>

#include "core/base/hash.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/runtime/program.h"

typedef struct bd_kernel {
  UT_hash_handle hh;
  char name[BD_SHIPPED_NAME_SIZE];
  char key[]; /* the function's text, or the name of a library function */
} bd_kernel;

struct bd_kernels {
  MlirModule module;
  const bd_machine *machine;
  bd_shipped *shipped; /* may be null */
  bd_text functions;
  bd_kernel *by_key;
  const buddy_compile_options *options; /* who is told of choices; may be null */
  bd_plain plain;
};

/* The kernel of that key, of n bytes; *out_is_new if it was not there. Null: memory is out. */
bd_kernel *bd_kernels_find_or_add(bd_kernels *kernels, const char *key, size_t n, bool *out_is_new);

/* Names a new kernel by a hash of hint and text: what has the same name in two modules is the same
 * code. */
void bd_kernel_name(bd_kernel *kernel, const char *hint, const bd_text *text);

#endif
