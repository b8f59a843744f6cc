// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/memory.c: ops that name places of a storage.
 *
 * Sizes, strides and offset of as_strided and its kin, and what resize_ leaves, are those of the
 * storage that a tensor looks at, however the tensor itself lies in it. So these nodes are given the
 * value whose storage it is, from its beginning, with its dims in the order of the memory:
 *
 *   as_strided, as_strided_copy  look at that value
 *   as_strided_scatter           writes into a copy of it, which is looked at as its tensor lies
 *   as_strided_, resize_         set_() their tensor to another view of it */
#include "sdk/import/memory.h"

#include <string.h>

#include "sdk/import/build.h"
#include "sdk/import/sizes.h"
#include "sdk/import/tables.h"
#include "sdk/import/views.h"

/* ---- The value of a storage ---- */

/* Which dims follow one another in memory, outermost first; false if the value's elements do not lie
 * side by side. */
static bool memory_order(buddy_graph *graph, const buddy_tensor_type *type, const int64_t *strides,
                         int64_t *order) {
  bool is_placed[BD_VIEW_MAX_RANK] = {false};
  int64_t step = 1;
  if (type->rank > BD_VIEW_MAX_RANK) return false;
  for (uint32_t place = type->rank; place-- > 0;) {
    uint32_t d = type->rank;
    /* Dims of one element lie anywhere; of the others, the next is as far as all so far are long. */
    for (uint32_t i = type->rank; i-- > 0;) {
      if (is_placed[i] || (type->dims[i] != 1 && strides[i] != step)) continue;
      d = i;
      if (type->dims[i] == 1) break;
    }
    if (d == type->rank) return false;
    is_placed[d] = true;
    order[place] = d;
    if (buddy_graph_dim(graph, BUDDY_DIM_MUL, step, type->dims[d], &step)) return false;
  }
  return true;
}

/* The value with its dims in the order of its memory; null where that is no tensor. */
static buddy_code in_memory_order(const bd_build *at, const buddy_value *value,
                                  const bd_layout *layout, const buddy_value **out_value) {
  const buddy_tensor_type *type = buddy_value_type(value);
  int64_t order[BD_VIEW_MAX_RANK] = {0}, dims[BD_VIEW_MAX_RANK];
  *out_value = NULL;
  if (layout->offset != 0 || !memory_order(at->graph, type, layout->strides, order))
    return BUDDY_OK;
  for (uint32_t i = 0; i < type->rank; ++i) dims[i] = type->dims[order[i]];
  const buddy_tensor_type permuted = {.dtype = type->dtype, .rank = type->rank, .dims = dims};
  const buddy_arg list = bd_ints_arg(order, type->rank);
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(value)}, {"dims", list}};
  return bd_build_value(at, "aten.permute.default", args, 2, &permuted, out_value);
}

/* The argument that the result is, having been written to; null if it is another tensor. */
static const buddy_arg *written_arg(const buddy_node *node, size_t result) {
  const buddy_opdef *def = buddy_node_opdef(node);
  const buddy_schema_arg *schema = def ? buddy_opdef_result(def, result) : NULL;
  if (!schema || !schema->is_mutated) return NULL;
  if (!strcmp(buddy_node_op(node), "aten.set_.source_Tensor")) return buddy_node_arg(node, 1);
  size_t n_before = 0;
  for (size_t i = 0; i < result; ++i) n_before += buddy_opdef_result(def, i)->is_mutated;
  for (size_t i = 0; i < buddy_opdef_n_args(def); ++i) {
    if (buddy_opdef_arg(def, i)->is_mutated && n_before-- == 0) return buddy_node_arg(node, i);
  }
  return NULL;
}

static buddy_code refuse(const buddy_node *node, buddy_diags *diags) {
  char where[512];
  buddy_node_describe(node, where, sizeof where);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, where, "call contiguous() first",
                         "%s looks at the memory of a tensor that is not laid out in order",
                         buddy_node_op(node));
}

/* What the value is a view of, or the same as; null if it has a storage of its own, or shows other
 * numbers than are there: what is seen of a conjugate's memory is conjugated. `view` says how. */
