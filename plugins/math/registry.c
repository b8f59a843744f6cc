/* plugins/math/registry.c: lowerings of transcendental functions and roundings to the math dialect,
 * for all float types. Integers are converted as PyTorch does, to the result's float type; complex
 * numbers are declined. */
#include "plugins/math/rows.h"

#define REALS (BUDDY_FLOATS | BUDDY_INTS | BUDDY_BOOLS)

#define ROW(name_, args_, out, ...) \
  {.name = "aten." name_, .args = args_, .in_dtypes = REALS, .out_dtypes = out, .emit = __VA_ARGS__}
#define OP(...) \
  .user = &(const ma_function) { __VA_ARGS__ }
/* float to float, one op */
#define UNARY(name_, op_) \
  ROW(name_ ".default", "self", BUDDY_FLOATS, ma_emit, OP(.op = op_, .n_operands = 1))
/* likewise, but integers are what they are */
#define ROUNDING(name_, op_)                    \
  ROW(name_ ".default", "self", REALS, ma_emit, \
      OP(.op = op_, .n_operands = 1, .on_integers = MA_ITSELF))
#define TEST(name_, op_, integers)                    \
  ROW(name_ ".default", "self", BUDDY_BOOLS, ma_emit, \
      OP(.op = op_, .n_operands = 1, .gives_bool = 1, .on_integers = integers))
#define BINARY(name_, args_, op_) \
  ROW(name_, args_, BUDDY_FLOATS, ma_emit, OP(.op = op_, .n_operands = 2))
#define FORMULA(name_, args_, out, function) ROW(name_, args_, out, ma_emit, .user = &function)

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
    BINARY("atan2.default", "self, other", "math.atan2"),
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
    BINARY("copysign.Tensor", "self, other", "math.copysign"),
    /* tests */
    TEST("isnan", "math.isnan", MA_FALSE),
    TEST("isfinite", "math.isfinite", MA_TRUE),
    FORMULA("isinf.default", "self", BUDDY_BOOLS, ma_isinf),
    FORMULA("isposinf.default", "self", BUDDY_BOOLS, ma_isposinf),
    FORMULA("isneginf.default", "self", BUDDY_BOOLS, ma_isneginf),
    FORMULA("signbit.default", "self", BUDDY_BOOLS, ma_signbit),
};

static const char *const dialects[] = {"math", "arith", "linalg", "tensor", NULL};

BUDDY_REGISTRY(math, "0.1.0", "buddy", "Apache-2.0", BUDDY_LLVM, ops, .dialects = dialects,
               .open = be_open);
