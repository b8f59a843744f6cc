// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/stores.c: fences in front of stores of what is selected. */
#include "sdk/compile/code/stores.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "llvm-c/Core.h"

/* Bits of the elements of a vector of floats or integers; 0: it is none. */
static unsigned element_bits(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return 0;
  LLVMTypeRef element = LLVMGetElementType(type);
  switch (LLVMGetTypeKind(element)) {
    case LLVMFloatTypeKind:
      return 32;
    case LLVMDoubleTypeKind:
      return 64;
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(element);
    default:
      return 0;
  }
}

/* It is a selection, or a function such as a maximum that becomes one, and one of its operands is what
 * lies at the place. */
static bool is_selected_from(LLVMValueRef value, LLVMValueRef place) {
  if (!LLVMIsASelectInst(value) && !LLVMIsACallInst(value)) return false;
  for (int i = 0; i < LLVMGetNumOperands(value); ++i) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    if (LLVMIsALoadInst(operand) && LLVMGetOperand(operand, 0) == place) return true;
  }
  return false;
}

/* The fence is one of floats. */
static LLVMValueRef fenced(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef value) {
  static const char name[] = "llvm.arithmetic.fence";
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeRef element =
      element_bits(type) == 64 ? LLVMDoubleTypeInContext(context) : LLVMFloatTypeInContext(context);
  LLVMTypeRef floats = LLVMVectorType(element, LLVMGetVectorSize(type));
  const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef fence = LLVMGetIntrinsicDeclaration(module, id, &floats, 1);
  LLVMValueRef argument = LLVMBuildBitCast(builder, value, floats, "");
  LLVMValueRef result = LLVMBuildCall2(builder, LLVMIntrinsicGetType(context, id, &floats, 1),
                                       fence, &argument, 1, "");
  return LLVMBuildBitCast(builder, result, type, "");
}

static void keep_whole(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  const unsigned bits = element_bits(LLVMTypeOf(value));
  if ((bits != 32 && bits != 64) || !is_selected_from(value, LLVMGetOperand(store, 1))) return;
  LLVMPositionBuilderBefore(builder, store);
  LLVMSetOperand(store, 0, fenced(module, builder, value));
}

void bd_stores_keep_whole(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f);
    for (; block; block = LLVMGetNextBasicBlock(block)) {
      LLVMValueRef at = LLVMGetFirstInstruction(block);
      for (; at; at = LLVMGetNextInstruction(at)) {
        if (LLVMIsAStoreInst(at)) keep_whole(module, builder, at);
      }
    }
  }
  LLVMDisposeBuilder(builder);
}
