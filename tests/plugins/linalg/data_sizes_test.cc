// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as long as the data say, where the program says a number: it has to be that number, or the run ends.
#include "buddy/compile.h"
#include "buddy/import.h"
#include "tests/sdk/compile/harness.h"

namespace {

struct Case {
  const char *name;
  const char *node;  // of %a : i64[6]; its first result is of 3 rows
};

class DataSizes : public testing::TestWithParam<Case> {
 protected:
  DataSizes() {
    const char *dirs[] = {PLUGIN_DIR};
    buddy_search_options search_options = {};
    search_options.struct_size = sizeof(search_options);
    search_options.plugin_dirs = dirs;
    search_options.n_plugin_dirs = 1;
    search_options.no_environment = 1;
    buddy_registries_options options = {};
    options.struct_size = sizeof(options);
    options.order = "linalg";
    options.no_environment = 1;
    buddy_search *search = nullptr;
    EXPECT_EQ(buddy_aten_opset_create(&opset), BUDDY_OK);
    EXPECT_EQ(buddy_search_create(&search_options, diags, &search), BUDDY_OK);
    EXPECT_EQ(buddy_registries_create(search, opset, &options, diags, &registries), BUDDY_OK)
        << diags.text();
    buddy_search_destroy(search);
  }
  ~DataSizes() override {
    buddy_program_destroy(program);
    buddy_plan_destroy(plan);
    buddy_graph_destroy(graph);
    buddy_registries_destroy(registries);
    buddy_opset_destroy(opset);
  }
  void Compile(const std::string &text) {
    buddy_lower_options lower = {};
    lower.struct_size = sizeof(lower);
    buddy_compile_options compile = {};
    compile.struct_size = sizeof(compile);
    buddy_module *module = nullptr;
    ASSERT_EQ(buddy_graph_parse(opset, {text.data(), text.size()}, diags, &graph), BUDDY_OK)
        << diags.text();
    ASSERT_EQ(buddy_plan_create(registries, graph, diags, &plan), BUDDY_OK) << diags.text();
    ASSERT_EQ(buddy_lower(plan, &lower, diags, &module), BUDDY_OK) << diags.text();
    ASSERT_EQ(buddy_compile(module, registries, &compile, diags, &program), BUDDY_OK)
        << diags.text();
  }
  buddy_code Run(const std::vector<int64_t> &numbers, Tensor *out) {
    const Tensor in(BUDDY_I64, {static_cast<int64_t>(numbers.size())}, numbers);
    return buddy_program_run(program, &in.t, 1, &out->t, 1, diags);
  }

  Diags diags;
  buddy_opset *opset = nullptr;
  buddy_registries *registries = nullptr;
  buddy_graph *graph = nullptr;
  buddy_plan *plan = nullptr;
  buddy_program *program = nullptr;
};

TEST_P(DataSizes, AreThoseThatTheProgramSays) {
  Compile(std::string("graph @g {\n  input %a : i64[6]\n  ") + GetParam().node + "\n}\n");
  ASSERT_NE(program, nullptr);
  Tensor right, more, less, again;
  EXPECT_EQ(Run({0, 1, 2, 2, 0, 0}, &right), BUDDY_OK) << diags.text();
  EXPECT_EQ(right.sizes()[0], 3);
  EXPECT_NE(Run({0, 1, 2, 3, 4, 5}, &more), BUDDY_OK) << "more than there is room for";
  EXPECT_NE(diags.text().find("the program says"), std::string::npos) << diags.text();
  EXPECT_NE(Run({0, 0, 0, 0, 0, 0}, &less), BUDDY_OK) << "fewer than the program reads";
  EXPECT_EQ(Run({2, 1, 1, 0, 0, 0}, &again), BUDDY_OK) << diags.text();
}

INSTANTIATE_TEST_SUITE_P(
    Ops, DataSizes,
    testing::Values(
        Case{"unique",
             "%r:3 = aten._unique2.default(self=%a, return_inverse=true, return_counts=true) : "
             "i64[3], "
             "i64[6], i64[3]\n  output %r.0"},
        Case{"nonzero", "%r = aten.nonzero.default(self=%a) : i64[3,1]\n  output %r"},
        Case{"masked_select",
             "%m = aten.ne.Scalar(self=%a, other=0) : i1[6]\n"
             "  %r = aten.masked_select.default(self=%a, mask=%m) : i64[3]\n  output %r"},
        Case{"masked_index",
             "%m = aten.ne.Scalar(self=%a, other=0) : i1[6]\n"
             "  %r = aten.index.Tensor(self=%a, indices=[%m]) : i64[3]\n  output %r"},
        Case{"bincount", "%r = aten.bincount.default(self=%a) : i64[3]\n  output %r"}),
    [](const auto &row) { return std::string(row.param.name); });

}  // namespace
