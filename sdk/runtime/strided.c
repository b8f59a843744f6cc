// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/strided.c: copies of strided views, and their types as text. */
#include "sdk/runtime/strided.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/numbers.h"

const char *bd_tensor_problem(const buddy_tensor *tensor) {
  int64_t n = 1;
  bool is_empty = false;
  if (tensor->rank > BD_MAX_RANK) return " (too many dimensions)";
  if (tensor->rank > 0 && (!tensor->sizes || !tensor->strides)) return " without sizes and strides";
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    const int64_t size = tensor->sizes[d];
    is_empty |= size == 0;
    if (size < 0 || (size > 0 && __builtin_mul_overflow(n, size, &n)) || n > BD_MAX_ELEMENTS)
      return " (impossible sizes)";
  }
  return !tensor->bytes && !is_empty ? " without memory" : NULL;
}

void bd_tensor_type_text(const buddy_tensor *tensor, char *text, size_t size) {
  int n = snprintf(text, size, "%s[", buddy_dtype_name(tensor->dtype));
  const bool is_sized = tensor->sizes && tensor->rank <= BD_MAX_RANK;
  if (tensor->rank > 0 && !is_sized) n += snprintf(text + n, size - (size_t)n, "?");
  for (uint32_t d = 0; d < tensor->rank && is_sized && n >= 0 && (size_t)n < size; ++d) {
    n += snprintf(text + n, size - (size_t)n, "%s%lld", d > 0 ? "," : "",
                  (long long)tensor->sizes[d]);
  }
  if (n >= 0 && (size_t)n < size) snprintf(text + n, size - (size_t)n, "]");
}

typedef struct axis {
  int64_t size, from, to; /* strides in bytes */
} axis;

/* Axes without size-1 ones, and with neighbours merged that are one run in both views. Returns how
 * many, or -1 for an empty tensor. */
static int merge_axes(const buddy_tensor *from, const buddy_tensor *to, axis *axes) {
  const int64_t width = (int64_t)buddy_dtype_size(from->dtype);
  int n = 0;
  for (uint32_t d = 0; d < from->rank; ++d) {
    const axis next = {from->sizes[d], from->strides[d] * width, to->strides[d] * width};
    if (next.size == 0) return -1;
    if (next.size == 1) continue;
    axis *last = n > 0 ? &axes[n - 1] : NULL;
    if (last && last->from == next.from * next.size && last->to == next.to * next.size) {
      *last = (axis){last->size * next.size, next.from, next.to};
    } else {
      axes[n++] = next;
    }
  }
  return n;
}

static void copy_line(const char *from, char *to, const axis *inner, size_t width) {
  if (inner->from == (int64_t)width && inner->to == (int64_t)width) {
    memcpy(to, from, (size_t)inner->size * width);
    return;
  }
  for (int64_t i = 0; i < inner->size; ++i)
    memcpy(to + i * inner->to, from + i * inner->from, width);
}

void bd_strided_copy(const buddy_tensor *from, const buddy_tensor *to) {
  axis axes[BD_MAX_RANK];
  int64_t at[BD_MAX_RANK] = {0};
  const size_t width = buddy_dtype_size(from->dtype);
  const int n = merge_axes(from, to, axes);
  if (n < 0) return;
  const char *source = from->bytes;
  char *target = to->bytes;
  if (n == 0) {
    memcpy(target, source, width);
    return;
  }
  for (;;) {
    copy_line(source, target, &axes[n - 1], width);
    int d = n - 2;
    while (
        d >= 0 &&
        ++at[d] ==
            axes[d].size) { /* this axis is through: back to its start, the next outer one moves */
      source -= (axes[d].size - 1) * axes[d].from;
      target -= (axes[d].size - 1) * axes[d].to;
      at[d--] = 0;
    }
    if (d < 0) return;
    source += axes[d].from;
    target += axes[d].to;
  }
}

void bd_strided_pack(const buddy_tensor *from, void *to) {
  int64_t strides[BD_MAX_RANK];
  int64_t stride = 1;
  for (uint32_t d = from->rank; d-- > 0;) {
    strides[d] = stride;
    stride *= from->sizes[d];
  }
  const buddy_tensor dense = {.dtype = from->dtype,
                              .rank = from->rank,
                              .sizes = from->sizes,
                              .strides = strides,
                              .bytes = to};
  bd_strided_copy(from, &dense);
}
