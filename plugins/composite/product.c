// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/product.c: products of all ranks in terms of mm and bmm, convolutions in terms
 * of aten.convolution, attention, and what adaptive pooling reduces to. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/dequantized.h"
#include "plugins/composite/rows.h"

value cp_linear(buddy_call *call, value x, value weight, value bias) {
  if (!x || !weight) return NULL;
  return BE_NODE(call, "aten.linear.default", NULL, be_t("input", x), be_t("weight", weight),
                 be_t("bias", bias));
}

/* ---- Linear and addmm ------------------------------------------------------------------------ */
/* input [*, K], weight [N, K] or [K], bias [N] */
buddy_code cp_op_linear(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0), weight = be_arg_value(call, 1), bias = be_arg_value(call, 2);
  const buddy_tensor_type *to = be_result_type(call, 0), *type = cp_type(call, x);
  const int64_t k = type->dims[type->rank - 1];
  const int64_t n = cp_type(call, weight)->rank == 2 ? cp_type(call, weight)->dims[0] : 1;
  const int64_t rows[2] = {cp_count(call, x, (1ull << (type->rank - 1)) - 1), k},
                columns[2] = {n, k};
  value product = cp_matmul(call, cp_view(call, x, 2, rows),
                            cp_swap(call, cp_view(call, weight, 2, columns), 0, 1));
  product = cp_view(call, product, to->rank, to->dims);
  return cp_finish(call, bias ? cp_add(call, product, bias) : product);
}

/* beta and alpha: 1 costs nothing, and beta 0 drops self, NaN and all, as PyTorch says. */
int cp_is_number(buddy_call *call, size_t i, double number) {
  const buddy_arg *arg = be_arg(call, i);
  if (!cp_is_known(call, i)) return 0;
  if (arg->kind != BUDDY_ARG_COMPLEX) return be_float(call, i, 1) == number;
  return arg->as.floats[0] == number && arg->as.floats[1] == 0;
}

value cp_scaled(buddy_call *call, value a, size_t i) {
  if (cp_is_number(call, i, 1) || !a) return a;
  /* PyTorch makes a factor a number of the tensor's dtype first: of integers it cuts what is after
   * the point. */
  const buddy_tensor_type *type = cp_type(call, a);
  if (type && !be_is_float(type->dtype) && !be_is_complex(type->dtype) &&
      be_arg(call, i)->kind == BUDDY_ARG_FLOAT)
    return cp_dim(call, "aten.mul.Tensor", a, (int64_t)be_float(call, i, 1));
  if (be_arg(call, i)->kind != BUDDY_ARG_COMPLEX) return cp_by(call, "aten.mul.Tensor", a, i);
  return BE_NODE(call, "aten.mul.Tensor", NULL, be_t("self", a), be_pass(call, "other", i));
}

value cp_added(buddy_call *call, value product) {
  product = cp_scaled(call, product, 4);
  value addend = be_arg_value(call, 0);
  if (cp_is_number(call, 3, 0)) return product;
  value sum = cp_add(call, product, cp_scaled(call, addend, 3)), beta = be_arg_value(call, 3);
  return beta ? cp_where(call, cp_number(call, "aten.eq.Tensor", beta, 0), product, sum) : sum;
}

/* addmm, baddbmm: self, mat1, mat2, beta, alpha; addmv, addbmm alike are not here */
buddy_code cp_op_addmm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return cp_finish(call,
                   cp_added(call, cp_matmul(call, be_arg_value(call, 1), be_arg_value(call, 2))));
}

/* ---- matmul of any ranks --------------------------------------------------------------------- */
/* The batch dims of the result, then the last two of `a`. */
static value to_batch(buddy_call *call, value a, const int64_t *batch, uint32_t n_batch) {
  const buddy_tensor_type *type = cp_type(call, a);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, batch, n_batch * sizeof(*dims));
  dims[n_batch] = type->dims[type->rank - 2];
  dims[n_batch + 1] = type->dims[type->rank - 1];
  return cp_expand(call, a, n_batch + 2, dims);
}

