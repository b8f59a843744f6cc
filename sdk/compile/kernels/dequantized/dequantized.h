// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/dequantized.h: products whose right operand a loop makes of smaller constants:
 * weights in bytes or parts of bytes, widened, shifted and scaled by group.
 *
 * Such a loop is a linalg.generic without reductions that writes the operand element by element,
 * whole, from constants, each of which is read along the operand's last axis with stride 1, or not
 * at all: that axis is a group. Its body is written anew for vectors along it, where the product
 * needs them: in registers for one row of A, and for more rows into a slab of the operand that
 * stays in cache. The operand as a whole is nowhere. */
#ifndef BUDDY_SDK_COMPILE_DEQUANTIZED_H
#define BUDDY_SDK_COMPILE_DEQUANTIZED_H

#include <stdbool.h>

#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/dequantized/halves.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/kernels/matrices.h"

/* A source two of whose numbers lie in one element: the constant is that one, and `made` the buffer
 * of single numbers, which is not read. */
typedef struct bd_packing {
  bd_halves halves; /* packed: null where numbers are whole elements */
  MlirValue made;
} bd_packing;

typedef struct bd_dequantized {
  bd_epilogue loop; /* its extras are what it reads, with strides along the axes of what it writes;
                       its op is null if there is none */
  bd_packing packings[BD_MAX_EXTRAS]; /* of what it reads, whose strides count single numbers */
  int64_t rank, sizes[BD_MAX_RANK];   /* of what it writes, of rank `rank` */
  int64_t n, k;                       /* columns, and elements of one: whole groups */
  int lanes;                          /* of a vector; a group is whole vectors */
  uint64_t factors;           /* operations of the body that make one number for all of a group */
  bool are_words, are_signed; /* bd_dequantized_read_words */
  const bd_machine *machine;  /* that code is for */
} bd_dequantized;

/* The loop that makes B of `c`; op of its loop is null if there is none that can be written so. B
 * lies dense along k (bd_can_be_gemv). */
bd_dequantized bd_dequantized_find(const bd_contraction *c, const bd_prepacking *prepacking);

/* Takes away the loop and what it writes, views too, once nothing reads them. */
void bd_dequantized_erase(const bd_dequantized *r);

/* ---- Text, where the arguments of the kernel %e0, %e1, … are what the loop reads ---- */

/* %extra_K: the same, flat; the numbers of the body. Before all else. */
void bd_dequantized_write_begin(bd_text *text, const bd_dequantized *r);
/* Columns %start to before %end of %part2, one row, += %matrix0, one row, · the operand. a, c:
 * their elements' types, both memrefs of unknown sizes with unknown strides (that of %part2 along
 * its rows is 1). */
void bd_dequantized_write_row(bd_text *text, const bd_dequantized *r, MlirType a, MlirType c);

/* Elements of a slab: columns, and elements of each. */
typedef struct bd_slab {
  int64_t n, k;
} bd_slab;
bd_slab bd_dequantized_slab(const bd_dequantized *r);
/* Fills %slab, memref<n x k>, with columns %column to before %column_end of the operand, elements
 * %depth to before %depth_end of each. */
void bd_dequantized_write_slab(bd_text *text, const bd_dequantized *r);

#endif