static buddy_code find_above(const buddy_value *value, const bd_layouts *layouts, bd_arena *arena,
                             const buddy_value **out_above, bd_view *view) {
  const buddy_node *node = buddy_value_node(value);
  const size_t result = buddy_value_index(value);
  size_t source;
  *out_above = NULL;
  *view = (bd_view){.kind = BD_VIEW_NONE};
  if (!node) return BUDDY_OK;
  const bool is_view = bd_view_source(node, &source);
  const buddy_arg *arg = is_view ? buddy_node_arg(node, source) : written_arg(node, result);
  if (!arg || arg->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  const buddy_value *above = arg->as.tensor;
  if (buddy_value_type(above)->dtype != buddy_value_type(value)->dtype)
    return BUDDY_OK; /* other strides */
  view->kind = BD_VIEW_SAME;
  if (is_view) {
    const buddy_code code = bd_view_describe(node, result, above, layouts, arena, view);
    if (code) return code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_OK;
    if (view->kind == BD_VIEW_NONE || view->kind == BD_VIEW_INVOLUTION) return BUDDY_OK;
    if (view->kind == BD_VIEW_MAYBE) return bd_view_require_copy(buddy_value_graph(value), view);
  }
  *out_above = above;
  return BUDDY_OK;
}

/* The value whose storage the tensor looks at; also where a view lies as a tensor of its own would, as
 * there may be more behind it; and where the tensor begins in it. That is where the first value begins
 * that has all the same elements: flatten() may be a view, which the archive does not say where sizes
 * were chosen for which it is one. */
static buddy_code find_root(const buddy_value *tensor, const bd_layouts *layouts,
                            const buddy_value **out_root, int64_t *out_offset) {
  bd_arena arena;
  bd_arena_init(&arena);
  buddy_code code = BUDDY_OK;
  bool is_whole = true;
  for (const buddy_value *above = tensor; !code && above;) {
    bd_view view;
    const bd_layout *layout = bd_layouts_find(layouts, above);
    *out_root = above;
    if (is_whole) *out_offset = layout ? layout->offset : 0;
    code = find_above(above, layouts, &arena, &above, &view);
    is_whole = is_whole && (view.kind == BD_VIEW_SAME || view.kind == BD_VIEW_RESHAPE);
  }
  bd_arena_deinit(&arena);
  return code;
}

/* A name for the value as it is made: its own may stand for another view of it by now. */
static buddy_code keep_name(buddy_graph *graph, bd_layouts *layouts, buddy_diags *diags,
                            const buddy_value **value) {
  buddy_node *maker = buddy_value_node(*value);
  const bd_build at = {.graph = graph,
                       .before = maker ? buddy_node_next(maker) : buddy_graph_first(graph),
                       .diags = diags};
  const buddy_named_arg self = {"self", bd_tensor_arg(*value)};
  const bd_layout *layout = bd_layouts_find_exact(layouts, *value);
  BD_TRY(bd_build_value(&at, "aten.alias.default", &self, 1, buddy_value_type(*value), value));
  return layout ? bd_layouts_add(layouts, *value, layout) : BUDDY_OK;
}

/* The whole storage, of which the root is found, in order. */
static buddy_code find_storage(buddy_node *node, bd_layouts *layouts, bool are_views_moved,
                               buddy_diags *diags, const buddy_value **out_storage) {
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  if (are_views_moved) BD_TRY(keep_name(at.graph, layouts, diags, out_storage));
  const bd_layout *layout = bd_layouts_find(layouts, *out_storage);
  if (!layout) return BUDDY_OK;
  BD_TRY(in_memory_order(&at, *out_storage, layout, out_storage));
  return *out_storage ? BUDDY_OK : refuse(node, diags);
}

/* ---- Ops ---- */

/* Where a view begins and how it goes on. */
typedef struct places {
  buddy_arg size, stride, offset;
} places;

/* Null: none is given. */
static const char *format_of(const buddy_node *node) {
  const buddy_arg *format = buddy_node_arg_find(node, "memory_format");
  return format && format->kind == BUDDY_ARG_MEMORY_FORMAT ? format->as.string : NULL;
}

/* Which dim the d-th from outside is; false: the format is none of the rank's. */
static bool dim_of_format(const char *format, uint32_t rank, uint32_t d, uint32_t *out_dim) {
  const bool is_last = format && !strncmp(format, "channels_last", 13);
  *out_dim = !is_last || d == 0 ? d : d + 1 < rank ? d + 1 : 1;
  if (is_last) return rank == (strcmp(format, "channels_last") ? 5 : 4);
  return !format || !strcmp(format, "contiguous");
}

/* A tensor of the type from there on, its dims in the order of the format. The strides are on the
 * arena. BUDDY_UNSUPPORTED without a message: the format is none of the rank's. */
static buddy_code places_of(buddy_graph *graph, const buddy_tensor_type *type, const char *format,
                            int64_t offset, bd_arena *arena, places *out_where) {
  int64_t *strides = bd_arena_alloc(arena, type->rank * sizeof *strides), step = 1;
  if (!strides) return BUDDY_OUT_OF_MEMORY;
  for (uint32_t d = type->rank; d-- > 0;) {
    uint32_t dim;
    if (!dim_of_format(format, type->rank, d, &dim)) return BUDDY_UNSUPPORTED;
    strides[dim] = step;
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MUL, step, type->dims[dim], &step));
  }
  *out_where = (places){bd_size_arg(type), bd_ints_arg(strides, type->rank), bd_int_arg(offset)};
  return BUDDY_OK;
}

