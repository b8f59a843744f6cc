// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/options.h: structs that begin with their own size, so that callers and libraries of
 * different versions understand one another. All options are read by these functions. */
#ifndef BUDDY_CORE_BASE_OPTIONS_H
#define BUDDY_CORE_BASE_OPTIONS_H

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_MAX_OPTIONS 4096u /* bytes; no version of any has more */

/* Copies what both have; what the source lacks becomes zero. */
BUDDY_EXPORT void bd_versioned_copy(void *to, size_t to_size, const void *from, size_t from_size);

/* Reads options, whose first field is `size_t struct_size`, over the defaults in `out`, of `size`
 * bytes. given: null for defaults. An older caller's struct is smaller, and the fields that it lacks
 * stay as they are; a newer one's is larger, and must be zero in what this version does not know:
 * nobody's wish is passed over in silence. A struct_size that no version had (0, for one that was
 * never set) is refused. name: of the type, for messages. */
BUDDY_EXPORT buddy_code bd_options_read(void *out, size_t size, const void *given, const char *name,
                                        buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
