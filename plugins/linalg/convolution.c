// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/convolution.c: convolutions over 1, 2 and 3 spatial dims; over one as over two, of one line.
 *
 * Named ops where there are any: linalg.conv_*_nc*_fc* without groups, linalg.depthwise_conv_2d_nchw_chw
 * where each group is a channel, which is repeated if it has several filters, linalg.conv_2d_ngchw_gfchw for other
 * groups. Over three dims those of groups, and of places with gaps between them, are sums over the planes of the
 * window: each is a convolution over two of the images that the planes are.
 * Padding is a tensor.pad in front; the bias is what the sums start from. Transposed ones:
 * transposed.c. */
#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "plugins/linalg/affine.h"
#include "plugins/linalg/convolution.h"

static const MlirValue no_value = {NULL};

/* ---- Around the op ---- */

static void pad_input(buddy_call *call, la_problem *p) {
  int64_t low[2 + LA_MAX_SPATIAL] = {0}, high[2 + LA_MAX_SPATIAL] = {0}, dims[2 + LA_MAX_SPATIAL];
  memcpy(dims, p->input_type->dims, p->input_type->rank * sizeof(int64_t));
  for (uint32_t d = 0; d < p->n_spatial; ++d) {
    low[2 + d] = p->low[d];
    high[2 + d] = p->high[d];
    dims[2 + d] = be_dim(call, BUDDY_DIM_ADD, dims[2 + d],
                         be_dim(call, BUDDY_DIM_ADD, p->low[d], p->high[d]));
  }
  const buddy_tensor_type *padded = be_type(call, p->input_type->dtype, p->input_type->rank, dims);
  const MlirValue zero = be_scalar_int(call, p->input_type->dtype, 0);
  p->input = la_padded(call, p->input, p->input_type, low, high, zero, padded);
  if (padded) p->input_type = padded;
}

/* Each channel n times, one after the other, so that each has one filter. */
static void repeat_channels(buddy_call *call, la_problem *p, int64_t n) {
  const buddy_tensor_type *from = p->input_type;
  int64_t dims[2 + LA_MAX_SPATIAL];
  MlirAffineExpr places[2 + LA_MAX_SPATIAL], all[2 + LA_MAX_SPATIAL];
  memcpy(dims, from->dims, from->rank * sizeof(int64_t));
  dims[1] *= n;
  const buddy_tensor_type *to = be_type(call, from->dtype, from->rank, dims);
  if (!to) return;
  la_loops(call, all, 0, to->rank);
  memcpy(places, all, sizeof(places));
  places[1] =
      mlirAffineFloorDivExprGet(places[1], mlirAffineConstantExprGet(buddy_mlir_context(call), n));
  const la_affine spec = {.n_loops = to->rank,
                          .n_inputs = 1,
                          .inputs = {p->input},
                          .input_dtypes = {from->dtype},
                          .input_maps = {la_map(call, to->rank, places, to->rank)},
                          .init = be_empty(call, to),
                          .output_type = to,
                          .output_map = la_map(call, to->rank, all, to->rank),
                          .body = la_first};
  p->input = la_affine_generic(call, &spec);
  p->input_type = to;
  p->groups = dims[1];
}

/* Several filters to a channel, where the numbers of both are known. */
static int64_t filters_per_channel(const la_problem *p) {
  const int64_t channels = p->input_type->dims[1], filters = p->weight_type->dims[0];
  if (BUDDY_IS_SYMBOLIC(p->groups) || BUDDY_IS_SYMBOLIC(filters) || p->groups != channels ||
      p->groups < 2 || p->weight_type->dims[1] != 1)
    return 1;
  return filters > channels ? filters / channels : 1;
}

/* The bias over and over, until there are `n` elements; put together by slices, so that what begins
 * with it is still a row that is repeated. */
static MlirValue repeated_bias(buddy_call *call, MlirValue bias, const buddy_tensor_type *from,
                               const buddy_tensor_type *to) {
  la_box box = la_whole(call, from);
  if (!from || !to) return no_value;
  MlirValue all = be_empty(call, to);
  for (; box.offsets[0] < to->dims[0]; box.offsets[0] += from->dims[0])
    all = la_insert(call, bias, all, &box, to);
  return all;
}

