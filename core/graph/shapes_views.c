// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/shapes_views.c: shapes of what shows, moves or repeats the elements of one tensor. */
#include <string.h>

#include "core/graph/shapes.h"
#include "core/base/try.h"

/* What a view or a part is taken of. */
static buddy_code begin(bd_question *q, const buddy_tensor_type **out_type) {
  *out_type = bd_first_tensor(q);
  return *out_type ? BUDDY_OK : bd_contradiction(q, "no argument is a tensor");
}

static buddy_code any_rank(bd_shape *out) {
  out->rank = BD_ANY_RANK;
  return BUDDY_OK;
}

/* The list of sizes, whichever name it has. */
static const buddy_arg *sizes_of(const bd_question *q) {
  static const char *const names[] = {"size", "shape", "sizes"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const buddy_arg *found = bd_list_named(q, names[i]);
    if (found) return found;
  }
  return NULL;
}

/* ---- Reshapes ---- */

/* Sizes of which at most one is -1, which stands for what is left of `total` elements. */
static buddy_code fill_sizes(bd_question *q, const buddy_arg *sizes, int64_t total, bd_shape *out) {
  int64_t known = 1;
  uint32_t at = BD_ANY_RANK;
  for (size_t i = 0; i < sizes->n; ++i) {
    const int64_t size = sizes->as.ints[i];
    BD_TRY(bd_shape_push(q, out, size));
    if (size == -1) {
      if (at != BD_ANY_RANK) return bd_contradiction(q, "two sizes are to be found out");
      at = out->rank - 1;
    } else if (!BUDDY_IS_SYMBOLIC(size) && size < 0) {
      return bd_contradiction(q, "a size is negative");
    } else {
      known = bd_dim_do(q, BUDDY_DIM_MUL, known, size);
    }
  }
  if (at == BD_ANY_RANK) {
    if (bd_dims_may_equal(q, total, known)) return BUDDY_OK;
    return bd_contradiction(q, "the sizes are not those of as many elements");
  }
  out->dims[at] = BD_ANY_DIM;
  if (BUDDY_IS_SYMBOLIC(known) || known == 0 || known == BD_ANY_DIM) return BUDDY_OK;
  if (total == BD_ANY_DIM || BUDDY_IS_SYMBOLIC(total)) return BUDDY_OK;
  if (total % known) return bd_contradiction(q, "the sizes are not those of as many elements");
  out->dims[at] = total / known;
  return BUDDY_OK;
}

buddy_code bd_shape_view(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  const buddy_code code = begin(q, &type);
  const buddy_arg *sizes = sizes_of(q);
  if (code || !sizes) return code ? code : any_rank(out);
  out->rank = 0;
  return fill_sizes(q, sizes, bd_dims_product(q, type->dims, type->rank), out);
}

/* The same memory as elements of another size: there are more or fewer of them along the last dim. */
buddy_code bd_shape_view_dtype(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  const buddy_arg *dtype = buddy_node_arg_find(q->node, "dtype");
  BD_TRY(begin(q, &type));
  if (!dtype || dtype->kind != BUDDY_ARG_DTYPE) return any_rank(out);
  const int64_t from = (int64_t)buddy_dtype_size(type->dtype),
                to = (int64_t)buddy_dtype_size((buddy_dtype)dtype->as.i);
  bd_shape_copy(out, type);
  if (from == to) return BUDDY_OK;
  if (type->rank == 0) return bd_contradiction(q, "a 0-d tensor keeps the size of its element");
  int64_t *last = &out->dims[type->rank - 1];
  if (!BUDDY_IS_SYMBOLIC(*last) && to && *last % ((to + from - 1) / from))
    return bd_contradiction(q, "the last dim does not divide into the new elements");
  *last = to ? bd_dim_do(q, BUDDY_DIM_FLOORDIV, bd_dim_do(q, BUDDY_DIM_MUL, *last, from), to)
             : BD_ANY_DIM;
  return BUDDY_OK;
}

