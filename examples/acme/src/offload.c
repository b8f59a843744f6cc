// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* offload.c: compiled code comes here with tensors of the host: they go to the device, a program
 * runs, the result comes back. If the device has no memory left, the result is NaN, which nobody
 * takes for a number: compiled code cannot be told of errors. */
#include <math.h>
#include <stdlib.h>

#include <acme_rt.h>

#include "acme.h"

static int64_t size_of(const bk_runtime_tensor *t) {
  int64_t n = 1;
  for (int64_t d = 0; d < t->rank; ++d) n *= bk_runtime_size(t, d);
  return n;
}

static float *data_of(const bk_runtime_tensor *t) {
  return (float *)t->memref->aligned + t->memref->offset;
}

/* Row-major copies, dim by dim: inputs may have any strides. */
static float *gather(const bk_runtime_tensor *t, int64_t d, const float *from, float *to) {
  if (d == t->rank) {
    *to = *from;
    return to + 1;
  }
  for (int64_t i = 0; i < bk_runtime_size(t, d); ++i)
    to = gather(t, d + 1, from + i * bk_runtime_stride(t, d), to);
  return to;
}

static acme_status upload(acme_program *p, const bk_runtime_tensor *t, acme_buffer *out) {
  const int64_t n = size_of(t);
  acme_status status = acme_allocate(p, n, out);
  float *copy = malloc((size_t)(n ? n : 1) * sizeof(float));
  if (!copy) status = ACME_OUT_OF_MEMORY;
  if (status == ACME_OK && n) gather(t, 0, data_of(t), copy);
  if (status == ACME_OK) status = acme_upload(p, *out, copy);
  free(copy);
  return status;
}

/* Outputs are new, row-major and contiguous. */
static void finish(acme_program *p, acme_status status, acme_buffer result,
                   const bk_runtime_tensor *out) {
  if (status == ACME_OK) status = acme_program_run(p);
  if (status == ACME_OK) status = acme_download(p, result, data_of(out));
  for (int64_t i = 0; status != ACME_OK && i < size_of(out); ++i) data_of(out)[i] = NAN;
  acme_program_end(p);
}

static void linear(const bk_runtime_tensor *x, const bk_runtime_tensor *weight,
                   const bk_runtime_tensor *bias, const bk_runtime_tensor *out) {
  acme_buffer a, b, c = {0, 0}, result = {0, 0};
  const int64_t n = bk_runtime_size(weight, 0), k = bk_runtime_size(weight, 1),
                m = n ? size_of(out) / n : 0;
  acme_program *p = acme_program_begin();
  acme_status status = p ? upload(p, x, &a) : ACME_OUT_OF_MEMORY;
  if (status == ACME_OK) status = upload(p, weight, &b);
  if (status == ACME_OK && bias) status = upload(p, bias, &c);
  if (status == ACME_OK) status = acme_allocate(p, size_of(out), &result);
  if (status == ACME_OK) status = acme_add_linear(p, m, n, k, a, b, c, result);
  finish(p, status, result, out);
}

static void offload_linear(const bk_runtime_tensor *x, const bk_runtime_tensor *weight,
                           const bk_runtime_tensor *out) {
  linear(x, weight, NULL, out);
}

static void offload_attention(const bk_runtime_tensor *q, const bk_runtime_tensor *k,
                              const bk_runtime_tensor *v, const bk_runtime_tensor *out,
                              int64_t causal, double scale) {
  acme_buffer a, b, c, result = {0, 0};
  const int64_t r = q->rank, l = bk_runtime_size(q, r - 2), e = bk_runtime_size(q, r - 1),
                s = bk_runtime_size(k, r - 2), w = bk_runtime_size(v, r - 1);
  int64_t batch = 1;
  for (int64_t d = 0; d + 2 < r; ++d) batch *= bk_runtime_size(q, d);
  acme_program *p = acme_program_begin();
  acme_status status = p ? upload(p, q, &a) : ACME_OUT_OF_MEMORY;
  if (status == ACME_OK) status = upload(p, k, &b);
  if (status == ACME_OK) status = upload(p, v, &c);
  if (status == ACME_OK) status = acme_allocate(p, size_of(out), &result);
  if (status == ACME_OK) {
    status = acme_add_attention(p, batch, l, s, e, w, (float)scale, causal != 0, a, b, c, result);
  }
  finish(p, status, result, out);
}

#define SYMBOL(name, function) {"_mlir_ciface_acme_" name, (void (*)(void))function}
static const buddy_runtime_symbol symbols[] = {SYMBOL("offload_linear", offload_linear),
                                               SYMBOL("offload_linear_bias", linear),
                                               SYMBOL("offload_attention", offload_attention)};
const buddy_runtime acme_runtime = {sizeof(acme_runtime), sizeof(symbols) / sizeof(*symbols),
                                    symbols};
