// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/dims.c: dims of the graph as values of type index.
 *
 * Each dim is computed once per function, where it is first needed. A shape symbol is read, in this
 * order of preference, from
 *   1. a dim of an argument or of an emitted value that is the symbol itself,
 *   2. the 0-d integer tensor that the graph binds it to,
 *   3. a dim of an argument that is linear in it: from 2*s0+1 comes s0 = (dim-1)/2. */
#include "sdk/lower/lowering.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/base/hash.h"
#include "core/base/numbers.h"
#include "core/base/try.h"
#include "core/graph/effects.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#define MAX_DEPTH 64  /* of nested operations in a dim */
#define MAX_REACH 128 /* of expressions, as buddy_graph_dim makes them */

struct bd_dim_entry {
  int64_t dim;
  MlirValue value;
  bd_dim_entry *next; /* made by the same call */
  UT_hash_handle hh;
};

static const MlirValue no_value = {NULL};

static MlirValue compute(bd_function *function, int64_t dim, int depth);

static MlirValue fail(bd_function *function, buddy_code code, int64_t dim, const char *why) {
  char text[128];
  buddy_graph_dim_text(function->graph, dim, text, sizeof(text));
  if (function->transaction.call)
    bd_call_fail(function->transaction.call, code, "dim %s %s", text, why);
  return no_value;
}

/* ---- The table ------------------------------------------------------------------------------- */

static MlirValue find(const bd_function *function, int64_t dim) {
  const bd_dim_entry *entry = NULL;
  HASH_FIND(hh, function->dims, &dim, sizeof(dim), entry);
  return entry ? entry->value : no_value;
}

static buddy_code keep(bd_function *function, int64_t dim, MlirValue value) {
  bool hash_is_full = false;
  bd_dim_entry *entry = bd_calloc(1, sizeof(bd_dim_entry));
  if (!entry) return BUDDY_OUT_OF_MEMORY;
  entry->dim = dim;
  entry->value = value;
  HASH_ADD(hh, function->dims, dim, sizeof(entry->dim), entry);
  if (hash_is_full) {
    bd_free(entry);
    return BUDDY_OUT_OF_MEMORY;
  }
  if (function->transaction.call) {
    entry->next = function->transaction.dims;
    function->transaction.dims = entry;
  }
  return BUDDY_OK;
}

void bd_dims_commit(bd_function *function) { function->transaction.dims = NULL; }

void bd_dims_undo(bd_function *function) {
  bd_dim_entry *entry = function->transaction.dims;
  while (entry) {
    bd_dim_entry *next = entry->next;
    HASH_DEL(function->dims, entry);
    bd_free(entry);
    entry = next;
  }
  function->transaction.dims = NULL;
}

void bd_dims_clear(bd_function *function) {
  bd_dim_entry *entry, *next;
  HASH_ITER(hh, function->dims, entry, next) {
    HASH_DEL(function->dims, entry);
    bd_free(entry);
  }
  function->transaction.dims = NULL;
}

/* ---- Building -------------------------------------------------------------------------------- */

static MlirType index_type(const bd_function *function) {
  return mlirIndexTypeGet(function->lowering->context);
}

static MlirValue op(bd_function *function, const char *name, MlirValue a, MlirValue b) {
  const MlirValue operands[2] = {a, b};
  if (!a.ptr || !b.ptr) return no_value;
  return bd_function_op(function, name, index_type(function), operands, 2, NULL, 0);
}

static MlirValue number(bd_function *function, int64_t dim) {
  const MlirContext context = function->lowering->context;
  const MlirNamedAttribute value =
      bd_named(context, "value", mlirIntegerAttrGet(index_type(function), dim));
  return bd_function_op(function, "arith.constant", index_type(function), NULL, 0, &value, 1);
}

static MlirValue size_of(bd_function *function, const buddy_value *value, uint32_t dim) {
  return op(function, "tensor.dim", bd_values_find(function, value), bd_dims_get(function, dim));
}

/* ---- Symbols --------------------------------------------------------------------------------- */

/* What others tell is not learned from what the data tell: it has to agree. */
static bool is_told_elsewhere(const buddy_graph *graph, int64_t dim) {
  return buddy_graph_symbol(graph, buddy_graph_dim_symbol(graph, dim))->bound_to ||
         bd_dims_input_tells(graph, dim);
}

/* Whether the data may come to other sizes than the program says: what a subgraph gives may be as long
 * as its data say. */
