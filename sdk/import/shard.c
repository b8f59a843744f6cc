// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/shard.c: cuts a program for one of several ranks; see shard.h and buddy/import.h.
 *
 * What is cut is found, or a plan says it. To find it, every product of a weight begins by columns, and
 * what needs a gather that way takes back the products that it comes from, until nothing does: left
 * are those whose cut ends in products by rows. So nothing has to be known of attention or of an MLP. */
#include "sdk/import/shard.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/options.h"
#include "core/base/try.h"

enum {
  MAX_RANKS = 4096,
  MAX_RANK = 64,
  A_MESSAGE = 1 << 18 /* multiplications, by weights from memory, that take as long as a gather */
};

/* ---- What there is --------------------------------------------------------------------------- */
static void *piece(bd_shard *s, size_t n, size_t size) {
  void *pieces = bd_array_grow(s->pieces, &s->pieces_capacity, s->n_pieces + 1, sizeof *s->pieces);
  if (!pieces) return NULL;
  s->pieces = pieces;
  void *memory = bd_calloc(n, size);
  if (memory) s->pieces[s->n_pieces++] = memory;
  return memory;
}

static buddy_code add_value(bd_shard *s, const buddy_value *key, bool is_constant,
                            bd_cut_value **out) {
  bool hash_is_full = false;
  bd_cut_value *v = piece(s, 1, sizeof *v);
  if (!v) return BUDDY_OUT_OF_MEMORY;
  *v = (bd_cut_value){.key = key, .dim = BD_WHOLE, .is_constant = is_constant, .wished = BD_WHOLE};
  HASH_ADD_PTR(s->values, key, v);
  if (out) *out = v;
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static size_t count_uses(const buddy_node *node) {
  size_t n = 0;
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    n += arg->kind == BUDDY_ARG_TENSOR ? 1 : arg->kind == BUDDY_ARG_TENSORS ? arg->n : 0;
  }
  return n;
}

static void add_use(const bd_shard *s, bd_cut_node *n, size_t arg, size_t element,
                    const buddy_value *value) {
  if (!value) return;
  bd_cut_value *v = bd_cut_find(s, value);
  if (v) n->uses[n->n_uses++] = (bd_cut_use){arg, element, v, BD_WHOLE};
}

/* The node's uses; *out_is_constant: all of them are made of weights alone. */
static buddy_code add_uses(bd_shard *s, bd_cut_node *n, bool *out_is_constant) {
  n->uses = piece(s, count_uses(n->node) + 1, sizeof *n->uses);
  if (!n->uses) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < buddy_node_n_args(n->node); ++i) {
    const buddy_arg *arg = buddy_node_arg(n->node, i);
    if (arg->kind == BUDDY_ARG_TENSOR) add_use(s, n, i, 0, arg->as.tensor);
    for (size_t e = 0; arg->kind == BUDDY_ARG_TENSORS && e < arg->n; ++e)
      add_use(s, n, i, e, arg->as.tensors[e]);
  }
  *out_is_constant = n->n_uses > 0 && buddy_node_opdef(n->node) &&
                     buddy_opdef_kind(buddy_node_opdef(n->node)) != BUDDY_KIND_RANDOM &&
                     buddy_opdef_kind(buddy_node_opdef(n->node)) != BUDDY_KIND_SIDE_EFFECT;
  for (size_t i = 0; i < n->n_uses; ++i) *out_is_constant &= n->uses[i].value->is_constant;
  return BUDDY_OK;
}

static buddy_code add_node(bd_shard *s, bd_cut_node *n) {
  bool is_constant;
  size_t weight;
  BD_TRY(add_uses(s, n, &is_constant));
  n->n_results = buddy_node_n_results(n->node);
  n->results = piece(s, n->n_results + 1, sizeof(bd_cut_value *));
  n->dims = piece(s, n->n_results + 1, sizeof *n->dims);
  if (!n->results || !n->dims) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n->n_results; ++i)
    BD_TRY(add_value(s, buddy_node_result(n->node, i), is_constant, &n->results[i]));
  if (is_constant || !buddy_node_opdef(n->node) || !bd_cut_product(n->node, &weight))
    return BUDDY_OK;
  for (size_t i = 0; i < n->n_uses; ++i) {
    const bd_cut_value *v = n->uses[i].value;
    const bool is_weight = n->uses[i].arg == weight && v->is_constant;
    if (is_weight && buddy_value_type(v->key)->rank == 2) n->product = ++s->n_products;
  }
  return BUDDY_OK;
}

