// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/ir_text.h: the text of kernels, with a short notation for what most of it is: arithmetic on
 * indices, and the loops around it.
 *
 *   place = of_k / n_pieces * segment_a + of_k % n_pieces * piece_a;
 *
 * is four operations of the dialect arith, one for each sign, in the order in which they are met from left to right.
 * What they make on the way is called %place.1, %place.2 and so on: names of ours have no points. A text is
 *
 *   NAME = EXPRESSION;         an index, or where the last operation compares, an i1
 *   for I = A to B [by C] {    scf.for over indices that have names; by %c1 if no step is named
 *   if NAME {                  scf.if
 *   } else {
 *   }
 *   anything else              a line of MLIR, as it is, to its end
 *
 * and an expression has
 *
 *   NAME  NAME#2  7  -7  (…)
 *   *  /  %  then  +  -  then  >>  then  |  then  ==  !=  <  <=  >  >=     division is unsigned, comparison signed
 *   min(a, b)  max(a, b)  umin(a, b)  umax(a, b)  ceildiv(a, b)  ult(a, b)  ule(a, b)  uge(a, b)
 *   select(condition, a, b)
 *
 * A name alone is a further name for the same index, by an addition of %c0, which folds. */
#ifndef BUDDY_SDK_COMPILE_KERNELS_IR_TEXT_H
#define BUDDY_SDK_COMPILE_KERNELS_IR_TEXT_H

#include "sdk/compile/ir.h"

/* Formats, reads what comes of it, and appends MLIR. A text that is none of the above fails as
 * BUDDY_INTERNAL. */
void bd_ir_write(bd_text *text, const char *format, ...) BUDDY_PRINTF(2, 3);

/* "scf.parallel (%INDEX0, …) = (%c0, …) to (%END0, …) step (%c1, …) {", by the numbers of n loops. */
void bd_ir_write_parallel(bd_text *text, const char *index, const char *end, const int *numbers,
                          int n);

/* n values of one type: where their name ends in _ or #, a number follows it; another is the name of all of them.
 * "iter_args(NAME0 = FROM0, …) -> (TYPE, …) {", the end of the head of a loop that carries them; and "scf.yield FROM0,
 * …", which hands on others. Names with their %. */
void bd_ir_write_carried(bd_text *text, const char *name, const char *from, int64_t n,
                         const char *type);
void bd_ir_write_yield(bd_text *text, const char *from, int64_t n, const char *type);

#endif
