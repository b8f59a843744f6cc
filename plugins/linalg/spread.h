// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/spread.h: broadcasting where a size that only the run tells may be 1. Elsewhere the
 * exporter has guards that it is not; a few ops have none: index_put, masked_scatter, masked_select.
 * And the other way round: what a tensor repeats. */
#ifndef BUDDY_PLUGINS_LINALG_SPREAD_H
#define BUDDY_PLUGINS_LINALG_SPREAD_H

#include "plugins/linalg/nest.h"

/* The element of a tensor that broadcasts to the loops, which has its rank and whose sizes are `dims`. */
void la_spread_position(const be_body *body, const buddy_tensor_type *type, const MlirValue *loops,
                        const int64_t *dims, MlirValue *out);
/* Ends the run, with `problem`, where a tensor does not broadcast to the loops. */
void la_check_spread(buddy_call *call, const buddy_tensor_type *type, const MlirValue *ends,
                     const int64_t *dims, const char *problem);
/* be_broadcast, which ends the run where the sizes do not fit. */
MlirValue la_spread(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                    const buddy_tensor_type *to);

/* What a value repeats: another, of fewer elements, or itself. loops: by its dims, the dim of the whole
 * that reads it; BE_BROADCAST: none, its only element is read. */
typedef struct la_repeated {
  MlirValue value;
  const buddy_tensor_type *type;
  int8_t loops[BE_MAX_RANK];
} la_repeated;
/* value, or what it was made of by expand, repeat or tile alone: a step of a loop that reads that
 * reads less. */
la_repeated la_find_repeated(buddy_call *call, MlirValue value, const buddy_tensor_type *type);

#endif
