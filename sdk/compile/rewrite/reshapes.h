// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/reshapes.h: views that upstream's lowering cannot take.
 *
 * expand-strided-metadata (LLVM 22) ends the process on a memref.expand_shape of which one group
 * has two symbolic sizes
 * ([s0*s1] to [s0, s1]); the registries avoid it, but upstream's own reshape folding makes it. Such
 * an op is spelled out here: the source's metadata, and a reinterpret_cast with the sizes that the
 * op states. */
#ifndef BUDDY_SDK_COMPILE_RESHAPES_H
#define BUDDY_SDK_COMPILE_RESHAPES_H

#include "buddy/base.h"
#include "mlir-c/IR.h"

buddy_code bd_reshapes_spell_out(MlirOperation root);

#endif
