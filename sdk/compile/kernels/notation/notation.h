// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/notation/notation.h: the text of kernels is written in a short notation, of which MLIR is made as a whole.
 *
 *   place = of_k / n_pieces * segment_a + of_k % n_pieces * piece_a;
 *   each i to 4 { row_$i = load(rows[i_$i, place], 16); sum_$i = fma(row_$i, column, was_$i); }
 *
 * An expression is operations of MLIR, in the order in which they are met from left to right. What they make on the way is
 * called %place.1, %place.2 and so on: names of ours have no points. Which operation it is, and of what type, follows from
 * the types of its operands: those of names that a statement before made, and that a kernel's arguments have; a name that
 * none made is an index. A text is
 *
 *   NAME = EXPRESSION;               of a name alone: a further name, by what folds
 *   NAME = 0.5 : vector<16xf32>;     arith.constant; an index if no type is told; true and false are i1
 *   for I = A to B [by C] {          scf.for; by %c1 if no step is named
 *   NAME:N = for … carry ITEM = FROM, … {   and its iter_args; NAME#K is result K
 *   if CONDITION {   } else {        scf.if
 *   NAME:N = if CONDITION like VALUE {      with results of the type of that value
 *   yield VALUE, …;                  as many as the block has results
 *   metadata NAME = M;               NAME_base, NAME_at, NAME_sizes#K and NAME_strides#K of a memref
 *   store(VALUE, M[I]);  and others of operations that make nothing: maskedstore, transfer_write, prefetch, dealloc, call
 *   a line of MLIR, as it is, to its end: it begins with %, (, ^ or the name of an operation, or is "return"
 *
 * and an expression has
 *
 *   NAME  NAME#2  7  -0.5  (…)  M[I, J]     memref.load; a number has the type of what it is joined with
 *   *  /  %  then  +  -  then  << >>  then  &  then  ^  then  |  then  ==  !=  <  <=  >  >=
 *                                           division is unsigned, comparison signed
 *   min max umin umax ceildiv ult ule uge (a, b)  select(condition, a, b)  neg(a)  exp(a)  fma(a, b, c)
 *   extf truncf sitofp extui index_cast (a, ELEMENT)  bitcast(a, TYPE)  cast(m, TYPE)
 *   load(M[I], LANES)  maskedload(M[I], LANES, mask, otherwise)  transfer_read(M[I], LANES, beyond)
 *   broadcast(a, LANES)  slice(a, FIRST, LANES)  interleave(a, b)  create_mask(n, LANES)  sum(a)
 *   shuffle(a, b, [PLACES])  shuffle(a, b, LANES: PLACE)     with the number of each lane as n
 *   alloc(TYPE, sizes…)  alloca(TYPE)  dim(m, i)  base(m)  whole(base)  view(base, at, [SIZES], [STRIDES]) [: TYPE]
 *   subview(m, [PLACES], [SIZES])  address(m)  pointer(a)
 *   call("NAME", …) [: TYPE]  intrinsic("NAME", …) [: TYPE]
 *
 * Some of a text is known when it is read:
 *
 *   let a = TEXT, b = 7;             $a is TEXT from here on, in names and lines; $(a + 1) a number. Letters but n
 *   each i [= A] to B { … }          the text for each number, which $i is; A, LANES and so on may be made of such
 *
 * What a loop carries and what is yielded may be told once for all: with $n, the number of each. */
#ifndef BUDDY_SDK_COMPILE_KERNELS_NOTATION_H
#define BUDDY_SDK_COMPILE_KERNELS_NOTATION_H

#include "sdk/compile/ir.h"

/* Appends the MLIR of a text in the notation. One that is none of the above fails as BUDDY_INTERNAL. */
void bd_ir_expand(bd_text *out, const bd_text *text);

/* "scf.parallel (%INDEX0, …) = (%c0, …) to (%END0, …) step (%c1, …) {", by the numbers of n loops. */
void bd_ir_write_parallel(bd_text *text, const char *index, const char *end, const int *numbers,
                          int n);

#endif
