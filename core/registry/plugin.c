// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/plugin.c: the handshake with one plugin file, in order: preflight, dlopen, query,
 * descriptor, open, runtime symbols. */
#define _GNU_SOURCE
#include "core/registry/plugin.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "core/registry/spelling.h"

#define MAX_SYMBOLS 65536u

__attribute__((format(printf, 3, 4))) static buddy_code refuse(char why[BD_REFUSAL_SIZE],
                                                               buddy_code code, const char *format,
                                                               ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(why, BD_REFUSAL_SIZE, format, args);
  va_end(args);
  return code;
}

/* A sentence that a plugin or the dynamic linker wrote, fit to be shown. */
static buddy_code refuse_quoting(char why[BD_REFUSAL_SIZE], buddy_code code, const char *prefix,
                                 const char *quoted, size_t size) {
  bd_text text;
  bd_text_init_fixed(&text, why, BD_REFUSAL_SIZE);
  bd_text_string(&text, prefix);
  bd_text_shown(&text, quoted, size, BD_REFUSAL_SIZE);
  return code;
}

/* ---- Loading ---- */
static buddy_code open_object(bd_plugin *plugin, char why[BD_REFUSAL_SIZE]) {
  /* NOW: a missing symbol is an error here, not a crash later. LOCAL: plugins do not see each
   * other's symbols. */
  plugin->handle = bd_library_load(plugin->path);
  if (plugin->handle) return BUDDY_OK;
  const char *error = dlerror();
  if (!error) error = "no reason given";
  return refuse_quoting(why, BUDDY_INCOMPATIBLE, "the dynamic linker refuses it: ", error,
                        strlen(error));
}

static buddy_code ask(bd_plugin *plugin, const buddy_elf_note *note, const bd_segments *segments,
                      char why[BD_REFUSAL_SIZE]) {
  struct link_map *map = NULL;
  union {
    void *symbol;
    buddy_registry_query_fn call;
  } query = {dlsym(plugin->handle, BUDDY_REGISTRY_QUERY)};
  if (!query.symbol || dlinfo(plugin->handle, RTLD_DI_LINKMAP, &map) || !map ||
      !bd_segments_can_call(segments, (uintptr_t)query.symbol, map->l_addr)) {
    return refuse(why, BUDDY_INCOMPATIBLE, "exports no " BUDDY_REGISTRY_QUERY " of its own");
  }
  return bd_descriptor_read(query.call(BUDDY_ABI_VERSION), segments, map->l_addr, note,
                            &plugin->arena, why, &plugin->descriptor);
}

static buddy_code load(bd_plugin *plugin, const char *path, const bd_plugin_file *file,
                       char why[BD_REFUSAL_SIZE]) {
  if (strchr(path, '$')) {
    return refuse(why, BUDDY_PERMISSION,
                  "there is a $ in its path, which the dynamic linker would read as another path");
  }
  if (file->elf.code != BUDDY_OK) return refuse(why, file->elf.code, "%s", file->elf.refusal);
  plugin->id = file->id;
  plugin->path = bd_arena_strdup(&plugin->arena, path);
  if (!plugin->path) return refuse(why, BUDDY_OUT_OF_MEMORY, "out of memory");
  buddy_code code = open_object(plugin, why);
  if (code != BUDDY_OK) return code;
  bd_segments segments;
  code = bd_segments_init(&segments);
  if (code == BUDDY_OK) code = ask(plugin, &file->elf.note, &segments, why);
  bd_segments_deinit(&segments);
  return code;
}

buddy_code bd_plugin_load(const char *path, const bd_plugin_file *file, char why[BD_REFUSAL_SIZE],
                          bd_plugin **out_plugin) {
  *out_plugin = NULL;
  why[0] = 0;
  bd_plugin *plugin = bd_calloc(1, sizeof *plugin);
  if (!plugin) return refuse(why, BUDDY_OUT_OF_MEMORY, "out of memory");
  const buddy_code code = load(plugin, path, file, why);
  if (code == BUDDY_OK) {
    *out_plugin = plugin;
  } else {
    bd_plugin_unload(plugin);
  }
  return code;
}

buddy_code bd_plugin_adopt(const buddy_registry *registry, char why[BD_REFUSAL_SIZE],
                           bd_plugin **out_plugin) {
  *out_plugin = NULL;
  why[0] = 0;
  bd_plugin *plugin = bd_calloc(1, sizeof *plugin);
  if (!plugin) return refuse(why, BUDDY_OUT_OF_MEMORY, "out of memory");
  plugin->path = "this process";
  plugin->is_local = true;
  const buddy_code code = bd_descriptor_copy(registry, &plugin->arena, why, &plugin->descriptor);
  if (code == BUDDY_OK) {
    *out_plugin = plugin;
  } else {
    bd_plugin_unload(plugin);
  }
  return code;
}

void bd_plugin_unload(bd_plugin *plugin) {
  if (!plugin) return;
  if (plugin->handle) dlclose(plugin->handle);
  bd_arena_deinit(&plugin->arena);
  bd_free(plugin);
}

/* ---- Serial registries ---- */
/* One lock, not one for each: a row of one may lower a subgraph, and so enter another while it is
 * inside. Two locks that two threads take in different order would hold both for ever. */
static pthread_mutex_t serial = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static bool is_serial(const bd_plugin *plugin) {
  return (plugin->descriptor.registry.flags & BUDDY_REGISTRY_SERIAL) != 0;
}

void bd_plugin_enter(const bd_plugin *plugin) {
  if (is_serial(plugin)) pthread_mutex_lock(&serial);
}

