// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/infer.c: types of results from arguments, by the contract of the op: given to results
 * that have none, and held against those that have. */
#include "core/graph/infer.h"

#include <string.h>

#include "core/base/try.h"
#include "core/graph/arguments.h"
#include "core/graph/contract.h"
#include "core/graph/dims.h"
#include "core/graph/promotion.h"
#include "core/graph/types.h"

/* ---- Dtypes ---- */

/* Tensors take part in promotion, but for those that say which elements; of scalars these, the others are
 * parameters of the op. */
static bool takes_part(const buddy_schema_arg *schema) {
  static const char *const names[] = {"other", "exponent", "min", "max", "self"};
  if (schema->type == BUDDY_SCHEMA_TENSOR)
    return strcmp(schema->name, "condition") != 0 && strcmp(schema->name, "mask") != 0;
  if (schema->type != BUDDY_SCHEMA_SCALAR) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!strcmp(schema->name, names[i])) return true;
  }
  return false;
}

/* What 0-d tensors of 64 bits are: a number that the program computes is one, and lifts no more than any
 * number does. */
typedef enum zero_dims { ARE_TENSORS, ARE_NUMBERS } zero_dims;

/* Where the schema wants a number, a tensor is one that the program computes, whatever its dtype. */
static const buddy_arg *as_number(const buddy_schema_arg *schema, const buddy_arg *arg) {
  static const buddy_arg real = {.kind = BUDDY_ARG_FLOAT}, whole = {.kind = BUDDY_ARG_INT};
  if (arg->kind != BUDDY_ARG_TENSOR || buddy_value_type(arg->as.tensor)->rank) return arg;
  const buddy_dtype dtype = buddy_value_type(arg->as.tensor)->dtype;
  const bool is_wide = dtype == BUDDY_F64 || dtype == BUDDY_I64;
  if (schema->type != BUDDY_SCHEMA_SCALAR && !is_wide) return arg;
  return bd_dtype_is_integral(dtype) ? &whole : &real;
}

static buddy_dtype promoted(const buddy_node *node, zero_dims wide) {
  bd_promotion promotion = {0};
  for (uint32_t i = 0; i < node->n_args; ++i) {
    const buddy_schema_arg *schema = &node->def->args[i];
    const bool is_number = wide == ARE_NUMBERS || schema->type == BUDDY_SCHEMA_SCALAR;
    if (takes_part(schema))
      bd_promotion_add(&promotion, is_number ? as_number(schema, node->args[i]) : node->args[i]);
  }
  return bd_promotion_result(&promotion);
}

static buddy_dtype dtype_arg(const buddy_node *node, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(node, name);
  return arg && arg->kind == BUDDY_ARG_DTYPE ? (buddy_dtype)arg->as.i : BUDDY_DTYPE_NONE;
}

static buddy_dtype complex_or_pairs(const buddy_node *node, buddy_dtype real) {
  const buddy_arg *is_complex = buddy_node_arg_find(node, "return_complex");
  const bool is_real = is_complex && is_complex->kind == BUDDY_ARG_BOOL && !is_complex->as.i;
  return is_real ? real : bd_dtype_complex_of(real);
}

static bool is_true(const buddy_node *node, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(node, name);
  return arg && arg->kind == BUDDY_ARG_BOOL && arg->as.i;
}

static bool is_int(const buddy_node *node, const char *name, int64_t value) {
  const buddy_arg *arg = buddy_node_arg_find(node, name);
  return arg && arg->kind == BUDDY_ARG_INT && arg->as.i == value;
}

/* BUDDY_DTYPE_NONE: there are not so many. */
static buddy_dtype nth_dtype(const buddy_node *node, uint32_t n) {
  for (uint32_t i = 0; i < node->n_args; ++i) {
    const buddy_arg *arg = node->args[i];
    if (arg->kind == BUDDY_ARG_TENSOR && n-- == 0) return buddy_value_type(arg->as.tensor)->dtype;
  }
  return BUDDY_DTYPE_NONE;
}

