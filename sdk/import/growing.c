// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/growing.c: pairs that grow; see growing.h. Of
 *
 *   out = cat([past, new], 2)                         past: [b, h, s, w]
 *
 * are made
 *
 *   all = slice_scatter(past, permute(new), 0, s, s+t)   past: [s+t, b, h, w], whose new value is all
 *   out = permute(all)
 *
 * which the compiler writes in place, and reads as it lies. */
#include "sdk/import/growing.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/memory.h"
#include "core/graph/model.h"
#include "sdk/import/build.h"

enum { MAX_RANK = 64 };

typedef struct pair {
  size_t input, output;
  buddy_node *cat;
  const buddy_value *past, *added;
  const buddy_value
      *operand; /* of the cat: the past, maybe by way of nodes that give it as it is */
  uint32_t dim;
} pair;

void bd_growing_deinit(bd_growing *growing) {
  bd_free(growing->items);
  *growing = (bd_growing){.items = NULL};
}

/* ---- Finding ---- */

static bool is_written(const buddy_graph *graph, const buddy_value *input) {
  for (size_t i = 0; i < buddy_graph_n_outputs(graph); ++i) {
    if (buddy_graph_output_kind(graph, i) == BUDDY_OUTPUT_INPUT_MUTATION &&
        strcmp(buddy_graph_output_target(graph, i), buddy_value_name(input)) == 0)
      return true;
  }
  return false;
}

static bool is_empty(const buddy_value *value) {
  const buddy_tensor_type *type = buddy_value_type(value);
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (type->dims[d] == 0) return true;
  }
  return false;
}

/* What the node gives as it is, if it has that type; null: it gives something else. A cache of transformers
 * begins as a tensor without elements, which the past is joined to. */
static const buddy_value *passed(const buddy_node *node) {
  static const char *const copies[] = {"aten.alias.default", "aten.clone.default",
                                       "aten.detach.default", "aten.contiguous.default"};
  const buddy_arg *first = node ? buddy_node_arg(node, 0) : NULL;
  for (size_t i = 0; first && i < sizeof copies / sizeof *copies; ++i) {
    if (strcmp(buddy_node_op(node), copies[i]) == 0) return first->as.tensor;
  }
  if (!first || strcmp(buddy_node_op(node), "aten.cat.default") != 0 || first->n != 2) return NULL;
  const buddy_value *const *of = first->as.tensors;
  return is_empty(of[0]) ? of[1] : is_empty(of[1]) ? of[0] : NULL;
}

static bool is_same_type(const buddy_value *a, const buddy_value *b) {
  return bd_same_dims(buddy_value_type(a), buddy_value_type(b)) &&
         buddy_value_type(a)->dtype == buddy_value_type(b)->dtype;
}

/* The operands of a cat of two, of one dtype and rank, along a dim. */
static bool read_cat(buddy_node *node, pair *out) {
  const buddy_arg *tensors = buddy_node_arg_find(node, "tensors"),
                  *dim = buddy_node_arg_find(node, "dim");
  if (strcmp(buddy_node_op(node), "aten.cat.default") != 0 || !tensors ||
      tensors->kind != BUDDY_ARG_TENSORS || tensors->n != 2)
    return false;
  out->cat = node;
  out->past = out->operand = tensors->as.tensors[0];
  for (const buddy_value *value = out->past; value && is_same_type(value, out->operand);
       value = passed(buddy_value_node(value)))
    out->past = value;
  out->added = tensors->as.tensors[1];
  const buddy_tensor_type *past = buddy_value_type(out->past),
                          *added = buddy_value_type(out->added),
                          *all = buddy_value_type(buddy_node_result(node, 0));
  const int64_t d = !dim ? 0 : dim->kind == BUDDY_ARG_INT ? dim->as.i : INT64_MIN;
  if (past->rank == 0 || past->rank > MAX_RANK || past->rank != added->rank ||
      past->rank != all->rank || past->dtype != added->dtype || past->dtype != all->dtype ||
      d < -(int64_t)past->rank || d >= (int64_t)past->rank)
    return false;
  out->dim = (uint32_t)(d < 0 ? d + past->rank : d);
  return true;
}

/* Whether output i of the graph is such a pair. */
static bool find(const buddy_graph *graph, size_t i, pair *out) {
  const buddy_arg *arg = buddy_graph_output(graph, i);
  if (buddy_graph_output_kind(graph, i) != BUDDY_OUTPUT_USER || arg->kind != BUDDY_ARG_TENSOR)
    return false;
  buddy_node *node = buddy_value_node(arg->as.tensor);
  if (!node || !read_cat(node, out) || buddy_value_node(out->past) || out->added == out->past)
    return false;
  out->output = i;
  out->input = buddy_value_index(out->past);
  const int64_t length = buddy_value_type(out->past)->dims[out->dim];
  return buddy_graph_input_kind(graph, out->input) == BUDDY_INPUT_USER &&
         BUDDY_IS_SYMBOLIC(length) &&
         buddy_graph_dim_kind(graph, length) == BUDDY_DIM_KIND_SYMBOL &&
         !is_written(graph, out->past);
}

/* ---- Changing ---- */

/* The order in which dim comes first, and what takes it back. */
static void orders(uint32_t rank, uint32_t dim, int64_t *first, int64_t *back) {
  for (uint32_t d = 0; d < rank; ++d) {
    first[d] = d == 0 ? dim : d <= dim ? d - 1 : d;
    back[first[d]] = d;
  }
}

