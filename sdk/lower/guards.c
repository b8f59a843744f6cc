// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/guards.c: what must hold of the sizes (core/graph/guards.h), as checks.
 *
 * Guards that the sizes of the user's inputs tell go into the signature: they are checked before the
 * program runs. The others are asserted where their graph begins, or after the node that makes the last
 * of their symbols known: in a subgraph, too, if it becomes known there. */
#include "core/graph/guards.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/lower/lowering.h"

#define MAX_DEPTH 128 /* of expressions, as buddy_graph_dim makes them */

typedef bool tells(const bd_function *function, int64_t symbol);

/* Whether each symbol of the dim is told. */
static bool all_told(const bd_function *function, int64_t dim, tells *is_told, int depth) {
  const buddy_graph *graph = function->graph;
  if (!BUDDY_IS_SYMBOLIC(dim)) return true;
  if (buddy_graph_dim_kind(graph, dim) == BUDDY_DIM_KIND_SYMBOL) return is_told(function, dim);
  const size_t n = buddy_graph_dim_n_operands(graph, dim);
  for (size_t i = 0; i < n; ++i) {
    const int64_t operand = buddy_graph_dim_operand(graph, dim, i);
    if (depth == MAX_DEPTH || !all_told(function, operand, is_told, depth + 1)) return false;
  }
  return true;
}

/* ---- What the inputs tell -------------------------------------------------------------------- */

static bool is_input_symbol(const bd_function *function, int64_t symbol) {
  return bd_dims_input_tells(function->graph, symbol);
}

static buddy_code begin_one(bd_function *function, size_t i, bd_signature *signature) {
  const bd_guard *guard = bd_graph_guard(function->graph, i);
  const bool is_own = guard->graph == function->graph;
  if (!bd_guard_is_of(guard, function->graph)) return BUDDY_OK;
  if (is_own && signature && all_told(function, guard->dim, is_input_symbol, 0))
    return bd_signature_add_guard(signature, function->graph, guard);
  function->is_pending[i] = is_own || !bd_guards_are_known(function, guard->dim);
  function->n_pending += function->is_pending[i] != 0;
  return BUDDY_OK;
}

/* ---- Sizes of values ------------------------------------------------------------------------- */

static bool has_guard(const bd_signature *signature, const char *text) {
  for (size_t i = 0; i < signature->n_guards; ++i) {
    if (strcmp(signature->guards[i].predicate.text, text) == 0) return true;
  }
  return false;
}

static buddy_code guard_size(bd_function *function, const buddy_node *node, int64_t dim,
                             bd_signature *signature) {
  const buddy_graph *graph = function->graph;
  char size[200], text[256], where[512];
  if (!BUDDY_IS_SYMBOLIC(dim) || buddy_graph_dim_kind(graph, dim) == BUDDY_DIM_KIND_SYMBOL ||
      (bd_predicate_is_true(graph, dim) && !bd_dims_is_doubtful(graph, dim)) ||
      !all_told(function, dim, is_input_symbol, 0))
    return BUDDY_OK;
  buddy_graph_dim_text(graph, dim, size, sizeof(size));
  snprintf(text, sizeof(text), "%s >= 0", size);
  if (has_guard(signature, text)) return BUDDY_OK;
  buddy_node_describe(node, where, sizeof(where));
  return bd_signature_add_guard(signature, graph, &(bd_guard){dim, text, where, graph});
}

/* A number that the program computes of sizes is one of 64 bits, where Python's have no end: the guard
 * holds wherever it can be computed. */
static buddy_code guard_number(bd_function *function, const buddy_node *node, int64_t dim,
                               bd_signature *signature) {
  buddy_graph *graph = function->graph;
  char number[200], text[256], where[512];
  int64_t predicate;
  if (!BUDDY_IS_SYMBOLIC(dim) || !bd_dims_is_doubtful(graph, dim) ||
      !all_told(function, dim, is_input_symbol, 0))
    return BUDDY_OK;
  buddy_graph_dim_text(graph, dim, number, sizeof(number));
  snprintf(text, sizeof(text), "%s >= 0", number);
  if (has_guard(signature, text)) return BUDDY_OK; /* it is a size, too */
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_SUB, 0, dim, &predicate));
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MAX, dim, predicate, &predicate));
  snprintf(text, sizeof(text), "|%s| < 2^63", number);
  if (has_guard(signature, text)) return BUDDY_OK;
  buddy_node_describe(node, where, sizeof(where));
  return bd_signature_add_guard(signature, graph, &(bd_guard){predicate, text, where, graph});
}

static buddy_code guard_numbers(bd_function *function, const buddy_node *node,
                                bd_signature *signature) {
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    if (arg->kind == BUDDY_ARG_INT) BD_TRY(guard_number(function, node, arg->as.i, signature));
    for (size_t k = 0; arg->kind == BUDDY_ARG_INTS && k < arg->n; ++k)
      BD_TRY(guard_number(function, node, arg->as.ints[k], signature));
  }
  return BUDDY_OK;
}