/* BUDDY_DTYPE_NONE: there is no such tensor. */
static buddy_dtype dtype_of(const buddy_node *node, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(node, name);
  return arg && arg->kind == BUDDY_ARG_TENSOR ? arg->as.tensor->type.dtype : BUDDY_DTYPE_NONE;
}

/* Whether argument "dtype" is the result's, where it is given. */
static bool takes_arg(bd_dtype_rule by) {
  return by == BD_DTYPE_FIRST_OR_ARG || by == BD_DTYPE_SUMMED || by == BD_DTYPE_MAGNITUDE ||
         by == BD_DTYPE_ARG;
}

enum { SUMMED_UP = 2 }; /* an argument "reduction" */

/* BUDDY_DTYPE_NONE: it is not stated. */
static buddy_dtype result_dtype(const buddy_node *node, bd_dtype_rule by, buddy_dtype first,
                                zero_dims wide) {
  const buddy_dtype plain = dtype_arg(node, "out_dtype"),
                    out = plain ? plain : dtype_arg(node, "output_dtype");
  const buddy_dtype given = takes_arg(by) ? dtype_arg(node, "dtype") : BUDDY_DTYPE_NONE;
  if (out) return out;
  if (given) return by == BD_DTYPE_MAGNITUDE ? bd_dtype_real_part(given) : given;
  switch (by) {
    case BD_DTYPE_PROMOTED:
      return promoted(node, wide);
    case BD_DTYPE_PROMOTED_REAL:
      return bd_dtype_as_float(promoted(node, wide));
    case BD_DTYPE_PROMOTED_FLOAT:
      return bd_dtype_is_integral(promoted(node, wide)) ? BUDDY_DTYPE_NONE : promoted(node, wide);
    case BD_DTYPE_REAL:
      return bd_dtype_real_part(bd_dtype_as_float(promoted(node, wide)));
    case BD_DTYPE_DISTANCE:
      return bd_dtype_is_integral(promoted(node, wide)) && is_int(node, "reduction", SUMMED_UP)
                 ? BUDDY_I64
                 : bd_dtype_real_part(promoted(node, wide));
    case BD_DTYPE_DIFFERENCE:
      return is_int(node, "n", 0) ? first : promoted(node, wide);
    case BD_DTYPE_PAIR:
      return bd_dtype_promote(bd_dtype_as_float(first), bd_dtype_as_float(nth_dtype(node, 1)));
    case BD_DTYPE_COMPLEX:
      return complex_or_pairs(node, bd_dtype_real_part(bd_dtype_as_float(promoted(node, wide))));
    case BD_DTYPE_SUMMED:
      return bd_dtype_is_integral(first) ? BUDDY_I64 : first;
    case BD_DTYPE_MAGNITUDE:
      return bd_dtype_real_part(first);
    case BD_DTYPE_ARG:
      return BUDDY_DTYPE_NONE;
    case BD_DTYPE_SECOND:
      return nth_dtype(node, 1);
    case BD_DTYPE_RUNNING_MEAN:
      return dtype_of(node, "running_mean");
    case BD_DTYPE_RUNNING_VAR:
      return dtype_of(node, "running_var");
    case BD_DTYPE_COUNTED:
      return nth_dtype(node, 1) == BUDDY_DTYPE_NONE ? BUDDY_I64
             : nth_dtype(node, 1) == BUDDY_F32      ? BUDDY_F32
                                                    : BUDDY_F64;
    case BD_DTYPE_IS_BOOL:
      return BUDDY_BOOL;
    case BD_DTYPE_IS_TRUTH:
      return first == BUDDY_U8 ? BUDDY_U8 : BUDDY_BOOL;
    case BD_DTYPE_IS_INDEX:
      return is_true(node, "out_int32") ? BUDDY_I32 : BUDDY_I64;
    case BD_DTYPE_DOUBLE:
      return bd_dtype_real_part(promoted(node, wide)) == promoted(node, wide) ? BUDDY_F64
                                                                              : BUDDY_C128;
    case BD_DTYPE_IS_F32:
      return BUDDY_F32;
    case BD_DTYPE_IS_C32:
      return BUDDY_C32;
    case BD_DTYPE_IS_I32:
      return BUDDY_I32;
    case BD_DTYPE_IS_I64:
      return BUDDY_I64;
    case BD_DTYPE_IS_U64:
      return BUDDY_U64;
    default:
      return first;
  }
}

