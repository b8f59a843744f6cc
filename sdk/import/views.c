// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/views.c: the view ops of ATen.
 *
 * One table says for each op what sort of view it makes and which function fills in the parameters.
 * Ops whose result is a view only sometimes (reshape, contiguous, to, dropout outside training)
 * look at types and strides as ATen does. Ops that only split a tensor into parts describe each
 * part as a slice from the sizes of the parts before it. */
#include "sdk/import/views_parts.h"

#include <string.h>

#include "core/graph/guards.h"
#include "core/graph/promotion.h"
#include "sdk/import/build.h"
#include "sdk/import/sizes.h"
#include "sdk/import/tables.h"

typedef buddy_code (*describe_function)(bd_describing *at);

/* ---- Arguments ---- */

static const buddy_arg *arg_of(const bd_describing *at, const char *name) {
  return buddy_node_arg_find(at->node, name);
}

/* A dim argument, counted from the front; `missing` if there is none of that name or it is no
 * number. */
static int64_t dim_arg(const bd_describing *at, const char *name, int64_t missing) {
  const buddy_arg *arg = arg_of(at, name);
  const int64_t rank = at->from->rank;
  if (!arg || arg->kind != BUDDY_ARG_INT || BUDDY_IS_SYMBOLIC(arg->as.i)) return missing;
  return arg->as.i < 0 ? arg->as.i + rank : arg->as.i;
}

/* ---- The sorts of views ---- */

static buddy_code describe_same(bd_describing *at) {
  at->view->kind = BD_VIEW_SAME;
  return BUDDY_OK;
}

static buddy_code describe_reshape(bd_describing *at) {
  at->view->kind = bd_same_dims(at->from, at->to) ? BD_VIEW_SAME : BD_VIEW_RESHAPE;
  return BUDDY_OK;
}

/* A view of this sort where the answer is yes, a copy where it is no. */
static buddy_code describe_if(bd_answer is_view, bd_describing *at, describe_function describe) {
  if (is_view == BD_YES) return describe(at);
  if (is_view == BD_DEPENDS) at->view->kind = BD_VIEW_MAYBE;
  return BUDDY_OK;
}

static buddy_code describe_maybe_reshape(bd_describing *at) {
  return describe_if(bd_view_can_reshape(at), at, describe_reshape);
}

/* contiguous(), and a view of that: a copy also where the elements could be seen in a row. */
static buddy_code describe_ravel(bd_describing *at) {
  return describe_if(bd_view_is_contiguous(at), at, describe_reshape);
}

static buddy_code describe_contiguous(bd_describing *at) {
  return describe_if(bd_view_has_same_strides(at), at, describe_same);
}

/* to() gives the tensor itself unless there is something to convert, a copy is asked for, or a memory
 * format that the tensor does not have. */
static buddy_code describe_conversion(bd_describing *at) {
  const buddy_arg *copy = arg_of(at, "copy");
  if (copy && copy->kind == BUDDY_ARG_BOOL && copy->as.i) return BUDDY_OK;
  if (at->from->dtype != at->to->dtype) return BUDDY_OK;
  const buddy_arg *format = arg_of(at, "memory_format");
  if (!format || format->kind != BUDDY_ARG_MEMORY_FORMAT || !strcmp(format->as.string, "preserve"))
    return describe_same(at);
  return describe_if(bd_view_has_format(at, format->as.string), at, describe_same);
}

static buddy_code describe_dropout(bd_describing *at) {
  const buddy_arg *train = arg_of(at, "train"), *p = arg_of(at, "p");
  const bool is_off = train && train->kind == BUDDY_ARG_BOOL && !train->as.i;
  const bool is_zero = p && p->kind == BUDDY_ARG_FLOAT && p->as.f == 0;
  if (is_off || is_zero) at->view->kind = BD_VIEW_SAME;
  return BUDDY_OK;
}

