// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/convolution.c: convolutions over 1, 2 and 3 spatial dims.
 *
 * TOSA's are channels-last (NHWC or NDHWC, filters O…I or, depthwise, HWIM), PyTorch's
 * channels-first: inputs and results are transposed around the op. TOSA wants windows to end exactly
 * where the padded input does; PyTorch lets rows remain, which are taken off the padding after, or
 * sliced off the input. A 1-d convolution is a 2-d one of height 1. Groups are convolutions beside
 * each other. A transposed convolution is an ordinary one over the input with zeros between its
 * elements, by mirrored filters: tosa.transpose_conv2d has no dilation and no groups. */
#include <stdbool.h>
#include <string.h>

#include "plugins/tosa/rows.h"

enum { MAX_SPATIAL = 3, MAX_GROUPS = 64 }; /* groups that a module is to write out */

const ts_convolution ts_conv = {.groups = 8, .transposed = 6, .output_padding = 7},
                     ts_conv_plain = {.groups = 6};

/* Over two or three spatial dims. */
typedef struct problem {
  uint32_t n;
  int64_t groups, stride[MAX_SPATIAL], dilation[MAX_SPATIAL], low[MAX_SPATIAL], high[MAX_SPATIAL];
  MlirValue image, filter;
  const buddy_tensor_type *image_type, *filter_type, *to; /* [N, C, …], [O, I, …], [N, O, …] */
} problem;

/* ---- Reading the arguments: input, weight, bias, stride, padding, dilation, then the row's ----- */
/* With a batch, and of two spatial dims at least. */
static const buddy_tensor_type *widened(buddy_call *call, const buddy_tensor_type *type,
                                        uint32_t n) {
  int64_t dims[2 + MAX_SPATIAL] = {1};
  uint32_t at = type->rank == n + 2 ? 0 : 1;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (n == 1 && d == type->rank - 1) dims[at++] = 1;
    dims[at++] = type->dims[d];
  }
  return be_type(call, type->dtype, at, dims);
}

/* "same" pads so that the result has the input's dims, with the odd one at the end. */
static void read_steps(buddy_call *call, uint32_t n, problem *p) {
  const buddy_arg *padding = be_arg(call, 4);
  const bool is_same = padding->kind == BUDDY_ARG_STRING && strcmp(padding->as.string, "same") == 0;
  for (uint32_t d = 0; d < p->n; ++d) p->stride[d] = p->dilation[d] = 1;
  for (uint32_t k = 0; k < n; ++k) {
    const uint32_t d = p->n - n + k;
    p->stride[d] = be_int_at(call, 3, k, 1);
    p->dilation[d] = be_int_at(call, 5, k, 1);
    const int64_t reach = p->dilation[d] * (p->filter_type->dims[2 + d] - 1);
    const bool is_named = padding->kind == BUDDY_ARG_STRING;
    p->low[d] = is_same ? reach / 2 : is_named ? 0 : be_int_at(call, 4, k, 0);
  }
}

static bool is_transposed(buddy_call *call, const ts_convolution *row) {
  return row->transposed != 0 && be_bool(call, row->transposed);
}

/* What the types and numbers say; no values yet. */
static problem read_sizes(buddy_call *call, const ts_convolution *row) {
  const uint32_t n = be_arg_type(call, 1)->rank - 2;
  problem p = {.n = n == 1 ? 2 : n,
               .groups = be_int(call, row->groups, 1),
               .image_type = widened(call, be_arg_type(call, 0), n),
               .filter_type = widened(call, be_arg_type(call, 1), n),
               .to = widened(call, be_result_type(call, 0), n)};
  if (p.filter_type) read_steps(call, n, &p);
  return p;
}

static problem read_problem(buddy_call *call, const ts_convolution *row) {
  problem p = read_sizes(call, row);
  if (!p.image_type || !p.filter_type || !p.to) return p;
  p.image = ts_reshape(call, be_tensor(call, 0), be_arg_type(call, 0), p.image_type);
  p.filter = ts_reshape(call, be_tensor(call, 1), be_arg_type(call, 1), p.filter_type);
  return p;
}

/* Where the last window ends along a spatial dim, counted from where the first begins. */
static int64_t reach_of(const problem *p, uint32_t d) {
  const int64_t window = p->dilation[d] * (p->filter_type->dims[2 + d] - 1) + 1;
  return (p->to->dims[2 + d] - 1) * p->stride[d] + window;
}

