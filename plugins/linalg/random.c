// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/random.c: tensors of random numbers, computed where they are needed: one
 * linalg.generic whose body is the generator (Philox 4x32-10) at (seed, stream, element), brought
 * to the row's distribution. The runtime gives seed and stream: see sdk/runtime/random.h.
 *
 * Uniform numbers have as many bits as PyTorch's: 24 for f32, 53 for f64, 11 for f16, 8 for bf16.
 * Logarithms are taken of numbers that are neither 0 nor 1. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

const la_random la_uniform_01 = {.kind = LA_UNIFORM, .b = 1},
                la_uniform = {.kind = LA_UNIFORM, .a_arg = 2, .b_arg = 3},
                la_normal_01 = {.kind = LA_NORMAL, .b = 1},
                la_normal_of_self = {.kind = LA_NORMAL, .a_arg = 2, .b_arg = 3},
                la_normal_of_numbers = {.kind = LA_NORMAL, .a_arg = 1, .b_arg = 2},
                la_log_normal = {.kind = LA_LOG_NORMAL, .a_arg = 2, .b_arg = 3},
                la_cauchy = {.kind = LA_CAUCHY, .a_arg = 2, .b_arg = 3},
                la_exponential = {.kind = LA_EXPONENTIAL, .a_arg = 2},
                la_geometric = {.kind = LA_GEOMETRIC, .a_arg = 2},
                la_bernoulli_p = {.kind = LA_BERNOULLI, .a_arg = 2},
                la_bernoulli_self = {.kind = LA_BERNOULLI, .a_arg = 1},
                la_randint_to = {.kind = LA_INTEGER, .b_arg = 1},
                la_randint = {.kind = LA_INTEGER, .a_arg = 1, .b_arg = 2},
                la_randint_like_to = {.kind = LA_INTEGER, .b_arg = 2},
                la_randint_like = {.kind = LA_INTEGER, .a_arg = 2, .b_arg = 3},
                la_random_any = {.kind = LA_INTEGER_ANY},
                la_random_to = {.kind = LA_INTEGER, .b_arg = 2},
                la_random_from = {.kind = LA_INTEGER_ANY, .a_arg = 2, .b_arg = 3},
                la_poisson = {.kind = LA_CALLED, .a_arg = 1, .function = "poisson"},
                la_gamma = {.kind = LA_CALLED, .a_arg = 1, .function = "gamma"},
                la_binomial = {.kind = LA_CALLED, .a_arg = 1, .b_arg = 2, .function = "binomial"};

typedef struct draw {
  const la_random *row;
  const buddy_tensor_type *to;
  buddy_dtype wide; /* that is computed in */
  MlirValue seed, stream;
  MlirValue tensors[2]; /* parameters that are tensors */
  const buddy_tensor_type *types[2];
  size_t n_tensors;
  MlirAttribute callee;
} draw;

static MlirValue op(const be_body *body, const char *name, MlirValue a, MlirValue b) {
  return BE_IN(body, name, same, a, b);
}

static MlirValue number(const be_body *body, const draw *d, double value) {
  return be_in_scalar(body, d->wide, value);
}

/* ---- The generator ---- */

/* An i64 as two i32, the lower one first. */
static void halves(const be_body *body, MlirValue value, MlirValue *out) {
  const MlirType i32 = buddy_mlir_element_type(body->call, BUDDY_I32);
  out[0] = BE_IN(body, "arith.trunci", i32, value);
  out[1] = BE_IN(body, "arith.trunci", i32,
                 op(body, "arith.shrui", value, be_in_scalar_int(body, BUDDY_I64, 32)));
}

/* The product of two i32, as its lower and its higher half. */
static void product(const be_body *body, MlirValue a, uint32_t factor, MlirValue *out) {
  const MlirValue operands[2] = {a, be_in_scalar_int(body, BUDDY_I32, (int32_t)factor)};
  const MlirType i32 = buddy_mlir_element_type(body->call, BUDDY_I32), types[2] = {i32, i32};
  const be_op_spec spec = {.name = "arith.mului_extended",
                           .operands = operands,
                           .n_operands = 2,
                           .types = types,
                           .n_types = 2};
  const MlirOperation op_ = be_in_build(body, &spec);
  for (intptr_t i = 0; i < 2; ++i)
    out[i] = mlirOperationIsNull(op_) ? no_value : mlirOperationGetResult(op_, i);
}

/* The position of the element, counted over the whole tensor, as an i64. */
static MlirValue element_number(const be_body *body, const buddy_tensor_type *type) {
  MlirValue index = be_in_index(body, 0);
  for (uint32_t d = 0; d < type->rank; ++d) {
    index = la_index_mul(body, index, be_in_index(body, type->dims[d]));
    index = la_index_add(body, index, be_in_loop(body, d));
  }
  return la_as_i64(body, index);
}

