// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/compile/fake_kernels.h"

extern "C" {
#include "sdk/compile/kernels/kernels.h"
}

extern "C" {
const bd_machine fake_machine = bd_machine_of("avx512f", 0);

const bd_machine *bd_kernels_machine(const bd_kernels *) { return &fake_machine; }

buddy_code bd_kernels_add(bd_kernels *kernels, const char *hint, bd_text *text,
                          const char **out_name) {
  *out_name = hint;
  kernels->texts.insert(text->data);
  bd_text_deinit(text);
  return BUDDY_OK;
}

buddy_code bd_kernels_want(bd_kernels *, bd_kernels_function which, bd_elements,
                           const char **out_name) {
  static const char *const names[] = {"gemm",      "dots",  "dots_of_pairs", "convolution",
                                      "transpose", "pairs", "filter",        "fill"};
  *out_name = names[which];
  return BUDDY_OK;
}

buddy_code bd_kernels_want_of(bd_kernels *kernels, bd_kernels_function which, const bd_element *,
                              const char **out_name) {
  return bd_kernels_want(kernels, which, {}, out_name);
}
}
