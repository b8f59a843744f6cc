// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/registries.c: the registries of an order.
 *
 *   plugins    those that were loaded, in order
 *   rows       of all of them, sorted by op and then in the order of asking
 *   by_op      op name to its run of rows
 *   symbols    runtime symbols of all of them, no name twice
 *
 * A registry whose schemas, symbols or rows break a rule is left out whole. */
#define _GNU_SOURCE
#include "core/registry/registries.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/try.h"
#include "core/registry/load.h"
#include "core/symbols/opdef.h"

typedef struct op_rows {
  const char *op;
  size_t first, n;
  UT_hash_handle hh;
} op_rows;

typedef struct symbol_owner {
  const char *name;
  const bd_plugin *plugin;
  UT_hash_handle hh;
} symbol_owner;

struct buddy_registries {
  bd_arena arena;
  buddy_opset *opset;
  bd_load_set set;
  bd_plugin **plugins; /* of the set, without gaps */
  size_t n;
  bd_row *rows;
  size_t n_rows;
  buddy_candidate *candidates; /* one per row */
  op_rows *by_op;
  bd_row *transforms;
  size_t n_transforms;
  buddy_runtime_symbol *symbols;
  size_t n_symbols;
  symbol_owner *owners;  /* by name */
  buddy_chooser chooser; /* choose is null: none */
};

/* ---- Schemas and rows ---- */
/* Whether the opset has this very text already: then there is nothing to change, and other threads
 * may be reading. */
static bool is_defined(const buddy_opset *opset, const char *schema) {
  char name[BD_MAX_OP_NAME];
  const char *colons = strstr(schema, "::");
  const size_t space = colons ? (size_t)(colons - schema) : 0;
  const size_t tail = colons ? strcspn(colons + 2, "( ") : 0;
  if (!colons || space + tail + sizeof ".default" >= sizeof name) return false;
  bd_text text;
  bd_text_init_fixed(&text, name, sizeof name);
  bd_text_append(&text, schema, space);
  bd_text_char(&text, '.');
  bd_text_append(&text, colons + 2, tail);
  if (!memchr(colons + 2, '.', tail)) bd_text_string(&text, ".default");
  const buddy_opdef *def = buddy_opset_find(opset, name);
  return def && !strcmp(buddy_opdef_schema(def), schema);
}

static buddy_code refuse_schema(const bd_plugin *plugin, size_t i, buddy_severity severity,
                                buddy_code code, const buddy_diags *complaints,
                                buddy_diags *diags) {
  const buddy_diag *first = buddy_diags_get(complaints, 0);
  return buddy_diags_add(
      diags, severity, code, plugin->path, "this is for the author of the registry to mend",
      "registry '%s', schema %zu (%s): %s", plugin->descriptor.registry.name, i,
      plugin->descriptor.registry.schemas[i], first ? first->what : buddy_code_name(code));
}

static buddy_code define_schemas(const buddy_registries *registries, const bd_plugin *plugin,
                                 buddy_severity severity, buddy_diags *diags) {
  const char *const *schemas = plugin->descriptor.registry.schemas;
  buddy_diags *complaints;
  buddy_code worst = buddy_diags_create(&complaints);
  for (size_t i = 0; worst != BUDDY_OUT_OF_MEMORY && schemas && schemas[i]; ++i) {
    if (is_defined(registries->opset, schemas[i])) continue;
    buddy_diags_clear(complaints);
    buddy_code code =
        buddy_opset_define(registries->opset, schemas[i], BUDDY_KIND_OTHER, complaints);
    if (code == BUDDY_OK) continue;
    if (code != BUDDY_OUT_OF_MEMORY)
      code = refuse_schema(plugin, i, severity, code, complaints, diags);
    if (worst == BUDDY_OK || code == BUDDY_OUT_OF_MEMORY) worst = code;
  }
  buddy_diags_destroy(complaints);
  return worst;
}

/* ---- Runtime symbols ---- */
static buddy_code refuse_symbol(const bd_plugin *plugin, const symbol_owner *owner,
                                buddy_severity severity, buddy_diags *diags) {
  return buddy_diags_add(diags, severity, BUDDY_INVALID_ARGUMENT, plugin->path,
                         "leave one of the registries out of the order",
                         "the runtime symbol '%s' is brought by '%s' and by '%s'", owner->name,
                         owner->plugin->descriptor.registry.name, plugin->descriptor.registry.name);
}

