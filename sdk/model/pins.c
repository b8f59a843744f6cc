// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/pins.c: pins in the cache. An entry of the store, as code is, under a key of its own.
 * */
#include "sdk/model/pins.h"
#include "core/base/memory.h"
#include "core/base/try.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 }; /* of an entry: the text, and zeros after it */

/* ---- Options --------------------------------------------------------------------------------- */
static size_t count_items(const char *text) {
  size_t n = 0;
  for (const char *at = text; *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
    ++n;
  return n;
}

buddy_code bd_pinned_init(const buddy_model_options *given, const char *pins, bd_pinned *out) {
  *out = (bd_pinned){.items = NULL};
  BD_TRY(bd_model_how_read(given, NULL, &out->how));
  buddy_registries_options *registries = &out->how.registries;
  const size_t n_given = registries->n_pins;
  out->text = bd_strdup(pins);
  out->items = bd_calloc(n_given + count_items(pins) + 1, sizeof(*out->items));
  if (!out->text || !out->items) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n_given; ++i) out->items[i] = registries->pins[i];
  char *rest = NULL;
  for (char *item = strtok_r(out->text, ",", &rest); item; item = strtok_r(NULL, ",", &rest))
    out->items[registries->n_pins++] = item;
  registries->pins = out->items;
  return BUDDY_OK;
}

void bd_pinned_deinit(bd_pinned *pinned) {
  free(pinned->items);
  free(pinned->text);
  *pinned = (bd_pinned){.items = NULL};
}

/* ---- The cache ------------------------------------------------------------------------------- */
buddy_code bd_pins_find(const bd_store *store, const uint8_t *key, buddy_diags *diags,
                        char **out_pins) {
  uint8_t own[BD_KEY_SIZE];
  size_t size = 0;
  bd_key_name(key, "buddy pins 1", own);
  *out_pins = bd_store_read(store, own, diags, &size);
  const bool are_pins = *out_pins && size == BLOCK && (*out_pins)[BLOCK - 1] == '\0';
  if (are_pins) return BUDDY_OK;
  free(*out_pins);
  *out_pins = NULL;
  return BUDDY_OK;
}

buddy_code bd_pins_keep(const bd_store *store, const uint8_t *key, const char *pins,
                        buddy_diags *diags) {
  uint8_t own[BD_KEY_SIZE];
  char block[BLOCK] = {0};
  if (strlen(pins) >= sizeof(block)) return BUDDY_LIMIT;
  strcpy(block, pins);
  bd_key_name(key, "buddy pins 1", own);
  return bd_store_add(store, own, block, sizeof(block), diags);
}
