// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/random_input.c: inputs for verbs that run a model when none are given. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "sdk/cli/session.h"

/* Dynamic dims of random inputs: a size that most ranges allow. */
enum { RANDOM_DYNAMIC_DIM = 8 };

buddy_code bd_random_input(const buddy_port *port, uint64_t seed, buddy_tensor *out) {
  int64_t *sizes = bd_calloc(port->rank + 1u, sizeof(*sizes));
  if (!sizes) return BUDDY_OUT_OF_MEMORY;
  for (uint32_t d = 0; d < port->rank; ++d)
    sizes[d] = port->dims[d] < 0 ? RANDOM_DYNAMIC_DIM : port->dims[d];
  const buddy_code code = buddy_tensor_create(port->dtype, port->rank, sizes, out);
  free(sizes);
  if (code == BUDDY_OK) buddy_tensor_fill_random(out, seed);
  return code;
}
