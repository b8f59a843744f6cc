// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/rows.h: one tensor as rows that have an owner each, so that rows which lie one after the
 * other are the batch of a run as they are. Whoever drops a row leaves a free one behind; the block goes
 * with its last row. Owners of different rows may be on different threads. */
#ifndef BUDDY_SDK_RUNTIME_ROWS_H
#define BUDDY_SDK_RUNTIME_ROWS_H

#include <stdbool.h>

#include "buddy/tensor.h"

typedef struct bd_rows {
  size_t n_owners, n_rows;
  buddy_tensor tensor; /* [n_rows, …] */
  unsigned char is_taken[];
} bd_rows;

/* What a tensor that is a row owns. */
typedef struct bd_rows_row {
  bd_rows *block;
  size_t number;
  int64_t shape[]; /* sizes and strides */
} bd_rows_row;

/* Takes a dense tensor over, on failure (null) too. The caller is an owner, besides those of rows. */
bd_rows *bd_rows_create(buddy_tensor *tensor);
void bd_rows_release(bd_rows *block);
bool bd_rows_is_taken(const bd_rows *block, size_t number);
/* A row becomes the caller's, as a tensor [1, …]. out_is_mine: false where it is somebody else's. */
buddy_code bd_rows_take(bd_rows *block, size_t number, bool *out_is_mine, buddy_tensor *out);
/* n rows as a tensor that owns nothing. shape: room for its sizes and strides. */
buddy_tensor bd_rows_view(const bd_rows *block, size_t first, size_t n, int64_t *shape);
/* Null: the tensor is no row. */
const bd_rows_row *bd_rows_row_of(const buddy_tensor *tensor);

#endif
