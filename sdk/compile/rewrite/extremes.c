// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/extremes.c: maxima and minima that begin at infinity. What is looked for:
 *
 *   %c = arith.constant -3.40282347E+38 : f32
 *   %b = linalg.fill ins(%c) outs(%empty)
 *   linalg.reduce ins(%x) outs(%b) { arith.maximumf … }
 *   linalg.pooling_nhwc_max ins(%p, %w) outs(%b)
 *
 * and, for pooling, the padding of %p: a linalg.fill that %x was inserted into. The constant may
 * have other users; the fill gets one of its own. */
#include "sdk/compile/rewrite/extremes.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/ir.h"
#include "sdk/compile/builder.h"

static double largest(MlirType type) {
  if (mlirTypeIsAF16(type)) return 65504.0;
  if (mlirTypeIsABF16(type)) return 0x1.fep127;
  return mlirTypeIsAF32(type) ? (double)FLT_MAX : DBL_MAX;
}

/* The number that a linalg.fill fills with, if it is a constant: 1, else 0. */
static int fill_number(MlirOperation fill, double *out_number, MlirType *out_type) {
  if (mlirOperationIsNull(fill) || !bd_op_is(fill, "linalg.fill")) return 0;
  const MlirValue scalar = mlirOperationGetOperand(fill, 0);
  *out_type = mlirValueGetType(scalar);
  return bd_read_float(scalar, out_number);
}

/* sign: -1 for maxima, which begin at the bottom; 1 for minima. */
static buddy_code widen(MlirOperation fill, double sign) {
  double number;
  MlirType type;
  if (!fill_number(fill, &number, &type) || number != sign * largest(type)) return BUDDY_OK;
  const MlirValue infinity = bd_build_float(bd_builder_before(fill), type, sign * (double)INFINITY);
  if (!infinity.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirOperationSetOperand(fill, 0, infinity);
  return BUDDY_OK;
}

static buddy_code reduce(MlirOperation op) {
  if (mlirOperationGetNumOperands(op) != 2) return BUDDY_OK;
  const MlirBlock body = bd_body_of(op);
  const MlirOperation combiner = mlirBlockGetFirstOperation(body);
  const bool is_max = bd_op_is(combiner, "arith.maximumf");
  if (!is_max && !bd_op_is(combiner, "arith.minimumf")) return BUDDY_OK;
  const MlirOperation fill = bd_maker_of(mlirOperationGetOperand(op, 1));
  return widen(fill, is_max ? -1 : 1);
}

/* operands: image, window, begin */
static buddy_code pool(MlirOperation op) {
  const MlirOperation image = bd_maker_of(mlirOperationGetOperand(op, 0));
  BD_TRY(widen(bd_maker_of(mlirOperationGetOperand(op, 2)), -1));
  if (!mlirOperationIsNull(image) && bd_op_is(image, "tensor.insert_slice")) {
    BD_TRY(widen(bd_maker_of(mlirOperationGetOperand(image, 1)), -1));
  }
  return BUDDY_OK;
}

static buddy_code begin(MlirOperation op, void *user) {
  (void)user;
  if (bd_op_is(op, "linalg.reduce")) return reduce(op);
  return bd_op_is(op, "linalg.pooling_nhwc_max") ? pool(op) : BUDDY_OK;
}

buddy_code bd_extremes_begin_at_infinity(MlirOperation root) {
  return bd_ops_each_outermost(root, "linalg.", begin, NULL);
}
