// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/search_test.cc: directories, their order, and what is found in them.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "core/registry/environment.h"
#include "core/registry/search.h"
#include "tests/core/registry/registry_fixture.h"
#include "tests/core/registry/temporary_folder.h"

namespace {

class SearchTest : public RegistryTest {
 protected:
  buddy_code SearchIn(const std::vector<std::string> &dirs,
                      const std::vector<std::string> &files = {}, bool no_environment = false) {
    buddy_search_destroy(search);
    buddy_diags_clear(diags);
    std::vector<const char *> dir_names, file_names;
    for (const std::string &dir : dirs) dir_names.push_back(dir.c_str());
    for (const std::string &file : files) file_names.push_back(file.c_str());
    buddy_search_options options{};
    options.struct_size = sizeof options;
    options.plugin_dirs = dir_names.data();
    options.n_plugin_dirs = dir_names.size();
    options.plugin_files = file_names.data();
    options.n_plugin_files = file_names.size();
    options.no_environment = no_environment;
    return bd_search_create_in(&options, &environment, diags, &search);
  }

  std::string Dirs() const {
    std::string text;
    for (size_t i = 0; i < buddy_search_n_dirs(search); ++i) {
      std::string dir = buddy_search_dir(search, i);
      if (dir.compare(0, folder.path.size(), folder.path) == 0)
        dir = "~" + dir.substr(folder.path.size());
      text += (i ? " " : "") + dir;
    }
    return text;
  }
  // "alpha beta(shadowed)".
  std::string Found() const {
    std::string text;
    for (size_t i = 0; i < buddy_search_n_found(search); ++i) {
      const buddy_found *found = buddy_search_found(search, i);
      text += (i ? " " : "") + std::string(found->name);
      if (*found->shadowed_by) text += "(shadowed)";
      if (found->code != BUDDY_OK) text += std::string("(") + buddy_code_name(found->code) + ")";
    }
    return text;
  }

