/* core/graph/infer.c: result types by rule.
 *
 * A rule is a way to the shape (broadcast of the tensors, reduction over dims, that of the first
 * tensor) and, per result, a way to the dtype. Ops that need another rule than the one of their
 * kind stand in one sorted table, by name with or without overload. */
#include "core/graph/infer.h"

#include <stdlib.h>
#include <string.h>

#include "core/graph/dims.h"
#include "core/graph/promotion.h"
#include "core/graph/types.h"

typedef enum shape_rule { BROADCAST, REDUCE, SAME } shape_rule;

typedef enum dtype_rule {
  PROMOTED,      /* of all that takes part */
  PROMOTED_REAL, /* the same, integers as f32: exp, div */
  FIRST,         /* of the first tensor */
  FIRST_OR_ARG,  /* argument "dtype", else that of the first tensor */
  SUMMED,        /* argument "dtype", else integers as i64 */
  MAGNITUDE,     /* argument "dtype", else complex as its real part */
  IS_BOOL,
  IS_I64
} dtype_rule;

typedef struct rule {
  const char *op; /* "aten.max" or "aten.max.dim" */
  uint8_t shape;
  uint8_t dtypes[2]; /* of result 0 and of result 1 */
} rule;

/* Sorted by strcmp. */
static const rule rules[] = {
    {"aten._log_softmax", SAME, {FIRST}},
    {"aten._softmax", SAME, {FIRST}},
    {"aten._to_copy", SAME, {FIRST_OR_ARG}},
    {"aten.abs", BROADCAST, {MAGNITUDE}},
    {"aten.acos", BROADCAST, {PROMOTED_REAL}},
    {"aten.acosh", BROADCAST, {PROMOTED_REAL}},
    {"aten.alias", SAME, {FIRST}},
    {"aten.all", REDUCE, {IS_BOOL}},
    {"aten.amax", REDUCE, {FIRST}},
    {"aten.amin", REDUCE, {FIRST}},
    {"aten.angle", BROADCAST, {MAGNITUDE}},
    {"aten.any", REDUCE, {IS_BOOL}},
    {"aten.argmax", REDUCE, {IS_I64}},
    {"aten.argmin", REDUCE, {IS_I64}},
    {"aten.argsort", SAME, {IS_I64}},
    {"aten.asin", BROADCAST, {PROMOTED_REAL}},
    {"aten.asinh", BROADCAST, {PROMOTED_REAL}},
    {"aten.atan", BROADCAST, {PROMOTED_REAL}},
    {"aten.atan2", BROADCAST, {PROMOTED_REAL}},
    {"aten.atanh", BROADCAST, {PROMOTED_REAL}},
    {"aten.batch_norm", SAME, {FIRST}},
    {"aten.bernoulli", SAME, {FIRST}},
    {"aten.clone", SAME, {FIRST}},
    {"aten.contiguous", SAME, {FIRST}},
    {"aten.copy", SAME, {FIRST}},
    {"aten.cos", BROADCAST, {PROMOTED_REAL}},
    {"aten.cosh", BROADCAST, {PROMOTED_REAL}},
    {"aten.count_nonzero", REDUCE, {IS_I64}},
    {"aten.cummax", SAME, {FIRST, IS_I64}},
    {"aten.cummin", SAME, {FIRST, IS_I64}},
    {"aten.cumprod", SAME, {SUMMED}},
    {"aten.cumsum", SAME, {SUMMED}},
    {"aten.detach", SAME, {FIRST}},
    {"aten.digamma", BROADCAST, {PROMOTED_REAL}},
    {"aten.div", BROADCAST, {PROMOTED_REAL}},
    {"aten.div.Scalar_mode", BROADCAST, {PROMOTED}},
    {"aten.div.Tensor_mode", BROADCAST, {PROMOTED}},
    {"aten.dropout", SAME, {FIRST}},
    {"aten.empty_like", SAME, {FIRST_OR_ARG}},
    {"aten.eq", BROADCAST, {IS_BOOL}},
    {"aten.erf", BROADCAST, {PROMOTED_REAL}},
    {"aten.erfc", BROADCAST, {PROMOTED_REAL}},
    {"aten.erfinv", BROADCAST, {PROMOTED_REAL}},
    {"aten.exp", BROADCAST, {PROMOTED_REAL}},
    {"aten.exp2", BROADCAST, {PROMOTED_REAL}},
    {"aten.expm1", BROADCAST, {PROMOTED_REAL}},
    {"aten.fill", SAME, {FIRST}},
    {"aten.flip", SAME, {FIRST}},
    {"aten.full_like", SAME, {FIRST_OR_ARG}},
    {"aten.ge", BROADCAST, {IS_BOOL}},
    {"aten.group_norm", SAME, {FIRST}},
    {"aten.gt", BROADCAST, {IS_BOOL}},
    {"aten.index_add", SAME, {FIRST}},
    {"aten.index_copy", SAME, {FIRST}},
    {"aten.index_fill", SAME, {FIRST}},
    {"aten.index_put", SAME, {FIRST}},
    {"aten.instance_norm", SAME, {FIRST}},
    {"aten.isfinite", BROADCAST, {IS_BOOL}},
    {"aten.isinf", BROADCAST, {IS_BOOL}},
    {"aten.isnan", BROADCAST, {IS_BOOL}},
    {"aten.isneginf", BROADCAST, {IS_BOOL}},
    {"aten.isposinf", BROADCAST, {IS_BOOL}},
    {"aten.layer_norm", SAME, {FIRST}},
    {"aten.le", BROADCAST, {IS_BOOL}},
    {"aten.lgamma", BROADCAST, {PROMOTED_REAL}},
    {"aten.linalg_vector_norm", REDUCE, {MAGNITUDE}},
    {"aten.log", BROADCAST, {PROMOTED_REAL}},
    {"aten.log10", BROADCAST, {PROMOTED_REAL}},
    {"aten.log1p", BROADCAST, {PROMOTED_REAL}},
    {"aten.log2", BROADCAST, {PROMOTED_REAL}},
    {"aten.log_softmax", SAME, {FIRST_OR_ARG}},
    {"aten.logaddexp", BROADCAST, {PROMOTED_REAL}},
    {"aten.logcumsumexp", SAME, {FIRST}},
    {"aten.logical_and", BROADCAST, {IS_BOOL}},
    {"aten.logical_not", BROADCAST, {IS_BOOL}},
    {"aten.logical_or", BROADCAST, {IS_BOOL}},
    {"aten.logical_xor", BROADCAST, {IS_BOOL}},
    {"aten.logit", BROADCAST, {PROMOTED_REAL}},
    {"aten.logsumexp", REDUCE, {PROMOTED_REAL}},
    {"aten.lt", BROADCAST, {IS_BOOL}},
    {"aten.masked_fill", BROADCAST, {FIRST}},
    {"aten.max", REDUCE, {FIRST, IS_I64}},
    {"aten.max.other", BROADCAST, {PROMOTED}},
    {"aten.mean", REDUCE, {FIRST_OR_ARG}},
    {"aten.median", REDUCE, {FIRST, IS_I64}},
    {"aten.min", REDUCE, {FIRST, IS_I64}},
    {"aten.min.other", BROADCAST, {PROMOTED}},
    {"aten.mode", REDUCE, {FIRST, IS_I64}},
    {"aten.nansum", REDUCE, {SUMMED}},
    {"aten.ne", BROADCAST, {IS_BOOL}},
    {"aten.ones_like", SAME, {FIRST_OR_ARG}},
    {"aten.prod", REDUCE, {SUMMED}},
    {"aten.rand_like", SAME, {FIRST_OR_ARG}},
    {"aten.randn_like", SAME, {FIRST_OR_ARG}},
    {"aten.reciprocal", BROADCAST, {PROMOTED_REAL}},
    {"aten.rms_norm", SAME, {FIRST}},
    {"aten.roll", SAME, {FIRST}},
    {"aten.rsqrt", BROADCAST, {PROMOTED_REAL}},
    {"aten.scatter", SAME, {FIRST}},
    {"aten.scatter_add", SAME, {FIRST}},
    {"aten.scatter_reduce", SAME, {FIRST}},
    {"aten.select_scatter", SAME, {FIRST}},
    {"aten.sigmoid", BROADCAST, {PROMOTED_REAL}},
    {"aten.signbit", BROADCAST, {IS_BOOL}},
    {"aten.sin", BROADCAST, {PROMOTED_REAL}},
    {"aten.sinc", BROADCAST, {PROMOTED_REAL}},
    {"aten.sinh", BROADCAST, {PROMOTED_REAL}},
    {"aten.slice_scatter", SAME, {FIRST}},
    {"aten.softmax", SAME, {FIRST_OR_ARG}},
    {"aten.sort", SAME, {FIRST, IS_I64}},
    {"aten.sqrt", BROADCAST, {PROMOTED_REAL}},
    {"aten.std", REDUCE, {MAGNITUDE}},
    {"aten.sum", REDUCE, {SUMMED}},
    {"aten.tan", BROADCAST, {PROMOTED_REAL}},
    {"aten.tanh", BROADCAST, {PROMOTED_REAL}},
    {"aten.to.dtype", SAME, {FIRST_OR_ARG}},
    {"aten.to.dtype_layout", SAME, {FIRST_OR_ARG}},
    {"aten.tril", SAME, {FIRST}},
    {"aten.triu", SAME, {FIRST}},
    {"aten.true_divide", BROADCAST, {PROMOTED_REAL}},
    {"aten.var", REDUCE, {MAGNITUDE}},
    {"aten.xlogy", BROADCAST, {PROMOTED_REAL}},
    {"aten.zeros_like", SAME, {FIRST_OR_ARG}},
    {"prims.convert_element_type", SAME, {FIRST_OR_ARG}},
};