buddy_code cp_op_matmul(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0), b = be_arg_value(call, 1);
  const buddy_tensor_type *left = cp_type(call, a), *right = cp_type(call, b),
                          *to = be_result_type(call, 0);
  if (left->rank == 0 || right->rank == 0) return be_decline(call, "an operand is 0-d");
  if (to->rank + 2 > BE_MAX_RANK)
    return be_decline(call, "rank %u is above %d", to->rank, BE_MAX_RANK - 2);
  if (left->rank == 1) {
    const int64_t row[2] = {1, left->dims[0]};
    a = cp_view(call, a, 2, row);
  }
  if (right->rank == 1) {
    const int64_t column[2] = {right->dims[0], 1};
    b = cp_view(call, b, 2, column);
  }
  const uint32_t vectors = (left->rank == 1 ? 1u : 0u) + (right->rank == 1 ? 1u : 0u);
  const uint32_t n_batch = to->rank + vectors - 2;
  left = cp_type(call, a);
  right = cp_type(call, b);
  if (!left || !right) return cp_finish(call, NULL);
  if (right->rank == 2 && left->rank > 2) { /* one matrix for all rows: no need to repeat it */
    const int64_t rows[2] = {cp_count(call, a, (1ull << (left->rank - 1)) - 1),
                             left->dims[left->rank - 1]};
    a = cp_view(call, a, 2, rows);
  } else if (n_batch > 0) {
    a = to_batch(call, a, to->dims, n_batch);
    b = to_batch(call, b, to->dims, n_batch);
  }
  return cp_finish_shaped(call, 0, cp_matmul(call, a, b));
}

/* dot, vdot: user is set for the second, which conjugates */
buddy_code cp_op_dot(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  value a = cp_computed(call, 0);
  if (self->user) a = cp_conjugate(call, a);
  value product = cp_mul(call, a, cp_computed(call, 1));
  return cp_finish(call, cp_sum(call, product, 1, 0));
}

buddy_code cp_op_mv(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value vector = be_arg_value(call, 1);
  const int64_t column[2] = {cp_type(call, vector)->dims[0], 1};
  value product = cp_matmul(call, be_arg_value(call, 0), cp_view(call, vector, 2, column));
  return cp_finish_shaped(call, 0, product);
}

buddy_code cp_op_outer(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0);
  const int64_t column[2] = {cp_type(call, a)->dims[0], 1};
  return cp_finish(call, cp_mul(call, cp_view(call, a, 2, column), be_arg_value(call, 1)));
}

/* ---- Convolutions ---------------------------------------------------------------------------- */
static buddy_code convolution(buddy_call *call, value x, buddy_named_arg stride,
                              buddy_named_arg padding, buddy_named_arg dilation, bool is_transposed,
                              buddy_named_arg output_padding, buddy_named_arg groups) {
  const buddy_tensor_type *to = be_result_type(call, 0), *type = cp_type(call, x);
  const uint32_t full_rank = cp_type(call, be_arg_value(call, 1))->rank;
  int64_t dims[BE_MAX_RANK], batched[BE_MAX_RANK];
  const uint32_t missing =
      full_rank > type->rank ? full_rank - type->rank : 0; /* an unbatched input */
  dims[0] = batched[0] = 1;
  memcpy(dims + missing, type->dims, type->rank * sizeof(*dims));
  memcpy(batched + missing, to->dims, to->rank * sizeof(*dims));
  x = cp_view(call, x, full_rank, dims);
  value y =
      x ? BE_NODE(call, "aten.convolution.default", be_type(call, to->dtype, full_rank, batched),
                  be_t("input", x), be_pass(call, "weight", 1), be_pass(call, "bias", 2), stride,
                  padding, dilation, be_b("transposed", is_transposed), output_padding, groups)
        : NULL;
  return cp_finish_shaped(call, 0, y);
}

/* conv1d … conv3d: input, weight, bias, stride, padding, dilation, groups */
buddy_code cp_op_conv(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  static const int64_t zeros[3] = {0, 0, 0};
  return convolution(call, be_arg_value(call, 0), be_pass(call, "stride", 3),
                     be_pass(call, "padding", 4), be_pass(call, "dilation", 5), 0,
                     be_is("output_padding", zeros, be_arg(call, 3)->n),
                     be_pass(call, "groups", 6));
}

