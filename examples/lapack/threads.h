// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/threads.h: how many threads LAPACK has while a kernel calls it. */
#ifndef LAPACK_THREADS_H
#define LAPACK_THREADS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* How many threads the run of this thread may use, from now on; 1 where nobody said so. */
void lp_threads_set(int32_t n);
/* Around a kernel. */
void lp_threads_begin(const lp_view *operands, size_t n);
void lp_threads_end(void);

#endif