/* All elements in one dim, or those along "dim", of which there are as many as differ. */
buddy_code bd_shape_unique(bd_question *q, uint32_t result, bd_shape *out) {
  const buddy_tensor_type *type;
  uint32_t axis;
  BD_TRY(begin(q, &type));
  if (result > 0) return any_rank(out);
  *out = (bd_shape){.rank = 1, .dims = {BD_ANY_DIM}};
  BD_TRY(bd_axis_named(q, "dim", type->rank, &axis));
  if (axis == BD_ANY_RANK) return BUDDY_OK;
  bd_shape_copy(out, type);
  if (type->rank) out->dims[axis] = BD_ANY_DIM;
  return BUDDY_OK;
}

buddy_code bd_shape_flatten(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  uint32_t first, last;
  BD_TRY(begin(q, &type));
  BD_TRY(bd_axis_named(q, "start_dim", type->rank, &first));
  BD_TRY(bd_axis_named(q, "end_dim", type->rank, &last));
  if (first == BD_ANY_RANK || last == BD_ANY_RANK) return any_rank(out);
  if (first > last) return bd_contradiction(q, "\"start_dim\" is after \"end_dim\"");
  out->rank = 1;
  out->dims[0] = 1;
  if (type->rank == 0) return BUDDY_OK;
  memcpy(out->dims, type->dims, first * sizeof *out->dims);
  out->dims[first] = bd_dims_product(q, type->dims + first, last - first + 1);
  memcpy(out->dims + first + 1, type->dims + last + 1, (type->rank - last - 1) * sizeof *out->dims);
  out->rank = type->rank - (last - first);
  return BUDDY_OK;
}

buddy_code bd_shape_unflatten(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  uint32_t axis = BD_ANY_RANK;
  BD_TRY(begin(q, &type));
  BD_TRY(bd_axis_named(q, "dim", type->rank, &axis));
  const buddy_arg *sizes = sizes_of(q);
  if (axis == BD_ANY_RANK || !sizes) return any_rank(out);
  if (type->rank == 0) return bd_contradiction(q, "a 0-d tensor has no dim to unflatten");
  memcpy(out->dims, type->dims, axis * sizeof *out->dims);
  out->rank = axis;
  BD_TRY(fill_sizes(q, sizes, type->dims[axis], out));
  for (uint32_t i = axis + 1; i < type->rank; ++i) BD_TRY(bd_shape_push(q, out, type->dims[i]));
  return BUDDY_OK;
}

/* ---- Expanding ---- */

buddy_code bd_shape_expand(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  BD_TRY(begin(q, &type));
  const buddy_arg *sizes = sizes_of(q);
  if (!sizes) return any_rank(out);
  if (sizes->n < type->rank)
    return bd_contradiction(q, "%zu sizes are fewer than the dims of a tensor of rank %u", sizes->n,
                            type->rank);
  const size_t more = sizes->n - type->rank;
  out->rank = 0;
  for (size_t i = 0; i < sizes->n; ++i) {
    const int64_t from = i < more ? 1 : type->dims[i - more], size = sizes->as.ints[i];
    if (size == -1 && i < more) return bd_contradiction(q, "the size of a new dim is -1");
    if (size != -1 && !bd_dims_may_expand(q, from, size))
      return bd_contradiction(q, "dim %zu cannot be expanded", i);
    BD_TRY(bd_shape_push(q, out, size == -1 ? from : size));
  }
  return BUDDY_OK;
}

