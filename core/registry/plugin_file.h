// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/plugin_file.h: the rules a plugin file must keep, its preflight, and
 * loading it. */
#ifndef BUDDY_CORE_REGISTRY_PLUGIN_FILE_H
#define BUDDY_CORE_REGISTRY_PLUGIN_FILE_H

#include "core/registry/elf.h"

#ifdef BUDDY_HOST_LLVM
#define BD_HOST_LLVM BUDDY_HOST_LLVM
#else
#define BD_HOST_LLVM 0u /* a build that knows no LLVM takes plugins of any */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What makes two paths one file. All zero: not known. */
typedef struct bd_file_id {
  uint64_t device, inode;
} bd_file_id;

typedef struct bd_plugin_file {
  bd_file_id id;
  bd_elf_info elf; /* also tells of a file that breaks a rule */
} bd_plugin_file;

/* Opens, judges and closes the file; none of its code runs. `name`: what the note has to say, from
 * the file name. */
BUDDY_EXPORT void bd_plugin_file_inspect(const char *path, const char *name,
                                         const bd_elf_host *host, bd_plugin_file *out_file);
/* The same for a library that a registry names (buddy.ahead/1): it has no note. */
BUDDY_EXPORT void bd_library_file_inspect(const char *path, bd_elf_info *out_elf);
/* Loads it as dlopen(path, RTLD_NOW | RTLD_LOCAL) does, which takes a name that it has loaded for
 * what it loaded then, whatever file has come to that name since, as one that was built again: this
 * looks at the file. */
BUDDY_EXPORT void *bd_library_load(const char *path);
/* This process's own versions. */
BUDDY_EXPORT const bd_elf_host *bd_elf_this_host(void);

#ifdef __cplusplus
}
#endif
#endif
