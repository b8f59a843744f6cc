// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/normalize_dtypes.c: what PyTorch converts silently is converted by nodes.
 *
 * An elementwise op of ATen computes in one dtype, to which its operands are converted first. For
 * most ops that is the dtype of the result; the table names the others. Numbers take the kind of
 * the dtype: 2 next to floats is 2.0; next to floats of 16 and 8 bits most are rounded, as tensors are. */
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/graph/promotion.h"
#include "sdk/import/normalize.h"
#include "sdk/import/tables.h"

typedef enum compute_rule {
  IN_RESULT, /* in the result's dtype */
  IN_COMMON, /* in what the operands promote to: comparisons */
  IN_BOOL,   /* in truth values */
  AS_IT_IS,  /* each operand as it is */
  REDUCED,   /* the first operand in the result's dtype, and the argument "dtype" needs no saying */
  JOINED,    /* lists of tensors in the result's dtype */
} compute_rule;

typedef struct op_rule {
  const char *op; /* without overload */
  compute_rule rule;
  const char *except; /* an operand that stays as it is */
} op_rule;

/* Sorted by op; ops that are not here go by their kind. */
static const op_rule rules[] = {
    {"aten._conj", AS_IT_IS, NULL},
    {"aten._conj_physical", AS_IT_IS, NULL},
    {"aten._to_copy", AS_IT_IS, NULL},
    {"aten.abs", AS_IT_IS, NULL},
    {"aten.addr", IN_RESULT, NULL},
    {"aten.angle", AS_IT_IS, NULL},
    {"aten.cat", JOINED, NULL},
    {"aten.clone", AS_IT_IS, NULL},
    {"aten.column_stack", JOINED, NULL},
    {"aten.contiguous", AS_IT_IS, NULL},
    {"aten.copy", AS_IT_IS, NULL},
    {"aten.cosine_similarity", IN_RESULT, NULL},
    {"aten.cross", IN_RESULT, NULL},
    {"aten.cumprod", REDUCED, NULL},
    {"aten.cumsum", REDUCED, NULL},
    {"aten.diff", IN_RESULT, NULL},
    {"aten.dstack", JOINED, NULL},
    {"aten.eq", IN_COMMON, NULL},
    {"aten.fill", AS_IT_IS, NULL},
    {"aten.ge", IN_COMMON, NULL},
    {"aten.ger", IN_RESULT, NULL},
    {"aten.gt", IN_COMMON, NULL},
    {"aten.hinge_embedding_loss", IN_RESULT, NULL},
    {"aten.hstack", JOINED, NULL},
    {"aten.imag", AS_IT_IS, NULL},
    {"aten.isclose", IN_COMMON, NULL},
    {"aten.isfinite", AS_IT_IS, NULL},
    {"aten.isinf", AS_IT_IS, NULL},
    {"aten.isnan", AS_IT_IS, NULL},
    {"aten.isneginf", AS_IT_IS, NULL},
    {"aten.isposinf", AS_IT_IS, NULL},
    {"aten.isreal", AS_IT_IS, NULL},
    {"aten.kron", IN_RESULT, NULL},
    {"aten.le", IN_COMMON, NULL},
    {"aten.lift_fresh", AS_IT_IS, NULL},
    {"aten.lift_fresh_copy", AS_IT_IS, NULL},
    {"aten.linalg_cross", IN_RESULT, NULL},
    {"aten.linalg_solve_triangular", IN_RESULT, NULL},
    {"aten.log_softmax", REDUCED, NULL},
    {"aten.logical_and", IN_BOOL, NULL},
    {"aten.logical_not", IN_BOOL, NULL},
    {"aten.logical_or", IN_BOOL, NULL},
    {"aten.logical_xor", IN_BOOL, NULL},
    {"aten.lt", IN_COMMON, NULL},
    {"aten.masked_fill", IN_RESULT, "mask"},
    {"aten.mean", REDUCED, NULL},
    {"aten.mse_loss", IN_RESULT, NULL},
    {"aten.nansum", REDUCED, NULL},
    {"aten.ne", IN_COMMON, NULL},
    {"aten.outer", IN_RESULT, NULL},
    {"aten.prod", REDUCED, NULL},
    {"aten.real", AS_IT_IS, NULL},
    {"aten.signbit", AS_IT_IS, NULL},
    {"aten.smooth_l1_loss", IN_RESULT, NULL},
    {"aten.soft_margin_loss", IN_RESULT, NULL},
    {"aten.softmax", REDUCED, NULL},
    {"aten.stack", JOINED, NULL},
    {"aten.sum", REDUCED, NULL},
    {"aten.to", AS_IT_IS, NULL},
    {"aten.type_as", AS_IT_IS, NULL},
    {"aten.vstack", JOINED, NULL},
    {"aten.where", IN_RESULT, "condition"},
};

