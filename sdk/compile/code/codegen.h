// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/codegen.h: a module in the llvm dialect becomes object files in memory. */
#ifndef BUDDY_SDK_COMPILE_CODEGEN_H
#define BUDDY_SDK_COMPILE_CODEGEN_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "sdk/compile/code/parts.h"
#include "sdk/compile/code/symbols.h"
#include "sdk/compile/code/target.h"

typedef struct bd_codegen {
  const bd_target *target;
  int opt_level;     /* 0 to 3 */
  size_t most_parts; /* object files, at most */
  /* Called for each part when it is optimised and before it becomes machine code, by one thread at
   * a time; may be null. is_main: the entry is in it. */
  buddy_code (*finish)(void *user, LLVMModuleRef module, bool is_main, buddy_diags *diags);
  /* True for functions that the main part alone may call; may be null. */
  bool (*stays)(void *user, const char *name);
  void *user;
} bd_codegen;

typedef struct bd_objects {
  size_t n;
  LLVMMemoryBufferRef items[BD_MAX_PARTS]; /* the first has the entry */
} bd_objects;

/* entry: name of the function void (inputs, results) that the code is called by; every other
 * function becomes internal, or hidden where there are several parts. Functions on vectors are
 * added to the table. Parts are compiled at the same time, on as many threads as a program would
 * get (threads.h). The MLIR module may be destroyed afterwards. */
buddy_code bd_codegen_objects(MlirModule module, const char *entry, const bd_codegen *codegen,
                              bd_symbol_table *table, buddy_diags *diags, bd_objects *out_objects);
/* Disposes of those that are not null. */
void bd_objects_deinit(bd_objects *objects);

#endif
