// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/tensor_file.h: files of named tensors, which anybody may have written: safetensors and
 * GGUF. A reader says where tensors lie; it copies none. */
#ifndef BUDDY_SDK_IMPORT_TENSOR_FILE_H
#define BUDDY_SDK_IMPORT_TENSOR_FILE_H

#include "buddy/graph.h"
#include "core/base/arena.h"
#include "core/base/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BD_TENSOR_FILE_RANK = 8 };

/* Numbers that share what restores them. */
typedef struct bd_block_type {
  int64_t n_numbers, n_bytes;
} bd_block_type;

typedef struct bd_file_tensor {
  const char *name;
  buddy_dtype dtype; /* BUDDY_DTYPE_NONE: one that buddy has not */
  const bd_block_type
      *block;            /* whole rows of blocks that buddy can restore, of no dtype; else null */
  const char *type_name; /* as the file has it: "BF16", "Q4_K" */
  uint32_t rank;
  int64_t dims[BD_TENSOR_FILE_RANK];
  uint64_t at, n_bytes; /* within the file; of an unknown type n_bytes is 0 */
  UT_hash_handle hh;
} bd_file_tensor;

typedef struct bd_tensor_file {
  const uint8_t *bytes;
  uint64_t n_bytes;
  const char *where;
  uint64_t n_head;         /* bytes in front of the tensors: what says where they lie */
  bd_file_tensor *tensors; /* by name */
  /* What a GGUF file tells of the model; else empty, and 0. */
  char architecture[64];
  uint32_t n_heads, n_kv_heads;
} bd_tensor_file;

/* Reads what tells of the tensors. Sizes, places, overlaps, names and alignment are checked here and
 * nowhere else: BUDDY_CORRUPT, BUDDY_INCOMPATIBLE, BUDDY_LIMIT. The bytes stay the caller's; all
 * else is in the arena, but for the index, which deinit frees. */
BUDDY_EXPORT buddy_code bd_tensor_file_init(bd_arena *arena, const void *bytes, size_t n_bytes,
                                            const char *where, buddy_diags *diags,
                                            bd_tensor_file *out_file);
BUDDY_EXPORT void bd_tensor_file_deinit(bd_tensor_file *file);
/* Null: there is none. */
const bd_file_tensor *bd_tensor_file_find(const bd_tensor_file *file, const char *name);

/* ---- For the readers (safetensors.c, gguf.c) ---- */
/* A tensor of the file, which is copied. n_bytes is set if the type is known. */
buddy_code bd_tensor_file_add(bd_tensor_file *file, bd_arena *arena, const bd_file_tensor *tensor,
                              buddy_diags *diags);
buddy_code bd_tensor_file_wrong(const bd_tensor_file *file, buddy_diags *diags, const char *format,
                                ...) BUDDY_PRINTF(3, 4);
buddy_code bd_safetensors_read(bd_tensor_file *file, bd_arena *arena, buddy_diags *diags);
buddy_code bd_gguf_read(bd_tensor_file *file, bd_arena *arena, buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
