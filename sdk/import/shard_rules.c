// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/shard_rules.c: how nodes take what is cut; see shard.h. A rule sees the sizes of the whole
 * program. What is not sure to be right has no rule: then all operands are gathered. */
#include <string.h>

#include "sdk/import/shard.h"

#define N(array) (sizeof(array) / sizeof *(array))

bd_cut_value *bd_cut_find(const bd_shard *s, const buddy_value *value) {
  bd_cut_value *found;
  HASH_FIND_PTR(s->values, &value, found);
  return found;
}

bd_cut_value *bd_cut_buffer(const bd_shard *s, size_t i) {
  const buddy_graph *graph = s->graph;
  if (buddy_graph_output_kind(graph, i) != BUDDY_OUTPUT_BUFFER_MUTATION) return NULL;
  for (size_t k = 0; k < buddy_graph_n_inputs(graph); ++k) {
    if (buddy_graph_input_kind(graph, k) != BUDDY_INPUT_USER &&
        strcmp(buddy_graph_input_target(graph, k), buddy_graph_output_target(graph, i)) == 0)
      return bd_cut_find(s, buddy_graph_input(graph, k));
  }
  return NULL;
}

bool bd_cut_divides(const bd_shard *s, int64_t size) {
  int64_t rest = 1;
  if (BUDDY_IS_SYMBOLIC(s->n_ranks))
    return BUDDY_IS_SYMBOLIC(size) &&
           buddy_graph_dim(s->graph, BUDDY_DIM_MOD, size, s->n_ranks, &rest) == BUDDY_OK &&
           rest == 0;
  return !BUDDY_IS_SYMBOLIC(size) && size > 0 && size % s->n_ranks == 0;
}

static const buddy_tensor_type *type_of(const bd_cut_use *u) {
  return buddy_value_type(u->value->key);
}

static const buddy_tensor_type *result_type(const bd_cut_node *n, size_t i) {
  return buddy_value_type(buddy_node_result(n->node, i));
}

bd_cut_use *bd_cut_use_of(const bd_cut_node *n, const char *name) {
  for (size_t i = 0; i < n->n_uses; ++i) {
    if (strcmp(buddy_node_arg_name(n->node, n->uses[i].arg), name) == 0) return &n->uses[i];
  }
  return NULL;
}

static bool is_one_of(const char *op, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (strcmp(op, names[i]) == 0) return true;
  }
  return false;
}

static bool give(bd_cut_node *n, int32_t dim) {
  for (size_t i = 0; i < n->n_results; ++i) n->dims[i] = dim;
  return true;
}

static int32_t first_cut(const bd_cut_node *n, const bd_cut_use **out_use) {
  for (size_t i = 0; i < n->n_uses; ++i) {
    if (n->uses[i].value->dim == BD_WHOLE) continue;
    if (out_use) *out_use = &n->uses[i];
    return n->uses[i].value->dim;
  }
  return BD_WHOLE;
}

static bool int_of(const bd_cut_node *n, const char *name, int64_t *out) {
  const buddy_arg *arg = buddy_node_arg_find(n->node, name);
  if (!arg || arg->kind != BUDDY_ARG_INT) return false;
  *out = arg->as.i;
  return true;
}

/* ---- Element by element ---------------------------------------------------------------------- */
/* An operand that is broadcast into `to`, whose dim `pos` is cut. */
static bool take_broadcast(bd_cut_use *u, const buddy_tensor_type *to, int32_t pos) {
  const buddy_tensor_type *type = type_of(u);
  const int32_t dim = pos - (int32_t)(to->rank - type->rank);
  if (type->rank > to->rank) return false;
  u->want = dim < 0 || type->dims[dim] == 1 ? BD_WHOLE : dim;
  return u->want == BD_WHOLE || type->dims[dim] == to->dims[pos];
}

static bool broadcast(bd_cut_node *n, int32_t pos) {
  for (size_t i = 0; i < n->n_uses; ++i) {
    if (!take_broadcast(&n->uses[i], result_type(n, 0), pos)) return false;
  }
  return give(n, pos);
}

static bool elementwise(bd_cut_node *n) {
  const bd_cut_use *u = &n->uses[0];
  const int32_t dim = first_cut(n, &u);
  const int32_t pos = dim + (int32_t)(result_type(n, 0)->rank - type_of(u)->rank);
  return n->n_results == 1 && pos >= 0 && broadcast(n, pos);
}

