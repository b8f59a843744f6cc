// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/random.c: ops that draw random numbers and then compute with them. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* True with probability 1 - p, of the given dims. */
static value kept(buddy_call *call, uint32_t rank, const int64_t *dims, double p) {
  const buddy_tensor_type *type = be_type(call, BUDDY_BOOL, rank, dims);
  value like = cp_full(call, type, 0);
  return like ? BE_NODE(call, "aten.bernoulli.p", type, be_t("self", like), be_f("p", 1 - p))
              : NULL;
}

value cp_dropout(buddy_call *call, value x, double p) {
  if (!x || p == 0) return x;
  const buddy_tensor_type *type = cp_type(call, x);
  value mask = cp_cast(call, kept(call, type->rank, type->dims, p), type->dtype);
  return cp_mul_number(call, cp_mul(call, x, mask), p < 1 ? 1 / (1 - p) : 0);
}

/* dropout: input, p, train */
buddy_code cp_op_dropout(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  return cp_finish(
      call, cp_dropout(call, cp_computed(call, 0), be_bool(call, 2) ? be_float(call, 1, 0) : 0));
}

/* native_dropout: input, p, train: the result and what was kept */
buddy_code cp_op_native_dropout(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const bool is_on = be_is_none(call, 2) || be_bool(call, 2);
  const double p = is_on ? be_float(call, 1, 0) : 0;
  value x = cp_computed(call, 0);
  if (!x) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, x);
  value mask = kept(call, type->rank, type->dims, p);
  if (!is_on) mask = cp_full(call, be_with_dtype(call, type, BUDDY_BOOL), 1);
  value y = cp_mul(call, x, cp_cast(call, mask, type->dtype));
  const buddy_code code = cp_finish(call, cp_mul_number(call, y, p < 1 ? 1 / (1 - p) : 0));
  return code == BUDDY_OK ? be_replace(call, 1, mask) : code;
}

enum { DROPS_FEATURES = 1, IS_ALPHA = 2 };

/* feature_dropout drops whole channels; alpha_dropout puts selu's lowest value in place of what it
 * drops, and scales so that mean and variance stay: input, p, train; user: which of both */
buddy_code cp_op_other_dropout(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const intptr_t what = (intptr_t)self->user;
  const double p = be_bool(call, 2) ? be_float(call, 1, 0) : 0, lowest = 1.7580993408473766;
  value x = cp_computed(call, 0);
  if (!x || p == 0) return cp_finish(call, x);
  const buddy_tensor_type *type = cp_type(call, x);
  int64_t dims[BE_MAX_RANK];
  if (type->rank > BE_MAX_RANK)
    return be_decline(call, "rank %u is above %d", type->rank, BE_MAX_RANK);
  if ((what & DROPS_FEATURES) && type->rank < 2)
    return be_decline(call, "an input of rank %u has no channels", type->rank);
  for (uint32_t d = 0; d < type->rank; ++d)
    dims[d] = d >= 2 && (what & DROPS_FEATURES) ? 1 : type->dims[d];
  value mask = cp_cast(call, kept(call, type->rank, dims, p), type->dtype);
  if (p == 1) return cp_finish(call, cp_mul_number(call, x, 0));
  if (!(what & IS_ALPHA))
    return cp_finish(call, cp_mul(call, x, cp_mul_number(call, mask, 1 / (1 - p))));
  /* a (x where kept, -lowest elsewhere) + a lowest p */
  const double a = 1 / sqrt((lowest * lowest * p + 1) * (1 - p));
  value shift = cp_add_number(call, cp_mul_number(call, mask, a * lowest), -a * lowest);
  value scaled = cp_mul(call, x, cp_mul_number(call, mask, a));
  return cp_finish(call, cp_add_number(call, cp_add(call, scaled, shift), a * lowest * p));
}

/* rrelu: self, lower, upper, training; rrelu_with_noise_functional: self, noise, lower, upper,
 * training, and the noise as a second result. user: where `lower` is */
