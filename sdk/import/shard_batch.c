// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/shard_batch.c: whether the rows of a batch are independent; see shard.h. It is what the rules of
 * sharding tell if each row is on a rank of its own, so that the number of ranks is the symbol of the
 * batch: rows are independent if no rank has to hear of another one, nor to know which one it is. */
#include <stdio.h>
#include <string.h>

#include "core/base/try.h"
#include "sdk/import/shard.h"

#define N(array) (sizeof(array) / sizeof *(array))

static const char meets[] = "it is not known to keep the rows of a batch apart";

static bool is_one_of(const buddy_node *node, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (strcmp(buddy_node_op(node), names[i]) == 0) return true;
  }
  return false;
}

/* ---- Sizes ----------------------------------------------------------------------------------- */
/* Whether a dim depends on the number of rows. */
static bool names(const bd_shard *s, int64_t dim) {
  if (!BUDDY_IS_SYMBOLIC(dim)) return false;
  if (dim == s->n_ranks) return true;
  for (size_t i = 0; i < buddy_graph_dim_n_operands(s->graph, dim); ++i) {
    if (names(s, buddy_graph_dim_operand(s->graph, dim, i))) return true;
  }
  return false;
}

/* The first dim that depends on it; BD_WHOLE: none does. */
static int32_t rows_of(const bd_shard *s, const buddy_tensor_type *type) {
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (names(s, type->dims[d])) return (int32_t)d;
  }
  return BD_WHOLE;
}

/* Whether dim `dim` of the type, or none, is the rows, and no other dim depends on their number. */
static bool has_rows_in(bd_shard *s, const buddy_tensor_type *type, int32_t dim) {
  for (uint32_t d = 0; d < type->rank; ++d) {
    if ((int32_t)d == dim ? !bd_cut_divides(s, type->dims[d]) : names(s, type->dims[d]))
      return false;
  }
  return true;
}

static bool is_batch(bd_shard *s, const buddy_tensor_type *type) {
  return type->rank > 0 && type->dims[0] == s->n_ranks && has_rows_in(s, type, 0);
}

/* The symbol that the first dim of all the user's inputs is. */
static bool find_symbol(bd_shard *s) {
  int64_t symbol = 0;
  for (size_t i = 0; i < buddy_graph_n_inputs(s->graph); ++i) {
    const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(s->graph, i));
    if (buddy_graph_input_kind(s->graph, i) != BUDDY_INPUT_USER) continue;
    if (type->rank == 0 || !BUDDY_IS_SYMBOLIC(type->dims[0]) ||
        buddy_graph_dim_kind(s->graph, type->dims[0]) != BUDDY_DIM_KIND_SYMBOL ||
        (symbol != 0 && type->dims[0] != symbol))
      return false;
    symbol = s->n_ranks = type->dims[0];
    if (!is_batch(s, type)) return false;
  }
  return symbol != 0;
}

/* ---- Numbers of rows ------------------------------------------------------------------------- */
static const char *const shapes[] = {"aten.view.default",    "aten._unsafe_view.default",
                                     "aten.reshape.default", "aten.unsqueeze.default",
                                     "aten.squeeze.dim",     "aten.squeeze.dims",
                                     "aten.squeeze.default", "aten.flatten.using_ints",
                                     "aten.unflatten.int",   "aten.expand.default"};
static const char *const fills[] = {
    "aten.full.default",      "aten.zeros.default",      "aten.ones.default",
    "aten.full_like.default", "aten.zeros_like.default", "aten.ones_like.default",
    "aten.new_full.default",  "aten.new_zeros.default",  "aten.new_ones.default"};
static const char *const aranges[] = {"aten.arange.default", "aten.arange.start",
                                      "aten.arange.start_step"};

static bool is_size(const buddy_node *node, const char *arg) {
  static const char *const sizes[] = {"size", "sizes", "shape"};
  const bool is_shape = is_one_of(node, shapes, N(shapes)) || is_one_of(node, fills, N(fills));
  for (size_t i = 0; i < N(sizes); ++i) {
    if (strcmp(arg, sizes[i]) == 0) return is_shape;
  }
  return strcmp(arg, "end") == 0 && is_one_of(node, aranges, N(aranges));
}

