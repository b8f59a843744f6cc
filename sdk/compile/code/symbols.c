// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/symbols.c: a table of names with addresses.
 * of the items. */
#include "sdk/compile/code/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/try.h"
#include "sdk/compile/code/libm.h"
#include "sdk/runtime/runtime.h"

typedef struct entry {
  UT_hash_handle hh;
  void *address;
  char name[];
} entry;

struct bd_symbol_table {
  entry *by_name;
  entry **items;
  size_t n_items, capacity;
};

buddy_code bd_symbol_table_create(bd_symbol_table **out_table) {
  *out_table = bd_calloc(1, sizeof(bd_symbol_table));
  return !*out_table ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

void bd_symbol_table_destroy(bd_symbol_table *table) {
  if (!table) return;
  HASH_CLEAR(hh, table->by_name);
  for (size_t i = 0; i < table->n_items; ++i) free(table->items[i]);
  free(table->items);
  free(table);
}

static buddy_code reserve(bd_symbol_table *table) {
  entry **items =
      bd_array_grow(table->items, &table->capacity, table->n_items + 1, sizeof(entry *));
  if (!items) return BUDDY_OUT_OF_MEMORY;
  table->items = items;
  return BUDDY_OK;
}

buddy_code bd_symbol_table_add(bd_symbol_table *table, const char *name, void *address) {
  bool hash_is_full = false;
  const size_t n = strlen(name);
  entry *item = NULL;
  HASH_FIND(hh, table->by_name, name, n, item);
  if (item) return BUDDY_OK;
  if (reserve(table) != BUDDY_OK) return BUDDY_OUT_OF_MEMORY;
  item = bd_calloc(1, sizeof(entry) + n + 1);
  if (!item) return BUDDY_OUT_OF_MEMORY;
  memcpy(item->name, name, n + 1);
  item->address = address;
  HASH_ADD_KEYPTR(hh, table->by_name, item->name, n, item);
  if (hash_is_full) {
    free(item);
    return BUDDY_OUT_OF_MEMORY;
  }
  table->items[table->n_items++] = item;
  return BUDDY_OK;
}

/* Pointers to functions travel as pointers to data, as dlsym and the linker have it. */
static void *address_of(void (*function)(void)) {
  void *address;
  memcpy(&address, &function, sizeof(address));
  return address;
}

buddy_code bd_symbol_table_add_runtime(bd_symbol_table *table) {
  const buddy_runtime_symbol *(*const tables[])(size_t *) = {bd_runtime_symbols, bd_libm_symbols};
  size_t n;
  for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); ++t) {
    const buddy_runtime_symbol *own = tables[t](&n);
    for (size_t i = 0; i < n; ++i) {
      BD_TRY(bd_symbol_table_add(table, own[i].name, address_of(own[i].function)));
    }
  }
  return BUDDY_OK;
}

size_t bd_symbol_table_count(const bd_symbol_table *table) { return table->n_items; }

bd_symbol_address bd_symbol_table_get(const bd_symbol_table *table, size_t i) {
  return (bd_symbol_address){table->items[i]->name, table->items[i]->address};
}
