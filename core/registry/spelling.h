// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/spelling.h: how the names that plugins and users hand us may be spelled. */
#ifndef BUDDY_CORE_REGISTRY_SPELLING_H
#define BUDDY_CORE_REGISTRY_SPELLING_H

#include <stdbool.h>

#include "core/base/shown.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_MAX_REGISTRY_NAME 32 /* with its NUL: what the note has room for */
#define BD_MAX_PLUGIN_TEXT 4096 /* bytes of any string of a descriptor, with its NUL */

/* [a-z][a-z0-9_]{0,30}: a letter more would not fit the ELF note. */
BUDDY_EXPORT bool bd_is_registry_name(const char *data, size_t size);
/* [A-Za-z0-9_.:]+ */
BUDDY_EXPORT bool bd_is_op_name(const char *data, size_t size);
/* What a linker calls a symbol: [A-Za-z_.$][A-Za-z0-9_.$]* */
BUDDY_EXPORT bool bd_is_symbol_name(const char *data, size_t size);
/* The name without the lead of MLIR's C interfaces: a registry may list a function either way. */
BUDDY_EXPORT const char *bd_bare_symbol(const char *name);
/* lib[A-Za-z0-9_.]+ that ends in .so or .a: a file of a registry's folder, and of no other. */
BUDDY_EXPORT bool bd_is_library_name(const char *name);
/* True, and the name, if `file` is spelled buddy_<name>.so. */
BUDDY_EXPORT bool bd_plugin_file_name(const char *file, char name[BD_MAX_REGISTRY_NAME]);

#ifdef __cplusplus
}
#endif
#endif
