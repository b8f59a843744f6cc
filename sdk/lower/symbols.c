// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/symbols.c: which IR value stands for a value of the graph: a hash table by address. */
#include "sdk/lower/lowering.h"

#include "core/base/hash.h"

struct bd_value_entry {
  const buddy_value *value;
  MlirValue ir_value;
  UT_hash_handle hh;
};

buddy_code bd_values_set(bd_function *function, const buddy_value *value, MlirValue ir_value) {
  bd_value_entry *entry = NULL;
  HASH_FIND_PTR(function->values, &value, entry);
  if (!entry) {
    bool hash_is_full = false;
    entry = bd_malloc(sizeof(bd_value_entry));
    if (!entry) return BUDDY_OUT_OF_MEMORY;
    entry->value = value;
    HASH_ADD_PTR(function->values, value, entry);
    if (hash_is_full) {
      bd_free(entry);
      return BUDDY_OUT_OF_MEMORY;
    }
  }
  entry->ir_value = ir_value;
  return BUDDY_OK;
}

MlirValue bd_values_find(const bd_function *function, const buddy_value *value) {
  const bd_value_entry *entry = NULL;
  HASH_FIND_PTR(function->values, &value, entry);
  return entry ? entry->ir_value : (MlirValue){NULL};
}

void bd_values_clear(bd_function *function) {
  bd_value_entry *entry, *next;
  HASH_ITER(hh, function->values, entry, next) {
    HASH_DEL(function->values, entry);
    bd_free(entry);
  }
}
