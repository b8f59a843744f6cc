// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/diags.c: a list of problems; the texts and the problems themselves live in one
 * arena. */
#include <stdarg.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/shown.h"

struct buddy_diags {
  bd_arena arena;
  buddy_diag **items; /* pointers, so that a buddy_diag stays where it is as the list grows */
  size_t n, capacity;
  void (*listen)(void *user, const buddy_diag *diag);
  void *user;
};

buddy_code buddy_diags_create(buddy_diags **out_diags) {
  *out_diags = bd_calloc(1, sizeof **out_diags);
  return *out_diags ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

void buddy_diags_destroy(buddy_diags *diags) {
  if (!diags) return;
  bd_arena_deinit(&diags->arena);
  bd_free(diags->items);
  bd_free(diags);
}

void buddy_diags_clear(buddy_diags *diags) {
  bd_arena_deinit(&diags->arena);
  diags->n = 0;
}

size_t buddy_diags_count(const buddy_diags *diags) { return diags ? diags->n : 0; }

const buddy_diag *buddy_diags_get(const buddy_diags *diags, size_t i) {
  return diags && i < diags->n ? diags->items[i] : NULL;
}

/* Names of archives, plugins and files are part of the texts: whoever prints them, be it to a
 * terminal, prints no more than one line of characters that are shown. */
static const char *copy_shown(bd_arena *arena, const char *string) {
  if (!string || !*string) return "";
  const size_t size = strlen(string);
  if (bd_is_shown(string, size)) return bd_arena_text(arena, string, size);
  bd_text shown;
  bd_text_init(&shown);
  bd_text_shown(&shown, string, size, BD_SHOWN_ALL);
  const char *copy = shown.code ? NULL : bd_arena_text(arena, shown.data, shown.size);
  bd_text_deinit(&shown);
  return copy;
}

/* Room for one more, in the list and as a struct. */
static buddy_diag *append(buddy_diags *diags) {
  void *items = bd_array_grow(diags->items, &diags->capacity, diags->n + 1, sizeof *diags->items);
  if (!items) return NULL;
  diags->items = items;
  return bd_arena_calloc(&diags->arena, 1, sizeof(buddy_diag));
}

buddy_code buddy_diags_add(buddy_diags *diags, buddy_severity severity, buddy_code code,
                           const char *where, const char *todo, const char *format, ...) {
  if (!diags) return code;
  bd_text what;
  bd_text_init(&what);
  va_list args;
  va_start(args, format);
  bd_text_format_args(&what, format, args);
  va_end(args);
  buddy_diag *diag = what.code ? NULL : append(diags);
  if (diag) {
    *diag = (buddy_diag){severity, code, copy_shown(&diags->arena, where),
                         copy_shown(&diags->arena, what.data), copy_shown(&diags->arena, todo)};
  }
  bd_text_deinit(&what);
  if (!diag || !diag->where || !diag->what || !diag->todo) return BUDDY_OUT_OF_MEMORY;
  diags->items[diags->n++] = diag;
  if (diags->listen) diags->listen(diags->user, diag);
  return code;
}

void buddy_diags_listen(buddy_diags *diags, void (*listen)(void *user, const buddy_diag *diag),
                        void *user) {
  diags->listen = listen;
  diags->user = user;
}
