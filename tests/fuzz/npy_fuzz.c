// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/npy_fuzz.c: any bytes as a .npy file. The first byte chooses the dtype that is
 * expected. */
#include <stddef.h>
#include <stdint.h>

#include "sdk/runtime/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  buddy_tensor tensor;
  if (size == 0) return 0;
  const buddy_dtype expected = data[0] % 21;
  if (bd_npy_decode(data + 1, size - 1, expected, "fuzz", NULL, &tensor) == BUDDY_OK) {
    buddy_tensor_fill_random(&tensor, 1); /* touches every element that the sizes claim */
    buddy_tensor_release(&tensor);
  }
  return 0;
}
