// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/graph/guards.h"
#include "core/graph/infer_graphs.h"
#include "tests/core/graph/fixture.h"

namespace {

/* Graphs that an op calls, and the op's own types. */
class CalledGraphs : public GraphFixture {
 protected:
  void SetUp() override {
    GraphFixture::SetUp();
    for (const char *schema :
         {"higher_order::cond(Tensor pred, Graph true_fn, Graph false_fn, Tensor[] operands) -> "
          "Tensor[]",
          "higher_order::while_loop(Graph cond_fn, Graph body_fn, Tensor[] carried_inputs, "
          "Tensor[] "
          "additional_inputs) -> Tensor[]",
          "higher_order::map_impl(Graph f, Tensor[] xs, any[] pos_args) -> Tensor[]",
          "higher_order::scan(Graph combine_fn, Tensor[] init, Tensor[] xs, any[] "
          "additional_inputs) -> "
          "Tensor[]"})
      (void)buddy_opset_define(opset, schema, BUDDY_KIND_CONTROL, nullptr);
  }
  static std::string Graph(const std::string &name, const std::vector<std::string> &takes,
                           const std::vector<std::string> &gives) {
    std::string text = "  graph @" + name + " {\n", outputs;
    for (size_t i = 0; i < takes.size(); ++i)
      text += "    input %" + name + std::to_string(i) + " : " + takes[i] + "\n";
    for (size_t i = 0; i < gives.size(); ++i) {
      const std::string made = "%" + name + "_o" + std::to_string(i);
      text += "    " + made + " = unknown \"acme.make\"() : " + gives[i] + "\n";
      outputs += "    output " + made + "\n";
    }
    return text + outputs + "  }\n";
  }
  /* "" if the types agree, else what is said; how many guards there are is `n_guards`. */
  std::string Told(const std::string &graphs, const std::string &node) {
    const std::string text = "graph @g {\n  symbol s0 [0, inf]\n  symbol s1 [0, inf]\n" + graphs +
                             "  input %p : i1[]\n  input %x : f32[5,3]\n  input %y : f32[5]\n"
                             "  input %c : f32[3]\n  input %d : f32[s0,3]\n  " +
                             node + "\n}\n";
    buddy_graph *made = nullptr;
    EXPECT_EQ(TryParse(text, &made), BUDDY_OK) << Said() << text;
    if (!made) return "?";
    const buddy_code code = bd_infer_check_calls(made, diags);
    n_guards = bd_graph_n_guards(made);
    buddy_graph_destroy(made);
    return code ? Said() : "";
  }
  size_t n_guards = 0;
};

TEST_F(CalledGraphs, Cond) {
  const std::string no = Graph("no", {"f32[3]"}, {"f32[4]"});
  const char *node =
      "%r:1 = higher_order.cond.default(pred=%p, true_graph=@yes, false_graph=@no, operands=[%c]) "
      ": "
      "f32[4]";
  EXPECT_EQ(Told(Graph("yes", {"f32[3]"}, {"f32[4]"}) + no, node), "");
  EXPECT_EQ(Told(Graph("yes", {"f32[3]"}, {"f32[s1]"}) + no, node), "") << "a run compares them";
  EXPECT_EQ(n_guards, 0u);
  for (const auto &[takes, gives] :
       std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>{
           {{"f32[3]"}, {"f32[5]"}},
           {{"f32[3]"}, {"f64[4]"}},
           {{"f32[3]"}, {"f32[4,1]"}},
           {{"f32[3]"}, {}},
           {{"f32[2]"}, {"f32[4]"}},
           {{"i64[3]"}, {"f32[4]"}},
           {{}, {"f32[4]"}}})
    EXPECT_NE(Told(Graph("yes", takes, gives) + no, node), "");
  EXPECT_EQ(Told(Graph("yes", {"f32[3]"}, {"f32[5]"}) + no, node),
            "r: higher_order.cond.default: output 0 of graph @yes is f32[5], the op has f32[4]\n");
}

TEST_F(CalledGraphs, WhileLoop) {
  const std::string again = Graph("again", {"f32[3]", "f32[5]"}, {"i1[]"});
  const auto loop = [&](const std::string &takes, const std::string &gives,
                        const std::string &result) {
    return Told(again + Graph("body", {takes, "f32[5]"}, {gives}),
                "%r:1 = higher_order.while_loop.default(cond_fn=@again, body_fn=@body, "
                "carried_inputs=[%c], additional_inputs=[%y]) : " +
                    result);
  };
  EXPECT_EQ(loop("f32[3]", "f32[3]", "f32[3]"), "");
  EXPECT_NE(loop("f32[4]", "f32[3]", "f32[3]"), "");
  EXPECT_NE(loop("f32[3]", "f32[4]", "f32[3]"), "");
  EXPECT_NE(loop("f32[3]", "f32[3]", "f32[4]"), "");
  EXPECT_NE(loop("f32[3]", "i32[3]", "f32[3]"), "");
  EXPECT_EQ(loop("f32[s0]", "f32[s0]", "f32[3]"), "");
  EXPECT_GT(n_guards, 0u) << "s0 is 3";
}

TEST_F(CalledGraphs, MapAndScan) {
  const auto map = [&](const std::string &takes, const std::string &gives,
                       const std::string &result, const std::string &xs = "%x") {
    return Told(
        Graph("f", {takes, "f32[3]"}, {gives}),
        "%r:1 = higher_order.map_impl.default(f=@f, xs=[" + xs + "], pos_args=[%c]) : " + result);
  };
  EXPECT_EQ(map("f32[3]", "f32[2]", "f32[5,2]"), "");
  EXPECT_NE(map("f32[3]", "f32[2]", "f32[4,2]"), "") << "five slices into four";
  EXPECT_NE(map("f32[3]", "f32[2]", "f32[5,3]"), "");
  EXPECT_NE(map("f32[5,3]", "f32[2]", "f32[5,2]"), "");
  EXPECT_NE(map("f32[3]", "f32[]", "f32[]"), "");
  EXPECT_EQ(map("f32[3]", "f32[2]", "f32[s0,2]", "%d"), "");
  EXPECT_EQ(n_guards, 0u);
  EXPECT_EQ(map("f32[3]", "f32[2]", "f32[s1,2]", "%d"), "");
  EXPECT_EQ(n_guards, 1u) << "as many as there are";
  const auto scan = [&](const std::vector<std::string> &takes,
                        const std::vector<std::string> &gives, const std::string &results) {
    return Told(Graph("f", takes, gives),
                "%r:2 = higher_order.scan.default(combine_fn=@f, init=[%c], xs=[%x, %y], "
                "additional_inputs=tensors[]) : " +
                    results);
  };
  EXPECT_EQ(scan({"f32[3]", "f32[3]", "f32[]"}, {"f32[3]", "f32[2]"}, "f32[3], f32[5,2]"), "");
  EXPECT_NE(scan({"f32[3]", "f32[3]", "f32[]"}, {"f32[3]", "f32[2]"}, "f32[3], f32[9,2]"), "");
  EXPECT_NE(scan({"f32[3]", "f32[3]", "f32[]"}, {"f32[4]", "f32[2]"}, "f32[4], f32[5,2]"), "");
  EXPECT_NE(scan({"f32[3]", "f32[3]"}, {"f32[3]", "f32[2]"}, "f32[3], f32[5,2]"), "");
  EXPECT_NE(scan({"f32[3]", "f32[3]", "f32[]"}, {"f32[3]"}, "f32[3], f32[5,2]"), "");
}

}  // namespace