/* ---- Finding the rule ---- */

typedef struct op_name {
  const char *text;
  size_t size;
} op_name;

static int compare_op(const void *key, const void *element) {
  const op_name *name = key;
  const char *op = ((const rule *)element)->op;
  const int order = strncmp(name->text, op, name->size);
  return order ? order : -(op[name->size] != 0);
}

static const rule *search(const char *text, size_t size) {
  const op_name key = {text, size};
  return bsearch(&key, rules, sizeof rules / sizeof *rules, sizeof *rules, compare_op);
}

static const rule *find_rule(const buddy_opdef *def) {
  static const rule elementwise = {"", BROADCAST, {PROMOTED}}, reduce = {"", REDUCE, {FIRST}};
  const char *overload = strrchr(def->name, '.');
  const rule *found = search(def->name, strlen(def->name));
  if (!found && overload) found = search(def->name, (size_t)(overload - def->name));
  if (found) return found;
  return def->kind == BUDDY_KIND_ELEMENTWISE ? &elementwise
         : def->kind == BUDDY_KIND_REDUCE    ? &reduce
                                             : NULL;
}

/* ---- Shapes ---- */

typedef struct shape {
  int64_t dims[BD_MAX_RANK];
  uint32_t rank;
} shape;

static const buddy_tensor_type *first_tensor(const buddy_node *node) {
  for (uint32_t i = 0; i < node->n_args; ++i) {
    if (node->args[i]->kind == BUDDY_ARG_TENSOR) return &node->args[i]->as.tensor->type;
  }
  return NULL;
}

