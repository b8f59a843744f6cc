// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/reads.h: weights that decide what the code is.
 *
 * The key of code (key.h) holds of weights where they lie, and the checksum that the archive claims:
 * they are not read for it. A few of them are folded into the code, zero points that are zero for
 * example. Which those are the importer records (bd_archive_reads), and an entry of the store keeps:
 *
 *   1  16 bytes  BD_READS_MAGIC
 *   2  16 bytes for each part of the archive: its place and size, little-endian
 *
 * The code's own key is the hash of the first one, of these parts, and of what the archive holds
 * there. What is looked at depends on the program, which is in the first key, and on what was looked
 * at before: archives that agree in all that is recorded read the same, and have the same code. */
#ifndef BUDDY_SDK_MODEL_READS_H
#define BUDDY_SDK_MODEL_READS_H

#include "sdk/model/store.h"

#define BD_READS_MAGIC "buddy reads 1\n\0"

/* The key of the archive's code, as far as is known what was read of such archives. out_key: the key
 * itself where nothing is recorded. */
buddy_code bd_reads_find(const bd_store *store, const uint8_t *key, const buddy_archive *archive,
                         buddy_diags *diags, uint8_t *out_key);
/* Records what was read of the archive, which has been imported, and gives its code's key. */
buddy_code bd_reads_keep(const bd_store *store, const uint8_t *key, const buddy_archive *archive,
                         buddy_diags *diags, uint8_t *out_key);

#endif
