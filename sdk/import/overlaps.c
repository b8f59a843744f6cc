// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/overlaps.c: what an elementwise op reads of the elements that it writes.
 *
 * PyTorch refuses it where both tensors are without gaps and share some of their elements, but not
 * each at its place; torch.export does not ask. Where the run's sizes decide, they are a guard. */
#include <string.h>

#include "core/base/try.h"
#include "core/graph/guards.h"
#include "sdk/import/sizes.h"
#include "sdk/import/tracking.h"

/* Which elements of a storage a tensor is, in elements; dims may be symbolic. */
typedef struct area {
  buddy_graph *graph;
  buddy_code *lost; /* set where memory ran out, which says nothing of the elements */
  uint32_t rank;
  int64_t dims[BD_VIEW_MAX_RANK], strides[BD_VIEW_MAX_RANK], offset;
} area;

/* False: it is beyond the arithmetic on sizes, or memory ran out. */
static bool is_told(const area *of, buddy_code code) {
  if (code == BUDDY_OUT_OF_MEMORY) *of->lost = code;
  return code == BUDDY_OK;
}

static bool compute(const area *of, buddy_dim_op op, int64_t a, int64_t b, int64_t *out_dim) {
  return is_told(of, buddy_graph_dim(of->graph, op, a, b, out_dim));
}

static bool compare(const area *of, bd_relation relation, int64_t a, int64_t b,
                    int64_t *out_predicate) {
  return is_told(of, bd_predicate_compare(of->graph, relation, a, b, out_predicate));
}

/* One after the other, in the order of the dims. */
static bool set_dense(area *of, const buddy_tensor_type *type) {
  int64_t next = 1;
  of->rank = type->rank;
  if (type->rank > BD_VIEW_MAX_RANK) return false;
  for (uint32_t d = type->rank; d-- > 0;) {
    of->dims[d] = type->dims[d];
    of->strides[d] = next;
    if (!compute(of, BUDDY_DIM_MUL, next, type->dims[d], &next)) return false;
  }
  return true;
}

static bool is_dense(const area *of) {
  int64_t next = 1;
  for (uint32_t d = of->rank; d-- > 0;) {
    if (of->strides[d] != next && of->dims[d] != 1) return false;
    if (!compute(of, BUDDY_DIM_MUL, next, of->dims[d], &next)) return false;
  }
  return true;
}

/* Each element once, without gaps, in any order of the dims. */
static bool has_no_gaps(const area *of, int64_t *out_count) {
  uint64_t left = 0;
  *out_count = 1;
  for (uint32_t d = 0; d < of->rank; ++d) left |= of->dims[d] == 1 ? 0 : UINT64_C(1) << d;
  while (left) {
    uint32_t d = 0;
    while (d < of->rank && (!(left >> d & 1) || of->strides[d] != *out_count)) ++d;
    if (d == of->rank || !compute(of, BUDDY_DIM_MUL, *out_count, of->dims[d], out_count))
      return false;
    left &= ~(UINT64_C(1) << d);
  }
  return true;
}

/* Moves to `position` of a dim, counted from the end where it is negative. is_clamped: and brought
 * into the tensor. */
static bool move(area *at, uint32_t dim, int64_t position, bool is_clamped) {
  const int64_t size = at->dims[dim];
  if (!is_told(at, bd_position_wrap(at->graph, position, size, &position))) return false;
  if (is_clamped && (!compute(at, BUDDY_DIM_MAX, position, 0, &position) ||
                     !compute(at, BUDDY_DIM_MIN, position, size, &position)))
    return false;
  return compute(at, BUDDY_DIM_MUL, position, at->strides[dim], &position) &&
         compute(at, BUDDY_DIM_ADD, at->offset, position, &at->offset);
}

static bool follow_permute(area *at, const bd_view *view) {
  const area from = *at;
  for (uint32_t d = 0; d < at->rank; ++d) {
    at->dims[d] = from.dims[view->dims[d]];
    at->strides[d] = from.strides[view->dims[d]];
  }
  return true;
}

static bool follow_select(area *at, const bd_view *view) {
  const uint32_t dim = (uint32_t)view->args[0].as.i, after = at->rank - dim - 1;
  if (!move(at, dim, view->args[1].as.i, false)) return false;
  memmove(at->dims + dim, at->dims + dim + 1, after * sizeof *at->dims);
  memmove(at->strides + dim, at->strides + dim + 1, after * sizeof *at->strides);
  --at->rank;
  return true;
}