/* Whether an argument that is no size of a result depends on the number of rows; or is a dim that is
 * counted from the end, which rules do not know. */
static bool computes_with_it(const bd_shard *s, const buddy_node *node) {
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    const char *name = buddy_node_arg_name(node, i);
    const bool is_dim = strstr(name, "dim") || strstr(name, "axis");
    const size_t n = arg->kind == BUDDY_ARG_INT ? 1 : arg->kind == BUDDY_ARG_INTS ? arg->n : 0;
    for (size_t k = 0; k < n; ++k) {
      const int64_t number = arg->kind == BUDDY_ARG_INT ? arg->as.i : arg->as.ints[k];
      if (names(s, number) ? !is_size(node, name) : is_dim && number < 0) return true;
    }
  }
  return false;
}

static bool is_int(const bd_cut_node *n, const char *name, int64_t number) {
  const buddy_arg *arg = buddy_node_arg_find(n->node, name);
  return !arg || (arg->kind == BUDDY_ARG_INT && arg->as.i == number);
}

/* Values that have rows although no operand has: all rows are the same, or are numbers of rows. */
static bool begins(bd_shard *s, bd_cut_node *n) {
  const buddy_tensor_type *type = buddy_value_type(n->results[0]->key);
  const int32_t rows = rows_of(s, type);
  const bool is_arange = is_one_of(n->node, aranges, N(aranges)) && rows == 0 &&
                         type->dims[0] == s->n_ranks && is_int(n, "start", 0) &&
                         is_int(n, "step", 1);
  bool is_same = is_one_of(n->node, fills, N(fills));
  if (strcmp(buddy_node_op(n->node), "aten.expand.default") == 0)
    is_same = n->uses[0].value->dim == BD_WHOLE;
  if (rows == BD_WHOLE || (!is_arange && !is_same)) return false;
  for (size_t i = 0; i < n->n_uses; ++i) n->uses[i].want = n->uses[i].value->dim;
  n->dims[0] = rows;
  n->results[0]->is_row_number = is_arange;
  return true;
}

static bool has_row_numbers(const bd_cut_node *n) {
  for (size_t i = 0; i < n->n_uses; ++i) {
    if (n->uses[i].value->is_row_number) return true;
  }
  return false;
}

/* Numbers of rows in another shape. */
static bool moves_numbers(bd_shard *s, bd_cut_node *n) {
  static const char *const copies[] = {"aten._to_copy.default", "aten.clone.default",
                                       "aten.alias.default", "aten.to.dtype"};
  const bool is_known =
      is_one_of(n->node, shapes, N(shapes)) || is_one_of(n->node, copies, N(copies));
  if (!is_known || n->n_uses != 1 || !bd_cut_rule(s, n)) return false;
  n->results[0]->is_row_number = true;
  return true;
}

/* ---- Indices --------------------------------------------------------------------------------- */
/* Indices by several tensors: they are broadcast, and become dims in place of the first where they
 * follow each other, else in front. */
typedef struct indices {
  uint32_t rank; /* of all, broadcast */
  uint32_t n, first, last;
  int32_t from_end;      /* the rows among their dims, counted from behind; 0: there are none */
  const bd_cut_use *own; /* numbers of rows */
} indices;

