// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/shown.h: text as people see it, on a terminal too. Names come from archives, plugins,
 * files and variables, and may hold whatever moves a cursor, ends a line, or makes a text read as
 * another. */
#ifndef BUDDY_CORE_BASE_SHOWN_H
#define BUDDY_CORE_BASE_SHOWN_H

#include "core/base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many bytes at the beginning are characters that are shown: valid UTF-8, and neither controls
 * (of ASCII, or U+0080 to U+009F), nor separators of lines, nor marks that turn the direction of
 * writing. */
BUDDY_EXPORT size_t bd_shown_size(const char *data, size_t size);
/* Whether all are. */
BUDDY_EXPORT bool bd_is_shown(const char *data, size_t size);
/* Appends at most `limit` of the bytes; what is not shown is spelled out, \x1B for a byte and \u202E
 * for a character beyond ASCII; "…" if it was cut. */
BUDDY_EXPORT void bd_text_shown(bd_text *text, const char *data, size_t size, size_t limit);
/* Within double quotes; \" \\ \n \t \r, and \xHH for each byte of what is not shown. */
BUDDY_EXPORT void bd_text_quoted(bd_text *text, const char *data, size_t size);
#define BD_SHOWN_SIZE(limit) (4 * (size_t)(limit) + sizeof "…" + 4) /* the most that it appends */
#define BD_SHOWN_ALL SIZE_MAX

#ifdef __cplusplus
}
#endif
#endif