static const op_rule *find_rule(const buddy_opdef *def) {
  static const op_rule elementwise = {"", IN_RESULT, NULL};
  const char *op = buddy_opdef_name(def), *dot = strrchr(op, '.');
  char base[96];
  if (!dot || (size_t)(dot - op) >= sizeof base || strncmp(op, "aten.", 5)) return NULL;
  memcpy(base, op, (size_t)(dot - op));
  base[dot - op] = 0;
  const op_rule *found = BD_ROW_OF(base, rules);
  if (found) return found;
  return buddy_opdef_kind(def) == BUDDY_KIND_ELEMENTWISE ? &elementwise : NULL;
}

/* ---- Numbers ---- */

/* Floats of less than 32 bits: digits of the significand, exponent of the least, the largest, and what
 * numbers beyond become. digits == 0: another dtype. */
typedef struct short_float {
  int digits, lowest;
  double largest, beyond;
} short_float;

static short_float short_float_of(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_F16:
      return (short_float){11, -24, 65504, INFINITY};
    case BUDDY_BF16:
      return (short_float){8, -133, 0x1.fep127, INFINITY};
    case BUDDY_F8E4M3FN:
      return (short_float){4, -9, 448, 448};
    case BUDDY_F8E5M2:
      return (short_float){3, -16, 57344, INFINITY};
    case BUDDY_F8E4M3FNUZ:
      return (short_float){4, -10, 240, NAN};
    case BUDDY_F8E5M2FNUZ:
      return (short_float){3, -17, 57344, NAN};
    case BUDDY_F8E8M0FNU:
      return (short_float){1, -127, 0x1p127, NAN};
    default:
      return (short_float){0, 0, 0, 0};
  }
}

/* The number as a tensor of `dtype` would hold it; false if it is none, or is so already. A
 * symbolic size stays: whoever makes code for it converts. */
static bool convert_number(const buddy_arg *arg, buddy_dtype dtype, buddy_arg *out_arg) {
  const uint32_t bit = BUDDY_DTYPE_BIT(dtype);
  const bool is_int = arg->kind == BUDDY_ARG_INT || arg->kind == BUDDY_ARG_BOOL;
  if (!is_int && arg->kind != BUDDY_ARG_FLOAT) return false;
  if (is_int && BUDDY_IS_SYMBOLIC(arg->as.i)) return false;
  *out_arg = *arg;
  if ((bit & (BUDDY_FLOATS | BUDDY_COMPLEXES)) || short_float_of(dtype).digits) {
    if (is_int) *out_arg = (buddy_arg){.kind = BUDDY_ARG_FLOAT, .as.f = (double)arg->as.i};
  } else if (bit & BUDDY_INTS) {
    /* A float next to integers is one only where it is written to them; it is cut towards zero. */
    const bool fits = !is_int && arg->as.f > -9.0e18 && arg->as.f < 9.0e18;
    if (fits) *out_arg = bd_int_arg((int64_t)arg->as.f);
    if (is_int) out_arg->kind = BUDDY_ARG_INT;
  } else if (dtype == BUDDY_BOOL) {
    *out_arg =
        (buddy_arg){.kind = BUDDY_ARG_BOOL, .as.i = is_int ? arg->as.i != 0 : arg->as.f != 0};
  }
  return out_arg->kind != arg->kind;
}

/* Of one digit: powers of two, without sign and zero. The middle of two becomes the larger one, and so
 * does all between the least two, as in PyTorch. */