/* padding "valid" or "same"; "same" pads one more after than in front where the sum is odd */
buddy_code cp_op_conv_padding(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  static const int64_t zeros[3] = {0, 0, 0};
  value x = be_arg_value(call, 0);
  const buddy_tensor_type *type = cp_type(call, x), *weight = be_arg_type(call, 1);
  const uint32_t n = weight->rank - 2;
  const buddy_arg *mode = be_arg(call, 4);
  int64_t pad[6], dims[BE_MAX_RANK], padding[3] = {0, 0, 0};
  bool is_uneven = false;
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  for (uint32_t k = 0; k < n && k < 3 && strcmp(mode->as.string, "same") == 0; ++k) {
    const int64_t size = weight->dims[2 + k];
    const int64_t total =
        be_dim(call, BUDDY_DIM_MUL, be_int_at(call, 5, k, 1), be_dim(call, BUDDY_DIM_SUB, size, 1));
    const int64_t half = be_dim(call, BUDDY_DIM_FLOORDIV, total, 2);
    /* a kernel whose size is symbolic is padded for beforehand, on both sides */
    const bool is_number = !BUDDY_IS_SYMBOLIC(size);
    padding[k] = is_number ? half : 0;
    const int64_t low = is_number ? 0 : half;
    const int64_t high =
        be_dim(call, BUDDY_DIM_SUB, total, is_number ? be_dim(call, BUDDY_DIM_MUL, half, 2) : half);
    pad[2 * (n - 1 - k)] = low; /* constant_pad_nd counts from the last dim */
    pad[2 * (n - 1 - k) + 1] = high;
    const uint32_t dim = type->rank - n + k;
    dims[dim] = be_dim(call, BUDDY_DIM_ADD, dims[dim], be_dim(call, BUDDY_DIM_ADD, low, high));
    is_uneven |= low != 0 || high != 0;
  }
  if (is_uneven) {
    x = BE_NODE(call, "aten.constant_pad_nd.default", be_type(call, type->dtype, type->rank, dims),
                be_t("self", x), be_is("pad", pad, 2 * n), be_f("value", 0));
  }
  if (!x) return cp_finish(call, NULL);
  return convolution(call, x, be_pass(call, "stride", 3), be_is("padding", padding, n),
                     be_pass(call, "dilation", 5), 0, be_is("output_padding", zeros, n),
                     be_pass(call, "groups", 6));
}

/* input, weight, bias, stride, padding, output_padding, groups, dilation */
buddy_code cp_op_conv_transpose(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return convolution(call, be_arg_value(call, 0), be_pass(call, "stride", 3),
                     be_pass(call, "padding", 4), be_pass(call, "dilation", 7), 1,
                     be_pass(call, "output_padding", 5), be_pass(call, "groups", 6));
}

/* _convolution, as TorchScript has it: convolution, and remarks on how to go about it */
buddy_code cp_op_convolution_named(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  return cp_finish(
      call, BE_NODE(call, "aten.convolution.default", be_result_type(call, 0),
                    be_pass(call, "input", 0), be_pass(call, "weight", 1), be_pass(call, "bias", 2),
                    be_pass(call, "stride", 3), be_pass(call, "padding", 4),
                    be_pass(call, "dilation", 5), be_pass(call, "transposed", 6),
                    be_pass(call, "output_padding", 7), be_pass(call, "groups", 8)));
}

/* convolution of 16-bit floats that no registry takes as it is: in f32, in which PyTorch adds them up
 * too */
buddy_code cp_op_half_convolution(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0), weight = cp_computed(call, 1), bias = cp_computed(call, 2);
  if (!x || !weight) return cp_finish(call, NULL);
  return cp_finish(call, BE_NODE(call, "aten.convolution.default",
                                 be_with_dtype(call, be_result_type(call, 0), BUDDY_F32),
                                 be_t("input", x), be_t("weight", weight), be_t("bias", bias),
                                 be_pass(call, "stride", 3), be_pass(call, "padding", 4),
                                 be_pass(call, "dilation", 5), be_pass(call, "transposed", 6),
                                 be_pass(call, "output_padding", 7), be_pass(call, "groups", 8)));
}

/* Padding that only a run knows. In front of a convolution: zeros around the image; behind a transposed
 * one: what lies around the result is left out. */