buddy_code bd_shape_repeat(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  BD_TRY(begin(q, &type));
  const buddy_arg *repeats = bd_list_named(q, "repeats");
  const bool is_tile = !repeats;
  if (is_tile) repeats = bd_list_named(q, "dims");
  if (!repeats) return any_rank(out);
  if (!is_tile && repeats->n < type->rank)
    return bd_contradiction(q, "%zu repeats are fewer than the dims of a tensor of rank %u",
                            repeats->n, type->rank);
  const size_t rank = repeats->n > type->rank ? repeats->n : type->rank;
  out->rank = 0;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t dim = i < rank - type->rank ? 1 : type->dims[i - (rank - type->rank)];
    const int64_t times = i < rank - repeats->n ? 1 : repeats->as.ints[i - (rank - repeats->n)];
    BD_TRY(bd_shape_push(q, out, bd_dim_do(q, BUDDY_DIM_MUL, dim, times)));
  }
  return BUDDY_OK;
}

/* ---- Orders of dims ---- */

buddy_code bd_shape_permute(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  const buddy_code code = begin(q, &type);
  const buddy_arg *dims = bd_list_named(q, "dims");
  if (code) return code;
  if (!dims && buddy_node_arg_find(q->node, "dims")) return any_rank(out);
  if (dims && dims->n != type->rank)
    return bd_contradiction(q, "%zu dims are named of a tensor of rank %u", dims->n, type->rank);
  uint64_t seen = 0;
  out->rank = type->rank;
  for (uint32_t i = 0; i < type->rank; ++i) {
    uint32_t axis = type->rank - 1 - i;
    if (dims && bd_axis(q, dims->as.ints[i], type->rank, &axis)) return BUDDY_INVALID_ARGUMENT;
    if (seen >> axis & 1u) return bd_contradiction(q, "dim %u is named twice", axis);
    seen |= (uint64_t)1 << axis;
    out->dims[i] = type->dims[axis];
  }
  return BUDDY_OK;
}

buddy_code bd_shape_transpose(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  uint32_t a, b;
  const bool are_axes = buddy_node_arg_find(q->node, "axis0") != NULL;
  BD_TRY(begin(q, &type));
  BD_TRY(bd_axis_named(q, are_axes ? "axis0" : "dim0", type->rank, &a));
  BD_TRY(bd_axis_named(q, are_axes ? "axis1" : "dim1", type->rank, &b));
  if (a == BD_ANY_RANK || b == BD_ANY_RANK) return any_rank(out);
  bd_shape_copy(out, type);
  if (type->rank == 0) return BUDDY_OK;
  out->dims[a] = type->dims[b];
  out->dims[b] = type->dims[a];
  return BUDDY_OK;
}

/* ---- Dims of one element ---- */

/* The dims that may go, as a set of bits. */
static buddy_code squeezed(bd_question *q, uint32_t rank, uint64_t *out_set) {
  const buddy_arg *dim = buddy_node_arg_find(q->node, "dim");
  const bool is_list = dim && dim->kind == BUDDY_ARG_INTS;
  *out_set = dim ? 0 : ~(uint64_t)0;
  for (size_t i = 0; dim && i < (is_list ? dim->n : 1); ++i) {
    uint32_t axis;
    if (bd_axis(q, is_list ? dim->as.ints[i] : dim->as.i, rank, &axis))
      return BUDDY_INVALID_ARGUMENT;
    *out_set |= (uint64_t)1 << axis;
  }
  return BUDDY_OK;
}

/* Which dims go is told by the sizes under which the program was exported: the ones, and of the symbolic
 * dims those that the result's type lacks, which are 1 in every run then. */
buddy_code bd_shape_squeeze(bd_question *q, uint32_t result, bd_shape *out) {
  const buddy_tensor_type *type,
      *to = q->is_checked ? buddy_value_type(buddy_node_result(q->node, result)) : NULL;
  uint64_t set = 0;
  BD_TRY(begin(q, &type));
  BD_TRY(squeezed(q, type->rank, &set));
  out->rank = 0;
  for (uint32_t i = 0; i < type->rank; ++i) {
    const int64_t dim = type->dims[i];
    const bool may_go = set >> i & 1u,
               is_there = !to || (out->rank < to->rank && to->dims[out->rank] == dim);
    if (may_go && dim == 1) continue;
    if (may_go && !is_there && BUDDY_IS_SYMBOLIC(dim) && bd_dims_may_equal(q, dim, 1)) continue;
    out->dims[out->rank++] = dim;
  }
  return BUDDY_OK;
}

