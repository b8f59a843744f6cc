// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/suppliers.c: functions of registries for a model that was compiled ahead of time.
 *
 * The code calls them through slots. For each file that has some (bd_supplier), this looks beside
 * the object that the model lies in, in the folders of BUDDY_PLUGIN_PATH, and where it was when the
 * model was compiled; judges the file as every plugin is judged before code of it runs; loads it,
 * for the life of the process; and fills the slots. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "core/registry/plugin_file.h"
#include "core/registry/spelling.h"
#include "sdk/runtime/callbacks.h"
#include "sdk/runtime/parallel_for.h"
#include "sdk/runtime/places.h"
#include "sdk/runtime/services.h"
#include "sdk/runtime/suppliers.h"

#define MAX_PATH BD_MAX_PLACE

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* two loads fill the same slots */

/* ---- Finding --------------------------------------------------------------------------------- */
static buddy_code find_file(const bd_artifact *artifact, const bd_supplier *supplier,
                            buddy_diags *diags, char path[MAX_PATH]) {
  char *beside = bd_artifact_beside(artifact, supplier->file);
  if (!beside) return BUDDY_OUT_OF_MEMORY;
  const int n = snprintf(path, MAX_PATH, "%s", beside);
  free(beside);
  if (n < MAX_PATH && access(path, F_OK) == 0) return BUDDY_OK;
  if (bd_place_in_variable(supplier->file, path)) return BUDDY_OK;
  if (supplier->folder &&
      bd_place_in(supplier->folder, strlen(supplier->folder), supplier->file, path))
    return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, artifact->name,
                         "put it beside the model, or name its folder in BUDDY_PLUGIN_PATH",
                         "the model calls functions of registry '%s' %s, and %s is nowhere",
                         supplier->registry, supplier->version, supplier->file);
}

/* ---- Loading --------------------------------------------------------------------------------- */
static bool is_registry(const bd_supplier *supplier) {
  char name[BD_MAX_REGISTRY_NAME];
  return bd_plugin_file_name(supplier->file, name);
}

static buddy_code judge(const bd_supplier *supplier, const char *path, buddy_diags *diags) {
  bd_plugin_file file;
  if (is_registry(supplier))
    bd_plugin_file_inspect(path, supplier->registry, bd_elf_this_host(), &file);
  else
    bd_library_file_inspect(path, &file.elf);
  if (file.elf.code == BUDDY_OK) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, file.elf.code, path, NULL, "%s", file.elf.refusal);
}

/* What a loaded file offers: the registry's table, or else its symbols. */
typedef struct source {
  void *handle;
  const buddy_runtime *table;
} source;

/* Null: it does not answer without open(). */
static const buddy_runtime *ask_registry(void *handle) {
  buddy_registry_query_fn query;
  void *symbol = dlsym(handle, BUDDY_REGISTRY_QUERY);
  memcpy(&query, &symbol, sizeof(query));
  const buddy_registry *registry = symbol ? query(BUDDY_ABI_VERSION) : NULL;
  if (!registry || !BUDDY_HAS(registry, buddy_registry, extension) || !registry->extension)
    return NULL;
  const buddy_runtime *table = registry->extension(NULL, BUDDY_RUNTIME_ID);
  return table && BUDDY_HAS(table, buddy_runtime, symbols) ? table : NULL;
}

static buddy_code load(const bd_supplier *supplier, const char *path, buddy_diags *diags,
                       source *out) {
  *out = (source){bd_library_load(path), NULL};
  if (!out->handle) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, path, NULL,
                           "cannot be loaded: %s", dlerror());
  }
  if (!is_registry(supplier)) return BUDDY_OK;
  out->table = ask_registry(out->handle);
  if (out->table) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, path,
                         "this is for the author of the registry to mend",
                         "it gives no " BUDDY_RUNTIME_ID " without open()");
}