/* The rule of a result; of those of a list it is the first. */
static bd_dtype_rule dtype_rule(const buddy_node *node, const bd_contract *by, uint32_t result) {
  const uint32_t place = node->def->has_more_results ? 0 : result;
  return place < sizeof by->dtypes ? (bd_dtype_rule)by->dtypes[place] : BD_DTYPE_UNSTATED;
}

/* ---- Giving types ---- */

static bd_shape_function *const functions[] = {
#define BD_X(name, function) [BD_SHAPE_##name] = (function),
    BD_SHAPE_RULES(BD_X)
#undef BD_X
};

/* The arguments as text: "self f32[2,3], mat2 f32[5,4]". */
static void print_arguments(const buddy_node *node, bd_text *text) {
  const char *comma = "";
  for (uint32_t i = 0; i < node->n_args; ++i) {
    const buddy_arg *arg = node->args[i];
    const bool is_list = arg->kind == BUDDY_ARG_TENSORS;
    if (!is_list && arg->kind != BUDDY_ARG_TENSOR) continue;
    bd_text_format(text, "%s%s ", comma, node->def->args[i].name);
    for (size_t k = 0; k < (is_list ? arg->n : 1) && k < 4; ++k) {
      const buddy_value *value = is_list ? arg->as.tensors[k] : arg->as.tensor;
      if (k) bd_text_char(text, ' ');
      if (value) bd_type_print(&node->graph->world->dims, &value->type, text);
    }
    comma = ", ";
  }
}

static buddy_code find_form(bd_question *q, const bd_contract *by, bd_form *out_form) {
  out_form->results = NULL;
  if (!by->text || !bd_form_find(q, by->text, out_form)) return BUDDY_OK;
  if (out_form->wrong_axis) {
    return bd_contradiction(q, "argument \"%.*s\" names a dim that a tensor of rank %u has not",
                            (int)strcspn(out_form->wrong_axis, ":"), out_form->wrong_axis,
                            out_form->wrong_rank);
  }
  bd_contradiction(q, "%s takes %s; here it has ", q->node->op, by->text);
  print_arguments(q->node, q->why);
  return BUDDY_INVALID_ARGUMENT;
}

static buddy_code infer_shape(bd_question *q, const bd_contract *by, bd_form *form, uint32_t result,
                              bd_shape *out) {
  const char *bracket = bd_form_result(form, result);
  if (!bracket) return functions[by->shape](q, result, out);
  bd_form_shape(form, bracket, out);
  return BUDDY_OK;
}

static bool is_known(const bd_shape *shape) {
  if (shape->rank == BD_ANY_RANK) return false;
  for (uint32_t i = 0; i < shape->rank; ++i) {
    if (shape->dims[i] == BD_ANY_DIM) return false;
  }
  return true;
}

static buddy_code infer_result(bd_question *q, const bd_contract *by, bd_form *form,
                               buddy_node *node, uint32_t result) {
  const buddy_tensor_type *first = bd_first_tensor(q);
  bd_shape shape;
  if (!first) return bd_contradiction(q, "no argument is a tensor");
  BD_TRY(infer_shape(q, by, form, result, &shape));
  const bd_dtype_rule rule = dtype_rule(node, by, result);
  if (!rule || !is_known(&shape)) return bd_contradiction(q, "there is no rule for %s", node->op);
  const buddy_dtype dtype = result_dtype(node, rule, first->dtype, ARE_TENSORS);
  if (!dtype) return bd_contradiction(q, "the dtypes of the arguments have no common dtype");
  const buddy_tensor_type type = {dtype, shape.rank, shape.dims};
  const char *problem = bd_type_problem(node->graph, &type);
  if (problem) return bd_contradiction(q, "result %u %s", result, problem);
  return bd_type_copy(node->graph, &type, &node->results[result].type);
}

