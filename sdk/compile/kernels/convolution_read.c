// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/convolution_read.c: a named convolution of linalg, read.
 *
 * Named operations differ in the order of axes only. A table spells the order of each operand's
 * axes by letters: n, g (group), c (channels in), f (channels out), d, h, w; d, h and w of a filter
 * are its window. */
#include "sdk/compile/kernels/convolution_read.h"

#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const bd_convolution_form layouts[] = {
    {"linalg.conv_2d_nchw_fchw", {"nchw", "fchw", "nfhw"}, 1},
    {"linalg.conv_2d_nhwc_hwcf", {"nhwc", "hwcf", "nhwf"}, 0},
    {"linalg.conv_2d_nhwc_fhwc", {"nhwc", "fhwc", "nhwf"}, 0},
    {"linalg.conv_2d_ngchw_fgchw", {"ngchw", "fgchw", "ngfhw"}, 1},
    {"linalg.conv_2d_ngchw_gfchw", {"ngchw", "gfchw", "ngfhw"}, 1},
    {"linalg.conv_2d_nhwgc_gfhwc", {"nhwgc", "gfhwc", "nhwgf"}, 0},
    {"linalg.conv_1d_ncw_fcw", {"ncw", "fcw", "nfw"}, 1},
    {"linalg.conv_3d_ncdhw_fcdhw", {"ncdhw", "fcdhw", "nfdhw"}, 1},
    {"linalg.conv_1d_nwc_wcf", {"nwc", "wcf", "nwf"}, 0},
    {"linalg.depthwise_conv_2d_nchw_chw", {"nchw", "fhw", "nfhw"}, 1},
};

int bd_convolution_axis(const bd_convolution *c, int operand, char letter) {
  const char *at = strchr(c->form->axes[operand], letter);
  return !at ? -1 : (int)(at - c->form->axes[operand]);
}

int64_t bd_convolution_size(const bd_convolution *c, int operand, char letter) {
  const int axis = bd_convolution_axis(c, operand, letter);
  if (axis < 0) return 1;
  return mlirShapedTypeIsDynamicDim(c->types[operand], axis)
             ? -1
             : mlirShapedTypeGetDimSize(c->types[operand], axis);
}

/* Numbers along d, h and w of an attribute like strides; of operations over n axes, along the last
 * of these alone. */
static int read_numbers(MlirOperation op, const char *name, int n, int64_t *planes,
                        int64_t out[2]) {
  const MlirAttribute values = bd_op_attribute(op, name);
  int64_t *const numbers[] = {planes, out, out + 1};
  *planes = out[0] = out[1] = 1;
  if (!values.ptr) return 1;
  if (!mlirAttributeIsADenseElements(values) || mlirElementsAttrGetNumElements(values) != n)
    return 0;
  for (int i = 0; i < n; ++i) *numbers[3 - n + i] = mlirDenseElementsAttrGetInt64Value(values, i);
  return 1;
}

/* Few channels make thin matrices; below these, packing costs more than it gives, unless it serves
 * whole vectors of filters, or there is no window to go through. Three filters, as of what makes
 * pictures, go by vectors of four where many channels are read in their order. */
static bool is_worthwhile(const bd_convolution *c) {
  const int64_t channels = bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'c'),
                of_group = bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'f'),
                groups = bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'g');
  const int64_t filters = of_group < 0 || groups < 0 ? -1 : of_group * groups;
  const int64_t window = bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'd') *
                         bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'h') *
                         bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'w');
  const int64_t depth = channels < 0 || window < 0 ? 64 : channels * window;
  const bool is_narrow = filters == 3 && channels >= 16 && window > 0 && window <= 27;
  const int64_t least = bd_convolution_is_depthwise(c) ? 8 : 4;
  return (filters < 0 || filters >= least || is_narrow) &&
         depth >= (filters >= 16 || window == 1 ? 3 : 8);
}

int bd_convolution_read(MlirOperation op, bd_convolution *c) {
  enum { N_LAYOUTS = sizeof(layouts) / sizeof(layouts[0]) };
  size_t i = 0;
  while (i < N_LAYOUTS && !bd_op_is(op, layouts[i].op)) ++i;
  if (i == N_LAYOUTS || mlirOperationGetNumOperands(op) != 3) return 0;
  c->op = op;
  c->form = &layouts[i];
  for (int k = 0; k < 3; ++k) {
    c->types[k] = mlirValueGetType(mlirOperationGetOperand(op, k));
    if (!mlirTypeIsAMemRef(c->types[k])) return 0;
  }
  const int n = 1 + (bd_convolution_axis(c, BD_CONVOLUTION_INPUT, 'h') >= 0) +
                (bd_convolution_axis(c, BD_CONVOLUTION_INPUT, 'd') >= 0);
  return read_numbers(op, "strides", n, &c->planes_stride, c->strides) &&
         read_numbers(op, "dilations", n, &c->planes_dilation, c->dilations) && is_worthwhile(c);
}

bool bd_convolution_is_depthwise(const bd_convolution *c) {
  return bd_convolution_axis(c, BD_CONVOLUTION_FILTER, 'c') < 0;
}

intptr_t bd_parts_of_axis(MlirOperation expand, intptr_t i) {
  const MlirAttribute groups = bd_op_attribute(expand, "reassociation");
  return mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, i));
}

bool bd_expands_to_groups(MlirOperation expand) {
  enum { GROUPED_RANK = 5, H = 3 };
  const MlirType image = mlirValueGetType(mlirOperationGetOperand(expand, 0)),
                 groups = mlirValueGetType(mlirOperationGetResult(expand, 0));
  const intptr_t rank = mlirShapedTypeGetRank(image);
  if (mlirShapedTypeGetRank(groups) != GROUPED_RANK || rank < 3) return false;
  if (bd_parts_of_axis(expand, 0) != 1 || bd_parts_of_axis(expand, 1) != 2) return false;
  return rank == 4 || mlirShapedTypeGetDimSize(groups, H) == 1;
}

MlirValue bd_convolution_image(const bd_convolution *c, int operand) {
  const MlirValue value = mlirOperationGetOperand(c->op, operand);
  if (bd_convolution_axis(c, operand, 'g') != 1 || !bd_is_made_by(value, "memref.expand_shape"))
    return value;
  const MlirOperation expand = mlirOpResultGetOwner(value);
  return bd_only_user(value).ptr && bd_expands_to_groups(expand)
             ? mlirOperationGetOperand(expand, 0)
             : value;
}

int bd_convolution_axis_of(const bd_convolution *c, int operand, MlirValue value, char letter) {
  const intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(value));
  if (rank == mlirShapedTypeGetRank(c->types[operand]))
    return bd_convolution_axis(c, operand, letter);
  switch (letter) { /* n, channels, and the places */
    case 'n':
      return 0;
    case 'w':
      return (int)rank - 1;
    case 'h':
      return rank == 4 ? 2 : -1;
    default:
      return 1;
  }
}
