// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/element.c: elements of tensors as numbers, in each dtype. */
#include "sdk/cli/element.h"

#include <string.h>

#include "sdk/runtime/softfloat.h"

const char *bd_element_at(const buddy_tensor *t, int64_t i) {
  int64_t offset = 0;
  if (buddy_tensor_is_contiguous(t))
    return (const char *)t->bytes + i * (int64_t)buddy_dtype_size(t->dtype);
  for (uint32_t d = t->rank; d-- > 0;) {
    offset += i % t->sizes[d] * t->strides[d];
    i /= t->sizes[d];
  }
  return (const char *)t->bytes + offset * (int64_t)buddy_dtype_size(t->dtype);
}

static double integer(const char *bytes, size_t size, bool has_sign) {
  uint64_t bits = 0; /* little-endian */
  memcpy(&bits, bytes, size < 8 ? size : 8);
  const unsigned spare = 64 - 8 * (unsigned)(size < 8 ? size : 8);
  return has_sign ? (double)((int64_t)(bits << spare) >> spare) : (double)bits;
}

double bd_element(const buddy_tensor *tensor, int64_t i, bool is_imaginary) {
  const char *bytes = bd_element_at(tensor, i);
  union {
    uint16_t u16;
    float f32[2];
    double f64[2];
  } v = {0};
  const size_t size = buddy_dtype_size(tensor->dtype);
  memcpy(&v, bytes, size < sizeof v ? size : sizeof v);
  switch (tensor->dtype) {
    case BUDDY_F16:
      return (double)bd_f16_value(v.u16);
    case BUDDY_BF16:
      return (double)bd_bf16_value(v.u16);
    case BUDDY_F32:
      return (double)v.f32[0];
    case BUDDY_F64:
      return v.f64[0];
    case BUDDY_C64:
      return (double)v.f32[is_imaginary];
    case BUDDY_C128:
      return v.f64[is_imaginary];
    default:
      return integer(bytes, size, (BUDDY_DTYPE_BIT(tensor->dtype) & BUDDY_SIGNED) != 0);
  }
}
