// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/constants.h: large constants stay out of LLVM. */
#ifndef BUDDY_SDK_COMPILE_CONSTANTS_H
#define BUDDY_SDK_COMPILE_CONSTANTS_H

#include "sdk/compile/code/symbols.h"
#include "sdk/lower/module.h"
#include "sdk/runtime/program.h"

void bd_constants_deinit(bd_constants *constants);

/* Every memref.global of more than a few thousand bytes, and every dense_resource, becomes a name
 * without a value, which is linked to bytes outside the code: the blobs of the module, which are
 * lent, or a copy in `constants`. LLVM would otherwise copy them several times over, through all of
 * its passes. */
buddy_code bd_constants_extract(const buddy_module *module, bd_symbol_table *symbols,
                                bd_constants *constants, buddy_diags *diags);

#endif
