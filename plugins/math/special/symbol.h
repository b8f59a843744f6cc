// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/symbol.h: what the linker calls a function that compiled code calls. Such
 * code calls C interfaces, which for scalars are the functions themselves. */
#ifndef BUDDY_PLUGINS_MATH_SYMBOL_H
#define BUDDY_PLUGINS_MATH_SYMBOL_H

#define MA_SYMBOL(name) "_mlir_ciface_buddy_math_" #name
#define MA_NAMED(name) __asm__(MA_SYMBOL(name))

#endif
