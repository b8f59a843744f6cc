// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/extensions.c: the tables that a registry brings beyond its rows, judged like the
 * descriptor and copied: transforms, passes, and where its functions are for compiled models.
 * Runtime symbols are in plugin.c. */
#define _GNU_SOURCE
#include "core/registry/extensions.h"

#include <stdio.h>
#include <string.h>

#include "core/base/try.h"
#include "core/registry/spelling.h"

#define MAX_TRANSFORMS 4096u
#define MAX_FRAGMENTS 64u
#define MAX_STRIDE 4096u

/* What the two tables have in common. */
typedef struct table {
  const char *id;
  uint32_t struct_size, n, stride;
  size_t item_size, head_size;
  uint32_t most;
  const void *items;
} table;

static buddy_code malformed(const bd_asked *asked, const table *t, const char *what) {
  snprintf(asked->why, BD_REFUSAL_SIZE, "its table %s is malformed: %s", t->id, what);
  return BUDDY_CORRUPT;
}

static buddy_code check_table(const bd_asked *asked, const table *t) {
  if (t->struct_size < t->head_size) return malformed(asked, t, "struct_size is too small");
  if (t->n > t->most) return malformed(asked, t, "too many entries");
  if (t->n == 0) return BUDDY_OK;
  if (t->stride < t->item_size || t->stride > MAX_STRIDE || t->stride % 8)
    return malformed(asked, t, "stride is no size of an entry");
  if (!bd_is_aligned(t->items)) return malformed(asked, t, "its entries are not aligned");
  if (!bd_memory_can_read(asked->segments, t->items, (size_t)t->n * t->stride))
    return malformed(asked, t, "it reaches into memory that cannot be read");
  return BUDDY_OK;
}

static const void *ask(const bd_asked *asked, const char *id) {
  const buddy_registry *registry = asked->registry;
  return registry->extension ? registry->extension(asked->state, id) : NULL;
}

/* A copy of a text that may lie anywhere; null, and BUDDY_CORRUPT, if there is none. */
static buddy_code take_text(const bd_asked *asked, const char *text, const char **out) {
  size_t size;
  *out = NULL;
  if (!text || !bd_memory_measure(asked->segments, text, &size) || !bd_is_shown(text, size))
    return BUDDY_CORRUPT;
  *out = bd_arena_text(asked->arena, text, size);
  return *out ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

/* ---- Transforms ---- */
static buddy_code take_transform(const bd_asked *asked, const table *t, uint32_t i,
                                 bd_transform *out) {
  const char *at = (const char *)t->items + (size_t)i * t->stride;
  const buddy_transform *given = (const buddy_transform *)(const void *)at;
  BD_TRY(take_text(asked, given->name, &out->name));
  BD_TRY(take_text(asked, given->root, &out->op.name));
  BD_TRY(take_text(asked, given->args, &out->op.args));
  out->op.benefit = given->benefit;
  out->rewrite = given->rewrite;
  out->self = given;
  out->index = i;
  const bool is_named = bd_is_registry_name(out->name, strlen(out->name)) &&
                        bd_is_op_name(out->op.name, strlen(out->op.name));
  return is_named && given->rewrite &&
                 bd_segments_can_call(asked->segments, (uintptr_t)given->rewrite, 0)
             ? BUDDY_OK
             : BUDDY_CORRUPT;
}

static buddy_code take_transforms(const bd_asked *asked, bd_extensions *out) {
  const buddy_transforms *given = ask(asked, BUDDY_TRANSFORMS_ID);
  table t = {.id = BUDDY_TRANSFORMS_ID,
             .item_size = sizeof(buddy_transform),
             .head_size = sizeof *given,
             .most = MAX_TRANSFORMS};
  if (!given) return BUDDY_OK;
  if (!bd_is_aligned(given) || !bd_memory_can_read(asked->segments, given, sizeof *given))
    return malformed(asked, &t, "it cannot be read");
  t.struct_size = given->struct_size;
  t.n = given->n_transforms;
  t.stride = given->stride;
  t.items = given->transforms;
  const buddy_code code = check_table(asked, &t);
  if (code != BUDDY_OK || t.n == 0) return code;
  bd_transform *copy = bd_arena_calloc(asked->arena, t.n, sizeof *copy);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < t.n; ++i) {
    const buddy_code one = take_transform(asked, &t, i, &copy[i]);
    if (!one) continue;
    if (one != BUDDY_CORRUPT) return one;
    snprintf(asked->why, BD_REFUSAL_SIZE,
             "its transform %u has no name, root or args that can be read, or no rewrite that is "
             "code",
             i);
    return BUDDY_CORRUPT;
  }
  out->transforms = copy;
  out->n_transforms = t.n;
  return BUDDY_OK;
}

