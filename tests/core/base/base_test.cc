// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buddy/base.h"

#include <gtest/gtest.h>

#include <cstring>

TEST(BaseTest, CodesHaveNames) {
  EXPECT_STREQ(buddy_code_name(BUDDY_OK), "OK");
  EXPECT_STREQ(buddy_code_name(BUDDY_INVALID_ARGUMENT), "INVALID_ARGUMENT");
  EXPECT_STREQ(buddy_code_name(BUDDY_INTERNAL), "INTERNAL");
  EXPECT_STREQ(buddy_code_name(14), "?");
  EXPECT_STREQ(buddy_code_name(-1), "?");
}

TEST(BaseTest, DtypesHaveNamesAndSizes) {
#define CHECK_DTYPE(name, number, text, bytes)                     \
  EXPECT_STREQ(buddy_dtype_name(number), text);                    \
  EXPECT_EQ(buddy_dtype_size(number), static_cast<size_t>(bytes)); \
  EXPECT_EQ(buddy_dtype_find(buddy_sv{text, strlen(text)}), number);
  BUDDY_DTYPES(CHECK_DTYPE)
#undef CHECK_DTYPE
  for (const buddy_dtype none : {0, -1, 22, 1000}) {
    EXPECT_STREQ(buddy_dtype_name(none), "?");
    EXPECT_EQ(buddy_dtype_size(none), 0u);
  }
  EXPECT_EQ(buddy_dtype_find(buddy_sv{"f32x", 4}), BUDDY_DTYPE_NONE);
  EXPECT_EQ(buddy_dtype_find(buddy_sv{"f32x", 3}), BUDDY_F32);
  EXPECT_EQ(buddy_dtype_find(buddy_sv{"", 0}), BUDDY_DTYPE_NONE);
}

TEST(BaseTest, HasAVersion) {
  EXPECT_EQ(strspn(buddy_version(), "0123456789."), strlen(buddy_version()));
}
