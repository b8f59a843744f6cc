// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/conditions.c: what PyTorch's kernels ask of sizes beyond what follows for the shapes of
 * their results: a largest element of something, a window that fits, parts as large as their place,
 * memory that is there. Here it is a guard of the node's graph. Sizes that an op's contract wants
 * equal have theirs from core/graph/node.c; those of parts and memory lie in conditions_parts.c. */
#include "sdk/import/conditions.h"

#include <math.h>
#include <string.h>

#include "core/graph/guards.h"
#include "sdk/import/build.h"
#include "sdk/import/conditions_needs.h"
#include "sdk/import/sizes.h"

/* ---- Reductions that need an element ---- */

static buddy_code need_elements(const bd_asking *at) {
  for (uint32_t i = 0; i < at->self->rank; ++i)
    BD_TRY(bd_ask_require(at, BD_GE, at->self->dims[i], 1));
  return BUDDY_OK;
}

static buddy_code need_element_along(const bd_asking *at, int64_t dim) {
  uint32_t axis;
  return bd_ask_dim(at, dim, &axis) ? bd_ask_require(at, BD_GE, at->self->dims[axis], 1) : BUDDY_OK;
}

/* Along the dims that the op names; no dims are all of them. */
static buddy_code need_reduced(const bd_asking *at) {
  const buddy_arg *dim = buddy_node_arg_find(at->node, "dim");
  if (buddy_node_arg_find(at->node, "other")) return BUDDY_OK; /* max.other: element by element */
  if (dim && dim->kind == BUDDY_ARG_INT) return need_element_along(at, dim->as.i);
  if (!dim || dim->kind != BUDDY_ARG_INTS || dim->n == 0) return need_elements(at);
  for (size_t i = 0; i < dim->n; ++i) BD_TRY(need_element_along(at, dim->as.ints[i]));
  return BUDDY_OK;
}

/* Of no elements at all it gives NaN; the k-th wants as many as k. */
static buddy_code need_reduced_dim(const bd_asking *at) {
  const buddy_arg *k = buddy_node_arg_find(at->node, "k");
  uint32_t axis;
  if (!bd_ask_axis(at, "dim", &axis)) return BUDDY_OK;
  return bd_ask_require(at, BD_GE, at->self->dims[axis],
                        k && k->kind == BUDDY_ARG_INT ? k->as.i : 1);
}

/* "Integers to negative integer powers are not allowed", if the power is a number. */
static buddy_code need_whole_power(const bd_asking *at) {
  const buddy_arg *exponent = buddy_node_arg_find(at->node, "exponent");
  const bool is_whole = BUDDY_DTYPE_BIT(at->self->dtype) & (BUDDY_INTS | BUDDY_BOOLS);
  return is_whole && exponent && exponent->kind == BUDDY_ARG_INT
             ? bd_ask_require(at, BD_GE, exponent->as.i, 0)
             : BUDDY_OK;
}

/* A transform has a point along each dim. The result of one to half the spectrum has more of them than
 * the signal may have: it is asked itself. */
static buddy_code need_points(const bd_asking *at) {
  const buddy_arg *dim = buddy_node_arg_find(at->node, "dim"),
                  *n = buddy_node_arg_find(at->node, "n"), *s = buddy_node_arg_find(at->node, "s");
  const char *op = buddy_node_op(at->node);
  const bool is_halved = !strncmp(op, "aten.fft_rfft", 13) || !strncmp(op, "aten.fft_ihfft", 14);
  const buddy_tensor_type *result = buddy_value_type(buddy_node_result(at->node, 0));
  const bool has_s = s && s->kind == BUDDY_ARG_INTS && s->n > 0;
  const bool is_list = dim && dim->kind == BUDDY_ARG_INTS,
             is_one = dim && dim->kind == BUDDY_ARG_INT;
  const size_t n_axes = is_one ? 1 : is_list ? dim->n : has_s ? s->n : at->self->rank;
  for (size_t i = 0; i < n_axes; ++i) {
    const int64_t from_behind = (int64_t)i - (int64_t)n_axes;
    uint32_t axis;
    if (!bd_ask_dim(at, is_one ? dim->as.i : is_list ? dim->as.ints[i] : from_behind, &axis))
      return BUDDY_OK;
    int64_t points = result->dims[axis];
    if (is_halved && i + 1 == n_axes) {
      points = at->self->dims[axis];
      if (n && n->kind == BUDDY_ARG_INT) points = n->as.i;
      if (has_s && s->n == n_axes && s->as.ints[i] != -1) points = s->as.ints[i];
    }
    BD_TRY(bd_ask_require(at, BD_GE, points, 1));
  }
  return BUDDY_OK;
}

