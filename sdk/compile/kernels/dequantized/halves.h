// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/halves.h: constants two of whose numbers lie in one element of another: four
 * bits each in a byte.
 *
 * Such a buffer is written in two parts, its even and its odd elements, each by a loop that makes
 * one element of one of the constant, in the order in which they lie: by a mask, by a shift. */
#ifndef BUDDY_SDK_COMPILE_HALVES_H
#define BUDDY_SDK_COMPILE_HALVES_H

#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/structured.h"

typedef struct bd_halves {
  MlirOperation loops[2]; /* of the even elements and of the odd ones; null: there is none */
  MlirValue packed;       /* the dense constant that both read, as their only input */
} bd_halves;

/* Of a whole allocation; its loops are null if it is not made so. */
bd_halves bd_halves_find(MlirValue buffer, const bd_prepacking *prepacking);
/* Takes away what makes the buffer, and the buffer, if nothing reads it. */
void bd_halves_erase(MlirValue buffer);

/* Finds the one operation that writes to the buffer, among readers and views of it (null if there
 * is none); false if there are several, or something else has to do with it. */
int bd_writer_find(MlirValue buffer, MlirOperation *found);
/* True if the body of a loop with one result means the same of vectors of numbers, and does not
 * read what is overwritten. */
int bd_body_can_be_vector(MlirOperation op);
/* Takes away the views of a buffer that nothing reads. */
void bd_views_erase_unread(MlirValue buffer);

#endif
