/* sdk/compile/kernels/copies.c: see copies.h. */
#include "sdk/compile/kernels/copies.h"

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/structured.h"

static buddy_code replace(MlirOperation op, void *user) {
  bd_kernels *kernels = user;
  const MlirValue operands[] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)};
  const MlirType from = mlirValueGetType(operands[0]), to = mlirValueGetType(operands[1]);
  const char *name;
  if (!mlirTypeIsAMemRef(from) || !mlirTypeIsAMemRef(to)) return BUDDY_OK;
  if (bd_memref_is_dense(from) && bd_memref_is_dense(to)) return BUDDY_OK;
  bd_text text = {NULL, 0, 0, 0};
  bd_text_format(&text, "(%%from: ");
  bd_text_type(&text, from);
  bd_text_format(&text, ", %%to: ");
  bd_text_type(&text, to);
  bd_text_format(&text, ") {\n  linalg.copy ins(%%from : ");
  bd_text_type(&text, from);
  bd_text_format(&text, ") outs(%%to : ");
  bd_text_type(&text, to);
  bd_text_format(&text, ")\n  return\n}\n");
  buddy_code code = bd_kernels_add(kernels, "copy", &text, &name);
  bd_text_deinit(&text);
  if (code == BUDDY_OK) code = bd_call_insert(op, name, operands, 2);
  if (code == BUDDY_OK) bd_op_erase(op);
  return code;
}

buddy_code bd_copies_replace(MlirOperation root, bd_kernels *kernels) {
  return bd_ops_each(root, "memref.copy", replace, kernels);
}
