// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/functionalize.c: writes become values.
 *
 * A program of PyTorch writes into tensors, and what is written is seen through every other tensor
 * that shares the storage. The rewriting follows the storages (tracking.h).
 *
 * Nodes that write stay where they are until the end of the pass, since later nodes name their
 * results; then all uses are gone and they are erased. A graph without writes is left alone. */
#include "sdk/import/functionalize.h"

#include <string.h>

#include "core/base/array.h"
#include "core/symbols/opdef.h"
#include "sdk/import/tracking.h"

/* ---- Arguments ---- */

static buddy_code read_list(bd_tracking *in, buddy_node *node, const buddy_arg *arg,
                            buddy_arg *out_arg, bool *out_changed) {
  const buddy_value **list = bd_arena_alloc(&in->arena, arg->n * sizeof *list);
  if (!list) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < arg->n; ++i) {
    list[i] = arg->as.tensors[i];
    if (!list[i]) continue;
    BD_TRY(bd_value_current(in, arg->as.tensors[i], node, &list[i]));
    *out_changed = *out_changed || list[i] != arg->as.tensors[i];
  }
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_TENSORS, .n = arg->n, .as.tensors = list};
  return BUDDY_OK;
}

/* An argument with every value as it is now. before: null at the end of the graph. */
static buddy_code read_arg(bd_tracking *in, buddy_node *before, const buddy_arg *arg,
                           buddy_arg *out_arg, bool *out_changed) {
  *out_arg = *arg;
  *out_changed = false;
  if (arg->kind == BUDDY_ARG_TENSORS) return read_list(in, before, arg, out_arg, out_changed);
  if (arg->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  BD_TRY(bd_value_current(in, arg->as.tensor, before, &out_arg->as.tensor));
  *out_changed = out_arg->as.tensor != arg->as.tensor;
  return BUDDY_OK;
}

static buddy_code read_args(bd_tracking *in, buddy_node *node) {
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    buddy_arg arg;
    bool is_changed;
    BD_TRY(read_arg(in, node, buddy_node_arg(node, i), &arg, &is_changed));
    if (is_changed) BD_TRY(buddy_node_set_arg(node, i, &arg, in->diags));
  }
  return BUDDY_OK;
}

/* ---- Views ---- */

/* A part of an expanded tensor along a dim that repeats elements is the whole of them: views of
 * expansions are written through as long as they can be said without those dims. */
static void skip_expansion(const bd_alias *of, bd_view *view, const bd_alias **out_parent) {
  const bd_view *expansion = &of->view;
  *out_parent = of;
  if (!of->parent || expansion->kind != BD_VIEW_EXPAND) return;
  if (view->kind != BD_VIEW_SELECT && view->kind != BD_VIEW_SLICE) return;
  const buddy_tensor_type *base = buddy_value_type(of->parent->value);
  const int64_t dim = view->args[0].as.i, added = (int64_t)expansion->type.rank - base->rank;
  if (dim < 0 || dim >= expansion->type.rank) return;
  const bool repeats =
      dim < added || (base->dims[dim - added] == 1 && expansion->type.dims[dim] != 1);
  if (!repeats || (view->kind == BD_VIEW_SELECT && dim >= added)) return;
  view->kind = bd_same_dims(base, &view->type) ? BD_VIEW_SAME : BD_VIEW_EXPAND;
  *out_parent = of->parent;
}

static buddy_code track_maybe(bd_tracking *in, const buddy_value *result, const bd_view *view,
                              bd_storage *source) {
  bd_alias *at = bd_alias_of_maybe(in, result, view, source);
  bd_handle *means = at ? bd_handle_new(in, at) : NULL;
  return means ? bd_handle_set(in, result, means) : BUDDY_OUT_OF_MEMORY;
}