static bool is_told_by_data(const buddy_node *node) {
  bool has_subgraph = false;
  for (size_t i = 0; i < buddy_node_n_args(node); ++i)
    has_subgraph |= buddy_node_arg(node, i)->kind == BUDDY_ARG_GRAPH;
  return has_subgraph || bd_node_counts_data(node);
}

buddy_code bd_dims_learn(bd_function *function, const buddy_value *value) {
  const buddy_tensor_type *type = buddy_value_type(value);
  const buddy_node *node = buddy_value_node(value);
  const bool counts_data = node && is_told_by_data(node);
  for (uint32_t d = 0; type && d < type->rank; ++d) {
    if (!BUDDY_IS_SYMBOLIC(type->dims[d])) continue;
    if (buddy_graph_dim_kind(function->graph, type->dims[d]) != BUDDY_DIM_KIND_SYMBOL) continue;
    if (counts_data && is_told_elsewhere(function->graph, type->dims[d])) continue;
    const size_t symbol = buddy_graph_dim_symbol(function->graph, type->dims[d]);
    if (symbol >= function->n_sources) {
      bd_symbol_source *sources =
          bd_realloc(function->sources, (symbol + 1) * 2 * sizeof(bd_symbol_source));
      if (!sources) return BUDDY_OUT_OF_MEMORY;
      for (size_t i = function->n_sources; i < (symbol + 1) * 2; ++i)
        sources[i] = (bd_symbol_source){NULL, 0};
      function->sources = sources;
      function->n_sources = (symbol + 1) * 2;
    }
    if (!function->sources[symbol].value) function->sources[symbol] = (bd_symbol_source){value, d};
  }
  return BUDDY_OK;
}

/* The integer that a 0-d tensor holds, as index. */
static MlirValue integer_of(bd_function *function, const buddy_value *value) {
  const MlirValue tensor = bd_values_find(function, value);
  if (!tensor.ptr) return no_value;
  const MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(tensor));
  if (!mlirTypeIsAInteger(element) || buddy_value_type(value)->rank != 0) return no_value;
  const MlirValue integer =
      bd_function_op(function, "tensor.extract", element, &tensor, 1, NULL, 0);
  if (!integer.ptr) return no_value;
  return bd_function_op(function, "arith.index_cast", index_type(function), &integer, 1, NULL, 0);
}

static MlirValue compare(bd_function *function, int64_t predicate, MlirValue a, MlirValue b) {
  const MlirContext context = function->lowering->context;
  const MlirNamedAttribute attribute = bd_named(
      context, "predicate", mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), predicate));
  const MlirValue operands[2] = {a, b};
  if (!a.ptr || !b.ptr) return no_value;
  return bd_function_op(function, "arith.cmpi", mlirIntegerTypeGet(context, 1), operands, 2,
                        &attribute, 1);
}

MlirValue bd_dims_compare(bd_function *function, int64_t predicate, int64_t dim, int64_t number_) {
  return compare(function, predicate, bd_dims_get(function, dim), bd_dims_get(function, number_));
}

MlirValue bd_dims_compare_size(bd_function *function, MlirValue value, uint32_t dim,
                               int64_t number_) {
  enum { EQ = 0 };
  const MlirValue size = op(function, "tensor.dim", value, bd_dims_get(function, dim));
  return compare(function, EQ, size, bd_dims_get(function, number_));
}

buddy_code bd_dims_assert(bd_function *function, MlirValue is_ok, const char *text,
                          MlirLocation location) {
  const MlirContext context = function->lowering->context;
  const MlirNamedAttribute message =
      bd_named(context, "msg", mlirStringAttrGet(context, mlirStringRefCreateFromCString(text)));
  MlirOperationState state = mlirOperationStateGet(bd_ref("cf.assert"), location);
  if (!is_ok.ptr) return function->is_out_of_memory ? BUDDY_OUT_OF_MEMORY : BUDDY_INTERNAL;
  mlirOperationStateAddOperands(&state, 1, &is_ok);
  mlirOperationStateAddAttributes(&state, 1, &message);
  return bd_function_append(function, &state).ptr ? BUDDY_OK : BUDDY_INTERNAL;
}

/* What the program computes has to be in the range that it was exported for; it is `least` or more
 * anyway. `what` it is, is for the message. */