/* ---- Dims that change their places ----------------------------------------------------------- */
/* Result dim i is operand dim out[i]. */
static bool permutation(const bd_cut_node *n, int32_t *out) {
  const char *op = buddy_node_op(n->node);
  const int32_t rank = (int32_t)result_type(n, 0)->rank;
  const buddy_arg *dims = buddy_node_arg_find(n->node, "dims");
  int64_t a = 0, b = 1;
  for (int32_t i = 0; i < rank; ++i) out[i] = i;
  if (strcmp(op, "aten.permute.default") == 0 && dims && dims->kind == BUDDY_ARG_INTS) {
    for (int32_t i = 0; i < rank; ++i) out[i] = (int32_t)dims->as.ints[i];
    return true;
  }
  const bool is_transpose = strcmp(op, "aten.transpose.int") == 0;
  if (is_transpose && (!int_of(n, "dim0", &a) || !int_of(n, "dim1", &b))) return false;
  if (!is_transpose && strcmp(op, "aten.t.default") != 0) return false;
  if (rank < 2) return rank == 0 || a == b;
  out[a] = (int32_t)b;
  out[b] = (int32_t)a;
  return true;
}

static bool transpose(bd_cut_node *n) {
  int32_t from[64];
  if (!permutation(n, from)) return false;
  for (uint32_t i = 0; i < result_type(n, 0)->rank; ++i) {
    if (from[i] != n->uses[0].value->dim) continue;
    n->uses[0].want = from[i];
    return give(n, (int32_t)i);
  }
  return false;
}

/* Blocks of a dim are the same elements as blocks of another one, where as much lies in front. */
static bool reshape(bd_shard *s, bd_cut_node *n) {
  const buddy_tensor_type *from = type_of(&n->uses[0]), *to = result_type(n, 0);
  const int32_t dim = n->uses[0].value->dim;
  int64_t before = 1, here = 1;
  for (int32_t d = 0; d < dim; ++d) {
    if (buddy_graph_dim(s->graph, BUDDY_DIM_MUL, before, from->dims[d], &before) != BUDDY_OK)
      return false;
  }
  for (uint32_t d = 0; d < to->rank; ++d) {
    if (here == before && bd_cut_divides(s, to->dims[d])) {
      n->uses[0].want = dim;
      return give(n, (int32_t)d);
    }
    if (buddy_graph_dim(s->graph, BUDDY_DIM_MUL, here, to->dims[d], &here) != BUDDY_OK)
      return false;
  }
  return false;
}

/* ---- Ops that go along one dim, and leave the others alone ----------------------------------- */
static bool beside(bd_cut_node *n, const char *const *names, size_t n_names) {
  int64_t dim;
  const int32_t cut = first_cut(n, NULL);
  if (!int_of(n, "dim", &dim) || dim == cut) return false;
  const uint32_t rank = result_type(n, 0)->rank;
  for (size_t i = 0; i < n->n_uses; ++i) {
    bd_cut_use *u = &n->uses[i];
    if (!is_one_of(buddy_node_arg_name(n->node, u->arg), names, n_names)) continue;
    if (type_of(u)->rank != rank || type_of(u)->dims[cut] != result_type(n, 0)->dims[cut])
      return false;
    u->want = cut;
  }
  return give(n, cut);
}

static bool along(bd_cut_node *n) {
  static const char *const names[] = {"self", "src", "source", "tensors", "input"};
  return beside(n, names, N(names));
}

/* Elements by places that lie beside them. */
static bool gather(bd_cut_node *n) {
  static const char *const names[] = {"self", "index", "src"};
  return beside(n, names, N(names));
}

/* Rows of a table: each place is one. */
static bool embedding(bd_cut_node *n) {
  bd_cut_use *table = bd_cut_use_of(n, "weight"), *places = bd_cut_use_of(n, "indices");
  if (!table || !places || table->value->dim != BD_WHOLE) return false;
  places->want = places->value->dim;
  return give(n, places->want);
}

/* The dim goes, or comes. */
static bool shifted(bd_cut_node *n, int32_t by) {
  int64_t dim;
  const int32_t cut = first_cut(n, NULL);
  if (!int_of(n, "dim", &dim) || (by < 0 && dim == cut)) return false;
  for (size_t i = 0; i < n->n_uses; ++i) n->uses[i].want = cut;
  return give(n, by < 0 ? cut - (dim < cut) : cut + (dim <= cut));
}

/* Each element of the dim several times, or the dim as it is. */
static bool repeat_each(bd_cut_node *n) {
  const buddy_arg *size = buddy_node_arg_find(n->node, "output_size");
  int64_t dim;
  if (!int_of(n, "dim", &dim) || !size || size->kind != BUDDY_ARG_NONE) return false;
  n->uses[0].want = n->uses[0].value->dim;
  return give(n, n->uses[0].want);
}

