// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/backward_window.c: gradients of convolutions and poolings.
 *
 * What a window read in the forward step gets its part of the gradient back: a transposed
 * convolution of the gradient. A convolution's weight gets, per offset in its window, the product
 * of the gradient with the input that the windows saw at that offset: one matrix product each.
 * Where that would be too many products, it is one convolution of the input by the gradient,
 * strides and dilations in each other's place. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

enum { MAX_SPATIAL = 3, MAX_OFFSETS = 343 };

typedef struct window {
  uint32_t n; /* spatial dims */
  int64_t kernel[MAX_SPATIAL], stride[MAX_SPATIAL], padding[MAX_SPATIAL], dilation[MAX_SPATIAL];
  int64_t groups;
  int64_t n_offsets; /* elements of the kernel; not counted on beyond MAX_OFFSETS */
} window;

static int64_t add(buddy_call *call, int64_t a, int64_t b) {
  return be_dim(call, BUDDY_DIM_ADD, a, b);
}
static int64_t mul(buddy_call *call, int64_t a, int64_t b) {
  return be_dim(call, BUDDY_DIM_MUL, a, b);
}

/* Padded by constant zeros after (and before) the spatial dims, which are the last ones. */
static value padded(buddy_call *call, value a, uint32_t n, const int64_t *low,
                    const int64_t *high) {
  const buddy_tensor_type *type = cp_type(call, a);
  int64_t dims[BE_MAX_RANK], amounts[2 * MAX_SPATIAL], is_padded = 0;
  if (!type) return NULL;
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  for (uint32_t d = 0; d < n; ++d) {
    const uint32_t axis = type->rank - n + d;
    amounts[2 * (n - 1 - d)] = low[d];
    amounts[2 * (n - 1 - d) + 1] = high[d];
    is_padded |= low[d] | high[d];
    dims[axis] = add(call, dims[axis], low[d] + high[d]);
  }
  if (!is_padded) return a;
  return BE_NODE(call, "aten.constant_pad_nd.default", be_type(call, type->dtype, type->rank, dims),
                 be_t("self", a), be_is("pad", amounts, 2 * (size_t)n), be_f("value", 0));
}

/* The gradient of the windows' input: [N, C, sizes…] from [N, F, …] and a weight [F, C / groups,
 * …]. The transposed convolution gives what the windows reached, from the front padding on; no
 * window reached further than the last stride after it. */
static value spread(buddy_call *call, const window *w, value gradient, value weight,
                    const int64_t *sizes) {
  static const int64_t none[MAX_SPATIAL] = {0};
  const buddy_tensor_type *from = cp_type(call, gradient), *filter = cp_type(call, weight);
  int64_t dims[2 + MAX_SPATIAL], behind[MAX_SPATIAL];
  if (!from || !filter) return NULL;
  dims[0] = from->dims[0];
  dims[1] = mul(call, filter->dims[1], w->groups);
  for (uint32_t d = 0; d < w->n; ++d) {
    const int64_t last = mul(call, add(call, from->dims[2 + d], -1), w->stride[d]);
    dims[2 + d] = add(call, last, w->dilation[d] * (w->kernel[d] - 1) + 1);
    behind[d] = w->stride[d] - 1;
  }
  value reached =
      BE_NODE(call, "aten.convolution.default", be_type(call, from->dtype, 2 + w->n, dims),
              be_t("input", gradient), be_t("weight", weight), be_t("bias", NULL),
              be_is("stride", w->stride, w->n), be_is("padding", none, w->n),
              be_is("dilation", w->dilation, w->n), be_b("transposed", 1),
              be_is("output_padding", none, w->n), be_i("groups", w->groups));
  reached = padded(call, reached, w->n, none, behind);
  for (uint32_t d = 0; d < w->n && reached; ++d)
    reached = cp_slice(call, reached, 2 + d, w->padding[d], sizes[d], 1);
  return reached;
}