/* The largest and the least of nothing are no numbers; other norms of nothing are. */
static bool is_extremum(const bd_asking *at) {
  const buddy_arg *order = buddy_node_arg_find(at->node, "ord");
  if (!order) order = buddy_node_arg_find(at->node, "p");
  if (!order) return false;
  return order->kind == BUDDY_ARG_INT
             ? order->as.i < 0
             : order->kind == BUDDY_ARG_FLOAT && (order->as.f < 0 || isinf(order->as.f));
}

static buddy_code need_norm(const bd_asking *at) {
  return is_extremum(at) ? need_reduced(at) : BUDDY_OK;
}

static buddy_code need_norm_of_all(const bd_asking *at) {
  return is_extremum(at) ? need_elements(at) : BUDDY_OK;
}

static buddy_code need_norm_of_rows(const bd_asking *at) {
  return is_extremum(at) && at->self->rank > 0 ? need_element_along(at, (int64_t)at->self->rank - 1)
                                               : BUDDY_OK;
}

/* Of the parts along a dim. */
static buddy_code need_norm_of_parts(const bd_asking *at) {
  uint32_t axis;
  if (!is_extremum(at) || !bd_ask_axis(at, "dim", &axis)) return BUDDY_OK;
  for (uint32_t d = 0; d < at->self->rank; ++d) {
    if (d != axis) BD_TRY(bd_ask_require(at, BD_GE, at->self->dims[d], 1));
  }
  return BUDDY_OK;
}

/* The input of a recurrent layer has a step; that of packed sequences is data. */
static buddy_code need_step(const bd_asking *at) {
  const buddy_arg *is_first = buddy_node_arg_find(at->node, "batch_first");
  if (!is_first) return BUDDY_OK;
  const bool is_batch_first = is_first->kind == BUDDY_ARG_BOOL && is_first->as.i;
  return need_element_along(at, is_batch_first && at->self->rank == 3 ? 1 : 0);
}

/* What is normalised by its own moments is not empty. */
static buddy_code need_batch(const bd_asking *at) {
  const buddy_arg *training = buddy_node_arg_find(at->node, "training");
  const bool is_evaluated = training && training->kind == BUDDY_ARG_BOOL && !training->as.i;
  return is_evaluated ? BUDDY_OK : need_elements(at);
}

/* batch_norm looks at the first of its weights; instance_norm is one of all images' channels. */
static buddy_code need_channels(const bd_asking *at) {
  const bool has_weights = bd_ask_tensor(at->node, "weight") || bd_ask_tensor(at->node, "bias");
  return has_weights ? need_element_along(at, 1) : BUDDY_OK;
}
static buddy_code need_images(const bd_asking *at) {
  const bool has_weights = bd_ask_tensor(at->node, "weight") || bd_ask_tensor(at->node, "bias");
  BD_TRY(need_channels(at));
  return has_weights ? need_element_along(at, 0) : BUDDY_OK;
}

static buddy_code need_minlength(const bd_asking *at) {
  const buddy_arg *least = buddy_node_arg_find(at->node, "minlength");
  return least && least->kind == BUDDY_ARG_INT ? bd_ask_require(at, BD_GE, least->as.i, 0)
                                               : BUDDY_OK;
}

