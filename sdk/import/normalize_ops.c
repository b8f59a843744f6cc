// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/normalize_ops.c: ops that other ops say as well.
 *
 * After functionalisation a tensor is a value: it has no storage, no strides, no history of
 * gradients. So what only speaks of those is nothing (detach, contiguous, clone, dropout outside
 * training), and what differs only in the way its arguments are given becomes one op:
 *
 *   to, type_as, _cast_…, convert_element_type        _to_copy with a dtype
 *   zeros, ones, empty, new_…, …_like, fill, zero     full
 *   view_as, reshape_as, ravel, expand_as, …          view, expand
 *   swapaxes, movedim, mT, numpy_T, adjoint           permute
 *   split, chunk, tensor_split, …, narrow             slice, one for each part that is used
 *   unbind                                            select
 *   what gives tensors without elements               full
 *   checks of what types and ranges state             nothing */
#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/symbols/opdef.h"
#include "sdk/import/normalize.h"
#include "sdk/import/tables.h"
#include "sdk/import/views.h"

typedef struct rewriting {
  buddy_node *node;
  bd_build at;
  bool is_gone;
} rewriting;

typedef buddy_code (*rewrite_function)(rewriting *in);

static const buddy_value *operand(const rewriting *in, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(in->node, name);
  return arg && arg->kind == BUDDY_ARG_TENSOR ? arg->as.tensor : NULL;
}

static const buddy_value *first_operand(const rewriting *in) {
  for (size_t i = 0; i < buddy_node_n_args(in->node); ++i) {
    const buddy_arg *arg = buddy_node_arg(in->node, i);
    if (arg->kind == BUDDY_ARG_TENSOR) return arg->as.tensor;
  }
  return NULL;
}

static const buddy_value *result(const rewriting *in) { return buddy_node_result(in->node, 0); }
static const buddy_tensor_type *result_type(const rewriting *in) {
  return buddy_value_type(result(in));
}

/* Every use of the node's one result becomes one of `value`. */
static buddy_code replace(rewriting *in, const buddy_value *value) {
  BD_TRY(buddy_graph_replace_value(in->at.graph, result(in), value));
  in->is_gone = true;
  return BUDDY_OK;
}

static bool same_type(const buddy_value *a, const buddy_value *b) {
  const buddy_tensor_type *x = buddy_value_type(a), *y = buddy_value_type(b);
  return x->dtype == y->dtype && bd_same_dims(x, y);
}

/* ---- Nothing ---- */

static buddy_code drop(rewriting *in) {
  in->is_gone = buddy_node_n_results(in->node) == 0;
  return BUDDY_OK;
}

static buddy_code keep_operand(rewriting *in) {
  const buddy_value *self = first_operand(in);
  return self && same_type(self, result(in)) ? replace(in, self) : BUDDY_OK;
}

/* A shape op whose result has its operand's type; where sizes say so that its arguments compute,
 * x[:2 * s0] of one element, they have to hold in the run as well. */
static buddy_code keep_whole(rewriting *in) {
  const buddy_value *self = first_operand(in);
  if (!self || !same_type(self, result(in))) return BUDDY_OK;
  BD_TRY(bd_normalize_args(in->node, in->at.diags));
  return replace(in, self);
}

/* Of complex tensors these say something. */
static buddy_code keep_real_operand(rewriting *in) {
  return BUDDY_DTYPE_BIT(result_type(in)->dtype) & BUDDY_COMPLEXES ? BUDDY_OK : keep_operand(in);
}

static bool is_off(const rewriting *in) {
  const buddy_arg *train = buddy_node_arg_find(in->node, "train"),
                  *p = buddy_node_arg_find(in->node, "p");
  const bool is_evaluating = train && train->kind == BUDDY_ARG_BOOL && !train->as.i;
  return is_evaluating || (p && p->kind == BUDDY_ARG_FLOAT && p->as.f == 0);
}

static buddy_code rewrite_dropout(rewriting *in) {
  return is_off(in) ? keep_operand(in) : BUDDY_OK;
}

