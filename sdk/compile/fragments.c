// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/fragments.c: running the passes that registries bring. */
#include "sdk/compile/fragments.h"

#include <stdio.h>

#include "core/base/try.h"
#include "core/registry/registries.h"
#include "sdk/compile/passes.h"

buddy_code bd_fragments_run(MlirModule module, const buddy_registries *registries, int32_t stage,
                            buddy_diags *diags) {
  const size_t n = registries ? bd_registries_n_fragments(registries) : 0;
  for (size_t i = 0; i < n; ++i) {
    const char *registry;
    char what[96];
    const buddy_pass_fragment *fragment = bd_registries_fragment(registries, i, &registry);
    if (fragment->stage != stage) continue;
    snprintf(what, sizeof(what), "in the passes of registry '%s'", registry);
    BD_TRY(bd_passes_run(module, fragment->pipeline, what, diags));
  }
  return BUDDY_OK;
}

int bd_fragments_exist(const buddy_registries *registries, int32_t stage) {
  const size_t n = registries ? bd_registries_n_fragments(registries) : 0;
  for (size_t i = 0; i < n; ++i) {
    const char *registry;
    if (bd_registries_fragment(registries, i, &registry)->stage == stage) return 1;
  }
  return 0;
}
