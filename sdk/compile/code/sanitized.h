// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/sanitized.h: a library that is built with AddressSanitizer has the code that it
 * generates checked, too. In all other builds these do nothing. */
#ifndef BUDDY_COMPILE_CODE_SANITIZED_H
#define BUDDY_COMPILE_CODE_SANITIZED_H

#include <stdbool.h>

#include "buddy/base.h"
#include "llvm-c/TargetMachine.h"

/* Whether it is. Intermediate results are then asked of the system, which knows where each ends,
 * and share no arena. */
bool bd_is_sanitized(void);
/* Has every load and store of a module's functions checked: says so to LLVM, before it optimises. */
void bd_sanitized_mark(LLVMModuleRef module);
/* Adds the checks, after all optimisations. */
buddy_code bd_sanitized_apply(LLVMModuleRef module, LLVMTargetMachineRef machine,
                              buddy_diags *diags);

#endif
