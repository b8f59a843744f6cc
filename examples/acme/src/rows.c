// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* rows.c: what goes to the device, and in which form. */
#include <math.h>

#include "acme.h"

enum { MAX_RANK = 8 };

/* What runs on the host, and not on the device, is not worth its way there. */
buddy_code acme_match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  for (size_t i = 0; i < be_host->n_args(call); ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (type && type->rank > MAX_RANK)
      return be_decline(call, "rank %u: the device has %d", type->rank, MAX_RANK);
  }
  if (be_arg_type(call, 1)->rank != 2) return be_decline(call, "the weight is no matrix");
  return BUDDY_OK;
}

buddy_code acme_emit_linear(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const size_t n = be_is_none(call, 2) ? 2 : 3;
  bk_input inputs[3];
  for (size_t i = 0; i < n; ++i) inputs[i] = (bk_input){bk_tensor(call, i), be_arg_type(call, i)};
  const bk_runtime_call spec = {
      .symbol = n == 3 ? "acme_offload_linear_bias" : "acme_offload_linear",
      .inputs = inputs,
      .n_inputs = n,
      .outputs = &to,
      .n_outputs = 1};
  buddy_ir_value result;
  const buddy_code code = bk_call(call, &spec, &result);
  return code == BUDDY_OK ? bk_result(call, 0, result) : code;
}

/* The device broadcasts nothing, and groups no queries. */
buddy_code acme_match_attention(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *q = be_arg_type(call, 0), *k = be_arg_type(call, 1),
                          *v = be_arg_type(call, 2);
  if (q->rank < 2 || q->rank > MAX_RANK || k->rank != q->rank || v->rank != q->rank)
    return be_decline(call, "ranks %u, %u and %u: the device wants the same, 2 to %d", q->rank,
                      k->rank, v->rank, MAX_RANK);
  const uint32_t last = q->rank - 1;
  for (uint32_t d = 0; d + 2 < q->rank; ++d) {
    if (q->dims[d] != k->dims[d] || q->dims[d] != v->dims[d])
      return be_decline(call, "dim %u is not the same for q, k and v", d);
  }
  if (q->dims[last] != k->dims[last]) return be_decline(call, "q and k differ in their last dim");
  if (k->dims[last - 1] != v->dims[last - 1]) return be_decline(call, "k and v differ in length");
  return BUDDY_OK;
}

buddy_code acme_emit_attention(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const bk_input inputs[] = {{bk_tensor(call, 0), be_arg_type(call, 0)},
                             {bk_tensor(call, 1), be_arg_type(call, 1)},
                             {bk_tensor(call, 2), be_arg_type(call, 2)}};
  const double scale = be_float(call, 3, 1);
  const int64_t causal = be_bool(call, 4);
  const bk_runtime_call spec = {.symbol = "acme_offload_attention",
                                .inputs = inputs,
                                .n_inputs = 3,
                                .outputs = &to,
                                .n_outputs = 1,
                                .ints = &causal,
                                .n_ints = 1,
                                .floats = &scale,
                                .n_floats = 1};
  buddy_ir_value result;
  const buddy_code code = bk_call(call, &spec, &result);
  return code == BUDDY_OK ? bk_result(call, 0, result) : code;
}

const buddy_value *acme_attention(buddy_call *call, const buddy_value *q, const buddy_value *k,
                                  const buddy_value *v, double scale, int causal) {
  return BE_NODE(call, "acme.attention.default", be_result_type(call, 0), be_t("q", q),
                 be_t("k", k), be_t("v", v), be_f("scale", scale), be_b("causal", causal));
}

buddy_code acme_expand_sdpa(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *q = be_arg_type(call, 0);
  const int64_t width = q->rank ? q->dims[q->rank - 1] : 0;
  if (BUDDY_IS_SYMBOLIC(width) || width < 1)
    return be_decline(call, "the width of the heads is not known");
  const double scale = be_float(call, 4, 1 / sqrt((double)width));
  return be_replace(call, 0,
                    acme_attention(call, be_arg_value(call, 0), be_arg_value(call, 1),
                                   be_arg_value(call, 2), scale, be_bool(call, 3)));
}
