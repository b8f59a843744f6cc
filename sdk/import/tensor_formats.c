// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/tensor_formats.c: which reader a file of tensors has, and what is checked after any. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/import/tensor_file.h"

static int by_place(const void *a, const void *b) {
  const bd_file_tensor *const *x = a, *const *y = b;
  return ((*x)->at > (*y)->at) - ((*x)->at < (*y)->at);
}

/* No byte is of two tensors. */
static buddy_code check_overlaps(const bd_tensor_file *file, buddy_diags *diags) {
  const size_t n = HASH_COUNT(file->tensors);
  const bd_file_tensor **sorted = bd_calloc(n + 1, sizeof *sorted);
  buddy_code code = BUDDY_OK;
  size_t i = 0;
  if (!sorted) return BUDDY_OUT_OF_MEMORY;
  for (const bd_file_tensor *t = file->tensors; t; t = t->hh.next) sorted[i++] = t;
  qsort(sorted, n, sizeof *sorted, by_place);
  const bd_file_tensor *last = NULL; /* that reaches furthest */
  for (i = 0; i < n && code == BUDDY_OK; ++i) {
    if (sorted[i]->n_bytes == 0) continue;
    if (last && last->at + last->n_bytes > sorted[i]->at)
      code = bd_tensor_file_wrong(file, diags, "tensors '%.150s' and '%.150s' overlap", last->name,
                                  sorted[i]->name);
    last = sorted[i];
  }
  bd_free(sorted);
  return code;
}

buddy_code bd_tensor_file_init(bd_arena *arena, const void *bytes, size_t n_bytes,
                               const char *where, buddy_diags *diags, bd_tensor_file *out_file) {
  *out_file = (bd_tensor_file){.bytes = bytes, .n_bytes = n_bytes, .where = where};
  const bool is_gguf = n_bytes >= 4 && memcmp(bytes, "GGUF", 4) == 0;
  buddy_code code =
      is_gguf ? bd_gguf_read(out_file, arena, diags) : bd_safetensors_read(out_file, arena, diags);
  if (code == BUDDY_OK) code = check_overlaps(out_file, diags);
  if (code != BUDDY_OK) bd_tensor_file_deinit(out_file);
  return code;
}
