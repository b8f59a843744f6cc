// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/gemm.h: products of matrices of any sizes, by functions of the library:
 * gemm.mlir for many rows, gemv.mlir for few. */
#ifndef BUDDY_SDK_COMPILE_GEMM_H
#define BUDDY_SDK_COMPILE_GEMM_H

#include <stdbool.h>

#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/kernels/matrices.h"
#include "sdk/compile/kernels/dequantized/dequantized.h"

/* Up to so many rows of A the columns of B are read where they are, if they lie dense: packing them
 * would take longer. */
enum { BD_FEW_ROWS = 8 };

/* True if A and B lie dense along k, so that neither has to be packed. Bytes are summed up in f32,
 * which does not hold the sums over all of k. */
int bd_can_be_gemv(const bd_contraction *c);

/* True if A and B are bf16, whose pairs the processor multiplies, and B is constant: such products are
 * rounded in a way of their own. */
bool bd_gemm_packs_bf16(const bd_contraction *c, const bd_prepacking *prepacking);

/* The functions that multiply the matrices, for many rows and for few, and what packs B for panels;
 * null if there is none. */
typedef struct bd_callees {
  bd_elements elements; /* of A, B and C */
  const char *gemm, *gemv, *pack;
} bd_callees;
/* BUDDY_UNSUPPORTED for elements, of A, B and C, that none covers. is_dequantized: B is made for them, but for
 * one row none is called. */
buddy_code bd_callees_find(const bd_contraction *c, bd_kernels *kernels,
                           const bd_prepacking *prepacking, bd_elements elements,
                           bool is_dequantized, bd_callees *out);

/* dequantized: what makes B; with n 0, B is there. Its arguments: A, B and C; or A and C, in the
 * operation's order, and what the loop reads that makes B. */
void bd_callees_write_kernel(bd_text *text, const bd_contraction *c, const bd_callees *of,
                             const bd_dequantized *dequantized);

/* %n_rows, and "scf.if" there are few of them. The operands' metadata is there. */
void bd_callees_write_choice(bd_text *text, const bd_contraction *c);
/* The products of few rows. */
void bd_callees_write_few(bd_text *text, const bd_contraction *c, const bd_callees *of);

#endif
