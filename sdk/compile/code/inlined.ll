; Functions that go where they are called, as LLVM's instructions, so that loops with them become vectors of any width
; without a call. See inlined.h.

; exp of a float: 2^n * exp(r), n the integer nearest to x / ln 2, r what is left, at most ln 2 / 2. A polynomial of
; degree 6 gives exp(r) to 0.05 units in the last place of a float; it was fitted to the least relative error. Beyond
; -104 and 89 the result is 0 or infinity; comparisons are such that a NaN stays one. The 0 is not multiplied out:
; processors take a hundred times as long for a product that is too small, and masked attention is full of them.
define float @buddy_inlined_exp(float %x) alwaysinline nounwind {
  %is_low = fcmp olt float %x, -104.0
  %from_low = select i1 %is_low, float 0.0, float %x
  %whole = call float @buddy_inlined_exp_above(float %from_low)
  %result = select i1 %is_low, float 0.0, float %whole
  ret float %result
}

; The same for processors whose scaling takes any number: what is made of one below -104 is not looked at.
define float @buddy_inlined_exp_by_scaling(float %x) alwaysinline nounwind {
  %is_low = fcmp olt float %x, -104.0
  %whole = call float @buddy_inlined_exp_above(float %x)
  %result = select i1 %is_low, float 0.0, float %whole
  ret float %result
}

; exp of a number that is not below -104.
define float @buddy_inlined_exp_above(float %x) alwaysinline nounwind {
  %is_high = fcmp ogt float %x, 89.0
  %c = select i1 %is_high, float 89.0, float %x
  %shifted = call float @buddy_inlined_shifted(float %c)
  %p = call float @buddy_inlined_exp_of_rest(float %c, float %shifted)
  %whole = call float @buddy_inlined_scale(float %p, float %shifted)
  ret float %whole
}

; exp of a number from -80 to 80: 2^n is put on by adding n to the exponent.
define float @buddy_inlined_exp_within(float %x) alwaysinline nounwind {
  %shifted = call float @buddy_inlined_shifted(float %x)
  %p = call float @buddy_inlined_exp_of_rest(float %x, float %shifted)
  %bits = bitcast float %shifted to i32
  %exponent = shl i32 %bits, 23
  %p_bits = bitcast float %p to i32
  %sum_bits = add i32 %p_bits, %exponent
  %power = bitcast i32 %sum_bits to float
  ret float %power
}

; Beside 1.5 * 2^23 the last bit of a float is worth 1: the sum is rounded to the integer n, which its low bits hold.
define float @buddy_inlined_shifted(float %x) alwaysinline nounwind {
  %shifted = call float @llvm.fma.f32(float %x, float 0x3FF7154760000000, float 12582912.0)
  ret float %shifted
}

define float @buddy_inlined_exp_of_rest(float %x, float %shifted) alwaysinline nounwind {
  %n = fsub float %shifted, 12582912.0
  %minus_n = fneg float %n
  %r_high = call float @llvm.fma.f32(float %minus_n, float 0x3FE62E4000000000, float %x)
  %r = call float @llvm.fma.f32(float %minus_n, float 0x3EB7F7D1C0000000, float %r_high)
  %q4 = call float @llvm.fma.f32(float %r, float 0x3F56A23CC0000000, float 0x3F8123A200000000)
  %q3 = call float @llvm.fma.f32(float %r, float %q4, float 0x3FA5558F20000000)
  %q2 = call float @llvm.fma.f32(float %r, float %q3, float 0x3FC5554920000000)
  %q1 = call float @llvm.fma.f32(float %r, float %q2, float 0x3FDFFFFFC0000000)
  %q0 = call float @llvm.fma.f32(float %r, float %q1, float 1.0)
  %p = call float @llvm.fma.f32(float %r, float %q0, float 1.0)
  ret float %p
}