static buddy_code track_view(bd_tracking *in, buddy_node *node, size_t i, const buddy_value *source,
                             bd_handle *of) {
  const buddy_value *result = buddy_node_result(node, i);
  bd_view view;
  const buddy_code code = bd_view_describe(node, i, source, in->layouts, &in->arena, &view);
  if (code == BUDDY_UNSUPPORTED)
    return bd_tracking_refuse(in, node, NULL, "its dims contradict the types of its tensors");
  if (code || view.kind == BD_VIEW_NONE) return code;
  if (view.kind == BD_VIEW_MAYBE) return track_maybe(in, result, &view, of->at->of);
  const bd_alias *found;
  skip_expansion(of->at, &view, &found);
  bd_alias *parent = found == of->at ? of->at : of->at->parent;
  if (view.kind == BD_VIEW_SAME) {
    bd_handle *same = bd_handle_new(in, parent);
    return same ? bd_handle_set(in, result, same) : BUDDY_OUT_OF_MEMORY;
  }
  if (parent->depth + 1 >= BD_MAX_CHAIN)
    return bd_tracking_refuse(in, node, NULL, "more than 256 views of views");
  bd_alias *at = bd_arena_alloc(&in->arena, sizeof *at);
  if (!at) return BUDDY_OUT_OF_MEMORY;
  *at = (bd_alias){.of = parent->of,
                   .parent = parent,
                   .view = view,
                   .value = result,
                   .generation = parent->of->generation,
                   .depth = parent->depth + 1};
  bd_handle *means = bd_handle_new(in, at);
  return means ? bd_handle_set(in, result, means) : BUDDY_OUT_OF_MEMORY;
}

static buddy_code note_written(bd_tracking *in, buddy_node *node) {
  void *written =
      bd_array_grow(in->written, &in->written_capacity, in->n_written + 1, sizeof *in->written);
  if (!written) return BUDDY_OUT_OF_MEMORY;
  in->written = written;
  in->written[in->n_written++] = node;
  return BUDDY_OK;
}

/* x.t_() and its kin: the name looks at the storage in another way from now on. */
static buddy_code reshape_in_place(bd_tracking *in, buddy_node *node, const buddy_value *source) {
  bd_handle *means;
  bd_view view;
  BD_TRY(bd_handle_of(in, source, &means));
  BD_TRY(bd_alias_refresh(in, means->at, node));
  const buddy_code code = bd_view_describe(node, 0, means->at->value, NULL, &in->arena, &view);
  if (code == BUDDY_UNSUPPORTED || view.kind == BD_VIEW_OTHER || view.kind == BD_VIEW_MAYBE ||
      means->at->depth + 1 >= BD_MAX_CHAIN) {
    return bd_tracking_refuse(in, node, NULL,
                              "it changes the shape of a tensor in a way that cannot be followed");
  }
  BD_TRY(code);
  if (view.kind != BD_VIEW_SAME && view.kind != BD_VIEW_NONE) {
    bd_alias *at = bd_arena_alloc(&in->arena, sizeof *at);
    if (!at) return BUDDY_OUT_OF_MEMORY;
    *at = (bd_alias){
        .of = means->at->of, .parent = means->at, .view = view, .depth = means->at->depth + 1};
    BD_TRY(bd_view_derive(&view, node, in->graph, means->at->value, in->diags, &at->value));
    at->generation = at->of->generation;
    means->at = at;
  }
  BD_TRY(bd_handle_set(in, buddy_node_result(node, 0), means));
  return note_written(in, node);
}

/* resize_ of a tensor without elements: what it gets is a storage of its own, as an op makes it. */
static bool is_made_of_nothing(const buddy_node *node, const bd_handle *means) {
  return bd_has_no_elements(buddy_value_type(means->at->value)) &&
         !bd_has_no_elements(buddy_value_type(buddy_node_result(node, 0)));
}

/* x.set_(y): the name stands for what y stands for from now on; views of x that were taken before look
 * at what it was. */
static buddy_code set_storage(bd_tracking *in, buddy_node *node) {
  const buddy_value *source = buddy_node_arg(node, 1)->as.tensor,
                    *result = buddy_node_result(node, 0);
  const buddy_tensor_type *from = buddy_value_type(source), *to = buddy_value_type(result);
  bd_handle *means, *of;
  BD_TRY(bd_handle_of(in, buddy_node_arg(node, 0)->as.tensor, &means));
  BD_TRY(bd_handle_of(in, source, &of));
  if (from->dtype != to->dtype || !bd_same_dims(from, to))
    return bd_tracking_refuse(in, node, NULL, "its result is not of the type of its source");
  BD_TRY(read_args(in, node));
  means->at = of->at;
  BD_TRY(bd_handle_set(in, result, means));
  return note_written(in, node);
}

/* ---- Writes ---- */

typedef struct rewriting {
  buddy_node *node;
  const buddy_opdef *def, *twin;
  buddy_node *made; /* of the twin */
  size_t next;      /* result of `made` that the next written argument takes */
} rewriting;

/* Whether an argument is written and not read: `out`. Out arguments are those the twin has no place
 * for. */
