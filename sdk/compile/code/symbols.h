// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/symbols.h: names with addresses, for linking compiled code. */
#ifndef BUDDY_SDK_COMPILE_SYMBOLS_H
#define BUDDY_SDK_COMPILE_SYMBOLS_H

#include "buddy/base.h"

typedef struct bd_symbol_address {
  const char *name; /* owned by the table */
  void *address;
} bd_symbol_address;

typedef struct bd_symbol_table bd_symbol_table;
buddy_code bd_symbol_table_create(bd_symbol_table **out_table);
void bd_symbol_table_destroy(bd_symbol_table *table);
/* Copies the name; the first address of a name wins. */
buddy_code bd_symbol_table_add(bd_symbol_table *table, const char *name, void *address);
/* The runtime's own functions. */
buddy_code bd_symbol_table_add_runtime(bd_symbol_table *table);
size_t bd_symbol_table_count(const bd_symbol_table *table);
bd_symbol_address bd_symbol_table_get(const bd_symbol_table *table, size_t i);

#endif