buddy_code bd_shape_unsqueeze(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  BD_TRY(begin(q, &type));
  return bd_shape_insert(q, type, 1, out);
}

/* ---- Parts ---- */

static void drop_dim(const buddy_tensor_type *type, uint32_t axis, bd_shape *out) {
  out->rank = 0;
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (i != axis) out->dims[out->rank++] = type->dims[i];
  }
}

/* Whether "index" is one of a dim, as far as the numbers tell. */
static bool index_is_inside(const bd_question *q, const char *name, int64_t dim) {
  int64_t index;
  if (BUDDY_IS_SYMBOLIC(dim) || !bd_number_named(q, name, &index)) return true;
  return index >= -dim && index < dim;
}

/* What select_scatter and its like write is of the shape of what is selected. */
static bool source_fits(bd_question *q, const bd_shape *part) {
  const buddy_tensor_type *source = bd_tensor_named(q, "src");
  bool fits = !source || source->rank == part->rank;
  for (uint32_t i = 0; source && fits && i < part->rank; ++i)
    fits = bd_dims_may_equal(q, source->dims[i], part->dims[i]);
  return fits;
}

/* One of a dim, or all of them one by one; select_scatter writes it into the whole. */
buddy_code bd_shape_select(bd_question *q, uint32_t result, bd_shape *out) {
  const buddy_tensor_type *type;
  uint32_t axis = BD_ANY_RANK;
  BD_TRY(begin(q, &type));
  BD_TRY(bd_axis_named(q, "dim", type->rank, &axis));
  if (type->rank == 0) return bd_contradiction(q, "a 0-d tensor has no dim to select from");
  if (axis == BD_ANY_RANK) return any_rank(out);
  drop_dim(type, axis, out);
  if (!index_is_inside(q, "index", type->dims[axis]))
    return bd_contradiction(q, "\"index\" is not within dim %u", axis);
  if (!source_fits(q, out))
    return bd_contradiction(q, "the part is not of the shape of what it replaces");
  if (bd_tensor_named(q, "src")) bd_shape_copy(out, type);
  if (q->node->n_results > 1 && !bd_dims_may_equal(q, type->dims[axis], q->node->n_results))
    return bd_contradiction(q, "dim %u does not have %u elements", axis, q->node->n_results);
  (void)result;
  return BUDDY_OK;
}

static int64_t clamped(int64_t at, int64_t size) {
  if (at < 0) at += size;
  return at < 0 ? 0 : at > size ? size : at;
}

/* The length of a slice of plain numbers. */
static int64_t slice_length(const bd_question *q, int64_t size) {
  int64_t start = 0, end = size, step = 1;
  const buddy_arg *from = buddy_node_arg_find(q->node, "start"),
                  *to = buddy_node_arg_find(q->node, "end");
  if (BUDDY_IS_SYMBOLIC(size) || size == BD_ANY_DIM) return BD_ANY_DIM;
  if (from && from->kind != BUDDY_ARG_NONE && !bd_number_named(q, "start", &start))
    return BD_ANY_DIM;
  if (to && to->kind != BUDDY_ARG_NONE && !bd_number_named(q, "end", &end)) return BD_ANY_DIM;
  if (!bd_number_named(q, "step", &step) || step < 1) return BD_ANY_DIM;
  start = clamped(start, size);
  end = clamped(end, size);
  return end <= start ? 0 : (end - start - 1) / step + 1;
}

/* narrow: all of the part is there. */
static bool part_is_inside(const bd_question *q, int64_t dim) {
  int64_t start = 0, length = 0;
  const bool is_known = bd_number_named(q, "start", &start);
  if (BUDDY_IS_SYMBOLIC(dim) || !bd_number_named(q, "length", &length)) return true;
  if (is_known && start < 0) start += dim;
  return length >= 0 && length <= dim && (!is_known || (start >= 0 && start <= dim - length));
}