static buddy_code assert_range(bd_function *function, const buddy_symbol *symbol, const char *what,
                               int64_t least, MlirValue value, MlirLocation location) {
  const MlirContext context = function->lowering->context;
  const bool has_begin = symbol->min > least, has_end = symbol->max != INT64_MAX;
  const int64_t min = has_begin ? symbol->min : least;
  char text[160];
  if (!has_begin && !has_end) return BUDDY_OK;
  MlirValue is_ok = compare(function, BD_DIMS_SGE, value, bd_dims_get(function, min));
  if (has_end) {
    const MlirValue below =
        compare(function, BD_DIMS_SLE, value, bd_dims_get(function, symbol->max));
    const MlirValue both[2] = {is_ok, below};
    if (is_ok.ptr && below.ptr)
      is_ok =
          bd_function_op(function, "arith.andi", mlirIntegerTypeGet(context, 1), both, 2, NULL, 0);
    else
      is_ok = no_value;
    snprintf(text, sizeof(text),
             "the %s %.64s that the program computes is not in %" PRId64 " … %" PRId64, what,
             symbol->name, min, symbol->max);
  } else {
    snprintf(text, sizeof(text), "the %s %.64s that the program computes is below %" PRId64, what,
             symbol->name, min);
  }
  return bd_dims_assert(function, is_ok, text, location);
}

static MlirValue in_range(bd_function *function, const buddy_symbol *symbol, MlirValue value) {
  if (!value.ptr) return value;
  const buddy_code code =
      assert_range(function, symbol, "number", INT64_MIN, value, bd_function_location(function));
  return code == BUDDY_OK ? value : no_value;
}

/* True if the dim is factor * symbol with a number as factor. */
static bool is_multiple(const buddy_graph *graph, int64_t dim, int64_t symbol,
                        int64_t *out_factor) {
  *out_factor = 1;
  if (dim == symbol) return true;
  if (buddy_graph_dim_kind(graph, dim) != BUDDY_DIM_KIND_PRODUCT) return false;
  if (buddy_graph_dim_n_operands(graph, dim) != 2) return false;
  const int64_t a = buddy_graph_dim_operand(graph, dim, 0),
                b = buddy_graph_dim_operand(graph, dim, 1);
  *out_factor = a == symbol ? b : a;
  return (a == symbol || b == symbol) && !BUDDY_IS_SYMBOLIC(*out_factor) && *out_factor != 0;
}

/* Whether the size of an input is the symbol itself. */
static bool is_plain(const buddy_graph *graph, int64_t symbol) {
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i) {
    const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(graph, i));
    for (uint32_t d = 0; d < type->rank; ++d) {
      if (type->dims[d] == symbol) return true;
    }
  }
  return false;
}

/* True if the dim is factor * symbol + rest, where rest is a number, or a symbol that some input has. */
static bool is_linear(const buddy_graph *graph, int64_t dim, int64_t symbol, int64_t *out_factor,
                      int64_t *out_rest) {
  *out_rest = 0;
  if (is_multiple(graph, dim, symbol, out_factor)) return true;
  if (buddy_graph_dim_kind(graph, dim) != BUDDY_DIM_KIND_SUM) return false;
  if (buddy_graph_dim_n_operands(graph, dim) != 2) return false;
  const int64_t a = buddy_graph_dim_operand(graph, dim, 0),
                b = buddy_graph_dim_operand(graph, dim, 1);
  const bool is_second = is_multiple(graph, b, symbol, out_factor);
  *out_rest = is_second ? a : b;
  return (is_second || is_multiple(graph, a, symbol, out_factor)) &&
         (!BUDDY_IS_SYMBOLIC(*out_rest) || is_plain(graph, *out_rest));
}

int bd_dims_input_tells(const buddy_graph *graph, int64_t symbol) {
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i) {
    const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(graph, i));
    for (uint32_t d = 0; d < type->rank; ++d) {
      int64_t factor, rest;
      if (BUDDY_IS_SYMBOLIC(type->dims[d]) &&
          is_linear(graph, type->dims[d], symbol, &factor, &rest))
        return 1;
    }
  }
  return 0;
}

static MlirValue solve(bd_function *function, int64_t symbol) {
  const buddy_graph *graph = function->graph;
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i) {
    const buddy_value *input = buddy_graph_input(graph, i);
    const buddy_tensor_type *type = buddy_value_type(input);
    for (uint32_t d = 0; d < type->rank; ++d) {
      int64_t factor, rest;
      if (!BUDDY_IS_SYMBOLIC(type->dims[d])) continue;
      if (!is_linear(graph, type->dims[d], symbol, &factor, &rest)) continue;
      MlirValue value = size_of(function, input, d);
      if (rest != 0) value = op(function, "arith.subi", value, bd_dims_get(function, rest));
      return factor == 1 ? value
                         : op(function, "arith.divsi", value, bd_dims_get(function, factor));
    }
  }
  return no_value;
}

