// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_frames.c: graphs within the arguments of nodes.
 *
 * They are of two sorts. Those of control flow become subgraphs. Those that only wrap a region
 * (no_grad, autocast, checkpoints) are read into the graph around them. Both are read from a stack
 * of frames, never by recursion: how deep graphs nest is the file's choice. */
#include <string.h>

#include "core/base/array.h"
#include "core/base/assert.h"
#include "sdk/import/pt2.h"

/* Higher-order ops that only wrap a region. */
static const bd_wrapper wrappers[] = {
    {"higher_order.wrap_with_set_grad_enabled.default", 1, 2},
    {"higher_order.wrap_with_autocast.default", 4, 5},
    {"higher_order.invoke_subgraph.default", 0, 2},
    {"higher_order.tag_activation_checkpoint.default", 0, 1},
    {"higher_order.wrap_activation_checkpoint.default", 0, 1},
    {"higher_order.wrap.default", 0, 1},
    {"higher_order.strict_mode.default", 0, 1},
    {"higher_order.hints_wrapper.default", 0, 1},
};

/* ---- Frames ---- */

buddy_code bd_frames_push(bd_import *import, const bd_frame *frame) {
  if (import->n_frames == BD_MAX_GRAPH_DEPTH) {
    return buddy_diags_add(import->diags, BUDDY_ERROR, BUDDY_LIMIT, import->json.where, NULL,
                           "graphs lie within graphs more than %u deep", BD_MAX_GRAPH_DEPTH);
  }
  void *frames = bd_array_grow(import->frames, &import->frames_capacity, import->n_frames + 1,
                               sizeof *import->frames);
  if (!frames) return BUDDY_OUT_OF_MEMORY;
  import->frames = frames;
  BD_ASSERT(frame->target && (import->n_frames > 0 || frame->kind != BD_FRAME_INLINE));
  import->frames[import->n_frames++] = *frame;
  return BUDDY_OK;
}

/* A frame for a serialized graph; its names are read. */
static buddy_code open_frame(bd_import *import, bd_json graph, bd_frame *frame) {
  frame->graph = graph;
  frame->nodes = bd_json_array(&import->json, bd_json_get(&import->json, graph, "nodes"));
  buddy_code code = import->json.code;
  if (!code) code = bd_names_read(import, frame);
  if (code) bd_names_deinit(frame);
  return code;
}

static buddy_code push_opened(bd_import *import, bd_frame *frame) {
  const buddy_code code = bd_frames_push(import, frame);
  if (code) bd_names_deinit(frame);
  return code;
}

buddy_code bd_names_introduced(bd_import *import, const bd_frame *frame, bd_json argument,
                               bd_named **out_name) {
  *out_name = NULL;
  bd_json value, name;
  const char *kind = bd_json_union(&import->json, argument, &value);
  BD_TRY(import->json.code);
  if (!strcmp(kind, "as_tensor")) {
    return bd_names_type(import, frame, bd_json_get(&import->json, value, "name"), out_name);
  }
  if (strncmp(kind, "as_sym_", 7)) return BUDDY_OK;
  if (!strcmp(bd_json_union(&import->json, value, &name), "as_name")) {
    return bd_names_find(import, frame, name, out_name);
  }
  return import->json.code;
}

/* ---- Graphs within arguments ---- */

static buddy_code push_subgraph(bd_import *import, bd_frame *frame, buddy_arg *arg, bd_json graph) {
  buddy_graph *made;
  bd_frame inner = {.kind = BD_FRAME_SUBGRAPH, .prefix = "", .autocast = frame->autocast};
  BD_TRY(buddy_graph_add_subgraph(frame->target, NULL, &made));
  arg->as.graph = inner.target = made;
  BD_TRY(open_frame(import, graph, &inner));
  bd_json_iterator inputs =
      bd_json_array(&import->json, bd_json_get(&import->json, graph, "inputs"));
  buddy_code code = import->json.code;
  for (bd_json input; !code && bd_json_next(&inputs, &input);) {
    bd_named *name;
    const buddy_value *value;
    code = bd_names_introduced(import, &inner, input, &name);
    if (code) break;
    bd_reading one = {.types = &(buddy_tensor_type){0}, .names = &(bd_named *){0}};
    bd_reading_add_result(&one, name);
    code = buddy_graph_add_input(made, BUDDY_INPUT_USER, name ? name->name : NULL, NULL, one.types,
                                 NULL, import->diags, &value);
    if (code || !name) continue;
    const buddy_arg defined = bd_tensor_arg(value);
    code = name->kind == BD_NAMED_TENSOR ? bd_names_define_tensor(import, &inner, name, value)
                                         : bd_names_define(import, &inner, name->name, &defined);
  }
  if (code) {
    bd_names_deinit(&inner);
    return code;
  }
  return push_opened(import, &inner);
}

buddy_code bd_frames_push_subgraphs(bd_import *import, size_t frame, bd_reading *read) {
  for (size_t i = 0; i < read->n_args; ++i) {
    if (!read->graphs[i].document) continue;
    bd_frame outer = import->frames[frame]; /* pushing moves the frames */
    BD_TRY(push_subgraph(import, &outer, &read->args[i].arg, read->graphs[i]));
  }
  return BUDDY_OK;
}

const bd_wrapper *bd_frames_find_wrapper(const bd_reading *read) {
  for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; ++i) {
    if (strcmp(wrappers[i].op, read->op)) continue;
    const bool has_graph =
        wrappers[i].graph < read->n_args && read->graphs[wrappers[i].graph].document;
    return has_graph ? &wrappers[i] : NULL;
  }
  return NULL;
}

/* The dtype that wrap_with_autocast(device, dtype, enabled, cache, graph, …) sets; else the one
 * around it. */
