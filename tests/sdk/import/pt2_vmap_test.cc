// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

std::string Int(int n) { return Input("", "{\"as_int\": " + std::to_string(n) + "}"); }
std::string Functorch(const std::string &op, const std::string &inputs, const std::string &output,
                      const std::string &name) {
  return Node("torch._functorch.predispatch." + op, inputs, output, name);
}
const char none[] = R"({"as_none": true})";

std::string Begin(const std::string &name = "begin") {
  return Functorch("_vmap_increment_nesting",
                   Int(3) + ", " + Input("", R"({"as_string": "error"})"), none, name);
}
std::string End() { return Functorch("_vmap_decrement_nesting", "", none, "end"); }
std::string Slice(const std::string &from, int dim, const std::string &to, int level = 1) {
  return Functorch("_add_batch_dim", Input("", Tensor(from)) + ", " + Int(dim) + ", " + Int(level),
                   Tensor(to), to);
}
std::string Stack(const std::string &from, int dim, const std::string &to, int level = 1) {
  return Functorch("_remove_batch_dim",
                   Input("", Tensor(from)) + ", " + Int(level) + ", " + Int(3) + ", " + Int(dim),
                   Tensor(to), to);
}
std::string Add(const std::string &a, const std::string &b, const std::string &to) {
  return Node("torch.ops.aten.add.Tensor",
              Input("self", Tensor(a)) + ", " + Input("other", Tensor(b)), Tensor(to), to);
}

class VmapTest : public ImportTest {
 protected:
  // x f32[2, 3] and w f32[2] come in; y goes out.
  VmapTest() {
    program.AddUserInput("x", Meta("2, 3", "3, 1"));
    program.AddUserInput("w", Meta("2", "1"));
    program.AddValue("a", Meta("2", "1"));
    program.AddValue("b", Meta("2", "1"));
  }
  void Add_(const std::string &node) { program.AddNode(node); }

  Program program;
};

TEST_F(VmapTest, IsALoopOverSlices) {
  program.AddValue("y", Meta("2, 3", "3, 1"));
  for (const std::string &node :
       {Begin(), Slice("x", 1, "a"), Add("a", "w", "b"), Stack("b", -1, "y"), End()})
    Add_(node);
  program.AddOutput(Tensor("y"));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  const std::string text = Print();
  EXPECT_NE(text.find("aten.permute.default(self=%x, dims=[1, 0]) : f32[3,2]"), std::string::npos)
      << text;
  EXPECT_NE(text.find("higher_order.map_impl.default(f=@"), std::string::npos) << text;
  EXPECT_NE(text.find("pos_args=[%w]) : f32[3,2]"), std::string::npos) << text;
  EXPECT_NE(text.find("dims=[1, 0]) : f32[2,3]"), std::string::npos) << text;
}

TEST_F(VmapTest, NestsAndReachesThrough) {
  program.AddUserInput("z", Meta("3, 2", "2, 1"));
  program.AddValue("c", Meta("2", "1"));
  program.AddValue("d", Meta("2", "1"));
  program.AddValue("e", Meta("3, 2", "2, 1"));
  program.AddValue("y", Meta("3, 3, 2", "6, 2, 1"));
  for (const std::string &node :
       {Begin(), Slice("x", 1, "a"), Begin("inner"), Slice("z", 0, "b", 2), Add("b", "w", "c"),
        Add("c", "a", "d"), Stack("d", 0, "e", 2), End(), Stack("e", 0, "y"), End()})
    Add_(node);
  program.AddOutput(Tensor("y"));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  const std::string text = Print();
  EXPECT_NE(text.find("pos_args=[%z, %w]) : f32[3,3,2]"), std::string::npos) << text;
}

// A value that a region gave to nobody is not there after its end.
TEST_F(VmapTest, RefusesValuesOfRegionsThatHaveEnded) {
  program.AddValue("y", Meta("2", "1"));
  for (const std::string &node :
       {Begin(), Slice("x", 1, "a"), End(), Begin(), Slice("x", 1, "b"), Add("a", "b", "y"), End()})
    Add_(node);
  program.AddOutput(Tensor("w"));
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("region that has ended"), std::string::npos) << Said();
}

TEST_F(VmapTest, RefusesMalformedRegions) {
  const struct {
    std::vector<std::string> nodes;
    const char *said;
  } cases[] = {
      {{Begin(), Slice("x", 1, "a")}, "does not end"},
      {{Begin(), End()}, "nothing that it slices"},
      {{Begin(), Slice("x", 2, "a"), End()}, "slices no dim"},
      {{Begin(), Slice("x", -3, "a"), End()}, "slices no dim"},
      {{Begin(), Slice("x", 1, "a"), Stack("a", 2, "y"), End()}, "along no dim"},
      {{Begin(), Slice("x", 1, "a"), Add("a", "w", "b"), Slice("x", 1, "y"), End()}, "its middle"},
  };
  program.AddValue("y", Meta("2", "1"));
  program.AddOutput(Tensor("w"));
  for (const auto &one : cases) {
    Program wrong = program;
    for (const std::string &node : one.nodes) wrong.AddNode(node);
    EXPECT_EQ(Import(wrong), BUDDY_CORRUPT) << one.said;
    EXPECT_NE(Said().find(one.said), std::string::npos) << Said();
  }
}

TEST_F(VmapTest, RefusesNumbersDrawnForAllSlices) {
  Add_(Functorch("_vmap_increment_nesting", Int(3) + ", " + Input("", R"({"as_string": "same"})"),
                 none, "begin"));
  program.AddOutput(Tensor("w"));
  EXPECT_EQ(Import(program), BUDDY_UNSUPPORTED);
  EXPECT_NE(Said().find("once for all slices"), std::string::npos) << Said();
}

TEST_F(VmapTest, NamesTheStepsOfOtherTransforms) {
  program.AddOutput(Tensor("w"));
  program.AddValue("d", Meta("2", "1"));
  const Program plain = program;
  for (const char *op : {"_jvp_increment_nesting", "_grad_increment_nesting", "_make_dual",
                         "_wrap_for_grad", "_of_tomorrow"}) {
    for (const bool is_inside : {false, true}) {
      program = plain;
      if (is_inside) {
        Add_(Begin());
        Add_(Slice("x", 1, "a"));
      }
      Add_(Functorch(op, Input("", Tensor("w")), Tensor("d"), "step"));
      EXPECT_EQ(Import(program), BUDDY_UNSUPPORTED) << op;
      EXPECT_NE(Said().find(std::string(op) + " is a step of torch.func"), std::string::npos)
          << Said();
    }
  }
}

TEST_F(VmapTest, LimitsNesting) {
  for (int i = 0; i < 80; ++i) Add_(Begin());
  program.AddOutput(Tensor("w"));
  EXPECT_EQ(Import(program), BUDDY_LIMIT);
}

}  // namespace