/* Gives a mask too, which stays unused in programs for inference. */
static buddy_code rewrite_native_dropout(rewriting *in) {
  const buddy_value *self = first_operand(in);
  if (!is_off(in) || !self || buddy_node_n_results(in->node) != 2) return BUDDY_OK;
  if (!same_type(self, result(in)) || buddy_value_n_uses(buddy_node_result(in->node, 1)))
    return BUDDY_OK;
  return replace(in, self);
}

/* ---- Conversions and copies ---- */

static buddy_code rewrite_conversion(rewriting *in) {
  const buddy_value *self = first_operand(in), *value;
  if (!self || !bd_same_dims(buddy_value_type(self), result_type(in))) return BUDDY_OK;
  BD_TRY(bd_build_cast(&in->at, self, result_type(in)->dtype, &value));
  return replace(in, value);
}

/* _to_copy itself stays if it says a dtype and nothing else. */
static buddy_code rewrite_to_copy(rewriting *in) {
  if (same_type(first_operand(in), result(in))) return keep_operand(in);
  for (size_t i = 0; i < buddy_node_n_args(in->node); ++i) {
    const bool is_own = i == 0 || !strcmp(buddy_node_arg_name(in->node, i), "dtype");
    if (is_own ? buddy_node_arg(in->node, i)->kind == BUDDY_ARG_NONE
               : !buddy_node_arg_is_default(in->node, i)) {
      return rewrite_conversion(in);
    }
  }
  return BUDDY_OK;
}

/* copy(self, src) is src as self would hold it. */
static buddy_code rewrite_copy(rewriting *in) {
  const buddy_value *value = operand(in, "src");
  if (!value) return BUDDY_OK;
  BD_TRY(bd_build_cast(&in->at, value, result_type(in)->dtype, &value));
  BD_TRY(bd_build_expand(&in->at, value, result_type(in), &value));
  return replace(in, value);
}

/* ---- Fillings ---- */

/* A number in the kind that a tensor of `dtype` holds. */
static buddy_arg number_as(const buddy_arg *number, buddy_dtype dtype) {
  const bool is_int = number->kind == BUDDY_ARG_INT || number->kind == BUDDY_ARG_BOOL;
  if (is_int && BUDDY_IS_SYMBOLIC(number->as.i)) return *number;
  if (number->kind != BUDDY_ARG_FLOAT && !is_int) return *number;
  if (BUDDY_DTYPE_BIT(dtype) & BUDDY_FLOATS) {
    return (buddy_arg){.kind = BUDDY_ARG_FLOAT,
                       .as.f = is_int ? (double)number->as.i : number->as.f};
  }
  if (dtype == BUDDY_BOOL) {
    return (buddy_arg){.kind = BUDDY_ARG_BOOL,
                       .as.i = is_int ? number->as.i != 0 : number->as.f != 0};
  }
  if ((BUDDY_DTYPE_BIT(dtype) & BUDDY_INTS) && number->kind == BUDDY_ARG_BOOL) {
    return bd_int_arg(number->as.i);
  }
  const bool fits = !is_int && number->as.f > -9.0e18 && number->as.f < 9.0e18;
  if ((BUDDY_DTYPE_BIT(dtype) & BUDDY_INTS) && fits) {
    return bd_int_arg((int64_t)number->as.f);
  }
  return *number;
}

static buddy_code fill_with(rewriting *in, const buddy_arg *number) {
  const buddy_tensor_type type = *result_type(in);
  const buddy_value *value;
  if (number->kind == BUDDY_ARG_TENSOR) {
    BD_TRY(bd_build_cast(&in->at, number->as.tensor, type.dtype, &value));
    BD_TRY(bd_build_expand(&in->at, value, &type, &value));
    return replace(in, value);
  }
  const buddy_named_arg args[] = {{"size", bd_size_arg(&type)},
                                  {"fill_value", number_as(number, type.dtype)},
                                  {"dtype", bd_dtype_arg(type.dtype)}};
  BD_TRY(bd_build_value(&in->at, "aten.full.default", args, 3, &type, &value));
  return replace(in, value);
}

static buddy_code fill_zero(rewriting *in) {
  return fill_with(in, &(buddy_arg){.kind = BUDDY_ARG_INT, .as.i = 0});
}
static buddy_code fill_one(rewriting *in) {
  return fill_with(in, &(buddy_arg){.kind = BUDDY_ARG_INT, .as.i = 1});
}

