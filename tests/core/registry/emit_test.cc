// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/emit_test.cc: emission as transactions, and what happens when a row does not
// keep its word.
#include "tests/core/registry/fake_emitter.h"
#include "tests/core/registry/registry_fixture.h"

namespace {

class EmitTest : public RegistryTest {
 protected:
  // Plans and emits `op` of one f32[2].
  buddy_code EmitUnary(const char *order, const char *op, int fallback_on_error = 0) {
    EXPECT_EQ(Load(order), BUDDY_OK) << Text();
    Output(Value(op, {Tensor("self", Input(BUDDY_F32, {2}))}));
    EXPECT_EQ(Plan(), BUDDY_OK) << Text();
    return Emit(fallback_on_error);
  }
  buddy_code Emit(int fallback_on_error = 0) {
    emitter = fake_emitter();
    return bd_plan_emit(plan, graph, &fake_emitter_table, &emitter, fallback_on_error, diags);
  }

  fake_emitter emitter = fake_emitter();
};

TEST_F(EmitTest, EveryNodeInOrder) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2, 2});
  const buddy_value *y = Value("test.mlp.default", {Tensor("self", x), Tensor("weight", x)});
  Output(Value("test.add.default", {Tensor("self", y), Tensor("other", x)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  ASSERT_EQ(Emit(), BUDDY_OK) << Text();
  EXPECT_STREQ(emitter.committed, "alpha.mm alpha.mm alpha.add");
  EXPECT_STREQ(emitter.undone, "");
}

TEST_F(EmitTest, ARowThatDeclinesLateIsUndoneAndTheNextExpands) {
  ASSERT_EQ(EmitUnary("alpha:beta", "test.late.default"), BUDDY_OK) << Text();
  EXPECT_STREQ(emitter.committed, "alpha.relu");
  EXPECT_STREQ(emitter.undone, "alpha.late");
  EXPECT_EQ(
      Trail(0),
      "test.late.default: alpha DECLINED (seen too late); beta OK {test.relu.default: alpha OK}");
  EXPECT_EQ(Ops(), "test.relu.default");
  Verify();
}

TEST_F(EmitTest, ARowWhoseOpsDoNotVerifyIsUndoneAndSaid) {
  ASSERT_EQ(EmitUnary("alpha:beta", "test.unverified.default"), BUDDY_OK) << Text();
  EXPECT_STREQ(emitter.committed, "beta.unverified");
  EXPECT_STREQ(emitter.undone, "bad.op");
  EXPECT_EQ(Trail(0), "test.unverified.default: alpha VERIFY_FAILED (it does not verify); beta OK");
  ASSERT_EQ(buddy_diags_count(diags), 1u);
  EXPECT_EQ(buddy_diags_get(diags, 0)->severity, BUDDY_WARNING);
}

TEST_F(EmitTest, AFailureEndsIt) {
  EXPECT_EQ(EmitUnary("alpha:beta", "test.broken.default"), BUDDY_INTERNAL);
  ASSERT_EQ(buddy_diags_count(diags), 1u);
  EXPECT_STREQ(buddy_diags_get(diags, 0)->what,
               "registry 'alpha', row 7 (test.broken.default) failed: broke down");
  EXPECT_STREQ(emitter.undone, "alpha.broken");
}

TEST_F(EmitTest, AFailureIsPassedOverIfAsked) {
  ASSERT_EQ(EmitUnary("alpha:beta", "test.broken.default", 1), BUDDY_OK) << Text();
  EXPECT_STREQ(emitter.committed, "beta.broken");
  EXPECT_EQ(Trail(0), "test.broken.default: alpha INTERNAL (broke down); beta OK");
}

TEST_F(EmitTest, NodesThatNobodyEmitsAreReportedWithoutTheirConsequences) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2});
  const buddy_value *late = Value("test.late.default", {Tensor("self", x)});
  const buddy_value *after = Value("test.relu.default", {Tensor("self", late)});
  Output(Value("test.add.default", {Tensor("self", after), Tensor("other", x)}));
  Output(Value("test.late.default", {Tensor("self", x)}));
  Output(Value("test.mm.default", {Tensor("self", x), Tensor("other", x)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Emit(), BUDDY_UNSUPPORTED);
  EXPECT_STREQ(emitter.committed, "alpha.mm");
  ASSERT_EQ(buddy_diags_count(diags), 1u) << Text();
  EXPECT_STREQ(buddy_diags_get(diags, 0)->what,
               "nobody takes test.late.default (2 nodes); alpha: seen too late; types (f32[2]) -> "
               "f32[2] (2 times)");
}

}  // namespace
