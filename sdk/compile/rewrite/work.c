// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/work.c: counting arithmetic, and its mark in locations. */
#include "sdk/compile/rewrite/work.h"

#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/structured.h"

/* Conversions and comparisons are none. */
static bool is_arithmetic(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1) return false;
  if (!mlirTypeIsAFloat(mlirValueGetType(mlirOperationGetResult(op, 0)))) return false;
  if (bd_op_starts_with(op, "math.")) return true;
  return bd_op_starts_with(op, "arith.") && !bd_op_is(op, "arith.constant") &&
         !bd_op_is(op, "arith.select") && !bd_op_is(op, "arith.extf") &&
         !bd_op_is(op, "arith.truncf") && !bd_op_is(op, "arith.bitcast") &&
         !bd_op_is(op, "arith.sitofp") && !bd_op_is(op, "arith.uitofp");
}

static MlirWalkResult count(MlirOperation op, void *user) {
  *(uint64_t *)user += is_arithmetic(op);
  return MlirWalkResultAdvance;
}

static uint64_t work_of(MlirOperation op) {
  bd_structured s;
  uint64_t n = 0;
  if (!bd_structured_read(op, &s)) return 0;
  mlirOperationWalk(op, count, &n, MlirWalkPreOrder);
  for (int i = 0; i < s.n_loops; ++i) {
    if (s.sizes[i] < 0) return 0;
    n *= (uint64_t)s.sizes[i];
  }
  return n;
}

static buddy_code mark(MlirOperation op, void *user) {
  (void)user;
  const uint64_t n = work_of(op);
  if (n == 0) return BUDDY_OK;
  const MlirContext context = mlirOperationGetContext(op);
  const MlirLocation location = mlirOperationGetLocation(op);
  const MlirAttribute number = mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), (int64_t)n);
  mlirOperationSetLocation(op, mlirLocationFusedGet(context, 1, &location, number));
  return BUDDY_OK;
}

buddy_code bd_work_mark(MlirOperation root) {
  return bd_ops_each_outermost(root, "linalg.", mark, NULL);
}

uint64_t bd_work_read(MlirLocation location) {
  enum { MAX_PARTS = 64 };
  if (!mlirLocationIsAFused(location)) return 0;
  const MlirAttribute number = mlirLocationFusedGetMetadata(location);
  if (number.ptr && mlirAttributeIsAInteger(number))
    return (uint64_t)mlirIntegerAttrGetValueInt(number);
  MlirLocation parts[MAX_PARTS];
  const unsigned n = mlirLocationFusedGetNumLocations(location);
  if (n > MAX_PARTS) return 0;
  mlirLocationFusedGetLocations(location, parts);
  uint64_t sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += bd_work_read(parts[i]);
  return sum;
}
