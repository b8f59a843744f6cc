// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/normalize_args.c: arguments in one form.
 *
 *   dims          counted from the front
 *   indices       select, slice and their scatters: counted from the front, cut to the tensor
 *   sizes         view, reshape, expand: what -1 stands for
 *   lists         [1] for "int[2]" is [1, 1]; an empty stride of a pooling is its kernel
 *   defaults      device, layout, memory format and the like say nothing about values: they are
 *                 None, or what the schema has */
#include <string.h>

#include "core/graph/guards.h"
#include "sdk/import/normalize.h"
#include "sdk/import/sizes.h"
#include "sdk/import/tables.h"

#define MAX_LIST 64u

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; ++names) {
    if (!strcmp(name, *names)) return true;
  }
  return false;
}

static buddy_code set_int(buddy_node *node, size_t i, int64_t number, buddy_diags *diags) {
  const buddy_arg arg = bd_int_arg(number);
  return buddy_node_set_arg(node, i, &arg, diags);
}

static buddy_code set_ints(buddy_node *node, size_t i, const int64_t *ints, size_t n,
                           buddy_diags *diags) {
  const buddy_arg arg = bd_ints_arg(ints, n);
  return buddy_node_set_arg(node, i, &arg, diags);
}

/* ---- Defaults ---- */

static bool is_silent(const buddy_schema_arg *schema) {
  static const char *const names[] = {"pin_memory", "non_blocking", "cudnn_enable", "cudnn_enabled",
                                      NULL};
  if (!schema->has_default) return false;
  return schema->type == BUDDY_SCHEMA_DEVICE || schema->type == BUDDY_SCHEMA_LAYOUT ||
         schema->type == BUDDY_SCHEMA_MEMORY_FORMAT || is_one_of(schema->name, names);
}

static buddy_code reset_silent(buddy_node *node, size_t i, const buddy_schema_arg *schema,
                               buddy_diags *diags) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  if (buddy_node_arg_is_default(node, i) || !is_silent(schema)) return BUDDY_OK;
  /* A sparse tensor is something else. */
  if (arg->kind == BUDDY_ARG_LAYOUT && strcmp(arg->as.string, "strided")) return BUDDY_OK;
  return buddy_node_set_arg(node, i, &schema->default_value, diags);
}

/* ---- Dims ---- */

/* Ops whose dims count those of the result. */
static bool counts_result(const char *op) {
  static const char *const ops[] = {"aten.unsqueeze.default",      "aten.stack.default",
                                    "aten.diag_embed.default",     "aten.cat.default",
                                    "aten.unsqueeze_copy.default", NULL};
  return is_one_of(op, ops);
}

/* Ops whose dims count those of the operands broadcast together. */
static bool counts_broadcast(const char *op) {
  static const char *const ops[] = {"aten.cosine_similarity.default", "aten.linalg_vecdot.default",
                                    NULL};
  return is_one_of(op, ops);
}

static bool find_rank(const buddy_node *node, int64_t *out_rank) {
  const bool is_largest = counts_broadcast(buddy_node_op(node));
  bool is_found = false;
  *out_rank = 0;
  if (counts_result(buddy_node_op(node))) {
    *out_rank = buddy_value_type(buddy_node_result(node, 0))->rank;
    return true;
  }
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    const buddy_value *value = arg->kind == BUDDY_ARG_TENSOR                  ? arg->as.tensor
                               : arg->kind == BUDDY_ARG_TENSORS && arg->n > 0 ? arg->as.tensors[0]
                                                                              : NULL;
    if (!value) continue;
    const int64_t rank = buddy_value_type(value)->rank;
    if (!is_found || rank > *out_rank) *out_rank = rank;
    is_found = true;
    if (!is_largest) break;
  }
  return is_found;
}

/* A dim may be -rank … rank-1; of a 0-d tensor -1 and 0. */
static bool wrap(int64_t rank, int64_t *dim) {
  if (rank == 0) rank = 1;
  if (BUDDY_IS_SYMBOLIC(*dim) || *dim < -rank || *dim >= rank) return false;
  if (*dim < 0) *dim += rank;
  return true;
}

