// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/prims.c: what PyTorch's decompositions for Inductor make of an op.
 *
 * Its max pools give, in place of where in the image the largest element of a window lies, where in
 * the window: a number that fits a byte. The other op makes positions in the image of them. */
#include "plugins/composite/rows.h"

enum { MAX_SPATIAL = 3 };

static value times(buddy_call *call, value a, int64_t b) {
  return cp_dim(call, "aten.mul.Tensor", a, b);
}
/* Of numbers that are not negative. */
static value over(buddy_call *call, value a, int64_t b) {
  if (!a) return NULL;
  return BE_NODE(call, "aten.floor_divide.default", cp_type(call, a), be_t("self", a),
                 be_i("other", b));
}

/* Coordinates of a position in an image of these dims. */
static void coordinates(buddy_call *call, value position, const int64_t *dims, uint32_t n,
                        value *out) {
  for (uint32_t d = n; d-- > 1;) {
    value line = over(call, position, dims[d]);
    out[d] = cp_sub(call, position, times(call, line, dims[d]));
    position = line;
  }
  out[0] = position;
}

static value position_of(buddy_call *call, const value *at, const int64_t *dims, uint32_t n) {
  value position = at[0];
  for (uint32_t d = 1; d < n; ++d) position = cp_add(call, times(call, position, dims[d]), at[d]);
  return position;
}

/* Where along dim d the windows begin, to be broadcast: o stride - padding. */
static value beginnings(buddy_call *call, const buddy_tensor_type *windows, uint32_t n, uint32_t d,
                        size_t i_stride, size_t i_padding) {
  int64_t dims[BE_MAX_RANK];
  for (uint32_t i = 0; i < windows->rank && i < BE_MAX_RANK; ++i) dims[i] = 1;
  const uint32_t place = windows->rank - n + d;
  dims[place] = windows->dims[place];
  value o = cp_view(call, cp_iota(call, dims[place], BUDDY_I64), windows->rank, dims);
  return cp_dim(call, "aten.add.Tensor", times(call, o, be_int_at(call, i_stride, d, 1)),
                -be_int_at(call, i_padding, d, 0));
}

/* The list argument's length is the number of spatial dims; 0 where the tensors have not so many. */
static uint32_t spatial(buddy_call *call, int64_t *kernel) {
  const uint32_t n = (uint32_t)be_arg(call, 1)->n;
  if (n != 2 && n != MAX_SPATIAL) return 0;
  if (n > be_arg_type(call, 0)->rank || n > be_result_type(call, 0)->rank) return 0;
  for (uint32_t d = 0; d < n; ++d) kernel[d] = be_int_at(call, 1, d, 1);
  return n;
}

/* self, kernel_size, stride, padding, dilation, ceil_mode */
buddy_code cp_op_max_pool_offsets(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  int64_t kernel[MAX_SPATIAL] = {0};
  const uint32_t n = spatial(call, kernel);
  if (!n) return be_decline(call, "a pool over %zu dims", be_arg(call, 1)->n);
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const buddy_tensor_type *index = be_with_dtype(call, to, BUDDY_I64);
  if (!index) return BUDDY_OUT_OF_MEMORY;
  const buddy_tensor_type types[2] = {*to, *index};
  const buddy_named_arg args[] = {be_pass(call, "self", 0),     be_pass(call, "kernel_size", 1),
                                  be_pass(call, "stride", 2),   be_pass(call, "padding", 3),
                                  be_pass(call, "dilation", 4), be_pass(call, "ceil_mode", 5)};
  value pooled[2] = {NULL, NULL}, at[MAX_SPATIAL] = {NULL};
  buddy_code code = be_host->node(
      call,
      n == 2 ? "aten.max_pool2d_with_indices.default" : "aten.max_pool3d_with_indices.default",
      args, 6, types, 2, pooled);
  if (code != BUDDY_OK) return code;
  coordinates(call, pooled[1], from->dims + (from->rank - n), n, at);
  for (uint32_t d = 0; d < n; ++d) {
    at[d] = cp_sub(call, at[d], beginnings(call, to, n, d, 2, 3));
    at[d] = over(call, at[d], be_int_at(call, 4, d, 1));
  }
  code = be_replace(call, 0, pooled[0]);
  if (code != BUDDY_OK) return code;
  return be_replace(call, 1, cp_cast(call, position_of(call, at, kernel, n), BUDDY_I8));
}

/* self, kernel_size, input_size, stride, padding, dilation */
buddy_code cp_op_max_pool_indices(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  int64_t kernel[MAX_SPATIAL] = {0}, image[MAX_SPATIAL] = {0};
  const uint32_t n = spatial(call, kernel);
  if (!n) return be_decline(call, "a pool over %zu dims", be_arg(call, 1)->n);
  value at[MAX_SPATIAL] = {NULL};
  coordinates(call, cp_cast(call, be_arg_value(call, 0), BUDDY_I64), kernel, n, at);
  for (uint32_t d = 0; d < n; ++d) {
    image[d] = be_size_at(call, 2, d, 1);
    at[d] = cp_add(call, times(call, at[d], be_int_at(call, 5, d, 1)),
                   beginnings(call, be_result_type(call, 0), n, d, 3, 4));
  }
  return cp_finish(call, position_of(call, at, image, n));
}

/* a, dim: the largest elements along a dim, and the sums of exp(a - largest) */
buddy_code cp_op_softmax_parts(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const uint32_t rank = be_arg_type(call, 0)->rank;
  const uint64_t axis = rank ? 1ull << be_axis(call, 1, rank, 0) : 0;
  value a = be_arg_value(call, 0), most = cp_amax(call, a, axis, 1);
  value powers = cp_unary(call, "aten.exp.default", cp_sub(call, a, most));
  const buddy_code code = be_replace(call, 0, most);
  if (code != BUDDY_OK) return code;
  return be_replace(call, 1, cp_sum(call, powers, axis, 1));
}

/* input: the power of two that is no less, as the exponent's byte of an f32; 254 at most */
buddy_code cp_op_exponents(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = cp_cast(call, be_arg_value(call, 0), BUDDY_F32);
  if (!x) return cp_finish(call, NULL);
  value bits = BE_NODE(call, "aten.view.dtype", be_with_dtype(call, cp_type(call, x), BUDDY_I32),
                       be_t("self", x), be_d("dtype", BUDDY_I32));
  value power = cp_dim(call, "aten.bitwise_and.Tensor",
                       cp_dim(call, "aten.bitwise_right_shift.Tensor", bits, 23), 0xff);
  value rest = cp_dim(call, "aten.bitwise_and.Tensor", bits, 0x7fffff);
  value up = cp_cast(call, cp_dim(call, "aten.ne.Tensor", rest, 0), BUDDY_I32);
  value sum = cp_add(call, power, up);
  if (!sum) return cp_finish(call, NULL);
  return cp_finish(call, BE_NODE(call, "aten.clamp.default", NULL, be_t("self", sum),
                                 be_i("min", 0), be_i("max", 254)));
}
