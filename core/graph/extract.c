// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/extract.c: some nodes of a graph as a graph of their own. */
#include "core/graph/extract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"

enum { TEXT_SIZE = 4096, MAX_RESULTS = 64 };

typedef struct extraction {
  const bd_cut *cut;
  const buddy_graph *from;
  buddy_graph *to;
  buddy_diags *diags;
  void **blocks; /* of the node at hand */
  size_t n_blocks;
  size_t n_names; /* that new nodes were given */
} extraction;

static void *room(extraction *in, size_t n, size_t size) {
  void **blocks = bd_realloc(in->blocks, (in->n_blocks + 1) * sizeof *blocks);
  if (blocks) in->blocks = blocks;
  void *block = blocks ? bd_calloc(n + 1, size) : NULL;
  if (block) in->blocks[in->n_blocks++] = block;
  return block;
}

static void forget(extraction *in, size_t n_kept) {
  while (in->n_blocks > n_kept) bd_free(in->blocks[--in->n_blocks]);
}

/* ---- Dims and types ---- */
static buddy_code copy_dim(const extraction *in, int64_t dim, int64_t *out) {
  char text[TEXT_SIZE];
  *out = dim;
  if (!BUDDY_IS_SYMBOLIC(dim)) return BUDDY_OK;
  if (in->cut->symbols)
    return buddy_graph_dim_eval(in->from, dim, in->cut->symbols, buddy_graph_n_symbols(in->from),
                                out);
  buddy_graph_dim_text(in->from, dim, text, sizeof text);
  return buddy_graph_dim_parse(in->to, (buddy_sv){text, strlen(text)}, in->diags, out);
}

static buddy_code copy_dims(extraction *in, const int64_t *dims, size_t n, const int64_t **out) {
  int64_t *copy = room(in, n, sizeof *copy);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) BD_TRY(copy_dim(in, dims[i], &copy[i]));
  *out = copy;
  return BUDDY_OK;
}

buddy_dtype bd_dtype_double(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_F16:
    case BUDDY_BF16:
    case BUDDY_F32:
      return BUDDY_F64;
    case BUDDY_C64:
      return BUDDY_C128;
    default:
      return dtype;
  }
}

static buddy_code copy_type(extraction *in, const buddy_tensor_type *type, buddy_tensor_type *out) {
  *out = *type;
  if (in->cut->is_double) out->dtype = bd_dtype_double(type->dtype);
  return copy_dims(in, type->dims, type->rank, &out->dims);
}

static buddy_code copy_symbols(const extraction *in) {
  for (size_t i = 0; i < buddy_graph_n_symbols(in->from) && !in->cut->symbols; ++i) {
    const buddy_symbol *symbol = buddy_graph_symbol(in->from, i);
    int64_t dim;
    BD_TRY(buddy_graph_add_symbol(in->to, symbol->name, symbol->min, symbol->max, &dim));
  }
  return BUDDY_OK;
}

/* A symbol whose number is a value of the new graph. */
static buddy_code bind_symbols(const extraction *in) {
  for (size_t i = 0; i < buddy_graph_n_symbols(in->from) && !in->cut->symbols; ++i) {
    const buddy_value *value = buddy_graph_symbol(in->from, i)->bound_to;
    const buddy_value *copy =
        value ? buddy_graph_find_value(in->to, buddy_value_name(value)) : NULL;
    if (copy && buddy_value_graph(value) == in->from)
      BD_TRY(buddy_graph_bind_symbol(in->to, i, copy));
  }
  return BUDDY_OK;
}

/* ---- Values ---- */
static buddy_code add_input(extraction *in, const buddy_value *value, const buddy_value **out) {
  buddy_input_kind kind = BUDDY_INPUT_USER;
  const char *target = NULL;
  const buddy_data *data = NULL;
  if (!buddy_value_node(value) && !in->cut->is_double) {
    const size_t i = buddy_value_index(value);
    kind = buddy_graph_input_kind(in->from, i);
    data = buddy_graph_input_data(in->from, i);
    if (kind != BUDDY_INPUT_USER) target = buddy_graph_input_target(in->from, i);
  }
  buddy_tensor_type type;
  BD_TRY(copy_type(in, buddy_value_type(value), &type));
  return buddy_graph_add_input(in->to, kind, buddy_value_name(value), target, &type, data,
                               in->diags, out);
}

