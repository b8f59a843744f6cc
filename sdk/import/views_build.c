// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/views_build.c: nodes that read a view again, or write through it. */
#include "sdk/import/build.h"
#include "sdk/import/views.h"

/* The op that made the view, on another source; `type` is that of its result. */
static buddy_code build_again(const bd_view *view, const bd_build *at, const buddy_value *source,
                              const buddy_tensor_type *type, const buddy_value **out_value) {
  const buddy_opdef *def = buddy_node_opdef(view->node);
  size_t place;
  if (!def || !bd_view_source(view->node, &place)) return BUDDY_INTERNAL;
  buddy_named_arg args[16];
  buddy_tensor_type types[16];
  const size_t n = buddy_node_n_args(view->node), n_results = buddy_node_n_results(view->node);
  if (n > 16 || n_results > 16) return BUDDY_UNSUPPORTED;
  for (size_t i = 0; i < n; ++i) {
    args[i] =
        (buddy_named_arg){buddy_node_arg_name(view->node, i),
                          i == place ? bd_tensor_arg(source) : *buddy_node_arg(view->node, i)};
  }
  for (size_t i = 0; i < n_results; ++i)
    types[i] = i == view->result ? *type : *buddy_value_type(buddy_node_result(view->node, i));
  buddy_node *node;
  BD_TRY(bd_build_node(at, buddy_node_op(view->node), args, n, types, n_results, &node));
  *out_value = buddy_node_result(node, view->result);
  return BUDDY_OK;
}

/* Views of a part by the arguments that they keep, and the same with the part replaced. */
static const struct {
  const char *read, *write, *args[4];
} parts[] = {
    [BD_VIEW_SLICE] = {"aten.slice.Tensor",
                       "aten.slice_scatter.default",
                       {"dim", "start", "end", "step"}},
    [BD_VIEW_SELECT] = {"aten.select.int", "aten.select_scatter.default", {"dim", "index"}},
    [BD_VIEW_DIAGONAL] = {"aten.diagonal.default",
                          "aten.diagonal_scatter.default",
                          {"offset", "dim1", "dim2"}},
    [BD_VIEW_AS_STRIDED] = {"aten.as_strided.default",
                            "aten.as_strided_scatter.default",
                            {"size", "stride", "storage_offset"}}};

/* src: what replaces the part; null: it is read. */
static buddy_code build_part(const bd_view *view, const bd_build *at, const buddy_value *self,
                             const buddy_value *src, const buddy_tensor_type *type,
                             const buddy_value **out_value) {
  buddy_named_arg args[6] = {{"self", bd_tensor_arg(self)}, {"src", bd_tensor_arg(src)}};
  size_t n = src ? 2 : 1;
  for (size_t i = 0; i < 4 && parts[view->kind].args[i]; ++i)
    args[n++] = (buddy_named_arg){parts[view->kind].args[i], view->args[i]};
  return bd_build_value(at, src ? parts[view->kind].write : parts[view->kind].read, args, n, type,
                        out_value);
}

buddy_code bd_view_derive(const bd_view *view, buddy_node *before, buddy_graph *graph,
                          const buddy_value *base, buddy_diags *diags,
                          const buddy_value **out_value) {
  const bd_build at = {.graph = graph, .before = before, .diags = diags};
  const buddy_tensor_type *type = &view->type;
  const buddy_named_arg self = {"self", bd_tensor_arg(base)};
  switch (view->kind) {
    case BD_VIEW_SAME:
      *out_value = base;
      return BUDDY_OK;
    case BD_VIEW_RESHAPE:
      return bd_build_view(&at, base, type, out_value);
    case BD_VIEW_EXPAND:
      return bd_build_value(&at, "aten.expand.default",
                            (buddy_named_arg[]){self, {"size", bd_size_arg(type)}}, 2, type,
                            out_value);
    case BD_VIEW_PERMUTE:
      return bd_build_value(
          &at, "aten.permute.default",
          (buddy_named_arg[]){self, {"dims", bd_ints_arg(view->dims, view->n_dims)}}, 2, type,
          out_value);
    case BD_VIEW_SLICE:
    case BD_VIEW_SELECT:
    case BD_VIEW_DIAGONAL:
    case BD_VIEW_AS_STRIDED:
      return build_part(view, &at, base, NULL, type, out_value);
    default:
      return build_again(view, &at, base, type, out_value);
  }
}

