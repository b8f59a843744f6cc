// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/registry/plugins/beta.c: a well-behaved portable registry that expands, and takes what
 * alpha leaves. */
#include "portable.h"

static buddy_named_arg number(const char *name, int64_t value) {
  buddy_named_arg arg = {name, {BUDDY_ARG_INT, 0, 0, {0}}};
  arg.arg.as.i = value;
  return arg;
}

static const buddy_value *unary(buddy_call *call, const char *op, const buddy_value *self) {
  const buddy_named_arg args[] = {tensor("self", self)};
  const buddy_value *result = NULL;
  host->node(call, op, args, 1, host->result_type(call, 0), 1, &result);
  return result;
}

static const buddy_value *binary(buddy_call *call, const char *op, const buddy_value *self,
                                 const buddy_value *other) {
  const buddy_named_arg args[] = {tensor("self", self), tensor("other", other)};
  const buddy_value *result = NULL;
  host->node(call, op, args, 2, host->result_type(call, 0), 1, &result);
  return result;
}

static const buddy_value *input(buddy_call *call, size_t i) {
  return host->arg(call, i)->as.tensor;
}

static buddy_code emit_op(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_ir_value operand = host->ir_value(call, input(call, 0));
  for (size_t i = 1; i < host->n_args(call); ++i) host->arg(call, i);
  return build_op(call, self->user, &operand, 1);
}

/* add(mm(self, weight), bias) */
static buddy_code expand_linear(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_value *product = binary(call, "test.mm.default", input(call, 0), input(call, 1));
  if (host->arg(call, 2)->kind == BUDDY_ARG_NONE) return host->replace(call, 0, product);
  return host->replace(call, 0, binary(call, "test.add.default", product, input(call, 2)));
}

/* linear without bias, twice: expansions inside of an expansion */
static buddy_code expand_mlp(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_value *value = input(call, 0);
  for (int i = 0; i < 2; ++i) {
    const buddy_named_arg args[] = {tensor("self", value), tensor("weight", input(call, 1))};
    if (host->node(call, "test.linear.default", args, 2, host->result_type(call, 0), 1, &value))
      return BUDDY_INTERNAL;
  }
  return host->replace(call, 0, value);
}

/* The op named in `user`, of the same argument. */
static buddy_code expand_to(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return host->replace(call, 0, unary(call, self->user, input(call, 0)));
}

static buddy_code expand_same(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->replace(call, 0, input(call, 0));
}

/* Itself, of a higher k: never the same question twice. */
static buddy_code expand_count(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_named_arg args[] = {tensor("self", input(call, 0)),
                                  number("k", host->arg(call, 1)->as.i + 1)};
  const buddy_value *result = NULL;
  host->node(call, "test.count.default", args, 2, host->result_type(call, 0), 1, &result);
  return host->replace(call, 0, result);
}

/* Two of itself, of a higher k: 2^64 nodes, if it were let. */
static buddy_code expand_double(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_value *value = input(call, 0);
  for (int i = 0; i < 2; ++i) {
    const buddy_named_arg args[] = {tensor("self", value),
                                    number("k", host->arg(call, 1)->as.i + 1)};
    host->node(call, "test.double.default", args, 2, host->result_type(call, 0), 1, &value);
  }
  return host->replace(call, 0, value);
}

/* Both results. */
static buddy_code emit_pair(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_ir_value operand = host->ir_value(call, input(call, 0));
  for (size_t i = 1; i < host->n_args(call); ++i) host->arg(call, i);
  buddy_ir_type types[2];
  buddy_ir_value results[2];
  for (size_t i = 0; i < 2; ++i) types[i] = host->ir_tensor_type(call, host->result_type(call, i));
  const buddy_ir_spec spec = {.struct_size = sizeof spec,
                              .name = {"beta.pair", 9},
                              .operands = &operand,
                              .n_operands = 1,
                              .result_types = types,
                              .n_results = 2};
  host->ir_op(call, &spec, results);
  host->ir_set_result(call, 0, results[0]);
  return host->ir_set_result(call, 1, results[1]);
}

/* The second result is one that nobody takes, or, with `user`, none. */
static buddy_code expand_both(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  static const char *const ops[] = {"test.relu.default", "test.nobody.default"};
  for (size_t i = 0; i < (self->user ? 1 : 2); ++i) {
    const buddy_named_arg args[] = {tensor("self", input(call, 0))};
    const buddy_value *result;
    if (host->node(call, ops[i], args, 1, host->result_type(call, i), 1, &result))
      return BUDDY_INTERNAL;
    if (host->replace(call, i, result)) return BUDDY_INTERNAL;
  }
  return BUDDY_OK;
}