buddy_code bd_cut_collect(bd_shard *s) {
  const buddy_graph *graph = s->graph;
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i) {
    const bool is_constant = buddy_graph_input_kind(graph, i) != BUDDY_INPUT_USER;
    BD_TRY(add_value(s, buddy_graph_input(graph, i), is_constant, NULL));
  }
  for (size_t i = 0; i < buddy_graph_n_outputs(graph); ++i) {
    bd_cut_value *buffer = bd_cut_buffer(s, i);
    if (buffer) buffer->is_constant = false;
  }
  s->nodes = piece(s, buddy_graph_n_nodes(graph) + 1, sizeof *s->nodes);
  if (!s->nodes) return BUDDY_OUT_OF_MEMORY;
  for (buddy_node *node = buddy_graph_first(graph); node; node = buddy_node_next(node)) {
    s->nodes[s->n_nodes].node = node;
    BD_TRY(add_node(s, &s->nodes[s->n_nodes++]));
  }
  s->n_words = s->n_products / 64 + 1;
  s->blamed = piece(s, s->n_words, sizeof *s->blamed);
  uint64_t *sets = piece(s, s->n_words * (HASH_COUNT(s->values) + 1), sizeof *sets);
  if (!s->blamed || !sets) return BUDDY_OUT_OF_MEMORY;
  for (bd_cut_value *v = s->values; v; v = v->hh.next, sets += s->n_words) v->origins = sets;
  return BUDDY_OK;
}

void bd_cut_release(bd_shard *s) {
  HASH_CLEAR(hh, s->values);
  for (size_t i = 0; i < s->n_pieces; ++i) bd_free(s->pieces[i]);
  bd_free(s->pieces);
}

/* ---- One pass -------------------------------------------------------------------------------- */
static void unite(const bd_shard *s, uint64_t *to, const uint64_t *from) {
  for (size_t i = 0; i < s->n_words; ++i) to[i] |= from[i];
}

/* A buffer that the program writes to begins as it is used: whole or cut. */
static bool wish(bd_cut_value *v, int32_t dim, const buddy_graph *graph) {
  if (buddy_value_node(v->key) || v->is_constant || v->dim != BD_WHOLE || v->wished == dim)
    return false;
  const bool is_user = buddy_graph_input_kind(graph, buddy_value_index(v->key)) == BUDDY_INPUT_USER;
  if (!is_user) v->wished = dim;
  return !is_user;
}

static bool pass_node(bd_shard *s, bd_cut_node *n) {
  bool has_wishes = false;
  bd_cut_rule(s, n);
  for (size_t r = 0; r < n->n_results; ++r)
    memset(n->results[r]->origins, 0, s->n_words * sizeof(uint64_t));
  for (size_t i = 0; i < n->n_uses; ++i) {
    bd_cut_use *u = &n->uses[i];
    if (u->value->dim != BD_WHOLE && u->want != u->value->dim)
      unite(s, s->blamed, u->value->origins);
  }
  for (size_t r = 0; r < n->n_results; ++r) {
    bd_cut_value *v = n->results[r];
    v->dim = n->is_sum || n->mode == BD_CUT_COLUMNS_GATHERED ? BD_WHOLE : n->dims[r];
    for (size_t i = 0; i < n->n_uses && v->dim != BD_WHOLE; ++i)
      if (n->uses[i].value->dim != BD_WHOLE) unite(s, v->origins, n->uses[i].value->origins);
    if (v->dim != BD_WHOLE && n->mode == BD_CUT_COLUMNS && n->product)
      v->origins[n->product / 64] |= UINT64_C(1) << n->product % 64;
  }
  for (size_t i = 0; i < n->n_uses; ++i) {
    bd_cut_use *u = &n->uses[i];
    if (u->want == BD_WHOLE || !wish(u->value, u->want, s->graph)) continue;
    has_wishes = true;
    for (size_t r = 0; r < n->n_results; ++r) unite(s, u->value->origins, n->results[r]->origins);
  }
  return has_wishes;
}

