// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/call_test.cc: what a call remembers from match to emit. Its misuse:
// tests/hostile/misuse_test.cc.
#include "tests/core/registry/fake_emitter.h"
#include "tests/core/registry/registry_fixture.h"

namespace {

class CallTest : public RegistryTest {
 protected:
  buddy_code Run(const char *op, int64_t k) {
    EXPECT_EQ(Load("beta"), BUDDY_OK) << Text();
    Output(Value(op, {Tensor("self", Input(BUDDY_F32, {2})), Int("k", k)}));
    const buddy_code code = Plan();
    return code == BUDDY_OK ? bd_plan_emit(plan, graph, &fake_emitter_table, &emitter, 0, diags)
                            : code;
  }
  fake_emitter emitter = fake_emitter();
};

TEST_F(CallTest, WhatMatchHasReadIsConsumed) {
  EXPECT_EQ(Run("test.consumed.default", 3), BUDDY_OK) << Text();
  EXPECT_STREQ(emitter.committed, "beta.consumed");
}

TEST_F(CallTest, WhatNobodyHasReadIsDropped) {
  EXPECT_EQ(Run("test.dropped.default", 3), BUDDY_OK) << Text();
  EXPECT_STREQ(emitter.undone, "beta.dropped");
  EXPECT_STREQ(emitter.committed, "beta.not_dropped");
  EXPECT_EQ(Trail(0),
            "test.dropped.default: beta INTERNAL (row listed 'k' but never read it); beta OK");
  ASSERT_EQ(buddy_diags_count(diags), 1u);
  EXPECT_EQ(buddy_diags_get(diags, 0)->severity, BUDDY_WARNING) << "it is a defect of the registry";
}

TEST_F(CallTest, WhatIsAtItsDefaultNeedNotBeRead) {
  EXPECT_EQ(Run("test.dropped.default", 0), BUDDY_OK) << Text();
  EXPECT_STREQ(emitter.committed, "beta.dropped");
}

TEST(CallOfNobodyTest, IsRefused) {
  EXPECT_EQ(bd_call_node(nullptr), nullptr);
  EXPECT_EQ(bd_call_plan(nullptr), nullptr);
  EXPECT_EQ(bd_call_emitter(nullptr), nullptr);
  EXPECT_EQ(bd_call_emitter_state(nullptr), nullptr);
  EXPECT_EQ(bd_call_fail(nullptr, BUDDY_INTERNAL, "%s", "x"), BUDDY_INVALID_ARGUMENT);
}

}  // namespace
