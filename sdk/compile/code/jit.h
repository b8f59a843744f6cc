// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/jit.h: a module in the llvm dialect becomes machine code, in this process. */
#ifndef BUDDY_SDK_COMPILE_JIT_H
#define BUDDY_SDK_COMPILE_JIT_H

#include "buddy/resolve.h"
#include "mlir-c/IR.h"
#include "sdk/compile/code/symbols.h"
#include "sdk/compile/code/target.h"
#include "sdk/compile/shipped/shipped.h"
#include "sdk/runtime/program.h"

typedef struct bd_jit bd_jit;
/* Compiles and links. entry: name of the function void (inputs, results) that the code is called
 * by; every other function of the module becomes internal. Names that the code needs are looked for
 * in `table`, then among the functions of the registries (which may be null), then among what the
 * process exports; those found nowhere are reported together. A function f of a registry may be
 * called as f or, by a declaration with llvm.emit_c_interface, as _mlir_ciface_f. Functions on
 * vectors are added to the table. The MLIR module may be destroyed afterwards.
 * target: this process's, perhaps without some of its features. opt_level: 0 to 3. shipped: what was taken of them is linked with the code; they lie where they
 * are until the end of the process. */
buddy_code bd_jit_create(MlirModule module, const char *entry, const bd_target *target,
                         int opt_level, bd_symbol_table *table, const bd_shipped *shipped,
                         const buddy_registries *registries, buddy_diags *diags, bd_jit **out_jit);
void bd_jit_destroy(bd_jit *jit);

bd_entry bd_jit_entry(const bd_jit *jit);

#endif