static void pass_outputs(bd_shard *s) {
  for (size_t i = 0; i < buddy_graph_n_outputs(s->graph); ++i) {
    const buddy_arg *output = buddy_graph_output(s->graph, i);
    if (output->kind != BUDDY_ARG_TENSOR) continue;
    const bd_cut_value *v = bd_cut_find(s, output->as.tensor);
    if (v->dim == BD_WHOLE) continue;
    const bd_cut_value *buffer = bd_cut_buffer(s, i);
    if (!buffer || buffer->dim != v->dim) unite(s, s->blamed, v->origins);
  }
}

/* All nodes, in their order; again as long as buffers become cut. */
static void pass(bd_shard *s) {
  bool has_wishes = true;
  for (size_t k = 0; has_wishes && k < 8; ++k) {
    has_wishes = false;
    memset(s->blamed, 0, s->n_words * sizeof *s->blamed);
    for (size_t i = 0; i < buddy_graph_n_inputs(s->graph); ++i) {
      bd_cut_value *v = bd_cut_find(s, buddy_graph_input(s->graph, i));
      v->dim = v->wished;
    }
    for (size_t i = 0; i < s->n_nodes; ++i) has_wishes |= pass_node(s, &s->nodes[i]);
  }
  pass_outputs(s);
}

/* ---- What is cut ----------------------------------------------------------------------------- */
static const bd_cut_use *weight_of(const bd_cut_node *n) {
  size_t weight = 0;
  bd_cut_product(n->node, &weight);
  for (size_t i = 0; i < n->n_uses; ++i) {
    if (n->uses[i].arg == weight) return &n->uses[i];
  }
  return NULL;
}

static bool take_back(bd_shard *s) {
  bool has_changed = false;
  for (size_t i = 0; i < s->n_nodes; ++i) {
    bd_cut_node *n = &s->nodes[i];
    const bool is_blamed = n->product && n->mode == BD_CUT_COLUMNS &&
                           (s->blamed[n->product / 64] >> n->product % 64 & 1);
    if (is_blamed) n->mode = BD_CUT_NOT;
    has_changed |= is_blamed;
  }
  for (size_t i = 0; has_changed && i < buddy_graph_n_inputs(s->graph); ++i) {
    bd_cut_value *v = bd_cut_find(s, buddy_graph_input(s->graph, i));
    v->wished = BD_WHOLE;
    memset(v->origins, 0, s->n_words * sizeof(uint64_t));
  }
  return has_changed;
}

/* Whether a rank reads so much less of the weight that it pays to gather the result: a few rows of it,
 * or, where their number is not known, many more columns than there are summands (vocabularies);
 * and what it has not to multiply would take longer than a message. */
static bool is_worth_a_gather(const bd_shard *s, const bd_cut_node *n) {
  const bd_cut_use *weight = weight_of(n);
  const buddy_tensor_type *type = buddy_value_type(weight->value->key);
  const buddy_tensor_type *result = buddy_value_type(n->results[0]->key);
  const int64_t columns = result->dims[result->rank - 1];
  const int64_t k = type->dims[0] == columns ? type->dims[1] : type->dims[0];
  int64_t rows = 1, products;
  bool is_known = true;
  for (uint32_t d = 0; d + 1 < result->rank && is_known; ++d) {
    is_known = !BUDDY_IS_SYMBOLIC(result->dims[d]);
    if (is_known && __builtin_mul_overflow(rows, result->dims[d], &rows)) return false;
  }
  if (!is_known) rows = 1;
  if (is_known ? rows > k / 4 || rows == 0 : columns < 4 * k) return false;
  if (__builtin_mul_overflow(rows, k, &products)) return true;
  if (__builtin_mul_overflow(products, columns, &products)) return true;
  return products - products / s->n_ranks >= A_MESSAGE;
}

static void find(bd_shard *s) {
  for (size_t i = 0; i < s->n_nodes; ++i) {
    if (s->nodes[i].product) s->nodes[i].mode = BD_CUT_COLUMNS;
  }
  do pass(s);
  while (take_back(s));
  for (size_t i = 0; i < s->n_nodes; ++i) {
    bd_cut_node *n = &s->nodes[i];
    const bool is_free =
        n->product && n->mode == BD_CUT_NOT && !n->is_sum && n->uses[0].value->dim == BD_WHOLE;
    if (is_free && is_worth_a_gather(s, n)) n->mode = BD_CUT_COLUMNS_GATHERED;
  }
  pass(s);
}

