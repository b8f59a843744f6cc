// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_nodes.c: nodes.
 *
 *   {"target": "torch.ops.aten.linear.default",
 *    "inputs": [{"name": "input", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}, …],
 *    "outputs": [{"as_tensor": {"name": "linear"}}], "metadata": {"stack_trace": …}, "name":
 * "linear"}
 *
 * Outputs are flattened: a list of tensors gives as many results. */
#include <string.h>

#include "core/graph/model.h"
#include "core/symbols/opdef.h"
#include "sdk/import/pt2.h"

/* ---- Adding ---- */

static buddy_code add_unknown(bd_import *import, const bd_frame *frame, const bd_reading *read,
                              buddy_node **out_node) {
  const char *full = *frame->prefix
                         ? bd_arena_format(&import->arena, "%s%s", frame->prefix, read->name)
                         : read->name;
  if (!full) return BUDDY_OUT_OF_MEMORY;
  return buddy_graph_add_unknown_node(frame->target, NULL, read->op, full, read->args, read->n_args,
                                      read->types, read->n_results, import->diags, out_node);
}

static buddy_code define_results(bd_import *import, bd_frame *frame, const bd_reading *read,
                                 const buddy_node *node) {
  for (size_t i = 0; i < read->n_results; ++i) {
    bd_named *name = read->names[i];
    if (!name) continue;
    const buddy_value *value = buddy_node_result(node, i);
    if (name->kind == BD_NAMED_TENSOR) {
      BD_TRY(bd_names_define_tensor(import, frame, name, value));
      continue;
    }
    /* A size among the results: as a dim if it is one, and that symbol's value from now on. */
    buddy_arg arg = bd_tensor_arg(value);
    int64_t dim;
    size_t symbol;
    if (name->kind == BD_NAMED_INT && !bd_types_try_dim(import, name->meta, &dim)) {
      arg = bd_int_arg(dim);
      if (!bd_types_symbol(import, dim, &symbol) &&
          !buddy_graph_symbol(import->graph, symbol)->bound_to) {
        BD_TRY(buddy_graph_bind_symbol(import->graph, symbol, value));
      }
    }
    BD_TRY(bd_names_define(import, frame, name->name, &arg));
  }
  return BUDDY_OK;
}

/* Inside torch.autocast PyTorch converts operands before some ops, and its graph does not say so.
 * Two rules cover them: products and convolutions compute in the region's dtype; ops that give f32
 * for operands of 16 bits had them converted to f32, unless they are conversions themselves. */
static buddy_dtype operand_dtype(const bd_frame *frame, const bd_reading *read) {
  if (!frame->autocast || !read->def || read->n_results != 1) return BUDDY_DTYPE_NONE;
  const buddy_op_kind kind = buddy_opdef_kind(read->def);
  const buddy_dtype result = read->types[0].dtype;
  const bool is_product = kind == BUDDY_KIND_CONTRACTION || kind == BUDDY_KIND_CONVOLUTION ||
                          !strcmp(read->op, "aten.prelu.default");
  if (is_product) return result == frame->autocast ? result : BUDDY_DTYPE_NONE;
  size_t dtype;
  const bool converts = !buddy_opdef_arg_find(read->def, (buddy_sv){"dtype", 5}, &dtype);
  return result == BUDDY_F32 && kind != BUDDY_KIND_ELEMENTWISE && !converts ? result
                                                                            : BUDDY_DTYPE_NONE;
}

static buddy_code cast_operand(bd_import *import, const bd_frame *frame, const bd_reading *read,
                               buddy_dtype dtype, buddy_arg *arg) {
  buddy_tensor_type type = *buddy_value_type(arg->as.tensor);
  const bool is_eligible = (BUDDY_DTYPE_BIT(type.dtype) & BUDDY_FLOATS) && type.dtype != BUDDY_F64;
  if (!is_eligible || type.dtype == dtype) return BUDDY_OK;
  type.dtype = dtype;
  const buddy_named_arg args[] = {{"self", *arg}, {"dtype", bd_dtype_arg(dtype)}};
  const char *name = bd_import_made_name(import, read->name);
  buddy_node *node;
  if (!name) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_nodes_add(import, frame, "aten._to_copy.default", name, args, 2, &type, 1, &node));
  arg->as.tensor = buddy_node_result(node, 0);
  return buddy_node_set_location(node, &read->location);
}