static bool is_out(const rewriting *at, size_t i) {
  size_t place;
  const buddy_schema_arg *arg = buddy_opdef_arg(at->def, i);
  if (!arg->is_mutated) return false;
  if (!buddy_opdef_arg_find(at->twin, (buddy_sv){arg->name, strlen(arg->name)}, &place))
    return false;
  /* dropout_(self, …) and dropout(input, …) go by position. */
  return i >= buddy_opdef_n_args(at->twin) || !strncmp(arg->name, "out", 3) ||
         buddy_opdef_n_args(at->def) != buddy_opdef_n_args(at->twin);
}

static size_t twin_args(const rewriting *at, buddy_named_arg *args) {
  size_t n = 0;
  for (size_t i = 0; i < buddy_opdef_n_args(at->def); ++i) {
    const buddy_schema_arg *arg = buddy_opdef_arg(at->def, i);
    size_t place = i;
    if (is_out(at, i)) continue;
    if (buddy_opdef_arg_find(at->twin, (buddy_sv){arg->name, strlen(arg->name)}, &place)) place = i;
    if (place >= buddy_opdef_n_args(at->twin)) continue;
    args[n++] =
        (buddy_named_arg){buddy_opdef_arg(at->twin, place)->name, *buddy_node_arg(at->node, i)};
  }
  return n;
}

/* Types of the twin's results: what the op gives beside its writes keeps its type, what it writes
 * has that of the argument. */
static size_t twin_types(const rewriting *at, buddy_tensor_type *types, size_t max) {
  size_t n = 0;
  const buddy_node *node = at->node;
  for (size_t i = 0; i < buddy_node_n_results(node) && n < max; ++i) {
    types[n++] = *buddy_value_type(buddy_node_result(node, i));
  }
  if (buddy_opdef_n_results(at->def) && buddy_opdef_result(at->def, 0)->is_mutated) return n;
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    if (!buddy_opdef_arg(at->def, i)->is_mutated) continue;
    if (arg->kind == BUDDY_ARG_TENSOR && n < max) types[n++] = *buddy_value_type(arg->as.tensor);
    for (size_t k = 0; arg->kind == BUDDY_ARG_TENSORS && k < arg->n && n < max; ++k) {
      if (arg->as.tensors[k]) types[n++] = *buddy_value_type(arg->as.tensors[k]);
    }
  }
  return n;
}

/* Adds the twin. Elementwise ops and reductions have a type of their own, which may be wider than
 * what is written to. */
static buddy_code add_twin(bd_tracking *in, rewriting *at) {
  const bd_build build = {.graph = in->graph, .before = at->node};
  buddy_named_arg args[64];
  buddy_tensor_type types[64];
  if (buddy_opdef_n_args(at->def) > 64) return BUDDY_UNSUPPORTED;
  const char *op = buddy_opdef_name(at->twin);
  const size_t n = twin_args(at, args), n_types = twin_types(at, types, 64);
  const buddy_op_kind kind = buddy_opdef_kind(at->twin);
  if (kind == BUDDY_KIND_ELEMENTWISE && n_types == 1 && strcmp(op, "aten.copy.default") &&
      strcmp(op, "aten.fill.Scalar") && strcmp(op, "aten.fill.Tensor")) {
    const buddy_code code = bd_build_node(&build, op, args, n, NULL, 0, &at->made);
    if (code == BUDDY_OK || code == BUDDY_OUT_OF_MEMORY) return code;
  }
  const bd_build telling = {.graph = in->graph, .before = at->node, .diags = in->diags};
  return bd_build_node(&telling, op, args, n, types, n_types, &at->made);
}

static buddy_code write_one(bd_tracking *in, rewriting *at, const buddy_value *value,
                            bool may_resize) {
  bd_handle *means;
  BD_TRY(bd_handle_of(in, value, &means));
  if (at->next >= buddy_node_n_results(at->made)) {
    return bd_tracking_refuse(in, at->node, NULL,
                              "its functional form gives fewer values than it writes");
  }
  return bd_handle_write(in, means, at->node, buddy_node_result(at->made, at->next++), may_resize);
}

/* `before` has the argument as the program named it; the node's own has been brought up to date. */
static buddy_code write_arg(bd_tracking *in, rewriting *at, const buddy_arg *before,
                            bool may_resize) {
  if (before->kind == BUDDY_ARG_TENSOR) return write_one(in, at, before->as.tensor, may_resize);
  for (size_t i = 0; before->kind == BUDDY_ARG_TENSORS && i < before->n; ++i) {
    if (before->as.tensors[i]) BD_TRY(write_one(in, at, before->as.tensors[i], may_resize));
  }
  return BUDDY_OK;
}

