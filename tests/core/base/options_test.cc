// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/base/options_test.cc: structs of callers of other versions.
#include "core/base/options.h"

#include <gtest/gtest.h>

#include <string>

namespace {

struct Old {
  size_t struct_size;
  int64_t a;
};
struct Known {
  size_t struct_size;
  int64_t a, b;
};
struct New {
  size_t struct_size;
  int64_t a, b, c;
};

class OptionsTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(buddy_diags_create(&diags_), BUDDY_OK); }
  void TearDown() override { buddy_diags_destroy(diags_); }
  buddy_code Read(const void *given) {
    buddy_diags_clear(diags_);
    known_ = {sizeof known_, -1, -2};
    return bd_options_read(&known_, sizeof known_, given, "known_options", diags_);
  }
  std::string Said() const {
    return buddy_diags_count(diags_) ? buddy_diags_get(diags_, 0)->what : "";
  }
  buddy_diags *diags_ = nullptr;
  Known known_ = {};
};

TEST_F(OptionsTest, WhatAnOlderCallerLacksIsAtItsDefault) {
  EXPECT_EQ(Read(nullptr), BUDDY_OK);
  EXPECT_EQ(known_.a, -1);
  const Old old = {sizeof old, 7};
  EXPECT_EQ(Read(&old), BUDDY_OK);
  EXPECT_EQ(known_.struct_size, sizeof known_);
  EXPECT_EQ(known_.a, 7);
  EXPECT_EQ(known_.b, -2);
  const size_t alone = sizeof alone;
  EXPECT_EQ(Read(&alone), BUDDY_OK);
  EXPECT_EQ(known_.a, -1);
}

TEST_F(OptionsTest, WhatANewerCallerAsksForIsNotPassedOver) {
  New given = {sizeof given, 7, 8, 0};
  EXPECT_EQ(Read(&given), BUDDY_OK);
  EXPECT_EQ(known_.struct_size, sizeof known_);
  EXPECT_EQ(known_.b, 8);
  given.c = 1;
  EXPECT_EQ(Read(&given), BUDDY_INCOMPATIBLE);
  EXPECT_EQ(Said(),
            "the caller is of a newer buddy, and sets an option at byte 24, which this one "
            "does not know");
}

TEST_F(OptionsTest, SizesThatNoVersionHasAreRefused) {
  for (size_t size : {size_t{0}, size_t{3}, size_t{9}, size_t{1} << 20, SIZE_MAX}) {
    Known given = {size, 7, 8};
    EXPECT_EQ(Read(&given), BUDDY_INVALID_ARGUMENT) << size;
    EXPECT_NE(Said().find("struct_size is " + std::to_string(size)), std::string::npos) << Said();
    EXPECT_STREQ(buddy_diags_get(diags_, 0)->where, "known_options");
    EXPECT_EQ(known_.a, -1);
  }
}

}  // namespace
