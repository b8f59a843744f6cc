// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/compile/fake_kernels.h"

#include <gtest/gtest.h>

extern "C" {
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/kernels.h"
}

std::string mlir_of(bd_text *text) {
  bd_text mlir = {};
  bd_ir_expand(&mlir, text);
  EXPECT_EQ(mlir.code, BUDDY_OK) << text->data;
  const std::string out = mlir.data != nullptr ? mlir.data : "";
  bd_text_deinit(&mlir);
  bd_text_deinit(text);
  return out;
}

extern "C" {
const bd_machine fake_machine = bd_machine_of("avx512f", 0);

const bd_machine *bd_kernels_machine(const bd_kernels *) { return &fake_machine; }

buddy_code bd_kernels_add(bd_kernels *kernels, const char *hint, bd_text *text,
                          const char **out_name) {
  *out_name = hint;
  kernels->texts.insert(mlir_of(text));
  return BUDDY_OK;
}

buddy_code bd_kernels_want(bd_kernels *, bd_kernels_function which, bd_elements,
                           const char **out_name) {
  static const char *const names[] = {
      "gemm",        "dots",      "near_dots", "dots_of_pairs", "near_dots_of_pairs",
      "convolution", "transpose", "pairs",     "filter",        "fill"};
  *out_name = names[which];
  return BUDDY_OK;
}

buddy_code bd_kernels_want_of(bd_kernels *kernels, bd_kernels_function which, const bd_element *,
                              const char **out_name) {
  return bd_kernels_want(kernels, which, {}, out_name);
}
}
