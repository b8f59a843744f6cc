// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/linear_loss.c: cross entropy of a linear layer's results, which PyTorch
 * computes for some rows at a time, so that the scores of all rows are never in memory at once. The
 * numbers are those of linear, log_softmax and nll_loss over all rows, and the op's gradients are
 * those of these three. Everything is computed in f32 where the input is f16 or bf16. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

enum { INPUT, LINEAR_WEIGHT, TARGET, LINEAR_BIAS, WEIGHT, IGNORE_INDEX, REDUCTION, SMOOTHING };
enum { FIRST_GRADIENT_FLAG = 8 }; /* of the input, the linear weight, the linear bias */

typedef struct linear_loss {
  value input, linear_weight; /* [N, F], [C, F], in the dtype of computation */
  value logs;                 /* [N, C]: log_softmax of the scores */
  value loss, total;          /* [N] or its sum; the sum of the weights of the rows that count */
} linear_loss;

static value transposed(buddy_call *call, value a) { return cp_swap(call, a, 0, 1); }

static int read_loss(buddy_call *call, int64_t reduction, linear_loss *out) {
  value input = cp_computed(call, INPUT), bias = cp_computed(call, LINEAR_BIAS);
  value linear_weight = cp_computed(call, LINEAR_WEIGHT);
  value scores = cp_matmul(call, input, transposed(call, linear_weight));
  if (bias) scores = cp_add(call, scores, bias);
  if (!scores) return 0;
  const buddy_tensor_type *type = cp_type(call, scores);
  value logs = BE_NODE(call, "aten.log_softmax.int", type, be_t("self", scores), be_i("dim", 1));
  if (!logs) return 0;
  const buddy_tensor_type *scalar = be_type(call, type->dtype, 0, NULL);
  const buddy_tensor_type *rows = be_type(call, type->dtype, 1, type->dims);
  if (!scalar || !rows) return 0;
  const buddy_tensor_type types[] = {reduction == CP_REDUCTION_NONE ? *rows : *scalar, *scalar};
  const buddy_named_arg args[] = {be_t("self", logs), be_t("target", be_arg_value(call, TARGET)),
                                  be_t("weight", cp_computed(call, WEIGHT)),
                                  be_i("reduction", reduction),
                                  be_pass(call, "ignore_index", IGNORE_INDEX)};
  value results[2];
  if (be_host->node(call, "aten.nll_loss_forward.default", args, 5, types, 2, results) != BUDDY_OK)
    return 0;
  *out = (linear_loss){input, linear_weight, logs, results[0], results[1]};
  return 1;
}

/* The gradient of the scores: that of the sum of the rows' losses, over the divisor of a mean. */
static value score_gradient(buddy_call *call, const linear_loss *of, value divisor) {
  const buddy_tensor_type *type = cp_type(call, of->logs);
  value one = cp_full(call, be_type(call, type->dtype, 0, NULL), 1);
  value of_logs =
      BE_NODE(call, "aten.nll_loss_backward.default", type, be_t("grad_output", one),
              be_t("self", of->logs), be_t("target", be_arg_value(call, TARGET)),
              be_t("weight", cp_computed(call, WEIGHT)), be_i("reduction", CP_REDUCTION_SUM),
              be_pass(call, "ignore_index", IGNORE_INDEX), be_t("total_weight", of->total));
  if (!of_logs) return NULL;
  value gradient =
      BE_NODE(call, "aten._log_softmax_backward_data.default", type, be_t("grad_output", of_logs),
              be_t("output", of->logs), be_i("dim", 1), be_d("input_dtype", type->dtype));
  return divisor ? cp_div(call, gradient, divisor) : gradient;
}

/* Result i + 1: the gradient of the i-th of input, linear weight and linear bias; empty where it is
 * not asked for. */
static buddy_code finish_gradient(buddy_call *call, const linear_loss *of, size_t i, value scores) {
  const buddy_tensor_type *to = be_result_type(call, i + 1);
  if (!be_bool(call, FIRST_GRADIENT_FLAG + i)) return be_replace(call, i + 1, cp_full(call, to, 0));
  value gradient = i == 0   ? cp_matmul(call, scores, of->linear_weight)
                   : i == 1 ? cp_matmul(call, transposed(call, scores), of->input)
                            : cp_sum(call, scores, 1, 0);
  return be_replace(call, i + 1, cp_cast(call, gradient, to->dtype));
}

/* From PyTorch 2.15 on, [N, C] in place of classes. */
static bool has_probabilities(buddy_call *call) { return be_arg_type(call, TARGET)->rank == 2; }

/* The loss in whole, and the gradients of it. */
buddy_code cp_op_linear_cross_entropy(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_arg *reduction = be_arg(call, REDUCTION);
  const bool is_mean =
      reduction->kind == BUDDY_ARG_STRING && strcmp(reduction->as.string, "mean") == 0;
  if (be_float(call, SMOOTHING, 0) != 0) return be_decline(call, "it has label smoothing");
  if (has_probabilities(call)) return be_decline(call, "its target is probabilities");
  linear_loss of = {0};
  if (!read_loss(call, CP_REDUCTION_SUM, &of)) return cp_finish(call, NULL);
  value divisor = NULL, scores = NULL;
  if (is_mean) {
    /* As PyTorch has it: where the weights add up to 0, whatever they are, there is no mean. */
    value nan = cp_full(call, cp_type(call, of.total), NAN);
    divisor = cp_where(call, cp_number(call, "aten.eq.Tensor", of.total, 0), nan, of.total);
  }
  for (size_t i = 0; i < 3 && !scores; ++i) {
    if (be_bool(call, FIRST_GRADIENT_FLAG + i)) scores = score_gradient(call, &of, divisor);
  }
  const buddy_code code = cp_finish(call, is_mean ? cp_div(call, of.loss, divisor) : of.loss);
  for (size_t i = 0; i < 3 && code == BUDDY_OK; ++i) {
    const buddy_code failed = finish_gradient(call, &of, i, scores);
    if (failed != BUDDY_OK) return failed;
  }
  return code;
}

/* The loss of each row. */
buddy_code cp_op_linear_cross_entropy_rows(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  if (has_probabilities(call)) return be_decline(call, "its target is probabilities");
  linear_loss of = {0};
  (void)read_loss(call, CP_REDUCTION_NONE, &of);
  return cp_finish(call, of.loss);
}
