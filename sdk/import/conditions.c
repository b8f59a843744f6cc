// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/conditions.c: what PyTorch's kernels ask of sizes beyond what follows for the shapes of
 * their results: a largest element of something, a window that fits, parts as large as their place,
 * memory that is there. Here it is a guard of the graph, told before a run; within a branch or a
 * loop, an assertion in front of the node. Sizes that an op's contract wants equal have theirs from
 * core/graph/node.c. */
#include "sdk/import/conditions.h"

#include <math.h>
#include <string.h>

#include "core/graph/guards.h"
#include "sdk/import/build.h"
#include "sdk/import/sizes.h"
#include "sdk/import/views.h"

typedef struct asking {
  buddy_node *node;
  const buddy_tensor_type *self;
} asking;

static buddy_code add_assertion(const asking *at, int64_t predicate, const char *text) {
  const bd_build build = {.graph = buddy_node_graph(at->node), .before = at->node};
  const buddy_tensor_type number = {.dtype = BUDDY_I64}, truth = {.dtype = BUDDY_BOOL};
  const buddy_value *value;
  buddy_node *assertion;
  const buddy_named_arg size[] = {{"s", {.kind = BUDDY_ARG_INT, .as.i = predicate}},
                                  {"dtype", {.kind = BUDDY_ARG_DTYPE, .as.i = BUDDY_I64}}};
  BD_TRY(bd_build_value(&build, "aten.scalar_tensor.default", size, 2, &number, &value));
  const buddy_named_arg sides[] = {{"self", {.kind = BUDDY_ARG_TENSOR, .as.tensor = value}},
                                   {"other", {.kind = BUDDY_ARG_INT, .as.i = 0}}};
  BD_TRY(bd_build_value(&build, "aten.ge.Scalar", sides, 2, &truth, &value));
  const buddy_named_arg checked[] = {
      {"self", {.kind = BUDDY_ARG_TENSOR, .as.tensor = value}},
      {"assert_msg", {.kind = BUDDY_ARG_STRING, .n = strlen(text), .as.string = text}}};
  return bd_build_node(&build, "aten._assert_scalar.default", checked, 2, NULL, 0, &assertion);
}

static buddy_code assert_here(const asking *at, bd_relation relation, int64_t a, int64_t b) {
  buddy_graph *graph = buddy_node_graph(at->node);
  int64_t predicate;
  bd_text text;
  BD_TRY(bd_predicate_compare(graph, relation, a, b, &predicate));
  if (bd_predicate_is_true(graph, predicate)) return BUDDY_OK;
  bd_text_init(&text);
  bd_text_format(&text, "the program holds only where ");
  bd_relation_print(graph, relation, a, b, &text);
  const buddy_code code = text.code ? text.code : add_assertion(at, predicate, text.data);
  bd_text_deinit(&text);
  return code;
}

/* Without diagnostics: what no sizes meet is a guard as well. */
static buddy_code require(const asking *at, bd_relation relation, int64_t a, int64_t b) {
  buddy_graph *graph = buddy_node_graph(at->node);
  if (buddy_graph_parent(graph)) return assert_here(at, relation, a, b);
  return bd_graph_require(graph, relation, a, b, at->node, NULL);
}

static const buddy_tensor_type *tensor_named(const buddy_node *node, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(node, name);
  return arg && arg->kind == BUDDY_ARG_TENSOR ? buddy_value_type(arg->as.tensor) : NULL;
}

/* The place of a dim that may be counted from behind; false if there is none. */
static bool axis_of(const asking *at, int64_t dim, uint32_t *out_axis) {
  const int64_t rank = at->self->rank;
  if (BUDDY_IS_SYMBOLIC(dim) || dim < -rank || dim >= rank) return false;
  *out_axis = (uint32_t)(dim < 0 ? dim + rank : dim);
  return true;
}

static bool axis_named(const asking *at, const char *name, uint32_t *out_axis) {
  const buddy_arg *dim = buddy_node_arg_find(at->node, name);
  return dim && dim->kind == BUDDY_ARG_INT && axis_of(at, dim->as.i, out_axis);
}

/* ---- Reductions that need an element ---- */