static buddy_code out_of_range(const buddy_node *node, size_t i, int64_t rank, buddy_diags *diags) {
  char where[512];
  buddy_node_describe(node, where, sizeof where);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where, NULL,
                         "%s: argument \"%s\" names a dim that a tensor of rank %lld has not",
                         buddy_node_op(node), buddy_node_arg_name(node, i), (long long)rank);
}

static buddy_code normalize_dim(buddy_node *node, size_t i, int64_t rank, buddy_diags *diags) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  int64_t dim = arg->as.i;
  if (!wrap(rank, &dim)) return out_of_range(node, i, rank, diags);
  return dim == arg->as.i ? BUDDY_OK : set_int(node, i, dim, diags);
}

static buddy_code normalize_dim_list(buddy_node *node, size_t i, int64_t rank, buddy_diags *diags) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  int64_t dims[MAX_LIST];
  bool is_changed = false;
  if (arg->n > MAX_LIST) return out_of_range(node, i, rank, diags);
  for (size_t k = 0; k < arg->n; ++k) {
    dims[k] = arg->as.ints[k];
    if (!wrap(rank, &dims[k])) return out_of_range(node, i, rank, diags);
    is_changed = is_changed || dims[k] != arg->as.ints[k];
  }
  return is_changed ? set_ints(node, i, dims, arg->n, diags) : BUDDY_OK;
}

static bool is_dim_name(const char *name) {
  static const char *const names[] = {"dim",       "dims",    "dim0", "dim1", "dim2",
                                      "start_dim", "end_dim", "axis", NULL};
  return is_one_of(name, names);
}

/* Gradients' dims count those of a tensor that is not there; tile's are repeats. */
static bool has_own_dims(const char *op) {
  return strncmp(op, "aten.", 5) || strstr(op, "_backward") || !strncmp(op, "aten.fft_", 9) ||
         !strncmp(op, "aten.cross.", 11) || !strncmp(op, "aten.tile.", 10);
}

static buddy_code normalize_dims(buddy_node *node, size_t i, buddy_diags *diags) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  int64_t rank;
  if (arg->kind != BUDDY_ARG_INT && arg->kind != BUDDY_ARG_INTS) return BUDDY_OK;
  if (!is_dim_name(buddy_node_arg_name(node, i)) || has_own_dims(buddy_node_op(node)))
    return BUDDY_OK;
  if (!find_rank(node, &rank)) return BUDDY_OK;
  return arg->kind == BUDDY_ARG_INT ? normalize_dim(node, i, rank, diags)
                                    : normalize_dim_list(node, i, rank, diags);
}

/* ---- Lists ---- */

static buddy_code normalize_list(buddy_node *node, size_t i, const buddy_schema_arg *schema,
                                 buddy_diags *diags) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  int64_t ints[MAX_LIST];
  if (arg->kind != BUDDY_ARG_INTS) return BUDDY_OK;
  if (arg->n == 0 && !strcmp(schema->name, "stride") &&
      buddy_opdef_kind(buddy_node_opdef(node)) == BUDDY_KIND_POOLING) {
    const buddy_arg *kernel = buddy_node_arg_find(node, "kernel_size");
    if (!kernel || kernel->kind != BUDDY_ARG_INTS || kernel->n == 0 || kernel->n > MAX_LIST)
      return BUDDY_OK;
    const size_t n =
        kernel->n == 1 && schema->list_size > 1 ? (size_t)schema->list_size : kernel->n;
    for (size_t k = 0; k < n && k < MAX_LIST; ++k)
      ints[k] = kernel->as.ints[kernel->n == 1 ? 0 : k];
    return set_ints(node, i, ints, n, diags);
  }
  if (arg->n != 1 || schema->list_size <= 1 || (size_t)schema->list_size > MAX_LIST)
    return BUDDY_OK;
  for (int32_t k = 0; k < schema->list_size; ++k) ints[k] = arg->as.ints[0];
  return set_ints(node, i, ints, (size_t)schema->list_size, diags);
}

