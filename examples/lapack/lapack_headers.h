// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/lapack_headers.h: LAPACKE with C's complex types. */
#ifndef LAPACK_HEADERS_H
#define LAPACK_HEADERS_H

#include <complex.h>
#define lapack_complex_float float complex
#define lapack_complex_double double complex
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "kernels.h"

/* BLAS's products, as Fortran calls them: the last two are the lengths of the first. */
#define PRODUCT_OF(name, number)                                                              \
  void name(const char *, const char *, const int32_t *, const int32_t *, const int32_t *,    \
            const number *, const number *, const int32_t *, const number *, const int32_t *, \
            const number *, number *, const int32_t *, size_t, size_t);
PRODUCT_OF(dgemm_, double)
PRODUCT_OF(zgemm_, double complex)

#endif
