// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/sizes.c: arithmetic on sizes, and on those that only the running program knows.
 *
 * "x[a.item():b.item()]" is aten.slice.Tensor(x, 0, u0, u1) with a result f32[u2,4]: PyTorch does
 * not say how u2 follows from u0 and u1. It is, as for every slice,
 *
 *   start = wrapped(u0) brought into 0 … size
 *   end   = wrapped(u1) brought into start … size
 *   u2    = (end - start + step - 1) // step
 *
 * which are dims: min and max fold where the ranges of the symbols allow it. */
#include "sdk/import/sizes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/graph/guards.h"
#include "sdk/import/build.h"
#include "sdk/import/tables.h"

#define MAX_DEPTH 128 /* of expressions, as buddy_graph_dim makes them */

/* ---- Positions ---- */

/* position + size * [position < 0], the bracket being min(1, max(0, -position)) */
buddy_code bd_position_wrap(buddy_graph *graph, int64_t position, int64_t size,
                            int64_t *out_position) {
  int64_t below, is_negative, shift;
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_SUB, 0, position, &below));
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MAX, below, 0, &below));
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MIN, below, 1, &is_negative));
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MUL, is_negative, size, &shift));
  return buddy_graph_dim(graph, BUDDY_DIM_ADD, position, shift, out_position);
}

static buddy_code bring_into(buddy_graph *graph, int64_t low, int64_t high, int64_t *position) {
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MIN, *position, high, position));
  return buddy_graph_dim(graph, BUDDY_DIM_MAX, *position, low, position);
}

/* ---- Slices ---- */

typedef struct slice {
  size_t i_start, i_end; /* the arguments */
  int64_t start, end, step;
  int64_t size; /* of the dim that is cut */
  size_t symbol;
} slice;

static bool mentions(const buddy_graph *graph, int64_t dim, int64_t symbol, int depth) {
  if (dim == symbol || depth > MAX_DEPTH) return true;
  const size_t n = buddy_graph_dim_n_operands(graph, dim);
  for (size_t i = 0; i < n; ++i) {
    if (mentions(graph, buddy_graph_dim_operand(graph, dim, i), symbol, depth + 1)) return true;
  }
  return false;
}

bool bd_sizes_mention(const buddy_graph *graph, int64_t dim, int64_t symbol) {
  return mentions(graph, dim, symbol, 0);
}

static bool arg_number(const buddy_node *node, const char *name, size_t *out_i) {
  const buddy_sv text = {name, strlen(name)};
  return !buddy_opdef_arg_find(buddy_node_opdef(node), text, out_i);
}

/* An end of the slice; false if it is a tensor. */
static bool read_end(const buddy_node *node, size_t i, int64_t missing, int64_t *out_end) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  *out_end = arg->kind == BUDDY_ARG_INT ? arg->as.i : missing;
  if (*out_end == INT64_MAX) *out_end = missing;
  return arg->kind == BUDDY_ARG_INT || arg->kind == BUDDY_ARG_NONE;
}

/* Whether the node is a slice whose length is a symbol that comes up here. A length that the
 * exporter could tell is an expression of the ends and the size. */
static bool read_slice(const buddy_node *node, slice *out) {
  const buddy_graph *graph = buddy_node_graph(node);
  const buddy_arg *self = buddy_node_arg_find(node, "self"),
                  *dim = buddy_node_arg_find(node, "dim"),
                  *step = buddy_node_arg_find(node, "step");
  if (self->kind != BUDDY_ARG_TENSOR || dim->kind != BUDDY_ARG_INT) return false;
  if (step->kind != BUDDY_ARG_INT || BUDDY_IS_SYMBOLIC(step->as.i) || step->as.i < 1) return false;
  const buddy_tensor_type *from = buddy_value_type(self->as.tensor),
                          *to = buddy_value_type(buddy_node_result(node, 0));
  const int64_t axis = dim->as.i < 0 ? dim->as.i + (int64_t)from->rank : dim->as.i;
  if (axis < 0 || axis >= from->rank || from->rank != to->rank) return false;
  const int64_t length = to->dims[axis];
  if (!BUDDY_IS_SYMBOLIC(length) || buddy_graph_dim_kind(graph, length) != BUDDY_DIM_KIND_SYMBOL)
    return false;
  *out = (slice){.step = step->as.i,
                 .size = from->dims[axis],
                 .symbol = buddy_graph_dim_symbol(graph, length)};
  if (!arg_number(node, "start", &out->i_start) || !arg_number(node, "end", &out->i_end))
    return false;
  if (!read_end(node, out->i_start, 0, &out->start) ||
      !read_end(node, out->i_end, out->size, &out->end))
    return false;
  return !buddy_graph_symbol(graph, out->symbol)->bound_to &&
         !bd_sizes_mention(graph, out->start, length) &&
         !bd_sizes_mention(graph, out->end, length) && !bd_sizes_mention(graph, out->size, length);
}

