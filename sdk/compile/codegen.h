/* sdk/compile/codegen.h: a module in the llvm dialect becomes an object file in memory. */
#ifndef BUDDY_SDK_COMPILE_CODEGEN_H
#define BUDDY_SDK_COMPILE_CODEGEN_H

#include "llvm-c/Error.h"
#include "mlir-c/IR.h"
#include "sdk/compile/symbols.h"
#include "sdk/compile/target.h"

typedef struct bd_codegen {
  const bd_target *target;
  int opt_level; /* 0 to 3 */
  /* Called when the module is optimised and before it becomes machine code; may be null. */
  buddy_code (*finish)(void *user, LLVMModuleRef module, buddy_diags *diags);
  void *user;
} bd_codegen;

/* entry: name of the function void (inputs, results) that the code is called by; every other
 * function of the module becomes internal. Functions on vectors are added to the table. The caller
 * disposes of the object. The MLIR module may be destroyed afterwards. */
buddy_code bd_codegen_object(MlirModule module, const char *entry, const bd_codegen *codegen,
                             bd_symbol_table *table, buddy_diags *diags,
                             LLVMMemoryBufferRef *out_object);

/* Reports and frees an LLVM error; BUDDY_OK for none. */
buddy_code bd_llvm_check(LLVMErrorRef error, const char *stage, buddy_diags *diags);

#endif