void bd_plugin_leave(const bd_plugin *plugin) {
  if (is_serial(plugin)) pthread_mutex_unlock(&serial);
}

/* ---- Opening ---- */
static buddy_code call_open(bd_plugin *plugin, const buddy_host *host, char why[BD_REFUSAL_SIZE]) {
  const buddy_registry *registry = &plugin->descriptor.registry;
  if (!registry->open) return BUDDY_OK;
  char text[BD_REFUSAL_SIZE] = "";
  const buddy_code code = registry->open(host, &plugin->state, text, sizeof text);
  if (code == BUDDY_OK) return BUDDY_OK;
  const size_t size = strnlen(text, sizeof text);
  if (code < 0 || code > BUDDY_INTERNAL) {
    return refuse(why, BUDDY_INTERNAL, "its open() returned the unknown code %d", (int)code);
  }
  /* A plugin cannot decline to be opened. */
  const buddy_code shown = code == BUDDY_DECLINED ? BUDDY_UNSUPPORTED : code;
  if (!size) return refuse(why, shown, "its open() failed and gave no reason");
  return refuse_quoting(why, shown, "its open() failed: ", text, size);
}

/* One symbol, judged and copied. */
static buddy_code take_symbol(bd_plugin *plugin, const bd_segments *segments, uint32_t i,
                              buddy_runtime_symbol *symbol, char why[BD_REFUSAL_SIZE]) {
  size_t size;
  if (!bd_memory_measure(segments, symbol->name, &size) || !bd_is_symbol_name(symbol->name, size)) {
    return refuse(why, BUDDY_CORRUPT, "the name of its runtime symbol %u is no name of a function",
                  i);
  }
  if (symbol->function && !bd_segments_can_call(segments, (uintptr_t)symbol->function, 0)) {
    return refuse(why, BUDDY_CORRUPT, "its runtime symbol '%.64s' is no code", symbol->name);
  }
  symbol->name = bd_arena_text(&plugin->arena, symbol->name, size);
  return symbol->name ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static buddy_code take_symbols(bd_plugin *plugin, const bd_segments *segments,
                               char why[BD_REFUSAL_SIZE]) {
  const buddy_registry *registry = &plugin->descriptor.registry;
  const buddy_runtime *runtime =
      registry->extension ? registry->extension(plugin->state, BUDDY_RUNTIME_ID) : NULL;
  if (!runtime) return BUDDY_OK;
  if (!bd_is_aligned(runtime) || !bd_memory_can_read(segments, runtime, sizeof *runtime) ||
      runtime->struct_size < sizeof *runtime || runtime->n_symbols > MAX_SYMBOLS ||
      !bd_is_aligned(runtime->symbols) ||
      !bd_memory_can_read(segments, runtime->symbols,
                          runtime->n_symbols * sizeof(buddy_runtime_symbol))) {
    return refuse(why, BUDDY_CORRUPT, "its table " BUDDY_RUNTIME_ID " is malformed");
  }
  const uint32_t n = runtime->n_symbols;
  buddy_runtime_symbol *copy = bd_arena_calloc(&plugin->arena, n, sizeof *copy);
  if (!copy) return refuse(why, BUDDY_OUT_OF_MEMORY, "out of memory");
  if (n) memcpy(copy, runtime->symbols, n * sizeof *copy);
  for (uint32_t i = 0; i < n; ++i) {
    BD_TRY(take_symbol(plugin, segments, i, &copy[i], why));
  }
  plugin->symbols = copy;
  plugin->n_symbols = n;
  return BUDDY_OK;
}

/* A null function is one of the library beside the registry. */
static buddy_code check_functions(const bd_plugin *plugin, char why[BD_REFUSAL_SIZE]) {
  const char *dot =
      plugin->extensions.ahead_file ? strrchr(plugin->extensions.ahead_file, '.') : NULL;
  if (dot && !strcmp(dot, ".so")) return BUDDY_OK;
  for (size_t i = 0; i < plugin->n_symbols; ++i) {
    if (plugin->symbols[i].function) continue;
    return refuse(why, BUDDY_CORRUPT,
                  "its runtime symbol '%.64s' is null, and " BUDDY_AHEAD_ID
                  " names no library that has it",
                  plugin->symbols[i].name);
  }
  return BUDDY_OK;
}

static buddy_code take_extensions(bd_plugin *plugin, const bd_segments *segments,
                                  char why[BD_REFUSAL_SIZE]) {
  return bd_extensions_take(&(bd_asked){.registry = &plugin->descriptor.registry,
                                        .state = plugin->state,
                                        .is_file = !plugin->is_local,
                                        .segments = segments,
                                        .arena = &plugin->arena,
                                        .why = why},
                            &plugin->extensions);
}

buddy_code bd_plugin_open(bd_plugin *plugin, const buddy_host *host, char why[BD_REFUSAL_SIZE]) {
  why[0] = 0;
  BD_TRY(call_open(plugin, host, why));
  bd_segments segments; /* anew: open() may have loaded more */
  buddy_code code = bd_segments_init(&segments);
  if (code == BUDDY_OK) code = take_symbols(plugin, &segments, why);
  if (code == BUDDY_OK) code = take_extensions(plugin, &segments, why);
  if (code == BUDDY_OK) code = check_functions(plugin, why);
  bd_segments_deinit(&segments);
  if (code != BUDDY_OK && plugin->descriptor.registry.close) {
    plugin->descriptor.registry.close(plugin->state);
  }
  plugin->is_open = code == BUDDY_OK;
  return code;
}