static MlirValue symbol_value(bd_function *function, int64_t dim) {
  const size_t i = buddy_graph_dim_symbol(function->graph, dim);
  if (i < function->n_sources && function->sources[i].value) {
    return size_of(function, function->sources[i].value, function->sources[i].dim);
  }
  const buddy_symbol *symbol = buddy_graph_symbol(function->graph, i);
  MlirValue value = no_value;
  if (symbol && symbol->bound_to) {
    value = in_range(function, symbol, integer_of(function, symbol->bound_to));
  }
  if (!value.ptr) value = solve(function, dim);
  if (value.ptr) return value;
  return fail(function, BUDDY_DECLINED, dim,
              "is not the size of any input or result known at this point");
}

static bool is_told_by(const bd_function *function, int64_t dim, const buddy_value *value,
                       uint32_t d) {
  if (buddy_graph_dim_kind(function->graph, dim) != BUDDY_DIM_KIND_SYMBOL) return false;
  const size_t i = buddy_graph_dim_symbol(function->graph, dim);
  return i < function->n_sources && function->sources[i].value == value &&
         function->sources[i].dim == d;
}

/* The data came to a size of which the program says that it is another one. */
static buddy_code assert_same_size(bd_function *function, const buddy_value *value, uint32_t d,
                                   MlirLocation location) {
  char text[192], what[96];
  const int64_t dim = buddy_value_type(value)->dims[d];
  const MlirValue size = bd_values_find(function, value);
  if (mlirValueIsNull(bd_dims_get(function, dim))) return BUDDY_OK; /* of another function */
  buddy_graph_dim_text(function->graph, dim, what, sizeof(what));
  snprintf(text, sizeof(text),
           "the data come to another number of results than %s, as the program says", what);
  return bd_dims_assert(function, bd_dims_compare_size(function, size, d, dim), text, location);
}

/* Symbols that take their value from this one are known from here on. */
static buddy_code assert_bound(bd_function *function, const buddy_value *value,
                               MlirLocation location) {
  const buddy_graph *graph = function->graph;
  const buddy_tensor_type *type = buddy_value_type(value);
  const size_t n = type && type->rank == 0 ? buddy_graph_n_symbols(graph) : 0;
  for (size_t i = 0; i < n; ++i) {
    const buddy_symbol *symbol = buddy_graph_symbol(graph, i);
    if (symbol->bound_to != value || find(function, symbol->dim).ptr) continue;
    const MlirValue integer = integer_of(function, value);
    if (!integer.ptr) continue;
    BD_TRY(assert_range(function, symbol, "number", INT64_MIN, integer, location));
    BD_TRY(keep(function, symbol->dim, integer));
  }
  return BUDDY_OK;
}

