// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/spelling.h: what values and operations are, as bytes: two with one spelling are the same, so that
 * what is kept of them is kept once. Of the same module; a spelling is good until one of its values goes away. */
#ifndef BUDDY_SDK_COMPILE_REWRITE_SPELLING_H
#define BUDDY_SDK_COMPILE_REWRITE_SPELLING_H

#include <stdbool.h>

#include "core/base/text.h"
#include "mlir-c/IR.h"

void bd_spell_type(bd_text *key, MlirType type);
/* A value, through constants and views. */
void bd_spell_value(bd_text *key, MlirValue value);
/* What an operation without results does; `self`: the buffer that it is done to, whichever that is. False: it cannot be
 * told, and the key is of no use. */
bool bd_spell_op(bd_text *key, MlirOperation op, MlirValue self);

#endif
