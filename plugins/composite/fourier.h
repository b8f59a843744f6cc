// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/fourier.h: discrete Fourier transforms of pairs of real tensors. */
#ifndef BUDDY_PLUGINS_COMPOSITE_FOURIER_H
#define BUDDY_PLUGINS_COMPOSITE_FOURIER_H

#include <stdbool.h>

#include "plugins/composite/rows.h"

/* A complex tensor as its parts, in f64; im null: zeros. */
typedef struct cp_pair {
  value re, im;
} cp_pair;

/* The parts of a real or complex tensor. */
cp_pair cp_parts(buddy_call *call, value a);
/* A complex tensor of `dtype`. */
value cp_joined(buddy_call *call, cp_pair a, buddy_dtype dtype);
cp_pair cp_conjugate(buddy_call *call, cp_pair a);
/* sum over m of x[m] exp(sign 2 pi i k m / n) along a dim of size n. */
cp_pair cp_fourier(buddy_call *call, cp_pair x, uint32_t dim, int sign);
/* Both parts through one word. */
cp_pair cp_pair_slice(buddy_call *call, cp_pair x, uint32_t dim, int64_t start, int64_t size);
/* The parts cut or filled up with zeros after, to `size` along a dim. */
cp_pair cp_resized(buddy_call *call, cp_pair x, uint32_t dim, int64_t size);
/* A real tensor's spectrum beyond its half: element n - k is the conjugate of element k. `half` has
 * n / 2 + 1 elements along the dim. */
cp_pair cp_whole_spectrum(buddy_call *call, cp_pair half, uint32_t dim, int64_t n);

/* What a row of the fft family is. */
typedef enum cp_fft_form { CP_FFT_ALL, CP_FFT_HALF_OUT, CP_FFT_HALF_IN } cp_fft_form;
typedef struct cp_fft {
  int sign; /* of the exponent: -1 is forward */
  cp_fft_form form;
  bool keeps_all; /* CP_FFT_HALF_OUT: the whole spectrum nevertheless */
} cp_fft;
extern const cp_fft cp_fft_forward, cp_fft_inverse, cp_fft_real, cp_fft_real_inverse, cp_fft_half,
    cp_fft_half_forward;

#endif
