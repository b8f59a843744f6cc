// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/zip.h: the entries of a zip file that lies in memory, checked before any of them is
 * used. */
#ifndef BUDDY_SDK_IMPORT_ZIP_H
#define BUDDY_SDK_IMPORT_ZIP_H

#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_ZIP_MAX_ENTRIES 1000000u
#define BD_ZIP_MAX_NAME 4096u

typedef struct bd_zip bd_zip;

/* One file of the archive. Its bytes lie within the zip and overlap no other entry's. */
typedef struct bd_zip_entry {
  const char *name;
  const uint8_t *bytes; /* as they lie in the file: deflated, if !is_stored */
  size_t size;          /* once inflated */
  size_t stored_size;
  uint32_t crc;
  bool is_stored;
} bd_zip_entry;

/* Reads the directory of the zip in `bytes`, which must outlive it. `where` names the file in
 * messages. Refused with the entry's name: paths that leave the folder, duplicates, entries that
 * overlap, lie about their sizes, are encrypted or compressed by other means than deflate. */
BUDDY_EXPORT buddy_code bd_zip_open(const uint8_t *bytes, size_t n_bytes, const char *where,
                                    buddy_diags *diags, bd_zip **out_zip);
BUDDY_EXPORT void bd_zip_close(bd_zip *zip);

BUDDY_EXPORT size_t bd_zip_n_entries(const bd_zip *zip);
BUDDY_EXPORT const bd_zip_entry *bd_zip_entry_at(const bd_zip *zip,
                                                 size_t i); /* in the order of the directory */
BUDDY_EXPORT const bd_zip_entry *bd_zip_find(const bd_zip *zip,
                                             const char *name); /* null if there is none */

/* Whether `n` bytes after the entry's own still belong to the file. */
bool bd_zip_has_behind(const bd_zip *zip, const bd_zip_entry *entry, size_t n);
/* Compares the checksum of an entry with its bytes, which are inflated piece by piece if need be. */
BUDDY_EXPORT buddy_code bd_zip_check(const bd_zip *zip, const bd_zip_entry *entry,
                                     buddy_diags *diags);
/* Inflates an entry into `out` of entry->size bytes and checks its checksum. */
BUDDY_EXPORT buddy_code bd_zip_inflate(bd_zip *zip, const bd_zip_entry *entry, buddy_diags *diags,
                                       uint8_t *out);

#ifdef __cplusplus
}
#endif
#endif