buddy_code bd_infer(buddy_node *node, bd_text *why) {
  const bd_contract *by = bd_opdef_contract(node->def);
  bd_question q = {.node = node, .dims = &node->graph->world->dims, .why = why};
  bd_form form;
  if (!by || node->def->has_more_results)
    return bd_contradiction(&q, "there is no rule for %s", node->op);
  buddy_code code = find_form(&q, by, &form);
  for (uint32_t i = 0; !code && i < node->n_results; ++i)
    code = infer_result(&q, by, &form, node, i);
  return q.is_out_of_memory ? BUDDY_OUT_OF_MEMORY : code;
}

/* ---- Holding types against the contract ---- */

static buddy_code mismatch(bd_question *q, uint32_t result) {
  bd_text_format(q->why, "result %u is declared as ", result);
  bd_type_print(q->dims, &q->node->results[result].type, q->why);
  bd_text_string(q->why, ", which does not follow from ");
  const size_t size = q->why->size;
  print_arguments(q->node, q->why);
  if (q->why->size == size) bd_text_string(q->why, "its arguments");
  return BUDDY_INVALID_ARGUMENT;
}

static bool shape_fits(bd_question *q, const bd_shape *shape, const buddy_tensor_type *type) {
  if (shape->rank == BD_ANY_RANK) return true;
  bool fits = shape->rank == type->rank;
  for (uint32_t i = 0; fits && i < type->rank; ++i)
    fits = bd_dims_may_equal(q, shape->dims[i], type->dims[i]);
  return fits;
}

/* A result that is None, or that the op's mask leaves out: the import says f32[0] for it. */
static bool is_undefined(const buddy_node *node, uint32_t result) {
  const buddy_tensor_type *type = &node->results[result].type;
  const buddy_arg *mask = buddy_node_arg_find(node, "output_mask");
  if (!type->dtype) return true;
  if (!mask || mask->kind != BUDDY_ARG_BOOLS || result >= mask->n || mask->as.ints[result])
    return false;
  return type->rank == 1 && type->dims[0] == 0;
}

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), n_end = strlen(end);
  return n >= n_end && !memcmp(text + n - n_end, end, n_end);
}

static bool is_in_place(const buddy_node *node) {
  const char *dot = strrchr(node->op, '.');
  return dot && dot > node->op && dot[-1] == '_' && node->n_args && node->def->args[0].is_mutated;
}

/* The argument that a result is: self of an op in place, out= in the order of the schema. */
static const buddy_arg *written_argument(const buddy_node *node, uint32_t result) {
  if (is_in_place(node)) return result == 0 ? node->args[0] : NULL;
  if (!ends_with(node->op, "out")) return NULL;
  for (uint32_t i = 0; i < node->n_args; ++i) {
    if (node->def->args[i].is_mutated && result-- == 0) return node->args[i];
  }
  return NULL;
}

/* Where numbers alone make a result real, it has PyTorch's default dtype, which a program may set. */
static bool has_default_dtype(const buddy_node *node, bd_dtype_rule by, buddy_dtype dtype,
                              buddy_dtype declared) {
  const bool is_real = dtype == BUDDY_F32, is_default = is_real || dtype == BUDDY_C64;
  if (by < BD_DTYPE_PROMOTED || by > BD_DTYPE_COMPLEX || !is_default) return false;
  if (bd_dtype_is_integral(declared) || (bd_dtype_real_part(declared) == declared) != is_real)
    return false;
  bd_promotion tensors = {0};
  for (uint32_t i = 0; i < node->n_args; ++i) {
    const buddy_arg_kind kind = node->args[i]->kind;
    if (kind == BUDDY_ARG_TENSOR || kind == BUDDY_ARG_TENSORS)
      bd_promotion_add(&tensors, node->args[i]);
  }
  const buddy_dtype of_tensors = bd_promotion_result(&tensors);
  return !of_tensors || bd_dtype_is_integral(of_tensors);
}

