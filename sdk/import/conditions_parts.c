// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/conditions_parts.c: what is asked of sizes where tensors are parts of others: indices,
 * padding, views, memory. */
#include <string.h>

#include "core/graph/guards.h"
#include "sdk/import/build.h"
#include "sdk/import/conditions_needs.h"
#include "sdk/import/sizes.h"
#include "sdk/import/views.h"

/* ---- Parts ---- */

static bool is_mask(const buddy_tensor_type *type) {
  return type->dtype == BUDDY_BOOL || type->dtype == BUDDY_U8;
}

/* 0 if one of the indices is empty, or a mask, which may be of nothing; else 1. */
static buddy_code least_chosen(const bd_asking *at, const buddy_arg *indices, int64_t *out_n) {
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
buddy_code bd_need_masked_dims(const bd_asking *at) {
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
        BD_TRY(bd_ask_require(at, BD_EQ, type->dims[k], at->self->dims[dim]));
      if (type && !masks) BD_TRY(bd_ask_require(at, BD_GE, at->self->dims[dim], n_chosen));
    }
  }
  return BUDDY_OK;
}

/* Where there is an index there is something to choose from. */
static buddy_code need_choice(const bd_asking *at, const buddy_tensor_type *index, int64_t size) {
  int64_t n;
  BD_TRY(bd_dim_count(buddy_node_graph(at->node), index, &n));
  BD_TRY(buddy_graph_dim(buddy_node_graph(at->node), BUDDY_DIM_MIN, n, 1, &n));
  return bd_ask_require(at, BD_GE, size, n);
}

buddy_code bd_need_chosen(const bd_asking *at) {
  const buddy_tensor_type *index = bd_ask_tensor(at->node, "index");
  uint32_t axis;
  return index && bd_ask_axis(at, "dim", &axis) ? need_choice(at, index, at->self->dims[axis])
                                                : BUDDY_OK;
}

/* Along the other dims the tensor is as large as an index that is not empty. */
buddy_code bd_need_gathered(const bd_asking *at) {
  const buddy_tensor_type *index = bd_ask_tensor(at->node, "index");
  uint32_t axis;
  bool is_empty = false;
  BD_TRY(bd_need_chosen(at));
  if (!index || !bd_ask_axis(at, "dim", &axis) || index->rank != at->self->rank) return BUDDY_OK;
  for (uint32_t i = 0; i < index->rank; ++i)
    is_empty = is_empty || index->dims[i] == 0 || BUDDY_IS_SYMBOLIC(index->dims[i]);
  /* One that may be is for the row to look at. */
  for (uint32_t i = 0; i < index->rank && !is_empty; ++i)
    if (i != axis) BD_TRY(bd_ask_require(at, BD_GE, at->self->dims[i], index->dims[i]));
  return BUDDY_OK;
}

buddy_code bd_need_taken(const bd_asking *at) {
  const buddy_tensor_type *index = bd_ask_tensor(at->node, "index");
  int64_t n;
  BD_TRY(bd_dim_count(buddy_node_graph(at->node), at->self, &n));
  return index ? need_choice(at, index, n) : BUDDY_OK;
}

/* There is an element to put for each index. */
buddy_code bd_need_put(const bd_asking *at) {
  const buddy_tensor_type *source = bd_ask_tensor(at->node, "source"),
                          *index = bd_ask_tensor(at->node, "index");
  int64_t n_elements, n_indices;
  if (!source || !index) return BUDDY_OK;
  BD_TRY(bd_dim_count(buddy_node_graph(at->node), source, &n_elements));
  BD_TRY(bd_dim_count(buddy_node_graph(at->node), index, &n_indices));
  return bd_ask_require(at, BD_EQ, n_elements, n_indices);
}