static void words_of(const be_body *body, const draw *d, MlirValue *out) {
  MlirValue c[4], k[2];
  halves(body, element_number(body, d->to), c);
  halves(body, d->stream, c + 2);
  halves(body, d->seed, k);
  for (int round = 0; round < 10; ++round) {
    MlirValue a[2] = {no_value, no_value}, b[2] = {no_value, no_value};
    product(body, c[0], 0xD2511F53u, a);
    product(body, c[2], 0xCD9E8D57u, b);
    c[0] = op(body, "arith.xori", op(body, "arith.xori", b[1], c[1]), k[0]);
    c[1] = b[0];
    c[2] = op(body, "arith.xori", op(body, "arith.xori", a[1], c[3]), k[1]);
    c[3] = a[0];
    k[0] = op(body, "arith.addi", k[0], be_in_scalar_int(body, BUDDY_I32, (int32_t)0x9E3779B9u));
    k[1] = op(body, "arith.addi", k[1], be_in_scalar_int(body, BUDDY_I32, (int32_t)0xBB67AE85u));
  }
  memcpy(out, c, sizeof(c));
}

/* Two words as an i64. */
static MlirValue joined(const be_body *body, MlirValue low, MlirValue high) {
  const MlirType i64 = buddy_mlir_element_type(body->call, BUDDY_I64);
  const MlirValue shifted = op(body, "arith.shli", BE_IN(body, "arith.extui", i64, high),
                               be_in_scalar_int(body, BUDDY_I64, 32));
  return op(body, "arith.ori", shifted, BE_IN(body, "arith.extui", i64, low));
}

/* The highest `bits` bits of two words as a number of `dtype`, f32 or f64, in [0, 1); or, centred,
 * in (0, 1) with one bit less. */
static MlirValue fraction(const be_body *body, const MlirValue *words, buddy_dtype dtype, int bits,
                          bool is_centred) {
  bits -= is_centred;
  const int is_wide = dtype == BUDDY_F64, size = is_wide ? 64 : 32;
  const buddy_dtype integer = is_wide ? BUDDY_I64 : BUDDY_I32;
  const MlirValue word = is_wide ? joined(body, words[0], words[1]) : words[0];
  const MlirValue top = op(body, "arith.shrui", word, be_in_scalar_int(body, integer, size - bits));
  MlirValue value = BE_IN(body, "arith.uitofp", buddy_mlir_element_type(body->call, dtype), top);
  if (is_centred) value = op(body, "arith.addf", value, be_in_scalar(body, dtype, 0.5));
  return op(body, "arith.mulf", value, be_in_scalar(body, dtype, ldexp(1, -bits)));
}

static int bits_of(buddy_dtype dtype) {
  return dtype == BUDDY_F64 ? 53 : dtype == BUDDY_F16 ? 11 : dtype == BUDDY_BF16 ? 8 : 24;
}

/* ---- Distributions ---- */

static MlirValue uniform(const be_body *body, const draw *d, const MlirValue *words) {
  return fraction(body, words, d->wide, bits_of(d->to->dtype), 0);
}

/* In (0, 1). */
static MlirValue open_uniform(const be_body *body, const draw *d, const MlirValue *words) {
  return fraction(body, words, d->wide, d->wide == BUDDY_F64 ? 53 : 24, 1);
}

/* Box and Muller's: sqrt(-2 log u) cos(2 pi v) */
static MlirValue normal(const be_body *body, const draw *d, const MlirValue *words) {
  const MlirValue u = open_uniform(body, d, words), v = open_uniform(body, d, words + 2);
  const MlirValue square =
      op(body, "arith.mulf", BE_IN(body, "math.log", same, u), number(body, d, -2));
  const MlirValue turn = op(body, "arith.mulf", v, number(body, d, 6.283185307179586));
  return op(body, "arith.mulf", BE_IN(body, "math.sqrt", same, square),
            BE_IN(body, "math.cos", same, turn));
}

/* a + b x */
static MlirValue scaled(const be_body *body, MlirValue x, MlirValue a, MlirValue b) {
  return op(body, "arith.addf", op(body, "arith.mulf", x, b), a);
}

/* Parameter i as a scalar of `dtype`: a tensor's element, a number, or the row's. */
static MlirValue parameter(const be_body *body, const draw *d, const MlirValue *elements, size_t i,
                           buddy_dtype dtype, double otherwise) {
  const uint8_t arg = i == 0 ? d->row->a_arg : d->row->b_arg;
  if (arg == 0) return be_in_scalar(body, dtype, otherwise);
  const buddy_tensor_type *type = be_arg_type(body->call, arg - 1u);
  if (type) {
    const uint8_t first = d->row->a_arg;
    const bool is_second = i == 1 && first != 0 && be_arg_type(body->call, first - 1u);
    return be_in_cast(body, elements[is_second], type->dtype, dtype);
  }
  const la_scalars s = {body, dtype, NULL};
  return la_number(&s, arg - 1u, otherwise);
}

