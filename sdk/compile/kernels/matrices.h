// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/matrices.h: contractions read as products of matrices, with loops around
 * them.
 *
 * A contraction C[b, m, n] += A[b, m, k] · B[b, k, n] may have any number of loops of each kind, in
 * any order of axes. One group of m loops, one of n and one of k become the matrices; the others
 * are loops around the call. A group is several loops only where they can be walked as one:
 * neighbours along both operands, which must be dense.
 *
 * The kernels want C with unit stride along n: where m has it, A and B change places. */
#ifndef BUDDY_SDK_COMPILE_MATRICES_H
#define BUDDY_SDK_COMPILE_MATRICES_H

#include <stdbool.h>

#include "sdk/compile/kernels/tile/dot_packing.h"
#include "sdk/compile/structured.h"

enum { BD_A, BD_B, BD_C };

typedef struct bd_group {
  int loops[BD_MAX_LOOPS]; /* innermost first */
  int n;
} bd_group;

typedef struct bd_contraction {
  bd_structured s;
  int operand[3]; /* which operand of the operation A, B and C are */
  bd_group m, n, k;
  int is_inside[BD_MAX_LOOPS]; /* belongs to one of the groups */
  bool has_outer_sum;          /* some loop over k is outside */
} bd_contraction;

/* False if it is no contraction that can be read so. */
int bd_contraction_read(MlirOperation op, bd_contraction *out);

/* Adds those of `root` alone: other operations may go away with one of them. */
buddy_code bd_contractions_collect(bd_ops *ops, MlirOperation root);

/* which: BD_A, BD_B or BD_C. */
const bd_operand *bd_operand_of(const bd_contraction *c, int which);
MlirType bd_element_of(const bd_contraction *c, int which);
bd_elements bd_contraction_elements(const bd_contraction *c);
/* That of B where it is f16 or bf16 beside an A of f32, and so widened on its way; else null. */
const bd_element *bd_narrow_element_of(const bd_contraction *c);

/* Product of the sizes; INT32_MAX if one is not known, or it is larger. */
int64_t bd_group_size(const bd_contraction *c, const bd_group *g);
/* Elements from one step of the innermost loop to the next; INT64_MIN if that is not known. */
int64_t bd_group_stride(const bd_operand *operand, const bd_group *g);

/* True if some loop around the matrices walks along the operand. */
int bd_has_outer_axis(const bd_contraction *c, int which);
/* True if all sizes and strides are known, and nothing is empty. */
int bd_contraction_is_static(const bd_contraction *c);
/* Rounds of the loops around the matrices that threads may share; many if some size is not
 * known. */
int64_t bd_count_batches(const bd_contraction *c);

/* ---- Text of kernels, whose arguments are %x0, %x1, %x2: the operands in the operation's order */

/* Of what "metadata xI = xI" tells (notation/notation.h), %atI: the place of operand i in the present round of the outer loops. */
void bd_contraction_write_offset(bd_text *text, const bd_contraction *c, int i);
/* Some operand that walks along the loop. */
int bd_operand_along(const bd_contraction *c, int loop);
/* The loops around the matrices, and their ends; cost: of one product. */
void bd_contraction_write_loops(bd_text *text, const bd_contraction *c);
void bd_contraction_write_loops_end(bd_text *text, const bd_contraction *c, int64_t cost);

#endif
