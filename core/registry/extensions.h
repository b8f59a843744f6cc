// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/extensions.h: what a plugin brings beyond rows. */
#ifndef BUDDY_CORE_REGISTRY_EXTENSIONS_H
#define BUDDY_CORE_REGISTRY_EXTENSIONS_H

#include "buddy/extensions.h"
#include "core/base/arena.h"
#include "core/base/options.h"
#include "core/registry/elf.h"
#include "core/registry/segments.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A transform of buddy.transforms/1, as an expansion: op has the root's name and args, and no
 * functions. */
typedef struct bd_transform {
  const char *name;
  buddy_op op;
  uint32_t index; /* in the plugin's table */
  buddy_code (*rewrite)(void *state, const buddy_transform *self, buddy_call *call);
  const buddy_transform *self; /* the plugin's own */
} bd_transform;

typedef struct bd_extensions {
  const bd_transform *transforms;
  size_t n_transforms;
  const buddy_pass_fragment *fragments;
  size_t n_fragments;
  const char *ahead_file; /* of buddy.ahead/1; "": its own file; null: it has no such table */
} bd_extensions;

/* An open plugin, and where what it says goes. */
typedef struct bd_asked {
  const buddy_registry *registry;
  void *state;  /* of its open() */
  bool is_file; /* or it is of the program itself, and goes nowhere else */
  const bd_segments *segments;
  bd_arena *arena; /* of the copies */
  char *why;       /* BD_REFUSAL_SIZE bytes: a sentence after a failure */
} bd_asked;

/* Asks for the tables, judges and copies them into `out`, which is all zero before. */
buddy_code bd_extensions_take(const bd_asked *asked, bd_extensions *out);

#ifdef __cplusplus
}
#endif
#endif
