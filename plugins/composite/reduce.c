// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/reduce.c: means, variances and norms in terms of sums. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

static value to_compute(buddy_call *call, size_t i, buddy_dtype result) {
  value a = be_arg_value(call, i);
  return a ? cp_cast(call, a, cp_compute_dtype(result)) : NULL;
}

/* mean(self, dtype) and mean.dim(self, dim, keepdim, dtype): user is set for the second */
buddy_code cp_op_mean(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  value x = to_compute(call, 0, be_result_type(call, 0)->dtype);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank;
  return cp_finish_shaped(
      call, 0, cp_mean(call, x, self->user ? be_axes(call, 1, rank) : cp_all_axes(rank), 1));
}

/* ---- Variance -------------------------------------------------------------------------------- */
typedef struct spread {
  value mean, variance;
} spread;

/* Far from zero, what a sum in f32 loses is as large as x - mean: what is left of that is added. */
static value narrow_mean(buddy_call *call, value x, uint64_t axes) {
  value mean = cp_mean(call, x, axes, 1);
  return cp_add(call, mean, cp_mean(call, cp_sub(call, x, mean), axes, 1));
}

int cp_is_narrow(const buddy_op *self) { return (self->flags & BUDDY_ROW_LAST) != 0; }

/* sum((x - mean)^2) / max(0, n - correction); of f32 in f64: far from zero, what deviates is beyond
 * the digits that a mean in f32 has left. */
static spread spread_of(buddy_call *call, value x, uint64_t axes, value less, double correction,
                        bool is_narrow) {
  if (x && cp_type(call, x)->dtype == BUDDY_F32 && !is_narrow) x = cp_cast(call, x, BUDDY_F64);
  spread s = {.mean = is_narrow ? narrow_mean(call, x, axes) : cp_mean(call, x, axes, 1)};
  value centred = cp_sub(call, x, s.mean);
  value sum = cp_sum(call, cp_mul(call, centred, centred), axes, 1);
  const int64_t n = cp_count(call, x, axes);
  if (!sum) return s;
  if (less || (BUDDY_IS_SYMBOLIC(n) && correction != floor(correction))) {
    value count = cp_counted(call, n, cp_type(call, sum)->dtype);
    count = less ? cp_sub(call, count, cp_cast(call, less, cp_type(call, sum)->dtype))
                 : cp_add_number(call, count, -correction);
    s.variance = cp_div(call, sum, cp_unary(call, "aten.relu.default", count));
  } else if (!BUDDY_IS_SYMBOLIC(n)) {
    s.variance = cp_number(call, "aten.div.Tensor", sum, fmax(0, (double)n - correction));
  } else {
    const int64_t fewer =
        be_dim(call, BUDDY_DIM_MAX, 0, be_dim(call, BUDDY_DIM_SUB, n, (int64_t)correction));
    s.variance = cp_dim(call, "aten.div.Tensor", sum, fewer);
  }
  return s;
}

/* Overloads: (self, dim, correction, keepdim), (self, dim, unbiased, keepdim) and (self, unbiased).
 * The row's user is the form, and whether the root is taken. */
enum { FORM_CORRECTION = 1, FORM_DIM = 2, FORM_ALL = 3, FORM_MASK = 3, FORM_ROOT = 4 };

static buddy_code variance(buddy_call *call, const buddy_op *self, int with_mean) {
  const intptr_t form = (intptr_t)self->user;
  cp_read_all(call);
  value x = to_compute(call, 0, be_result_type(call, 0)->dtype);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank;
  const bool is_all = (form & FORM_MASK) == FORM_ALL;
  const uint64_t axes = is_all ? cp_all_axes(rank) : be_axes(call, 1, rank);
  value less = NULL;
  double correction = 0;
  if ((form & FORM_MASK) != FORM_CORRECTION) {
    correction = be_bool(call, is_all ? 1 : 2) ? 1 : 0;
  } else if (cp_is_known(call, 2)) {
    correction = be_float(call, 2, 1);
  } else {
    less = cp_computed(call, 2);
  }
  spread s = spread_of(call, x, axes, less, correction, cp_is_narrow(self));
  if (form & FORM_ROOT) s.variance = cp_unary(call, "aten.sqrt.default", s.variance);
  const buddy_code code = cp_finish_shaped(call, 0, s.variance);
  if (!with_mean || code != BUDDY_OK) return code;
  return cp_finish_shaped(call, 1, s.mean);
}

