// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/loss.c: losses: a formula of the elements, then a mean, a sum or nothing. f16
 * and bf16 are computed in f32. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

static value total(buddy_call *call, value x) {
  return x ? cp_sum(call, x, cp_all_axes(cp_type(call, x)->rank), 0) : NULL;
}

value cp_reduced(buddy_call *call, value loss, int64_t reduction) {
  if (!loss || reduction == CP_REDUCTION_NONE) return loss;
  const uint64_t axes = cp_all_axes(cp_type(call, loss)->rank);
  return reduction == CP_REDUCTION_MEAN ? cp_mean(call, loss, axes, 0)
                                        : cp_sum(call, loss, axes, 0);
}

static value neg(buddy_call *call, value x) { return cp_unary(call, "aten.neg.default", x); }
static value log_of(buddy_call *call, value x) { return cp_unary(call, "aten.log.default", x); }
static value log1p_of(buddy_call *call, value x) { return cp_unary(call, "aten.log1p.default", x); }
static value at_least(buddy_call *call, value x, double low) {
  return x ? BE_NODE(call, "aten.clamp.default", NULL, be_t("self", x), be_f("min", low)) : NULL;
}
/* Whole numbers as floats, where a fraction comes to them. */
static value in_fractions(buddy_call *call, value x) {
  if (!x) return NULL;
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  return be_is_float(dtype) || be_is_complex(dtype) ? x : cp_cast(call, x, BUDDY_F32);
}

/* -weight (t log x + (1 - t) log(1 - x)), the logarithms not below -100 */
buddy_code cp_op_binary_cross_entropy(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0), t = cp_computed(call, 1), weight = cp_computed(call, 3);
  x = cp_checked(call, x, cp_within(call, x, 0, 1),
                 "an input of binary_cross_entropy is not between 0 and 1");
  value hit = at_least(call, log_of(call, x), -100);
  value miss = at_least(call, log1p_of(call, neg(call, x)), -100);
  value loss = cp_sub(call, cp_mul(call, cp_add_number(call, t, -1), miss), cp_mul(call, t, hit));
  if (weight) loss = cp_mul(call, loss, weight);
  return cp_finish(call, cp_reduced(call, loss, be_int(call, 2, 1)));
}

/* ---- Of classes: scores [C] or [N, C, …], target [] or [N, …] -------------------------------- */
/* One target class per row: what it is, whether it counts, and with which weight (0 if it does
 * not). */
typedef struct classes {
  uint32_t dim; /* of the scores, over classes */
  value target, is_valid, weight;
} classes;

/* self, target, reduction, weight, ignore_index */
static classes read_classes(buddy_call *call, buddy_dtype dtype) {
  const buddy_tensor_type *scores = be_arg_type(call, 0), *type = be_arg_type(call, 1);
  classes c = {.dim = scores->rank > 1 ? 1 : 0};
  value target = be_arg_value(call, 1), weight = be_arg_value(call, 3);
  c.is_valid =
      BE_NODE(call, "aten.ne.Tensor", NULL, be_t("self", target), be_pass(call, "other", 4));
  c.target = cp_where_number(call, c.is_valid, target, 0);
  if (!c.target) return c;
  if (weight) {
    const int64_t n = be_n_elements(call, type);
    value picked = cp_rows(call, weight, cp_view(call, c.target, 1, &n));
    weight = cp_cast(call, cp_view(call, picked, type->rank, type->dims), dtype);
  } else {
    weight = cp_full(call, be_with_dtype(call, type, dtype), 1);
  }
  c.weight = cp_where_number(call, c.is_valid, weight, 0);
  return c;
}

/* -weight x[target], 0 where the target does not count */
static value picked_scores(buddy_call *call, const classes *c, value x) {
  if (!x || !c->target) return NULL;
  const buddy_tensor_type *from = cp_type(call, x), *type = cp_type(call, c->target);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, from->dims, from->rank * sizeof(*dims));
  dims[c->dim] = 1;
  value index = cp_view(call, cp_cast(call, c->target, BUDDY_I64), from->rank, dims);
  if (!index) return NULL;
  value picked = BE_NODE(call, "aten.gather.default", be_type(call, from->dtype, from->rank, dims),
                         be_t("self", x), be_i("dim", c->dim), be_t("index", index));
  picked = cp_view(call, picked, type->rank, type->dims);
  return cp_where_number(call, c->is_valid, neg(call, cp_mul(call, picked, c->weight)), 0);
}