/* bilinear: PyTorch multiplies by a view of the weight, whose size it cannot tell of no features. */
static buddy_code need_features(const bd_asking *at) {
  const buddy_tensor_type *second = bd_ask_tensor(at->node, "input2");
  BD_TRY(bd_need_last(at, at->self, 1));
  return second ? bd_need_last(at, second, 1) : BUDDY_OK;
}

/* ormqr: a reflection for each of the dims that there are. */
static buddy_code need_reflections(const bd_asking *at) {
  const buddy_tensor_type *tau = bd_ask_tensor(at->node, "input2"),
                          *other = bd_ask_tensor(at->node, "input3");
  const buddy_arg *left = buddy_node_arg_find(at->node, "left");
  if (!tau || !other || tau->rank == 0 || other->rank < 2 || at->self->rank < 2) return BUDDY_OK;
  const uint32_t from_end = left && left->kind == BUDDY_ARG_BOOL && !left->as.i ? 1 : 2;
  int64_t n;
  BD_TRY(buddy_graph_dim(buddy_node_graph(at->node), BUDDY_DIM_MIN,
                         other->dims[other->rank - from_end], at->self->dims[at->self->rank - 1],
                         &n));
  return bd_ask_require(at, BD_EQ, tau->dims[tau->rank - 1], n);
}

/* A product of reflections has no more columns than rows, and no more reflections than columns. */
static buddy_code need_reflectors(const bd_asking *at) {
  const buddy_tensor_type *tau = bd_ask_tensor(at->node, "tau");
  if (!tau) tau = bd_ask_tensor(at->node, "input2");
  if (!tau || tau->rank == 0 || at->self->rank < 2) return BUDDY_OK;
  const int64_t *columns = &at->self->dims[at->self->rank - 1];
  BD_TRY(bd_ask_require(at, BD_GE, columns[-1], *columns));
  return bd_ask_require(at, BD_GE, *columns, tau->dims[tau->rank - 1]);
}

/* _chunk_cat: no tensor of the list is empty. */
static buddy_code need_listed(const bd_asking *at) {
  const buddy_arg *list = buddy_node_arg_find(at->node, "tensors");
  for (size_t i = 0; list && list->kind == BUDDY_ARG_TENSORS && i < list->n; ++i) {
    const buddy_tensor_type *type =
        list->as.tensors[i] ? buddy_value_type(list->as.tensors[i]) : NULL;
    if (type) BD_TRY(bd_need_last(at, type, type->rank));
  }
  return BUDDY_OK;
}

/* ---- Images ---- */

/* Channels and `n` dims of space, which the result has, too: only a batch may be empty. */
static buddy_code need_item(const bd_asking *at, uint32_t n) {
  BD_TRY(bd_need_last(at, at->self, n + 1));
  return bd_need_last(at, buddy_value_type(buddy_node_result(at->node, 0)), n);
}

static buddy_code need_vector(const bd_asking *at) { return need_item(at, 0); }
static buddy_code need_row(const bd_asking *at) { return need_item(at, 1); }
static buddy_code need_image(const bd_asking *at) { return need_item(at, 2); }
static buddy_code need_volume(const bd_asking *at) { return need_item(at, 3); }

/* adaptive_max_pool2d, say: as need_item, but a result may be of no size. */
static buddy_code need_pooled(const bd_asking *at) {
  const char n = buddy_node_op(at->node)[strlen("aten.adaptive_max_pool")];
  return bd_need_last(at, at->self, (uint32_t)(n - '0') + 1);
}

static buddy_code need_sampled(const bd_asking *at) {
  return at->self->rank > 2 ? bd_need_last(at, at->self, at->self->rank - 2) : BUDDY_OK;
}

static buddy_code need_all_but_batch(const bd_asking *at) {
  return bd_need_last(at, at->self, at->self->rank ? at->self->rank - 1 : 0);
}