MlirValue la_convolution_begin(buddy_call *call, const la_problem *p, const buddy_tensor_type *to) {
  const buddy_tensor_type *bias = be_arg_type(call, 2);
  if (!to) return no_value;
  if (!bias) return be_filled(call, to, be_scalar_int(call, to->dtype, 0));
  const buddy_tensor_type *row = be_with_dtype(call, bias, to->dtype);
  MlirValue value = la_tensor_as(call, 2, to->dtype);
  int64_t dims[1 + LA_MAX_SPATIAL] = {bias->dims[0], 1, 1, 1};
  if (p->n_phases > 1) {
    dims[0] = to->dims[1];
    const buddy_tensor_type *all = be_type(call, to->dtype, 1, dims);
    value = repeated_bias(call, value, row, all);
    row = all;
  }
  const buddy_tensor_type *column = be_type(call, to->dtype, p->n_spatial + 1, dims);
  return be_broadcast(call, be_reshape(call, value, row, column), column, to);
}

/* ---- The op ---- */

static MlirValue named(buddy_call *call, const la_problem *p, const char *name,
                       const MlirValue operands[3], const buddy_tensor_type *to) {
  static const int32_t segments[2] = {2, 1};
  const be_attribute attributes[] = {
      {"strides", be_attr_dense_ints(call, BUDDY_I64, p->stride, p->n_spatial)},
      {"dilations", be_attr_dense_ints(call, BUDDY_I64, p->dilation, p->n_spatial)},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(buddy_mlir_context(call), 2, segments)},
      {NULL, {NULL}}};
  return be_op(call, name, to, operands, 3, attributes);
}

static MlirValue ungrouped(buddy_call *call, const la_problem *p, MlirValue init) {
  static const char *const names[] = {[2] = "linalg.conv_2d_nchw_fchw",
                                      [3] = "linalg.conv_3d_ncdhw_fcdhw"};
  const MlirValue operands[3] = {p->input, p->weight, init};
  return named(call, p, names[p->n_spatial], operands, p->sum_type);
}

/* [c, 1, h, w] filters without their dim of 1. */
static MlirValue depthwise(buddy_call *call, const la_problem *p, MlirValue init) {
  const int64_t *sizes = p->weight_type->dims, dims[3] = {sizes[0], sizes[2], sizes[3]};
  const buddy_tensor_type *flat = be_type(call, p->weight_type->dtype, 3, dims);
  const MlirValue operands[3] = {p->input, be_reshape(call, p->weight, p->weight_type, flat), init};
  return named(call, p, "linalg.depthwise_conv_2d_nchw_chw", operands, p->sum_type);
}

/* The type with dim `axis` cut into groups. */
static const buddy_tensor_type *in_groups(buddy_call *call, const buddy_tensor_type *type,
                                          uint32_t axis, int64_t groups) {
  int64_t dims[3 + LA_MAX_SPATIAL];
  uint32_t n = 0;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (d == axis) dims[n++] = groups;
    dims[n++] = d == axis ? be_dim(call, BUDDY_DIM_FLOORDIV, type->dims[d], groups) : type->dims[d];
  }
  return be_type(call, type->dtype, n, dims);
}

/* Over two dims. */
static MlirValue grouped(buddy_call *call, const la_problem *p, MlirValue init) {
  const buddy_tensor_type *input = in_groups(call, p->input_type, 1, p->groups);
  const buddy_tensor_type *weight = in_groups(call, p->weight_type, 0, p->groups);
  const buddy_tensor_type *sums = in_groups(call, p->sum_type, 1, p->groups);
  if (!input || !weight || !sums) return no_value;
  const MlirValue operands[3] = {be_reshape(call, p->input, p->input_type, input),
                                 be_reshape(call, p->weight, p->weight_type, weight),
                                 be_reshape(call, init, p->sum_type, sums)};
  return be_reshape(call, named(call, p, "linalg.conv_2d_ngchw_gfchw", operands, sums), sums,
                    p->sum_type);
}

