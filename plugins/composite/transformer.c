// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/transformer.c: what PyTorch runs for nn.TransformerEncoderLayer and
 * nn.MultiheadAttention where no gradient is asked for, written out. Embeddings are
 * [batch, length, width]. */
#include <math.h>

#include "plugins/composite/rows.h"

/* Columns of the heads: [batch, length, width] as [batch, heads, length, width / heads]. */
static value heads_of(buddy_call *call, value x, int64_t heads) {
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type) return NULL;
  const int64_t width = be_dim(call, BUDDY_DIM_FLOORDIV, type->dims[2], heads);
  const int64_t dims[4] = {type->dims[0], type->dims[1], heads, width};
  return cp_swap(call, cp_view(call, x, 4, dims), 1, 2);
}

/* Part i of the rows of a weight or bias that is three: of query, key and value. */
static value third(buddy_call *call, value of_three, uint32_t dim, int64_t i, int64_t width) {
  return of_three ? cp_slice(call, of_three, dim, i * width, width, 1) : NULL;
}

typedef struct attention {
  value query, key, values; /* [batch, length, width] */
  value mask;               /* true where nothing is seen; broadcasts over the scores; or null */
  int64_t heads, width;
} attention;

/* Result [batch, length, width]; *out_weights is [batch, heads, length, length]. A row of which nothing
 * is seen is NaN, as it is in PyTorch. */
static value attend(buddy_call *call, const attention *a, value *out_weights) {
  value query = heads_of(call, a->query, a->heads), key = heads_of(call, a->key, a->heads);
  value values = heads_of(call, a->values, a->heads);
  if (!query || !key || !values) return NULL;
  const int64_t of_head = a->width / a->heads;
  query = cp_mul_number(call, query, 1 / sqrt((double)of_head));
  value scores = cp_matmul(call, query, cp_swap(call, key, 2, 3));
  if (scores && a->mask)
    scores = BE_NODE(call, "aten.masked_fill.Scalar", cp_type(call, scores), be_t("self", scores),
                     be_t("mask", a->mask), be_f("value", -INFINITY));
  *out_weights =
      scores ? BE_NODE(call, "aten.softmax.int", NULL, be_t("self", scores), be_i("dim", -1))
             : NULL;
  value seen = *out_weights ? cp_swap(call, cp_matmul(call, *out_weights, values), 1, 2) : NULL;
  return seen ? cp_view(call, seen, 3, cp_type(call, a->query)->dims) : NULL;
}

/* The mask, once it has these sizes: torch.export does not hold them against one another. */
static value of_sizes(buddy_call *call, value mask, const int64_t *sizes) {
  const buddy_tensor_type *type = cp_type(call, mask);
  for (uint32_t d = 0; type && d < type->rank; ++d) {
    if (type->dims[d] == sizes[d]) continue;
    mask = cp_checked(call, mask,
                      cp_binary(call, "aten.eq.Tensor", cp_counted(call, type->dims[d], BUDDY_I64),
                                cp_counted(call, sizes[d], BUDDY_I64)),
                      "the mask is not of the scores' sizes");
  }
  return mask;
}

/* Width and heads, arguments i and i + 1, and the mask and its kind, arguments k and l: 0 [length, length], 1
 * [batch, length], 2 [batch, heads, length, length]. Any number but 0 hides. */
static buddy_code read_how(buddy_call *call, size_t i, size_t k, size_t l, attention *out) {
  *out = (attention){.width = be_int(call, i, 0), .heads = be_int(call, i + 1, 0)};
  if (out->heads <= 0 || out->width % out->heads != 0)
    return be_decline(call, "%lld heads of a width of %lld", (long long)out->heads,
                      (long long)out->width);
  value mask = be_arg_value(call, k);
  if (!mask) return BUDDY_OK;
  const int64_t kind = be_int(call, l, -1);
  const buddy_tensor_type *type = cp_type(call, mask);
  if (kind < 0 || kind > 2 || type->rank != (kind == 2 ? 4 : 2))
    return be_decline(call, "mask_type is %lld for a mask of rank %u", (long long)kind, type->rank);
  const int64_t *of = be_arg_type(call, 0)->dims;
  const int64_t sizes[3][4] = {{of[1], of[1]}, {of[0], of[1]}, {of[0], out->heads, of[1], of[1]}};
  mask = of_sizes(call, cp_cast(call, mask, BUDDY_BOOL), sizes[kind]);
  const int64_t dims[4] = {type->dims[0], 1, 1, type->dims[1]};
  out->mask = kind == 1 ? cp_view(call, mask, 4, dims) : mask;
  return BUDDY_OK;
}