/* The one dim that both are after broadcasting. Sizes that differ must be told to be equal at run
 * time: a number other than 1 wins over a symbol, and of two symbols that are both at least 2 the
 * first. */
static bool broadcast_dim(const bd_dims *dims, int64_t a, int64_t b, int64_t *out_dim) {
  *out_dim = b == 1 ? a : b;
  if (a == b || a == 1 || b == 1) return true;
  const bool a_is_number = !BUDDY_IS_SYMBOLIC(a), b_is_number = !BUDDY_IS_SYMBOLIC(b);
  *out_dim = b_is_number ? b : a;
  if (a_is_number != b_is_number) return true;
  int64_t low_a, low_b, high;
  bd_dim_range(dims, a, &low_a, &high);
  bd_dim_range(dims, b, &low_b, &high);
  return !a_is_number && low_a >= 2 && low_b >= 2;
}

static buddy_code mismatch(const bd_dims *dims, int64_t a, int64_t b, bd_text *why) {
  char x[64], y[64];
  bd_text text;
  bd_text_init_fixed(&text, x, sizeof x);
  bd_dim_print(dims, a, &text);
  bd_text_init_fixed(&text, y, sizeof y);
  bd_dim_print(dims, b, &text);
  bd_text_format(why, "the sizes %s and %s do not broadcast", x, y);
  return BUDDY_INVALID_ARGUMENT;
}

