// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/softfloat.h: conversions between float widths that code generators call where the
 * processor has none.
 *
 * Half-width numbers travel as LLVM passes them: in a vector register, in the low 16 bits of a
 * float. Rounding is to nearest, ties to even; NaNs stay NaNs. */
#ifndef BUDDY_SDK_COMPILE_SOFTFLOAT_H
#define BUDDY_SDK_COMPILE_SOFTFLOAT_H

#include <stdint.h>

#include "buddy/registry.h"

BUDDY_EXPORT uint16_t bd_bf16_bits(float value);
BUDDY_EXPORT uint16_t bd_f16_bits(float value);
BUDDY_EXPORT float bd_f16_value(uint16_t bits);
BUDDY_EXPORT float bd_bf16_value(uint16_t bits);

float bd_truncsfbf2(float value);
float bd_truncdfbf2(double value);
float bd_truncsfhf2(float value);
float bd_truncdfhf2(double value);
float bd_extendhfsf2(float half);

#endif
