// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/functions.c: a registry that stands on a large library need not load it before
 * anything calls it. It leaves the pointers of its buddy.runtime/1 null, and names the library in
 * buddy.ahead/1, where models that are compiled ahead of time look for the same functions. */
#define _GNU_SOURCE
#include "core/registry/functions.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "core/base/try.h"
#include "core/registry/plugin_file.h"
#include "core/registry/spelling.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of every plugin's `library` */

static buddy_code judge(const bd_plugin *plugin, const char *path, buddy_diags *diags) {
  bd_elf_info elf;
  bd_library_file_inspect(path, &elf);
  if (elf.code == BUDDY_OK) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, elf.code, path,
                         "ship it beside the registry, or leave that registry out",
                         "registry '%s' has its functions in this file: %s",
                         plugin->descriptor.registry.name, elf.refusal);
}

static buddy_code load_library(const bd_plugin *plugin, buddy_diags *diags, void **out_library) {
  const char *slash = strrchr(plugin->path, '/');
  const int n = slash ? (int)(slash + 1 - plugin->path) : 0;
  char path[PATH_MAX];
  bd_text text;
  bd_text_init_fixed(&text, path, sizeof path);
  bd_text_format(&text, "%.*s%s", n, plugin->path, plugin->extensions.ahead_file);
  BD_TRY(judge(plugin, path, diags));
  *out_library = bd_library_load(path);
  if (*out_library) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, path, NULL,
                         "the dynamic linker refuses it: %s", dlerror());
}

/* The plugin's library, loaded now or before. */
static buddy_code library_of(const bd_plugin *plugin, buddy_diags *diags, void **out_library) {
  bd_plugin *mutable = (bd_plugin *)(uintptr_t)plugin; /* what the lock guards */
  pthread_mutex_lock(&lock);
  const buddy_code code =
      mutable->library ? BUDDY_OK : load_library(plugin, diags, &mutable->library);
  *out_library = mutable->library;
  pthread_mutex_unlock(&lock);
  return code;
}

static const buddy_runtime_symbol *find_spelled(const bd_plugin *plugin, const char *name) {
  size_t i = 0;
  while (i < plugin->n_symbols && strcmp(plugin->symbols[i].name, name) != 0) ++i;
  return i < plugin->n_symbols ? &plugin->symbols[i] : NULL;
}

static const buddy_runtime_symbol *find_symbol(const bd_plugin *plugin, const char *name) {
  const buddy_runtime_symbol *symbol = find_spelled(plugin, name);
  return symbol ? symbol : find_spelled(plugin, bd_bare_symbol(name));
}

static buddy_code address_of(const bd_plugin *plugin, const buddy_runtime_symbol *symbol,
                             buddy_diags *diags, void **out_address) {
  memcpy(out_address, &symbol->function, sizeof *out_address);
  if (*out_address) return BUDDY_OK;
  void *library;
  BD_TRY(library_of(plugin, diags, &library));
  *out_address = dlsym(library, symbol->name);
  if (!*out_address) *out_address = dlsym(library, bd_bare_symbol(symbol->name));
  if (*out_address) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, plugin->path,
                         "this is for the author of the registry to mend",
                         "its runtime symbol '%s' is not in %s", symbol->name,
                         plugin->extensions.ahead_file);
}

/* The function of the table that is named after the registry; null if there is none. */
static buddy_code find_own(const bd_plugin *plugin, const char *lead, buddy_diags *diags,
                           void **out_address) {
  char name[sizeof BUDDY_THREADS_FUNCTION + sizeof BUDDY_CREW_FUNCTION + BD_MAX_REGISTRY_NAME];
  bd_text text;
  bd_text_init_fixed(&text, name, sizeof name);
  bd_text_format(&text, "%s%s", lead, plugin->descriptor.registry.name);
  const buddy_runtime_symbol *symbol = find_symbol(plugin, name);
  *out_address = NULL;
  return symbol ? address_of(plugin, symbol, diags, out_address) : BUDDY_OK;
}

static buddy_code find_told(const bd_plugin *plugin, buddy_diags *diags,
                            bd_registry_function *function) {
  void *threads = NULL, *crew = NULL, *run = NULL;
  buddy_code code = find_own(plugin, BUDDY_THREADS_FUNCTION, diags, &threads);
  if (code == BUDDY_OK) code = find_own(plugin, BUDDY_CREW_FUNCTION, diags, &crew);
  if (code == BUDDY_OK) code = find_own(plugin, BUDDY_RUN_FUNCTION, diags, &run);
  memcpy(&function->set_run, &run, sizeof run);
  memcpy(&function->set_threads, &threads, sizeof threads);
  memcpy(&function->set_crew, &crew, sizeof crew);
  return code;
}

buddy_code bd_registries_function(const buddy_registries *registries, const char *name,
                                  buddy_diags *diags, bd_registry_function *out_function) {
  *out_function = (bd_registry_function){NULL, NULL, NULL, NULL};
  const bd_plugin *plugin = bd_registries_provider(registries, name);
  const buddy_runtime_symbol *symbol = plugin ? find_symbol(plugin, name) : NULL;
  if (!symbol) return BUDDY_NOT_FOUND;
  BD_TRY(address_of(plugin, symbol, diags, &out_function->address));
  return find_told(plugin, diags, out_function);
}
