// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/window.c: pooling. Layouts and the ends of windows are as in convolution.c. */
#include "plugins/tosa/rows.h"

#include <stdbool.h>

/* ---- Windows over two dims ------------------------------------------------------------------- */
/* What a window op of N spatial dims (1 or 2) is as one of two: input [N, C, H, W] and, per spatial
 * dim, the numbers. */
typedef struct window {
  uint32_t n;
  int64_t batch, channels, in[2], out[2], kernel[2], stride[2], dilation[2];
  int64_t pad[4]; /* before and after, of H, then of W */
  int64_t cut[2]; /* rows of the input after, which no window reaches */
} window;

/* Fits the padding after to the last window. */
static void fit(window *w) {
  for (int k = 0; k < 2; ++k) {
    const int64_t reach = (w->out[k] - 1) * w->stride[k] + w->dilation[k] * (w->kernel[k] - 1) + 1;
    int64_t behind = reach - w->in[k] - w->pad[2 * k];
    w->cut[k] = behind < 0 ? -behind : 0;
    w->pad[2 * k + 1] = behind < 0 ? 0 : behind;
  }
}

/* args: numbers of stride, padding and dilation; SIZE_MAX: the op has none. */
static window window_of(buddy_call *call, const int64_t *kernel, uint32_t n, size_t stride,
                        size_t padding, size_t dilation) {
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  window w = {.n = n,
              .batch = from->rank > n + 1 ? from->dims[0] : 1,
              .channels = from->dims[from->rank - n - 1],
              .in = {1, 1},
              .out = {1, 1},
              .kernel = {1, 1},
              .stride = {1, 1},
              .dilation = {1, 1}};
  for (uint32_t k = 0; k < n; ++k) {
    const uint32_t at = 2 - n + k;
    w.in[at] = from->dims[from->rank - n + k];
    w.out[at] = to->dims[to->rank - n + k];
    w.kernel[at] = kernel[k];
    w.stride[at] = be_int_at(call, stride, k, kernel[k]); /* an empty stride is the kernel's size */
    w.pad[2 * at] = be_int_at(call, padding, k, 0);
    w.dilation[at] = dilation == SIZE_MAX ? 1 : be_int_at(call, dilation, k, 1);
  }
  fit(&w);
  return w;
}

/* The input as NHWC, without what no window reaches. */
static MlirValue channels_last(buddy_call *call, const window *w) {
  static const int32_t to_last[] = {0, 2, 3, 1};
  static const int64_t start[4] = {0, 0, 0, 0};
  const buddy_tensor_type *from = be_arg_type(call, 0), *last = NULL;
  const int64_t dims[4] = {w->batch, w->channels, w->in[0], w->in[1]};
  const buddy_tensor_type *image = be_type(call, from->dtype, 4, dims);
  MlirValue value =
      ts_transpose(call, ts_reshape(call, be_tensor(call, 0), from, image), image, to_last, &last);
  if (w->cut[0] == 0 && w->cut[1] == 0) return value;
  const int64_t kept[4] = {w->batch, w->in[0] - w->cut[0], w->in[1] - w->cut[1], w->channels};
  return ts_slice(call, value, start, be_type(call, from->dtype, 4, kept));
}

static const buddy_tensor_type *result_last(buddy_call *call, const window *w, int64_t channels,
                                            buddy_dtype dtype) {
  const int64_t dims[4] = {w->batch, w->out[0], w->out[1], channels};
  return be_type(call, dtype, 4, dims);
}

static buddy_code finish(buddy_call *call, MlirValue value, const buddy_tensor_type *last) {
  static const int32_t to_first[] = {0, 3, 1, 2};
  const buddy_tensor_type *image = NULL, *to = be_result_type(call, 0);
  value = ts_transpose(call, ts_cast(call, value, last, to->dtype),
                       be_with_dtype(call, last, to->dtype), to_first, &image);
  return be_result(call, 0, ts_reshape(call, value, image, to));
}

/* ---- Pooling --------------------------------------------------------------------------------- */
static window pool_window(buddy_call *call, uint32_t n, size_t dilation) {
  int64_t kernel[2];
  for (uint32_t k = 0; k < n; ++k) kernel[k] = be_int_at(call, 1, k, 1);
  return window_of(call, kernel, n, 2, 3, dilation);
}

static uint32_t spatial(const buddy_op *self) { return (uint32_t)(uintptr_t)self->user; }

/* TOSA: a window must not lie in the padding alone */
static buddy_code match_pool(void *state, const buddy_op *self, buddy_call *call, const window *w) {
  for (int k = 0; k < 4; ++k) {
    if (w->pad[k] >= w->kernel[k / 2])
      return be_decline(call, "a window lies in the padding alone");
  }
  return ts_match(state, self, call);
}

/* self, kernel_size, stride, padding, dilation, ceil_mode */
buddy_code ts_match_max_pool(void *state, const buddy_op *self, buddy_call *call) {
  const window w = pool_window(call, spatial(self), 4);
  if (w.dilation[0] != 1 || w.dilation[1] != 1) return be_decline(call, "dilation is not 1");
  return match_pool(state, self, call, &w);
}

buddy_code ts_emit_max_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)be_arg(call, 5); /* ceil_mode: the result's size has it */
  const window w = pool_window(call, spatial(self), 4);
  const be_attribute attributes[] = {{"kernel", be_attr_i64s(call, w.kernel, 2)},
                                     {"stride", be_attr_i64s(call, w.stride, 2)},
                                     {"pad", be_attr_i64s(call, w.pad, 4)},
                                     {NULL, {NULL}}};
  const buddy_tensor_type *last = result_last(call, &w, w.channels, be_result_type(call, 0)->dtype);
  return finish(
      call, BE_OP_ATTRS(call, "tosa.max_pool2d", last, attributes, channels_last(call, &w)), last);
}

/* self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override. TOSA divides
 * by what lies inside. */
buddy_code ts_match_avg_pool(void *state, const buddy_op *self, buddy_call *call) {
  const window w = pool_window(call, spatial(self), SIZE_MAX);
  const bool is_padded = w.pad[0] || w.pad[1] || w.pad[2] || w.pad[3];
  if (is_padded && be_bool(call, 5))
    return be_decline(call, "count_include_pad: TOSA counts what lies inside");
  if (be_host->n_args(call) > 6 && !be_is_none(call, 6))
    return be_decline(call, "divisor_override is set");
  return match_pool(state, self, call, &w);
}

buddy_code ts_emit_avg_pool(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  for (size_t i = 4; i < be_host->n_args(call); ++i) (void)be_arg(call, i);
  const window w = pool_window(call, spatial(self), SIZE_MAX);
  const buddy_dtype dtype = be_result_type(call, 0)->dtype;
  const MlirValue zero = ts_number(call, dtype, 1, 0);
  const be_attribute attributes[] = {
      {"kernel", be_attr_i64s(call, w.kernel, 2)},
      {"stride", be_attr_i64s(call, w.stride, 2)},
      {"pad", be_attr_i64s(call, w.pad, 4)},
      {"acc_type", be_attr_type(call, buddy_mlir_element_type(call, BUDDY_F32))},
      {NULL, {NULL}}};
  const buddy_tensor_type *last = result_last(call, &w, w.channels, dtype);
  return finish(
      call,
      BE_OP_ATTRS(call, "tosa.avg_pool2d", last, attributes, channels_last(call, &w), zero, zero),
      last);
}
