// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/config.c: buddy_config_load, on the settings of sdk/config. */
#include "buddy/config.h"

#include "sdk/config/config.h"

buddy_code buddy_config_load(const char *path, buddy_diags *diags) {
  bd_config config = {0};
  const buddy_code code = bd_config_apply(&config, path, diags);
  bd_config_deinit(&config);
  return code;
}
