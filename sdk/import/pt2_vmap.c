// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_vmap.c: regions of torch.vmap, which PyTorch leaves whole before decomposition.
 *
 *   _vmap_increment_nesting(5, "error")        a region begins
 *   a = _add_batch_dim(x, 0, 1)                a: one of x's slices along dim 0
 *   b = aten.mul.Tensor(a, w)                  as the user wrote it, for one slice
 *   y = _remove_batch_dim(b, 1, 5, 0)          y: what all slices give, stacked along dim 0
 *   _vmap_decrement_nesting()                  the region ends
 *
 * is read as y = map(f, [x], [w]): the nodes between go into a graph of their own, whose inputs are
 * the slices, then the values from around that it uses. Regions nest. */
#include <string.h>

#include "core/base/array.h"
#include "sdk/import/pt2.h"

#define FUNCTORCH "torch._functorch.predispatch."

/* A value from around a region, and what stands for it inside. */
typedef struct capture {
  const buddy_value *outer, *inner;
  UT_hash_handle hh;
} capture;

/* A result of a region: how it is called around it, and where its slices are stacked. */
typedef struct stacked {
  const char *name;
  int64_t dim;
} stacked;

struct bd_vmap {
  bd_vmap *around;
  buddy_graph *outer, *inner;
  const char *name;
  buddy_location location;
  const buddy_value **slices, **captured;
  stacked *results;
  capture *captures;
  size_t n_slices, slices_capacity, n_captured, captured_capacity, n_results, results_capacity;
};

static buddy_code grow(void *items, size_t *capacity, size_t n, size_t item_size) {
  void **at = items;
  void *grown = bd_array_grow(*at, capacity, n, item_size);
  if (!grown) return BUDDY_OUT_OF_MEMORY;
  *at = grown;
  return BUDDY_OK;
}

static buddy_code malformed(bd_import *import, const char *name, const char *what) {
  return buddy_diags_add(import->diags, BUDDY_ERROR, BUDDY_CORRUPT, name,
                         "export the model again; or call run_decompositions() before saving it",
                         "this part of torch.vmap %s", what);
}

/* ---- Values from around ---- */

static buddy_code add_input(bd_import *import, buddy_graph *graph, const buddy_tensor_type *type,
                            const buddy_value **out_value) {
  const char *name = bd_import_made_name(import, "slice");
  if (!name) return BUDDY_OUT_OF_MEMORY;
  return buddy_graph_add_input(graph, BUDDY_INPUT_USER, name, NULL, type, NULL, import->diags,
                               out_value);
}

/* Goes from region to region, never by recursion: to the one that has the value, and back. */
buddy_code bd_vmap_capture(bd_import *import, bd_vmap *region, const buddy_value **value) {
  while (buddy_value_graph(*value) != region->inner) {
    bd_vmap *at = region;
    while (at && at->outer != buddy_value_graph(*value)) at = at->around;
    if (!at) return malformed(import, region->name, "uses a value of a region that has ended");
    capture *found;
    HASH_FIND_PTR(at->captures, value, found);
    if (!found) {
      found = bd_arena_calloc(&import->arena, 1, sizeof *found);
      if (!found) return BUDDY_OUT_OF_MEMORY;
      BD_TRY(grow(&at->captured, &at->captured_capacity, at->n_captured + 1, sizeof *at->captured));
      found->outer = *value;
      BD_TRY(add_input(import, at->inner, buddy_value_type(*value), &found->inner));
      at->captured[at->n_captured++] = *value;
      bool hash_is_full = false;
      HASH_ADD_PTR(at->captures, outer, found);
      if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
    }
    *value = found->inner;
  }
  return BUDDY_OK;
}

/* ---- Dims ---- */

