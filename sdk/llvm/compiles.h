// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/llvm/compiles.h: whether this LLVM is one that programs are compiled with. */
#ifndef BUDDY_SDK_LLVM_COMPILES_H
#define BUDDY_SDK_LLVM_COMPILES_H

#include "buddy/base.h"

/* BUDDY_UNSUPPORTED, and says so, on an LLVM older than the pass pipelines of sdk/compile are
 * written for: there graphs become modules, and no machine code. */
buddy_code bd_llvm_check_compiles(buddy_diags *diags);

#endif
