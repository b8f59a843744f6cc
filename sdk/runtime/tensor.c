// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/tensor.c: tensors in memory; see buddy/tensor.h.
 *
 * A created tensor is two allocations: the bytes, which owner points at, and one array with sizes
 * and strides. */
#include "buddy/tensor.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/softfloat.h"
#include "sdk/runtime/strided.h"

static void release_created(buddy_tensor *tensor) {
  free(tensor->owner);
  free(tensor->sizes);
}

/* Bytes of a dense tensor, and its strides. BUDDY_LIMIT if they do not fit into an int64_t. */
static buddy_code lay_out(buddy_dtype dtype, uint32_t rank, const int64_t *sizes, int64_t *strides,
                          size_t *out_bytes) {
  int64_t stride = 1, n = 1;
  for (uint32_t d = rank; d-- > 0;) {
    if (sizes[d] < 0) return BUDDY_INVALID_ARGUMENT;
    strides[d] = stride;
    if (__builtin_mul_overflow(stride, sizes[d] > 0 ? sizes[d] : 1, &stride)) return BUDDY_LIMIT;
    n = sizes[d] > 0 ? n : 0;
  }
  int64_t n_bytes;
  if (__builtin_mul_overflow(stride, (int64_t)buddy_dtype_size(dtype), &n_bytes))
    return BUDDY_LIMIT;
  if (n_bytes > PTRDIFF_MAX - 64) return BUDDY_LIMIT;
  *out_bytes = n == 0 ? 0 : (size_t)n_bytes;
  return BUDDY_OK;
}

/* Without contents, of so many bytes. */
static buddy_code allocate(buddy_dtype dtype, uint32_t rank, const int64_t *sizes,
                           buddy_tensor *out_tensor, size_t *out_bytes) {
  size_t n_bytes = 0;
  *out_tensor = (buddy_tensor){.dtype = BUDDY_DTYPE_NONE};
  if (buddy_dtype_size(dtype) == 0) return BUDDY_INVALID_ARGUMENT;
  if (rank > BD_MAX_RANK) return BUDDY_LIMIT;
  int64_t *shape = bd_calloc(2 * (size_t)rank + 1, sizeof(int64_t));
  if (!shape) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = lay_out(dtype, rank, sizes, shape + rank, &n_bytes);
  if (code == BUDDY_OK) {
    *out_bytes = n_bytes == 0 ? 64 : (n_bytes + 63) & ~(size_t)63;
    out_tensor->bytes = out_tensor->owner = aligned_alloc(64, *out_bytes);
    if (!out_tensor->bytes) code = BUDDY_OUT_OF_MEMORY;
  }
  if (code != BUDDY_OK) {
    free(shape);
    return code;
  }
  if (rank > 0) memcpy(shape, sizes, rank * sizeof(int64_t));
  out_tensor->dtype = dtype;
  out_tensor->rank = rank;
  out_tensor->sizes = shape;
  out_tensor->strides = shape + rank;
  out_tensor->release = release_created;
  return BUDDY_OK;
}

buddy_code buddy_tensor_create(buddy_dtype dtype, uint32_t rank, const int64_t *sizes,
                               buddy_tensor *out_tensor) {
  size_t n_bytes;
  BD_TRY(allocate(dtype, rank, sizes, out_tensor, &n_bytes));
  memset(out_tensor->bytes, 0, n_bytes);
  return BUDDY_OK;
}

buddy_code bd_tensor_copy(const buddy_tensor *from, buddy_tensor *out_tensor) {
  size_t n_bytes;
  BD_TRY(allocate(from->dtype, from->rank, from->sizes, out_tensor, &n_bytes));
  memset((char *)out_tensor->bytes + n_bytes - 64, 0, 64);
  bd_strided_copy(from, out_tensor);
  return BUDDY_OK;
}

void buddy_tensor_release(buddy_tensor *tensor) {
  if (!tensor) return;
  if (tensor->release) tensor->release(tensor);
  *tensor = (buddy_tensor){.dtype = BUDDY_DTYPE_NONE};
}

int64_t buddy_tensor_n_elements(const buddy_tensor *tensor) {
  int64_t n = 1;
  for (uint32_t d = 0; d < tensor->rank; ++d) n *= tensor->sizes[d];
  return n;
}

int buddy_tensor_is_contiguous(const buddy_tensor *tensor) {
  int64_t stride = 1;
  bool is_dense = true;
  for (uint32_t d = tensor->rank; d-- > 0;) {
    if (tensor->sizes[d] == 0) return 1;
    if (tensor->sizes[d] != 1 && tensor->strides[d] != stride) is_dense = false;
    stride *= tensor->sizes[d];
  }
  return is_dense;
}

