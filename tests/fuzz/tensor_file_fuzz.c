// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/tensor_file_fuzz.c: any bytes as a file of tensors: safetensors, or GGUF. What is accepted
 * lies within the bytes. */
#include <stdint.h>
#include <stdlib.h>

#include "sdk/import/tensor_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bd_arena arena;
  bd_tensor_file file;
  buddy_diags *diags = NULL;
  if (buddy_diags_create(&diags) != BUDDY_OK) return 0;
  bd_arena_init(&arena);
  if (bd_tensor_file_init(&arena, data, size, "fuzz", diags, &file) == BUDDY_OK) {
    volatile uint8_t sum = 0;
    for (const bd_file_tensor *tensor = file.tensors; tensor; tensor = tensor->hh.next) {
      if (tensor->n_bytes == 0) continue;
      sum = (uint8_t)(sum + data[tensor->at] + data[tensor->at + tensor->n_bytes - 1]);
    }
    bd_tensor_file_deinit(&file);
  } else if (buddy_diags_count(diags) == 0) {
    abort(); /* refused without a word */
  }
  bd_arena_deinit(&arena);
  buddy_diags_destroy(diags);
  return 0;
}