/* The weight's name, through what is made of it alone. */
static const char *target_of(const bd_shard *s, const buddy_value *value) {
  for (int k = 0; k < 16 && buddy_value_node(value); ++k) {
    const buddy_arg *arg = buddy_node_arg(buddy_value_node(value), 0);
    if (arg->kind != BUDDY_ARG_TENSOR) return "";
    value = arg->as.tensor;
  }
  return buddy_value_node(value) ? ""
                                 : buddy_graph_input_target(s->graph, buddy_value_index(value));
}

static buddy_code follow(bd_shard *s, const char *text) {
  bd_cut_plan *plan;
  BD_TRY(bd_cut_plan_read(text, s->diags, &plan));
  for (size_t i = 0; i < s->n_nodes; ++i) {
    if (s->nodes[i].product)
      s->nodes[i].mode = bd_cut_plan_find(plan, target_of(s, weight_of(&s->nodes[i])->value->key));
  }
  BD_TRY(bd_cut_plan_end(plan, BUDDY_OK, s->diags));
  pass(s);
  return BUDDY_OK;
}

/* ---- Weights --------------------------------------------------------------------------------- */
static void demand(bd_cut_value *v, int32_t dim) {
  v->demanded = v->n_demands++ == 0 || v->demanded == dim ? dim : BD_WHOLE;
}

static bool is_all_demanded(const bd_shard *s, const bd_cut_value *v) {
  return v->is_constant && v->dim == BD_WHOLE && v->n_demands > 0 && v->demanded != BD_WHOLE &&
         v->n_demands == buddy_value_n_uses(v->key) &&
         bd_cut_divides(s, buddy_value_type(v->key)->dims[v->demanded]);
}

/* Whether the rank's part lies in one piece. Others are sliced by the code, which packs them from where
 * they lie: as an input of its own such a part would be copied first. */
static bool is_one_block(const buddy_graph *graph, size_t i, int32_t dim) {
  const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(graph, i));
  const int64_t *strides = buddy_graph_input_data(graph, i)->strides;
  int64_t stride = 1;
  for (uint32_t d = type->rank; d-- > 0; stride *= type->dims[d]) {
    const bool is_dense = !strides || strides[d] == stride || type->dims[d] == 1;
    if (!is_dense || ((int32_t)d < dim && type->dims[d] != 1)) return false;
  }
  return true;
}

/* A weight that all uses take cut in one way is cut where it lies; what is made of it, too. From the
 * last node to the first, so that all uses are seen. */
static void cut_weights(bd_shard *s) {
  for (size_t i = s->n_nodes; i-- > 0;) {
    bd_cut_node *n = &s->nodes[i];
    if (n->n_results == 1 && is_all_demanded(s, n->results[0])) {
      const int32_t dim = n->results[0]->demanded;
      if (bd_cut_rule_back(s, n, dim))
        n->results[0]->dim = dim;
      else
        bd_cut_rule(s, n);
    }
    for (size_t k = 0; k < n->n_uses; ++k) {
      if (n->uses[k].want != BD_WHOLE && n->uses[k].value->is_constant)
        demand(n->uses[k].value, n->uses[k].want);
    }
  }
  for (size_t i = 0; i < buddy_graph_n_inputs(s->graph); ++i) {
    bd_cut_value *v = bd_cut_find(s, buddy_graph_input(s->graph, i));
    if (!is_all_demanded(s, v)) continue;
    v->is_sliced = !is_one_block(s->graph, i, v->demanded);
    if (!v->is_sliced) v->dim = v->demanded;
  }
}

/* ---- Telling --------------------------------------------------------------------------------- */
static void count_products(bd_shard *s) {
  for (size_t i = 0; i < s->n_nodes; ++i) {
    const bd_cut_node *n = &s->nodes[i];
    if (n->is_sum)
      ++s->told.rows;
    else if (n->product && n->n_results == 1 && n->dims[0] != BD_WHOLE && n->mode != BD_CUT_NOT)
      ++*(n->mode == BD_CUT_COLUMNS ? &s->told.columns : &s->told.gathered);
  }
}

/* Where a plan cuts what an op can't take. */
static buddy_code tell_gathers(const bd_shard *s) {
  char where[512];
  for (size_t i = 0; i < s->n_nodes; ++i) {
    const bd_cut_node *n = &s->nodes[i];
    bool is_cut = false;
    for (size_t k = 0; k < n->n_uses; ++k) is_cut |= n->uses[k].value->dim != BD_WHOLE;
    if (!n->is_kept_whole || !is_cut) continue;
    buddy_node_describe(n->node, where, sizeof where);
    BD_TRY(buddy_diags_add(s->diags, BUDDY_NOTE, BUDDY_OK, where, NULL,
                           "its operands are gathered first: %s has no rule for the dim in which "
                           "they are cut",
                           buddy_node_op(n->node)));
  }
  return BUDDY_OK;
}