buddy_code bd_dims_assert_told(bd_function *function, const buddy_value *value,
                               MlirLocation location) {
  const buddy_tensor_type *type = buddy_value_type(value);
  const buddy_graph *graph = function->graph;
  const buddy_node *node = buddy_value_node(value);
  const bool counts_data = node && is_told_by_data(node);
  BD_TRY(assert_bound(function, value, location));
  for (uint32_t d = 0; type && d < type->rank; ++d) {
    const int64_t dim = type->dims[d];
    if (!BUDDY_IS_SYMBOLIC(dim)) continue;
    if (!is_told_by(function, dim, value, d)) {
      if (counts_data) BD_TRY(assert_same_size(function, value, d, location));
      continue;
    }
    const buddy_symbol *symbol = buddy_graph_symbol(graph, buddy_graph_dim_symbol(graph, dim));
    if (!symbol || is_told_elsewhere(graph, dim)) continue;
    BD_TRY(assert_range(function, symbol, "size", 0, size_of(function, value, d), location));
  }
  return BUDDY_OK;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

/* a - floordiv(a, b) * b: the sign of the divisor, as Python has it. */
static MlirValue modulo(bd_function *function, MlirValue a, MlirValue b) {
  const MlirValue quotient = op(function, "arith.floordivsi", a, b);
  return op(function, "arith.subi", a, op(function, "arith.muli", quotient, b));
}

static bool is_computed(const bd_function *function, int64_t dim, int depth) {
  const buddy_graph *graph = function->graph;
  if (!BUDDY_IS_SYMBOLIC(dim)) return false;
  if (buddy_graph_dim_kind(graph, dim) == BUDDY_DIM_KIND_SYMBOL) {
    const buddy_symbol *symbol = buddy_graph_symbol(graph, buddy_graph_dim_symbol(graph, dim));
    return symbol && symbol->bound_to;
  }
  const size_t n = buddy_graph_dim_n_operands(graph, dim);
  for (size_t i = 0; i < n && depth < MAX_DEPTH; ++i) {
    if (is_computed(function, buddy_graph_dim_operand(graph, dim, i), depth + 1)) return true;
  }
  return false;
}

static MlirValue convert(bd_function *function, const char *name, MlirValue from, MlirType type) {
  if (!from.ptr) return no_value;
  return bd_function_op(function, name, type, &from, 1, NULL, 0);
}

static MlirValue as_real(bd_function *function, MlirValue a) {
  const MlirContext context = function->lowering->context;
  const MlirValue integer =
      convert(function, "arith.index_cast", a, mlirIntegerTypeGet(context, 64));
  return convert(function, "arith.sitofp", integer, mlirF64TypeGet(context));
}

static MlirValue real_op(bd_function *function, const char *name, MlirValue a, MlirValue b) {
  const MlirValue operands[2] = {a, b};
  if (!a.ptr || !b.ptr) return no_value;
  return bd_function_op(function, name, mlirValueGetType(a), operands, 2, NULL, 0);
}

/* a + b or a * b of numbers that the program computes is one of 62 bits: as doubles, which do not
 * overflow, its square is at most that of 2^62. */
static int check_result(bd_function *function, const char *name, int64_t dim, MlirValue a,
                        MlirValue b) {
  enum { OLE = 5 }; /* of arith.cmpf */
  const MlirContext context = function->lowering->context;
  const MlirType real = mlirF64TypeGet(context);
  char text[256], what[128];
  const MlirValue result = real_op(function, name, as_real(function, a), as_real(function, b));
  const MlirValue square = real_op(function, "arith.mulf", result, result);
  const MlirNamedAttribute number_ =
      bd_named(context, "value", mlirFloatAttrDoubleGet(context, real, 0x1p124));
  const MlirNamedAttribute predicate =
      bd_named(context, "predicate", mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), OLE));
  const MlirValue limit = bd_function_op(function, "arith.constant", real, NULL, 0, &number_, 1);
  const MlirValue operands[2] = {square, limit};
  if (!square.ptr || !limit.ptr) return 0;
  const MlirValue is_ok = bd_function_op(function, "arith.cmpf", mlirIntegerTypeGet(context, 1),
                                         operands, 2, &predicate, 1);
  buddy_graph_dim_text(function->graph, dim, what, sizeof(what));
  snprintf(text, sizeof(text), "the size %s is too large for any tensor", what);
  return bd_dims_assert(function, is_ok, text, bd_function_location(function)) == BUDDY_OK;
}

static int check_divisor(bd_function *function, int64_t dim, MlirValue divisor) {
  enum { NE = 1 }; /* of arith.cmpi */
  char text[256], what[128];
  const MlirValue is_ok = compare(function, NE, divisor, bd_dims_get(function, 0));
  buddy_graph_dim_text(function->graph, dim, what, sizeof(what));
  snprintf(text, sizeof(text), "the size %s divides by 0", what);
  return bd_dims_assert(function, is_ok, text, bd_function_location(function)) == BUDDY_OK;
}

/* What the absolute value of the dim, and of all that it is computed from, is at most: sizes of inputs are
 * up to 2^48. Infinite where it may be divided by 0. */
static double reach(const buddy_graph *graph, int64_t dim, int depth) {
  if (!BUDDY_IS_SYMBOLIC(dim)) return fabs((double)dim);
  const buddy_dim_kind kind = buddy_graph_dim_kind(graph, dim);
  const size_t n = buddy_graph_dim_n_operands(graph, dim);
  if (kind == BUDDY_DIM_KIND_SYMBOL) {
    const buddy_symbol *symbol = buddy_graph_symbol(graph, buddy_graph_dim_symbol(graph, dim));
    return symbol->max < BD_MAX_ELEMENTS ? (double)symbol->max : (double)BD_MAX_ELEMENTS;
  }
  const bool divides = kind == BUDDY_DIM_KIND_FLOORDIV || kind == BUDDY_DIM_KIND_MOD;
  if (depth == MAX_REACH || (divides && BUDDY_IS_SYMBOLIC(buddy_graph_dim_operand(graph, dim, 1))))
    return INFINITY;
  double most = kind == BUDDY_DIM_KIND_PRODUCT ? 1 : 0;
  for (size_t i = 0; i < n; ++i) {
    const double each = reach(graph, buddy_graph_dim_operand(graph, dim, i), depth + 1);
    if (kind == BUDDY_DIM_KIND_PRODUCT) {
      most *= each < 1 ? 1 : each;
    } else {
      most = kind == BUDDY_DIM_KIND_SUM ? most + each : fmax(most, each);
    }
  }
  return most;
}