/* resize_ to other sizes that comes this far gets elements from anywhere (memory.h). */
static buddy_code describe_resize(bd_describing *at) {
  at->view->kind = bd_same_dims(at->from, at->to) ? BD_VIEW_SAME : BD_VIEW_OTHER;
  return BUDDY_OK;
}

static bool is_of_complex(const bd_describing *at) {
  return (BUDDY_DTYPE_BIT(at->from->dtype) & BUDDY_COMPLEXES) != 0;
}

/* Of real tensors these ops give the tensor itself. */
static buddy_code describe_real(bd_describing *at) {
  at->view->kind = is_of_complex(at) ? BD_VIEW_REAL : BD_VIEW_SAME;
  return BUDDY_OK;
}

static buddy_code describe_conj(bd_describing *at) {
  at->view->kind = is_of_complex(at) ? BD_VIEW_INVOLUTION : BD_VIEW_SAME;
  return BUDDY_OK;
}

/* A copy of what is conjugated, and the tensor itself of what is not. */
static buddy_code describe_resolve_conj(bd_describing *at) {
  at->view->kind = is_of_complex(at) ? BD_VIEW_OTHER : BD_VIEW_SAME;
  return BUDDY_OK;
}

/* A part of complex numbers, all parts, and the numbers that parts make. */
static buddy_code describe_parts(bd_describing *at) {
  const char *op = buddy_node_op(at->node);
  at->view->kind = !strncmp(op, "aten.imag", 9)            ? BD_VIEW_IMAG
                   : !strncmp(op, "aten.view_as_real", 17) ? BD_VIEW_AS_REAL
                                                           : BD_VIEW_AS_COMPLEX;
  return BUDDY_OK;
}

static buddy_code describe_involution(bd_describing *at) {
  at->view->kind = BD_VIEW_INVOLUTION;
  return BUDDY_OK;
}

/* conj_physical() copies complex tensors, and gives real ones as they are. */
static buddy_code describe_conj_physical(bd_describing *at) {
  if (!is_of_complex(at)) at->view->kind = BD_VIEW_SAME;
  return BUDDY_OK;
}

/* The tensor itself where there is nothing to do, else a new one. */
static buddy_code describe_unless_changed(bd_describing *at) {
  return describe_if(bd_view_has_same_dims(at), at, describe_same);
}

/* cartesian_prod() of one vector is that vector. */
static buddy_code describe_cartesian_prod(bd_describing *at) {
  if (arg_of(at, "tensors")->n == 1) at->view->kind = BD_VIEW_SAME;
  return BUDDY_OK;
}

/* einsum() of one operand sums over the letters that the result has not; without such a letter it is
 * a permuted view, or one of a diagonal. */
static buddy_code describe_einsum(bd_describing *at) {
  const buddy_arg *equation = arg_of(at, "equation");
  if (arg_of(at, "tensors")->n != 1 || equation->kind != BUDDY_ARG_STRING) return BUDDY_OK;
  const char *text = equation->as.string, *arrow = strstr(text, "->");
  for (const char *at_letter = text; *at_letter && at_letter != arrow; ++at_letter) {
    if (*at_letter == ' ') continue;
    /* Without an arrow the result has the letters that are there once, and the ellipsis. */
    const bool is_kept =
        arrow ? strchr(arrow + 2, *at_letter) != NULL
              : *at_letter == '.' || strchr(text, *at_letter) == strrchr(text, *at_letter);
    if (!is_kept) return BUDDY_OK;
  }
  at->view->kind = BD_VIEW_OTHER;
  return BUDDY_OK;
}

static buddy_code describe_expand(bd_describing *at) {
  at->view->kind = bd_same_dims(at->from, at->to) ? BD_VIEW_SAME : BD_VIEW_EXPAND;
  return BUDDY_OK;
}

static buddy_code describe_slice(bd_describing *at) {
  at->view->kind = BD_VIEW_SLICE;
  at->view->args[0] = bd_int_arg(dim_arg(at, "dim", 0));
  at->view->args[1] = *arg_of(at, "start");
  at->view->args[2] = *arg_of(at, "end");
  at->view->args[3] = *arg_of(at, "step");
  return BUDDY_OK;
}

