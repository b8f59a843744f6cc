// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/llvm/compiles.c: whether this LLVM is one that programs are compiled with. */
#include "sdk/llvm/compiles.h"

#include "llvm/Config/llvm-config.h"

buddy_code bd_llvm_check_compiles(buddy_diags *diags) {
  if (LLVM_VERSION_MAJOR >= 22) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, "LLVM " LLVM_VERSION_STRING,
                         "take a buddy that is built on LLVM 22; import works with this one",
                         "programs are compiled with LLVM 22, and not with this older one");
}