; p * 2^n for n from -151 to 129, which are the low bits of the other, 1.5 * 2^23 + n. 2^n comes in two halves, so that
; results below the least normal number are rounded once and the largest do not overflow early.
define float @buddy_inlined_scale(float %p, float %shifted) alwaysinline nounwind {
  %n = bitcast float %shifted to i32
  %half = ashr i32 %n, 1
  %other = sub i32 %n, %half
  %half_exponent = shl i32 %half, 23
  %other_exponent = shl i32 %other, 23
  %half_bits = add i32 %half_exponent, 1065353216
  %other_bits = add i32 %other_exponent, 1065353216
  %half_power = bitcast i32 %half_bits to float
  %other_power = bitcast i32 %other_bits to float
  %scaled = fmul float %p, %half_power
  %whole = fmul float %scaled, %other_power
  ret float %whole
}

; The same for any n, by an instruction of the processor. A NaN is no integer: without the freeze its result were any.
define float @buddy_inlined_scale_by_ldexp(float %p, float %shifted) alwaysinline nounwind {
  %n = fsub float %shifted, 12582912.0
  %of_integer = fptosi float %n to i32
  %integer = freeze i32 %of_integer
  %whole = call float @llvm.ldexp.f32.i32(float %p, i32 %integer)
  ret float %whole
}

; erf of a float. Up to 1 it is x + x * a(x^2); beyond, 1 - exp(-b(|x|)), where b, fitted to -ln(1 - erf), is at most 18
; and rounding alone makes 1 of it from 4 on. Both are computed, so that loops have no branch; a NaN takes the first.
define float @buddy_inlined_erf(float %x) alwaysinline nounwind {
  %t = call float @llvm.fabs.f32(float %x)
  %square = fmul float %x, %x
  %a5 = call float @llvm.fma.f32(float %square, float 0x3F149630E0000000, float 0xBF4A3F4860000000)
  %a4 = call float @llvm.fma.f32(float %square, float %a5, float 0x3F75405600000000)
  %a3 = call float @llvm.fma.f32(float %square, float %a4, float 0xBF9B7F9040000000)
  %a2 = call float @llvm.fma.f32(float %square, float %a3, float 0x3FBCE2CF60000000)
  %a1 = call float @llvm.fma.f32(float %square, float %a2, float 0xBFD81273E0000000)
  %a0 = call float @llvm.fma.f32(float %square, float %a1, float 0x3FC06EBA80000000)
  %near = call float @llvm.fma.f32(float %x, float %a0, float %x)

  %is_far = fcmp ogt float %t, 4.0
  %u = select i1 %is_far, float 4.0, float %t
  %b5 = call float @llvm.fma.f32(float %u, float 0xBF286DDCC0000000, float 0x3F6825B260000000)
  %b4 = call float @llvm.fma.f32(float %u, float %b5, float 0xBF965CB8E0000000)
  %b3 = call float @llvm.fma.f32(float %u, float %b4, float 0x3FBA6534E0000000)
  %b2 = call float @llvm.fma.f32(float %u, float %b3, float 0x3FE46BAEA0000000)
  %b1 = call float @llvm.fma.f32(float %u, float %b2, float 0x3FF2088EC0000000)
  %b0 = call float @llvm.fma.f32(float %u, float %b1, float 0x3F3661B000000000)
  %minus_b = fneg float %b0

  %power = call float @buddy_inlined_exp_within(float %minus_b)
  %far = fsub float 1.0, %power

  %is_beyond = fcmp oge float %t, 1.0
  %signed_far = call float @llvm.copysign.f32(float %far, float %x)
  %result = select i1 %is_beyond, float %signed_far, float %near
  ret float %result
}