bool bd_dims_is_doubtful(const buddy_graph *graph, int64_t dim) {
  return reach(graph, dim, 0) > 0x1p62;
}

/* Sizes that follow from those of the inputs are computed before the run, too, and refused there
 * (guards.c), but in a branch or a loop, which not every run takes; numbers that the program computes are
 * anything. */
static int check_operands(bd_function *function, buddy_dim_kind kind, int64_t dim, MlirValue a,
                          MlirValue b) {
  if (!a.ptr || !b.ptr) return 0;
  if (kind == BUDDY_DIM_KIND_SUM) return check_result(function, "arith.addf", dim, a, b);
  if (kind == BUDDY_DIM_KIND_PRODUCT) return check_result(function, "arith.mulf", dim, a, b);
  if (kind != BUDDY_DIM_KIND_FLOORDIV && kind != BUDDY_DIM_KIND_MOD) return 1;
  return !BUDDY_IS_SYMBOLIC(buddy_graph_dim_operand(function->graph, dim, 1)) ||
         check_divisor(function, dim, b);
}

static MlirValue combine(bd_function *function, buddy_dim_kind kind, MlirValue a, MlirValue b) {
  static const struct {
    buddy_dim_kind kind;
    const char *op;
  } ops[] = {{BUDDY_DIM_KIND_SUM, "arith.addi"},
             {BUDDY_DIM_KIND_PRODUCT, "arith.muli"},
             {BUDDY_DIM_KIND_FLOORDIV, "arith.floordivsi"},
             {BUDDY_DIM_KIND_MAX, "arith.maxsi"},
             {BUDDY_DIM_KIND_MIN, "arith.minsi"}};
  if (kind == BUDDY_DIM_KIND_MOD) return modulo(function, a, b);
  for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); ++i) {
    if (ops[i].kind == kind) return op(function, ops[i].op, a, b);
  }
  return no_value;
}

static MlirValue expression(bd_function *function, int64_t dim, int depth) {
  const buddy_dim_kind kind = buddy_graph_dim_kind(function->graph, dim);
  const size_t n = buddy_graph_dim_n_operands(function->graph, dim);
  const bool is_checked =
      is_computed(function, dim, 0) ||
      (buddy_graph_parent(function->graph) && bd_dims_is_doubtful(function->graph, dim));
  MlirValue value = no_value;
  for (size_t i = 0; i < n; ++i) {
    const MlirValue operand =
        compute(function, buddy_graph_dim_operand(function->graph, dim, i), depth + 1);
    if (is_checked && i > 0 && !check_operands(function, kind, dim, value, operand))
      return no_value;
    value = i == 0 ? operand : combine(function, kind, value, operand);
    if (!value.ptr) return no_value;
  }
  return value;
}

static MlirValue compute(bd_function *function, int64_t dim, int depth) {
  MlirValue value = find(function, dim);
  if (value.ptr) return value;
  if (depth > MAX_DEPTH)
    return fail(function, BUDDY_LIMIT, dim, "is nested more than 64 levels deep");
  if (!BUDDY_IS_SYMBOLIC(dim)) {
    value = number(function, dim);
  } else if (buddy_graph_dim_kind(function->graph, dim) == BUDDY_DIM_KIND_SYMBOL) {
    value = symbol_value(function, dim);
  } else {
    value = expression(function, dim, depth);
  }
  if (value.ptr && keep(function, dim, value)) {
    function->is_out_of_memory = true;
    return fail(function, BUDDY_OUT_OF_MEMORY, dim, "cannot be kept: memory ran out");
  }
  return value;
}

MlirValue bd_dims_get(bd_function *function, int64_t dim) {
  const MlirValue value = compute(function, dim, 0);
  if (!value.ptr) fail(function, BUDDY_DECLINED, dim, "cannot be computed");
  return value;
}
