// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/blocks.c: torchao's quantization, in which blocks of a tensor share a scale and
 * a zero point, in the arithmetic of its own definitions
 * (torchao/quantization/quant_primitives.py), so that no rounding differs.
 *
 * A tensor is looked at with each dim that is cut into blocks as two, (blocks, elements of a
 * block); scales and zero points then are dims of 1 in the places of the elements. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

typedef struct blocks {
  uint32_t rank;
  int64_t dims[BE_MAX_RANK];   /* of the tensor */
  int64_t scales[BE_MAX_RANK]; /* of its scales */
  uint64_t inner;              /* the axes within a block */
} blocks;

static int add_dim(blocks *b, int64_t size, bool is_inner) {
  if (b->rank == BE_MAX_RANK) return 0;
  b->dims[b->rank] = size;
  b->scales[b->rank] = is_inner ? 1 : size;
  if (is_inner) b->inner |= UINT64_C(1) << b->rank;
  ++b->rank;
  return 1;
}

/* By argument 0 and the list of block sizes that argument i is. */
static buddy_code read_blocks(buddy_call *call, size_t i, blocks *b) {
  const buddy_tensor_type *type = be_arg_type(call, 0);
  const buddy_arg *sizes = be_arg(call, i);
  *b = (blocks){0};
  if (!type || sizes->kind != BUDDY_ARG_INTS || sizes->n != type->rank)
    return be_decline(call, "not one block size per dim");
  for (uint32_t d = 0; d < type->rank; ++d) {
    const int64_t size = type->dims[d], block = sizes->as.ints[d] == -1 ? size : sizes->as.ints[d];
    bool has_room = true;
    if (block == size || block == 1) {
      has_room = add_dim(b, size, block != 1);
    } else {
      if (BUDDY_IS_SYMBOLIC(block) || block < 1)
        return be_decline(call, "blocks of an unknown size along dim %u", d);
      has_room =
          add_dim(b, be_dim(call, BUDDY_DIM_FLOORDIV, size, block), 0) && add_dim(b, block, 1);
    }
    if (!has_room) return be_decline(call, "rank %u, cut into blocks", type->rank);
  }
  return BUDDY_OK;
}

/* The ends of the range: arguments i and i + 1, or those of the integer type. */
static buddy_code read_range(buddy_call *call, size_t i, buddy_dtype dtype, double *ends) {
  static const struct {
    buddy_dtype dtype;
    double ends[2];
  } whole[] = {{BUDDY_I8, {-128, 127}}, {BUDDY_U8, {0, 255}}, {BUDDY_I16, {-32768, 32767}}};
  for (size_t w = 0; w < sizeof whole / sizeof *whole; ++w) {
    if (whole[w].dtype != dtype) continue;
    ends[0] = be_float(call, i, whole[w].ends[0]);
    ends[1] = be_float(call, i + 1, whole[w].ends[1]);
    return BUDDY_OK;
  }
  if (be_is_none(call, i) || be_is_none(call, i + 1))
    return be_decline(call, "no range of integers is given for the type");
  ends[0] = be_float(call, i, 0);
  ends[1] = be_float(call, i + 1, 0);
  return BUDDY_OK;
}

static value number(buddy_call *call, value like, double n) {
  const buddy_tensor_type *type = cp_type(call, like);
  return type ? cp_full(call, be_type(call, type->dtype, 0, NULL), n) : NULL;
}
static value at_least(buddy_call *call, value a, double n) {
  return cp_binary(call, "aten.maximum.default", a, number(call, a, n));
}
static value at_most(buddy_call *call, value a, double n) {
  return cp_binary(call, "aten.minimum.default", a, number(call, a, n));
}

/* Nothing to quantize, or no scales for what there is. */
static bool has_nothing(buddy_call *call, buddy_code *out_code) {
  const bool is_empty = be_n_elements(call, be_arg_type(call, 0)) == 0;
  if (is_empty)
    *out_code = cp_finish(call, cp_full(call, be_result_type(call, 0), 0));
  else if (be_n_elements(call, be_arg_type(call, 2)) == 0)
    *out_code = be_decline(call, "there are no scales");
  else
    return false;
  return true;
}

/* Argument i, one number per block, beside the blocks; null if it is None or empty. */
static value per_block(buddy_call *call, const blocks *b, size_t i) {
  value a = be_arg_value(call, i);
  const buddy_tensor_type *type = a ? cp_type(call, a) : NULL;
  if (!type || be_n_elements(call, type) == 0) return NULL;
  return cp_view(call, a, b->rank, b->scales);
}

/* torchao.quantize_affine: input, block_size, scale, zero_point, output_dtype, quant_min,
 * quant_max */
