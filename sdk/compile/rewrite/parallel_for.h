// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/parallel_for.h: parallel loops of kernels become functions that several threads
 * share; see sdk/runtime/parallel_for.h.
 *
 * Of a kernel K with a loop at its top level, the loop goes into a function of its own; what brings
 * it and its values to the threads serves all loops whose values have the same types:
 *
 *   K.part_0(values…, first, last)        the units from first to last, with what they need
 *   buddy.task_S(context, first, last)    calls a part that lies in memory with its values
 *   buddy.share_S(values…, part, n_units, cost)
 *                                         calls buddy_runtime_spread with buddy.task_S
 *
 * What units are follows from the loop alone, never from the number of threads:
 *
 *   scf.parallel with steps of one        as many of the outer axes as it takes for there to be
 *                                         enough units; or blocks of the last one
 *   scf.parallel with one step for all    the loop's own: its body does whatever lies between its
 *                                         index and the next, so it gets any part of the whole.
 *                                         Such a loop may lie in others
 *
 * An attribute `cost` of the loop tells that of a round, or of a unit; else the operations in it
 * are counted. */
#ifndef BUDDY_SDK_COMPILE_PARALLEL_FOR_H
#define BUDDY_SDK_COMPILE_PARALLEL_FOR_H

#include "sdk/compile/ir.h"

buddy_code bd_loops_make_parallel(MlirModule module, buddy_diags *diags);

#endif
