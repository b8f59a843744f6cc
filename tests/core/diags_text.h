// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/diags_text.h: the problems of a buddy_diags as one string, for comparing and for
// messages.
#ifndef BUDDY_TESTS_CORE_DIAGS_TEXT_H
#define BUDDY_TESTS_CORE_DIAGS_TEXT_H

#include <string>

#include "buddy/base.h"

inline std::string DiagsText(const buddy_diags *diags) {
  std::string text;
  for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(diags, i);
    text += std::string(diag->where) + ": " + diag->what + "\n";
  }
  return text;
}

#endif