static buddy_code describe_told(bd_describing *at, int64_t dim, int64_t start, int64_t end) {
  at->view->kind = BD_VIEW_SLICE;
  at->view->args[0] = bd_int_arg(dim);
  at->view->args[1] = bd_int_arg(start);
  at->view->args[2] = bd_int_arg(end);
  at->view->args[3] = bd_int_arg(1);
  return BUDDY_OK;
}

static buddy_code describe_range(bd_describing *at, int64_t dim, int64_t start) {
  buddy_graph *graph = buddy_value_graph(at->source);
  int64_t end;
  if (dim < 0 || dim >= at->to->rank) return BUDDY_UNSUPPORTED;
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_ADD, start, at->to->dims[dim], &end));
  /* Not brought into the tensor, as the ends of slices are. */
  BD_TRY(bd_graph_require(graph, BD_LE, 0, start, at->node, NULL));
  BD_TRY(bd_graph_require(graph, BD_LE, end, at->from->dims[dim], at->node, NULL));
  return describe_told(at, dim, start, end);
}

static buddy_code describe_narrow(bd_describing *at) {
  const int64_t dim = dim_arg(at, "dim", -1);
  const buddy_arg *start = arg_of(at, "start");
  if (dim < 0 || dim >= at->from->rank || start->kind != BUDDY_ARG_INT) {
    at->view->kind = BD_VIEW_OTHER;
    return BUDDY_OK;
  }
  int64_t first;
  BD_TRY(bd_position_wrap(buddy_value_graph(at->source), start->as.i, at->from->dims[dim], &first));
  return describe_range(at, dim, first);
}

/* Parts of one size, the last of what is left. */
static buddy_code describe_equal_part(bd_describing *at, int64_t dim, int64_t size) {
  buddy_graph *graph = buddy_value_graph(at->source);
  int64_t start, end;
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MUL, size, (int64_t)at->result, &start));
  BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_ADD, start, size, &end));
  return describe_told(at, dim, start, end);
}

/* A part begins where the parts before it end, and has the size that is told, if one is. */
static buddy_code describe_next_part(bd_describing *at, int64_t dim, const buddy_arg *sizes) {
  buddy_graph *graph = buddy_value_graph(at->source);
  int64_t start = 0;
  for (size_t i = 0; i < at->result; ++i) {
    const buddy_tensor_type *part = buddy_value_type(buddy_node_result(at->node, i));
    if (dim >= part->rank) return BUDDY_UNSUPPORTED;
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_ADD, start, part->dims[dim], &start));
  }
  if (sizes && sizes->kind == BUDDY_ARG_INTS && at->result < sizes->n)
    BD_TRY(bd_graph_require_equal(graph, sizes->as.ints[at->result], at->to->dims[dim], at->node,
                                  NULL));
  return describe_range(at, dim, start);
}

static buddy_code describe_part(bd_describing *at) {
  int64_t dim = dim_arg(at, "dim", 0);
  const char *op = buddy_node_op(at->node);
  if (!strncmp(op, "aten.hsplit", 11)) dim = at->from->rank > 1;
  if (!strncmp(op, "aten.vsplit", 11)) dim = 0;
  if (!strncmp(op, "aten.dsplit", 11)) dim = 2;
  if (dim < 0 || dim >= at->to->rank) return BUDDY_UNSUPPORTED;
  const buddy_arg *size = buddy_node_arg_find(at->node, "split_size"),
                  *sizes = size ? size : buddy_node_arg_find(at->node, "split_sizes"),
                  *ends = buddy_node_arg_find(at->node, "indices");
  if (size && size->kind == BUDDY_ARG_INT) return describe_equal_part(at, dim, size->as.i);
  if (!ends || ends->kind != BUDDY_ARG_INTS) return describe_next_part(at, dim, sizes);
  const size_t i = at->result;
  return describe_told(at, dim, i ? ends->as.ints[i - 1] : 0,
                       i < ends->n ? ends->as.ints[i] : INT64_MAX);
}