buddy_code bd_shape_slice(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  uint32_t axis = BD_ANY_RANK;
  BD_TRY(begin(q, &type));
  BD_TRY(bd_axis_named(q, "dim", type->rank, &axis));
  if (type->rank == 0) return bd_contradiction(q, "a 0-d tensor has no dim to take a part of");
  bd_shape_copy(out, type);
  if (axis == BD_ANY_RANK) return any_rank(out);
  const bool is_narrow = buddy_node_arg_find(q->node, "length") != NULL;
  if (is_narrow && !part_is_inside(q, type->dims[axis]))
    return bd_contradiction(q, "\"start\" and \"length\" are not within dim %u", axis);
  out->dims[axis] = is_narrow ? bd_dim_named(q, "length") : slice_length(q, type->dims[axis]);
  if (!source_fits(q, out)) return bd_contradiction(q, "the part is not of the shape of the slice");
  if (bd_tensor_named(q, "src")) bd_shape_copy(out, type);
  return BUDDY_OK;
}

/* Elements of a diagonal that begins `offset` to the right, or below. torch.export takes sizes for 2 or
 * more, and says what follows from that. */
static int64_t diagonal_length(bd_question *q, int64_t rows, int64_t columns, int64_t offset) {
  const int64_t below = bd_dim_do(q, BUDDY_DIM_MIN, offset, 0),
                right = bd_dim_do(q, BUDDY_DIM_MAX, offset, 0);
  rows = bd_dim_do(q, BUDDY_DIM_ADD, rows, below);
  columns = bd_dim_do(q, BUDDY_DIM_SUB, columns, right);
  return bd_dim_do(q, BUDDY_DIM_MAX, bd_dim_do(q, BUDDY_DIM_MIN, rows, columns), 0);
}

/* The size of a matrix that has a diagonal of that length. */
static int64_t around(bd_question *q, int64_t length, int64_t offset) {
  const int64_t off = bd_dim_do(q, BUDDY_DIM_MAX, offset, bd_dim_do(q, BUDDY_DIM_SUB, 0, offset));
  return bd_dim_do(q, BUDDY_DIM_ADD, length, off);
}

/* The matrix around a vector, the diagonal of a matrix. */
buddy_code bd_shape_diag(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  BD_TRY(begin(q, &type));
  const int64_t offset = bd_dim_named(q, "diagonal");
  if (type->rank != 1 && type->rank != 2)
    return bd_contradiction(q, "a tensor of rank %u is no vector and no matrix", type->rank);
  out->rank = 0;
  if (type->rank == 2)
    return bd_shape_push(q, out, diagonal_length(q, type->dims[0], type->dims[1], offset));
  BD_TRY(bd_shape_push(q, out, around(q, type->dims[0], offset)));
  return bd_shape_push(q, out, out->dims[0]);
}

/* The last dim along the diagonal of two new ones. */
buddy_code bd_shape_diag_embed(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  uint32_t a = BD_ANY_RANK, b = BD_ANY_RANK;
  BD_TRY(begin(q, &type));
  if (type->rank == 0) return bd_contradiction(q, "a 0-d tensor has no diagonal");
  BD_TRY(bd_axis_named(q, "dim1", type->rank + 1, &a));
  BD_TRY(bd_axis_named(q, "dim2", type->rank + 1, &b));
  if (a == BD_ANY_RANK || b == BD_ANY_RANK) return any_rank(out);
  if (a == b) return bd_contradiction(q, "\"dim1\" and \"dim2\" are the same dim");
  const int64_t length = around(q, type->dims[type->rank - 1], bd_dim_named(q, "offset"));
  out->rank = 0;
  for (uint32_t i = 0, k = 0; i <= type->rank; ++i)
    BD_TRY(bd_shape_push(q, out, i == a || i == b ? length : type->dims[k++]));
  return BUDDY_OK;
}