static buddy_code need_elements(const asking *at) {
  for (uint32_t i = 0; i < at->self->rank; ++i) BD_TRY(require(at, BD_GE, at->self->dims[i], 1));
  return BUDDY_OK;
}

static buddy_code need_element_along(const asking *at, int64_t dim) {
  uint32_t axis;
  return axis_of(at, dim, &axis) ? require(at, BD_GE, at->self->dims[axis], 1) : BUDDY_OK;
}

/* Along the dims that the op names; no dims are all of them. */
static buddy_code need_reduced(const asking *at) {
  const buddy_arg *dim = buddy_node_arg_find(at->node, "dim");
  if (buddy_node_arg_find(at->node, "other")) return BUDDY_OK; /* max.other: element by element */
  if (dim && dim->kind == BUDDY_ARG_INT) return need_element_along(at, dim->as.i);
  if (!dim || dim->kind != BUDDY_ARG_INTS || dim->n == 0) return need_elements(at);
  for (size_t i = 0; i < dim->n; ++i) BD_TRY(need_element_along(at, dim->as.ints[i]));
  return BUDDY_OK;
}

/* Of no elements at all it gives NaN; the k-th wants as many as k. */
static buddy_code need_reduced_dim(const asking *at) {
  const buddy_arg *k = buddy_node_arg_find(at->node, "k");
  uint32_t axis;
  if (!axis_named(at, "dim", &axis)) return BUDDY_OK;
  return require(at, BD_GE, at->self->dims[axis], k && k->kind == BUDDY_ARG_INT ? k->as.i : 1);
}

/* The largest and the least of nothing are no numbers; other norms of nothing are. */
static buddy_code need_norm(const asking *at) {
  const buddy_arg *order = buddy_node_arg_find(at->node, "ord");
  if (!order) order = buddy_node_arg_find(at->node, "p");
  if (!order) return BUDDY_OK;
  const bool is_extremum =
      order->kind == BUDDY_ARG_INT
          ? order->as.i < 0
          : order->kind == BUDDY_ARG_FLOAT && (order->as.f < 0 || isinf(order->as.f));
  return is_extremum ? need_reduced(at) : BUDDY_OK;
}

/* The input of a recurrent layer has a step; that of packed sequences is data. */
static buddy_code need_step(const asking *at) {
  const buddy_arg *is_first = buddy_node_arg_find(at->node, "batch_first");
  if (!is_first) return BUDDY_OK;
  const bool is_batch_first = is_first->kind == BUDDY_ARG_BOOL && is_first->as.i;
  return need_element_along(at, is_batch_first && at->self->rank == 3 ? 1 : 0);
}

/* What is normalised by its own moments is not empty. */
static buddy_code need_batch(const asking *at) {
  const buddy_arg *training = buddy_node_arg_find(at->node, "training");
  const bool is_evaluated = training && training->kind == BUDDY_ARG_BOOL && !training->as.i;
  return is_evaluated ? BUDDY_OK : need_elements(at);
}

/* batch_norm looks at the first of its weights; instance_norm is one of all images' channels. */
static buddy_code need_channels(const asking *at) {
  const bool has_weights = tensor_named(at->node, "weight") || tensor_named(at->node, "bias");
  return has_weights ? need_element_along(at, 1) : BUDDY_OK;
}
static buddy_code need_images(const asking *at) {
  const bool has_weights = tensor_named(at->node, "weight") || tensor_named(at->node, "bias");
  BD_TRY(need_channels(at));
  return has_weights ? need_element_along(at, 0) : BUDDY_OK;
}

/* ---- Images ---- */

static buddy_code need_last(const asking *at, const buddy_tensor_type *type, uint32_t n) {
  for (uint32_t i = type->rank > n ? type->rank - n : 0; i < type->rank; ++i) {
    if (BUDDY_IS_SYMBOLIC(type->dims[i])) BD_TRY(require(at, BD_GE, type->dims[i], 1));
  }
  return BUDDY_OK;
}

/* Channels and `n` dims of space, which the result has, too: only a batch may be empty. */
static buddy_code need_item(const asking *at, uint32_t n) {
  BD_TRY(need_last(at, at->self, n + 1));
  return need_last(at, buddy_value_type(buddy_node_result(at->node, 0)), n);
}