/* The value with dim `from` moved to `to`, where frame->target is. */
static buddy_code moved(bd_import *import, const bd_frame *frame, const buddy_value **value,
                        uint32_t from, uint32_t to) {
  const buddy_tensor_type *type = buddy_value_type(*value);
  int64_t order[BD_MAX_TENSOR_RANK], dims[BD_MAX_TENSOR_RANK];
  if (from == to) return BUDDY_OK;
  for (uint32_t d = 0, next = 0; d < type->rank; ++d) {
    if (next == from) ++next;
    order[d] = d == to ? from : next++;
  }
  for (uint32_t d = 0; d < type->rank; ++d) dims[d] = type->dims[order[d]];
  const buddy_tensor_type turned = {.dtype = type->dtype, .rank = type->rank, .dims = dims};
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(*value)},
                                  {"dims", bd_ints_arg(order, type->rank)}};
  const char *name = bd_import_made_name(import, "moved");
  buddy_node *node;
  if (!name) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_nodes_add(import, frame, "aten.permute.default", name, args, 2, &turned, 1, &node));
  *value = buddy_node_result(node, 0);
  return BUDDY_OK;
}

/* ---- The four ops ---- */

typedef struct vmap_node {
  const char *name; /* of the node */
  buddy_arg args[4];
  size_t n_args;
  bd_json outputs;
  const buddy_location *location;
} vmap_node;

static int64_t int_at(const vmap_node *node, size_t i) {
  return i < node->n_args && node->args[i].kind == BUDDY_ARG_INT ? node->args[i].as.i : 0;
}

/* The dim that argument i names; false if it is none of `rank` dims. */
static bool dim_at(const vmap_node *node, size_t i, uint32_t rank, uint32_t *out_dim) {
  int64_t dim = int_at(node, i);
  if (dim < 0) dim += rank;
  *out_dim = (uint32_t)dim;
  return dim >= 0 && dim < rank;
}

/* size, randomness */
static buddy_code begin(bd_import *import, bd_frame *frame, const vmap_node *node) {
  size_t depth = 0;
  for (const bd_vmap *at = frame->region; at; at = at->around) ++depth;
  bd_vmap *region = bd_arena_calloc(&import->arena, 1, sizeof *region);
  if (!region) return BUDDY_OUT_OF_MEMORY;
  if (depth == BD_MAX_GRAPH_DEPTH)
    return buddy_diags_add(import->diags, BUDDY_ERROR, BUDDY_LIMIT, node->name, NULL,
                           "torch.vmap within torch.vmap more than %u deep", BD_MAX_GRAPH_DEPTH);
  if (node->n_args > 1 && node->args[1].kind == BUDDY_ARG_STRING &&
      !strcmp(node->args[1].as.string, "same"))
    return buddy_diags_add(import->diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, node->name,
                           "draw them before torch.vmap, or let them differ",
                           "torch.vmap draws random numbers once for all slices");
  *region = (bd_vmap){.around = frame->region,
                      .outer = frame->target,
                      .name = node->name,
                      .location = *node->location};
  BD_TRY(buddy_graph_add_subgraph(frame->target, NULL, &region->inner));
  frame->region = region;
  frame->target = region->inner;
  return BUDDY_OK;
}

/* x, dim, level */
static buddy_code add_slice(bd_import *import, bd_frame *frame, const vmap_node *node,
                            const buddy_value *outer) {
  bd_vmap *region = frame->region;
  const buddy_tensor_type *type = buddy_value_type(outer);
  uint32_t dim;
  if (!dim_at(node, 1, type->rank, &dim)) return malformed(import, node->name, "slices no dim");
  if (region->n_captured) return malformed(import, node->name, "begins in its middle");
  frame->target = region->outer;
  frame->region = region->around;
  const buddy_code code = moved(import, frame, &outer, dim, 0);
  frame->target = region->inner;
  frame->region = region;
  BD_TRY(code);
  type = buddy_value_type(outer);
  const buddy_tensor_type slice = {
      .dtype = type->dtype, .rank = type->rank - 1, .dims = type->dims + 1};
  const buddy_value *inner;
  BD_TRY(grow(&region->slices, &region->slices_capacity, region->n_slices + 1,
              sizeof *region->slices));
  BD_TRY(add_input(import, region->inner, &slice, &inner));
  region->slices[region->n_slices++] = outer;
  bd_named *name;
  bd_json value;
  bd_json_iterator outputs = bd_json_array(&import->json, node->outputs);
  if (!bd_json_next(&outputs, &value)) return malformed(import, node->name, "gives nothing");
  BD_TRY(bd_names_type(
      import, frame,
      bd_json_get(&import->json, bd_json_get(&import->json, value, "as_tensor"), "name"), &name));
  return bd_names_define_tensor(import, frame, name, inner);
}

