// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/margin.c: losses of what lies within a margin, whose classes are told by
 * number. */
#include <stdint.h>

#include "plugins/composite/rows.h"

static value at_least_0(buddy_call *call, value x) {
  return x ? BE_NODE(call, "aten.clamp.default", NULL, be_t("self", x), be_f("min", 0)) : NULL;
}

/* z where it is above 0, else 0, as ATen's kernels compare: NaN is not above it. */
static value above_0(buddy_call *call, value z) {
  return cp_where_number(call, cp_number(call, "aten.gt.Tensor", z, 0), z, 0);
}

/* number - x */
static value less(buddy_call *call, double number, value x) {
  return cp_add_number(call, cp_unary(call, "aten.neg.default", x), number);
}

/* input1, input2, target, margin, reduction: 1 - cos where the target is 1, max(0, cos - margin)
 * where it is -1. The vectors lie along the dim after the target's. */
buddy_code cp_op_cosine_embedding_loss(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = cp_computed(call, 0), b = cp_computed(call, 1), target = be_arg_value(call, 2);
  if (!a || !b || !target) return cp_finish(call, NULL);
  const uint64_t axis = 1ull << cp_type(call, target)->rank;
  value dot = cp_sum(call, cp_mul(call, a, b), axis, 0);
  value size_a = cp_add_number(call, cp_sum(call, cp_mul(call, a, a), axis, 0), 1e-12);
  value size_b = cp_add_number(call, cp_sum(call, cp_mul(call, b, b), axis, 0), 1e-12);
  value cosine =
      cp_div(call, dot, cp_unary(call, "aten.sqrt.default", cp_mul(call, size_a, size_b)));
  value apart = at_least_0(call, cp_by(call, "aten.sub.Tensor", cosine, 3));
  value is_near = cp_number(call, "aten.eq.Tensor", target, 1);
  value is_far = cp_number(call, "aten.eq.Tensor", target, -1);
  value loss = cp_add(call, cp_where_number(call, is_near, less(call, 1, cosine), 0),
                      cp_where_number(call, is_far, apart, 0));
  return cp_finish(call, cp_reduced(call, loss, be_int(call, 4, CP_REDUCTION_MEAN)));
}

/* [C] and a 0-d or 1-d target as [1, C] and [1, n] */
static void as_batch(buddy_call *call, value *x, value *target) {
  const buddy_tensor_type *type = cp_type(call, *x), *to = cp_type(call, *target);
  if (!type || !to || type->rank > 1) return;
  const int64_t dims[2] = {1, type->rank == 1 ? type->dims[0] : 1};
  const int64_t target_dims[2] = {1, to->rank == 1 ? to->dims[0] : 1};
  *x = cp_view(call, *x, 2, dims);
  *target = cp_view(call, *target, 2, target_dims);
}

/* What multi_margin_loss and its gradient are made of; the arguments from `first` on are self, target,
 * p, margin, weight. */
typedef struct multi_margin {
  double p;
  int64_t rows, classes;
  value is_own; /* [rows, classes]: the class is the row's target */
  value z;      /* margin - x[y] + x[j] where that is above 0, else 0; at the target, too */
  value weight; /* [rows, 1], of the targets; null: none */
} multi_margin;

static bool read_multi_margin(buddy_call *call, size_t first, multi_margin *at) {
  value x = cp_computed(call, first), target = be_arg_value(call, first + 1),
        weight = cp_computed(call, first + 4);
  as_batch(call, &x, &target);
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type || !target) return false;
  const int64_t column[2] = {type->dims[0], 1};
  at->p = be_float(call, first + 2, 1), at->rows = type->dims[0], at->classes = type->dims[1];
  value index = cp_view(call, target, 2, column), own = cp_gather(call, x, 1, index);
  at->z = above_0(call, cp_by(call, "aten.add.Tensor", cp_sub(call, x, own), first + 3));
  at->weight = NULL;
  if (weight) {
    const int64_t row[2] = {1, at->classes};
    value table = cp_expand(call, cp_view(call, weight, 2, row), 2, type->dims);
    at->weight = cp_gather(call, table, 1, index);
  }
  at->is_own = cp_binary(call, "aten.eq.Tensor", cp_iota(call, at->classes, BUDDY_I64), index);
  return at->z && at->is_own;
}

