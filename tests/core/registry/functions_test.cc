// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/functions_test.cc: functions that a registry has in a library beside it.
#include "core/registry/functions.h"

#include <dlfcn.h>

#include <cstring>
#include <filesystem>

#include "tests/core/registry/registry_fixture.h"
#include "tests/core/registry/temporary_folder.h"

namespace {

const char kPlugins[] = BUDDY_TEST_PLUGINS "/lender";

class FunctionsTest : public RegistryTest {
 protected:
  void LoadLender(const std::string &folder = kPlugins) {
    ASSERT_EQ(Search(folder), BUDDY_OK) << Text();
    ASSERT_EQ(Load("lender"), BUDDY_OK) << Text();
  }
  buddy_code Find(const char *name) {
    return bd_registries_function(registries, name, diags, &function);
  }
  int32_t Call() const {
    int32_t (*call)() = nullptr;
    memcpy(&call, &function.address, sizeof call);
    return call();
  }
  static bool IsLoaded() {
    void *library = dlopen(BUDDY_TEST_PLUGINS "/lender/liblender.so", RTLD_NOW | RTLD_NOLOAD);
    if (library) dlclose(library);
    return library != nullptr;
  }
  bd_registry_function function = {};
};

TEST_F(FunctionsTest, TheLibraryIsLoadedForTheFirstFunctionThatIsInIt) {
  LoadLender();
  EXPECT_FALSE(IsLoaded());
  ASSERT_EQ(Find("lender_answer"), BUDDY_OK) << Text();
  EXPECT_TRUE(IsLoaded());
  EXPECT_EQ(Call(), 42);
  ASSERT_NE(function.set_threads, nullptr);
  function.set_threads(3);
  EXPECT_EQ(Call(), 45);
  ASSERT_EQ(Find("_mlir_ciface_lender_answer"), BUDDY_OK) << Text();
  EXPECT_EQ(Call(), 45);
  const buddy_crew crew = {sizeof(crew), 0, nullptr};
  ASSERT_NE(function.set_crew, nullptr);
  function.set_crew(&crew);
  EXPECT_EQ(Call(), 142);
  const buddy_run run = {sizeof(run), 0, nullptr, nullptr, nullptr, nullptr, nullptr};
  ASSERT_NE(function.set_run, nullptr);
  function.set_run(&run);
  EXPECT_EQ(Call(), 1042);
  function.set_threads(0);
}

TEST_F(FunctionsTest, OneThatTheTableHasIsTheTables) {
  LoadLender();
  ASSERT_EQ(Find("lender_own"), BUDDY_OK) << Text();
  EXPECT_EQ(Call(), 7);
}

TEST_F(FunctionsTest, NobodyHasIt) {
  LoadLender();
  EXPECT_EQ(Find("borrower_answer"), BUDDY_NOT_FOUND);
  EXPECT_EQ(buddy_diags_count(diags), 0u) << Text();
}

TEST_F(FunctionsTest, TheLibraryLacksIt) {
  LoadLender();
  EXPECT_EQ(Find("lender_missing"), BUDDY_INCOMPATIBLE);
  EXPECT_NE(Text().find("its runtime symbol 'lender_missing' is not in liblender.so"),
            std::string::npos)
      << Text();
}

TEST_F(FunctionsTest, ThereIsNoLibrary) {
  const TemporaryFolder folder;
  const std::filesystem::path plugins = kPlugins;
  std::filesystem::copy(plugins / "buddy_lender.so", folder.path);
  LoadLender(folder.path);
  EXPECT_EQ(Find("lender_answer"), BUDDY_NOT_FOUND);
  EXPECT_NE(Text().find("registry 'lender' has its functions in this file: cannot be opened"),
            std::string::npos)
      << Text();
  std::filesystem::copy(plugins / "liblender.so", folder.path);
  buddy_diags_clear(diags);
  EXPECT_EQ(Find("lender_answer"), BUDDY_OK) << Text();
}

// The old one's functions stay where they are; the new registry gets those of the new file.
TEST_F(FunctionsTest, ALibraryThatWasBuiltAgainIsAnother) {
  const TemporaryFolder folder;
  for (int answer : {42, 45, 142}) {
    std::filesystem::remove_all(folder.path);
    std::filesystem::copy(kPlugins, folder.path);
    LoadLender(folder.path);
    ASSERT_EQ(Find("lender_answer"), BUDDY_OK) << Text();
    EXPECT_EQ(Call(), 42) << "nobody has told this one anything";
    const buddy_crew crew = {sizeof(crew), 0, nullptr};
    if (answer == 45) function.set_threads(3);
    if (answer == 142) function.set_crew(&crew);
    EXPECT_EQ(Call(), answer);
  }
}

}  // namespace
