// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/counted.h: tensors one of whose dims is known only when the program runs, and has
 * no name among the dims yet: it is the result's own. */
#ifndef BUDDY_PLUGINS_LINALG_COUNTED_H
#define BUDDY_PLUGINS_LINALG_COUNTED_H

#include "plugins/linalg/nest.h"

/* Ends the run unless a number of results that the data tell is the dim that the program says. Where
 * that is symbolic, the count is what makes it known. */
void la_check_length(buddy_call *call, MlirValue count, int64_t dim);
/* tensor.empty of `type`, whose dim `axis` is `count`, an index; a number among the dims stays. */
MlirValue la_counted_empty(buddy_call *call, const buddy_tensor_type *type, uint32_t axis,
                           MlirValue count);
/* A list of `count` zeros, of the type's dtype. */
MlirValue la_counted_zeros(buddy_call *call, const buddy_tensor_type *type, MlirValue count);

#endif