/* The result of the pair that `user` names, with every kind of argument on the way. */
static buddy_code expand_pick(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  static const int64_t ints[] = {1, 2};
  static const double floats[] = {0.5};
  static const char *const strings[] = {"a", "b"};
  const buddy_value *tensors[] = {input(call, 0), NULL};
  buddy_named_arg args[] = {tensor("self", input(call, 0)),
                            {"tensors", {BUDDY_ARG_TENSORS, 0, 2, {0}}},
                            {"ints", {BUDDY_ARG_INTS, 0, 2, {0}}},
                            {"floats", {BUDDY_ARG_FLOATS, 0, 1, {0}}},
                            {"strings", {BUDDY_ARG_STRINGS, 0, 2, {0}}},
                            {"mode", {BUDDY_ARG_STRING, 0, 4, {0}}}};
  args[1].arg.as.tensors = tensors;
  args[2].arg.as.ints = ints;
  args[3].arg.as.floats = floats;
  args[4].arg.as.strings = strings;
  args[5].arg.as.string = "fast";
  const buddy_tensor_type types[] = {*host->result_type(call, 0), *host->result_type(call, 0)};
  const buddy_value *results[2];
  if (host->node(call, "test.pair.default", args, 6, types, 2, results)) return BUDDY_INTERNAL;
  return host->replace(call, 0, results[self->user != NULL]);
}

/* Every service of emission, as it should be used. */
static buddy_code emit_services(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *type = host->value_type(call, input(call, 0));
  const float bytes[] = {1, 2};
  float *scratch = host->scratch(call, sizeof bytes);
  memcpy(scratch, bytes, sizeof bytes);
  const buddy_ir_named_attr attrs[] = {
      {text("parsed"), host->ir_attr_parse(call, text("42 : i64"))},
      {text("dense"), host->ir_attr_dense(call, type, scratch, sizeof bytes)}};
  const int64_t double_dim = host->dim(call, BUDDY_DIM_MUL, type->dims[0], 2);
  const buddy_ir_value operands[] = {host->ir_value(call, input(call, 0)),
                                     host->ir_dim(call, double_dim)};
  const buddy_ir_type types[] = {host->ir_type_parse(call, text("tensor<2xf32>"))};
  const int is_same =
      host->n_results(call) == 1 && host->op_name(call).size == strlen("test.services.default");
  buddy_ir_value result;
  const buddy_ir_spec spec = {
      .struct_size = sizeof spec,
      .name = text(is_same && double_dim == 4 ? "beta.services" : "bad.services"),
      .operands = operands,
      .n_operands = 2,
      .result_types = types,
      .n_results = 1,
      .attrs = attrs,
      .n_attrs = 2};
  const buddy_code code = host->ir_op(call, &spec, &result);
  return code == BUDDY_OK ? host->ir_set_result(call, 0, result) : code;
}

static buddy_code match_k(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->arg(call, 1)->as.i == 3 ? BUDDY_OK : host->decline(call, text("k is not 3"));
}

/* Reads the first argument alone. */
static buddy_code emit_first(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_ir_value operand = host->ir_value(call, input(call, 0));
  return build_op(call, self->user, &operand, 1);
}

static buddy_code match_never(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return self->benefit > 0 ? host->decline(call, text("not yet")) : BUDDY_OK;
}

#define CROWD(benefit_)          \
  {.name = "test.crowd.default", \
   .args = "self",               \
   .benefit = benefit_,          \
   .match = match_never,         \
   .emit = emit_op,              \
   .user = "beta.crowd"}