static buddy_code length_of(buddy_graph *graph, slice *of, int64_t *out_length) {
  BD_TRY(bd_position_wrap(graph, of->start, of->size, &of->start));
  BD_TRY(bd_position_wrap(graph, of->end, of->size, &of->end));
  BD_TRY(bring_into(graph, 0, of->size, &of->start));
  if (of->end != of->size) BD_TRY(bring_into(graph, of->start, of->size, &of->end));
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_SUB, of->end, of->start, out_length));
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_ADD, *out_length, of->step - 1, out_length));
  return buddy_graph_dim(graph, BUDDY_DIM_FLOORDIV, *out_length, of->step, out_length);
}

/* The symbol is bound to the number that the dim is, before the node. */
static buddy_code bind_symbol(const bd_build *at, size_t symbol, int64_t dim) {
  const buddy_tensor_type type = {.dtype = BUDDY_I64};
  const buddy_value *value;
  const buddy_named_arg args[] = {{"s", bd_int_arg(dim)}, {"dtype", bd_dtype_arg(BUDDY_I64)}};
  BD_TRY(bd_build_value(at, "aten.scalar_tensor.default", args, 2, &type, &value));
  return buddy_graph_bind_symbol(at->graph, symbol, value);
}

/* A 0-d tensor as a symbol that is bound to it, as it is here: the program may write into it later. */
static buddy_code symbol_of(const bd_build *at, const buddy_value *value, int64_t *out_dim) {
  char name[300];
  snprintf(name, sizeof name, "%.256s_item", buddy_value_name(value));
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(value)}};
  BD_TRY(bd_build_value(at, "aten.clone.default", args, 1, buddy_value_type(value), &value));
  BD_TRY(buddy_graph_add_symbol(at->graph, name, INT64_MIN, INT64_MAX, out_dim));
  return buddy_graph_bind_symbol(at->graph, buddy_graph_dim_symbol(at->graph, *out_dim), value);
}

/* An end that is computed as a 0-d tensor becomes a dim. */
static buddy_code end_as_dim(buddy_node *node, const char *name, buddy_diags *diags) {
  size_t i;
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  buddy_arg end = {.kind = BUDDY_ARG_INT};
  if (!arg_number(node, name, &i)) return BUDDY_OK;
  const buddy_arg *arg = buddy_node_arg(node, i);
  if (arg->kind != BUDDY_ARG_TENSOR || buddy_value_type(arg->as.tensor)->rank > 0) return BUDDY_OK;
  BD_TRY(symbol_of(&at, arg->as.tensor, &end.as.i));
  return buddy_node_set_arg(node, i, &end, diags);
}

static buddy_code bind_slice(buddy_node *node, buddy_diags *diags) {
  slice of;
  int64_t length;
  buddy_graph *graph = buddy_node_graph(node);
  const bd_build at = {.graph = graph, .before = node, .diags = diags};
  BD_TRY(end_as_dim(node, "start", diags));
  BD_TRY(end_as_dim(node, "end", diags));
  if (!read_slice(node, &of)) return BUDDY_OK;
  BD_TRY(length_of(graph, &of, &length));
  BD_TRY(bind_symbol(&at, of.symbol, length));
  const buddy_arg start = bd_int_arg(of.start), end = bd_int_arg(of.end);
  BD_TRY(buddy_node_set_arg(node, of.i_start, &start, diags));
  return buddy_node_set_arg(node, of.i_end, &end, diags);
}

/* ---- Other views ---- */

