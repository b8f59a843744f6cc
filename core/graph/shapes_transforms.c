// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/shapes_transforms.c: shapes of Fourier transforms, gradients, gates and sequences. */
#include <math.h>
#include <string.h>

#include "core/base/try.h"
#include "core/graph/promotion.h"
#include "core/graph/shapes.h"

/* ---- Fourier transforms ---- */

/* What a transform makes of the last of its axes: as many numbers, the half of a real signal's, or a real signal of
 * its half. */
typedef enum spectrum { WHOLE, TO_HALF, FROM_HALF } spectrum;

static spectrum spectrum_of(const bd_question *q) {
  const char *op = q->node->op;
  const buddy_arg *onesided = buddy_node_arg_find(q->node, "onesided");
  if (onesided) return onesided->kind == BUDDY_ARG_BOOL && !onesided->as.i ? WHOLE : TO_HALF;
  if (strstr(op, "c2r") || strstr(op, "_irfft") || strstr(op, "_hfft")) return FROM_HALF;
  return strstr(op, "_rfft") || strstr(op, "_ihfft") ? TO_HALF : WHOLE;
}

/* Axis number i of the n that are transformed; BD_ANY_RANK: it is not known. */
static uint32_t axis_of(const bd_question *q, uint32_t rank, uint32_t i, uint32_t n) {
  const buddy_arg *dim = buddy_node_arg_find(q->node, "dim");
  const bool is_list = dim && dim->kind == BUDDY_ARG_INTS;
  int64_t axis = (int64_t)rank - n + i;
  if (is_list) axis = i < dim->n ? dim->as.ints[i] : INT64_MIN;
  if (dim && dim->kind == BUDDY_ARG_INT) axis = dim->as.i;
  if (axis < 0 && !BUDDY_IS_SYMBOLIC(axis)) axis += rank;
  return axis >= 0 && axis < (int64_t)rank ? (uint32_t)axis : BD_ANY_RANK;
}

/* How many axes are transformed: as many as are named, as there are sizes for, or all. */
static uint32_t n_axes(const bd_question *q, uint32_t rank) {
  const buddy_arg *dim = buddy_node_arg_find(q->node, "dim"), *sizes = bd_list_named(q, "s");
  if (dim && dim->kind == BUDDY_ARG_INT) return 1;
  if (dim && dim->kind == BUDDY_ARG_INTS) return (uint32_t)dim->n;
  return sizes ? (uint32_t)sizes->n : rank;
}

/* The size that is asked for along axis number i; -1: as it is. */
static int64_t size_asked(const bd_question *q, uint32_t i) {
  const buddy_arg *sizes = bd_list_named(q, "s"), *n = buddy_node_arg_find(q->node, "n");
  if (sizes) return i < sizes->n ? sizes->as.ints[i] : -1;
  if (!n) n = buddy_node_arg_find(q->node, "last_dim_size");
  return n && n->kind == BUDDY_ARG_INT      ? n->as.i
         : n && n->kind == BUDDY_ARG_TENSOR ? BD_ANY_DIM
                                            : -1;
}

static int64_t half_of(bd_question *q, int64_t size) {
  return bd_dim_do(q, BUDDY_DIM_ADD, bd_dim_do(q, BUDDY_DIM_FLOORDIV, size, 2), 1);
}

static int64_t whole_of(bd_question *q, int64_t half) {
  return bd_dim_do(q, BUDDY_DIM_MUL, 2, bd_dim_do(q, BUDDY_DIM_SUB, half, 1));
}

buddy_code bd_shape_fft(bd_question *q, uint32_t result, bd_shape *out) {
  const buddy_tensor_type *type = bd_first_tensor(q);
  const spectrum as = spectrum_of(q);
  if (!type) return bd_shape_open(q, result, out);
  const uint32_t n = n_axes(q, type->rank);
  if (n > type->rank)
    return bd_contradiction(q, "%u dims of a tensor of rank %u are transformed", n, type->rank);
  const bool is_one = strstr(q->node->op, "_fft_c2") != NULL; /* a size is the last axis' */
  bd_shape_copy(out, type);
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t axis = axis_of(q, type->rank, i, n);
    if (axis == BD_ANY_RANK)
      return bd_contradiction(q, "a dim is none of a tensor of rank %u", type->rank);
    const bool is_last = i + 1 == n;
    const int64_t asked = is_one && !is_last ? -1 : size_asked(q, i);
    int64_t size = asked == -1 ? type->dims[axis] : asked;
    if (is_last && as == FROM_HALF && asked == -1) size = whole_of(q, size);
    if (is_last && as == TO_HALF) size = half_of(q, size);
    out->dims[axis] = size;
  }
  return BUDDY_OK;
}

