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

#endif