static bool read_indices(const bd_shard *s, bd_cut_node *n, indices *out) {
  *out = (indices){.first = UINT32_MAX};
  for (size_t i = 0; i < n->n_uses; ++i) {
    bd_cut_use *u = &n->uses[i];
    const buddy_tensor_type *type = buddy_value_type(u->value->key);
    if (strcmp(buddy_node_arg_name(n->node, u->arg), "indices") != 0) continue;
    if (type->dtype != BUDDY_I64 && type->dtype != BUDDY_I32) return false; /* masks */
    const int32_t dim = u->want = u->value->dim;
    const int32_t from_end = dim == BD_WHOLE ? 0 : (int32_t)type->rank - dim;
    if (from_end != 0 && type->dims[dim] != s->n_ranks) return false;
    if (from_end != 0 && out->from_end != 0 && out->from_end != from_end) return false;
    if (from_end != 0) out->from_end = from_end;
    if (u->value->is_row_number && out->own) return false;
    if (u->value->is_row_number) out->own = u;
    if (type->rank > out->rank) out->rank = type->rank;
    if (u->element < out->first) out->first = (uint32_t)u->element;
    if (u->element > out->last) out->last = (uint32_t)u->element;
    ++out->n;
  }
  return out->n > 0;
}

/* The dim of what is indexed that is the rows of the indices. */
static int32_t rows_of_indices(const indices *in) {
  const bool follow = in->last - in->first + 1 == in->n;
  return (int32_t)((follow ? in->first : 0) + in->rank) - in->from_end;
}

/* Each row reads and writes its own row of a tensor, or reads one that all have. */
static bool indexes(bd_shard *s, bd_cut_node *n) {
  const bool is_put = strcmp(buddy_node_op(n->node), "aten.index_put.default") == 0;
  bd_cut_use *self = bd_cut_use_of(n, "self"), *values = bd_cut_use_of(n, "values");
  indices in;
  if ((!is_put && strcmp(buddy_node_op(n->node), "aten.index.Tensor") != 0) || !self ||
      !read_indices(s, n, &in) || self->value->is_row_number || in.from_end == 0)
    return false;
  const buddy_tensor_type *type = buddy_value_type(self->value->key);
  const int32_t rows = self->want = self->value->dim;
  if (rows == BD_WHOLE && (is_put || in.own)) return false;
  if (rows != BD_WHOLE &&
      (!in.own || (int32_t)in.own->element != rows || type->dims[rows] != s->n_ranks))
    return false;
  n->dims[0] = is_put ? rows : rows_of_indices(&in);
  if (!is_put) return true;
  if (!values || values->value->is_row_number) return false;
  const int32_t rank = (int32_t)buddy_value_type(values->value->key)->rank;
  const int32_t all = (int32_t)(type->rank - in.n + in.rank);
  values->want = values->value->dim;
  return rank <= all &&
         (values->want == BD_WHOLE || rank - values->want == all - rows_of_indices(&in));
}

/* ---- The program ----------------------------------------------------------------------------- */
static bool takes(bd_shard *s, bd_cut_node *n) {
  bool is_ruled;
  if (n->n_results == 1 && begins(s, n)) {
    is_ruled = true;
  } else if (has_row_numbers(n)) {
    is_ruled = n->n_results == 1 && (moves_numbers(s, n) || indexes(s, n));
  } else {
    is_ruled = (bd_cut_rule(s, n) && !n->is_sum) || (n->n_results == 1 && indexes(s, n));
  }
  for (size_t i = 0; i < n->n_uses; ++i) is_ruled &= n->uses[i].want == n->uses[i].value->dim;
  for (size_t i = 0; i < n->n_results && is_ruled; ++i) {
    n->results[i]->dim = n->dims[i];
    is_ruled = has_rows_in(s, buddy_value_type(n->results[i]->key), n->dims[i]);
  }
  return is_ruled;
}

/* Null, or why the rows of the node's operands meet in it. */
static const char *judge(bd_shard *s, bd_cut_node *n) {
  const buddy_opdef *def = buddy_node_opdef(n->node);
  const buddy_arg *dropout = buddy_node_arg_find(n->node, "dropout_p");
  if (!def) return meets;
  if (buddy_opdef_kind(def) == BUDDY_KIND_RANDOM ||
      (dropout && dropout->kind == BUDDY_ARG_FLOAT && dropout->as.f != 0))
    return "it draws numbers, and a batch draws others than its rows alone";
  if (buddy_opdef_kind(def) == BUDDY_KIND_CONTROL) return "it has branches or rounds of its own";
  if (computes_with_it(s, n->node))
    return "it computes with the number of rows, or counts dims from the end";
  return takes(s, n) ? NULL : meets;
}

