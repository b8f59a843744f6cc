// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/suppliers.c: files that the registries' functions of a program are in. */
#include "sdk/compile/ahead/suppliers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "llvm-c/Core.h"

static bool is_archive(const bd_supplied *item) {
  const char *dot = strrchr(item->supplier.file, '.');
  return dot && strcmp(dot, ".a") == 0;
}

static buddy_code refuse(const bd_plugin *plugin, const char *name, buddy_diags *diags) {
  const char *registry = plugin->descriptor.registry.name;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, registry,
                         "leave that registry out (--registries), or ask its author for "
                         "buddy.ahead/1",
                         "the code calls %s, and registry '%s' does not say where that is when the "
                         "model runs without buddy",
                         name, registry);
}

/* The registry's own file, or the one that it names; both lie in one folder. */
static buddy_code describe(const bd_plugin *plugin, const bd_target *target, bd_supplied *out) {
  const buddy_registry *registry = &plugin->descriptor.registry;
  const char *slash = strrchr(plugin->path, '/');
  const char *own = slash ? slash + 1 : plugin->path;
  char *folder = slash ? bd_strndup(plugin->path, (size_t)(slash - plugin->path)) : bd_strdup(".");
  *out = (bd_supplied){.plugin = plugin};
  if (folder) out->folder = realpath(*folder != '\0' ? folder : "/", NULL);
  free(folder);
  out->supplier = (bd_supplier){
      .registry = registry->name,
      .version = registry->version,
      .file = *plugin->extensions.ahead_file != '\0' ? plugin->extensions.ahead_file : own,
      .folder = target->is_host ? out->folder : NULL};
  return out->folder ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static buddy_code add(bd_suppliers *s, const bd_plugin *plugin, const bd_target *target) {
  for (size_t i = 0; i < s->n; ++i) {
    if (s->items[i].plugin == plugin) return BUDDY_OK;
  }
  bd_supplied *items = bd_realloc(s->items, (s->n + 1) * sizeof(*items));
  if (!items) return BUDDY_OUT_OF_MEMORY;
  s->items = items;
  bd_supplied item;
  BD_TRY(describe(plugin, target, &item));
  size_t at = s->n++;
  if (!is_archive(&item)) { /* to the end of those that are loaded */
    s->items[at] = s->items[s->n_loaded];
    at = s->n_loaded++;
  }
  s->items[at] = item;
  return BUDDY_OK;
}

static buddy_code add_function(bd_suppliers *s, const char *name) {
  char **functions = bd_realloc(s->functions, (s->n_functions + 1) * sizeof(*functions));
  if (!functions) return BUDDY_OUT_OF_MEMORY;
  s->functions = functions;
  char *copy = bd_strdup(name);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  s->functions[s->n_functions++] = copy;
  return BUDDY_OK;
}

buddy_code bd_suppliers_init(LLVMModuleRef module, const buddy_registries *registries,
                             const bd_target *target, buddy_diags *diags, bd_suppliers *out) {
  uint64_t number;
  *out = (bd_suppliers){0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const char *name = LLVMGetValueName(f);
    if (!LLVMIsDeclaration(f) || !LLVMGetFirstUse(f)) continue;
    const bd_plugin *plugin = bd_registries_provider(registries, name);
    if (!plugin) continue;
    BD_TRY(!plugin->extensions.ahead_file ? refuse(plugin, name, diags) : add(out, plugin, target));
    if (bd_suppliers_find(out, registries, name, &number)) BD_TRY(add_function(out, name));
  }
  return BUDDY_OK;
}

void bd_suppliers_deinit(bd_suppliers *s) {
  for (size_t i = 0; i < s->n; ++i) free(s->items[i].folder);
  for (size_t i = 0; i < s->n_functions; ++i) free(s->functions[i]);
  free(s->items);
  free(s->functions);
  *s = (bd_suppliers){0};
}

int bd_suppliers_find(const bd_suppliers *s, const buddy_registries *registries, const char *name,
                      uint64_t *out_supplier) {
  const bd_plugin *plugin = bd_registries_provider(registries, name);
  for (size_t i = 0; plugin && i < s->n_loaded; ++i) {
    *out_supplier = i;
    if (s->items[i].plugin == plugin) return 1;
  }
  return 0;
}