/* Null: it has none of that name. */
static void *find_function(const source *from, const char *name) {
  const char *bare = bd_bare_symbol(name);
  void *address = NULL;
  if (!from->table) {
    address = dlsym(from->handle, name);
    return address ? address : dlsym(from->handle, bare);
  }
  for (uint32_t i = 0; i < from->table->n_symbols; ++i) {
    const buddy_runtime_symbol *symbol = &from->table->symbols[i];
    if (strcmp(symbol->name, name) != 0 && strcmp(symbol->name, bare) != 0) continue;
    memcpy(&address, &symbol->function, sizeof(address));
  }
  return address;
}

static void *find_own(const source *from, const char *lead, const bd_supplier *supplier) {
  char name[sizeof(BUDDY_THREADS_FUNCTION) + sizeof(BUDDY_CREW_FUNCTION) + BD_MAX_REGISTRY_NAME];
  snprintf(name, sizeof(name), "%s%s", lead, supplier->registry);
  return find_function(from, name);
}

/* Its functions that are told of a run, if there are any. */
static buddy_code add_told(const source *from, const bd_supplier *supplier) {
  bd_callbacks told = {.run = bd_run_services(), .crew = bd_crew_services()};
  void *threads = find_own(from, BUDDY_THREADS_FUNCTION, supplier);
  void *crew = find_own(from, BUDDY_CREW_FUNCTION, supplier);
  void *run = find_own(from, BUDDY_RUN_FUNCTION, supplier);
  memcpy(&told.set_threads, &threads, sizeof(threads));
  memcpy(&told.set_crew, &crew, sizeof(crew));
  memcpy(&told.set_run, &run, sizeof(run));
  return bd_callbacks_add(&told) ? BUDDY_OK : BUDDY_LIMIT;
}

/* ---- Binding --------------------------------------------------------------------------------- */
static buddy_code bind_supplier(const bd_artifact *artifact, uint64_t s, buddy_diags *diags) {
  const bd_supplier *supplier = &artifact->suppliers[s];
  char path[MAX_PATH];
  source from;
  BD_TRY(find_file(artifact, supplier, diags, path));
  BD_TRY(judge(supplier, path, diags));
  BD_TRY(load(supplier, path, diags, &from));
  BD_TRY(add_told(&from, supplier));
  for (uint64_t i = 0; i < artifact->n_imports; ++i) {
    const bd_artifact_import *import = &artifact->imports[i];
    if (import->supplier != s) continue;
    *import->slot = find_function(&from, import->name);
    if (*import->slot) continue;
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, path,
                           "give the version that the model was compiled with",
                           "it has no function %s, which %s calls; the model was compiled with "
                           "registry '%s' %s",
                           bd_bare_symbol(import->name), artifact->name, supplier->registry,
                           supplier->version);
  }
  return BUDDY_OK;
}

buddy_code bd_supplier_check(const bd_supplier *supplier, const char *const *functions, size_t n,
                             buddy_diags *diags) {
  bd_artifact_import *imports = bd_calloc(n + 1, sizeof(bd_artifact_import));
  void **slots = bd_calloc(n + 1, sizeof(void *));
  const bd_artifact artifact = {.name = "a model",
                                .imports = imports,
                                .n_imports = n,
                                .suppliers = supplier,
                                .n_suppliers = 1};
  buddy_code code = !imports || !slots ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
  for (size_t i = 0; code == BUDDY_OK && i < n; ++i)
    imports[i] = (bd_artifact_import){functions[i], &slots[i], 0};
  if (code == BUDDY_OK) code = buddy_runtime_bind(&artifact, diags);
  free(imports);
  free(slots);
  return code;
}

buddy_code buddy_runtime_bind(const bd_artifact *artifact, buddy_diags *diags) {
  buddy_code code = BUDDY_OK;
  pthread_mutex_lock(&lock);
  for (uint64_t s = 0; s < artifact->n_suppliers && code == BUDDY_OK; ++s)
    code = bind_supplier(artifact, s, diags);
  pthread_mutex_unlock(&lock);
  return code;
}