/* Ops that name the number "fill_value", "value" or "s". */
static buddy_code fill_given(rewriting *in) {
  static const char *const names[] = {"fill_value", "value", "s"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const buddy_arg *number = buddy_node_arg_find(in->node, names[i]);
    if (number && number->kind != BUDDY_ARG_NONE) return fill_with(in, number);
  }
  return BUDDY_OK;
}

/* A number that only the running program knows stays with scalar_tensor, the op that makes a tensor
 * of it. */
static buddy_code rewrite_scalar_tensor(rewriting *in) {
  const buddy_arg *number = buddy_node_arg_find(in->node, "s");
  const bool is_symbolic = number->kind == BUDDY_ARG_INT && BUDDY_IS_SYMBOLIC(number->as.i);
  return is_symbolic ? BUDDY_OK : fill_with(in, number);
}

/* full itself: its value may be a tensor. */
static buddy_code rewrite_full(rewriting *in) {
  const buddy_arg *number = buddy_node_arg_find(in->node, "fill_value");
  return number->kind == BUDDY_ARG_TENSOR ? fill_with(in, number) : BUDDY_OK;
}

/* ---- Shapes ---- */

static buddy_code rewrite_to_view(rewriting *in) {
  const buddy_value *self = first_operand(in), *value;
  if (!self) return BUDDY_OK;
  if (same_type(self, result(in))) return replace(in, self);
  BD_TRY(bd_build_view(&in->at, self, result_type(in), &value));
  return replace(in, value);
}

static buddy_code rewrite_to_expand(rewriting *in) {
  const buddy_value *value = first_operand(in);
  if (!value) return BUDDY_OK;
  BD_TRY(bd_build_expand(&in->at, value, result_type(in), &value));
  return replace(in, value);
}

/* Whether a size or another number of the program is read from this value. */
static bool gives_symbol(const buddy_graph *graph, const buddy_value *value) {
  for (size_t i = 0; i < buddy_graph_n_symbols(graph); ++i) {
    if (buddy_graph_symbol(graph, i)->bound_to == value) return true;
  }
  return false;
}

/* The op behind index_put: whether its indices are checked is no matter of values. */
static buddy_code rewrite_index_put(rewriting *in) {
  static const char *const names[] = {"self", "indices", "values", "accumulate"};
  const buddy_value *value;
  buddy_named_arg args[4];
  for (size_t i = 0; i < 4; ++i)
    args[i] = (buddy_named_arg){names[i], *buddy_node_arg_find(in->node, names[i])};
  BD_TRY(bd_build_value(&in->at, "aten.index_put.default", args, 4, result_type(in), &value));
  return replace(in, value);
}

/* Brings what was built between two nodes into form; first: null, from the beginning of the graph. */
static buddy_code normalize_between(buddy_graph *graph, buddy_node *first, buddy_node *last,
                                    buddy_diags *diags) {
  buddy_node *node = first ? buddy_node_next(first) : buddy_graph_first(graph), *next;
  for (; node != last; node = next) {
    bool is_gone;
    next = buddy_node_next(node);
    BD_TRY(bd_normalize_op(node, diags, &is_gone));
    BD_TRY(is_gone ? bd_build_erase(node, diags) : bd_normalize_args(node, diags));
  }
  return BUDDY_OK;
}

