// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/kit/throws.cpp: a registry in C++ whose callbacks throw: through the guard, and without it.
#include <stdexcept>

#include "buddy/registry.hpp"

namespace {

buddy_code match(void *, const buddy_op *, buddy_call *) { throw std::runtime_error("a bad day"); }
buddy_code emit(void *, const buddy_op *, buddy_call *) { return BUDDY_OK; }

#ifdef GUARDED
constexpr buddy::row ops[] = {
    buddy::row("aten.relu.default", "self").floats().matched_by<match>().emitted_by<emit>()};
#define NAME rogue_guarded
#else
constexpr buddy::row unguarded() {
  buddy::row row = buddy::row("aten.relu.default", "self").floats().emitted_by<emit>();
  row.match = match;
  return row;
}
constexpr buddy::row ops[] = {unguarded()};
#define NAME rogue_throws
#endif

}  // namespace

#define REGISTRY(name)                                          \
  BUDDY_CXX_REGISTRY(name, "1.0.0", "kit tests", "MIT", 0, ops, \
                     buddy::described().opened_by(be_open))
REGISTRY(NAME);
