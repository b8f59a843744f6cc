// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/store.h: compiled code, and what else is found out, on disk, by key.
 *
 * One folder of the user's own, one file an entry, named after the key in hex, ".code" after it:
 *
 *   1  16 bytes  BD_STORE_MAGIC
 *   2  32 bytes  the key
 *   3  8 bytes   size of the code, little-endian
 *   4  8 bytes   zero
 *   5  32 bytes  BLAKE2b of the code
 *   6  32 bytes  zero
 *   7  the code: a shared library; or a text (pins.h, rates.h)
 *
 * A file appears under its name when it is whole (core/base/outfile.h), so that readers see whole
 * entries alone, and writers of one entry do not meet. What is read is checked, and then used from memory: what
 * becomes of the file afterwards does not matter. */
#ifndef BUDDY_SDK_MODEL_STORE_H
#define BUDDY_SDK_MODEL_STORE_H

#include "buddy/cache.h"
#include "sdk/model/key.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_STORE_MAGIC "buddy code 1\n\0\0"
#define BD_STORE_HEADER 128u

typedef struct bd_store {
  char *path;     /* of the folder, owned */
  int descriptor; /* of the folder; -1: none */
} bd_store;

/* Opens the folder, which is made if there is none. dir: null for the usual one. Refused: a folder
 * that others own or may write to (core/base/trust.h). */
buddy_code bd_store_open(const char *dir, int make, buddy_diags *diags, bd_store *out_store);
void bd_store_close(bd_store *store);

/* The code of an entry in a sealed memory file, which the caller closes; -1: there is no entry, or
 * it was damaged, and removed. */
int bd_store_find(const bd_store *store, const uint8_t *key, buddy_diags *diags);
/* Makes an entry of bytes, which need not be code; then removes the entries that have not been used
 * for longest until the folder keeps to its limit. */
buddy_code bd_store_add(const bd_store *store, const uint8_t *key, const char *bytes, size_t size,
                        buddy_diags *diags);
/* The bytes of an entry, with a NUL after them, which the caller frees; null: there is no entry,
 * it was damaged, and removed, or memory is out. */
char *bd_store_read(const bd_store *store, const uint8_t *key, buddy_diags *diags,
                    size_t *out_size);
buddy_code bd_store_remove(const bd_store *store, const uint8_t *key, bool *out_was_there);
/* The text of BUDDY_CACHE_SIZE if it is no number, so that the limit is the usual one; else null. */
const char *bd_store_size_unread(void);

#ifdef __cplusplus
}
#endif

#endif