/* The mask and what it chooses from broadcast together; a size that only the run tells may be 1. */
buddy_code bd_need_mask(const bd_asking *at) {
  const buddy_tensor_type *mask = bd_ask_tensor(at->node, "mask"), *self = at->self;
  for (uint32_t i = 1; mask && i <= mask->rank && i <= self->rank; ++i) {
    const int64_t a = mask->dims[mask->rank - i], b = self->dims[self->rank - i];
    if (BUDDY_IS_SYMBOLIC(a) || BUDDY_IS_SYMBOLIC(b)) continue;
    if (a != 1 && b != 1) BD_TRY(bd_ask_require(at, BD_EQ, a, b));
  }
  return BUDDY_OK;
}

/* index_add and its kin: what is put in is as large as its place, and has a part for each index. */
buddy_code bd_need_equal_parts(const bd_asking *at) {
  const buddy_tensor_type *source = bd_ask_tensor(at->node, "source"),
                          *index = bd_ask_tensor(at->node, "index");
  uint32_t axis;
  if (!source || !index || !bd_ask_axis(at, "dim", &axis) || source->rank != at->self->rank)
    return BUDDY_OK;
  for (uint32_t i = 0; i < source->rank; ++i) {
    const bool is_axis = i == axis;
    const int64_t n = !is_axis ? at->self->dims[i] : index->rank ? index->dims[0] : 1;
    if (n != source->dims[i]) BD_TRY(bd_ask_require(at, BD_EQ, source->dims[i], n));
  }
  return BUDDY_OK;
}

/* The source is as large as its place. */
static buddy_code need_equal(const bd_asking *at, const int64_t *place, uint32_t rank) {
  const buddy_tensor_type *source = bd_ask_tensor(at->node, "src");
  if (!source || source->rank != rank) return BUDDY_OK;
  for (uint32_t i = 0; i < rank; ++i) {
    if (source->dims[i] != place[i]) BD_TRY(bd_ask_require(at, BD_EQ, source->dims[i], place[i]));
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
static buddy_code need_end(const bd_asking *at, pad_mode mode, int64_t size, int64_t pad) {
  int64_t rest;
  BD_TRY(cut(buddy_node_graph(at->node), size, pad, &rest));
  BD_TRY(bd_ask_require(at, BD_GE, rest, 0));
  return mode == PAD_CIRCULAR ? bd_ask_require(at, BD_GE, size, pad) : BUDDY_OK;
}

/* What is not beyond the edge is read where it is: nothing is cut off first. */
static buddy_code need_edges(const bd_asking *at, pad_mode mode, int64_t size, int64_t before,
                             int64_t after) {
  buddy_graph *graph = buddy_node_graph(at->node);
  int64_t padded;
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_ADD, size, before, &padded));
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_ADD, padded, after, &padded));
  BD_TRY(bd_ask_require(at, BD_GE, padded, 1));
  if (mode == PAD_REPLICATE) return bd_ask_require(at, BD_GE, size, 1);
  BD_TRY(bd_ask_require(at, BD_GT, size, before));
  return bd_ask_require(at, BD_GT, size, after);
}

static const buddy_arg *pad_of(const bd_asking *at) {
  const buddy_arg *pad = buddy_node_arg_find(at->node, "pad");
  return pad ? pad : buddy_node_arg_find(at->node, "padding");
}