static buddy_dtype region_dtype(const bd_frame *frame, const bd_reading *read) {
  if (strcmp(read->op, "higher_order.wrap_with_autocast.default")) return frame->autocast;
  const buddy_arg *dtype = &read->args[1].arg, *is_enabled = &read->args[2].arg;
  if (is_enabled->kind != BUDDY_ARG_BOOL || !is_enabled->as.i) return BUDDY_DTYPE_NONE;
  return dtype->kind == BUDDY_ARG_DTYPE ? (buddy_dtype)dtype->as.i : BUDDY_BF16;
}

/* Defines the inner graph's inputs as the operands. */
static buddy_code define_operands(bd_import *import, bd_frame *inner, const bd_reading *read,
                                  size_t first) {
  bd_json_iterator inputs =
      bd_json_array(&import->json, bd_json_get(&import->json, inner->graph, "inputs"));
  size_t at = first, element = 0;
  for (bd_json input; bd_json_next(&inputs, &input);) {
    bd_named *name;
    BD_TRY(bd_names_introduced(import, inner, input, &name));
    while (at < read->n_args && read->args[at].arg.kind == BUDDY_ARG_TENSORS &&
           element == read->args[at].arg.n) {
      ++at;
      element = 0;
    }
    if (at >= read->n_args) {
      bd_json_wrong(&import->json, input, "is an input that the node around it gives nothing for");
      return import->json.code;
    }
    buddy_arg arg = read->args[at].arg;
    if (arg.kind == BUDDY_ARG_TENSORS) {
      arg = bd_tensor_arg(arg.as.tensors[element++]);
      if (!arg.as.tensor) arg.kind = BUDDY_ARG_NONE;
    } else {
      ++at;
    }
    if (name) BD_TRY(bd_names_define(import, inner, name->name, &arg));
  }
  return import->json.code;
}

buddy_code bd_frames_push_inlined(bd_import *import, const bd_frame *frame, bd_json node,
                                  const bd_reading *read, const bd_wrapper *wraps) {
  bd_frame inner = {.kind = BD_FRAME_INLINE,
                    .target = frame->target,
                    .prefix = bd_arena_format(&import->arena, "%s%s.", frame->prefix, read->name),
                    .results = bd_json_get(&import->json, node, "outputs"),
                    .autocast = region_dtype(frame, read),
                    .region = frame->region,
                    .region_around = frame->region};
  if (!inner.prefix) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(open_frame(import, read->graphs[wraps->graph], &inner));
  const buddy_code code = define_operands(import, &inner, read, wraps->first_operand);
  if (code) {
    bd_names_deinit(&inner);
    return code;
  }
  return push_opened(import, &inner);
}

/* ---- The end of a frame ---- */

static buddy_code define_outer(bd_import *import, bd_frame *outer, bd_json argument,
                               const buddy_arg *arg) {
  bd_named *name;
  BD_TRY(bd_names_introduced(import, outer, argument, &name));
  return name ? bd_names_define(import, outer, name->name, arg) : BUDDY_OK;
}

/* The names that the wrapping node gives its results stand for what the inner graph returns. */
static buddy_code return_to(bd_import *import, bd_frame *outer, bd_frame *inner, bd_json returned) {
  bd_json_iterator values = bd_json_array(&import->json, returned);
  bd_json_iterator results = bd_json_array(&import->json, inner->results);
  bd_json_iterator list = {0};
  for (bd_json value, result, graph; bd_json_next(&values, &value);) {
    buddy_arg arg;
    BD_TRY(bd_args_read(import, inner, value, &arg, &graph));
    if (bd_json_next(&list, &result)) {
      bd_named *name;
      BD_TRY(bd_names_find(import, outer, bd_json_get(&import->json, result, "name"), &name));
      BD_TRY(bd_names_define(import, outer, name->name, &arg));
      continue;
    }
    if (!bd_json_next(&results, &result)) break;
    const bd_json tensors = bd_json_find(result, "as_tensors");
    if (!tensors.document) {
      BD_TRY(define_outer(import, outer, result, &arg));
      continue;
    }
    list = bd_json_array(&import->json, tensors);
    if (bd_json_next(&list, &result)) {
      bd_named *name;
      BD_TRY(bd_names_find(import, outer, bd_json_get(&import->json, result, "name"), &name));
      BD_TRY(bd_names_define(import, outer, name->name, &arg));
    }
  }
  return import->json.code;
}

static buddy_code add_outputs(bd_import *import, bd_frame *frame, bd_json returned) {
  bd_json_iterator values = bd_json_array(&import->json, returned);
  for (bd_json value, graph; bd_json_next(&values, &value);) {
    buddy_arg arg;
    BD_TRY(bd_args_read(import, frame, value, &arg, &graph));
    BD_TRY(buddy_graph_add_output(frame->target, BUDDY_OUTPUT_USER, NULL, &arg, import->diags));
  }
  return import->json.code;
}

buddy_code bd_frames_close(bd_import *import) {
  BD_ASSERT(import->n_frames > 0);
  bd_frame *frame = &import->frames[import->n_frames - 1];
  const bd_json returned = bd_json_get(&import->json, frame->graph, "outputs");
  buddy_code code = bd_vmap_check_ended(import, frame);
  if (!code) code = import->json.code;
  if (!code && frame->kind == BD_FRAME_INLINE) {
    /* Subgraphs that were met before lie between this frame and the one around it only while they
     * are read, so that the frame below is the one around. */
    code = return_to(import, frame - 1, frame, returned);
  } else if (!code) {
    code = add_outputs(import, frame, returned);
  }
  bd_names_deinit(frame);
  --import->n_frames;
  return code;
}
