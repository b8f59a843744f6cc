// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/runtime/services_test.cc: what functions of registries ask of the run that calls them.
#include <gtest/gtest.h>

#include <csetjmp>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" {
#include "sdk/runtime/runtime.h"
#include "sdk/runtime/services.h"
#include "sdk/runtime/callbacks.h"
}

namespace {

const buddy_run *given;
void TakeRun(const buddy_run *run) { given = run; }

std::vector<buddy_code> ends;
void Ended(void *user, buddy_code code) {
  EXPECT_EQ(user, &ends);
  ends.push_back(code);
}

class ServicesTest : public testing::Test {
 protected:
  void SetUp() override {
    const bd_callbacks listener = {nullptr, nullptr, TakeRun, bd_run_services(), nullptr};
    ASSERT_TRUE(bd_callbacks_add(&listener));
    ASSERT_EQ(bd_run_pool_create(&pool), BUDDY_OK);
    ends.clear();
  }
  void TearDown() override { bd_run_pool_destroy(pool); }
  void Begin() { ASSERT_EQ(bd_run_begin(&run, pool, &failed), BUDDY_OK); }
  std::string Why() const { return run.why ? run.why : ""; }

  bd_run_pool *pool = nullptr;
  bd_run run;
  jmp_buf failed;
};

TEST_F(ServicesTest, ARunGivesThemBeforeItBegins) {
  given = nullptr;
  Begin();
  ASSERT_NE(given, nullptr);
  EXPECT_GE(given->struct_size, sizeof(buddy_run));
  bd_run_end(&run);
}

TEST_F(ServicesTest, TheFirstReasonIsKept) {
  Begin();
  EXPECT_NE(given->fail(BUDDY_IO, "rank 1 is gone"), 0);
  EXPECT_NE(given->fail(BUDDY_LIMIT, "too many"), 0);
  EXPECT_EQ(Why(), "rank 1 is gone");
  EXPECT_EQ(run.why_code, BUDDY_IO);
  bd_run_end(&run);
  Begin();
  EXPECT_EQ(Why(), "") << "the next run knows nothing of it";
  EXPECT_NE(given->fail(BUDDY_OK, "no reason"), 0);
  EXPECT_EQ(run.why_code, BUDDY_INTERNAL) << "a failure is never OK";
  bd_run_end(&run);
}

TEST_F(ServicesTest, TheEndHasItsReason) {
  static std::string told;
  const auto ended = [](void *, buddy_code) { told = given->reason() ? given->reason() : ""; };
  Begin();
  EXPECT_EQ(given->reason(), nullptr);
  EXPECT_EQ(given->at_end(ended, nullptr), BUDDY_OK);
  run.reason = "x is to be positive";
  bd_run_end(&run);
  EXPECT_EQ(told, "x is to be positive");
  Begin();
  EXPECT_EQ(given->at_end(ended, nullptr), BUDDY_OK);
  bd_run_end(&run);
  EXPECT_EQ(told, "") << "the next run knows nothing of it";
  EXPECT_EQ(given->reason(), nullptr) << "there is no run";
}

TEST_F(ServicesTest, OutsideARunThereIsNobodyToTell) {
  EXPECT_NE(bd_run_services()->fail(BUDDY_IO, "?"), 0);
  EXPECT_EQ(bd_run_services()->at_end(Ended, &ends), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(bd_run_services()->library("nowhere", "f", nullptr), nullptr);
}

TEST_F(ServicesTest, TheEndIsToldOnce) {
  Begin();
  EXPECT_EQ(given->at_end(Ended, &ends), BUDDY_OK);
  EXPECT_EQ(given->at_end(Ended, &ends), BUDDY_OK);
  bd_run inner;
  ASSERT_EQ(bd_run_begin(&inner, pool, &failed), BUDDY_OK);
  bd_run_end(&inner);
  EXPECT_TRUE(ends.empty()) << "the inner run is another one";
  if (setjmp(failed) == 0) bd_run_fail(BUDDY_OUT_OF_MEMORY, -1);
  bd_run_end(&run);
  EXPECT_EQ(ends, std::vector<buddy_code>{BUDDY_OUT_OF_MEMORY});
  Begin();
  int others[BD_MAX_WATCHERS];
  for (int &other : others) {
    EXPECT_EQ(given->at_end([](void *, buddy_code) {}, &other), BUDDY_OK);
  }
  EXPECT_EQ(given->at_end(Ended, &ends), BUDDY_LIMIT);
  bd_run_end(&run);
}

TEST_F(ServicesTest, SettingsComeBeforeVariables) {
  const char *const settings[] = {"acme.speed=7", "acme.speedy=8"};
  ASSERT_EQ(bd_run_pool_set_settings(pool, settings, 2), BUDDY_OK);
  setenv("BUDDY_ACME_SPEED", "1", 1);
  setenv("BUDDY_ACME_COLOUR", "red", 1);
  Begin();
  EXPECT_STREQ(given->setting("acme.speed"), "7");
  EXPECT_STREQ(given->setting("acme.speedy"), "8");
  EXPECT_STREQ(given->setting("acme.colour"), "red");
  EXPECT_EQ(given->setting("acme.nothing"), nullptr);
  EXPECT_EQ(given->setting(std::string(200, 'a').c_str()), nullptr);
  bd_run_end(&run);
  ASSERT_EQ(bd_run_pool_set_settings(pool, nullptr, 0), BUDDY_OK);
  Begin();
  EXPECT_STREQ(given->setting("acme.speed"), "1");
  bd_run_end(&run);
}

TEST_F(ServicesTest, ALibraryThatIsNotThere) {
  Begin();
  EXPECT_EQ(given->library("libbuddy_nobody.so", "f", nullptr), nullptr);
  EXPECT_NE(Why().find("libbuddy_nobody.so is neither in a folder of BUDDY_PLUGIN_PATH"),
            std::string::npos);
  EXPECT_EQ(run.why_code, BUDDY_NOT_FOUND);
  bd_run_end(&run);
  Begin();
  EXPECT_EQ(given->library("/dev/null", "f", nullptr), nullptr);
  EXPECT_NE(Why().find("/dev/null is not loaded"), std::string::npos) << Why();
  bd_run_end(&run);
}

}  // namespace
