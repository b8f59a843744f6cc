// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/registry/plugins/alpha.c: a well-behaved portable registry that emits, and declines in
 * every way. */
#include "portable.h"

/* One op of the name in `user`, over all tensor arguments. */
static buddy_code emit_op(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return build_over_tensors(call, self->user);
}

static buddy_code match_dilation(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->arg(call, 1)->as.i == 1 ? BUDDY_OK : host->decline(call, text("dilation is not 1"));
}

static buddy_code decline_silently(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  (void)call;
  return BUDDY_DECLINED;
}

static buddy_code decline_late(void *state, const buddy_op *self, buddy_call *call) {
  emit_op(state, self, call);
  return host->decline(call, text("seen too late"));
}

static buddy_code fail_late(void *state, const buddy_op *self, buddy_call *call) {
  emit_op(state, self, call);
  return host->fail(call, BUDDY_INTERNAL, text("broke down"));
}

static buddy_code emit_subgraph(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_arg *body = host->arg(call, 1);
  if (!body || body->kind != BUDDY_ARG_GRAPH) return host->decline(call, text("no body"));
  return emit_op(state, self, call);
}

static const buddy_op ops[] = {
    {.name = "test.add.default",
     .args = "self, other",
     .in_dtypes = BUDDY_FLOATS,
     .emit = emit_op,
     .user = "alpha.add"},
    {.name = "test.relu.default",
     .args = "self",
     .flags = BUDDY_ROW_STATIC,
     .emit = emit_op,
     .user = "alpha.relu"},
    {.name = "test.cast.default",
     .args = "self, dtype",
     .out_dtypes = BUDDY_DTYPE_BIT(BUDDY_F32),
     .emit = emit_op,
     .user = "alpha.cast"},
    {.name = "test.conv.default",
     .args = "self, dilation",
     .match = match_dilation,
     .emit = emit_op,
     .user = "alpha.conv",
     .benefit = 1},
    {.name = "test.conv.default",
     .args = "self, dilation",
     .emit = emit_op,
     .user = "alpha.slow_conv"},
    {.name = "test.silent.default",
     .args = "self",
     .match = decline_silently,
     .emit = emit_op,
     .user = "alpha.silent"},
    {.name = "test.late.default", .args = "self", .emit = decline_late, .user = "alpha.late"},
    {.name = "test.broken.default", .args = "self", .emit = fail_late, .user = "alpha.broken"},
    {.name = "test.unverified.default", .args = "self", .emit = emit_op, .user = "bad.op"},
    {.name = "test.loop.default",
     .args = "self, body",
     .emit = emit_subgraph,
     .user = "alpha.loop"},
    {.name = "test.effect.default", .args = "self", .emit = emit_op, .user = "alpha.effect"},
    {.name = "test.mm.default", .args = "self, other", .emit = emit_op, .user = "alpha.mm"},
    {.name = "test.item.default", .args = "self", .emit = emit_op, .user = "alpha.item"},
    {.name = "test.pair.default",
     .args = "self",
     .flags = BUDDY_ROW_LAST,
     .emit = emit_op,
     .user = "alpha.pair"},
    {.name = "nowhere.defined.default", .args = "self", .emit = emit_op, .user = "alpha.nowhere"},
};

static const char *const schemas[] = {
    "test::add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    "test::relu(Tensor self) -> Tensor",
    "test::cast(Tensor self, *, ScalarType dtype) -> Tensor",
    "test::conv(Tensor self, int dilation=1) -> Tensor",
    "test::silent(Tensor self) -> Tensor",
    "test::late(Tensor self) -> Tensor",
    "test::broken(Tensor self) -> Tensor",
    "test::unverified(Tensor self) -> Tensor",
    "test::loop(Tensor self, Any body) -> Tensor",
    "test::effect(Tensor(a!) self) -> Tensor",
    "test::mm(Tensor self, Tensor other) -> Tensor",
    "test::item(Tensor self) -> Tensor",
    "test::nobody(Tensor self, int k=0) -> Tensor",
    NULL};

BUDDY_REGISTRY(alpha, "1.2.3", "buddy tests", "Apache-2.0", 0u, ops, .schemas = schemas,
               .open = open_registry);
