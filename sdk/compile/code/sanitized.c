// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/sanitized.c: AddressSanitizer's pass over generated code. */
#include "sdk/compile/code/sanitized.h"

#include <string.h>

#include "llvm-c/Core.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include "sdk/compile/code/llvm_errors.h"

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#ifdef IS_SANITIZED
bool bd_is_sanitized(void) { return true; }

void bd_sanitized_mark(LLVMModuleRef module) {
  static const char name[] = "sanitize_address";
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAttributeRef mark = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark);
  }
}

/* It would tell the sanitizer of global variables: ORC calls none, and takes one in all parts. */
static void drop_constructors(LLVMModuleRef module) {
  LLVMValueRef constructors = LLVMGetNamedGlobal(module, "llvm.global_ctors");
  LLVMValueRef destructors = LLVMGetNamedGlobal(module, "llvm.global_dtors");
  if (constructors) LLVMDeleteGlobal(constructors);
  if (destructors) LLVMDeleteGlobal(destructors);
}

buddy_code bd_sanitized_apply(LLVMModuleRef module, LLVMTargetMachineRef machine,
                              buddy_diags *diags) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  const buddy_code code =
      bd_llvm_check(LLVMRunPasses(module, "asan", machine, options), "adding checks", diags);
  if (code == BUDDY_OK) drop_constructors(module);
  LLVMDisposePassBuilderOptions(options);
  return code;
}
#else
bool bd_is_sanitized(void) { return false; }

void bd_sanitized_mark(LLVMModuleRef module) { (void)module; }

buddy_code bd_sanitized_apply(LLVMModuleRef module, LLVMTargetMachineRef machine,
                              buddy_diags *diags) {
  (void)module, (void)machine, (void)diags;
  return BUDDY_OK;
}
#endif
