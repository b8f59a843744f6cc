// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/functionalize_prepare.c: what has to be said before writes can be followed.
 *
 * Ops of prims become ATen's, ops on lists one op an element; ops that name places of a storage are
 * given its value; ops that write without a word of it
 * in their schemas are replaced by those that say so; lengths that the program computes are
 * computed. */
#include <string.h>

#include "core/graph/guards.h"
#include "sdk/import/build.h"
#include "sdk/import/functionalize.h"
#include "sdk/import/lists.h"
#include "sdk/import/memory.h"
#include "sdk/import/conditions.h"
#include "sdk/import/prims.h"
#include "sdk/import/sizes.h"
#include "sdk/import/views.h"

/* ---- Writes ---- */

bool bd_node_writes(const buddy_node *node) {
  const buddy_opdef *def = buddy_node_opdef(node);
  if (!def) return false;
  for (size_t i = 0; i < buddy_opdef_n_args(def); ++i) {
    if (buddy_opdef_arg(def, i)->is_mutated) return true;
  }
  return false;
}

/* ---- Normalization while training ---- */

static bool is_true(const buddy_node *node, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(node, name);
  return arg && arg->kind == BUDDY_ARG_BOOL && arg->as.i;
}

static bool has_running_mean(const buddy_node *node) {
  return buddy_node_arg_find(node, "running_mean")->kind == BUDDY_ARG_TENSOR;
}

static buddy_tensor_type of_dtype(const buddy_tensor_type *type, buddy_dtype dtype) {
  buddy_tensor_type out = *type;
  out.dtype = dtype;
  return out;
}

/* batch_norm and native_batch_norm write their running statistics while training, which their
 * schemas do not say. That of _native_batch_norm_legit does; it also gives the statistics of the
 * batch, as native_batch_norm does. */
static buddy_code say_batch_norm(buddy_node *node, bd_layouts *layouts, buddy_diags *diags) {
  static const char *const names[] = {"input",       "weight",   "bias",     "running_mean",
                                      "running_var", "training", "momentum", "eps"};
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_value *result = buddy_node_result(node, 0);
  const buddy_tensor_type *mean =
      buddy_value_type(buddy_node_arg_find(node, "running_mean")->as.tensor);
  const buddy_tensor_type statistic = of_dtype(mean, buddy_value_type(result)->dtype);
  buddy_tensor_type types[] = {*buddy_value_type(result), statistic, statistic};
  buddy_named_arg args[8];
  buddy_node *made;
  for (size_t i = 1; i < buddy_node_n_results(node); ++i)
    types[i] = *buddy_value_type(buddy_node_result(node, i));
  for (size_t i = 0; i < 8; ++i)
    args[i] = (buddy_named_arg){names[i], *buddy_node_arg_find(node, names[i])};
  BD_TRY(bd_build_node(&at, "aten._native_batch_norm_legit.default", args, 8, types, 3, &made));
  for (size_t i = 0; i < buddy_node_n_results(node); ++i)
    BD_TRY(bd_layouts_replace(layouts, at.graph, buddy_node_result(node, i),
                              buddy_node_result(made, i)));
  return bd_build_erase(node, diags);
}