/* How many elements a value of several unknown sizes has is a number that memory can hold: loops go
 * over them even where nothing is stored. */
static buddy_code guard_count(bd_function *function, const buddy_node *node,
                              const buddy_tensor_type *type, int64_t *last,
                              bd_signature *signature) {
  buddy_graph *graph = function->graph;
  int64_t count = 1, predicate;
  size_t n_symbolic = 0;
  char elements[200], text[256], where[512];
  for (uint32_t d = 0; d < type->rank; ++d) n_symbolic += BUDDY_IS_SYMBOLIC(type->dims[d]) != 0;
  for (uint32_t d = 0; d < type->rank && n_symbolic > 1; ++d) {
    const buddy_code code = buddy_graph_dim(graph, BUDDY_DIM_MUL, count, type->dims[d], &count);
    if (code != BUDDY_OK) return code == BUDDY_LIMIT ? BUDDY_OK : code;
  }
  if (n_symbolic < 2 || count == *last || !all_told(function, count, is_input_symbol, 0))
    return BUDDY_OK;
  *last = count;
  const buddy_code code = bd_predicate_compare(graph, BD_LE, count, BD_MAX_ELEMENTS, &predicate);
  if (code != BUDDY_OK) return code == BUDDY_LIMIT ? BUDDY_OK : code;
  buddy_graph_dim_text(graph, count, elements, sizeof(elements));
  snprintf(text, sizeof(text), "%s <= 2^48", elements);
  if (bd_predicate_is_true(graph, predicate) || has_guard(signature, text)) return BUDDY_OK;
  buddy_node_describe(node, where, sizeof(where));
  return bd_signature_add_guard(signature, graph, &(bd_guard){predicate, text, where, graph});
}

static buddy_code guard_sizes(bd_function *function, bd_signature *signature) {
  int64_t last = 0;
  const buddy_node *node = buddy_graph_first(function->graph);
  for (; node; node = buddy_node_next(node)) {
    for (size_t i = 0; i < buddy_node_n_results(node); ++i) {
      const buddy_tensor_type *type = buddy_value_type(buddy_node_result(node, i));
      for (uint32_t d = 0; d < type->rank; ++d)
        BD_TRY(guard_size(function, node, type->dims[d], signature));
      BD_TRY(guard_count(function, node, type, &last, signature));
    }
    BD_TRY(guard_numbers(function, node, signature));
  }
  return BUDDY_OK;
}

buddy_code bd_guards_begin(bd_function *function, bd_signature *signature) {
  const size_t n = bd_graph_n_guards(function->graph);
  buddy_code code = BUDDY_OK;
  if (signature && buddy_graph_n_symbols(function->graph) > 0)
    code = guard_sizes(function, signature);
  if (n == 0 || code != BUDDY_OK) return code;
  function->is_pending = bd_calloc(n, 1);
  if (!function->is_pending) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n && code == BUDDY_OK; ++i) code = begin_one(function, i, signature);
  return code == BUDDY_OK ? bd_guards_assert(function) : code;
}

/* ---- What the program computes --------------------------------------------------------------- */

static bool is_known_symbol(const bd_function *function, int64_t dim) {
  const size_t i = buddy_graph_dim_symbol(function->graph, dim);
  if (i < function->n_sources && function->sources[i].value) return true;
  const buddy_symbol *symbol = buddy_graph_symbol(function->graph, i);
  if (symbol && symbol->bound_to) return bd_values_find(function, symbol->bound_to).ptr != NULL;
  return bd_dims_input_tells(function->graph, dim);
}

int bd_guards_are_known(const bd_function *function, int64_t dim) {
  return all_told(function, dim, is_known_symbol, 0);
}

static buddy_code assert_one(bd_function *function, const bd_guard *guard) {
  const MlirContext context = function->lowering->context;
  char text[512];
  const MlirValue is_ok = bd_dims_compare(function, BD_DIMS_SGE, guard->dim, 0);
  snprintf(text, sizeof(text), "the program holds only where %.400s", guard->text);
  const MlirLocation unknown = mlirLocationUnknownGet(context);
  return bd_dims_assert(function, is_ok, text,
                        *guard->where != '\0'
                            ? mlirLocationNameGet(context, bd_ref(guard->where), unknown)
                            : unknown);
}

buddy_code bd_guards_assert(bd_function *function) {
  if (function->n_pending == 0) return BUDDY_OK;
  const size_t n = bd_graph_n_guards(function->graph);
  for (size_t i = 0; i < n; ++i) {
    const bd_guard *guard = bd_graph_guard(function->graph, i);
    if (!function->is_pending[i] || !bd_guards_are_known(function, guard->dim)) continue;
    BD_TRY(assert_one(function, guard));
    function->is_pending[i] = 0;
    --function->n_pending;
  }
  return BUDDY_OK;
}
