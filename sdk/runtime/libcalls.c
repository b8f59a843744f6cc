// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/libcalls.c: conversions that code generators call by these names where the processor
 * has no instruction for them; older compilers' runtimes lack some. A half or a bfloat16 travels in
 * the low bits of a float's register, on x86-64, AArch64 and RISC-V alike. */
#include "sdk/runtime/softfloat.h"

float __truncsfbf2(float value);
float __truncdfbf2(double value);
float __truncsfhf2(float value);
float __truncdfhf2(double value);
float __extendhfsf2(float half);
float __gnu_h2f_ieee(float half);
float __gnu_f2h_ieee(float value);

float __truncsfbf2(float value) { return bd_truncsfbf2(value); }
float __truncdfbf2(double value) { return bd_truncdfbf2(value); }
float __truncsfhf2(float value) { return bd_truncsfhf2(value); }
float __truncdfhf2(double value) { return bd_truncdfhf2(value); }
float __extendhfsf2(float half) { return bd_extendhfsf2(half); }
float __gnu_h2f_ieee(float half) { return bd_extendhfsf2(half); }
float __gnu_f2h_ieee(float value) { return bd_truncsfhf2(value); }