; tanh of a float. Up to 0.625 it is x + x^3 * a(x^2), fitted to 4e-9 of it; beyond, 1 - 2 / (exp(2|x|) + 1), which rounding
; alone makes 1 of from 9.02 on. Both are computed, so that loops have no branch; a NaN takes the first.
define float @buddy_inlined_tanh(float %x) alwaysinline nounwind {
  %t = call float @llvm.fabs.f32(float %x)
  %square = fmul float %x, %x
  %a3 = call float @llvm.fma.f32(float %square, float 0xBF775E1CC0000000, float 0x3F952269C0000000)
  %a2 = call float @llvm.fma.f32(float %square, float %a3, float 0xBFAB83C5A0000000)
  %a1 = call float @llvm.fma.f32(float %square, float %a2, float 0x3FC1107260000000)
  %a0 = call float @llvm.fma.f32(float %square, float %a1, float 0xBFD5555320000000)
  %cube = fmul float %square, %x
  %near = call float @llvm.fma.f32(float %cube, float %a0, float %x)

  %is_far = fcmp ogt float %t, 10.0
  %u = select i1 %is_far, float 10.0, float %t
  %twice = fadd float %u, %u
  %power = call float @buddy_inlined_exp_within(float %twice)
  %divisor = fadd float %power, 1.0
  %less = fdiv float 2.0, %divisor
  %far = fsub float 1.0, %less

  %is_beyond = fcmp oge float %t, 0.625
  %signed_far = call float @llvm.copysign.f32(float %far, float %x)
  %result = select i1 %is_beyond, float %signed_far, float %near
  ret float %result
}

; 1 + erf of a float, as GELU has it: where x is less than 0 that is erfc(|x|), else 2 - erfc(|x|), and nothing is near to
; 0 that is not told apart from it. erfc(u) is 2^t(u), 0 from 4 on. t, without a constant, was fitted to the least error of
; 1 + erf, to 1.2e-8, and to 1.2e-4 of erfc where that is small; 2^r, 1 + r * b(r), to 3e-9 of it.
define float @buddy_inlined_one_plus_erf(float %x) alwaysinline nounwind {
  %u = call float @llvm.fabs.f32(float %x)
  %a8 = call float @llvm.fma.f32(float %u, float 0x3EDB205140000000, float 0xBF1AA2D880000000)
  %a7 = call float @llvm.fma.f32(float %u, float %a8, float 0x3F45101000000000)
  %a6 = call float @llvm.fma.f32(float %u, float %a7, float 0xBF5E4EC340000000)
  %a5 = call float @llvm.fma.f32(float %u, float %a6, float 0xBF3A8BAAC0000000)
  %a4 = call float @llvm.fma.f32(float %u, float %a5, float 0x3F9CB69620000000)
  %a3 = call float @llvm.fma.f32(float %u, float %a4, float 0xBFC2FF4A40000000)
  %a2 = call float @llvm.fma.f32(float %u, float %a3, float 0xBFED63BEA0000000)
  %a1 = call float @llvm.fma.f32(float %u, float %a2, float 0xBFFA0BE960000000)
  %t = fmul float %u, %a1

  %shifted = fadd float %t, 12582912.0
  %n = fsub float %shifted, 12582912.0
  %r = fsub float %t, %n
  %b5 = call float @llvm.fma.f32(float %r, float 0x3F241FBC20000000, float 0x3F55F3E560000000)
  %b4 = call float @llvm.fma.f32(float %r, float %b5, float 0x3F83B2D4C0000000)
  %b3 = call float @llvm.fma.f32(float %r, float %b4, float 0x3FAC6AEE80000000)
  %b2 = call float @llvm.fma.f32(float %r, float %b3, float 0x3FCEBFBDC0000000)
  %b1 = call float @llvm.fma.f32(float %r, float %b2, float 0x3FE62E4300000000)
  %p = call float @llvm.fma.f32(float %r, float %b1, float 1.0)
  %bits = bitcast float %shifted to i32
  %exponent = shl i32 %bits, 23
  %power_bits = add i32 %exponent, 1065353216
  %power = bitcast i32 %power_bits to float
  %whole = fmul float %p, %power

  ; A NaN is not beyond 4, and stays one.
  %is_far = fcmp oge float %u, 4.0
  %rest = select i1 %is_far, float 0.0, float %whole
  %other = fsub float 2.0, %rest
  %is_less = fcmp olt float %x, 0.0
  %result = select i1 %is_less, float %rest, float %other
  ret float %result
}

declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fabs.f32(float)
declare float @llvm.copysign.f32(float, float)
declare float @llvm.ldexp.f32.i32(float, i32)