buddy_code bd_shape_diagonal(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  uint32_t a = BD_ANY_RANK, b = BD_ANY_RANK;
  buddy_code code = begin(q, &type);
  if (!code && type->rank < 2) return bd_contradiction(q, "a diagonal is of two dims or more");
  if (!code) code = bd_axis_named(q, "dim1", type->rank, &a);
  if (!code) code = bd_axis_named(q, "dim2", type->rank, &b);
  if (code) return code;
  if (a == BD_ANY_RANK || b == BD_ANY_RANK) return any_rank(out);
  if (a == b) return bd_contradiction(q, "\"dim1\" and \"dim2\" are the same dim");
  out->rank = 0;
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (i != a && i != b) out->dims[out->rank++] = type->dims[i];
  }
  const int64_t offset = bd_dim_named(q, "offset");
  out->dims[out->rank++] = diagonal_length(q, type->dims[a], type->dims[b], offset);
  if (!source_fits(q, out))
    return bd_contradiction(q, "the part is not of the shape of the diagonal");
  if (bd_tensor_named(q, "src")) bd_shape_copy(out, type);
  return BUDDY_OK;
}

/* Along `dim` as many as there are indices, which broadcast to the tensor along the others; without a
 * dim both are as if flat. */
buddy_code bd_shape_take_along(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type, *indices = bd_tensor_named(q, "indices");
  uint32_t axis = BD_ANY_RANK;
  BD_TRY(begin(q, &type));
  out->rank = 0;
  if (!indices) return bd_contradiction(q, "\"indices\" is no tensor");
  if (bd_dim_named(q, "dim") == BD_ANY_DIM)
    return bd_shape_push(q, out, bd_dims_product(q, indices->dims, indices->rank));
  BD_TRY(bd_axis_named(q, "dim", type->rank, &axis));
  if (axis == BD_ANY_RANK) return any_rank(out);
  if (type->rank != indices->rank)
    return bd_contradiction(q, "the indices have not as many dims as the tensor");
  for (uint32_t i = 0; i < type->rank; ++i) {
    int64_t dim = indices->dims[i];
    if (i != axis && !bd_dims_broadcast(q, type->dims[i], indices->dims[i], &dim))
      return bd_contradiction(q, "the indices do not broadcast to dim %u", i);
    BD_TRY(bd_shape_push(q, out, dim));
  }
  return BUDDY_OK;
}

buddy_code bd_shape_unfold(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type;
  uint32_t axis = BD_ANY_RANK;
  int64_t step = 1;
  BD_TRY(begin(q, &type));
  BD_TRY(bd_axis_named(q, "dimension", type->rank, &axis));
  const int64_t size = bd_dim_named(q, "size");
  if (axis == BD_ANY_RANK || !bd_number_named(q, "step", &step)) return any_rank(out);
  if (step < 1) return bd_contradiction(q, "\"step\" is less than 1");
  bd_shape_copy(out, type);
  if (type->rank > 0) {
    const int64_t rest = bd_dim_do(q, BUDDY_DIM_SUB, type->dims[axis], size);
    out->dims[axis] = bd_dim_do(q, BUDDY_DIM_ADD, bd_dim_do(q, BUDDY_DIM_FLOORDIV, rest, step), 1);
    if (out->dims[axis] < 1 && !BUDDY_IS_SYMBOLIC(out->dims[axis]))
      return bd_contradiction(q, "a window is larger than the dim");
  }
  return bd_shape_push(q, out, size);
}

/* ---- Splitting ---- */

/* Of each part but the last; 0: it is not known. */
static int64_t size_of_parts(const bd_question *q, int64_t dim) {
  int64_t number;
  if (bd_number_named(q, "split_size", &number)) return number < 0 ? 0 : number;
  if (!bd_number_named(q, "chunks", &number) || number < 1 || dim < 1) return 0;
  return (dim - 1) / number + 1;
}

