// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/key.h: what compiled code depends on, as one number. */
#ifndef BUDDY_SDK_MODEL_KEY_H
#define BUDDY_SDK_MODEL_KEY_H

#include "buddy/compile.h"
#include "sdk/import/archive.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_KEY_SIZE 32u

/* What does not depend on the archive, nor on the order: every registry that the search finds, and
 * buddy's own libraries, by their files' identity; the processor. options may be null. */
buddy_code bd_key_ground(const buddy_model_options *options, buddy_diags *diags,
                         uint8_t *out_ground);
/* The BLAKE2b hash of: the ground; the archive's program and where its weights lie; every option;
 * the order of registries, and what chooses against it. Weights are not read: see reads.h. */
void bd_key_compute(const buddy_archive *archive, const uint8_t *ground,
                    const buddy_model_options *options, uint8_t *out_key);
/* Whether a part of the archive is in the key by what it holds. */
int bd_key_holds(const buddy_archive *archive, const bd_archive_part *part);
/* A key for something else about the same: its name tells what. */
void bd_key_name(const uint8_t *key, const char *what, uint8_t *out_key);

#ifdef __cplusplus
}
#endif

#endif