/* convolution takes lists of any length: one number stands for every dim of space. */
static buddy_code normalize_convolution(buddy_node *node, buddy_diags *diags) {
  static const char *const names[] = {"stride", "padding", "dilation", "output_padding", NULL};
  const uint32_t rank = buddy_value_type(buddy_node_result(node, 0))->rank;
  for (size_t i = 0; i < buddy_node_n_args(node) && rank > 2; ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    int64_t ints[MAX_LIST];
    if (arg->kind != BUDDY_ARG_INTS || arg->n != 1 || rank == 3) continue;
    if (!is_one_of(buddy_node_arg_name(node, i), names)) continue;
    for (uint32_t k = 0; k < rank - 2; ++k) ints[k] = arg->as.ints[0];
    BD_TRY(set_ints(node, i, ints, rank - 2, diags));
  }
  return BUDDY_OK;
}

/* ---- Sizes and indices ---- */

static buddy_code normalize_size(buddy_node *node, buddy_diags *diags) {
  const buddy_tensor_type *type = buddy_value_type(buddy_node_result(node, 0));
  return set_ints(node, 1, type->dims, type->rank, diags);
}

static buddy_code arg_number(const buddy_node *node, const char *name, size_t *out_i) {
  return buddy_opdef_arg_find(buddy_node_opdef(node), (buddy_sv){name, strlen(name)}, out_i);
}

/* The size of `self` along the dim that the op names; false if that is out of range. */
static bool size_along(const buddy_node *node, int64_t *out_dim, int64_t *out_size) {
  const buddy_arg *self = buddy_node_arg_find(node, "self"),
                  *dim = buddy_node_arg_find(node, "dim");
  if (!self || !dim || self->kind != BUDDY_ARG_TENSOR || dim->kind != BUDDY_ARG_INT) return false;
  const buddy_tensor_type *type = buddy_value_type(self->as.tensor);
  *out_dim = dim->as.i;
  if (*out_dim < 0 || *out_dim >= type->rank) return false;
  *out_size = type->dims[*out_dim];
  return true;
}

static buddy_code normalize_index(buddy_node *node, buddy_diags *diags) {
  size_t i;
  int64_t dim, size, index;
  if (arg_number(node, "index", &i) || !size_along(node, &dim, &size)) return BUDDY_OK;
  const buddy_arg *arg = buddy_node_arg(node, i);
  if (arg->kind != BUDDY_ARG_INT) return BUDDY_OK;
  BD_TRY(bd_position_wrap(buddy_node_graph(node), arg->as.i, size, &index));
  if (!BUDDY_IS_SYMBOLIC(arg->as.i)) { /* what the program computes is checked where it is used */
    BD_TRY(bd_graph_require(buddy_node_graph(node), BD_GE, index, 0, node, diags));
    BD_TRY(bd_graph_require(buddy_node_graph(node), BD_LT, index, size, node, diags));
  }
  return index == arg->as.i ? BUDDY_OK : set_int(node, i, index, diags);
}

/* ---- Slices ---- */

/* One end of a slice of a dim with `size` elements, counted from the front: as the program says it,
 * and where it may lie. Python brings ends into the tensor; where that is done by min and max whose
 * outcome the ranges of the symbols do not tell, an end is where it is said, at the beginning, or at
 * the end, under a condition on the sizes. */
typedef struct slice_end {
  int64_t said, inside;
  int64_t places[3];
  size_t n_places;
} slice_end;

static bool is_extremum(const buddy_graph *graph, int64_t dim) {
  const buddy_dim_kind kind = buddy_graph_dim_kind(graph, dim);
  return kind == BUDDY_DIM_KIND_MAX || kind == BUDDY_DIM_KIND_MIN;
}

static buddy_code find_end(buddy_graph *graph, const buddy_arg *arg, int64_t size, int64_t none,
                           slice_end *out) {
  const bool is_none = arg->kind != BUDDY_ARG_INT || arg->as.i == INT64_MAX;
  BD_TRY(bd_position_wrap(graph, is_none ? none : arg->as.i, size, &out->said));
  if (arg->kind == BUDDY_ARG_INT && arg->as.i == INT64_MAX) out->said = size;
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MIN, out->said, size, &out->inside));
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MAX, out->inside, 0, &out->inside));
  out->n_places = is_extremum(graph, out->inside) ? 3 : 1;
  out->places[0] = out->n_places == 3 ? out->said : out->inside;
  out->places[1] = size;
  out->places[2] = 0;
  return BUDDY_OK;
}