static bool follow_slice(area *at, const bd_view *view) {
  const uint32_t dim = (uint32_t)view->args[0].as.i;
  const buddy_arg *start = &view->args[1], *step = &view->args[3];
  if (step->kind != BUDDY_ARG_INT) return false;
  if (start->kind != BUDDY_ARG_NONE &&
      (start->kind != BUDDY_ARG_INT || !move(at, dim, start->as.i, true)))
    return false;
  at->dims[dim] = view->type.dims[dim];
  return compute(at, BUDDY_DIM_MUL, at->strides[dim], step->as.i, &at->strides[dim]);
}

/* From what is looked at to the view of it; false: it cannot be said. */
static bool follow(area *at, const bd_view *view) {
  switch (view->kind) {
    case BD_VIEW_SAME:
      return true;
    case BD_VIEW_RESHAPE:
      return is_dense(at) && set_dense(at, &view->type);
    case BD_VIEW_PERMUTE:
      return follow_permute(at, view);
    case BD_VIEW_SELECT:
      return follow_select(at, view);
    case BD_VIEW_SLICE:
      return follow_slice(at, view);
    default:
      return false;
  }
}

static bool find_area(const bd_tracking *in, const bd_alias *alias, buddy_code *lost,
                      area *out_area) {
  const bd_alias *chain[BD_MAX_CHAIN];
  size_t n = 0;
  for (; alias->parent; alias = alias->parent) chain[n++] = alias;
  *out_area = (area){.graph = in->graph, .lost = lost};
  if (bd_layouts_find(in->layouts, alias->of->origin)) return false;
  if (!set_dense(out_area, buddy_value_type(alias->value))) return false;
  while (n > 0) {
    if (!follow(out_area, &chain[--n]->view)) return false;
  }
  return true;
}

static bool is_same(const area *a, const area *b) {
  return a->offset == b->offset && a->rank == b->rank &&
         !memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) &&
         !memcmp(a->strides, b->strides, a->rank * sizeof *a->strides);
}

/* The predicate that one begins before the other ends. */
static bool begins_before_end(const area *a, const area *b, int64_t n, int64_t *out_predicate) {
  int64_t end;
  return compute(b, BUDDY_DIM_ADD, b->offset, n, &end) &&
         compare(a, BD_LT, a->offset, end, out_predicate);
}

/* The predicate that they have elements in common. */
static bool overlap(const area *a, const area *b, int64_t *out_predicate) {
  int64_t n, m, p[4];
  if (!has_no_gaps(a, &n) || !has_no_gaps(b, &m)) return false;
  if (!begins_before_end(a, b, m, &p[0]) || !begins_before_end(b, a, n, &p[1])) return false;
  if (!compare(a, BD_GT, n, 0, &p[2]) || !compare(a, BD_GT, m, 0, &p[3])) return false;
  *out_predicate = p[0];
  for (int i = 1; i < 4; ++i) {
    if (!is_told(a, bd_predicate_and(a->graph, *out_predicate, p[i], out_predicate))) return false;
  }
  return true;
}

buddy_code bd_overlap_check(bd_tracking *in, const buddy_node *node, const buddy_value *written,
                            const buddy_value *read) {
  const bd_handle *a = bd_handle_find(in, written), *b = bd_handle_find(in, read);
  area to, from;
  int64_t predicate, is_apart;
  buddy_code lost = BUDDY_OK;
  if (!a || !b || a->at->of != b->at->of || a->at == b->at) return BUDDY_OK;
  if (!find_area(in, a->at, &lost, &to) || !find_area(in, b->at, &lost, &from) ||
      is_same(&to, &from) || !overlap(&to, &from, &predicate) ||
      bd_predicate_is_false(in->graph, predicate))
    return lost;
  if (bd_predicate_is_true(in->graph, predicate))
    return bd_tracking_refuse(in, node, "read a clone() of it",
                              "it reads some of the elements that it writes at other places than "
                              "their own, which PyTorch refuses");
  char where[512];
  buddy_node_describe(node, where, sizeof where);
  BD_TRY(bd_predicate_not(in->graph, predicate, &is_apart));
  return bd_graph_add_guard(in->graph, is_apart, "what is written has no elements of what is read",
                            where);
}
