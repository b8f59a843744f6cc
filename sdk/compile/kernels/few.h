// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/few.h: products of few rows of A, of any number and sizes, with a B that is
 * read once for all of them, where it lies: packing it would take longer than the product.
 *
 * B may be narrower than the rest: it is widened on its way from memory.
 *
 * B goes by in blocks of rows that stay in the first cache while the rows of A pass, four, two or
 * one at a time. How an element is summed up follows from the sizes of A and B alone. */
#ifndef BUDDY_SDK_COMPILE_FEW_H
#define BUDDY_SDK_COMPILE_FEW_H

#include <stdbool.h>

#include "sdk/compile/kernels/kernels.h"

/* The functions of one element type of A and C; their names live as long as the kernels. */
typedef struct bd_few {
  const char *dots; /* C = A · Bᵀ */
  const char *sums; /* C = A · B */
} bd_few;

/* B of one of them: its elements, those of A and C or narrower ones, and how many of a row lie side by
 * side; 0: a run tells. */
typedef struct bd_few_rows {
  const bd_element *element;
  int64_t size;
  bool is_of_bf16; /* they are, and A has such numbers alone */
} bd_few_rows;

buddy_code bd_few_find(bd_kernels *kernels, const bd_element *element, bd_few_rows dots_b,
                       bd_few_rows sums_b, bd_few *out);

#endif
