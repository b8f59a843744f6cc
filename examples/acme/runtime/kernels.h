// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* kernels.h: what the device computes. */
#ifndef ACME_KERNELS_H
#define ACME_KERNELS_H

#include <stdint.h>

void acme_linear(int64_t m, int64_t n, int64_t k, const float *a, const float *b, const float *bias,
                 float *out);
void acme_attention(int64_t l, int64_t s, int64_t e, int64_t w, float scale, int causal,
                    const float *q, const float *k, const float *v, float *out);

#endif