buddy_code cp_op_variance(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return variance(call, self, 0);
}

buddy_code cp_op_variance_and_mean(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return variance(call, self, 1);
}

/* ---- Norms ----------------------------------------------------------------------------------- */
static value lowest(buddy_call *call, value size, uint64_t axes) {
  value largest = cp_amax(call, cp_unary(call, "aten.neg.default", size), axes, 1);
  return cp_unary(call, "aten.neg.default", largest);
}

static value count_set(buddy_call *call, value x, uint64_t axes) {
  value is_set = cp_number(call, "aten.ne.Tensor", x, 0);
  return cp_sum(call, is_set ? cp_cast(call, is_set, cp_type(call, x)->dtype) : NULL, axes, 1);
}

/* Whether a norm is one of a single number, which is its size and no root of a power, however large or small that is:
 * a truth value; null: it is not. */
static value is_of_one(buddy_call *call, value size, uint64_t axes) {
  const int64_t n = cp_count(call, size, axes);
  if (!BUDDY_IS_SYMBOLIC(n) && n != 1) return NULL;
  return cp_number(call, "aten.eq.Tensor", cp_counted(call, n, BUDDY_I64), 1);
}

/* Of an order that the program computes. */
static value norm_of_computed(buddy_call *call, value size, uint64_t axes, bool is_power_sum) {
  value ord = cp_cast(call, cp_computed(call, 1), cp_type(call, size)->dtype), power, norm;
  if (!ord || !size) return NULL;
  power = BE_NODE(call, "aten.pow.Tensor_Tensor", NULL, be_t("self", size), be_t("exponent", ord));
  norm = cp_sum(call, power, axes, 1);
  if (norm && !is_power_sum) {
    value none = cp_where_number(call, cp_number(call, "aten.lt.Tensor", ord, 0),
                                 cp_scalar(call, cp_type(call, ord)->dtype, INFINITY), 0);
    value root = BE_NODE(call, "aten.pow.Tensor_Tensor", NULL, be_t("self", norm),
                         be_t("exponent", cp_unary(call, "aten.reciprocal.default", ord)));
    norm = cp_where(call, cp_number(call, "aten.eq.Tensor", norm, 0), none, root);
  }
  norm =
      cp_where(call, cp_number(call, "aten.eq.Tensor", ord, 0), count_set(call, size, axes), norm);
  if (is_power_sum) return norm;
  value is_largest = cp_number(call, "aten.eq.Tensor", ord, INFINITY);
  norm = cp_where(call, is_largest, cp_amax(call, size, axes, 1), norm);
  norm = cp_where(call, cp_number(call, "aten.eq.Tensor", ord, -INFINITY), lowest(call, size, axes),
                  norm);
  value is_one = is_of_one(call, size, axes);
  if (is_one) {
    is_one = cp_binary(call, "aten.logical_and.default", is_one,
                       cp_number(call, "aten.ne.Tensor", ord, 0));
    norm = cp_where(call, is_one, cp_sum(call, size, axes, 1), norm);
  }
  value has_none = cp_binary(call, "aten.logical_or.default", is_largest,
                             cp_number(call, "aten.lt.Tensor", ord, 0));
  value is_some =
      cp_number(call, "aten.gt.Tensor", cp_counted(call, cp_count(call, size, axes), BUDDY_I64), 0);
  return cp_checked(call, norm,
                    cp_binary(call, "aten.logical_or.default", is_some,
                              cp_unary(call, "aten.logical_not.default", has_none)),
                    "a norm of this order over an empty dim has no value");
}

static value raised(buddy_call *call, value base, double exponent) {
  return base ? BE_NODE(call, "aten.pow.Tensor_Scalar", NULL, be_t("self", base),
                        be_f("exponent", exponent))
              : NULL;
}

