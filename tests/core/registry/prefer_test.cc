// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/prefer_test.cc: a chooser has a registry asked first, node by node.
#include "tests/core/registry/registry_fixture.h"

namespace {

class PreferTest : public RegistryTest {
 protected:
  PreferTest() {
    mine.struct_size = sizeof mine;
    mine.choose = Choose;
    mine.user = this;
    chooser = &mine;
  }

  static int Choose(void *user, const buddy_registries *registries, const buddy_node *node,
                    buddy_choice *out_choice) {
    auto *self = static_cast<PreferTest *>(user);
    EXPECT_EQ(registries, self->registries);
    self->asked += std::string(buddy_node_op(node)) + " ";
    out_choice->registry = self->wanted;
    snprintf(out_choice->why, sizeof out_choice->why, "is fast");
    return self->wanted != kNone;
  }

  // What became of one addition.
  std::string TrailOfAddition() {
    const buddy_value *input = Input(BUDDY_F32, {2});
    Output(Value("test.add.default", {Tensor("self", input), Tensor("other", input)}));
    EXPECT_EQ(Plan(), BUDDY_OK) << Text();
    return Trail(0);
  }
  const char *Choice() const { return buddy_decision_choice(buddy_plan_decision(plan, 0)); }

  static constexpr size_t kNone = 99;
  buddy_chooser mine{};
  size_t wanted = kNone;
  std::string asked;
};

TEST_F(PreferTest, ThePreferredIsAskedFirst) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  wanted = 1;
  EXPECT_EQ(TrailOfAddition(), "test.add.default: beta OK");
  EXPECT_STREQ(Choice(), "is fast");
  EXPECT_EQ(asked, "test.add.default ");
}

TEST_F(PreferTest, NothingChangesWithoutAPreference) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  EXPECT_EQ(TrailOfAddition(), "test.add.default: alpha OK");
  EXPECT_STREQ(Choice(), "");
}

TEST_F(PreferTest, TheFirstOfTheOrderNeedsNone) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  wanted = 0;
  EXPECT_EQ(TrailOfAddition(), "test.add.default: alpha OK");
  EXPECT_STREQ(Choice(), "");
}

TEST_F(PreferTest, ARegistryWithoutRowsChangesNothing) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  wanted = 7;
  EXPECT_EQ(TrailOfAddition(), "test.add.default: alpha OK");
  EXPECT_STREQ(Choice(), "");
}

TEST_F(PreferTest, APinIsARequest) {
  ASSERT_EQ(Load("alpha:beta", {"test.add.default=alpha"}), BUDDY_OK) << Text();
  wanted = 1;
  EXPECT_EQ(TrailOfAddition(), "test.add.default: alpha OK");
  EXPECT_EQ(asked, "");
}

// What the preferred declines goes to the others, in their order, and nobody is asked twice.
TEST_F(PreferTest, WhatItDeclinesGoesToTheOthers) {
  ASSERT_EQ(Load("beta:alpha"), BUDDY_OK) << Text();
  wanted = 1;
  const buddy_value *input = Input(BUDDY_BF16, {2});
  Output(Value("test.add.default", {Tensor("self", input), Tensor("other", input)}));
  (void)Plan();
  const buddy_decision *decision = buddy_plan_decision(plan, 0);
  ASSERT_GE(decision->n_tries, 1u);
  EXPECT_EQ(decision->tries[0].registry, 1u);
  for (size_t i = 0; i < decision->n_tries; ++i) {
    for (size_t k = 0; k < i; ++k) EXPECT_NE(decision->tries[i].row, decision->tries[k].row);
  }
}

}  // namespace