/* Whether the only use of a written input is by the op that writes rows of it: a step that is done
 * again writes the same there, and reads nothing that the first time has written before. */
static bool writes_the_same(const buddy_value *input, const buddy_value *output) {
  static const char *const writes[] = {"aten.index_put.default",     "aten.index_copy.default",
                                       "aten.slice_scatter.default", "aten.select_scatter.default",
                                       "aten.scatter.src",           "aten.copy.default"};
  const buddy_use *use = buddy_value_first_use(input);
  if (!use) return true;
  const buddy_node *node = buddy_use_node(use);
  if (!node || node != buddy_value_node(output) || buddy_use_next(use) ||
      !is_one_of(node, writes, N(writes)))
    return false;
  const buddy_arg *accumulates = buddy_node_arg_find(node, "accumulate");
  return (!accumulates || accumulates->as.i == 0) &&
         strcmp(buddy_node_arg_name(node, buddy_use_arg(use)), "self") == 0;
}

static const buddy_value *input_of(const buddy_graph *graph, size_t output) {
  const char *name = buddy_graph_output_target(graph, output);
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i) {
    const buddy_value *input = buddy_graph_input(graph, i);
    if (buddy_graph_input_kind(graph, i) == BUDDY_INPUT_USER &&
        strcmp(buddy_value_name(input), name) == 0)
      return input;
  }
  return NULL;
}

/* Whether output i is rows, too; one that is written to an input tells whether that may be done again. */
static bool gives_rows(bd_shard *s, size_t i, bd_batch *out) {
  const buddy_arg *output = buddy_graph_output(s->graph, i);
  if (output->kind != BUDDY_ARG_TENSOR) return false;
  const bd_cut_value *value = bd_cut_find(s, output->as.tensor);
  if (value->dim != 0 || value->is_row_number || !is_batch(s, buddy_value_type(value->key)))
    return false;
  if (buddy_graph_output_kind(s->graph, i) != BUDDY_OUTPUT_INPUT_MUTATION) return true;
  const buddy_value *written = input_of(s->graph, i);
  out->is_repeatable &= written && writes_the_same(written, value->key);
  return true;
}

static buddy_code prove(bd_shard *s, bd_batch *out) {
  char where[160];
  BD_TRY(bd_cut_collect(s));
  for (size_t i = 0; i < buddy_graph_n_inputs(s->graph); ++i) {
    if (buddy_graph_input_kind(s->graph, i) == BUDDY_INPUT_USER)
      bd_cut_find(s, buddy_graph_input(s->graph, i))->dim = 0;
  }
  for (size_t i = 0; i < s->n_nodes; ++i) {
    const char *why = judge(s, &s->nodes[i]);
    if (!why) continue;
    buddy_node_describe(s->nodes[i].node, where, sizeof where);
    snprintf(out->why, sizeof out->why, "%s: %s", where, why);
    return BUDDY_OK;
  }
  out->is_repeatable = true;
  for (size_t i = 0; i < buddy_graph_n_outputs(s->graph); ++i) {
    if (gives_rows(s, i, out)) continue;
    snprintf(out->why, sizeof out->why, "output %zu has not one row for each of the inputs", i);
    return BUDDY_OK;
  }
  out->symbol = buddy_graph_dim_symbol(s->graph, s->n_ranks);
  out->is_proved = true;
  return BUDDY_OK;
}

buddy_code bd_batch_prove(buddy_graph *graph, bd_batch *out) {
  bd_shard s = {.graph = graph};
  *out = (bd_batch){.is_proved = false};
  if (bd_cut_has_large_ranks(graph) || !find_symbol(&s)) return BUDDY_OK;
  const buddy_code code = prove(&s, out);
  bd_cut_release(&s);
  return code;
}
