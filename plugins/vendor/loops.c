// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The plain loops: what runs when the library refuses. Made to be obviously right, not fast. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "plugins/vendor/kernels.h"
#include "plugins/vendor/problem.h"

static int64_t element_size(int64_t dtype) { return dtype == BD_VENDOR_F32 ? 4 : 2; }

static double load(int64_t dtype, const char *data, int64_t index) {
  const char *place = data + index * element_size(dtype);
  float value = 0;
  if (dtype == BD_VENDOR_F32) {
    memcpy(&value, place, sizeof(value));
  } else {
    uint16_t half = 0;
    memcpy(&half, place, sizeof(half));
    const uint32_t bits = (uint32_t)half << 16;
    memcpy(&value, &bits, sizeof(value));
  }
  return (double)value;
}

static void store(int64_t dtype, char *data, int64_t index, double wide) {
  char *place = data + index * element_size(dtype);
  const float value = (float)wide;
  if (dtype == BD_VENDOR_F32) {
    memcpy(place, &value, sizeof(value));
    return;
  }
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof(bits));
  /* Round to nearest, ties to even; a NaN stays one, its payload could otherwise carry into the
   * exponent. */
  const bool is_nan = (bits & 0x7FFFFFFFU) > 0x7F800000U;
  const uint32_t rounded = is_nan ? bits | 0x00400000U : bits + 0x7FFFU + ((bits >> 16) & 1U);
  const uint16_t half = (uint16_t)(rounded >> 16);
  memcpy(place, &half, sizeof(half));
}

static double number(const bd_vendor_tail *tail, int i) {
  double value = 0;
  memcpy(&value, &tail->numbers[i], sizeof(value));
  return value;
}

static double clamp(double x, double low, double high) {
  const double raised = x < low ? low : x;
  return raised > high ? high : raised;
}

static double activate(const bd_vendor_tail *tail, double x) {
  const double cube = x * x * x;
  switch (tail->activation) {
    case BUDDY_VENDOR_CLAMP:
      return clamp(x, number(tail, 0), number(tail, 1));
    case BUDDY_VENDOR_RELU:
      return x < 0 ? x * number(tail, 0) : x;
    case BUDDY_VENDOR_ELU:
      return x < 0 ? number(tail, 0) * expm1(x) : x;
    case BUDDY_VENDOR_SIGMOID:
      return 1 / (1 + exp(-x));
    case BUDDY_VENDOR_SILU:
      return x / (1 + exp(-x));
    case BUDDY_VENDOR_HARDSWISH:
      return x * clamp(x + 3, 0, 6) / 6;
    case BUDDY_VENDOR_GELU_ERF:
      return x * (1 + erf(x * 0.70710678118654752)) / 2;
    case BUDDY_VENDOR_GELU_TANH:
      return x * (1 + tanh(0.79788456080286536 * (x + 0.044715 * cube))) / 2;
    case BUDDY_VENDOR_TANH:
      return tanh(x);
    default:
      return x;
  }
}

static int64_t at(const int64_t strides[BD_VENDOR_MATRIX_RANK], int64_t batch, int64_t row,
                  int64_t column) {
  return batch * strides[BD_VENDOR_BATCH] + row * strides[BD_VENDOR_ROW] +
         column * strides[BD_VENDOR_COLUMN];
}

static double dot(const bd_vendor_product *p, const bd_vendor_data data, int64_t batch, int64_t row,
                  int64_t column) {
  double sum = 0;
  for (int64_t k = 0; k < p->k; ++k) {
    sum += load(p->dtype, data[BD_VENDOR_LEFT], at(p->strides[BD_VENDOR_LEFT], batch, row, k)) *
           load(p->dtype, data[BD_VENDOR_RIGHT], at(p->strides[BD_VENDOR_RIGHT], batch, k, column));
  }
  if (p->has_bias != 0) {
    sum += load(p->dtype, data[BD_VENDOR_BIAS], at(p->strides[BD_VENDOR_BIAS], batch, row, column));
  }
  return sum;
}

static double finish(const bd_vendor_product *p, const bd_vendor_data data, int64_t batch,
                     int64_t row, int64_t column, double value) {
  if (p->tail.has_addend != 0) {
    value += load(p->dtype, data[BD_VENDOR_ADDEND],
                  at(p->strides[BD_VENDOR_ADDEND], batch, row, column));
  }
  return activate(&p->tail, value);
}