static buddy_code describe_select(bd_describing *at) {
  const buddy_arg *index = arg_of(at, "index");
  at->view->kind = index->kind == BUDDY_ARG_INT ? BD_VIEW_SELECT : BD_VIEW_OTHER;
  at->view->args[0] = bd_int_arg(dim_arg(at, "dim", 0));
  at->view->args[1] = *index;
  return BUDDY_OK;
}

static buddy_code describe_unbind(bd_describing *at) {
  at->view->kind = BD_VIEW_SELECT;
  at->view->args[0] = bd_int_arg(dim_arg(at, "dim", 0));
  at->view->args[1] = bd_int_arg((int64_t)at->result);
  return BUDDY_OK;
}

static buddy_code describe_diagonal(bd_describing *at) {
  at->view->kind = BD_VIEW_DIAGONAL;
  at->view->args[0] = *arg_of(at, "offset");
  at->view->args[1] = bd_int_arg(dim_arg(at, "dim1", 0));
  at->view->args[2] = bd_int_arg(dim_arg(at, "dim2", 1));
  return BUDDY_OK;
}

/* Size and strides are those of the storage: they say something about values only if the source is
 * laid out as one. */
static buddy_code describe_as_strided(bd_describing *at) {
  const buddy_arg *offset = arg_of(at, "storage_offset");
  at->view->kind = bd_view_strides(at->layouts, at->source) ? BD_VIEW_OTHER : BD_VIEW_AS_STRIDED;
  at->view->args[0] = *arg_of(at, "size");
  at->view->args[1] = *arg_of(at, "stride");
  at->view->args[2] = offset->kind == BUDDY_ARG_NONE ? bd_int_arg(0) : *offset;
  return BUDDY_OK;
}

static buddy_code describe_other(bd_describing *at) {
  at->view->kind = BD_VIEW_OTHER;
  return BUDDY_OK;
}

/* A bool is 0 or 1, whatever bytes it is given. */
static buddy_code describe_bits(bd_describing *at) {
  const buddy_dtype from = at->from->dtype, to = at->to->dtype;
  const bool is_whole =
      buddy_dtype_size(from) == buddy_dtype_size(to) && from != BUDDY_BOOL && to != BUDDY_BOOL;
  at->view->kind = is_whole ? BD_VIEW_BITS : BD_VIEW_OTHER;
  return BUDDY_OK;
}

/* ---- Permutations ---- */

static int64_t *new_permutation(bd_describing *at) {
  int64_t *dims = bd_arena_alloc(at->arena, BD_VIEW_MAX_RANK * sizeof *dims);
  if (!dims) return NULL;
  at->view->kind = BD_VIEW_PERMUTE;
  at->view->n_dims = at->from->rank;
  at->view->dims = dims;
  for (uint32_t i = 0; i < at->from->rank; ++i) dims[i] = i;
  return dims;
}

static buddy_code describe_swap_of(bd_describing *at, int64_t a, int64_t b) {
  int64_t *dims = new_permutation(at);
  if (!dims) return BUDDY_OUT_OF_MEMORY;
  const int64_t rank = at->from->rank;
  if (rank == 0) return describe_same(at);
  if (a < 0 || b < 0 || a >= rank || b >= rank) return BUDDY_UNSUPPORTED;
  dims[a] = b;
  dims[b] = a;
  return BUDDY_OK;
}

static buddy_code describe_transpose(bd_describing *at) {
  const bool is_dims = arg_of(at, "dim0") != NULL; /* swapaxes calls them axis0 and axis1 */
  return describe_swap_of(at, dim_arg(at, is_dims ? "dim0" : "axis0", 0),
                          dim_arg(at, is_dims ? "dim1" : "axis1", 0));
}

static buddy_code describe_t(bd_describing *at) {
  return at->from->rank < 2 ? describe_same(at) : describe_swap_of(at, 0, 1);
}

