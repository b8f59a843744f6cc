// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/pt2.h"

#include "tests/sdk/import/archive_builder.h"

namespace {

class Pt2Test : public ImportTest {};

TEST_F(Pt2Test, ImportsAProgram) {
  ASSERT_EQ(Import(ReluProgram()), BUDDY_OK) << Said();
  EXPECT_EQ(Print(),
            "graph @forward {\n  input %x : f32[2]\n  %relu = aten.relu.default(self=%x) : f32[2]\n"
            "  output %relu\n}\n");
}

TEST_F(Pt2Test, RefusesOtherSchemas) {
  Program program = ReluProgram();
  program.version = R"({"major": 9, "minor": 0})";
  EXPECT_EQ(Import(program), BUDDY_INCOMPATIBLE);
  EXPECT_NE(Said().find("schema version 9.0"), std::string::npos) << Said();
}

TEST_F(Pt2Test, NotesNewerMinorVersions) {
  Program program = ReluProgram();
  program.version = R"({"major": 8, "minor": 99})";
  EXPECT_EQ(Import(program), BUDDY_OK) << Said();
  ASSERT_EQ(buddy_diags_count(diags), 1u);
  EXPECT_EQ(buddy_diags_get(diags, 0)->severity, BUDDY_NOTE);
}

TEST_F(Pt2Test, TellsAllThatIsBeyondIt) {
  Program program = ReluProgram();
  program.weights = "\"a\": " + Payload("weight_0", Meta("2", "1"), true) +
                    ", \"b\": " + Payload("weight_1", Meta("2", "1"), true);
  program.AddParameter("p_a", "a", Meta("2", "1"));
  program.AddParameter("p_b", "b", Meta("2", "1"));
  EXPECT_EQ(Import(program), BUDDY_UNSUPPORTED);
  EXPECT_EQ(buddy_diags_count(diags), 2u) << Said();
}

// Whatever is cut from the program, the import says so and neither crashes nor leaks.
TEST_F(Pt2Test, RefusesEveryCutProgram) {
  const std::string json = ReluProgram().Json();
  for (size_t n = 0; n < json.size(); n += 7) {
    std::vector<ZipFile> files = ReluProgram().Files();
    for (ZipFile &file : files) {
      if (file.name == "m/models/model.json") file.bytes = json.substr(0, n);
    }
    zips.clear();
    EXPECT_EQ(Import(files), BUDDY_CORRUPT) << n;
  }
}

// Each string of the program in turn is another: refused, or harmless.
TEST_F(Pt2Test, SurvivesWrongStrings) {
  const std::string json = ReluProgram().Json();
  for (size_t at = json.find('"'); at != std::string::npos; at = json.find('"', at + 1)) {
    std::vector<ZipFile> files = ReluProgram().Files();
    for (ZipFile &file : files) {
      if (file.name == "m/models/model.json")
        file.bytes = json.substr(0, at + 1) + "?" + json.substr(at + 1);
    }
    zips.clear();
    Import(files);
  }
}

TEST_F(Pt2Test, IsLinearInNodes) {
  Program program;
  program.AddUserInput("x", Meta("2", "1"));
  std::string nodes, values, last = "x";
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "n" + std::to_string(i);
    nodes += (i ? ", " : "") +
             Node("torch.ops.aten.relu_.default", Input("self", Tensor(last)), Tensor(name), name);
    values += ", \"" + name + "\": " + Meta("2", "1");
    last = name;
  }
  program.nodes = nodes;
  program.tensor_values += values;
  program.AddOutput(Tensor(last));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_EQ(buddy_graph_n_nodes(graph), 20000u);
}

// Programs with dynamic sizes, guards, a branch, writes through views and weights, under every failure of memory: none is
// passed over, not even where ops are looked up for the first time.
TEST_F(Pt2Test, FreesEverythingWhenMemoryIsOut) {
  const std::string corpus = std::string(BUDDY_TEST_CORPUS) + "/pt2_fuzz/";
  for (const char *name : {"sem_mutated_cache.pt2", "sem_item_as_size.pt2", "sem_tied_weights.pt2",
                           "sem_guarded_sizes.pt2"}) {
    std::string whole;
    for (int64_t n = -1; n < 1000000; ++n) {
      Close();
      buddy_opset *fresh = nullptr;
      ASSERT_EQ(buddy_aten_opset_create(&fresh), BUDDY_OK);
      bd_memory_fail_after(n);
      buddy_code code = buddy_archive_open((corpus + name).c_str(), nullptr, &archive);
      if (!code) code = buddy_archive_import(archive, fresh, nullptr, &graph);
      const bool has_failed = bd_memory_fail_after(-1);
      ASSERT_TRUE(code == BUDDY_OUT_OF_MEMORY ? has_failed : code == BUDDY_OK)
          << name << " " << n << " " << code;
      if (!code) {
        if (n < 0) whole = Print();
        EXPECT_EQ(Print(), whole) << name << " " << n;
      }
      Close();
      buddy_opset_destroy(fresh);
      if (n >= 0 && !has_failed) break;
    }
    EXPECT_NE(whole, "");
  }
}

}  // namespace
