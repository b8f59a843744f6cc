// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/model/how_test.cc: every call that takes options of a model judges all of them first.
#include "sdk/model/how.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include <string>

#include "buddy/tune.h"

namespace {

class HowTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(buddy_diags_create(&diags_), BUDDY_OK); }
  void TearDown() override { buddy_diags_destroy(diags_); }

  // Each call with these options says this of them, before it looks for the file.
  void ExpectRefused(const char *where) {
    char *pins = nullptr;
    buddy_model *model = nullptr;
    buddy_calibration *calibration = nullptr;
    const buddy_tune_options tune = {sizeof tune, &options_, nullptr, 0, 0, nullptr, nullptr};
    const buddy_calibrate_options calibrate = {sizeof calibrate, &options_, nullptr, 0, 0,
                                               nullptr,          nullptr};
    Expect(buddy_model_load("none.pt2", &options_, diags_, &model), where);
    Expect(buddy_tune("none.pt2", &tune, diags_, &pins), where);
    Expect(buddy_tuned("none.pt2", &options_, diags_, &pins), where);
    Expect(buddy_calibrate(&calibrate, diags_, nullptr), where);
    Expect(buddy_calibration_open(&options_, diags_, &calibration), where);
    Expect(buddy_calibration_clear(&options_, diags_, nullptr), where);
  }
  void Expect(buddy_code code, const char *where) {
    EXPECT_EQ(code, BUDDY_INVALID_ARGUMENT) << where;
    ASSERT_EQ(buddy_diags_count(diags_), 1u) << where;
    EXPECT_STREQ(buddy_diags_get(diags_, 0)->where, where);
    EXPECT_NE(std::string(buddy_diags_get(diags_, 0)->what).find("struct_size is "),
              std::string::npos);
    buddy_diags_clear(diags_);
  }

  buddy_diags *diags_ = nullptr;
  buddy_search_options search_ = {};
  buddy_registries_options registries_ = {};
  buddy_compile_options compile_ = {};
  buddy_model_options options_ = {};
};

TEST_F(HowTest, NonsenseInAnyStructIsRefusedByEveryCall) {
  for (size_t size : {size_t{0}, size_t{3}, size_t{1} << 20}) {
    options_ = {};
    options_.struct_size = size;
    ExpectRefused("buddy_model_options");
    options_.struct_size = sizeof options_;
    search_.struct_size = registries_.struct_size = compile_.struct_size = size;
    options_.compile = &compile_;
    ExpectRefused("buddy_compile_options");
    options_.registries = &registries_;
    ExpectRefused("buddy_registries_options");
    options_.search = &search_;
    ExpectRefused("buddy_search_options");
  }
}

TEST_F(HowTest, OptionsOfCallsAreJudgedLikewise) {
  char *pins = nullptr;
  buddy_tune_options tune = {};
  Expect(buddy_tune("none.pt2", &tune, diags_, &pins), "buddy_tune_options");
  buddy_calibrate_options calibrate = {};
  Expect(buddy_calibrate(&calibrate, diags_, nullptr), "buddy_calibrate_options");
}

TEST_F(HowTest, AnOlderCallersPaddingIsNoOption) {
  // After n_threads were four bytes of padding when there was no `verify`.
  buddy_model_options old = {};
  memset(static_cast<void *>(&old), 0xff, sizeof old);
  old.struct_size = offsetof(buddy_model_options, verify);
  old.search = nullptr;
  old.registries = nullptr;
  old.compile = nullptr;
  bd_model_how how;
  ASSERT_EQ(bd_model_how_read(&old, diags_, &how), BUDDY_OK);
  EXPECT_EQ(how.options.verify, 0u);
  EXPECT_EQ(how.compile.opt_level, 0);
  EXPECT_EQ(how.options.search, &how.search);
}

}  // namespace