/* y, level, size, dim */
static buddy_code add_result(bd_import *import, bd_frame *frame, const vmap_node *node) {
  bd_vmap *region = frame->region;
  bd_json_iterator outputs = bd_json_array(&import->json, node->outputs);
  bd_json output, tensor;
  if (!bd_json_next(&outputs, &output)) return malformed(import, node->name, "gives nothing");
  tensor = bd_json_get(&import->json, output, "as_tensor");
  const char *name = bd_json_name(&import->json, bd_json_get(&import->json, tensor, "name"));
  BD_TRY(import->json.code);
  uint32_t dim;
  if (node->args[0].kind != BUDDY_ARG_TENSOR ||
      !dim_at(node, 3, buddy_value_type(node->args[0].as.tensor)->rank + 1, &dim))
    return malformed(import, node->name, "stacks no tensor, or along no dim");
  BD_TRY(grow(&region->results, &region->results_capacity, region->n_results + 1,
              sizeof *region->results));
  region->results[region->n_results++] = (stacked){name, dim};
  return buddy_graph_add_output(region->inner, BUDDY_OUTPUT_USER, NULL, &node->args[0],
                                import->diags);
}

/* The type of all slices' result i, one after another. */
static buddy_code stacked_type(bd_import *import, const bd_vmap *region, size_t i,
                               buddy_tensor_type *out_type) {
  const buddy_tensor_type *type = buddy_value_type(buddy_graph_output(region->inner, i)->as.tensor);
  int64_t *dims = bd_arena_alloc(&import->arena, (type->rank + 1) * sizeof *dims);
  if (!dims) return BUDDY_OUT_OF_MEMORY;
  dims[0] = buddy_value_type(region->slices[0])->dims[0];
  if (type->rank) memcpy(dims + 1, type->dims, type->rank * sizeof *dims);
  *out_type = (buddy_tensor_type){.dtype = type->dtype, .rank = type->rank + 1, .dims = dims};
  return BUDDY_OK;
}

static buddy_code add_map(bd_import *import, bd_frame *frame, const bd_vmap *region) {
  const buddy_named_arg args[] = {
      {"f", {.kind = BUDDY_ARG_GRAPH, .as.graph = region->inner}},
      {"xs", {.kind = BUDDY_ARG_TENSORS, .n = region->n_slices, .as.tensors = region->slices}},
      {"pos_args",
       {.kind = BUDDY_ARG_TENSORS, .n = region->n_captured, .as.tensors = region->captured}}};
  buddy_tensor_type *types = bd_arena_calloc(&import->arena, region->n_results, sizeof *types);
  const char *name = bd_import_made_name(import, "vmap");
  if (!types || !name) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < region->n_results; ++i) BD_TRY(stacked_type(import, region, i, &types[i]));
  buddy_node *node;
  BD_TRY(bd_nodes_add(import, frame, "higher_order.map_impl.default", name, args, 3, types,
                      region->n_results, &node));
  BD_TRY(buddy_node_set_location(node, &region->location));
  for (size_t i = 0; i < region->n_results; ++i) {
    const buddy_value *value = buddy_node_result(node, i);
    BD_TRY(moved(import, frame, &value, 0, (uint32_t)region->results[i].dim));
    const buddy_arg arg = bd_tensor_arg(value);
    BD_TRY(bd_names_define(import, frame, region->results[i].name, &arg));
  }
  return BUDDY_OK;
}

static void deinit(bd_vmap *region) {
  HASH_CLEAR(hh, region->captures);
  bd_free(region->slices);
  bd_free(region->captured);
  bd_free(region->results);
}

static buddy_code end(bd_import *import, bd_frame *frame, const vmap_node *node) {
  bd_vmap *region = frame->region;
  if (!region->n_slices) return malformed(import, node->name, "has nothing that it slices");
  frame->target = region->outer;
  frame->region = region->around;
  const buddy_code code = region->n_results ? add_map(import, frame, region) : BUDDY_OK;
  deinit(region);
  return code;
}

