// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/registry/plugins/fuser.c: a registry with transforms: one that fuses, one that leads
 * to an op nobody takes, one that fails. */
#include <string.h>

#include "buddy/extensions.h"
#include "portable.h"

static int is(buddy_sv a, const char *b) {
  return a.size == strlen(b) && !memcmp(a.data, b, a.size);
}

static buddy_code emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return build_over_tensors(call, self->name);
}

/* add(mul(a, b), c) is fma(a, b, c). */
static buddy_code fuse(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_graph_services *graph = host->extension(BUDDY_GRAPH_ID);
  const buddy_value *product = host->arg(call, 0)->as.tensor;
  if (!graph) return host->fail(call, BUDDY_INTERNAL, text("no buddy.graph/1"));
  if (!is(graph->producer(call, product), "fuser.mul.default"))
    return host->decline(call, text("self is no product"));
  if (graph->result_index(call, product) != 0 || graph->n_uses(call, product) < 1)
    return host->fail(call, BUDDY_INTERNAL, text("wrong index or uses"));
  if (graph->producer_arg(call, product, "nothing"))
    return host->fail(call, BUDDY_INTERNAL, text("an argument that is not there"));
  const buddy_named_arg args[] = {
      tensor("a", graph->producer_arg(call, product, "self")->as.tensor),
      tensor("b", graph->producer_arg(call, product, "other")->as.tensor),
      tensor("c", host->arg(call, 1)->as.tensor)};
  const buddy_value *result;
  const buddy_code code =
      host->node(call, "fuser.fma.default", args, 3, host->result_type(call, 0), 1, &result);
  return code == BUDDY_OK ? host->replace(call, 0, result) : code;
}

static buddy_code lead_nowhere(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_named_arg args[] = {tensor("self", host->arg(call, 0)->as.tensor)};
  const buddy_value *result;
  const buddy_code code =
      host->node(call, "fuser.nobody.default", args, 1, host->result_type(call, 0), 1, &result);
  return code == BUDDY_OK ? host->replace(call, 0, result) : code;
}

static buddy_code fail(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  return host->fail(call, BUDDY_UNSUPPORTED, text("a bad day"));
}

/* sub(add(mul(a, b), c), d), where the product is this registry's, is fma(a, b, d): a pattern with
 * another one inside. */
static buddy_code fuse_own(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_graph_services *graph = host->extension(BUDDY_GRAPH_ID);
  if (!BUDDY_HAS(graph, buddy_graph_services, taker))
    return host->fail(call, BUDDY_INTERNAL, text("no taker"));
  const buddy_value *sum = host->arg(call, 0)->as.tensor, *last = host->arg(call, 1)->as.tensor;
  if (!is(graph->producer(call, sum), "fuser.add.default"))
    return host->decline(call, text("self is no sum"));
  const buddy_value *product = graph->producer_arg(call, sum, "self")->as.tensor;
  if (!is(graph->taker(call, product), "fuser"))
    return host->decline(call, text("the product is not this registry's"));
  if (graph->taker(call, last).size != 0)
    return host->fail(call, BUDDY_INTERNAL, text("an input that is taken"));
  const buddy_named_arg args[] = {
      tensor("a", graph->producer_arg(call, product, "self")->as.tensor),
      tensor("b", graph->producer_arg(call, product, "other")->as.tensor), tensor("c", last)};
  const buddy_value *result;
  const buddy_code code =
      host->node(call, "fuser.fma.default", args, 3, host->result_type(call, 0), 1, &result);
  return code == BUDDY_OK ? host->replace(call, 0, result) : code;
}

static const buddy_transform transforms[] = {
    {.name = "mul_add", .root = "fuser.add.default", .args = "self, other", .rewrite = fuse},
    {.name = "own_mul_sub",
     .root = "fuser.sub.default",
     .args = "self, other",
     .rewrite = fuse_own},
    {.name = "nowhere", .root = "fuser.relu.default", .args = "self", .rewrite = lead_nowhere},
    {.name = "fails", .root = "fuser.neg.default", .args = "self", .rewrite = fail},
    {.name = "unknown", .root = "fuser.is_not_there.default", .args = "self", .rewrite = fail},
};
static const buddy_transforms table = {.struct_size = sizeof table,
                                       .n_transforms = sizeof transforms / sizeof *transforms,
                                       .stride = sizeof *transforms,
                                       .transforms = transforms};
static const void *extension(void *state, const char *id) {
  (void)state;
  return strcmp(id, BUDDY_TRANSFORMS_ID) ? NULL : &table;
}

static const buddy_op ops[] = {
    {.name = "fuser.mul.default", .args = "self, other", .emit = emit},
    {.name = "fuser.add.default", .args = "self, other, alpha", .emit = emit},
    {.name = "fuser.sub.default", .args = "self, other", .emit = emit},
    {.name = "fuser.relu.default", .args = "self", .emit = emit},
    {.name = "fuser.neg.default", .args = "self", .emit = emit},
    {.name = "fuser.fma.default", .args = "a, b, c", .emit = emit},
};
static const char *const schemas[] = {
    "fuser::mul(Tensor self, Tensor other) -> Tensor",
    "fuser::add(Tensor self, Tensor other, int alpha=1) -> Tensor",
    "fuser::sub(Tensor self, Tensor other) -> Tensor",
    "fuser::relu(Tensor self) -> Tensor",
    "fuser::neg(Tensor self) -> Tensor",
    "fuser::fma(Tensor a, Tensor b, Tensor c) -> Tensor",
    "fuser::nobody(Tensor self) -> Tensor",
    NULL};

BUDDY_REGISTRY(fuser, "1.0.0", "buddy tests", "MIT", 0, ops, .schemas = schemas,
               .open = open_registry, .extension = extension);
