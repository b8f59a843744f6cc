// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/derive.h: what a program must know of its entry function, read from the function's
 * type. */
#ifndef BUDDY_SDK_COMPILE_DERIVE_H
#define BUDDY_SDK_COMPILE_DERIVE_H

#include "sdk/runtime/program.h"
#include "sdk/lower/module.h"

/* Moves the module's signature into the program, or makes one from the types where the module has
 * none (ports are then called arg0, arg1, … and result0, …), and sets the ranks of the results. */
buddy_code bd_derive_program(buddy_module *module, buddy_diags *diags, buddy_program *program);

#endif
