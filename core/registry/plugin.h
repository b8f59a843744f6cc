// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/plugin.h: one plugin of the process. */
#ifndef BUDDY_CORE_REGISTRY_PLUGIN_H
#define BUDDY_CORE_REGISTRY_PLUGIN_H

#include "buddy/graph.h"
#include "core/registry/descriptor.h"
#include "core/registry/extensions.h"
#include "core/registry/plugin_file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_plugin {
  bd_arena arena;
  bd_file_id id;
  const char *path;
  void *handle; /* of dlopen */
  bd_descriptor descriptor;
  void *state; /* of its open() */
  bool is_open, is_closed;
  bool is_local; /* of one buddy_registries, which closes and frees it */
  const buddy_runtime_symbol *symbols;
  size_t n_symbols;
  bd_extensions extensions;
  void *library; /* of dlopen: extensions.ahead_file, where it has the functions; see functions.c */
  size_t n_users;         /* buddy_registries that have it; guarded by the loader's lock */
  struct bd_plugin *next; /* of those that are open, the last opened first */
} bd_plugin;

/* dlopens the file, asks it for its descriptor, judges and copies that. `file`: what its preflight
 * has just found. Nothing stays on failure; the sentence is in `why`. */
buddy_code bd_plugin_load(const char *path, const bd_plugin_file *file, char why[BD_REFUSAL_SIZE],
                          bd_plugin **out_plugin);
/* Makes one of a registry that the program itself brings. */
buddy_code bd_plugin_adopt(const buddy_registry *registry, char why[BD_REFUSAL_SIZE],
                           bd_plugin **out_plugin);
/* Calls its open() and takes its runtime symbols. After a failure only bd_plugin_unload may
 * follow. */
buddy_code bd_plugin_open(bd_plugin *plugin, const buddy_host *host, char why[BD_REFUSAL_SIZE]);
/* Forgets a plugin that is not open. */
void bd_plugin_unload(bd_plugin *plugin);
/* Around each callback: one lock for all registries that want to be serial. A row that lowers a
 * subgraph may enter again. */
void bd_plugin_enter(const bd_plugin *plugin);
void bd_plugin_leave(const bd_plugin *plugin);

#ifdef __cplusplus
}
#endif
#endif
