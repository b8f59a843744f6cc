/* sdk/import/views_build.c: nodes that read a view again, or write through it. */
#include "sdk/import/build.h"
#include "sdk/import/views.h"

#define ARG(name_, value) ((buddy_named_arg){name_, value})

static buddy_arg ints_arg(const int64_t *ints, size_t n) {
  return (buddy_arg){.kind = BUDDY_ARG_INTS, .n = n, .as.ints = ints};
}

static buddy_arg tensor_arg(const buddy_value *value) {
  return (buddy_arg){.kind = BUDDY_ARG_TENSOR, .as.tensor = value};
}

/* The op that made the view, on another source. */
static buddy_code derive_other(const bd_view *view, const bd_build *at, const buddy_value *base,
                               const buddy_value **out_value) {
  const buddy_opdef *def = buddy_node_opdef(view->node);
  size_t source;
  if (!def || !bd_view_source(view->node, &source)) return BUDDY_INTERNAL;
  buddy_named_arg args[16];
  buddy_tensor_type types[16];
  const size_t n = buddy_node_n_args(view->node), n_results = buddy_node_n_results(view->node);
  if (n > 16 || n_results > 16) return BUDDY_UNSUPPORTED;
  for (size_t i = 0; i < n; ++i) {
    args[i] = ARG(buddy_node_arg_name(view->node, i),
                  i == source ? tensor_arg(base) : *buddy_node_arg(view->node, i));
  }
  for (size_t i = 0; i < n_results; ++i)
    types[i] = *buddy_value_type(buddy_node_result(view->node, i));
  buddy_node *node;
  BD_TRY(bd_build_node(at, buddy_node_op(view->node), args, n, types, n_results, &node));
  *out_value = buddy_node_result(node, view->result);
  return BUDDY_OK;
}

buddy_code bd_view_derive(const bd_view *view, buddy_node *before, buddy_graph *graph,
                          const buddy_value *base, buddy_diags *diags,
                          const buddy_value **out_value) {
  const bd_build at = {.graph = graph, .before = before, .diags = diags};
  const buddy_tensor_type *type = &view->type;
  const buddy_arg self = tensor_arg(base), *args = view->args;
  const buddy_arg size = ints_arg(type->dims, type->rank);
  switch (view->kind) {
    case BD_VIEW_SAME:
      *out_value = base;
      return BUDDY_OK;
    case BD_VIEW_RESHAPE:
      return bd_build_value(&at, "aten.view.default",
                            (buddy_named_arg[]){ARG("self", self), ARG("size", size)}, 2, type,
                            out_value);
    case BD_VIEW_EXPAND:
      return bd_build_value(&at, "aten.expand.default",
                            (buddy_named_arg[]){ARG("self", self), ARG("size", size)}, 2, type,
                            out_value);
    case BD_VIEW_PERMUTE:
      return bd_build_value(
          &at, "aten.permute.default",
          (buddy_named_arg[]){ARG("self", self), ARG("dims", ints_arg(view->dims, view->n_dims))},
          2, type, out_value);
    case BD_VIEW_SLICE:
      return bd_build_value(
          &at, "aten.slice.Tensor",
          (buddy_named_arg[]){ARG("self", self), ARG("dim", args[0]), ARG("start", args[1]),
                              ARG("end", args[2]), ARG("step", args[3])},
          5, type, out_value);
    case BD_VIEW_SELECT:
      return bd_build_value(
          &at, "aten.select.int",
          (buddy_named_arg[]){ARG("self", self), ARG("dim", args[0]), ARG("index", args[1])}, 3,
          type, out_value);
    case BD_VIEW_DIAGONAL:
      return bd_build_value(&at, "aten.diagonal.default",
                            (buddy_named_arg[]){ARG("self", self), ARG("offset", args[0]),
                                                ARG("dim1", args[1]), ARG("dim2", args[2])},
                            4, type, out_value);
    case BD_VIEW_AS_STRIDED:
      return bd_build_value(
          &at, "aten.as_strided.default",
          (buddy_named_arg[]){ARG("self", self), ARG("size", args[0]), ARG("stride", args[1]),
                              ARG("storage_offset", args[2])},
          4, type, out_value);
    default:
      return derive_other(view, &at, base, out_value);
  }
}

static buddy_code write_permuted(const bd_view *view, const bd_build *at,
                                 const buddy_tensor_type *type, const buddy_value *value,
                                 const buddy_value **out_value) {
  int64_t inverse[BD_VIEW_MAX_RANK];
  for (uint32_t i = 0; i < view->n_dims; ++i) inverse[view->dims[i]] = i;
  return bd_build_value(at, "aten.permute.default",
                        (buddy_named_arg[]){ARG("self", tensor_arg(value)),
                                            ARG("dims", ints_arg(inverse, view->n_dims))},
                        2, type, out_value);
}

