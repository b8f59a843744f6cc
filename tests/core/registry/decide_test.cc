// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/decide_test.cc: many candidates, and graphs and registries that do not belong
// together.
#include "tests/core/registry/registry_fixture.h"

namespace {

using DecideTest = RegistryTest;

TEST_F(DecideTest, EveryCandidateIsAskedInOrder) {
  ASSERT_EQ(Load("beta"), BUDDY_OK) << Text();
  Output(Value("test.crowd.default", {Tensor("self", Input(BUDDY_F32, {2}))}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  const buddy_decision *decision = buddy_plan_decision(plan, 0);
  ASSERT_EQ(decision->n_tries, 18u);
  for (uint32_t i = 0; i < 17; ++i) {
    EXPECT_EQ(decision->tries[i].row->benefit, 17 - i);
    EXPECT_STREQ(decision->tries[i].reason, "not yet");
    EXPECT_EQ(decision->tries[i].reason, decision->tries[0].reason)
        << "equal reasons are kept once";
  }
  EXPECT_EQ(decision->tries[17].code, BUDDY_OK);
  EXPECT_STREQ(decision->tries[17].reason, "");
  EXPECT_EQ(buddy_plan_decision(plan, 1), nullptr);
}

TEST_F(DecideTest, OneOpsetForAll) {
  ASSERT_EQ(Load("beta"), BUDDY_OK) << Text();
  buddy_opset *other = nullptr;
  ASSERT_EQ(buddy_opset_create(&other), BUDDY_OK);
  buddy_graph *foreign = nullptr;
  ASSERT_EQ(buddy_graph_create(other, "foreign", &foreign), BUDDY_OK);
  EXPECT_EQ(buddy_plan_create(registries, foreign, diags, &plan), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Text(), "foreign: graph and registries have different opsets\n");
  buddy_graph_destroy(foreign);
  buddy_opset_destroy(other);
}

}  // namespace