/* Over three, with windows of many planes, or of which only the run knows these. Loops: n, g, f, out..., c, kernel... */
static MlirValue grouped_volumes(buddy_call *call, const la_problem *p, MlirValue init) {
  const uint32_t s = p->n_spatial, c = 3 + s, n_loops = 4 + 2 * s;
  const buddy_tensor_type *input = in_groups(call, p->input_type, 1, p->groups);
  const buddy_tensor_type *weight = in_groups(call, p->weight_type, 0, p->groups);
  const buddy_tensor_type *sums = in_groups(call, p->sum_type, 1, p->groups);
  if (!input || !weight || !sums) return no_value;
  MlirAffineExpr in[3 + LA_MAX_SPATIAL], filter[3 + LA_MAX_SPATIAL], out[3 + LA_MAX_SPATIAL];
  la_loops(call, in, 0, 2);
  la_loops(call, in + 2, c, 1);
  la_loops(call, filter, 1, 2);
  la_loops(call, filter + 2, c, 1 + s);
  la_loops(call, out, 0, 3 + s);
  for (uint32_t d = 0; d < s; ++d)
    in[3 + d] = la_walk(call, 3 + d, p->stride[d], c + 1 + d, p->dilation[d]);
  buddy_dtype dtypes[3] = {input->dtype, weight->dtype, sums->dtype};
  const la_affine spec = {
      .n_loops = n_loops,
      .reductions = ((1u << (1 + s)) - 1) << c,
      .n_inputs = 2,
      .inputs = {be_reshape(call, p->input, p->input_type, input),
                 be_reshape(call, p->weight, p->weight_type, weight)},
      .input_dtypes = {input->dtype, weight->dtype},
      .input_maps = {la_map(call, n_loops, in, 3 + s), la_map(call, n_loops, filter, 3 + s)},
      .init = be_reshape(call, init, p->sum_type, sums),
      .output_type = sums,
      .output_map = la_map(call, n_loops, out, 3 + s),
      .body = la_multiply_add,
      .user = dtypes};
  return be_reshape(call, la_affine_generic(call, &spec), sums, p->sum_type);
}

/* Over two dims, or over three without groups; of a padded input, whose channels have a filter each if groups are such. */
static MlirValue sums_from(buddy_call *call, const la_problem *p, MlirValue init) {
  const bool is_depthwise = p->groups == p->weight_type->dims[0] && p->weight_type->dims[1] == 1;
  if (p->groups == 1) return ungrouped(call, p, init);
  return is_depthwise ? depthwise(call, p, init) : grouped(call, p, init);
}

/* [n, d, c, h, w] as [n * d, c, h, w]. */
static const buddy_tensor_type *as_images(buddy_call *call, const buddy_tensor_type *planes) {
  if (!planes) return NULL;
  const int64_t *sizes = planes->dims;
  const int64_t dims[4] = {be_dim(call, BUDDY_DIM_MUL, sizes[0], sizes[1]), sizes[2], sizes[3],
                           sizes[4]};
  return be_type(call, planes->dtype, 4, dims);
}

/* [n, c, d, h, w] with its planes before its channels, and back. */
static const int64_t planes_first[5] = {0, 2, 1, 3, 4};
static const buddy_tensor_type *with_planes_first(buddy_call *call,
                                                  const buddy_tensor_type *volume) {
  int64_t dims[5];
  for (size_t d = 0; d < 5; ++d) dims[d] = volume->dims[planes_first[d]];
  return be_type(call, volume->dtype, 5, dims);
}

/* The images and the filters that plane `plane` of the window is for. */
static bool read_plane(buddy_call *call, const la_problem *volume, MlirValue planes,
                       const buddy_tensor_type *type, int64_t plane, la_problem *p) {
  la_box images = la_whole(call, type), filters = la_whole(call, volume->weight_type);
  images.offsets[1] = be_dim(call, BUDDY_DIM_MUL, volume->dilation[0], plane);
  images.strides[1] = volume->stride[0];
  images.sizes[1] = volume->sum_type->dims[2];
  filters.offsets[2] = plane;
  filters.sizes[2] = 1;
  const buddy_tensor_type *of_planes = be_type(call, type->dtype, 5, images.sizes);
  const int64_t *sizes = volume->weight_type->dims;
  const int64_t dims[4] = {sizes[0], sizes[1], sizes[3], sizes[4]};
  const buddy_tensor_type *of_filters = be_type(call, volume->weight_type->dtype, 5, filters.sizes);
  p->input_type = as_images(call, of_planes);
  p->weight_type = be_type(call, volume->weight_type->dtype, 4, dims);
  if (!p->input_type || !p->weight_type || !of_filters) return false;
  p->input =
      be_reshape(call, la_extract(call, planes, &images, of_planes), of_planes, p->input_type);
  p->weight = be_reshape(call, la_extract(call, volume->weight, &filters, of_filters), of_filters,
                         p->weight_type);
  return true;
}