static buddy_code permute(const bd_build *at, const buddy_value *value, const int64_t *order,
                          const buddy_value **out) {
  const buddy_tensor_type *type = buddy_value_type(value);
  int64_t dims[MAX_RANK];
  for (uint32_t d = 0; d < type->rank; ++d) dims[d] = type->dims[order[d]];
  const buddy_tensor_type permuted = {type->dtype, type->rank, dims};
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(value)},
                                  {"dims", bd_ints_arg(order, type->rank)}};
  *out = value;
  return order[0] == 0 ? BUDDY_OK
                       : bd_build_value(at, "aten.permute.default", args, 2, &permuted, out);
}

/* What else reads the input has what it was before: its first part. */
static buddy_code keep_readers(buddy_graph *graph, const pair *p, const buddy_tensor_type *before,
                               const int64_t *back, buddy_node *writer, buddy_diags *diags) {
  const bd_build at = {graph, buddy_graph_first(graph), diags};
  const buddy_value *turned = NULL, *old = NULL;
  if (buddy_value_n_uses(p->past) == 1) return BUDDY_OK; /* it is written to */
  BD_TRY(permute(&at, p->past, back, &turned));
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(turned)},
                                  {"dim", bd_int_arg(p->dim)},
                                  {"start", bd_int_arg(0)},
                                  {"end", bd_int_arg(before->dims[p->dim])}};
  BD_TRY(bd_build_value(&at, "aten.slice.Tensor", args, 4, before, &old));
  BD_TRY(buddy_graph_replace_value(graph, p->past, old));
  buddy_node *reader = buddy_value_node(turned == p->past ? old : turned);
  const buddy_arg own = bd_tensor_arg(p->past);
  BD_TRY(buddy_node_set_arg(writer, 0, &own, diags));
  return buddy_node_set_arg(reader, 0, &own, diags);
}

/* The cat, and what gave it the past, where nobody else uses it. */
static buddy_code erase(const pair *p, buddy_diags *diags) {
  const buddy_value *value = p->operand;
  BD_TRY(bd_build_erase(p->cat, diags));
  while (value != p->past && buddy_value_n_uses(value) == 0) {
    buddy_node *node = buddy_value_node(value);
    value = passed(node);
    BD_TRY(bd_build_erase(node, diags));
  }
  return BUDDY_OK;
}

static buddy_code build(const bd_build *at, const pair *p, int64_t length, int64_t total,
                        const int64_t *first, const buddy_value **out_all) {
  const buddy_value *added = NULL;
  BD_TRY(permute(at, p->added, first, &added));
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(p->past)},
                                  {"src", bd_tensor_arg(added)},
                                  {"dim", bd_int_arg(0)},
                                  {"start", bd_int_arg(length)},
                                  {"end", bd_int_arg(total)}};
  return bd_build_value(at, "aten.slice_scatter.default", args, 5, buddy_value_type(p->past),
                        out_all);
}

static buddy_code apply(buddy_graph *graph, const pair *p, buddy_diags *diags) {
  const bd_build at = {graph, p->cat, diags};
  const buddy_value *joined = buddy_node_result(p->cat, 0), *all = NULL, *out = NULL;
  const buddy_tensor_type *type = buddy_value_type(joined);
  int64_t first[MAX_RANK] = {0}, back[MAX_RANK] = {0}, dims[MAX_RANK], old[MAX_RANK];
  orders(type->rank, p->dim, first, back);
  memcpy(old, buddy_value_type(p->past)->dims, type->rank * sizeof *old);
  for (uint32_t d = 0; d < type->rank; ++d) dims[d] = type->dims[first[d]];
  const buddy_tensor_type before = {type->dtype, type->rank, old},
                          after = {type->dtype, type->rank, dims};
  BD_TRY(buddy_graph_set_value_type(graph, p->past, &after));
  BD_TRY(build(&at, p, old[p->dim], dims[0], first, &all));
  BD_TRY(permute(&at, all, back, &out));
  BD_TRY(buddy_graph_replace_value(graph, joined, out));
  const buddy_arg value = bd_tensor_arg(all);
  BD_TRY(buddy_graph_set_output(graph, p->output, &value, diags));
  BD_TRY(bd_graph_retarget_output(graph, p->output, BUDDY_OUTPUT_INPUT_MUTATION,
                                  buddy_value_name(p->past)));
  BD_TRY(erase(p, diags));
  return keep_readers(graph, p, &before, back, buddy_value_node(all), diags);
}

static buddy_code add(bd_growing *growing, const buddy_graph *graph, const pair *p) {
  const int64_t length = buddy_value_type(p->past)->dims[p->dim];
  void *items =
      bd_array_grow(growing->items, &growing->capacity, growing->n + 1, sizeof *growing->items);
  if (!items) return BUDDY_OUT_OF_MEMORY;
  growing->items = items;
  growing->items[growing->n++] =
      (bd_growing_input){p->input, p->dim, buddy_graph_dim_symbol(graph, length)};
  return BUDDY_OK;
}

buddy_code bd_pairs_grow(buddy_graph *graph, buddy_diags *diags, bd_growing *out) {
  buddy_code code = BUDDY_OK;
  *out = (bd_growing){.items = NULL};
  for (size_t i = 0; i < buddy_graph_n_outputs(graph) && code == BUDDY_OK; ++i) {
    pair p;
    if (!find(graph, i, &p)) continue;
    code = add(out, graph, &p);
    if (code == BUDDY_OK) code = apply(graph, &p, diags);
  }
  if (code != BUDDY_OK) bd_growing_deinit(out);
  return code;
}
