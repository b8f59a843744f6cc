// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/shard_apply.c: changes the graph into that of one rank, as its nodes were decided upon; see
 * shard.h. Nodes stay where they are: their types and sizes become those of the rank, slices and
 * collectives come between them. */
#include <stdio.h>
#include <string.h>

#include "sdk/import/build.h"
#include "sdk/import/shard.h"

#define WHERE(s, n) (&(bd_build){(s)->graph, (n)->node, (s)->diags})

static buddy_arg text_arg(const char *text) {
  return (buddy_arg){.kind = BUDDY_ARG_STRING, .n = strlen(text), .as.string = text};
}

/* A copy of the type with another size; out_dims has room for its rank. */
static buddy_tensor_type resized(const buddy_tensor_type *type, int32_t dim, int64_t size,
                                 int64_t *out_dims) {
  memcpy(out_dims, type->dims, type->rank * sizeof *out_dims);
  if (dim != BD_WHOLE) out_dims[dim] = size;
  return (buddy_tensor_type){type->dtype, type->rank, out_dims};
}

/* What this rank has of `size`: a block, or one of fewer than there are ranks. */
static void range(const bd_shard *s, int64_t size, int64_t *out_start, int64_t *out_n) {
  *out_n = size % s->n_ranks == 0 ? size / s->n_ranks : 1;
  *out_start = size * s->rank / s->n_ranks;
}

/* ---- Collectives ----------------------------------------------------------------------------- */
/* All ranks, which are as many as the program was cut for, in this order (plugins/dist/ranks.c). */
static const char *group(const bd_shard *s, char text[64]) {
  snprintf(text, 64, "0/%lld.%lld", (long long)s->n_ranks, (long long)s->rank);
  return text;
}

static void tell_sent(bd_shard *s, const buddy_tensor_type *type) {
  int64_t n = 1;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (buddy_graph_dim(s->graph, BUDDY_DIM_MUL, n, type->dims[d], &n) != BUDDY_OK) return;
  }
  buddy_graph_dim(s->graph, BUDDY_DIM_ADD, s->told.elements, n, &s->told.elements);
}

static buddy_code build_sum(bd_shard *s, const bd_build *at, const buddy_value *part,
                            const buddy_value **out) {
  char name[64];
  ++s->told.sums;
  tell_sent(s, buddy_value_type(part));
  const buddy_named_arg args[] = {{"input", bd_tensor_arg(part)},
                                  {"reduce_op", text_arg("sum")},
                                  {"group_name", text_arg(group(s, name))}};
  return bd_build_value(at, "_c10d_functional.all_reduce.default", args, 3, buddy_value_type(part),
                        out);
}

static buddy_code swap_dims(const bd_build *at, const buddy_value *value, int32_t dim,
                            const buddy_value **out) {
  int64_t dims[64];
  buddy_tensor_type type = resized(buddy_value_type(value), BD_WHOLE, 0, dims);
  *out = value;
  if (dim == 0) return BUDDY_OK;
  dims[0] = buddy_value_type(value)->dims[dim];
  dims[dim] = buddy_value_type(value)->dims[0];
  const buddy_named_arg args[] = {
      {"self", bd_tensor_arg(value)}, {"dim0", bd_int_arg(0)}, {"dim1", bd_int_arg(dim)}};
  return bd_build_value(at, "aten.transpose.int", args, 3, &type, out);
}

/* Blocks are gathered along the first dim, which changes places with the cut one. */
static buddy_code build_gather(bd_shard *s, const bd_build *at, const buddy_value *block,
                               int32_t dim, const buddy_value **out) {
  int64_t dims[64];
  char name[64];
  const buddy_value *first = NULL, *all = NULL;
  ++s->told.gathers;
  tell_sent(s, buddy_value_type(block));
  BD_TRY(swap_dims(at, block, dim, &first));
  const buddy_tensor_type *from = buddy_value_type(first);
  const buddy_tensor_type type = resized(from, 0, from->dims[0] * s->n_ranks, dims);
  const buddy_named_arg args[] = {{"input", bd_tensor_arg(first)},
                                  {"group_size", bd_int_arg(s->n_ranks)},
                                  {"group_name", text_arg(group(s, name))}};
  BD_TRY(
      bd_build_value(at, "_c10d_functional.all_gather_into_tensor.default", args, 3, &type, &all));
  return swap_dims(at, all, dim, out);
}

static buddy_code build_slice(bd_shard *s, const bd_build *at, const buddy_value *value,
                              int32_t dim, const buddy_value **out) {
  int64_t dims[64], start, n;
  range(s, buddy_value_type(value)->dims[dim], &start, &n);
  const buddy_tensor_type type = resized(buddy_value_type(value), dim, n, dims);
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(value)},
                                  {"dim", bd_int_arg(dim)},
                                  {"start", bd_int_arg(start)},
                                  {"end", bd_int_arg(start + n)}};
  return bd_build_value(at, "aten.slice.Tensor", args, 4, &type, out);
}

