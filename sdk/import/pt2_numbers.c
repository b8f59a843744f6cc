// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_numbers.c: arithmetic on numbers.
 *
 * PyTorch serializes what a program computes with sizes as nodes ("_operator.mul" on two sym_ints).
 * The result of such a node on integers is described by an expression, so it becomes a dim and the
 * node vanishes. What is no dim (floats, booleans, integers beyond the dims' arithmetic) is
 * computed by ATen ops on 0-d tensors. item() makes a number out of a tensor: the symbol that
 * PyTorch invents for it is bound to a 0-d tensor.
 *
 *   sizes and integers   INT arguments, symbolic
 *   floats               0-d f64 tensors
 *   booleans             0-d i1 tensors
 *
 * Python raises where ATen's ops give an infinity, or any number: what an op refuses is a check
 * beside it, unless the operands tell that it holds. */
#include <float.h>
#include <string.h>

#include "core/graph/guards.h"
#include "sdk/import/pt2.h"
#include "sdk/import/sizes.h"

/* What the operands are computed in. */
typedef enum number_class {
  CLASS_RESULT, /* the result's dtype */
  CLASS_WIDEST, /* f64 if one of them is a float, else i64 */
} number_class;

/* What Python takes. */
typedef enum number_domain {
  TAKES_ALL,
  TAKES_DIVISOR, /* the second is not 0, of floats: integers are checked by the op */
  TAKES_POWER,   /* of floats: finite operands have a finite result */
  TAKES_ROOT,    /* not less than 0 */
  TAKES_SHIFT,   /* by no less than 0 */
  TAKES_WHOLE,   /* a float that becomes an integer is one of 64 bits */
} number_domain;

typedef struct number_op {
  const char *target, *op;
  const char *args[3]; /* schema names of the operands */
  number_class operands;
  number_domain domain;
} number_op;

static const number_op ops[] = {
    {"_operator.add", "aten.add.Tensor", {"self", "other"}, CLASS_RESULT, TAKES_ALL},
    {"_operator.sub", "aten.sub.Tensor", {"self", "other"}, CLASS_RESULT, TAKES_ALL},
    {"_operator.mul", "aten.mul.Tensor", {"self", "other"}, CLASS_RESULT, TAKES_ALL},
    {"_operator.truediv", "aten.div.Tensor", {"self", "other"}, CLASS_RESULT, TAKES_DIVISOR},
    {"_operator.floordiv",
     "aten.floor_divide.default",
     {"self", "other"},
     CLASS_RESULT,
     TAKES_DIVISOR},
    {"_operator.mod", "aten.remainder.Tensor", {"self", "other"}, CLASS_RESULT, TAKES_DIVISOR},
    {"_operator.pow", "aten.pow.Tensor_Tensor", {"self", "exponent"}, CLASS_RESULT, TAKES_POWER},
    {"_operator.neg", "aten.neg.default", {"self"}, CLASS_RESULT, TAKES_ALL},
    {"_operator.pos", NULL, {"self"}, CLASS_RESULT, TAKES_ALL},
    {"_operator.and_", "aten.bitwise_and.Tensor", {"self", "other"}, CLASS_RESULT, TAKES_ALL},
    {"_operator.or_", "aten.bitwise_or.Tensor", {"self", "other"}, CLASS_RESULT, TAKES_ALL},
    {"_operator.lshift",
     "aten.bitwise_left_shift.Tensor",
     {"self", "other"},
     CLASS_RESULT,
     TAKES_SHIFT},
    {"_operator.rshift",
     "aten.bitwise_right_shift.Tensor",
     {"self", "other"},
     CLASS_RESULT,
     TAKES_SHIFT},
    {"_operator.eq", "aten.eq.Tensor", {"self", "other"}, CLASS_WIDEST, TAKES_ALL},
    {"_operator.ne", "aten.ne.Tensor", {"self", "other"}, CLASS_WIDEST, TAKES_ALL},
    {"_operator.lt", "aten.lt.Tensor", {"self", "other"}, CLASS_WIDEST, TAKES_ALL},
    {"_operator.le", "aten.le.Tensor", {"self", "other"}, CLASS_WIDEST, TAKES_ALL},
    {"_operator.gt", "aten.gt.Tensor", {"self", "other"}, CLASS_WIDEST, TAKES_ALL},
    {"_operator.ge", "aten.ge.Tensor", {"self", "other"}, CLASS_WIDEST, TAKES_ALL},
    {"torch.sym_not", "aten.logical_not.default", {"self"}, CLASS_RESULT, TAKES_ALL},
    {"torch.sym_max", "aten.maximum.default", {"self", "other"}, CLASS_RESULT, TAKES_ALL},
    {"torch.sym_min", "aten.minimum.default", {"self", "other"}, CLASS_RESULT, TAKES_ALL},
    {"torch.sym_sqrt", "aten.sqrt.default", {"self"}, CLASS_RESULT, TAKES_ROOT},
    {"torch._sym_sqrt", "aten.sqrt.default", {"self"}, CLASS_RESULT, TAKES_ROOT},
    {"torch.sym_ite", "aten.where.self", {"condition", "self", "other"}, CLASS_RESULT, TAKES_ALL},
    /* A conversion is what reading the operand in the result's dtype does; to an integer it cuts
       towards zero. */
    {"torch.sym_float", NULL, {"self"}, CLASS_RESULT, TAKES_ALL},
    {"torch.sym_int", NULL, {"self"}, CLASS_RESULT, TAKES_WHOLE},
    {"math.trunc", NULL, {"self"}, CLASS_RESULT, TAKES_WHOLE},
    {"torch.ops.aten.item.default", NULL, {"self"}, CLASS_RESULT, TAKES_ALL},
    {"torch.ops.aten._local_scalar_dense.default", NULL, {"self"}, CLASS_RESULT, TAKES_ALL},
};

/* Checks of numbers that the ranges of the symbols state already. */
static const char *const checks[] = {"torch.ops.aten.sym_constrain_range.default",
                                     "torch.ops.aten.sym_constrain_range_for_size.default"};

static const number_op *find_op(const char *target) {
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) {
    if (!strcmp(ops[i].target, target)) return &ops[i];
  }
  return NULL;
}