/* A vector argument, once for each of n batches; None stays None. */
static buddy_code repeated(const bd_build *at, const buddy_arg *arg, int64_t n, int64_t n_channels,
                           buddy_arg *out_arg) {
  const buddy_arg repeats = bd_ints_arg(&n, 1);
  *out_arg = *arg;
  if (arg->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  const buddy_named_arg args[] = {{"self", *arg}, {"repeats", repeats}};
  const buddy_tensor_type type = {
      .dtype = buddy_value_type(arg->as.tensor)->dtype, .rank = 1, .dims = &n_channels};
  return bd_build_value(at, "aten.repeat.default", args, 2, &type, &out_arg->as.tensor);
}

/* Writes the mean over the batches of what each of them made of a running statistic. */
static buddy_code write_mean(const bd_build *at, const buddy_arg *running,
                             const buddy_value *of_batches, int64_t n) {
  const buddy_tensor_type *type = buddy_value_type(running->as.tensor);
  const int64_t dims[2] = {n, type->dims[0]}, batches = 0;
  const buddy_tensor_type rows = {.dtype = type->dtype, .rank = 2, .dims = dims};
  buddy_arg self = {.kind = BUDDY_ARG_TENSOR}, mean = self;
  buddy_node *copy;
  BD_TRY(bd_build_view(at, of_batches, &rows, &self.as.tensor));
  const buddy_arg axes = bd_ints_arg(&batches, 1);
  const buddy_named_arg args[] = {{"self", self}, {"dim", axes}};
  BD_TRY(bd_build_value(at, "aten.mean.dim", args, 2, type, &mean.as.tensor));
  const buddy_named_arg copied[] = {{"self", *running}, {"src", mean}};
  return bd_build_node(at, "aten.copy_.default", copied, 2, type, 1, &copy);
}

/* instance_norm is batch_norm of one batch whose channels are those of all batches; while training
 * each batch moves the running statistics in its own way, and the mean of these is kept. */
static buddy_code say_instance_norm(buddy_node *node, buddy_diags *diags) {
  static const char *const vectors[] = {"weight", "bias", "running_mean", "running_var"};
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_value *input = buddy_node_arg_find(node, "input")->as.tensor, *result;
  const buddy_tensor_type *type = buddy_value_type(input);
  int64_t dims[BD_VIEW_MAX_RANK];
  if (type->rank < 2 || type->rank > BD_VIEW_MAX_RANK) return BUDDY_OK;
  memcpy(dims, type->dims, type->rank * sizeof *dims);
  const int64_t n = dims[0];
  dims[0] = 1;
  BD_TRY(buddy_graph_dim(at.graph, BUDDY_DIM_MUL, n, type->dims[1], &dims[1]));
  const buddy_tensor_type joined = {.dtype = type->dtype, .rank = type->rank, .dims = dims};
  buddy_arg whole = {.kind = BUDDY_ARG_TENSOR}, given[4];
  BD_TRY(bd_build_view(&at, input, &joined, &whole.as.tensor));
  for (size_t i = 0; i < 4; ++i)
    BD_TRY(repeated(&at, buddy_node_arg_find(node, vectors[i]), n, dims[1], &given[i]));
  const buddy_tensor_type *mean = buddy_value_type(given[2].as.tensor);
  const buddy_tensor_type statistic = of_dtype(mean, type->dtype),
                          types[] = {joined, statistic, statistic};
  const buddy_named_arg args[] = {{"input", whole},
                                  {"weight", given[0]},
                                  {"bias", given[1]},
                                  {"running_mean", given[2]},
                                  {"running_var", given[3]},
                                  {"training", *buddy_node_arg_find(node, "use_input_stats")},
                                  {"momentum", *buddy_node_arg_find(node, "momentum")},
                                  {"eps", *buddy_node_arg_find(node, "eps")}};
  buddy_node *made;
  BD_TRY(bd_build_node(&at, "aten._native_batch_norm_legit.default", args, 8, types, 3, &made));
  for (size_t i = 2; i < 4; ++i)
    BD_TRY(write_mean(&at, buddy_node_arg_find(node, vectors[i]), given[i].as.tensor, n));
  BD_TRY(bd_build_view(&at, buddy_node_result(made, 0), type, &result));
  BD_TRY(buddy_graph_replace_value(buddy_node_graph(node), buddy_node_result(node, 0), result));
  return bd_build_erase(node, diags);
}

/* ---- Types that PyTorch gets wrong ---- */

/* The outputs of the program that are one value become another, which may be of another rank. */
static buddy_code replace_outputs(const buddy_value *value, const buddy_value *with,
                                  buddy_diags *diags) {
  buddy_graph *graph = buddy_value_graph(value);
  const buddy_arg arg = bd_tensor_arg(with);
  for (const buddy_use *use; (use = buddy_value_first_use(value));)
    BD_TRY(buddy_graph_set_output(graph, buddy_use_arg(use), &arg, diags));
  return BUDDY_OK;
}

static bool is_used_by_node(const buddy_value *value) {
  for (const buddy_use *use = buddy_value_first_use(value); use; use = buddy_use_next(use)) {
    if (buddy_use_node(use)) return true;
  }
  return false;
}

/* unique_consecutive along a dim counted from the end: PyTorch's type for it has that dim and all
 * after the first again. What it made of such a type further on cannot be mended. */
static buddy_code mend_unique_consecutive(buddy_node *node, buddy_diags *diags) {
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_arg *self = buddy_node_arg_find(node, "self"),
                  *dim = buddy_node_arg_find(node, "dim");
  if (self->kind != BUDDY_ARG_TENSOR || dim->kind != BUDDY_ARG_INT || dim->as.i >= 0)
    return BUDDY_OK;
  const buddy_tensor_type *from = buddy_value_type(self->as.tensor),
                          *to = buddy_value_type(buddy_node_result(node, 0));
  const int64_t axis = dim->as.i + (int64_t)from->rank;
  int64_t dims[BD_VIEW_MAX_RANK];
  if (axis < 0 || from->rank > BD_VIEW_MAX_RANK || to->rank <= axis ||
      buddy_node_n_results(node) != 3 || is_used_by_node(buddy_node_result(node, 0)))
    return BUDDY_OK;
  memcpy(dims, from->dims, from->rank * sizeof *dims);
  dims[axis] = to->dims[axis];
  const buddy_tensor_type types[] = {{.dtype = from->dtype, .rank = from->rank, .dims = dims},
                                     {.dtype = BUDDY_I64, .rank = 1, .dims = &from->dims[axis]},
                                     {.dtype = BUDDY_I64, .rank = 1, .dims = &dims[axis]}};
  buddy_named_arg args[4] = {{"self", *self}, {"dim", bd_int_arg(axis)}};
  args[2] = (buddy_named_arg){"return_inverse", *buddy_node_arg_find(node, "return_inverse")};
  args[3] = (buddy_named_arg){"return_counts", *buddy_node_arg_find(node, "return_counts")};
  buddy_node *made;
  BD_TRY(bd_build_node(&at, "aten.unique_consecutive.default", args, 4, types, 3, &made));
  BD_TRY(replace_outputs(buddy_node_result(node, 0), buddy_node_result(made, 0), diags));
  for (size_t i = 1; i < 3; ++i)
    BD_TRY(buddy_graph_replace_value(buddy_node_graph(node), buddy_node_result(node, i),
                                     buddy_node_result(made, i)));
  return bd_build_erase(node, diags);
}

/* ---- Diagonals ---- */

static buddy_code fill(const bd_build *at, const buddy_value *part, const buddy_node *node) {
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(part)},
                                  {"value", *buddy_node_arg_find(node, "fill_value")}};
  buddy_node *made;
  return bd_build_node(at, "aten.fill_.Scalar", args, 2, buddy_value_type(part), 1, &made);
}

