// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/tables.c: the search of tables.h. */
#include "sdk/import/tables.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *name, const void *row) {
  return strcmp(name, *(const char *const *)row);
}

const void *bd_row_find(const char *name, const void *rows, size_t n, size_t size) {
  return bsearch(name, rows, n, size, compare);
}