static buddy_code describe_last_two(bd_describing *at) {
  if (is_of_complex(at)) return describe_involution(at); /* adjoint conjugates */
  const int64_t rank = at->from->rank;
  return rank < 2 ? describe_same(at) : describe_swap_of(at, rank - 2, rank - 1);
}

static buddy_code describe_reverse(bd_describing *at) {
  int64_t *dims = new_permutation(at);
  if (!dims) return BUDDY_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < at->from->rank; ++i) dims[i] = (int64_t)at->from->rank - 1 - i;
  return BUDDY_OK;
}

static buddy_code describe_permute(bd_describing *at) {
  const buddy_arg *given = arg_of(at, "dims");
  int64_t *dims = new_permutation(at);
  if (!dims) return BUDDY_OUT_OF_MEMORY;
  if (given->kind != BUDDY_ARG_INTS || given->n != at->from->rank) return BUDDY_UNSUPPORTED;
  for (size_t i = 0; i < given->n; ++i) {
    const int64_t dim =
        given->as.ints[i] < 0 ? given->as.ints[i] + (int64_t)given->n : given->as.ints[i];
    if (dim < 0 || dim >= (int64_t)given->n) return BUDDY_UNSUPPORTED;
    dims[i] = dim;
  }
  return BUDDY_OK;
}

/* movedim: the dims named go where they are told, the others fill up in order. */
static buddy_code describe_movedim(bd_describing *at) {
  const buddy_arg *source = arg_of(at, "source"), *target = arg_of(at, "destination");
  const bool is_list = source->kind == BUDDY_ARG_INTS;
  const size_t n = is_list ? source->n : 1;
  const int64_t *from = is_list ? source->as.ints : &source->as.i;
  const int64_t *to = is_list ? target->as.ints : &target->as.i;
  const int64_t rank = at->from->rank;
  int64_t *dims = new_permutation(at);
  if (!dims) return BUDDY_OUT_OF_MEMORY;
  bool is_moved[BD_VIEW_MAX_RANK] = {false};
  if (rank == 0) return describe_same(at);
  if ((is_list && target->n != n) || n > (size_t)rank) return BUDDY_UNSUPPORTED;
  for (int64_t i = 0; i < rank; ++i) dims[i] = -1;
  for (size_t i = 0; i < n; ++i) {
    const int64_t a = from[i] < 0 ? from[i] + rank : from[i], b = to[i] < 0 ? to[i] + rank : to[i];
    if (a < 0 || b < 0 || a >= rank || b >= rank || is_moved[a] || dims[b] >= 0)
      return BUDDY_UNSUPPORTED;
    dims[b] = a;
    is_moved[a] = true;
  }
  for (int64_t i = 0, next = 0; i < rank; ++i) {
    if (dims[i] >= 0) continue;
    while (is_moved[next]) ++next;
    dims[i] = next++;
  }
  return BUDDY_OK;
}

/* ---- The table ---- */

typedef struct view_op {
  const char *op;     /* without overload; "_" at the end is ignored when looked for */
  const char *source; /* the argument; a list's overload calls it "tensors" */
  describe_function describe;
} view_op;