static buddy_code need_vector(const asking *at) { return need_item(at, 0); }
static buddy_code need_row(const asking *at) { return need_item(at, 1); }
static buddy_code need_image(const asking *at) { return need_item(at, 2); }
static buddy_code need_volume(const asking *at) { return need_item(at, 3); }
static buddy_code need_sampled(const asking *at) {
  return at->self->rank > 2 ? need_last(at, at->self, at->self->rank - 2) : BUDDY_OK;
}

/* Into 1 everywhere it is PyTorch's mean, which is NaN of nothing. */
static buddy_code need_averaged(const asking *at) {
  const buddy_arg *size = buddy_node_arg_find(at->node, "output_size");
  if (!size || size->kind != BUDDY_ARG_INTS) return BUDDY_OK;
  bool is_mean = true;
  for (size_t i = 0; i < size->n; ++i) is_mean = is_mean && size->as.ints[i] == 1;
  return is_mean ? BUDDY_OK : need_last(at, at->self, (uint32_t)size->n);
}

/* The window fits: the result has a place. */
static buddy_code need_window(const asking *at) {
  const buddy_tensor_type *weight = tensor_named(at->node, "weight");
  const buddy_arg *transposed = buddy_node_arg_find(at->node, "transposed");
  const bool is_transposed = transposed && transposed->kind == BUDDY_ARG_BOOL && transposed->as.i;
  if (!weight || weight->rank < 3 || is_transposed) return BUDDY_OK;
  return need_last(at, buddy_value_type(buddy_node_result(at->node, 0)), weight->rank - 2);
}

/* A window of unfold() is no larger than its dim. */
static buddy_code need_unfolded(const asking *at) {
  const buddy_arg *size = buddy_node_arg_find(at->node, "size");
  uint32_t axis;
  if (!size || size->kind != BUDDY_ARG_INT || !axis_named(at, "dimension", &axis)) return BUDDY_OK;
  return require(at, BD_GE, at->self->dims[axis], size->as.i);
}

/* ---- Parts ---- */

static bool is_mask(const buddy_tensor_type *type) {
  return type->dtype == BUDDY_BOOL || type->dtype == BUDDY_U8;
}

/* 0 if one of the indices is empty, or a mask, which may be of nothing; else 1. */
static buddy_code least_chosen(const asking *at, const buddy_arg *indices, int64_t *out_n) {
  *out_n = 1;
  for (size_t i = 0; i < indices->n; ++i) {
    const buddy_value *index = indices->as.tensors[i];
    const buddy_tensor_type *type = index ? buddy_value_type(index) : NULL;
    int64_t n = 0;
    if (!type) continue;
    if (!is_mask(type)) BD_TRY(bd_dim_count(buddy_node_graph(at->node), type, &n));
    BD_TRY(buddy_graph_dim(buddy_node_graph(at->node), BUDDY_DIM_MIN, *out_n, n, out_n));
  }
  return BUDDY_OK;
}

/* A mask among indices has the sizes of the dims that it chooses from. */
static buddy_code need_masked_dims(const asking *at) {
  const buddy_arg *indices = buddy_node_arg_find(at->node, "indices");
  if (!indices || indices->kind != BUDDY_ARG_TENSORS) return BUDDY_OK;
  uint32_t dim = 0;
  int64_t n_chosen;
  BD_TRY(least_chosen(at, indices, &n_chosen));
  for (size_t i = 0; i < indices->n; ++i) {
    const buddy_value *index = indices->as.tensors[i];
    const buddy_tensor_type *type = index ? buddy_value_type(index) : NULL;
    const bool masks = type && is_mask(type);
    const uint32_t rank = masks ? type->rank : 1;
    for (uint32_t k = 0; k < rank && dim < at->self->rank; ++k, ++dim) {
      if (masks && type->dims[k] != at->self->dims[dim])
        BD_TRY(require(at, BD_EQ, type->dims[k], at->self->dims[dim]));
      if (type && !masks) BD_TRY(require(at, BD_GE, at->self->dims[dim], n_chosen));
    }
  }
  return BUDDY_OK;
}

/* Where there is an index there is something to choose from. */
static buddy_code need_choice(const asking *at, const buddy_tensor_type *index, int64_t size) {
  int64_t n;
  BD_TRY(bd_dim_count(buddy_node_graph(at->node), index, &n));
  BD_TRY(buddy_graph_dim(buddy_node_graph(at->node), BUDDY_DIM_MIN, n, 1, &n));
  return require(at, BD_GE, size, n);
}