/* ---- Convolution ----------------------------------------------------------------------------- */
/* The input that all windows see at one offset: [N, C, …] to [G, C / G, N L], L windows. */
static value seen_at(buddy_call *call, const window *w, value input, const int64_t *offset,
                     const int64_t *counts) {
  for (uint32_t d = 0; d < w->n && input; ++d) {
    const int64_t start = offset[d] * w->dilation[d];
    if (w->stride[d] == 1) {
      input = cp_slice(call, input, 2 + d, start, counts[d], 1);
      continue;
    }
    /* up to the last window's element, not a whole stride further */
    int64_t dims[2 + MAX_SPATIAL];
    memcpy(dims, cp_type(call, input)->dims, (2 + w->n) * sizeof(*dims));
    dims[2 + d] = counts[d];
    const int64_t end = add(call, mul(call, add(call, counts[d], -1), w->stride[d]), start + 1);
    input = BE_NODE(call, "aten.slice.Tensor",
                    be_type(call, cp_type(call, input)->dtype, 2 + w->n, dims), be_t("self", input),
                    be_i("dim", 2 + d), be_i("start", start), be_i("end", end),
                    be_i("step", w->stride[d]));
  }
  return input;
}

/* [N, C, …] as [G, C / G, N L] */
static value channels_first(buddy_call *call, value a, int64_t groups) {
  static const int64_t to_front[4] = {1, 2, 0, 3};
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type) return NULL;
  int64_t length = 1;
  for (uint32_t d = 2; d < type->rank; ++d) length = mul(call, length, type->dims[d]);
  const int64_t each = be_dim(call, BUDDY_DIM_FLOORDIV, type->dims[1], groups);
  const int64_t split[4] = {type->dims[0], groups, each, length};
  const int64_t flat[3] = {groups, each, mul(call, type->dims[0], length)};
  return cp_view(call, cp_permute(call, cp_view(call, a, 4, split), to_front), 3, flat);
}

/* [N, C, …] with the channels of each group before the batch: [C / G, G N, …] if `joins`, else
 * [C, N, …]. */
static value batch_second(buddy_call *call, value a, int64_t groups, int joins) {
  static const int64_t inner_first[BE_MAX_RANK] = {2, 1, 0, 3}, channels_to_front[3] = {1, 0, 2};
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type) return NULL;
  int64_t length = 1, dims[2 + MAX_SPATIAL];
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  for (uint32_t d = 2; d < type->rank; ++d) length = mul(call, length, dims[d]);
  const int64_t each = be_dim(call, BUDDY_DIM_FLOORDIV, dims[1], groups);
  const int64_t split[4] = {dims[0], groups, each, length}, flat[3] = {dims[0], dims[1], length};
  dims[1] = joins ? mul(call, groups, dims[0]) : dims[0];
  dims[0] = joins ? each : type->dims[1];
  a = joins ? cp_permute(call, cp_view(call, a, 4, split), inner_first)
            : cp_permute(call, cp_view(call, a, 3, flat), channels_to_front);
  return cp_view(call, a, type->rank, dims);
}

/* The same as weight_gradient: what a window's element saw is a window over the input of the
 * gradient's size, its elements as far apart as windows were. */
static value weight_gradient_at_once(buddy_call *call, const window *w, value input,
                                     value gradient) {
  static const int64_t none[MAX_SPATIAL] = {0};
  const buddy_tensor_type *from = cp_type(call, input), *seen = cp_type(call, gradient);
  if (!from || !seen) return NULL;
  int64_t dims[2 + MAX_SPATIAL];
  dims[0] = be_dim(call, BUDDY_DIM_FLOORDIV, from->dims[1], w->groups);
  dims[1] = seen->dims[1];
  for (uint32_t d = 0; d < w->n; ++d) {
    const int64_t reach = add(call, mul(call, add(call, seen->dims[2 + d], -1), w->stride[d]), 1);
    const int64_t free =
        be_dim(call, BUDDY_DIM_SUB, add(call, from->dims[2 + d], 2 * w->padding[d]), reach);
    dims[2 + d] = add(call, be_dim(call, BUDDY_DIM_FLOORDIV, free, w->dilation[d]), 1);
  }
  value filters = batch_second(call, gradient, w->groups, 0);
  value signal = batch_second(call, input, w->groups, 1);
  if (!filters || !signal) return NULL;
  value all = BE_NODE(call, "aten.convolution.default", be_type(call, from->dtype, 2 + w->n, dims),
                      be_t("input", signal), be_t("weight", filters), be_t("bias", NULL),
                      be_is("stride", w->dilation, w->n), be_is("padding", w->padding, w->n),
                      be_is("dilation", w->stride, w->n), be_b("transposed", 0),
                      be_is("output_padding", none, w->n), be_i("groups", w->groups));
  for (uint32_t d = 0; d < w->n && all; ++d) all = cp_slice(call, all, 2 + d, 0, w->kernel[d], 1);
  return cp_swap(call, all, 0, 1);
}

