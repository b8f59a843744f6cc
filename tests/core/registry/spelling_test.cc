// tests/core/registry/spelling_test.cc: names, and bytes that are to be shown.
#include "core/registry/spelling.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

bool IsName(const std::string &name) { return bd_is_registry_name(name.data(), name.size()); }
bool IsOp(const std::string &name) { return bd_is_op_name(name.data(), name.size()); }
bool IsSymbol(const std::string &name) { return bd_is_symbol_name(name.data(), name.size()); }
bool IsPlain(const std::string &text) { return bd_is_plain_text(text.data(), text.size()); }

std::string Shown(const std::string &bytes, size_t limit = 100) {
  bd_text text;
  bd_text_init(&text);
  bd_text_shown(&text, bytes.data(), bytes.size(), limit);
  std::string shown = text.data;
  bd_text_deinit(&text);
  return shown;
}

TEST(SpellingTest, NamesOfRegistries) {
  EXPECT_TRUE(IsName("tosa"));
  EXPECT_TRUE(IsName("a"));
  EXPECT_TRUE(IsName("vendor_2"));
  EXPECT_TRUE(IsName(std::string(31, 'a')));
  EXPECT_FALSE(IsName(std::string(32, 'a'))) << "the note has room for 31 and the NUL";
  for (const char *name : {"", "Tosa", "2tosa", "_tosa", "to sa", "to-sa", "tosa\n", "*", "../x"})
    EXPECT_FALSE(IsName(name)) << name;
  EXPECT_FALSE(IsName(std::string("to\0sa", 5)));
}

TEST(SpellingTest, NamesOfOpsAndSymbols) {
  EXPECT_TRUE(IsOp("aten.add_.Tensor"));
  EXPECT_TRUE(IsOp("acme::x"));
  EXPECT_FALSE(IsOp(""));
  EXPECT_FALSE(IsOp("aten add"));
  EXPECT_TRUE(IsSymbol("_mlir_ciface_x"));
  EXPECT_FALSE(IsSymbol("1x"));
  EXPECT_FALSE(IsSymbol("a b"));
  EXPECT_FALSE(IsSymbol(""));
}

TEST(SpellingTest, NamesOfLibraries) {
  for (const char *name : {"libx.so", "libbuddy_math.a", "libx_2.1.so"})
    EXPECT_TRUE(bd_is_library_name(name)) << name;
  for (const char *name : {"", "lib.so", "x.so", "libx", "libx.so.1", "lib/x.so", "../libx.so",
                           "libx.a.so ", "lib x.so", "libx.o"})
    EXPECT_FALSE(bd_is_library_name(name)) << name;
}

TEST(SpellingTest, SymbolsWithoutTheLeadOfCInterfaces) {
  EXPECT_STREQ(bd_bare_symbol("_mlir_ciface_x"), "x");
  EXPECT_STREQ(bd_bare_symbol("x_mlir_ciface_"), "x_mlir_ciface_");
}

TEST(SpellingTest, PlainTextIsUtf8WithoutControls) {
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

TEST(SpellingTest, UnknownBytesAreShownEscapedAndCut) {
  EXPECT_EQ(Shown("tosa"), "tosa");
  EXPECT_EQ(Shown("a\nb\x1b[31m"), "a\\x0Ab\\x1B[31m");
  EXPECT_EQ(Shown("é\xC3"), "é\\xC3");
  EXPECT_EQ(Shown("abcdef", 3), "abc…");
  EXPECT_EQ(Shown("aé", 2), "aé") << "a character is not cut apart";
}

TEST(SpellingTest, FileNames) {
  char name[BD_MAX_REGISTRY_NAME];
  EXPECT_TRUE(bd_plugin_file_name("buddy_tosa.so", name));
  EXPECT_STREQ(name, "tosa");
  for (const char *file : {"", "buddy_.so", "buddy_tosa", "tosa.so", "libbuddy_tosa.so",
                           "buddy_tosa.so.1", "buddy_Tosa.so", ".so"}) {
    EXPECT_FALSE(bd_plugin_file_name(file, name)) << file;
  }
  EXPECT_FALSE(bd_plugin_file_name(("buddy_" + std::string(32, 'a') + ".so").c_str(), name));
}

}  // namespace
