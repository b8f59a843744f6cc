// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/load_test.cc: orders, dependencies, and the life of a plugin in the process.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>
#include <utility>

#include "core/registry/load.h"
#include "tests/core/registry/fake_emitter.h"
#include "tests/core/registry/registry_fixture.h"
#include "tests/core/registry/temporary_folder.h"

namespace {

using LoadTest = RegistryTest;

TEST_F(LoadTest, StarIsWhatTheOrderDoesNotName) {
  ASSERT_EQ(Load("beta:*"), BUDDY_OK) << Text();
  EXPECT_EQ(Loaded(),
            "beta:linalg:math:func:aaa:alpha:borrower:closer_a:closer_b:fuser:newer:zzz:composite");
  ASSERT_EQ(Load("*:math"), BUDDY_OK) << Text();
  EXPECT_EQ(Loaded(),
            "linalg:func:aaa:alpha:beta:borrower:closer_a:closer_b:fuser:newer:zzz:composite:math");
}

TEST_F(LoadTest, DependenciesComeLastUnlessNamed) {
  ASSERT_EQ(Load("closer_b:alpha"), BUDDY_OK) << Text();
  EXPECT_EQ(Loaded(), "closer_b:alpha:closer_a");
  ASSERT_EQ(Load("closer_a:closer_b"), BUDDY_OK) << Text();
  EXPECT_EQ(Loaded(), "closer_a:closer_b");
}

TEST_F(LoadTest, AnUnknownNameTellsWhereItWasLookedFor) {
  EXPECT_EQ(Load("alpha:nothere:notthere"), BUDDY_NOT_FOUND);
  ASSERT_EQ(buddy_diags_count(diags), 2u);
  EXPECT_STREQ(buddy_diags_get(diags, 0)->what,
               "registry 'nothere': there is no buddy_nothere.so in " BUDDY_TEST_PLUGINS
               "; found are aaa, alpha, beta, borrower, closer_a, closer_b, composite, func, "
               "fuser, linalg, math, newer, zzz");
}

TEST_F(LoadTest, AnEmptyOrderLoadsNothingAndSaysSo) {
  ASSERT_EQ(Load(""), BUDDY_OK) << Text();
  EXPECT_EQ(buddy_registries_count(registries), 0u);
  ASSERT_EQ(buddy_diags_count(diags), 1u);
  EXPECT_EQ(buddy_diags_get(diags, 0)->severity, BUDDY_NOTE);
  EXPECT_STREQ(buddy_diags_get(diags, 0)->what,
               "is empty: no registry is loaded, so no op can be lowered");
}

TEST_F(LoadTest, OneFileIsLoadedOnce) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  const buddy_registry *first = buddy_registries_get(registries, 0);
  buddy_registries *one = registries;
  registries = nullptr;
  ASSERT_EQ(Search(std::string(BUDDY_TEST_PLUGINS) + "/../plugins"), BUDDY_OK);
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  EXPECT_EQ(buddy_registries_get(registries, 0), first);
  buddy_registries_destroy(one);
}

// It is another file under the same name: the dynamic linker goes by the name.
TEST_F(LoadTest, ARegistryThatWasBuiltAgainIsAnother) {
  const TemporaryFolder folder;
  const std::string path = folder.Plugin("alpha");
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  buddy_registries *old = nullptr;
  for (char last : {'3', '4', '5'}) {
    for (size_t at = bytes.find("1.2."); at != std::string::npos; at = bytes.find("1.2.", at + 1))
      bytes[at + 4] = last;
    std::filesystem::remove(path);  // what is mapped stays as it is
    std::ofstream(path, std::ios::binary) << bytes;
    ASSERT_EQ(Search(folder.path), BUDDY_OK);
    for (int again = 0; again < 2; ++again) {
      ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
      EXPECT_EQ(buddy_registries_get(registries, 0)->version, std::string("1.2.") + last);
    }
    if (!old) std::swap(old, registries);
  }
  EXPECT_STREQ(buddy_registries_get(old, 0)->version, "1.2.3");
  buddy_registries_destroy(old);
}

TEST_F(LoadTest, TheSearchMayGo) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  buddy_search_destroy(search);
  search = nullptr;
  EXPECT_STREQ(buddy_registries_get(registries, 0)->name, "alpha");
  EXPECT_STREQ(buddy_registries_path(registries, 0), BUDDY_TEST_PLUGINS "/buddy_alpha.so");
}

using LoadDeathTest = RegistryTest;

// open() once, dependencies first; close() at exit, in reverse, of what nobody uses any more.
TEST_F(LoadDeathTest, OpenedOnceAndClosedAtExit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Load("closer_b:closer_a");
        buddy_registries *again = registries;
        registries = nullptr;
        Load("closer_a");
        buddy_registries_destroy(registries);
        buddy_registries_destroy(again);
        registries = nullptr;
        fprintf(stderr, "exit;");
        exit(0);
      },
      testing::ExitedWithCode(0),
      "^open closer_a 1;open closer_b 1;exit;close closer_b 1;close closer_a 1;$");
}

TEST_F(LoadDeathTest, WhatIsInUseAtExitIsLeftAlone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Load("closer_b");
        buddy_registries_destroy(registries);
        registries = nullptr;
        Load("closer_a");  // still there when the process ends
        fprintf(stderr, "exit;");
        exit(0);
      },
      testing::ExitedWithCode(0), "^open closer_a 1;open closer_b 1;exit;close closer_b 1;$");
}

// Everything there is, from several threads at once.
class Worker : public RegistryTest {
 public:
  void TestBody() override {
    for (int i = 0; i < 10; ++i) {
      ASSERT_EQ(Load("alpha:beta:*"), BUDDY_OK) << Text();
      const buddy_value *x = Input(BUDDY_F32, {2, 2});
      Output(Value("test.mlp.default", {Tensor("self", x), Tensor("weight", x)}));
      Output(Value("test.late.default", {Tensor("self", x)}));
      ASSERT_EQ(Plan(), BUDDY_OK) << Text();
      fake_emitter emitter = fake_emitter();
      ASSERT_EQ(bd_plan_emit(plan, graph, &fake_emitter_table, &emitter, 0, diags), BUDDY_OK)
          << Text();
      ASSERT_STREQ(emitter.committed, "alpha.mm alpha.mm alpha.relu");
      buddy_plan_destroy(plan);
      plan = nullptr;
    }
  }
};

TEST(LoadThreadTest, SeveralThreadsAtOnce) {
  std::vector<std::unique_ptr<Worker>>
      workers;  // made here: GoogleTest's fixtures are not made on threads
  for (int i = 0; i < 6; ++i) workers.push_back(std::make_unique<Worker>());
  std::vector<std::thread> threads;
  for (const auto &worker : workers) threads.emplace_back([&worker] { worker->TestBody(); });
  for (std::thread &thread : threads) thread.join();
}

}  // namespace
