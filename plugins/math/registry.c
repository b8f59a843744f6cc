// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/registry.c: lowerings of transcendental functions and roundings to the math dialect,
 * for all float types. Integers are converted as PyTorch does, to the result's float type. What the
 * dialect has not, special functions and those of complex numbers, are calls of functions that this
 * registry brings (special/). */
#include "plugins/math/rows.h"

#define REALS (BUDDY_FLOATS | BUDDY_INTS | BUDDY_BOOLS)

#define ROW(name_, args_, out, ...) \
  {.name = "aten." name_, .args = args_, .in_dtypes = REALS, .out_dtypes = out, .emit = __VA_ARGS__}
#define OP(...) \
  .user = &(const ma_function) { __VA_ARGS__ }
/* float to float, one op */
#define UNARY(name_, op_) \
  ROW(name_ ".default", "self", BUDDY_FLOATS, ma_emit, OP(.op = (op_), .n_operands = 1))
/* likewise, but integers are what they are */
#define ROUNDING(name_, op_)                    \
  ROW(name_ ".default", "self", REALS, ma_emit, \
      OP(.op = (op_), .n_operands = 1, .on_integers = MA_ITSELF))
#define TEST(name_, op_, integers)                    \
  ROW(name_ ".default", "self", BUDDY_BOOLS, ma_emit, \
      OP(.op = (op_), .n_operands = 1, .gives_bool = 1, .on_integers = (integers)))
#define FORMULA(name_, args_, out, function) ROW(name_, args_, out, ma_emit, .user = &(function))

/* a call of a function of special/ */
#define CALL(name_, args_, function, n) \
  ROW(name_, args_, BUDDY_FLOATS, ma_emit, OP(.called = (function), .n_operands = (n)))
#define SPECIAL(name_, function) CALL("special_" name_ ".default", "self", function, 1)
/* x or n may be a number */
#define POLYNOMIAL(name_, function)                            \
  CALL("special_" name_ ".default", "x, n", function, 2),      \
      CALL("special_" name_ ".x_scalar", "x, n", function, 2), \
      CALL("special_" name_ ".n_scalar", "x, n", function, 2)
/* a function of complex numbers, on its parts */
#define COMPLEX_IN (BUDDY_DTYPE_BIT(BUDDY_C64) | BUDDY_DTYPE_BIT(BUDDY_C128))
#define REAL_IN (BUDDY_DTYPE_BIT(BUDDY_F32) | BUDDY_DTYPE_BIT(BUDDY_F64))
#define FOURIER(name_, args_, in, out, kind) \
  {.name = "aten." name_,                    \
   .args = args_,                            \
   .in_dtypes = in,                          \
   .out_dtypes = out,                        \
   .emit = ma_emit_fourier,                  \
   .user = &(kind)}
#define COMPLEX(name_, args_, function) \
  {                                     \
      .name = "aten." name_,            \
      .args = (args_),                  \
      .in_dtypes = BUDDY_COMPLEXES,     \
      .out_dtypes = BUDDY_COMPLEXES,    \
      .emit = ma_emit_complex,          \
      .benefit = 1,                     \
      .user = (function),               \
  }

