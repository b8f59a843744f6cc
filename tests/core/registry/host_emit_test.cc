// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/host_emit_test.cc: the services of emission, used as they should be. Misuse:
// tests/hostile.
#include "tests/core/registry/fake_emitter.h"
#include "tests/core/registry/registry_fixture.h"

namespace {

using HostEmitTest = RegistryTest;

TEST_F(HostEmitTest, AllOfThem) {
  ASSERT_EQ(Load("beta"), BUDDY_OK) << Text();
  Output(Value("test.services.default", {Tensor("self", Input(BUDDY_F32, {2}))}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  fake_emitter emitter = fake_emitter();
  ASSERT_EQ(bd_plan_emit(plan, graph, &fake_emitter_table, &emitter, 0, diags), BUDDY_OK) << Text();
  EXPECT_STREQ(emitter.committed, "beta.services");
}

}  // namespace
