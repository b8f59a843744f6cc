// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/signal.c: window functions of signal processing, and sequences as padded
 * tensors. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

/* ---- Windows --------------------------------------------------------------------------------- */
enum { HAMMING, BLACKMAN, BARTLETT, KAISER };

static value cosine(buddy_call *call, value n, double frequency, double weight) {
  value angle = cp_mul_number(call, n, frequency);
  return cp_mul_number(call, cp_unary(call, "aten.cos.default", angle), weight);
}

/* 1 - |2n / last - 1| */
static value triangle(buddy_call *call, value n, double last) {
  value slope = cp_add_number(call, cp_mul_number(call, n, 2 / last), -1);
  value size = cp_unary(call, "aten.abs.default", slope);
  return cp_add_number(call, cp_mul_number(call, size, -1), 1);
}

/* I0(beta √(1 - (2n / last - 1)²)) / I0(beta) */
static value kaiser(buddy_call *call, value n, double last, double beta) {
  value slope = cp_add_number(call, cp_mul_number(call, n, 2 / last), -1);
  value square = cp_mul_number(call, cp_mul(call, slope, slope), -1);
  value root = cp_unary(call, "aten.sqrt.default", cp_add_number(call, square, 1));
  value bessel = cp_unary(call, "aten.i0.default", cp_mul_number(call, root, beta));
  const buddy_tensor_type *type = cp_type(call, n);
  const buddy_tensor_type *scalar = type ? be_type(call, type->dtype, 0, NULL) : NULL;
  if (!scalar) return NULL;
  value whole = cp_unary(call, "aten.i0.default", cp_full(call, scalar, beta));
  return cp_div(call, bessel, whole);
}

/* window_length, and as many of the further ones as the row has before the options: periodic
 * (True), alpha, beta. user: the window; plus 8 for each of the further ones. A periodic window is
 * the beginning of one that is longer by one. */
static buddy_code window(buddy_call *call, intptr_t user, double alpha, double beta) {
  const int form = (int)(user & 7), n_further = (int)(user >> 3);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const int64_t length = be_int(call, 0, 0);
  const bool is_periodic = n_further == 0 || be_bool(call, 1);
  cp_read_all(call);
  if (length <= 1) return cp_finish(call, cp_full(call, to, 1));
  const double last = (double)(is_periodic ? length : length - 1);
  value n = cp_iota(call, length, cp_compute_dtype(to->dtype));
  value taper = NULL;
  switch (form) {
    case HAMMING:
      taper = cp_add_number(call, cosine(call, n, 2 * M_PI / last, -beta), alpha);
      break;
    case BLACKMAN:
      taper = cp_add(call, cosine(call, n, 2 * M_PI / last, -0.5),
                     cosine(call, n, 4 * M_PI / last, 0.08));
      taper = cp_add_number(call, taper, 0.42);
      break;
    case BARTLETT:
      taper = triangle(call, n, last);
      break;
    default:
      taper = kaiser(call, n, last, beta);
  }
  return cp_finish(call, taper);
}

buddy_code cp_op_hann_window(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return window(call, (intptr_t)self->user, 0.5, 0.5);
}

buddy_code cp_op_window(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const intptr_t user = (intptr_t)self->user;
  const int n_further = (int)(user >> 3);
  if ((user & 7) == KAISER)
    return window(call, user, 0, n_further > 1 ? be_float(call, 2, 12) : 12);
  return window(call, user, n_further > 1 ? be_float(call, 2, 0.54) : 0.54,
                n_further > 2 ? be_float(call, 3, 0.46) : 0.46);
}

/* ---- Sequences ------------------------------------------------------------------------------- */
/* sequences, batch_first, padding_value, padding_side: each padded along its first dim */
buddy_code cp_op_pad_sequence(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_arg *sequences = be_arg(call, 0), *side = be_arg(call, 3);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const bool is_left = side->kind == BUDDY_ARG_STRING && strcmp(side->as.string, "left") == 0;
  const int batch_first = be_bool(call, 1);
  const int64_t length = to->dims[batch_first ? 1 : 0];
  value padded[64];
  if (sequences->n > 64) return be_decline(call, "more than 64 sequences");
  for (size_t i = 0; i < sequences->n; ++i) {
    value x = sequences->as.tensors[i];
    const buddy_tensor_type *type = cp_type(call, x);
    int64_t pad[2 * BE_MAX_RANK] = {0}, dims[BE_MAX_RANK];
    if (!type || type->rank > BE_MAX_RANK) return cp_finish(call, NULL);
    memcpy(dims, type->dims, type->rank * sizeof(*dims));
    pad[2 * (type->rank - 1) + (is_left ? 0 : 1)] = be_dim(call, BUDDY_DIM_SUB, length, dims[0]);
    dims[0] = length; /* constant_pad_nd counts from the last dim */
    padded[i] = BE_NODE(call, "aten.constant_pad_nd.default",
                        be_type(call, type->dtype, type->rank, dims), be_t("self", x),
                        be_is("pad", pad, 2 * type->rank), be_f("value", be_float(call, 2, 0)));
    if (!padded[i]) return cp_finish(call, NULL);
  }
  return cp_finish(call,
                   BE_NODE(call, "aten.stack.default", to, be_ts("tensors", padded, sequences->n),
                           be_i("dim", batch_first ? 0 : 1)));
}

/* tensors: one after the other, each as a vector */
buddy_code cp_op_flatten_dense(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *tensors = be_arg(call, 0);
  value flat[64];
  if (tensors->n > 64) return be_decline(call, "more than 64 tensors");
  for (size_t i = 0; i < tensors->n; ++i) {
    const int64_t n = be_n_elements(call, cp_type(call, tensors->as.tensors[i]));
    flat[i] = cp_view(call, tensors->as.tensors[i], 1, &n);
    if (!flat[i]) return cp_finish(call, NULL);
  }
  return cp_finish(call, BE_NODE(call, "aten.cat.default", be_result_type(call, 0),
                                 be_ts("tensors", flat, tensors->n), be_i("dim", 0)));
}
