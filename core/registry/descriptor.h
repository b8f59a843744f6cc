// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/descriptor.h: a plugin's descriptor and op table, judged and copied. */
#ifndef BUDDY_CORE_REGISTRY_DESCRIPTOR_H
#define BUDDY_CORE_REGISTRY_DESCRIPTOR_H

#include "core/base/arena.h"
#include "core/base/options.h"
#include "core/registry/elf.h"
#include "core/registry/segments.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_MAX_OPS 65536
#define BD_MAX_LIST 65536 /* items of dialects, depends, schemas */

/* What the host goes by from then on; the plugin's own memory is not looked at again. */
typedef struct bd_descriptor {
  buddy_registry registry; /* strings, lists and ops are copies in the arena; op_stride is ours */
  const char *plugin_ops;  /* the plugin's own rows, which its callbacks get as `self` */
  uint32_t plugin_stride;
} bd_descriptor;

/* `object`: the load address that the plugin's functions must belong to. `note`: what the file
 * said. Takes any pointer, and reads only what `segments` allow. A refusal is BUDDY_CORRUPT or
 * BUDDY_INCOMPATIBLE, with the sentence in `why`. */
BUDDY_EXPORT buddy_code bd_descriptor_read(const buddy_registry *given, const bd_segments *segments,
                                           uintptr_t object, const buddy_elf_note *note,
                                           bd_arena *arena, char why[BD_REFUSAL_SIZE],
                                           bd_descriptor *out_descriptor);
/* The same for a registry that the program itself brings: its pointers are trusted, its spelling
 * and versions are not. */
BUDDY_EXPORT buddy_code bd_descriptor_copy(const buddy_registry *given, bd_arena *arena,
                                           char why[BD_REFUSAL_SIZE],
                                           bd_descriptor *out_descriptor);
#ifdef __cplusplus
}
#endif
#endif
