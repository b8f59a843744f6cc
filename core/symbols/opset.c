// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/symbols/opset.c: op definitions by name.
 *
 *   aliases   name -> name that it stands for, itself perhaps an alias
 *   tables    sorted rows that the caller keeps; each row is parsed when it is first found
 *   defined   name -> definition, parsed when given
 *
 * Finding may happen on several threads: a parsed row is published by one atomic pointer, and
 * parsing, which takes memory from the arena, happens under a lock. Defining is for one thread,
 * before any graph uses the opset. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/try.h"
#include "core/symbols/opdef.h"

typedef struct definition {
  buddy_opdef def;
  UT_hash_handle hh; /* by def.name */
} definition;

typedef struct alias {
  const char *name, *target;
  UT_hash_handle hh; /* by name */
} alias;

typedef struct table {
  const buddy_schema_row *rows;
  size_t n_rows;
  _Atomic(const buddy_opdef *) *parsed; /* one per row; null: not yet */
} table;

struct buddy_opset {
  bd_arena arena;
  definition *defined;
  alias *aliases;
  table *tables;
  size_t n_tables, tables_capacity;
  pthread_mutex_t lock; /* of the arena, while rows are parsed */
};

buddy_code buddy_opset_create(buddy_opset **out_opset) {
  *out_opset = NULL;
  buddy_opset *opset = bd_calloc(1, sizeof *opset);
  if (!opset) return BUDDY_OUT_OF_MEMORY;
  if (pthread_mutex_init(&opset->lock, NULL)) {
    bd_free(opset);
    return BUDDY_OUT_OF_MEMORY;
  }
  *out_opset = opset;
  return BUDDY_OK;
}

void buddy_opset_destroy(buddy_opset *opset) {
  if (!opset) return;
  HASH_CLEAR(hh, opset->defined);
  HASH_CLEAR(hh, opset->aliases);
  for (size_t i = 0; i < opset->n_tables; ++i) bd_free(opset->tables[i].parsed);
  bd_free(opset->tables);
  bd_arena_deinit(&opset->arena);
  pthread_mutex_destroy(&opset->lock);
  bd_free(opset);
}

/* ---- Finding ---- */

static const buddy_schema_row *find_row(const table *in, const char *name) {
  size_t low = 0, high = in->n_rows;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(name, in->rows[middle].name);
    if (order == 0) return &in->rows[middle];
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NULL;
}

static buddy_code parse_row(buddy_opset *opset, const buddy_schema_row *row,
                            const buddy_opdef **out_def) {
  buddy_opdef *def = bd_arena_calloc(&opset->arena, 1, sizeof *def);
  if (!def) return BUDDY_OUT_OF_MEMORY;
  def->kind = (buddy_op_kind)row->kind;
  const buddy_code code = bd_schema_parse(&opset->arena, row->schema, NULL, def);
  if (code) return code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_CORRUPT;
  if (strcmp(def->name, row->name)) return BUDDY_CORRUPT;
  *out_def = def;
  return BUDDY_OK;
}

/* The definition of a row, parsed now or before. */
static buddy_code parsed_row(const buddy_opset *opset, const table *in, const buddy_schema_row *row,
                             const buddy_opdef **out_def) {
  _Atomic(const buddy_opdef *) *slot = &in->parsed[row - in->rows];
  *out_def = atomic_load_explicit(slot, memory_order_acquire);
  if (*out_def) return BUDDY_OK;
  /* Const to the callers, who see no difference; the lock guards what changes. */
  buddy_opset *mutable = (buddy_opset *)(uintptr_t)opset;
  pthread_mutex_lock(&mutable->lock);
  *out_def = atomic_load_explicit(slot, memory_order_relaxed);
  buddy_code code = BUDDY_OK;
  if (!*out_def) {
    code = parse_row(mutable, row, out_def);
    if (!code) atomic_store_explicit(slot, *out_def, memory_order_release);
  }
  pthread_mutex_unlock(&mutable->lock);
  return code;
}

/* Ends, since buddy_opset_alias lets no chain lead back to itself. */
static const char *follow_alias(const buddy_opset *opset, const char *name) {
  for (alias *found;; name = found->target) {
    HASH_FIND(hh, opset->aliases, name, strlen(name), found);
    if (!found) return name;
  }
}

buddy_code bd_opset_find(const buddy_opset *opset, const char *name, const buddy_opdef **out_def) {
  *out_def = NULL;
  name = follow_alias(opset, name);
  for (size_t i = 0; i < opset->n_tables; ++i) {
    const buddy_schema_row *row = find_row(&opset->tables[i], name);
    if (row) return parsed_row(opset, &opset->tables[i], row, out_def);
  }
  definition *found;
  HASH_FIND(hh, opset->defined, name, strlen(name), found);
  if (!found) return BUDDY_NOT_FOUND;
  *out_def = &found->def;
  return BUDDY_OK;
}

