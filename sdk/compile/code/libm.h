// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/libm.h: the mathematical functions that compiled code may call. */
#ifndef BUDDY_SDK_COMPILE_LIBM_H
#define BUDDY_SDK_COMPILE_LIBM_H

#include "buddy/registry.h"

/* By the names of the C library, on floats and doubles. Static; *out_n of them. They are handed to
 * the linker by address: a process need not export libm's names, though this library is linked with
 * it. */
const buddy_runtime_symbol *bd_libm_symbols(size_t *out_n);

#endif