/* The value of the same name, which becomes an input where nothing has made it. */
static buddy_code copy_value(extraction *in, const buddy_value *value, const buddy_value **out) {
  *out = NULL;
  if (!value) return BUDDY_OK;
  *out = buddy_graph_find_value(in->to, buddy_value_name(value));
  return *out ? BUDDY_OK : add_input(in, value, out);
}

static buddy_code copy_values(extraction *in, const buddy_arg *arg, buddy_arg *out) {
  const buddy_value **values = room(in, arg->n, sizeof *values);
  if (!values) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < arg->n; ++i) BD_TRY(copy_value(in, arg->as.tensors[i], &values[i]));
  out->as.tensors = values;
  return BUDDY_OK;
}

static buddy_code copy_subgraph(extraction *in, const buddy_graph *graph, const buddy_graph **out);

static buddy_code copy_arg(extraction *in, const buddy_arg *arg, buddy_arg *out) {
  *out = *arg;
  switch (arg->kind) {
    case BUDDY_ARG_TENSOR:
      return copy_value(in, arg->as.tensor, &out->as.tensor);
    case BUDDY_ARG_TENSORS:
      return copy_values(in, arg, out);
    case BUDDY_ARG_INT:
      return copy_dim(in, arg->as.i, &out->as.i);
    case BUDDY_ARG_INTS:
      return copy_dims(in, arg->as.ints, arg->n, &out->as.ints);
    case BUDDY_ARG_DTYPE:
      if (in->cut->is_double) out->as.i = bd_dtype_double((buddy_dtype)arg->as.i);
      return BUDDY_OK;
    case BUDDY_ARG_GRAPH:
      return copy_subgraph(in, arg->as.graph, &out->as.graph);
    default:
      return BUDDY_OK;
  }
}

/* ---- Nodes ---- */
static bool is_absent(const buddy_node *node, const char *arg) {
  for (size_t i = 0; i < buddy_node_n_args(node); ++i)
    if (strcmp(buddy_node_arg_name(node, i), arg) == 0)
      return buddy_node_arg(node, i)->kind == BUDDY_ARG_NONE;
  return true;
}

/* What it computes follows from the dtype: random numbers, the number next to another, bits, and defaults
 * that are the dtype's largest number or its epsilon. */
static bool is_of_its_dtype(const buddy_node *node) {
  static const struct {
    const char *op, *args[2]; /* where these are left out; null: always */
  } ops[] = {{"aten.nextafter.", {NULL, NULL}},
             {"aten.view.dtype", {NULL, NULL}},
             {"aten.nan_to_num.", {"posinf", NULL}},
             {"aten.nan_to_num.", {"neginf", NULL}},
             {"aten.rms_norm.", {"eps", NULL}},
             {"aten._fused_rms_norm.", {"eps", NULL}},
             {"aten.linalg_pinv.atol_rtol_", {"atol", "rtol"}},
             {"aten.linalg_matrix_rank.atol_rtol_", {"atol", "rtol"}},
             {"aten.linalg_lstsq.", {"rcond", NULL}}};
  const buddy_opdef *def = buddy_node_opdef(node);
  if (def && buddy_opdef_kind(def) == BUDDY_KIND_RANDOM) return true;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) {
    bool is_it = strncmp(buddy_node_op(node), ops[i].op, strlen(ops[i].op)) == 0;
    for (size_t k = 0; k < 2 && is_it && ops[i].args[k]; ++k)
      is_it = is_absent(node, ops[i].args[k]);
    if (is_it) return true;
  }
  return false;
}

/* As the graph that it is of has it, or wide where all of the cut is. */
typedef struct node_copy {
  buddy_named_arg *args;
  buddy_tensor_type *types;
  size_t n, n_results;
} node_copy;

