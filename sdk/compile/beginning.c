/* sdk/compile/beginning.c: see beginning.h. */
#include "sdk/compile/beginning.h"

#include <math.h>

#include "mlir-c/BuiltinAttributes.h"
#include "sdk/compile/structured.h"

MlirOperation bd_writer_before(MlirOperation op) {
  static const char *const harmless[] = {
      "memref.alloc",      "memref.expand_shape",    "memref.collapse_shape",
      "memref.get_global", "memref.subview",         "memref.cast",
      "memref.dim",        "memref.reinterpret_cast"};
  const MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation found = {NULL};
  MlirOperation at = mlirBlockGetFirstOperation(block);
  for (; at.ptr != NULL && !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at)) {
    int is_harmless = bd_op_starts_with(at, "arith.");
    for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
      is_harmless |= bd_op_is(at, harmless[i]);
    if (!is_harmless) found = at;
  }
  return found;
}

int bd_value_is_zero(MlirValue value) {
  if (!mlirValueIsAOpResult(value)) return 0;
  const MlirOperation op = mlirOpResultGetOwner(value);
  const MlirAttribute number =
      bd_op_is(op, "arith.constant") ? bd_op_attribute(op, "value") : (MlirAttribute){NULL};
  if (number.ptr == NULL || !mlirAttributeIsAFloat(number)) return 0;
  const double x = mlirFloatAttrGetValueDouble(number);
  return x == 0 && !signbit(x);
}

/* An operation that repeats a row along all other axes. */
static int is_row(MlirOperation op, int axis, bd_beginning *out) {
  bd_structured s;
  if (axis < 0 || !bd_structured_read(op, &s)) return 0;
  if (s.n_operands != 2 || s.n_inputs != 1 || s.operands[0].rank != 1) return 0;
  const MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  const MlirOperation yield = mlirBlockGetTerminator(body);
  if (!mlirOperationEqual(mlirBlockGetFirstOperation(body), yield) ||
      !mlirValueEqual(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(body, 0)))
    return 0;
  if (!s.operands[0].is_plain || !s.operands[1].is_plain || s.n_loops != s.operands[1].rank)
    return 0;
  for (int loop = 0; loop < s.n_loops; loop++) {
    const int is_along = s.operands[1].axis[loop] == axis;
    if (s.operands[1].axis[loop] < 0 || (s.operands[0].axis[loop] == 0) != is_along) return 0;
  }
  if (!bd_type_is_bare(s.operands[0].type)) return 0;
  out->row = s.operands[0].value;
  return 1;
}

bd_beginning bd_beginning_find(MlirOperation op, MlirValue target, int axis) {
  bd_beginning found = {BD_BEGIN_OLD, {NULL}, {NULL}};
  const MlirOperation writer = bd_writer_before(op);
  if (writer.ptr == NULL || mlirOperationGetNumOperands(writer) != 2 ||
      !mlirValueEqual(mlirOperationGetOperand(writer, 1), target))
    return found;
  if (bd_op_is(writer, "linalg.fill") && bd_value_is_zero(mlirOperationGetOperand(writer, 0)))
    found.begin = BD_BEGIN_ZERO;
  else if (is_row(writer, axis, &found))
    found.begin = BD_BEGIN_ROW;
  if (found.begin != BD_BEGIN_OLD) found.op = writer;
  return found;
}
