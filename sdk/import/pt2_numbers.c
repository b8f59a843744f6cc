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
 * What the arithmetic itself asks for is numbers.c's. */
#include <string.h>

#include "core/graph/guards.h"
#include "sdk/import/numbers.h"
#include "sdk/import/sizes.h"

/* Checks of numbers that the ranges of the symbols state already. */
static const char *const checks[] = {"torch.ops.aten.sym_constrain_range.default",
                                     "torch.ops.aten.sym_constrain_range_for_size.default"};

static bool is_check(const char *target) {
  for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
    if (!strcmp(checks[i], target)) return true;
  }
  return false;
}

static buddy_dtype dtype_of(bd_named_kind kind) {
  return kind == BD_NAMED_INT ? BUDDY_I64 : kind == BD_NAMED_FLOAT ? BUDDY_F64 : BUDDY_BOOL;
}

static buddy_code read_operands(const bd_number_at *at, bd_json node, const bd_number_op *op,
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

static buddy_code compute(const bd_number_at *at, bd_json node, const bd_number_op *op,
                          buddy_dtype result, const buddy_value **out_value) {
  buddy_arg operands[3];
  size_t n;
  BD_TRY(read_operands(at, node, op, operands, &n));
  return bd_number_compute(at, op, operands, result, out_value);
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

static bool is_read_from_tensor(const bd_number_op *op) {
  return op && strstr(op->target, "aten.");
}

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
static buddy_code check_known(const bd_number_at *at, bd_json node, const bd_number_op *op,
                              const buddy_arg *known) {
  const buddy_dtype dtype = known->kind == BUDDY_ARG_FLOAT  ? BUDDY_F64
                            : known->kind == BUDDY_ARG_BOOL ? BUDDY_BOOL
                                                            : BUDDY_I64;
  const buddy_value *value, *is_equal;
  BD_TRY(compute(at, node, op, dtype, &value));
  bd_number_at comparison = *at;
  comparison.name = bd_import_made_name(at->import, at->name);
  if (!comparison.name) return BUDDY_OUT_OF_MEMORY;
  const buddy_arg sides[] = {bd_tensor_arg(value), *known};
  BD_TRY(bd_number_compute(&comparison, bd_number_op_find("_operator.eq"), sides, BUDDY_BOOL,
                           &is_equal));
  return bd_number_check(at, bd_tensor_arg(is_equal),
                         "the number is another one than the program was exported for");
}

/* A number from a tensor. The symbol that stands for it is bound to the value; what is known
 * otherwise, a number or a size, is compared with it. */
static buddy_code bind(const bd_number_at *at, bd_json node, const bd_number_op *op,
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

/* A quotient or remainder that is a dim leaves no op behind that could ask for its divisor. */
static buddy_code require_divisor(const bd_number_at *at, bd_json node, const bd_number_op *op) {
  buddy_arg operands[3];
  size_t n;
  BD_TRY(read_operands(at, node, op, operands, &n));
  if (n < 2 || operands[1].kind != BUDDY_ARG_INT || !BUDDY_IS_SYMBOLIC(operands[1].as.i))
    return BUDDY_OK;
  const buddy_code code =
      bd_graph_require(at->frame->target, BD_NE, operands[1].as.i, 0, NULL, NULL);
  return code == BUDDY_LIMIT ? BUDDY_OK : code;
}

static buddy_code read_number(const bd_number_at *at, bd_json node, const bd_number_op *op,
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
  if (is_known && op && op->domain == BD_TAKES_DIVISOR) BD_TRY(require_divisor(at, node, op));
  if (!is_known && !op) {
    const char *target = bd_json_name(&import->json, bd_json_get(&import->json, node, "target"));
    bd_import_problem(import, BUDDY_UNSUPPORTED, at->name, NULL,
                      "the op %.100s gives a number that buddy cannot compute", target);
    return bd_names_define(import, at->frame, name->name, &(buddy_arg){.kind = BUDDY_ARG_INT});
  }
  if (!is_known) {
    arg.kind = BUDDY_ARG_TENSOR;
    BD_TRY(compute(at, node, op, dtype_of(name->kind), &arg.as.tensor));
    if (name->kind == BD_NAMED_FLOAT && at->frame->target == import->graph)
      BD_TRY(bd_computed_float(import, name->meta, arg.as.tensor));
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
  const buddy_arg *sides[] = {bd_number_behind(buddy_node_arg(node, 0)),
                              bd_number_behind(buddy_node_arg(node, 1))};
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
static buddy_code read_assertion(const bd_number_at *at, bd_json node) {
  bd_import *import = at->import;
  buddy_arg operands[2] = {{.kind = BUDDY_ARG_NONE}, {.kind = BUDDY_ARG_NONE}};
  bd_json_reader *json = &import->json;
  const bd_json inputs = bd_json_get(json, node, "inputs");
  bd_json_iterator all = bd_json_array(json, inputs);
  size_t n = 0;
  for (bd_json input; bd_json_next(&all, &input); ++n) {
    bd_json graph;
    if (n == 2) break;
    BD_TRY(bd_args_read(import, at->frame, bd_json_get(json, input, "arg"), &operands[n], &graph));
  }
  BD_TRY(json->code);
  if (n != 2 || operands[1].kind != BUDDY_ARG_STRING) {
    bd_json_wrong(json, inputs, "should be a condition and a message");
    return json->code;
  }
  if (is_range(import->graph, &operands[0])) return BUDDY_OK;
  return bd_number_check(at, operands[0], operands[1].as.string);
}

buddy_code bd_numbers_read(bd_import *import, bd_frame *frame, const char *target, bd_json node,
                           const buddy_location *location, bool *out_is_done) {
  *out_is_done = is_check(target);
  if (*out_is_done) return BUDDY_OK;
  bd_number_at at = {.import = import, .frame = frame, .location = location};
  if (!strcmp(target, "torch.ops.aten._assert_scalar.default")) {
    *out_is_done = true;
    return read_assertion(&at, node);
  }
  bd_named *name;
  BD_TRY(find_output(import, frame, node, &name));
  if (!name) return BUDDY_OK;
  if (name->kind != BD_NAMED_INT && name->kind != BD_NAMED_FLOAT && name->kind != BD_NAMED_BOOL) {
    bd_json_wrong(&import->json, node, "gives a number under a name that is none");
    return import->json.code;
  }
  *out_is_done = true;
  at.name = name->name;
  return read_number(&at, node, bd_number_op_find(target), name);
}