static buddy_code cast_operands(bd_import *import, const bd_frame *frame, bd_reading *read) {
  const buddy_dtype dtype = operand_dtype(frame, read);
  for (size_t i = 0; i < read->n_args && dtype; ++i) {
    buddy_arg *arg = &read->args[i].arg;
    if (arg->kind == BUDDY_ARG_TENSOR) BD_TRY(cast_operand(import, frame, read, dtype, arg));
  }
  return BUDDY_OK;
}

/* ---- Inputs ---- */

/* "torch.ops.aten.linear.default" is aten.linear.default; higher-order ops have no overload. */
static const char *op_name(bd_import *import, const char *target) {
  static const char prefix[] = "torch.ops.";
  if (!strncmp(target, prefix, sizeof prefix - 1)) target += sizeof prefix - 1;
  if (strncmp(target, "higher_order.", 13) || strchr(target + 13, '.')) return target;
  return bd_arena_format(&import->arena, "%s.default", target);
}

/* Here all arguments have names. Those of higher-order ops go by position, and so does, as PyTorch
 * reads it, what was given by position: releases call some arguments otherwise ("grad_output" of
 * aten._cdist_backward was "grad" up to 2.13). */
static const char *arg_name(bd_import *import, const bd_reading *read, bd_json input, size_t i) {
  enum { POSITIONAL = 1 };
  const char *name = bd_json_name(&import->json, bd_json_get(&import->json, input, "name"));
  const buddy_schema_arg *arg = read->def ? buddy_opdef_arg(read->def, i) : NULL;
  size_t found;
  if (!*name) return arg ? arg->name : bd_arena_format(&import->arena, "arg%zu", i);
  if (!arg || !strcmp(arg->name, name) ||
      !buddy_opdef_arg_find(read->def, (buddy_sv){name, strlen(name)}, &found))
    return name;
  const bd_json kind = bd_json_find(input, "kind");
  return kind.document && bd_json_int(&import->json, kind) == POSITIONAL ? arg->name : name;
}

/* with_effects(token, op, its arguments…) gives a token and the results of the op: it is read as
 * the op. Sets the op's target; a node of another kind has none. */
static buddy_code read_effect(bd_import *import, bd_json node, bd_reading *read,
                              const char **out_target) {
  if (strcmp(*out_target, "torch.ops.higher_order.with_effects")) return BUDDY_OK;
  bd_json_iterator inputs =
      bd_json_array(&import->json, bd_json_get(&import->json, node, "inputs"));
  bd_json input, target;
  /* NOLINTNEXTLINE(misc-redundant-expression): the second one */
  if (!bd_json_next(&inputs, &input) || !bd_json_next(&inputs, &input)) {
    bd_json_wrong(&import->json, node, "has not the token and the op that it orders");
    return import->json.code;
  }
  const char *kind =
      bd_json_union(&import->json, bd_json_get(&import->json, input, "arg"), &target);
  BD_TRY(import->json.code);
  if (strcmp(kind, "as_operator")) {
    bd_json_wrong(&import->json, input, "is no op");
    return import->json.code;
  }
  *out_target = bd_json_name(&import->json, target);
  read->n_skipped = 2;
  return import->json.code;
}

static buddy_code read_inputs(bd_import *import, bd_frame *frame, bd_json node, bd_reading *read) {
  const bd_json inputs = bd_json_get(&import->json, node, "inputs");
  const size_t n = bd_json_count(inputs);
  size_t n_seen = 0;
  read->args = bd_arena_calloc(&import->arena, n, sizeof *read->args);
  read->graphs = bd_arena_calloc(&import->arena, n, sizeof *read->graphs);
  if (!read->args || !read->graphs) return BUDDY_OUT_OF_MEMORY;
  bd_json_iterator all = bd_json_array(&import->json, inputs);
  for (bd_json input; bd_json_next(&all, &input);) {
    if (n_seen++ < read->n_skipped) continue;
    const size_t i = read->n_args++;
    read->args[i].name = arg_name(import, read, input, i);
    if (!read->args[i].name) return BUDDY_OUT_OF_MEMORY;
    BD_TRY(bd_args_read(import, frame, bd_json_get(&import->json, input, "arg"), &read->args[i].arg,
                        &read->graphs[i]));
  }
  return import->json.code;
}

