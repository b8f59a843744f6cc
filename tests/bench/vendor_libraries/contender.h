// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The contract between the measuring program and one library under measurement.
 *
 * Each library is wrapped in a shared object of its own, loaded with RTLD_LOCAL, so that libraries
 * which export the same names (cblas_sgemm, dnnl_*) stand in one process and can be timed in turns
 * on the same data. */
#ifndef BUDDY_TESTS_BENCH_VENDOR_LIBRARIES_CONTENDER_H_
#define BUDDY_TESTS_BENCH_VENDOR_LIBRARIES_CONTENDER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A product C[m,n] = A[m,k] * B[k,n], or a square two-dimensional convolution of batch one in NCHW
 * and OIHW. */
typedef struct bench_case {
  const char *name;
  bool is_convolution;
  /* Product; b_transposed says that B lies in memory as [n,k], as the weight of a PyTorch
   * nn.Linear does. */
  int64_t m, n, k;
  bool b_transposed;
  /* Convolution; padding on all four sides, the same stride both ways. */
  int64_t channels_in, channels_out, size, kernel, stride, padding, groups;
} bench_case;

static inline int64_t bench_output_size(const bench_case *c) {
  return (c->size + 2 * c->padding - c->kernel) / c->stride + 1;
}

/* One way to use a library. prepare may take its time; it returns NULL where this way does not
 * fit the case. run is what is timed. a, b and c stay valid until release. */
typedef struct bench_variant {
  const char *name;
  void *(*prepare)(const bench_case *bench, float *a, float *b, float *c);
  void (*run)(void *state);
  void (*release)(void *state);
} bench_variant;

/* Exported by each wrapper. */
const bench_variant *bench_variants(size_t *out_n_variants);

#endif /* BUDDY_TESTS_BENCH_VENDOR_LIBRARIES_CONTENDER_H_ */
