// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/transform_test.cc: rewrites come before rows, and never make a program worse.
#include "tests/core/registry/fake_emitter.h"
#include "tests/core/registry/registry_fixture.h"

namespace {

class TransformTest : public RegistryTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Load("fuser"), BUDDY_OK) << Text();
    x = Input(BUDDY_F32, {2});
  }

  const buddy_value *Mul(const buddy_value *a, const buddy_value *b) {
    return Value("fuser.mul.default", {Tensor("self", a), Tensor("other", b)});
  }
  const buddy_value *Add(const buddy_value *a, const buddy_value *b, int64_t alpha = 1) {
    return Value("fuser.add.default", {Tensor("self", a), Tensor("other", b), Int("alpha", alpha)});
  }

  std::string Emitted() {
    fake_emitter emitter = fake_emitter();
    EXPECT_EQ(Plan(), BUDDY_OK) << Text();
    EXPECT_EQ(buddy_graph_verify(graph, diags), BUDDY_OK) << Text();
    EXPECT_EQ(bd_plan_emit(plan, graph, &fake_emitter_table, &emitter, 0, diags), BUDDY_OK)
        << Text();
    return emitter.committed;
  }

  const buddy_value *x = nullptr;
};

TEST_F(TransformTest, FusesAndPrunes) {
  Output(Add(Mul(x, x), x));
  EXPECT_EQ(Emitted(), "fuser.fma.default");
  ASSERT_EQ(buddy_plan_n_decisions(plan), 1u);
  const buddy_decision *decision = buddy_plan_decision(plan, 0);
  EXPECT_STREQ(decision->op, "fuser.add.default");
  ASSERT_EQ(decision->n_tries, 1u);
  EXPECT_STREQ(decision->tries[0].transform, "mul_add");
  ASSERT_EQ(decision->n_expansion, 1u);
  EXPECT_STREQ(decision->expansion[0]->op, "fuser.fma.default");
  EXPECT_STREQ(decision->expansion[0]->tries[0].transform, "");
}

TEST_F(TransformTest, KeepsWhatOthersUse) {
  const buddy_value *product = Mul(x, x);
  Output(Add(product, x));
  Output(product);
  EXPECT_EQ(Emitted(), "fuser.mul.default fuser.fma.default");
}

TEST_F(TransformTest, TakesChainsFromTheLastNodeOn) {
  Output(Add(Mul(Add(Mul(x, x), x), x), x));
  EXPECT_EQ(Emitted(), "fuser.fma.default fuser.fma.default");
}

TEST_F(TransformTest, TakesNoPatternInsideOneThatWasTaken) {
  Output(Value("fuser.sub.default", {Tensor("self", Add(Mul(x, x), x)), Tensor("other", x)}));
  EXPECT_EQ(Emitted(), "fuser.fma.default");
  EXPECT_EQ(buddy_plan_n_decisions(plan), 1u);
}

TEST_F(TransformTest, LeavesToOthersWhatTheyTake) {
  ASSERT_EQ(Load("fuser:borrower", {"fuser.mul.default=borrower"}), BUDDY_OK) << Text();
  x = Input(BUDDY_F32, {2});
  Output(Value("fuser.sub.default", {Tensor("self", Add(Mul(x, x), x, 3)), Tensor("other", x)}));
  EXPECT_EQ(Emitted(), "fuser.mul.default fuser.add.default fuser.sub.default");
}

TEST_F(TransformTest, DropsNoArgument) {
  Output(Add(Mul(x, x), x, 3)); /* alpha is not listed by the transform */
  EXPECT_EQ(Emitted(), "fuser.mul.default fuser.add.default");
}

TEST_F(TransformTest, DeclinesWithoutATrace) {
  Output(Add(x, Mul(x, x)));
  EXPECT_EQ(Emitted(), "fuser.mul.default fuser.add.default");
  EXPECT_EQ(buddy_plan_n_decisions(plan), 2u);
  EXPECT_EQ(buddy_plan_decision(plan, 1)->n_tries, 1u);
}

TEST_F(TransformTest, UndoesWhatNobodyTakes) {
  Output(Value("fuser.relu.default", {Tensor("self", x)}));
  EXPECT_EQ(Emitted(), "fuser.relu.default");
  EXPECT_EQ(buddy_graph_n_nodes(graph), 1u);
  EXPECT_EQ(buddy_diags_count(diags), 0u) << Text();
}

TEST_F(TransformTest, WarnsOfFailuresAndGoesOn) {
  Output(Value("fuser.neg.default", {Tensor("self", x)}));
  EXPECT_EQ(Emitted(), "fuser.neg.default");
  EXPECT_NE(Text().find("a bad day"), std::string::npos) << Text();
}

TEST_F(TransformTest, LeavesNothingToRewrite) {
  const buddy_value *sum = Add(Mul(x, x), x);
  Output(sum);
  EXPECT_EQ(Emitted(), "fuser.fma.default");
  buddy_plan_destroy(plan);
  plan = nullptr;
  EXPECT_EQ(Emitted(), "fuser.fma.default"); /* planned anew, there is nothing left to rewrite */
}

}  // namespace