/* The mean is weighted. */
static value reduced_classes(buddy_call *call, const classes *c, value loss, int64_t reduction) {
  if (reduction == CP_REDUCTION_NONE) return loss;
  value sum = total(call, loss);
  return reduction == CP_REDUCTION_MEAN ? cp_div(call, sum, total(call, c->weight)) : sum;
}

/* nll_loss in all its forms; nll_loss_forward also gives the total weight. */
buddy_code cp_op_nll_loss(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = cp_computed(call, 0);
  const int64_t reduction = be_int(call, 2, 1);
  if (cp_type(call, x)->rank > BE_MAX_RANK) return be_decline(call, "the rank is too high");
  const classes c = read_classes(call, cp_type(call, x)->dtype);
  const buddy_code code =
      cp_finish(call, reduced_classes(call, &c, picked_scores(call, &c, x), reduction));
  if (code != BUDDY_OK || be_host->n_results(call) < 2) return code;
  const buddy_tensor_type *to = be_result_type(call, 1);
  return be_replace(call, 1,
                    reduction == CP_REDUCTION_NONE
                        ? cp_full(call, to, 0)
                        : cp_cast(call, total(call, c.weight), to->dtype));
}

/* The value over the number of classes, which may be symbolic. */
static value per_class(buddy_call *call, value x, const buddy_tensor_type *scores, uint32_t dim) {
  return cp_dim(call, "aten.div.Tensor", x, scores->dims[dim]);
}

/* The target is probabilities: -weight t log_softmax(x), summed over classes; the mean is over
 * rows. */
static buddy_code of_probabilities(buddy_call *call, value logs, double smoothing) {
  value t = cp_computed(call, 1), weight = cp_computed(call, 3);
  const buddy_tensor_type *type = cp_type(call, logs);
  const uint32_t dim = type->rank > 1 ? 1 : 0;
  const int64_t n = type->dims[dim], reduction = be_int(call, 2, 1);
  if (smoothing != 0) {
    t = cp_add(call, cp_mul_number(call, t, 1 - smoothing),
               per_class(call, cp_full(call, type, smoothing), type, dim));
  }
  value loss = cp_mul(call, logs, t);
  if (weight) {
    int64_t dims[BE_MAX_RANK];
    for (uint32_t d = 0; d < type->rank; ++d) dims[d] = d == dim ? n : 1;
    loss = cp_mul(call, loss, cp_view(call, weight, type->rank, dims));
  }
  loss = neg(call, cp_sum(call, loss, 1ull << dim, 0));
  return cp_finish(call, cp_reduced(call, loss, reduction));
}

/* (1 - smoothing) nll + smoothing / C times the sum over all classes */
static value smoothed(buddy_call *call, const classes *c, value logs, double smoothing) {
  const buddy_tensor_type *type = cp_type(call, logs);
  const int64_t reduction = be_int(call, 2, 1), n = type->dims[c->dim];
  value nll = reduced_classes(call, c, picked_scores(call, c, logs), reduction);
  value all = logs, weight = cp_computed(call, 3);
  if (weight) {
    int64_t dims[BE_MAX_RANK];
    for (uint32_t d = 0; d < type->rank; ++d) dims[d] = d == c->dim ? n : 1;
    all = cp_mul(call, logs, cp_view(call, weight, type->rank, dims));
  }
  all = cp_where_number(call, c->is_valid, neg(call, cp_sum(call, all, 1ull << c->dim, 0)), 0);
  all = cp_mul_number(call, reduced_classes(call, c, all, reduction), smoothing);
  return cp_add(call, cp_mul_number(call, nll, 1 - smoothing), per_class(call, all, type, c->dim));
}

