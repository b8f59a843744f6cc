// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/other_weights.c: see other_weights.h. */
#include "sdk/import/other_weights.h"

#include <stdio.h>
#include <string.h>

#include "core/base/try.h"

/* ---- Names ---- */

/* "a*b" becomes "a" and "b", in place. False: there is no star, or more than one. */
static bool split(char *text, const char **out_head, const char **out_tail) {
  char *star = strchr(text, '*');
  *out_head = text;
  *out_tail = "";
  if (!star || strchr(star + 1, '*')) return false;
  *star = '\0';
  *out_tail = star + 1;
  return true;
}

static buddy_code read_line(bd_other_weights *other, char *line, size_t number,
                            buddy_diags *diags) {
  static const char blanks[] = " \t\r";
  char *rest = NULL, *comment = strchr(line, '#');
  if (comment) *comment = '\0';
  char *ours = strtok_r(line, blanks, &rest), *theirs = strtok_r(NULL, blanks, &rest);
  if (!ours) return BUDDY_OK;
  bd_name_line *added = &other->lines[other->n_lines++];
  const bool is_pair = theirs && !strtok_r(NULL, blanks, &rest);
  if (is_pair) {
    added->is_whole = !split(ours, &added->head, &added->tail);
    const bool is_also = !split(theirs, &added->to_head, &added->to_tail);
    const bool has_stars = strchr(added->head, '*') || strchr(added->to_head, '*');
    if (added->is_whole == is_also && !has_stars) return BUDDY_OK;
  }
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "names of weights",
                         "write a name of the program, a blank, and the file's name; both with one "
                         "* for what is the same in them, or none",
                         "line %zu of the table is no pair of names", number);
}

static buddy_code read_names(bd_other_weights *other, bd_arena *arena, const char *names,
                             buddy_diags *diags) {
  size_t n = 1, number = 0;
  for (const char *c = names; *c; ++c) n += *c == '\n';
  char *text = bd_arena_strdup(arena, names), *rest = text;
  other->names = bd_arena_strdup(arena, names);
  other->lines = bd_arena_calloc(arena, n, sizeof *other->lines);
  if (!text || !other->names || !other->lines) return BUDDY_OUT_OF_MEMORY;
  for (char *line; (line = strsep(&rest, "\n"));) BD_TRY(read_line(other, line, ++number, diags));
  return BUDDY_OK;
}

/* What the file calls it, by a line that fits; false: this one does not. */
static bool rename_by(const bd_name_line *line, const char *target, char *name, size_t size) {
  const size_t n = strlen(target), n_head = strlen(line->head), n_tail = strlen(line->tail);
  if (line->is_whole) {
    if (strcmp(target, line->head) != 0) return false;
    return snprintf(name, size, "%s", line->to_head) < (int)size;
  }
  if (n < n_head + n_tail || strncmp(target, line->head, n_head) != 0 ||
      strcmp(target + n - n_tail, line->tail) != 0)
    return false;
  return snprintf(name, size, "%s%.*s%s", line->to_head, (int)(n - n_head - n_tail),
                  target + n_head, line->to_tail) < (int)size;
}

const bd_file_tensor *bd_other_weights_find(const bd_other_weights *other, const char *target,
                                            char *name, size_t size) {
  size_t i = 0;
  while (i < other->n_lines && !rename_by(&other->lines[i], target, name, size)) ++i;
  if (i == other->n_lines) snprintf(name, size, "%s", target);
  return bd_tensor_file_find(&other->file, name);
}

/* ---- All ---- */

buddy_code bd_other_weights_create(bd_arena *arena, const void *bytes, size_t n_bytes,
                                   const char *where, const char *names, buddy_diags *diags,
                                   bd_other_weights **out) {
  *out = NULL;
  bd_other_weights *other = bd_arena_calloc(arena, 1, sizeof *other);
  const char *copy = bd_arena_strdup(arena, where);
  if (!other || !copy) return BUDDY_OUT_OF_MEMORY;
  if (names) BD_TRY(read_names(other, arena, names, diags));
  BD_TRY(bd_tensor_file_init(arena, bytes, n_bytes, copy, diags, &other->file));
  *out = other;
  return BUDDY_OK;
}

void bd_other_weights_destroy(bd_other_weights *other) {
  if (other) bd_tensor_file_deinit(&other->file);
}