static buddy_code broadcast_with(const bd_dims *dims, shape *acc, const buddy_tensor_type *type,
                                 bd_text *why) {
  const uint32_t rank = acc->rank > type->rank ? acc->rank : type->rank;
  for (uint32_t k = 1; k <= rank;
       ++k) { /* from the innermost dim outwards, widening in place from the back */
    const int64_t a = k <= acc->rank ? acc->dims[BD_MAX_RANK - k] : 1;
    const int64_t b = k <= type->rank ? type->dims[type->rank - k] : 1;
    if (!broadcast_dim(dims, a, b, &acc->dims[BD_MAX_RANK - k])) return mismatch(dims, a, b, why);
  }
  acc->rank = rank;
  return BUDDY_OK;
}

static buddy_code broadcast(const buddy_node *node, shape *out_shape, bd_text *why) {
  const bd_dims *dims = &node->graph->world->dims;
  shape acc = {.rank = 0}; /* its dims stand at the end of the array */
  buddy_code code = BUDDY_OK;
  for (uint32_t i = 0; !code && i < node->n_args; ++i) {
    if (node->args[i]->kind == BUDDY_ARG_TENSOR)
      code = broadcast_with(dims, &acc, &node->args[i]->as.tensor->type, why);
  }
  out_shape->rank = acc.rank;
  memcpy(out_shape->dims, acc.dims + BD_MAX_RANK - acc.rank, acc.rank * sizeof *acc.dims);
  return code;
}

/* The reduced dims as a set of bits. */
static buddy_code reduced_dims(const buddy_arg *arg, uint32_t rank, uint64_t *out_set,
                               bd_text *why) {
  const bool is_list = arg && arg->kind == BUDDY_ARG_INTS;
  const size_t n = is_list ? arg->n : 1;
  *out_set = ~(uint64_t)0;
  if (!arg || arg->kind == BUDDY_ARG_NONE || n == 0) return BUDDY_OK;
  if (!is_list && arg->kind != BUDDY_ARG_INT) {
    bd_text_string(why, "\"dim\" is no number");
    return BUDDY_INVALID_ARGUMENT;
  }
  *out_set = 0;
  for (size_t i = 0; i < n; ++i) {
    int64_t dim = is_list ? arg->as.ints[i] : arg->as.i;
    if (dim < 0 && !BUDDY_IS_SYMBOLIC(dim)) dim += rank ? rank : 1;
    const bool is_inside = dim >= 0 && dim < (int64_t)(rank ? rank : 1);
    if (!is_inside || *out_set >> dim & 1u) {
      bd_text_format(
          why, "\"dim\" names a dim twice, or one that a tensor of rank %u does not have", rank);
      return BUDDY_INVALID_ARGUMENT;
    }
    *out_set |= (uint64_t)1 << dim;
  }
  return BUDDY_OK;
}

static buddy_code reduce(const buddy_node *node, const buddy_tensor_type *type, shape *out_shape,
                         bd_text *why) {
  const buddy_arg *keepdim = buddy_node_arg_find(node, "keepdim");
  const bool keeps = keepdim && keepdim->kind == BUDDY_ARG_BOOL && keepdim->as.i;
  uint64_t set;
  const buddy_code code = reduced_dims(buddy_node_arg_find(node, "dim"), type->rank, &set, why);
  out_shape->rank = 0;
  for (uint32_t i = 0; !code && i < type->rank; ++i) {
    const bool is_reduced = set >> i & 1u;
    if (!is_reduced || keeps) out_shape->dims[out_shape->rank++] = is_reduced ? 1 : type->dims[i];
  }
  return code;
}