static buddy_code build_strided(const bd_build *at, const char *op, const buddy_value *storage,
                                const places *where, const buddy_tensor_type *type,
                                const buddy_value **out_value) {
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(storage)},
                                  {"size", where->size},
                                  {"stride", where->stride},
                                  {"storage_offset", where->offset}};
  return bd_build_value(at, op, args, 4, type, out_value);
}

/* `made` stands for the node's result. */
static buddy_code replace(buddy_node *node, bd_layouts *layouts, const buddy_value *made,
                          buddy_diags *diags) {
  BD_TRY(bd_layouts_replace(layouts, buddy_node_graph(node), buddy_node_result(node, 0), made));
  return bd_build_erase(node, diags);
}

static buddy_code look_at_storage(buddy_node *node, const buddy_value *storage, const places *where,
                                  buddy_diags *diags) {
  const buddy_arg self = bd_tensor_arg(storage);
  if (storage != buddy_node_arg(node, 0)->as.tensor)
    BD_TRY(buddy_node_set_arg(node, 0, &self, diags));
  return buddy_node_set_arg(node, 3, &where->offset, diags);
}

/* The copy ends where the tensor does, which lies there as is said. */
static buddy_code scatter_into_storage(buddy_node *node, const buddy_value *storage,
                                       const places *lies, const places *where, bd_layouts *layouts,
                                       buddy_diags *diags) {
  static const int64_t one = 1;
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_tensor_type *type = buddy_value_type(buddy_node_arg(node, 0)->as.tensor);
  int64_t n;
  BD_TRY(bd_dim_extent(at.graph, lies->size.as.ints, lies->stride.as.ints, type->rank,
                       lies->offset.as.i, &n));
  const buddy_tensor_type row = {.dtype = type->dtype, .rank = 1, .dims = &n};
  const places beginning = {bd_ints_arg(&n, 1), bd_ints_arg(&one, 1), {.kind = BUDDY_ARG_INT}};
  const buddy_value *made;
  BD_TRY(build_strided(&at, "aten.as_strided_copy.default", storage, &beginning, &row, &made));
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(made)},
                                  {"src", *buddy_node_arg(node, 1)},
                                  {"size", where->size},
                                  {"stride", where->stride},
                                  {"storage_offset", where->offset}};
  BD_TRY(bd_build_value(&at, "aten.as_strided_scatter.default", args, 5, &row, &made));
  BD_TRY(build_strided(&at, "aten.as_strided_copy.default", made, lies, type, &made));
  return replace(node, layouts, made, diags);
}

static buddy_code set_to_storage(buddy_node *node, const buddy_value *storage, const places *where,
                                 bd_layouts *layouts, buddy_diags *diags) {
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  const buddy_tensor_type *type = buddy_value_type(buddy_node_result(node, 0));
  const buddy_value *made;
  const bd_layout *layout = bd_layouts_find_exact(layouts, buddy_node_result(node, 0));
  BD_TRY(build_strided(&at, "aten.as_strided.default", storage, where, type, &made));
  if (layout) BD_TRY(bd_layouts_add(layouts, made, layout));
  const buddy_named_arg args[] = {{"self", *buddy_node_arg(node, 0)},
                                  {"source", bd_tensor_arg(made)}};
  BD_TRY(bd_build_value(&at, "aten.set_.source_Tensor", args, 2, type, &made));
  return replace(node, layouts, made, diags);
}

/* Elements that stand for several. */
static bool is_expanded(const buddy_tensor_type *type, const bd_layout *layout) {
  bool is_any = false;
  for (uint32_t d = 0; layout && d < type->rank; ++d)
    is_any |= layout->strides[d] == 0 && type->dims[d] != 1;
  return is_any;
}

/* Whether resize_ leaves the tensor as it is, or gives it memory of its own. */
static bool is_no_view(const buddy_node *node, const buddy_tensor_type *from,
                       const buddy_tensor_type *to) {
  return (bd_same_dims(from, to) && !format_of(node)) || bd_has_no_elements(from);
}

