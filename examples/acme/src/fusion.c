// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* fusion.c: attention as models write it out,
 *
 *   softmax(q @ k.transpose(-2, -1) * scale, -1) @ v
 *
 * with a product, a quotient or no scale at all, becomes one command of the device. */
#include <string.h>

#include "acme.h"

static int is(buddy_sv op, const char *name) {
  return op.size == strlen(name) && memcmp(op.data, name, op.size) == 0;
}

/* A tensor argument of what makes the value; null if it has none of that name. */
static const buddy_value *operand(buddy_call *call, const buddy_value *value, const char *name) {
  const buddy_graph_services *graph = be_host->extension(BUDDY_GRAPH_ID);
  const buddy_arg *arg = graph->producer_arg(call, value, name);
  return arg && arg->kind == BUDDY_ARG_TENSOR ? arg->as.tensor : NULL;
}

static buddy_sv producer(buddy_call *call, const buddy_value *value) {
  const buddy_graph_services *graph = be_host->extension(BUDDY_GRAPH_ID);
  return value ? graph->producer(call, value) : (buddy_sv){"", 0};
}

/* An integer argument of what makes the value. */
static int64_t number(buddy_call *call, const buddy_value *value, const char *name) {
  const buddy_graph_services *graph = be_host->extension(BUDDY_GRAPH_ID);
  const buddy_arg *arg = graph->producer_arg(call, value, name);
  return arg && arg->kind == BUDDY_ARG_INT ? arg->as.i : -1;
}

static uint32_t rank_of(buddy_call *call, const buddy_value *value) {
  return be_value_type(call, value)->rank;
}

static int is_product(buddy_sv op) {
  return is(op, "aten.matmul.default") || is(op, "aten.bmm.default");
}

/* Passes over `scores * 0.125` and `scores / 8`. */
static const buddy_value *take_scale(buddy_call *call, const buddy_value *scores, double *scale) {
  const buddy_graph_services *graph = be_host->extension(BUDDY_GRAPH_ID);
  const int is_mul = is(producer(call, scores), "aten.mul.Tensor");
  if (!is_mul && !is(producer(call, scores), "aten.div.Tensor")) return scores;
  const buddy_arg *by = graph->producer_arg(call, scores, "other");
  if (by->kind != BUDDY_ARG_FLOAT) return NULL;
  *scale = is_mul ? by->as.f : 1 / by->as.f;
  return operand(call, scores, "self");
}

/* The keys behind k.transpose(-2, -1); dims are not negative in a graph. */
static const buddy_value *take_keys(buddy_call *call, const buddy_value *turned) {
  if (!is(producer(call, turned), "aten.transpose.int")) return NULL;
  const int64_t a = number(call, turned, "dim0"), b = number(call, turned, "dim1");
  const int64_t last = (int64_t)rank_of(call, turned) - 1;
  const int is_last = (a == last && b == last - 1) || (a == last - 1 && b == last);
  return is_last ? operand(call, turned, "self") : NULL;
}

static buddy_code fuse_attention(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state;
  (void)self;
  double scale = 1;
  const buddy_value *weights = be_arg_value(call, 0), *v = be_arg_value(call, 1);
  const buddy_sv softmax = producer(call, weights);
  if (!is(softmax, "aten.softmax.int") && !is(softmax, "aten._softmax.default"))
    return be_decline(call, "the first factor is no softmax");
  if (number(call, weights, "dim") != (int64_t)rank_of(call, weights) - 1)
    return be_decline(call, "the softmax is not over the last dim");
  const buddy_value *scores = operand(call, weights, "self");
  if (be_value_type(call, scores)->dtype != be_result_type(call, 0)->dtype)
    return be_decline(call, "the softmax changes the dtype");
  scores = take_scale(call, scores, &scale);
  if (!scores || !is_product(producer(call, scores)))
    return be_decline(call, "the scores are no product with a number as scale");
  const buddy_value *q = operand(call, scores, "self"), *turned = operand(call, scores, "other");
  if (!turned) turned = operand(call, scores, "mat2");
  const buddy_value *k = turned ? take_keys(call, turned) : NULL;
  if (!k) return be_decline(call, "the keys are not transposed");
  return be_replace(call, 0, acme_attention(call, q, k, v, scale, 0));
}

static const buddy_transform transforms[] = {
    {.name = "attention",
     .root = "aten.matmul.default",
     .args = "self, other",
     .rewrite = fuse_attention},
    {.name = "batched_attention",
     .root = "aten.bmm.default",
     .args = "self, mat2",
     .rewrite = fuse_attention},
};
const buddy_transforms acme_transforms = {.struct_size = sizeof(acme_transforms),
                                          .n_transforms = sizeof(transforms) / sizeof(*transforms),
                                          .stride = sizeof(*transforms),
                                          .transforms = transforms};
