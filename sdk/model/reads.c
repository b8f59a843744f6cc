// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/reads.c: the weights that an entry's code depends on, checked. */
#include "sdk/model/reads.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/import/archive.h"

enum { MAGIC = sizeof(BD_READS_MAGIC) }; /* 16: what follows is aligned */
_Static_assert(MAGIC == 16, "reads.h gives the layout");

static void name_record(const uint8_t *key, uint8_t *out_key) {
  bd_key_name(key, "buddy reads 1", out_key);
}

/* False: a part lies outside the archive. */
static int hash_parts(const uint8_t *key, const buddy_archive *archive,
                      const bd_archive_part *parts, size_t n, uint8_t *out_key) {
  crypto_generichash_state s;
  size_t size = 0;
  const unsigned char *bytes = bd_archive_bytes(archive, &size);
  crypto_generichash_init(&s, NULL, 0, BD_KEY_SIZE);
  crypto_generichash_update(&s, key, BD_KEY_SIZE);
  for (size_t i = 0; i < n; ++i) {
    if (parts[i].at > size || parts[i].size > size - parts[i].at) return 0;
    crypto_generichash_update(&s, (const unsigned char *)&parts[i], sizeof(parts[i]));
    crypto_generichash_update(&s, bytes + parts[i].at, parts[i].size);
  }
  crypto_generichash_final(&s, out_key, BD_KEY_SIZE);
  return 1;
}

buddy_code bd_reads_find(const bd_store *store, const uint8_t *key, const buddy_archive *archive,
                         buddy_diags *diags, uint8_t *out_key) {
  uint8_t own[BD_KEY_SIZE];
  size_t size = 0;
  memcpy(out_key, key, BD_KEY_SIZE);
  name_record(key, own);
  char *text = bd_store_read(store, own, diags, &size);
  if (!text) return BUDDY_OK;
  const size_t n = size < MAGIC ? 0 : (size - MAGIC) / sizeof(bd_archive_part);
  bd_archive_part *parts = bd_calloc(n + 1, sizeof(*parts));
  if (!parts) {
    free(text);
    return BUDDY_OUT_OF_MEMORY;
  }
  if (size == MAGIC + n * sizeof(*parts) && memcmp(text, BD_READS_MAGIC, MAGIC) == 0) {
    memcpy(parts, text + MAGIC, n * sizeof(*parts));
    if (!hash_parts(key, archive, parts, n, out_key)) memcpy(out_key, key, BD_KEY_SIZE);
  }
  free(parts);
  free(text);
  return BUDDY_OK;
}

/* The parts that the first key does not hold, after the magic. */
static size_t choose_parts(const buddy_archive *archive, bd_archive_part *out) {
  size_t n_reads, n = 0;
  const bd_archive_part *reads = bd_archive_reads(archive, &n_reads);
  for (size_t i = 0; i < n_reads; ++i) {
    if (reads[i].size > 0 && !bd_key_holds(archive, &reads[i])) out[n++] = reads[i];
  }
  return n;
}

buddy_code bd_reads_keep(const bd_store *store, const uint8_t *key, const buddy_archive *archive,
                         buddy_diags *diags, uint8_t *out_key) {
  uint8_t own[BD_KEY_SIZE];
  size_t n;
  bd_archive_reads(archive, &n);
  char *text = bd_malloc(MAGIC + (n + 1) * sizeof(bd_archive_part));
  bd_archive_part *parts = bd_calloc(n + 1, sizeof(*parts));
  buddy_code code = !text || !parts ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
  memcpy(out_key, key, BD_KEY_SIZE);
  n = code == BUDDY_OK ? choose_parts(archive, parts) : 0;
  if (n > 0) {
    memcpy(text, BD_READS_MAGIC, MAGIC);
    memcpy(text + MAGIC, parts, n * sizeof(*parts));
    name_record(key, own);
    if (!hash_parts(key, archive, parts, n, out_key)) code = BUDDY_INTERNAL;
    if (code == BUDDY_OK) code = bd_store_add(store, own, text, MAGIC + n * sizeof(*parts), diags);
  }
  free(parts);
  free(text);
  return code;
}