static void same(const buddy_tensor_type *type, shape *out_shape) {
  out_shape->rank = type->rank;
  if (type->rank) memcpy(out_shape->dims, type->dims, type->rank * sizeof *type->dims);
}

/* ---- Dtypes ---- */

/* Scalars that take part in promotion; others are parameters of the op. */
static bool takes_part(const buddy_schema_arg *schema) {
  static const char *const names[] = {"other", "exponent", "min", "max", "self"};
  if (schema->type == BUDDY_SCHEMA_TENSOR) return strcmp(schema->name, "condition") != 0;
  if (schema->type != BUDDY_SCHEMA_SCALAR) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!strcmp(schema->name, names[i])) return true;
  }
  return false;
}

static buddy_dtype promoted(const buddy_node *node) {
  bd_promotion promotion = {0};
  for (uint32_t i = 0; i < node->n_args; ++i) {
    if (takes_part(&node->def->args[i])) bd_promotion_add(&promotion, node->args[i]);
  }
  return bd_promotion_result(&promotion);
}

static buddy_dtype dtype_arg(const buddy_node *node) {
  const buddy_arg *arg = buddy_node_arg_find(node, "dtype");
  return arg && arg->kind == BUDDY_ARG_DTYPE ? (buddy_dtype)arg->as.i : BUDDY_DTYPE_NONE;
}

static buddy_dtype result_dtype(const buddy_node *node, dtype_rule rule_, buddy_dtype first) {
  const buddy_dtype given =
      rule_ >= FIRST_OR_ARG && rule_ <= MAGNITUDE ? dtype_arg(node) : BUDDY_DTYPE_NONE;
  if (given) return given;
  switch (rule_) {
    case PROMOTED:
      return promoted(node);
    case PROMOTED_REAL:
      return bd_dtype_as_float(promoted(node));
    case SUMMED:
      return bd_dtype_is_integral(first) ? BUDDY_I64 : first;
    case MAGNITUDE:
      return bd_dtype_real_part(first);
    case IS_BOOL:
      return BUDDY_BOOL;
    case IS_I64:
      return BUDDY_I64;
    default:
      return first;
  }
}

/* ---- The whole ---- */

static buddy_code infer_shape(const buddy_node *node, const rule *by,
                              const buddy_tensor_type *first, shape *out_shape, bd_text *why) {
  if (by->shape == BROADCAST) return broadcast(node, out_shape, why);
  if (by->shape == REDUCE) return reduce(node, first, out_shape, why);
  same(first, out_shape);
  return BUDDY_OK;
}

buddy_code bd_infer(buddy_node *node, bd_text *why) {
  const rule *by = find_rule(node->def);
  const buddy_tensor_type *first = first_tensor(node);
  if (!by || node->n_results > 2 || node->def->has_more_results) {
    bd_text_format(why, "there is no rule for %s", node->op);
    return BUDDY_INVALID_ARGUMENT;
  }
  if (!first) {
    bd_text_string(why, "no argument is a tensor");
    return BUDDY_INVALID_ARGUMENT;
  }
  shape dims;
  buddy_code code = infer_shape(node, by, first, &dims, why);
  for (uint32_t i = 0; !code && i < node->n_results; ++i) {
    const buddy_dtype dtype = result_dtype(node, (dtype_rule)by->dtypes[i], first->dtype);
    if (!dtype) {
      bd_text_string(why, "the dtypes of the arguments have no common dtype");
      return BUDDY_INVALID_ARGUMENT;
    }
    const buddy_tensor_type type = {dtype, dims.rank, dims.dims};
    code = bd_type_copy(node->graph, &type, &node->results[i].type);
  }
  return code;
}