  TemporaryFolder folder;
  bd_environment environment = bd_environment();
};

TEST_F(SearchTest, TheOrderOfDirectories) {
  const std::string home = folder.Folder("home"), system = folder.Folder("system");
  const std::string path = folder.File("a") + ":" + folder.File("b"),
                    library = folder.File("lib/libbuddy.so");
  environment.plugin_path = path.c_str();
  environment.home = home.c_str();
  environment.library_path = library.c_str();
  environment.system_dir = system.c_str();
  ASSERT_EQ(SearchIn({folder.Folder("given")}), BUDDY_OK) << Text();
  EXPECT_EQ(Dirs(),
            "~/given ~/a ~/b ~/home/.local/share/buddy/plugins-1 ~/lib/buddy/plugins-1 ~/system");
  const std::string data = folder.File("data");
  environment.xdg_data_home = data.c_str();
  ASSERT_EQ(SearchIn({}), BUDDY_OK);
  EXPECT_EQ(Dirs(), "~/a ~/b ~/data/buddy/plugins-1 ~/lib/buddy/plugins-1 ~/system");
  environment.xdg_data_home = "relative";  // which the specification says to ignore
  ASSERT_EQ(SearchIn({}), BUDDY_OK);
  EXPECT_EQ(Dirs(), "~/a ~/b ~/home/.local/share/buddy/plugins-1 ~/lib/buddy/plugins-1 ~/system");
  ASSERT_EQ(SearchIn({folder.Folder("given")}, {}, true), BUDDY_OK);
  EXPECT_EQ(Dirs(), "~/given");
}

TEST_F(SearchTest, ASetuidProcessIgnoresTheEnvironment) {
  const std::string path = folder.Folder("a"), home = folder.Folder("home"),
                    library = folder.File("lib/libbuddy.so");
  environment.is_secure = true;
  environment.plugin_path = path.c_str();
  environment.home = home.c_str();
  environment.library_path = library.c_str();
  ASSERT_EQ(SearchIn({}), BUDDY_OK);
  EXPECT_EQ(Dirs(), "~/lib/buddy/plugins-1");
  ASSERT_EQ(buddy_diags_count(diags), 1u);
  EXPECT_EQ(buddy_diags_get(diags, 0)->severity, BUDDY_NOTE);
}

TEST_F(SearchTest, BadItemsOfThePath) {
  const auto refuse = [&](const std::string &path) {
    environment.plugin_path = path.c_str();
    EXPECT_EQ(SearchIn({}), BUDDY_INVALID_ARGUMENT) << path;
    EXPECT_EQ(search, nullptr);
    return Text();
  };
  EXPECT_EQ(refuse("relative"), "BUDDY_PLUGIN_PATH: item 1, 'relative', is not absolute\n");
  EXPECT_EQ(refuse("/a:"), "BUDDY_PLUGIN_PATH: item 2, '', is empty\n");
  EXPECT_EQ(
      refuse(":."),
      "BUDDY_PLUGIN_PATH: item 1, '', is empty\nBUDDY_PLUGIN_PATH: item 2, '.', is not absolute\n");
  EXPECT_EQ(refuse("/" + std::string(5000, 'a')),
            "BUDDY_PLUGIN_PATH: item 1, '/" + std::string(79, 'a') + "…', is too long\n");
  std::string many = "/0";
  for (int i = 1; i < 33; ++i) many += ":/" + std::to_string(i);
  EXPECT_EQ(refuse(many),
            "BUDDY_PLUGIN_PATH: item 33, '/32', is one too many: at most 32 are searched\n");
  environment.plugin_path = "";
  EXPECT_EQ(SearchIn({}), BUDDY_OK) << "set but empty is as good as not set";
}

TEST_F(SearchTest, GivenDirectoriesMustExist) {
  EXPECT_EQ(SearchIn({folder.File("nowhere")}), BUDDY_NOT_FOUND);
  EXPECT_EQ(SearchIn({""}), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(SearchIn({std::string(5000, 'a')}), BUDDY_INVALID_ARGUMENT);
  buddy_search_options options{};
  EXPECT_EQ(bd_search_create_in(&options, &environment, diags, &search), BUDDY_INVALID_ARGUMENT)
      << "no struct_size";
  EXPECT_EQ(bd_search_create_in(nullptr, &environment, diags, &search), BUDDY_OK);
}

TEST_F(SearchTest, FirstHitOfANameWinsAndTheListIsSorted) {
  folder.Plugin("beta", "one");
  folder.Plugin("alpha", "two");
  folder.Plugin("beta", "two");
  folder.Plugin("closer_a", "two");
  std::ofstream(folder.File("two/libother.so")) << "not ours";
  ASSERT_EQ(SearchIn({folder.File("one"), folder.File("two") + "//"}), BUDDY_OK);
  EXPECT_EQ(Dirs(), "~/one ~/two");
  EXPECT_EQ(Found(), "alpha beta beta(shadowed) closer_a");
  EXPECT_EQ(buddy_search_found(search, 2)->shadowed_by, buddy_search_found(search, 1)->path);
  EXPECT_EQ(std::string(buddy_search_found(search, 1)->path), folder.File("one/buddy_beta.so"));
  EXPECT_EQ(bd_search_find(search, "beta"), buddy_search_found(search, 1));
  EXPECT_EQ(bd_search_find(search, "gamma"), nullptr);
  EXPECT_EQ(bd_search_find(search, "zeta"), nullptr);
  EXPECT_EQ(buddy_search_found(search, 9), nullptr);
  EXPECT_EQ(buddy_search_dir(search, 9), nullptr);
  EXPECT_STREQ(buddy_search_found(search, 0)->vendor, "buddy tests");
  EXPECT_EQ(buddy_search_found(search, 0)->n_ops, 15u);
}

TEST_F(SearchTest, ARefusedFileKeepsItsPlace) {
  std::ofstream(folder.Folder("one") + "/buddy_alpha.so") << "damaged";
  folder.Plugin("alpha", "two");
  ASSERT_EQ(SearchIn({folder.File("one"), folder.File("two")}), BUDDY_OK);
  EXPECT_EQ(Found(), "alpha(CORRUPT) alpha(shadowed)");
  EXPECT_STREQ(buddy_search_found(search, 0)->refusal, "is no ELF file");
  EXPECT_STREQ(buddy_search_found(search, 0)->version, "");
}

TEST_F(SearchTest, TheSameFileOnce) {
  folder.Plugin("alpha", "one");
  ASSERT_EQ(symlink("one", folder.File("two").c_str()), 0);
  ASSERT_EQ(symlink("../one/buddy_alpha.so", (folder.Folder("three") + "/buddy_alpha.so").c_str()),
            0);
  ASSERT_EQ(
      SearchIn({folder.File("one"), folder.File("two"), folder.File("three"), folder.File("one")}),
      BUDDY_OK);
  EXPECT_EQ(Dirs(), "~/one ~/three");
  EXPECT_EQ(Found(), "alpha");
}

TEST_F(SearchTest, SingleFilesComeFirst) {
  folder.Plugin("alpha", "one");
  const std::string file = folder.Plugin("alpha", "two");
  ASSERT_EQ(SearchIn({folder.File("one")}, {file}), BUDDY_OK) << Text();
  EXPECT_EQ(Found(), "alpha alpha(shadowed)");
  EXPECT_EQ(buddy_search_found(search, 0)->path, file);
  EXPECT_EQ(SearchIn({}, {folder.File("two/buddy_beta.so")}), BUDDY_NOT_FOUND);
  EXPECT_EQ(SearchIn({}, {folder.File("two/alpha.so")}), BUDDY_INVALID_ARGUMENT);
}

TEST_F(SearchTest, RelativePathsAreMadeAbsolute) {
  folder.Plugin("alpha");
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path);
  EXPECT_EQ(SearchIn({"."}, {"buddy_alpha.so"}), BUDDY_OK) << Text();
  std::filesystem::current_path(before);
  ASSERT_EQ(buddy_search_n_found(search), 1u);
  EXPECT_EQ(buddy_search_found(search, 0)->path[0], '/')
      << "dlopen looks up a bare name in the system's folders";
}

TEST_F(SearchTest, TheCurrentDirectoryIsNotSearched) {
  folder.Plugin("alpha");
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path);
  EXPECT_EQ(SearchIn({}), BUDDY_OK);
  std::filesystem::current_path(before);
  EXPECT_EQ(buddy_search_n_found(search), 0u);
}

TEST_F(SearchTest, ThisProcess) {
  bd_environment_get(&environment);
  EXPECT_FALSE(environment.is_secure);
  ASSERT_NE(environment.library_path, nullptr);
  EXPECT_NE(std::string(environment.library_path).find("libbuddy"), std::string::npos);
  ASSERT_EQ(buddy_search_create(nullptr, diags, &search), BUDDY_OK) << Text();
  EXPECT_GE(buddy_search_n_dirs(search), 1u);
}

TEST_F(SearchTest, TenPluginsAreFoundInNoTime) {
  for (int i = 0; i < 10; ++i) {
    const std::string name = "alpha_" + std::to_string(i);
    std::filesystem::copy_file(BUDDY_TEST_PLUGINS "/buddy_alpha.so",
                               folder.File("buddy_" + name + ".so"));
  }
  auto best = std::chrono::steady_clock::duration::max();
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(SearchIn({folder.path}, {}, true), BUDDY_OK);
    best = std::min(best, std::chrono::steady_clock::now() - start);
  }
  EXPECT_EQ(buddy_search_n_found(search), 10u);
  EXPECT_LT(std::chrono::duration<double>(best).count(), 0.002);
}

}  // namespace