/* ---- Random contents ---- */

/* Element i of stream `seed`: splitmix64 applied to a counter, so that order and threads do not
 * matter. */
static uint64_t random_bits(uint64_t seed, uint64_t i) {
  uint64_t z = seed * UINT64_C(0xd1342543de82ef95) + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Uniform in [-1, 1) with 24 bits, exact in float and double. */
static float random_unit(uint64_t bits) { return (float)(bits >> 40) * 0x1p-23f - 1.0f; }

/* The nearest 8-bit float with `fraction` bits after the point and the given exponent bias, of a
 * value in [-1, 1). */
static uint8_t f8_bits(float value, int fraction, int bias) {
  uint8_t best = 0;
  float best_distance = 4.0f;
  const int one = bias << fraction;
  for (int code = 0; code <= one; ++code) { /* all codes from 0 to 1.0 */
    const int exponent = code >> fraction;
    const float mantissa = (float)(code & ((1 << fraction) - 1)) / (float)(1 << fraction);
    float magnitude = exponent == 0 ? mantissa * 2.0f : 1.0f + mantissa;
    for (int e = exponent; e < bias; ++e) magnitude *= 0.5f;
    const float wanted = value < 0 ? -value : value;
    const float distance = magnitude > wanted ? magnitude - wanted : wanted - magnitude;
    if (distance < best_distance) {
      best_distance = distance;
      best = (uint8_t)code;
    }
  }
  return value < 0 && best != 0 ? best | 0x80u : best;
}

/* Writes one random element. Complex numbers are two elements of half their width. */
static void write_random(buddy_dtype dtype, uint64_t bits, char *to) {
  const float unit = random_unit(bits);
  const double wide = unit;
  const uint64_t digit = bits % 2;
  uint16_t half;
  uint8_t byte;
  switch (dtype) {
    case BUDDY_F32:
      memcpy(to, &unit, sizeof(unit));
      return;
    case BUDDY_F64:
      memcpy(to, &wide, sizeof(wide));
      return;
    case BUDDY_F16:
    case BUDDY_BF16:
      half = dtype == BUDDY_F16 ? bd_f16_bits(unit) : bd_bf16_bits(unit);
      memcpy(to, &half, sizeof(half));
      return;
    case BUDDY_F8E4M3FN:
    case BUDDY_F8E4M3FNUZ:
      byte = f8_bits(unit, 3, dtype == BUDDY_F8E4M3FN ? 7 : 8);
      memcpy(to, &byte, 1);
      return;
    case BUDDY_F8E5M2:
    case BUDDY_F8E5M2FNUZ:
      byte = f8_bits(unit, 2, dtype == BUDDY_F8E5M2 ? 15 : 16);
      memcpy(to, &byte, 1);
      return;
    case BUDDY_F8E8M0FNU: /* a scale from 1/128 to 1 */
      *to = (char)(127 - bits % 8);
      return;
    case BUDDY_BOOL:
      *to = (char)(bits & 1);
      return;
    default: /* integers, little-endian: a digit in the lowest byte */
      memset(to, 0, buddy_dtype_size(dtype));
      *to = (char)digit;
      return;
  }
}

static buddy_dtype part_of(buddy_dtype dtype) {
  static const buddy_dtype parts[][2] = {
      {BUDDY_C32, BUDDY_F16}, {BUDDY_C64, BUDDY_F32}, {BUDDY_C128, BUDDY_F64}};
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
    if (parts[i][0] == dtype) return parts[i][1];
  }
  return dtype;
}

void buddy_tensor_fill_random(buddy_tensor *tensor, uint64_t seed) {
  const buddy_dtype part = part_of(tensor->dtype);
  const size_t width = buddy_dtype_size(tensor->dtype), part_width = buddy_dtype_size(part);
  const int64_t n = width == 0 ? 0 : buddy_tensor_n_elements(tensor);
  int64_t at[BD_MAX_RANK] = {0};
  char *to = tensor->bytes;
  uint64_t counter = 0;
  for (int64_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < width; k += part_width)
      write_random(part, random_bits(seed, counter++), to + k);
    for (uint32_t d = tensor->rank; d-- > 0;) { /* the next element in row-major order */
      const int64_t step = tensor->strides[d] * (int64_t)width;
      to += step;
      if (++at[d] < tensor->sizes[d]) break;
      to -= step * tensor->sizes[d];
      at[d] = 0;
    }
  }
}
