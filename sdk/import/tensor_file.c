// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/tensor_file.c: what holds for tensors of any file; see tensor_file.h. */
#include "sdk/import/tensor_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"

buddy_code bd_tensor_file_wrong(const bd_tensor_file *file, buddy_diags *diags, const char *format,
                                ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, file->where,
                         "the file is damaged: copy or write it again", "%s", text);
}

const bd_file_tensor *bd_tensor_file_find(const bd_tensor_file *file, const char *name) {
  bd_file_tensor *found;
  HASH_FIND(hh, file->tensors, name, strlen(name), found);
  return found;
}

/* Bytes of a dense tensor; false: too many to be true. */
static bool measure(const bd_file_tensor *tensor, uint64_t *out_n) {
  const bd_block_type *block = tensor->block;
  uint64_t n = block ? (uint64_t)block->n_bytes : buddy_dtype_size(tensor->dtype);
  bool is_empty = false;
  if (block && (tensor->rank == 0 || tensor->dims[tensor->rank - 1] % block->n_numbers != 0))
    return false;
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    const int64_t size =
        block && d + 1 == tensor->rank ? tensor->dims[d] / block->n_numbers : tensor->dims[d];
    if (size < 0) return false;
    is_empty |= size == 0;
    if (size > 0 && __builtin_mul_overflow(n, (uint64_t)size, &n)) return false;
  }
  *out_n = is_empty ? 0 : n;
  return n <= INT64_MAX;
}

buddy_code bd_tensor_file_add(bd_tensor_file *file, bd_arena *arena, const bd_file_tensor *tensor,
                              buddy_diags *diags) {
  bool hash_is_full = false;
  if (bd_tensor_file_find(file, tensor->name))
    return bd_tensor_file_wrong(file, diags, "two tensors are called '%.200s'", tensor->name);
  bd_file_tensor *added = bd_arena_calloc(arena, 1, sizeof *added);
  const char *name = bd_arena_strdup(arena, tensor->name);
  const char *type_name = bd_arena_strdup(arena, tensor->type_name);
  if (!added || !name || !type_name) return BUDDY_OUT_OF_MEMORY;
  *added = *tensor;
  added->name = name;
  added->type_name = type_name;
  added->n_bytes = 0;
  const bool is_known = tensor->block || tensor->dtype != BUDDY_DTYPE_NONE;
  if (is_known && !measure(tensor, &added->n_bytes))
    return bd_tensor_file_wrong(file, diags, "tensor '%.200s' has sizes that cannot be", name);
  if (added->at > file->n_bytes || added->n_bytes > file->n_bytes - added->at)
    return bd_tensor_file_wrong(file, diags, "tensor '%.200s' reaches beyond the file's %llu bytes",
                                name, (unsigned long long)file->n_bytes);
  HASH_ADD_KEYPTR(hh, file->tensors, added->name, strlen(added->name), added);
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

void bd_tensor_file_deinit(bd_tensor_file *file) { HASH_CLEAR(hh, file->tensors); }
