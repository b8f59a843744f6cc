// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/calls.h: the functions by which compiled code reaches the kernels. */
#ifndef LAPACK_CALLS_H
#define LAPACK_CALLS_H

#include "buddy/registry.h"

/* What the function of a kernel and a dtype is called. */
#define LP_SYMBOL(name, t) "_mlir_ciface_buddy_lapack_" #name "_" #t
/* The elements of the operands of a kernel, as kernels.h lists them; null if there is none of that
 * name. */
const char *lp_elements_of(const char *kernel);
/* Extension "buddy.runtime/1": @buddy_lapack_<kernel>_<dtype>. */
extern const buddy_runtime lp_runtime;

#endif