static bool may_have_same_dims(const buddy_tensor_type *a, const buddy_tensor_type *b) {
  bool may = a->rank == b->rank;
  for (uint32_t d = 0; may && d < a->rank; ++d)
    may =
        a->dims[d] == b->dims[d] || BUDDY_IS_SYMBOLIC(a->dims[d]) || BUDDY_IS_SYMBOLIC(b->dims[d]);
  return may;
}

typedef enum access { NO_ACCESS, READ, MOVE, RESIZE, SCATTER, SCATTER_OUT } access;

static access access_of(const char *op) {
  static const struct known {
    const char *op;
    access is;
  } table[] = {{"aten.as_strided.default", READ},
               {"aten.as_strided_.default", MOVE},
               {"aten.as_strided_copy.default", READ},
               {"aten.as_strided_copy.out", READ},
               {"aten.as_strided_scatter.default", SCATTER},
               {"aten.as_strided_scatter.out", SCATTER_OUT},
               {"aten.resize_.default", RESIZE},
               {"aten.resize_as_.default", RESIZE}};
  const struct known *found = BD_ROW_OF(op, table);
  return found ? found->is : NO_ACCESS;
}

/* Whether the op says the same of the tensor as of its storage, or gives it another one. */
static bool is_of_tensor(const buddy_node *node, access is, const bd_layout *layout,
                         int64_t offset) {
  const buddy_tensor_type *from = buddy_value_type(buddy_node_arg(node, 0)->as.tensor),
                          *to = buddy_value_type(buddy_node_result(node, 0));
  if (is == RESIZE) return is_no_view(node, from, to);
  /* The copy of an expanded tensor is a plain one. */
  return (is == SCATTER || is == SCATTER_OUT) &&
         ((!layout && offset == 0) || is_expanded(from, layout));
}

static buddy_code rebase(buddy_node *node, access is, const buddy_value *storage,
                         const bd_layout *layout, int64_t offset, bd_layouts *layouts,
                         bd_arena *arena, buddy_diags *diags) {
  buddy_graph *graph = buddy_node_graph(node);
  places lies, where;
  if (is == RESIZE) {
    const buddy_code code = places_of(graph, buddy_value_type(buddy_node_result(node, 0)),
                                      format_of(node), offset, arena, &where);
    return code == BUDDY_UNSUPPORTED ? refuse(node, diags)
           : code                    ? code
                                     : set_to_storage(node, storage, &where, layouts, diags);
  }
  where = (places){*buddy_node_arg_find(node, "size"), *buddy_node_arg_find(node, "stride"),
                   *buddy_node_arg_find(node, "storage_offset")};
  if (where.offset.kind == BUDDY_ARG_NONE) where.offset = bd_int_arg(offset);
  if (is == READ) return look_at_storage(node, storage, &where, diags);
  if (is == MOVE) return set_to_storage(node, storage, &where, layouts, diags);
  const buddy_tensor_type *type = buddy_value_type(buddy_node_arg(node, 0)->as.tensor);
  BD_TRY(places_of(graph, type, NULL, offset, arena, &lies));
  if (layout) lies.stride = bd_ints_arg(layout->strides, type->rank);
  return scatter_into_storage(node, storage, &lies, &where, layouts, diags);
}

buddy_code bd_memory_rebase(buddy_node *node, bd_layouts *layouts, bool are_views_moved,
                            buddy_diags *diags) {
  const access is = access_of(buddy_node_op(node));
  if (!is || buddy_node_arg(node, 0)->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  const buddy_value *value = buddy_node_arg(node, 0)->as.tensor, *storage = value;
  const bd_layout *layout = bd_layouts_find(layouts, value);
  int64_t offset = 0;
  const buddy_code code = find_root(value, layouts, &storage, &offset);
  if (code == BUDDY_LIMIT) return refuse(node, diags);
  BD_TRY(code);
  if (is_of_tensor(node, is, layout, offset)) return BUDDY_OK;
  /* resize_ leaves it as it is where the sizes happen to be the same. */
  const bool is_open =
      is == RESIZE && layout && !format_of(node) &&
      may_have_same_dims(buddy_value_type(value), buddy_value_type(buddy_node_result(node, 0)));
  if (is == SCATTER_OUT || is_open) return refuse(node, diags);
  BD_TRY(find_storage(node, layouts, are_views_moved, diags, &storage));
  bd_arena arena;
  bd_arena_init(&arena);
  const buddy_code done = rebase(node, is, storage, layout, offset, layouts, &arena, diags);
  bd_arena_deinit(&arena);
  return done;
}