/* The tensor at that place of the list; null: there is none. */
static const buddy_tensor_type *tensor_at(const buddy_node *node, uint32_t i) {
  for (uint32_t k = 0; k < node->n_args; ++k) {
    const buddy_arg *arg = node->args[k];
    if (arg->kind == BUDDY_ARG_TENSORS)
      return i < arg->n && arg->as.tensors[i] ? &arg->as.tensors[i]->type : NULL;
  }
  return NULL;
}

/* As torch.can_cast: what is computed is written to no lower kind: reals to no integers, integers to
 * no truths. */
static bool may_be_written(buddy_dtype computed, buddy_dtype to) {
  static const uint32_t kinds[] = {BUDDY_BOOLS, BUDDY_INTS, BUDDY_FLOATS, BUDDY_COMPLEXES};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (BUDDY_DTYPE_BIT(computed) & kinds[i]) return true;
    if (BUDDY_DTYPE_BIT(to) & kinds[i]) return false;
  }
  return true;
}

/* Of elementwise ops, which compute in what their operands promote to. */
static buddy_code check_written_dtype(bd_question *q, const bd_contract *by, bd_dtype_rule rule,
                                      buddy_dtype first, uint32_t result) {
  const buddy_dtype to = q->node->results[result].type.dtype;
  if (by->shape != BD_SHAPE_BROADCAST || rule < BD_DTYPE_PROMOTED || rule > BD_DTYPE_PROMOTED_FLOAT)
    return BUDDY_OK;
  const buddy_dtype computed[] = {result_dtype(q->node, rule, first, ARE_TENSORS),
                                  result_dtype(q->node, rule, first, ARE_NUMBERS)};
  if (!computed[0] || may_be_written(computed[0], to) || may_be_written(computed[1], to))
    return BUDDY_OK;
  return bd_contradiction(q, "%s computes in %s, which is not written to %s", q->node->op,
                          buddy_dtype_name(computed[0]), buddy_dtype_name(to));
}

static bool is_short(buddy_dtype dtype) { return dtype == BUDDY_F16 || dtype == BUDDY_BF16; }

static buddy_code check_dtype(bd_question *q, const bd_contract *by, uint32_t result) {
  const bd_dtype_rule rule = dtype_rule(q->node, by, result);
  const buddy_tensor_type *type = &q->node->results[result].type, *first = bd_first_tensor(q);
  if (!first) first = tensor_at(q->node, 0);
  if (rule == BD_DTYPE_EACH) first = tensor_at(q->node, result);
  const buddy_dtype of_first = first ? first->dtype : BUDDY_DTYPE_NONE;
  if (!rule || (!first && rule != BD_DTYPE_ARG)) return BUDDY_OK;
  if (written_argument(q->node, result)) return check_written_dtype(q, by, rule, of_first, result);
  if (!*by->op) return BUDDY_OK; /* the row of a kind */
  const buddy_dtype dtype = result_dtype(q->node, rule, of_first, ARE_TENSORS);
  if (!dtype || dtype == type->dtype) return BUDDY_OK;
  if (result_dtype(q->node, rule, of_first, ARE_NUMBERS) == type->dtype) return BUDDY_OK;
  const bool is_running = rule == BD_DTYPE_RUNNING_MEAN || rule == BD_DTYPE_RUNNING_VAR;
  if ((rule == BD_DTYPE_STATISTIC || is_running) && is_short(dtype) && type->dtype == BUDDY_F32)
    return BUDDY_OK;
  return has_default_dtype(q->node, rule, dtype, type->dtype) ? BUDDY_OK : mismatch(q, result);
}

