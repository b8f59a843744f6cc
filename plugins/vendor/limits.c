// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Limits row by row, in f32 and bf16. */
#include "plugins/vendor/limits.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "plugins/vendor/kernels.h"

/* The rows are worth as wide vectors as the processor has. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define WIDEST
#endif

enum { MAX_RANK = 2 + BD_VENDOR_MAX_SPATIAL };

typedef struct limits {
  float low, high;
} limits;

static double number(const bd_vendor_tail *tail, int i) {
  double value = 0;
  memcpy(&value, &tail->numbers[i], sizeof(value));
  return value;
}

bool bd_vendor_is_limit(const bd_vendor_tail *tail) {
  return tail->activation == BUDDY_VENDOR_CLAMP ||
         (tail->activation == BUDDY_VENDOR_RELU && number(tail, 0) == 0);
}

static limits limits_of(const bd_vendor_tail *tail) {
  if (tail->activation == BUDDY_VENDOR_RELU) return (limits){0, INFINITY};
  return (limits){(float)number(tail, 0), (float)number(tail, 1)};
}

WIDEST static void limit_f32(limits l, int64_t n, float *row) {
  for (int64_t i = 0; i < n; ++i) {
    const float x = row[i] < l.low ? l.low : row[i];
    row[i] = x > l.high ? l.high : x;
  }
}

static uint16_t narrow(float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof(bits));
  return (uint16_t)((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

static float widen(uint16_t half) {
  const uint32_t bits = (uint32_t)half << 16;
  float value = 0;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

WIDEST static void limit_bf16(limits l, int64_t n, uint16_t *row) {
  const uint16_t low = narrow(l.low), high = narrow(l.high);
  for (int64_t i = 0; i < n; ++i) {
    const float value = widen(row[i]), raised = value < l.low ? l.low : value;
    const uint16_t bits = value < l.low ? low : row[i];
    row[i] = raised > l.high ? high : bits;
  }
}

static void limit_row(int64_t dtype, limits l, int64_t n, char *row) {
  if (dtype == BD_VENDOR_F32) {
    limit_f32(l, n, (float *)(void *)row);
  } else {
    limit_bf16(l, n, (uint16_t *)(void *)row);
  }
}

/* A tensor as rows: numbers that lie one after the other, and the dimensions around them. */
typedef struct rows {
  int64_t n, rank, sizes[MAX_RANK], strides[MAX_RANK];
} rows;

/* Makes a part of the row of the dimension that leads from the end of a row to the next one. */
static bool join(rows *r) {
  for (int64_t i = 0; i < r->rank; ++i) {
    if (r->strides[i] != r->n && r->sizes[i] != 1) continue;
    r->n *= r->sizes[i];
    --r->rank;
    for (int64_t j = i; j < r->rank; ++j) {
      r->sizes[j] = r->sizes[j + 1];
      r->strides[j] = r->strides[j + 1];
    }
    return true;
  }
  return false;
}

void bd_vendor_limit(const bd_vendor_tail *tail, int64_t dtype, int64_t rank, const int64_t *sizes,
                     const int64_t *strides, char *data) {
  if (!bd_vendor_is_limit(tail)) return;
  const limits l = limits_of(tail);
  const int64_t size = dtype == BD_VENDOR_F32 ? 4 : 2;
  rows r = {.n = 1, .rank = rank};
  memcpy(r.sizes, sizes, (size_t)rank * sizeof(*sizes));
  memcpy(r.strides, strides, (size_t)rank * sizeof(*strides));
  while (join(&r)) continue;
  int64_t index[MAX_RANK] = {0}, i = 0;
  do {
    limit_row(dtype, l, r.n, data);
    for (i = r.rank - 1; i >= 0; --i) {
      data += r.strides[i] * size;
      if (++index[i] < r.sizes[i]) break;
      data -= r.sizes[i] * r.strides[i] * size;
      index[i] = 0;
    }
  } while (i >= 0);
}
