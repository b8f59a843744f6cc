// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/kit/portabletosa.c: the elementwise part of TOSA by host services alone: the portable tier
 * can express a dialect registry, and one file of it serves buddy on several LLVMs.
 *
 * TOSA wants operands of equal rank, and broadcasts dims of 1. What differs between versions of
 * LLVM is asked of the host: TOSA 1.0 came with LLVM 21 (mul with its shift as an operand, negate
 * with zero points). */
#include "buddy/kit.h"

#define IS_TOSA_1 (be_host->llvm_version >= BUDDY_VERSION(21, 0))

static buddy_code match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (to->rank > 6) return be_decline(call, "rank %u: TOSA has 6", to->rank);
  for (size_t i = 0; i < be_host->n_args(call); ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (!type) return be_decline(call, "operand %zu is no tensor", i);
    if (type->rank != to->rank) return be_decline(call, "the operands differ in rank");
    if (type->dtype != be_arg_type(call, 0)->dtype)
      return be_decline(call, "the operands differ in dtype");
  }
  return BUDDY_OK;
}

/* A constant that TOSA takes as an operand: one element, which is 0. */
static buddy_ir_value zero(buddy_call *call, buddy_dtype dtype) {
  static const char bytes[8] = {0};
  const int64_t one = 1;
  const buddy_tensor_type *type = be_type(call, dtype, 1, &one);
  if (!type) return (buddy_ir_value){NULL};
  const bk_attribute values[] = {{"values", be_host->ir_attr_dense(call, type, bytes,
                                                                   dtype == BUDDY_I8    ? 1
                                                                   : dtype == BUDDY_F16 ? 2
                                                                   : dtype == BUDDY_F32 ? 4
                                                                                        : 8)},
                                 {NULL, {NULL}}};
  return bk_op(call, "tosa.const", type, NULL, 0, values);
}

static buddy_code emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  buddy_ir_value operands[2];
  const size_t n = be_host->n_args(call);
  for (size_t i = 0; i < n; ++i) operands[i] = bk_tensor(call, i);
  return bk_result(call, 0, bk_op(call, self->user, be_result_type(call, 0), operands, n, NULL));
}

static buddy_code emit_mul(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_ir_value operands[] = {bk_tensor(call, 0), bk_tensor(call, 1),
                                     IS_TOSA_1 ? zero(call, BUDDY_I8) : (buddy_ir_value){NULL}};
  const bk_attribute shift[] = {
      {"shift", IS_TOSA_1 ? (buddy_ir_attr){NULL} : bk_attr(call, "0 : i8")}, {NULL, {NULL}}};
  return bk_result(call, 0,
                   bk_op(call, "tosa.mul", be_result_type(call, 0), operands, IS_TOSA_1 ? 3 : 2,
                         IS_TOSA_1 ? NULL : shift));
}

static buddy_code emit_negate(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_result_type(call, 0);
  const buddy_ir_value point = IS_TOSA_1 ? zero(call, type->dtype) : (buddy_ir_value){NULL};
  const buddy_ir_value operands[] = {bk_tensor(call, 0), point, point};
  return bk_result(call, 0, bk_op(call, "tosa.negate", type, operands, IS_TOSA_1 ? 3 : 1, NULL));
}

#define F (BUDDY_DTYPE_BIT(BUDDY_F32) | BUDDY_DTYPE_BIT(BUDDY_F16))
#define I BUDDY_DTYPE_BIT(BUDDY_I32)
#define B BUDDY_BOOLS
#define UNARY(aten, tosa)           \
  {.name = "aten." aten ".default", \
   .args = "self",                  \
   .in_dtypes = F,                  \
   .out_dtypes = F,                 \
   .match = match,                  \
   .emit = emit,                    \
   .user = "tosa." tosa}
#define BINARY(aten, tosa, in, out) \
  {.name = "aten." aten,            \
   .args = "self, other",           \
   .in_dtypes = in,                 \
   .out_dtypes = out,               \
   .match = match,                  \
   .emit = emit,                    \
   .user = "tosa." tosa}
static const buddy_op ops[] = {
    UNARY("abs", "abs"),
    UNARY("ceil", "ceil"),
    UNARY("cos", "cos"),
    UNARY("erf", "erf"),
    UNARY("exp", "exp"),
    UNARY("floor", "floor"),
    UNARY("log", "log"),
    UNARY("reciprocal", "reciprocal"),
    UNARY("rsqrt", "rsqrt"),
    UNARY("sigmoid", "sigmoid"),
    UNARY("sin", "sin"),
    UNARY("tanh", "tanh"),
    {.name = "aten.neg.default",
     .args = "self",
     .in_dtypes = F,
     .out_dtypes = F,
     .match = match,
     .emit = emit_negate},
    BINARY("add.Tensor", "add", F | I, F | I),
    BINARY("sub.Tensor", "sub", F | I, F | I),
    {.name = "aten.mul.Tensor",
     .args = "self, other",
     .in_dtypes = F,
     .out_dtypes = F,
     .match = match,
     .emit = emit_mul},
    BINARY("maximum.default", "maximum", F | I, F | I),
    BINARY("minimum.default", "minimum", F | I, F | I),
    {.name = "aten.pow.Tensor_Tensor",
     .args = "self, exponent",
     .in_dtypes = F,
     .out_dtypes = F,
     .match = match,
     .emit = emit,
     .user = "tosa.pow"},
    BINARY("eq.Tensor", "equal", F | I, B),
    BINARY("gt.Tensor", "greater", F | I, B),
    BINARY("ge.Tensor", "greater_equal", F | I, B),
    BINARY("logical_and.default", "logical_and", B, B),
    BINARY("logical_or.default", "logical_or", B, B),
    BINARY("logical_xor.default", "logical_xor", B, B),
    BINARY("bitwise_and.Tensor", "bitwise_and", I, I),
    BINARY("bitwise_or.Tensor", "bitwise_or", I, I),
    BINARY("bitwise_xor.Tensor", "bitwise_xor", I, I),
};
static const char *const dialects[] = {"tosa", NULL};

BUDDY_REGISTRY(portabletosa, "1.0.0", "kit tests", "MIT", 0, ops, .dialects = dialects,
               .open = be_open);
