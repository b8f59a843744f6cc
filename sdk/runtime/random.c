// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/random.c: Philox 4x32-10. */
#include "sdk/runtime/random.h"

#include <math.h>

void bd_random_words(uint64_t seed, uint64_t stream, uint64_t index, uint32_t *out_words) {
  uint32_t c[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream,
                   (uint32_t)(stream >> 32)};
  uint32_t k[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
    const uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b,
                              (uint32_t)(a >> 32) ^ c[3] ^ k[1], (uint32_t)a};
    for (int i = 0; i < 4; ++i) c[i] = next[i];
    k[0] += 0x9E3779B9u;
    k[1] += 0xBB67AE85u;
  }
  for (int i = 0; i < 4; ++i) out_words[i] = c[i];
}

/* ---- Many numbers for one element ---- */

typedef struct source {
  uint64_t seed, stream, index, block;
  uint32_t words[4];
  int next; /* of the words */
} source;

static source source_of(int64_t seed, int64_t stream, int64_t index) {
  return (source){
      .seed = (uint64_t)seed, .stream = (uint64_t)stream, .index = (uint64_t)index, .next = 4};
}

/* Uniform in (0, 1), of 52 bits. */
static double uniform(source *s) {
  if (s->next > 2) {
    ++s->block;
    bd_random_words(s->seed, s->stream ^ s->block << 48, s->index, s->words);
    s->next = 0;
  }
  const uint64_t bits = (uint64_t)s->words[s->next] << 32 | s->words[s->next + 1];
  s->next += 2;
  return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

static double normal(source *s) {
  const double radius = sqrt(-2 * log(uniform(s)));
  return radius * cos(6.283185307179586 * uniform(s));
}

/* Marsaglia and Tsang's squeeze; below 1, from the next shape up. */
static double gamma_of(source *s, double shape) {
  if (!(shape > 0)) return shape == 0 ? 0 : NAN;
  const double raised = shape < 1 ? pow(uniform(s), 1 / shape) : 1;
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    const double x = normal(s), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root, u = uniform(s);
    if (log(u) < 0.5 * x * x + d - d * v + d * log(v)) return raised * d * v;
  }
}

double bd_random_gamma(double shape, double unused, int64_t seed, int64_t stream, int64_t index) {
  (void)unused;
  source s = source_of(seed, stream, index);
  return gamma_of(&s, shape);
}

/* Hörmann's transformed rejection for large rates; a product of uniform numbers for small ones. */
static double poisson_of(source *s, double rate) {
  if (!(rate >= 0) || isinf(rate)) return NAN;
  if (rate < 10) {
    const double limit = exp(-rate);
    double product = uniform(s);
    double k = 0;
    for (; product > limit; ++k) product *= uniform(s);
    return k;
  }
  const double b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = uniform(s) - 0.5, v = uniform(s), us = 0.5 - fabs(u);
    const double k = floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= v_r) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <=
        -rate + k * log(rate) - lgamma(k + 1))
      return k;
  }
}

double bd_random_poisson(double rate, double unused, int64_t seed, int64_t stream, int64_t index) {
  (void)unused;
  source s = source_of(seed, stream, index);
  return poisson_of(&s, rate);
}

/* By halving: how many of n uniform numbers lie below p, from where their middle one lies, which is
 * distributed as a quotient of gammas; the few that remain are counted one by one. */
double bd_random_binomial(double count, double p, int64_t seed, int64_t stream, int64_t index) {
  source s = source_of(seed, stream, index);
  if (!(count >= 0) || isinf(count) || !(p >= 0 && p <= 1)) return NAN;
  double n = floor(count), hits = 0;
  while (n > 16) {
    const double middle = floor((n + 1) / 2); /* the rank of the middle one */
    const double below = gamma_of(&s, middle), above = gamma_of(&s, n + 1 - middle);
    const double at = below / (below + above);
    if (at <= p) {
      hits += middle;
      n -= middle;
      p = (p - at) / (1 - at);
    } else {
      n = middle - 1;
      p /= at;
    }
  }
  for (int64_t k = 0; k < (int64_t)n; ++k) hits += uniform(&s) < p;
  return hits;
}
