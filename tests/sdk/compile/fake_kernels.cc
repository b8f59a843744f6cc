// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/compile/fake_kernels.h"

#include <cstdio>

extern "C" {
#include "sdk/compile/kernels/kernels.h"
}

extern "C" {
const bd_machine fake_machine = bd_machine_of("avx512f", 0);

const bd_machine *bd_kernels_machine(const bd_kernels *) { return &fake_machine; }

buddy_code bd_kernels_add(bd_kernels *kernels, const char *hint, const bd_text *text,
                          const char **out_name) {
  *out_name = hint;
  kernels->texts.insert(text->data);
  return BUDDY_OK;
}

buddy_code bd_kernels_gemm(bd_kernels *, const MlirType[3], char name[64]) {
  std::snprintf(name, 64, "gemm");
  return BUDDY_OK;
}

buddy_code bd_kernels_gemv(bd_kernels *, const MlirType[3], char name[64]) {
  std::snprintf(name, 64, "dots");
  return BUDDY_OK;
}

buddy_code bd_kernels_gemv_bf16(bd_kernels *, const MlirType[3], char name[64]) {
  std::snprintf(name, 64, "dots_of_pairs");
  return BUDDY_OK;
}

buddy_code bd_kernels_filter(bd_kernels *, MlirType, char name[64]) {
  std::snprintf(name, 64, "filter");
  return BUDDY_OK;
}

buddy_code bd_kernels_pack_bf16(bd_kernels *, int columns, char name[64]) {
  std::snprintf(name, 64, "pairs_%d", columns);
  return BUDDY_OK;
}
}
