// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/compile.h: the steps of compiling, for those who want something else at the end than
 * a program in this process. */
#ifndef BUDDY_SDK_COMPILE_COMPILE_H
#define BUDDY_SDK_COMPILE_COMPILE_H

#include "buddy/compile.h"
#include "sdk/compile/code/symbols.h"
#include "sdk/compile/kernels/machine.h"
#include "sdk/compile/shipped/shipped.h"
#include "sdk/runtime/program.h"

/* The options as far as the caller's version of the struct has them, checked. given: may be
 * null. */
buddy_code bd_compile_options_read(const buddy_compile_options *given, buddy_diags *diags,
                                   buddy_compile_options *out);
/* Tells the options' progress of a stage that begins. */
void bd_compile_announce(const buddy_compile_options *options, const char *stage, double fraction);
/* From tensors to the llvm dialect. program: zeroed; gets everything but code and pool, and a
 * release function, on failure too. symbols: receives the names that the code may call or read.
 * options: as read. machine: that the code is for. shipped: kernels that need not be compiled (bd_compile_shipped); null: all are. Those
 * that it takes are to be linked with the code. */
buddy_code bd_compile_lower(buddy_module *module, const buddy_registries *registries,
                            const buddy_compile_options *options, const bd_machine *machine,
                            bd_shipped *shipped, buddy_diags *diags, bd_symbol_table *symbols,
                            buddy_program *program);

/* The kernels of this library that code for a processor of these features may take; null: of this
 * one. None where the options or a registry want a say in how kernels are compiled. registries: may
 * be null. */
void bd_compile_shipped(const buddy_compile_options *options, const buddy_registries *registries,
                        const char *features, bd_shipped *out_shipped);

#endif
