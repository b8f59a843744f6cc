// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/memory_out_test.cc: each allocation fails once; nothing leaks, nothing
// crashes, and the last run succeeds.
#include "core/base/memory.h"
#include "tests/core/registry/fake_emitter.h"
#include "tests/core/registry/registry_fixture.h"

namespace {

class MemoryOutTest : public RegistryTest {
 protected:
  // Prepares and runs until no allocation of the run was left to fail.
  template <typename Prepare, typename Run>
  void FailEach(const Prepare &prepare, const Run &run) {
    buddy_code code = BUDDY_INTERNAL;
    for (int64_t n = 0; n < 100000; ++n) {
      prepare();
      bd_memory_fail_after(n);
      code = run();
      if (!bd_memory_fail_after(-1)) break;
      ASSERT_TRUE(code == BUDDY_OUT_OF_MEMORY || code == BUDDY_OK)
          << n << ": " << buddy_code_name(code) << " " << Text();
    }
    EXPECT_EQ(code, BUDDY_OK);
  }

  void BuildGraph() {
    StartGraph();
    const buddy_value *x = Input(BUDDY_F32, {2, 2});
    const buddy_value *y = Value("test.mlp.default", {Tensor("self", x), Tensor("weight", x)});
    const buddy_value *z = Value("test.late.default", {Tensor("self", y)});
    Output(Value("test.add.default", {Tensor("self", z), Tensor("other", x), Int("alpha", 2)}));
    Value("test.relu.default", {Tensor("self", x)});
  }
};

TEST_F(MemoryOutTest, Searching) {
  FailEach([] {},
           [&] {
             const buddy_code code = Search();
             EXPECT_EQ(code == BUDDY_OK, search != nullptr);
             return code;
           });
}

// A row whose op the opset reads from its table at this time: with all its rows, or not at all.
TEST_F(MemoryOutTest, Loading) {
  static const buddy_schema_row table[] = {
      {"nowhere.defined.default", "nowhere::defined(Tensor self) -> Tensor", BUDDY_KIND_OTHER}};
  ASSERT_EQ(Search(), BUDDY_OK);
  FailEach([] {},
           [&] {
             buddy_registries_options options{};
             options.struct_size = sizeof options;
             options.order = "beta:alpha:closer_b:fuser";
             options.no_environment = 1;
             buddy_opset *fresh = nullptr;
             buddy_code code = buddy_opset_create(&fresh);
             if (code == BUDDY_OK) code = buddy_opset_add_table(fresh, table, 1);
             buddy_registries *loaded = nullptr;
             if (code == BUDDY_OK)
               code = buddy_registries_create(search, fresh, &options, nullptr, &loaded);
             EXPECT_EQ(code == BUDDY_OK, loaded != nullptr);
             const buddy_candidate *candidates;
             EXPECT_EQ(loaded ? buddy_registries_candidates(loaded, table[0].name, &candidates) : 1,
                       1u);
             buddy_registries_destroy(loaded);
             buddy_opset_destroy(fresh);
             return code;
           });
}

TEST_F(MemoryOutTest, Planning) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  FailEach(
      [&] {
        buddy_plan_destroy(plan);
        plan = nullptr;
        BuildGraph();
      },
      [&] {
        const buddy_code code = Plan();
        EXPECT_EQ(code == BUDDY_OK, plan != nullptr);
        return code;
      });
  EXPECT_EQ(Ops(), "test.mm.default test.mm.default test.late.default test.add.default");
}

TEST_F(MemoryOutTest, Explaining) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  FailEach(
      [&] {
        buddy_plan_destroy(plan);
        plan = nullptr;
        StartGraph();
        const buddy_value *value =
            Value("test.silent.default", {Tensor("self", Input(BUDDY_F32, {2}))});
        SetLine(value, "model.py", 3, "x");
        Output(value);
        buddy_diags_clear(diags);
      },
      [&] {
        const buddy_code code = Plan();
        return code == BUDDY_UNSUPPORTED ? BUDDY_OK : code;
      });
  EXPECT_STREQ(buddy_plan_decision(plan, 0)->types, "(f32[2]) -> f32[2]");
}

TEST_F(MemoryOutTest, Emitting) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  fake_emitter emitter = fake_emitter();
  FailEach(
      [&] {
        buddy_plan_destroy(plan);
        plan = nullptr;
        BuildGraph();
        ASSERT_EQ(Plan(), BUDDY_OK) << Text();
        emitter = fake_emitter();
      },
      [&] { return bd_plan_emit(plan, graph, &fake_emitter_table, &emitter, 0, diags); });
  EXPECT_STREQ(emitter.committed, "alpha.mm alpha.mm alpha.relu beta.add");
}

}  // namespace
