// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/fourier.h: discrete Fourier transforms along one dim. */
#ifndef BUDDY_PLUGINS_COMPOSITE_FOURIER_H
#define BUDDY_PLUGINS_COMPOSITE_FOURIER_H

#include <stdbool.h>

#include "plugins/composite/rows.h"

/* PyTorch's: times 1, by the root of the size, by the size. */
typedef enum cp_scale { CP_SCALE_NONE, CP_SCALE_ROOT, CP_SCALE_SIZE } cp_scale;
/* sum over m of x[m] exp(sign 2 pi i k m / n) along a dim of size n, sign -1 forward; of a complex tensor. */
value cp_fourier(buddy_call *call, value x, uint32_t dim, bool is_forward, cp_scale scale);
/* Forward, of a real tensor; elements 0 to n / 2, or all. */
value cp_fourier_of_reals(buddy_call *call, value x, uint32_t dim, bool is_whole, cp_scale scale);
/* The inverse that is real, of n elements, of elements 0 to n / 2 of a complex tensor. */
value cp_fourier_to_reals(buddy_call *call, value x, uint32_t dim, int64_t n, cp_scale scale);

/* The complex dtype with such parts; itself where it is one already. */
buddy_dtype cp_complex_of(buddy_dtype dtype);
/* A real or complex tensor as a complex one of `dtype`. */
value cp_as_complex(buddy_call *call, value a, buddy_dtype dtype);
/* How many elements half a spectrum has. */
int64_t cp_half_of(buddy_call *call, int64_t n);
/* Cut or filled up with zeros after, to `size` along a dim. */
value cp_resized(buddy_call *call, value a, uint32_t dim, int64_t size);

/* What a row of the fft family is. */
typedef enum cp_fft_form { CP_FFT_ALL, CP_FFT_HALF_OUT, CP_FFT_HALF_IN } cp_fft_form;
typedef struct cp_fft {
  bool is_forward;
  cp_fft_form form;
  bool keeps_all; /* CP_FFT_HALF_OUT: the whole spectrum nevertheless */
} cp_fft;
extern const cp_fft cp_fft_forward, cp_fft_inverse, cp_fft_real, cp_fft_real_inverse, cp_fft_half,
    cp_fft_half_forward;

#endif
