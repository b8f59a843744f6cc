// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/road.h: the passes from a module of tensors to the llvm dialect, as a table. A pass is a
 * row of road.c: what it is called, which of the program's forms it works on, what it needs of those
 * before it, what it gives to those after it, and its function. `buddy compile --passes` prints the
 * table, `buddy profile --compile` times its rows, and builds with BUDDY_PARANOID verify the module
 * after each of them. */
#ifndef BUDDY_SDK_COMPILE_ROAD_H
#define BUDDY_SDK_COMPILE_ROAD_H

#include "sdk/compile/compile.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/schedule.h"
#include "sdk/lower/module.h"

/* What the passes work on, and with. */
typedef struct bd_compilation {
  buddy_module *module;
  const buddy_registries *registries; /* may be null */
  const buddy_compile_options *options;
  const bd_machine *machine;
  bd_shipped *shipped; /* may be null */
  buddy_diags *diags;
  bd_symbol_table *symbols;
  buddy_program *program;
  bd_schedule schedule;
  bd_kernels *kernels; /* from "choosing kernels" to "adding kernels"; else null */
  bd_prepacking prepacking;
} bd_compilation;

/* Runs all passes that the options and the module ask for, and tells the options' progress of each. */
buddy_code bd_compilation_run(bd_compilation *road);

#endif
