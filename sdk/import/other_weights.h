// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/other_weights.h: parameters of a program that another file has. */
#ifndef BUDDY_SDK_IMPORT_OTHER_WEIGHTS_H
#define BUDDY_SDK_IMPORT_OTHER_WEIGHTS_H

#include "sdk/import/tensor_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A line of the table of names: what a program calls head…tail, the file calls to_head…to_tail, with the
 * same between; without a star, is_whole. n_heads: as bd_other_weights_heads, or -1: the line tells
 * nothing of it. */
typedef struct bd_name_line {
  const char *head, *tail, *to_head, *to_tail;
  bool is_whole;
  int64_t n_heads;
} bd_name_line;

typedef struct bd_other_weights {
  bd_tensor_file file;
  const char *names; /* text of the table, or null */
  bd_name_line *lines;
  size_t n_lines;
} bd_other_weights;

/* bytes: of the file, which must outlive it. names: as buddy_archive_take_weights takes it; copied. */
buddy_code bd_other_weights_create(bd_arena *arena, const void *bytes, size_t n_bytes,
                                   const char *where, const char *names, buddy_diags *diags,
                                   bd_other_weights **out);
void bd_other_weights_destroy(bd_other_weights *other); /* null is allowed */
/* The tensor for a parameter; null: the file has none. `name` receives what it is called there. */
const bd_file_tensor *bd_other_weights_find(const bd_other_weights *other, const char *target,
                                            char *name, size_t size);
/* Of how many heads the file has rows i and half + i side by side, as converters for llama.cpp put those of
 * queries and keys; 0: its rows are the program's. The table of names says it, or the file's
 * general.architecture. out_problem: null, or what of the tensor is not the program's otherwise, or why
 * it is not known. */
int64_t bd_other_weights_heads(const bd_other_weights *other, const char *target,
                               const bd_file_tensor *tensor, const char **out_problem);

#ifdef __cplusplus
}
#endif
#endif