static const buddy_op ops[] = {
    /* exponentials and logarithms */
    UNARY("exp", "math.exp"),
    UNARY("exp2", "math.exp2"),
    UNARY("expm1", "math.expm1"),
    UNARY("log", "math.log"),
    UNARY("log2", "math.log2"),
    UNARY("log10", "math.log10"),
    UNARY("log1p", "math.log1p"),
    FORMULA("sigmoid.default", "self", BUDDY_FLOATS, ma_sigmoid),
    /* powers */
    UNARY("sqrt", "math.sqrt"),
    UNARY("rsqrt", "math.rsqrt"),
    FORMULA("pow.Tensor_Scalar", "self, exponent", BUDDY_FLOATS, ma_pow),
    FORMULA("pow.Tensor_Tensor", "self, exponent", BUDDY_FLOATS, ma_pow),
    FORMULA("pow.Scalar", "self, exponent", BUDDY_FLOATS, ma_pow),
    FORMULA("hypot.default", "self, other", BUDDY_FLOATS, ma_hypot),
    /* trigonometry */
    UNARY("sin", "math.sin"),
    UNARY("cos", "math.cos"),
    UNARY("tan", "math.tan"),
    UNARY("asin", "math.asin"),
    UNARY("acos", "math.acos"),
    UNARY("atan", "math.atan"),
    FORMULA("atan2.default", "self, other", BUDDY_FLOATS, ma_atan2),
    FORMULA("deg2rad.default", "self", BUDDY_FLOATS, ma_deg2rad),
    FORMULA("rad2deg.default", "self", BUDDY_FLOATS, ma_rad2deg),
    /* hyperbolic */
    UNARY("sinh", "math.sinh"),
    UNARY("cosh", "math.cosh"),
    UNARY("tanh", "math.tanh"),
    UNARY("asinh", "math.asinh"),
    UNARY("acosh", "math.acosh"),
    UNARY("atanh", "math.atanh"),
    /* the error function */
    UNARY("erf", "math.erf"),
    UNARY("erfc", "math.erfc"),
    /* rounding and parts */
    ROUNDING("ceil", "math.ceil"),
    ROUNDING("floor", "math.floor"),
    ROUNDING("round", "math.roundeven"),
    ROUNDING("trunc", "math.trunc"),
    FORMULA("round.decimals", "self, decimals", REALS, ma_round_decimals),
    FORMULA("frac.default", "self", BUDDY_FLOATS, ma_frac),
    ROW("abs.default", "self", REALS, ma_emit_abs),
    FORMULA("copysign.Tensor", "self, other", BUDDY_FLOATS, ma_copysign),
    /* tests */
    TEST("isnan", "math.isnan", MA_FALSE),
    TEST("isfinite", "math.isfinite", MA_TRUE),
    FORMULA("isinf.default", "self", BUDDY_BOOLS, ma_isinf),
    FORMULA("isposinf.default", "self", BUDDY_BOOLS, ma_isposinf),
    FORMULA("isneginf.default", "self", BUDDY_BOOLS, ma_isneginf),
    FORMULA("signbit.default", "self", BUDDY_BOOLS, ma_signbit),
    /* special functions: gamma and its relatives */
    CALL("lgamma.default", "self", "lgamma", 1),
    CALL("digamma.default", "self", "digamma", 1),
    FORMULA("polygamma.default", "n, self", BUDDY_FLOATS, ma_polygamma_rows),
    CALL("special_zeta.default", "self, other", "zeta", 2),
    CALL("igamma.default", "self, other", "igamma", 2),
    CALL("igammac.default", "self, other", "igammac", 2),
    /* the error function's */
    FORMULA("erfinv.default", "self", BUDDY_FLOATS, ma_erfinv),
    SPECIAL("erfcx", "erfcx"),
    SPECIAL("ndtr", "ndtr"),
    SPECIAL("log_ndtr", "log_ndtr"),
    FORMULA("special_ndtri.default", "self", BUDDY_FLOATS, ma_ndtri),
    /* Bessel's */
    CALL("i0.default", "self", "i0", 1),
    SPECIAL("i0e", "i0e"),
    SPECIAL("i1", "i1"),
    SPECIAL("i1e", "i1e"),
    SPECIAL("bessel_j0", "j0"),
    SPECIAL("bessel_j1", "j1"),
    SPECIAL("bessel_y0", "y0"),
    SPECIAL("bessel_y1", "y1"),
    SPECIAL("modified_bessel_i0", "i0"),
    SPECIAL("modified_bessel_i1", "i1"),
    SPECIAL("modified_bessel_k0", "k0"),
    SPECIAL("modified_bessel_k1", "k1"),
    CALL("special_scaled_modified_bessel_k0.default", "x", "k0e", 1),
    CALL("special_scaled_modified_bessel_k1.default", "x", "k1e", 1),
    CALL("special_spherical_bessel_j0.default", "x", "spherical_j0", 1),
    CALL("special_airy_ai.default", "x", "airy_ai", 1),
    /* orthogonal polynomials */
    POLYNOMIAL("chebyshev_polynomial_t", "chebyshev_t"),
    POLYNOMIAL("chebyshev_polynomial_u", "chebyshev_u"),
    POLYNOMIAL("chebyshev_polynomial_v", "chebyshev_v"),
    POLYNOMIAL("chebyshev_polynomial_w", "chebyshev_w"),
    POLYNOMIAL("shifted_chebyshev_polynomial_t", "shifted_chebyshev_t"),
    POLYNOMIAL("shifted_chebyshev_polynomial_u", "shifted_chebyshev_u"),
    POLYNOMIAL("shifted_chebyshev_polynomial_v", "shifted_chebyshev_v"),
    POLYNOMIAL("shifted_chebyshev_polynomial_w", "shifted_chebyshev_w"),
    POLYNOMIAL("hermite_polynomial_h", "hermite_h"),
    POLYNOMIAL("hermite_polynomial_he", "hermite_he"),
    POLYNOMIAL("laguerre_polynomial_l", "laguerre_l"),
    POLYNOMIAL("legendre_polynomial_p", "legendre_p"),
    /* entropies, logits and kin */
    FORMULA("special_entr.default", "self", BUDDY_FLOATS, ma_entr),
    FORMULA("xlogy.Tensor", "self, other", BUDDY_FLOATS, ma_xlogy),
    FORMULA("special_xlog1py.default", "self, other", BUDDY_FLOATS, ma_xlog1py),
    FORMULA("logit.default", "self, eps", BUDDY_FLOATS, ma_logit),
    FORMULA("sinc.default", "self", BUDDY_FLOATS, ma_sinc),
    FORMULA("logaddexp.default", "self, other", BUDDY_FLOATS, ma_logaddexp),
    FORMULA("logaddexp2.default", "self, other", BUDDY_FLOATS, ma_logaddexp2),
    FORMULA("nextafter.default", "self, other", BUDDY_FLOATS, ma_nextafter),
    ROW("frexp.Tensor", "self", BUDDY_ANY_DTYPE, ma_emit_frexp),
    {.name = "aten.gcd.default",
     .args = "self, other",
     .in_dtypes = BUDDY_INTS,
     .emit = ma_emit_integers,
     .user = "gcd"},
    {.name = "aten.lcm.default",
     .args = "self, other",
     .in_dtypes = BUDDY_INTS,
     .emit = ma_emit_integers,
     .user = "lcm"},
    /* complex numbers */
    COMPLEX("exp.default", "self", "cexp"),
    COMPLEX("exp2.default", "self", "cexp2"),
    COMPLEX("expm1.default", "self", "cexpm1"),
    COMPLEX("log.default", "self", "clog"),
    COMPLEX("log2.default", "self", "clog2"),
    COMPLEX("log10.default", "self", "clog10"),
    COMPLEX("log1p.default", "self", "clog1p"),
    COMPLEX("sqrt.default", "self", "csqrt"),
    COMPLEX("rsqrt.default", "self", "crsqrt"),
    COMPLEX("sigmoid.default", "self", "csigmoid"),
    COMPLEX("sin.default", "self", "csin"),
    COMPLEX("cos.default", "self", "ccos"),
    COMPLEX("tan.default", "self", "ctan"),
    COMPLEX("asin.default", "self", "casin"),
    COMPLEX("acos.default", "self", "cacos"),
    COMPLEX("atan.default", "self", "catan"),
    COMPLEX("sinh.default", "self", "csinh"),
    COMPLEX("cosh.default", "self", "ccosh"),
    COMPLEX("tanh.default", "self", "ctanh"),
    COMPLEX("asinh.default", "self", "casinh"),
    COMPLEX("acosh.default", "self", "cacosh"),
    COMPLEX("atanh.default", "self", "catanh"),
    COMPLEX("pow.Tensor_Tensor", "self, exponent", "cpow"),
    COMPLEX("pow.Tensor_Scalar", "self, exponent", "cpow_of"),
    COMPLEX("pow.Scalar", "self, exponent", "cpow"),
    FOURIER("_fft_c2c.default", "self, dim, normalization, forward", COMPLEX_IN, COMPLEX_IN,
            ma_fourier_complex),
    FOURIER("_fft_r2c.default", "self, dim, normalization, onesided", REAL_IN, COMPLEX_IN,
            ma_fourier_of_reals),
    FOURIER("_fft_c2r.default", "self, dim, normalization, last_dim_size", COMPLEX_IN, REAL_IN,
            ma_fourier_to_reals),
};

static const char *const dialects[] = {"math", "arith",         "linalg", "tensor", "complex",
                                       "func", "bufferization", "memref", NULL};

BUDDY_REGISTRY(math, "0.1.0", "buddy", "Apache-2.0", BUDDY_LLVM, ops, .dialects = dialects,
               .open = be_open, .extension = ma_extension);