/* avg_pool3d, unlike the others: its window fits into the image without padding. */
static buddy_code need_inner_window(const bd_asking *at) {
  const buddy_arg *kernel = buddy_node_arg_find(at->node, "kernel_size");
  BD_TRY(need_volume(at));
  if (!kernel || kernel->kind != BUDDY_ARG_INTS || kernel->n == 0 || at->self->rank < 3)
    return BUDDY_OK;
  for (uint32_t i = 0; i < 3; ++i)
    BD_TRY(bd_ask_require(at, BD_GE, at->self->dims[at->self->rank - 3 + i],
                          kernel->as.ints[kernel->n == 3 ? i : 0]));
  return BUDDY_OK;
}

/* Into 1 everywhere it is PyTorch's mean, which is NaN of nothing. */
static buddy_code need_averaged(const bd_asking *at) {
  const buddy_arg *size = buddy_node_arg_find(at->node, "output_size");
  if (!size || size->kind != BUDDY_ARG_INTS) return BUDDY_OK;
  bool is_mean = true;
  for (size_t i = 0; i < size->n; ++i) is_mean = is_mean && size->as.ints[i] == 1;
  return is_mean ? BUDDY_OK : bd_need_last(at, at->self, (uint32_t)size->n);
}

/* Fewer results are left out than lie between two windows, or between two elements of one. */
static buddy_code need_output_padding(const bd_asking *at) {
  buddy_graph *graph = buddy_node_graph(at->node);
  const buddy_arg *padding = buddy_node_arg_find(at->node, "output_padding"),
                  *lists[] = {buddy_node_arg_find(at->node, "stride"),
                              buddy_node_arg_find(at->node, "dilation")};
  if (!padding || padding->kind != BUDDY_ARG_INTS) return BUDDY_OK;
  for (size_t i = 0; i < padding->n; ++i) {
    int64_t between = 1;
    for (size_t k = 0; k < 2; ++k) {
      if (!lists[k] || lists[k]->kind != BUDDY_ARG_INTS || lists[k]->n == 0) continue;
      const int64_t step = lists[k]->as.ints[i < lists[k]->n ? i : 0];
      BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MAX, between, step, &between));
    }
    BD_TRY(bd_dim_sub(graph, between, padding->as.ints[i], &between));
    BD_TRY(bd_ask_require(at, BD_GE, between, 1));
  }
  return BUDDY_OK;
}

static buddy_code need_places(const bd_asking *at) {
  const buddy_tensor_type *weight = bd_ask_tensor(at->node, "weight");
  if (!weight || weight->rank < 3) return BUDDY_OK;
  BD_TRY(bd_need_last(at, weight, weight->rank - 2));
  return bd_need_last(at, buddy_value_type(buddy_node_result(at->node, 0)), weight->rank - 2);
}

static buddy_code need_transposed(const bd_asking *at) {
  const buddy_tensor_type *weight = bd_ask_tensor(at->node, "weight");
  if (weight && weight->rank > 2) {
    BD_TRY(bd_need_last(at, at->self, weight->rank - 2));
    BD_TRY(bd_ask_require(at, BD_GE, weight->dims[1], 1));
  }
  BD_TRY(need_output_padding(at));
  return need_places(at);
}

/* The window fits: the result has a place. */
static buddy_code need_window(const bd_asking *at) {
  const buddy_arg *transposed = buddy_node_arg_find(at->node, "transposed");
  const bool is_transposed = transposed && transposed->kind == BUDDY_ARG_BOOL && transposed->as.i;
  return is_transposed ? need_transposed(at) : need_places(at);
}

/* A window of unfold() is no larger than its dim. */
static buddy_code need_unfolded(const bd_asking *at) {
  const buddy_arg *size = buddy_node_arg_find(at->node, "size");
  uint32_t axis;
  if (!size || size->kind != BUDDY_ARG_INT || !bd_ask_axis(at, "dimension", &axis)) return BUDDY_OK;
  return bd_ask_require(at, BD_GE, at->self->dims[axis], size->as.i);
}