static buddy_code copy_parts(extraction *in, const buddy_node *node, node_copy *out) {
  *out = (node_copy){.n = buddy_node_n_args(node), .n_results = buddy_node_n_results(node)};
  out->args = room(in, out->n, sizeof *out->args);
  out->types = room(in, out->n_results, sizeof *out->types);
  if (!out->args || !out->types) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < out->n; ++i) {
    out->args[i].name = buddy_node_arg_name(node, i);
    BD_TRY(copy_arg(in, buddy_node_arg(node, i), &out->args[i].arg));
  }
  for (size_t i = 0; i < out->n_results; ++i)
    BD_TRY(copy_type(in, buddy_value_type(buddy_node_result(node, i)), &out->types[i]));
  return BUDDY_OK;
}

static buddy_code add_copy(extraction *in, const buddy_node *node, const char *name,
                           const node_copy *parts, buddy_node **out) {
  BD_TRY((buddy_node_opdef(node) ? buddy_graph_add_node : buddy_graph_add_unknown_node)(
      in->to, NULL, buddy_node_op(node), name, parts->args, parts->n, parts->types,
      parts->n_results, in->diags, out));
  return buddy_node_set_location(*out, buddy_node_location(node));
}

/* Of a node that the graph has not: neither it nor what is yet to be copied has the name. */
static const char *new_name(extraction *in) {
  enum { SIZE = 32 };
  char *name = room(in, SIZE, 1);
  do {
    if (name) snprintf(name, SIZE, "own_%zu", in->n_names++);
  } while (name &&
           (buddy_graph_find_value(in->from, name) || buddy_graph_find_value(in->to, name)));
  return name;
}

/* A value in a dtype, under a name. */
static buddy_code add_cast(extraction *in, const buddy_node *node, const buddy_value *value,
                           buddy_dtype dtype, const char *name, const buddy_value **out) {
  const buddy_named_arg args[] = {{"self", {.kind = BUDDY_ARG_TENSOR, .as.tensor = value}},
                                  {"dtype", {.kind = BUDDY_ARG_DTYPE, .as.i = dtype}}};
  buddy_tensor_type type = *buddy_value_type(value);
  type.dtype = dtype;
  buddy_node *cast;
  if (!name) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(buddy_graph_add_node(in->to, NULL, "aten._to_copy.default", name, args, 2, &type, 1,
                              in->diags, &cast));
  *out = buddy_node_result(cast, 0);
  return buddy_node_set_location(cast, buddy_node_location(node));
}

/* The copy of a value in the dtype that the value has. */
static buddy_code narrow(extraction *in, const buddy_node *node, const buddy_value *value,
                         const buddy_value **copy) {
  const buddy_dtype dtype = value ? buddy_value_type(value)->dtype : BUDDY_DTYPE_NONE;
  if (dtype == bd_dtype_double(dtype)) return BUDDY_OK;
  return add_cast(in, node, *copy, dtype, new_name(in), copy);
}

static buddy_code narrow_values(extraction *in, const buddy_node *node, const buddy_arg *from,
                                buddy_arg *copy) {
  const buddy_value **values = room(in, from->n, sizeof *values);
  if (!values) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < from->n; ++i) {
    values[i] = copy->as.tensors[i];
    BD_TRY(narrow(in, node, from->as.tensors[i], &values[i]));
  }
  copy->as.tensors = values;
  return BUDDY_OK;
}

static buddy_code narrow_arg(extraction *in, const buddy_node *node, const buddy_arg *from,
                             buddy_arg *copy) {
  switch (from->kind) {
    case BUDDY_ARG_TENSOR:
      return narrow(in, node, from->as.tensor, &copy->as.tensor);
    case BUDDY_ARG_TENSORS:
      return narrow_values(in, node, from, copy);
    case BUDDY_ARG_DTYPE:
      copy->as.i = from->as.i;
      return BUDDY_OK;
    default:
      return BUDDY_OK;
  }
}

