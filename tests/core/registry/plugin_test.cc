// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/plugin_test.cc: the handshake with a file. What is refused, and how:
// tests/hostile/broken_test.cc.
#include <filesystem>

#include "tests/core/registry/registry_fixture.h"
#include "tests/core/registry/temporary_folder.h"

namespace {

class PluginTest : public RegistryTest {
 protected:
  TemporaryFolder folder;
};

TEST_F(PluginTest, APathThatTheLinkerWouldReadAsAnother) {
  folder.Plugin("alpha", "$ORIGIN");
  ASSERT_EQ(Search(folder.File("$ORIGIN")), BUDDY_OK);
  EXPECT_EQ(Load("alpha"), BUDDY_PERMISSION);
  EXPECT_NE(Text().find("there is a $ in its path"), std::string::npos) << Text();
}

TEST_F(PluginTest, AFileThatGoesBetweenSearchAndLoad) {
  const std::string file = folder.Plugin("alpha");
  ASSERT_EQ(Search(folder.path), BUDDY_OK);
  std::filesystem::remove(file);
  EXPECT_EQ(Load("alpha"), BUDDY_NOT_FOUND);
  EXPECT_NE(Text().find("registry 'alpha': cannot be opened: No such file"), std::string::npos)
      << Text();
}

TEST_F(PluginTest, ACopyIsAnotherPlugin) {
  folder.Plugin("alpha");
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  const buddy_op *first = buddy_registries_get(registries, 0)->ops;
  buddy_registries *one = registries;
  registries = nullptr;
  ASSERT_EQ(Search(folder.path), BUDDY_OK);
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  EXPECT_NE(buddy_registries_get(registries, 0)->ops, first);
  buddy_registries_destroy(one);
}

}  // namespace