/* No name may be there twice: emitted code calls by name. */
static buddy_code check_symbols(const buddy_registries *registries, const bd_plugin *plugin,
                                buddy_severity severity, buddy_diags *diags) {
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < plugin->n_symbols; ++i) {
    const char *name = plugin->symbols[i].name;
    symbol_owner *owner;
    HASH_FIND(hh, registries->owners, name, strlen(name), owner);
    if (owner) code = refuse_symbol(plugin, owner, severity, diags);
  }
  return code;
}

static buddy_code add_symbols(buddy_registries *registries, const bd_plugin *plugin) {
  bool hash_is_full = false;
  for (size_t i = 0; i < plugin->n_symbols; ++i) {
    symbol_owner *owner = bd_arena_calloc(&registries->arena, 1, sizeof *owner);
    if (!owner) return BUDDY_OUT_OF_MEMORY;
    *owner = (symbol_owner){.name = plugin->symbols[i].name, .plugin = plugin};
    HASH_ADD_KEYPTR(hh, registries->owners, owner->name, strlen(owner->name), owner);
    if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
    registries->symbols[registries->n_symbols++] = plugin->symbols[i];
  }
  return BUDDY_OK;
}

/* ---- Plugins ---- */
static size_t count_ops(const bd_load_set *set) {
  size_t n = 0;
  for (size_t i = 0; i < set->n; ++i) {
    if (set->items[i].plugin) n += set->items[i].plugin->descriptor.registry.n_ops;
  }
  return n;
}

static size_t count_symbols(const bd_load_set *set) {
  size_t n = 0;
  for (size_t i = 0; i < set->n; ++i) {
    if (set->items[i].plugin) n += set->items[i].plugin->n_symbols;
  }
  return n;
}

static size_t count_transforms(const bd_load_set *set) {
  size_t n = 0;
  for (size_t i = 0; i < set->n; ++i) {
    if (set->items[i].plugin) n += set->items[i].plugin->extensions.n_transforms;
  }
  return n;
}

/* Takes one loaded plugin in, or leaves it out with a warning if it was not asked for by name. */
static buddy_code add_plugin(buddy_registries *registries, const bd_wanted *wanted, buddy_code code,
                             buddy_diags *diags) {
  const buddy_severity severity = wanted->is_required ? BUDDY_ERROR : BUDDY_WARNING;
  size_t n = 0, n_transforms = 0;
  if (code == BUDDY_OK) code = check_symbols(registries, wanted->plugin, severity, diags);
  if (code == BUDDY_OK) {
    code = bd_rows_prepare(wanted->plugin, registries->n, registries->opset, &registries->arena,
                           severity, diags, registries->rows + registries->n_rows, &n);
  }
  if (code == BUDDY_OK) {
    code = bd_rows_prepare_transforms(
        wanted->plugin, registries->n, registries->opset, &registries->arena, severity, diags,
        registries->transforms + registries->n_transforms, &n_transforms);
  }
  if (code == BUDDY_OK) code = add_symbols(registries, wanted->plugin);
  if (code == BUDDY_OK) {
    registries->n_transforms += n_transforms;
    registries->plugins[registries->n++] = wanted->plugin;
    registries->n_rows += n;
  }
  return wanted->is_required || code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_OK;
}

