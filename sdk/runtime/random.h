// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/random.h: random numbers of compiled code: Philox 4x32-10, a generator without state,
 * whose numbers are a function of
 *
 *   1. the seed, 64 bits: the program's (buddy_program_seed), the key
 *   2. the stream, 64 bits: one for each draw of a tensor, never given twice by a program
 *   3. the index, 64 bits: which element of the tensor
 *
 * Compiled code asks for seed and stream once a draw, and computes the elements' numbers itself, on
 * any thread, in any order. Distributions that need an unknown count of numbers (gamma, Poisson,
 * binomial) are functions here; they take the further numbers of an element from streams that no
 * draw gets, those of 2^48 and above. */
#ifndef BUDDY_SDK_RUNTIME_RANDOM_H
#define BUDDY_SDK_RUNTIME_RANDOM_H

#include <stdint.h>

#include "buddy/registry.h"

typedef struct bd_random {
  uint64_t seed; /* both are read and written as atomics */
  uint64_t next_stream;
} bd_random;

/* The four words of one element. */
void bd_random_words(uint64_t seed, uint64_t stream, uint64_t index, uint32_t *out_words);

/* Names that compiled code calls, with the prefix that MLIR gives to functions of other languages:
 *   i64 ()                                      of the run of this thread
 *   f64 (f64 a, f64 b, i64 seed, i64 stream, i64 index) */
#define BD_RANDOM_SEED "_mlir_ciface_buddy_runtime_random_seed"
#define BD_RANDOM_STREAM "_mlir_ciface_buddy_runtime_random_stream"
#define BD_RANDOM_POISSON "_mlir_ciface_buddy_runtime_random_poisson"
#define BD_RANDOM_GAMMA "_mlir_ciface_buddy_runtime_random_gamma"
#define BD_RANDOM_BINOMIAL "_mlir_ciface_buddy_runtime_random_binomial"
double bd_random_poisson(double rate, double unused, int64_t seed, int64_t stream,
                         int64_t index) __asm__(BD_RANDOM_POISSON);
double bd_random_gamma(double shape, double unused, int64_t seed, int64_t stream,
                       int64_t index) __asm__(BD_RANDOM_GAMMA);
double bd_random_binomial(double count, double p, int64_t seed, int64_t stream,
                          int64_t index) __asm__(BD_RANDOM_BINOMIAL);

#endif
