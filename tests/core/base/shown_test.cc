// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/base/shown_test.cc: what of a text reaches a terminal.
#include "core/base/shown.h"

#include <gtest/gtest.h>

#include <string>

namespace {

bool IsPlain(const std::string &text) { return bd_is_shown(text.data(), text.size()); }

std::string Shown(const std::string &bytes, size_t limit = 100) {
  bd_text text;
  bd_text_init(&text);
  bd_text_shown(&text, bytes.data(), bytes.size(), limit);
  std::string shown = text.data;
  bd_text_deinit(&text);
  return shown;
}

TEST(ShownTest, PlainTextIsUtf8WithoutControls) {
  EXPECT_TRUE(IsPlain(""));
  EXPECT_TRUE(IsPlain("Größe … 𝄞"));
  EXPECT_FALSE(IsPlain("a\nb"));
  EXPECT_FALSE(IsPlain("\x7f"));
  EXPECT_FALSE(IsPlain(std::string("a\0b", 3)));
  for (const char *malformed :
       {"\x80", "\xC0\x80", "\xC3", "\xC3(", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xE2\x82", "\xF0\x9D\x84"}) {
    EXPECT_FALSE(IsPlain(malformed)) << Shown(malformed);
  }
  EXPECT_TRUE(IsPlain(
      "\xEF\xBF\xBD\xE1\x80\x80\xF1\x80\x80\x80\xF4\x8F\xBF\xBF\xF0\x90\x80\x80\xED\x9F\xBF"));
}

TEST(ShownTest, UnknownBytesAreShownEscapedAndCut) {
  EXPECT_EQ(Shown("tosa"), "tosa");
  EXPECT_EQ(Shown("a\nb\x1b[31m"), "a\\x0Ab\\x1B[31m");
  EXPECT_EQ(Shown("é\xC3"), "é\\xC3");
  EXPECT_EQ(Shown("abcdef", 3), "abc…");
  EXPECT_EQ(Shown("aé", 2), "aé") << "a character is not cut apart";
}

TEST(ShownTest, WhatMovesACursorOrTurnsAText) {
  const struct {
    const char *bytes, *shown;
  } cases[] = {{"\x1b]0;title\x07", "\\x1B]0;title\\x07"},
               {"\r\n\t\x7f", "\\x0D\\x0A\\x09\\x7F"},
               {"\xC2\x9B"
                "2J",
                "\\u009B2J"},
               {"\x9B"
                "2J",
                "\\x9B2J"},
               {"exe\xE2\x80\xAEtxt", "exe\\u202Etxt"},
               {"\xE2\x81\xA6\xE2\x80\xA8\xEF\xBB\xBF", "\\u2066\\u2028\\uFEFF"},
               {"back\\slash \"quoted\"", "back\\slash \"quoted\""}};
  for (const auto &c : cases) {
    EXPECT_EQ(Shown(c.bytes), c.shown);
    EXPECT_EQ(IsPlain(c.bytes), std::string(c.bytes) == c.shown) << c.shown;
    EXPECT_TRUE(IsPlain(Shown(c.bytes)));
  }
}

TEST(ShownTest, WithinQuotesEachByteIsSpelled) {
  bd_text text;
  bd_text_init(&text);
  const std::string bytes = "a\xC2\x9B\xE2\x80\xAE\x80z\"\xC3\xA4";
  bd_text_quoted(&text, bytes.data(), bytes.size());
  EXPECT_STREQ(text.data, "\"a\\xc2\\x9b\\xe2\\x80\\xae\\x80z\\\"\xC3\xA4\"");
  bd_text_deinit(&text);
}

}  // namespace
