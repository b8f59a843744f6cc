// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/inlined.c: definitions of inlined.ll, linked into a module. */
#include "sdk/compile/code/inlined.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/try.h"
#include "llvm-c/Core.h"
#include "llvm-c/IRReader.h"
#include "llvm-c/Linker.h"

extern const char bd_inlined_text[];

/* What is called, an intrinsic or a function of libm, and what is put in its place. */
static const struct {
  const char *called, *function;
} functions[] = {{"llvm.exp.f32", "buddy_inlined_exp"}, {"erff", "buddy_inlined_erf"}};

enum { N_FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

/* A call to libm for each addition would be slow. Riscv's "+d" is its floats and doubles. */
static bool has_fused_steps(const char *features) {
  static const char *const names[] = {"+fma", "+avx512f", "+neon", "+fp-armv8", "+d,"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    if (strstr(features, names[i])) return true;
  }
  return false;
}

static buddy_code add_text(LLVMModuleRef module, buddy_diags *diags) {
  LLVMModuleRef text = NULL;
  char *message = NULL;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
      bd_inlined_text, strlen(bd_inlined_text), "inlined.ll");
  if (LLVMParseIRInContext(LLVMGetModuleContext(module), buffer, &text, &message)) {
    buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "inlined.ll", NULL, "%s",
                    message ? message : "no reason given");
    LLVMDisposeMessage(message);
    return BUDDY_INTERNAL;
  }
  LLVMSetDataLayout(text, LLVMGetDataLayoutStr(module));
  LLVMSetTarget(text, LLVMGetTarget(module));
  if (!LLVMLinkModules2(module, text)) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "inlined.ll", NULL,
                         "its functions cannot be linked to the module");
}

static void call_instead(LLVMValueRef called, LLVMValueRef function) {
  LLVMUseRef use = LLVMGetFirstUse(called);
  while (use) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == called)
      LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, function);
  }
}

/* The sum, if all that is done with the value is to add 1 to it, once; else null. */
static LLVMValueRef sum_with_one(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  LLVMBool loses_info;
  if (!use || LLVMGetNextUse(use)) return NULL;
  LLVMValueRef sum = LLVMGetUser(use);
  if (!LLVMIsAInstruction(sum) || LLVMGetInstructionOpcode(sum) != LLVMFAdd) return NULL;
  LLVMValueRef other = LLVMGetOperand(sum, LLVMGetOperand(sum, 0) == value);
  return LLVMIsAConstantFP(other) && LLVMConstRealGetDouble(other, &loses_info) == 1 ? sum : NULL;
}

static void use_one_plus_erf(LLVMModuleRef module) {
  LLVMValueRef erf = LLVMGetNamedFunction(module, "erff"),
               function = LLVMGetNamedFunction(module, "buddy_inlined_one_plus_erf");
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMUseRef use = erf ? LLVMGetFirstUse(erf) : NULL;
  while (use) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    LLVMValueRef sum = sum_with_one(call);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != erf || !sum) continue;
    LLVMReplaceAllUsesWith(sum, call);
    LLVMInstructionEraseFromParent(sum);
    LLVMSetOperand(call, 1, function);
  }
}

/* AVX-512 scales by powers of two in one instruction, on vectors of any width. */
static void use_scaling(LLVMModuleRef module, const char *features) {
  static const char name[] = "llvm.ldexp";
  LLVMValueRef halves = LLVMGetNamedFunction(module, "buddy_inlined_scale");
  LLVMSetLinkage(halves, LLVMInternalLinkage);
  if (!strstr(features, "+avx512vl")) return;
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef types[] = {LLVMFloatTypeInContext(context), LLVMInt32TypeInContext(context)};
  call_instead(halves, LLVMGetIntrinsicDeclaration(
                           module, LLVMLookupIntrinsicID(name, sizeof name - 1), types, 2));
}

buddy_code bd_inlined_apply(LLVMModuleRef module, const char *features, buddy_diags *diags) {
  bool is_called = false;
  for (size_t i = 0; i < N_FUNCTIONS; ++i)
    is_called |= LLVMGetNamedFunction(module, functions[i].called) != NULL;
  if (!is_called || !has_fused_steps(features)) return BUDDY_OK;
  BD_TRY(add_text(module, diags));
  use_one_plus_erf(module);
  for (size_t i = 0; i < N_FUNCTIONS; ++i) {
    LLVMValueRef called = LLVMGetNamedFunction(module, functions[i].called);
    LLVMValueRef function = LLVMGetNamedFunction(module, functions[i].function);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    if (called) call_instead(called, function);
  }
  use_scaling(module, features);
  return BUDDY_OK;
}
