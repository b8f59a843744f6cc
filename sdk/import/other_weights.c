// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/other_weights.c: see other_weights.h. */
#include "sdk/import/other_weights.h"

#include <stdio.h>
#include <stdlib.h>
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

/* "heads=N", or "as-is", which is no heads; false: another word. */
static bool read_heads(const char *word, int64_t *out_n) {
  static const char key[] = "heads=";
  char *end;
  *out_n = 0;
  if (strcmp(word, "as-is") == 0) return true;
  if (strncmp(word, key, sizeof key - 1) != 0) return false;
  *out_n = strtoll(word + sizeof key - 1, &end, 10);
  return *end == '\0' && *out_n > 0 && *out_n < 1 << 20;
}

static buddy_code read_line(bd_other_weights *other, char *line, size_t number,
                            buddy_diags *diags) {
  static const char blanks[] = " \t\r";
  char *rest = NULL, *comment = strchr(line, '#');
  if (comment) *comment = '\0';
  char *ours = strtok_r(line, blanks, &rest), *theirs = strtok_r(NULL, blanks, &rest);
  if (!ours) return BUDDY_OK;
  bd_name_line *added = &other->lines[other->n_lines++];
  const char *heads = strtok_r(NULL, blanks, &rest);
  added->n_heads = -1;
  if (theirs && (!heads || read_heads(heads, &added->n_heads)) && !strtok_r(NULL, blanks, &rest)) {
    added->is_whole = !split(ours, &added->head, &added->tail);
    const bool is_also = !split(theirs, &added->to_head, &added->to_tail);
    const bool has_stars = strchr(added->head, '*') || strchr(added->to_head, '*');
    if (added->is_whole == is_also && !has_stars) return BUDDY_OK;
  }
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "names of weights",
                         "write a name of the program, a blank, and the file's name; both with one "
                         "* for what is the same in them, or none; then heads=N, as-is, or nothing",
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

/* The line that tells the name; null: none does, and it is the program's. */
static const bd_name_line *rename_target(const bd_other_weights *other, const char *target,
                                         char *name, size_t size) {
  for (size_t i = 0; i < other->n_lines; ++i) {
    if (rename_by(&other->lines[i], target, name, size)) return &other->lines[i];
  }
  snprintf(name, size, "%s", target);
  return NULL;
}

const bd_file_tensor *bd_other_weights_find(const bd_other_weights *other, const char *target,
                                            char *name, size_t size) {
  rename_target(other, target, name, size);
  return bd_tensor_file_find(&other->file, name);
}

/* ---- What converters for llama.cpp change ---- */

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), n_end = strlen(end);
  return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* Whose rotations take neighbours, so that the rows of queries and keys are put in that order. */
static bool has_pairs(const char *architecture) {
  static const char *const all[] = {"llama",   "deci",     "granite", "granitemoe",
                                    "smollm3", "arcee",    "minicpm", "internlm2",
                                    "olmo",    "baichuan", "xverse"};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    if (strcmp(all[i], architecture) == 0) return true;
  }
  return false;
}

/* Numbers that are others than in the program, or elsewhere. */
static const char *change_of(const char *architecture, const char *name) {
  static const struct {
    const char *architecture, *end, *what;
  } all[] = {{"gemma", "norm.weight", "1 is added to it"},
             {"gemma2", "norm.weight", "1 is added to it"},
             {"gemma3", "norm.weight", "1 is added to it"},
             {"gpt2", "attn_output.weight", "it is transposed"},
             {"mamba", "ssm_a", "it is -exp of it"},
             {"mamba2", "ssm_a", "it is -exp of it"},
             {"bloom", "attn_qkv.weight", "its rows are in another order"},
             {"bloom", "attn_qkv.bias", "its rows are in another order"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    if (strcmp(all[i].architecture, architecture) == 0 && ends_with(name, all[i].end))
      return all[i].what;
  }
  return NULL;
}

int64_t bd_other_weights_heads(const bd_other_weights *other, const char *target,
                               const bd_file_tensor *tensor, const char **out_problem) {
  char name[1024];
  const bd_tensor_file *file = &other->file;
  const bd_name_line *line = rename_target(other, target, name, sizeof name);
  *out_problem = NULL;
  if (line && line->n_heads >= 0) return line->n_heads;
  *out_problem = change_of(file->architecture, tensor->name);
  const bool is_key =
      ends_with(tensor->name, "attn_k.weight") || ends_with(tensor->name, "attn_k.bias");
  const bool is_query =
      ends_with(tensor->name, "attn_q.weight") || ends_with(tensor->name, "attn_q.bias");
  if (!has_pairs(file->architecture) || (!is_key && !is_query)) return 0;
  const uint32_t n = is_key && file->n_kv_heads > 0 ? file->n_kv_heads : file->n_heads;
  if (n == 0)
    *out_problem = "its rows are in an order by heads, whose number the file does not tell";
  return n;
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
