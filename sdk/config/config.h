// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/config/config.h: the settings of files, which the command, and programs that ask for it
 * (buddy/config.h), put after those of the environment. First wins:
 *
 *   1  options of the command line
 *   2  variables of the environment
 *   3  the project's file: the nearest buddy.toml, from the current directory upward; or the file
 *      that BUDDY_CONFIG names. BUDDY_CONFIG= is: no file at all
 *   4  the user's file: ${XDG_CONFIG_HOME:-$HOME/.config}/buddy/buddy.toml
 *   5  what is built in
 *
 * A file that others could have written is passed over with a warning: it must be a regular file of
 * root's or the user's, which not everybody may write to, in a folder where nobody else can
 * exchange it. One that was named is never passed over: what cannot be read of it is an error. */
#ifndef BUDDY_SDK_CONFIG_CONFIG_H
#define BUDDY_SDK_CONFIG_CONFIG_H

#include <stdbool.h>

#include "buddy/base.h"

/* What a file says. */
typedef struct bd_setting {
  char *variable, *value, *where; /* where: "/home/me/buddy.toml:3" */
  bool is_users;                  /* of the user's own file */
  bool is_in_force;               /* nothing that comes before it says otherwise */
} bd_setting;

/* All zero is empty. */
typedef struct bd_config {
  bd_setting *settings;
  size_t n_settings;
  char **trusted; /* folders */
  size_t n_trusted;
} bd_config;

/* Reads the files and sets those variables of the process that are not set. Call it before any
 * thread is there. Nothing happens in a setuid process. path: what BUDDY_CONFIG would name; null:
 * go by that variable. */
buddy_code bd_config_apply(bd_config *config, const char *path, buddy_diags *diags);
void bd_config_deinit(bd_config *config);

/* The command's own. */
extern bd_config bd_config_in_force;

#endif
