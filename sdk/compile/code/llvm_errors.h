// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/llvm_errors.h: LLVM's errors as codes and diagnostics. */
#ifndef BUDDY_SDK_COMPILE_LLVM_ERRORS_H
#define BUDDY_SDK_COMPILE_LLVM_ERRORS_H

#include "buddy/base.h"
#include "llvm-c/Error.h"

/* Reports and frees an LLVM error; BUDDY_OK for none. */
buddy_code bd_llvm_check(LLVMErrorRef error, const char *stage, buddy_diags *diags);

#endif
