; Functions that go where they are called, as LLVM's instructions, so that loops with them become vectors of any width
; without a call. See inlined.h.

; exp of a float: 2^n * exp(r), n the integer nearest to x / ln 2, r what is left, at most ln 2 / 2. A polynomial of
; degree 6 gives exp(r) to 0.05 units in the last place of a float; it was fitted to the least relative error. 2^n comes
; in two halves, so that results below the least normal number are rounded once and the largest do not overflow early.
; Beyond -104 and 89 the result is 0 or infinity; comparisons are such that a NaN stays one. The 0 is not multiplied
; out: processors take a hundred times as long for a product that is too small, and masked attention is full of them.
define float @buddy_inlined_exp(float %x) alwaysinline nounwind {
  %is_low = fcmp olt float %x, -104.0
  %from_low = select i1 %is_low, float 0.0, float %x
  %is_high = fcmp ogt float %from_low, 89.0
  %c = select i1 %is_high, float 89.0, float %from_low

  ; Beside 1.5 * 2^23 the last bit of a float is worth 1: the sum is rounded to an integer, which its low bits hold.
  %shifted = call float @llvm.fma.f32(float %c, float 0x3FF7154760000000, float 12582912.0)
  %n = fsub float %shifted, 12582912.0
  %minus_n = fneg float %n
  %r_high = call float @llvm.fma.f32(float %minus_n, float 0x3FE62E4000000000, float %c)
  %r = call float @llvm.fma.f32(float %minus_n, float 0x3EB7F7D1C0000000, float %r_high)

  %q4 = call float @llvm.fma.f32(float %r, float 0x3F56A23CC0000000, float 0x3F8123A200000000)
  %q3 = call float @llvm.fma.f32(float %r, float %q4, float 0x3FA5558F20000000)
  %q2 = call float @llvm.fma.f32(float %r, float %q3, float 0x3FC5554920000000)
  %q1 = call float @llvm.fma.f32(float %r, float %q2, float 0x3FDFFFFFC0000000)
  %square = fmul float %r, %r
  %p0 = call float @llvm.fma.f32(float %square, float %q1, float %r)
  %p = fadd float %p0, 1.0

  %bits = bitcast float %shifted to i32
  %exponent = sub i32 %bits, 1262485504
  %half = ashr i32 %exponent, 1
  %other = sub i32 %exponent, %half
  %half_biased = add i32 %half, 127
  %other_biased = add i32 %other, 127
  %half_bits = shl i32 %half_biased, 23
  %other_bits = shl i32 %other_biased, 23
  %half_power = bitcast i32 %half_bits to float
  %other_power = bitcast i32 %other_bits to float
  %scaled = fmul float %p, %half_power
  %whole = fmul float %scaled, %other_power
  %result = select i1 %is_low, float 0.0, float %whole
  ret float %result
}

declare float @llvm.fma.f32(float, float, float)