/* ceil(log(u) / log(1 - p)), at least 1 */
static MlirValue geometric(const be_body *body, const draw *d, const MlirValue *words,
                           MlirValue p) {
  const MlirValue rest = BE_IN(body, "math.log1p", same, BE_IN(body, "arith.negf", same, p));
  const MlirValue steps =
      op(body, "arith.divf", BE_IN(body, "math.log", same, open_uniform(body, d, words)), rest);
  return op(body, "arith.maximumf", BE_IN(body, "math.ceil", same, steps), number(body, d, 1));
}

/* The largest integer that random_ without bounds may give, plus 1; 0: all 63 bits. */
static uint64_t whole_range(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_BOOL:
      return 2;
    case BUDDY_U8:
      return 256;
    case BUDDY_I8:
      return 128;
    case BUDDY_I16:
      return 32768;
    case BUDDY_I32:
      return UINT64_C(1) << 31;
    case BUDDY_U16:
      return 65536;
    case BUDDY_U32:
      return UINT64_C(1) << 32;
    case BUDDY_BF16:
      return 257;
    case BUDDY_F16:
      return 2049;
    case BUDDY_F32:
      return (UINT64_C(1) << 24) + 1;
    case BUDDY_F64:
      return (UINT64_C(1) << 53) + 1;
    default:
      return 0;
  }
}

/* From a on, below b; 64 bits modulo the range. */
static MlirValue integer(const be_body *body, const draw *d, const MlirValue *elements,
                         const MlirValue *words) {
  const MlirValue bits = joined(body, words[0], words[1]);
  const MlirValue low = parameter(body, d, elements, 0, BUDDY_I64, 0);
  const bool has_end = d->row->b_arg != 0 && !be_is_none(body->call, d->row->b_arg - 1u);
  if (has_end) {
    const MlirValue high = parameter(body, d, elements, 1, BUDDY_I64, 0);
    const MlirValue range = op(body, "arith.maxui", op(body, "arith.subi", high, low),
                               be_in_scalar_int(body, BUDDY_I64, 1));
    return op(body, "arith.addi", op(body, "arith.remui", bits, range), low);
  }
  const uint64_t end = whole_range(d->to->dtype);
  if (end == 0) return op(body, "arith.shrui", bits, be_in_scalar_int(body, BUDDY_I64, 1));
  const MlirValue range =
      op(body, "arith.subi", be_in_scalar_int(body, BUDDY_I64, (int64_t)end), low);
  return op(body, "arith.addi", op(body, "arith.remui", bits, range), low);
}

static MlirValue called(const be_body *body, const draw *d, const MlirValue *elements) {
  const MlirType f64 = buddy_mlir_element_type(body->call, BUDDY_F64);
  const MlirValue operands[5] = {parameter(body, d, elements, 0, BUDDY_F64, 0),
                                 parameter(body, d, elements, 1, BUDDY_F64, 0), d->seed, d->stream,
                                 element_number(body, d->to)};
  const be_attribute attributes[] = {{"callee", d->callee}, {NULL, {NULL}}};
  return be_in(body, "func.call", f64, operands, 5, attributes);
}

static MlirValue drawn(const be_body *body, const MlirValue *elements, void *user) {
  const draw *d = user;
  const la_random *row = d->row;
  if (row->kind == LA_CALLED)
    return be_in_cast(body, called(body, d, elements), BUDDY_F64, d->to->dtype);
  MlirValue words[4];
  words_of(body, d, words);
  if (row->kind == LA_INTEGER || row->kind == LA_INTEGER_ANY)
    return be_in_cast(body, integer(body, d, elements, words), BUDDY_I64, d->to->dtype);
  const MlirValue a = parameter(body, d, elements, 0, d->wide, row->a);
  MlirValue value;
  switch (row->kind) {
    case LA_BERNOULLI:
      value = be_in_compare(body, "lt", fraction(body, words, BUDDY_F64, 53, 0),
                            parameter(body, d, elements, 0, BUDDY_F64, 0), BUDDY_F64);
      return be_in_cast(body, value, BUDDY_BOOL, d->to->dtype);
    case LA_UNIFORM: {
      const MlirValue b = parameter(body, d, elements, 1, d->wide, row->b);
      value = scaled(body, uniform(body, d, words), a, op(body, "arith.subf", b, a));
      break;
    }
    case LA_EXPONENTIAL:
      value = BE_IN(body, "math.log", same, open_uniform(body, d, words));
      value = op(body, "arith.divf", BE_IN(body, "arith.negf", same, value), a);
      break;
    case LA_GEOMETRIC:
      value = geometric(body, d, words, a);
      break;
    case LA_CAUCHY: {
      const MlirValue centred =
          op(body, "arith.subf", open_uniform(body, d, words), number(body, d, 0.5));
      const MlirValue turn = op(body, "arith.mulf", centred, number(body, d, 3.141592653589793));
      value = scaled(body, BE_IN(body, "math.tan", same, turn), a,
                     parameter(body, d, elements, 1, d->wide, row->b));
      break;
    }
    default:
      value =
          scaled(body, normal(body, d, words), a, parameter(body, d, elements, 1, d->wide, row->b));
      if (row->kind == LA_LOG_NORMAL) value = BE_IN(body, "math.exp", same, value);
  }
  return be_in_cast(body, value, d->wide, d->to->dtype);
}