void bd_vendor_loop_multiply(const bd_vendor_product *p, const bd_vendor_data data) {
  for (int64_t i = 0; i < p->batch; ++i) {
    for (int64_t row = 0; row < p->m; ++row) {
      for (int64_t column = 0; column < p->n; ++column) {
        store(p->dtype, data[BD_VENDOR_OUT], at(p->strides[BD_VENDOR_OUT], i, row, column),
              finish(p, data, i, row, column, dot(p, data, i, row, column)));
      }
    }
  }
}

void bd_vendor_loop_scale(int64_t dtype, int64_t n, const char *scale, char *values) {
  const double by = load(dtype, scale, 0);
  if (dtype == BD_VENDOR_F32) {
    float *numbers = (float *)(void *)values;
    for (int64_t i = 0; i < n; ++i) numbers[i] *= (float)by;
    return;
  }
  for (int64_t i = 0; i < n; ++i) store(dtype, values, i, load(dtype, values, i) * by);
}

void bd_vendor_loop_finish(const bd_vendor_product *p, const bd_vendor_data data) {
  for (int64_t i = 0; i < p->batch; ++i) {
    for (int64_t row = 0; row < p->m; ++row) {
      for (int64_t column = 0; column < p->n; ++column) {
        const int64_t place = at(p->strides[BD_VENDOR_OUT], i, row, column);
        const double value = load(p->dtype, data[BD_VENDOR_OUT], place);
        store(p->dtype, data[BD_VENDOR_OUT], place, finish(p, data, i, row, column, value));
      }
    }
  }
}

void bd_vendor_loop_fill(const bd_vendor_product *p, const bd_vendor_data data) {
  const int64_t *from = p->strides[BD_VENDOR_BIAS];
  const int64_t *to = p->strides[BD_VENDOR_OUT];
  const int64_t size = element_size(p->dtype);
  const bool is_row = from[BD_VENDOR_COLUMN] == 1 && to[BD_VENDOR_COLUMN] == 1;
  for (int64_t i = 0; i < p->batch; ++i) {
    for (int64_t row = 0; row < p->m; ++row) {
      const char *source = data[BD_VENDOR_BIAS] + at(from, i, row, 0) * size;
      char *target = data[BD_VENDOR_OUT] + at(to, i, row, 0) * size;
      if (is_row) {
        memcpy(target, source, (size_t)(p->n * size));
        continue;
      }
      for (int64_t column = 0; column < p->n; ++column) {
        memcpy(target + column * to[BD_VENDOR_COLUMN] * size,
               source + column * from[BD_VENDOR_COLUMN] * size, (size_t)size);
      }
    }
  }
}

void bd_vendor_loop_add(const bd_vendor_product *p, const char *from, const bd_vendor_data data) {
  const int64_t *to = p->strides[BD_VENDOR_OUT];
  float *out = (float *)(void *)data[BD_VENDOR_OUT];
  const float *sum = (const float *)(const void *)from;
  for (int64_t i = 0; i < p->batch; ++i) {
    for (int64_t row = 0; row < p->m; ++row) {
      for (int64_t column = 0; column < p->n; ++column) out[at(to, i, row, column)] += *sum++;
    }
  }
}

/* The input position that tap tap reads for output position out along one dimension, or -1 for
 * none. */
static int64_t source_of(const bd_vendor_convolution *c, int64_t dim, int64_t out, int64_t tap) {
  int64_t position = 0;
  if (c->is_transposed != 0) {
    position = out + c->padding[dim] - tap * c->dilation[dim];
    if (position < 0 || position % c->stride[dim] != 0) return -1;
    position /= c->stride[dim];
  } else {
    position = out * c->stride[dim] - c->padding[dim] + tap * c->dilation[dim];
  }
  return position >= 0 && position < c->in_size[dim] ? position : -1;
}

/* Counts index up within limits, the last dimension first; false when it has been through all. */
static bool step(int64_t n, const int64_t *limits, int64_t *index) {
  for (int64_t i = n - 1; i >= 0; --i) {
    if (++index[i] < limits[i]) return true;
    index[i] = 0;
  }
  return false;
}

