// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

class LocationTest : public ImportTest {
 protected:
  const buddy_location *Read(const std::string &trace, const std::string &modules) {
    Program program = ReluProgram();
    program.nodes =
        Node("torch.ops.aten.relu.default", Input("self", Tensor("x")), Tensor("relu"), "relu",
             "{\"stack_trace\": \"" + trace + "\", \"nn_module_stack\": \"" + modules + "\"}");
    zips.clear();
    EXPECT_EQ(Import(program), BUDDY_OK) << Said();
    return buddy_node_location(buddy_graph_first(graph));
  }
};

constexpr const char *kTrace =
    R"(File \"/home/me/model.py\", line 41, in forward\n    x = self.layer(x)\n  File \"/v/site-packages/torch/nn/modules/linear.py\", line 134, in forward\n    return F.linear(input)\n  File \"<eval_with_key>.3\", line 6, in forward\n    y = x)";

TEST_F(LocationTest, FindsTheUsersLine) {
  const buddy_location *location =
      Read(kTrace, "L__self__,,model.Net;L__self__layer.0,layer.0,torch.nn.Linear");
  EXPECT_STREQ(location->file, "/home/me/model.py");
  EXPECT_EQ(location->line, 41u);
  EXPECT_STREQ(location->function, "forward");
  EXPECT_STREQ(location->code, "x = self.layer(x)");
  EXPECT_STREQ(location->module_path, "layer.0");
}

TEST_F(LocationTest, TakesTheInnermostIfAllArePyTorchs) {
  const buddy_location *location =
      Read(R"(File \"<a>\", line 1, in f\n    p\n  File \"<b>\", line 2, in g\n    q)", "");
  EXPECT_STREQ(location->file, "<b>");
  EXPECT_EQ(location->line, 2u);
}

TEST_F(LocationTest, SurvivesOtherTexts) {
  for (const char *trace :
       {"", "nothing", R"(File \")", R"(File \"a\", line )", R"(File \"a\", line x, in f)",
        R"(File \"a\", line 99999999999999999999, in f\n)", R"(File \"a\", line 3, in f)"}) {
    Read(trace, ";,;,,");
  }
}

}  // namespace
