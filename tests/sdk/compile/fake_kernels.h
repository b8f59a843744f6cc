// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In place of the library's kernels, for sources that only add texts to them.
#ifndef BUDDY_TESTS_SDK_COMPILE_FAKE_KERNELS_H
#define BUDDY_TESTS_SDK_COMPILE_FAKE_KERNELS_H

extern "C" {
#include "core/base/text.h"
#include "sdk/compile/kernels/machine.h"
}

#include <set>
#include <string>

// A processor with AVX-512 and nothing more.
extern "C" const bd_machine fake_machine;

// A place for texts.
struct bd_kernels {
  std::set<std::string> texts;
};

// What a text in the notation of notation/notation.h stands for; the text goes away.
std::string mlir_of(bd_text *text);

#endif
