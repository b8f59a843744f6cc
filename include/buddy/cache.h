// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/cache.h: compiled code that is kept on disk, so that a second start compiles nothing. Part
 * of libbuddy_model.
 *
 * The folder is BUDDY_CACHE_DIR, else ${XDG_CACHE_HOME:-$HOME/.cache}/buddy. It belongs to one
 * user, and nobody else may write to it, whatever the umask was; one that is full, read-only or
 * otherwise of no use is a warning to whoever loads a model. Entries are found by a hash of
 * everything that the code depends on, and checked when they are read. Its size is kept below BUDDY_CACHE_SIZE (in MiB, 1024 by default). The variables are
 * ignored in a setuid process, which has no cache. */
#ifndef BUDDY_CACHE_H
#define BUDDY_CACHE_H

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the cache is; whether it exists is another matter. BUDDY_NOT_FOUND: there is no home. path:
 * room for `size` bytes; BUDDY_LIMIT if that is too little. */
BUDDY_EXPORT buddy_code buddy_cache_path(char *path, size_t size);

typedef struct buddy_cache_entry {
  const char *name; /* the key, in hex */
  uint64_t n_bytes;
  int64_t used; /* when it was used last, in seconds since 1970 */
} buddy_cache_entry;
/* Calls `each` for the entries, the one used last first; a code other than BUDDY_OK stops. */
BUDDY_EXPORT buddy_code buddy_cache_list(
    buddy_diags *diags, buddy_code (*each)(void *user, const buddy_cache_entry *entry), void *user);
/* Removes all entries. out_n: how many. */
BUDDY_EXPORT buddy_code buddy_cache_clear(buddy_diags *diags, size_t *out_n);
/* The same for the folder `dir`, as buddy_model_options.cache_dir names one; null: the usual one. A
 * folder that is not there is an empty cache. */
BUDDY_EXPORT buddy_code buddy_cache_list_dir(const char *dir, buddy_diags *diags,
                                             buddy_code (*each)(void *user,
                                                                const buddy_cache_entry *entry),
                                             void *user);
BUDDY_EXPORT buddy_code buddy_cache_clear_dir(const char *dir, buddy_diags *diags, size_t *out_n);

#ifdef __cplusplus
}
#endif
#endif
