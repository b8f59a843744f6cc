// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/rows.c: rows of a block; see rows.h. */
#include "sdk/runtime/rows.h"

#include <string.h>

#include "core/base/memory.h"

bd_rows *bd_rows_create(buddy_tensor *tensor) {
  const size_t n = (size_t)tensor->sizes[0];
  bd_rows *block = bd_calloc(1, sizeof(bd_rows) + n);
  if (!block) {
    buddy_tensor_release(tensor);
    return NULL;
  }
  block->n_owners = 1;
  block->n_rows = n;
  block->tensor = *tensor;
  return block;
}

void bd_rows_release(bd_rows *block) {
  if (!block || __atomic_sub_fetch(&block->n_owners, 1, __ATOMIC_ACQ_REL) > 0) return;
  buddy_tensor_release(&block->tensor);
  bd_free(block);
}

bool bd_rows_is_taken(const bd_rows *block, size_t number) {
  return __atomic_load_n(&block->is_taken[number], __ATOMIC_ACQUIRE) != 0;
}

static void release_row(buddy_tensor *tensor) {
  bd_rows_row *row = tensor->owner;
  __atomic_store_n(&row->block->is_taken[row->number], 0, __ATOMIC_RELEASE);
  bd_rows_release(row->block);
  bd_free(row);
}

const bd_rows_row *bd_rows_row_of(const buddy_tensor *tensor) {
  return tensor->release == release_row ? tensor->owner : NULL;
}

buddy_tensor bd_rows_view(const bd_rows *block, size_t first, size_t n, int64_t *shape) {
  const buddy_tensor *all = &block->tensor;
  memcpy(shape, all->sizes, all->rank * sizeof(int64_t));
  memcpy(shape + all->rank, all->strides, all->rank * sizeof(int64_t));
  shape[0] = (int64_t)n;
  buddy_tensor view = {
      .dtype = all->dtype, .rank = all->rank, .sizes = shape, .strides = shape + all->rank};
  view.bytes =
      (char *)all->bytes + (int64_t)first * all->strides[0] * (int64_t)buddy_dtype_size(all->dtype);
  return view;
}

buddy_code bd_rows_take(bd_rows *block, size_t number, bool *out_is_mine, buddy_tensor *out) {
  unsigned char none = 0;
  *out_is_mine = __atomic_compare_exchange_n(&block->is_taken[number], &none, 1, false,
                                             __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  if (!*out_is_mine) return BUDDY_OK;
  bd_rows_row *row =
      bd_calloc(1, sizeof(bd_rows_row) + 2 * (size_t)block->tensor.rank * sizeof(int64_t));
  if (!row) {
    __atomic_store_n(&block->is_taken[number], 0, __ATOMIC_RELEASE);
    return BUDDY_OUT_OF_MEMORY;
  }
  __atomic_add_fetch(&block->n_owners, 1, __ATOMIC_RELAXED);
  row->block = block;
  row->number = number;
  *out = bd_rows_view(block, number, 1, row->shape);
  out->release = release_row;
  out->owner = row;
  return BUDDY_OK;
}
