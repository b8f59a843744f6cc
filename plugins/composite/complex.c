// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/complex.c: ops on complex numbers in terms of ops on their parts, or of the
 * formula that holds for them as well. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

static value part(buddy_call *call, const char *op, value a) {
  if (!a) return NULL;
  const buddy_tensor_type *type = cp_type(call, a);
  if (!be_is_complex(type->dtype)) return NULL;
  return BE_NODE(call, op, be_with_dtype(call, type, cp_real_of(type->dtype)), be_t("self", a));
}

value cp_real(buddy_call *call, value a) { return part(call, "aten.real.default", a); }
value cp_imag(buddy_call *call, value a) { return part(call, "aten.imag.default", a); }

static value from_parts(buddy_call *call, value re, value im) {
  if (!re || !im) return NULL;
  return BE_NODE(call, "aten.complex.default", be_result_type(call, 0), be_t("real", re),
                 be_t("imag", im));
}

/* isnan, isinf, isfinite: user is what joins the answers about the parts */
buddy_code cp_op_complex_test(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  value x = be_arg_value(call, 0);
  value re = cp_real(call, x), im = cp_imag(call, x);
  return cp_finish(call, cp_binary(call, self->user, cp_unary(call, self->name, re),
                                   cp_unary(call, self->name, im)));
}

/* sinc: self */
buddy_code cp_op_complex_sinc(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0);
  if (!x) return cp_finish(call, NULL);
  value turned = cp_mul_number(call, x, M_PI);
  value ratio = cp_div(call, cp_unary(call, "aten.sin.default", turned), turned);
  value one = cp_full(call, be_type(call, cp_type(call, x)->dtype, 0, NULL), 1);
  return cp_finish(call, cp_where(call, cp_number(call, "aten.eq.Tensor", x, 0), one, ratio));
}

/* lerp: self, end, weight: from the end that is nearer */
buddy_code cp_op_complex_lerp(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value start = be_arg_value(call, 0), end = be_arg_value(call, 1), weight = cp_computed(call, 2);
  value way = cp_sub(call, end, start);
  value from_start = cp_add(call, start, cp_mul(call, weight, way));
  value rest = cp_dim(call, "aten.rsub.Tensor", weight, 1);
  value from_end = cp_sub(call, end, cp_mul(call, rest, way));
  value is_small =
      cp_number(call, "aten.lt.Tensor", cp_unary(call, "aten.abs.default", weight), 0.5);
  return cp_finish(call, cp_where(call, is_small, from_start, from_end));
}

/* logsumexp: self, dim, keepdim: shifted by the largest real part unless that is infinite */
buddy_code cp_op_complex_logsumexp(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = be_arg_value(call, 0);
  if (!x) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, x);
  const uint64_t axes = be_axes(call, 1, type->rank);
  value largest = cp_amax(call, cp_real(call, x), axes, 1);
  value base = cp_where_number(call, cp_unary(call, "aten.isfinite.default", largest), largest, 0);
  base = base ? cp_cast(call, base, type->dtype) : NULL;
  value sum = cp_sum(call, cp_unary(call, "aten.exp.default", cp_sub(call, x, base)), axes, 1);
  value result = cp_add(call, cp_unary(call, "aten.log.default", sum), base);
  return cp_finish_shaped(call, 0, result);
}

/* logaddexp: self, other: log1p beside the one of the larger real part. Two equal infinities have
 * no difference: those below zero are themselves, those above are added up as they are. Beside a
 * NaN there is none, be its real part infinite: exp of that is 0. */
buddy_code cp_op_complex_logaddexp(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0), y = be_arg_value(call, 1);
  value is_less = cp_binary(call, "aten.lt.Tensor", cp_real(call, x), cp_real(call, y));
  value low = cp_where(call, is_less, x, y), high = cp_where(call, is_less, y, x);
  value ratio = cp_unary(call, "aten.exp.default", cp_sub(call, low, high));
  value near = cp_add(call, cp_unary(call, "aten.log1p.default", ratio), high);
  value plain = cp_unary(call, "aten.log.default",
                         cp_add(call, cp_unary(call, "aten.exp.default", low),
                                cp_unary(call, "aten.exp.default", high)));
  value least = cp_real(call, low);
  value is_equal = cp_binary(call, "aten.eq.Tensor", least, cp_real(call, high));
  value is_lowest = cp_binary(call, "aten.logical_and.default", is_equal,
                              cp_number(call, "aten.eq.Tensor", least, -INFINITY));
  value is_highest = cp_binary(call, "aten.logical_and.default", is_equal,
                               cp_number(call, "aten.eq.Tensor", least, INFINITY));
  value sum = cp_where(call, is_lowest, low, cp_where(call, is_highest, plain, near));
  value none = cp_full(call, be_type(call, cp_type(call, x)->dtype, 0, NULL), NAN);
  return cp_finish(call, cp_where(call, cp_unary(call, "aten.isnan.default", low), none, sum));
}

/* ---- Random numbers -------------------------------------------------------------------------- */

/* rand, randn and their kin: real numbers twice as many, by the op that the row's user names. The
 * parts of a normal number have half its variance each. */
