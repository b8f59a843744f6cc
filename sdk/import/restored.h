// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/restored.h: parameters that a file of weights has in another form than the program:
 * other floats, blocks of few bits, rows in another order. The bytes stay as they lie in the file, and
 * nodes of the graph make the parameter of them, which products do where they need it
 * (sdk/compile/kernels/dequantized/dequantized.h). */
#ifndef BUDDY_SDK_IMPORT_RESTORED_H
#define BUDDY_SDK_IMPORT_RESTORED_H

#include "sdk/import/pt2.h"
#include "sdk/import/tensor_file.h"

typedef struct bd_restored {
  const bd_file_tensor *tensor;
  const void *bytes;        /* its first */
  int64_t n_heads;          /* whose pairs of rows are to be two halves again; 0: rows stay */
  const buddy_value *value; /* the program's parameter, an input without data */
  struct bd_restored *next;
} bd_restored;

/* Whether nodes can make a parameter of that type of the tensor. */
bool bd_can_be_restored(const bd_file_tensor *tensor, const buddy_tensor_type *type,
                        int64_t n_heads);
/* Copied into the import's arena. */
buddy_code bd_restored_add(bd_import *import, const bd_restored *restored);
/* Adds the nodes, after all of the program was read. */
buddy_code bd_restored_apply(bd_import *import);

#endif
