// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/kernels_c128.c: the kernels on elements of type double complex. */
#include "lapack_headers.h"

#define KERNEL(name) lp_##name##_c128
#define NUMBER double complex
#define REAL double
#define WIDE double complex
#define PRODUCT zgemm_
#define IS_COMPLEX 1
#define LAPACK(name) LAPACKE_z##name
#define ORTHOGONAL(name) LAPACKE_zun##name
#define SYMMETRIC(name) LAPACKE_zsy##name
#define HERMITIAN(name) LAPACKE_zhe##name
#include "kernels.inc"
