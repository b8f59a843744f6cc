// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/guards.c: predicates over sizes, as dims. */
#include "core/graph/guards.h"

#include "core/base/array.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/graph/dim_poly.h"
#include "core/graph/dims.h"
#include "core/graph/model.h"

/* ---- Predicates ---- */

static buddy_code difference(buddy_graph *graph, int64_t a, int64_t b, int64_t *out_dim) {
  return buddy_graph_dim(graph, BUDDY_DIM_SUB, a, b, out_dim);
}

/* min(a - b, b - a), or max. */
static buddy_code distance(buddy_graph *graph, buddy_dim_op op, int64_t a, int64_t b,
                           int64_t *out_dim) {
  int64_t one, other;
  BD_TRY(difference(graph, a, b, &one));
  BD_TRY(difference(graph, b, a, &other));
  return buddy_graph_dim(graph, op, one, other, out_dim);
}

buddy_code bd_predicate_and(buddy_graph *graph, int64_t p, int64_t q, int64_t *out_predicate) {
  return buddy_graph_dim(graph, BUDDY_DIM_MIN, p, q, out_predicate);
}

buddy_code bd_predicate_or(buddy_graph *graph, int64_t p, int64_t q, int64_t *out_predicate) {
  return buddy_graph_dim(graph, BUDDY_DIM_MAX, p, q, out_predicate);
}

buddy_code bd_predicate_not(buddy_graph *graph, int64_t p, int64_t *out_predicate) {
  return difference(graph, -1, p, out_predicate);
}

/* a + 1 <= b */
static buddy_code is_below(buddy_graph *graph, int64_t a, int64_t b, int64_t *out_predicate) {
  BD_TRY(difference(graph, b, a, out_predicate));
  return difference(graph, *out_predicate, 1, out_predicate);
}

buddy_code bd_predicate_compare(buddy_graph *graph, bd_relation relation, int64_t a, int64_t b,
                                int64_t *out_predicate) {
  buddy_code code;
  switch (relation) {
    case BD_EQ:
      return distance(graph, BUDDY_DIM_MIN, a, b, out_predicate);
    case BD_NE:
      code = distance(graph, BUDDY_DIM_MAX, a, b, out_predicate);
      return code ? code : difference(graph, *out_predicate, 1, out_predicate);
    case BD_LT:
      return is_below(graph, a, b, out_predicate);
    case BD_LE:
      return difference(graph, b, a, out_predicate);
    case BD_GT:
      return is_below(graph, b, a, out_predicate);
    default:
      return difference(graph, a, b, out_predicate);
  }
}

int bd_predicate_is_true(const buddy_graph *graph, int64_t predicate) {
  int64_t low, high;
  bd_dim_range(&graph->world->dims, predicate, &low, &high);
  return low >= 0;
}

int bd_predicate_is_false(const buddy_graph *graph, int64_t predicate) {
  int64_t low, high;
  bd_dim_range(&graph->world->dims, predicate, &low, &high);
  return high < 0;
}

/* ---- Guards ---- */

static bool is_within(const buddy_graph *graph, const buddy_graph *outer) {
  return graph == outer || bd_graph_is_inside(graph, outer);
}

bool bd_guard_is_of(const bd_guard *guard, const buddy_graph *graph) {
  return is_within(graph, guard->graph);
}

bool bd_graph_has_guard(const buddy_graph *graph, int64_t predicate) {
  for (size_t i = 0; i < graph->world->n_guards; ++i) {
    const bd_guard *guard = &graph->world->guards[i];
    if (guard->dim == predicate && bd_guard_is_of(guard, graph)) return true;
  }
  return false;
}

/* What predicate >= 0 tells of the one thing that it is about: of x, where it is c*x + k. */
static buddy_code assume(bd_dims *dims, int64_t predicate) {
  bd_poly poly = {0};
  buddy_code code = bd_poly_add(dims, &poly, predicate, 1);
  if (!code && (poly.n == 1 || (poly.n == 2 && poly.terms[1].monomial == 1))) {
    const int64_t c = poly.terms[0].coefficient, k = poly.n == 2 ? poly.terms[1].coefficient : 0;
    if (c > 0) {
      bd_dim_narrow(dims, poly.terms[0].monomial, -bd_floordiv(k, c), INT64_MAX);
    } else {
      bd_dim_narrow(dims, poly.terms[0].monomial, INT64_MIN, bd_floordiv(k, -c));
    }
  }
  bd_poly_deinit(&poly);
  return code;
}

static buddy_code assume_all(bd_dims *dims, int64_t predicate) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, predicate);
  if (!expr || expr->kind != BUDDY_DIM_KIND_MIN) return assume(dims, predicate);
  for (uint32_t i = 0; i < expr->n; ++i) BD_TRY(assume(dims, expr->operands[i]));
  return BUDDY_OK;
}

