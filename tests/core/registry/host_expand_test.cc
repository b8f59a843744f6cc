// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/host_expand_test.cc: nodes with all kinds of arguments and several results.
// Misuse: tests/hostile.
#include "tests/core/registry/fake_emitter.h"
#include "tests/core/registry/registry_fixture.h"

namespace {

using HostExpandTest = RegistryTest;

TEST_F(HostExpandTest, ArgumentsAndResults) {
  ASSERT_EQ(Load("beta"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2});
  Output(Value("test.first.default", {Tensor("self", x)}));
  Output(Value("test.second.default", {Tensor("self", x)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Ops(), "test.pair.default test.pair.default");
  const buddy_node *first = buddy_graph_first(graph), *second = buddy_node_next(first);
  EXPECT_EQ(buddy_graph_output(graph, 0)->as.tensor, buddy_node_result(first, 0));
  EXPECT_EQ(buddy_graph_output(graph, 1)->as.tensor, buddy_node_result(second, 1));
  EXPECT_STREQ(buddy_node_arg_find(first, "strings")->as.strings[1], "b");
  EXPECT_STREQ(buddy_node_arg_find(first, "mode")->as.string, "fast");
  EXPECT_EQ(buddy_node_arg_find(first, "tensors")->as.tensors[1], nullptr);
  Verify();
  fake_emitter emitter = fake_emitter();
  ASSERT_EQ(bd_plan_emit(plan, graph, &fake_emitter_table, &emitter, 0, diags), BUDDY_OK) << Text();
  EXPECT_STREQ(emitter.committed, "beta.pair beta.pair");
}

}  // namespace
