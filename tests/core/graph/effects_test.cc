// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/graph/effects_test.cc: nodes that stay although nobody uses what they give.
#include "core/graph/effects.h"

#include "tests/core/graph/fixture.h"

namespace {

class EffectsTest : public GraphFixture {
 protected:
  /* Of the last node of the graph. */
  bool HasEffect(const std::string &text) {
    Parse("graph @main {\n" + text + "  output %x\n}\n");
    return bd_node_has_effect(buddy_graph_last(graph));
  }
  const std::string begin = "  input %p : i1[]\n  input %x : f32[3]\n";
  std::string Cond(const std::string &body) {
    return "  graph @yes {\n    input %x : f32[3]\n" + body + "    output %x\n  }\n" +
           "  graph @no {\n    input %x : f32[3]\n    output %x\n  }\n" + begin +
           "  %r = higher_order.cond.default(pred=%p, true_graph=@yes, false_graph=@no, "
           "operands=[%x]) : f32[3]\n";
  }
};

TEST_F(EffectsTest, OfTheOp) {
  EXPECT_FALSE(HasEffect(begin + "  %a = aten.max.default(self=%x) : f32[]\n"));
  EXPECT_TRUE(HasEffect(begin + "  %a:0 = aten._assert.default(self=%x, message=\"m\")\n"));
  EXPECT_TRUE(HasEffect(begin + "  %a = unknown \"acme.op\"(x=%x) : f32[3]\n"));
}

TEST_F(EffectsTest, OfWhatIsInside) {
  EXPECT_FALSE(HasEffect(Cond("    %a = aten.max.default(self=%x) : f32[]\n")));
  EXPECT_TRUE(HasEffect(Cond("    %a:0 = aten._assert.default(self=%x, message=\"m\")\n")));
}

}  // namespace