/* What has to hold for the end to be at that place: low <= high. */
typedef struct condition {
  int64_t low, high;
} condition;

static size_t place_conditions(const slice_end *end, size_t place, int64_t size,
                               condition *conditions) {
  if (end->n_places == 1) return 0;
  const condition above = {place == 1 ? size : 0, end->said};
  const condition below = {end->said, place == 2 ? 0 : size};
  conditions[0] = place == 2 ? below : above;
  conditions[1] = below;
  return place == 0 ? 2 : 1;
}

/* Whether all of them hold: certainly, or in some run. */
static buddy_code can_hold(buddy_graph *graph, const condition *conditions, size_t n,
                           bool is_certain, bool *out_can) {
  *out_can = true;
  for (size_t i = 0; i < n && *out_can; ++i) {
    int64_t predicate;
    BD_TRY(bd_predicate_compare(graph, BD_LE, conditions[i].low, conditions[i].high, &predicate));
    *out_can = is_certain ? bd_predicate_is_true(graph, predicate)
                          : !bd_predicate_is_false(graph, predicate);
  }
  return BUDDY_OK;
}

/* (end - start + step - 1) // step */
static buddy_code slice_length(buddy_graph *graph, int64_t start, int64_t end, int64_t step,
                               int64_t *out_length) {
  BD_TRY(bd_dim_sub(graph, end, start, out_length));
  if (step == 1) return BUDDY_OK;
  BD_TRY(bd_dim_add(graph, *out_length, step, out_length));
  BD_TRY(bd_dim_sub(graph, *out_length, 1, out_length));
  return buddy_graph_dim(graph, BUDDY_DIM_FLOORDIV, *out_length, step, out_length);
}

typedef struct slice {
  const buddy_node *node;
  int64_t size, length, step; /* of the dim; as the result's type says; from 1 on */
  slice_end ends[2];
  int64_t start, end;
  buddy_diags *diags;
} slice;

/* The places of both ends that give the length which the type says, if they can be there. With a step,
 * ends elsewhere may give the same length: x[-6::3] has two elements where x has 4, 5 or 6. They have
 * to be there then. */
static buddy_code choose_places(slice *s, bool *out_is_found) {
  buddy_graph *graph = buddy_node_graph(s->node);
  *out_is_found = false;
  for (size_t i = 0; i < s->ends[0].n_places * s->ends[1].n_places && !*out_is_found; ++i) {
    const size_t places[2] = {i / s->ends[1].n_places, i % s->ends[1].n_places};
    condition conditions[5] = {0};
    int64_t length;
    s->start = s->ends[0].places[places[0]];
    s->end = s->ends[1].places[places[1]];
    BD_TRY(slice_length(graph, s->start, s->end, s->step, &length));
    if (length != s->length) continue;
    size_t n = place_conditions(&s->ends[0], places[0], s->size, conditions);
    n += place_conditions(&s->ends[1], places[1], s->size, conditions + n);
    conditions[n++] = (condition){s->start, s->end};
    BD_TRY(can_hold(graph, conditions, n, s->step != 1, out_is_found));
    for (size_t k = 0; k < n && *out_is_found; ++k)
      BD_TRY(
          bd_graph_require(graph, BD_LE, conditions[k].low, conditions[k].high, s->node, s->diags));
  }
  return BUDDY_OK;
}

static buddy_code place_ends(slice *s) {
  bool is_found = false; /* a slice without elements may be anywhere */
  int64_t length;
  buddy_graph *graph = buddy_node_graph(s->node);
  if (s->length != 0) BD_TRY(choose_places(s, &is_found));
  if (is_found) return BUDDY_OK;
  s->start = s->ends[0].inside;
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MAX, s->ends[1].inside, s->start, &s->end));
  BD_TRY(slice_length(graph, s->start, s->end, s->step, &length));
  BD_TRY(bd_graph_require_equal(graph, length, s->length, s->node, s->diags));
  return s->step == 1 ? bd_dim_add(graph, s->start, s->length, &s->end) : BUDDY_OK;
}