static bool is_depthwise(const buddy_tensor_type *filter, int64_t channels, int64_t groups) {
  return groups > 1 && groups == channels && filter->dims[1] == 1 && filter->rank < 5;
}

/* Whether no window reaches an element of the image, along some dim. */
static bool is_in_padding(buddy_call *call, const ts_convolution *row) {
  if (is_transposed(call, row)) return false;
  const problem p = read_sizes(call, row);
  for (uint32_t d = 0; p.filter_type && p.to && d < p.n; ++d) {
    if (reach_of(&p, d) <= p.low[d]) return true;
  }
  return false;
}

static buddy_code match(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_code code = ts_match(state, self, call);
  if (code == BUDDY_OK && is_in_padding(call, self->user))
    return be_decline(call, "the windows lie in the padding alone: TOSA has no empty tensors");
  return code;
}

/* What TOSA has an op for. */
buddy_code ts_match_convolution(void *state, const buddy_op *self, buddy_call *call) {
  const ts_convolution *row = self->user;
  const buddy_tensor_type *image = be_arg_type(call, 0), *filter = be_arg_type(call, 1);
  if (is_transposed(call, row)) return be_decline(call, "transposed convolution");
  if (filter->rank < 3 || filter->rank > 4)
    return be_decline(call, "%u spatial dims: TOSA has 2", filter->rank - 2);
  const int64_t groups = be_int(call, row->groups, 1),
                channels = image->dims[image->rank - filter->rank + 1];
  if (groups != 1 && !is_depthwise(filter, channels, groups))
    return be_decline(call, "groups is %lld: TOSA has 1 or depthwise", (long long)groups);
  return match(state, self, call);
}

/* What can be made of that. */
buddy_code ts_match_any_convolution(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_tensor_type *image = be_arg_type(call, 0), *filter = be_arg_type(call, 1);
  if (filter->rank < 3 || filter->rank > 5)
    return be_decline(call, "%u spatial dims: TOSA has 2 or 3", filter->rank - 2);
  const ts_convolution *row = self->user;
  const int64_t groups = be_int(call, row->groups, 1),
                channels = image->dims[image->rank - filter->rank + 1];
  if (groups > MAX_GROUPS && !is_depthwise(filter, channels, groups))
    return be_decline(call, "%lld groups are too many to be written out", (long long)groups);
  return match(state, self, call);
}

/* ---- The transposed one, made ordinary -------------------------------------------------------- */
/* stride - 1 zeros after each element of a dim but the last. */
static void spread(buddy_call *call, problem *p, uint32_t dim, int64_t stride) {
  const buddy_tensor_type *from = p->image_type;
  if (stride == 1 || !from) return;
  int64_t flat[3] = {1, 1, 1}, dims[2 + MAX_SPATIAL] = {0};
  const int64_t padding[6] = {0, 0, 0, stride - 1, 0, 0}, start[2 + MAX_SPATIAL] = {0};
  memcpy(dims, from->dims, from->rank * sizeof(*dims));
  for (uint32_t d = 0; d < from->rank; ++d) flat[d <= dim ? 0 : 2] *= dims[d];
  const buddy_tensor_type *apart = be_type(call, from->dtype, 3, flat);
  flat[1] = stride;
  const buddy_tensor_type *padded = be_type(call, from->dtype, 3, flat);
  dims[dim] *= stride;
  const buddy_tensor_type *wide = be_type(call, from->dtype, from->rank, dims);
  dims[dim] -= stride - 1;
  const MlirValue value = BE_OP(call, "tosa.pad", padded, ts_reshape(call, p->image, from, apart),
                                ts_shape(call, padding, 6), ts_number(call, from->dtype, 1, 0));
  p->image_type = be_type(call, from->dtype, from->rank, dims);
  p->image = ts_slice(call, ts_reshape(call, value, padded, wide), start, p->image_type);
}

