// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* kernels.c: the device's two kernels, simulated. */
#include "kernels.h"

#include <math.h>

static float dot(const float *a, const float *b, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void acme_linear(int64_t m, int64_t n, int64_t k, const float *a, const float *b, const float *bias,
                 float *out) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j)
      out[i * n + j] = dot(a + i * k, b + j * k, k) + (bias ? bias[j] : 0);
  }
}

/* One row in one pass: what has been summed is scaled down whenever a larger score is met, so that
 * no score is kept. A row that sees nothing is NaN, as PyTorch has it. */
static void attend(int64_t s, int64_t e, int64_t w, float scale, const float *q, const float *k,
                   const float *v, float *out) {
  float largest = -INFINITY, total = 0;
  for (int64_t c = 0; c < w; ++c) out[c] = 0;
  for (int64_t j = 0; j < s; ++j) {
    const float score = scale * dot(q, k + j * e, e);
    const float most = fmaxf(largest, score);
    const float before = largest == -INFINITY ? 0 : expf(largest - most), now = expf(score - most);
    total = total * before + now;
    for (int64_t c = 0; c < w; ++c) out[c] = out[c] * before + now * v[j * w + c];
    largest = most;
  }
  for (int64_t c = 0; c < w; ++c) out[c] = s ? out[c] / total : 0;
}

void acme_attention(int64_t l, int64_t s, int64_t e, int64_t w, float scale, int causal,
                    const float *q, const float *k, const float *v, float *out) {
  for (int64_t i = 0; i < l; ++i) {
    const int64_t seen = causal && i + 1 < s ? i + 1 : s;
    attend(seen, e, w, scale, q + i * e, k, v, out + i * w);
  }
}
