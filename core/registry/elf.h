// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/elf.h: what can be known of a plugin file from its bytes, before any of its code
 * runs. */
#ifndef BUDDY_CORE_REGISTRY_ELF_H
#define BUDDY_CORE_REGISTRY_ELF_H

#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_REFUSAL_SIZE 320

/* What a plugin has to fit. */
typedef struct bd_elf_host {
  uint32_t abi_version, llvm_version, sanitizer; /* llvm_version 0: any will do */
} bd_elf_host;

typedef struct bd_elf_info {
  buddy_code code;               /* BUDDY_OK: may be loaded */
  char refusal[BD_REFUSAL_SIZE]; /* the sentence; "" if code is BUDDY_OK */
  bool has_note;                 /* well-formed; may still be incompatible */
  buddy_elf_note note;
} bd_elf_info;

/* Never reads outside of `bytes`, whatever they are; takes no memory. */
BUDDY_EXPORT void bd_elf_inspect(const void *bytes, uint64_t size, const bd_elf_host *host,
                                 bd_elf_info *out_info);
/* The same for a library that is no plugin: it has no note, and needs to export nothing. */
BUDDY_EXPORT void bd_elf_inspect_library(const void *bytes, uint64_t size, const bd_elf_host *host,
                                         bd_elf_info *out_info);

#ifdef __cplusplus
}
#endif
#endif