static buddy_code need_chosen(const asking *at) {
  const buddy_tensor_type *index = tensor_named(at->node, "index");
  uint32_t axis;
  return index && axis_named(at, "dim", &axis) ? need_choice(at, index, at->self->dims[axis])
                                               : BUDDY_OK;
}

/* Along the other dims the tensor is as large as an index that is not empty. */
static buddy_code need_gathered(const asking *at) {
  const buddy_tensor_type *index = tensor_named(at->node, "index");
  uint32_t axis;
  bool is_empty = false;
  BD_TRY(need_chosen(at));
  if (!index || !axis_named(at, "dim", &axis) || index->rank != at->self->rank) return BUDDY_OK;
  for (uint32_t i = 0; i < index->rank; ++i)
    is_empty = is_empty || index->dims[i] == 0 || BUDDY_IS_SYMBOLIC(index->dims[i]);
  /* One that may be is for the row to look at. */
  for (uint32_t i = 0; i < index->rank && !is_empty; ++i)
    if (i != axis) BD_TRY(require(at, BD_GE, at->self->dims[i], index->dims[i]));
  return BUDDY_OK;
}

static buddy_code need_taken(const asking *at) {
  const buddy_tensor_type *index = tensor_named(at->node, "index");
  int64_t n;
  BD_TRY(bd_dim_count(buddy_node_graph(at->node), at->self, &n));
  return index ? need_choice(at, index, n) : BUDDY_OK;
}

/* There is an element to put for each index. */
static buddy_code need_put(const asking *at) {
  const buddy_tensor_type *source = tensor_named(at->node, "source"),
                          *index = tensor_named(at->node, "index");
  int64_t n_elements, n_indices;
  if (!source || !index) return BUDDY_OK;
  BD_TRY(bd_dim_count(buddy_node_graph(at->node), source, &n_elements));
  BD_TRY(bd_dim_count(buddy_node_graph(at->node), index, &n_indices));
  return require(at, BD_EQ, n_elements, n_indices);
}

/* The mask and what it chooses from broadcast together; a size that only the run tells may be 1. */
static buddy_code need_mask(const asking *at) {
  const buddy_tensor_type *mask = tensor_named(at->node, "mask"), *self = at->self;
  for (uint32_t i = 1; mask && i <= mask->rank && i <= self->rank; ++i) {
    const int64_t a = mask->dims[mask->rank - i], b = self->dims[self->rank - i];
    if (BUDDY_IS_SYMBOLIC(a) || BUDDY_IS_SYMBOLIC(b)) continue;
    if (a != 1 && b != 1) BD_TRY(require(at, BD_EQ, a, b));
  }
  return BUDDY_OK;
}

/* index_add and its kin: what is put in is as large as its place, and has a part for each index. */
static buddy_code need_equal_parts(const asking *at) {
  const buddy_tensor_type *source = tensor_named(at->node, "source"),
                          *index = tensor_named(at->node, "index");
  uint32_t axis;
  if (!source || !index || !axis_named(at, "dim", &axis) || source->rank != at->self->rank)
    return BUDDY_OK;
  for (uint32_t i = 0; i < source->rank; ++i) {
    const bool is_axis = i == axis;
    const int64_t n = !is_axis ? at->self->dims[i] : index->rank ? index->dims[0] : 1;
    if (n != source->dims[i]) BD_TRY(require(at, BD_EQ, source->dims[i], n));
  }
  return BUDDY_OK;
}

/* The source is as large as its place. */
static buddy_code need_equal(const asking *at, const int64_t *place, uint32_t rank) {
  const buddy_tensor_type *source = tensor_named(at->node, "src");
  if (!source || source->rank != rank) return BUDDY_OK;
  for (uint32_t i = 0; i < rank; ++i) {
    if (source->dims[i] != place[i]) BD_TRY(require(at, BD_EQ, source->dims[i], place[i]));
  }
  return BUDDY_OK;
}