/* Of weights, of which the rank has a part where all uses take that. */
static uint64_t weight_bytes(const bd_shard *s) {
  uint64_t sum = 0;
  for (size_t i = 0; i < buddy_graph_n_inputs(s->graph); ++i) {
    const buddy_value *value = buddy_graph_input(s->graph, i);
    const buddy_tensor_type *type = buddy_value_type(value);
    const bd_cut_value *v = bd_cut_find(s, value);
    uint64_t n = buddy_dtype_size(type->dtype);
    for (uint32_t d = 0; d < type->rank; ++d)
      n *= BUDDY_IS_SYMBOLIC(type->dims[d]) ? 1 : (uint64_t)type->dims[d];
    if (v && v->is_sliced) n /= (uint64_t)s->n_ranks;
    if (buddy_graph_input_kind(s->graph, i) != BUDDY_INPUT_USER) sum += n;
  }
  return sum;
}

static buddy_code tell(const bd_shard *s, uint64_t before) {
  char moved[256];
  if (s->told.columns + s->told.rows + s->told.gathered == 0)
    return buddy_diags_add(s->diags, BUDDY_WARNING, BUDDY_OK, buddy_graph_name(s->graph),
                           "give a plan of what to cut, or run it on one rank",
                           "nothing is cut: no product of a weight ends in another one without a "
                           "gather, or sizes do not divide by %" PRId64,
                           s->n_ranks);
  buddy_graph_dim_text(s->graph, s->told.elements, moved, sizeof moved);
  return buddy_diags_add(
      s->diags, BUDDY_NOTE, BUDDY_OK, NULL, NULL,
      "rank %" PRId64 " of %" PRId64
      ": %zu products by columns, %zu by rows, %zu by columns and "
      "gathered; %zu sums and %zu gathers of %s elements in all; weights of %.1f MB, of %.1f",
      s->rank, s->n_ranks, s->told.columns, s->told.rows, s->told.gathered, s->told.sums,
      s->told.gathers, moved, (double)weight_bytes(s) / 1e6, (double)before / 1e6);
}

/* ---- All ------------------------------------------------------------------------------------- */
static buddy_code cut(bd_shard *s, const char *plan) {
  const uint64_t before = weight_bytes(s);
  BD_TRY(bd_cut_collect(s));
  if (plan)
    BD_TRY(follow(s, plan));
  else
    find(s);
  cut_weights(s);
  count_products(s);
  BD_TRY(tell_gathers(s));
  BD_TRY(bd_cut_apply(s));
  BD_TRY(tell(s, before));
  return buddy_graph_verify(s->graph, s->diags);
}

bool bd_cut_has_large_ranks(const buddy_graph *graph) {
  for (const buddy_node *n = buddy_graph_first(graph); n; n = buddy_node_next(n)) {
    for (size_t i = 0; i < buddy_node_n_results(n); ++i)
      if (buddy_value_type(buddy_node_result(n, i))->rank > MAX_RANK) return true;
  }
  return false;
}

buddy_code buddy_graph_shard(buddy_graph *graph, const buddy_shard_options *options,
                             buddy_diags *diags) {
  buddy_shard_options o = {.struct_size = sizeof o};
  BD_TRY(bd_options_read(&o, sizeof o, options, "buddy_shard_options", diags));
  if (o.n_ranks <= 1 && o.rank == 0) return BUDDY_OK;
  if (o.n_ranks > MAX_RANKS || o.rank >= o.n_ranks || bd_cut_has_large_ranks(graph))
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "tensor parallel",
                           "number ranks from 0, and have no more than 4096 of them",
                           "there is no rank %zu of %zu", o.rank, o.n_ranks);
  bd_shard s = {
      .graph = graph, .diags = diags, .n_ranks = (int64_t)o.n_ranks, .rank = (int64_t)o.rank};
  buddy_code code = buddy_graph_normalize(graph, diags); /* dims are counted from the front */
  if (code == BUDDY_OK) code = cut(&s, o.plan);
  bd_cut_release(&s);
  return code;
}
