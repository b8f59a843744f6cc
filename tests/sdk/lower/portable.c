/* tests/sdk/lower/portable.c: a registry of the portable tier: host services only, no MLIR in it.
 */
#include <string.h>

#include "buddy/registry.h"

static const buddy_host *host;

static buddy_sv sv(const char *text) { return (buddy_sv){text, strlen(text)}; }

/* a + constant, by parsed types and dense bytes. */
static buddy_code emit_plus(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *type = host->result_type(call, 0);
  const float one = 1.0f;
  const buddy_ir_type ir_type = host->ir_tensor_type(call, type);
  const buddy_ir_named_attr value = {sv("value"),
                                     host->ir_attr_dense(call, type, &one, sizeof(one))};
  buddy_ir_value operands[2] = {host->ir_value(call, host->arg(call, 0)->as.tensor)};
  buddy_ir_spec spec = {.struct_size = sizeof(spec),
                        .name = sv("arith.constant"),
                        .result_types = &ir_type,
                        .n_results = 1,
                        .attrs = &value,
                        .n_attrs = 1};
  if (host->ir_op(call, &spec, &operands[1]) != BUDDY_OK) return BUDDY_INVALID_ARGUMENT;
  spec = (buddy_ir_spec){.struct_size = sizeof(spec),
                         .name = sv(self->user),
                         .operands = operands,
                         .n_operands = 2,
                         .result_types = &ir_type,
                         .n_results = 1};
  buddy_ir_value result;
  if (host->ir_op(call, &spec, &result) != BUDDY_OK) return BUDDY_INVALID_ARGUMENT;
  return host->ir_set_result(call, 0, result);
}

/* What parses and what does not. */
static buddy_code emit_parse(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  if (host->ir_type_parse(call, sv("tensor<2x?xf32>")).ptr == NULL)
    return host->fail(call, BUDDY_INTERNAL, sv("type"));
  if (host->ir_attr_parse(call, sv("dense<1> : tensor<3xi32>")).ptr == NULL) {
    return host->fail(call, BUDDY_INTERNAL, sv("attr"));
  }
  if (host->ir_dim(call, 4).ptr == NULL) return host->fail(call, BUDDY_INTERNAL, sv("dim"));
  host->ir_type_parse(call, sv("tensor<oops"));
  return host->ir_set_result(call, 0, host->ir_value(call, host->arg(call, 0)->as.tensor));
}

static buddy_code open_registry(const buddy_host *given, void **out_state, char *why,
                                size_t why_size) {
  (void)why, (void)why_size;
  host = given;
  *out_state = NULL;
  return BUDDY_OK;
}

static const buddy_op ops[] = {
    {.name = "lowerportable.plus.default", .args = "a", .emit = emit_plus, .user = "arith.addf"},
    {.name = "lowerportable.parse.default", .args = "a", .emit = emit_parse},
};
static const char *const schemas[] = {"lowerportable::plus(Tensor a) -> Tensor",
                                      "lowerportable::parse(Tensor a) -> Tensor", NULL};
static const char *const dialects[] = {"arith", NULL};

BUDDY_REGISTRY(lowerportable, "1.0.0", "buddy", "Apache-2.0", 0, ops, .dialects = dialects,
               .schemas = schemas, .open = open_registry);