/* self, ord, dim, keepdim, dtype; user is set for the sum of powers, of which no root is taken */
buddy_code cp_op_vector_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const bool is_power_sum = self->user != NULL;
  value x = be_arg_value(call, 0);
  if (x && be_is_complex(cp_type(call, x)->dtype)) x = cp_unary(call, "aten.abs.default", x);
  if (x) x = cp_cast(call, x, cp_compute_dtype(be_result_type(call, 0)->dtype));
  if (!x) return cp_finish(call, NULL);
  const uint64_t axes = be_axes(call, 2, cp_type(call, x)->rank);
  value size = cp_unary(call, "aten.abs.default", x);
  if (!cp_is_known(call, 1))
    return cp_finish_shaped(call, 0, norm_of_computed(call, size, axes, is_power_sum));
  const double ord = be_float(call, 1, 2);
  if (is_power_sum && fabs(ord) == INFINITY) return be_decline(call, "a sum of infinite powers");
  if (ord == INFINITY) return cp_finish_shaped(call, 0, cp_amax(call, size, axes, 1));
  if (ord == -INFINITY) return cp_finish_shaped(call, 0, lowest(call, size, axes));
  if (ord == 1) return cp_finish_shaped(call, 0, cp_sum(call, size, axes, 1));
  if (ord == 0) return cp_finish_shaped(call, 0, count_set(call, size, axes));
  value is_one = is_power_sum ? NULL : is_of_one(call, size, axes);
  if (is_one && cp_count(call, size, axes) == 1)
    return cp_finish_shaped(call, 0, cp_sum(call, size, axes, 1));
  value power = ord == 2 ? cp_mul(call, x, x) : raised(call, size, ord);
  value sum = cp_sum(call, is_one ? cp_where(call, is_one, size, power) : power, axes, 1);
  if (is_power_sum) return cp_finish_shaped(call, 0, sum);
  value root = ord == 2 ? cp_unary(call, "aten.sqrt.default", sum) : raised(call, sum, 1 / ord);
  return cp_finish_shaped(call, 0, is_one ? cp_where(call, is_one, sum, root) : root);
}

/* norm: self, p, and perhaps dim, keepdim: the vector norm, in the result's dtype, of the sizes of
 * complex numbers */
buddy_code cp_op_plain_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const bool has_dims = be_host->n_args(call) > 3;
  value x = be_arg_value(call, 0);
  if (x && be_is_complex(cp_type(call, x)->dtype)) x = cp_unary(call, "aten.abs.default", x);
  x = x ? cp_cast(call, x, to->dtype) : NULL;
  if (!x) return cp_finish(call, NULL);
  const buddy_named_arg none = be_t("dim", NULL);
  return cp_finish(call, BE_NODE(call, "aten.linalg_vector_norm.default", to, be_t("self", x),
                                 be_is_none(call, 1) ? be_i("ord", 2) : be_pass(call, "ord", 1),
                                 has_dims ? be_pass(call, "dim", 2) : none,
                                 be_b("keepdim", has_dims && be_bool(call, 3))));
}

/* ---- Counting and extremes ------------------------------------------------------------------- */
/* self[, dim]: user is set where there is a dim */
buddy_code cp_op_count_nonzero(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0);
  const uint32_t rank = cp_type(call, x)->rank;
  uint64_t axes = cp_all_axes(rank);
  const buddy_arg *dim = be_arg(call, 1);
  if (dim->kind == BUDDY_ARG_INT) axes = 1ull << be_axis(call, 1, rank, 0);
  if (dim->kind == BUDDY_ARG_INTS) axes = be_axes(call, 1, rank);
  value is_set = cp_number(call, "aten.ne.Tensor", x, 0);
  return cp_finish(call, cp_sum(call, is_set ? cp_cast(call, is_set, BUDDY_I64) : NULL, axes, 0));
}

buddy_code cp_op_aminmax(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0);
  const uint32_t rank = cp_type(call, x)->rank;
  int64_t axes[BE_MAX_RANK];
  size_t n = 0;
  if (rank > BE_MAX_RANK) return be_decline(call, "rank %u is above %d", rank, BE_MAX_RANK);
  if (!be_is_none(call, 1)) {
    if (rank > 0) axes[n++] = be_axis(call, 1, rank, 0);
  } else {
    for (uint32_t d = 0; d < rank; ++d) axes[n++] = d;
  }
  const int keepdim = be_bool(call, 2);
  static const char *const ops[] = {"aten.amin.default", "aten.amax.default"};
  for (size_t i = 0; i < 2; ++i) {
    value extreme = n == 0 ? x
                           : BE_NODE(call, ops[i], be_result_type(call, i), be_t("self", x),
                                     be_is("dim", axes, n), be_b("keepdim", keepdim));
    const buddy_code code = be_replace(call, i, extreme);
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}
