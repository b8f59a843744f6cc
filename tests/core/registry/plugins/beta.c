/* tests/core/registry/plugins/beta.c: a well-behaved portable registry that expands, and takes what
 * alpha leaves. */
#include <string.h>

#include "buddy/registry.h"

static const buddy_host *host;

static buddy_sv text(const char *string) { return (buddy_sv){string, strlen(string)}; }

static buddy_code open_registry(const buddy_host *given, void **out_state, char *why,
                                size_t why_size) {
  (void)why;
  (void)why_size;
  host = given;
  *out_state = NULL;
  return BUDDY_OK;
}

static buddy_named_arg tensor(const char *name, const buddy_value *value) {
  buddy_named_arg arg = {name, {BUDDY_ARG_TENSOR, 0, 0, {0}}};
  arg.arg.as.tensor = value;
  return arg;
}

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
  const buddy_ir_type type = host->ir_tensor_type(call, host->result_type(call, 0));
  buddy_ir_value result;
  const buddy_ir_spec spec = {.struct_size = sizeof spec,
                              .name = text(self->user),
                              .operands = &operand,
                              .n_operands = 1,
                              .result_types = &type,
                              .n_results = 1};
  host->ir_op(call, &spec, &result);
  return host->ir_set_result(call, 0, result);
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
    NULL};

BUDDY_REGISTRY(beta, "2.0.0", "buddy tests", "LicenseRef-closed", 0u, ops, .schemas = schemas,
               .open = open_registry, .flags = BUDDY_REGISTRY_SERIAL);