/* What a negative amount leaves of a size: size + min(amount, 0) */
static buddy_code cut(buddy_graph *graph, int64_t size, int64_t amount, int64_t *out_rest) {
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MIN, amount, 0, &amount));
  return buddy_graph_dim(graph, BUDDY_DIM_ADD, size, amount, out_rest);
}

/* ---- Padding ---- */

typedef enum pad_mode { PAD_CONSTANT, PAD_REFLECT, PAD_REPLICATE, PAD_CIRCULAR } pad_mode;

/* What is cut off is there, and so is what goes round. */
static buddy_code need_end(const asking *at, pad_mode mode, int64_t size, int64_t pad) {
  int64_t rest;
  BD_TRY(cut(buddy_node_graph(at->node), size, pad, &rest));
  BD_TRY(require(at, BD_GE, rest, 0));
  return mode == PAD_CIRCULAR ? require(at, BD_GE, size, pad) : BUDDY_OK;
}

/* What is not beyond the edge is read where it is: nothing is cut off first. */
static buddy_code need_edges(const asking *at, pad_mode mode, int64_t size, int64_t before,
                             int64_t after) {
  buddy_graph *graph = buddy_node_graph(at->node);
  int64_t padded;
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_ADD, size, before, &padded));
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_ADD, padded, after, &padded));
  BD_TRY(require(at, BD_GE, padded, 1));
  if (mode == PAD_REPLICATE) return require(at, BD_GE, size, 1);
  BD_TRY(require(at, BD_GT, size, before));
  return require(at, BD_GT, size, after);
}

static const buddy_arg *pad_of(const asking *at) {
  const buddy_arg *pad = buddy_node_arg_find(at->node, "pad");
  return pad ? pad : buddy_node_arg_find(at->node, "padding");
}

static buddy_code need_padded(const asking *at, pad_mode mode) {
  const buddy_arg *pad = pad_of(at);
  if (!pad || pad->kind != BUDDY_ARG_INTS || pad->n / 2 > at->self->rank) return BUDDY_OK;
  for (uint32_t i = 0; i < pad->n / 2; ++i) {
    const int64_t before = pad->as.ints[2 * i], after = pad->as.ints[2 * i + 1];
    int64_t size = at->self->dims[at->self->rank - 1 - i];
    if (mode == PAD_REFLECT || mode == PAD_REPLICATE) {
      BD_TRY(need_edges(at, mode, size, before, after));
      continue;
    }
    BD_TRY(need_end(at, mode, size, before));
    if (mode == PAD_CONSTANT) /* cut, and then padded */
      BD_TRY(cut(buddy_node_graph(at->node), size, before, &size));
    BD_TRY(need_end(at, mode, size, after));
  }
  return BUDDY_OK;
}

static buddy_code need_constant(const asking *at) { return need_padded(at, PAD_CONSTANT); }
/* Channels, and a dim that nothing is put beside, have elements as well. */
static buddy_code need_inside(const asking *at, pad_mode mode) {
  const buddy_arg *pad = pad_of(at);
  if (pad && pad->kind == BUDDY_ARG_INTS)
    BD_TRY(need_last(at, at->self, (uint32_t)(pad->n / 2) + 1));
  return need_padded(at, mode);
}
static buddy_code need_reflect(const asking *at) { return need_inside(at, PAD_REFLECT); }
static buddy_code need_replicate(const asking *at) { return need_inside(at, PAD_REPLICATE); }
static buddy_code need_circular(const asking *at) { return need_padded(at, PAD_CIRCULAR); }

static buddy_code need_pad(const asking *at) {
  static const struct {
    const char *name;
    buddy_code (*need)(const asking *at);
  } modes[] = {{"constant", need_constant},
               {"reflect", need_reflect},
               {"replicate", need_replicate},
               {"circular", need_circular}};
  const buddy_arg *mode = buddy_node_arg_find(at->node, "mode");
  size_t i = 0;
  if (mode && mode->kind == BUDDY_ARG_STRING) {
    while (i < 4 && strcmp(mode->as.string, modes[i].name)) ++i;
  }
  return i < 4 ? modes[i].need(at) : BUDDY_OK;
}

/* ---- Views ---- */

