// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/softfloat.c: conversions between half, single and double width. */
#include "sdk/runtime/softfloat.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float value_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/* The float nearest to `value`, but with the last bit set if it is inexact: rounding it once more,
 * to fewer bits, then gives what rounding `value` at once would. */
static float round_to_odd(double value) {
  float near = (float)value;
  if ((double)near == value || isnan(value) || isinf(near)) return near;
  if (fabs((double)near) > fabs(value)) near = nextafterf(near, 0.0f);
  return value_of(bits_of(near) | 1u);
}

uint16_t bd_bf16_bits(float value) {
  const uint32_t bits = bits_of(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)((bits >> 16) | 0x40u);
  return (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

uint16_t bd_f16_bits(float value) {
  const uint32_t bits = bits_of(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return (uint16_t)(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  if (magnitude >= 0x477ff000u) return (uint16_t)(sign | 0x7c00u); /* 65520 and above */
  if (magnitude >= 0x38800000u) {                                  /* normal: at least 2^-14 */
    return (uint16_t)(sign | ((magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13));
  }
  /* Subnormal: adding 0.5 lets the processor round at bit 2^-24. */
  return (uint16_t)(sign | (bits_of(value_of(magnitude) + 0.5f) - bits_of(0.5f)));
}

float bd_f16_value(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fu;
  const uint32_t fraction = half & 0x3ffu;
  if (exponent == 0x1f) return value_of(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0) return value_of(sign | ((exponent + 112) << 23) | (fraction << 13));
  const float small = (float)fraction * 0x1p-24f;
  return value_of(bits_of(small) | sign);
}

float bd_bf16_value(uint16_t bits) { return value_of((uint32_t)bits << 16); }

float bd_truncsfbf2(float value) { return value_of(bd_bf16_bits(value)); }
float bd_truncdfbf2(double value) { return value_of(bd_bf16_bits(round_to_odd(value))); }
float bd_truncsfhf2(float value) { return value_of(bd_f16_bits(value)); }
float bd_truncdfhf2(double value) { return value_of(bd_f16_bits(round_to_odd(value))); }
float bd_extendhfsf2(float half) { return bd_f16_value((uint16_t)bits_of(half)); }