static bool is_empty(int64_t n, const int64_t *limits) {
  for (int64_t i = 0; i < n; ++i) {
    if (limits[i] <= 0) return true;
  }
  return false;
}

/* The sum over one filter window for the channels of one group. weight is where the output
 * channel's weights begin and channel_stride leads from one input channel's weights to the next
 * one's. */
static double window_sum(const bd_vendor_convolution *c, const bd_vendor_data data, int64_t input,
                         int64_t weight, int64_t channel_stride, const int64_t *out_position) {
  double sum = 0;
  int64_t tap[BD_VENDOR_MAX_SPATIAL] = {0};
  if (is_empty(c->n_spatial, c->kernel)) return 0;
  do {
    int64_t from = input;
    int64_t tap_weight = weight;
    bool is_inside = true;
    for (int64_t dim = 0; dim < c->n_spatial && is_inside; ++dim) {
      const int64_t position = source_of(c, dim, out_position[dim], tap[dim]);
      is_inside = position >= 0;
      from += position * c->strides[BD_VENDOR_LEFT][2 + dim];
      tap_weight += tap[dim] * c->strides[BD_VENDOR_RIGHT][2 + dim];
    }
    for (int64_t i = 0; is_inside && i < c->channels_in / c->groups; ++i) {
      sum += load(c->dtype, data[BD_VENDOR_LEFT], from + i * c->strides[BD_VENDOR_LEFT][1]) *
             load(c->dtype, data[BD_VENDOR_RIGHT], tap_weight + i * channel_stride);
    }
  } while (step(c->n_spatial, c->kernel, tap));
  return sum;
}

static int64_t place_of(const bd_vendor_convolution *c, const int64_t *strides, int64_t batch,
                        int64_t channel, const int64_t *position) {
  int64_t place = batch * strides[0] + channel * strides[1];
  for (int64_t dim = 0; dim < c->n_spatial; ++dim) place += position[dim] * strides[2 + dim];
  return place;
}

/* All output positions of one channel of one batch element. */
static void convolve_plane(const bd_vendor_convolution *c, const bd_vendor_data data, int64_t batch,
                           int64_t channel) {
  const int64_t filters = c->channels_out / c->groups;
  const int64_t inputs = c->channels_in / c->groups;
  const int64_t group = channel / filters;
  const int64_t *weight_strides = c->strides[BD_VENDOR_RIGHT];
  const int64_t input =
      batch * c->strides[BD_VENDOR_LEFT][0] + group * inputs * c->strides[BD_VENDOR_LEFT][1];
  const bool is_transposed = c->is_transposed != 0;
  const int64_t weight =
      is_transposed ? group * inputs * weight_strides[0] + channel % filters * weight_strides[1]
                    : channel * weight_strides[0];
  const int64_t channel_stride = weight_strides[is_transposed ? 0 : 1];
  const double bias = c->has_bias != 0 ? load(c->dtype, data[BD_VENDOR_BIAS],
                                              channel * c->strides[BD_VENDOR_BIAS][0])
                                       : 0;
  const double scale = c->has_scale != 0 ? load(c->dtype, data[BD_VENDOR_SCALE],
                                                channel * c->strides[BD_VENDOR_SCALE][0])
                                         : 1;
  int64_t position[BD_VENDOR_MAX_SPATIAL] = {0};
  do {
    double sum = window_sum(c, data, input, weight, channel_stride, position) * scale + bias;
    if (c->tail.has_addend != 0) {
      sum += load(c->dtype, data[BD_VENDOR_ADDEND],
                  place_of(c, c->strides[BD_VENDOR_ADDEND], batch, channel, position));
    }
    store(c->dtype, data[BD_VENDOR_OUT],
          place_of(c, c->strides[BD_VENDOR_OUT], batch, channel, position),
          activate(&c->tail, sum));
  } while (step(c->n_spatial, c->out_size, position));
}

void bd_vendor_loop_convolve(const bd_vendor_convolution *c, const bd_vendor_data data) {
  if (is_empty(c->n_spatial, c->out_size)) return;
  for (int64_t batch = 0; batch < c->batch; ++batch) {
    for (int64_t channel = 0; channel < c->channels_out; ++channel) {
      convolve_plane(c, data, batch, channel);
    }
  }
}
