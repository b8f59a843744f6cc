// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/parts.h: a module in the llvm dialect becomes several, whose code can be
 * generated at the same time. */
#ifndef BUDDY_SDK_COMPILE_PARTS_H
#define BUDDY_SDK_COMPILE_PARTS_H

#include <stdbool.h>

#include "buddy/base.h"
#include "mlir-c/IR.h"

#define BD_MAX_PARTS 8
#define BD_KERNEL_PREFIX "buddy." /* leads the names of kernels.c and outline.c */
#define BD_COLD "buddy.cold"      /* attribute of a function that is, whatever it does */

typedef struct bd_parts {
  size_t n;
  MlirModule items[BD_MAX_PARTS]; /* the first is the module that was given */
  int is_cold[BD_MAX_PARTS];      /* all functions of the part are cold */
} bd_parts;

/* A function is cold if it only tells others what to do: it does no arithmetic on floats or
 * vectors, and neither reads nor writes memory in a loop. So are entries, functions that a kernel
 * is divided by, and those that call tiles. How fast it runs is of no account beside what it calls,
 * so little time should go into its code. What does little, and in the first run alone, is cold
 * where the function says so (BD_COLD). A function that nobody knows to be cold is hot. */

/* Moves kernels out of the module. What is moved calls nothing but kernels and functions that
 * nobody here defines; cold functions and hot ones are kept apart, where there is enough of both
 * and the main module's own functions allow it. stays: true for names among the latter that must be
 * called from the module itself; may be null. How many parts there are, and what is in each,
 * depends on the module alone. At most `most` of them; 1: nothing is moved. */
buddy_code bd_parts_split(MlirModule module, size_t most,
                          bool (*stays)(void *user, const char *name), void *user,
                          bd_parts *out_parts);
/* A new module with a copy of one of the module's functions, and declarations of all that it refers
 * to. */
buddy_code bd_parts_copy(MlirModule module, MlirOperation f, MlirModule *out_part);
/* Destroys what was added, and not the module that was given. */
void bd_parts_deinit(bd_parts *parts);

#endif
