// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/around.h: what is done around an operation by its kernel: what its result
 * begins with, and the loop that follows it. */
#ifndef BUDDY_SDK_COMPILE_AROUND_H
#define BUDDY_SDK_COMPILE_AROUND_H

#include <stdbool.h>

#include "sdk/compile/kernels/affine.h"

typedef struct bd_around {
  bd_beginning begin;   /* as found for the result */
  bd_epilogue found;    /* all of what follows; its op is null if nothing does */
  bd_affine affine;     /* the part of it that is done with the filter, if there is one: sums then
                           begin with a row that it makes */
  bd_epilogue epilogue; /* what is left of it */
} bd_around;

/* Adds what follows, and takes the map out of it that can be done with the filter. */
void bd_around_follow(bd_around *a, const bd_epilogue *found, const bd_prepacking *prepacking);
/* What the kernel's sums begin with. */
bd_begin bd_around_begin(const bd_around *a);

/* The head of the kernel: what it takes is two operands and what is written to, the map's operands,
 * or the row that sums begin with, what the epilogue reads, the slot of what is prepacked, and what
 * sizes are made of; x: null if they are known. */
void bd_around_write_parameters(bd_text *text, const MlirType types[3], const bd_around *a,
                                const bd_extents *x, bool has_slot);
/* %row_base, what sums begin with, and %extra_K_base of %eK, which the epilogue reads; memref<element>. */
void bd_around_write_bases(bd_text *text, const bd_around *a);

/* The call of that kernel in place of the operation and what begins its result, where what follows
 * it is: of that, bd_epilogue_erase is left to be done. has_slot: as the head has one; keeps: null if
 * what is packed is of one run. */
buddy_code bd_around_call(const bd_around *a, MlirOperation op, const char *name,
                          const MlirValue buffers[3], const bd_extents *x, bool has_slot,
                          bd_prepacking *keeps);

#endif