buddy_code cp_op_rrelu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const size_t at = (size_t)(uintptr_t)self->user;
  const double lower = be_float(call, at, 1.0 / 8), upper = be_float(call, at + 1, 1.0 / 3);
  value x = cp_computed(call, 0);
  if (!x) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, x);
  value is_positive = cp_number(call, "aten.gt.Tensor", x, 0), slope = NULL;
  if (be_bool(call, at + 2)) {
    slope = BE_NODE(call, "aten.uniform.default", type, be_t("self", x), be_f("from", lower),
                    be_f("to", upper));
    slope =
        cp_where(call, is_positive, cp_full(call, be_type(call, type->dtype, 0, NULL), 1), slope);
  }
  value low = slope ? cp_mul(call, x, slope) : cp_mul_number(call, x, (lower + upper) / 2);
  const buddy_code code = cp_finish(call, cp_where(call, is_positive, x, low));
  if (be_host->n_results(call) < 2 || code != BUDDY_OK) return code;
  return be_replace(
      call, 1,
      slope ? cp_cast(call, slope, be_result_type(call, 1)->dtype) : be_arg_value(call, 1));
}

/* A permutation: the order of random keys, of 62 bits, so that equal ones are not met with. */
buddy_code cp_op_randperm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *type = be_with_dtype(call, be_result_type(call, 0), BUDDY_I64);
  value keys =
      BE_NODE(call, "aten.randint.low", type, be_i("low", 0), be_i("high", INT64_C(1) << 62),
              be_is("size", type->dims, 1), be_d("dtype", BUDDY_I64));
  return cp_finish(call,
                   keys ? BE_NODE(call, "aten.argsort.default", type, be_t("self", keys)) : NULL);
}

/* With replacement: where a uniform number falls among the cumulated weights. Without: the largest
 * of the weights over exponential numbers. self, num_samples, replacement */
buddy_code cp_op_multinomial(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  value weights = cp_computed(call, 0);
  if (!weights) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, weights);
  const uint32_t last = type->rank - 1;
  weights = cp_checked(
      call, weights,
      cp_binary(call, "aten.logical_and.default", cp_number(call, "aten.ge.Tensor", weights, 0),
                cp_number(call, "aten.lt.Tensor", weights, INFINITY)),
      "a weight of multinomial is negative, infinite or NaN");
  weights = cp_checked(
      call, weights,
      cp_number(call, "aten.gt.Tensor", cp_sum(call, weights, UINT64_C(1) << last, 0), 0),
      "the weights of multinomial sum up to 0");
  if (!weights) return cp_finish(call, NULL);
  if (!be_bool(call, 2)) {
    value race = BE_NODE(call, "aten.exponential.default", type, be_t("self", weights));
    race = cp_div(call, weights, race);
    if (!race) return cp_finish(call, NULL);
    value order = BE_NODE(call, "aten.argsort.default", be_with_dtype(call, type, BUDDY_I64),
                          be_t("self", race), be_i("dim", last), be_b("descending", 1));
    return cp_finish(call, order ? cp_slice(call, order, last, 0, to->dims[last], 1) : NULL);
  }
  value sums = BE_NODE(call, "aten.cumsum.default", type, be_t("self", weights), be_i("dim", last));
  if (!sums) return cp_finish(call, NULL);
  const buddy_tensor_type *drawn = be_with_dtype(call, to, type->dtype);
  value total = cp_slice(call, sums, last, be_dim(call, BUDDY_DIM_SUB, type->dims[last], 1), 1, 1);
  value at = BE_NODE(call, "aten.rand.default", drawn, be_is("size", to->dims, to->rank),
                     be_d("dtype", type->dtype));
  at = cp_mul(call, at, total);
  return cp_finish(call,
                   at ? BE_NODE(call, "aten.searchsorted.Tensor", to, be_t("sorted_sequence", sums),
                                be_t("self", at), be_b("right", 1))
                      : NULL);
}

/* Gamma variates over their sum along the last dim. */
buddy_code cp_op_dirichlet(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value shape = cp_computed(call, 0);
  if (!shape) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, shape);
  if (type->rank == 0) return be_decline(call, "a 0-d tensor has no last dim");
  value drawn = BE_NODE(call, "aten._standard_gamma.default", type, be_t("self", shape));
  return cp_finish(call, cp_div(call, drawn, cp_sum(call, drawn, 1ull << (type->rank - 1), 1)));
}
