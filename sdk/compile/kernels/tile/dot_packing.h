// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/dot_packing.h: elements that processors multiply several at a time: a word of them
 * by another, whose products are added up and added to a sum, by one instruction.
 *
 * A and B of a product are then taken for matrices of words of four bytes (panels/panels.h), which are
 * along what is summed over, and C has sums.
 *
 *   bytes  four of them, added up in i32, exactly. The instruction takes A's as unsigned, so that
 *          128 is added to each, which a further row of B's panels takes back.
 *   pairs  two bf16, added up in f32. The instruction (VDPBF16PS of Intel's and AMD's manuals)
 *          rounds to nearest after each step, takes denormals for zero and gives zero for them,
 *          whatever the modes of the processor: sums differ from those of widened elements by what
 *          the order of additions in f32 makes, and by less than the smallest normal number per
 *          product. */
#ifndef BUDDY_SDK_COMPILE_DOT_PACKING_H
#define BUDDY_SDK_COMPILE_DOT_PACKING_H

#include <stdbool.h>

#include "sdk/compile/ir.h"
#include "sdk/compile/kernels/element.h"
#include "sdk/compile/kernels/machine.h"

typedef struct bd_dot_packing {
  bd_dot_packing_kind kind;
  const bd_element *element; /* of A and B */
  int n;                     /* elements of a word */
  const bd_element *sum;     /* what is added up in; whole words are taken for that as well */
  const char *instruction;   /* LLVM's name for it, but for the bits of a vector at its end */
  const char *round; /* for what makes elements of two vectors of sums, the upper ones first;
                                null: nothing does */
  bool is_shifted;   /* A's come with 128 added */
  const char *amx;   /* LLVM's name for what multiplies matrices of them (amx.h) */
} bd_dot_packing;

/* Static. */
const bd_dot_packing *bd_dot_packing_of(bd_dot_packing_kind kind);
/* The one whose elements A and B have, and C its sums; null: there is none. */
const bd_dot_packing *bd_dot_packing_for(bd_elements elements);

/* %NAME = the buffer %BASE, memref<FROM>, as one of others: memref<TO>. */
void bd_dot_packing_write_recast(bd_text *text, const char *name, const char *base, const char *to);
/* The same of a buffer of elements, as one of words: memref<sum>. */
void bd_dot_packing_write_buffer(bd_text *text, const bd_dot_packing *words, const char *name,
                                 const char *base);

#endif
