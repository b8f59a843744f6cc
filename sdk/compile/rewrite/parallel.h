// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/parallel.h: an scf.parallel, read into plain numbers, and what its units are;
 * see parallel_for.h. */
#ifndef BUDDY_SDK_COMPILE_PARALLEL_H
#define BUDDY_SDK_COMPILE_PARALLEL_H

#include <stdbool.h>

#include "sdk/compile/structured.h"

typedef struct bd_parallel {
  MlirOperation op;
  MlirBlock body;
  int rank;
  MlirValue upper[BD_MAX_LOOPS], step;
  int64_t sizes[BD_MAX_LOOPS]; /* -1: not known now */
  bool is_whole;               /* one step for all */
  int first;                   /* axes from here to before `end` are one, of which units are made */
  int end;
  int64_t group; /* places on it that make a unit */
} bd_parallel;

/* False if it is not a loop that can be spread, or too small for it. out_cost: of one round of the
 * whole body, or of a unit where the loop is_whole. */
int bd_parallel_read(MlirOperation op, bd_parallel *p, int64_t *out_cost);
/* Of one unit, if a round costs so much. */
int64_t bd_parallel_cost(const bd_parallel *p, int64_t cost);

#endif