/* query, key, value, embed_dim, num_head, qkv_weight, qkv_bias, proj_weight, proj_bias, mask, need_weights,
 * average_attn_weights, mask_type */
buddy_code cp_op_multi_head_attention(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  attention a;
  buddy_code code = read_how(call, 3, 9, 12, &a);
  if (code != BUDDY_OK) return code;
  value parts[3];
  for (size_t i = 0; i < 3; ++i)
    parts[i] = cp_linear(call, be_arg_value(call, i),
                         third(call, be_arg_value(call, 5), 0, (int64_t)i, a.width),
                         third(call, be_arg_value(call, 6), 0, (int64_t)i, a.width));
  a.query = parts[0], a.key = parts[1], a.values = parts[2];
  value weights = NULL, seen = attend(call, &a, &weights);
  code = cp_finish(call, cp_linear(call, seen, be_arg_value(call, 7), be_arg_value(call, 8)));
  if (code != BUDDY_OK || !be_bool(call, 10)) return code;
  if (be_bool(call, 11)) weights = cp_mean(call, weights, 1u << 1, 0);
  return be_replace(call, 1, weights);
}

/* x, of width `width`, with weight and bias from argument i on. */
static value norm(buddy_call *call, value x, const attention *a, size_t i) {
  if (!x) return NULL;
  return BE_NODE(call, "aten.layer_norm.default", NULL, be_t("input", x),
                 be_is("normalized_shape", &a->width, 1), be_pass(call, "weight", i),
                 be_pass(call, "bias", i + 1), be_pass(call, "eps", 9));
}

static value attend_to_self(buddy_call *call, value x, attention *a) {
  value all = cp_linear(call, x, be_arg_value(call, 3), be_arg_value(call, 4)), weights = NULL;
  a->query = third(call, all, 2, 0, a->width);
  a->key = third(call, all, 2, 1, a->width);
  a->values = third(call, all, 2, 2, a->width);
  return cp_linear(call, attend(call, a, &weights), be_arg_value(call, 5), be_arg_value(call, 6));
}

static value feed_forward(buddy_call *call, value x) {
  x = cp_linear(call, x, be_arg_value(call, 14), be_arg_value(call, 15));
  x = cp_unary(call, be_bool(call, 7) ? "aten.gelu.default" : "aten.relu.default", x);
  return cp_linear(call, x, be_arg_value(call, 16), be_arg_value(call, 17));
}

/* src, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, use_gelu, norm_first, eps,
 * norm_weight_1, norm_bias_1, norm_weight_2, norm_bias_2, ffn_weight_1, ffn_bias_1, ffn_weight_2,
 * ffn_bias_2, mask, mask_type */
buddy_code cp_op_transformer_encoder_layer(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  attention a;
  const buddy_code code = read_how(call, 1, 18, 19, &a);
  if (code != BUDDY_OK) return code;
  value x = be_arg_value(call, 0);
  if (be_bool(call, 8)) {
    x = cp_add(call, x, attend_to_self(call, norm(call, x, &a, 10), &a));
    x = cp_add(call, x, feed_forward(call, norm(call, x, &a, 12)));
  } else {
    x = norm(call, cp_add(call, x, attend_to_self(call, x, &a)), &a, 10);
    x = norm(call, cp_add(call, x, feed_forward(call, x)), &a, 12);
  }
  return cp_finish(call, x);
}
