// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class ConformTest : public GraphFixture {
 protected:
  /* What becomes of an argument of test.all.default; null if it is refused. */
  const buddy_arg *Keep(const char *name, const buddy_arg &arg) {
    buddy_node *node;
    if (TryNode("test.all.default", nullptr, {{name, arg}}, &node)) return nullptr;
    return buddy_node_arg_find(node, name);
  }
  buddy_arg_kind Kind(const char *name, const buddy_arg &arg) {
    const buddy_arg *kept = Keep(name, arg);
    return kept ? kept->kind : -1;
  }
};

TEST_F(ConformTest, NumbersTakeTheFormOfTheSchema) {
  EXPECT_EQ(Kind("f", ArgInt(2)), BUDDY_ARG_FLOAT);
  EXPECT_EQ(Keep("f", ArgInt(2))->as.f, 2.0);
  EXPECT_EQ(Kind("f", ArgInt(Symbol("s0"))), BUDDY_ARG_INT) << "a symbol stays what it is";
  const std::vector<int64_t> ints = {1, 2};
  const buddy_arg *floats = Keep("fs", ArgInts(ints));
  ASSERT_NE(floats, nullptr);
  EXPECT_EQ(floats->kind, BUDDY_ARG_FLOATS);
  EXPECT_EQ(floats->as.floats[1], 2.0);
  EXPECT_EQ(Kind("sc", ArgInts(ints)), BUDDY_ARG_INTS);
  const buddy_arg *triple = Keep("triple", ArgFloat(0.5));
  EXPECT_EQ(triple->n, 3u);
  EXPECT_EQ(triple->as.floats[2], 0.5);
}

TEST_F(ConformTest, StringsStandForTheirKin) {
  EXPECT_EQ(Kind("d", ArgString("cuda:0")), BUDDY_ARG_DEVICE);
  EXPECT_EQ(Kind("l", ArgString("sparse_coo")), BUDDY_ARG_LAYOUT);
  EXPECT_EQ(Kind("m", ArgString("channels_last")), BUDDY_ARG_MEMORY_FORMAT);
  EXPECT_EQ(Kind("f", ArgString("1")), -1);
}

TEST_F(ConformTest, EmptyListsTakeTheRightKind) {
  EXPECT_EQ(Kind("ss", ArgInts({})), BUDDY_ARG_STRINGS);
  EXPECT_EQ(Kind("bs", ArgInts({})), BUDDY_ARG_BOOLS);
  const buddy_value *x = Input("x", {2});
  buddy_node *node =
      TypedNode("aten.index.Tensor", nullptr, {{"self", ArgTensor(x)}, {"indices", ArgInts({})}},
                {*buddy_value_type(x)});
  EXPECT_EQ(buddy_node_arg(node, 1)->kind, BUDDY_ARG_TENSORS);
}

TEST_F(ConformTest, NoneIsForOptionals) {
  EXPECT_EQ(Kind("i", ArgNone()), BUDDY_ARG_NONE);
  EXPECT_EQ(Kind("a", ArgNone()), BUDDY_ARG_NONE);
  EXPECT_EQ(Kind("f", ArgNone()), -1);
  const buddy_value *x = Input("x", {2}), *y = Input("y", {3, 4}), *k = Input("k", {4}, BUDDY_I64);
  buddy_node *node;
  EXPECT_EQ(TryNode("aten.cat.default", "c", {{"tensors", ArgTensors({x, nullptr})}}, &node),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said().find("but the schema wants Tensor[]") == std::string::npos, false);
  EXPECT_NE(TypedNode("aten.index.Tensor", "i",
                      {{"self", ArgTensor(y)}, {"indices", ArgTensors({nullptr, k})}},
                      {*buddy_value_type(y)}),
            nullptr);
}

TEST_F(ConformTest, NumbersAndTensorsStandForEachOther) {
  const buddy_value *x = Input("x", {2}), *n = Input("n", {}, BUDDY_I64);
  EXPECT_EQ(buddy_node_arg(
                Node("aten.add.Tensor", nullptr, {{"self", ArgTensor(x)}, {"other", ArgInt(1)}}), 1)
                ->kind,
            BUDDY_ARG_INT);
  EXPECT_EQ(Kind("i", ArgTensor(n)), BUDDY_ARG_TENSOR) << "a number that is computed";
  EXPECT_EQ(Kind("f", ArgTensor(n)), BUDDY_ARG_TENSOR);
  buddy_node *node;
  EXPECT_EQ(
      TryNode("aten.add.Tensor", nullptr, {{"self", ArgTensor(x)}, {"other", ArgInts({1})}}, &node),
      BUDDY_INVALID_ARGUMENT);
}

TEST_F(ConformTest, BoolsAreZeroOrOne) {
  const buddy_value *x = Input("x", {2});
  buddy_node *node = Node("aten.sum.dim_IntList", nullptr,
                          {{"self", ArgTensor(x)}, {"dim", ArgInt(0)}, {"keepdim", ArgInt(1)}});
  EXPECT_EQ(buddy_node_arg(node, 2)->kind, BUDDY_ARG_BOOL);
  EXPECT_EQ(buddy_node_arg(node, 1)->kind, BUDDY_ARG_INTS);
  EXPECT_EQ(TryNode("aten.sum.dim_IntList", nullptr,
                    {{"self", ArgTensor(x)}, {"dim", ArgInt(0)}, {"keepdim", ArgInt(2)}}, &node),
            BUDDY_INVALID_ARGUMENT);
}

TEST_F(ConformTest, MessagesShowTheSchema) {
  const buddy_value *x = Input("x", {2});
  buddy_node *node;
  EXPECT_EQ(TryNode("aten.conv2d.default", nullptr,
                    {{"input", ArgString("")},
                     {"weight", ArgNone()},
                     {"bias", ArgString("")},
                     {"stride", ArgString("")}},
                    &node),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(TryNode("aten.index.Tensor", nullptr,
                    {{"self", ArgTensor(x)}, {"indices", ArgBool(true)}}, &node),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said(),
            "aten.conv2d.default: argument \"input\" is a string, but the schema wants Tensor\n"
            "aten.conv2d.default: argument \"weight\" is None, but the schema wants Tensor\n"
            "aten.conv2d.default: argument \"bias\" is a string, but the schema wants Tensor?\n"
            "aten.conv2d.default: argument \"stride\" is a string, but the schema wants int[2]\n"
            "aten.index.Tensor: argument \"indices\" is a bool, but the schema wants Tensor?[]\n");
}

}  // namespace