/* ---- Outputs ---- */

static size_t count_results(bd_json outputs) {
  size_t n = 0;
  bd_json_reader quiet = {0};
  bd_json_iterator all = bd_json_array(&quiet, outputs);
  for (bd_json output; bd_json_next(&all, &output);) {
    const bd_json list = bd_json_find(output, "as_tensors");
    n += list.document ? bd_json_count(list) : 1;
  }
  return n;
}

/* A result that PyTorch left undefined still has a place among the results. */
static const buddy_tensor_type undefined = {
    .dtype = BUDDY_F32, .rank = 1, .dims = (const int64_t[]){0}};

void bd_reading_add_result(bd_reading *read, bd_named *name) {
  static const buddy_dtype numbers[] = {
      [BD_NAMED_INT] = BUDDY_I64, [BD_NAMED_FLOAT] = BUDDY_F64, [BD_NAMED_BOOL] = BUDDY_BOOL};
  buddy_tensor_type *type = &read->types[read->n_results];
  if (!name || name->kind == BD_NAMED_OTHER) {
    *type = undefined;
  } else if (name->kind == BD_NAMED_TENSOR) {
    *type = name->type;
  } else {
    *type = (buddy_tensor_type){.dtype = numbers[name->kind]};
  }
  read->names[read->n_results++] = name;
}

/* {"as_tensor": {"name": "token"}}: only with_effects reads it, and skips it. */
static buddy_code define_token(bd_import *import, bd_frame *frame, bd_json output) {
  bd_json value;
  (void)bd_json_union(&import->json, output, &value);
  const char *name = bd_json_name(&import->json, bd_json_get(&import->json, value, "name"));
  const buddy_arg none = {.kind = BUDDY_ARG_NONE};
  BD_TRY(import->json.code);
  return bd_names_define(import, frame, name, &none);
}

static buddy_code read_outputs(bd_import *import, bd_frame *frame, bd_json node, bd_reading *read) {
  const bd_json outputs = bd_json_get(&import->json, node, "outputs");
  BD_TRY(import->json.code);
  const size_t n = count_results(outputs);
  read->types = bd_arena_calloc(&import->arena, n, sizeof *read->types);
  read->names = bd_arena_calloc(&import->arena, n, sizeof *read->names);
  if (!read->types || !read->names) return BUDDY_OUT_OF_MEMORY;
  bd_json_iterator all = bd_json_array(&import->json, outputs);
  bool is_token = read->n_skipped > 0;
  for (bd_json output; bd_json_next(&all, &output);) {
    const bd_json list = bd_json_find(output, "as_tensors");
    bd_named *name;
    if (is_token) {
      BD_TRY(define_token(import, frame, output));
      is_token = false;
      continue;
    }
    if (read->n_skipped > 0 && bd_json_is(bd_json_find(output, "as_none"))) continue;
    if (!list.document) {
      BD_TRY(bd_names_introduced(import, frame, output, &name));
      bd_reading_add_result(read, name);
      continue;
    }
    bd_json_iterator tensors = bd_json_array(&import->json, list);
    for (bd_json tensor; bd_json_next(&tensors, &tensor);) {
      BD_TRY(bd_names_type(import, frame, bd_json_get(&import->json, tensor, "name"), &name));
      bd_reading_add_result(read, name);
    }
  }
  return import->json.code;
}

/* ---- Nodes ---- */

static buddy_code read_name(bd_import *import, bd_json node, bd_reading *read) {
  const bd_json name = bd_json_find(node, "name");
  if (bd_json_is(name)) {
    read->name = bd_json_name(&import->json, name);
    return import->json.code;
  }
  read->name = NULL; /* of minor versions before names: chosen, or that of the result */
  return BUDDY_OK;
}

