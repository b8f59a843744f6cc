// buddy_@name@: the op table of a registry of the native tier: it calls the MLIR C API, and is
// tied to the LLVM it was built with.
//
//   relu            one op of an MLIR dialect, with a constant
//   mul, sub, …     one function for a family: the row's `user` says which op
//   scale_shift     an op of our own, expanded into ops that every registry knows
//
// What these functions throw is caught by buddy/registry.hpp, and fails the call.
#include <buddy/emit.h>

#include <buddy/registry.hpp>
#include <stdexcept>

namespace {

// ---- Rows that emit IR ----
buddy_code emit_relu(void *, const buddy_op *, buddy_call *call) {
  const buddy_tensor_type *type = be_result_type(call, 0);
  const MlirValue operands[] = {be_tensor(call, 0), be_splat(call, type, 0)};
  return be_result(call, 0, be_op(call, "arith.maximumf", type, operands, 2, nullptr));
}

MlirValue binary_body(const be_body *body, const MlirValue *scalars, void *user) {
  return be_in(body, static_cast<const char *>(user), MlirType{nullptr}, scalars, 2, nullptr);
}

// a op b, broadcast as PyTorch does.
buddy_code emit_binary(void *, const buddy_op *self, buddy_call *call) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue inputs[] = {be_tensor(call, 0), be_tensor(call, 1)};
  const buddy_tensor_type *types[] = {be_arg_type(call, 0), be_arg_type(call, 1)};
  if (!types[0] || !types[1]) throw std::runtime_error("match let a number through");
  return be_result(call, 0, be_elementwise(call, to, inputs, types, 2, binary_body,
                                           const_cast<void *>(self->user)));
}

// The host has declined what the row's fields exclude; here is what only the row can know.
buddy_code match_same_dtype(void *, const buddy_op *, buddy_call *call) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  for (size_t i = 0; i < 2; ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (!type) return be_decline(call, "operand %zu is no tensor", i);
    if (type->dtype != to->dtype) return be_decline(call, "the operands differ in dtype");
  }
  return BUDDY_OK;
}

// ---- A row that expands ----
const buddy_value *node(buddy_call *call, const char *op, const buddy_value *self, double other) {
  const buddy_named_arg args[] = {be_t("self", self), be_f("other", other), {}};
  return be_node(call, op, be_result_type(call, 0), args);
}

buddy_code expand_scale_shift(void *, const buddy_op *, buddy_call *call) {
  const double scale = be_float(call, 1, 1), shift = be_float(call, 2, 0);
  const buddy_value *scaled = node(call, "aten.mul.Scalar", be_arg_value(call, 0), scale);
  return be_replace(call, 0, node(call, "aten.add.Scalar", scaled, shift));
}

// ---- The table ----
using buddy::row;
constexpr row ops[] = {
    row("aten.relu.default", "self").floats().emitted_by<emit_relu>(),
    row("aten.mul.Tensor", "self, other")
        .floats()
        .using_data("arith.mulf")
        .matched_by<match_same_dtype>()
        .emitted_by<emit_binary>(),
    row("aten.sub.Tensor", "self, other")  // alpha: declined by the host, unless it is 1
        .floats()
        .using_data("arith.subf")
        .matched_by<match_same_dtype>()
        .emitted_by<emit_binary>(),
    row("@name@.scale_shift.default", "self, scale, shift")
        .floats()
        .expanded_by<expand_scale_shift>(),
};

const char *const schemas[] = {
    "@name@::scale_shift(Tensor self, float scale=1.0, float shift=0.0) -> Tensor", nullptr};
const char *const dialects[] = {"arith", "linalg", "tensor", nullptr};

}  // namespace

BUDDY_CXX_REGISTRY(@name@, "0.1.0", "@vendor@", "@license@", BUDDY_LLVM, ops,
                   buddy::described().with_dialects(dialects).with_schemas(schemas).opened_by(be_open));
