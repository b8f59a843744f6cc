// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/llvm_errors.c: what LLVM says of its errors becomes a diagnostic. */
#include "sdk/compile/code/llvm_errors.h"

buddy_code bd_llvm_check(LLVMErrorRef error, const char *stage, buddy_diags *diags) {
  if (!error) return BUDDY_OK;
  char *message = LLVMGetErrorMessage(error);
  buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "", NULL, "%s: %s", stage, message);
  LLVMDisposeErrorMessage(message);
  return BUDDY_INTERNAL;
}
