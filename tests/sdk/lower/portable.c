// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/sdk/lower/portable.c: a registry of the portable tier: host services only, no MLIR in
 * it. */
#include <string.h>

#include "buddy/extensions.h"
#include "../../core/registry/plugins/portable.h"

/* a + constant, by parsed types and dense bytes. */
static buddy_code emit_plus(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *type = host->result_type(call, 0);
  const float one = 1.0f;
  const buddy_ir_type ir_type = host->ir_tensor_type(call, type);
  const buddy_ir_named_attr value = {text("value"),
                                     host->ir_attr_dense(call, type, &one, sizeof(one))};
  buddy_ir_value operands[2] = {host->ir_value(call, host->arg(call, 0)->as.tensor)};
  buddy_ir_spec spec = {.struct_size = sizeof(spec),
                        .name = text("arith.constant"),
                        .result_types = &ir_type,
                        .n_results = 1,
                        .attrs = &value,
                        .n_attrs = 1};
  if (host->ir_op(call, &spec, &operands[1]) != BUDDY_OK) return BUDDY_INVALID_ARGUMENT;
  spec = (buddy_ir_spec){.struct_size = sizeof(spec),
                         .name = text(self->user),
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
  if (!host->ir_type_parse(call, text("tensor<2x?xf32>")).ptr)
    return host->fail(call, BUDDY_INTERNAL, text("type"));
  if (!host->ir_attr_parse(call, text("dense<1> : tensor<3xi32>")).ptr) {
    return host->fail(call, BUDDY_INTERNAL, text("attr"));
  }
  if (!host->ir_dim(call, 4).ptr) return host->fail(call, BUDDY_INTERNAL, text("dim"));
  host->ir_type_parse(call, text("tensor<oops"));
  return host->ir_set_result(call, 0, host->ir_value(call, host->arg(call, 0)->as.tensor));
}

/* Texts that are right, and texts that are wrong in one way each; the row's user says which. */
static buddy_code emit_text(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_text_services *services = host->extension(BUDDY_TEXT_ID);
  const buddy_ir_value operand = host->ir_value(call, host->arg(call, 0)->as.tensor);
  buddy_ir_value result = {NULL};
  if (!services) return host->fail(call, BUDDY_INTERNAL, text("no buddy.text/1"));
  const buddy_code code = services->ir_text(call, text(self->user), &operand, 1, &result, 1);
  return code == BUDDY_OK ? host->ir_set_result(call, 0, result) : code;
}

static const buddy_op ops[] = {
    {.name = "lowerportable.plus.default", .args = "a", .emit = emit_plus, .user = "arith.addf"},
    {.name = "lowerportable.parse.default", .args = "a", .emit = emit_parse},
#define TEXT(name_, text) \
  {.name = "lowerportable." name_ ".default", .args = "a", .emit = emit_text, .user = text}
#define FUNCTION(body) "func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {\n" body "\n}"
    TEXT("text",
         "#id = affine_map<(x) -> (x)>\nfunc.func private @twice(tensor<3xf32>) -> "
         "tensor<3xf32>\n" FUNCTION(
             "%b = func.call @twice(%a) : (tensor<3xf32>) -> tensor<3xf32>\n"
             "%r = linalg.generic {indexing_maps = [#id, #id], iterator_types = "
             "[\"parallel\"]} ins(%b : tensor<3xf32>) outs(%a : tensor<3xf32>) {\n"
             "^bb0(%x: f32, %y: f32):\n%z = arith.negf %x : f32\nlinalg.yield %z : f32\n"
             "} -> tensor<3xf32>\nfunc.return %r : tensor<3xf32>")),
    TEXT("text_identity", FUNCTION("func.return %a : tensor<3xf32>")),
    TEXT("text_garbage", "func.func @f("),
    TEXT("text_empty", "module {}"),
    TEXT("text_unverified", FUNCTION("%r = arith.addi %a, %a : tensor<3xf32>\n"
                                     "func.return %r : tensor<3xf32>")),
    TEXT("text_other_type",
         "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
         "func.return %a : tensor<4xf32>\n}"),
    TEXT("text_no_argument", "func.func @f() {\nfunc.return\n}"),
    TEXT("text_two", FUNCTION("func.return %a : tensor<3xf32>") "\nfunc.func @g() {\n"
                                                                "func.return\n}"),
    TEXT("text_blocks", FUNCTION("cf.br ^b\n^b:\nfunc.return %a : tensor<3xf32>")),
    TEXT("text_nested", "module @m {}\n" FUNCTION("func.return %a : tensor<3xf32>")),
};
static const char *const schemas[] = {"lowerportable::plus(Tensor a) -> Tensor",
                                      "lowerportable::parse(Tensor a) -> Tensor",
                                      "lowerportable::text(Tensor a) -> Tensor",
                                      "lowerportable::text_identity(Tensor a) -> Tensor",
                                      "lowerportable::text_garbage(Tensor a) -> Tensor",
                                      "lowerportable::text_empty(Tensor a) -> Tensor",
                                      "lowerportable::text_unverified(Tensor a) -> Tensor",
                                      "lowerportable::text_other_type(Tensor a) -> Tensor",
                                      "lowerportable::text_no_argument(Tensor a) -> Tensor",
                                      "lowerportable::text_two(Tensor a) -> Tensor",
                                      "lowerportable::text_blocks(Tensor a) -> Tensor",
                                      "lowerportable::text_nested(Tensor a) -> Tensor",
                                      NULL};
static const char *const dialects[] = {"arith", "cf", NULL};

BUDDY_REGISTRY(lowerportable, "1.0.0", "buddy", "Apache-2.0", 0, ops, .dialects = dialects,
               .schemas = schemas, .open = open_registry);
