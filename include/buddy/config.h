// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/config.h: settings of files, for programs that embed buddy. Part of libbuddy_model.
 *
 * The `buddy` command puts what a team keeps in a buddy.toml after the variables of the
 * environment (`buddy config --help` tells what may be in it). A library must not: the file lies in
 * the folder where the program was started, and may name plugins. So nothing happens unless a
 * program asks. */
#ifndef BUDDY_CONFIG_H
#define BUDDY_CONFIG_H

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets those variables of the process's environment (BUDDY_REGISTRIES, BUDDY_PLUGIN_PATH,
 * BUDDY_PINS, BUDDY_CACHE_DIR, BUDDY_CACHE_SIZE) that are not set, to what the files say; what is
 * loaded or compiled afterwards goes by them, unless options say otherwise. path: of the project's
 * file, which may then name plugins; null: as the command finds it, by BUDDY_CONFIG or from the
 * current directory upward, and then it may if the user's own file trusts its folder. The user's
 * file comes after it. Files that others could have written are passed over with a warning, unless
 * they were named; a file that is wrong is a failure, and then nothing is set. Nothing happens in a setuid process.
 *
 * As it changes the environment, call it before there are other threads. */
BUDDY_EXPORT buddy_code buddy_config_load(const char *path, buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