/* The elements 0, step, 2 step, … of all. */
static buddy_code every(const bd_build *at, const buddy_value *self, int64_t n, int64_t step,
                        const buddy_value **out_part) {
  const buddy_tensor_type flat = {.dtype = buddy_value_type(self)->dtype, .rank = 1, .dims = &n};
  const buddy_value *all;
  int64_t count;
  BD_TRY(bd_build_view(at, self, &flat, &all));
  BD_TRY(buddy_graph_dim(at->graph, BUDDY_DIM_ADD, n, step - 1, &count));
  BD_TRY(buddy_graph_dim(at->graph, BUDDY_DIM_FLOORDIV, count, step, &count));
  const buddy_tensor_type part = {.dtype = flat.dtype, .rank = 1, .dims = &count};
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(all)},
                                  {"start", {.kind = BUDDY_ARG_INT}},
                                  {"end", bd_int_arg(n)},
                                  {"step", bd_int_arg(step)}};
  return bd_build_value(at, "aten.slice.Tensor", args, 4, &part, out_part);
}

/* fill_diagonal_ writes into a diagonal: of a matrix, or every so many elements where it goes on
 * below the square, or where there are more dims, which are equal then. */
static buddy_code say_fill_diagonal(buddy_node *node, buddy_diags *diags) {
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_value *self = buddy_node_arg_find(node, "self")->as.tensor, *part;
  const buddy_tensor_type *type = buddy_value_type(self);
  if (type->rank < 2) return BUDDY_OK;
  if (type->rank == 2 && !is_true(node, "wrap")) {
    int64_t n;
    BD_TRY(buddy_graph_dim(at.graph, BUDDY_DIM_MIN, type->dims[0], type->dims[1], &n));
    const buddy_tensor_type diagonal = {.dtype = type->dtype, .rank = 1, .dims = &n};
    const buddy_named_arg args[] = {{"self", bd_tensor_arg(self)}};
    BD_TRY(bd_build_value(&at, "aten.diagonal.default", args, 1, &diagonal, &part));
  } else {
    int64_t n = 1, step = 0;
    for (uint32_t i = type->rank; i-- > 0;) {
      if (BUDDY_IS_SYMBOLIC(n)) return BUDDY_OK; /* a step that is no number */
      step += n;
      BD_TRY(buddy_graph_dim(at.graph, BUDDY_DIM_MUL, n, type->dims[i], &n));
    }
    if (n == 0 || step == 0) return BUDDY_OK;
    BD_TRY(every(&at, self, n, step, &part));
  }
  BD_TRY(fill(&at, part, node));
  BD_TRY(buddy_graph_replace_value(buddy_node_graph(node), buddy_node_result(node, 0), self));
  return bd_build_erase(node, diags);
}