/* [A, B / G, kernel…] with A of `gradient`'s channels and B of `input`'s, which the windows of the
 * gradient's elements slide over. */
static value weight_gradient(buddy_call *call, const window *w, value input, value gradient) {
  const buddy_tensor_type *type = cp_type(call, gradient);
  int64_t dims[2 + MAX_SPATIAL];
  if (!type || !input) return NULL;
  if (w->n_offsets > MAX_OFFSETS) return weight_gradient_at_once(call, w, input, gradient);
  value rows = channels_first(call, gradient, w->groups);
  value products[MAX_OFFSETS];
  input = padded(call, input, w->n, w->padding, w->padding);
  const int64_t others = be_dim(call, BUDDY_DIM_FLOORDIV, cp_type(call, input)->dims[1], w->groups);
  const int64_t each = be_dim(call, BUDDY_DIM_FLOORDIV, type->dims[1], w->groups);
  for (int64_t i = 0; i < w->n_offsets; ++i) {
    int64_t offset[MAX_SPATIAL], rest = i;
    for (uint32_t d = w->n; d-- > 0; rest /= w->kernel[d]) offset[d] = rest % w->kernel[d];
    value seen = channels_first(call, seen_at(call, w, input, offset, type->dims + 2), w->groups);
    products[i] = cp_matmul(call, rows, cp_swap(call, seen, 1, 2));
    if (!products[i]) return NULL;
  }
  const int64_t stacked[4] = {w->groups, each, others, w->n_offsets};
  value all =
      BE_NODE(call, "aten.stack.default", be_type(call, cp_type(call, rows)->dtype, 4, stacked),
              be_ts("tensors", products, (size_t)w->n_offsets), be_i("dim", 3));
  dims[0] = mul(call, w->groups, each);
  dims[1] = others;
  for (uint32_t d = 0; d < w->n; ++d) dims[2 + d] = w->kernel[d];
  return cp_view(call, all, 2 + w->n, dims);
}

static buddy_code read_convolution(buddy_call *call, window *w) {
  const buddy_tensor_type *weight = be_arg_type(call, 2);
  w->n = weight->rank - 2;
  if (weight->rank < 3 || w->n > MAX_SPATIAL)
    return be_decline(call, "a convolution over %u spatial dims", weight->rank - 2);
  w->n_offsets = 1;
  for (uint32_t d = 0; d < w->n; ++d) {
    w->kernel[d] = weight->dims[2 + d];
    w->stride[d] = be_int_at(call, 4, d, 1);
    w->padding[d] = be_int_at(call, 5, d, 0);
    w->dilation[d] = be_int_at(call, 6, d, 1);
    if (BUDDY_IS_SYMBOLIC(w->kernel[d]) || BUDDY_IS_SYMBOLIC(w->padding[d]))
      return be_decline(call, "the dims of the weight or of the padding are not numbers");
    if (w->kernel[d] == 0) return be_decline(call, "a kernel of no elements, which none has");
    if (w->n_offsets <= MAX_OFFSETS) w->n_offsets *= w->kernel[d];
  }
  w->groups = be_size(call, 9, 1);
  return BUDDY_OK;
}

/* The gradient of a transposed convolution's input: an ordinary convolution. */
static value gathered(buddy_call *call, const window *w, value gradient, value weight,
                      const buddy_tensor_type *to) {
  static const int64_t none[MAX_SPATIAL] = {0};
  if (!gradient || !weight) return NULL;
  return BE_NODE(call, "aten.convolution.default",
                 be_with_dtype(call, to, cp_type(call, gradient)->dtype), be_t("input", gradient),
                 be_t("weight", weight), be_t("bias", NULL), be_is("stride", w->stride, w->n),
                 be_is("padding", w->padding, w->n), be_is("dilation", w->dilation, w->n),
                 be_b("transposed", 0), be_is("output_padding", none, w->n),
                 be_i("groups", w->groups));
}

static value convolution_gradient(buddy_call *call, const window *w, size_t i) {
  const bool is_transposed = be_bool(call, 7);
  value gradient = cp_computed(call, 0), input = cp_computed(call, 1);
  if (!gradient || !input) return NULL;
  const uint64_t all_but_channels = ((1ull << (w->n + 2)) - 1) & ~2ull;
  if (i == 2) return cp_sum(call, gradient, all_but_channels, 0);
  if (i == 1) {
    return is_transposed ? weight_gradient(call, w, gradient, input)
                         : weight_gradient(call, w, input, gradient);
  }
  value weight = cp_computed(call, 2);
  const buddy_tensor_type *to = be_arg_type(call, 1);
  return is_transposed ? gathered(call, w, gradient, weight, to)
                       : spread(call, w, gradient, weight, to->dims + 2);
}

/* grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding,
 * groups, output_mask */
buddy_code cp_op_convolution_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  window w = {0};
  buddy_code code = read_convolution(call, &w);
  const buddy_arg *wanted = be_arg(call, 10);
  for (size_t i = 0; i < 3 && i < wanted->n && code == BUDDY_OK; ++i) {
    if (!wanted->as.ints[i]) continue;
    value result = convolution_gradient(call, &w, i);
    code = cp_finish_shaped(call, i, result);
  }
  return code;
}

/* ---- Maxima ---------------------------------------------------------------------------------- */
/* grad_output, self, indices: to where the maximum came from, summed where windows share one. user:
 * the number of pooled dims. */
buddy_code cp_op_max_pool_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const uint32_t n = (uint32_t)(uintptr_t)self->user;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value gradient = cp_computed(call, 0), indices = be_arg_value(call, 2);
  const buddy_tensor_type *from = cp_type(call, gradient);
  if (!from || !indices) return cp_finish(call, NULL);
  int64_t rows = 1, reads = 1, writes = 1;
  for (uint32_t d = 0; d < to->rank; ++d) {
    if (d + n < to->rank) {
      rows = mul(call, rows, to->dims[d]);
    } else {
      writes = mul(call, writes, to->dims[d]);
      reads = mul(call, reads, from->dims[d]);
    }
  }
  const int64_t flat[2] = {rows, reads}, flat_to[2] = {rows, writes};
  const buddy_tensor_type *type = be_type(call, from->dtype, 2, flat_to);
  value result =
      BE_NODE(call, "aten.scatter_add.default", type, be_t("self", cp_full(call, type, 0)),
              be_i("dim", 1), be_t("index", cp_view(call, indices, 2, flat)),
              be_t("src", cp_view(call, gradient, 2, flat)));
  return cp_finish_shaped(call, 0, result);
}

/* ---- Means ----------------------------------------------------------------------------------- */
static const char *const avg_pools[] = {[2] = "aten.avg_pool2d.default",
                                        [3] = "aten.avg_pool3d.default"};

/* How many elements each window counts, as [1, 1, O…]; the windows may leave the input. */
static value window_counts(buddy_call *call, const window *w, const buddy_tensor_type *input,
                           const buddy_tensor_type *gradient, buddy_dtype dtype) {
  static const int64_t none[MAX_SPATIAL] = {0};
  const int counts_padding = be_bool(call, 6);
  int64_t from[2 + MAX_SPATIAL] = {1, 1}, to[2 + MAX_SPATIAL] = {1, 1};
  for (uint32_t d = 0; d < w->n; ++d) {
    from[2 + d] =
        add(call, input->dims[input->rank - w->n + d], counts_padding ? 2 * w->padding[d] : 0);
    to[2 + d] = gradient->dims[gradient->rank - w->n + d];
    /* No window starts in the padding after the input: what the last one does not reach is left
     * out, so that the ones have as many windows as the input had. */
    const int64_t reach = (to[2 + d] - 1) * w->stride[d] + w->kernel[d];
    if (counts_padding && !BUDDY_IS_SYMBOLIC(from[2 + d]) && !BUDDY_IS_SYMBOLIC(to[2 + d]) &&
        from[2 + d] > reach)
      from[2 + d] = reach;
  }
  value ones = cp_full(call, be_type(call, dtype, 2 + w->n, from), 1);
  if (!ones) return NULL;
  return BE_NODE(call, avg_pools[w->n], be_type(call, dtype, 2 + w->n, to), be_t("self", ones),
                 be_is("kernel_size", w->kernel, w->n), be_is("stride", w->stride, w->n),
                 be_is("padding", counts_padding ? none : w->padding, w->n),
                 be_b("ceil_mode", be_bool(call, 5)), be_b("count_include_pad", 1),
                 be_i("divisor_override", 1));
}

/* grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
 * divisor_override */