/* In its own dtype, between conversions. */
static buddy_code copy_node_narrow(extraction *in, const buddy_node *node) {
  node_copy parts;
  buddy_node *copy;
  BD_TRY(copy_parts(in, node, &parts));
  for (size_t i = 0; i < parts.n; ++i)
    BD_TRY(narrow_arg(in, node, buddy_node_arg(node, i), &parts.args[i].arg));
  for (size_t i = 0; i < parts.n_results; ++i)
    parts.types[i].dtype = buddy_value_type(buddy_node_result(node, i))->dtype;
  BD_TRY(add_copy(in, node, new_name(in), &parts, &copy));
  for (size_t i = 0; i < parts.n_results; ++i) {
    const buddy_value *wide, *result = buddy_node_result(copy, i);
    BD_TRY(add_cast(in, node, result, bd_dtype_double(parts.types[i].dtype),
                    buddy_value_name(buddy_node_result(node, i)), &wide));
  }
  return BUDDY_OK;
}

static buddy_code copy_node(extraction *in, const buddy_node *node) {
  node_copy parts;
  buddy_node *copy;
  if (in->cut->is_double && is_of_its_dtype(node)) return copy_node_narrow(in, node);
  BD_TRY(copy_parts(in, node, &parts));
  return add_copy(in, node, buddy_node_name(node), &parts, &copy);
}

static buddy_code copy_nodes(extraction *in, bool takes_all) {
  for (const buddy_node *node = buddy_graph_first(in->from); node; node = buddy_node_next(node)) {
    if (!takes_all && !in->cut->has(in->cut->user, node)) continue;
    const size_t n_blocks = in->n_blocks;
    const buddy_code code = copy_node(in, node);
    forget(in, n_blocks);
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}

/* All of a graph that is an argument: it uses nothing that is outside of it. */
static buddy_code fill_subgraph(extraction *in) {
  for (size_t i = 0; i < buddy_graph_n_inputs(in->from); ++i) {
    const buddy_value *input;
    BD_TRY(add_input(in, buddy_graph_input(in->from, i), &input));
  }
  BD_TRY(copy_nodes(in, true));
  for (size_t i = 0; i < buddy_graph_n_outputs(in->from); ++i) {
    buddy_arg arg;
    BD_TRY(copy_arg(in, buddy_graph_output(in->from, i), &arg));
    BD_TRY(buddy_graph_add_output(in->to, buddy_graph_output_kind(in->from, i),
                                  buddy_graph_output_target(in->from, i), &arg, in->diags));
  }
  return bind_symbols(in);
}

static buddy_code copy_subgraph(extraction *in, const buddy_graph *graph, const buddy_graph **out) {
  const buddy_graph *outer_from = in->from;
  buddy_graph *outer_to = in->to, *copy;
  BD_TRY(buddy_graph_add_subgraph(outer_to, NULL, &copy));
  in->from = graph;
  in->to = copy;
  const buddy_code code = fill_subgraph(in);
  in->from = outer_from;
  in->to = outer_to;
  *out = copy;
  return code;
}

/* ---- The whole ---- */
static buddy_code add_outputs(extraction *in) {
  for (size_t i = 0; i < in->cut->n_outputs; ++i) {
    const buddy_arg arg = {
        .kind = BUDDY_ARG_TENSOR,
        .as.tensor = buddy_graph_find_value(in->to, buddy_value_name(in->cut->outputs[i]))};
    if (!arg.as.tensor) return BUDDY_NOT_FOUND;
    BD_TRY(buddy_graph_add_output(in->to, BUDDY_OUTPUT_USER, NULL, &arg, in->diags));
  }
  return BUDDY_OK;
}

static buddy_code fill(extraction *in) {
  BD_TRY(copy_symbols(in));
  BD_TRY(copy_nodes(in, false));
  BD_TRY(bind_symbols(in));
  BD_TRY(add_outputs(in));
  return buddy_graph_verify(in->to, in->diags);
}

buddy_code bd_graph_extract(const buddy_graph *graph, const bd_cut *cut, buddy_diags *diags,
                            buddy_graph **out_graph) {
  extraction in = {.cut = cut, .from = graph, .diags = diags};
  *out_graph = NULL;
  BD_TRY(buddy_graph_create(buddy_graph_opset(graph), buddy_graph_name(graph), &in.to));
  const buddy_code code = fill(&in);
  forget(&in, 0);
  bd_free(in.blocks);
  if (code == BUDDY_OK) {
    *out_graph = in.to;
  } else {
    buddy_graph_destroy(in.to);
  }
  return code;
}
