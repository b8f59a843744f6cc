// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/aliases.h: which arguments share memory with no other, in the llvm dialect.
 *
 * A buffer of known sizes is passed as a pointer, and says so by its own attribute, llvm.noalias. Any other becomes a
 * descriptor's parts, and upstream (LLVM 22) drops what was said of it: without it loops that read at positions which
 * they read, too, are not vectorised, and others only behind checks. */
#ifndef BUDDY_SDK_COMPILE_ALIASES_H
#define BUDDY_SDK_COMPILE_ALIASES_H

#include "sdk/compile/ir.h"

/* Before functions become the llvm dialect's, and after. */
buddy_code bd_aliases_note(MlirOperation root);
buddy_code bd_aliases_tell(MlirOperation root);

#endif