static double rounded_power(double number) {
  const double single = fabsf((float)number);
  int exponent;
  if (!(single < 0x1.8p127)) return NAN;
  if (single < 0x1p-126) return single > 0x1p-127 ? 0x1p-126 : 0x1p-127;
  const double digit = frexp(single, &exponent);
  return ldexp(1, digit < 0.75 ? exponent - 1 : exponent);
}

/* The number as such a float holds it. */
static double rounded(double number, short_float as) {
  const double single = (float)number;
  int exponent;
  if (as.digits == 1) return rounded_power(number);
  if (single == 0 || isnan(single)) return single;
  if (isinf(single)) return copysign(as.beyond, number);
  frexp(single, &exponent);
  const int unit = exponent - as.digits < as.lowest ? as.lowest : exponent - as.digits;
  const double result = ldexp(nearbyint(ldexp(single, -unit)), unit);
  return fabs(result) > as.largest ? copysign(as.beyond, number) : result;
}

/* Whether PyTorch makes a tensor of the op's dtype of this number; others enter its kernels as they
 * are, as a rule in float32: what multiplies, divides, weighs. */
static bool is_rounded(const buddy_opdef *def, const buddy_schema_arg *schema) {
  static const char *const weighed[] = {"add", "sub", "rsub", "pow", "hardshrink"},
                           *const scaled[] = {"mul", "div", "floor_divide"};
  const char *op = buddy_opdef_name(def) + strlen("aten.");
  const size_t n = strcspn(op, ".");
  const bool is_tensor = schema->type == BUDDY_SCHEMA_TENSOR;
  const char *const *names = is_tensor ? scaled : weighed;
  const size_t n_names = is_tensor ? 3 : 5;
  for (size_t i = 0; i < n_names; ++i) {
    if (strlen(names[i]) == n && !memcmp(names[i], op, n)) return !is_tensor;
  }
  return is_tensor;
}

static bool round_number(const buddy_node *node, const buddy_schema_arg *schema, buddy_dtype dtype,
                         buddy_arg *arg) {
  const short_float as = short_float_of(dtype);
  if (as.digits == 0) return false;
  if (arg->kind != BUDDY_ARG_FLOAT || !is_rounded(buddy_node_opdef(node), schema)) return false;
  const double before = arg->as.f;
  arg->as.f = rounded(before, as);
  return arg->as.f != before;
}

static bool number_value(const buddy_arg *arg, double *out_value) {
  const bool is_int = arg->kind == BUDDY_ARG_INT || arg->kind == BUDDY_ARG_BOOL;
  if ((!is_int && arg->kind != BUDDY_ARG_FLOAT) || (is_int && BUDDY_IS_SYMBOLIC(arg->as.i)))
    return false;
  *out_value = is_int ? (double)arg->as.i : arg->as.f;
  return true;
}

/* Whether a number is the schema's default, if perhaps in another kind: alpha=1.0 for alpha=1. */
static bool is_default_number(const buddy_schema_arg *schema, const buddy_arg *arg) {
  double a, b;
  return schema->has_default && number_value(arg, &a) && number_value(&schema->default_value, &b) &&
         a == b;
}

/* ---- Operands ---- */

static buddy_code convert_operand(buddy_node *node, size_t i, buddy_dtype dtype,
                                  buddy_diags *diags) {
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_arg *arg = buddy_node_arg(node, i);
  const buddy_schema_arg *schema = buddy_opdef_arg(buddy_node_opdef(node), i);
  buddy_arg converted = *arg;
  if (buddy_node_arg_is_default(node, i)) return BUDDY_OK;
  if (is_default_number(schema, arg))
    return buddy_node_set_arg(node, i, &schema->default_value, diags);
  if (arg->kind == BUDDY_ARG_TENSOR) {
    const bool is_kept = schema->type == BUDDY_SCHEMA_SCALAR && short_float_of(dtype).digits &&
                         !is_rounded(buddy_node_opdef(node), schema);
    BD_TRY(bd_build_cast(&at, arg->as.tensor, is_kept ? BUDDY_F32 : dtype, &converted.as.tensor));
    if (converted.as.tensor == arg->as.tensor) return BUDDY_OK;
  } else {
    const bool is_other = convert_number(arg, dtype, &converted);
    if (!round_number(node, schema, dtype, &converted) && !is_other) return BUDDY_OK;
  }
  return buddy_node_set_arg(node, i, &converted, diags);
}