/* Without a name of its own a node is called as its one result, or anything. */
static buddy_code choose_name(bd_import *import, bd_reading *read) {
  if (read->name) return BUDDY_OK;
  if (read->n_results == 1 && read->names[0]) {
    read->name = read->names[0]->name;
  } else {
    read->name = bd_import_made_name(import, "node");
  }
  return read->name ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

/* A number is converted as a tensor is: what comes out is that number, of the dtype. */
static buddy_code name_number(bd_import *import, bd_reading *read) {
  const bool converts =
      !strncmp(read->op, "aten._to_copy.", 14) || !strncmp(read->op, "aten.to.", 8);
  if (!converts || !read->n_args || read->n_results != 1) return BUDDY_OK;
  const buddy_arg number = read->args[0].arg;
  if (number.kind != BUDDY_ARG_INT && number.kind != BUDDY_ARG_FLOAT &&
      number.kind != BUDDY_ARG_BOOL)
    return BUDDY_OK;
  read->args = bd_arena_calloc(&import->arena, 2, sizeof *read->args);
  if (!read->args) return BUDDY_OUT_OF_MEMORY;
  read->n_args = 2;
  read->args[0] = (buddy_named_arg){"s", number};
  read->args[1] = (buddy_named_arg){"dtype", bd_dtype_arg(read->types[0].dtype)};
  read->op = "aten.scalar_tensor.default";
  return bd_opset_look_up(import->opset, read->op, &read->def);
}

static buddy_code add_read(bd_import *import, size_t frame, bd_reading *read) {
  buddy_node *node;
  BD_TRY(cast_operands(import, &import->frames[frame], read));
  const size_t depth = import->n_frames;
  BD_TRY(bd_frames_push_subgraphs(import, frame, read));
  bd_frame *at = &import->frames[frame];
  bd_graph_set_place(import->graph, &read->location);
  const buddy_code code = read->def
                              ? bd_nodes_add(import, at, read->op, read->name, read->args,
                                             read->n_args, read->types, read->n_results, &node)
                              : add_unknown(import, at, read, &node);
  bd_graph_set_place(import->graph, NULL);
  if (code == BUDDY_INVALID_ARGUMENT) {
    /* The file contradicts the op's schema: told by the graph, with the op; go on to find more of
     * it. */
    while (import->n_frames > depth) bd_names_deinit(&import->frames[--import->n_frames]);
    return BUDDY_CORRUPT;
  }
  BD_TRY(code);
  BD_TRY(buddy_node_set_location(node, &read->location));
  return define_results(import, at, read, node);
}

static buddy_code read_node(bd_import *import, bd_json node) {
  const size_t frame = import->n_frames - 1;
  bd_frame *at = &import->frames[frame];
  bd_reading read = {0};
  const char *target = bd_json_name(&import->json, bd_json_get(&import->json, node, "target"));
  BD_TRY(import->json.code);
  const bd_json metadata = bd_json_find(node, "metadata");
  BD_TRY(bd_location_read(import, metadata, &read.location));
  bool is_done;
  BD_TRY(bd_numbers_read(import, at, target, node, &read.location, &is_done));
  if (is_done) return BUDDY_OK;
  BD_TRY(bd_vmap_read(import, at, target, node, &read.location, &is_done));
  if (is_done) return BUDDY_OK;
  BD_TRY(read_effect(import, node, &read, &target));
  read.op = op_name(import, target);
  if (!read.op) return BUDDY_OUT_OF_MEMORY;
  /* Ops without a definition are kept. */
  BD_TRY(bd_opset_look_up(import->opset, read.op, &read.def));
  BD_TRY(read_name(import, node, &read));
  BD_TRY(read_inputs(import, at, node, &read));
  const bd_wrapper *wraps = bd_frames_find_wrapper(&read);
  if (wraps && !read.name) read.name = bd_import_made_name(import, "region");
  if (wraps) return bd_frames_push_inlined(import, at, node, &read, wraps);
  BD_TRY(read_outputs(import, at, node, &read));
  BD_TRY(choose_name(import, &read));
  BD_TRY(name_number(import, &read));
  return add_read(import, frame, &read);
}

buddy_code bd_nodes_read(bd_import *import) {
  while (import->n_frames) {
    bd_frame *frame = &import->frames[import->n_frames - 1];
    bd_json node;
    if (bd_json_next(&frame->nodes, &node)) {
      BD_TRY(read_node(import, node));
    } else if (import->n_frames > 1) {
      BD_TRY(bd_frames_close(import));
    } else {
      BD_TRY(bd_vmap_check_ended(import, frame));
      return import->json.code;
    }
  }
  return BUDDY_OK;
}
