// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/widths.h: how many elements of a loop go into a vector. */
#ifndef BUDDY_SDK_COMPILE_WIDTHS_H
#define BUDDY_SDK_COMPILE_WIDTHS_H

#include "sdk/compile/ir.h"
#include "sdk/compile/kernels/machine.h"

/* LLVM's loop vectorizer takes as many elements as a register has of the widest type that the loop
 * carries on or moves: where f32 are added up in f64, all that is done to them before would be done
 * by halves of registers. An innermost scf.for that does more than twice as much with f32 as
 * with f64, and moves nothing wider, is told the width of f32: gelu before a layer_norm takes 0.6 of
 * the time with AVX2, 0.7 with AVX-512; where less is computed it costs as much as it saves. */
buddy_code bd_loops_name_widths(MlirOperation root, const bd_machine *machine);

#endif
