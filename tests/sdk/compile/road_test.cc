// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of passes as it is told, and that compiling goes by it.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/sdk/compile/harness.h"

namespace {

void add_pass(void *user, const buddy_pass *pass) {
  EXPECT_EQ(pass->struct_size, sizeof(buddy_pass));
  for (const char *text : {pass->name, pass->stage, pass->needs, pass->gives})
    EXPECT_STRNE(text, "");
  static_cast<std::vector<std::string> *>(user)->push_back(pass->name);
}

void add_stage(void *user, const char *stage, double fraction) {
  EXPECT_GE(fraction, 0);
  EXPECT_LE(fraction, 1);
  static_cast<std::vector<std::string> *>(user)->push_back(stage);
}

std::vector<std::string> passes() {
  std::vector<std::string> names;
  buddy_passes_visit(add_pass, &names);
  return names;
}

TEST(Road, HasEachPassOnce) {
  const std::vector<std::string> names = passes();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

std::vector<std::string> told(buddy_compile_options options) {
  std::vector<std::string> stages;
  options.struct_size = sizeof options;
  options.progress = add_stage;
  options.user = &stages;
  Program program(
      "func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = tosa.add %x, %x : "
      "(tensor<4xf32>, "
      "tensor<4xf32>) -> tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n",
      &options);
  return stages;
}

bool has(const std::vector<std::string> &names, const char *name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(Road, IsToldInItsOrder) {
  const std::vector<std::string> names = passes(), stages = told({});
  size_t n = 0;
  for (const std::string &stage : stages) {
    const size_t place =
        static_cast<size_t>(std::find(names.begin(), names.end(), stage) - names.begin());
    if (place == names.size()) continue;  // before and after the road
    EXPECT_GE(place, n) << stage;
    n = place + 1;
  }
  EXPECT_EQ(n, names.size()) << "the last pass is lowering to LLVM";
}

TEST(Road, GoesWhereTheOptionsSay) {
  buddy_compile_options plain = {};
  plain.fusion = -1;
  EXPECT_TRUE(has(told({}), "fusing loops"));
  EXPECT_FALSE(has(told(plain), "fusing loops"));
  EXPECT_FALSE(has(told({}), "inserting measuring"));
  buddy_compile_options profiling = {};
  profiling.profile = 1;
  EXPECT_TRUE(has(told(profiling), "inserting measuring"));
}

}  // namespace
