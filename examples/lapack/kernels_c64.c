// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/kernels_c64.c: the kernels on elements of type float complex. */
#include "lapack_headers.h"

#define KERNEL(name) lp_##name##_c64
#define NUMBER float complex
#define REAL float
#define WIDE double complex
#define PRODUCT zgemm_
#define IS_COMPLEX 1
#define LAPACK(name) LAPACKE_c##name
#define ORTHOGONAL(name) LAPACKE_cun##name
#define SYMMETRIC(name) LAPACKE_csy##name
#define HERMITIAN(name) LAPACKE_che##name
#include "kernels.inc"