static buddy_code drawn(buddy_call *call, const char *op, const buddy_named_arg *args) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  int64_t dims[BE_MAX_RANK];
  if (to->rank >= BE_MAX_RANK)
    return be_decline(call, "rank %u is not below %d", to->rank, BE_MAX_RANK);
  for (uint32_t d = 0; d < to->rank; ++d) dims[d] = to->dims[d];
  dims[to->rank] = 2;
  value room = cp_full(call, be_type(call, cp_real_of(to->dtype), to->rank + 1, dims), 0);
  if (!room) return cp_finish(call, NULL);
  const buddy_named_arg all[3] = {be_t("self", room), args[0], args[1]};
  value parts = NULL;
  if (be_host->node(call, op, all, 3, cp_type(call, room), 1, &parts) != BUDDY_OK)
    return cp_finish(call, NULL);
  return be_replace(call, 0,
                    BE_NODE(call, "aten.view_as_complex.default", to, be_t("self", parts)));
}

/* rand, rand_like, uniform: self, from, to for the last, whose user is set */
buddy_code cp_op_complex_uniform(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_named_arg args[2] = {be_f("from", self->user ? be_float(call, 1, 0) : 0),
                                   be_f("to", self->user ? be_float(call, 2, 1) : 1)};
  return drawn(call, "aten.uniform.default", args);
}

/* randn, randn_like, normal_functional: self, mean, std for the last, whose user is set. The mean
 * is that of either part, as PyTorch has it. */
buddy_code cp_op_complex_normal(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const double mean = self->user ? be_float(call, 1, 0) : 0;
  const double deviation = self->user ? be_float(call, 2, 1) : 1;
  const buddy_named_arg args[2] = {be_f("mean", mean), be_f("std", deviation * M_SQRT1_2)};
  return drawn(call, "aten.normal_functional.default", args);
}

/* ---- The same op on the parts ---------------------------------------------------------------- */

enum { MAX_ARGS = 12 };

/* The row's names of its arguments, one by one. 0 when memory is out. */
static int list_names(buddy_call *call, const buddy_op *self, const char **out_names, size_t n) {
  const size_t size = strlen(self->args) + 1;
  char *text = be_host->scratch(call, size);
  if (!text) return 0;
  memcpy(text, self->args, size);
  char *rest = text;
  for (size_t i = 0; i < n; ++i) out_names[i] = strtok_r(rest, ", ", &rest);
  return 1;
}

/* An op with the arguments of this one, but other tensors for the first: null ones are None. */
static value on_parts(buddy_call *call, const buddy_op *self, const char *op,
                      const buddy_tensor_type *type, const value *parts, size_t n_parts) {
  const size_t n = be_host->n_args(call);
  const char *names[MAX_ARGS];
  buddy_named_arg args[MAX_ARGS];
  value result = NULL;
  if (!type || n > MAX_ARGS || !list_names(call, self, names, n)) return NULL;
  for (size_t i = 0; i < n; ++i) {
    args[i] = be_pass(call, names[i], i);
    if (i < n_parts) args[i].arg = (buddy_arg){.kind = BUDDY_ARG_NONE};
    if (i < n_parts && parts[i]) args[i] = be_t(names[i], parts[i]);
  }
  return be_host->node(call, op, args, n, type, 1, &result) == BUDDY_OK ? result : NULL;
}

/* var, std, var_mean, std_mean: self, dim, …, or self, unbiased; user: the overload of var with the
 * same arguments. The variance is that of both parts together. */
buddy_code cp_op_complex_variance(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = be_arg_value(call, 0), re = cp_real(call, x), im = cp_imag(call, x);
  if (!re || !im) return cp_finish(call, NULL);
  value sum = cp_add(call, on_parts(call, self, self->user, to, &re, 1),
                     on_parts(call, self, self->user, to, &im, 1));
  const bool is_root = strncmp(self->name, "aten.std", 8) == 0;
  const buddy_code code = cp_finish(call, is_root ? cp_unary(call, "aten.sqrt.default", sum) : sum);
  if (code != BUDDY_OK || be_host->n_results(call) == 1) return code;
  const uint32_t rank = cp_type(call, x)->rank;
  const uint64_t axes = be_host->n_args(call) > 2 ? be_axes(call, 1, rank) : cp_all_axes(rank);
  return cp_finish_shaped(call, 1, cp_mean(call, x, axes, 1));
}

/* Convolutions: input, weight, bias, …: linear in the parts of either */
buddy_code cp_op_complex_convolution(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const buddy_tensor_type *real = be_with_dtype(call, to, cp_real_of(to->dtype));
  value x = be_arg_value(call, 0), w = be_arg_value(call, 1), bias = be_arg_value(call, 2);
  const value xs[2] = {cp_real(call, x), cp_imag(call, x)},
              ws[2] = {cp_real(call, w), cp_imag(call, w)},
              biases[2] = {cp_real(call, bias), cp_imag(call, bias)};
  if (!real || !xs[0] || !xs[1] || !ws[0] || !ws[1]) return cp_finish(call, NULL);
  value products[2][2];
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) {
      /* the bias once: with the first product of either part of the result */
      const value parts[3] = {xs[i], ws[k], i == 0 ? biases[k] : NULL};
      products[i][k] = on_parts(call, self, self->name, real, parts, 3);
    }
  }
  return cp_finish(call, from_parts(call, cp_sub(call, products[0][0], products[1][1]),
                                    cp_add(call, products[0][1], products[1][0])));
}