buddy_code bd_vmap_check_ended(bd_import *import, const bd_frame *frame) {
  return frame->region == frame->region_around
             ? BUDDY_OK
             : malformed(import, frame->region->name, "does not end");
}

void bd_vmap_deinit(bd_frame *frame) {
  while (frame->region && frame->region != frame->region_around) {
    deinit(frame->region);
    frame->region = frame->region->around;
  }
}

/* Arguments go by position, whatever they are called. */
static buddy_code read_args(bd_import *import, bd_frame *frame, bd_json node, vmap_node *out) {
  bd_json_iterator inputs =
      bd_json_array(&import->json, bd_json_get(&import->json, node, "inputs"));
  for (bd_json input, graph; bd_json_next(&inputs, &input) && out->n_args < 4;)
    BD_TRY(bd_args_read(import, frame, bd_json_get(&import->json, input, "arg"),
                        &out->args[out->n_args++], &graph));
  out->outputs = bd_json_get(&import->json, node, "outputs");
  const bd_json name = bd_json_find(node, "name");
  out->name = bd_json_is(name) ? bd_json_name(&import->json, name) : "vmap";
  return import->json.code;
}

/* What is sliced is of around the region. */
static buddy_code read_slice(bd_import *import, bd_frame *frame, bd_json node, vmap_node *out) {
  bd_vmap *region = frame->region;
  frame->region = region->around;
  frame->target = region->outer;
  const buddy_code code = read_args(import, frame, node, out);
  frame->region = region;
  frame->target = region->inner;
  BD_TRY(code);
  if (out->args[0].kind != BUDDY_ARG_TENSOR) return malformed(import, out->name, "slices nothing");
  return add_slice(import, frame, out, out->args[0].as.tensor);
}

/* The four that a region is made of; lazy_load_decompositions stands for nothing. */
static bool is_known(const char *op) {
  static const char *const known[] = {"_add_batch_dim", "_remove_batch_dim",
                                      "_vmap_increment_nesting", "_vmap_decrement_nesting"};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (!strcmp(op, known[i])) return true;
  return false;
}

/* jvp, grad: levels of dual numbers and of tapes, within a region or around it. */
static buddy_code refuse_transform(bd_import *import, bd_json node, const char *op,
                                   const buddy_location *location) {
  const bd_json named = bd_json_find(node, "name");
  const char *where = bd_json_is(named) ? bd_json_name(&import->json, named) : op;
  BD_TRY(import->json.code);
  if (location->file)
    where = bd_arena_format(&import->arena, "%s (%s:%u)", where, location->file, location->line);
  if (!where) return BUDDY_OUT_OF_MEMORY;
  return buddy_diags_add(import->diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, where,
                         "call run_decompositions({}) before saving the program",
                         "%s is a step of torch.func (jvp, grad), which only PyTorch's "
                         "decomposition writes out as ops",
                         op);
}

buddy_code bd_vmap_read(bd_import *import, bd_frame *frame, const char *target, bd_json node,
                        const buddy_location *location, bool *out_is_done) {
  *out_is_done = false;
  if (strncmp(target, FUNCTORCH, sizeof FUNCTORCH - 1)) return BUDDY_OK;
  const char *op = target + sizeof FUNCTORCH - 1;
  vmap_node read = {.location = location};
  *out_is_done = true;
  if (!strcmp(op, "lazy_load_decompositions")) return BUDDY_OK;
  if (!strcmp(op, "_vmap_increment_nesting")) {
    BD_TRY(read_args(import, frame, node, &read));
    return begin(import, frame, &read);
  }
  if (!is_known(op)) return refuse_transform(import, node, op, location);
  const bool is_inside = frame->region != frame->region_around;
  if (!is_inside) {
    *out_is_done = false; /* nobody takes it: told with the others */
    return BUDDY_OK;
  }
  if (!strcmp(op, "_add_batch_dim")) return read_slice(import, frame, node, &read);
  BD_TRY(read_args(import, frame, node, &read));
  return op[1] == 'r' ? add_result(import, frame, &read) : end(import, frame, &read);
}