static bool norm(bd_cut_node *n) {
  const buddy_arg *shape = buddy_node_arg_find(n->node, "normalized_shape");
  const bd_cut_use *u = &n->uses[0];
  const int32_t dim = first_cut(n, &u);
  if (!shape || u != &n->uses[0] || dim >= (int32_t)(type_of(u)->rank - shape->n)) return false;
  n->uses[0].want = dim;
  return n->n_results == 1 && give(n, dim);
}

static bool reduce(bd_cut_node *n) {
  const buddy_arg *dims = buddy_node_arg_find(n->node, "dim");
  const buddy_arg *keeps = buddy_node_arg_find(n->node, "keepdim");
  const int32_t cut = n->uses[0].value->dim;
  int32_t result = cut;
  if (n->n_uses != 1 || !dims || !keeps || keeps->kind != BUDDY_ARG_BOOL) return false;
  if (dims->kind != BUDDY_ARG_INT && (dims->kind != BUDDY_ARG_INTS || dims->n == 0)) return false;
  for (size_t i = 0; i < (dims->kind == BUDDY_ARG_INT ? 1 : dims->n); ++i) {
    const int64_t dim = dims->kind == BUDDY_ARG_INT ? dims->as.i : dims->as.ints[i];
    if (dim == cut) return false;
    if (!keeps->as.i && dim < cut) --result;
  }
  n->uses[0].want = cut;
  return give(n, result);
}

/* Rows that are written at places along dims after the cut one: caches. */
static bool index_put(bd_cut_node *n) {
  bd_cut_use *self = bd_cut_use_of(n, "self"), *values = bd_cut_use_of(n, "values");
  const int32_t cut = self && self->value->dim != BD_WHOLE ? self->value->dim
                      : values                             ? values->value->dim
                                                           : BD_WHOLE;
  if (!self || !values || cut == BD_WHOLE) return false;
  if (type_of(values)->rank != type_of(self)->rank || n->n_uses != 3) return false;
  for (size_t i = 0; i < n->n_uses; ++i) {
    const bd_cut_use *u = &n->uses[i];
    if (u == self || u == values) continue;
    if (type_of(u)->rank != 1 || (int32_t)u->element <= cut || u->value->dim != BD_WHOLE)
      return false;
  }
  self->want = cut;
  return take_broadcast(values, type_of(self), cut) && give(n, cut);
}

/* Batches and heads: of fewer heads of keys each rank takes those of its queries. */
static bool attention(bd_shard *s, bd_cut_node *n) {
  bd_cut_use *q = bd_cut_use_of(n, "query"), *k = bd_cut_use_of(n, "key"),
             *v = bd_cut_use_of(n, "value");
  bd_cut_use *mask = bd_cut_use_of(n, "attn_mask");
  const int32_t cut = first_cut(n, NULL);
  if (!q || !k || !v || n->n_results != 1) return false;
  const uint32_t rank = type_of(q)->rank;
  if (type_of(k)->rank != rank || type_of(v)->rank != rank) return false;
  if (cut + 3 > (int32_t)rank || (mask && mask->value->dim == cut && mask == &n->uses[0]))
    return false;
  for (size_t i = 0; i < 3; ++i) {
    bd_cut_use *u = i == 0 ? q : i == 1 ? k : v;
    const int64_t size = type_of(u)->dims[cut];
    const bool is_known = !BUDDY_IS_SYMBOLIC(size) && size > 0;
    const bool is_part = is_known && size != type_of(q)->dims[cut] &&
                         !BUDDY_IS_SYMBOLIC(s->n_ranks) && s->n_ranks % size == 0;
    if (!is_part && !bd_cut_divides(s, size)) return false;
    u->want = cut;
  }
  return (!mask || take_broadcast(mask, result_type(n, 0), cut)) && give(n, cut);
}

/* ---- Products -------------------------------------------------------------------------------- */
typedef struct operands {
  bd_cut_use *a, *b, *bias;
  int32_t a_rank, b_rank, k_of_b, n_of_b; /* dims of b: that is summed over, that becomes columns */
} operands;