/* Without dims that grow, an expansion only adds dims of 1. */
static bool is_plain_expansion(const bd_view *view, const buddy_tensor_type *base) {
  const uint32_t added = view->type.rank - base->rank;
  for (uint32_t i = 0; i < view->type.rank; ++i) {
    if (view->type.dims[i] != (i < added ? 1 : base->dims[i - added])) return false;
  }
  return true;
}

buddy_code bd_view_write(const bd_view *view, buddy_node *before, buddy_graph *graph,
                         const buddy_value *base, const buddy_value *value, buddy_diags *diags,
                         const buddy_value **out_value) {
  const bd_build at = {.graph = graph, .before = before, .diags = diags};
  const buddy_tensor_type *type = buddy_value_type(base);
  const buddy_arg self = tensor_arg(base), src = tensor_arg(value), *args = view->args;
  const buddy_arg size = ints_arg(type->dims, type->rank);
  const buddy_named_arg reshape[] = {ARG("self", src), ARG("size", size)};
  switch (view->kind) {
    case BD_VIEW_SAME:
      *out_value = value;
      return BUDDY_OK;
    case BD_VIEW_EXPAND:
      if (!is_plain_expansion(view, type)) return BUDDY_UNSUPPORTED;
      return bd_build_value(&at, "aten.view.default", reshape, 2, type, out_value);
    case BD_VIEW_RESHAPE:
      return bd_build_value(&at, "aten.view.default", reshape, 2, type, out_value);
    case BD_VIEW_PERMUTE:
      return write_permuted(view, &at, type, value, out_value);
    case BD_VIEW_SLICE:
      return bd_build_value(
          &at, "aten.slice_scatter.default",
          (buddy_named_arg[]){ARG("self", self), ARG("src", src), ARG("dim", args[0]),
                              ARG("start", args[1]), ARG("end", args[2]), ARG("step", args[3])},
          6, type, out_value);
    case BD_VIEW_SELECT:
      return bd_build_value(&at, "aten.select_scatter.default",
                            (buddy_named_arg[]){ARG("self", self), ARG("src", src),
                                                ARG("dim", args[0]), ARG("index", args[1])},
                            4, type, out_value);
    case BD_VIEW_DIAGONAL:
      return bd_build_value(
          &at, "aten.diagonal_scatter.default",
          (buddy_named_arg[]){ARG("self", self), ARG("src", src), ARG("offset", args[0]),
                              ARG("dim1", args[1]), ARG("dim2", args[2])},
          5, type, out_value);
    case BD_VIEW_AS_STRIDED:
      return bd_build_value(
          &at, "aten.as_strided_scatter.default",
          (buddy_named_arg[]){ARG("self", self), ARG("src", src), ARG("size", args[0]),
                              ARG("stride", args[1]), ARG("storage_offset", args[2])},
          5, type, out_value);
    default:
      return BUDDY_UNSUPPORTED;
  }
}

bool bd_view_may_overlap(const bd_view *view) {
  if (view->kind != BD_VIEW_AS_STRIDED) return false;
  const buddy_arg *sizes = &view->args[0], *strides = &view->args[1];
  if (sizes->kind != BUDDY_ARG_INTS || strides->kind != BUDDY_ARG_INTS || sizes->n != strides->n)
    return true;
  /* From the least stride up, each is larger than all offsets that those before it reach. */
  int64_t reach = 0, least = 0;
  for (size_t n = 0; n < sizes->n; ++n) {
    int64_t next = INT64_MAX, size = 1;
    size_t n_equal = 0;
    for (size_t i = 0; i < sizes->n; ++i) {
      if (BUDDY_IS_SYMBOLIC(sizes->as.ints[i]) || BUDDY_IS_SYMBOLIC(strides->as.ints[i]))
        return true;
      if (sizes->as.ints[i] < 2 || strides->as.ints[i] < least) continue;
      n_equal = strides->as.ints[i] == next  ? n_equal + 1
                : strides->as.ints[i] < next ? 1
                                             : n_equal;
      if (strides->as.ints[i] > next) continue;
      next = strides->as.ints[i];
      size = sizes->as.ints[i];
    }
    if (n_equal == 0) return false;
    int64_t last;
    if (n_equal > 1 || next <= reach || __builtin_mul_overflow(next, size - 1, &last) ||
        __builtin_add_overflow(reach, last, &reach))
      return true;
    least = next + 1;
  }
  return false;
}
