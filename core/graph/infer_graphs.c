// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/infer_graphs.c: the contract of ops that call graphs: cond, while_loop, map and scan. What a graph
 * takes is of the types that it is given, slice by slice where the op takes tensors apart, and what it gives is of
 * the types that the op returns or hands on. */
#include <string.h>

#include "core/base/try.h"
#include "core/graph/guards.h"
#include "core/graph/infer_graphs.h"
#include "core/graph/shapes.h"
#include "core/graph/types.h"

/* Tensors side by side, in parts: a list of them, results of the op, what a graph takes or gives. Of slices the
 * types are those of the whole: with a leading dim more. */
typedef struct part {
  const buddy_arg *list;     /* null: */
  const buddy_node *node;    /* its results; null: */
  const buddy_graph *inputs; /* null: */
  const buddy_graph *outputs;
  size_t from, n;
  bool are_slices;
} part;

typedef struct row {
  part parts[4];
  size_t n_parts, n;
  bool is_known; /* false: a list in it is not of tensors */
} row;

static void push(row *to, part of) {
  to->parts[to->n_parts++] = of;
  to->n += of.n;
}

static void push_list(row *to, const bd_question *q, uint32_t i, bool are_slices) {
  const buddy_arg *arg = i < q->node->n_args ? q->node->args[i] : NULL;
  if (!arg || arg->n == 0) return;
  if (arg->kind != BUDDY_ARG_TENSORS) to->is_known = false;
  push(to, (part){.list = arg, .n = arg->n, .are_slices = are_slices});
}

static void push_results(row *to, const bd_question *q, size_t from, size_t end, bool are_slices) {
  push(to, (part){.node = q->node, .from = from, .n = end - from, .are_slices = are_slices});
}

static row inputs_of(const buddy_graph *graph) {
  row all = {.is_known = true};
  push(&all, (part){.inputs = graph, .n = buddy_graph_n_inputs(graph)});
  return all;
}

static row outputs_of(const buddy_graph *graph) {
  row all = {.is_known = true};
  push(&all, (part){.outputs = graph, .n = buddy_graph_n_outputs(graph)});
  return all;
}

/* Null: it is no tensor, which is for the op's row to look at. */
static const buddy_tensor_type *type_in(const part *of, size_t i) {
  if (of->node) {
    const buddy_tensor_type *type = &of->node->results[of->from + i].type;
    return type->dtype ? type : NULL;
  }
  if (of->list) return of->list->as.tensors[i] ? &of->list->as.tensors[i]->type : NULL;
  if (of->inputs) return buddy_value_type(buddy_graph_input(of->inputs, i));
  const buddy_arg *arg = buddy_graph_output(of->outputs, i);
  return arg->kind == BUDDY_ARG_TENSOR ? buddy_value_type(arg->as.tensor) : NULL;
}

static const buddy_tensor_type *type_at(const row *all, size_t i, bool *out_is_slice) {
  size_t k = 0;
  while (i >= all->parts[k].n) i -= all->parts[k++].n;
  *out_is_slice = all->parts[k].are_slices;
  return type_in(&all->parts[k], i);
}

static buddy_code differ(bd_question *q, const buddy_graph *graph, const char *what, size_t i,
                         const buddy_tensor_type *inner, const buddy_tensor_type *outer,
                         bool is_slice) {
  bd_text_format(q->why, "%s %zu of graph @%s is ", what, i, graph->name);
  bd_type_print(q->dims, inner, q->why);
  bd_text_format(q->why, ", the op has %s", is_slice ? "a slice of " : "");
  bd_type_print(q->dims, outer, q->why);
  return BUDDY_INVALID_ARGUMENT;
}

/* Sizes of a branch may be any that the results' names stand for: a run compares them. */
static buddy_code compare(bd_question *q, const buddy_graph *graph, const char *what,
                          const row *inner, const row *outer, bool is_branch) {
  if (!inner->is_known || !outer->is_known) return BUDDY_OK;
  if (inner->n != outer->n)
    return bd_contradiction(q, "graph @%s has %zu %ss, the op %zu", graph->name, inner->n, what,
                            outer->n);
  for (size_t i = 0; i < inner->n; ++i) {
    bool is_slice, is_whole;
    const buddy_tensor_type *a = type_at(inner, i, &is_whole), *b = type_at(outer, i, &is_slice);
    const uint32_t skipped = is_slice;
    if (!a || !b) continue;
    bool fits = a->dtype == b->dtype && a->rank + skipped == b->rank;
    for (uint32_t d = 0; fits && d < a->rank; ++d) {
      const int64_t x = a->dims[d], y = b->dims[d + skipped];
      const bool is_open = is_branch && (BUDDY_IS_SYMBOLIC(x) || BUDDY_IS_SYMBOLIC(y));
      fits = is_open || bd_dims_may_equal(q, x, y);
    }
    if (!fits) return differ(q, graph, what, i, a, b, is_slice);
  }
  return BUDDY_OK;
}

/* All that is taken apart, or put together, has as many slices. */
static buddy_code check_leading(bd_question *q, const row *sliced) {
  bool is_slice;
  const buddy_tensor_type *first = sliced->n ? type_at(sliced, 0, &is_slice) : NULL;
  for (size_t i = 0; first && i < sliced->n; ++i) {
    const buddy_tensor_type *type = type_at(sliced, i, &is_slice);
    if (!type) continue;
    if (type->rank == 0) return bd_contradiction(q, "a 0-d tensor has no slices");
    if (!bd_dims_may_equal(q, first->dims[0], type->dims[0]))
      return bd_contradiction(q, "what is taken apart has not as many slices as the results");
  }
  return BUDDY_OK;
}

