// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/sums_parts.h: what sums.c and sums_tiles.c share: a sum as it is found, and
 * the writing of what it becomes. */
#ifndef BUDDY_SDK_COMPILE_SUMS_PARTS_H
#define BUDDY_SDK_COMPILE_SUMS_PARTS_H

#include "sdk/compile/builder.h"
#include "sdk/compile/kernels/machine.h"
#include "sdk/compile/structured.h"

/* Terms of a block, by how long the lines are that vectors go along. Rows are added one after the
 * other, be they of results that lie along the innermost loop, or apart. */
enum { BD_SUM_LONG = 4096, BD_SUM_BLOCK = 1024 };
enum { BD_SUM_MEDIUM = 64, BD_SUM_MEDIUM_BLOCK = 256 };
enum { BD_SUM_SHORT_BLOCK = 64, BD_SUM_ROWS = 32 };

/* So many results are summed side by side where terms of them share what is read; each carries two
 * numbers through the loops. */
enum { BD_SUM_LINE = 16, BD_SUM_TOGETHER = 4, BD_SUM_MOST_CARRIED = 2 * BD_SUM_TOGETHER };

typedef struct bd_sum_loop {
  MlirValue index, upper;
  int64_t size; /* -1: not known now */
  int adds;     /* its rounds add to the same results */
} bd_sum_loop;

/* Loops around one body, which reads a place, adds a term, and writes it there. */
typedef struct bd_sum {
  MlirLocation location;
  MlirOperation outermost;
  MlirBlock body;
  MlirOperation load, add, store;
  bd_sum_loop loops[BD_MAX_LOOPS]; /* the outermost first */
  int n;
  MlirType type, wide; /* of the result, and what it is added in */
  int64_t n_terms;     /* of one result; -1: not known now */
  bool is_line;        /* the terms lie side by side along the innermost loop */
} bd_sum;

/* A sum, and what rounding took from it. */
typedef struct bd_exact {
  MlirValue sum, lost;
} bd_exact;

/* ---- Writing: all at the end of a block ---- */

bd_builder bd_sum_at_end(const bd_sum *s, MlirBlock block);
MlirValue bd_sum_number(const bd_sum *s, MlirBlock block, int64_t number);
/* An operation of two operands and a result of the first one's type. */
MlirValue bd_sum_compute(const bd_sum *s, MlirBlock block, const char *name, MlirValue a,
                         MlirValue b);
MlirValue bd_sum_zero(const bd_sum *s, MlirBlock block);
/* From the result's type to the wide one, and back. */
MlirValue bd_sum_widen(const bd_sum *s, MlirBlock block, MlirValue value);
MlirValue bd_sum_narrow(const bd_sum *s, MlirBlock block, MlirValue value);
/* The sum with one more number. */
bd_exact bd_sum_with(const bd_sum *s, MlirBlock block, bd_exact sum, MlirValue number);
/* What is lost added back; an infinite sum stays as it is. */
MlirValue bd_sum_settle(const bd_sum *s, MlirBlock block, bd_exact sum);
void bd_sum_yield(const bd_sum *s, MlirBlock block, const MlirValue *values, intptr_t n);
/* What the loop around this body gives, once the body is ended. */
MlirValue bd_sum_result(MlirBlock body, intptr_t i);
/* Reads or writes the sum's result; at: the index of each loop. */
MlirValue bd_sum_read(const bd_sum *s, MlirBlock block, const MlirValue *at);
void bd_sum_write(const bd_sum *s, MlirBlock block, MlirValue value, const MlirValue *at);
/* A copy of the body with these indices, its term added to `before`. */
MlirValue bd_sum_add_term(const bd_sum *s, MlirBlock block, const MlirValue *at, MlirValue before);
/* The innermost loop before `end` that adds and has, with those inside of it, more than `most`
 * terms; *out_step: how many of its rounds have fewer. -1: all together have not. */
int bd_sum_cut(const bd_sum *s, int end, int64_t most, int64_t *out_step);

/* Results along the innermost loop: sums_tiles.c. */
void bd_sum_write_tiles(const bd_sum *s, const bd_machine *machine, MlirBlock block);

#endif
