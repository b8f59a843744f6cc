// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/spelling_test.cc: names.
#include "core/registry/spelling.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

bool IsName(const std::string &name) { return bd_is_registry_name(name.data(), name.size()); }
bool IsOp(const std::string &name) { return bd_is_op_name(name.data(), name.size()); }
bool IsSymbol(const std::string &name) { return bd_is_symbol_name(name.data(), name.size()); }

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
