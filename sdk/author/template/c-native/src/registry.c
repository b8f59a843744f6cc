/* buddy_@name@: the op table of a registry of the native tier: it calls the MLIR C API, and is tied
 * to the LLVM it was built with.
 *
 *   relu            one op of an MLIR dialect, with a constant
 *   mul, sub, …     one function for a family: the row's `user` says which op
 *   scale_shift     an op of our own, expanded into ops that every registry knows */
#include <buddy/emit.h>

/* ---- Rows that emit IR ---- */
static buddy_code emit_relu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_result_type(call, 0);
  const MlirValue zero = be_splat(call, type, 0);
  return be_result(call, 0, BE_OP(call, "arith.maximumf", type, be_tensor(call, 0), zero));
}

static MlirValue binary_body(const be_body *body, const MlirValue *scalars, void *user) {
  return BE_IN(body, (const char *)user, (MlirType){NULL}, scalars[0], scalars[1]);
}

/* a op b, broadcast as PyTorch does. */
static buddy_code emit_binary(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue inputs[] = {be_tensor(call, 0), be_tensor(call, 1)};
  const buddy_tensor_type *types[] = {be_arg_type(call, 0), be_arg_type(call, 1)};
  return be_result(call, 0,
                   be_elementwise(call, to, inputs, types, 2, binary_body, (void *)(uintptr_t)self->user));
}

/* The host has declined what the row's fields exclude; here is what only the row can know. */
static buddy_code match_same_dtype(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  for (size_t i = 0; i < 2; ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (!type) return be_decline(call, "operand %zu is no tensor", i);
    if (type->dtype != to->dtype) return be_decline(call, "the operands differ in dtype");
  }
  return BUDDY_OK;
}

/* ---- A row that expands ---- */
static buddy_code expand_scale_shift(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_result_type(call, 0);
  const double scale = be_float(call, 1, 1), shift = be_float(call, 2, 0);
  const buddy_value *scaled = BE_NODE(call, "aten.mul.Scalar", type,
                                      be_t("self", be_arg_value(call, 0)), be_f("other", scale));
  const buddy_value *shifted =
      BE_NODE(call, "aten.add.Scalar", type, be_t("self", scaled), be_f("other", shift));
  return be_replace(call, 0, shifted);
}

/* ---- The table ---- */
#define FLOATS .in_dtypes = BUDDY_FLOATS, .out_dtypes = BUDDY_FLOATS
static const buddy_op ops[] = {
    {.name = "aten.relu.default", .args = "self", FLOATS, .emit = emit_relu},
    {.name = "aten.mul.Tensor", .args = "self, other", FLOATS, .match = match_same_dtype,
     .emit = emit_binary, .user = "arith.mulf"},
    {.name = "aten.sub.Tensor", .args = "self, other", FLOATS, .match = match_same_dtype,
     .emit = emit_binary, .user = "arith.subf"}, /* alpha: declined by the host, unless it is 1 */
    {.name = "@name@.scale_shift.default", .args = "self, scale, shift", FLOATS,
     .expand = expand_scale_shift},
};

static const char *const schemas[] = {
    "@name@::scale_shift(Tensor self, float scale=1.0, float shift=0.0) -> Tensor", NULL};
static const char *const dialects[] = {"arith", "linalg", "tensor", NULL};

BUDDY_REGISTRY(@name@, "0.1.0", "@vendor@", "@license@", BUDDY_LLVM, ops, .dialects = dialects,
               .schemas = schemas, .open = be_open);