/* A size of -1 is told by the others, none of which is 0 then. */
static buddy_code need_told_size(const asking *at) {
  static const char *const names[] = {"size", "shape", "sizes"};
  const buddy_arg *sizes = NULL;
  bool is_told = false;
  for (size_t i = 0; i < 3 && !sizes; ++i) sizes = buddy_node_arg_find(at->node, names[i]);
  if (!sizes || sizes->kind != BUDDY_ARG_INTS) return BUDDY_OK;
  for (size_t i = 0; i < sizes->n; ++i) is_told = is_told || sizes->as.ints[i] == -1;
  for (size_t i = 0; is_told && i < sizes->n; ++i) {
    if (sizes->as.ints[i] != -1) BD_TRY(require(at, BD_GE, sizes->as.ints[i], 1));
  }
  return BUDDY_OK;
}

/* ---- Memory ---- */

/* as_strided: the last element that it shows is one of the tensor's; where a size is 0 it shows none. */
static buddy_code need_memory(const asking *at) {
  buddy_graph *graph = buddy_node_graph(at->node);
  const buddy_arg *size = buddy_node_arg_find(at->node, "size"),
                  *stride = buddy_node_arg_find(at->node, "stride"),
                  *offset = buddy_node_arg_find(at->node, "storage_offset");
  if (!size || !stride || size->kind != BUDDY_ARG_INTS || stride->kind != BUDDY_ARG_INTS ||
      size->n != stride->n)
    return BUDDY_OK;
  int64_t end = offset && offset->kind == BUDDY_ARG_INT ? offset->as.i : 0, n;
  BD_TRY(bd_dim_count(graph, at->self, &n));
  for (size_t i = 0; i < size->n; ++i) {
    int64_t step;
    BD_TRY(bd_dim_sub(graph, size->as.ints[i], 1, &step));
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MUL, step, stride->as.ints[i], &step));
    BD_TRY(bd_dim_add(graph, end, step, &end));
  }
  BD_TRY(bd_dim_add(graph, end, 1, &end));
  for (size_t i = 0; i < size->n; ++i) {
    int64_t is_shown;
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MIN, size->as.ints[i], 1, &is_shown));
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MUL, end, is_shown, &end));
  }
  return require(at, BD_GE, n, end);
}

static buddy_code need_strided_source(const asking *at) {
  const buddy_arg *size = buddy_node_arg_find(at->node, "size");
  BD_TRY(need_memory(at));
  if (!size || size->kind != BUDDY_ARG_INTS || size->n > BD_VIEW_MAX_RANK) return BUDDY_OK;
  return need_equal(at, size->as.ints, (uint32_t)size->n);
}

/* ---- The ops ---- */

typedef struct op_need {
  const char *op;
  buddy_code (*need)(const asking *at);
} op_need;

/* Asked of the program's own nodes: batch_norm, which is said by another of them, takes an empty
 * batch. Sorted. */
static const op_need needs_as_written[] = {
    {"_batch_norm_with_update", need_batch},
    {"_batch_norm_with_update_functional", need_batch},
    {"_native_batch_norm_legit", need_batch},
    {"_native_batch_norm_legit_functional", need_batch},
    {"batch_norm", need_channels},
    {"instance_norm", need_images},
    {"native_batch_norm", need_batch},
};