static buddy_code need_padded(const bd_asking *at, pad_mode mode) {
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

buddy_code bd_need_constant(const bd_asking *at) { return need_padded(at, PAD_CONSTANT); }
/* Channels, and a dim that nothing is put beside, have elements as well. */
static buddy_code need_inside(const bd_asking *at, pad_mode mode) {
  const buddy_arg *pad = pad_of(at);
  if (pad && pad->kind == BUDDY_ARG_INTS)
    BD_TRY(bd_need_last(at, at->self, (uint32_t)(pad->n / 2) + 1));
  return need_padded(at, mode);
}
buddy_code bd_need_reflect(const bd_asking *at) { return need_inside(at, PAD_REFLECT); }
buddy_code bd_need_replicate(const bd_asking *at) { return need_inside(at, PAD_REPLICATE); }
buddy_code bd_need_circular(const bd_asking *at) { return need_padded(at, PAD_CIRCULAR); }

buddy_code bd_need_pad(const bd_asking *at) {
  static const struct {
    const char *name;
    buddy_code (*need)(const bd_asking *at);
  } modes[] = {{"constant", bd_need_constant},
               {"reflect", bd_need_reflect},
               {"replicate", bd_need_replicate},
               {"circular", bd_need_circular}};
  const buddy_arg *mode = buddy_node_arg_find(at->node, "mode");
  size_t i = 0;
  if (mode && mode->kind == BUDDY_ARG_STRING) {
    while (i < 4 && strcmp(mode->as.string, modes[i].name)) ++i;
  }
  return i < 4 ? modes[i].need(at) : BUDDY_OK;
}

/* ---- Views ---- */

/* A size of -1 is told by the others, none of which is 0 then. */
buddy_code bd_need_told_size(const bd_asking *at) {
  static const char *const names[] = {"size", "shape", "sizes"};
  const buddy_arg *sizes = NULL;
  bool is_told = false;
  for (size_t i = 0; i < 3 && !sizes; ++i) sizes = buddy_node_arg_find(at->node, names[i]);
  if (!sizes || sizes->kind != BUDDY_ARG_INTS) return BUDDY_OK;
  for (size_t i = 0; i < sizes->n; ++i) is_told = is_told || sizes->as.ints[i] == -1;
  for (size_t i = 0; is_told && i < sizes->n; ++i) {
    if (sizes->as.ints[i] != -1) BD_TRY(bd_ask_require(at, BD_GE, sizes->as.ints[i], 1));
  }
  return BUDDY_OK;
}

/* ---- Memory ---- */

/* as_strided: first and last element that it shows are the tensor's; where a size is 0 it shows none. */
buddy_code bd_need_memory(const bd_asking *at) {
  buddy_graph *graph = buddy_node_graph(at->node);
  const buddy_arg *size = buddy_node_arg_find(at->node, "size"),
                  *stride = buddy_node_arg_find(at->node, "stride"),
                  *offset = buddy_node_arg_find(at->node, "storage_offset");
  if (!size || !stride || size->kind != BUDDY_ARG_INTS || stride->kind != BUDDY_ARG_INTS ||
      size->n != stride->n)
    return BUDDY_OK;
  const int64_t first = offset && offset->kind == BUDDY_ARG_INT ? offset->as.i : 0;
  int64_t n, end;
  BD_TRY(bd_ask_require(at, BD_GE, first, 0));
  BD_TRY(bd_dim_count(graph, at->self, &n));
  for (size_t i = 0; i < stride->n; ++i) BD_TRY(bd_ask_require(at, BD_GE, stride->as.ints[i], 0));
  BD_TRY(bd_dim_extent(graph, size->as.ints, stride->as.ints, size->n, first, &end));
  return bd_ask_require(at, BD_GE, n, end);
}

/* What is written is no element twice. */
buddy_code bd_need_strided_source(const bd_asking *at) {
  const buddy_arg *size = buddy_node_arg_find(at->node, "size"),
                  *stride = buddy_node_arg_find(at->node, "stride");
  BD_TRY(bd_need_memory(at));
  if (!size || size->kind != BUDDY_ARG_INTS || size->n > BD_VIEW_MAX_RANK) return BUDDY_OK;
  for (size_t i = 0; stride && stride->kind == BUDDY_ARG_INTS && i < stride->n && i < size->n;
       ++i) {
    int64_t least;
    BD_TRY(buddy_graph_dim(buddy_node_graph(at->node), BUDDY_DIM_MIN, size->as.ints[i], 2, &least));
    BD_TRY(bd_dim_sub(buddy_node_graph(at->node), least, 1, &least));
    BD_TRY(bd_ask_require(at, BD_GE, stride->as.ints[i], least));
  }
  return need_equal(at, size->as.ints, (uint32_t)size->n);
}
