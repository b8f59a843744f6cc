// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/npy.h: .npy bytes that are in memory already; for tests and fuzzing;
 * and files whose shape is compared before they are read. */
#ifndef BUDDY_SDK_COMPILE_NPY_H
#define BUDDY_SDK_COMPILE_NPY_H

#include <stdbool.h>

#include "buddy/tensor.h"

/* As buddy_npy_read, of n bytes. name: for messages. */
BUDDY_EXPORT buddy_code bd_npy_decode(const void *data, size_t n, buddy_dtype expected,
                                      const char *name, buddy_diags *diags,
                                      buddy_tensor *out_tensor);

/* What a reader wants: a dtype, BUDDY_DTYPE_NONE for the file's own, and perhaps a
 * shape; a dim below 0 stands for any size. */
typedef struct bd_npy_wish {
  buddy_dtype dtype;
  bool has_shape;
  uint32_t rank;
  const int64_t *dims;
} bd_npy_wish;
/* As buddy_npy_read. What is not wanted is refused when its header is read, and costs no memory. */
BUDDY_EXPORT buddy_code bd_npy_read(const char *path, const bd_npy_wish *wish, buddy_diags *diags,
                                    buddy_tensor *out_tensor);

#endif