static buddy_code check_result(bd_question *q, const bd_contract *by, bd_form *form,
                               uint32_t result) {
  const buddy_tensor_type *type = &q->node->results[result].type;
  const char *bracket = bd_form_result(form, result);
  if (is_undefined(q->node, result)) return BUDDY_OK;
  if (bracket) {
    if (bd_form_fits(form, bracket, type->dims, type->rank)) return BUDDY_OK;
    return mismatch(q, result);
  }
  if (by->shape == BD_SHAPE_OPEN) return BUDDY_OK;
  bd_shape shape;
  BD_TRY(functions[by->shape](q, result, &shape));
  return shape_fits(q, &shape, type) ? BUDDY_OK : mismatch(q, result);
}

/* A list whose length the schema says may be of that length, of one number for all, or empty. */
static buddy_code check_lists(bd_question *q) {
  for (uint32_t i = 0; i < q->node->n_args; ++i) {
    const buddy_arg *arg = q->node->args[i];
    const int32_t size = q->node->def->args[i].list_size;
    if (size < 2 || arg->kind != BUDDY_ARG_INTS || arg->n < 2 || arg->n == (size_t)size) continue;
    return bd_contradiction(q, "argument \"%s\" has %zu numbers, the schema wants %d",
                            q->node->def->args[i].name, arg->n, (int)size);
  }
  return BUDDY_OK;
}

/* ATen's lists that are made of a list have a result for each of its tensors, or several; beside the
 * results that are no list. */
static buddy_code check_count(bd_question *q) {
  const buddy_opdef *def = q->node->def;
  uint32_t n = q->node->n_results, n_single = 0;
  for (uint32_t i = 0; i < def->n_results; ++i) n_single += !def->results[i].is_list;
  n = n > n_single ? n - n_single : 0;
  const bool is_list = def->has_more_results && !strncmp(q->node->op, "aten.", 5);
  for (uint32_t i = 0; is_list && i < def->n_args; ++i) {
    const buddy_arg *arg = q->node->args[i];
    if (arg->kind != BUDDY_ARG_TENSORS) continue;
    const bool fits = arg->n ? n % arg->n == 0 : n == 0;
    return fits ? BUDDY_OK
                : bd_contradiction(q, "%zu tensors do not give %u results", arg->n,
                                   q->node->n_results);
  }
  return BUDDY_OK;
}

/* What windows and bins are made of: sums and products of two of them stay numbers then. */
static bool is_window_argument(const char *name) {
  static const char *const names[] = {"kernel_size",    "stride", "padding", "dilation",
                                      "output_padding", "groups", "bins"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!strcmp(name, names[i])) return true;
  }
  return false;
}

static bool is_small(int64_t number) {
  return BUDDY_IS_SYMBOLIC(number) || (number >= -INT32_MAX && number <= INT32_MAX);
}

/* As PyTorch's own kernels have it, no such number is beyond int32, and no window has more elements
 * than that. */
static buddy_code check_windows(bd_question *q) {
  for (uint32_t i = 0; i < q->node->n_args; ++i) {
    const buddy_arg *arg = q->node->args[i];
    const bool is_list = arg->kind == BUDDY_ARG_INTS;
    if (!is_list && arg->kind != BUDDY_ARG_INT) continue;
    const char *name = q->node->def->args[i].name;
    const bool is_kernel = is_list && arg->n > 1 && !strcmp(name, "kernel_size");
    int64_t product = 1;
    for (size_t k = 0; k < (is_list ? arg->n : 1); ++k) {
      const int64_t number = is_list ? arg->as.ints[k] : arg->as.i;
      if (is_kernel && number > 0 && is_small(number)) product *= number;
      if ((is_small(number) && is_small(product)) || !is_window_argument(name)) continue;
      return bd_contradiction(q, "argument \"%s\" is beyond %d", name, INT32_MAX);
    }
  }
  return BUDDY_OK;
}