/* [C, O / groups, …] to [O, C / groups, …], from the other end. */
static void mirror(buddy_call *call, problem *p) {
  static const int32_t exchange[4] = {0, 2, 1, 3};
  const buddy_tensor_type *from = p->filter_type, *exchanged = NULL;
  int64_t size = 1, dims[2 + MAX_SPATIAL];
  memcpy(dims, from->dims, from->rank * sizeof(*dims));
  for (uint32_t d = 2; d < from->rank; ++d) {
    const be_attribute axis[] = {{"axis", be_attr_i32(call, (int32_t)d)}, {NULL, {NULL}}};
    if (dims[d] > 1) p->filter = BE_OP_ATTRS(call, "tosa.reverse", from, axis, p->filter);
    size *= dims[d];
  }
  const int64_t in_groups[4] = {p->groups, dims[0] / p->groups, dims[1], size};
  const buddy_tensor_type *apart = be_type(call, from->dtype, 4, in_groups);
  const MlirValue value =
      ts_transpose(call, ts_reshape(call, p->filter, from, apart), apart, exchange, &exchanged);
  dims[0] = from->dims[1] * p->groups;
  dims[1] = from->dims[0] / p->groups;
  p->filter_type = be_type(call, from->dtype, from->rank, dims);
  p->filter = ts_reshape(call, value, exchanged, p->filter_type);
}

static void make_ordinary(buddy_call *call, problem *p) {
  for (uint32_t d = 0; d < p->n; ++d) {
    p->low[d] = p->dilation[d] * (p->filter_type->dims[2 + d] - 1) - p->low[d];
    spread(call, p, 2 + d, p->stride[d]);
    p->stride[d] = 1;
  }
  mirror(call, p);
}

/* ---- Where windows end ------------------------------------------------------------------------ */
/* Fits the padding after to the last window; negative padding is taken off the image. */
static void fit(buddy_call *call, problem *p) {
  const buddy_tensor_type *from = p->image_type;
  int64_t start[2 + MAX_SPATIAL] = {0}, dims[2 + MAX_SPATIAL] = {0};
  if (!from || !p->filter_type) return;
  memcpy(dims, from->dims, from->rank * sizeof(*dims));
  for (uint32_t d = 0; d < p->n; ++d) {
    p->high[d] = reach_of(p, d) - dims[2 + d] - p->low[d];
    start[2 + d] = p->low[d] < 0 ? -p->low[d] : 0;
    dims[2 + d] += (p->low[d] < 0 ? p->low[d] : 0) + (p->high[d] < 0 ? p->high[d] : 0);
    p->low[d] = p->low[d] < 0 ? 0 : p->low[d];
    p->high[d] = p->high[d] < 0 ? 0 : p->high[d];
  }
  const buddy_tensor_type *kept = be_type(call, from->dtype, from->rank, dims);
  if (!kept || be_same_dims(kept, from)) return;
  p->image = ts_slice(call, p->image, start, kept);
  p->image_type = kept;
}

/* ---- The op ----------------------------------------------------------------------------------- */
/* Channels after the spatial dims. */
static MlirValue channels_last(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                               const buddy_tensor_type **out_type) {
  static const int32_t order[2][5] = {{0, 2, 3, 1}, {0, 2, 3, 4, 1}};
  return ts_transpose(call, value, from, order[from && from->rank == 5], out_type);
}

static MlirValue convolve(buddy_call *call, const problem *p, const char *name,
                          const buddy_tensor_type *to, MlirValue image, MlirValue filter,
                          MlirValue bias) {
  int64_t pad[2 * MAX_SPATIAL];
  if (!to) return (MlirValue){NULL};
  for (uint32_t d = 0; d < p->n; ++d) {
    pad[2 * d] = p->low[d];
    pad[2 * d + 1] = p->high[d];
  }
  const be_attribute attributes[] = {
      {"pad", be_attr_i64s(call, pad, 2 * p->n)},
      {"stride", be_attr_i64s(call, p->stride, p->n)},
      {"dilation", be_attr_i64s(call, p->dilation, p->n)},
      {"acc_type", be_attr_type(call, buddy_mlir_element_type(call, BUDDY_F32))},
      {NULL, {NULL}}};
  const MlirValue zero = ts_number(call, to->dtype, 1, 0);
  return BE_OP_ATTRS(call, name, to, attributes, image, filter, bias, zero, zero);
}

/* [C * M, 1, H, W] to [H, W, C, M] */
static MlirValue depthwise(buddy_call *call, const problem *p, const buddy_tensor_type *to,
                           MlirValue image, MlirValue bias) {
  static const int32_t order[4] = {2, 3, 0, 1};
  const buddy_tensor_type *from = p->filter_type;
  const int64_t dims[4] = {p->groups, from->dims[0] / p->groups, from->dims[2], from->dims[3]};
  const buddy_tensor_type *split = be_type(call, from->dtype, 4, dims);
  const MlirValue filter =
      ts_transpose(call, ts_reshape(call, p->filter, from, split), split, order, NULL);
  return convolve(call, p, "tosa.depthwise_conv2d", to, image, filter, bias);
}

