// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/remarks.h: what the compiler remarked about a model, warnings and the note of who took its
 * nodes, kept with its code in the store, so that a load from there tells it as well.
 *
 * They lie after the library in the same bytes, where the dynamic linker does not look:
 *
 *   1  the library
 *   2  the remarks, a line each: severity, code, where, what, todo, with tabs between them, which the
 *      texts of diagnostics have not
 *   3  8 bytes   size of 2, little-endian
 *   4  16 bytes  BD_REMARKS_MAGIC */
#ifndef BUDDY_SDK_MODEL_REMARKS_H
#define BUDDY_SDK_MODEL_REMARKS_H

#include "core/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_REMARKS_MAGIC "buddy remarks 1\n" /* without the NUL after it */

/* Appends what is in diags from number `first` on, errors apart, to the library. */
buddy_code bd_remarks_append(bd_bytes *library, const buddy_diags *diags, size_t first);
/* Adds the remarks of such a file to diags; nothing, if it has none. */
void bd_remarks_tell(int file, buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