/* Where part number `i` begins if a dim is cut into `n` parts of which the first are one longer, or at
 * indices, which count from the end if they are negative. */
static int64_t start_of_section(const buddy_arg *indices, int64_t n, uint32_t i, int64_t dim) {
  if (!indices) return dim / n * i + (dim % n < i ? dim % n : i);
  if (i == 0) return 0;
  int64_t at = i <= indices->n ? indices->as.ints[i - 1] : dim;
  if (BUDDY_IS_SYMBOLIC(at)) return BD_ANY_DIM;
  if (at < 0) at = at + dim < 0 ? 0 : at + dim;
  return at < dim ? at : dim;
}

/* Part number `result` by a number of sections, or by where they are cut. */
static int64_t section_length(const bd_question *q, uint32_t result, int64_t dim) {
  const buddy_arg *indices = bd_list_named(q, "indices");
  int64_t n = 0;
  const bool is_known = indices || (bd_number_named(q, "sections", &n) && n > 0);
  if (!is_known || BUDDY_IS_SYMBOLIC(dim)) return BD_ANY_DIM;
  const int64_t start = start_of_section(indices, n, result, dim),
                end = start_of_section(indices, n, result + 1, dim);
  if (start == BD_ANY_DIM || end == BD_ANY_DIM) return BD_ANY_DIM;
  return end > start ? end - start : 0;
}

/* Part number `result` by a list of sizes, by one size for all, or by a number of chunks. */
static int64_t part_length(bd_question *q, uint32_t result, int64_t dim) {
  const buddy_arg *sizes = bd_list_named(q, "split_sizes");
  if (!sizes) sizes = bd_list_named(q, "split_size");
  if (sizes) return result < sizes->n ? sizes->as.ints[result] : BD_ANY_DIM;
  const int64_t size = BUDDY_IS_SYMBOLIC(dim) ? 0 : size_of_parts(q, dim);
  if (size == 0) return section_length(q, result, dim);
  const int64_t start = (int64_t)result > dim / size ? dim : (int64_t)result * size;
  return dim - start < size ? dim - start : size;
}

/* By "dim", or the name of the op: hsplit goes over the columns, which a vector has along its one dim. */
static buddy_code axis_of_split(bd_question *q, uint32_t rank, uint32_t *out_axis) {
  const char *op = q->node->op;
  const bool is_deep = !strncmp(op, "aten.dsplit.", 12), is_flat = !strncmp(op, "aten.hsplit.", 12);
  if (!is_deep && !is_flat && strncmp(op, "aten.vsplit.", 12) != 0)
    return bd_axis_named(q, "dim", rank, out_axis);
  *out_axis = is_deep ? 2 : is_flat && rank > 1 ? 1 : 0;
  return BUDDY_OK;
}

buddy_code bd_shape_split(bd_question *q, uint32_t result, bd_shape *out) {
  const buddy_tensor_type *type;
  uint32_t axis = BD_ANY_RANK;
  BD_TRY(begin(q, &type));
  BD_TRY(axis_of_split(q, type->rank, &axis));
  if (type->rank == 0) return bd_contradiction(q, "a 0-d tensor cannot be split");
  bd_shape_copy(out, type);
  if (axis == BD_ANY_RANK) return any_rank(out);
  const buddy_arg *sizes = bd_list_named(q, "split_sizes"), *cuts = bd_list_named(q, "indices");
  int64_t n = sizes ? (int64_t)sizes->n : cuts ? (int64_t)cuts->n + 1 : q->node->n_results;
  if (!sizes && !cuts) (void)bd_number_named(q, "sections", &n);
  if (n != q->node->n_results)
    return bd_contradiction(q, "%lld parts are not %u", (long long)n, q->node->n_results);
  out->dims[axis] = part_length(q, result, type->dims[axis]);
  return BUDDY_OK;
}