static buddy_code add_plugins(buddy_registries *registries, buddy_diags *diags) {
  const bd_load_set *set = &registries->set;
  const size_t n_ops = count_ops(set);
  registries->plugins = bd_arena_calloc(&registries->arena, set->n, sizeof(bd_plugin *));
  registries->rows = bd_arena_calloc(&registries->arena, n_ops, sizeof(bd_row));
  registries->candidates = bd_arena_calloc(&registries->arena, n_ops, sizeof(buddy_candidate));
  registries->transforms =
      bd_arena_calloc(&registries->arena, count_transforms(set), sizeof(bd_row));
  registries->symbols =
      bd_arena_calloc(&registries->arena, count_symbols(set), sizeof(buddy_runtime_symbol));
  if (!registries->plugins || !registries->rows || !registries->candidates ||
      !registries->transforms || !registries->symbols) {
    return BUDDY_OUT_OF_MEMORY;
  }
  /* All schemas come before all rows: a registry may have rows for the ops of a later one. */
  buddy_code code = BUDDY_OK,
             *defined = bd_arena_calloc(&registries->arena, set->n, sizeof *defined);
  if (!defined) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < set->n; ++i) {
    const bd_wanted *wanted = &set->items[i];
    const buddy_severity severity = wanted->is_required ? BUDDY_ERROR : BUDDY_WARNING;
    if (wanted->plugin) defined[i] = define_schemas(registries, wanted->plugin, severity, diags);
  }
  for (size_t i = 0; i < set->n; ++i) {
    if (!set->items[i].plugin) continue;
    const buddy_code one = add_plugin(registries, &set->items[i], defined[i], diags);
    if (code == BUDDY_OK || one == BUDDY_OUT_OF_MEMORY) code = one;
  }
  return code;
}

/* ---- Pins ---- */
static size_t find_registry(const buddy_registries *registries, const char *name) {
  size_t i = 0;
  while (i < registries->n && strcmp(registries->plugins[i]->descriptor.registry.name, name) != 0)
    ++i;
  return i;
}

static buddy_code refuse_pin(buddy_diags *diags, buddy_severity severity, const bd_pin *pin,
                             buddy_code code, const char *what) {
  return buddy_diags_add(
      diags, severity, code, severity == BUDDY_ERROR ? "pin" : "BUDDY_PINS",
      "`buddy ops --registry NAME` lists what a registry has; --registries says which are "
      "loaded",
      "%s=%s: %s", pin->op, pin->registry, what);
}

/* Options before the environment: `is_default` pins leave an op alone that is pinned already, and
 * are passed over with a warning where they fit no registry of the order. */
static buddy_code apply_pin(buddy_registries *registries, const bd_pin *pin, bool is_default,
                            buddy_diags *diags) {
  const buddy_severity severity = is_default ? BUDDY_WARNING : BUDDY_ERROR;
  const size_t registry = find_registry(registries, pin->registry);
  if (registry == registries->n)
    return refuse_pin(diags, severity, pin, BUDDY_NOT_FOUND, "this registry is not loaded");
  const buddy_opdef *def;
  BD_TRY(bd_opset_look_up(registries->opset, pin->op, &def));
  const char *op = def ? buddy_opdef_name(def) : pin->op;
  bool is_found = false;
  for (size_t i = 0; i < registries->n_rows; ++i) {
    const bd_row *row = &registries->rows[i];
    if (strcmp(row->name, op) != 0) continue;
    if (row->rank == 0 && is_default) return BUDDY_OK;
    if (row->rank == 0 && row->registry != registry) {
      return refuse_pin(diags, severity, pin, BUDDY_INVALID_ARGUMENT,
                        "the op is pinned to another registry as well");
    }
    is_found |= row->registry == registry;
  }
  if (!is_found)
    return refuse_pin(diags, severity, pin, BUDDY_NOT_FOUND, "the registry has no row for this op");
  for (size_t i = 0; i < registries->n_rows; ++i) {
    bd_row *row = &registries->rows[i];
    if (row->registry == registry && !strcmp(row->name, op)) row->rank = 0;
  }
  return BUDDY_OK;
}

static buddy_code apply_environment(buddy_registries *registries, const bd_environment *environment,
                                    buddy_diags *diags) {
  if (!environment->pins) return BUDDY_OK;
  if (environment->is_secure) {
    return buddy_diags_add(diags, BUDDY_NOTE, BUDDY_OK, "BUDDY_PINS", NULL,
                           "is ignored, since this process runs with raised rights");
  }
  bd_pin *pins;
  size_t n;
  const buddy_code code = bd_pins_parse(environment->pins, "BUDDY_PINS", diags, &pins, &n);
  buddy_code worst = code;
  for (size_t i = 0; code == BUDDY_OK && i < n; ++i) {
    if (apply_pin(registries, &pins[i], true, diags) == BUDDY_OUT_OF_MEMORY)
      worst = BUDDY_OUT_OF_MEMORY;
  }
  bd_free(pins);
  return worst;
}

