// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on sizes: proved, refuted, kept, printed and read back.
#include "core/graph/guards.h"

#include "tests/core/graph/fixture.h"

namespace {

class GuardsTest : public GraphFixture {
 protected:
  int64_t Compare(bd_relation relation, int64_t a, int64_t b) {
    int64_t predicate = 0;
    EXPECT_EQ(bd_predicate_compare(graph, relation, a, b, &predicate), BUDDY_OK);
    return predicate;
  }
  bool Holds(int64_t predicate, int64_t value) {
    int64_t number = 0;
    EXPECT_EQ(buddy_graph_dim_eval(graph, predicate, &value, 1, &number), BUDDY_OK);
    return number >= 0;
  }
};

TEST_F(GuardsTest, PredicatesAreDims) {
  const int64_t s0 = Symbol("s0", 0, INT64_MAX);
  for (int64_t value = 0; value < 6; ++value) {
    EXPECT_EQ(Holds(Compare(BD_EQ, s0, 3), value), value == 3);
    EXPECT_EQ(Holds(Compare(BD_NE, s0, 3), value), value != 3);
    EXPECT_EQ(Holds(Compare(BD_LT, s0, 3), value), value < 3);
    EXPECT_EQ(Holds(Compare(BD_LE, s0, 3), value), value <= 3);
    EXPECT_EQ(Holds(Compare(BD_GT, s0, 3), value), value > 3);
    EXPECT_EQ(Holds(Compare(BD_GE, s0, 3), value), value >= 3);
    const int64_t even = Compare(BD_EQ, Dim("s0%2"), 0), large = Compare(BD_GT, s0, 2);
    int64_t both = 0, either = 0, odd = 0;
    ASSERT_EQ(bd_predicate_and(graph, even, large, &both), BUDDY_OK);
    ASSERT_EQ(bd_predicate_or(graph, even, large, &either), BUDDY_OK);
    ASSERT_EQ(bd_predicate_not(graph, even, &odd), BUDDY_OK);
    EXPECT_EQ(Holds(both, value), value % 2 == 0 && value > 2);
    EXPECT_EQ(Holds(either, value), value % 2 == 0 || value > 2);
    EXPECT_EQ(Holds(odd, value), value % 2 == 1);
  }
}

TEST_F(GuardsTest, ProvesRefutesOrKeeps) {
  const int64_t s0 = Symbol("s0", 2, 64);
  const buddy_value *x = Input("x", {s0});
  buddy_node *node = buddy_value_node(Add(nullptr, x, x));
  EXPECT_EQ(bd_graph_require_equal(graph, s0, s0, node, diags), BUDDY_OK);
  EXPECT_EQ(bd_graph_require(graph, BD_LE, s0, 64, node, diags), BUDDY_OK);
  EXPECT_EQ(bd_graph_n_guards(graph), 0u);
  EXPECT_EQ(bd_graph_require_equal(graph, s0, 65, node, diags), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(DiagsText(diags).find("s0 == 65"), std::string::npos) << DiagsText(diags);
  EXPECT_EQ(bd_graph_require_equal(graph, Dim("2*(s0//2)"), s0, node, diags), BUDDY_OK);
  EXPECT_EQ(bd_graph_require_equal(graph, Dim("2*(s0//2)"), s0, nullptr, diags), BUDDY_OK);
  ASSERT_EQ(bd_graph_n_guards(graph), 1u);
  EXPECT_NE(std::string(bd_graph_guard(graph, 0)->text).find("== s0"), std::string::npos);
  EXPECT_NE(std::string(bd_graph_guard(graph, 0)->where).find("add"), std::string::npos);
  EXPECT_EQ(bd_graph_guard(graph, 1), nullptr);
}

// What the program itself says of a size is known of all dims made after it; what a node asks for is not.
TEST_F(GuardsTest, OneValueIsANumber) {
  static const struct {
    bd_relation relation;
    const char *dim;
    int64_t bound;
    const char *pinned;
    int64_t value;
  } cases[] = {{BD_EQ, "s0//3", 2, "s0//3", 2},
               {BD_EQ, "2*(s0%5)+1", 7, "s0%5", 3},
               {BD_LE, "s0//100", 0, "s0//100", 0},
               {BD_GE, "1-min(s0, s1)", 1, "min(s0, s1)", 0},
               {BD_EQ, "max(s0, s1)", 9, "max(s0, s1)", 9}};
  for (const auto &each : cases) {
    for (const char *where : {"a node", ""}) {
      buddy_graph_destroy(graph);
      ASSERT_EQ(buddy_graph_create(opset, "main", &graph), BUDDY_OK);
      Symbol("s0", 0, INT64_MAX);
      Symbol("s1", 2, INT64_MAX);
      const int64_t guard = Compare(each.relation, Dim(each.dim), each.bound);
      ASSERT_EQ(bd_graph_add_guard(graph, guard, each.dim, where), BUDDY_OK);
      EXPECT_EQ(BUDDY_IS_SYMBOLIC(Dim(each.pinned)) != 0, *where != 0) << each.pinned;
      if (*where) continue;
      EXPECT_EQ(Dim(each.pinned), each.value) << each.pinned;
      EXPECT_EQ(Compare(each.relation, Dim(each.dim), each.bound) >= 0, true);
      ASSERT_EQ(bd_graph_n_guards(graph), 1u);
      EXPECT_EQ(bd_graph_guard(graph, 0)->dim, guard);  // what is checked stays as it was
    }
  }
}

// Contradictions leave the ranges as they are: a guard that never holds refuses each run.
TEST_F(GuardsTest, ContradictionsPinNothing) {
  Symbol("s0", 0, INT64_MAX);
  for (const int64_t value : {1, 2}) {
    const int64_t guard = Compare(BD_EQ, Dim("s0//3"), value);
    ASSERT_EQ(bd_graph_add_guard(graph, guard, "", ""), BUDDY_OK);
  }
  EXPECT_EQ(Dim("s0//3"), 1);
  EXPECT_EQ(bd_graph_n_guards(graph), 2u);
}

TEST_F(GuardsTest, SizesThatAreToldEqualBroadcast) {
  const int64_t a = Symbol("a", 0, 64), b = Symbol("b", 0, 64), c = Symbol("c", 0, 64);
  const buddy_value *x = Input("x", {a}), *y = Input("y", {b});
  EXPECT_FALSE(bd_graph_tells_equal(graph, a, b));
  buddy_node *node = nullptr;
  const buddy_named_arg args[] = {{"self", ArgTensor(x)}, {"other", ArgTensor(y)}};
  EXPECT_NE(buddy_graph_add_node(graph, nullptr, "aten.div.Tensor", "m", args, 2, nullptr, 0, diags,
                                 &node),
            BUDDY_OK);
  EXPECT_EQ(bd_graph_require_equal(graph, a, c, nullptr, diags), BUDDY_OK);
  EXPECT_EQ(bd_graph_require_equal(graph, b, c, nullptr, diags), BUDDY_OK);
  EXPECT_TRUE(bd_graph_tells_equal(graph, a, b));
  EXPECT_TRUE(bd_graph_tells_equal(graph, b, a));
  EXPECT_EQ(buddy_graph_add_node(graph, nullptr, "aten.div.Tensor", "m", args, 2, nullptr, 0, diags,
                                 &node),
            BUDDY_OK)
      << DiagsText(diags);
}

// What a branch needs holds in it and in what it contains: the graphs around it run without it.
TEST_F(GuardsTest, ABranchHasItsOwn) {
  const int64_t a = Symbol("a", 0, 64), b = Symbol("b", 0, 64);
  buddy_graph *branch = nullptr, *inner = nullptr, *other = nullptr;
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "branch", &branch), BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_subgraph(branch, "inner", &inner), BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "other", &other), BUDDY_OK);
  const int64_t equal = Compare(BD_EQ, a, b);
  ASSERT_EQ(bd_graph_require_equal(branch, a, b, nullptr, diags), BUDDY_OK);
  for (const buddy_graph *one : {branch, inner}) {
    EXPECT_TRUE(bd_graph_tells_equal(one, a, b));
    EXPECT_TRUE(bd_graph_has_guard(one, equal));
  }
  for (const buddy_graph *one : {graph, other}) {
    EXPECT_FALSE(bd_graph_tells_equal(one, a, b));
    EXPECT_FALSE(bd_graph_has_guard(one, equal));
  }
  ASSERT_EQ(bd_graph_require_equal(inner, a, b, nullptr, diags), BUDDY_OK);
  EXPECT_EQ(bd_graph_n_guards(graph), 1u);
  ASSERT_EQ(bd_graph_require_equal(graph, a, b, nullptr, diags), BUDDY_OK);
  EXPECT_EQ(bd_graph_n_guards(graph), 2u);
  // and what it tells of a size is not known of dims that others make
  ASSERT_EQ(bd_graph_require(branch, BD_GE, a, 3, nullptr, diags), BUDDY_OK);
  EXPECT_FALSE(bd_predicate_is_true(graph, Compare(BD_GE, a, 3)));
}