/* ---- The ops ---- */

typedef struct op_need {
  const char *op;
  buddy_code (*need)(const bd_asking *at);
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
    {"_chunk_cat", need_listed},
    {"_convolution", need_window},
    {"_pad_circular", bd_need_circular},
    {"_reshape_alias", bd_need_told_size},
    {"_reshape_copy", bd_need_told_size},
    {"_unsafe_index", bd_need_masked_dims},
    {"_unsafe_index_put", bd_need_masked_dims},
    {"_unsafe_view", bd_need_told_size},
    {"_upsample_bicubic2d_aa", need_image},
    {"_upsample_bilinear2d_aa", need_image},
    {"_upsample_nearest_exact1d", need_row},
    {"_upsample_nearest_exact2d", need_image},
    {"_upsample_nearest_exact3d", need_volume},
    {"adaptive_avg_pool1d", need_averaged},
    {"adaptive_avg_pool2d", need_averaged},
    {"adaptive_avg_pool3d", need_averaged},
    {"adaptive_max_pool1d", need_pooled},
    {"adaptive_max_pool2d", need_pooled},
    {"adaptive_max_pool3d", need_pooled},
    {"amax", need_reduced},
    {"amin", need_reduced},
    {"aminmax", need_reduced},
    {"argmax", need_reduced},
    {"argmin", need_reduced},
    {"as_strided", bd_need_memory},
    {"as_strided_copy", bd_need_memory},
    {"as_strided_scatter", bd_need_strided_source},
    {"avg_pool1d", need_row},
    {"avg_pool2d", need_image},
    {"avg_pool3d", need_inner_window},
    {"bilinear", need_features},
    {"bincount", need_minlength},
    {"col2im", need_row},
    {"constant_pad_nd", bd_need_constant},
    {"conv1d", need_window},
    {"conv2d", need_window},
    {"conv3d", need_window},
    {"conv_transpose1d", need_transposed},
    {"conv_transpose2d", need_transposed},
    {"conv_transpose3d", need_transposed},
    {"convolution", need_window},
    {"dist", need_norm_of_all},
    {"fft_fft", need_points},
    {"fft_fft2", need_points},
    {"fft_fftn", need_points},
    {"fft_hfft", need_points},
    {"fft_hfft2", need_points},
    {"fft_hfftn", need_points},
    {"fft_ifft", need_points},
    {"fft_ifft2", need_points},
    {"fft_ifftn", need_points},
    {"fft_ihfft", need_points},
    {"fft_ihfft2", need_points},
    {"fft_ihfftn", need_points},
    {"fft_irfft", need_points},
    {"fft_irfft2", need_points},
    {"fft_irfftn", need_points},
    {"fft_rfft", need_points},
    {"fft_rfft2", need_points},
    {"fft_rfftn", need_points},
    {"fractional_max_pool2d", need_image},
    {"fractional_max_pool3d", need_volume},
    {"gather", bd_need_gathered},
    {"grid_sampler", need_sampled},
    {"grid_sampler_2d", need_sampled},
    {"grid_sampler_3d", need_sampled},
    {"gru", need_step},
    {"im2col", need_image},
    {"index", bd_need_masked_dims},
    {"index_add", bd_need_equal_parts},
    {"index_copy", bd_need_equal_parts},
    {"index_put", bd_need_masked_dims},
    {"index_reduce", bd_need_equal_parts},
    {"index_select", bd_need_chosen},
    {"istft", need_row}, /* of one frame, where its ends are cut off, nothing is left */
    {"kthvalue", need_reduced_dim},
    {"linalg_householder_product", need_reflectors},
    {"linalg_vector_norm", need_norm},
    {"lstm", need_step},
    {"masked_select", bd_need_mask},
    {"max", need_reduced},
    {"max_pool1d", need_row},
    {"max_pool1d_with_indices", need_row},
    {"max_pool2d", need_image},
    {"max_pool2d_with_indices", need_image},
    {"max_pool3d", need_volume},
    {"max_pool3d_with_indices", need_volume},
    {"max_unpool2d", need_all_but_batch},
    {"max_unpool3d", need_all_but_batch},
    {"median", need_reduced_dim},
    {"min", need_reduced},
    {"mode", need_reduced_dim},
    {"multi_margin_loss", need_vector},
    {"multilabel_margin_loss", need_vector},
    {"multilabel_margin_loss_forward", need_vector},
    {"nanmedian", need_reduced_dim},
    {"nanquantile", need_elements},
    {"norm", need_norm},
    {"orgqr", need_reflectors},
    {"ormqr", need_reflections},
    {"pad", bd_need_pad},
    {"pairwise_distance", need_norm_of_rows},
    {"pow", need_whole_power},
    {"put", bd_need_put},
    {"quantile", need_elements},
    {"reflection_pad1d", bd_need_reflect},
    {"reflection_pad2d", bd_need_reflect},
    {"reflection_pad3d", bd_need_reflect},
    {"renorm", need_norm_of_parts},
    {"renorm_", need_norm_of_parts},
    {"replication_pad1d", bd_need_replicate},
    {"replication_pad2d", bd_need_replicate},
    {"replication_pad3d", bd_need_replicate},
    {"reshape", bd_need_told_size},
    {"rnn_relu", need_step},
    {"rnn_tanh", need_step},
    {"take", bd_need_taken},
    {"topk", need_reduced_dim},
    {"unflatten", bd_need_told_size},
    {"unfold", need_unfolded},
    {"unfold_copy", need_unfolded},
    {"upsample_bicubic2d", need_image},
    {"upsample_bilinear2d", need_image},
    {"upsample_linear1d", need_row},
    {"upsample_nearest1d", need_row},
    {"upsample_nearest2d", need_image},
    {"upsample_nearest3d", need_volume},
    {"upsample_trilinear3d", need_volume},
    {"view", bd_need_told_size},
    {"view_copy", bd_need_told_size},
};

