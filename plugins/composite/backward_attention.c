// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/backward_attention.c: the gradients of the attention kernel for CPUs: its weights
 * are the exponentials of the scores less what the kernel kept of each query. */
#include <math.h>

#include "plugins/composite/rows.h"

enum { GRADIENT, QUERY, KEY, VALUE, OUT, LOGSUMEXP, DROPOUT, IS_CAUSAL, MASK, SCALE };

static value hidden(buddy_call *call, value scores, value is_seen) {
  return cp_where_number(call, is_seen, scores, -INFINITY);
}

static value masked(buddy_call *call, value scores) {
  value mask = be_arg_value(call, MASK);
  const buddy_tensor_type *type = cp_type(call, scores);
  if (!type) return NULL;
  if (be_bool(call, IS_CAUSAL))
    scores = hidden(call, scores, cp_causal_mask(call, type->dims[2], type->dims[3]));
  if (!mask) return scores;
  return cp_type(call, mask)->dtype == BUDDY_BOOL
             ? hidden(call, scores, mask)
             : cp_add(call, scores, cp_cast(call, mask, type->dtype));
}

/* exp(scores - logsumexp); 0 where nothing is attended to, of which the logarithm is none */
static value weights_of(buddy_call *call, value scores) {
  value kept = cp_computed(call, LOGSUMEXP);
  const buddy_tensor_type *type = cp_type(call, kept);
  if (!type || !scores) return NULL;
  const int64_t dims[4] = {type->dims[0], type->dims[1], type->dims[2], 1};
  value weights =
      cp_unary(call, "aten.exp.default", cp_sub(call, scores, cp_view(call, kept, 4, dims)));
  return cp_where_number(call, cp_number(call, "aten.ne.Tensor", scores, -INFINITY), weights, 0);
}

static value turned(buddy_call *call, value a) { return cp_swap(call, a, 2, 3); }

/* _scaled_dot_product_flash_attention_for_cpu_backward: grad_out, query, key, value, out, logsumexp,
 * dropout_p, is_causal, attn_mask, scale */
buddy_code cp_op_attention_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  if (be_float(call, DROPOUT, 0) != 0) return be_decline(call, "dropout in attention");
  value gradient = cp_computed(call, GRADIENT), query = cp_computed(call, QUERY);
  value key = cp_computed(call, KEY), values = cp_computed(call, VALUE);
  const buddy_tensor_type *type = cp_type(call, query);
  if (!type || !gradient || !key || !values) return cp_finish(call, NULL);
  const int64_t width = type->dims[3];
  if (BUDDY_IS_SYMBOLIC(width)) return be_decline(call, "the size of a head is symbolic");
  value scores = cp_scaled_scores(call, cp_matmul(call, query, turned(call, key)), width, SCALE);
  value weights = weights_of(call, masked(call, scores));
  value own = cp_sum(call, cp_mul(call, gradient, cp_computed(call, OUT)), 8, 1);
  value slope = cp_matmul(call, gradient, turned(call, values));
  slope = cp_scaled_scores(call, cp_mul(call, weights, cp_sub(call, slope, own)), width, SCALE);
  const buddy_code code = cp_finish(call, cp_matmul(call, slope, key));
  if (code != BUDDY_OK) return code;
  const buddy_code of_key = cp_finish_shaped(call, 1, cp_matmul(call, turned(call, slope), query));
  return of_key != BUDDY_OK
             ? of_key
             : cp_finish_shaped(call, 2, cp_matmul(call, turned(call, weights), gradient));
}