TEST_F(GuardsTest, PrintsAndParses) {
  const std::string text =
      "graph @main {\n"
      "  symbol s0 [2, 64]\n"
      "  symbol s1 [0, inf]\n"
      "  guard {s0-s1} \"s0 >= \\\"s1\\\"\"\n"
      "  guard {min(s0-2*(s0//2),-s0+2*(s0//2))} \"s0 is even\" at \"view (m.py:3)\"\n"
      "  graph @branch {\n"
      "    guard {s1-1} \"s1 >= 1\"\n"
      "  }\n"
      "  %r = unknown \"acme.call\"(f=@branch) : f32[s0]\n"
      "}\n";
  buddy_graph *parsed = nullptr;
  ASSERT_EQ(buddy_graph_parse(opset, {text.data(), text.size()}, diags, &parsed), BUDDY_OK)
      << DiagsText(diags);
  ASSERT_EQ(bd_graph_n_guards(parsed), 3u);
  EXPECT_EQ(bd_graph_guard(parsed, 1)->graph, parsed);
  EXPECT_NE(bd_graph_guard(parsed, 2)->graph, parsed);
  EXPECT_STREQ(bd_graph_guard(parsed, 0)->text, "s0 >= \"s1\"");
  EXPECT_STREQ(bd_graph_guard(parsed, 1)->where, "view (m.py:3)");
  std::string printed;
  const buddy_writer writer = {[](void *user, const char *data, size_t size) {
                                 static_cast<std::string *>(user)->append(data, size);
                                 return BUDDY_OK;
                               },
                               &printed};
  EXPECT_EQ(buddy_graph_print(parsed, &writer), BUDDY_OK);
  EXPECT_EQ(printed, text);
  buddy_graph_destroy(parsed);
}

TEST_F(GuardsTest, RefusesWhatIsNoGuard) {
  for (const char *line : {"guard s0 \"x\"", "guard {s9} \"x\"", "guard {s0} x", "guard {s0}",
                           "guard {s0} \"x\" at 3"}) {
    const std::string text = std::string("graph @main {\n  symbol s0 [2, 64]\n  ") + line + "\n}\n";
    buddy_graph *parsed = nullptr;
    EXPECT_NE(buddy_graph_parse(opset, {text.data(), text.size()}, diags, &parsed), BUDDY_OK)
        << line;
  }
}

}  // namespace