/* self, target, reduction, weight, ignore_index, label_smoothing */
buddy_code cp_op_cross_entropy(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = cp_computed(call, 0);
  const buddy_tensor_type *type = cp_type(call, x);
  const double smoothing = be_float(call, 5, 0);
  if (type->rank == 0 || type->rank > BE_MAX_RANK)
    return be_decline(call, "the rank is 0 or too high");
  const int64_t dim = type->rank > 1 ? 1 : 0;
  value logs = BE_NODE(call, "aten.log_softmax.int", type, be_t("self", x), be_i("dim", dim));
  if (!logs) return cp_finish(call, NULL);
  if (be_is_float(be_arg_type(call, 1)->dtype)) return of_probabilities(call, logs, smoothing);
  const classes c = read_classes(call, type->dtype);
  if (smoothing != 0) return cp_finish(call, smoothed(call, &c, logs, smoothing));
  return cp_finish(call,
                   reduced_classes(call, &c, picked_scores(call, &c, logs), be_int(call, 2, 1)));
}

/* ---- Similarity ------------------------------------------------------------------------------ */
/* The dims of the operands broadcast together: those of the result, and the axis. */
static void common_dims(buddy_call *call, uint32_t axis, uint32_t rank, int64_t *out_dims) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  for (uint32_t d = 0; d < rank; ++d) out_dims[d] = d == axis ? 1 : to->dims[d - (d > axis)];
  for (size_t i = 0; i < 2; ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (axis + type->rank < rank) continue;
    const int64_t size = type->dims[axis + type->rank - rank];
    if (size != 1) out_dims[axis] = size;
  }
}

/* x1 . x2 / (max(|x1|, eps) max(|x2|, eps)) along a dim */
buddy_code cp_op_cosine_similarity(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x[2];
  const double eps = be_float(call, 3, 1e-8);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const uint32_t rank = to->rank + 1;
  const uint32_t dim = (uint32_t)be_axis(call, 2, rank, 1);
  const uint64_t axis = 1ull << dim;
  const int64_t along = dim;
  int64_t dims[BE_MAX_RANK];
  if (rank > BE_MAX_RANK) return be_decline(call, "rank %u is above %d", rank, BE_MAX_RANK);
  common_dims(call, dim, rank, dims);
  for (size_t i = 0; i < 2; ++i) {
    x[i] = cp_expand(call, cp_computed(call, i), rank, dims);
    if (!x[i]) return cp_finish(call, NULL);
    value norm = BE_NODE(call, "aten.linalg_vector_norm.default", NULL, be_t("self", x[i]),
                         be_i("ord", 2), be_is("dim", &along, 1), be_b("keepdim", 1));
    x[i] = norm ? cp_div(call, x[i],
                         BE_NODE(call, "aten.clamp.default", NULL, be_t("self", norm),
                                 be_f("min", eps)))
                : NULL;
  }
  return cp_finish(call, cp_sum(call, cp_mul(call, x[0], x[1]), axis, 0));
}

/* |a - b + eps|, the p-norm over the last dim; p and eps: arguments */
static value distance(buddy_call *call, value a, value b, size_t p, size_t eps) {
  value difference = in_fractions(call, cp_sub(call, a, b));
  difference = cp_by(call, "aten.add.Tensor", difference, eps);
  const buddy_tensor_type *type = cp_type(call, difference);
  if (!type) return NULL;
  const int64_t last = (int64_t)type->rank - 1;
  return BE_NODE(call, "aten.linalg_vector_norm.default", NULL, be_t("self", difference),
                 be_pass(call, "ord", p), be_is("dim", &last, 1), be_b("keepdim", 0));
}

/* x1, x2, p, eps, keepdim */
buddy_code cp_op_pairwise_distance(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value norm = distance(call, cp_computed(call, 0), cp_computed(call, 1), 2, 3);
  return cp_finish_shaped(call, 0, norm);
}

/* anchor, positive, negative, margin, p, eps, swap, reduction: max(0, margin + near - far) */
buddy_code cp_op_triplet_margin_loss(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x[3];
  for (size_t i = 0; i < 3; ++i) x[i] = cp_computed(call, i);
  value near = distance(call, x[0], x[1], 4, 5), far = distance(call, x[0], x[2], 4, 5);
  if (be_bool(call, 6))
    far = cp_binary(call, "aten.minimum.default", far, distance(call, x[1], x[2], 4, 5));
  value loss = cp_by(call, "aten.add.Tensor", cp_sub(call, near, far), 3);
  return cp_finish(call, cp_reduced(call, at_least(call, loss, 0), be_int(call, 7, 1)));
}