/* ---- Passes ---- */
static buddy_code take_fragments(const bd_asked *asked, bd_extensions *out) {
  const buddy_pipeline *given = ask(asked, BUDDY_PIPELINE_ID);
  table t = {.id = BUDDY_PIPELINE_ID,
             .item_size = sizeof(buddy_pass_fragment),
             .head_size = sizeof *given,
             .most = MAX_FRAGMENTS};
  if (!given) return BUDDY_OK;
  if (!bd_is_aligned(given) || !bd_memory_can_read(asked->segments, given, sizeof *given))
    return malformed(asked, &t, "it cannot be read");
  t.struct_size = given->struct_size;
  t.n = given->n_fragments;
  t.stride = given->stride;
  t.items = given->fragments;
  const buddy_code code = check_table(asked, &t);
  if (code != BUDDY_OK || t.n == 0) return code;
  buddy_pass_fragment *copy = bd_arena_calloc(asked->arena, t.n, sizeof *copy);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < t.n; ++i) {
    const char *at = (const char *)t.items + (size_t)i * t.stride;
    copy[i] = *(const buddy_pass_fragment *)(const void *)at;
    const buddy_code one = take_text(asked, copy[i].pipeline, &copy[i].pipeline);
    if (one == BUDDY_OUT_OF_MEMORY) return one;
    if (!one && copy[i].stage >= BUDDY_STAGE_TENSORS && copy[i].stage <= BUDDY_STAGE_LLVM) continue;
    snprintf(asked->why, BD_REFUSAL_SIZE,
             "its pass fragment %u has no text, or a stage that this host does not know (%d)", i,
             (int)copy[i].stage);
    return BUDDY_CORRUPT;
  }
  out->fragments = copy;
  out->n_fragments = t.n;
  return BUDDY_OK;
}

/* ---- Ahead of time ---- */
static buddy_code take_ahead(const bd_asked *asked, bd_extensions *out) {
  const buddy_ahead *given = ask(asked, BUDDY_AHEAD_ID);
  const table t = {.id = BUDDY_AHEAD_ID};
  if (!given || !asked->is_file) return BUDDY_OK; /* what is no file goes nowhere else */
  if (!bd_is_aligned(given) || !bd_memory_can_read(asked->segments, given, sizeof *given))
    return malformed(asked, &t, "it cannot be read");
  if (given->struct_size < sizeof *given) return malformed(asked, &t, "struct_size is too small");
  if (!given->file && asked->registry->llvm_version != 0)
    return malformed(asked, &t, "a registry of the native tier cannot be loaded without LLVM");
  out->ahead_file = "";
  const buddy_code one = given->file ? take_text(asked, given->file, &out->ahead_file) : BUDDY_OK;
  if (one == BUDDY_OUT_OF_MEMORY) return one;
  if (!one && (!given->file || bd_is_library_name(out->ahead_file))) return BUDDY_OK;
  return malformed(asked, &t, "the file's name is none like libNAME.so or libNAME.a");
}

buddy_code bd_extensions_take(const bd_asked *asked, bd_extensions *out) {
  BD_TRY(take_transforms(asked, out));
  BD_TRY(take_fragments(asked, out));
  return take_ahead(asked, out);
}
