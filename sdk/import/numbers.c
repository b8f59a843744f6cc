// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/numbers.c: Python's arithmetic as ATen ops on 0-d tensors.
 *
 *   integers   0-d i64 tensors
 *   floats     0-d f64 tensors
 *   booleans   0-d i1 tensors
 *
 * Python raises where ATen's ops give an infinity, or any number, and its integers have no end: what
 * an op refuses, and what 64 bits do not hold, is a check beside it, unless the operands tell that it
 * holds. */
#include "sdk/import/numbers.h"

#include <float.h>
#include <string.h>

#include "core/graph/guards.h"

#define MOST_BITS 0x1.fffffffffffffp62 /* the largest double of 64 bits */

static const bd_number_op ops[] = {
    {"_operator.add", "aten.add.Tensor", {"self", "other"}, BD_NUMBER_AS_RESULT, BD_TAKES_SUM},
    {"_operator.sub", "aten.sub.Tensor", {"self", "other"}, BD_NUMBER_AS_RESULT, BD_TAKES_SUM},
    {"_operator.mul", "aten.mul.Tensor", {"self", "other"}, BD_NUMBER_AS_RESULT, BD_TAKES_SUM},
    {"_operator.truediv",
     "aten.div.Tensor",
     {"self", "other"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_DIVISOR},
    {"_operator.floordiv",
     "aten.floor_divide.default",
     {"self", "other"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_DIVISOR},
    {"_operator.mod",
     "aten.remainder.Tensor",
     {"self", "other"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_DIVISOR},
    {"_operator.pow",
     "aten.pow.Tensor_Tensor",
     {"self", "exponent"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_POWER},
    {"_operator.neg", "aten.neg.default", {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"abs", "aten.abs.default", {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"floor", "aten.floor.default", {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"ceil", "aten.ceil.default", {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"round", "aten.round.default", {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"_operator.pos", NULL, {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"_operator.and_",
     "aten.bitwise_and.Tensor",
     {"self", "other"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_ALL},
    {"_operator.or_",
     "aten.bitwise_or.Tensor",
     {"self", "other"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_ALL},
    {"_operator.xor",
     "aten.bitwise_xor.Tensor",
     {"self", "other"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_ALL},
    {"_operator.lshift",
     "aten.bitwise_left_shift.Tensor",
     {"self", "other"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_SHIFT},
    {"_operator.rshift",
     "aten.bitwise_right_shift.Tensor",
     {"self", "other"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_SHIFT},
    {"_operator.eq", "aten.eq.Tensor", {"self", "other"}, BD_NUMBER_AS_WIDEST, BD_TAKES_ALL},
    {"_operator.ne", "aten.ne.Tensor", {"self", "other"}, BD_NUMBER_AS_WIDEST, BD_TAKES_ALL},
    {"_operator.lt", "aten.lt.Tensor", {"self", "other"}, BD_NUMBER_AS_WIDEST, BD_TAKES_ALL},
    {"_operator.le", "aten.le.Tensor", {"self", "other"}, BD_NUMBER_AS_WIDEST, BD_TAKES_ALL},
    {"_operator.gt", "aten.gt.Tensor", {"self", "other"}, BD_NUMBER_AS_WIDEST, BD_TAKES_ALL},
    {"_operator.ge", "aten.ge.Tensor", {"self", "other"}, BD_NUMBER_AS_WIDEST, BD_TAKES_ALL},
    {"torch.sym_not", "aten.logical_not.default", {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"torch.sym_max", "aten.maximum.default", {"self", "other"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"torch.sym_min", "aten.minimum.default", {"self", "other"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"torch.sym_sqrt", "aten.sqrt.default", {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ROOT},
    {"torch._sym_sqrt", "aten.sqrt.default", {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ROOT},
    {"math.sqrt", "aten.sqrt.default", {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ROOT},
    {"torch.sym_ite",
     "aten.where.self",
     {"condition", "self", "other"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_ALL},
    /* A conversion is what reading the operand in the result's dtype does; to an integer it cuts
       towards zero. */
    {"torch.sym_float", NULL, {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"torch.sym_int", NULL, {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_WHOLE},
    {"math.trunc", NULL, {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_WHOLE},
    {"torch.ops.aten.item.default", NULL, {"self"}, BD_NUMBER_AS_RESULT, BD_TAKES_ALL},
    {"torch.ops.aten._local_scalar_dense.default",
     NULL,
     {"self"},
     BD_NUMBER_AS_RESULT,
     BD_TAKES_ALL},
};

const bd_number_op *bd_number_op_find(const char *target) {
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) {
    if (!strcmp(ops[i].target, target)) return &ops[i];
  }
  return NULL;
}

size_t bd_number_op_arity(const bd_number_op *op) {
  size_t n = 0;
  while (n < 3 && op->args[n]) ++n;
  return n;
}

/* ---- 0-d tensors ---- */

static buddy_code add(const bd_number_at *at, const char *op, const char *name,
                      const buddy_named_arg *args, size_t n_args, buddy_dtype dtype,
                      const buddy_value **out_value) {
  const buddy_tensor_type type = {.dtype = dtype};
  buddy_node *node;
  if (!name) name = bd_import_made_name(at->import, at->name);
  if (!name) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_nodes_add(at->import, at->frame, op, name, args, n_args, &type, 1, &node));
  BD_TRY(buddy_node_set_location(node, at->location));
  *out_value = buddy_node_result(node, 0);
  return BUDDY_OK;
}

buddy_code bd_number_as_tensor(const bd_number_at *at, const buddy_arg *arg, buddy_dtype dtype,
                               const buddy_value **out_value) {
  const buddy_named_arg to_dtype = {"dtype", bd_dtype_arg(dtype)};
  if (arg->kind != BUDDY_ARG_TENSOR) {
    const buddy_named_arg args[] = {{"s", *arg}, to_dtype};
    return add(at, "aten.scalar_tensor.default", NULL, args, 2, dtype, out_value);
  }
  buddy_arg self = *arg;
  const buddy_tensor_type *type = buddy_value_type(arg->as.tensor);
  if (type->rank > 0) {
    const buddy_named_arg args[] = {{"self", self}, {"size", {.kind = BUDDY_ARG_INTS}}};
    BD_TRY(add(at, "aten.view.default", NULL, args, 2, type->dtype, &self.as.tensor));
  }
  *out_value = self.as.tensor;
  if (type->dtype == dtype) return BUDDY_OK;
  const buddy_named_arg args[] = {{"self", self}, to_dtype};
  return add(at, "aten._to_copy.default", NULL, args, 2, dtype, out_value);
}

bool bd_number_is_float(const buddy_arg *arg) {
  if (arg->kind == BUDDY_ARG_TENSOR) {
    return (BUDDY_FLOATS & BUDDY_DTYPE_BIT(buddy_value_type(arg->as.tensor)->dtype)) != 0;
  }
  return arg->kind == BUDDY_ARG_FLOAT;
}

/* ---- What Python refuses ---- */

const buddy_arg *bd_number_behind(const buddy_arg *arg) {
  const buddy_node *node = arg->kind == BUDDY_ARG_TENSOR ? buddy_value_node(arg->as.tensor) : NULL;
  if (!node || strcmp(buddy_node_op(node), "aten.scalar_tensor.default")) return NULL;
  return buddy_node_arg(node, 0);
}

buddy_code bd_number_check(const bd_number_at *at, buddy_arg condition, const char *message) {
  const buddy_named_arg args[] = {
      {"self", condition},
      {"assert_msg", {.kind = BUDDY_ARG_STRING, .n = strlen(message), .as.string = message}}};
  const char *name = bd_import_made_name(at->import, "check");
  buddy_node *check;
  if (!name) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_nodes_add(at->import, at->frame, "aten._assert_scalar.default", name, args, 2, NULL, 0,
                      &check));
  return buddy_node_set_location(check, at->location);
}

/* Whether the number behind is known to be at least `least`. */
static buddy_code is_at_least(const bd_number_at *at, const buddy_arg *number, int64_t least,
                              bool *out_is) {
  buddy_graph *graph = at->import->graph;
  int64_t predicate;
  *out_is = number && number->kind == BUDDY_ARG_FLOAT && number->as.f >= (double)least;
  if (!number || number->kind != BUDDY_ARG_INT) return BUDDY_OK;
  BD_TRY(bd_predicate_compare(graph, BD_GE, number->as.i, least, &predicate));
  *out_is = bd_predicate_is_true(graph, predicate) != 0;
  return BUDDY_OK;
}

/* Powers of sizes that no f64 overflows: (2^63)^16 is one. */
static bool is_moderate(const buddy_arg *base, const buddy_arg *exponent) {
  return base && exponent && base->kind == BUDDY_ARG_INT && exponent->kind == BUDDY_ARG_FLOAT &&
         exponent->as.f >= -16 && exponent->as.f <= 16;
}

/* Whether the operands tell that Python takes them. */
static buddy_code is_taken(const bd_number_at *at, bd_number_domain domain,
                           const buddy_named_arg *args, bool *out_is) {
  const buddy_arg *first = bd_number_behind(&args[0].arg);
  const buddy_arg *second = args[1].name ? bd_number_behind(&args[1].arg) : NULL;
  switch (domain) {
    case BD_TAKES_DIVISOR:
      *out_is = second && second->kind == BUDDY_ARG_FLOAT && second->as.f < 0;
      return *out_is ? BUDDY_OK : is_at_least(at, second, 1, out_is);
    case BD_TAKES_POWER:
      *out_is = is_moderate(first, second);
      return *out_is && second->as.f < 0 ? is_at_least(at, first, 1, out_is) : BUDDY_OK;
    case BD_TAKES_ROOT:
      return is_at_least(at, first, 0, out_is);
    case BD_TAKES_SHIFT:
      return is_at_least(at, second, 0, out_is);
    case BD_TAKES_WHOLE:
      *out_is = false;
      return BUDDY_OK;
    case BD_TAKES_ALL:
    case BD_TAKES_SUM:
      *out_is = true;
      return BUDDY_OK;
  }
  return BUDDY_OK;
}

static buddy_code compare(const bd_number_at *at, const char *op, const buddy_value *self,
                          double other, const buddy_value **out_is) {
  const buddy_arg number = buddy_value_type(self)->dtype == BUDDY_F64
                               ? (buddy_arg){.kind = BUDDY_ARG_FLOAT, .as.f = other}
                               : bd_int_arg((int64_t)other);
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(self)}, {"other", number}};
  return add(at, op, NULL, args, 2, BUDDY_BOOL, out_is);
}

/* No for what is no number. */
static buddy_code is_up_to(const bd_number_at *at, const buddy_value *self, double most,
                           const buddy_value **out_is) {
  const buddy_named_arg arg = {"self", bd_tensor_arg(self)};
  BD_TRY(add(at, "aten.abs.default", NULL, &arg, 1, BUDDY_F64, &self));
  return compare(at, "aten.le.Scalar", self, most, out_is);
}

static buddy_code is_not(const bd_number_at *at, const buddy_value **is) {
  const buddy_named_arg arg = {"self", bd_tensor_arg(*is)};
  return add(at, "aten.logical_not.default", NULL, &arg, 1, BUDDY_BOOL, is);
}

/* The power is finite, or one of the operands is not. */
static buddy_code is_power(const bd_number_at *at, const buddy_named_arg *args,
                           const buddy_value *power, const buddy_value **out_is) {
  BD_TRY(is_up_to(at, power, DBL_MAX, out_is));
  for (size_t i = 0; i < 2; ++i) {
    const buddy_value *is_odd;
    if (bd_number_behind(&args[i].arg)) continue;
    BD_TRY(is_up_to(at, args[i].arg.as.tensor, DBL_MAX, &is_odd));
    BD_TRY(is_not(at, &is_odd));
    const buddy_named_arg both[] = {{"self", bd_tensor_arg(*out_is)},
                                    {"other", bd_tensor_arg(is_odd)}};
    BD_TRY(add(at, "aten.logical_or.default", NULL, both, 2, BUDDY_BOOL, out_is));
  }
  return BUDDY_OK;
}

/* Beside an op on `args`, in their dtype; a nameless one is none. */
static buddy_code check_domain(const bd_number_at *at, bd_number_domain domain,
                               const buddy_named_arg *args, const buddy_value *result) {
  static const char *const texts[] = {
      [BD_TAKES_DIVISOR] = "a number is divided by 0",
      [BD_TAKES_POWER] = ("a power is no number: of 0 to a negative one, of a negative one to a "
                          "fraction, or too large"),
      [BD_TAKES_ROOT] = "the square root of a negative number",
      [BD_TAKES_SHIFT] = "a number is shifted by a negative one",
      [BD_TAKES_WHOLE] = "a number that is to be an integer is none of 64 bits"};
  const buddy_value *first = args[0].arg.as.tensor, *is = NULL;
  const buddy_value *second = args[1].name ? args[1].arg.as.tensor : NULL;
  bool is_known;
  BD_TRY(is_taken(at, domain, args, &is_known));
  if (is_known) return BUDDY_OK;
  if (domain == BD_TAKES_DIVISOR) BD_TRY(compare(at, "aten.ne.Scalar", second, 0, &is));
  if (domain == BD_TAKES_SHIFT) BD_TRY(compare(at, "aten.ge.Scalar", second, 0, &is));
  if (domain == BD_TAKES_ROOT) BD_TRY(compare(at, "aten.lt.Scalar", first, 0, &is));
  if (domain == BD_TAKES_ROOT) BD_TRY(is_not(at, &is));
  if (domain == BD_TAKES_POWER) BD_TRY(is_power(at, args, result, &is));
  if (domain == BD_TAKES_WHOLE) BD_TRY(is_up_to(at, first, MOST_BITS, &is));
  return bd_number_check(at, bd_tensor_arg(is), texts[domain]);
}

/* Python's integers have no end. What the op gives in doubles, which do not wrap, is the result but for
 * roundings: one that wrapped is 2^64 away. A shift is a product with a power of two. */
static buddy_code check_bits(const bd_number_at *at, const bd_number_op *op,
                             const buddy_arg *operands, const buddy_value *result) {
  const buddy_arg whole = bd_tensor_arg(result);
  const bool is_shift = op->domain == BD_TAKES_SHIFT;
  const buddy_arg two = {.kind = BUDDY_ARG_FLOAT, .as.f = 2};
  buddy_named_arg args[2] = {{op->args[0], bd_tensor_arg(NULL)},
                             {op->args[1], bd_tensor_arg(NULL)}};
  const buddy_value *value, *is;
  for (size_t i = 0; i < 2; ++i)
    BD_TRY(bd_number_as_tensor(at, &operands[i], BUDDY_F64, &args[i].arg.as.tensor));
  if (is_shift) {
    buddy_named_arg power[2] = {{"self", two}, {"exponent", args[1].arg}};
    BD_TRY(add(at, "aten.pow.Scalar", NULL, power, 2, BUDDY_F64, &args[1].arg.as.tensor));
  }
  BD_TRY(add(at, is_shift ? "aten.mul.Tensor" : op->op, NULL, args, 2, BUDDY_F64, &value));
  buddy_named_arg apart[2] = {{"self", bd_tensor_arg(value)}, {"other", bd_tensor_arg(NULL)}};
  BD_TRY(bd_number_as_tensor(at, &whole, BUDDY_F64, &apart[1].arg.as.tensor));
  BD_TRY(add(at, "aten.sub.Tensor", NULL, apart, 2, BUDDY_F64, &value));
  BD_TRY(is_up_to(at, value, 0x1p62, &is));
  return bd_number_check(at, bd_tensor_arg(is),
                         "a whole number is beyond the 64 bits that it is computed in");
}

static bool may_grow(const bd_number_op *op) {
  return op->domain == BD_TAKES_SUM || op->domain == BD_TAKES_POWER ||
         (op->domain == BD_TAKES_SHIFT && strstr(op->target, "lshift"));
}

/* A float, or what is an integer already, becomes one. */
static buddy_code cut(const bd_number_at *at, const bd_number_op *op, const buddy_arg *operand,
                      buddy_dtype result, const buddy_value **out_value) {
  if (!bd_number_is_float(operand)) return bd_number_as_tensor(at, operand, result, out_value);
  buddy_named_arg args[] = {{op->args[0], bd_tensor_arg(NULL)}, {.name = NULL}};
  BD_TRY(bd_number_as_tensor(at, operand, BUDDY_F64, &args[0].arg.as.tensor));
  BD_TRY(check_domain(at, op->domain, args, NULL));
  return bd_number_as_tensor(at, &args[0].arg, result, out_value);
}

buddy_code bd_number_compute(const bd_number_at *at, const bd_number_op *op,
                             const buddy_arg *operands, buddy_dtype result,
                             const buddy_value **out_value) {
  buddy_named_arg args[3] = {{.name = NULL}, {.name = NULL}, {.name = NULL}};
  const size_t n = bd_number_op_arity(op);
  buddy_dtype dtype = result;
  if (op->operands == BD_NUMBER_AS_WIDEST) {
    const bool has_float = bd_number_is_float(&operands[0]) || bd_number_is_float(&operands[1]);
    dtype = has_float ? BUDDY_F64 : BUDDY_I64;
  }
  if (op->domain == BD_TAKES_WHOLE) return cut(at, op, &operands[0], result, out_value);
  for (size_t i = 0; i < n; ++i) {
    const bool is_condition = n == 3 && i == 0;
    args[i] = (buddy_named_arg){op->args[i], bd_tensor_arg(NULL)};
    BD_TRY(bd_number_as_tensor(at, &operands[i], is_condition ? BUDDY_BOOL : dtype,
                               &args[i].arg.as.tensor));
  }
  *out_value = args[0].arg.as.tensor;
  if (op->op) BD_TRY(add(at, op->op, at->name, args, n, result, out_value));
  if (dtype == BUDDY_F64 || op->domain == BD_TAKES_SHIFT)
    BD_TRY(check_domain(at, op->domain, args, *out_value));
  return dtype == BUDDY_I64 && may_grow(op) ? check_bits(at, op, operands, *out_value) : BUDDY_OK;
}
