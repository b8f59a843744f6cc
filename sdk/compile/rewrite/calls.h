// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/calls.h: what calls of registries' functions say of themselves, by the
 * attributes of buddy/extensions.h. */
#ifndef BUDDY_SDK_COMPILE_CALLS_H
#define BUDDY_SDK_COMPILE_CALLS_H

#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/kernels/kernels.h"

/* True if the call does no more to that operand than read it. */
int bd_call_reads(MlirOperation call, intptr_t operand);
/* True if the operand is an image that may lie with its channels innermost, and best does. */
int bd_call_takes_nhwc(MlirOperation call, intptr_t operand);
/* The operands, as a set of bits, of which it would keep what it makes. */
uint64_t bd_call_kept(MlirOperation call);
/* True if others see that the call is made: it stays what it is, where it is. */
int bd_call_has_effects(MlirOperation call);

/* What a call wrote is written to by nobody else if it is read in several places: canonicalize makes
 * `b` of to_buffer(to_tensor(b)), which bufferization then cannot tell from memory of another kind. In
 * front of the first canonicalize. */
buddy_code bd_calls_protect_results(MlirOperation root);
/* Gives a slot to every call that keeps what it makes of operands that are constant. After
 * bd_constants_hoist. */
buddy_code bd_calls_keep(MlirOperation root, bd_kernels *kernels, bd_prepacking *prepacking);

#endif