static buddy_code write_permuted(const bd_view *view, const bd_build *at,
                                 const buddy_tensor_type *type, const buddy_value *value,
                                 const buddy_value **out_value) {
  int64_t inverse[BD_VIEW_MAX_RANK];
  for (uint32_t i = 0; i < view->n_dims; ++i) inverse[view->dims[i]] = i;
  return bd_build_value(at, "aten.permute.default",
                        (buddy_named_arg[]){{"self", bd_tensor_arg(value)},
                                            {"dims", bd_ints_arg(inverse, view->n_dims)}},
                        2, type, out_value);
}

/* The complex numbers with one part of them replaced by `value`. */
static buddy_code write_part(const bd_view *view, const bd_build *at, const buddy_value *base,
                             const buddy_value *value, const buddy_value **out_value) {
  const bool is_real = view->kind == BD_VIEW_REAL;
  const buddy_value *kept;
  BD_TRY(bd_build_value(at, is_real ? "aten.imag.default" : "aten.real.default",
                        (buddy_named_arg[]){{"self", bd_tensor_arg(base)}}, 1, &view->type, &kept));
  return bd_build_value(at, "aten.complex.default",
                        (buddy_named_arg[]){{"real", bd_tensor_arg(is_real ? value : kept)},
                                            {"imag", bd_tensor_arg(is_real ? kept : value)}},
                        2, buddy_value_type(base), out_value);
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
  const buddy_named_arg self = {"self", bd_tensor_arg(value)};
  switch (view->kind) {
    case BD_VIEW_SAME:
      *out_value = value;
      return BUDDY_OK;
    case BD_VIEW_EXPAND:
      if (!is_plain_expansion(view, type)) return BUDDY_UNSUPPORTED;
      return bd_build_view(&at, value, type, out_value);
    case BD_VIEW_RESHAPE:
      return bd_build_view(&at, value, type, out_value);
    case BD_VIEW_BITS:
      return bd_build_value(&at, "aten.view.dtype",
                            (buddy_named_arg[]){self, {"dtype", bd_dtype_arg(type->dtype)}}, 2,
                            type, out_value);
    case BD_VIEW_PERMUTE:
      return write_permuted(view, &at, type, value, out_value);
    case BD_VIEW_REAL:
    case BD_VIEW_IMAG:
      return write_part(view, &at, base, value, out_value);
    case BD_VIEW_AS_REAL:
      return bd_build_value(&at, "aten.view_as_complex.default", &self, 1, type, out_value);
    case BD_VIEW_AS_COMPLEX:
      return bd_build_value(&at, "aten.view_as_real.default", &self, 1, type, out_value);
    case BD_VIEW_INVOLUTION:
      return build_again(view, &at, value, type, out_value);
    case BD_VIEW_SLICE:
    case BD_VIEW_SELECT:
    case BD_VIEW_DIAGONAL:
    case BD_VIEW_AS_STRIDED:
      return build_part(view, &at, base, value, type, out_value);
    default:
      return BUDDY_UNSUPPORTED;
  }
}

/* Sorts dims by stride, the least first. */
static void sort_strides(int64_t *strides, int64_t *sizes, size_t n) {
  for (size_t i = 1; i < n; ++i) {
    const int64_t stride = strides[i], size = sizes[i];
    size_t k = i;
    for (; k > 0 && strides[k - 1] > stride; --k) {
      strides[k] = strides[k - 1];
      sizes[k] = sizes[k - 1];
    }
    strides[k] = stride;
    sizes[k] = size;
  }
}

bool bd_view_may_overlap(const bd_view *view) {
  if (view->kind != BD_VIEW_AS_STRIDED) return false;
  const buddy_arg *size = &view->args[0], *stride = &view->args[1];
  int64_t sizes[BD_VIEW_MAX_RANK], strides[BD_VIEW_MAX_RANK];
  size_t n = 0;
  if (size->kind != BUDDY_ARG_INTS || stride->kind != BUDDY_ARG_INTS || size->n != stride->n ||
      size->n > BD_VIEW_MAX_RANK)
    return true;
  for (size_t i = 0; i < size->n; ++i) {
    if (size->as.ints[i] == 0) return false;
    if (size->as.ints[i] == 1) continue;
    if (BUDDY_IS_SYMBOLIC(stride->as.ints[i])) return true;
    strides[n] = stride->as.ints[i];
    sizes[n++] = size->as.ints[i];
  }
  sort_strides(strides, sizes, n);
  int64_t reach = 0; /* the largest offset within the dims so far: the next stride is beyond it */
  for (size_t i = 0; i < n; ++i) {
    int64_t last;
    if (strides[i] <= reach) return true;
    if (BUDDY_IS_SYMBOLIC(sizes[i]))
      reach = INT64_MAX;
    else if (__builtin_mul_overflow(strides[i], sizes[i] - 1, &last) ||
             __builtin_add_overflow(reach, last, &reach))
      return true;
  }
  return false;
}