buddy_code cp_op_quantize_blocks(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  blocks b;
  double ends[2] = {0};
  const buddy_tensor_type *to = be_result_type(call, 0);
  buddy_code code = read_blocks(call, 1, &b);
  if (code == BUDDY_OK) code = read_range(call, 5, to->dtype, ends);
  if (code != BUDDY_OK || has_nothing(call, &code)) return code;
  value x = cp_view(call, be_arg_value(call, 0), b.rank, b.dims), scale = per_block(call, &b, 2);
  value zero_point = per_block(call, &b, 3);
  if (!x || !scale) return cp_finish(call, NULL);
  value steps = cp_mul(call, x, cp_unary(call, "aten.reciprocal.default", scale));
  value q = cp_unary(call, "aten.round.default", steps);
  if (zero_point) q = cp_add(call, q, zero_point);
  q = at_most(call, at_least(call, q, ends[0]), ends[1]);
  return cp_finish_shaped(call, 0, q);
}

/* torchao.dequantize_affine: input, block_size, scale, zero_point, input_dtype, quant_min,
 * quant_max, output_dtype */
buddy_code cp_op_dequantize_blocks(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  blocks b;
  const buddy_tensor_type *to = be_result_type(call, 0);
  buddy_code code = read_blocks(call, 1, &b);
  if (code != BUDDY_OK || has_nothing(call, &code)) return code;
  value scale = per_block(call, &b, 2), zero_point = per_block(call, &b, 3);
  value x = cp_cast(call, cp_view(call, be_arg_value(call, 0), b.rank, b.dims), to->dtype);
  if (!x || !scale) return cp_finish(call, NULL);
  if (zero_point) x = cp_sub(call, x, cp_cast(call, zero_point, to->dtype));
  return cp_finish_shaped(call, 0, cp_mul(call, x, scale));
}

typedef struct affine {
  value scale, zero_point;
} affine;

static double least_scale(buddy_call *call, size_t i, buddy_dtype dtype) {
  const double normal = dtype == BUDDY_F16   ? 6.103515625e-05
                        : dtype == BUDDY_F64 ? 2.2250738585072014e-308
                                             : 1.1754943508222875e-38;
  return be_float(call, i, normal);
}

/* The zero point is in the middle of the range. */
static affine symmetric(buddy_call *call, value low, value high, const double *ends, double eps,
                        int clips) {
  value scale;
  value size = cp_unary(call, "aten.neg.default", low);
  if (clips) {
    scale = cp_number(call, "aten.div.Tensor", cp_binary(call, "aten.maximum.default", size, high),
                      (ends[1] - ends[0]) / 2);
  } else {
    value below = cp_number(call, "aten.div.Tensor", low, ends[0]);
    value above = cp_number(call, "aten.div.Tensor", high, ends[1]);
    scale = cp_where(call, cp_binary(call, "aten.gt.Tensor", below, above), below, above);
  }
  if (!scale) return (affine){NULL, NULL};
  const double middle = (double)(int64_t)((ends[1] + ends[0] + 1) / 2);
  return (affine){at_least(call, scale, eps), cp_full(call, cp_type(call, scale), middle)};
}

static affine asymmetric(buddy_call *call, value low, value high, const double *ends, double eps) {
  value scale = cp_number(call, "aten.div.Tensor", cp_sub(call, high, low), ends[1] - ends[0]);
  scale = at_least(call, scale, eps);
  value steps = cp_unary(call, "aten.round.default", cp_div(call, low, scale));
  value zero_point = steps ? cp_sub(call, number(call, steps, ends[0]), steps) : NULL;
  return (affine){scale, at_most(call, at_least(call, zero_point, ends[0]), ends[1])};
}

/* torchao.choose_qparams_affine: input, mapping_type, block_size, target_dtype, quant_min,
 * quant_max, eps, scale_dtype, zero_point_dtype, keepdim */
buddy_code cp_op_choose_blocks(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  blocks b;
  double ends[2] = {0};
  const buddy_arg *mapping = be_arg(call, 1);
  buddy_code code = read_blocks(call, 2, &b);
  if (code == BUDDY_OK) code = read_range(call, 4, (buddy_dtype)be_int(call, 3, 0), ends);
  if (code != BUDDY_OK) return code;
  if (b.inner == 0) return be_decline(call, "blocks of one element each");
  value x = cp_view(call, be_arg_value(call, 0), b.rank, b.dims);
  if (!x || mapping->kind != BUDDY_ARG_STRING) return cp_finish(call, NULL);
  value low = at_most(call,
                      cp_unary(call, "aten.neg.default",
                               cp_amax(call, cp_unary(call, "aten.neg.default", x), b.inner, 1)),
                      0);
  value high = at_least(call, cp_amax(call, x, b.inner, 1), 0);
  const double eps = least_scale(call, 6, cp_type(call, x)->dtype);
  affine chosen;
  if (strcmp(mapping->as.string, "ASYMMETRIC") == 0)
    chosen = asymmetric(call, low, high, ends, eps);
  else if (strncmp(mapping->as.string, "SYMMETRIC", 9) == 0)
    chosen = symmetric(call, low, high, ends, eps, mapping->as.string[9] == '\0');
  else
    return be_decline(call, "the mapping '%s'", mapping->as.string);
  value both[] = {chosen.scale, chosen.zero_point};
  for (size_t i = 0; i < 2 && code == BUDDY_OK; ++i) {
    code = cp_finish_shaped(call, i, both[i]);
  }
  return code;
}
