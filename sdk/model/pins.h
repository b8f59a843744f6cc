// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/pins.h: pins that a search found, kept in the cache, and options with them. */
#ifndef BUDDY_SDK_MODEL_PINS_H
#define BUDDY_SDK_MODEL_PINS_H

#include "sdk/model/how.h"
#include "sdk/model/store.h"

/* Options with further pins after their own. Lends from the options that it was made of. */
typedef struct bd_pinned {
  bd_model_how how;
  const char **items; /* of how.registries.pins; owned */
  char *text;         /* what the further ones point to; owned */
} bd_pinned;

/* given: may be null. pins: "op=registry,op=registry". After a failure, too, bd_pinned_deinit is
 * due. */
buddy_code bd_pinned_init(const buddy_model_options *given, const char *pins, bd_pinned *out);
void bd_pinned_deinit(bd_pinned *pinned);

/* key: of the code under the options without them. out_pins: owned by the caller; null: there are
 * none. */
buddy_code bd_pins_find(const bd_store *store, const uint8_t *key, buddy_diags *diags,
                        char **out_pins);
buddy_code bd_pins_keep(const bd_store *store, const uint8_t *key, const char *pins,
                        buddy_diags *diags);

#endif