static bool is_operand(const buddy_schema_arg *schema) {
  return !schema->is_list &&
         (schema->type == BUDDY_SCHEMA_TENSOR || schema->type == BUDDY_SCHEMA_SCALAR);
}

static buddy_code convert_operands(buddy_node *node, buddy_dtype dtype, const char *except,
                                   buddy_diags *diags) {
  const buddy_opdef *def = buddy_node_opdef(node);
  for (size_t i = 0; i < buddy_opdef_n_args(def); ++i) {
    const buddy_schema_arg *schema = buddy_opdef_arg(def, i);
    if (!is_operand(schema)) continue;
    if (!except || strcmp(schema->name, except)) BD_TRY(convert_operand(node, i, dtype, diags));
  }
  return BUDDY_OK;
}

/* What 16-bit floats are multiplied with or divided by, if it is one wider number, PyTorch does not
 * round: the node computes in float32, and its result is rounded. */
static buddy_code widen_scaling(buddy_node *node, const buddy_value *result, buddy_diags *diags,
                                bool *out_is_wide) {
  static const char *const ops[] = {"aten.mul.Tensor", "aten.div.Tensor", "aten.div.Tensor_mode",
                                    "aten.floor_divide.default"};
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_tensor_type type = *buddy_value_type(result);
  size_t i = 0;
  *out_is_wide = false;
  if (type.dtype != BUDDY_F16 && type.dtype != BUDDY_BF16) return BUDDY_OK;
  while (i < 4 && strcmp(ops[i], buddy_node_op(node)) != 0) ++i;
  if (i == 4 || buddy_node_arg(node, 1)->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  const buddy_tensor_type *by = buddy_value_type(buddy_node_arg(node, 1)->as.tensor);
  if (by->rank || (by->dtype != BUDDY_F32 && by->dtype != BUDDY_F64)) return BUDDY_OK;
  buddy_named_arg args[3];
  for (size_t k = 0; k < buddy_node_n_args(node); ++k) {
    args[k] = (buddy_named_arg){buddy_opdef_arg(buddy_node_opdef(node), k)->name,
                                *buddy_node_arg(node, k)};
    if (args[k].arg.kind == BUDDY_ARG_TENSOR)
      BD_TRY(bd_build_cast(&at, args[k].arg.as.tensor, BUDDY_F32, &args[k].arg.as.tensor));
  }
  const buddy_tensor_type wide = {.dtype = BUDDY_F32, .rank = type.rank, .dims = type.dims};
  const buddy_value *value;
  BD_TRY(bd_build_value(&at, ops[i], args, buddy_node_n_args(node), &wide, &value));
  BD_TRY(bd_build_cast(&at, value, type.dtype, &value));
  BD_TRY(buddy_graph_replace_value(at.graph, result, value));
  *out_is_wide = true;
  return bd_build_erase(node, diags);
}

/* What the operands "self" and "other" are compared in. */
static buddy_dtype common_dtype(const buddy_node *node) {
  bd_promotion promotion = {0};
  const buddy_arg *self = buddy_node_arg_find(node, "self"),
                  *other = buddy_node_arg_find(node, "other");
  if (!self || !other) return BUDDY_DTYPE_NONE;
  bd_promotion_add(&promotion, self);
  bd_promotion_add(&promotion, other);
  return bd_promotion_result(&promotion);
}

/* Conditions may be bytes in old programs. */
static buddy_code convert_condition(buddy_node *node, const char *name, buddy_diags *diags) {
  size_t i;
  if (!name || buddy_opdef_arg_find(buddy_node_opdef(node), (buddy_sv){name, strlen(name)}, &i))
    return BUDDY_OK;
  return buddy_node_arg(node, i)->kind == BUDDY_ARG_TENSOR
             ? convert_operand(node, i, BUDDY_BOOL, diags)
             : BUDDY_OK;
}

static buddy_code convert_reduced(buddy_node *node, buddy_dtype dtype, buddy_diags *diags) {
  size_t i;
  if (buddy_node_arg(node, 0)->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  BD_TRY(convert_operand(node, 0, dtype, diags));
  /* Sums of small integers are 64 bits wide unless the program says otherwise. */
  const bool is_natural =
      dtype == BUDDY_I64 || !(BUDDY_DTYPE_BIT(dtype) & (BUDDY_INTS | BUDDY_BOOLS));
  if (!is_natural || buddy_opdef_arg_find(buddy_node_opdef(node), (buddy_sv){"dtype", 5}, &i))
    return BUDDY_OK;
  const buddy_schema_arg *schema = buddy_opdef_arg(buddy_node_opdef(node), i);
  if (!schema->has_default || buddy_node_arg_is_default(node, i)) return BUDDY_OK;
  return buddy_node_set_arg(node, i, &schema->default_value, diags);
}

static buddy_code convert_joined(buddy_node *node, buddy_dtype dtype, buddy_diags *diags) {
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_arg *arg = buddy_node_arg(node, 0);
  if (arg->kind != BUDDY_ARG_TENSORS) return BUDDY_OK;
  for (size_t k = 0; k < arg->n; ++k) {
    if (!arg->as.tensors[k] || buddy_value_type(arg->as.tensors[k])->dtype == dtype) continue;
    const buddy_value **list = bd_calloc(arg->n, sizeof *list);
    if (!list) return BUDDY_OUT_OF_MEMORY;
    buddy_code code = BUDDY_OK;
    for (size_t i = 0; i < arg->n && !code; ++i) {
      if (arg->as.tensors[i]) code = bd_build_cast(&at, arg->as.tensors[i], dtype, &list[i]);
    }
    const buddy_arg changed = {.kind = BUDDY_ARG_TENSORS, .n = arg->n, .as.tensors = list};
    if (!code) code = buddy_node_set_arg(node, 0, &changed, diags);
    bd_free(list);
    return code;
  }
  return BUDDY_OK;
}

/* Numbers of other ops: the value that is filled in, scattered, padded with. Where the result has
 * floats they are floats. */
static buddy_code convert_numbers(buddy_node *node, buddy_dtype dtype, buddy_diags *diags) {
  const buddy_opdef *def = buddy_node_opdef(node);
  if (!(BUDDY_DTYPE_BIT(dtype) & BUDDY_FLOATS) && buddy_opdef_kind(def) != BUDDY_KIND_CREATION)
    return BUDDY_OK;
  for (size_t i = 0; i < buddy_opdef_n_args(def); ++i) {
    const buddy_schema_arg *schema = buddy_opdef_arg(def, i);
    if (schema->is_list || schema->type != BUDDY_SCHEMA_SCALAR) continue;
    if (buddy_node_arg(node, i)->kind != BUDDY_ARG_TENSOR)
      BD_TRY(convert_operand(node, i, dtype, diags));
  }
  return BUDDY_OK;
}

buddy_code bd_normalize_dtypes(buddy_node *node, buddy_diags *diags) {
  const buddy_opdef *def = buddy_node_opdef(node);
  if (!def || buddy_node_n_results(node) == 0) return BUDDY_OK;
  const buddy_dtype dtype = buddy_value_type(buddy_node_result(node, 0))->dtype;
  const op_rule *rule = find_rule(def);
  bool is_wide;
  if (!rule) return convert_numbers(node, dtype, diags);
  switch (rule->rule) {
    case IN_RESULT:
      BD_TRY(widen_scaling(node, buddy_node_result(node, 0), diags, &is_wide));
      if (is_wide) return BUDDY_OK;
      BD_TRY(convert_operands(node, dtype, rule->except, diags));
      return convert_condition(node, rule->except, diags);
    case IN_COMMON: {
      const buddy_dtype common = common_dtype(node);
      return common ? convert_operands(node, common, NULL, diags) : BUDDY_OK;
    }
    case IN_BOOL:
      return convert_operands(node, BUDDY_BOOL, NULL, diags);
    case REDUCED:
      return convert_reduced(node, dtype, diags);
    case JOINED:
      return convert_joined(node, dtype, diags);
    default:
      return BUDDY_OK;
  }
}