static MlirValue sum_of(const be_body *body, const MlirValue *elements, void *user) {
  const buddy_tensor_type *type = user;
  return la_apply(body, &la_add, type->dtype, elements[0], elements[1]);
}

/* Over three dims, plane by plane of the window. */
static MlirValue sums_of_planes(buddy_call *call, const la_problem *volume) {
  const buddy_tensor_type *type = with_planes_first(call, volume->input_type),
                          *out = with_planes_first(call, volume->sum_type);
  const int64_t n = volume->weight_type->dims[2];
  la_problem p = *volume;
  p.sum_type = as_images(call, out);
  if (!type || !p.sum_type) return no_value;
  const buddy_tensor_type *const both[2] = {p.sum_type, p.sum_type};
  const MlirValue planes = be_transpose(call, volume->input, volume->input_type, planes_first);
  p.n_spatial = 2;
  for (int i = 0; i < 2; ++i) {
    p.stride[i] = volume->stride[1 + i];
    p.dilation[i] = volume->dilation[1 + i];
  }
  MlirValue all = la_convolution_begin(call, &p, p.sum_type);
  for (int64_t plane = 0; plane < n; ++plane) {
    if (!read_plane(call, volume, planes, type, plane, &p)) return no_value;
    const MlirValue zero = be_scalar_int(call, p.sum_type->dtype, 0),
                    init = plane == 0 ? all : be_filled(call, p.sum_type, zero),
                    sums = sums_from(call, &p, init);
    all = plane == 0 ? sums
                     : be_elementwise(call, p.sum_type, (const MlirValue[]){all, sums}, both, 2,
                                      sum_of, (void *)(uintptr_t)p.sum_type);
  }
  return be_transpose(call, be_reshape(call, all, p.sum_type, out), out, planes_first);
}

enum { MOST_PLANES = 32 }; /* of a window, that are written out one by one */

/* Over two dims or three. */
static MlirValue plane_sums(buddy_call *call, la_problem *p) {
  const int64_t n = filters_per_channel(p);
  if (n > 1) repeat_channels(call, p, n);
  pad_input(call, p);
  const bool is_volume = p->n_spatial == 3;
  const int64_t planes = p->weight_type->dims[2];
  const bool can_be_planes = is_volume && !BUDDY_IS_SYMBOLIC(planes) && planes <= MOST_PLANES;
  if (can_be_planes && (p->groups != 1 || p->dilation[2] != 1)) return sums_of_planes(call, p);
  const MlirValue init = la_convolution_begin(call, p, p->sum_type);
  return is_volume && p->groups != 1 ? grouped_volumes(call, p, init) : sums_from(call, p, init);
}

/* [n, c, w] as [n, c, 1, w]. */
static const buddy_tensor_type *of_one_line(buddy_call *call, const buddy_tensor_type *line) {
  if (!line) return NULL;
  const int64_t dims[4] = {line->dims[0], line->dims[1], 1, line->dims[2]};
  return be_type(call, line->dtype, 4, dims);
}

/* Over one dim: over two, of which the first is of one line. */
static MlirValue line_sums(buddy_call *call, const la_problem *line) {
  la_problem p = *line;
  p.n_spatial = 2;
  p.low[1] = p.low[0], p.high[1] = p.high[0];
  p.stride[1] = p.stride[0], p.dilation[1] = p.dilation[0];
  p.low[0] = p.high[0] = 0;
  p.stride[0] = p.dilation[0] = 1;
  p.input_type = of_one_line(call, line->input_type);
  p.weight_type = of_one_line(call, line->weight_type);
  p.sum_type = of_one_line(call, line->sum_type);
  if (!p.input_type || !p.weight_type || !p.sum_type) return no_value;
  p.input = be_reshape(call, line->input, line->input_type, p.input_type);
  p.weight = be_reshape(call, line->weight, line->weight_type, p.weight_type);
  return be_reshape(call, plane_sums(call, &p), p.sum_type, line->sum_type);
}

MlirValue la_convolution_sums(buddy_call *call, la_problem *p) {
  return p->n_spatial == 1 ? line_sums(call, p) : plane_sums(call, p);
}
