// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/inputs.c: inputs for verbs that run a model: from files, or random ones when none are given. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/session.h"
#include "sdk/runtime/npy.h"

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

buddy_code bd_model_inputs(buddy_model *model, const char *where, const char *const *paths,
                           size_t n_paths, uint64_t seed, buddy_diags *diags, buddy_tensor *out) {
  const size_t n = buddy_model_n_inputs(model);
  if (n_paths > 0 && n_paths != n)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where,
                           "give one --input for each, in their order, or none for random ones",
                           "the model takes %zu inputs, but %zu were given", n, n_paths);
  for (size_t i = 0; i < n; ++i) {
    const buddy_port *port = buddy_model_input(model, i);
    const bd_npy_wish wish = {port->dtype, true, port->rank, port->dims};
    BD_TRY(n_paths > 0 ? bd_npy_read(paths[i], &wish, diags, &out[i])
                       : bd_random_input(port, seed + i, &out[i]));
  }
  return BUDDY_OK;
}