static const buddy_graph *graph_at(const bd_question *q, uint32_t i) {
  const buddy_arg *arg = i < q->node->n_args ? q->node->args[i] : NULL;
  return arg && arg->kind == BUDDY_ARG_GRAPH ? arg->as.graph : NULL;
}

static buddy_code check_cond(bd_question *q) {
  row given = {.is_known = true}, results = {.is_known = true};
  push_list(&given, q, 3, false);
  push_results(&results, q, 0, q->node->n_results, false);
  for (uint32_t i = 1; i <= 2; ++i) {
    const buddy_graph *graph = graph_at(q, i);
    if (!graph) continue;
    const row inputs = inputs_of(graph), outputs = outputs_of(graph);
    BD_TRY(compare(q, graph, "input", &inputs, &given, false));
    BD_TRY(compare(q, graph, "output", &outputs, &results, true));
  }
  return BUDDY_OK;
}

static buddy_code check_while(bd_question *q) {
  row given = {.is_known = true}, results = {.is_known = true}, carried = {.is_known = true};
  push_list(&given, q, 2, false);
  push_list(&given, q, 3, false);
  push_list(&carried, q, 2, false);
  push_results(&results, q, 0, q->node->n_results, false);
  for (uint32_t i = 0; i <= 1; ++i) {
    const buddy_graph *graph = graph_at(q, i);
    if (!graph) continue;
    const row inputs = inputs_of(graph), outputs = outputs_of(graph);
    BD_TRY(compare(q, graph, "input", &inputs, &given, false));
    if (i == 0) continue;
    BD_TRY(compare(q, graph, "output", &outputs, &carried, false));
    BD_TRY(compare(q, graph, "output", &outputs, &results, false));
  }
  return BUDDY_OK;
}

/* scan(f, init, xs, additional), and map(f, xs, additional), which carries nothing. */
static buddy_code check_scan(bd_question *q, bool is_map) {
  const uint32_t at = is_map ? 1 : 2;
  const buddy_graph *graph = graph_at(q, 0);
  row given = {.is_known = true}, results = given, sliced = given, carried = given;
  if (!is_map) push_list(&carried, q, 1, false);
  push_list(&sliced, q, at, true);
  if (!graph || !carried.is_known || !sliced.is_known) return BUDDY_OK;
  const size_t n_results = q->node->n_results,
               n_carried = carried.n < n_results ? carried.n : n_results;
  if (!is_map) push_list(&given, q, 1, false);
  push_list(&given, q, at, true);
  push_list(&given, q, at + 1, false);
  push_results(&results, q, 0, n_carried, false);
  push_results(&results, q, n_carried, n_results, true);
  push_results(&sliced, q, n_carried, n_results, true);
  BD_TRY(check_leading(q, &sliced));
  const row inputs = inputs_of(graph), outputs = outputs_of(graph);
  BD_TRY(compare(q, graph, "input", &inputs, &given, false));
  BD_TRY(compare(q, graph, "output", &outputs, &results, false));
  row handed_on = outputs;
  if (handed_on.n > carried.n) handed_on.n = carried.n;
  return compare(q, graph, "output", &handed_on, &carried, false);
}

static buddy_code check_node(bd_question *q) {
  const char *op = q->node->op;
  if (strncmp(op, "higher_order.", 13) != 0) return BUDDY_OK;
  if (!strcmp(op + 13, "cond.default")) return check_cond(q);
  if (!strcmp(op + 13, "while_loop.default")) return check_while(q);
  if (!strcmp(op + 13, "map_impl.default")) return check_scan(q, true);
  return strcmp(op + 13, "scan.default") ? BUDDY_OK : check_scan(q, false);
}

static buddy_code tell(buddy_diags *diags, const buddy_node *node, const char *why) {
  bd_text where;
  bd_text_init(&where);
  bd_text_string(&where, node->name.text);
  if (buddy_node_location(node)) bd_location_print(buddy_node_location(node), &where);
  bd_text_format(&where, ": %s", node->op);
  const buddy_code code =
      buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where.data,
                      "its types contradict each other: make the program anew", "%s", why);
  bd_text_deinit(&where);
  return code;
}

static buddy_code check(buddy_graph *graph, const buddy_node *node, buddy_diags *diags) {
  bd_text why;
  bd_equalities equalities = {0};
  bd_question q = {.node = node,
                   .dims = &graph->world->dims,
                   .why = &why,
                   .is_checked = true,
                   .equalities = &equalities};
  bd_text_init(&why);
  buddy_code code = check_node(&q);
  if (q.is_out_of_memory) code = BUDDY_OUT_OF_MEMORY;
  if (code && code != BUDDY_OUT_OF_MEMORY) code = tell(diags, node, why.data);
  bd_text_deinit(&why);
  for (uint32_t i = 0; !code && i < equalities.n; ++i)
    code =
        bd_graph_require_equal(graph, equalities.sizes[i][0], equalities.sizes[i][1], node, diags);
  return code;
}

buddy_code bd_infer_check_calls(buddy_graph *graph, buddy_diags *diags) {
  const bd_world *world = graph->world;
  for (size_t g = 0; world->n_graphs > 1 && g < world->n_graphs; ++g) {
    for (const buddy_node *node = world->graphs[g]->first; node; node = node->next)
      BD_TRY(check(world->graphs[g], node, diags));
  }
  return BUDDY_OK;
}