static buddy_code apply_pins(buddy_registries *registries, const buddy_registries_options *options,
                             const bd_environment *environment, buddy_diags *diags) {
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < options->n_pins; ++i) {
    bd_pin pin;
    buddy_code one = bd_pin_parse(options->pins[i], diags, &pin);
    if (one == BUDDY_OK) one = apply_pin(registries, &pin, false, diags);
    if (code == BUDDY_OK || one == BUDDY_OUT_OF_MEMORY) code = one;
  }
  if (code != BUDDY_OK || options->no_environment) return code;
  return apply_environment(registries, environment, diags);
}

/* ---- The table ---- */
static buddy_code build_table(buddy_registries *registries) {
  bool hash_is_full = false;
  if (bd_rows_sort(registries->rows, registries->n_rows)) return BUDDY_OUT_OF_MEMORY;
  op_rows *last = NULL;
  for (size_t i = 0; i < registries->n_rows; ++i) {
    const bd_row *row = &registries->rows[i];
    registries->candidates[i] = (buddy_candidate){row->registry, row->op};
    if (last && !strcmp(last->op, row->name)) {
      ++last->n;
      continue;
    }
    last = bd_arena_calloc(&registries->arena, 1, sizeof *last);
    if (!last) return BUDDY_OUT_OF_MEMORY;
    *last = (op_rows){.op = row->name, .first = i, .n = 1};
    HASH_ADD_KEYPTR(hh, registries->by_op, last->op, strlen(last->op), last);
    if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
  }
  return BUDDY_OK;
}

static const op_rows *find_op(const buddy_registries *registries, const char *op) {
  op_rows *found;
  HASH_FIND(hh, registries->by_op, op, strlen(op), found);
  return found;
}

const bd_row *bd_registries_rows(const buddy_registries *registries, const char *op,
                                 size_t *out_n) {
  const op_rows *found = find_op(registries, op);
  *out_n = found ? found->n : 0;
  return found ? registries->rows + found->first : NULL;
}

const buddy_chooser *bd_registries_chooser(const buddy_registries *registries) {
  return registries->chooser.choose ? &registries->chooser : NULL;
}

const bd_row *bd_registries_all_rows(const buddy_registries *registries, size_t *out_n) {
  *out_n = registries->n_rows;
  return registries->rows;
}

const bd_row *bd_registries_transforms(const buddy_registries *registries, size_t *out_n) {
  *out_n = registries->n_transforms;
  return registries->transforms;
}

size_t bd_registries_n_fragments(const buddy_registries *registries) {
  size_t n = 0;
  for (size_t r = 0; r < registries->n; ++r) n += registries->plugins[r]->extensions.n_fragments;
  return n;
}

const buddy_pass_fragment *bd_registries_fragment(const buddy_registries *registries, size_t i,
                                                  const char **out_registry) {
  for (size_t r = 0; r < registries->n; ++r) {
    const bd_plugin *plugin = registries->plugins[r];
    *out_registry = plugin->descriptor.registry.name;
    if (i < plugin->extensions.n_fragments) return &plugin->extensions.fragments[i];
    i -= plugin->extensions.n_fragments;
  }
  return NULL;
}

const bd_plugin *bd_registries_provider(const buddy_registries *registries, const char *name) {
  const char *const spellings[] = {name, bd_bare_symbol(name)};
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; ++i) {
    symbol_owner *owner;
    HASH_FIND(hh, registries->owners, spellings[i], strlen(spellings[i]), owner);
    if (owner) return owner->plugin;
  }
  return NULL;
}

const char *bd_registries_undefined(const buddy_registries *registries, const char *op) {
  for (size_t r = 0; r < registries->n; ++r) {
    const buddy_registry *registry = &registries->plugins[r]->descriptor.registry;
    for (uint32_t i = 0; i < registry->n_ops; ++i) {
      if (!strcmp(registry->ops[i].name, op)) return registry->name;
    }
  }
  return NULL;
}