/* Sorted. */
static const op_need needs[] = {
    {"_adaptive_avg_pool2d", need_averaged},
    {"_adaptive_avg_pool3d", need_averaged},
    {"_convolution", need_window},
    {"_pad_circular", need_circular},
    {"_reshape_alias", need_told_size},
    {"_reshape_copy", need_told_size},
    {"_unsafe_index", need_masked_dims},
    {"_unsafe_index_put", need_masked_dims},
    {"_unsafe_view", need_told_size},
    {"_upsample_bicubic2d_aa", need_image},
    {"_upsample_bilinear2d_aa", need_image},
    {"_upsample_nearest_exact1d", need_row},
    {"_upsample_nearest_exact2d", need_image},
    {"_upsample_nearest_exact3d", need_volume},
    {"adaptive_avg_pool1d", need_averaged},
    {"adaptive_avg_pool2d", need_averaged},
    {"adaptive_avg_pool3d", need_averaged},
    {"adaptive_max_pool1d", need_row},
    {"adaptive_max_pool2d", need_image},
    {"adaptive_max_pool3d", need_volume},
    {"amax", need_reduced},
    {"amin", need_reduced},
    {"aminmax", need_reduced},
    {"argmax", need_reduced},
    {"argmin", need_reduced},
    {"as_strided", need_memory},
    {"as_strided_copy", need_memory},
    {"as_strided_scatter", need_strided_source},
    {"avg_pool1d", need_row},
    {"avg_pool2d", need_image},
    {"avg_pool3d", need_volume},
    {"col2im", need_row},
    {"constant_pad_nd", need_constant},
    {"conv1d", need_window},
    {"conv2d", need_window},
    {"conv3d", need_window},
    {"convolution", need_window},
    {"fractional_max_pool2d", need_image},
    {"fractional_max_pool3d", need_volume},
    {"gather", need_gathered},
    {"grid_sampler", need_sampled},
    {"grid_sampler_2d", need_sampled},
    {"grid_sampler_3d", need_sampled},
    {"gru", need_step},
    {"im2col", need_image},
    {"index", need_masked_dims},
    {"index_add", need_equal_parts},
    {"index_copy", need_equal_parts},
    {"index_put", need_masked_dims},
    {"index_reduce", need_equal_parts},
    {"index_select", need_chosen},
    {"istft", need_row}, /* of one frame, where its ends are cut off, nothing is left */
    {"kthvalue", need_reduced_dim},
    {"linalg_vector_norm", need_norm},
    {"lstm", need_step},
    {"masked_select", need_mask},
    {"max", need_reduced},
    {"max_pool1d", need_row},
    {"max_pool1d_with_indices", need_row},
    {"max_pool2d", need_image},
    {"max_pool2d_with_indices", need_image},
    {"max_pool3d", need_volume},
    {"max_pool3d_with_indices", need_volume},
    {"median", need_reduced_dim},
    {"min", need_reduced},
    {"mode", need_reduced_dim},
    {"multi_margin_loss", need_vector},
    {"multilabel_margin_loss", need_vector},
    {"multilabel_margin_loss_forward", need_vector},
    {"nanmedian", need_reduced_dim},
    {"nanquantile", need_elements},
    {"norm", need_norm},
    {"pad", need_pad},
    {"put", need_put},
    {"quantile", need_elements},
    {"reflection_pad1d", need_reflect},
    {"reflection_pad2d", need_reflect},
    {"reflection_pad3d", need_reflect},
    {"replication_pad1d", need_replicate},
    {"replication_pad2d", need_replicate},
    {"replication_pad3d", need_replicate},
    {"reshape", need_told_size},
    {"rnn_relu", need_step},
    {"rnn_tanh", need_step},
    {"take", need_taken},
    {"unflatten", need_told_size},
    {"unfold", need_unfolded},
    {"unfold_copy", need_unfolded},
    {"upsample_bicubic2d", need_image},
    {"upsample_bilinear2d", need_image},
    {"upsample_linear1d", need_row},
    {"upsample_nearest1d", need_row},
    {"upsample_nearest2d", need_image},
    {"upsample_nearest3d", need_volume},
    {"upsample_trilinear3d", need_volume},
    {"view", need_told_size},
    {"view_copy", need_told_size},
};

/* "aten.max.dim" beside "max". */
static int compare_op(const char *op, const char *name) {
  const size_t size = strcspn(op, ".");
  const int order = strncmp(op, name, size);
  return order ? order : -(int)(name[size] != 0);
}

/* What is beyond the arithmetic on sizes is for the row to look at. */
static buddy_code unless_beyond(buddy_code code) { return code == BUDDY_LIMIT ? BUDDY_OK : code; }

buddy_code bd_conditions_require(buddy_node *node, bool as_written) {
  const char *op = buddy_node_op(node);
  const op_need *table = as_written ? needs_as_written : needs;
  const size_t n = (as_written ? sizeof needs_as_written : sizeof needs) / sizeof *table;
  asking at = {node, tensor_named(node, "self")};
  if (!at.self) at.self = tensor_named(node, "input");
  if (strncmp(op, "aten.", 5) || !at.self) return BUDDY_OK;
  for (size_t low = 0, high = n; low < high;) {
    const size_t middle = (low + high) / 2;
    const int order = compare_op(op + 5, table[middle].op);
    if (!order) return unless_beyond(table[middle].need(&at));
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return BUDDY_OK;
}
