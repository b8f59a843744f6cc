/* sdk/compile/kernels/convolution_read.c: see convolution_read.h.
 *
 * Named operations differ in the order of axes only. A table spells the order of each operand's
 * axes by letters: n, g (group), c (channels in), f (channels out), h, w; h and w of a filter are
 * its window. */
#include "sdk/compile/kernels/convolution_read.h"

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
    {"linalg.conv_1d_nwc_wcf", {"nwc", "wcf", "nwf"}, 0},
};

int bd_convolution_axis(const bd_convolution *c, int operand, char letter) {
  const char *at = strchr(c->form->axes[operand], letter);
  return at == NULL ? -1 : (int)(at - c->form->axes[operand]);
}

int64_t bd_convolution_size(const bd_convolution *c, int operand, char letter) {
  const int axis = bd_convolution_axis(c, operand, letter);
  if (axis < 0) return 1;
  return mlirShapedTypeIsDynamicDim(c->types[operand], axis)
             ? -1
             : mlirShapedTypeGetDimSize(c->types[operand], axis);
}

/* Numbers along h and w of an attribute like strides; of operations over one axis, along w alone.
 */
static int read_pair(MlirOperation op, const char *name, int has_height, int64_t out[2]) {
  const MlirAttribute values = bd_op_attribute(op, name);
  out[0] = out[1] = 1;
  if (values.ptr == NULL) return 1;
  if (!mlirAttributeIsADenseElements(values) ||
      mlirElementsAttrGetNumElements(values) != 1 + has_height)
    return 0;
  for (int i = 0; i < 1 + has_height; i++)
    out[1 - has_height + i] = mlirDenseElementsAttrGetInt64Value(values, i);
  return 1;
}

/* Few channels make thin matrices; below these, packing costs more than it gives. */
static int is_worthwhile(const bd_convolution *c) {
  const int64_t channels = bd_convolution_size(c, BD_CONVOLUTION_INPUT, 'c'),
                filters = bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'f');
  const int64_t window = bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'h') *
                         bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'w');
  const int64_t depth = channels < 0 || window < 0 ? 64 : channels * window;
  return (filters < 0 || filters >= 4) && depth >= 8;
}

int bd_convolution_read(MlirOperation op, bd_convolution *c) {
  size_t i = 0;
  while (i < sizeof(layouts) / sizeof(layouts[0]) && !bd_op_is(op, layouts[i].op)) i++;
  if (i == sizeof(layouts) / sizeof(layouts[0]) || mlirOperationGetNumOperands(op) != 3) return 0;
  c->form = &layouts[i];
  for (int k = 0; k < 3; k++) {
    c->types[k] = mlirValueGetType(mlirOperationGetOperand(op, k));
    if (!mlirTypeIsAMemRef(c->types[k])) return 0;
  }
  const int has_height = bd_convolution_axis(c, BD_CONVOLUTION_INPUT, 'h') >= 0;
  if (!read_pair(op, "strides", has_height, c->strides)) return 0;
  if (!read_pair(op, "dilations", has_height, c->dilations)) return 0;
  return is_worthwhile(c);
}
