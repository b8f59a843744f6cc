// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/tensor.h: tensors that go into and come out of a compiled program, and their .npy files. No
 * MLIR here. */
#ifndef BUDDY_TENSOR_H
#define BUDDY_TENSOR_H

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A strided view of memory. bytes points at element 0. Whoever made it owns the bytes, unless
 * `release` is set: then buddy_tensor_release frees them. */
typedef struct buddy_tensor {
  buddy_dtype dtype;
  uint32_t rank;
  int64_t *sizes;   /* rank of them */
  int64_t *strides; /* in elements; rank of them */
  void *bytes;
  void (*release)(struct buddy_tensor *tensor); /* null: the caller's own memory */
  void *owner;                                  /* for release */
} buddy_tensor;

/* Allocates a contiguous tensor, 64-byte aligned and zeroed; sizes are copied. BUDDY_LIMIT if its
 * bytes overflow. */
BUDDY_EXPORT buddy_code buddy_tensor_create(buddy_dtype dtype, uint32_t rank, const int64_t *sizes,
                                            buddy_tensor *out_tensor);
/* Frees what the tensor owns and zeroes it. A zeroed tensor is allowed. */
BUDDY_EXPORT void buddy_tensor_release(buddy_tensor *tensor);
BUDDY_EXPORT int64_t buddy_tensor_n_elements(const buddy_tensor *tensor);
BUDDY_EXPORT int buddy_tensor_is_contiguous(const buddy_tensor *tensor);
/* Uniform numbers in [-1, 1) for floats and complex, 0 or 1 for integers, which often are
 * indices into something small, and for booleans; the
 * same for the same seed on every machine (a counter-based generator). */
BUDDY_EXPORT void buddy_tensor_fill_random(buddy_tensor *tensor, uint64_t seed);

/* NumPy's .npy, versions 1 to 3, C and Fortran order, little-endian. Types that NumPy lacks are
 * read as the dtype that is `expected` when the file holds their bit pattern (uint16 for bf16,
 * uint8 for f8), and written likewise. expected: BUDDY_DTYPE_NONE takes the file's own. Writing
 * goes to a temporary name and is renamed. */
BUDDY_EXPORT buddy_code buddy_npy_read(const char *path, buddy_dtype expected, buddy_diags *diags,
                                       buddy_tensor *out_tensor);
BUDDY_EXPORT buddy_code buddy_npy_write(const char *path, const buddy_tensor *tensor,
                                        buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
