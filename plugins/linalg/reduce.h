// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/reduce.h: reductions over any set of axes, one linalg.generic each. */
#ifndef BUDDY_PLUGINS_LINALG_REDUCE_H
#define BUDDY_PLUGINS_LINALG_REDUCE_H

#include "plugins/linalg/pointwise.h"

/* What the accumulator holds before the first element. */
typedef enum la_start { LA_FROM_ZERO, LA_FROM_ONE, LA_FROM_LOWEST, LA_FROM_HIGHEST } la_start;

/* The step from an element (in the accumulator's dtype, in at[0]) to what is accumulated; at[1] is
 * the centre. */
typedef struct la_reduction {
  MlirValue value;
  const buddy_tensor_type *type;
  uint64_t axes;
  buddy_dtype dtype; /* of the accumulator and of the result */
  la_start start;
  const la_names *combine;
  la_formula *element; /* null: the element itself */
  MlirValue centre;    /* one value per kept position, of `dtype`; null: none */
} la_reduction;

/* The reduced tensor, without the axes. */
MlirValue la_reduce(buddy_call *call, const la_reduction *r);
const buddy_tensor_type *la_kept(buddy_call *call, const buddy_tensor_type *type, uint64_t axes,
                                 buddy_dtype dtype);
/* The number of elements that fall together. */
int64_t la_count(buddy_call *call, const buddy_tensor_type *type, uint64_t axes);
/* A count, which may depend on the shapes of a run, as a scalar. */
MlirValue la_count_scalar(const la_scalars *s, int64_t count);
/* The map of a tensor of the kept dims over all the loops. */
be_map la_kept_map(uint32_t rank, uint64_t axes);
/* `finish` on each element (null: nothing), cast to the type's dtype and brought to its dims
 * (keepdim). */
typedef MlirValue la_finish(const la_scalars *s, const void *user);
MlirValue la_finished(buddy_call *call, MlirValue value, const buddy_tensor_type *kept,
                      const buddy_tensor_type *to, la_finish *finish, const void *user);

/* A finish: the sum over a count, an int64_t, which may be symbolic. */
la_finish la_divided_by_count;

/* A row that is one reduction. */
typedef struct la_reduce_row {
  la_start start;
  la_domain domain; /* LA_BOOL or LA_RESULT */
  const la_names *combine;
  la_formula *element;
  la_finish *finish; /* its user data is the count, an int64_t */
  uint8_t axes_arg;  /* the row's argument that names the axes; 0: all of them */
} la_reduce_row;

#endif