/* narrow says its length; the program checks that the part lies within the tensor. */
static buddy_code bind_narrow(buddy_node *node, buddy_diags *diags) {
  buddy_graph *graph = buddy_node_graph(node);
  const bd_build at = {.graph = graph, .before = node, .diags = diags};
  const buddy_arg *dim = buddy_node_arg_find(node, "dim"),
                  *length = buddy_node_arg_find(node, "length");
  const buddy_tensor_type *to = buddy_value_type(buddy_node_result(node, 0));
  if (dim->kind != BUDDY_ARG_INT || length->kind != BUDDY_ARG_INT) return BUDDY_OK;
  const int64_t axis = dim->as.i < 0 ? dim->as.i + (int64_t)to->rank : dim->as.i;
  if (axis < 0 || axis >= to->rank || to->dims[axis] == length->as.i) return BUDDY_OK;
  const size_t symbol = buddy_graph_dim_symbol(graph, to->dims[axis]);
  if (symbol == SIZE_MAX || buddy_graph_symbol(graph, symbol)->bound_to) return BUDDY_OK;
  return bd_sizes_mention(graph, length->as.i, to->dims[axis])
             ? BUDDY_OK
             : bind_symbol(&at, symbol, length->as.i);
}

/* narrow from a position that a tensor holds. The node is left without uses. */
static buddy_code rewrite_narrow(buddy_node *node, buddy_diags *diags) {
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_value *start = buddy_node_arg_find(node, "start")->as.tensor;
  buddy_arg first = {.kind = BUDDY_ARG_INT};
  buddy_node *made;
  if (buddy_value_type(start)->rank > 0) return BUDDY_OK;
  BD_TRY(symbol_of(&at, start, &first.as.i));
  const buddy_named_arg args[] = {{"self", *buddy_node_arg_find(node, "self")},
                                  {"dim", *buddy_node_arg_find(node, "dim")},
                                  {"start", first},
                                  {"length", *buddy_node_arg_find(node, "length")}};
  BD_TRY(bd_build_node(&at, "aten.narrow.default", args, 4,
                       buddy_value_type(buddy_node_result(node, 0)), 1, &made));
  BD_TRY(bind_narrow(made, diags));
  return buddy_graph_replace_value(buddy_node_graph(node), buddy_node_result(node, 0),
                                   buddy_node_result(made, 0));
}

/* Element i of the tensor, as a symbol of its own. */
static buddy_code element_symbol(const bd_build *at, const buddy_value *tensor, size_t i,
                                 int64_t *out_dim) {
  const buddy_tensor_type type = {.dtype = buddy_value_type(tensor)->dtype};
  const buddy_value *element;
  const buddy_named_arg args[] = {
      {"self", bd_tensor_arg(tensor)}, {"dim", bd_int_arg(0)}, {"index", bd_int_arg((int64_t)i)}};
  BD_TRY(bd_build_value(at, "aten.select.int", args, 3, &type, &element));
  return symbol_of(at, element, out_dim);
}

/* tensor_split at the positions that a tensor tells is as many slices. The node is left without
 * uses. */
static buddy_code rewrite_tensor_split(buddy_node *node, buddy_diags *diags) {
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_arg *self = buddy_node_arg_find(node, "self"),
                  *positions = buddy_node_arg_find(node, "tensor_indices_or_sections");
  const size_t n = buddy_node_n_results(node);
  const buddy_tensor_type *type = buddy_value_type(positions->as.tensor);
  if (type->rank != 1 || n == 0 || type->dims[0] != (int64_t)n - 1) return BUDDY_OK;
  buddy_arg start = {.kind = BUDDY_ARG_INT}, end = {.kind = BUDDY_ARG_INT};
  for (size_t i = 0; i < n; ++i, start = end) {
    buddy_node *part;
    end.as.i = INT64_MAX;
    if (i + 1 < n) BD_TRY(element_symbol(&at, positions->as.tensor, i, &end.as.i));
    const buddy_named_arg args[] = {{"self", *self},
                                    {"dim", *buddy_node_arg_find(node, "dim")},
                                    {"start", start},
                                    {"end", end}};
    BD_TRY(bd_build_node(&at, "aten.slice.Tensor", args, 4,
                         buddy_value_type(buddy_node_result(node, i)), 1, &part));
    BD_TRY(bind_slice(part, diags));
    BD_TRY(buddy_graph_replace_value(buddy_node_graph(node), buddy_node_result(node, i),
                                     buddy_node_result(part, 0)));
  }
  return BUDDY_OK;
}