buddy_code cp_op_convolution_of_any_padding(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0), *type = be_arg_type(call, 0);
  const uint32_t n = to->rank - 2;
  const bool is_transposed = be_bool(call, 6);
  static const int64_t none[3] = {0, 0, 0};
  int64_t pad[6], dims[BE_MAX_RANK];
  bool is_known = true;
  if (n > 3) return be_decline(call, "rank %u is not 3 to 5", to->rank);
  const buddy_tensor_type *wide = is_transposed ? to : type;
  memcpy(dims, wide->dims, wide->rank * sizeof(*dims));
  for (uint32_t k = 0; k < n; ++k) {
    const int64_t size = be_size_at(call, 4, k, 0);
    is_known = is_known && !BUDDY_IS_SYMBOLIC(size);
    pad[2 * (n - 1 - k)] = pad[2 * (n - 1 - k) + 1] = size; /* counted from the last dim */
    dims[2 + k] = be_dim(call, BUDDY_DIM_ADD, dims[2 + k], be_dim(call, BUDDY_DIM_MUL, size, 2));
  }
  if (is_known) return be_decline(call, "its padding is known before the program runs");
  value x = be_arg_value(call, 0);
  if (!is_transposed)
    x = BE_NODE(call, "aten.constant_pad_nd.default", be_type(call, type->dtype, type->rank, dims),
                be_t("self", x), be_is("pad", pad, 2 * n), be_f("value", 0));
  if (!x) return cp_finish(call, NULL);
  value y = BE_NODE(call, "aten.convolution.default",
                    is_transposed ? be_type(call, to->dtype, to->rank, dims) : to, be_t("input", x),
                    be_pass(call, "weight", 1), be_pass(call, "bias", 2),
                    be_pass(call, "stride", 3), be_is("padding", none, n),
                    be_pass(call, "dilation", 5), be_pass(call, "transposed", 6),
                    be_pass(call, "output_padding", 7), be_pass(call, "groups", 8));
  for (uint32_t k = 0; is_transposed && k < n; ++k)
    y = cp_slice(call, y, 2 + k, pad[2 * (n - 1 - k)], to->dims[2 + k], 1);
  return cp_finish(call, y);
}

/* self [T, N, C], weight [K, C, O], bias [O], pad */
buddy_code cp_op_conv_tbc(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  static const int64_t to_channels[3] = {1, 2, 0}, to_filters[3] = {2, 1, 0}, back[3] = {2, 0, 1};
  const int64_t one = 1, pad = be_int(call, 3, 0);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const int64_t dims[3] = {to->dims[1], to->dims[2], to->dims[0]};
  value x = cp_permute(call, be_arg_value(call, 0), to_channels);
  value weight = cp_permute(call, be_arg_value(call, 1), to_filters);
  value y = x && weight
                ? BE_NODE(call, "aten.conv1d.default", be_type(call, to->dtype, 3, dims),
                          be_t("input", x), be_t("weight", weight), be_pass(call, "bias", 2),
                          be_is("stride", &one, 1), be_is("padding", &pad, 1))
                : NULL;
  return cp_finish(call, cp_permute(call, y, back));
}

/* ---- Attention ------------------------------------------------------------------------------- */
/* What attention needs to know of its operands. query [*, H, L, E], key [*, Hk, S, E], value [*,
 * Hk, S, Ev]. Groups of H / Hk query heads share one key head: as rows of one longer query, [*, Hk,
 * H / Hk * L, E], which moves no data. */
typedef struct attention {
  value query, key, values, mask;
  uint32_t rank;
  int64_t length, keys, width, groups;
  int64_t score_dims[BE_MAX_RANK]; /* [*, H, L, S] */
} attention;

static value group_heads(buddy_call *call, const attention *a, value query) {
  if (a->groups == 1 || !query) return query;
  const buddy_tensor_type *type = cp_type(call, query);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[a->rank - 3] = cp_type(call, a->key)->dims[a->rank - 3];
  dims[a->rank - 2] = be_dim(call, BUDDY_DIM_MUL, dims[a->rank - 2], a->groups);
  return cp_view(call, query, type->rank, dims);
}

