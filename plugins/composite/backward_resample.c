// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/backward_resample.c: gradients of interpolation.
 *
 * Interpolation is linear in each dim: a product with a matrix [in, out] along it. That matrix is
 * what the forward op makes of the identity, so a gradient has the very weights that the forward
 * step had: it is the product with each matrix transposed. */
#include <stdint.h>

#include "plugins/composite/rows.h"

/* Rows of the forward op: the identity's row i holds the weights of input element i. */
static value weights_along(buddy_call *call, const cp_resampling *r, int64_t in, int64_t out,
                           size_t scale, buddy_dtype dtype) {
  if (r->filter != CP_UNFILTERED) {
    const double factor = be_float(call, scale, 0);
    return cp_cast(call,
                   cp_antialias_matrix(call, in, out, factor, be_bool(call, 3), r->filter, dtype),
                   dtype);
  }
  const int64_t column[2] = {in, 1};
  value i = cp_iota(call, in, BUDDY_I64);
  value is_same = cp_binary(call, "aten.eq.Tensor", cp_view(call, i, 2, column), i);
  const int64_t flat[2] = {in, out}, line[4] = {1, in, in}, image[4] = {1, in, 1, in};
  value identity =
      cp_view(call, cp_cast(call, is_same, dtype), r->is_image ? 4 : 3, r->is_image ? image : line);
  if (!identity) return NULL;
  const int64_t to_line[3] = {1, in, out}, to_image[4] = {1, in, 1, out}, sizes[2] = {1, out};
  const bool is_whole = r->is_whole && !r->is_image && (out == in || out == 2 * in);
  const buddy_named_arg factor = is_whole || be_is_none(call, scale)
                                     ? be_t(r->is_image ? "scales_w" : "scales", NULL)
                                     : be_pass(call, r->is_image ? "scales_w" : "scales", scale);
  const buddy_tensor_type *type =
      be_type(call, dtype, r->is_image ? 4 : 3, r->is_image ? to_image : to_line);
  value rows;
  if (r->is_image) {
    rows = BE_NODE(call, r->op, type, be_t("self", identity), be_is("output_size", sizes, 2),
                   be_pass(call, "align_corners", 3), be_t("scales_h", NULL), factor);
  } else if (r->aligns) {
    rows = BE_NODE(call, r->op, type, be_t("self", identity), be_is("output_size", &out, 1),
                   be_pass(call, "align_corners", 3), factor);
  } else {
    rows =
        BE_NODE(call, r->op, type, be_t("self", identity), be_is("output_size", &out, 1), factor);
  }
  return cp_view(call, rows, 2, flat);
}

/* grad_output, output_size, input_size[, align_corners], scales… Where PyTorch's kernel of the
 * gradient leaves the scale out of account, its kernel of the forward op may not. */
buddy_code cp_op_upsample_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const cp_resampling *r = self->user;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  if (from->rank != r->n + 2) return be_decline(call, "a gradient of rank %u", from->rank);
  value gradient = cp_computed(call, 0);
  if (r->is_image && r->is_whole && be_same_dims(from, to)) return cp_finish(call, gradient);
  for (uint32_t d = 0; d < r->n && gradient; ++d) {
    const uint32_t axis = 2 + d;
    value matrix = weights_along(call, r, to->dims[axis], from->dims[axis], 3u + r->aligns + d,
                                 cp_type(call, gradient)->dtype);
    gradient = cp_apply_along(call, gradient, axis, cp_swap(call, matrix, 0, 1));
  }
  return cp_finish(call, gradient);
}

#define NEAREST(spatial) {.op = "aten.upsample_nearest1d.default", .n = (spatial), .is_whole = 1}
#define EXACT(spatial) {.op = "aten._upsample_nearest_exact1d.default", .n = (spatial)}
#define LINEAR(spatial) {.op = "aten.upsample_linear1d.default", .n = (spatial), .aligns = 1}
#define ANTIALIASED(kind) {.n = 2, .aligns = 1, .filter = (kind)}
const cp_resampling cp_nearest_1d = NEAREST(1), cp_nearest_2d = NEAREST(2),
                    cp_nearest_3d = NEAREST(3), cp_exact_1d = EXACT(1), cp_exact_2d = EXACT(2),
                    cp_exact_3d = EXACT(3), cp_linear_1d = LINEAR(1), cp_linear_2d = LINEAR(2),
                    cp_linear_3d = LINEAR(3),
                    cp_cubic_2d = {.op = "aten.upsample_bicubic2d.default",
                                   .n = 2,
                                   .is_image = 1,
                                   .aligns = 1,
                                   .is_whole = 1},
                    cp_linear_aa_2d = ANTIALIASED(CP_TRIANGLE),
                    cp_cubic_aa_2d = ANTIALIASED(CP_CUBIC);