/* Sorted by op. */
static const view_op view_ops[] = {
    {"aten._cast_Byte", "self", describe_conversion},
    {"aten._cast_Char", "self", describe_conversion},
    {"aten._cast_Double", "self", describe_conversion},
    {"aten._cast_Float", "self", describe_conversion},
    {"aten._cast_Half", "self", describe_conversion},
    {"aten._cast_Int", "self", describe_conversion},
    {"aten._cast_Long", "self", describe_conversion},
    {"aten._cast_Short", "self", describe_conversion},
    {"aten._conj", "self", describe_conj},
    {"aten._neg_view", "self", describe_involution},
    {"aten._reshape_alias", "self", describe_reshape},
    {"aten.adjoint", "self", describe_last_two},
    {"aten.alias", "self", describe_same},
    {"aten.alpha_dropout", "input", describe_dropout},
    {"aten.as_strided", "self", describe_as_strided},
    {"aten.atleast_1d", "self", describe_reshape},
    {"aten.atleast_2d", "self", describe_reshape},
    {"aten.atleast_3d", "self", describe_reshape},
    {"aten.broadcast_tensors", "tensors", describe_expand},
    {"aten.broadcast_to", "self", describe_expand},
    {"aten.cartesian_prod", "tensors", describe_cartesian_prod},
    {"aten.chunk", "self", describe_part},
    {"aten.conj", "self", describe_conj},
    {"aten.conj_physical", "self", describe_conj_physical},
    {"aten.contiguous", "self", describe_contiguous},
    {"aten.detach", "self", describe_same},
    {"aten.diagonal", "self", describe_diagonal},
    {"aten.dropout", "input", describe_dropout},
    {"aten.dsplit", "self", describe_part},
    {"aten.einsum", "tensors", describe_einsum},
    {"aten.expand", "self", describe_expand},
    {"aten.expand_as", "self", describe_expand},
    {"aten.feature_alpha_dropout", "input", describe_dropout},
    {"aten.feature_dropout", "input", describe_dropout},
    {"aten.flatten", "self", describe_maybe_reshape},
    {"aten.hsplit", "self", describe_part},
    {"aten.imag", "self", describe_parts},
    {"aten.lift", "self", describe_same},
    {"aten.lift_fresh", "self", describe_same},
    {"aten.linalg_diagonal", "A", describe_diagonal},
    {"aten.mH", "self", describe_last_two},
    {"aten.mT", "self", describe_last_two},
    {"aten.matrix_H", "self", describe_last_two},
    {"aten.movedim", "self", describe_movedim},
    {"aten.narrow", "self", describe_narrow},
    {"aten.numpy_T", "self", describe_reverse},
    {"aten.permute", "self", describe_permute},
    {"aten.positive", "self", describe_same},
    {"aten.ravel", "self", describe_ravel},
    {"aten.real", "self", describe_real},
    {"aten.requires_grad", "self", describe_same},
    {"aten.reshape", "self", describe_maybe_reshape},
    {"aten.reshape_as", "self", describe_maybe_reshape},
    {"aten.resize", "self", describe_resize},
    {"aten.resize_as", "self", describe_resize},
    {"aten.resolve_conj", "self", describe_resolve_conj},
    {"aten.resolve_neg", "self", describe_same},
    {"aten.select", "self", describe_select},
    {"aten.slice", "self", describe_slice},
    {"aten.split", "self", describe_part},
    {"aten.split_with_sizes", "self", describe_part},
    {"aten.squeeze", "self", describe_reshape},
    {"aten.sum_to_size", "self", describe_unless_changed},
    {"aten.swapaxes", "self", describe_transpose},
    {"aten.swapdims", "self", describe_transpose},
    {"aten.t", "self", describe_t},
    {"aten.tensor_split", "self", describe_part},
    {"aten.to", "self", describe_conversion},
    {"aten.transpose", "self", describe_transpose},
    {"aten.type_as", "self", describe_conversion},
    {"aten.unbind", "self", describe_unbind},
    {"aten.unflatten", "self", describe_reshape},
    {"aten.unsafe_chunk", "self", describe_part},
    {"aten.unsafe_split", "self", describe_part},
    {"aten.unsafe_split_with_sizes", "self", describe_part},
    {"aten.unsqueeze", "self", describe_reshape},
    {"aten.view", "self", describe_reshape},
    {"aten.view_as", "self", describe_reshape},
    {"aten.view_as_complex", "self", describe_parts},
    {"aten.view_as_real", "self", describe_parts},
    {"aten.vsplit", "self", describe_part},
};

/* Writes the op without its overload, and without the "_" of in-place ops. */
static bool base_name(const char *op, char *base, size_t size, bool *out_in_place) {
  const char *dot = strrchr(op, '.');
  size_t n = dot ? (size_t)(dot - op) : strlen(op);
  if (n + 1 > size || n == 0) return false;
  *out_in_place = op[n - 1] == '_' && n > 1 && op[n - 2] != '_';
  if (*out_in_place) --n;
  memcpy(base, op, n);
  base[n] = 0;
  return true;
}