value cp_causal_mask(buddy_call *call, int64_t length, int64_t keys) {
  const int64_t column[2] = {length, 1};
  value rows = cp_view(call, cp_iota(call, length, BUDDY_I64), 2, column);
  return cp_binary(call, "aten.ge.Tensor", rows, cp_iota(call, keys, BUDDY_I64));
}

/* A mask of truths is one of zeros and minus infinities, which leave NaN and infinity NaN. */
static value masked(buddy_call *call, value scores, value mask) {
  if (!mask || !scores) return scores;
  const buddy_tensor_type *type = cp_type(call, mask);
  const buddy_dtype dtype = cp_type(call, scores)->dtype;
  if (type->dtype == BUDDY_BOOL)
    mask =
        cp_where_number(call, mask, cp_full(call, be_with_dtype(call, type, dtype), 0), -INFINITY);
  return cp_add(call, scores, cp_cast(call, mask, dtype));
}

/* Whether PyTorch has its fused kernel do it, and not products in float: as far as types tell. */
static bool is_fused(buddy_call *call, const attention *a) {
  const buddy_tensor_type *query = be_arg_type(call, 0),
                          *mask = a->mask ? cp_type(call, a->mask) : NULL;
  if (a->rank != 4 || (mask && mask->rank != 2 && mask->rank != 4)) return false;
  for (size_t i = 1; i < 3; ++i) {
    const buddy_tensor_type *other = be_arg_type(call, i);
    if (other->rank != 4 || other->dims[0] != query->dims[0] || other->dims[1] != query->dims[1] ||
        other->dims[3] != query->dims[3])
      return false;
  }
  return true;
}

/* The fused kernel puts minus infinity where a key is after its query; the plain one adds a mask. */
static value causal(buddy_call *call, const attention *a, value scores) {
  value mask = cp_causal_mask(call, a->length, a->keys);
  return is_fused(call, a) ? cp_where_number(call, mask, scores, -INFINITY)
                           : masked(call, scores, mask);
}

/* Heads of no size have scores of 0. */
value cp_scaled_scores(buddy_call *call, value scores, int64_t width, size_t scale) {
  if (!be_is_none(call, scale)) return cp_by(call, "aten.mul.Tensor", scores, scale);
  width = be_dim(call, BUDDY_DIM_MAX, width, 1);
  if (!BUDDY_IS_SYMBOLIC(width)) return cp_mul_number(call, scores, 1 / sqrt((double)width));
  if (!scores) return NULL;
  value size = cp_counted(call, width, cp_type(call, scores)->dtype);
  return cp_div(call, scores, cp_unary(call, "aten.sqrt.default", size));
}

/* The fused kernel multiplies weights of bf16, whose products machines have instructions for. */
static value rounded(buddy_call *call, const attention *a, value weights, buddy_dtype dtype) {
  if (dtype != BUDDY_BF16 || !weights || !is_fused(call, a)) return weights;
  return cp_cast(call, cp_cast(call, weights, dtype), cp_type(call, weights)->dtype);
}

/* [*, H, L, S], minus infinity where nothing is attended to */
static value scores_of(buddy_call *call, const attention *a, bool is_causal) {
  value keys = cp_swap(call, a->key, a->rank - 2, a->rank - 1);
  value scores = cp_matmul(call, group_heads(call, a, a->query), keys);
  scores = cp_scaled_scores(call, scores, a->width, 6);
  scores = cp_view(call, scores, a->rank, a->score_dims);
  if (is_causal) scores = causal(call, a, scores);
  return masked(call, scores, a->mask);
}

static value attend(buddy_call *call, const attention *a, bool is_causal) {
  value weights = cp_safe_softmax(call, scores_of(call, a, is_causal), a->rank - 1);
  weights = cp_dropout(call, weights, be_float(call, 4, 0));
  const buddy_tensor_type *to = be_result_type(call, 0);
  weights = rounded(call, a, weights, to->dtype);
  value mixed = cp_matmul(call, group_heads(call, a, weights), a->values);
  return cp_view(call, mixed, to->rank, to->dims);
}

/* Key and value as their groups have them, before they were copied for each query head. False: they
 * were not, and nothing is built. */
