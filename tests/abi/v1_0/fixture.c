/* tests/abi/v1_0/fixture.c: a registry built with the header of 1.0, never to be changed: from it
 * comes buddy_v1fixture.so (make.sh), which every buddy of ABI 1 must load and use. */
#include "buddy/registry.h"

static const buddy_host *host;

static buddy_sv sv(const char *text) {
  buddy_sv view = {text, 0};
  while (text[view.size]) ++view.size;
  return view;
}

/* self + self, by host services. */
static buddy_code emit_double(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_tensor_type *type = host->result_type(call, 0);
  const buddy_arg *arg = host->arg(call, 0);
  if (!type || !arg) return BUDDY_INTERNAL;
  const buddy_ir_type ir_type = host->ir_tensor_type(call, type);
  const buddy_ir_value value = host->ir_value(call, arg->as.tensor);
  const buddy_ir_value operands[] = {value, value};
  const buddy_ir_spec spec = {.struct_size = sizeof spec,
                              .name = sv((const char *)self->user),
                              .operands = operands,
                              .n_operands = 2,
                              .result_types = &ir_type,
                              .n_results = 1};
  buddy_ir_value result = {0};
  const buddy_code code = host->ir_op(call, &spec, &result);
  return state && code == BUDDY_OK ? host->ir_set_result(call, 0, result) : code;
}

static buddy_code match_rank(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  if (host->result_type(call, 0)->rank > 2) return host->decline(call, sv("rank is above 2"));
  return BUDDY_OK;
}

/* self * 2 + self */
static buddy_code expand_triple(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_value *value = host->arg(call, 0)->as.tensor, *doubled, *tripled;
  const buddy_tensor_type *type = host->result_type(call, 0);
  buddy_named_arg args[2] = {{"self", {BUDDY_ARG_TENSOR, 0, 0, {0}}},
                             {"other", {BUDDY_ARG_TENSOR, 0, 0, {0}}}};
  args[0].arg.as.tensor = value;
  buddy_code code = host->node(call, "v1fixture.double.default", args, 1, type, 1, &doubled);
  if (code != BUDDY_OK) return code;
  args[0].arg.as.tensor = doubled;
  args[1].arg.as.tensor = value;
  code = host->node(call, "aten.add.Tensor", args, 2, type, 1, &tripled);
  return code == BUDDY_OK ? host->replace(call, 0, tripled) : code;
}

static buddy_code open_registry(const buddy_host *given, void **out_state, char *why,
                                size_t why_size) {
  host = given;
  if (why_size) why[0] = 0;
  *out_state = given->alloc(16);
  return *out_state ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}
static void close_registry(void *state) { host->free(state); }

static const buddy_op ops[] = {
    {.name = "v1fixture.double.default",
     .args = "self",
     .in_dtypes = BUDDY_FLOATS,
     .match = match_rank,
     .emit = emit_double,
     .user = "arith.addf"},
    {.name = "v1fixture.triple.default", .args = "self", .expand = expand_triple},
};
static const char *const schemas[] = {"v1fixture::double(Tensor self) -> Tensor",
                                      "v1fixture::triple(Tensor self) -> Tensor", 0};
static const char *const dialects[] = {"arith", 0};

BUDDY_REGISTRY(v1fixture, "1.0.0", "buddy tests", "MIT", 0, ops, .dialects = dialects,
               .schemas = schemas, .open = open_registry, .close = close_registry);
