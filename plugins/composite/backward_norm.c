// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/backward_norm.c: gradients of normalisations. All have one form: with y the
 * normalised input, s its scale 1 / sqrt(variance + eps) and g the gradient of y,
 *
 *   input    s (g - mean(g) - y mean(g y)), means over what was normalised together
 *   weight   sum(gradient y), bias sum(gradient), over all that shares one weight */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

typedef struct norm {
  value gradient, normalised, scale, weight; /* weight: may be null; all broadcast to one type */
  uint64_t together, shared;                 /* axes */
  bool is_centred, has_fixed_moments;
} norm;

static value input_gradient(buddy_call *call, const norm *n) {
  value g = n->weight ? cp_mul(call, n->gradient, n->weight) : n->gradient;
  if (n->has_fixed_moments) return cp_mul(call, g, n->scale);
  value along = cp_mean(call, cp_mul(call, g, n->normalised), n->together, 1);
  value rest = cp_sub(call, g, cp_mul(call, n->normalised, along));
  if (n->is_centred) rest = cp_sub(call, rest, cp_mean(call, g, n->together, 1));
  return cp_mul(call, rest, n->scale);
}

/* The results that `mask`, an argument, asks for; the bias's gradient only if there are three. */
static buddy_code finish(buddy_call *call, const norm *n, size_t mask) {
  const buddy_arg *wanted = be_arg(call, mask);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < wanted->n && i < be_host->n_results(call) && code == BUDDY_OK; ++i) {
    if (!wanted->as.ints[i]) continue;
    value result = i == 0   ? input_gradient(call, n)
                   : i == 1 ? cp_sum(call, cp_mul(call, n->gradient, n->normalised), n->shared, 0)
                            : cp_sum(call, n->gradient, n->shared, 0);
    const buddy_tensor_type *to = be_result_type(call, i);
    if (!to) return be_decline(call, "result %zu has no type", i);
    code = cp_finish_shaped(call, i, result);
  }
  return code;
}

/* grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask */
buddy_code cp_op_layer_norm_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = cp_computed(call, 1), scale = cp_computed(call, 4);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank;
  const norm n = {
      .gradient = cp_computed(call, 0),
      .normalised = cp_mul(call, cp_sub(call, x, cp_computed(call, 3)), scale),
      .scale = scale,
      .weight = cp_computed(call, 5),
      .together = cp_last_axes(rank, be_arg(call, 2)->n),
      .shared = cp_all_axes(rank) & ~cp_last_axes(rank, be_arg(call, 2)->n),
      .is_centred = true,
  };
  return finish(call, &n, 7);
}

/* grad_out, input, normalized_shape, rstd, weight, output_mask */
buddy_code cp_op_rms_norm_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = cp_computed(call, 1), scale = cp_computed(call, 3);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank;
  const norm n = {
      .gradient = cp_computed(call, 0),
      .normalised = cp_mul(call, x, scale),
      .scale = scale,
      .weight = cp_computed(call, 4),
      .together = cp_last_axes(rank, be_arg(call, 2)->n),
      .shared = cp_all_axes(rank) & ~cp_last_axes(rank, be_arg(call, 2)->n),
  };
  return finish(call, &n, 5);
}

/* As [N, groups, channels of a group, the rest]: grad_out, input, mean, rstd, weight, N, C, HxW,
 * group, output_mask */
buddy_code cp_op_group_norm_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const int64_t groups = be_size(call, 8, 1);
  const int64_t channels = be_dim(call, BUDDY_DIM_FLOORDIV, be_size(call, 6, 1), groups);
  const int64_t dims[4] = {be_size(call, 5, 1), groups, channels, be_size(call, 7, 1)};
  const int64_t moments[4] = {dims[0], groups, 1, 1}, per_channel[3] = {groups, channels, 1};
  value x = cp_view(call, cp_computed(call, 1), 4, dims);
  value mean = cp_view(call, cp_computed(call, 2), 4, moments);
  value scale = cp_view(call, cp_computed(call, 3), 4, moments);
  const norm n = {
      .gradient = cp_view(call, cp_computed(call, 0), 4, dims),
      .normalised = cp_mul(call, cp_sub(call, x, mean), scale),
      .scale = scale,
      .weight = cp_view(call, cp_computed(call, 4), 3, per_channel),
      .together = 1u << 2 | 1u << 3,
      .shared = 1u << 0 | 1u << 3,
      .is_centred = true,
  };
  return finish(call, &n, 9);
}

/* A vector over dim 1, as [C, 1, …, 1]. */
static value along_channels(buddy_call *call, value a, uint32_t rank) {
  int64_t dims[BE_MAX_RANK];
  if (!a) return NULL;
  dims[0] = cp_type(call, a)->dims[0];
  for (uint32_t d = 1; d + 1 < rank; ++d) dims[d] = 1;
  return cp_view(call, a, rank - 1, dims);
}

/* grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps,
 * output_mask */
buddy_code cp_op_batch_norm_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const bool is_training = be_bool(call, 7);
  value x = cp_computed(call, 1);
  if (!x) return cp_finish(call, NULL);
  const uint32_t rank = cp_type(call, x)->rank;
  if (rank < 2 || rank > BE_MAX_RANK) return be_decline(call, "an input of rank %u", rank);
  if (!is_training && (be_is_none(call, 3) || be_is_none(call, 4)))
    return be_decline(call, "there are no running statistics");
  if (is_training && (be_is_none(call, 5) || be_is_none(call, 6)))
    return be_decline(call, "there are no saved statistics");
  value mean = along_channels(call, cp_computed(call, is_training ? 5 : 3), rank);
  value scale = is_training
                    ? cp_computed(call, 6)
                    : cp_unary(call, "aten.rsqrt.default",
                               cp_add_number(call, cp_computed(call, 4), be_float(call, 8, 1e-5)));
  scale = along_channels(call, scale, rank);
  const norm n = {
      .gradient = cp_computed(call, 0),
      .normalised = cp_mul(call, cp_sub(call, x, mean), scale),
      .scale = scale,
      .weight = along_channels(call, cp_computed(call, 2), rank),
      .together = cp_all_axes(rank) & ~2ull,
      .shared = cp_all_axes(rank) & ~2ull,
      .is_centred = true,
      .has_fixed_moments = !is_training,
  };
  return finish(call, &n, 9);
}
