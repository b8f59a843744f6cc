// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/branches_parts.h: what branches.c finds, and branches_filter.c makes one of. */
#ifndef BUDDY_SDK_COMPILE_BRANCHES_PARTS_H
#define BUDDY_SDK_COMPILE_BRANCHES_PARTS_H

#include <stdbool.h>

#include "sdk/compile/ir.h"
#include "sdk/compile/structured.h"

enum { BD_BRANCH_AXES = 2, BD_BRANCH_NUMBERS = 4, BD_BRANCH_OPS = 128 };

typedef struct bd_branch {
  MlirOperation op;
  MlirValue image;       /* without its frame */
  MlirValue filter, row; /* row: what sums begin with, of rank 1; null: 0 */
  bool is_depthwise;
  /* frame: zeros before the image. */
  int64_t window[BD_BRANCH_AXES], frame[BD_BRANCH_AXES], step[BD_BRANCH_AXES],
      spread[BD_BRANCH_AXES];
} bd_branch;

/* A loop over images, and what its inputs are to it. */
typedef struct bd_branches {
  MlirOperation loop;
  MlirBlock body;
  intptr_t n; /* inputs */
  MlirOperation ops[BD_BRANCH_OPS];
  int n_ops;
  bool is_image[BD_MAX_OPERANDS];  /* it is read place by place */
  bool is_branch[BD_MAX_OPERANDS]; /* it is a convolution */
  bd_branch branches[BD_MAX_OPERANDS];
  bool is_row[BD_MAX_OPERANDS]; /* of weights alone, and a number for each channel */
} bd_branches;

/* A value of the body that is added up: an image, or what is made of rows alone. */
typedef struct bd_branch_term {
  MlirValue value;
  intptr_t input;                      /* that the value is; -1: it is none */
  intptr_t numbers[BD_BRANCH_NUMBERS]; /* inputs: what it is multiplied with, rows */
  int n_numbers;
  bool is_negative; /* it is subtracted */
  bool is_joined;
  int64_t place[BD_BRANCH_AXES]; /* of an image: in the window of the whole */
} bd_branch_term;

typedef struct bd_branch_sum {
  int root; /* of the loop's operations */
  bd_branch_term terms[BD_MAX_OPERANDS];
  int n;
  bool is_part[BD_BRANCH_OPS]; /* operations that add up, and that multiply what is added up */
} bd_branch_sum;

/* The input that a value of the body is; -1: it is none. */
intptr_t bd_branches_input(const bd_branches *s, MlirValue value);
/* The place of the operation that makes it; -1: it is none of the body's. */
int bd_branches_place(const bd_branches *s, MlirValue value);
/* Of a product, the operand that is multiplied with a row; -1: there is none. */
int bd_branches_multiplied(const bd_branches *s, MlirOperation product);
/* The operations of the body, as its places tell, that a value needs and that rows alone tell; false if it needs
 * anything else. */
bool bd_branches_need(const bd_branches *s, MlirValue value, bool is_needed[BD_BRANCH_OPS]);

/* One convolution in place of all that are joined, by the filter of term `whole`. */
buddy_code bd_branches_replace(const bd_branches *s, const bd_branch_sum *of,
                               const bd_branch *whole);

#endif
