// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/views_strides.c: whether a view is one, by how tensors lie in memory. */
#include <stdio.h>
#include <string.h>

#include "core/base/try.h"
#include "core/graph/guards.h"
#include "sdk/import/sizes.h"
#include "sdk/import/views_parts.h"

enum { MAX_UNEQUAL = 4 * BD_VIEW_MAX_RANK };

const int64_t *bd_view_strides(const bd_layouts *layouts, const buddy_value *value) {
  const bd_layout *found = bd_layouts_find(layouts, value);
  return found ? found->strides : NULL;
}

/* size = part * (size // part) where the part is known to divide the size: what -1 stands for in a
 * view. */
static bool is_whole(buddy_graph *graph, int64_t product, int64_t size) {
  if (!BUDDY_IS_SYMBOLIC(product) ||
      buddy_graph_dim_kind(graph, product) != BUDDY_DIM_KIND_PRODUCT ||
      buddy_graph_dim_n_operands(graph, product) != 2)
    return false;
  for (size_t i = 0; i < 2; ++i) {
    const int64_t part = buddy_graph_dim_operand(graph, product, i);
    int64_t rest, quotient;
    if (buddy_graph_dim(graph, BUDDY_DIM_MOD, size, part, &rest) || rest != 0) continue;
    if (buddy_graph_dim(graph, BUDDY_DIM_FLOORDIV, size, part, &quotient)) continue;
    if (quotient == buddy_graph_dim_operand(graph, product, 1 - i)) return true;
  }
  return false;
}

static bd_answer is_equal(const bd_describing *at, int64_t a, int64_t b) {
  buddy_graph *graph = buddy_value_graph(at->source);
  int64_t predicate;
  if (a == b) return BD_YES;
  if (!BUDDY_IS_SYMBOLIC(a) && !BUDDY_IS_SYMBOLIC(b)) return BD_NO;
  if (bd_graph_tells_equal(graph, a, b)) return BD_YES;
  if (bd_predicate_compare(graph, BD_EQ, a, b, &predicate)) return BD_DEPENDS;
  if (bd_predicate_is_true(graph, predicate) || bd_graph_has_guard(graph, predicate)) return BD_YES;
  return bd_predicate_is_false(graph, predicate) ? BD_NO : BD_DEPENDS;
}

/* The same; where the run decides, it is a copy only if they are unequal. */
static bd_answer is_equal_or_copy(bd_describing *at, int64_t a, int64_t b) {
  bd_view *view = at->view;
  const bd_answer found = is_equal(at, a, b);
  if (found != BD_DEPENDS || view->n_unequal == MAX_UNEQUAL) return found;
  if (!view->unequal)
    view->unequal = bd_arena_alloc(at->arena, MAX_UNEQUAL * sizeof *view->unequal);
  if (!view->unequal) return found;
  view->unequal[view->n_unequal][0] = a;
  view->unequal[view->n_unequal++][1] = b;
  return found;
}

/* Goes on from the last dims of the new shape, `next` of which are left, until they have as many
 * elements as a run of the old ones. */
static bd_answer cut_run(bd_describing *at, int64_t old_size, uint32_t *next) {
  buddy_graph *graph = buddy_value_graph(at->source);
  const buddy_tensor_type *to = at->to;
  int64_t size = 1;
  bd_answer found = is_equal_or_copy(at, size, old_size), otherwise = found;
  if (found == BD_YES) size = old_size;
  while (*next > 0 && (size != old_size || to->dims[*next - 1] == 1)) {
    if (buddy_graph_dim(graph, BUDDY_DIM_MUL, size, to->dims[--*next], &size)) return BD_DEPENDS;
    found = is_whole(graph, size, old_size) ? BD_YES : is_equal_or_copy(at, size, old_size);
    if (found == BD_YES) size = old_size;
    if (found == BD_DEPENDS) otherwise = BD_DEPENDS;
  }
  return size == old_size ? BD_YES : otherwise;
}

bd_answer bd_view_can_reshape(bd_describing *at) {
  const int64_t *strides = bd_view_strides(at->layouts, at->source);
  const buddy_tensor_type *from = at->from;
  if (!strides || from->rank == 0) return BD_YES; /* one element is a view in any shape */
  buddy_graph *graph = buddy_value_graph(at->source);
  int64_t old_size = 1,
          base = strides[from->rank - 1]; /* of a run: its elements, its last stride */
  uint32_t next = at->to->rank;
  bd_answer otherwise = BD_NO;
  for (uint32_t i = from->rank; i-- > 0;) {
    if (from->dims[i] == 0) return BD_YES;
    if (buddy_graph_dim(graph, BUDDY_DIM_MUL, old_size, from->dims[i], &old_size))
      return BD_DEPENDS;
    int64_t joined = 0;
    if (i > 0) {
      if (buddy_graph_dim(graph, BUDDY_DIM_MUL, old_size, base, &joined)) return BD_DEPENDS;
      if (is_equal(at, from->dims[i - 1], 1) == BD_YES ||
          is_equal(at, strides[i - 1], joined) == BD_YES)
        continue;
      if (is_equal_or_copy(at, from->dims[i - 1], 1) == BD_DEPENDS) otherwise = BD_DEPENDS;
      if (is_equal_or_copy(at, strides[i - 1], joined) == BD_DEPENDS) otherwise = BD_DEPENDS;
    }
    const bd_answer is_cut = cut_run(at, old_size, &next);
    if (is_cut != BD_YES) return is_cut == BD_NO ? otherwise : BD_DEPENDS;
    old_size = 1;
    if (i > 0) base = strides[i - 1];
  }
  return next == 0 ? BD_YES : otherwise;
}

