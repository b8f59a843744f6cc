// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/kernels_f64.c: the kernels on elements of type double. */
#include "lapack_headers.h"

#define KERNEL(name) lp_##name##_f64
#define NUMBER double
#define REAL double
#define WIDE double
#define PRODUCT dgemm_
#define IS_COMPLEX 0
#define LAPACK(name) LAPACKE_d##name
#define ORTHOGONAL(name) LAPACKE_dor##name
#define SYMMETRIC(name) LAPACKE_dsy##name
#define HERMITIAN(name) LAPACKE_dsy##name
#include "kernels.inc"
