// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/decline_test.cc: values of arguments in the host's own refusals.
#include "tests/core/registry/registry_fixture.h"

namespace {

class DeclineTest : public RegistryTest {
 protected:
  // Why closer's row, which lists `self` alone, declines an op whose `extra` is that.
  std::string Reason(const char *type, buddy_arg arg) {
    buddy_opset_destroy(opset);
    EXPECT_EQ(buddy_opset_create(&opset), BUDDY_OK);
    const std::string schema =
        std::string("closer::one(Tensor self, ") + type + " extra=None) -> Tensor";
    EXPECT_EQ(buddy_opset_define(opset, schema.c_str(), BUDDY_KIND_OTHER, diags), BUDDY_OK)
        << Text();
    EXPECT_EQ(Load("aaa"), BUDDY_OK) << Text();
    const buddy_value *x = Input(BUDDY_F32, {2, 3});
    if (arg.kind == BUDDY_ARG_TENSOR) arg.as.tensor = x;
    const buddy_value *list[] = {x, nullptr};
    if (arg.kind == BUDDY_ARG_TENSORS) arg.as.tensors = list;
    buddy_named_arg extra{"extra", arg};
    Output(Value("closer.one.default", {Tensor("self", x), extra}));
    EXPECT_EQ(Plan(), BUDDY_UNSUPPORTED);
    const std::string reason = buddy_plan_decision(plan, 0)->tries[0].reason;
    buddy_plan_destroy(plan);
    plan = nullptr;
    buddy_graph_destroy(graph);
    graph = nullptr;
    buddy_registries_destroy(registries);
    registries = nullptr;
    const std::string prefix = "argument 'extra' = ", suffix = " is not handled by this row";
    EXPECT_EQ(reason.substr(0, prefix.size()), prefix);
    return reason.substr(prefix.size(), reason.size() - prefix.size() - suffix.size());
  }

  static buddy_arg Of(buddy_arg_kind kind, size_t n = 0) {
    buddy_arg arg{};
    arg.kind = kind;
    arg.n = n;
    return arg;
  }
};

TEST_F(DeclineTest, EachKind) {
  buddy_arg arg = Of(BUDDY_ARG_BOOL);
  arg.as.i = 1;
  EXPECT_EQ(Reason("bool?", arg), "True");
  arg = Of(BUDDY_ARG_INT);
  arg.as.i = -3;
  EXPECT_EQ(Reason("int?", arg), "-3");
  arg = Of(BUDDY_ARG_FLOAT);
  arg.as.f = 0.5;
  EXPECT_EQ(Reason("float?", arg), "0.5");
  arg = Of(BUDDY_ARG_DTYPE);
  arg.as.i = BUDDY_BF16;
  EXPECT_EQ(Reason("ScalarType?", arg), "bf16");
  arg = Of(BUDDY_ARG_STRING, 4);
  arg.as.string = "tanh";
  EXPECT_EQ(Reason("str?", arg), "\"tanh\"");
  const int64_t ints[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  arg = Of(BUDDY_ARG_INTS, 2);
  arg.as.ints = ints;
  EXPECT_EQ(Reason("int[]?", arg), "[1, 2]");
  arg.n = 9;
  EXPECT_EQ(Reason("int[]?", arg), "[1, 2, 3, 4, 5, 6, 7, 8, …]");
  arg = Of(BUDDY_ARG_BOOLS, 2);
  const int64_t bools[] = {1, 0};
  arg.as.ints = bools;
  EXPECT_EQ(Reason("bool[]?", arg), "[True, False]");
  arg = Of(BUDDY_ARG_FLOATS, 2);
  const double floats[] = {1.5, 2};
  arg.as.floats = floats;
  EXPECT_EQ(Reason("float[]?", arg), "[1.5, 2.0]");
  EXPECT_EQ(Reason("Tensor?", Of(BUDDY_ARG_TENSOR)), "f32[2,3]");
  EXPECT_EQ(Reason("Tensor?[]?", Of(BUDDY_ARG_TENSORS, 2)), "[f32[2,3], None]");
}

}  // namespace
