// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/functions.h: how the functions of kernels come into the text that becomes
 * part of the module: whole, or as declarations of those that are there as machine code. */
#ifndef BUDDY_SDK_COMPILE_FUNCTIONS_H
#define BUDDY_SDK_COMPILE_FUNCTIONS_H

#include "sdk/compile/ir.h"
#include "sdk/compile/shipped/shipped.h"

/* The function of that name; text: what follows the name, to the brace that ends it. shipped: may
 * take its place; null: nothing does. */
void bd_functions_write(bd_text *out, bd_shipped *shipped, const char *name, const char *text,
                        size_t n);
/* All functions of a text of sdk/compile/kernels/, whose words have been replaced: what stands
 * between them, comments and names of types, stays. Each begins with "func.func private @" and ends
 * with a brace, both at the start of a line. */
void bd_functions_write_all(bd_text *out, bd_shipped *shipped, const char *text);

#endif
