// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/tables.h: rows that are found by the name of an op. */
#ifndef BUDDY_SDK_IMPORT_TABLES_H
#define BUDDY_SDK_IMPORT_TABLES_H

#include <stdlib.h>
#include <string.h>

static inline int bd_compare_row(const void *name, const void *row) {
  return strcmp(name, *(const char *const *)row);
}

/* The row with this name in an array of rows that begin with theirs, and are sorted by it; null if
 * there is none. */
#define BD_ROW_OF(name, rows) \
  bsearch(name, rows, sizeof(rows) / sizeof *(rows), sizeof *(rows), bd_compare_row)

#endif