static bool find_groups(buddy_call *call, value *out_operands) {
  value groups[3] = {NULL};
  for (size_t i = 1; i < 3; ++i) {
    groups[i] = be_arg_value(call, i) ? cp_find_groups(call, be_arg_value(call, i)) : NULL;
    if (!groups[i]) return false;
  }
  if (be_result_type(call, 0)->rank != 4 || be_arg_type(call, 0)->rank != 4 ||
      cp_type(call, groups[1])->dims[1] != cp_type(call, groups[2])->dims[1])
    return false;
  for (size_t i = 1; i < 3; ++i) {
    const buddy_tensor_type *type = cp_type(call, groups[i]);
    const int64_t dims[4] = {type->dims[0], type->dims[1], type->dims[3], type->dims[4]};
    out_operands[i] =
        cp_cast(call, cp_view(call, groups[i], 4, dims), cp_compute_dtype(type->dtype));
  }
  return true;
}

/* query, key and value, broadcast to the result's batch dims and, unless heads are grouped,
 * heads. */
static buddy_code read_heads(buddy_call *call, bool is_grouped, value *out_operands) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  value given[3] = {NULL};
  if (!is_grouped) is_grouped = find_groups(call, given);
  for (size_t i = 0; i < 3; ++i) {
    if (!given[i]) given[i] = cp_computed(call, i);
    const buddy_tensor_type *type = cp_type(call, given[i]);
    if (!type) return BUDDY_OK; /* the call has failed */
    if (to->rank < 2 || to->rank > BE_MAX_RANK)
      return be_decline(call, "rank %u is not 2 to %d", to->rank, BE_MAX_RANK);
    if (is_grouped && type->rank != to->rank)
      return be_decline(call, "heads are grouped, and the ranks of query, key and value differ");
    int64_t dims[BE_MAX_RANK];
    memcpy(dims, to->dims, to->rank * sizeof(*dims));
    memcpy(dims + to->rank - 2, type->dims + type->rank - 2, 2 * sizeof(*dims));
    if (is_grouped && to->rank >= 3) dims[to->rank - 3] = type->dims[to->rank - 3];
    out_operands[i] = cp_expand(call, given[i], to->rank, dims);
  }
  const uint32_t heads = to->rank - 3;
  if (is_grouped && to->rank >= 3 &&
      cp_type(call, given[1])->dims[heads] != cp_type(call, given[2])->dims[heads])
    return be_decline(call, "heads of key and value differ");
  return BUDDY_OK;
}

/* No queries, or no values: PyTorch looks neither at the keys then, nor at the mask. */
static bool attends_to_nothing(buddy_call *call) {
  const buddy_tensor_type *query = be_arg_type(call, 0), *values = be_arg_type(call, 2);
  for (uint32_t i = 0; i + 1 < query->rank; ++i) {
    if (query->dims[i] == 0) return true;
  }
  for (uint32_t i = 0; i < values->rank; ++i) {
    if (values->dims[i] == 0) return true;
  }
  return false;
}

/* 0 times what all queries and keys add up to, which PyTorch gives then: NaN if one of them is no
 * number. */
static value nothing_of(buddy_call *call) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  value all = NULL;
  for (size_t i = 0; i < 2; ++i) {
    value given = cp_computed(call, i);
    if (!given) return NULL;
    value sum = cp_sum(call, given, ((uint64_t)1 << cp_type(call, given)->rank) - 1, 0);
    all = all ? cp_add(call, all, sum) : sum;
  }
  all = cp_cast(call, cp_mul_number(call, all, 0), to->dtype);
  return cp_expand(call, all, to->rank, to->dims);
}

/* Of query and key; false if the call has failed. */
static bool read_sizes(buddy_call *call, attention *a) {
  const buddy_tensor_type *query = cp_type(call, a->query), *key = cp_type(call, a->key);
  if (!query || !key) return false;
  a->rank = query->rank;
  a->length = query->dims[a->rank - 2];
  a->keys = key->dims[a->rank - 2];
  a->groups =
      a->rank < 3 || query->dims[a->rank - 3] == key->dims[a->rank - 3]
          ? 1
          : be_dim(call, BUDDY_DIM_FLOORDIV, query->dims[a->rank - 3], key->dims[a->rank - 3]);
  memcpy(a->score_dims, query->dims, a->rank * sizeof(int64_t));
  a->score_dims[a->rank - 1] = a->keys;
  a->width = query->dims[a->rank - 1];
  return true;
}