static bool find_operands(const bd_cut_node *n, operands *o) {
  static const char *const names[][4] = {{"aten.linear.default", "input", "weight", "bias"},
                                         {"aten.mm.default", "self", "mat2", NULL},
                                         {"aten.addmm.default", "mat1", "mat2", "self"},
                                         {"aten.bmm.default", "self", "mat2", NULL},
                                         {"aten.matmul.default", "self", "other", NULL}};
  for (size_t i = 0; i < N(names); ++i) {
    if (strcmp(buddy_node_op(n->node), names[i][0]) != 0) continue;
    o->a = bd_cut_use_of(n, names[i][1]);
    o->b = bd_cut_use_of(n, names[i][2]);
    o->bias = names[i][3] ? bd_cut_use_of(n, names[i][3]) : NULL;
    if (!o->a || !o->b) return false;
    o->a_rank = (int32_t)type_of(o->a)->rank;
    o->b_rank = (int32_t)type_of(o->b)->rank;
    o->k_of_b = i == 0 ? 1 : o->b_rank - 2;
    o->n_of_b = i == 0 ? 0 : o->b_rank - 1;
    return o->a_rank >= 1 && o->b_rank >= 2 && (o->b_rank == 2 || o->a_rank == o->b_rank);
  }
  return false;
}

bool bd_cut_product(const buddy_node *node, size_t *out_weight) {
  static const char *const names[][2] = {{"aten.linear.default", "weight"},
                                         {"aten.mm.default", "mat2"},
                                         {"aten.addmm.default", "mat2"},
                                         {"aten.matmul.default", "other"}};
  for (size_t i = 0; i < N(names); ++i) {
    if (strcmp(buddy_node_op(node), names[i][0]) == 0)
      return buddy_opdef_arg_find(buddy_node_opdef(node),
                                  (buddy_sv){names[i][1], strlen(names[i][1])},
                                  out_weight) == BUDDY_OK;
  }
  return false;
}

static bool are_scales_one(const bd_cut_node *n) {
  for (size_t i = 0; i < buddy_node_n_args(n->node); ++i) {
    const char *name = buddy_node_arg_name(n->node, i);
    const bool is_scale = strcmp(name, "beta") == 0 || strcmp(name, "alpha") == 0;
    if (is_scale && !buddy_node_arg_is_default(n->node, i)) return false;
  }
  return true;
}

static bool by_rows(bd_cut_node *n, const operands *o) {
  if (!o->b->value->is_constant || !are_scales_one(n)) return false;
  o->a->want = o->a_rank - 1;
  o->b->want = o->k_of_b;
  n->is_sum = true;
  return true; /* results, and the bias, are whole */
}

static bool by_columns(bd_cut_node *n, const operands *o) {
  const int32_t last = (int32_t)result_type(n, 0)->rank - 1;
  o->b->want = o->n_of_b;
  return (!o->bias || take_broadcast(o->bias, result_type(n, 0), last)) && give(n, last);
}

static bool product(bd_shard *s, bd_cut_node *n) {
  operands o;
  if (!find_operands(n, &o)) return false;
  const int32_t a = o.a->value->dim, b = o.b->value->dim, last = o.a_rank - 1;
  const bool is_free = a == BD_WHOLE && b == BD_WHOLE;
  if (a == last) return (b == BD_WHOLE || b == o.k_of_b) && by_rows(n, &o);
  if (is_free && n->mode == BD_CUT_ROWS)
    return bd_cut_divides(s, type_of(o.a)->dims[last]) && by_rows(n, &o);
  if (is_free && n->mode != BD_CUT_NOT)
    return bd_cut_divides(s, type_of(o.b)->dims[o.n_of_b]) && by_columns(n, &o);
  if (a == BD_WHOLE && b == o.n_of_b) return by_columns(n, &o);
  const bool is_batched = o.b_rank > 2;
  const int32_t cut = a != BD_WHOLE ? a : b;
  if (cut == BD_WHOLE || (a == BD_WHOLE && (!is_batched || b >= o.b_rank - 2))) return false;
  const bool is_batch = is_batched && cut < o.a_rank - 2;
  if (is_batch && type_of(o.a)->dims[cut] != type_of(o.b)->dims[cut]) return false;
  if (!is_batch && b != BD_WHOLE) return false;
  o.a->want = cut;
  if (is_batch) o.b->want = cut;
  return (!o.bias || take_broadcast(o.bias, result_type(n, 0), cut)) && give(n, cut);
}

