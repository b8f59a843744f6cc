// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/extensions.h: what a plugin brings beyond rows. */
#ifndef BUDDY_CORE_REGISTRY_EXTENSIONS_H
#define BUDDY_CORE_REGISTRY_EXTENSIONS_H

#include "core/registry/plugin.h"
#include "core/registry/segments.h"

/* Asks for the tables, judges and copies them; a sentence is in `why` after a failure. */
buddy_code bd_plugin_take_extensions(bd_plugin *plugin, const bd_segments *segments,
                                     char why[BD_REFUSAL_SIZE]);
/* The length of a string that may lie anywhere, looked at page by page; false if it has no end that
 * can be read. */
bool bd_memory_measure(const bd_segments *segments, const char *string, size_t *out_size);

#endif