/* query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa */
buddy_code cp_op_attention(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  if (attends_to_nothing(call)) return cp_finish(call, nothing_of(call));
  attention a = {.mask = be_arg_value(call, 3)};
  value operands[3] = {NULL};
  const buddy_code code = read_heads(call, be_bool(call, 7), operands);
  if (code != BUDDY_OK) return code;
  a.query = operands[0], a.key = operands[1], a.values = operands[2];
  return cp_finish(call, read_sizes(call, &a) ? attend(call, &a, be_bool(call, 5)) : NULL);
}

/* The logarithm of what the weights of each query were divided by: result 1 of the kernel for CPUs,
 * query, key, value, dropout_p, is_causal, attn_mask, scale. */
static value log_sum_exp(buddy_call *call) {
  static const int64_t last = -1;
  attention a = {
      .query = cp_computed(call, 0), .key = cp_computed(call, 1), .mask = be_arg_value(call, 5)};
  value scores = read_sizes(call, &a) ? scores_of(call, &a, be_bool(call, 4)) : NULL;
  return !scores ? NULL
                 : BE_NODE(call, "aten.logsumexp.default", be_result_type(call, 1),
                           be_t("self", scores), be_is("dim", &last, 1));
}

/* The kernels that attention is given to on some device: their first result, of which the others
 * are by-products; the two of that for CPUs, whose mask stands fifth. user: the place of the mask
 * after query, key and value, 0 for none, plus 16 times dropout_p's, 256 times is_causal's and 4096
 * times scale's. */
buddy_code cp_op_attention_kernel(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const uintptr_t places = (uintptr_t)self->user;
  const size_t mask = places & 15;
  const buddy_code code = cp_finish(
      call, BE_NODE(call, "aten.scaled_dot_product_attention.default", be_result_type(call, 0),
                    be_pass(call, "query", 0), be_pass(call, "key", 1), be_pass(call, "value", 2),
                    mask ? be_pass(call, "attn_mask", mask) : be_t("attn_mask", NULL),
                    be_pass(call, "dropout_p", places >> 4 & 15),
                    be_pass(call, "is_causal", places >> 8 & 15),
                    be_pass(call, "scale", places >> 12 & 15)));
  return code == BUDDY_OK && mask == 5 ? be_replace(call, 1, log_sum_exp(call)) : code;
}

/* ---- Adaptive pooling ------------------------------------------------------------------------ */
/* Output sizes of 1 are means; sizes that divide the input are ordinary pooling. user: the number
 * of pooled dims. */
buddy_code cp_op_adaptive_avg_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const uint32_t n = (uint32_t)(uintptr_t)self->user;
  value x = be_arg_value(call, 0);
  const buddy_tensor_type *type = cp_type(call, x), *to = be_result_type(call, 0);
  const uint32_t first = type->rank - n;
  int all_one = 1;
  int64_t window[3] = {1, 1, 1};
  for (uint32_t k = 0; k < n; ++k) all_one &= to->dims[first + k] == 1;
  if (all_one) {
    x = cp_computed(call, 0);
    return cp_finish(call, cp_mean(call, x, ((1ull << n) - 1) << first, 1));
  }
  for (uint32_t k = 0; k < n; ++k) {
    const int64_t in = type->dims[first + k], out = to->dims[first + k];
    if (BUDDY_IS_SYMBOLIC(in) || BUDDY_IS_SYMBOLIC(out))
      return be_decline(call, "a pooled size is symbolic");
    if (out == 0 || in % out != 0) {
      return be_decline(call, "output size %lld does not divide %lld", (long long)out,
                        (long long)in);
    }
    window[k] = in / out;
  }
  static const char *const ops[] = {"aten.avg_pool1d.default", "aten.avg_pool2d.default",
                                    "aten.avg_pool3d.default"};
  return cp_finish(call, BE_NODE(call, ops[n - 1], to, be_t("self", x),
                                 be_is("kernel_size", window, n), be_is("stride", window, n)));
}