/* Copies of the arguments as the program named them. */
static buddy_code keep_args(bd_tracking *in, const buddy_node *node, buddy_arg **out_args) {
  const size_t n = buddy_node_n_args(node);
  buddy_arg *args = bd_arena_calloc(&in->arena, n, sizeof *args);
  *out_args = args;
  if (!args) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) {
    args[i] = *buddy_node_arg(node, i);
    if (args[i].kind != BUDDY_ARG_TENSORS || args[i].n == 0) continue;
    const buddy_value **list = bd_arena_alloc(&in->arena, args[i].n * sizeof *list);
    if (!list) return BUDDY_OUT_OF_MEMORY;
    memcpy(list, args[i].as.tensors, args[i].n * sizeof *list);
    args[i].as.tensors = list;
  }
  return BUDDY_OK;
}

/* Results: those that the schema marks as written are the arguments themselves, in order; the
 * others are new. */
static buddy_code track_results(bd_tracking *in, const rewriting *at, const buddy_arg *args) {
  size_t arg = 0;
  for (size_t i = 0; i < buddy_node_n_results(at->node); ++i) {
    const buddy_value *result = buddy_node_result(at->node, i);
    const buddy_schema_arg *schema = buddy_opdef_result(at->def, i);
    bd_handle *means;
    if (schema && schema->is_mutated) {
      while (arg < buddy_opdef_n_args(at->def) && !buddy_opdef_arg(at->def, arg)->is_mutated) ++arg;
      if (arg == buddy_opdef_n_args(at->def) || args[arg].kind != BUDDY_ARG_TENSOR) continue;
      BD_TRY(bd_handle_of(in, args[arg++].as.tensor, &means));
    } else {
      bd_alias *fresh = i < buddy_node_n_results(at->made)
                            ? bd_alias_of_base(in, buddy_node_result(at->made, i))
                            : NULL;
      means = fresh ? bd_handle_new(in, fresh) : NULL;
      if (!means) return BUDDY_OUT_OF_MEMORY;
    }
    BD_TRY(bd_handle_set(in, result, means));
  }
  return BUDDY_OK;
}

/* Of ops that go element by element alone, but those that first make something else of what they
 * read. */
static buddy_code check_overlaps(bd_tracking *in, const rewriting *at, const buddy_arg *args) {
  static const char *const copying[] = {"aten.fill.", "aten.masked_fill.", "aten.ldexp."};
  const size_t n = buddy_opdef_n_args(at->def);
  bool is_asked = buddy_opdef_kind(at->twin) == BUDDY_KIND_ELEMENTWISE;
  for (size_t i = 0; i < sizeof copying / sizeof *copying; ++i)
    is_asked &= strncmp(buddy_opdef_name(at->twin), copying[i], strlen(copying[i])) != 0;
  if (!is_asked) return BUDDY_OK;
  for (size_t i = 0; i < n; ++i) {
    if (!buddy_opdef_arg(at->def, i)->is_mutated || args[i].kind != BUDDY_ARG_TENSOR) continue;
    for (size_t k = 0; k < n; ++k) {
      if (k != i && args[k].kind == BUDDY_ARG_TENSOR)
        BD_TRY(bd_overlap_check(in, at->node, args[i].as.tensor, args[k].as.tensor));
    }
  }
  return BUDDY_OK;
}

static buddy_code rewrite_write(bd_tracking *in, buddy_node *node) {
  rewriting at = {.node = node, .def = buddy_node_opdef(node)};
  const char *twin = bd_functional_twin(buddy_node_op(node));
  if (twin) BD_TRY(bd_opset_look_up(buddy_graph_opset(in->graph), twin, &at.twin));
  if (!at.twin) {
    return bd_tracking_refuse(in, node, "compute a new tensor instead",
                              "it writes into a tensor and has no form that does not");
  }
  buddy_arg *args;
  BD_TRY(keep_args(in, node, &args));
  BD_TRY(check_overlaps(in, &at, args));
  BD_TRY(read_args(in, node));
  BD_TRY(add_twin(in, &at));
  const bool is_first = buddy_opdef_n_results(at.def) && buddy_opdef_result(at.def, 0)->is_mutated;
  at.next = is_first ? 0 : buddy_node_n_results(node);
  for (size_t i = 0; i < buddy_opdef_n_args(at.def); ++i) {
    if (!buddy_opdef_arg(at.def, i)->is_mutated || args[i].kind == BUDDY_ARG_NONE) continue;
    BD_TRY(write_arg(in, &at, &args[i], is_out(&at, i) || bd_view_is_in_place(node)));
  }
  BD_TRY(track_results(in, &at, args));
  return note_written(in, node);
}