buddy_code bd_opset_look_up(const buddy_opset *opset, const char *name,
                            const buddy_opdef **out_def) {
  const buddy_code code = bd_opset_find(opset, name, out_def);
  if (code) *out_def = NULL;
  return code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_OK;
}

const buddy_opdef *buddy_opset_find(const buddy_opset *opset, const char *name) {
  const buddy_opdef *def;
  return bd_opset_find(opset, name, &def) ? NULL : def;
}

static const char *schema_of(const buddy_opset *opset, const char *name) {
  for (size_t i = 0; i < opset->n_tables; ++i) {
    const buddy_schema_row *row = find_row(&opset->tables[i], name);
    if (row) return row->schema;
  }
  definition *found;
  HASH_FIND(hh, opset->defined, name, strlen(name), found);
  return found ? found->def.schema : NULL;
}

/* ---- Defining ---- */

static buddy_code insert(buddy_opset *opset, definition *added) {
  bool hash_is_full = false;
  HASH_ADD_KEYPTR(hh, opset->defined, added->def.name, strlen(added->def.name), added);
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

buddy_code buddy_opset_define(buddy_opset *opset, const char *schema, buddy_op_kind kind,
                              buddy_diags *diags) {
  definition *added = bd_arena_calloc(&opset->arena, 1, sizeof *added);
  if (!added) return BUDDY_OUT_OF_MEMORY;
  added->def.kind = kind;
  BD_TRY(bd_schema_parse(&opset->arena, schema, diags, &added->def));
  const char *before = schema_of(opset, added->def.name);
  if (!before) return insert(opset, added);
  if (!strcmp(before, schema)) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, added->def.name,
                         "give the op another name, or the same schema",
                         "the op is defined already, as \"%s\"; this is \"%s\"", before, schema);
}

buddy_code buddy_opset_alias(buddy_opset *opset, const char *alias_name, const char *name,
                             buddy_diags *diags) {
  const char *target = follow_alias(opset, name);
  if (!schema_of(opset, target)) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, alias_name, "define the op first",
                           "the alias is for %s, which is not defined", name);
  }
  if (!strcmp(alias_name, target)) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CYCLE, alias_name, NULL,
                           "the alias would stand for itself");
  }
  alias *added;
  HASH_FIND(hh, opset->aliases, alias_name, strlen(alias_name), added);
  if (added && !strcmp(added->target, target)) return BUDDY_OK;
  if (added) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, alias_name, NULL,
                           "the alias stands for %s already; it cannot be for %s too",
                           added->target, target);
  }
  added = bd_arena_calloc(&opset->arena, 1, sizeof *added);
  if (!added) return BUDDY_OUT_OF_MEMORY;
  added->name = bd_arena_strdup(&opset->arena, alias_name);
  added->target = bd_arena_strdup(&opset->arena, target);
  if (!added->name || !added->target) return BUDDY_OUT_OF_MEMORY;
  bool hash_is_full = false;
  HASH_ADD_KEYPTR(hh, opset->aliases, added->name, strlen(added->name), added);
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

buddy_code buddy_opset_add_table(buddy_opset *opset, const buddy_schema_row *rows, size_t n_rows) {
  for (size_t i = 1; i < n_rows; ++i) {
    if (strcmp(rows[i - 1].name, rows[i].name) >= 0) return BUDDY_INVALID_ARGUMENT;
  }
  void *tables = bd_array_grow(opset->tables, &opset->tables_capacity, opset->n_tables + 1,
                               sizeof *opset->tables);
  if (!tables) return BUDDY_OUT_OF_MEMORY;
  opset->tables = tables;
  table added = {.rows = rows, .n_rows = n_rows, .parsed = bd_calloc(n_rows, sizeof *added.parsed)};
  if (!added.parsed) return BUDDY_OUT_OF_MEMORY;
  opset->tables[opset->n_tables++] = added;
  return BUDDY_OK;
}

/* Definitions are const to all that share them; what two threads find at once is the same row. */
const bd_contract *bd_opdef_contract(const buddy_opdef *def) {
  static const bd_contract none = {0};
  const bd_contract **slot = (const bd_contract **)(uintptr_t)&def->contract;
  const bd_contract *found = __atomic_load_n(slot, __ATOMIC_RELAXED);
  if (!found) {
    found = bd_contract_find(def->name, def->kind);
    if (!found) found = &none;
    __atomic_store_n(slot, found, __ATOMIC_RELAXED);
  }
  return found == &none ? NULL : found;
}