/* ---- Squeezing ---- */

static bool is_among(const buddy_node *node, int64_t dim, int64_t rank) {
  const buddy_arg *dims = buddy_node_arg_find(node, "dim");
  const bool is_list = dims && dims->kind == BUDDY_ARG_INTS;
  if (!dims || (!is_list && dims->kind != BUDDY_ARG_INT)) return true;
  for (size_t i = 0; i < (is_list ? dims->n : 1); ++i) {
    const int64_t each = is_list ? dims->as.ints[i] : dims->as.i;
    if (dim == (each < 0 ? each + rank : each)) return true;
  }
  return false;
}

/* Dims that the result has were no 1 when the program was traced, in the others the contract wants 1. */
static buddy_code require_no_ones(buddy_node *node, buddy_diags *diags) {
  const buddy_arg *self = buddy_node_arg_find(node, "self");
  if (self->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  const buddy_tensor_type *from = buddy_value_type(self->as.tensor),
                          *to = buddy_value_type(buddy_node_result(node, 0));
  for (uint32_t i = 0, kept = 0; i < from->rank; ++i) {
    if (kept == to->rank || to->dims[kept] != from->dims[i]) continue;
    ++kept;
    if (!BUDDY_IS_SYMBOLIC(from->dims[i]) || !is_among(node, i, from->rank)) continue;
    BD_TRY(bd_graph_require(buddy_node_graph(node), BD_NE, from->dims[i], 1, node, diags));
  }
  return BUDDY_OK;
}

buddy_code bd_sizes_bind(buddy_node *node, buddy_diags *diags) {
  static const struct binding {
    const char *op;
    buddy_code (*bind)(buddy_node *node, buddy_diags *diags);
  } ops[] = {{"aten.narrow.Tensor", rewrite_narrow},
             {"aten.narrow.default", bind_narrow},
             {"aten.slice.Tensor", bind_slice},
             {"aten.squeeze.default", require_no_ones},
             {"aten.squeeze.dim", require_no_ones},
             {"aten.squeeze.dims", require_no_ones},
             {"aten.squeeze_.default", require_no_ones},
             {"aten.squeeze_.dim", require_no_ones},
             {"aten.squeeze_.dims", require_no_ones},
             {"aten.squeeze_copy.default", require_no_ones},
             {"aten.squeeze_copy.dim", require_no_ones},
             {"aten.squeeze_copy.dims", require_no_ones},
             {"aten.tensor_split.tensor_indices_or_sections", rewrite_tensor_split}};
  const struct binding *found = BD_ROW_OF(buddy_node_op(node), ops);
  return found ? found->bind(node, diags) : BUDDY_OK;
}

buddy_code bd_dim_add(buddy_graph *graph, int64_t a, int64_t b, int64_t *out_dim) {
  return buddy_graph_dim(graph, BUDDY_DIM_ADD, a, b, out_dim);
}

buddy_code bd_dim_sub(buddy_graph *graph, int64_t a, int64_t b, int64_t *out_dim) {
  return buddy_graph_dim(graph, BUDDY_DIM_SUB, a, b, out_dim);
}

buddy_code bd_dim_extent(buddy_graph *graph, const int64_t *sizes, const int64_t *strides, size_t n,
                         int64_t first, int64_t *out_extent) {
  int64_t end = first, is_seen = 1;
  for (size_t i = 0; i < n; ++i) {
    int64_t step, has_any;
    BD_TRY(bd_dim_sub(graph, sizes[i], 1, &step));
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MUL, step, strides[i], &step));
    BD_TRY(bd_dim_add(graph, end, step, &end));
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MIN, sizes[i], 1, &has_any));
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MUL, is_seen, has_any, &is_seen));
  }
  BD_TRY(bd_dim_add(graph, end, 1, &end));
  return buddy_graph_dim(graph, BUDDY_DIM_MUL, end, is_seen, out_extent);
}

buddy_code bd_dim_count(buddy_graph *graph, const buddy_tensor_type *type, int64_t *out_dim) {
  *out_dim = 1;
  for (uint32_t i = 0; i < type->rank; ++i)
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MUL, *out_dim, type->dims[i], out_dim));
  return BUDDY_OK;
}
