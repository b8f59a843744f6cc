// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/kernels_f32.c: the kernels on elements of type float. */
#include "lapack_headers.h"

#define KERNEL(name) lp_##name##_f32
#define NUMBER float
#define REAL float
#define WIDE double
#define PRODUCT dgemm_
#define IS_COMPLEX 0
#define LAPACK(name) LAPACKE_s##name
#define ORTHOGONAL(name) LAPACKE_sor##name
#define SYMMETRIC(name) LAPACKE_ssy##name
#define HERMITIAN(name) LAPACKE_ssy##name
#include "kernels.inc"