/* Ops that write without a word of it in their schemas. The node may be gone after. */
static buddy_code say_silent_writes(buddy_node *node, bd_layouts *layouts, buddy_diags *diags) {
  const char *op = buddy_node_op(node);
  if (!strcmp(op, "aten.fill_diagonal_.default")) return say_fill_diagonal(node, diags);
  if (!strcmp(op, "aten.unique_consecutive.default")) return mend_unique_consecutive(node, diags);
  const bool is_batch_norm =
      !strcmp(op, "aten.batch_norm.default") || !strcmp(op, "aten.native_batch_norm.default");
  if (is_batch_norm && is_true(node, "training") && has_running_mean(node)) {
    return say_batch_norm(node, layouts, diags);
  }
  if (!strcmp(op, "aten.instance_norm.default") && is_true(node, "use_input_stats") &&
      has_running_mean(node)) {
    return say_instance_norm(node, diags);
  }
  return BUDDY_OK;
}

/* _linalg_det and _linalg_slogdet factorize the transpose of a real matrix that is contiguous, which
 * saves a copy, and the matrix itself where it is not; what is made of the factors, as gradients are,
 * goes by that. For a registry it is always the transpose. */
static buddy_code turn_determinant(buddy_node *node, const bd_layouts *layouts,
                                   buddy_diags *diags) {
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const char *op = buddy_node_op(node);
  if (strcmp(op, "aten._linalg_det.default") != 0 &&
      strcmp(op, "aten._linalg_slogdet.default") != 0)
    return BUDDY_OK;
  buddy_arg a = *buddy_node_arg(node, 0);
  buddy_tensor_type type = *buddy_value_type(a.as.tensor);
  if (type.rank < 2 || BUDDY_DTYPE_BIT(type.dtype) & BUDDY_COMPLEXES ||
      !bd_layouts_find(layouts, a.as.tensor))
    return BUDDY_OK;
  const int64_t row = type.rank - 2, column = type.rank - 1;
  const buddy_named_arg args[] = {
      {"self", a}, {"dim0", bd_int_arg(row)}, {"dim1", bd_int_arg(column)}};
  BD_TRY(bd_build_value(&at, "aten.transpose.int", args, 3, &type, &a.as.tensor));
  return buddy_node_set_arg(node, 0, &a, diags);
}

