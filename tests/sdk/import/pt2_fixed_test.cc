// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/graph/guards.h"

#include "tests/sdk/import/archive_builder.h"

namespace {

// f(x, y) = relu(x), where x is [first, 5] and y [second], each an expression of symbols.
class FixedSizesTest : public ImportTest {
 protected:
  static std::string Symbol(const std::string &name) {
    return "Symbol('" + name + "', positive=True, integer=True)";
  }
  static std::string Size(const std::string &expression) {
    return "{\"as_expr\": {\"expr_str\": \"" + expression + "\", \"hint\": null}}";
  }
  buddy_code ImportWith(const char *sizes, const std::string &first, const std::string &second,
                        const std::string &guards = "") {
    Program program = ReluProgram();
    std::string x = Meta("2,5", "5,1"), y = Meta("2", "1");
    x.replace(x.find("{\"as_int\": 2}"), 13, Size(first));
    y.replace(y.find("{\"as_int\": 2}"), 13, Size(second));
    program.tensor_values = "\"x\": " + x + ", \"relu\": " + x;
    program.AddUserInput("y", y);
    std::vector<ZipFile> files = program.Files();
    for (ZipFile &file : files) {
      if (guards.empty() || file.name != "m/models/model.json") continue;
      const std::string leaf = R"({\"type\": null, \"context\": null, \"children_spec\": []})",
                        node = R"({\"type\": \"t\", \"context\": null, \"children_spec\": [)",
                        tree = "[1, " + node + node + leaf + ", " + leaf + "]}, " + node + "]}]}]";
      file.bytes.pop_back();
      file.bytes += ", \"guards_code\": " + guards + "}";
      file.bytes.replace(file.bytes.find("\"module_call_graph\": []"), 23,
                         "\"module_call_graph\": [{\"fqn\": \"\", \"signature\": {\"in_spec\": \"" +
                             tree + "\", \"forward_arg_names\": [\"x\", \"y\"]}}]");
    }
    zips.clear();
    zips.emplace_back(files);
    Close();
    buddy_diags_clear(diags);
    buddy_code code =
        bd_archive_open_memory(zips.back().data(), zips.back().size(), "m.pt2", diags, &archive);
    if (!code) code = buddy_archive_set_sizes(archive, sizes);
    return code ? code : buddy_archive_import(archive, opset, diags, &graph);
  }
  bool Has(const std::string &text) { return Print().find(text) != std::string::npos; }
};

TEST_F(FixedSizesTest, ASizeIsWhatWasChosen) {
  const std::string s0 = Symbol("s0"), s1 = Symbol("s1");
  ASSERT_EQ(ImportWith("x=7x5,y=0", s0, s1), BUDDY_OK) << Said();
  EXPECT_TRUE(Has("input %x : f32[7,5]") && Has("input %y : f32[0]") && Has(": f32[7,5]\n"))
      << Print();
  EXPECT_EQ(buddy_graph_n_symbols(graph), 0u);
  ASSERT_EQ(ImportWith("x=7x?", s0, s1), BUDDY_OK) << Said();
  EXPECT_TRUE(Has("input %x : f32[7,5]") && Has("input %y : f32[s1]")) << Print();
  for (const char *nothing : {static_cast<const char *>(nullptr), ""}) {
    ASSERT_EQ(ImportWith(nothing, s0, s1), BUDDY_OK) << Said();
    EXPECT_TRUE(Has("input %x : f32[s0,5]")) << Print();
  }
}

TEST_F(FixedSizesTest, SymbolsFollowFromExpressions) {
  const std::string s0 = Symbol("s0"), s1 = Symbol("s1"),
                    sum = "Add(Mul(Integer(2), " + s0 + "), " + s1 + ")";
  ASSERT_EQ(ImportWith("x=11x5", "Add(Mul(Integer(2), " + s0 + "), Integer(1))", s0), BUDDY_OK)
      << Said();
  EXPECT_TRUE(Has("input %x : f32[11,5]") && Has("input %y : f32[5]")) << Print();
  // The first is known once the second is, in whatever order they are named.
  for (const char *sizes : {"x=11x5,y=3", "y=3,x=11x5"}) {
    ASSERT_EQ(ImportWith(sizes, sum, s0), BUDDY_OK) << Said();
    EXPECT_TRUE(Has("input %x : f32[11,5]") && Has("input %y : f32[3]")) << Print();
    EXPECT_EQ(buddy_graph_n_symbols(graph), 0u);
  }
}

TEST_F(FixedSizesTest, WhatCannotBeIsRefused) {
  const std::string s0 = Symbol("s0"), s1 = Symbol("s1"), twice = "Mul(Integer(2), " + s0 + ")";
  const struct {
    const char *sizes;
    std::string first, second;
    const char *what;
  } cases[] = {
      {"x=7x4", s0, s1, "x: its size 1 is 5, and 4 was chosen"},
      {"x=7", s0, s1, "x: it has 2 sizes, and 1 were chosen"},
      {"x=", s0, s1, "x: it has 2 sizes, and 0 were chosen"},
      {"relu=7x5", s0, s1, "'relu', which is no tensor that the program takes: it takes x, y"},
      {"x=7x5,y=8", s0, s0, "y: its size 0 is 7, and 8 was chosen"},
      {"x=7x5,x=8x5", s0, s1, "x: its size 0 is 7, and 8 was chosen"},
      {"x=7x5", twice, s1, "x: its size 0 is 2*s0, and 7 was chosen"},
      {"x=7x5", "Mul(" + s0 + ", " + s1 + ")", s1, "x: its size 0 is s0*s1, and 7 was chosen"},
      {"x=7x5", "FloorDiv(" + s0 + ", Integer(2))", s1, "and 7 was chosen"},
      {"x=281474976710656x5", "Add(" + s0 + ", Integer(9223372036854775807))", s1, "was chosen"},
  };
  for (const auto &each : cases) {
    EXPECT_NE(ImportWith(each.sizes, each.first, each.second), BUDDY_OK) << each.sizes;
    EXPECT_NE(Said().find(each.what), std::string::npos) << each.sizes << ": " << Said();
  }
}

TEST_F(FixedSizesTest, WhatIsNoChoiceIsRefused) {
  for (const char *sizes : {"x", "=7x5", "x=7xx5", "x=7x5x", "x=-1x5", "x=7 x5", "x=*x5", ",",
                            "x=99999999999999999999x5", "x=281474976710657x5", "x=0x10", "x=x"}) {
    EXPECT_EQ(ImportWith(sizes, Symbol("s0"), Symbol("s1")), BUDDY_INVALID_ARGUMENT) << sizes;
  }
  std::string many = "x=";
  for (int i = 0; i < 70; ++i) many += "1x";
  EXPECT_EQ(ImportWith((many + "1").c_str(), Symbol("s0"), Symbol("s1")), BUDDY_INVALID_ARGUMENT);
}

TEST_F(FixedSizesTest, ConditionsOfTheProgramHold) {
  const std::string s0 = Symbol("s0"), s1 = Symbol("s1"),
                    even = R"(["(L['x'].size()[0] % 2) == 0"])",
                    larger = R"(["L['x'].size()[0] > L['y'].size()[0]"])";
  EXPECT_EQ(ImportWith("x=8x5", s0, s1, even), BUDDY_OK) << Said();
  EXPECT_EQ(bd_graph_n_guards(graph), 0u);
  EXPECT_EQ(ImportWith("x=7x5", s0, s1, even), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(Said().find("never holds: (x.size()[0] % 2) == 0"), std::string::npos) << Said();
  EXPECT_EQ(ImportWith("x=7x5", s0, s1, larger), BUDDY_OK) << Said();
  EXPECT_EQ(bd_graph_n_guards(graph), 1u);
  EXPECT_EQ(ImportWith("x=7x5,y=7", s0, s1, larger), BUDDY_INVALID_ARGUMENT);
}

}  // namespace
