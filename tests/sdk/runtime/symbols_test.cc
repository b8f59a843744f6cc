// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled code may call is there for the linker, too, under the same name and at the same
// place.
#include <dlfcn.h>
#include <gtest/gtest.h>

extern "C" {
#include "sdk/runtime/runtime.h"
}

namespace {

TEST(RuntimeSymbols, AreSymbolsOfTheLibrary) {
  size_t n = 0;
  const buddy_runtime_symbol *symbols = bd_runtime_symbols(&n);
  ASSERT_GT(n, 10u);
  void *library = dlopen("libbuddy_runtime.so.1", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr) << dlerror();
  for (size_t i = 0; i < n; i++) {
    if (std::string(symbols[i].name) == "buddy_runtime_mark") continue;  // for profiles alone
    EXPECT_NE(dlsym(library, symbols[i].name), nullptr) << symbols[i].name;
  }
  dlclose(library);
}

}  // namespace