static buddy_code decline_power(buddy_call *call, double p) {
  return be_decline(call, "p is %g, not 1 or 2", p);
}

/* self, target, p, margin, weight, reduction: the sum over the other classes j of
 * weight[y] max(0, margin - x[y] + x[j])^p, over the number of classes */
buddy_code cp_op_multi_margin_loss(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  multi_margin at;
  const double p = be_float(call, 2, 1);
  if (p != 1 && p != 2) return decline_power(call, p);
  if (!read_multi_margin(call, 0, &at)) return cp_finish(call, NULL);
  value z = p == 2 ? cp_mul(call, at.z, at.z) : at.z;
  if (at.weight) z = cp_mul(call, z, at.weight);
  const buddy_tensor_type *type = cp_type(call, z);
  if (!type) return cp_finish(call, NULL);
  value others = cp_where(call, at.is_own, cp_full(call, type, 0), z);
  value loss = cp_dim(call, "aten.div.Tensor", cp_sum(call, others, 2, 0), at.classes);
  return cp_finish_shaped(call, 0, cp_reduced(call, loss, be_int(call, 5, CP_REDUCTION_MEAN)));
}

/* grad_output, self, target, p, margin, weight, reduction: what a class adds to the loss, its target
 * takes away */
buddy_code cp_op_multi_margin_loss_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  multi_margin at;
  value gradient = cp_computed(call, 0);
  const double p = be_float(call, 3, 1);
  if (p != 1 && p != 2) return decline_power(call, p);
  if (!gradient || !read_multi_margin(call, 1, &at)) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, at.z);
  value slope = p == 2 ? cp_mul_number(call, at.z, 2)
                       : cp_cast(call, cp_number(call, "aten.gt.Tensor", at.z, 0), type->dtype);
  slope = cp_dim(call, "aten.div.Tensor", slope, at.classes);
  if (be_int(call, 6, CP_REDUCTION_MEAN) == CP_REDUCTION_MEAN)
    slope = cp_dim(call, "aten.div.Tensor", slope, at.rows);
  if (at.weight) slope = cp_mul(call, slope, at.weight);
  slope = cp_where(call, at.is_own, cp_full(call, type, 0), slope);
  slope = cp_where(call, at.is_own, cp_unary(call, "aten.neg.default", cp_sum(call, slope, 2, 1)),
                   slope);
  if (cp_type(call, gradient)->rank > 0) {
    const int64_t column[2] = {at.rows, 1};
    gradient = cp_view(call, gradient, 2, column);
  }
  return cp_finish_shaped(call, 0, cp_mul(call, slope, gradient));
}

/* What multilabel_margin_loss and its gradient are made of. The targets of a sample are those before the first -1. */
typedef struct multilabel {
  int64_t rows, classes;
  value label;    /* [rows, classes]: the targets; 0 behind the last */
  value is_label; /* whether it is one */
  value names;    /* [rows, classes, classes]: target j is class k */
  value z;        /* [rows, classes, classes]: 1 - x[y] + x[k] where that is above 0, else 0 */
} multilabel;