/* A length that the program computes: sizes.c has brought the ends into the tensor, and bound it. */
static bool is_computed(const buddy_graph *graph, int64_t length) {
  const size_t symbol = buddy_graph_dim_symbol(graph, length);
  return symbol != SIZE_MAX && buddy_graph_symbol(graph, symbol)->bound_to;
}

static buddy_code find_ends(const buddy_node *node, int64_t size, int64_t length,
                            buddy_diags *diags, int64_t *out_start, int64_t *out_end) {
  buddy_graph *graph = buddy_node_graph(node);
  const buddy_arg *start = buddy_node_arg_find(node, "start"),
                  *end = buddy_node_arg_find(node, "end");
  const buddy_arg *step = buddy_node_arg_find(node, "step");
  slice s = {.node = node, .size = size, .length = length, .step = step->as.i, .diags = diags};
  BD_TRY(find_end(graph, start, size, 0, &s.ends[0]));
  BD_TRY(find_end(graph, end, size, size, &s.ends[1]));
  *out_start = s.ends[0].inside;
  *out_end = s.ends[1].inside;
  if (step->kind != BUDDY_ARG_INT) return BUDDY_OK;
  BD_TRY(bd_graph_require(graph, BD_LE, 1, s.step, node, diags));
  if (!BUDDY_IS_SYMBOLIC(s.step) && s.step <= 0) return BUDDY_OK;
  if (is_computed(graph, length)) {
    return s.step == 1 ? bd_dim_add(graph, *out_start, length, out_end) : BUDDY_OK;
  }
  BD_TRY(place_ends(&s));
  *out_start = s.start;
  *out_end = s.end;
  return BUDDY_OK;
}

static buddy_code normalize_slice(buddy_node *node, buddy_diags *diags) {
  const buddy_arg *src = buddy_node_arg_find(node, "src");
  const buddy_tensor_type *part =
      buddy_value_type(src ? src->as.tensor : buddy_node_result(node, 0));
  int64_t dim, size, start, end;
  size_t i_start, i_end;
  if (arg_number(node, "start", &i_start) || arg_number(node, "end", &i_end)) return BUDDY_OK;
  const buddy_arg_kind kinds[] = {buddy_node_arg(node, i_start)->kind,
                                  buddy_node_arg(node, i_end)->kind};
  if (kinds[0] == BUDDY_ARG_TENSOR || kinds[1] == BUDDY_ARG_TENSOR) return BUDDY_OK;
  if (!size_along(node, &dim, &size) || dim >= part->rank) return BUDDY_OK;
  BD_TRY(find_ends(node, size, part->dims[dim], diags, &start, &end));
  BD_TRY(set_int(node, i_start, start, diags));
  return set_int(node, i_end, end, diags);
}

/* Sorted by op. */
static const struct special {
  const char *op;
  buddy_code (*normalize)(buddy_node *node, buddy_diags *diags);
} special[] = {
    {"aten._convolution.default", normalize_convolution},
    {"aten._convolution.deprecated", normalize_convolution},
    {"aten.convolution.default", normalize_convolution},
    {"aten.expand.default", normalize_size},
    {"aten.reshape.default", normalize_size},
    {"aten.select.int", normalize_index},
    {"aten.select_scatter.default", normalize_index},
    {"aten.slice.Tensor", normalize_slice},
    {"aten.slice_scatter.default", normalize_slice},
    {"aten.view.default", normalize_size},
};

buddy_code bd_normalize_args(buddy_node *node, buddy_diags *diags) {
  const buddy_opdef *def = buddy_node_opdef(node);
  if (!def) return BUDDY_OK;
  for (size_t i = 0; i < buddy_opdef_n_args(def); ++i) {
    const buddy_schema_arg *schema = buddy_opdef_arg(def, i);
    BD_TRY(reset_silent(node, i, schema, diags));
    if (buddy_node_n_results(node)) BD_TRY(normalize_dims(node, i, diags));
    BD_TRY(normalize_list(node, i, schema, diags));
  }
  if (buddy_node_n_results(node) != 1) return BUDDY_OK;
  const struct special *found = BD_ROW_OF(buddy_opdef_name(def), special);
  return found ? found->normalize(node, diags) : BUDDY_OK;
}
