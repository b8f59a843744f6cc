// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/rows_parts.h: what the files of rows share: operations as they are found,
 * and the loop that they become. */
#ifndef BUDDY_SDK_COMPILE_ROWS_PARTS_H
#define BUDDY_SDK_COMPILE_ROWS_PARTS_H

#include "sdk/compile/structured.h"

enum { BD_ROW_LOOPS = 4, BD_ROW_MEMBERS = 24 };

/* Where an operand is read or written. */
typedef struct bd_row_walk {
  MlirValue base; /* the buffer; null for a scalar */
  /* By loop: the axis of the operand, and of the buffer, that the loop alone walks along. NONE: the
   * place does not depend on it. TANGLED: it does in another way. */
  int axis[BD_MAX_LOOPS], base_axis[BD_MAX_LOOPS];
} bd_row_walk;

typedef struct bd_row_member {
  bd_structured s;
  bd_row_walk walks[BD_MAX_OPERANDS];
  int rows[BD_ROW_LOOPS]; /* the loops that are the group's */
} bd_row_member;

typedef struct bd_row_group {
  bd_row_member *members[BD_ROW_MEMBERS]; /* in the order in which they run */
  int n_members, n_rows;
} bd_row_group;

/* It reads no memory. */
bool bd_row_is_fill(const bd_row_member *m);
/* Of the member's loops those that are no rows; returns how many. */
int bd_row_inner_loops(const bd_row_group *group, const bd_row_member *m, int loops[BD_MAX_LOOPS]);

/* One loop over rows in place of the last member, with all of them in it. */
buddy_code bd_rows_write(const bd_row_group *group);
/* Within a written loop: members that become one (rows_merge.c), and divisions that become
 * multiplications (rows_quotient.c), for processors that multiply and add in one step. */
void bd_rows_merge(bd_row_group *group);
void bd_rows_multiply(bd_row_group *group);

#endif