/* ---- The whole ---- */
static buddy_code choose_order(const buddy_registries_options *options,
                               const bd_environment *environment, buddy_diags *diags,
                               bd_order *out_order) {
  const char *where = "order", *text = options->order;
  if (!text && !options->no_environment && environment->registries) {
    if (environment->is_secure) {
      buddy_diags_add(diags, BUDDY_NOTE, BUDDY_OK, "BUDDY_REGISTRIES", NULL,
                      "is ignored, since this process runs with raised rights");
    } else {
      where = "BUDDY_REGISTRIES";
      text = environment->registries;
    }
  }
  if (!text) text = BUDDY_DEFAULT_ORDER;
  BD_TRY(bd_order_parse(text, where, diags, out_order));
  if (*text) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_NOTE, BUDDY_OK, where, NULL,
                         "is empty: no registry is loaded, so no op can be lowered");
}

static buddy_code fill(buddy_registries *registries, const buddy_search *search,
                       const bd_order *order, const buddy_registries_options *options,
                       const bd_environment *environment, const buddy_host *host,
                       buddy_diags *diags) {
  const bd_locals locals = {options->locals, options->n_locals};
  BD_TRY(bd_load_set_init(&registries->set, order, search, locals));
  BD_TRY(bd_load_set_open(&registries->set, search, host, diags));
  BD_TRY(add_plugins(registries, diags));
  BD_TRY(apply_pins(registries, options, environment, diags));
  return build_table(registries);
}

buddy_code bd_registries_create_in(const buddy_search *search, buddy_opset *opset,
                                   const buddy_registries_options *options,
                                   const bd_environment *environment, const buddy_host *host,
                                   buddy_diags *diags, buddy_registries **out_registries) {
  *out_registries = NULL;
  buddy_registries_options given = {.struct_size = sizeof given};
  buddy_chooser chooser = {.struct_size = sizeof chooser};
  bd_order order;
  BD_TRY(bd_options_read(&given, sizeof given, options, "buddy_registries_options", diags));
  BD_TRY(bd_options_read(&chooser, sizeof chooser, given.chooser, "buddy_chooser", diags));
  BD_TRY(choose_order(&given, environment, diags, &order));
  buddy_registries *registries = bd_calloc(1, sizeof *registries);
  if (!registries) return BUDDY_OUT_OF_MEMORY;
  registries->opset = opset;
  if (given.chooser) registries->chooser = chooser;
  buddy_code code = fill(registries, search, &order, &given, environment, host, diags);
  if (code == BUDDY_OK) {
    *out_registries = registries;
  } else {
    buddy_registries_destroy(registries);
  }
  return code;
}

void buddy_registries_destroy(buddy_registries *registries) {
  if (!registries) return;
  HASH_CLEAR(hh, registries->by_op);
  HASH_CLEAR(hh, registries->owners);
  bd_load_set_deinit(&registries->set);
  bd_arena_deinit(&registries->arena);
  bd_free(registries);
}

const buddy_opset *buddy_registries_opset(const buddy_registries *registries) {
  return registries->opset;
}

size_t buddy_registries_count(const buddy_registries *registries) { return registries->n; }

const buddy_registry *buddy_registries_get(const buddy_registries *registries, size_t i) {
  return i < registries->n ? &registries->plugins[i]->descriptor.registry : NULL;
}

const char *buddy_registries_path(const buddy_registries *registries, size_t i) {
  return i < registries->n ? registries->plugins[i]->path : NULL;
}

size_t buddy_registries_candidates(const buddy_registries *registries, const char *op,
                                   const buddy_candidate **out_candidates) {
  const op_rows *found = find_op(registries, op);
  if (!found) { /* perhaps by an alias */
    const buddy_opdef *def = buddy_opset_find(registries->opset, op);
    found = def ? find_op(registries, buddy_opdef_name(def)) : NULL;
  }
  *out_candidates = found ? registries->candidates + found->first : NULL;
  return found ? found->n : 0;
}

size_t buddy_registries_n_symbols(const buddy_registries *registries) {
  return registries->n_symbols;
}

const buddy_runtime_symbol *buddy_registries_symbol(const buddy_registries *registries, size_t i) {
  return i < registries->n_symbols ? &registries->symbols[i] : NULL;
}