/* Whether the source's dims lie in this way; null: in order. */
static bd_answer lies(bd_describing *at, const int64_t *of_result) {
  const int64_t *of_source = bd_view_strides(at->layouts, at->source);
  buddy_graph *graph = buddy_value_graph(at->source);
  int64_t dense = 1;
  bd_answer all = BD_YES;
  for (uint32_t i = at->from->rank; i-- > 0;) {
    const int64_t size = at->from->dims[i], a = of_source ? of_source[i] : dense,
                  b = of_result ? of_result[i] : dense;
    const bd_answer is_one = is_equal(at, size, 1), is_same = is_equal(at, a, b);
    if (is_one == BD_NO && is_same == BD_NO) return BD_NO;
    if (is_one != BD_YES && is_same != BD_YES && all == BD_YES) {
      is_equal_or_copy(at, size, 1);
      is_equal_or_copy(at, a, b);
      all = BD_DEPENDS;
    }
    if (buddy_graph_dim(graph, BUDDY_DIM_MUL, dense, size, &dense)) return BD_DEPENDS;
  }
  return all;
}

static bd_answer is_less(const bd_describing *at, int64_t a, int64_t b) {
  buddy_graph *graph = buddy_value_graph(at->source);
  int64_t predicate;
  if (bd_predicate_compare(graph, BD_LT, a, b, &predicate)) return BD_DEPENDS;
  if (bd_predicate_is_true(graph, predicate)) return BD_YES;
  return bd_predicate_is_false(graph, predicate) ? BD_NO : BD_DEPENDS;
}

/* order: of the dims, from the one whose elements follow one another. Of nothing, either answer is
 * right. */
static bd_answer are_channels_last(const bd_describing *at, const int64_t *strides,
                                   const uint32_t *order) {
  buddy_graph *graph = buddy_value_graph(at->source);
  int64_t least = 0;
  bd_answer all = is_equal(at, strides[1], 0) == BD_YES ? BD_NO : BD_YES;
  for (uint32_t k = 0; k < at->from->rank && all != BD_NO; ++k) {
    const uint32_t d = order[k];
    const bd_answer is_ambiguous = d == 0 ? is_equal(at, least, strides[1]) : BD_NO;
    const bd_answer is_small = is_less(at, strides[d], least);
    if (is_small == BD_YES || is_ambiguous == BD_YES) return BD_NO;
    if (is_small == BD_DEPENDS || is_ambiguous == BD_DEPENDS) all = BD_DEPENDS;
    if (buddy_graph_dim(graph, BUDDY_DIM_MUL, at->from->dims[d], strides[d], &least))
      return BD_DEPENDS;
  }
  return all;
}

bd_answer bd_view_has_format(bd_describing *at, const char *format) {
  static const uint32_t images[] = {1, 3, 2, 0}, volumes[] = {1, 4, 3, 2, 0};
  const bool wants_contiguous = strcmp(format, "contiguous") == 0;
  const uint32_t rank = at->from->rank;
  const bd_layout *layout = bd_layouts_find_exact(at->layouts, at->source);
  if (!layout || (rank != 4 && rank != 5)) return wants_contiguous ? BD_YES : BD_NO;
  const bd_answer is_last = are_channels_last(at, layout->strides, rank == 4 ? images : volumes);
  if (is_last == BD_DEPENDS || !wants_contiguous) return is_last;
  return is_last == BD_YES ? BD_NO : BD_YES;
}

bd_answer bd_view_has_same_strides(bd_describing *at) {
  return lies(at, bd_view_strides(at->layouts, buddy_node_result(at->node, at->result)));
}

bd_answer bd_view_is_contiguous(bd_describing *at) { return lies(at, NULL); }

bd_answer bd_view_has_same_dims(bd_describing *at) {
  bd_answer all = at->from->rank == at->to->rank ? BD_YES : BD_NO;
  for (uint32_t i = 0; i < at->from->rank && all == BD_YES; ++i)
    all = is_equal_or_copy(at, at->from->dims[i], at->to->dims[i]);
  return all;
}

/* The two sizes are unequal, or the view has no elements. */
static buddy_code require_unequal(buddy_graph *graph, const bd_view *view, const int64_t pair[2]) {
  char sides[2][256], text[640], where[512];
  int64_t n, is_unequal, is_empty, predicate;
  BD_TRY(bd_dim_count(graph, &view->type, &n));
  BD_TRY(bd_predicate_compare(graph, BD_NE, pair[0], pair[1], &is_unequal));
  BD_TRY(bd_predicate_compare(graph, BD_EQ, n, 0, &is_empty));
  BD_TRY(bd_predicate_or(graph, is_unequal, is_empty, &predicate));
  for (int i = 0; i < 2; ++i) buddy_graph_dim_text(graph, pair[i], sides[i], sizeof sides[i]);
  snprintf(text, sizeof text, "%s != %s, so that it is a copy", sides[0], sides[1]);
  buddy_node_describe(view->node, where, sizeof where);
  return bd_graph_add_guard(graph, predicate, text, where);
}

buddy_code bd_view_require_copy(buddy_graph *graph, const bd_view *view) {
  if (view->n_unequal == 0) return BUDDY_LIMIT;
  for (size_t i = 0; i < view->n_unequal; ++i)
    BD_TRY(require_unequal(graph, view, view->unequal[i]));
  return BUDDY_OK;
}