/* Null: the overload has neither. */
static const char *source_name(const buddy_node *node, const view_op *op) {
  if (buddy_node_arg_find(node, op->source)) return op->source;
  return buddy_node_arg_find(node, "tensors") ? "tensors" : NULL;
}

static const view_op *find_view_op(const buddy_node *node, bool *out_in_place) {
  char base[96];
  if (!base_name(buddy_node_op(node), base, sizeof base, out_in_place)) return NULL;
  const view_op *found = BD_ROW_OF(base, view_ops);
  if (!found || !source_name(node, found)) return NULL;
  if (found->describe == describe_resize && !*out_in_place) return NULL; /* gives a new tensor */
  /* The view of a dtype looks at the same bytes in another way. */
  return strcmp(buddy_node_op(node), "aten.view.dtype") ? found : NULL;
}

bool bd_view_is_in_place(const buddy_node *node) {
  bool is_in_place;
  const view_op *op = find_view_op(node, &is_in_place);
  return op && is_in_place && op->describe != describe_dropout &&
         op->describe != describe_conj_physical;
}

bool bd_view_source(const buddy_node *node, size_t *out_arg) {
  const buddy_opdef *def = buddy_node_opdef(node);
  bool is_in_place;
  if (!def) return false;
  const view_op *op = find_view_op(node, &is_in_place);
  if (op) {
    const char *source = source_name(node, op);
    if (!source) return false;
    const buddy_sv name = {source, strlen(source)};
    return !buddy_opdef_arg_find(def, name, out_arg);
  }
  for (size_t i = 0; i < buddy_opdef_n_args(def); ++i) {
    if (!buddy_opdef_arg(def, i)->is_alias) continue;
    *out_arg = i;
    return true;
  }
  return false;
}

static buddy_code copy_type(bd_arena *arena, const buddy_tensor_type *type,
                            buddy_tensor_type *out_type) {
  int64_t *dims = bd_arena_alloc(arena, type->rank * sizeof *dims);
  if (!dims) return BUDDY_OUT_OF_MEMORY;
  if (type->rank) memcpy(dims, type->dims, type->rank * sizeof *dims);
  *out_type = (buddy_tensor_type){.dtype = type->dtype, .rank = type->rank, .dims = dims};
  return BUDDY_OK;
}

buddy_code bd_view_describe(const buddy_node *node, size_t i, const buddy_value *source,
                            const bd_layouts *layouts, bd_arena *arena, bd_view *out_view) {
  *out_view = (bd_view){.kind = BD_VIEW_NONE, .node = node, .result = (uint32_t)i};
  const buddy_tensor_type *to = buddy_value_type(buddy_node_result(node, i));
  bd_describing at = {.node = node,
                      .result = i,
                      .source = source,
                      .from = buddy_value_type(source),
                      .to = to,
                      .layouts = layouts,
                      .arena = arena,
                      .view = out_view};
  BD_TRY(copy_type(arena, to, &out_view->type));
  bool is_in_place;
  const view_op *op = find_view_op(node, &is_in_place);
  if (!op && strcmp(buddy_node_op(node), "aten.view.dtype") == 0) return describe_bits(&at);
  BD_TRY(op ? op->describe(&at) : describe_other(&at));
  /* What is declared of another dtype is the op's own: no view of the elements gives it. */
  const bd_view_kind kind = out_view->kind;
  const bool is_same = at.from->dtype == to->dtype,
             is_near = bd_dtype_real_part(at.from->dtype) == bd_dtype_real_part(to->dtype),
             is_part = kind >= BD_VIEW_REAL && kind <= BD_VIEW_AS_COMPLEX,
             is_told = is_part ? is_near && !is_same : is_same || kind == BD_VIEW_BITS;
  if (kind != BD_VIEW_NONE && !is_told) out_view->kind = BD_VIEW_OTHER;
  return BUDDY_OK;
}