/* Spectra of windows that begin every "hop_length" elements, a quarter of one if it is not given; of real
 * numbers, half of each spectrum, and complex numbers as pairs if "return_complex" is false. */
buddy_code bd_shape_stft(bd_question *q, uint32_t result, bd_shape *out) {
  const buddy_tensor_type *type = bd_tensor_named(q, "self");
  const buddy_arg *onesided = buddy_node_arg_find(q->node, "onesided"),
                  *pairs = buddy_node_arg_find(q->node, "return_complex");
  const int64_t n_fft = bd_dim_named(q, "n_fft");
  int64_t hop = bd_dim_named(q, "hop_length"), center = 0, aligned = 0;
  if (!type || (type->rank != 1 && type->rank != 2))
    return bd_contradiction(q, "a signal has one dim, or two with a batch");
  (void)bd_number_named(q, "center", &center);
  (void)bd_number_named(q, "align_to_window", &aligned);
  if (aligned) return bd_shape_open(q, result, out);
  if (hop == BD_ANY_DIM) hop = bd_dim_do(q, BUDDY_DIM_FLOORDIV, n_fft, 4);
  int64_t size = type->dims[type->rank - 1];
  if (center)
    size = bd_dim_do(q, BUDDY_DIM_ADD, size,
                     bd_dim_do(q, BUDDY_DIM_MUL, bd_dim_do(q, BUDDY_DIM_FLOORDIV, n_fft, 2), 2));
  const int64_t rest = bd_dim_do(q, BUDDY_DIM_SUB, size, n_fft);
  const bool is_real = bd_dtype_real_part(type->dtype) == type->dtype;
  const bool is_half = onesided && onesided->kind == BUDDY_ARG_BOOL ? onesided->as.i : is_real;
  out->rank = 0;
  if (type->rank == 2) BD_TRY(bd_shape_push(q, out, type->dims[0]));
  BD_TRY(bd_shape_push(q, out, is_half ? half_of(q, n_fft) : n_fft));
  BD_TRY(bd_shape_push(
      q, out, bd_dim_do(q, BUDDY_DIM_ADD, bd_dim_do(q, BUDDY_DIM_FLOORDIV, rest, hop), 1)));
  return pairs && pairs->kind == BUDDY_ARG_BOOL && !pairs->as.i ? bd_shape_push(q, out, 2)
                                                                : BUDDY_OK;
}

/* ---- Gradients, gates, sequences ---- */

/* One result for each dim that is named, with a spacing each if there are several. */
buddy_code bd_shape_gradient(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type = bd_first_tensor(q);
  const buddy_arg *dims = buddy_node_arg_find(q->node, "dim"),
                  *spacing = buddy_node_arg_find(q->node, "spacing");
  if (!type) return bd_contradiction(q, "no argument is a tensor");
  const bool is_list = dims && dims->kind == BUDDY_ARG_INTS;
  const size_t n = is_list ? dims->n : dims && dims->kind == BUDDY_ARG_INT ? 1 : type->rank;
  const bool has_each =
      spacing && (spacing->kind == BUDDY_ARG_FLOATS || spacing->kind == BUDDY_ARG_INTS ||
                  spacing->kind == BUDDY_ARG_TENSORS);
  if (n != q->node->n_results || (has_each && spacing->n != n))
    return bd_contradiction(q, "%u results are not those of %zu dims", q->node->n_results, n);
  bd_shape_copy(out, type);
  return BUDDY_OK;
}