static bool is_check(const char *target) {
  for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
    if (!strcmp(checks[i], target)) return true;
  }
  return false;
}

/* ---- 0-d tensors ---- */

typedef struct number_node {
  bd_import *import;
  bd_frame *frame;
  const char *name; /* of the node's result */
  const buddy_location *location;
} number_node;

static buddy_code add(const number_node *at, const char *op, const char *name,
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

/* A number or a tensor of one element as a 0-d tensor of `dtype`. */
static buddy_code as_tensor(const number_node *at, const buddy_arg *arg, buddy_dtype dtype,
                            const buddy_value **out_value) {
  const buddy_named_arg to_dtype = {"dtype", {.kind = BUDDY_ARG_DTYPE, .as.i = dtype}};
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

static bool is_float(const buddy_arg *arg) {
  if (arg->kind == BUDDY_ARG_TENSOR) {
    return (BUDDY_FLOATS & BUDDY_DTYPE_BIT(buddy_value_type(arg->as.tensor)->dtype)) != 0;
  }
  return arg->kind == BUDDY_ARG_FLOAT;
}

static buddy_dtype dtype_of(bd_named_kind kind) {
  return kind == BD_NAMED_INT ? BUDDY_I64 : kind == BD_NAMED_FLOAT ? BUDDY_F64 : BUDDY_BOOL;
}

/* Reads the operands; false in *out_fits if their number is not the op's. */
static buddy_code read_operands(const number_node *at, bd_json node, const number_op *op,
                                buddy_arg *operands, size_t *out_n) {
  bd_json_reader *json = &at->import->json;
  *out_n = 0;
  const bd_json inputs = bd_json_get(json, node, "inputs");
  bd_json_iterator all = bd_json_array(json, inputs);
  for (bd_json input; bd_json_next(&all, &input);) {
    bd_json graph;
    if (*out_n == 3 || !op->args[*out_n]) {
      bd_json_wrong(json, inputs, "has too many operands");
      return json->code;
    }
    BD_TRY(bd_args_read(at->import, at->frame, bd_json_get(json, input, "arg"), &operands[*out_n],
                        &graph));
    ++*out_n;
  }
  if (!json->code && (*out_n == 0 || (*out_n < 3 && op->args[*out_n]))) {
    bd_json_wrong(json, inputs, "has too few operands");
  }
  return json->code;
}

/* ---- What Python refuses ---- */

/* The number that a 0-d tensor was made of; null for other tensors. */
static const buddy_arg *number_behind(const buddy_arg *arg) {
  const buddy_node *node = arg->kind == BUDDY_ARG_TENSOR ? buddy_value_node(arg->as.tensor) : NULL;
  if (!node || strcmp(buddy_node_op(node), "aten.scalar_tensor.default")) return NULL;
  return buddy_node_arg(node, 0);
}

static buddy_code add_check(bd_import *import, bd_frame *frame, const buddy_location *location,
                            buddy_arg condition, buddy_arg message) {
  const buddy_named_arg args[] = {{"self", condition}, {"assert_msg", message}};
  const char *name = bd_import_made_name(import, "check");
  buddy_node *check;
  if (!name) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(
      bd_nodes_add(import, frame, "aten._assert_scalar.default", name, args, 2, NULL, 0, &check));
  return buddy_node_set_location(check, location);
}

/* Whether the number behind is known to be at least `least`. */
static buddy_code is_at_least(const number_node *at, const buddy_arg *number, int64_t least,
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
static buddy_code is_taken(const number_node *at, number_domain domain, const buddy_named_arg *args,
                           bool *out_is) {
  const buddy_arg *first = number_behind(&args[0].arg);
  const buddy_arg *second = args[1].name ? number_behind(&args[1].arg) : NULL;
  switch (domain) {
    case TAKES_DIVISOR:
      *out_is = second && second->kind == BUDDY_ARG_FLOAT && second->as.f < 0;
      return *out_is ? BUDDY_OK : is_at_least(at, second, 1, out_is);
    case TAKES_POWER:
      *out_is = is_moderate(first, second);
      return *out_is && second->as.f < 0 ? is_at_least(at, first, 1, out_is) : BUDDY_OK;
    case TAKES_ROOT:
      return is_at_least(at, first, 0, out_is);
    case TAKES_SHIFT:
      return is_at_least(at, second, 0, out_is);
    case TAKES_WHOLE:
      *out_is = false;
      return BUDDY_OK;
    case TAKES_ALL:
      *out_is = true;
      return BUDDY_OK;
  }
  return BUDDY_OK;
}

static buddy_code compare(const number_node *at, const char *op, const buddy_value *self,
                          double other, const buddy_value **out_is) {
  const buddy_arg number = buddy_value_type(self)->dtype == BUDDY_F64
                               ? (buddy_arg){.kind = BUDDY_ARG_FLOAT, .as.f = other}
                               : (buddy_arg){.kind = BUDDY_ARG_INT, .as.i = (int64_t)other};
  const buddy_named_arg args[] = {{"self", {.kind = BUDDY_ARG_TENSOR, .as.tensor = self}},
                                  {"other", number}};
  return add(at, op, NULL, args, 2, BUDDY_BOOL, out_is);
}

/* No for what is no number. */
static buddy_code is_up_to(const number_node *at, const buddy_value *self, double most,
                           const buddy_value **out_is) {
  const buddy_named_arg arg = {"self", {.kind = BUDDY_ARG_TENSOR, .as.tensor = self}};
  BD_TRY(add(at, "aten.abs.default", NULL, &arg, 1, BUDDY_F64, &self));
  return compare(at, "aten.le.Scalar", self, most, out_is);
}

static buddy_code is_not(const number_node *at, const buddy_value **is) {
  const buddy_named_arg arg = {"self", {.kind = BUDDY_ARG_TENSOR, .as.tensor = *is}};
  return add(at, "aten.logical_not.default", NULL, &arg, 1, BUDDY_BOOL, is);
}

/* The power is finite, or one of the operands is not. */
static buddy_code is_power(const number_node *at, const buddy_named_arg *args,
                           const buddy_value *power, const buddy_value **out_is) {
  BD_TRY(is_up_to(at, power, DBL_MAX, out_is));
  for (size_t i = 0; i < 2; ++i) {
    const buddy_value *is_odd;
    if (number_behind(&args[i].arg)) continue;
    BD_TRY(is_up_to(at, args[i].arg.as.tensor, DBL_MAX, &is_odd));
    BD_TRY(is_not(at, &is_odd));
    const buddy_named_arg both[] = {{"self", {.kind = BUDDY_ARG_TENSOR, .as.tensor = *out_is}},
                                    {"other", {.kind = BUDDY_ARG_TENSOR, .as.tensor = is_odd}}};
    BD_TRY(add(at, "aten.logical_or.default", NULL, both, 2, BUDDY_BOOL, out_is));
  }
  return BUDDY_OK;
}

/* Beside an op on `args`, in their dtype; a nameless one is none. */
static buddy_code check_domain(const number_node *at, number_domain domain,
                               const buddy_named_arg *args, const buddy_value *result) {
  static const char *const texts[] = {
      [TAKES_DIVISOR] = "a number is divided by 0",
      [TAKES_POWER] =
          "a power is no number: of 0 to a negative one, of a negative one to a "
          "fraction, or too large",
      [TAKES_ROOT] = "the square root of a negative number",
      [TAKES_SHIFT] = "a number is shifted by a negative one",
      [TAKES_WHOLE] = "a number that is to be an integer is none of 64 bits"};
  const buddy_value *first = args[0].arg.as.tensor, *is = NULL;
  const buddy_value *second = args[1].name ? args[1].arg.as.tensor : NULL;
  bool is_known;
  BD_TRY(is_taken(at, domain, args, &is_known));
  if (is_known) return BUDDY_OK;
  if (domain == TAKES_DIVISOR) BD_TRY(compare(at, "aten.ne.Scalar", second, 0, &is));
  if (domain == TAKES_SHIFT) BD_TRY(compare(at, "aten.ge.Scalar", second, 0, &is));
  if (domain == TAKES_ROOT) BD_TRY(compare(at, "aten.lt.Scalar", first, 0, &is));
  if (domain == TAKES_ROOT) BD_TRY(is_not(at, &is));
  if (domain == TAKES_POWER) BD_TRY(is_power(at, args, result, &is));
  if (domain == TAKES_WHOLE) BD_TRY(is_up_to(at, first, 0x1.fffffffffffffp62, &is));
  const buddy_arg condition = {.kind = BUDDY_ARG_TENSOR, .as.tensor = is};
  const buddy_arg message = {
      .kind = BUDDY_ARG_STRING, .n = strlen(texts[domain]), .as.string = texts[domain]};
  return add_check(at->import, at->frame, at->location, condition, message);
}

static buddy_code compute(const number_node *at, bd_json node, const number_op *op,
                          buddy_dtype result, const buddy_value **out_value) {
  buddy_arg operands[3];
  buddy_named_arg args[3] = {{.name = NULL}, {.name = NULL}, {.name = NULL}};
  number_domain domain = op->domain;
  size_t n;
  BD_TRY(read_operands(at, node, op, operands, &n));
  buddy_dtype dtype = result;
  if (op->operands == CLASS_WIDEST) {
    dtype = is_float(&operands[0]) || is_float(&operands[1]) ? BUDDY_F64 : BUDDY_I64;
  }
  if (domain == TAKES_WHOLE) {
    if (!is_float(&operands[0])) return as_tensor(at, &operands[0], result, out_value);
    args[0] = (buddy_named_arg){op->args[0], {.kind = BUDDY_ARG_TENSOR}};
    BD_TRY(as_tensor(at, &operands[0], BUDDY_F64, &args[0].arg.as.tensor));
    BD_TRY(check_domain(at, domain, args, NULL));
    return as_tensor(at, &args[0].arg, result, out_value);
  }
  for (size_t i = 0; i < n; ++i) {
    const bool is_condition = n == 3 && i == 0;
    args[i] = (buddy_named_arg){op->args[i], {.kind = BUDDY_ARG_TENSOR}};
    BD_TRY(as_tensor(at, &operands[i], is_condition ? BUDDY_BOOL : dtype, &args[i].arg.as.tensor));
  }
  *out_value = args[0].arg.as.tensor;
  if (op->op) BD_TRY(add(at, op->op, at->name, args, n, result, out_value));
  if (dtype != BUDDY_F64 && domain != TAKES_SHIFT) return BUDDY_OK;
  return check_domain(at, domain, args, *out_value);
}

/* ---- Nodes ---- */

/* The name of the one output, if that is a number. */
static buddy_code find_output(bd_import *import, const bd_frame *frame, bd_json node,
                              bd_named **out_name) {
  *out_name = NULL;
  const bd_json outputs = bd_json_get(&import->json, node, "outputs");
  bd_json_iterator all = bd_json_array(&import->json, outputs);
  bd_json output, value, name;
  if (bd_json_count(outputs) != 1 || !bd_json_next(&all, &output)) return import->json.code;
  const char *kind = bd_json_union(&import->json, output, &value);
  BD_TRY(import->json.code);
  if (strncmp(kind, "as_sym_", 7)) return BUDDY_OK;
  if (strcmp(bd_json_union(&import->json, value, &name), "as_name")) {
    bd_json_wrong(&import->json, value, "should be as_name");
    return import->json.code;
  }
  return bd_names_find(import, frame, name, out_name);
}

/* A result that the exporter knows: {"as_float": 1.5}. */
static buddy_code read_constant(bd_import *import, const bd_named *name, buddy_arg *out_arg,
                                bool *out_is) {
  bd_json value;
  const char *kind = bd_json_union(&import->json, name->meta, &value);
  *out_is = true;
  if (!strcmp(kind, "as_float")) {
    *out_arg = (buddy_arg){.kind = BUDDY_ARG_FLOAT, .as.f = bd_json_float(&import->json, value)};
  } else if (!strcmp(kind, "as_bool")) {
    *out_arg = (buddy_arg){.kind = BUDDY_ARG_BOOL, .as.i = bd_json_bool(&import->json, value)};
  } else {
    *out_is = false;
  }
  return import->json.code;
}

static bool is_read_from_tensor(const number_op *op) { return op && strstr(op->target, "aten."); }

/* Whether a size of the graph's inputs is made of the symbol. */
static bool is_given(const buddy_graph *graph, int64_t symbol) {
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i) {
    const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(graph, i));
    for (uint32_t k = 0; k < type->rank; ++k) {
      if (bd_sizes_mention(graph, type->dims[k], symbol)) return true;
    }
  }
  return false;
}

/* The number is what the program says, which knows it otherwise: the exporter has been told. */
static buddy_code check_known(const number_node *at, bd_json node, const number_op *op,
                              const buddy_arg *known) {
  const buddy_dtype dtype = known->kind == BUDDY_ARG_FLOAT  ? BUDDY_F64
                            : known->kind == BUDDY_ARG_BOOL ? BUDDY_BOOL
                                                            : BUDDY_I64;
  const buddy_value *value, *wanted, *is_equal;
  BD_TRY(compute(at, node, op, dtype, &value));
  BD_TRY(as_tensor(at, known, dtype, &wanted));
  const buddy_named_arg sides[] = {{"self", {.kind = BUDDY_ARG_TENSOR, .as.tensor = value}},
                                   {"other", {.kind = BUDDY_ARG_TENSOR, .as.tensor = wanted}}};
  BD_TRY(add(at, "aten.eq.Tensor", NULL, sides, 2, BUDDY_BOOL, &is_equal));
  static const char text[] = "the number is another one than the program was exported for";
  const buddy_arg condition = {.kind = BUDDY_ARG_TENSOR, .as.tensor = is_equal};
  const buddy_arg message = {.kind = BUDDY_ARG_STRING, .n = sizeof text - 1, .as.string = text};
  return add_check(at->import, at->frame, at->location, condition, message);
}

/* A number from a tensor. The symbol that stands for it is bound to the value; what is known
 * otherwise, a number or a size, is compared with it. */
static buddy_code bind(const number_node *at, bd_json node, const number_op *op,
                       const buddy_arg *known) {
  const buddy_graph *graph = at->import->graph;
  size_t i;
  const buddy_value *value;
  if (known->kind != BUDDY_ARG_INT || bd_types_symbol(at->import, known->as.i, &i) ||
      buddy_graph_symbol(graph, i)->bound_to || is_given(graph, known->as.i))
    return check_known(at, node, op, known);
  BD_TRY(compute(at, node, op, BUDDY_I64, &value));
  return buddy_graph_bind_symbol(at->import->graph, i, value);
}

/* A quotient or remainder that is a dim leaves no op behind that could ask for its divisor. In a branch or
 * a loop not every run divides. */
static buddy_code require_divisor(const number_node *at, bd_json node, const number_op *op) {
  buddy_arg operands[3];
  size_t n;
  BD_TRY(read_operands(at, node, op, operands, &n));
  buddy_graph *graph = at->import->graph;
  if (n < 2 || operands[1].kind != BUDDY_ARG_INT || !BUDDY_IS_SYMBOLIC(operands[1].as.i) ||
      buddy_graph_parent(at->frame->target))
    return BUDDY_OK;
  const buddy_code code = bd_graph_require(graph, BD_NE, operands[1].as.i, 0, NULL, NULL);
  return code == BUDDY_LIMIT ? BUDDY_OK : code;
}

static buddy_code read_number(const number_node *at, bd_json node, const number_op *op,
                              const bd_named *name) {
  bd_import *import = at->import;
  buddy_arg arg = {.kind = BUDDY_ARG_INT};
  bool is_known = false;
  if (name->kind == BD_NAMED_INT) {
    const buddy_code code = bd_types_try_dim(import, name->meta, &arg.as.i);
    if (code && code != BUDDY_UNSUPPORTED) return code;
    is_known = !code;
  } else {
    BD_TRY(read_constant(import, name, &arg, &is_known));
  }
  if (is_known && is_read_from_tensor(op)) BD_TRY(bind(at, node, op, &arg));
  if (is_known && op && op->domain == TAKES_DIVISOR) BD_TRY(require_divisor(at, node, op));
  if (!is_known && !op) {
    const char *target = bd_json_name(&import->json, bd_json_get(&import->json, node, "target"));
    bd_import_problem(import, BUDDY_UNSUPPORTED, at->name, NULL,
                      "the op %.100s gives a number that buddy cannot compute", target);
    return bd_names_define(import, at->frame, name->name, &(buddy_arg){.kind = BUDDY_ARG_INT});
  }
  if (!is_known) {
    arg.kind = BUDDY_ARG_TENSOR;
    BD_TRY(compute(at, node, op, dtype_of(name->kind), &arg.as.tensor));
  }
  return bd_names_define(import, at->frame, name->name, &arg);
}

/* ---- Assertions ---- */

/* Whether the symbol's range says that it is at least, or at most, the number. */
static bool is_within(const buddy_symbol *symbol, int64_t number, bool is_least, bool is_strict) {
  if (is_least) return is_strict ? symbol->min > number : symbol->min >= number;
  return is_strict ? symbol->max < number : symbol->max <= number;
}

/* A symbol compared with a number where the symbol's range says the same: it is checked wherever a
 * symbol gets its value. */
static bool is_range(const buddy_graph *graph, const buddy_arg *condition) {
  static const char *const comparisons[] = {"aten.ge.Tensor", "aten.gt.Tensor", "aten.le.Tensor",
                                            "aten.lt.Tensor"};
  const buddy_node *node =
      condition->kind == BUDDY_ARG_TENSOR ? buddy_value_node(condition->as.tensor) : NULL;
  size_t i = 0;
  while (node && i < 4 && strcmp(buddy_node_op(node), comparisons[i])) ++i;
  if (!node || i == 4) return false;
  const buddy_arg *sides[] = {number_behind(buddy_node_arg(node, 0)),
                              number_behind(buddy_node_arg(node, 1))};
  for (size_t k = 0; k < 2; ++k) {
    if (!sides[k] || sides[k]->kind != BUDDY_ARG_INT) return false;
  }
  const bool is_swapped = !BUDDY_IS_SYMBOLIC(sides[0]->as.i);
  const int64_t dim = sides[is_swapped]->as.i, number = sides[!is_swapped]->as.i;
  if (!BUDDY_IS_SYMBOLIC(dim) || BUDDY_IS_SYMBOLIC(number) ||
      buddy_graph_dim_kind(graph, dim) != BUDDY_DIM_KIND_SYMBOL)
    return false;
  enum { GE, GT, LE, LT };
  return is_within(buddy_graph_symbol(graph, buddy_graph_dim_symbol(graph, dim)), number,
                   (i == GE || i == GT) != is_swapped, i == GT || i == LT);
}

/* aten._assert_scalar(condition, message) */
static buddy_code read_assertion(bd_import *import, bd_frame *frame, bd_json node,
                                 const buddy_location *location) {
  buddy_arg operands[2] = {{.kind = BUDDY_ARG_NONE}, {.kind = BUDDY_ARG_NONE}};
  bd_json_reader *json = &import->json;
  const bd_json inputs = bd_json_get(json, node, "inputs");
  bd_json_iterator all = bd_json_array(json, inputs);
  size_t n = 0;
  for (bd_json input; bd_json_next(&all, &input); ++n) {
    bd_json graph;
    if (n == 2) break;
    BD_TRY(bd_args_read(import, frame, bd_json_get(json, input, "arg"), &operands[n], &graph));
  }
  BD_TRY(json->code);
  if (n != 2 || operands[1].kind != BUDDY_ARG_STRING) {
    bd_json_wrong(json, inputs, "should be a condition and a message");
    return json->code;
  }
  if (is_range(import->graph, &operands[0])) return BUDDY_OK;
  return add_check(import, frame, location, operands[0], operands[1]);
}

buddy_code bd_numbers_read(bd_import *import, bd_frame *frame, const char *target, bd_json node,
                           const buddy_location *location, bool *out_is_done) {
  *out_is_done = is_check(target);
  if (*out_is_done) return BUDDY_OK;
  if (!strcmp(target, "torch.ops.aten._assert_scalar.default")) {
    *out_is_done = true;
    return read_assertion(import, frame, node, location);
  }
  bd_named *name;
  BD_TRY(find_output(import, frame, node, &name));
  if (!name) return BUDDY_OK;
  if (name->kind != BD_NAMED_INT && name->kind != BD_NAMED_FLOAT && name->kind != BD_NAMED_BOOL) {
    bd_json_wrong(&import->json, node, "gives a number under a name that is none");
    return import->json.code;
  }
  *out_is_done = true;
  const number_node at = {
      .import = import, .frame = frame, .name = name->name, .location = location};
  return read_number(&at, node, find_op(target), name);
}
