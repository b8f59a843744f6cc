// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/tables.h: rows that are found by the name of an op. */
#ifndef BUDDY_SDK_IMPORT_TABLES_H
#define BUDDY_SDK_IMPORT_TABLES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The row with this name among n of `size` bytes that begin with theirs, a const char *, and are
 * sorted by it; null if there is none. */
const void *bd_row_find(const char *name, const void *rows, size_t n, size_t size);

#define BD_ROW_OF(name, rows) bd_row_find(name, rows, sizeof(rows) / sizeof *(rows), sizeof *(rows))

#ifdef __cplusplus
}
#endif
#endif