/* ---- Operands -------------------------------------------------------------------------------- */
static const buddy_value *current(const bd_cut_node *n, const bd_cut_use *u) {
  const buddy_arg *arg = buddy_node_arg(n->node, u->arg);
  return arg->kind == BUDDY_ARG_TENSOR ? arg->as.tensor : arg->as.tensors[u->element];
}

static buddy_code convert(bd_shard *s, const bd_cut_node *n, const bd_cut_use *u,
                          const buddy_value **out) {
  bd_cut_value *v = u->value;
  *out = current(n, u);
  if (v->dim == u->want) return BUDDY_OK;
  if (v->dim != BD_WHOLE) {
    if (!v->whole) BD_TRY(build_gather(s, WHERE(s, n), *out, v->dim, &v->whole));
    *out = v->whole;
  }
  if (u->want == BD_WHOLE) return BUDDY_OK;
  if (!v->cut || v->cut_dim != u->want) BD_TRY(build_slice(s, WHERE(s, n), *out, u->want, &v->cut));
  v->cut_dim = u->want;
  *out = v->cut;
  return BUDDY_OK;
}

static buddy_code set_operand(const bd_shard *s, const bd_cut_node *n, const bd_cut_use *u,
                              const buddy_value *value) {
  const buddy_arg *arg = buddy_node_arg(n->node, u->arg);
  buddy_arg given = bd_tensor_arg(value);
  if (arg->kind == BUDDY_ARG_TENSOR) return buddy_node_set_arg(n->node, u->arg, &given, s->diags);
  const buddy_value **list = bd_calloc(arg->n, sizeof *list);
  if (!list) return BUDDY_OUT_OF_MEMORY;
  memcpy(list, arg->as.tensors, arg->n * sizeof *list);
  list[u->element] = value;
  given = *arg;
  given.as.tensors = list;
  const buddy_code code = buddy_node_set_arg(n->node, u->arg, &given, s->diags);
  bd_free(list);
  return code;
}

static buddy_code take_operands(bd_shard *s, bd_cut_node *n) {
  for (size_t i = 0; i < n->n_uses; ++i) {
    const buddy_value *value;
    BD_TRY(convert(s, n, &n->uses[i], &value));
    if (value != current(n, &n->uses[i])) BD_TRY(set_operand(s, n, &n->uses[i], value));
  }
  return BUDDY_OK;
}

/* ---- Results --------------------------------------------------------------------------------- */
/* Sizes that views and expansions are told. */
static buddy_code set_sizes(const bd_shard *s, const bd_cut_node *n) {
  const buddy_tensor_type *type = buddy_value_type(buddy_node_result(n->node, 0));
  const buddy_op_kind kind = buddy_opdef_kind(buddy_node_opdef(n->node));
  for (size_t i = 0; kind == BUDDY_KIND_RESHAPE && i < buddy_node_n_args(n->node); ++i) {
    const char *name = buddy_node_arg_name(n->node, i);
    const bool is_some = strcmp(name, "sizes") == 0; /* of dims that one becomes */
    if (!is_some && strcmp(name, "size") != 0 && strcmp(name, "shape") != 0) continue;
    buddy_arg sizes = bd_size_arg(type);
    if (is_some) {
      sizes.n = buddy_node_arg(n->node, i)->n;
      sizes.as.ints += buddy_node_arg_find(n->node, "dim")->as.i;
    }
    return buddy_node_set_arg(n->node, i, &sizes, s->diags);
  }
  return BUDDY_OK;
}

static buddy_code set_results(bd_shard *s, bd_cut_node *n) {
  bool is_cut = false;
  for (size_t i = 0; i < n->n_results; ++i) {
    int64_t dims[64], start, size;
    const buddy_value *result = buddy_node_result(n->node, i);
    if (n->dims[i] == BD_WHOLE) continue;
    is_cut = true;
    range(s, buddy_value_type(result)->dims[n->dims[i]], &start, &size);
    const buddy_tensor_type type = resized(buddy_value_type(result), n->dims[i], size, dims);
    BD_TRY(buddy_graph_set_value_type(s->graph, result, &type));
  }
  return is_cut ? set_sizes(s, n) : BUDDY_OK;
}

static buddy_code take_over(bd_shard *s, bd_cut_node *n, const buddy_value *value) {
  BD_TRY(
      buddy_graph_replace_value(buddy_node_graph(n->node), buddy_node_result(n->node, 0), value));
  return bd_build_erase(n->node, s->diags);
}