/* Part k of `groups` of a dim. */
static MlirValue part(buddy_call *call, MlirValue value, const buddy_tensor_type **type,
                      uint32_t dim, int64_t k, int64_t groups) {
  int64_t start[2 + MAX_SPATIAL] = {0}, dims[2 + MAX_SPATIAL];
  if (groups == 1 || !*type) return value;
  memcpy(dims, (*type)->dims, (*type)->rank * sizeof(*dims));
  dims[dim] /= groups;
  start[dim] = k * dims[dim];
  *type = be_type(call, (*type)->dtype, (*type)->rank, dims);
  return ts_slice(call, value, start, *type);
}

static MlirValue one_group(buddy_call *call, const problem *p, int64_t k,
                           const buddy_tensor_type *to, MlirValue image,
                           const buddy_tensor_type *image_type) {
  const buddy_tensor_type *filter_type = p->filter_type, *bias_type = be_arg_type(call, 2);
  const uint32_t last = 1 + p->n;
  image = part(call, image, &image_type, last, k, p->groups);
  const MlirValue filter = part(call, p->filter, &filter_type, 0, k, p->groups);
  const MlirValue bias = bias_type ? part(call, be_tensor(call, 2), &bias_type, 0, k, p->groups)
                                   : ts_number(call, p->to->dtype, 1, 0);
  return convolve(call, p, p->n == 2 ? "tosa.conv2d" : "tosa.conv3d", to, image,
                  channels_last(call, filter, filter_type, NULL), bias);
}

static MlirValue grouped(buddy_call *call, const problem *p, const buddy_tensor_type *to,
                         MlirValue image, const buddy_tensor_type *image_type) {
  int64_t dims[2 + MAX_SPATIAL];
  const uint32_t last = 1 + p->n;
  MlirValue *values = be_scratch(call, (size_t)p->groups, sizeof(*values));
  if (!values || !to) return (MlirValue){NULL};
  memcpy(dims, to->dims, to->rank * sizeof(*dims));
  dims[last] /= p->groups;
  const buddy_tensor_type *one = be_type(call, to->dtype, to->rank, dims);
  for (int64_t k = 0; k < p->groups; ++k) values[k] = one_group(call, p, k, one, image, image_type);
  if (p->groups == 1) return values[0];
  const be_attribute attributes[] = {{"axis", be_attr_i32(call, (int32_t)last)}, {NULL, {NULL}}};
  return be_op(call, "tosa.concat", to, values, (size_t)p->groups, attributes);
}

static buddy_code finish(buddy_call *call, const problem *p, MlirValue value,
                         const buddy_tensor_type *last) {
  static const int32_t order[2][5] = {{0, 3, 1, 2}, {0, 4, 1, 2, 3}};
  value = ts_transpose(call, value, last, order[p->n == 3], NULL);
  return be_result(call, 0, ts_reshape(call, value, p->to, be_result_type(call, 0)));
}

/* user: where the row has its arguments */
buddy_code ts_emit_convolution(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const ts_convolution *row = self->user;
  problem p = read_problem(call, row);
  if (!p.image_type || !p.filter_type || !p.to) return be_result(call, 0, (MlirValue){NULL});
  if (row->output_padding != 0) (void)be_arg(call, row->output_padding); /* the result has it */
  if (is_transposed(call, row)) make_ordinary(call, &p);
  fit(call, &p);
  if (!p.image_type || !p.filter_type) return be_result(call, 0, (MlirValue){NULL});
  const buddy_tensor_type *image_type = NULL, *last = NULL;
  int64_t dims[2 + MAX_SPATIAL] = {p.to->dims[0]};
  memcpy(dims + 1, p.to->dims + 2, p.n * sizeof(*dims));
  dims[1 + p.n] = p.to->dims[1];
  last = be_type(call, p.to->dtype, p.to->rank, dims);
  const MlirValue image = channels_last(call, p.image, p.image_type, &image_type);
  if (!is_depthwise(p.filter_type, p.image_type->dims[1], p.groups))
    return finish(call, &p, grouped(call, &p, last, image, image_type), last);
  const MlirValue bias =
      be_is_none(call, 2) ? ts_number(call, p.to->dtype, 1, 0) : be_tensor(call, 2);
  return finish(call, &p, depthwise(call, &p, last, image, bias), last);
}
