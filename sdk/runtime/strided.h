// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/strided.h: strided views of memory: copying them, and their types as text. */
#ifndef BUDDY_SDK_COMPILE_STRIDED_H
#define BUDDY_SDK_COMPILE_STRIDED_H

#include "buddy/tensor.h"

/* buddy_tensor_create and every function that takes tensors from outside refuse more axes than
 * this. */
#define BD_MAX_RANK 64

/* Null if the sizes are those of a value (BD_MAX_ELEMENTS), and the tensor has memory, else what is the
 * matter, with a blank before it. */
const char *bd_tensor_problem(const buddy_tensor *tensor);
/* Copies the elements; both have the same dtype and sizes and do not overlap. */
void bd_strided_copy(const buddy_tensor *from, const buddy_tensor *to);
/* A new tensor, as buddy_tensor_create makes it, with the same elements. */
buddy_code bd_tensor_copy(const buddy_tensor *from, buddy_tensor *out_tensor);
/* Copies the elements in row-major order into dense memory. */
void bd_strided_pack(const buddy_tensor *from, void *to);
/* "f32[2,3]" into `text`, always terminated. */
void bd_tensor_type_text(const buddy_tensor *tensor, char *text, size_t size);

#endif
