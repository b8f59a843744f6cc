// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/aliases.c: a list of arguments, as the llvm dialect counts them, goes with each function from one
 * dialect to the other. */
#include "sdk/compile/rewrite/aliases.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"

#define NOTE "buddy.alone"
#define NOALIAS "llvm.noalias"

enum { MAX_NOTED = 64, FIRST_PARTS = 3 /* of a descriptor: two pointers, an offset */ };

/* How many arguments there are for one of that type. */
static int32_t count_parts(MlirType type) {
  if (!mlirTypeIsAMemRef(type)) return mlirTypeIsAUnrankedMemRef(type) ? 2 : 1;
  return FIRST_PARTS + 2 * (int32_t)mlirShapedTypeGetRank(type);
}

static bool is_alone(MlirAttribute all, intptr_t i) {
  const MlirAttribute one = mlirArrayAttrGetElement(all, i);
  return mlirDictionaryAttrGetElementByName(one, mlirStringRefCreateFromCString(NOALIAS)).ptr;
}

static buddy_code note(MlirOperation function, void *user) {
  (void)user;
  const MlirAttribute all = bd_op_attribute(function, "arg_attrs");
  const MlirBlock body = bd_body_of(function);
  int32_t noted[MAX_NOTED];
  int32_t n_arguments = 0;
  intptr_t n = 0;
  if (!all.ptr || !body.ptr || bd_op_attribute(function, "llvm.bareptr").ptr) return BUDDY_OK;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body) && n < MAX_NOTED; ++i) {
    const MlirType type = mlirValueGetType(mlirBlockGetArgument(body, i));
    if (mlirTypeIsAMemRef(type) && is_alone(all, i)) noted[n++] = n_arguments + 1;
    n_arguments += count_parts(type);
  }
  if (n > 0)
    bd_op_set_attribute(function, NOTE,
                        mlirDenseI32ArrayGet(mlirOperationGetContext(function), n, noted));
  return BUDDY_OK;
}

static buddy_code tell(MlirOperation function, void *user) {
  (void)user;
  const MlirContext context = mlirOperationGetContext(function);
  const MlirAttribute noted = bd_op_attribute(function, NOTE),
                      all = bd_op_attribute(function, "arg_attrs");
  if (!noted.ptr) return BUDDY_OK;
  const MlirNamedAttribute noalias = bd_named(context, NOALIAS, mlirUnitAttrGet(context));
  MlirAttribute out[256];
  const intptr_t n = mlirBlockGetNumArguments(bd_body_of(function));
  mlirOperationRemoveAttributeByName(function, mlirStringRefCreateFromCString(NOTE));
  if (n > (intptr_t)(sizeof(out) / sizeof(out[0]))) return BUDDY_OK;
  for (intptr_t i = 0; i < n; ++i)
    out[i] = all.ptr ? mlirArrayAttrGetElement(all, i) : mlirDictionaryAttrGet(context, 0, NULL);
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(noted); ++i)
    out[mlirDenseI32ArrayGetElement(noted, i)] = mlirDictionaryAttrGet(context, 1, &noalias);
  bd_op_set_attribute(function, "arg_attrs", mlirArrayAttrGet(context, n, out));
  return BUDDY_OK;
}

buddy_code bd_aliases_note(MlirOperation root) {
  return bd_ops_each(root, "func.func", note, NULL);
}
buddy_code bd_aliases_tell(MlirOperation root) {
  return bd_ops_each(root, "llvm.func", tell, NULL);
}