buddy_code cp_op_avg_pool_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  window w = {.n = (uint32_t)(uintptr_t)self->user, .groups = 1};
  const buddy_tensor_type *to = be_result_type(call, 0);
  bool is_padded = false;
  int64_t n_elements = 1, rows = 1, weight_dims[2 + MAX_SPATIAL] = {1, 1};
  for (uint32_t d = 0; d < w.n; ++d) {
    w.kernel[d] = weight_dims[2 + d] = be_int_at(call, 2, d, 1);
    w.stride[d] = be_int_at(call, 3, d, w.kernel[d]);
    w.padding[d] = be_int_at(call, 4, d, 0);
    w.dilation[d] = 1;
    n_elements *= w.kernel[d];
    is_padded |= w.padding[d] != 0;
  }
  value gradient = cp_computed(call, 0);
  const buddy_tensor_type *from = cp_type(call, gradient);
  if (!from) return cp_finish(call, NULL);
  int64_t dims[2 + MAX_SPATIAL] = {1, 1};
  for (uint32_t d = 0; d < from->rank; ++d) {
    if (d + w.n < from->rank)
      rows = mul(call, rows, from->dims[d]);
    else
      dims[2 + d - (from->rank - w.n)] = from->dims[d];
  }
  dims[0] = rows;
  gradient = cp_view(call, gradient, 2 + w.n, dims);
  const double divisor = be_float(call, 7, 0);
  if (divisor != 0 || (!be_bool(call, 5) && (!is_padded || be_bool(call, 6)))) {
    gradient =
        cp_number(call, "aten.div.Tensor", gradient, divisor != 0 ? divisor : (double)n_elements);
  } else {
    gradient =
        cp_div(call, gradient, window_counts(call, &w, be_arg_type(call, 1), from, from->dtype));
  }
  value ones = cp_full(call, be_type(call, from->dtype, 2 + w.n, weight_dims), 1);
  value result = spread(call, &w, gradient, ones, to->dims + to->rank - w.n);
  return cp_finish_shaped(call, 0, result);
}

/* ---- Adaptive means -------------------------------------------------------------------------- */
/* [out, in]: 1 / size of window o where it holds i, else 0. Window o is from floor(o in / out) to
 * ceil((o + 1) in / out). */
static value window_matrix(buddy_call *call, int64_t in, int64_t out, buddy_dtype dtype) {
  const int64_t column[2] = {out, 1};
  value o = cp_view(call, cp_iota(call, out, BUDDY_I64), 2, column);
  value i = cp_iota(call, in, BUDDY_I64);
  value scaled = cp_dim(call, "aten.mul.Tensor", o, in);
  value next = cp_dim(call, "aten.add.Tensor", scaled, add(call, in, add(call, out, -1)));
  if (!next || !i) return NULL;
  value begin = BE_NODE(call, "aten.floor_divide.default", cp_type(call, scaled),
                        be_t("self", scaled), be_i("other", out));
  value end = BE_NODE(call, "aten.floor_divide.default", cp_type(call, next), be_t("self", next),
                      be_i("other", out));
  value is_inside =
      cp_binary(call, "aten.logical_and.default", cp_binary(call, "aten.ge.Tensor", i, begin),
                cp_binary(call, "aten.lt.Tensor", i, end));
  value count = cp_cast(call, cp_sub(call, end, begin), dtype);
  return cp_div(call, cp_cast(call, is_inside, dtype), count);
}

value cp_apply_along(buddy_call *call, value a, uint32_t dim, value matrix) {
  if (!a || !matrix) return NULL;
  const uint32_t last = cp_type(call, a)->rank - 1;
  a = cp_swap(call, a, dim, last);
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type) return NULL;
  int64_t dims[BE_MAX_RANK], rows = 1;
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  for (uint32_t d = 0; d < last; ++d) rows = mul(call, rows, dims[d]);
  const int64_t flat[2] = {rows, dims[last]};
  dims[last] = cp_type(call, matrix)->dims[1];
  value product = cp_matmul(call, cp_view(call, a, 2, flat), matrix);
  return cp_swap(call, cp_view(call, product, last + 1, dims), dim, last);
}

/* grad_output, self; user: the number of pooled dims */
buddy_code cp_op_adaptive_avg_pool_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const uint32_t n = (uint32_t)(uintptr_t)self->user;
  const buddy_tensor_type *to = be_result_type(call, 0), *from = be_arg_type(call, 0);
  value gradient = cp_computed(call, 0);
  if (!gradient) return cp_finish(call, NULL);
  for (uint32_t d = to->rank - n; d < to->rank; ++d) {
    value matrix = window_matrix(call, to->dims[d], from->dims[d], cp_type(call, gradient)->dtype);
    gradient = cp_apply_along(call, gradient, d, matrix);
  }
  return cp_finish(call, gradient);
}
