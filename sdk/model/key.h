/* sdk/model/key.h: what compiled code depends on, as one number. */
#ifndef BUDDY_SDK_MODEL_KEY_H
#define BUDDY_SDK_MODEL_KEY_H

#include "buddy/compile.h"
#include "buddy/import.h"

#define BD_KEY_SIZE 32u

/* The BLAKE2b hash of: the archive's program and where its weights lie; every option; every
 * registry that the search finds, and buddy's own libraries, by their files' identity; the order of
 * registries; the processor. Weights are not read. options may be null. */
buddy_code bd_key_compute(const buddy_archive *archive, const buddy_model_options *options,
                          buddy_diags *diags, uint8_t *out_key);

#endif