/* ---- All ------------------------------------------------------------------------------------- */
static bool dispatch(bd_shard *s, bd_cut_node *n) {
  static const char *const views[] = {
      "aten.view.default",      "aten._unsafe_view.default", "aten.reshape.default",
      "aten.unsqueeze.default", "aten.squeeze.dim",          "aten.squeeze.dims",
      "aten.squeeze.default",   "aten.flatten.using_ints",   "aten.unflatten.int"};
  static const char *const beside_dim[] = {
      "aten.softmax.int",           "aten._softmax.default",
      "aten.log_softmax.int",       "aten._log_softmax.default",
      "aten.cat.default",           "aten.slice.Tensor",
      "aten.split.Tensor",          "aten.split_with_sizes.default",
      "aten.chunk.default",         "aten.narrow.default",
      "aten.slice_scatter.default", "aten.index_copy.default",
      "aten.index_select.default",  "aten.cumsum.default"};
  static const char *const gathers[] = {"aten.gather.default", "aten.scatter.src",
                                        "aten.scatter.value", "aten.scatter_add.default"};
  static const char *const others[] = {"aten.prelu.default", "aten._prelu_kernel.default"};
  size_t weight;
  const char *op = buddy_node_op(n->node);
  const buddy_opdef *def = buddy_node_opdef(n->node);
  if (bd_cut_product(n->node, &weight) || strcmp(op, "aten.bmm.default") == 0) return product(s, n);
  if (first_cut(n, NULL) == BD_WHOLE) return true;
  const buddy_op_kind kind = buddy_opdef_kind(def);
  if (is_one_of(op, others, N(others))) return false;
  if (kind == BUDDY_KIND_ELEMENTWISE) return elementwise(n);
  if (kind == BUDDY_KIND_TRANSPOSE) return n->n_uses == 1 && transpose(n);
  if (strcmp(op, "aten.expand.default") == 0) return elementwise(n);
  if (is_one_of(op, views, N(views))) return reshape(s, n);
  if (is_one_of(op, beside_dim, N(beside_dim))) return along(n);
  if (is_one_of(op, gathers, N(gathers))) return gather(n);
  if (strcmp(op, "aten.embedding.default") == 0) return embedding(n);
  if (strcmp(op, "aten.select.int") == 0 || strcmp(op, "aten.unbind.int") == 0)
    return shifted(n, -1);
  if (strcmp(op, "aten.stack.default") == 0) return shifted(n, 1);
  if (strcmp(op, "aten.repeat_interleave.self_int") == 0) return repeat_each(n);
  if (strcmp(op, "aten.layer_norm.default") == 0 || strcmp(op, "aten.rms_norm.default") == 0)
    return norm(n);
  if (kind == BUDDY_KIND_REDUCE) return n->n_results == 1 && reduce(n);
  if (strcmp(op, "aten.index_put.default") == 0) return index_put(n);
  if (strcmp(op, "aten.scaled_dot_product_attention.default") == 0) return attention(s, n);
  return false;
}

static void reset(bd_cut_node *n) {
  for (size_t i = 0; i < n->n_uses; ++i) n->uses[i].want = BD_WHOLE;
  give(n, BD_WHOLE);
  n->is_sum = n->is_kept_whole = false;
}

static bool has_graphs(const buddy_node *node) {
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    if (buddy_node_arg(node, i)->kind == BUDDY_ARG_GRAPH) return true;
  }
  return false;
}

bool bd_cut_rule(bd_shard *s, bd_cut_node *n) {
  reset(n);
  if (n->mode == BD_CUT_NOT && first_cut(n, NULL) == BD_WHOLE) return true;
  const bool is_known = buddy_node_opdef(n->node) && n->n_results > 0 && !has_graphs(n->node);
  if (is_known && dispatch(s, n)) return true;
  reset(n);
  n->is_kept_whole = true;
  return false;
}

bool bd_cut_rule_back(bd_shard *s, bd_cut_node *n, int32_t dim) {
  static const char *const scaled[] = {"quantized_decomposed.dequantize_per_channel.default",
                                       "quantized_decomposed.dequantize_per_tensor.default"};
  const buddy_opdef *def = buddy_node_opdef(n->node);
  const char *op = buddy_node_op(n->node);
  int32_t from[64];
  int64_t axis = -1;
  (void)s;
  reset(n);
  if (!def || n->n_results != 1) return false;
  if (buddy_opdef_kind(def) == BUDDY_KIND_ELEMENTWISE) return broadcast(n, dim);
  if (buddy_opdef_kind(def) == BUDDY_KIND_TRANSPOSE && permutation(n, from)) {
    n->uses[0].want = from[dim];
    return give(n, dim);
  }
  if (!is_one_of(op, scaled, N(scaled))) return false;
  const bool is_by_axis = int_of(n, "axis", &axis) && axis == dim;
  for (size_t i = 0; i < n->n_uses; ++i) {
    if (n->uses[i].arg == 0)
      n->uses[i].want = dim;
    else
      n->uses[i].want = is_by_axis ? 0 : BD_WHOLE;
  }
  return give(n, dim);
}
