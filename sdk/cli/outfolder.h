// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/outfolder.h: a new folder of the user's, which appears under its name when it is whole.
 *
 * Until then it has another name beside it, which begins with BD_OUTFILE_PREFIX. Nothing that is
 * there is replaced. Its mode is what the umask leaves of 0777. */
#ifndef BUDDY_SDK_CLI_OUTFOLDER_H
#define BUDDY_SDK_CLI_OUTFOLDER_H

#include <limits.h>

#include "buddy/base.h"

/* A zeroed one is closed. */
typedef struct bd_outfolder {
  char path[PATH_MAX];    /* without a slash at its end */
  char writing[PATH_MAX]; /* where it is filled; "": closed */
} bd_outfolder;

/* An error if anything is there: what takes long asks before it begins. */
buddy_code bd_outfolder_check(const char *path, buddy_diags *diags);
/* Checks, too. */
buddy_code bd_outfolder_open(const char *path, buddy_diags *diags, bd_outfolder *out_folder);
/* Gives it its name, and closes it. */
buddy_code bd_outfolder_commit(bd_outfolder *folder, buddy_diags *diags);
/* Removes it with all that is in it, if it is open. */
void bd_outfolder_discard(bd_outfolder *folder);

/* Removes a folder of our own with all that is in it; links are not followed. */
void bd_remove_folder(const char *path);

#endif