static const buddy_op ops[] = {
    {.name = "test.add.default", .args = "self, other, alpha", .emit = emit_op, .user = "beta.add"},
    {.name = "test.relu.default", .args = "self", .emit = emit_op, .user = "beta.relu"},
    {.name = "test.cast.default", .args = "self, dtype", .emit = emit_op, .user = "beta.cast"},
    {.name = "test.late.default", .args = "self", .expand = expand_to, .user = "test.relu.default"},
    {.name = "test.broken.default", .args = "self", .emit = emit_op, .user = "beta.broken"},
    {.name = "test.unverified.default", .args = "self", .emit = emit_op, .user = "beta.unverified"},
    {.name = "test.linear.default", .args = "self, weight, bias", .expand = expand_linear},
    {.name = "test.mlp.default", .args = "self, weight", .expand = expand_mlp},
    {.name = "test.here.default",
     .args = "self",
     .expand = expand_to,
     .user = "test.there.default"},
    {.name = "test.there.default",
     .args = "self",
     .expand = expand_to,
     .user = "test.here.default"},
    {.name = "test.same.default", .args = "self", .expand = expand_same},
    {.name = "test.via_same.default",
     .args = "self",
     .expand = expand_to,
     .user = "test.same.default"},
    {.name = "test.count.default", .args = "self, k", .expand = expand_count},
    {.name = "test.double.default", .args = "self, k", .expand = expand_double},
    {.name = "test.needy.default",
     .args = "self",
     .expand = expand_to,
     .user = "test.nobody.default"},
    {.name = "test.item.default",
     .args = "self",
     .expand = expand_to,
     .user = "test.unit.default",
     .benefit = 5},
    {.name = "test.pair.default",
     .args = "self, tensors, ints, floats, strings, mode",
     .emit = emit_pair},
    {.name = "test.first.default", .args = "self", .expand = expand_pick},
    {.name = "test.second.default", .args = "self", .expand = expand_pick, .user = "1"},
    {.name = "test.both.default", .args = "self", .expand = expand_both},
    {.name = "test.half.default", .args = "self", .expand = expand_both, .user = "1"},
    {.name = "test.services.default", .args = "self", .emit = emit_services},
    {.name = "test.consumed.default",
     .args = "self, k",
     .match = match_k,
     .emit = emit_first,
     .user = "beta.consumed"},
    {.name = "test.dropped.default",
     .args = "self, k",
     .emit = emit_first,
     .user = "beta.dropped",
     .benefit = 1},
    {.name = "test.dropped.default",
     .args = "self, k",
     .emit = emit_op,
     .user = "beta.not_dropped"},
    CROWD(0),
    CROWD(1),
    CROWD(2),
    CROWD(3),
    CROWD(4),
    CROWD(5),
    CROWD(6),
    CROWD(7),
    CROWD(8),
    CROWD(9),
    CROWD(10),
    CROWD(11),
    CROWD(12),
    CROWD(13),
    CROWD(14),
    CROWD(15),
    CROWD(16),
    CROWD(17),
    {.name = "test.unit.default", .args = "self", .emit = emit_op, .user = "beta.unit"},
};

static const char *const schemas[] = {
    "test::add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    "test::relu(Tensor self) -> Tensor",
    "test::cast(Tensor self, *, ScalarType dtype) -> Tensor",
    "test::late(Tensor self) -> Tensor",
    "test::broken(Tensor self) -> Tensor",
    "test::unverified(Tensor self) -> Tensor",
    "test::linear(Tensor self, Tensor weight, Tensor? bias=None) -> Tensor",
    "test::mlp(Tensor self, Tensor weight) -> Tensor",
    "test::here(Tensor self) -> Tensor",
    "test::there(Tensor self) -> Tensor",
    "test::same(Tensor self) -> Tensor",
    "test::via_same(Tensor self) -> Tensor",
    "test::count(Tensor self, int k=0) -> Tensor",
    "test::double(Tensor self, int k=0) -> Tensor",
    "test::needy(Tensor self) -> Tensor",
    "test::nobody(Tensor self, int k=0) -> Tensor",
    "test::item(Tensor self) -> Tensor",
    "test::unit(Tensor self) -> Tensor",
    "test::pair(Tensor self, Tensor?[] tensors=[], int[] ints=[], float[] floats=[], str[] "
    "strings=[], str mode=\"slow\") "
    "-> (Tensor, Tensor)",
    "test::first(Tensor self) -> Tensor",
    "test::second(Tensor self) -> Tensor",
    "test::both(Tensor self) -> (Tensor, Tensor)",
    "test::half(Tensor self) -> (Tensor, Tensor)",
    "test::services(Tensor self) -> Tensor",
    "test::consumed(Tensor self, int k=0) -> Tensor",
    "test::dropped(Tensor self, int k=0) -> Tensor",
    "test::crowd(Tensor self) -> Tensor",
    NULL};

BUDDY_REGISTRY(beta, "2.0.0", "buddy tests", "LicenseRef-closed", 0u, ops, .schemas = schemas,
               .open = open_registry, .flags = BUDDY_REGISTRY_SERIAL);
