// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a pass makes of a module's text, as text.
#ifndef BUDDY_TESTS_SDK_COMPILE_REWRITTEN_H
#define BUDDY_TESTS_SDK_COMPILE_REWRITTEN_H

#include <gtest/gtest.h>

#include <string>

#include "buddy/lower.h"
#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"
#include "llvm-c/IRReader.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/lower/module.h"
}

// Of MLIR. undo: is called when it is printed, for passes after which a module does not verify.
inline std::string rewritten(buddy_code (*pass)(MlirOperation), const std::string &text,
                             buddy_code (*undo)(MlirOperation) = nullptr) {
  Diags diags;
  buddy_module *module = nullptr;
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text();
  if (module == nullptr) return "";
  const MlirOperation root = mlirModuleGetOperation(module->module);
  std::string all;
  EXPECT_EQ(pass(root), BUDDY_OK);
  mlirOperationPrint(
      root,
      [](MlirStringRef piece, void *user) {
        static_cast<std::string *>(user)->append(piece.data, piece.length);
      },
      &all);
  if (undo != nullptr) {
    EXPECT_EQ(undo(root), BUDDY_OK);
  }
  EXPECT_TRUE(mlirOperationVerify(root));
  buddy_module_destroy(module);
  return all;
}

// Of LLVM.
inline std::string rewritten(void (*pass)(LLVMModuleRef), const std::string &text) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text.data(), text.size(), "test");
  LLVMModuleRef module = nullptr;
  char *message = nullptr;
  EXPECT_FALSE(LLVMParseIRInContext(context, buffer, &module, &message)) << message;
  pass(module);
  EXPECT_FALSE(LLVMVerifyModule(module, LLVMReturnStatusAction, nullptr));
  char *printed = LLVMPrintModuleToString(module);
  std::string all = printed;
  LLVMDisposeMessage(printed);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return all;
}

#endif
