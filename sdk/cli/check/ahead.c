// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/ahead.c: the functions of a registry as a model that was compiled ahead of time
 * comes to them (buddy.ahead/1): by the runtime's own road, in a process that has not opened the
 * registry. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/registry/registries.h"
#include "sdk/cli/check/check.h"
#include "sdk/runtime/suppliers.h"

void bd_check_tell_ahead(const bd_check *check, const bd_subject *subject, FILE *out) {
  const buddy_runtime_symbol *first = buddy_registries_symbol(subject->registries, 0);
  const bd_plugin *plugin = first ? bd_registries_provider(subject->registries, first->name) : NULL;
  if (!plugin || strcmp(plugin->descriptor.registry.name, check->name) != 0) return;
  if (!plugin->extensions.ahead_file) {
    bd_tell_finding(out, "note", "ahead", NULL, "add the table buddy.ahead/1",
                    "models that call its functions cannot be compiled ahead of time");
    return;
  }
  json_t *functions = json_array();
  for (size_t i = 0; i < plugin->n_symbols; ++i)
    json_array_append_new(functions, json_string(plugin->symbols[i].name));
  bd_tell(out, json_pack("{s:s, s:s, s:o}", "ahead", plugin->extensions.ahead_file, "version",
                         plugin->descriptor.registry.version, "functions", functions));
}

static void load_file(const bd_supplier *supplier, const json_t *functions, FILE *out) {
  const size_t n = json_array_size(functions);
  const char **names = bd_calloc(n + 1, sizeof *names);
  buddy_diags *diags = NULL;
  for (size_t i = 0; names && i < n; ++i)
    names[i] = json_string_value(json_array_get(functions, i));
  if (names && buddy_diags_create(&diags) == BUDDY_OK &&
      bd_supplier_check(supplier, names, n, diags) != BUDDY_OK) {
    char *text = bd_diags_text(diags);
    bd_tell_finding(out, "error", "ahead", NULL, "mend the table buddy.ahead/1, or its file", "%s",
                    text ? text : "");
    free(text);
  }
  buddy_diags_destroy(diags);
  free(names);
}

void bd_check_ahead(const bd_check *check, void *user, FILE *out) {
  const json_t *told = user;
  const char *slash = strrchr(check->file, '/'), *own = slash ? slash + 1 : check->file;
  const char *named = json_string_value(json_object_get(told, "ahead")), *dot = strrchr(named, '.');
  const char *file = *named ? named : own;
  char *folder = slash ? bd_strndup(check->file, (size_t)(slash - check->file)) : bd_strdup(".");
  char path[4096];
  if (!folder) return;
  bd_tell_step(out, "loading %s without open()", file);
  snprintf(path, sizeof path, "%s/%s", folder, file);
  if (dot && strcmp(dot, ".a") == 0) { /* what it defines, the linker tells */
    if (access(path, R_OK) != 0)
      bd_tell_finding(out, "error", "ahead", NULL, "ship it beside the registry",
                      "%s of its table buddy.ahead/1 is not there", path);
  } else {
    const bd_supplier supplier = {.registry = check->name,
                                  .version = json_string_value(json_object_get(told, "version")),
                                  .file = file,
                                  .folder = folder};
    load_file(&supplier, json_object_get(told, "functions"), out);
  }
  free(folder);
}