/* Half of the elements along an axis, by the other half. */
buddy_code bd_shape_glu(bd_question *q, uint32_t result, bd_shape *out) {
  const buddy_tensor_type *type = bd_first_tensor(q);
  uint32_t axis;
  if (!type || type->rank == 0) return bd_shape_open(q, result, out);
  BD_TRY(bd_axis_named(q, "dim", type->rank, &axis));
  if (axis == BD_ANY_RANK) return bd_shape_open(q, result, out);
  const int64_t size = type->dims[axis];
  if (!BUDDY_IS_SYMBOLIC(size) && size % 2)
    return bd_contradiction(q, "%lld elements have no halves", (long long)size);
  bd_shape_copy(out, type);
  out->dims[axis] = bd_dim_do(q, BUDDY_DIM_FLOORDIV, size, 2);
  return BUDDY_OK;
}

/* A number that is known; none, as a step of 1 and a start of 0. PyTorch counts in doubles where the result has
 * fractions, and else in whole numbers, which doubles hold so far. */
static bool read_number(const bd_question *q, const char *name, double none, double *out_number) {
  const bool is_exact = bd_dtype_is_integral(q->node->results[0].type.dtype);
  const buddy_arg *arg = buddy_node_arg_find(q->node, name);
  const bool is_int = arg && arg->kind == BUDDY_ARG_INT;
  *out_number = !arg || arg->kind == BUDDY_ARG_NONE ? none : is_int ? (double)arg->as.i : arg->as.f;
  if (is_int && (BUDDY_IS_SYMBOLIC(arg->as.i) || (is_exact && fabs(*out_number) > 0x1p52)))
    return false;
  return !arg || is_int || arg->kind == BUDDY_ARG_NONE || arg->kind == BUDDY_ARG_FLOAT;
}

/* As many as there are steps before the end. Steps that are no whole numbers round: PyTorch's dtype says how. */
buddy_code bd_shape_arange(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  double start, end, step;
  out->rank = 1;
  out->dims[0] = BD_ANY_DIM;
  if (!read_number(q, "start", 0, &start) || !read_number(q, "end", 0, &end) ||
      !read_number(q, "step", 1, &step))
    return BUDDY_OK;
  const double n = ceil((end - start) / step);
  const bool is_whole = start == floor(start) && end == floor(end) && step == floor(step);
  if (!(n >= 0 && n <= 0x1p52)) return bd_contradiction(q, "there are no such steps");
  if (is_whole) out->dims[0] = (int64_t)n;
  return BUDDY_OK;
}

/* The places of a matrix on one side of a diagonal: those of tril, which are all but those of the triu that
 * begins one further up. */
buddy_code bd_shape_triangle(bd_question *q, uint32_t result, bd_shape *out) {
  int64_t rows, columns, offset, n = 0;
  const bool is_upper = strstr(q->node->op, "triu") != NULL;
  *out = (bd_shape){.rank = 2, .dims = {2, BD_ANY_DIM}};
  (void)result;
  const bool has_rows = bd_number_named(q, "row", &rows),
             has_columns = bd_number_named(q, "col", &columns),
             has_offset = bd_number_named(q, "offset", &offset);
  if ((has_rows && rows < 0) || (has_columns && columns < 0))
    return bd_contradiction(q, "a matrix has a negative size");
  if ((has_rows && rows > INT32_MAX) || (has_columns && columns > INT32_MAX) ||
      (has_offset && (offset > INT32_MAX || offset < -INT32_MAX)))
    return bd_contradiction(q, "a matrix has more than 2^31 - 1 rows, columns or diagonals");
  if (!has_rows || !has_columns || !has_offset) return BUDDY_OK;
  if (is_upper) --offset;
  /* row i has i + offset + 1 of them, at least none and at most all */
  const int64_t first = offset + 1 > 0 ? 0 : -offset < rows ? -offset : rows;
  const int64_t full = columns - offset - 1 > first ? columns - offset - 1 : first;
  const int64_t end = full < rows ? full : rows;
  n = (end - first) * (first + offset + 1 + end + offset) / 2 + (rows - end) * columns;
  out->dims[1] = is_upper ? rows * columns - n : n;
  return BUDDY_OK;
}
