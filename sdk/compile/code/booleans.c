// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/booleans.c: loads and stores of i1 become those of bytes. */
#include "sdk/compile/code/booleans.h"

#include <stdbool.h>
#include <stddef.h>

#include "llvm-c/Core.h"

static bool is_boolean(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static void widen_load(LLVMBuilderRef builder, LLVMValueRef load) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(load)));
  LLVMPositionBuilderBefore(builder, load);
  LLVMValueRef loaded = LLVMBuildLoad2(builder, byte, LLVMGetOperand(load, 0), "");
  LLVMSetAlignment(loaded, LLVMGetAlignment(load));
  LLVMReplaceAllUsesWith(load,
                         LLVMBuildICmp(builder, LLVMIntNE, loaded, LLVMConstInt(byte, 0, 0), ""));
  LLVMInstructionEraseFromParent(load);
}

static void widen_store(LLVMBuilderRef builder, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)));
  LLVMPositionBuilderBefore(builder, store);
  LLVMValueRef stored =
      LLVMBuildStore(builder, LLVMBuildZExt(builder, value, byte, ""), LLVMGetOperand(store, 1));
  LLVMSetAlignment(stored, LLVMGetAlignment(store));
  LLVMInstructionEraseFromParent(store);
}

static void widen_block(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  LLVMValueRef next;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = next) {
    next = LLVMGetNextInstruction(at);
    if (LLVMIsALoadInst(at) && is_boolean(LLVMTypeOf(at)))
      widen_load(builder, at);
    else if (LLVMIsAStoreInst(at) && is_boolean(LLVMTypeOf(LLVMGetOperand(at, 0))))
      widen_store(builder, at);
  }
}

void bd_booleans_widen(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f);
    for (; block; block = LLVMGetNextBasicBlock(block)) widen_block(builder, block);
  }
  LLVMDisposeBuilder(builder);
}
