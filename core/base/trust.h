// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/trust.h: whose files are believed.
 *
 * One rule for code that will run (plugins, model libraries), for settings that name code
 * (buddy.toml), for the cache, and for the folders of all of them: nobody but root and the user may
 * be able to change the file. It belongs to one of them, not everybody may write to it, and a group
 * may only if it is the private one of the owner or of the user, which has their number: useradd
 * makes such a group for each user, and the umask 002 that goes with it makes everything
 * group-writable without letting anybody in. A group of several people is refused: any of them could
 * run code as the user. A folder with the sticky bit may be written by others, who cannot exchange
 * what is not theirs. */
#ifndef BUDDY_CORE_BASE_TRUST_H
#define BUDDY_CORE_BASE_TRUST_H

#include "core/base/infile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* what: begins the sentence of a refusal: "the file", "its folder". */
BUDDY_EXPORT bool bd_trust(const struct stat *status, const char *what, bd_fault *out_fault);
/* The folder that the path of a file names. */
BUDDY_EXPORT bool bd_trust_folder_of(const char *path, bd_fault *out_fault);

#ifdef __cplusplus
}
#endif
#endif
