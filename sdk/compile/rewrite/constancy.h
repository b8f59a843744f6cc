// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/constancy.h: which values are the same in every run.
 *
 * Whatever is kept from run to run is made of such values alone, and everything that keeps asks
 * here: what is computed once (hoist.h), panels of weights, filters, what registries' functions keep
 * (calls.h). Steady are
 *
 *   - parameters that the program does not write to, and constants,
 *   - what was found to be computed once of steady values, and
 *   - views, loads and arithmetic whose every operand is steady: a part of a weight at a place that
 *     a loop or an input tells is none.
 *
 * Everything else may change: inputs, state, results of calls and of control flow, arguments of
 * blocks, sizes that are not known, random numbers. */
#ifndef BUDDY_SDK_COMPILE_CONSTANCY_H
#define BUDDY_SDK_COMPILE_CONSTANCY_H

#include "sdk/compile/kernels/prepacking.h"

/* True if the number, or what the buffer holds, is the same in every run and at every place of
 * one. */
bool bd_is_steady(const bd_prepacking *prepacking, MlirValue value);
/* True if the operation does the same in every run to what it writes to: all its operands but the
 * last n_written are steady, and so is what its regions capture; these have no effects. */
bool bd_op_is_steady(const bd_prepacking *prepacking, MlirOperation op, intptr_t n_written);

/* What is made in the first run and found in later ones: results of marked operations are
 * steady. */
void bd_steady_mark(MlirOperation op);
bool bd_steady_is_marked(MlirOperation op);
/* The marks are the compiler's own: what a module's text brought goes away. */
void bd_steady_unmark_all(MlirOperation root);

/* True if nothing writes to the buffer or a view of it, as far as can be told. */
bool bd_is_only_read(MlirValue buffer);

#endif