/* ---- One graph ---- */

/* Each result may be a view of the list's tensor at its place: broadcast_tensors, atleast_2d. */
static buddy_code track_views_of_list(bd_tracking *in, buddy_node *node, size_t source) {
  buddy_arg *args;
  BD_TRY(keep_args(in, node, &args));
  BD_TRY(read_args(in, node));
  for (size_t i = 0; i < buddy_node_n_results(node) && i < args[source].n; ++i) {
    const buddy_value *from = args[source].as.tensors[i];
    bd_handle *of;
    if (!from) continue;
    BD_TRY(bd_handle_of(in, from, &of));
    BD_TRY(track_view(in, node, i, from, of));
  }
  return BUDDY_OK;
}

static buddy_code rewrite_node(bd_tracking *in, buddy_node *node) {
  size_t source;
  const bool is_view = bd_view_source(node, &source);
  const buddy_arg *arg = is_view ? buddy_node_arg(node, source) : NULL;
  const buddy_value *from = is_view && arg->kind == BUDDY_ARG_TENSOR ? arg->as.tensor : NULL;
  if (is_view && arg->kind == BUDDY_ARG_TENSORS && !bd_node_writes(node))
    return track_views_of_list(in, node, source);
  if (from && bd_view_is_in_place(node)) {
    bd_handle *means;
    BD_TRY(bd_handle_of(in, from, &means));
    if (is_made_of_nothing(node, means)) return rewrite_write(in, node);
    BD_TRY(read_args(in, node));
    return reshape_in_place(in, node, from);
  }
  if (!strcmp(buddy_node_op(node), "aten.set_.source_Tensor")) return set_storage(in, node);
  if (bd_node_writes(node)) return rewrite_write(in, node);
  bd_handle *of;
  if (from) BD_TRY(bd_handle_of(in, from, &of));
  BD_TRY(read_args(in, node));
  if (!from) return BUDDY_OK;
  for (size_t i = 0; i < buddy_node_n_results(node); ++i) BD_TRY(track_view(in, node, i, from, of));
  return BUDDY_OK;
}

static buddy_code rewrite_outputs(bd_tracking *in) {
  for (size_t i = 0; i < buddy_graph_n_outputs(in->graph); ++i) {
    buddy_arg arg;
    bool is_changed;
    BD_TRY(read_arg(in, NULL, buddy_graph_output(in->graph, i), &arg, &is_changed));
    if (is_changed) BD_TRY(buddy_graph_set_output(in->graph, i, &arg, in->diags));
  }
  return BUDDY_OK;
}

static buddy_code rewrite_graph(bd_tracking *in) {
  buddy_node *next;
  for (buddy_node *node = buddy_graph_first(in->graph); node; node = next) {
    next = buddy_node_next(node);
    BD_TRY(rewrite_node(in, node));
  }
  if (in->problem) return in->problem;
  BD_TRY(rewrite_outputs(in));
  BD_TRY(bd_mutations_add(in));
  if (in->problem) return in->problem;
  while (in->n_written > 0) BD_TRY(bd_build_erase(in->written[--in->n_written], in->diags));
  return BUDDY_OK;
}

static buddy_code functionalize_one(buddy_graph *graph, const bd_layouts *layouts,
                                    buddy_diags *diags) {
  bd_tracking in = {.graph = graph, .layouts = layouts, .diags = diags};
  bd_arena_init(&in.arena);
  const buddy_code code = rewrite_graph(&in);
  HASH_CLEAR(hh, in.by_value);
  bd_free(in.written);
  bd_arena_deinit(&in.arena);
  return code;
}

/* ---- Whole programs ---- */

buddy_code bd_functionalize(buddy_graph *graph, bd_layouts *layouts, buddy_diags *diags) {
  bd_pending_graphs list = {0};
  buddy_code code = bd_graphs_add(&list, graph), problem = BUDDY_OK;
  while (list.n > 0 && !code) {
    buddy_graph *next = list.items[--list.n];
    bool has_writes;
    code = bd_functionalize_prepare(next, layouts, diags, &list, &has_writes);
    if (!code && has_writes) code = functionalize_one(next, layouts, diags);
    if (code == BUDDY_UNSUPPORTED) { /* told; the other graphs are looked at all the same */
      problem = code;
      code = BUDDY_OK;
    }
  }
  bd_free(list.items);
  return code ? code : problem;
}