/* The product without its bias, the sum over the ranks, the bias. */
static buddy_code sum_product(bd_shard *s, bd_cut_node *n) {
  const buddy_value *result = buddy_node_result(n->node, 0), *part = NULL, *sum = NULL;
  const bool is_addmm = strcmp(buddy_node_op(n->node), "aten.addmm.default") == 0;
  const char *left = is_addmm ? "mat1" : buddy_node_arg_name(n->node, 0);
  const char *right = is_addmm ? "mat2" : buddy_node_arg_name(n->node, 1);
  const buddy_arg *bias = buddy_node_arg_find(n->node, is_addmm ? "self" : "bias");
  const buddy_named_arg args[] = {{is_addmm ? "self" : left, *buddy_node_arg_find(n->node, left)},
                                  {right, *buddy_node_arg_find(n->node, right)}};
  BD_TRY(bd_build_value(WHERE(s, n), is_addmm ? "aten.mm.default" : buddy_node_op(n->node), args, 2,
                        buddy_value_type(result), &part));
  BD_TRY(build_sum(s, WHERE(s, n), part, &sum));
  if (bias && bias->kind == BUDDY_ARG_TENSOR) {
    const buddy_named_arg terms[] = {{"self", bd_tensor_arg(sum)}, {"other", *bias}};
    BD_TRY(
        bd_build_value(WHERE(s, n), "aten.add.Tensor", terms, 2, buddy_value_type(result), &sum));
  }
  return take_over(s, n, sum);
}

/* The columns that this rank has computed are gathered at once. */
static buddy_code gather_product(bd_shard *s, bd_cut_node *n) {
  const buddy_value *result = buddy_node_result(n->node, 0), *whole = NULL;
  const bd_build at = {s->graph, buddy_node_next(n->node), s->diags};
  BD_TRY(build_gather(s, &at, result, n->dims[0], &whole));
  buddy_node *first = buddy_node_next(n->node); /* it uses the result, as nobody else does then */
  BD_TRY(buddy_graph_replace_value(s->graph, result, whole));
  const buddy_arg own = bd_tensor_arg(result);
  return buddy_node_set_arg(first, 0, &own, s->diags);
}

static buddy_code apply_node(bd_shard *s, bd_cut_node *n) {
  BD_TRY(take_operands(s, n));
  if (n->is_sum) return sum_product(s, n);
  BD_TRY(set_results(s, n));
  return n->mode == BD_CUT_COLUMNS_GATHERED && n->dims[0] != BD_WHOLE ? gather_product(s, n)
                                                                      : BUDDY_OK;
}

/* ---- Inputs and outputs ---------------------------------------------------------------------- */
/* The rank's block of a weight, where it lies in the file. */
static buddy_code cut_input(bd_shard *s, size_t i, int32_t dim) {
  const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(s->graph, i));
  buddy_data data = *buddy_graph_input_data(s->graph, i);
  int64_t dims[64], strides[64], start, size, stride = 1;
  for (uint32_t d = type->rank; d-- > 0; stride *= type->dims[d])
    strides[d] = data.strides ? data.strides[d] : stride;
  range(s, type->dims[dim], &start, &size);
  const buddy_tensor_type block = resized(type, dim, size, dims);
  data.offset += start * strides[dim];
  data.strides = strides;
  return buddy_graph_set_input(s->graph, i, &block, &data, s->diags);
}

static buddy_code cut_inputs(bd_shard *s) {
  for (size_t i = 0; i < buddy_graph_n_inputs(s->graph); ++i) {
    const bd_cut_value *v = bd_cut_find(s, buddy_graph_input(s->graph, i));
    if (v && v->dim != BD_WHOLE) BD_TRY(cut_input(s, i, v->dim));
  }
  return BUDDY_OK;
}

/* A user's result is whole; the new value of a buffer is cut as the buffer is. */
static buddy_code give_output(bd_shard *s, size_t i) {
  const bd_build at = {s->graph, NULL, s->diags};
  const buddy_arg *output = buddy_graph_output(s->graph, i);
  if (output->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  const bd_cut_value *v = bd_cut_find(s, output->as.tensor);
  const int32_t have = v ? v->dim : BD_WHOLE;
  const bd_cut_value *buffer = bd_cut_buffer(s, i);
  const int32_t want = buffer ? buffer->dim : BD_WHOLE;
  if (have == want) return BUDDY_OK;
  const buddy_value *value = output->as.tensor;
  if (have != BD_WHOLE) BD_TRY(build_gather(s, &at, value, have, &value));
  if (want != BD_WHOLE) BD_TRY(build_slice(s, &at, value, want, &value));
  const buddy_arg given = bd_tensor_arg(value);
  return buddy_graph_set_output(s->graph, i, &given, s->diags);
}

buddy_code bd_cut_apply(bd_shard *s) {
  BD_TRY(cut_inputs(s));
  for (size_t i = 0; i < s->n_nodes; ++i) BD_TRY(apply_node(s, &s->nodes[i]));
  for (size_t i = 0; i < buddy_graph_n_outputs(s->graph); ++i) BD_TRY(give_output(s, i));
  return BUDDY_OK;
}
