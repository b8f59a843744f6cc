// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/product.h: products of matrices of known sizes, by loops written for them
 * (panels/panels.h). Only a run may know how many rows there are, and how many products: up to
 * BD_FEW_ROWS rows are then multiplied by the library (gemm.h), with B where it is, so that a
 * program that has never more than those, like one that makes token after token, has no second copy
 * of a constant. */
#ifndef BUDDY_SDK_COMPILE_PRODUCT_H
#define BUDDY_SDK_COMPILE_PRODUCT_H

#include <stdbool.h>

#include "sdk/compile/kernels/around.h"
#include "sdk/compile/kernels/gemm.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/kernels/matrices.h"
#include "sdk/compile/kernels/panels/panels.h"

/* One product of known sizes, and where its operands come from. */
typedef struct bd_product {
  bd_panels p;
  bd_around around; /* what follows is done panel by panel */
  bool is_kept, is_packed_once;
} bd_product;

/* False if sizes or strides of the matrices, but for the number of rows, are not known, or the
 * elements are none that panels have. p of `out` points into it: it is not to be moved. */
int bd_product_read(const bd_contraction *c, const bd_prepacking *prepacking, bd_product *out);

/* Asks for the library's functions: what packs B, unless B is not packed before, and what multiplies
 * few rows of any number. */
buddy_code bd_product_find_callees(const bd_contraction *c, const bd_product *s,
                                   const bd_prepacking *prepacking, bd_kernels *kernels,
                                   bd_callees *out);

/* Its arguments: the operands; the row that C begins with; what the loop that follows reads; the
 * slot of what is kept. */
void bd_product_write_kernel(bd_text *text, const bd_contraction *c, const bd_product *s,
                             const bd_callees *of, bd_kernels *kernels);

#endif