static bool has_sizes_of(bd_question *q, const buddy_tensor_type *a, const buddy_tensor_type *b) {
  bool fits = a->rank == b->rank;
  for (uint32_t i = 0; fits && i < a->rank; ++i)
    fits = bd_dims_may_equal(q, a->dims[i], b->dims[i]);
  return fits;
}

/* Ops in place that show the same memory in another shape. */
static bool is_reshaping(const char *op) {
  static const char *const names[] = {"as_strided_", "resize_",   "resize_as_", "set_",
                                      "squeeze_",    "swapaxes_", "swapdims_",  "t_",
                                      "transpose_",  "unsqueeze_"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const size_t n = strlen(names[i]);
    if (!strncmp(op, "aten.", 5) && !strncmp(op + 5, names[i], n) && op[5 + n] == '.') return true;
  }
  return false;
}

/* What is written to is the result, so that it has its dtype; and, in place, its sizes. */
static buddy_code check_written(bd_question *q) {
  const bool keeps_sizes = is_in_place(q->node) && !is_reshaping(q->node->op);
  for (uint32_t r = 0; r < q->node->n_results; ++r) {
    const buddy_tensor_type *type = &q->node->results[r].type;
    const buddy_arg *arg = written_argument(q->node, r);
    if (!arg || arg->kind != BUDDY_ARG_TENSOR || is_undefined(q->node, r)) continue;
    const buddy_tensor_type *from = &arg->as.tensor->type;
    if (from->dtype != type->dtype || (keeps_sizes && !has_sizes_of(q, from, type)))
      return mismatch(q, r);
  }
  return BUDDY_OK;
}

/* PyTorch takes a number for a tensor where it broadcasts, and nowhere else; none is written to. */
static buddy_code check_numbers(bd_question *q, const bd_contract *by) {
  const bool may_be_numbers =
      by ? by->shape == BD_SHAPE_BROADCAST : strncmp(q->node->op, "aten.", 5) != 0;
  for (uint32_t i = 0; i < q->node->n_args; ++i) {
    const buddy_schema_arg *schema = &q->node->def->args[i];
    const buddy_arg_kind kind = q->node->args[i]->kind;
    if (schema->type != BUDDY_SCHEMA_TENSOR || schema->is_list) continue;
    if (kind == BUDDY_ARG_TENSOR || kind == BUDDY_ARG_NONE) continue;
    if (may_be_numbers && !schema->is_mutated) continue;
    return bd_contradiction(q, "argument \"%s\" is %s, the op takes a tensor", schema->name,
                            bd_arg_kind_name(kind));
  }
  return BUDDY_OK;
}

static buddy_code check_all(bd_question *q, const bd_contract *by) {
  bd_form form;
  BD_TRY(check_lists(q));
  BD_TRY(check_windows(q));
  BD_TRY(check_count(q));
  BD_TRY(check_written(q));
  BD_TRY(check_numbers(q, by));
  if (!by) return BUDDY_OK;
  BD_TRY(find_form(q, by, &form));
  for (uint32_t i = 0; i < q->node->n_results; ++i) {
    BD_TRY(check_result(q, by, &form, i));
    if (!is_undefined(q->node, i)) BD_TRY(check_dtype(q, by, i));
  }
  return BUDDY_OK;
}

buddy_code bd_infer_check(const buddy_node *node, bd_text *why, bd_equalities *equalities) {
  if (equalities) equalities->n = 0;
  if (!node->def) return BUDDY_OK;
  bd_question q = {.node = node,
                   .dims = &node->graph->world->dims,
                   .why = why,
                   .is_checked = true,
                   .equalities = equalities};
  const buddy_code code = check_all(&q, bd_opdef_contract(node->def));
  return q.is_out_of_memory ? BUDDY_OUT_OF_MEMORY : code;
}
