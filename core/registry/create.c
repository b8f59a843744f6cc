// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/create.c: registries in the environment of this process, with the host's services. */
#include "core/base/numbers.h"
#include "core/registry/environment.h"
#include "core/registry/host.h"
#include "core/registry/registries.h"

buddy_code buddy_registries_create(const buddy_search *search, buddy_opset *opset,
                                   const buddy_registries_options *options, buddy_diags *diags,
                                   buddy_registries **out_registries) {
  BD_C_LOCALE();
  bd_environment environment;
  bd_environment_get(&environment);
  return bd_registries_create_in(search, opset, options, &environment, bd_host_table(), diags,
                                 out_registries);
}