/* ---- The row ---- */

static MlirValue ask_runtime(buddy_call *call, const char *name) {
  const MlirType i64 = buddy_mlir_element_type(call, BUDDY_I64);
  const MlirType function = mlirFunctionTypeGet(buddy_mlir_context(call), 0, NULL, 1, &i64);
  const be_attribute callee[] = {{"callee", buddy_mlir_declare_function(call, name, function)},
                                 {NULL, {NULL}}};
  const be_op_spec spec = {.name = "func.call", .types = &i64, .n_types = 1, .attributes = callee};
  const MlirOperation op_ = be_build(call, &spec);
  return mlirOperationIsNull(op_) ? no_value : mlirOperationGetResult(op_, 0);
}

static MlirAttribute declare_sampler(buddy_call *call, const char *function) {
  char name[64] = "buddy_runtime_random_";
  strncat(name, function, sizeof(name) - strlen(name) - 1);
  const MlirType f64 = buddy_mlir_element_type(call, BUDDY_F64),
                 i64 = buddy_mlir_element_type(call, BUDDY_I64);
  const MlirType inputs[5] = {f64, f64, i64, i64, i64};
  const MlirType type = mlirFunctionTypeGet(buddy_mlir_context(call), 5, inputs, 1, &f64);
  return buddy_mlir_declare_function(call, name, type);
}

/* Parameters that no distribution has, as PyTorch refuses them. */
static void check_parameters(buddy_call *call, const draw *d) {
  const la_random *row = d->row;
  const bool has_a = row->a_arg != 0 && be_arg_type(call, row->a_arg - 1u),
             has_b = row->b_arg != 0 && be_arg_type(call, row->b_arg - 1u);
  if (row->kind == LA_BERNOULLI && has_a)
    la_check_range(call, d->tensors[0], d->types[0], 0, 1, "a probability is not between 0 and 1");
  if (row->kind == LA_NORMAL && has_b)
    la_check_range(call, d->tensors[has_a], d->types[has_a], 0, INFINITY,
                   "a standard deviation is negative");
  if (row->kind == LA_CALLED && strcmp(row->function, "poisson") == 0 && has_a)
    la_check_range(call, d->tensors[0], d->types[0], 0, INFINITY, "a rate of poisson is negative");
}

/* What la_random says of the row's arguments; the others are sizes, options and generators, whose
 * effect the result's type has, or which are None. */
buddy_code la_emit_random(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  draw d = {.row = self->user, .to = be_result_type(call, 0)};
  la_ignore(call, 0, be_host->n_args(call));
  const buddy_dtype dtype = d.to->dtype;
  d.wide = dtype == BUDDY_F64 ? BUDDY_F64 : BUDDY_F32;
  if (be_is_complex(dtype)) return be_decline(call, "complex random numbers are not drawn here");
  const uint8_t args[2] = {d.row->a_arg, d.row->b_arg};
  for (size_t i = 0; i < 2; ++i) {
    const buddy_tensor_type *type = args[i] != 0 ? be_arg_type(call, args[i] - 1u) : NULL;
    if (!type) continue;
    d.types[d.n_tensors] = type;
    d.tensors[d.n_tensors++] = be_tensor(call, args[i] - 1u);
  }
  check_parameters(call, &d);
  if (d.row->kind == LA_CALLED) d.callee = declare_sampler(call, d.row->function);
  d.seed = ask_runtime(call, "buddy_runtime_random_seed");
  d.stream = ask_runtime(call, "buddy_runtime_random_stream");
  return be_result(call, 0, be_elementwise(call, d.to, d.tensors, d.types, d.n_tensors, drawn, &d));
}