static bool read_multilabel(buddy_call *call, size_t first, multilabel *at) {
  value x = cp_computed(call, first), target = be_arg_value(call, first + 1);
  as_batch(call, &x, &target);
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type || !target) return false;
  const int64_t n = at->rows = type->dims[0], classes = at->classes = type->dims[1];
  target = cp_checked(call, target, cp_number(call, "aten.ge.Tensor", target, -1),
                      "a target of multilabel_margin_loss is out of range");
  const int64_t down[3] = {n, classes, 1}, across[3] = {n, 1, classes};
  value is_set = cp_cast(call, cp_number(call, "aten.ge.Tensor", target, 0), BUDDY_I64);
  if (!is_set) return false;
  value in_front = BE_NODE(call, "aten.cumprod.default", cp_type(call, is_set),
                           be_t("self", is_set), be_i("dim", 1));
  at->is_label = cp_number(call, "aten.ne.Tensor", in_front, 0);
  at->label = cp_where_number(call, at->is_label, target, 0);
  value own = cp_view(call, cp_gather(call, x, 1, at->label), 3, down);
  at->z = above_0(call, cp_add_number(call, cp_sub(call, cp_view(call, x, 3, across), own), 1));
  at->names = cp_binary(call, "aten.eq.Tensor", cp_view(call, at->label, 3, down),
                        cp_iota(call, classes, BUDDY_I64));
  at->is_label = cp_view(call, at->is_label, 3, down);
  at->names = cp_binary(call, "aten.logical_and.default", at->names, at->is_label);
  return at->z && at->names;
}

/* Whether a target and a class that is none count: is_target, [rows, 1, classes], is 0 there. */
static value counted(buddy_call *call, const multilabel *at, value is_target) {
  return cp_binary(call, "aten.logical_and.default", at->is_label,
                   cp_number(call, "aten.eq.Tensor", is_target, 0));
}

/* self, target, reduction: the sum over targets y and other classes k of max(0, 1 - x[y] + x[k]), over the number of
 * classes; of two results the second is which classes are targets */
buddy_code cp_op_multilabel_margin_loss(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  multilabel at;
  if (!read_multilabel(call, 0, &at)) return cp_finish(call, NULL);
  value is_target = cp_amax(call, cp_cast(call, at.names, BUDDY_I64), 2, 1);
  value sum = cp_sum(call, cp_where_number(call, counted(call, &at, is_target), at.z, 0), 6, 0);
  value loss = cp_dim(call, "aten.div.Tensor", sum, at.classes);
  loss = cp_reduced(call, loss, be_int(call, 2, CP_REDUCTION_MEAN));
  const buddy_code code = cp_finish_shaped(call, 0, loss);
  return code || be_host->n_results(call) < 2 ? code : cp_finish_shaped(call, 1, is_target);
}

/* grad_output, self, target, reduction, is_target: what a class adds to the loss, the target takes away */
buddy_code cp_op_multilabel_margin_loss_backward(void *state, const buddy_op *self,
                                                 buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  multilabel at;
  value gradient = cp_computed(call, 0);
  if (!gradient || !read_multilabel(call, 1, &at)) return cp_finish(call, NULL);
  const int64_t across[3] = {at.rows, 1, at.classes}, column[2] = {at.rows, 1};
  value is_target = cp_view(call, be_arg_value(call, 4), 3, across);
  value slope =
      cp_cast(call, cp_number(call, "aten.gt.Tensor", at.z, 0), cp_type(call, at.z)->dtype);
  slope = cp_where_number(call, counted(call, &at, is_target), slope, 0);
  value own = cp_unary(call, "aten.neg.default", cp_sum(call, slope, 4, 0));
  slope = cp_sum(call, slope, 2, 0);
  if (!slope || !own) return cp_finish(call, NULL);
  slope = BE_NODE(call, "aten.scatter_add.default", cp_type(call, slope), be_t("self", slope),
                  be_i("dim", 1), be_t("index", at.label), be_t("src", own));
  slope = cp_dim(call, "aten.div.Tensor", slope, at.classes);
  if (be_int(call, 3, CP_REDUCTION_MEAN) == CP_REDUCTION_MEAN)
    slope = cp_dim(call, "aten.div.Tensor", slope, at.rows);
  if (cp_type(call, gradient)->rank > 0) gradient = cp_view(call, gradient, 2, column);
  return cp_finish_shaped(call, 0, cp_mul(call, slope, gradient));
}