/* "aten.max.dim" beside "max". */
static int compare_op(const char *op, const char *name) {
  const size_t size = strcspn(op, ".");
  const int order = strncmp(op, name, size);
  return order ? order : -(int)(name[size] != 0);
}

/* What is beyond the arithmetic on sizes is for the row to look at. */
static buddy_code unless_beyond(buddy_code code) { return code == BUDDY_LIMIT ? BUDDY_OK : code; }

static const buddy_tensor_type *subject_of(const buddy_node *node) {
  static const char *const names[] = {"self", "input", "input1", "x1"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const buddy_tensor_type *type = bd_ask_tensor(node, names[i]);
    if (type) return type;
  }
  const buddy_arg *list = buddy_node_arg_find(node, "tensors");
  const bool has_first = list && list->kind == BUDDY_ARG_TENSORS && list->n && list->as.tensors[0];
  return has_first ? buddy_value_type(list->as.tensors[0]) : NULL;
}

buddy_code bd_conditions_require(buddy_node *node, bool as_written) {
  const char *op = buddy_node_op(node);
  const op_need *table = as_written ? needs_as_written : needs;
  const size_t n = (as_written ? sizeof needs_as_written : sizeof needs) / sizeof *table;
  if (strncmp(op, "aten.", 5)) return BUDDY_OK;
  for (size_t low = 0, high = n; low < high;) {
    const size_t middle = (low + high) / 2;
    const int order = compare_op(op + 5, table[middle].op);
    if (!order) {
      const bd_asking at = {node, subject_of(node)};
      return at.self ? unless_beyond(table[middle].need(&at)) : BUDDY_OK;
    }
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return BUDDY_OK;
}
