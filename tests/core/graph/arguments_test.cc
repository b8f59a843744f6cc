// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "tests/core/graph/fixture.h"

namespace {

class ArgumentsTest : public GraphFixture {
 protected:
  /* An argument of an unknown op, kept and lent again. */
  const buddy_arg *Keep(const buddy_arg &arg) {
    const buddy_named_arg named = {"a", arg};
    buddy_node *node = nullptr;
    EXPECT_EQ(buddy_graph_add_unknown_node(graph, nullptr, "x.y", nullptr, &named, 1, nullptr, 0,
                                           diags, &node),
              BUDDY_OK)
        << Said();
    return node ? buddy_node_arg(node, 0) : nullptr;
  }
  std::string Problem(const buddy_arg &arg) {
    const buddy_named_arg named = {"a", arg};
    EXPECT_EQ(buddy_graph_add_unknown_node(graph, nullptr, "x.y", nullptr, &named, 1, nullptr, 0,
                                           diags, nullptr),
              BUDDY_INVALID_ARGUMENT);
    return Said();
  }
};

TEST_F(ArgumentsTest, ListsAreCopied) {
  std::vector<int64_t> ints = {1, 2, 3};
  const buddy_arg *kept = Keep(ArgInts(ints));
  ints[1] = 9;
  EXPECT_EQ(kept->as.ints[1], 2);
  std::vector<double> numbers = {0.5, -1};
  buddy_arg floats = {BUDDY_ARG_FLOATS, 0, 2, {0}};
  floats.as.floats = numbers.data();
  kept = Keep(floats);
  numbers[0] = 7;
  EXPECT_EQ(kept->as.floats[0], 0.5);
  std::string first = "one", second = "two";
  const char *both[] = {first.c_str(), second.c_str()};
  buddy_arg strings = {BUDDY_ARG_STRINGS, 0, 2, {0}};
  strings.as.strings = both;
  kept = Keep(strings);
  second = "xxx";
  EXPECT_STREQ(kept->as.strings[1], "two");
  EXPECT_STREQ(Keep(ArgString("text"))->as.string, "text");
  EXPECT_EQ(Keep(ArgInts({}))->n, 0u);
  ExpectSound();
}

TEST_F(ArgumentsTest, ListsMayHoldNone) {
  const buddy_value *x = Input("x", {2});
  const buddy_arg *kept = Keep(ArgTensors({nullptr, x, nullptr}));
  EXPECT_EQ(kept->as.tensors[0], nullptr);
  EXPECT_EQ(kept->as.tensors[1], x);
  EXPECT_EQ(buddy_value_n_uses(x), 1u);
  EXPECT_EQ(buddy_use_element(buddy_value_first_use(x)), 1u);
  ExpectSound();
}

TEST_F(ArgumentsTest, EveryKindIsChecked) {
  const std::string prefix = "x.y: argument \"a\" ";
  EXPECT_EQ(Problem({99, 0, 0, {0}}), prefix + "is of an unknown kind\n");
  EXPECT_EQ(Problem({-1, 0, 0, {0}}), prefix + "is of an unknown kind\n");
  EXPECT_EQ(Problem(ArgTensor(nullptr)), prefix + "is a null tensor\n");
  EXPECT_EQ(Problem(ArgInt(INT64_MIN + 5)), prefix + "is a dim that this graph does not know\n");
  EXPECT_EQ(Problem(ArgInts({1, INT64_MIN})),
            prefix + "holds a dim that this graph does not know\n");
  EXPECT_EQ(Problem({BUDDY_ARG_INTS, 0, 3, {0}}),
            prefix + "is a list without elements behind it\n");
  EXPECT_EQ(Problem({BUDDY_ARG_BOOL, 0, 0, {2}}), prefix + "is a bool that is not 0 or 1\n");
  buddy_arg bools = ArgInts({0, 1, 5});
  const int64_t values[] = {0, 1, 5};
  bools.kind = BUDDY_ARG_BOOLS;
  bools.as.ints = values;
  EXPECT_EQ(Problem(bools), prefix + "holds a bool that is not 0 or 1\n");
  EXPECT_EQ(Problem(ArgDtype(0)), prefix + "is no known dtype\n");
  EXPECT_EQ(Problem(ArgDtype(31)), prefix + "is no known dtype\n");
  EXPECT_EQ(Problem({BUDDY_ARG_STRING, 0, 0, {0}}),
            prefix + "is a string without NUL at its end\n");
  buddy_arg cut = ArgString("text");
  cut.n = 2;
  EXPECT_EQ(Problem(cut), prefix + "is a string without NUL at its end\n");
  const char *strings[] = {"a", nullptr};
  buddy_arg list = {BUDDY_ARG_STRINGS, 0, 2, {0}};
  list.as.strings = strings;
  EXPECT_EQ(Problem(list), prefix + "holds a null string\n");
  const double part = 1;
  buddy_arg complex = {BUDDY_ARG_COMPLEX, 0, 1, {0}};
  complex.as.floats = &part;
  EXPECT_EQ(Problem(complex), prefix + "is a complex number without two parts\n");
  EXPECT_EQ(Problem(ArgGraph(nullptr)), prefix + "is no subgraph of this graph\n");
  EXPECT_EQ(Problem({BUDDY_ARG_TENSORS, 0, (size_t)1 << 33, {1}}), prefix + "is too long\n");
}

TEST_F(ArgumentsTest, EqualityKnowsFloats) {
  buddy_opset *own;
  ASSERT_EQ(buddy_opset_create(&own), BUDDY_OK);
  ASSERT_EQ(buddy_opset_define(
                own, "t::f(float a=nan, float b=0.0, float[] c=[1.0,nan], str[] d=[\"x\"]) -> ()",
                BUDDY_KIND_OTHER, nullptr),
            BUDDY_OK);
  buddy_graph *other;
  ASSERT_EQ(buddy_graph_create(own, "g", &other), BUDDY_OK);
  const auto is_default = [&](const char *name, const buddy_arg &arg, size_t i) {
    const buddy_named_arg named = {name, arg};
    buddy_node *node = nullptr;
    EXPECT_EQ(buddy_graph_add_node(other, nullptr, "t.f.default", nullptr, &named, 1, nullptr, 0,
                                   diags, &node),
              BUDDY_OK);
    return buddy_node_arg_is_default(node, i) != 0;
  };
  EXPECT_TRUE(is_default("a", ArgFloat(std::nan("")), 0));
  EXPECT_TRUE(is_default("b", ArgFloat(0.0), 1));
  EXPECT_FALSE(is_default("b", ArgFloat(-0.0), 1));
  double numbers[] = {1.0, std::nan("")};
  buddy_arg floats = {BUDDY_ARG_FLOATS, 0, 2, {0}};
  floats.as.floats = numbers;
  EXPECT_TRUE(is_default("c", floats, 2));
  numbers[0] = 2;
  EXPECT_FALSE(is_default("c", floats, 2));
  floats.n = 1;
  EXPECT_FALSE(is_default("c", floats, 2));
  const char *text = "x", *longer = "xy";
  buddy_arg strings = {BUDDY_ARG_STRINGS, 0, 1, {0}};
  strings.as.strings = &text;
  EXPECT_TRUE(is_default("d", strings, 3));
  strings.as.strings = &longer;
  EXPECT_FALSE(is_default("d", strings, 3));
  buddy_graph_destroy(other);
  buddy_opset_destroy(own);
}

}  // namespace