/* ---- Branches that no run enters ---- */

/* Whether what the branch asks of sizes holds for none that the program takes. */
static bool is_never_entered(const buddy_graph *graph) {
  const size_t n = bd_graph_n_guards(graph);
  for (size_t i = 0; buddy_graph_parent(graph) && i < n; ++i) {
    const bd_guard *guard = bd_graph_guard(graph, i);
    if (guard->graph == graph && bd_predicate_is_false(graph, guard->dim)) return true;
  }
  return false;
}

/* Nothing is computed there: zeros stand for its results, and the guard refuses the run that comes. */
static buddy_code empty_branch(buddy_graph *graph, buddy_diags *diags) {
  const bd_build at = {.graph = graph, .before = buddy_graph_first(graph), .diags = diags};
  for (size_t i = 0; i < buddy_graph_n_outputs(graph); ++i) {
    buddy_arg out = *buddy_graph_output(graph, i);
    if (out.kind != BUDDY_ARG_TENSOR || !buddy_value_node(out.as.tensor)) continue;
    const buddy_tensor_type *type = buddy_value_type(out.as.tensor);
    const buddy_named_arg args[] = {{"size", bd_size_arg(type)},
                                    {"fill_value", {.kind = BUDDY_ARG_INT}},
                                    {"dtype", bd_dtype_arg(type->dtype)}};
    BD_TRY(bd_build_value(&at, "aten.full.default", args, 3, type, &out.as.tensor));
    BD_TRY(buddy_graph_set_output(graph, i, &out, diags));
  }
  buddy_node *before;
  for (buddy_node *node = buddy_graph_last(graph); node; node = before) {
    before = buddy_node_prev(node);
    bool is_used = false;
    for (size_t i = 0; i < buddy_node_n_results(node); ++i)
      is_used |= buddy_value_n_uses(buddy_node_result(node, i)) > 0;
    if (!is_used) BD_TRY(bd_build_erase(node, diags));
  }
  return BUDDY_OK;
}

/* ---- Whole graphs ---- */

/* Looks at the nodes of a graph: subgraphs go to the list. */
buddy_code bd_functionalize_prepare(buddy_graph *graph, bd_layouts *layouts, buddy_diags *diags,
                                    bd_pending_graphs *list, bool *out_writes) {
  *out_writes = false;
  if (is_never_entered(graph)) BD_TRY(empty_branch(graph, diags));
  bool are_views_moved = false;
  buddy_node *next;
  for (buddy_node *node = buddy_graph_first(graph); node; node = next) {
    next = buddy_node_next(node);
    bool is_gone;
    BD_TRY(bd_prims_rewrite(node, layouts, diags, &is_gone));
    if (!is_gone) BD_TRY(bd_lists_rewrite(node, layouts, diags, &is_gone));
    if (is_gone) continue;
    are_views_moved |= bd_view_is_in_place(node) || !strncmp(buddy_node_op(node), "aten.set_.", 10);
    BD_TRY(bd_sizes_bind(node, diags));
    BD_TRY(bd_conditions_require(node, true));
    BD_TRY(turn_determinant(node, layouts, diags));
    BD_TRY(say_silent_writes(node, layouts, diags));
  }
  for (buddy_node *node = buddy_graph_first(graph); node; node = next) {
    next = buddy_node_next(node);
    *out_writes = *out_writes || bd_node_writes(node);
    for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
      const buddy_arg *arg = buddy_node_arg(node, i);
      if (arg->kind == BUDDY_ARG_GRAPH) BD_TRY(bd_graphs_add(list, arg->as.graph));
    }
    BD_TRY(bd_memory_rebase(node, layouts, are_views_moved, diags));
  }
  return BUDDY_OK;
}
