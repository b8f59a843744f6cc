// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/base/memory.h"
#include "core/base/shown.h"

namespace {

TEST(TextTest, Grows) {
  bd_text text;
  bd_text_init(&text);
  EXPECT_STREQ(text.data, "");
  bd_text_string(&text, "a");
  bd_text_char(&text, 'b');
  bd_text_append(&text, "cde", 2);
  bd_text_format(&text, "%03d", 7);
  bd_text_format(&text, "%s", "");
  bd_text_int(&text, INT64_MIN);
  bd_text_int(&text, 0);
  bd_text_double(&text, 0.5);
  EXPECT_STREQ(text.data, "abcd007-922337203685477580800.5");
  for (int i = 0; i < 1000; ++i) bd_text_string(&text, "0123456789");
  EXPECT_EQ(text.size, 10031u);
  EXPECT_EQ(text.code, BUDDY_OK);
  bd_text_deinit(&text);
}

TEST(TextTest, QuotesWhatNeedsIt) {
  bd_text text;
  bd_text_init(&text);
  const char bytes[] = "a\"b\\c\nd\te\r\x01\x7f\0\xc3\xa4";
  bd_text_quoted(&text, bytes, sizeof bytes - 1);
  EXPECT_STREQ(text.data, "\"a\\\"b\\\\c\\nd\\te\\r\\x01\\x7f\\x00\xc3\xa4\"");
  bd_text_deinit(&text);
}

TEST(TextTest, AFixedTextIsCut) {
  char data[6];
  bd_text text;
  bd_text_init_fixed(&text, data, sizeof data);
  EXPECT_STREQ(data, "");
  bd_text_string(&text, "abc");
  bd_text_format(&text, "%d", 12345);
  bd_text_char(&text, 'x');
  EXPECT_STREQ(data, "abc12");
  bd_text_init_fixed(&text, data, 0);
  bd_text_string(&text, "abc");
  bd_text_init_fixed(&text, data, 1);
  bd_text_string(&text, "abc");
  EXPECT_STREQ(data, "");
}

// The memory is new and holds anything; what is appended first may be nothing.
TEST(TextTest, NothingIsAnEmptyString) {
  for (int n_before = 0; n_before < 3; ++n_before) {
    bd_text text;
    bd_text_init(&text);
    for (int i = 0; i < n_before; ++i) bd_text_string(&text, "ab");
    bd_text_string(&text, "");
    bd_text_append(&text, "left out", 0);
    EXPECT_EQ(strlen(text.data), 2u * static_cast<size_t>(n_before));
    EXPECT_EQ(text.size, 2u * static_cast<size_t>(n_before));
    bd_text_deinit(&text);
  }
}

TEST(TextTest, TheFirstFailureStays) {
  bd_text text;
  bd_text_init(&text);
  bd_memory_fail_after(0);
  bd_text_string(&text, "lost");
  bd_memory_fail_after(-1);
  bd_text_string(&text, "also");
  EXPECT_EQ(text.code, BUDDY_OUT_OF_MEMORY);
  EXPECT_STREQ(text.data, "");
  const buddy_writer writer = {nullptr, nullptr};
  EXPECT_EQ(bd_text_flush(&text, &writer), BUDDY_OUT_OF_MEMORY);
  bd_text_deinit(&text);
}

buddy_code Append(void *user, const char *data, size_t size) {
  static_cast<std::string *>(user)->append(data, size);
  return BUDDY_OK;
}
buddy_code Refuse(void *, const char *, size_t) { return BUDDY_IO; }

TEST(TextTest, FlushesToAWriter) {
  bd_text text;
  bd_text_init(&text);
  std::string out;
  const buddy_writer writer = {Append, &out}, refuser = {Refuse, nullptr};
  EXPECT_EQ(bd_text_flush(&text, &writer), BUDDY_OK);
  bd_text_string(&text, "one ");
  EXPECT_EQ(bd_text_flush(&text, &writer), BUDDY_OK);
  bd_text_string(&text, "two");
  EXPECT_EQ(bd_text_flush(&text, &writer), BUDDY_OK);
  EXPECT_EQ(out, "one two");
  bd_text_string(&text, "three");
  EXPECT_EQ(bd_text_flush(&text, &refuser), BUDDY_IO);
  bd_text_deinit(&text);
}

}  // namespace
