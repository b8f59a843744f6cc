// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/convolution.h: one convolution, and the transposed ones that are made of such. */
#ifndef BUDDY_PLUGINS_LINALG_CONVOLUTION_H
#define BUDDY_PLUGINS_LINALG_CONVOLUTION_H

#include <stdbool.h>

#include "plugins/linalg/rows.h"

#define LA_MAX_SPATIAL 3

/* One convolution, its input always with a batch dim. */
typedef struct la_problem {
  uint32_t n_spatial;
  bool is_transposed;
  /* Around the input; of a transposed one, as PyTorch has it: padding, and output padding. */
  int64_t low[LA_MAX_SPATIAL], high[LA_MAX_SPATIAL];
  int64_t stride[LA_MAX_SPATIAL], dilation[LA_MAX_SPATIAL];
  int64_t groups;
  int64_t n_phases; /* 0 or 1: one; else each filter comes so many times (transposed.c) */
  MlirValue input, weight;
  const buddy_tensor_type *input_type, *weight_type;
  const buddy_tensor_type *sum_type; /* [n, f, out...], of the accumulator's dtype */
} la_problem;

/* What the sums of a tensor of that type, [n, f, out...], begin with: the bias, argument 2, once for
 * each phase, or 0. */
MlirValue la_convolution_begin(buddy_call *call, const la_problem *p, const buddy_tensor_type *to);
/* The ordinary convolution. */
MlirValue la_convolution_sums(buddy_call *call, la_problem *p);
/* The transposed one; its windows' dims are numbers, and without groups all of the weight's. See transposed.c. */
MlirValue la_transposed_sums(buddy_call *call, const la_problem *p);

#endif