buddy_code bd_graph_add_guard(buddy_graph *graph, int64_t predicate, const char *text,
                              const char *where) {
  bd_world *world = graph->world;
  if (!bd_dim_is_valid(&world->dims, predicate)) return BUDDY_INVALID_ARGUMENT;
  if (bd_predicate_is_true(graph, predicate) || bd_graph_has_guard(graph, predicate))
    return BUDDY_OK;
  void *guards = bd_array_grow(world->guards, &world->guards_capacity, world->n_guards + 1,
                               sizeof *world->guards);
  if (!guards) return BUDDY_OUT_OF_MEMORY;
  world->guards = guards;
  buddy_code code = BUDDY_OK;
  const bd_guard guard = {predicate, bd_graph_intern(graph, text, &code),
                          bd_graph_intern(graph, where ? where : "", &code), graph};
  if (!code) world->guards[world->n_guards++] = guard;
  return code || *guard.where || graph->parent ? code : assume_all(&world->dims, predicate);
}

size_t bd_graph_n_guards(const buddy_graph *graph) { return graph->world->n_guards; }

const bd_guard *bd_graph_guard(const buddy_graph *graph, size_t i) {
  return i < graph->world->n_guards ? &graph->world->guards[i] : NULL;
}

#define MAX_EQUAL 32 /* dims of one size that are followed */

static bool is_among(const int64_t *dims, size_t n, int64_t dim) {
  for (size_t i = 0; i < n; ++i) {
    if (dims[i] == dim) return true;
  }
  return false;
}

bool bd_graph_tells_equal(const buddy_graph *graph, int64_t a, int64_t b) {
  const bd_world *world = graph->world;
  int64_t dims[MAX_EQUAL] = {a};
  size_t n = 1;
  for (size_t i = 0; i < n && dims[i] != b; ++i) {
    for (size_t k = 0; k < world->n_equal && n < MAX_EQUAL; ++k) {
      const int64_t *pair = world->equal[k].dims;
      const int64_t other = pair[0] == dims[i] ? pair[1] : pair[0];
      if (is_among(pair, 2, dims[i]) && !is_among(dims, n, other) &&
          is_within(graph, world->equal[k].graph))
        dims[n++] = other;
    }
  }
  return is_among(dims, n, b);
}

static buddy_code note_equal(const buddy_graph *graph, int64_t a, int64_t b) {
  bd_world *world = graph->world;
  if (bd_graph_tells_equal(graph, a, b)) return BUDDY_OK;
  void *equal =
      bd_array_grow(world->equal, &world->equal_capacity, world->n_equal + 1, sizeof *world->equal);
  if (!equal) return BUDDY_OUT_OF_MEMORY;
  world->equal = equal;
  world->equal[world->n_equal++] = (bd_equal_dims){{a, b}, graph};
  return BUDDY_OK;
}

/* ---- Requirements ---- */

static const char *const signs[] = {[BD_EQ] = "==", [BD_NE] = "!=", [BD_LT] = "<",
                                    [BD_LE] = "<=", [BD_GT] = ">",  [BD_GE] = ">="};

void bd_relation_print(const buddy_graph *graph, bd_relation relation, int64_t a, int64_t b,
                       bd_text *text) {
  bd_dim_print(&graph->world->dims, a, text);
  bd_text_format(text, " %s ", signs[relation]);
  bd_dim_print(&graph->world->dims, b, text);
}

static buddy_code refute(buddy_code code, const char *text, const char *where, buddy_diags *diags) {
  const char *what = code == BUDDY_LIMIT ? "is beyond buddy's arithmetic on sizes"
                                         : "holds for no sizes that the program takes";
  return buddy_diags_add(diags, BUDDY_ERROR, code, where, NULL, "that %s, which the op needs, %s",
                         text, what);
}

buddy_code bd_graph_require(buddy_graph *graph, bd_relation relation, int64_t a, int64_t b,
                            const buddy_node *node, buddy_diags *diags) {
  int64_t predicate;
  char where[512] = "";
  buddy_code code = bd_predicate_compare(graph, relation, a, b, &predicate);
  if (code && code != BUDDY_LIMIT) return code;
  if (!code && bd_predicate_is_true(graph, predicate)) return BUDDY_OK;
  if (!code && diags && bd_predicate_is_false(graph, predicate)) code = BUDDY_INVALID_ARGUMENT;
  if (node) buddy_node_describe(node, where, sizeof where);
  bd_text text;
  bd_text_init(&text);
  bd_relation_print(graph, relation, a, b, &text);
  if (!code && node && bd_predicate_is_false(graph, predicate))
    bd_text_format(&text, ", which %s needs and no run meets", buddy_node_op(node));
  if (text.code) {
    code = text.code;
  } else {
    code = code ? refute(code, text.data, where, diags)
                : bd_graph_add_guard(graph, predicate, text.data, where);
    if (!code && relation == BD_EQ) code = note_equal(graph, a, b);
  }
  bd_text_deinit(&text);
  return code;
}

buddy_code bd_graph_require_equal(buddy_graph *graph, int64_t a, int64_t b, const buddy_node *node,
                                  buddy_diags *diags) {
  return a == b ? BUDDY_OK : bd_graph_require(graph, BD_EQ, a, b, node, diags);
}
