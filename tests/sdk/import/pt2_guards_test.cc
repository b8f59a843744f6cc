// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/graph/guards.h"

#include "tests/sdk/import/archive_builder.h"

namespace {

class GuardsReadTest : public ImportTest {
 protected:
  // relu(x), and y[1] of f(x, d={"a": …}): their first sizes are s0 and s1.
  buddy_code ImportGuards(const std::string &guards, bool has_tree = true) {
    Program program = ReluProgram();
    std::string meta = Meta("2,5", "5,1"), other = meta;
    const auto symbol = [](std::string *text, const char *name) {
      text->replace(text->find("{\"as_int\": 2}"), 13,
                    std::string("{\"as_expr\": {\"expr_str\": \"Symbol('") + name +
                        "', positive=True, integer=True)\", \"hint\": null}}");
    };
    symbol(&meta, "s0");
    symbol(&other, "s1");
    program.tensor_values = "\"x\": " + meta + ", \"relu\": " + meta;
    program.AddUserInput("d_a", other);
    std::vector<ZipFile> files = program.Files();
    for (ZipFile &file : files) {
      if (file.name != "m/models/model.json") continue;
      file.bytes.pop_back();
      file.bytes += ", \"guards_code\": " + guards + "}";
      if (!has_tree) continue;
      const std::string leaf = R"({\"type\": null, \"context\": null, \"children_spec\": []})";
      const auto node = [](const std::string &context, const std::string &children) {
        return R"({\"type\": \"t\", \"context\": )" + context + R"(, \"children_spec\": [)" +
               children + "]}";
      };
      const std::string dict = node(R"(\"[\\\"a\\\"]\")", leaf);
      const std::string tree =
          "[1, " + node("null", node("null", leaf + ", " + dict) + ", " + node(R"(\"[]\")", "")) +
          "]";
      file.bytes.replace(file.bytes.find("\"module_call_graph\": []"), 23,
                         "\"module_call_graph\": [{\"fqn\": \"\", \"signature\": {\"in_spec\": \"" +
                             tree + "\", \"forward_arg_names\": [\"x\", \"d\"]}}]");
    }
    zips.clear();
    return Import(files);
  }
  bool Holds(int64_t s0, int64_t s1) {
    bool holds = true;
    for (size_t i = 0; i < bd_graph_n_guards(graph); ++i) {
      const int64_t symbols[] = {s0, s1};
      int64_t value = 0;
      EXPECT_EQ(buddy_graph_dim_eval(graph, bd_graph_guard(graph, i)->dim, symbols, 2, &value),
                BUDDY_OK);
      holds = holds && value >= 0;
    }
    return holds;
  }
};

TEST_F(GuardsReadTest, ReadsConditions) {
  static const struct {
    const char *code;
    bool (*holds)(int64_t a, int64_t b);
  } cases[] = {
      {"(L['x'].size()[0] % 2) == 0", [](int64_t a, int64_t) { return a % 2 == 0; }},
      {"L['x'].size()[0] != 3", [](int64_t a, int64_t) { return a != 3; }},
      {"L['d']['a'].size()[0]*L['x'].size()[0] > 6",
       [](int64_t a, int64_t b) { return a * b > 6; }},
      {"L['x'].size()[0] + (-1)*L['d']['a'].size()[0] >= 1",
       [](int64_t a, int64_t b) { return a - b >= 1; }},
      {"2 <= L['x'].size()[0] < 4", [](int64_t a, int64_t) { return 2 <= a && a < 4; }},
      {"not (L['x'].size()[0] == 2 or (L['x'].size()[0] > 3 and L['d']['a'].size()[0] <= 1))",
       [](int64_t a, int64_t b) { return !(a == 2 || (a > 3 && b <= 1)); }},
      {"max(1, L['x'].size()[0] // 2) == L['d']['a'].size()[0]",
       [](int64_t a, int64_t b) { return (a / 2 > 1 ? a / 2 : 1) == b; }},
      {"math.ceil(max(L['x'].size()[0], L['d']['a'].size()[0]) / 2) == 2",
       [](int64_t a, int64_t b) { return ((a > b ? a : b) + 1) / 2 == 2; }},
      {"math.trunc(8*L['x'].size()[0] / (L['d']['a'].size()[0] + 1)) == 8",
       [](int64_t a, int64_t b) { return 8 * a / (b + 1) == 8; }},
      {"math.floor(L['x'].size()[0] / 2) <= 1", [](int64_t a, int64_t) { return a / 2 <= 1; }},
      {"torch.sym_float(L['x'].size()[0] // 2) >= 0.5", [](int64_t a, int64_t) { return a > 1; }},
      {"L['x'].size()[0] / 2 < L['d']['a'].size()[0] / 4.0 <= 1.25",
       [](int64_t a, int64_t b) { return 2 * a < b && b <= 5; }},
      {"math.ceil(((-0.5) + torch.sym_float(L['x'].size()[0])) / 1.0) != 2",
       [](int64_t a, int64_t) { return a != 2; }},
      {"3 / (L['d']['a'].size()[0] + 1) == L['x'].size()[0] * 0.5",
       [](int64_t a, int64_t b) { return 6 == a * (b + 1); }},
      {"L['d']['a'].size()[1] == 5", [](int64_t, int64_t) { return true; }},
      {"False", [](int64_t, int64_t) { return false; }},
  };
  for (const auto &each : cases) {
    ASSERT_EQ(ImportGuards("[\"" + std::string(each.code) + "\"]"), BUDDY_OK) << Said();
    EXPECT_EQ(Said(), "") << each.code;
    for (int64_t a = 0; a < 6; ++a) {
      for (int64_t b = 0; b < 6; ++b)
        EXPECT_EQ(Holds(a, b), each.holds(a, b)) << each.code << " " << a << " " << b;
    }
  }
}

TEST_F(GuardsReadTest, TellsOnceOfWhatItCannotRead) {
  ASSERT_EQ(ImportGuards("[\"L['x'].size()[0] > 1\", \"round(0.3*L['x'].size()[0], 1) == 1.5\", "
                         "\"L['z'].size()[0] > 1\", \"L['x'].stride()[0] == 1\", "
                         "\"L['x'].size()[9] == 1\", \"L['d'][3].size()[0] > 1\", \"L[\", \"\", "
                         "\"((((\", \"L['x'].size()[0] == 1)\", \"x y\"]"),
            BUDDY_OK)
      << Said();
  EXPECT_EQ(bd_graph_n_guards(graph), 1u) << Print();
  EXPECT_EQ(buddy_diags_count(diags), 1u) << Said();
  EXPECT_NE(Said().find("10 of the program's conditions"), std::string::npos) << Said();
  EXPECT_NE(Said().find("round("), std::string::npos) << Said();
}

// What dims cannot say is computed by nodes; what cannot be leaves none behind.
TEST_F(GuardsReadTest, ComputesExpressions) {
  static const struct {
    const char *code, *op; /* op: null: it is not understood */
  } all[] = {{"(N & 3) == 0", "bitwise_and"},
             {"(N ^ 3) | 1 == 11 or not N << 2 > 5", "bitwise_xor"},
             {"0.3*torch.sym_float(N) < 2.7", "aten.mul.Tensor"},
             {"1e-05 < N / 3 < 2.7e+3", "aten.div.Tensor"},
             {"2 ** N > 50", "aten.pow.Tensor_Tensor"},
             {"torch.sym_float(N) ** 0.5 > 2.5", "aten.pow.Tensor_Tensor"},
             {"round(N / 3) == 2", "aten.round"},
             {"abs(N - 9) == 1", "aten.abs"},
             {"(N if N > 4 else 2*N) == 8", "aten.where"},
             {"math.trunc((1 - N) / 3) == -1", "_to_copy"},
             {"math.sqrt(N) > 1.5 and True", "aten.sqrt"},
             {"max(N, 2, N & 1) == 3", "aten.maximum"},
             {"math.gamma(N / 3) > 2", NULL},
             {"round(N / 3, 1) > 2", NULL},
             {"(N / 3) & 1 == 1", NULL},
             {"N & 3", NULL},
             {"N & 3 == 0 or", NULL},
             {"N & 3 == 0)", NULL},
             {"not N & 3", NULL},
             {"(N & 1 == 0) and N", NULL},
             {"N & 3 if N else 2", NULL},
             {"N & 99999999999999999999 == 0", NULL},
             {"N & M == 0", NULL}};
  for (const auto &one : all) {
    std::string code = one.code;
    for (size_t at; (at = code.find('N')) != std::string::npos;)
      code.replace(at, 1, "L['x'].size()[0]");
    ASSERT_EQ(ImportGuards("[\"" + code + "\"]"), BUDDY_OK) << code << Said();
    EXPECT_EQ(bd_graph_n_guards(graph), 0u) << code;
    const std::string text = Print();
    const bool is_checked = text.find("_assert_scalar") != std::string::npos;
    EXPECT_EQ(is_checked, one.op != NULL) << code << text;
    EXPECT_EQ(buddy_diags_count(diags), one.op ? 0u : 1u) << code << Said();
    if (one.op) {
      EXPECT_NE(text.find(one.op), std::string::npos) << code << text;
    } else {
      EXPECT_EQ(buddy_graph_n_nodes(graph), 1u) << code << text;
    }
  }
}

TEST_F(GuardsReadTest, NeedsTheTreeOfTheArguments) {
  ASSERT_EQ(ImportGuards("[\"L['x'].size()[0] > 1\"]", false), BUDDY_OK) << Said();
  EXPECT_EQ(bd_graph_n_guards(graph), 0u);
  EXPECT_EQ(buddy_diags_count(diags), 1u) << Said();
  EXPECT_EQ(ImportGuards("[3]"), BUDDY_CORRUPT);
  EXPECT_EQ(ImportGuards("{}"), BUDDY_OK);
}

}  // namespace