/* Views that views.c knows how to read: each result that is used becomes one op on the source. */
static buddy_code rewrite_by_view(rewriting *in) {
  buddy_node *before = buddy_node_prev(in->node);
  size_t source;
  const buddy_arg *arg =
      bd_view_source(in->node, &source) ? buddy_node_arg(in->node, source) : NULL;
  if (!arg || arg->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  const buddy_value *from = arg->as.tensor;
  bd_arena arena;
  bd_arena_init(&arena);
  buddy_code code = BUDDY_OK;
  bool is_whole = true;
  for (size_t i = 0; i < buddy_node_n_results(in->node) && !code; ++i) {
    const buddy_value *part = buddy_node_result(in->node, i), *value;
    bd_view view;
    if (!buddy_value_n_uses(part) && !gives_symbol(in->at.graph, part)) continue;
    code = bd_view_describe(in->node, i, from, NULL, &arena, &view);
    if (code || view.kind == BD_VIEW_NONE || view.kind == BD_VIEW_MAYBE ||
        view.kind >= BD_VIEW_REAL) {
      is_whole = false;
      continue;
    }
    code = bd_view_derive(&view, in->node, in->at.graph, from, in->at.diags, &value);
    if (!code) code = buddy_graph_replace_value(in->at.graph, part, value);
  }
  bd_arena_deinit(&arena);
  in->is_gone = !code && is_whole;
  if (code && code != BUDDY_UNSUPPORTED) return code;
  return normalize_between(in->at.graph, before, in->node, in->at.diags);
}

/* The same without an argument that a schema marks as viewed. */
static buddy_code rewrite_unsafe_split(rewriting *in) { return rewrite_by_view(in); }

/* The view that "aten.slice_copy.Tensor" copies, "aten.slice.Tensor": where tensors are values, the
 * two are the same. Null: it is no copy of a view. */
static buddy_code copied_view(const buddy_graph *graph, const buddy_opdef *def,
                              const buddy_opdef **out_view) {
  static const char suffix[] = "_copy.";
  const char *op = buddy_opdef_name(def), *end = strstr(op, suffix);
  char name[96];
  if (!end || snprintf(name, sizeof name, "%.*s%s", (int)(end - op), op, end + sizeof suffix - 2) >=
                  (int)sizeof name)
    return BUDDY_OK;
  const buddy_opdef *view;
  BD_TRY(bd_opset_look_up(buddy_graph_opset(graph), name, &view));
  if (!view || buddy_opdef_n_args(view) != buddy_opdef_n_args(def)) return BUDDY_OK;
  for (size_t i = 0; i < buddy_opdef_n_args(def); ++i) {
    if (strcmp(buddy_opdef_arg(def, i)->name, buddy_opdef_arg(view, i)->name)) return BUDDY_OK;
  }
  *out_view = view;
  return BUDDY_OK;
}

buddy_code bd_normalize_copied_view(buddy_node *node, buddy_diags *diags, buddy_node **out_view) {
  enum { MAX_ARGS = 8, MAX_RESULTS = 256 };
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_opdef *def = buddy_node_opdef(node), *view = NULL;
  const size_t n_args = buddy_node_n_args(node), n_results = buddy_node_n_results(node);
  buddy_named_arg args[MAX_ARGS];
  buddy_tensor_type types[MAX_RESULTS];
  *out_view = NULL;
  if (def) BD_TRY(copied_view(at.graph, def, &view));
  if (!view || n_args > MAX_ARGS || n_results > MAX_RESULTS || n_args > buddy_opdef_n_args(view))
    return BUDDY_OK;
  for (size_t i = 0; i < n_args; ++i)
    args[i] = (buddy_named_arg){buddy_opdef_arg(view, i)->name, *buddy_node_arg(node, i)};
  for (size_t i = 0; i < n_results; ++i) types[i] = *buddy_value_type(buddy_node_result(node, i));
  buddy_node *made;
  BD_TRY(bd_build_node(&at, buddy_opdef_name(view), args, n_args, types, n_results, &made));
  for (size_t i = 0; i < n_results; ++i)
    BD_TRY(buddy_graph_replace_value(buddy_node_graph(node), buddy_node_result(node, i),
                                     buddy_node_result(made, i)));
  *out_view = made;
  return bd_build_erase(node, diags);
}

/* ---- The table ---- */

typedef struct op_rewrite {
  const char *op; /* with or without overload */
  rewrite_function rewrite;
} op_rewrite;

/* Sorted by op. */
static const op_rewrite rewrites[] = {
    {"aten._assert_tensor_metadata", drop},
    {"aten._cast_Byte", rewrite_conversion},
    {"aten._cast_Char", rewrite_conversion},
    {"aten._cast_Double", rewrite_conversion},
    {"aten._cast_Float", rewrite_conversion},
    {"aten._cast_Half", rewrite_conversion},
    {"aten._cast_Int", rewrite_conversion},
    {"aten._cast_Long", rewrite_conversion},
    {"aten._cast_Short", rewrite_conversion},
    {"aten._conj", keep_real_operand},
    {"aten._index_put_impl", rewrite_index_put},
    {"aten._reshape_alias", rewrite_to_view},
    {"aten._to_copy", rewrite_to_copy},
    {"aten.adjoint", rewrite_by_view},
    {"aten.alias", keep_operand},
    {"aten.alpha_dropout", rewrite_dropout},
    {"aten.atleast_1d", rewrite_to_view},
    {"aten.atleast_2d", rewrite_to_view},
    {"aten.atleast_3d", rewrite_to_view},
    {"aten.broadcast_to", rewrite_to_expand},
    {"aten.chunk", rewrite_by_view},
    {"aten.clone", keep_operand},
    {"aten.conj", keep_real_operand},
    {"aten.conj_physical", keep_real_operand},
    {"aten.contiguous", keep_operand},
    {"aten.copy", rewrite_copy},
    {"aten.detach", keep_operand},
    {"aten.dropout", rewrite_dropout},
    {"aten.dsplit", rewrite_by_view},
    {"aten.empty", fill_zero},
    {"aten.empty_like", fill_zero},
    {"aten.empty_permuted", fill_zero},
    {"aten.empty_strided", fill_zero},
    {"aten.expand_as", rewrite_to_expand},
    {"aten.feature_alpha_dropout", rewrite_dropout},
    {"aten.feature_dropout", rewrite_dropout},
    {"aten.fill", fill_given},
    {"aten.full", rewrite_full},
    {"aten.full_like", fill_given},
    {"aten.hsplit", rewrite_by_view},
    {"aten.lift", keep_operand},
    {"aten.lift_fresh", keep_operand},
    {"aten.mH", rewrite_by_view},
    {"aten.mT", rewrite_by_view},
    {"aten.matrix_H", rewrite_by_view},
    {"aten.movedim", rewrite_by_view},
    {"aten.narrow", rewrite_by_view},
    {"aten.native_dropout", rewrite_native_dropout},
    {"aten.new_empty", fill_zero},
    {"aten.new_empty_strided", fill_zero},
    {"aten.new_full", fill_given},
    {"aten.new_ones", fill_one},
    {"aten.new_zeros", fill_zero},
    {"aten.numpy_T", rewrite_by_view},
    {"aten.ones", fill_one},
    {"aten.ones_like", fill_one},
    {"aten.pin_memory", keep_operand},
    {"aten.positive", keep_operand},
    {"aten.ravel", rewrite_to_view},
    {"aten.real", keep_real_operand},
    {"aten.reshape_as", rewrite_to_view},
    {"aten.resolve_conj", keep_real_operand},
    {"aten.resolve_neg", keep_operand},
    {"aten.scalar_tensor", rewrite_scalar_tensor},
    {"aten.split", rewrite_by_view},
    {"aten.split_with_sizes", rewrite_by_view},
    {"aten.swapaxes", rewrite_by_view},
    {"aten.sym_constrain_range", drop},
    {"aten.sym_constrain_range_for_size", drop},
    {"aten.tensor_split", rewrite_by_view},
    {"aten.to", rewrite_conversion},
    {"aten.type_as", rewrite_conversion},
    {"aten.unbind", rewrite_by_view},
    {"aten.unsafe_chunk", rewrite_unsafe_split},
    {"aten.unsafe_split", rewrite_unsafe_split},
    {"aten.unsafe_split_with_sizes", rewrite_unsafe_split},
    {"aten.view_as", rewrite_to_view},
    {"aten.vsplit", rewrite_by_view},
    {"aten.zero", fill_zero},
    {"aten.zeros", fill_zero},
    {"aten.zeros_like", fill_zero},
    {"quantized_decomposed.convert_element_type", rewrite_conversion},
};

/* Shape ops that stay themselves unless they change nothing. */
static bool may_change_nothing(const buddy_opdef *def, const char *op) {
  const buddy_op_kind kind = buddy_opdef_kind(def);
  if (kind == BUDDY_KIND_RESHAPE) return strcmp(op, "aten.view.dtype") != 0;
  return !strcmp(op, "aten.slice.Tensor");
}

static const op_rewrite *find_rewrite(const char *op) {
  char base[96];
  const char *dot = strrchr(op, '.');
  const op_rewrite *found = BD_ROW_OF(op, rewrites);
  if (found || !dot || (size_t)(dot - op) >= sizeof base) return found;
  memcpy(base, op, (size_t)(dot - op));
  base[dot - op] = 0;
  return BD_ROW_OF(base, rewrites);
}

/* transpose and permute of nothing. */
static bool is_identity(const buddy_node *node, const char *op) {
  if (!strcmp(op, "aten.permute.default")) {
    const buddy_arg *dims = buddy_node_arg_find(node, "dims");
    for (size_t i = 0; i < dims->n; ++i) {
      const int64_t dim =
          dims->as.ints[i] < 0 ? dims->as.ints[i] + (int64_t)dims->n : dims->as.ints[i];
      if (dim != (int64_t)i) return false;
    }
    return dims->kind == BUDDY_ARG_INTS;
  }
  return !strcmp(op, "aten.t.default") && buddy_value_type(buddy_node_result(node, 0))->rank < 2;
}

/* Whether no result has an element, by numbers. */
static bool is_empty(const buddy_node *node) {
  const size_t n = buddy_node_n_results(node);
  for (size_t i = 0; i < n; ++i) {
    const buddy_tensor_type *type = buddy_value_type(buddy_node_result(node, i));
    uint32_t k = 0;
    while (k < type->rank && type->dims[k] != 0) ++k;
    if (k == type->rank) return false;
  }
  return n > 0;
}

/* Tensors without elements are all the same, however they are computed: no row need know windows
 * over nothing. */
static buddy_code fill_empty(rewriting *in) {
  for (size_t i = 0; i < buddy_node_n_results(in->node); ++i) {
    const buddy_value *from = buddy_node_result(in->node, i), *value;
    const buddy_tensor_type type = *buddy_value_type(from);
    const buddy_arg zero = {.kind = BUDDY_ARG_INT};
    const buddy_named_arg args[] = {{"size", bd_size_arg(&type)},
                                    {"fill_value", number_as(&zero, type.dtype)},
                                    {"dtype", bd_dtype_arg(type.dtype)}};
    BD_TRY(bd_build_value(&in->at, "aten.full.default", args, 3, &type, &value));
    BD_TRY(buddy_graph_replace_value(in->at.graph, from, value));
  }
  in->is_gone = true;
  return BUDDY_OK;
}

/* Ops that do nothing but compute their results, and more than where elements lie. */
static bool only_computes(const buddy_opdef *def) {
  switch (buddy_opdef_kind(def)) {
    case BUDDY_KIND_SIDE_EFFECT:
    case BUDDY_KIND_CONTROL:
    case BUDDY_KIND_CREATION:
    case BUDDY_KIND_INDEXING:
    case BUDDY_KIND_RESHAPE:
    case BUDDY_KIND_TRANSPOSE:
      return false;
    default:
      return !strncmp(buddy_opdef_name(def), "aten.", 5);
  }
}

buddy_code bd_normalize_op(buddy_node *node, buddy_diags *diags, bool *out_is_gone) {
  *out_is_gone = false;
  const buddy_opdef *def = buddy_node_opdef(node);
  if (!def) return BUDDY_OK;
  rewriting in = {.node = node,
                  .at = {.graph = buddy_node_graph(node), .before = node, .diags = diags}};
  const char *op = buddy_opdef_name(def);
  const op_rewrite *found = find_rewrite(op);
  buddy_code code = BUDDY_OK;
  if (is_empty(node) && only_computes(def)) {
    code = fill_empty(&in);
  } else if (found) {
    code = buddy_node_n_results(node) || found->rewrite == drop ? found->rewrite(&in) : BUDDY_OK;
  } else if (buddy_node_n_results(node) == 1 &&
             (may_change_nothing(def, op) || is_identity(node, op))) {
    code = keep_whole(&in);
  }
  *out_is_gone = in.is_gone;
  return code;
}
