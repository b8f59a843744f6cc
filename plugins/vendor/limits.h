// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Activations that only limit: relu, and clamp.
 *
 * The library's forms of them make a limit of a NaN. So they are done here, part by part, while the
 * result is still in the cache. */
#ifndef BUDDY_PLUGINS_VENDOR_LIMITS_H_
#define BUDDY_PLUGINS_VENDOR_LIMITS_H_

#include "plugins/vendor/problem.h"

/* Whether the tail's activation is one that the library is not asked for. */
bool bd_vendor_is_limit(const bd_vendor_tail *tail);

/* Limits the numbers of a tensor, if it is; a NaN stays one. */
void bd_vendor_limit(const bd_vendor_tail *tail, int64_t dtype, int64_t rank, const int64_t *sizes,
                     const int64_t *strides, char *data);

#endif
