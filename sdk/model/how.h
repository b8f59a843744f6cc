// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/how.h: the options of a model, as this version has them: read once, where a call of the
 * API gets them, whatever version the caller is of. */
#ifndef BUDDY_SDK_MODEL_HOW_H
#define BUDDY_SDK_MODEL_HOW_H

#include "buddy/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Not to be copied: options points at the others, and never to null. Lends strings and lists from
 * what it was read from. */
typedef struct bd_model_how {
  buddy_model_options options;
  buddy_search_options search;
  buddy_registries_options registries;
  buddy_compile_options compile;
} bd_model_how;

/* given: may be null. */
BUDDY_EXPORT buddy_code bd_model_how_read(const buddy_model_options *given, buddy_diags *diags,
                                          bd_model_how *out);

#ifdef __cplusplus
}
#endif

#endif
